// SPDX-License-Identifier: Apache-2.0
// What L2 did with its requests and why lines were written back.

const victims = (r) =>
    Math.max(0, r.total('l2', 'write_backs') - r.total('l2', 'janitor_cleans') - r.total('l2', 'flush_cleans'));

/** title, of what, parts [name, colour, value(run)]; a part's value is a count. */
const kL2Rows = [
  ['Stores', 'requests', [['line present', '--read', (r) => r.total('l2', 'store_hits')],
    ['new line', '--queue', (r) => r.total('l2', 'stores') - r.total('l2', 'store_hits')]]],
  ['Loads', 'requests', [['all bytes valid', '--read', (r) => r.total('l2', 'load_hits')],
    ['waited for DRAM', '--queue', (r) => r.total('l2', 'load_misses')]]],
  ['Write-backs by rule', 'lines', [['janitor, ahead of need', '--turn', (r) => r.total('l2', 'janitor_cleans')],
    ['dirty victim of a replacement', '--write', victims],
    ['flush', '--read', (r) => r.total('l2', 'flush_cleans')]]],
  ['Lines that left', 'lines', [['replaced while clean', '--read', (r) => r.total('l2', 'evictions')],
    ['popped from a write-back FIFO', '--write', (r) => r.total('l2', 'fifo_pops')]]],
];

function stack(run, [title, unit, parts]) {
  const values = parts.map(([name, color, value]) => [name, color, value(run)]),
        all = sum(values.map(([, , value]) => value));
  if (!all) return null;
  return el(
      'div', {class: 'stack'},
      el('div', {class: 'stack-title'},
         several ? el('span', {class: 'dot', style: `--swatch: var(${run.color})`}) : null, el('strong', {}, title),
         ` ${number(all)} ${unit}${several ? `, ${run.label}` : ''}`),
      el('div', {
        class: 'stacked',
        role: 'img',
        'aria-label': values.map(([name, , value]) => `${name} ${percentText(value / all)}`).join(', ')
      },
         values.map(([name, color, value]) => el('span', {
                      style: `width: ${100 * value / all}%; --swatch: var(${color})`,
                      title: `${name}: ${number(value)}`
                    }))),
      el('p', {class: 'legend'},
         values.map(
             ([name, color, value]) =>
                 legendItem(`var(${color})`, `${name}: ${number(value)} (${percentText(value / all)})`))));
}

const kL2Figures = [
  ['/l2/write_backs', 'Write-backs', 'sent to a controller'],
  ['/l2/janitor_cleans', 'By the janitor', 'of these, cleaned in place'],
  ['/l2/dirty_lines_peak', 'Dirty lines, peak', 'sum of the slices\' peaks'],
  ['/l2/dirty_lines_per_set_peak', 'Dirty ways, worst set', 'at once'],
  ['/l2/dirty_bytes_end', 'Dirty bytes, end', 'not accepted by a controller']
];

function l2() {
  const more = [
    ['fifo_entries', 'dirty victims that entered a write-back FIFO'],
    ['forced_pops', 'popped ahead of count: no clean victim was left'],
    ['fifo_rescues', 'taken out of a write-back FIFO by a store'],
    ['partial_sector_loads', 'load misses on a partly valid sector'], ['atomics', 'atomics performed'],
    ['reductions', 'reductions performed']
  ];
  const table = el(
      'div', {class: 'scroll'},
      el('table', {},
         el('thead', {},
            el('tr', {}, el('th', {scope: 'col'}, 'Count'),
               runs.map(
                   (run) =>
                       el('th', {scope: 'col', class: 'right'},
                          several ? legendItem(`var(${run.color})`, run.label) : '')),
               el('th', {scope: 'col'}, ''))),
         el('tbody', {},
            kL2Figures.filter(([path]) => runs.some((run) => at(run.summary, path) !== undefined))
                .map(
                    ([path, name, what]) => el(
                        'tr', {}, el('th', {scope: 'row'}, name),
                        runs.map((run) => el('td', {class: 'right'}, figure(run, path, number(at(run.summary, path))))),
                        el('td', {class: 'soft'}, what))),
            more.map(
                ([name, what]) =>
                    el('tr', {}, el('th', {scope: 'row'}, name),
                       runs.map((run) => el('td', {class: 'right'}, number(run.total('l2', name)))),
                       el('td', {class: 'soft'}, what))))));
  return section(
      'l2', 'L2: hits, write-backs, janitor', null,
      el('div', {class: 'pair'}, el('div', {}, kL2Rows.flatMap((row) => runs.map((run) => stack(run, row)))), table));
}
