// SPDX-License-Identifier: Apache-2.0
// Axes, marks and pickers that the pictures of a sweep share.

/** Ticks at round distances. */
function roundTicks(low, high, most) {
  const raw = (high - low || Math.abs(high) || 1) / most, magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = magnitude * [1, 2, 5, 10].find((factor) => factor * magnitude >= raw);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({length: Math.max(1, Math.floor(high / step + 1e-9) - first + 1)}, (_, i) => (first + i) * step);
}

/** 1, 2, 5, 10, ... as far as there is room, else powers of ten. */
function decadeTicks(low, high, room) {
  const decades = Array.from({length: 40}, (_, i) => 10 ** (i - 20));
  const within = (factors) => decades.flatMap((decade) => factors.map((factor) => factor * decade))
                                  .filter((value) => value >= low * 0.999 && value <= high * 1.001);
  const fine = within([1, 2, 5]);
  return fine.length <= room ? fine : within([1]);
}

/** {at(value): 0 to 1, ticks: [[value, text]]} of numbers. */
function numberScale(values, {logarithmic = false, room = 6} = {}) {
  let [low, high] = extent(values);
  if (low === high)
    [low, high] = logarithmic ? [low / 2, high * 2] : [low - Math.abs(low || 1) / 2, high + Math.abs(high || 1) / 2];
  const pad = logarithmic ? 0 : (high - low) * 0.06;
  if (!logarithmic) [low, high] = [low >= 0 ? Math.max(0, low - pad) : low - pad, high + pad];
  const to = logarithmic ? Math.log10 : (v) => v;
  const at = (value) => (to(value) - to(low)) / (to(high) - to(low));
  const ticks = logarithmic ? decadeTicks(low, high, room) : roundTicks(low, high, room);
  return {at, ticks: ticks.map((value) => [value, short(value)])};
}

/** The same of a parameter's levels: numbers at their places, texts at even distances. */
function levelScale(parameter, room) {
  const {levels} = parameter;
  if (parameter.numeric && levels.length > 1) {
    const scale = numberScale(levels.map((level) => level.value), {logarithmic: parameter.logarithmic, room});
    const own = levels.length <= room && !crowded(levels.map((level) => scale.at(level.value)), 1 / room / 1.6);
    return own ? {...scale, ticks: levels.map((level) => [level.value, level.text])} : scale;
  }
  const places = levels.map((level) => level.value);
  return {
    at: (value) => (places.indexOf(value) + 0.5) / levels.length,
    ticks: levels.map((level) => [level.value, level.text])
  };
}
const crowded = (places, least) => places.some((place, i) => i > 0 && place - places[i - 1] < least);

/** A frame with axes in a drawing of this width: {svg, x(value), y(value)}; marks are appended to the svg. */
function frame({width, height, x, y, xLabel, yLabel, label}) {
  const left = Math.max(48, 30 + 7 * Math.max(...y.ticks.map(([, text]) => text.length))), right = 14, top = 10,
        bottom = 46, w = width - left - right, h = height - top - bottom;
  const atX = (value) => left + w * x.at(value), atY = (value) => top + h * (1 - y.at(value));
  const svg = el(
      'svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label, class: 'drawn'},
      y.ticks.map(
          ([value, text]) =>
              el('g', {}, el('line', {x1: left, x2: left + w, y1: atY(value), y2: atY(value), class: 'grid'}),
                 el('text', {x: left - 7, y: atY(value) + 4, 'text-anchor': 'end', class: 'soft'}, text))),
      x.ticks.map(
          ([value, text]) => el(
              'g', {}, el('line', {x1: atX(value), x2: atX(value), y1: top + h, y2: top + h + 4, class: 'grid'}),
              el('text', {x: atX(value), y: top + h + 18, 'text-anchor': 'middle', class: 'soft'}, text))),
      el('line', {x1: left, x2: left + w, y1: top + h, y2: top + h, class: 'axis'}),
      el('text', {x: left + w / 2, y: height - 8, 'text-anchor': 'middle', class: 'soft axis-name'}, xLabel),
      el('text', {x: -(top + h / 2), y: 13, transform: 'rotate(-90)', 'text-anchor': 'middle', class: 'soft axis-name'},
         yLabel));
  return {svg, x: atX, y: atY};
}

const dark = () => matchMedia('screen and (prefers-color-scheme: dark)').matches;

/** A colour for the i-th of so many: told apart by hue while they are few, then by order, away from the background. */
function colorOf(i, count) {
  if (count <= 6) return `var(--run-${i})`;
  return viridisText((dark() ? 0.3 : 0) + 0.7 * i / (count - 1));
}

/** Marks differ in form as well as in colour. */
const kForms = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0', 'M-3.6 -3.6H3.6V3.6H-3.6Z', 'M0 -4.6L4.6 3.6H-4.6Z', 'M0 -5L5 0L0 5L-5 0Z',
  'M-4.4 -1.5H-1.5V-4.4H1.5V-1.5H4.4V1.5H1.5V4.4H-1.5V1.5H-4.4Z', 'M0 4.6L4.6 -3.6H-4.6Z'
];
const mark = (x, y, i, color, title, kind = '') =>
    el('path', {
      d: kForms[i % kForms.length],
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
      fill: color,
      class: `dot-mark ${kind}`
    },
       el('title', {}, title));
const markKey = (i, color, text) =>
    el('span', {class: 'key'},
       el('svg', {viewBox: '-7 -7 14 14', width: 14, height: 14, 'aria-hidden': 'true'},
          el('path', {d: kForms[i % kForms.length], fill: color})),
       text);

/** A picture that is drawn for the width it has: {node, redraw}. */
function drawing(draw) {
  const node = el('div', {class: 'drawing'});
  const redraw = () => node.clientWidth && node.replaceChildren(...[draw(node.clientWidth)].flat());
  onResize(node, redraw);
  onScheme(redraw);
  return {node, redraw};
}

/** A choice among texts. */
function picker(label, options, chosen, choose) {
  const list =
      el('select', {onchange: () => choose(list.selectedIndex)},
         options.map((text, i) => el('option', {selected: i === chosen}, text)));
  return el('label', {class: 'picker'}, el('span', {}, label), list);
}

/**
 * A row of pickers, made anew after each choice, since what may be chosen depends on the others: `make(change)` gives
 * them, `change(set)` is what one calls with the place that was chosen.
 */
function pickerRow(make, redraw) {
  const node = el('div', {class: 'pickers'});
  const refresh = () => {
    const focused = [...node.children].findIndex((child) => child.contains(document.activeElement));
    node.replaceChildren(...make((set) => (i) => {
                           set(i);
                           refresh();
                         }).filter(Boolean));
    if (focused >= 0) node.children[Math.min(focused, node.children.length - 1)].querySelector('select').focus();
    redraw();
  };
  refresh();
  return node;
}

/** What a picture says when there is nothing to draw. */
const nothing = (text) => el('p', {class: 'note'}, text);
