// SPDX-License-Identifier: Apache-2.0
// The memory side of the die: L2 slices with a pixel a set, controllers with their backlogs, channels with their buses.

/** Time of the channel's data bus since the frame before, by what it did. */
function busShares(frame, channel, run) {
  const before = frame.before, none = {read: 0, write: 0, turn: 0};
  if (!before || frame.time_ns <= before.time_ns) return none;
  const clocks = (frame.time_ns - before.time_ns) * run.parameter('clocks.dram') / 1e9;
  const timing = (name) => run.parameter(`dram.timing.${name}`);
  const burst = timing('burst'), controller = Math.floor(channel * frame.turns.length / frame.read_columns.length);
  // The least that the rules leave idle between data of the two directions, mean of the two ways to turn.
  const gap = (timing('tWTRS') + timing('tCL') + timing('tRTW') + timing('tWL') - timing('tCL') - burst) / 2;
  const turns = (frame.turns[controller] - before.turns[controller]) * frame.turns.length / frame.read_columns.length;
  const share = (now, then, each) => Math.min(1, (now - then) * each / clocks);
  const read = share(frame.read_columns[channel], before.read_columns[channel], burst);
  const write = Math.min(1 - read, share(frame.write_columns[channel], before.write_columns[channel], burst));
  return {read, write, turn: Math.min(1 - read - write, Math.max(0, turns * gap / clocks))};
}

/** Slices of a controller side by side, one pixel a set. */
function drawSets(canvas, slices, most) {
  const {frame} = clock;
  const side = Math.ceil(Math.sqrt(frame.sets)), gap = 2;
  canvas.width = slices.length * (side + gap) - gap;
  canvas.height = Math.ceil(frame.sets / side);
  const pen = canvas.getContext('2d'), image = pen.createImageData(canvas.width, canvas.height);
  const empty = /(\d+)\D+(\d+)\D+(\d+)/.exec(css('--empty-rgb')).slice(1).map(Number);
  const ramp = Array.from({length: 40}, (_, count) => (count === 0 ? empty : viridis(0.12 + 0.88 * count / most)));
  slices.forEach((slice, place) => {
    for (let set = 0; set < frame.sets; ++set) {
      const x = place * (side + gap) + (set % side), y = Math.floor(set / side);
      image.data.set([...ramp[frame.dirty[slice * frame.sets + set]], 255], 4 * (y * canvas.width + x));
    }
  });
  pen.putImageData(image, 0, 0);
}

function bar(name) {
  const fill = el('span', {class: 'fill'}), text = el('span', {class: 'amount'});
  return {
    fill,
    text,
    node: el('div', {class: 'backlog'}, el('span', {class: 'what'}, name), el('span', {class: 'trough'}, fill), text)
  };
}

function channelRow(number_) {
  const parts = ['read', 'write', 'turn'].map((kind) => el('span', {class: kind}));
  const refresh = el('span', {class: 'refresh', title: 'a pair of banks is being refreshed'});
  const text = el('span', {class: 'amount'});
  const node =
      el('div', {class: 'channel'}, el('span', {class: 'what'}, `ch ${number_}`), el('span', {class: 'trough'}, parts),
         refresh, text);
  return {
    node,
    update(shares, refreshing) {
      parts.forEach((part, i) => {
        part.style.width = `${100 * [shares.read, shares.write, shares.turn][i]}%`;
      });
      refresh.classList.toggle('on', refreshing);
      const busy = shares.read + shares.write;
      text.textContent = busy > 0 ? `${Math.round(100 * busy)} %` : 'idle';
      node.title = `Channel ${number_}: reading ${percentText(shares.read)}, writing ${
                       percentText(shares.write)}, turning at least ` +
          `${percentText(shares.turn)} of the time since the frame before${
                       refreshing ? '; a pair of banks is being refreshed' : ''}`;
    }
  };
}

function controllerCard(number_, of, say) {
  const {frame} = clock;
  const share = (all) => Array.from({length: all / of}, (_, i) => number_ * (all / of) + i);
  const slices = share(frame.queued.length), channels = share(frame.read_columns.length);
  const canvas = el('canvas', {class: 'sets', 'aria-hidden': 'true', 'data-controller': number_});
  const writes = bar('write'), reads = bar('read'), rows = channels.map((c) => channelRow(c));
  writes.fill.classList.add('write');
  reads.fill.classList.add('read');
  canvas.addEventListener('mousemove', (event) => {
    const side = Math.ceil(Math.sqrt(clock.frame.sets)), scale = canvas.clientWidth / canvas.width;
    const x = Math.floor(event.offsetX / scale), place = Math.floor(x / (side + 2)), column = x % (side + 2);
    const set = Math.floor(event.offsetY / scale) * side + column;
    if (column >= side || place >= slices.length || set >= clock.frame.sets) return;
    say(`Slice ${slices[place]}, set ${set}: ${clock.frame.dirty[slices[place] * clock.frame.sets + set]} dirty ways`);
  });
  const names = el('div', {class: 'slices'}, slices.map((s) => el('span', {}, `slice ${s}`)));
  const node =
      el('div', {class: 'controller'}, names, canvas, el('span', {class: 'name'}, `Controller ${number_}`), writes.node,
         reads.node, rows.map((row) => row.node));
  return {
    node,
    draw(most) {
      const {frame: now, run} = clock;
      canvas.style.width = `${slices.length * 66 - 2}px`;
      drawSets(canvas, slices, most);
      const room = {
        write: run.parameter('dram.write_queue_entries'),
        read: run.parameter('dram.read_queue_entries') * channels.length
      };
      [[writes, now.writes[number_], room.write], [reads, now.reads[number_], room.read]].forEach(
          ([b, lines, most_]) => {
            b.fill.style.width = `${100 * Math.min(1, lines / (most_ || 1))}%`;
            b.text.textContent = lines;
            b.node.title = `${lines} of ${most_} lines`;
          });
      rows.forEach((row, i) => row.update(busShares(now, channels[i], run), now.refreshing.includes(channels[i])));
    }
  };
}

/** {node, draw}: the lower half of the die. */
function memory(say) {
  const most = largest(runs.flatMap((run) => run.frames.map((frame) => largest([...new Set(frame.dirty)])))) || 1;
  const cards = clock.frame.writes.map((_, i, all) => controllerCard(i, all.length, say));
  const node = picture(
      `${clock.frame.queued.length} L2 slices, ${cards.length} controllers, ${
          clock.frame.read_columns.length} channels`,
      'a pixel is a set; lines that are being written back do not count as dirty',
      el('p', {class: 'legend'},
         el('span', {class: 'key'}, 'dirty ways',
            [...Array(most + 1).keys()].map(
                (count) =>
                    el('span', {
                      class: 'step',
                      style: `--swatch: ${count ? viridisText(0.12 + 0.88 * count / most) : 'var(--empty)'}`
                    },
                       count))),
         legendItem('var(--write)', 'writing; write backlog'), legendItem('var(--read)', 'reading; read queues'),
         legendItem('var(--turn)', 'turning the bus, at least'),
         legendItem('var(--trough)', 'idle, or waiting for rows'),
         legendItem('var(--refresh)', 'refreshing a pair of banks now', 'round')),
      el('div', {class: 'controllers'}, cards.map((card) => card.node)));
  return {node, draw: () => cards.forEach((card) => card.draw(most))};
}
