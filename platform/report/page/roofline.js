// SPDX-License-Identifier: Apache-2.0
// Every link of the road: what it carried against what it can carry.

/** Bytes of loads that went past L1, at the mean size of a load. */
const loadedBelowL1 = (r) =>
    r.total('lsu', 'load_bytes') * Math.min(1, r.total('l2', 'loads') / (r.total('lsu', 'load_lines') || 1));
const busBytes = (r) =>
    r.values('channel', 'bytes_read').map((bytes, i) => bytes + r.values('channel', 'bytes_written')[i]);
const perController = (r, values) => {
  const each = r.parameter('dram.channels_per_controller') || 1;
  return values.filter((_, i) => i % each === 0).map((_, c) => sum(values.slice(c * each, (c + 1) * each)));
};

/** name, unit, places(run): carried in all by each place, capacity(run): of one place per ns, formula. */
const kLinks = [
  [
    'SM exit, stores', 'GB/s', (r) => r.values('lsu', 'store_bytes'),
    (r) => r.parameter('sm.exit_bytes_per_cycle') * r.parameter('clocks.sm') / 1e9,
    'lsu.store_bytes against sm.exit_bytes_per_cycle x clocks.sm, for each SM'
  ],
  [
    'SM port into the crossbar, requests', 'G/s',
    (r) => r.values('lsu', 'load_lines')
               .map((n, i) => n + r.values('lsu', 'store_lines')[i] + r.values('lsu', 'atomic_lines')[i]),
    (r) => r.parameter('crossbar.sm_requests_per_cycle') * r.parameter('clocks.crossbar') / 1e9,
    'line requests of the LSU (those that L1 answers among them) against ' +
        'crossbar.sm_requests_per_cycle x clocks.crossbar'
  ],
  [
    'SM port out of the crossbar, data', 'GB/s',
    (r) => r.values('lsu', 'load_bytes').map((b) => b * loadedBelowL1(r) / (r.total('lsu', 'load_bytes') || 1)),
    (r) => r.parameter('crossbar.sm_response_bytes_per_cycle') * r.parameter('clocks.crossbar') / 1e9,
    'lsu.load_bytes x l2.loads / lsu.load_lines (loads that L1 did not answer) against ' +
        'crossbar.sm_response_bytes_per_cycle x clocks.crossbar'
  ],
  [
    'Slice, requests', 'G/s', (r) => r.values('l2', 'requests'),
    (r) => r.parameter('l2.requests_per_cycle') * r.parameter('clocks.l2') / 1e9,
    'l2.requests against l2.requests_per_cycle x clocks.l2, for each slice'
  ],
  [
    'Slice, load data', 'GB/s',
    (r) => r.values('l2', 'loads').map((n) => n * loadedBelowL1(r) / (r.total('l2', 'loads') || 1)),
    (r) => r.parameter('l2.load_bytes_per_cycle') * r.parameter('clocks.l2') / 1e9,
    'loads at their mean size against l2.load_bytes_per_cycle x clocks.l2'
  ],
  [
    'Slice, store data', 'GB/s',
    (r) =>
        r.values('l2', 'stores').map((n) => n * r.total('lsu', 'store_bytes') / (r.total('lsu', 'store_lines') || 1)),
    (r) => r.parameter('l2.store_bytes_per_cycle') * r.parameter('clocks.l2') / 1e9,
    'stores at their mean size against l2.store_bytes_per_cycle x clocks.l2'
  ],
  [
    'Controller', 'GB/s', (r) => perController(r, busBytes(r)),
    (r) => busCapacity(r) * (r.parameter('dram.channels_per_controller') || 1),
    'bytes read and written by its channels against the peak of their buses'
  ],
  [
    'DRAM bus, a channel', 'GB/s', busBytes, (r) => busCapacity(r),
    'channel.bytes_read + bytes_written against 32 B x clocks.dram / dram.timing.burst'
  ],
  ...[['towards the GPU', 'down'], ['towards the host', 'up']].map(
      ([way, prefix]) =>
          [`PCIe link ${way}`, 'GB/s', (r) => r.values('link', `${prefix}_bytes`), pcieCapacity,
           `link.${
               prefix}_bytes (data with framing and headers) against host.pcie.lanes x transfer_rate x encoding x ` +
               'usable_share / 8, one direction']),
];
function pcieCapacity(r) {
  const [lanes, rate, encoding, share] =
      ['lanes', 'transfer_rate', 'encoding', 'usable_share'].map((name) => r.parameter(`host.pcie.${name}`));
  return lanes * rate * encoding * share / 8 / 1e9;
}
function busCapacity(r) { return 32 * r.parameter('clocks.dram') / r.parameter('dram.timing.burst') / 1e9; }

/** The busiest time between two frames, as a share: known for slices and channels. */
function peakShare(run, name) {
  const shares = run.frames.map((frame) => {
    if (!frame.before || frame.time_ns <= frame.before.time_ns) return 0;
    const time = frame.time_ns - frame.before.time_ns;
    if (name === 'Slice, requests')
      return (sum(frame.requests) - sum(frame.before.requests)) / frame.requests.length / time /
          (run.parameter('l2.requests_per_cycle') * run.parameter('clocks.l2') / 1e9);
    if (name !== 'DRAM bus, a channel' && name !== 'Controller') return 0;
    const columns = (f) => sum(f.read_columns) + sum(f.write_columns);
    return 32 * (columns(frame) - columns(frame.before)) / frame.read_columns.length / time / busCapacity(run);
  });
  return Math.min(1, largest(shares));
}

function linkRow(run, [name, unit, places, capacity, formula]) {
  const carried = places(run).filter(Number.isFinite), most = capacity(run);
  if (!carried.length || !(most > 0) || !run.time) return null;
  const shares = carried.map((amount) => amount / run.time / most), mean = sum(shares) / shares.length,
        peak = peakShare(run, name);
  const color = `var(${several ? run.color : '--read'})`;
  return el(
      'tr', {title: formula},
      el('th', {scope: 'row'}, several ? el('span', {class: 'dot', style: `--swatch: var(${run.color})`}) : null, name),
      el('td', {class: 'right nowrap'}, `${number(sum(carried) / run.time)} ${unit}`),
      el('td', {class: 'right nowrap soft'}, `${number(most * carried.length)} ${unit}`),
      el('td', {class: 'right nowrap'}, percentText(mean)),
      el('td', {class: 'wide'},
         el('span', {
           class: 'trough roof',
           role: 'img',
           'aria-label':
               `mean ${percentText(mean)}, ${percentText(Math.min(...shares))} to ${percentText(largest(shares))}`
         },
            el('span', {class: 'fill', style: `width: ${100 * Math.min(1, mean)}%; --swatch: ${color}`}), el('span', {
              class: 'range',
              style: `left: ${100 * Math.min(...shares)}%; width: ${100 * (largest(shares) - Math.min(...shares))}%`
            }),
            peak > 0 ? el('span', {class: 'peak', style: `left: ${100 * peak}%`}) : null)));
}

function roofline() {
  return section(
      'roofline', 'Links: achieved against capacity',
      'Over the whole run, pauses included. The right end of a bar is the capacity; the bracket ' +
          'spans from the least to the most ' +
          'used place of the kind, the triangle marks the busiest time between two frames. Hover ' +
          'over a row for its formula.',
      several ? el('p', {class: 'legend'}, runs.map((run) => legendItem(`var(${run.color})`, run.label))) : null,
      el('div', {class: 'scroll'},
         el('table', {class: 'stalls'},
            el('thead', {},
               el('tr', {}, el('th', {scope: 'col'}, 'Link'),
                  ['Achieved', 'Capacity', 'Share'].map((text) => el('th', {scope: 'col', class: 'right'}, text)),
                  el('th', {scope: 'col'}, '0 to 100 %'))),
            el('tbody', {}, kLinks.flatMap((link) => runs.map((run) => linkRow(run, link)))))));
}
