// SPDX-License-Identifier: Apache-2.0
// Puts the page of sweeps together: what was swept, its pictures, all its points.

function titleOf(sweep, text) { return several ? `${sweep.sweep}: ${text}` : text; }

function stateOf(sweep) {
  const waiting = sweep.points.length - sweep.done.length - sweep.failed.length;
  const parts = [
    `${sweep.done.length} of ${sweep.points.length} points`, sweep.failed.length ? `${sweep.failed.length} failed` : '',
    waiting ? `${waiting} not run yet` : ''
  ].filter(Boolean);
  return [sweep.failed.length || waiting ? 'bad' : 'good', parts.join(', ')];
}

function header() {
  document.getElementById('header').append(
      el('p', {class: 'brand'}, 'gputlm report'), el('h1', {}, sweeps.map((sweep) => sweep.sweep).join(' and ')),
      ...sweeps.map(
          (sweep) => el('p', {class: 'lead'}, sweep.description || `Sweep of the ${sweep.kind} ${sweep.target}.`)),
      el('p', {class: 'states'}, sweeps.map((sweep) => {
        const [kind, text] = stateOf(sweep);
        return el('span', {class: `state ${kind}`}, titleOf(sweep, text));
      })));
  document.getElementById('footer').append(`gputlm ${
      report.version}. Everything on this page is in the file itself. docs/report.md says what each picture shows.`);
}

const valuesText = ({values, unit}) =>
    (Array.isArray(values) ? values.map(short).join(', ') :
                             `sampled from ${short(values?.from)} to ${short(values?.to)}`) +
    (unit ? ` ${unit}` : '');

function parameterTable(sweep) {
  return el(
      'div', {class: 'scroll'},
      el('table', {}, el('caption', {}, 'Parameters'),
         el('thead', {},
            el('tr', {}, ['Parameter', 'Values', 'What it is'].map((text) => el('th', {scope: 'col'}, text)))),
         el('tbody', {},
            sweep.parameters.map(
                (p) =>
                    el('tr', {}, el('th', {scope: 'row'}, p.path), el('td', {}, valuesText(p)),
                       el('td', {class: 'soft'}, p.description))))));
}

function sweptSection(sweep) {
  const facts = [
    [sweep.kind === 'probe' ? 'Probe' : 'Experiment', sweep.target],
    ['Configuration', sweep.config], ['Method', `${sweep.method}, seed ${sweep.seed}`],
    ['Points', stateOf(sweep)[1]], ['Program', `gputlm ${sweep.version}`],
    ['Directory', el('code', {}, sweep.directory)]
  ];
  return section(
      `swept-${sweep.number}`, titleOf(sweep, 'What was swept'), null,
      el('div', {class: 'scroll'},
         el('table', {class: 'facts'},
            el('tbody', {},
               facts.map(([name, value]) => el('tr', {}, el('th', {scope: 'row'}, name), el('td', {}, value)))))),
      parameterTable(sweep),
      sweep.failed.length ?
          el('div', {class: 'note bad'}, el('strong', {}, 'Failed'),
             el('pre', {},
                sweep.failed.map((point) => `${pointText(sweep, point)}: ${point.problem} (${point.folder})`)
                    .join('\n'))) :
          null);
}

function pointsSection(sweep) {
  const columns = [...sweep.parameters, ...sweep.statistics];
  return section(
      `points-${sweep.number}`, titleOf(sweep, 'All points'), null,
      el('details', {}, el('summary', {}, `${sweep.points.length} points with their figures`),
         el('div', {class: 'scroll tall-scroll', tabindex: 0, role: 'group', 'aria-label': 'All points'},
            el('table', {class: 'points'},
               el('thead', {},
                  el('tr', {},
                     ['Point', 'State', ...columns.map((column) => column.label)].map(
                         (text) => el('th', {scope: 'col', class: 'right'}, text)))),
               el('tbody', {},
                  sweep.points.map(
                      (point) => el(
                          'tr', {'data-point': point.point}, el('th', {scope: 'row', class: 'right'}, point.point),
                          el('td', {class: 'right'}, point.state), columns.map((column) => {
                            const value = column.of(point) ?? undefined;
                            return el(
                                'td', {class: 'right', 'data-raw': value === undefined ? null : JSON.stringify(value)},
                                value === undefined ? '-' : short(value));
                          }))))))));
}

header();
const parts = {
  swept: 'Sweep',
  curves: 'Curves',
  heat: 'Heat map',
  pareto: 'Pareto front',
  importance: 'Importance',
  points: 'Points'
};
const sections = sweeps
                     .flatMap(
                         (sweep) =>
                             [sweptSection(sweep), curvesSection(sweep), heatSection(sweep), paretoSection(sweep),
                              importanceSection(sweep), pointsSection(sweep)])
                     .filter(Boolean);
document.getElementById('main').append(...sections);
document.getElementById('sections').append(...sections.map((node) => {
  const [part, number] = node.id.split('-');
  return el('a', {href: `#${node.id}`}, several && part === 'swept' ? sweeps[number].sweep : parts[part]);
}));
