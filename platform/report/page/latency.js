// SPDX-License-Identifier: Apache-2.0
// Distributions of latencies: of whole accesses, and of the legs of which they are made.

/** name in pictures.json, what it is; in the order of the road. */
const kOperations = [
  ['lsu.load_latency', 'load'], ['lsu.store_latency', 'store, to the acknowledgement'],
  ['lsu.atomic_latency', 'atomic, reduction'], ['lsu.fence_latency_cta', 'fence, cta'],
  ['lsu.fence_latency_gpu', 'fence, gpu'], ['lsu.fence_latency_sys', 'fence, sys']
];
const kLegs = [
  ['lsu.load_line_wait', 'load: in the LSU'], ['l1.load_wait', 'load: at L1\'s door'],
  ['l1.hit_latency', 'load: L1 hit'], ['l1.fill_latency', 'load: L1 miss to fill, all below'],
  ['lsu.store_line_wait', 'store: in the LSU'], ['mmu.wait', 'MMU: TLB miss, order'],
  ['crossbar.load_request_wait', 'load: crossbar, way there'],
  ['crossbar.store_request_wait', 'store: crossbar, way there'], ['l2.load_latency', 'load: in the slice, all below'],
  ['l2.store_latency', 'store: in the slice'], ['l2.fetch_latency', 'slice: miss to fill'],
  ['mc.read_latency', 'controller: read'], ['mc.write_latency', 'controller: write, into DRAM'],
  ['crossbar.load_response_wait', 'load: crossbar, way back'],
  ['crossbar.store_response_wait', 'store: crossbar, way back']
];

const kSlot = 15;  // height of one run's box

/** A box on a logarithmic axis: p1 to p99 as a line, quartiles as a box, median and mean marked. */
function box({percentiles_ns: p, count}, color, x, y, label) {
  const middle = y + kSlot / 2,
        line = (from, to) =>
            el('line', {x1: x(from), x2: x(to), y1: middle, y2: middle, stroke: color, 'stroke-width': 1.5});
  return el(
      'g', {},
      el('title', {},
         `${label}: ${number(count)} values; p1 ${timeText(p[1])}, p25 ${timeText(p[25])}, median ${
             timeText(p[50])}, ` +
             `p75 ${timeText(p[75])}, p99 ${timeText(p[99])}, largest ${timeText(p[100])}`),
      line(p[1], p[99]),
      el('rect',
         {x: x(p[25]), width: Math.max(2, x(p[75]) - x(p[25])), y: y + 2, height: kSlot - 4, fill: color, rx: 2}),
      el('line', {x1: x(p[50]), x2: x(p[50]), y1: y, y2: y + kSlot, class: 'median'}),
      el('circle', {cx: x(p[100]), cy: middle, r: 2.4, fill: color}));
}

function boxPlot(title, rows) {
  const found = rows.map(([name, label]) => ({label, of: runs.map((run) => run.pictures?.distributions[name])}))
                    .filter((row) => row.of.some(Boolean));
  if (!found.length) return null;
  const all = found.flatMap((row) => row.of.filter(Boolean));
  const low = Math.floor(Math.log10(Math.max(1, Math.min(...all.map((d) => d.percentiles_ns[1] || 1)))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...all.map((d) => d.percentiles_ns[100]), 1)) * 4) / 4);
  const left = 220, right = 150, width = 1000, row = kSlot * runs.length + 10, top = 4,
        height = top + found.length * row;
  const x = (ns) => left + (width - left - right) * Math.max(0, Math.log10(Math.max(ns, 1e-3)) - low) / (high - low);
  const ticks = Array.from({length: Math.floor(high) - low + 1}, (_, i) => 10 ** (low + i));
  const svg =
      el('svg', {viewBox: `0 0 ${width} ${height + 36}`, role: 'img', 'aria-label': title, class: 'boxes'},
         ticks.map(
             (ns) =>
                 el('g', {}, el('line', {x1: x(ns), x2: x(ns), y1: top, y2: height, class: 'grid'}),
                    el('text', {x: x(ns), y: height + 14, 'text-anchor': 'middle', class: 'soft'},
                       `${ns.toLocaleString('en-US')}`))),
         el('text', {x: left + (width - left - right) / 2, y: height + 31, 'text-anchor': 'middle', class: 'soft'},
            'ns, logarithmic'),
         found.map(({label, of}, i) => {
           const y = top + i * row + 5;
           return el(
               'g', {}, el('text', {x: left - 12, y: y + row / 2 - 1, 'text-anchor': 'end'}, label),
               of.map(
                   (d, r) =>
                       (d ? el('g', {}, box(d, `var(${several ? runs[r].color : '--read'})`, x, y + r * kSlot, label),
                               el('text', {x: width - right + 16, y: y + r * kSlot + 12, class: 'soft'},
                                  `p50 ${number(d.percentiles_ns[50])}  p99 ${number(d.percentiles_ns[99])}`)) :
                            null)));
         }));
  return el('figure', {}, el('figcaption', {}, el('strong', {}, title)), el('div', {class: 'scroll'}, svg));
}

/** The figures of summary.json, as they are there. */
function latencyTable() {
  const names = (group) => [...new Set(runs.flatMap((run) => Object.keys(run.summary[group] ?? {})))].map(
      (name) => [group, name]);
  const rows = [...names('latency_ns'), ...names('legs_ns')];
  if (!rows.length) return null;
  const keys = ['count', 'mean', 'p50', 'p99', 'max'];
  return el(
      'details', {}, el('summary', {}, 'The same in figures (ns)'),
      el('div', {class: 'scroll'},
         el('table', {},
            el('thead', {},
               el('tr', {}, el('th', {scope: 'col'}, 'Latency or leg'),
                  several ? el('th', {scope: 'col'}, 'Run') : null,
                  keys.map((key) => el('th', {scope: 'col', class: 'right'}, key)))),
            el('tbody', {},
               rows.flatMap(
                   ([group, name]) =>
                       runs.filter((run) => run.summary[group]?.[name])
                           .map(
                               (run) =>
                                   el('tr', {}, el('th', {scope: 'row'}, name),
                                      several ? el('td', {}, legendItem(`var(${run.color})`, run.label)) : null,
                                      keys.map(
                                          (key) =>
                                              el('td', {class: 'right'},
                                                 figure(
                                                     run, `/${group}/${name}/${key}`,
                                                     number(run.summary[group][name][key], 5)))))))))));
}

/** {node, start}: the curve "answered within" of all operations. */
function answeredWithin() {
  const curves = runs.flatMap(
      (run) => kOperations.filter(([name]) => run.pictures?.distributions[name])
                   .map(([name, label], i) => ({
                          label: several ? `${label}, ${run.label}` : label,
                          p: run.pictures.distributions[name].percentiles_ns,
                          color: several ? run.color : `--run-${i}`,
                          dashed: several && i % 2 === 1
                        })));
  const holder = el('div', {class: 'plot tall'}), legend = el('div', {class: 'plot-legend'});
  if (!curves.length) return {node: null, start: () => {}};
  const node =
      el('figure', {},
         el('figcaption', {}, el('strong', {}, 'Answered within'), ' share of all accesses of an operation, %'), holder,
         legend);
  const start = () => {
    const rows = new Map(), key = (curve, i) => curve.label + '\u200B'.repeat(i);
    curves.forEach(({p}, place) => p.forEach((ns, percent) => {
      const x = Math.max(ns, 0.1);
      if (!rows.has(x)) rows.set(x, Array(curves.length).fill(null));
      rows.get(x)[place] = percent;
    }));
    const graph = new Dygraph(holder, [...rows].sort(([a], [b]) => a - b).map(([x, y]) => [x, ...y]), {
      labels: ['ns', ...curves.map(key)],
      connectSeparatedPoints: true,
      colors: curves.map((c) => css(c.color)),
      strokeWidth: 1.8,
      series: Object.fromEntries(curves.map((c, i) => [key(c, i), {strokePattern: c.dashed ? [6, 3] : null}])),
      axes: {x: {logscale: true}, y: {axisLabelWidth: 40}},
      valueRange: [0, 101],
      legend: 'always',
      labelsDiv: legend,
      xlabel: 'latency, ns, logarithmic',
      ylabel: '%',
      xLabelHeight: 16,
      yLabelWidth: 16,
      gridLineColor: css('--line'),
      axisLineColor: css('--line'),
      axisLabelFontSize: 12
    });
    onScheme(() => graph.updateOptions({colors: curves.map((c) => css(c.color)), gridLineColor: css('--line')}));
    onResize(holder, () => graph.resize());
  };
  return {node, start};
}

function latency() {
  const curve = answeredWithin();
  const node = section(
      'latency', 'Latencies',
      'Bar: the middle half of all values, dark line: the median, thin line: 1st to 99th percentile, ' +
      'dot: the largest. ' +
          'Legs stand in the order of the road; where one says "all below" it contains those that ' +
          'follow. What lies below the axis stands at its left end.',
      several ? el('p', {class: 'legend'}, runs.map((run) => legendItem(`var(${run.color})`, run.label))) : null,
      boxPlot('Operations, request to answer at the LSU', kOperations), curve.node, boxPlot('Legs', kLegs),
      latencyTable());
  return {node, start: curve.start};
}
