// SPDX-License-Identifier: Apache-2.0
// The moment that the page shows: one frame of one run, which the slider, a chart or the player chooses.

const clock = {
  run: runs.find((run) => run.frames.length) ?? runs[0],
  index: 0,
  listeners: [],
  get frame() {
    return this.run.frames[this.index];
  },
  onChange(listener) {
    this.listeners.push(listener);
  },
  tell() {
    this.listeners.forEach((listener) => listener(this));
  },
  go(index) {
    this.index = Math.min(Math.max(0, index), Math.max(0, this.run.frames.length - 1));
    this.tell();
  },
  /** To the frame nearest to a time in ns. */
  seek(ns) {
    const {frames} = this.run;
    let best = 0;
    frames.forEach((frame, i) => {
      if (Math.abs(frame.time_ns - ns) < Math.abs(frames[best].time_ns - ns)) best = i;
    });
    this.go(best);
  },
  show(run) {
    const ns = this.frame?.time_ns ?? 0;
    this.run = run;
    this.seek(ns);
  },
};

/**
 * Number of the frame whose sets differ most in their dirty ways: there is most to see. Of a launch, among those of
 * its kernel, or next to it when it is shorter than the time between two.
 */
function mostVaried(run) {
  const {first_block: first, last_block: last} = run.summary.timeline_ns ?? {};
  const inKernel = ({time_ns}) => (first ?? 0) <= time_ns && time_ns <= (last ?? Infinity);
  const frames = run.frames.some(inKernel) ? run.frames.filter(inKernel) :
                                             [run.frames.find(({time_ns}) => time_ns > last) ?? run.frames.at(-1)];
  const variances = frames.map(({dirty}) => {
    let total = 0, squares = 0;
    for (const count of dirty) {
      total += count;
      squares += count * count;
    }
    return squares / dirty.length - (total / dirty.length) ** 2;
  });
  return run.frames.indexOf(frames[variances.indexOf(largest(variances))]);
}

/** A slider with buttons around it: `go(i)` to a place, `count()` of them, `step` in ms when it plays. */
function player({label, count, place, go, step}) {
  let timer = null;
  const slider = el('input', {
    type: 'range',
    min: 0,
    max: count() - 1,
    value: place(),
    step: 1,
    'aria-label': label,
    oninput: () => go(Number(slider.value))
  });
  const play = el('button', {type: 'button', class: 'play', onclick: () => (timer === null ? start() : stop())});
  const words = (text, symbol) => {
    play.textContent = symbol;
    play.setAttribute('aria-label', `${text}: ${label}`);
    play.title = text;
  };
  function stop() {
    clearInterval(timer);
    timer = null;
    words('Play', '\u25B6');
  }
  function start() {
    if (place() >= count() - 1) go(0);
    words('Stop', '\u25A0');
    timer = setInterval(() => (place() >= count() - 1 ? stop() : go(place() + 1)), step);
  }
  const move = (by, symbol, text) =>
      el('button', {
        type: 'button',
        'aria-label': `${text}: ${label}`,
        title: text,
        onclick: () => {
          stop();
          go(place() + by);
        }
      },
         symbol);
  words('Play', '\u25B6');
  const node =
      el('div', {class: 'player', role: 'group', 'aria-label': label}, play, move(-1, '\u2039', 'One back'), slider,
         move(1, '\u203A', 'One on'));
  return {
    node,
    slider,
    /** After the place or the number of places has changed. */
    update(text) {
      slider.max = Math.max(0, count() - 1);
      slider.value = place();
      slider.setAttribute('aria-valuetext', text);
    },
  };
}

/** Buttons of which one is chosen, by mouse or arrow keys. */
function choice(label, options, chosen, choose) {
  const name = `choice-${label.replace(/\W+/g, '-')}`;
  return el(
      'fieldset', {class: 'choice'}, el('legend', {}, label),
      options.map(
          (text, i) => el(
              'label', {},
              el('input', {type: 'radio', name, value: i, checked: i === chosen, onchange: () => choose(i)}), text)));
}
