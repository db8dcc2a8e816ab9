// SPDX-License-Identifier: Apache-2.0
// Two statistics against each other, and the points that no other one beats in both.

/** Of points with both figures, those that none is at least as good as in both and better in one; in order of x. */
function paretoFront(points, x, y, xHigher, yHigher) {
  const good = (value, higher) => (higher ? value : -value);
  const ordered = [...points].sort(
      (a, b) => good(x.of(b), xHigher) - good(x.of(a), xHigher) || good(y.of(b), yHigher) - good(y.of(a), yHigher));
  const front = [];
  let best = -Infinity, bestX = null;
  ordered.forEach((point) => {
    const value = good(y.of(point), yHigher);
    if (value > best || (value === best && x.of(point) === bestX)) {
      front.push(point);
      best = value;
      bestX = x.of(point);
    }
  });
  return front.sort((a, b) => x.of(a) - x.of(b));
}

/** An axis' name with its direction, or without when that is too long. */
function named(statistic, higher, room) {
  const text = `${statistic.label}, ${higher ? 'higher' : 'lower'} is better`;
  return text.length * 6.4 < room ? text : statistic.label;
}

function paretoOf(sweep, state, width) {
  const {x, y} = state;
  const points = sweep.done.filter((point) => Number.isFinite(x.of(point)) && Number.isFinite(y.of(point)));
  if (!points.length) return nothing('No point has both figures.');
  const front = paretoFront(points, x, y, state.xHigher, state.yHigher), chosen = new Set(front);
  const plot = frame({
    width,
    height: 380,
    x: numberScale(points.map(x.of), {room: Math.max(3, Math.floor(width / 110))}),
    y: numberScale(points.map(y.of), {room: 6}),
    xLabel: named(x, state.xHigher, width - 90),
    yLabel: named(y, state.yHigher, 320),
    label: `${y.name} against ${x.name}: ${front.length} of ${points.length} points are on the front`
  });
  const title = (point) => `${pointText(sweep, point)}: ${x.name} ${short(x.of(point))} ${x.unit}, ${y.name} ${
      short(y.of(point))} ${y.unit}`;
  plot.svg.append(
      ...points.filter((point) => !chosen.has(point))
          .map((point) => mark(plot.x(x.of(point)), plot.y(y.of(point)), 0, 'var(--soft)', title(point), 'beaten')),
      el('path', {
        d: front
               .map((point, i) => `${i ? 'L' : 'M'}${plot.x(x.of(point)).toFixed(1)} ${plot.y(y.of(point)).toFixed(1)}`)
               .join(''),
        stroke: 'var(--run-1)',
        class: 'curve'
      }),
      ...front.map(
          (point) => mark(plot.x(x.of(point)), plot.y(y.of(point)), 3, 'var(--run-1)', title(point), 'on-front')));
  return [plot.svg, frontTable(sweep, front, x, y)];
}

function frontTable(sweep, front, x, y) {
  return el(
      'div', {class: 'scroll tall-scroll', tabindex: 0, role: 'group', 'aria-label': 'Points on the front'},
      el('table', {class: 'front'}, el('caption', {}, `Points on the front (${front.length})`),
         el('thead', {},
            el('tr', {},
               ['Point', x.label, y.label, ...sweep.varied.map((p) => p.label)].map(
                   (text) => el('th', {scope: 'col', class: 'right'}, text)))),
         el('tbody', {}, front.map((point) => el('tr', {}, el('th', {scope: 'row', class: 'right'}, point.point), [
                                     x, y, ...sweep.varied
                                   ].map((column) => el('td', {class: 'right'}, short(column.of(point)))))))));
}

function paretoPickers({statistics}, state, change) {
  const axis = (name, key) =>
      [picker(name, statistics.map((s) => s.label), statistics.indexOf(state[key]), change((i) => {
                state[key] = statistics[i];
                state[`${key}Higher`] = statistics[i].better === 'higher';
              })),
       picker('better', ['lower', 'higher'], Number(state[`${key}Higher`]), change((i) => {
                state[`${key}Higher`] = i === 1;
              }))];
  return [...axis('across', 'x'), ...axis('up', 'y')];
}

function paretoSection(sweep) {
  const {statistics} = sweep;
  if (statistics.length < 2) return null;
  // One to be had much of and one to be had little of, when there are such: they may be at odds.
  const x = statistics.find((s) => s.better === 'higher') ?? statistics[0];
  const y = statistics.find((s) => s.better === 'lower' && s !== x) ?? statistics.find((s) => s !== x);
  const state = {x, y, xHigher: x.better === 'higher', yHigher: y.better === 'higher'};
  const picture = drawing((width) => paretoOf(sweep, state, width));
  return section(
      `pareto-${sweep.number}`, titleOf(sweep, 'Pareto front'),
      'Diamonds: points that no other point beats in one figure without losing in the other. Hover over a mark for ' +
          'its parameters.',
      pickerRow((change) => paretoPickers(sweep, state, change), picture.redraw), picture.node);
}
