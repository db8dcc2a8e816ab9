// SPDX-License-Identifier: Apache-2.0
// Curves over simulated time. A click chooses the moment that the die shows; a drag zooms, a double click goes back.

const controllersOf = (columns) => Object.keys(columns).filter((name) => /^write_backlog_\d+$/.test(name)).length;
/** Bytes per ns, that is GB/s, since the row before. */
const rateOf = (name) => (columns, i) => {
  const since = i > 0 ? columns.time_ns[i] - columns.time_ns[i - 1] : 0;
  return since > 0 && columns[name] ? (columns[name][i] - columns[name][i - 1]) / since : null;
};
/** Least, mean and most over the controllers. */
const spreadOf = (prefix) => (columns, i) => {
  const values = Array.from({length: controllersOf(columns)}, (_, c) => columns[`${prefix}_${c}`][i]);
  return values.length ? [Math.min(...values), sum(values) / values.length, Math.max(...values)] : [null, null, null];
};

/** What is plotted: title, unit, curves [name, colour, value]; `band` curves are triples. */
const kCharts = [
  {
    id: 'bandwidth',
    title: 'Bandwidth',
    unit: 'GB/s',
    curves: [
      ['stored', '--queue', rateOf('bytes_stored')], ['loaded', '--turn', rateOf('bytes_loaded')],
      ['DRAM read', '--read', rateOf('dram_bytes_read')], ['DRAM written', '--write', rateOf('dram_bytes_written')]
    ]
  },
  {
    id: 'dirty',
    title: 'Dirty in L2',
    unit: 'MiB',
    curves: [['dirty bytes', '--write', (c, i) => (c.l2_dirty_bytes ? c.l2_dirty_bytes[i] / 1048576 : null)]]
  },
  {
    id: 'throttled',
    title: 'SMs throttled',
    unit: 'SMs',
    curves: [['an access waits at the LSU\'s door', '--queue', (c, i) => c.sms_throttled[i]]]
  },
  {
    id: 'writes',
    title: 'Write backlog',
    unit: 'lines a controller',
    band: true,
    curves: [['mean of the controllers', '--write', spreadOf('write_backlog')]]
  },
  {
    id: 'reads',
    title: 'Read queues',
    unit: 'lines a controller',
    band: true,
    curves: [['mean of the controllers', '--read', spreadOf('read_backlog')]]
  },
];

/** Of several runs, one chart for each quantity and a curve for each run. */
function chartsToDraw() {
  const drawn = runs.filter((run) => run.columns);
  const single = (chart, name, value) => ({
    id: name ? `${chart.id}-${name.replace(/\W/g, '-')}` : chart.id,
    unit: chart.unit,
    band: chart.band,
    title: name ? `${chart.title}: ${name}` : chart.title,
    curves: drawn.map((run) => ({run, name: run.label, color: run.color, value}))
  });
  return kCharts
      .flatMap(
          (chart) =>
              (several ?
                   chart.curves.map(([name, , value]) => single(chart, chart.curves.length > 1 ? name : '', value)) :
                   [{
                     ...chart,
                     curves: chart.curves.map(([name, color, value]) => ({run: drawn[0], name, color, value}))
                   }]))
      .map((chart) => ({
             ...chart,
             curves: chart.curves.filter(
                 ({run, value}) =>
                     run.columns.time_ns.some((_, i) => [value(run.columns, i)].flat().some((v) => v !== null)))
           }))
      .filter((chart) => chart.curves.length);
}

/** Rows of all curves over the times of all their runs, in us. */
function rowsOf({curves, band}) {
  const gap = band ? [null, null, null] : null, rows = new Map();
  curves.forEach(({run, value}, place) => run.columns.time_ns.forEach((ns, i) => {
    if (!rows.has(ns)) rows.set(ns, Array(curves.length).fill(gap));
    rows.get(ns)[place] = value(run.columns, i);
  }));
  return [...rows].sort(([a], [b]) => a - b).map(([ns, values]) => [ns / 1000, ...values]);
}

function plot(chart) {
  const box = el('div', {class: 'plot', id: `plot-${chart.id}`}), legend = el('div', {class: 'plot-legend'});
  const cursor = el('div', {class: 'cursor'});
  const node =
      el('figure', {class: 'chart', role: 'group', 'aria-label': `${chart.title}, ${chart.unit}, over time`},
         el('figcaption', {}, el('strong', {}, chart.title), ` ${chart.unit}`,
            chart.band ? el('span', {class: 'hint'}, 'line: mean of the controllers, band: least to most') : null),
         el('div', {class: 'plot-box'}, box, cursor), legend);
  const start = () => {
    const moveCursor = (drawn) => {
      if (!clock.frame) return;
      const x = drawn.toDomXCoord(clock.frame.time_ns / 1000), area = drawn.getArea();
      const display = x < area.x - 1 || x > area.x + area.w + 1 ? 'none' : 'block';
      Object.assign(cursor.style, {display, left: `${x}px`, top: `${area.y}px`, height: `${area.h}px`});
    };
    const colors = () => chart.curves.map((curve) => css(curve.color));
    const graph = new Dygraph(box, rowsOf(chart), {
      labels: ['time', ...chart.curves.map((curve, i) => curve.name + '\u200B'.repeat(i))],
      customBars: Boolean(chart.band),
      connectSeparatedPoints: true,
      colors: colors(),
      strokeWidth: 1.6,
      fillAlpha: 0.18,
      legend: 'always',
      labelsDiv: legend,
      includeZero: true,
      xRangePad: 4,
      yRangePad: 4,
      gridLineColor: css('--line'),
      axisLineColor: css('--line'),
      axisLabelFontSize: 12,
      xlabel: 'simulated time, us',
      ylabel: chart.unit,
      xLabelHeight: 16,
      yLabelWidth: 16,
      digitsAfterDecimal: 1,
      labelsKMB: false,
      highlightCircleSize: 3,
      strokePattern: null,
      axes: {y: {axisLabelWidth: 46}},
      clickCallback: (_, us) => clock.seek(us * 1000),
      series: Object.fromEntries(chart.curves.map(
          (curve, i) => [curve.name + '\u200B'.repeat(i), {strokePattern: several && i % 2 ? [6, 3] : null}])),
      drawCallback: (drawn) => moveCursor(drawn),
    });
    clock.onChange(() => moveCursor(graph));
    onScheme(() => graph.updateOptions({colors: colors(), gridLineColor: css('--line'), axisLineColor: css('--line')}));
    onResize(box, () => graph.resize());
  };
  return {node, start};
}

/** {node, start}: plots need their places in the page before they can be drawn. */
function series() {
  const plots = chartsToDraw().map(plot);
  const node = section(
      'series', 'Over time',
      'Rates are means since the sample before. Click: the die at that moment. Drag: zoom; double ' +
          'click: back. The upright line is the die\'s moment.',
      el('div', {class: 'charts'}, plots.map((p) => p.node)));
  return {node, start: () => plots.forEach((p) => p.start())};
}
