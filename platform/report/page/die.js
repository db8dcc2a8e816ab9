// SPDX-License-Identifier: Apache-2.0
// The die at one moment: SMs and crossbar; what lies below is in memory.js.

const largestAccesses = (run) => largest(run.frames.map((frame) => largest(frame.accesses)));

/** SMs as tiles: how many accesses each waits for, and a corner where one waits at the LSU's door. */
function drawSms(canvas, say) {
  const gap = 3;
  let tiles = {columns: 1, size: 1};
  const draw = () => {
    const {frame, run} = clock;
    const count = frame.warps.length, width = canvas.clientWidth, columns = Math.min(16, count);
    const size = Math.min(34, Math.floor((width - gap * (columns - 1)) / columns));
    tiles = {columns, size};
    const pen = sharp(canvas, width, Math.ceil(count / columns) * (size + gap) - gap);
    const most = largestAccesses(run) || 1, throttled = new Set(frame.throttled);
    frame.warps.forEach((warps, sm) => {
      const x = (sm % columns) * (size + gap), y = Math.floor(sm / columns) * (size + gap);
      const busy = warps > 0 || frame.accesses[sm] > 0;
      pen.fillStyle = busy ? viridisText(0.15 + 0.85 * frame.accesses[sm] / most) : css('--empty');
      pen.fillRect(x, y, size, size);
      if (!throttled.has(sm)) return;
      pen.fillStyle = css('--write');
      pen.strokeStyle = css('--panel');
      pen.beginPath();
      pen.moveTo(x + size, y);
      pen.lineTo(x + size, y + size * 0.55);
      pen.lineTo(x + size * 0.45, y);
      pen.closePath();
      pen.fill();
      pen.stroke();
    });
  };
  canvas.addEventListener('mousemove', (event) => {
    const {columns, size} = tiles, {frame} = clock;
    const sm = Math.floor(event.offsetY / (size + gap)) * columns + Math.floor(event.offsetX / (size + gap));
    if (sm < 0 || sm >= frame.warps.length || event.offsetX / (size + gap) >= columns) return;
    say(`SM ${sm}: ${frame.warps[sm]} warps resident, ${frame.accesses[sm]} accesses without an answer` +
        `${frame.throttled.includes(sm) ? ', one waits at the LSU\'s door' : ''}`);
  });
  return draw;
}

/** What passed a slice's port since the frame before, of what it can serve. */
function portShare(frame, slice, run) {
  const before = frame.before;
  const most = run.parameter('l2.requests_per_cycle') * run.parameter('clocks.l2') / 1e9;
  if (!before || !(most > 0) || frame.time_ns <= before.time_ns) return 0;
  return (frame.requests[slice] - before.requests[slice]) / (frame.time_ns - before.time_ns) / most;
}

/** The crossbar by slice: requests queued there, and traffic. */
function drawCrossbar(canvas, say) {
  const left = 40, bottom = 20, height = 250;
  const draw = () => {
    const {frame, run} = clock;
    const width = canvas.clientWidth,
          depth = run.parameter('crossbar.slice_request_depth') || largest(frame.queued) || 1;
    const pen = sharp(canvas, width, height), full = height - bottom - 8;
    const step = (width - left) / frame.queued.length, y = (share) => 8 + full * (1 - Math.min(1, share));
    pen.font = css('--small-font');
    pen.textBaseline = 'middle';
    [0, 0.5, 1].forEach((share) => {
      pen.fillStyle = css('--line');
      pen.fillRect(left, y(share), width - left, 1);
      pen.fillStyle = css('--soft');
      pen.textAlign = 'right';
      pen.fillText(`${100 * share} %`, left - 5, y(share));
    });
    pen.textAlign = 'center';
    frame.queued.forEach((queued, slice) => {
      const x = left + slice * step, bar = Math.min(16, step * 0.4);
      pen.fillStyle = css('--queue');
      pen.fillRect(x + step / 2 - bar, y(queued / depth), bar, 8 + full - y(queued / depth));
      pen.fillStyle = css('--read');
      const share = portShare(frame, slice, run);
      pen.fillRect(x + step / 2 + 1, y(share), bar, 8 + full - y(share));
      pen.fillStyle = css('--soft');
      if (step > 14 || slice % 3 === 0) pen.fillText(slice, x + step / 2, height - 8);
    });
  };
  canvas.addEventListener('mousemove', (event) => {
    const {frame, run} = clock;
    const slice = Math.floor((event.offsetX - left) / ((canvas.clientWidth - left) / frame.queued.length));
    if (slice < 0 || slice >= frame.queued.length) return;
    say(`Slice ${slice}: ${frame.queued[slice]} requests queued in the crossbar, port used to ${
        percentText(portShare(frame, slice, run))}`);
  });
  return draw;
}

function summaryOf(frame) {
  let dirty = 0;
  for (const count of frame.dirty) dirty += count;
  const running = frame.warps.filter((warps) => warps > 0).length;
  return `${running} of ${frame.warps.length} SMs have warps, ${frame.throttled.length} throttled; ${
             number(sum(frame.accesses))} accesses ` +
      `without an answer; ${number(sum(frame.queued))} requests queued in the crossbar; ${
             number(dirty)} dirty lines in L2; ` +
      `${number(sum(frame.writes))} writes and ${number(sum(frame.reads))} reads wait in controllers`;
}

function picture(title, hint, ...children) {
  return el(
      'figure', {}, el('figcaption', {}, el('strong', {}, title), hint ? el('span', {class: 'hint'}, hint) : null),
      children);
}

function die() {
  const lead =
      'Everything at one moment; the slider, the arrow keys on it and a click into a chart choose ' +
      'it. Point at an SM, ' +
      'a slice or a set for its values.';
  const shown = runs.filter((run) => run.frames.length);
  if (!shown.length)
    return section(
        'die', 'The die', null,
        el('p', {class: 'note'},
           'No frames: this directory was written by a version that kept none, or by a run without any.'));
  const pointed = el('p', {class: 'pointed', 'aria-hidden': 'true'}, '\u00A0');
  const say = (text) => {
    pointed.textContent = text;
  };
  const time = el('output', {id: 'moment', class: 'moment'}), words = el('p', {id: 'die-words', class: 'words'});
  const slider = player({
    label: 'Moment of the run',
    count: () => clock.run.frames.length,
    place: () => clock.index,
    go: (i) => clock.go(i),
    step: 90
  });
  slider.slider.id = 'slider';
  const sms = el('canvas', {id: 'sms', role: 'img', 'aria-labelledby': 'die-words'});
  const crossbar = el('canvas', {id: 'crossbar', role: 'img', 'aria-labelledby': 'die-words'});
  const accesses = el('span');
  const below = memory(say);
  const draws = [drawSms(sms, say), drawCrossbar(crossbar, say), below.draw];
  const show = () => {
    const {frame, run} = clock;
    time.textContent = `${timeText(frame.time_ns)} of ${timeText(run.frames.at(-1).time_ns)}`;
    time.dataset.ns = frame.time_ns;
    words.textContent = summaryOf(frame);
    accesses.textContent = `0 to ${number(largestAccesses(run))} accesses without an answer`;
    slider.update(time.textContent);
    draws.forEach((draw) => draw());
  };
  clock.onChange(show);
  onScheme(show);
  onResize(sms, show);
  return section(
      'die', 'The die', lead,
      shown.length > 1 ?
          choice('Run', shown.map((run) => run.label), shown.indexOf(clock.run), (i) => clock.show(shown[i])) :
          null,
      el('div', {class: 'timebar'}, slider.node, time), words,
      el('div', {class: 'upper'},
         picture(
             `${clock.frame.warps.length} SMs`, null, sms,
             el('p', {class: 'legend'}, el('span', {class: 'key'}, el('span', {class: 'ramp accesses'}), accesses),
                legendItem('var(--empty)', 'no warp'),
                legendItem('var(--write)', 'throttled: an access waits at the LSU\'s door', 'corner'))),
         picture(
             'Crossbar, by slice', null, crossbar,
             el('p', {class: 'legend'},
                legendItem('var(--queue)', 'requests queued for the slice, of what the queue holds'),
                legendItem('var(--read)', 'requests since the frame before, of what the slice can serve')))),
      below.node, pointed);
}
