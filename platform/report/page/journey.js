// SPDX-License-Identifier: Apache-2.0
// The way of one access: what gputlm follow has written into the run's directory.

/** Places of the times on the picture: gaps are drawn logarithmically, or the afterlife would hide the way. */
function spread(stations, width) {
  let x = 0;
  const places = stations.map((station, i) => {
    const gap = i ? station.time_ns - stations[i - 1].time_ns : 0;
    x += gap > 0 ? 10 + 16 * Math.log1p(gap) : 0;
    return x;
  });
  return places.map((place) => (x ? place / x * width : 0));
}

const groupOf = (unit) =>
    (/LSU/.test(unit)                 ? 'queue' :
         /DRAM|controller/.test(unit) ? 'write' :
         /slice/.test(unit)           ? 'turn' :
                                        'read');

function lanes(stations) {
  const units = [...new Set(stations.map((s) => s.unit))], left = 200, width = 1000, row = 26, top = 8;
  const xs = spread(stations, width - left - 50).map((x) => left + 12 + x),
        y = (unit) => top + units.indexOf(unit) * row + row / 2;
  const height = top + units.length * row;
  const ticks = [];
  stations.forEach((s, i) => {
    if (!ticks.length || xs[i] - ticks.at(-1).x > 62) ticks.push({x: xs[i], ns: s.time_ns});
  });
  return el(
      'svg', {
        viewBox: `0 0 ${width} ${height + 34}`,
        class: 'lanes',
        role: 'img',
        'aria-label': `${stations.length} stations in ${units.length} units; the table below has them all`
      },
      units.map(
          (unit) =>
              el('g', {}, el('line', {x1: left, x2: width - 6, y1: y(unit), y2: y(unit), class: 'grid'}),
                 el('text', {x: left - 10, y: y(unit) + 4, 'text-anchor': 'end'}, unit))),
      ticks.map(
          ({x, ns}) =>
              el('g', {}, el('line', {x1: x, x2: x, y1: top, y2: height, class: 'grid faint'}),
                 el('text', {x, y: height + 14, 'text-anchor': 'middle', class: 'soft'}, number(ns, 5)))),
      el('text', {x: left + (width - left) / 2, y: height + 30, 'text-anchor': 'middle', class: 'soft'},
         'time, ns; the longer a gap, the more it is shortened'),
      el('path',
         {class: 'way', d: stations.map((s, i) => `${i ? 'L' : 'M'}${xs[i].toFixed(1)} ${y(s.unit)}`).join(' ')}),
      stations.map(
          (s, i) =>
              el('circle', {
                cx: xs[i],
                cy: y(s.unit),
                r: s.wait_ns > 0 ? 6 : 4,
                fill: `var(--${groupOf(s.unit)})`,
                class: s.wait_ns > 0 ? 'waited' : ''
              },
                 el('title', {},
                    `${timeText(s.time_ns)} ${s.unit}: ${s.event}${
                        s.wait_ns > 0 ? `, after ${timeText(s.wait_ns)} of waiting` : ''}. ${s.detail}`))));
}

function stationTable(stations) {
  return el(
      'div', {class: 'scroll tall-scroll', tabindex: 0, role: 'group', 'aria-label': 'Stations'},
      el('table', {class: 'stations'},
         el('thead', {},
            el('tr', {},
               ['Time, ns', '+ ns', 'Service, ns', 'Waited, ns'].map(
                   (text) => el('th', {scope: 'col', class: 'right'}, text)),
               ['Station', 'Event', 'What'].map((text) => el('th', {scope: 'col'}, text)))),
         el('tbody', {},
            stations.map(
                (s, i) =>
                    el('tr', {class: s.wait_ns > 0 ? 'waited' : ''}, el('td', {class: 'right'}, s.time_ns.toFixed(3)),
                       el('td', {class: 'right'}, (i ? s.time_ns - stations[i - 1].time_ns : 0).toFixed(3)),
                       el('td', {class: 'right'}, s.service_ns > 0 ? s.service_ns.toFixed(3) : ''),
                       el('td', {class: 'right'}, s.wait_ns > 0 ? s.wait_ns.toFixed(3) : ''),
                       el('td', {class: 'nowrap'}, s.unit), el('td', {class: 'nowrap'}, s.event),
                       el('td', {}, s.detail ?? ''))))));
}

/** In what a journey's run differs from the one whose directory it lies in; null when in nothing. */
function otherRun(run, journey) {
  if (journey.experiment !== run.summary.experiment) return `of ${journey.experiment}`;
  if (String(journey.seed) !== run.seed) return `with seed ${journey.seed}`;
  const other = Object.entries(journey.parameters ?? {}).find(([path, value]) => {
    const own = run.parameters.get(path)?.value;
    return JSON.stringify(own) !== JSON.stringify(value);
  });
  return other ? `on ${journey.config} with ${other[0]}=${other[1]}` : null;
}

/** As a shell takes it for one word. */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll('\'', '\'\\\'\'')}'`);

/** An experiment's own overrides come after --config, so that the run's have to be given again. */
function followCommand(run) {
  const directory = run.directory.replace(/\/+$/, '');
  return [
    'gputlm', 'follow', `${directory}/experiment.yaml`, '--slowest', 'store', '--config', `${directory}/config.yaml`,
    ...(run.summary.overrides ?? run.summary.set ?? []).flatMap((value) => ['--set', value]), '--seed', run.seed, '--keep', run.directory
  ].map(quoted)
      .join(' ');
}

function journeyPicture(run, journey) {
  const {stations} = journey;
  if (!stations.length) return null;
  const foreign = journey.experiment !== undefined ? otherRun(run, journey) : null;
  const title = journey.op ? `${journey.op} of SM ${journey.sm} warp ${journey.warp}, instruction ${
                                 journey.instruction}${journey.address ? `, address ${journey.address}` : ''}` :
                                                                         'Every access of the run';
  return el(
      'figure', {class: 'journey'},
      el('figcaption', {}, el('strong', {}, title), several ? ` (${run.label})` : '',
         el('span', {class: 'hint'}, 'large circles: it had waited')),
      foreign ? el('p', {class: 'note bad'}, `This journey is of another run: ${foreign}.`) : null,
      el('div', {class: 'scroll'}, lanes(stations)), stationTable(stations),
      journey.left_out ?
          el('p', {class: 'note'}, `Left out: ${journey.left_out} more transactions and events of others.`) :
          null);
}

function journeys() {
  const pictures = runs.flatMap((run) => run.journeys.map((journey) => journeyPicture(run, journey))).filter(Boolean);
  const how =
      el('p', {class: 'note'}, 'To see the way of an access here, follow it and make the report again: ',
         el('code', {}, followCommand(runs[0])));
  return section(
      'journey', 'The way of one access',
      pictures.length ? 'From its warp to the last byte\'s way into DRAM, with its waits and what became of its line.' :
                        null,
      pictures.length ? pictures : how);
}
