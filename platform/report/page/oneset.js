// SPDX-License-Identifier: Apache-2.0
// The life of one L2 set, step by step.

/** The ways after each step: a step says only what it changed. */
function statesOf(history) {
  let ways = Array(history.ways).fill(null);
  return history.steps.map((step) => {
    ways = ways.slice();
    const changed = Object.keys(step.ways).map(Number);
    changed.forEach((way) => {
      ways[way] = step.ways[way];
    });
    return {...step, state: ways, changed: new Set(changed)};
  });
}

function wayCell(way, content, fifo, changed) {
  const place = fifo.indexOf(way),
        mark = (on, kind, text, title) => (on ? el('span', {class: `mark ${kind}`, title}, text) : null);
  return el(
      'div', {class: `way${content ? '' : ' empty'}${changed ? ' changed' : ''}`},
      el('span', {class: 'soft'}, `way ${way}`), el('code', {}, content ? content.line : 'empty'),
      content ? el('span', {class: 'rrpv', title: 're-reference prediction value: the highest goes first'},
                   `RRPV ${content.rrpv}`) :
                null,
      content ?
          el('span', {class: 'bytes'},
             el('span',
                {class: 'valid', style: `width: ${content.valid / 1.28}%`, title: `${content.valid} bytes valid`}),
             el('span',
                {class: 'dirty', style: `width: ${content.dirty / 1.28}%`, title: `${content.dirty} bytes dirty`})) :
          null,
      el('span', {class: 'marks'},
         content ?
             [
               mark(content.dirty > 0, 'write', `${content.dirty} B dirty`, 'not accepted by the controller yet'),
               mark(place >= 0, 'turn', `FIFO ${place + 1}`, 'place in the write-back FIFO, 1 is the oldest'),
               mark(content.writing, 'queue', 'to be written', 'its write-back waits for the controller'),
               mark(content.fetching, 'read', 'fetching', 'sectors are on their way from DRAM')
             ] :
             null));
}

function setPicture(run) {
  const history = run.pictures?.set;
  if (!history || !history.steps.length) return null;
  const steps = statesOf(history);
  let place = Math.floor(steps.length / 3);
  const ways = el('div', {class: 'ways'}), what = el('ul', {class: 'what-happened'}),
        time = el('output', {class: 'moment'});
  const count = el('p', {class: 'words'});
  const slider = player({
    label: `Step of the set${several ? ` of ${run.label}` : ''}`,
    count: () => steps.length,
    place: () => place,
    go: (i) => {
      place = Math.min(Math.max(0, i), steps.length - 1);
      show();
    },
    step: 350
  });
  function show() {
    const step = steps[place], dirty = step.state.filter((way) => way && way.dirty > 0).length;
    ways.replaceChildren(...step.state.map((content, way) => wayCell(way, content, step.fifo, step.changed.has(way))));
    what.replaceChildren(...step.what.map((text) => el('li', {}, text)));
    time.textContent = `step ${place + 1} of ${steps.length}, ${timeText(step.time_ns)}`;
    count.textContent = `${step.state.filter(Boolean).length} of ${history.ways} ways hold a line, ${
        dirty} hold dirty bytes, ${step.fifo.length} wait in the write-back FIFO`;
    slider.update(time.textContent);
  }
  show();
  return el(
      'figure', {class: 'oneset'},
      el('figcaption', {}, el('strong', {}, `Slice ${history.slice}, set ${history.set}`),
         several ? ` of ${run.label}` : '',
         history.left_out ?
             el('span', {class: 'hint'},
                `its first ${steps.length} steps; ${number(history.left_out)} later events are left out`) :
             null),
      el('div', {class: 'timebar'}, slider.node, time), count, ways,
      el('p', {class: 'soft small'}, 'What happened at this step:'), what);
}

function oneset() {
  const pictures = runs.map(setPicture).filter(Boolean);
  if (!pictures.length)
    return section(
        'set', 'One set of L2', null,
        el('p', {class: 'note'}, 'No set was touched, or this directory holds no history of one.'));
  return section(
      'set', 'One set of L2',
      'The first set that the run touches, after each moment at which something happened in it. What ' +
      'a step changed is outlined.',
      pictures);
}
