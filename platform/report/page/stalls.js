// SPDX-License-Identifier: Apache-2.0
// Where time was lost and why: by kind of place, by cause, and by the single place.

/** place, what a share is of, causes [kind, statistic, text]. */
const kStalls = [
  [
    'Warps', 'share of the time that warps were resident',
    [
      ['warps', 'stall_scoreboard', 'data not back'], ['warps', 'stall_queue_full', 'LSU queue full'],
      ['warps', 'stall_fence', 'in a fence'], ['warps', 'stall_barrier', 'at a CTA barrier']
    ]
  ],
  [
    'Exit of an SM\'s LSU', 'share of the run',
    [
      ['lsu', 'stall_back_pressure', 'the road below withholds END_REQ'],
      ['lsu', 'stall_exit_busy', 'the exit carries another request']
    ]
  ],
  [
    'Door of an L1', 'share of the run',
    [
      ['l1', 'stall_network', 'the road below withholds END_REQ'],
      ['l1', 'stall_fills', 'no room for a fill\'s sectors']
    ]
  ],
  [
    'Port of a slice', 'share of the run',
    [
      ['l2', 'stall_write_back_list_ns', 'write-back list full'],
      ['l2', 'stall_fetch_entries_ns', 'no fetch entry free'],
      ['l2', 'stall_ways_busy_ns', 'every way on its way in or out']
    ]
  ],
  [
    'Controller', 'share of the run, mean of its doors',
    [['mc', 'stall_write_backlog_full', 'write backlog full'], ['mc', 'stall_read_queue_full', 'read queue full']]
  ],
  [
    'Channel', 'lines x time over the run, above 100 % when several wait',
    [['channel', 'refresh_stall', 'lines pushed behind a refresh']]
  ],
];

/** Time in which each unit of a kind might have been stalled. */
function timeOf(run, kind) {
  if (kind === 'warps') return run.values('warps', 'warp_time');
  const doors = kind === 'mc' ? run.parameter('l2.slices_per_controller') || 1 : 1;
  return run.values(kind, Object.keys(run.statistics[kind] ?? {})[0] ?? '').map(() => run.time * doors);
}

/** Each unit's share, as a strip of cells. */
function strip(shares, most, kind) {
  const canvas = el('canvas', {
    class: 'strip',
    width: shares.length,
    height: 1,
    role: 'img',
    'aria-label': `by ${kind}: from ${percentText(Math.min(...shares))} to ${percentText(largest(shares))}`
  });
  const pen = canvas.getContext('2d');
  shares.forEach((share, i) => {
    pen.fillStyle = viridisText(most > 0 ? share / most : 0);
    pen.fillRect(i, 0, 1, 1);
  });
  canvas.title = `${shares.length} units, 0 on the left; dark: 0, light: ${percentText(most)}`;
  return canvas;
}

function stallRow(run, kind, name, text) {
  const lost = run.values(kind, name), time = timeOf(run, kind);
  if (!lost.length || !sum(time)) return null;
  const shares = lost.map((ns, i) => (time[i] > 0 ? ns / time[i] : 0)), mean = sum(lost) / sum(time),
        most = largest(shares);
  const entry = run.statistics[kind][name];
  return el(
      'tr', {title: `${entry.description}: ${timeText(sum(lost))} in all`},
      el('th', {scope: 'row'}, several ? el('span', {class: 'dot', style: `--swatch: var(${run.color})`}) : null, text),
      el('td', {class: 'right nowrap'}, percentText(mean)),
      el('td', {class: 'wide'},
         el('span', {class: 'trough'}, el('span', {
              class: 'fill',
              style: `width: ${100 * Math.min(1, mean)}%; --swatch: var(${several ? run.color : '--queue'})`
            }))),
      el('td', {class: 'wide'}, lost.length > 1 ? strip(shares, most, kind) : ''),
      el('td', {class: 'right nowrap'}, percentText(most)));
}

function stallTable([place, of, causes]) {
  const lost = causes.filter(([kind, name]) => runs.some((run) => run.total(kind, name) > 0));
  const rows = lost.flatMap(([kind, name, text]) => runs.map((run) => stallRow(run, kind, name, text))).filter(Boolean);
  if (!rows.length) return null;
  return el(
      'div', {class: 'scroll'},
      el('table', {class: 'stalls fixed'}, el('caption', {}, el('strong', {}, place), `, ${of}`),
         el('thead', {},
            el('tr', {},
               ['Cause', 'Mean', '', 'Place by place', 'Worst'].map(
                   (text, i) => el('th', {scope: 'col', class: i === 1 || i === 4 ? 'right' : ''}, text)))),
         el('tbody', {}, rows)));
}

function stalls() {
  return section(
      'stalls', 'Where time was lost',
      'By place and cause. A strip has one cell for each unit of its kind, number 0 on the left, ' +
      'from none (dark) to the worst ' +
          'of them (light): an uneven strip is an uneven load. What cost nothing is left out.',
      several ? el('p', {class: 'legend'}, runs.map((run) => legendItem(`var(${run.color})`, run.label))) : null,
      el('div', {class: 'pair'}, kStalls.map(stallTable)));
}
