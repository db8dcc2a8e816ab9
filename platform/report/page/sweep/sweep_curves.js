// SPDX-License-Identifier: Apache-2.0
// Every statistic over one parameter, a curve for each value of a second one.

/** The points that have the chosen values of the parameters that are held; `held`: parameter to level, -1: any. */
const pointsHeld = (sweep, held) => sweep.done.filter(
    (point) => [...held].every(([parameter, level]) => level < 0 || parameter.levelOf(point) === level));

/** Along the number with the most values; a curve for each value of the parameter that has the fewest of the others. */
function firstAxes({varied, sampled}) {
  const most = (a, b) => b.numeric - a.numeric || b.levels.length - a.levels.length;
  const [along, ...others] = [...varied].sort(most);
  const [by] = others.sort((a, b) => a.levels.length - b.levels.length);
  return {along, by: sampled ? null : by ?? null};
}

/** By level of the x axis: least, mean and most of a statistic. */
function curveOf(points, parameter, statistic) {
  return parameter.levels
      .map((level, i) => {
        const values =
            points.filter((point) => parameter.levelOf(point) === i).map(statistic.of).filter(Number.isFinite);
        if (!values.length) return null;
        const [low, high] = extent(values);
        return {x: level.value, text: level.text, low, high, mean: mean(values), count: values.length};
      })
      .filter(Boolean);
}

function curveMarks(plot, curve, i, count, name, statistic, along) {
  const color = colorOf(i, count), unit = statistic.unit ? ` ${statistic.unit}` : '';
  const path = (points) =>
      points.map(([x, y], k) => `${k ? 'L' : 'M'}${plot.x(x).toFixed(1)} ${plot.y(y).toFixed(1)}`).join('');
  const band = curve.some((c) => c.high > c.low) ? el('path', {
    d: `${path([...curve.map((c) => [c.x, c.high]), ...curve.map((c) => [c.x, c.low]).reverse()])}Z`,
    fill: color,
    class: 'band'
  }) :
                                                   null;
  return [
    band, el('path', {
      d: path(curve.map((c) => [c.x, c.mean])),
      stroke: color,
      class: 'curve',
      'stroke-dasharray': i % 2 ? '6 3' : null
    }),
    ...curve.map(
        (c) => mark(
            plot.x(c.x), plot.y(c.mean), i, color,
            `${along.path} ${c.text}${along.unit ? ` ${along.unit}` : ''}${name ? `, ${name}` : ''}: ${
                statistic.name} ${short(c.mean)}${unit}` +
                (c.count > 1 ? `, mean of ${c.count} points, ${short(c.low)} to ${short(c.high)}` : '')))
  ];
}

function chartOf(sweep, statistic, state, width) {
  const along = state.along, groups = state.by ? state.by.levels : [null];
  const points = pointsHeld(sweep, state.held);
  const curves = groups.map(
      (group, i) =>
          curveOf(group ? points.filter((point) => state.by.levelOf(point) === i) : points, along, statistic));
  const all = curves.flat();
  if (!all.length) return nothing('No point has this figure.');
  const plot = frame({
    width,
    height: 270,
    x: levelScale(along, Math.max(3, Math.floor(width / 90))),
    y: numberScale(all.flatMap((c) => [c.low, c.high]), {room: 5}),
    xLabel: `${along.label}${along.logarithmic ? ', logarithmic' : ''}`,
    yLabel: statistic.unit || statistic.name,
    label: `${statistic.name} over ${along.path}${state.by ? `, a curve for each ${state.by.path}` : ''}`
  });
  curves.forEach(
      (curve, i) => plot.svg.append(
          ...curveMarks(
              plot, curve, i, groups.length, groups[i] ? `${state.by.path} ${groups[i].text}` : '', statistic, along)
              .filter(Boolean)));
  return plot.svg;
}

/** The parameters that are neither on the axis nor told by curves are held, or taken together. */
function curvePickers({varied}, state, change) {
  const others = varied.filter((parameter) => parameter !== state.along);
  if (state.by === state.along) state.by = others[0] ?? null;
  const rest = others.filter((parameter) => parameter !== state.by);
  state.held = new Map(rest.map((parameter) => [parameter, state.held.get(parameter) ?? -1]));
  const along = picker('over', varied.map((p) => p.label), varied.indexOf(state.along), change((i) => {
                         state.along = varied[i];
                       }));
  const by = () => picker(
      'a curve for each', ['one curve', ...others.map((p) => p.label)], others.indexOf(state.by) + 1, change((i) => {
        state.by = others[i - 1] ?? null;
      }));
  const held = (parameter) => picker(
      parameter.label, ['all: mean, least to most', ...parameter.levels.map((level) => level.text)],
      state.held.get(parameter) + 1, change((i) => {
        state.held.set(parameter, i - 1);
      }));
  return [along, others.length ? by() : null, ...rest.map(held)];
}

function curveChart(sweep, statistic, state) {
  const picture = drawing((width) => chartOf(sweep, statistic, state, width));
  const node =
      el('figure', {class: 'chart', 'data-statistic': statistic.name},
         el('figcaption', {title: statistic.description}, el('strong', {}, statistic.name), ` ${statistic.unit}`,
            statistic.better ? el('span', {class: 'hint'}, `${statistic.better} is better`) : null),
         picture.node);
  return {node, redraw: picture.redraw};
}

function curvesSection(sweep) {
  const {varied} = sweep;
  if (!varied.length) return null;
  const state = {...firstAxes(sweep), held: new Map()};
  const legend = el('p', {class: 'legend curves-legend'});
  const charts = sweep.statistics.map((statistic) => curveChart(sweep, statistic, state));
  const keys = ({
    label,
    levels
  }) => [el('span', {}, `${label}:`), ...levels.map((level, i) => markKey(i, colorOf(i, levels.length), level.text))];
  const row = pickerRow((change) => curvePickers(sweep, state, change), () => {
    legend.replaceChildren(...(state.by ? keys(state.by) : []));
    charts.forEach((chart) => chart.redraw());
  });
  const binned = varied.some((p) => p.levels.length === kBins && !Array.isArray(p.values));
  return section(
      `curves-${sweep.number}`, titleOf(sweep, 'Curves'),
      'A mark is the mean of the points that have these values, a band spans from the least to the most of them. ' +
          `Hover over a mark for its figures.${binned ? ' Sampled values are put together in bins.' : ''}`,
      row, legend, el('div', {class: 'charts'}, charts.map((chart) => chart.node)));
}
