// SPDX-License-Identifier: Apache-2.0
// How much of a statistic's variation each parameter explains by itself.

const variance = (values) => {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
};

/** Main-effect share: the variance of the means at a parameter's values over the variance of all points. */
function mainEffect(points, parameter, statistic) {
  const all = points.map(statistic.of), total = variance(all);
  // What rounding leaves of equal values is no variation.
  if (!(total > (1e-9 * Math.max(...all.map(Math.abs))) ** 2)) return null;
  const middle = mean(all);
  const between =
      parameter.levels.map((_, i) => points.filter((point) => parameter.levelOf(point) === i).map(statistic.of))
          .filter((values) => values.length)
          .map((values) => values.length * (mean(values) - middle) ** 2);
  return Math.min(1, sum(between) / points.length / total);
}

const kFormula =
    'variance of the means at each value of the parameter (8 bins where there are more than 12 values), over the ' +
    'variance of all points: the main-effect share, or first-order index. Effects of several parameters together are ' +
    'in none of the shares; with few points at a value the shares come out too large';

function importanceRow(sweep, statistic) {
  const points = sweep.done.filter((point) => Number.isFinite(statistic.of(point)));
  const shares = points.length > 1 ? sweep.varied.map((parameter) => mainEffect(points, parameter, statistic)) : [null];
  const steady = shares.includes(null), most = steady ? null : largest(shares);
  return el(
      'tr', {'data-importance': statistic.name},
      el('th', {scope: 'row', title: statistic.description}, statistic.label),
      steady ? el('td', {colspan: sweep.varied.length, class: 'soft'},
                  points.length > 1 ? 'the same at every point' : 'of too few points') :
               shares.map(
                   (share, i) =>
                       el('td', {
                         'data-share': share,
                         title: `${percentText(share)} of the variance of ${statistic.name} is explained by ${
                             sweep.varied[i].path} alone: ${kFormula}`
                       },
                          el('span', {class: `share-text${share === most ? ' most' : ''}`}, percentText(share)),
                          el('span', {class: 'trough'},
                             el('span', {class: 'fill', style: `width: ${100 * share}%; --swatch: var(--run-0)`})))));
}

function importanceSection(sweep) {
  if (sweep.varied.length < 1 || !sweep.statistics.length) return null;
  return section(
      `importance-${sweep.number}`, titleOf(sweep, 'Parameter importance'),
      `Share of a figure's variation that one parameter explains by itself: the ${kFormula}.`,
      el('div', {class: 'scroll'},
         el('table', {class: 'importance'},
            el('thead', {},
               el('tr', {}, el('th', {scope: 'col'}, 'Figure'),
                  sweep.varied.map((p) => el('th', {scope: 'col', title: p.description}, p.path)))),
            el('tbody', {}, sweep.statistics.map((statistic) => importanceRow(sweep, statistic))))));
}
