// SPDX-License-Identifier: Apache-2.0
// Elements, numbers with their units, and colours.

/**
 * An element: attributes (`class`, `data-x`, `onclick`, ...) and children, of which strings become text and never
 * markup.
 */
function el(tag, attributes = {}, ...children) {
  const svg = ['svg', 'g', 'rect', 'line', 'path', 'circle', 'text', 'title'].includes(tag);
  const node = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on'))
      node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false)
      node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return node;
}

/** At most `digits` significant ones, thousands apart: 1,234.5. */
function number(value, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '-';
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  const whole = Math.max(1, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
  return value.toLocaleString('en-US', {maximumFractionDigits: Math.max(0, digits - whole)});
}

function scaled(value, step, units, digits) {
  let unit = 0;
  while (Math.abs(value) >= step && unit + 1 < units.length) {
    value /= step;
    ++unit;
  }
  return `${number(value, digits)} ${units[unit]}`;
}

const bytesText = (bytes) => scaled(bytes, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB'], 4);
const timeText = (ns) => (ns === null || ns === undefined ? '-' : scaled(ns, 1000, ['ns', 'us', 'ms', 's'], 6));
const percentText = (share) => (Number.isFinite(share) ? `${(100 * share).toFixed(share < 0.0995 ? 2 : 1)} %` : '-');

/** A variable of the style sheet, as it is in the scheme that is shown. */
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Viridis at 0 to 1: even steps to every eye, and in grey. */
const kViridis = [
  [68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99],
  [170, 220, 50], [253, 231, 37]
];
function viridis(share) {
  const at = Math.min(1, Math.max(0, share)) * (kViridis.length - 1);
  const low = Math.floor(at), part = at - low;
  const next = kViridis[Math.min(low + 1, kViridis.length - 1)];
  return kViridis[low].map((c, i) => Math.round(c + part * (next[i] - c)));
}
const viridisText = (share) => `rgb(${viridis(share).join(' ')})`;

/** A section of the page, listed in its navigation. */
function section(id, title, lead, ...children) {
  return el(
      'section', {id, 'aria-labelledby': `${id}-title`}, el('h2', {id: `${id}-title`}, title),
      lead ? el('p', {class: 'lead'}, lead) : null, ...children);
}

/** A mark of a legend: a swatch and what it means. */
const legendItem = (color, text, kind = '') =>
    el('span', {class: 'key'}, el('span', {class: `swatch ${kind}`, style: `--swatch: ${color}`}), text);

/** A canvas of this size in CSS pixels, sharp on any screen; clean, to be drawn in those pixels. */
function sharp(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/** Calls back when the width of an element has changed, after the layout in which it did. */
function onResize(node, then) {
  let width = 0;
  new ResizeObserver(() => {
    if (node.clientWidth === width) return;
    width = node.clientWidth;
    requestAnimationFrame(then);
  }).observe(node);
}
const onScheme = (then) => matchMedia('(prefers-color-scheme: dark)').addEventListener('change', then);

const sum = (values) => values.reduce((total, value) => total + value, 0);
const largest = (values) => values.reduce((most, value) => Math.max(most, value), 0);
