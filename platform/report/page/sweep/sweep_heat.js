// SPDX-License-Identifier: Apache-2.0
// One statistic over two parameters, a cell for each pair of values.

/** Black or white, whichever can be read on a colour of the ramp. */
const inkOn = (share) => (share > 0.55 ? '#000' : '#fff');

function heatOf(sweep, {across, up, statistic}, width) {
  const cells = up.levels.map((_, row) => across.levels.map((__, column) => {
    const values = sweep.done.filter((point) => across.levelOf(point) === column && up.levelOf(point) === row)
                       .map(statistic.of)
                       .filter(Number.isFinite);
    return values.length ? {mean: mean(values), count: values.length} : null;
  }));
  const known = cells.flat().filter(Boolean);
  if (!known.length) return nothing('No point has this figure.');
  const [low, high] = extent(known.map((cell) => cell.mean));
  const longest = Math.max(...up.levels.map((level) => level.text.length));
  const left = Math.min(width * 0.3, 34 + longest * 7), top = 8, right = 8,
        rowHeight = Math.max(34, Math.min(70, 190 / up.levels.length));
  const w = (width - left - right) / across.levels.length, height = top + rowHeight * up.levels.length;
  const share = (value) => (high > low ? (value - low) / (high - low) : 0.5);
  const room = Math.floor(w / 7.2),
        every = Math.ceil(Math.max(...across.levels.map((level) => level.text.length)) * 7 / w);
  const unit = statistic.unit ? ` ${statistic.unit}` : '';
  const svg =
      el('svg', {
        viewBox: `0 0 ${width} ${height + 42}`,
        role: 'img',
        class: 'drawn heat',
        'aria-label': `${statistic.name} over ${across.path} and ${up.path}: ${short(low)} to ${short(high)}${unit}`
      },
         up.levels.map(
             (level, row) =>
                 el('text', {
                   x: left - 8,
                   y: top + (up.levels.length - 1 - row) * rowHeight + rowHeight / 2 + 4,
                   'text-anchor': 'end',
                   class: 'soft'
                 },
                    level.text)),
         across.levels.map(
             (level, column) =>
                 (column % every ?
                      null :
                      el('text', {x: left + (column + 0.5) * w, y: height + 16, 'text-anchor': 'middle', class: 'soft'},
                         level.text))),
         cells.flatMap((cellsOfRow, row) => cellsOfRow.map((cell, column) => {
           const x = left + column * w, y = top + (up.levels.length - 1 - row) * rowHeight;
           if (!cell)
             return el(
                 'rect', {x: x + 1, y: y + 1, width: w - 2, height: rowHeight - 2, class: 'no-cell'},
                 el('title', {}, 'no point'));
           const text = short(cell.mean);
           return el(
               'g', {class: 'cell'},
               el('title', {},
                  `${across.path} ${across.levels[column].text}, ${up.path} ${up.levels[row].text}: ${statistic.name} ${
                      text}${unit}` +
                      (cell.count > 1 ? `, mean of ${cell.count} points` : '')),
               el('rect', {
                 x: x + 1,
                 y: y + 1,
                 width: Math.max(1, w - 2),
                 height: rowHeight - 2,
                 fill: viridisText(share(cell.mean)),
                 rx: 2
               }),
               text.length <= room ? el('text', {
                 x: x + w / 2,
                 y: y + rowHeight / 2 + 4,
                 'text-anchor': 'middle',
                 style: `fill: ${inkOn(share(cell.mean))}`
               },
                                        text) :
                                     null);
         })),
         el('text',
            {x: left + (width - left - right) / 2, y: height + 36, 'text-anchor': 'middle', class: 'soft axis-name'},
            across.label),
         el('text', {
           x: -(top + (height - top) / 2),
           y: 12,
           transform: 'rotate(-90)',
           'text-anchor': 'middle',
           class: 'soft axis-name'
         },
            up.label));
  return [
    svg,
    el('p', {class: 'legend'},
       el('span', {class: 'key'}, short(low), el('span', {class: 'ramp wide-ramp'}), `${short(high)}${unit}`))
  ];
}

function heatPickers({varied, statistics}, state, change) {
  const others = varied.filter((parameter) => parameter !== state.across);
  if (state.up === state.across) [state.up] = others;
  return [
    picker('figure', statistics.map((s) => s.label), statistics.indexOf(state.statistic), change((i) => {
             state.statistic = statistics[i];
           })),
    picker('across', varied.map((p) => p.label), varied.indexOf(state.across), change((i) => {
             state.across = varied[i];
           })),
    picker('up', others.map((p) => p.label), others.indexOf(state.up), change((i) => {
             state.up = others[i];
           }))
  ];
}

function heatSection(sweep) {
  const {varied, statistics} = sweep;
  if (varied.length < 2 || !statistics.length) return null;
  const state = {across: varied[0], up: varied[1], statistic: statistics[0]};
  const picture = drawing((width) => heatOf(sweep, state, width));
  return section(
      `heat-${sweep.number}`, titleOf(sweep, 'Heat map'),
      `The mean over the points of a cell${varied.length > 2 ? ', whatever the other parameters are' : ''}. ` +
          'Hover over a cell for its figures.',
      pickerRow((change) => heatPickers(sweep, state, change), picture.redraw), picture.node);
}
