// SPDX-License-Identifier: Apache-2.0
// The figures that one asks for first. Each says how it is worked out, on hover and on keyboard focus.

/** path in summary.json, title, text(value), formula. */
const kHeadlines = [
  [
    '/simulated_ns', 'Simulated time', (v) => timeText(v),
    'power-on until the last write queue has drained: simulated_ns'
  ],
  [
    '/line_transactions', 'Line requests', (v) => number(v),
    'loads, stores and atomics that left an LSU, 128-byte lines: line_transactions'
  ],
  [
    '/latency_ns/store_latency/mean', 'Store to acknowledgement', (v) => timeText(v),
    'mean over all stores of BEGIN_REQ at the LSU to the last acknowledgement: latency_ns.store_latency.mean'
  ],
  [
    '/latency_ns/load_latency/mean', 'Load to data', (v) => timeText(v),
    'mean over all loads of BEGIN_REQ at the LSU to the last data: latency_ns.load_latency.mean'
  ],
  ['/latency_ns/atomic_latency/mean', 'Atomic to result', (v) => timeText(v), 'mean: latency_ns.atomic_latency.mean'],
  [
    '/dram/read_utilisation', 'DRAM read, of the peak', (v) => percentText(v),
    'dram.bytes_read / (dram.peak_bytes_per_ns x simulated_ns), the whole run, pauses included'
  ],
  [
    '/dram/write_utilisation', 'DRAM written, of the peak', (v) => percentText(v),
    'dram.bytes_written / (dram.peak_bytes_per_ns x simulated_ns), the whole run, pauses included'
  ],
  [
    '/l2/write_backs', 'L2 write-backs', (v) => `${number(v)} lines`,
    'lines handed to a memory controller: l2.write_backs'
  ],
  [
    '/l2/janitor_cleans', 'Cleaned by the janitor', (v) => `${number(v)} lines`,
    'of the write-backs, lines cleaned in place ahead of need: l2.janitor_cleans'
  ],
  [
    '/l2/dirty_lines_per_set_peak', 'Dirty ways, worst set', (v) => number(v),
    'most dirty lines of one set at once: l2.dirty_lines_per_set_peak'
  ],
  [
    '/l2/dirty_bytes_end', 'Dirty at the end', (v) => bytesText(v),
    'stored, and not accepted by a controller: l2.dirty_bytes_end'
  ],
  [
    '/sm/throttled_peak', 'SMs throttled, peak', (v) => number(v),
    'most SMs at once with an access that waited at the LSU\'s door: sm.throttled_peak'
  ],
  ['/kernel_ns', 'Kernel', (v) => timeText(v), 'first block handed out to last block retired: kernel_ns'],
  [
    '/launch_to_done_ns', 'Launch to done', (v) => timeText(v),
    'doorbell until the host knows that the copy back is done: launch_to_done_ns'
  ],
  ['/barrier_ns', 'Barrier', (v) => timeText(v), 'at the end of the kernel: barrier_ns'],
  [
    '/warps_active_pct', 'Warps active', (v) => `${number(v, 3)} %`,
    'resident warps over those that fit, mean of the SMs that had any: warps_active_pct'
  ],
  [
    '/dram_read_utilisation', 'DRAM read, kernel', (v) => percentText(v),
    'of the peak, during the kernel: dram_read_utilisation'
  ],
  [
    '/dram_write_utilisation', 'DRAM written, kernel', (v) => percentText(v),
    'of the peak, during the kernel: dram_write_utilisation'
  ],
  [
    '/l2_dirty_bytes_at_kernel_end', 'L2 dirty at the kernel\'s end', (v) => bytesText(v),
    'stored by the kernel and not in DRAM yet: l2_dirty_bytes_at_kernel_end'
  ],
  [
    '/wall_s', 'Took', (v) => `${number(v, 3)} s`,
    'time of the host, from reading the experiment to the end of the checks: wall_s'
  ],
];

function headlineCard([path, title, text, formula], i) {
  const values = runs.map((run) => {
    const value = at(run.summary, path);
    return value === undefined || value === null ? '-' : figure(run, path, text(value));
  });
  return el(
      'div', {class: 'card', tabindex: 0, 'aria-describedby': `formula-${i}`}, el('span', {class: 'name'}, title),
      values.map(
          (value, run) => el(
              'span', {class: 'value'},
              several ? el('span', {class: 'dot', style: `--swatch: var(--run-${run})`, title: runs[run].label}) : null,
              value)),
      el('span', {class: 'formula', role: 'tooltip', id: `formula-${i}`}, formula));
}

function headline() {
  const present = kHeadlines.filter(([path]) => runs.some((run) => (at(run.summary, path) ?? null) !== null));
  return section(
      'headline', 'Headline figures', 'Hover over a figure, or move to it with the Tab key, for its formula.',
      several ? el('p', {class: 'legend'}, runs.map((run) => legendItem(`var(${run.color})`, run.label))) : null,
      el('div', {class: 'cards'}, present.map(headlineCard)));
}
