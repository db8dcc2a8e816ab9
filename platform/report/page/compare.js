// SPDX-License-Identifier: Apache-2.0
// Several runs: where their summaries and their configurations differ.

const textOf = (value) =>
    (value === undefined           ? '-' :
         typeof value === 'number' ? value.toLocaleString('en-US', {maximumFractionDigits: 6}) :
         value === null            ? 'none' :
                                     String(value));

function differenceRow(path, values) {
  const numbers = values.every((v) => typeof v === 'number'), [first] = values;
  return el(
      'tr', {'data-difference': path}, el('th', {scope: 'row'}, path.slice(1).replaceAll('/', '.')),
      values.map(
          (value, run) =>
              el('td', {class: 'right nowrap'}, value === undefined ? '-' : figure(runs[run], path, textOf(value)),
                 run && numbers && value !== first ?
                     el('span', {class: 'change'},
                        first ? ` ${value > first ? '+' : ''}${number(100 * (value - first) / Math.abs(first), 3)} %` :
                                '') :
                                null)));
}

const headOf = (what) =>
    el('thead', {},
       el('tr', {}, el('th', {scope: 'col'}, what),
          runs.map((run) => el('th', {scope: 'col', class: 'right'}, legendItem(`var(${run.color})`, run.label)))));

function summaryDifferences() {
  const own = /^\/(wall_s|memory_peak_mib|configuration_file|overrides|set|problems)(\/|$)/;
  const paths =
      [...new Set(runs.flatMap((run) => leaves(run.summary).map(([path]) => path)))].filter((path) => !own.test(path));
  const rows = paths.map((path) => [path, runs.map((run) => at(run.summary, path))])
                   .filter(([, values]) => values.some((value) => JSON.stringify(value) !== JSON.stringify(values[0])));
  if (!rows.length) return el('p', {class: 'note'}, 'The summaries are the same.');
  return el(
      'div', {class: 'scroll tall-scroll', tabindex: 0, role: 'group', 'aria-label': 'Differences of the summaries'},
      el('table', {id: 'differences'},
         el('caption', {},
            `Figures of summary.json that differ (${rows.length} of ${
                paths.length}; those of the host left out); change against ${runs[0].label}`),
         headOf('Figure'), el('tbody', {}, rows.map(([path, values]) => differenceRow(path, values)))));
}

function configurationDifferences() {
  const paths = [...new Set(runs.flatMap((run) => [...run.parameters.keys()]))];
  const rows = paths.map((path) => [path, runs.map((run) => run.parameters.get(path))])
                   .filter(([, values]) => values.some((p) => p?.value !== values[0]?.value));
  if (!rows.length)
    return el('p', {class: 'note', id: 'configuration-differences'}, 'The configurations are the same.');
  return el(
      'div', {class: 'scroll'},
      el('table', {id: 'configuration-differences'}, el('caption', {}, 'Parameters that differ'), headOf('Parameter'),
         el('tbody', {},
            rows.map(
                ([path, values]) => el(
                    'tr', {'data-parameter': path, title: values.find(Boolean)?.description ?? ''},
                    el('th', {scope: 'row'}, path),
                    values.map(
                        (p) => el(
                            'td', {class: 'right nowrap'}, p ? `${p.value}${p.unit ? ` ${p.unit}` : ''}` : '-')))))));
}

function comparison() {
  return section('compare', 'Differences', null, configurationDifferences(), summaryDifferences());
}

/** Of one run, what it ran on. */
function configuration() {
  const [run] = runs;
  return section(
      'configuration', 'Configuration', null,
      el('details', {}, el('summary', {}, `All ${run.configuration.length} parameters, with how well each is known`),
         el('div', {class: 'scroll'},
            el('table', {},
               el('thead', {},
                  el('tr', {},
                     ['Parameter', 'Value', 'Confidence', 'Source', 'What it is'].map(
                         (text) => el('th', {scope: 'col'}, text)))),
               el('tbody', {},
                  run.configuration.map(
                      (p) =>
                          el('tr', {title: p.note}, el('th', {scope: 'row'}, p.path),
                             el('td', {class: 'value-cell'}, `${p.value}${p.unit ? ` ${p.unit}` : ''}`),
                             el('td', {}, p.confidence), el('td', {}, p.source),
                             el('td', {class: 'soft'}, p.description))))))));
}
