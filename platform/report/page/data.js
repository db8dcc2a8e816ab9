// SPDX-License-Identifier: Apache-2.0
// What the page holds of its runs, ready to be drawn.

const report = JSON.parse(document.getElementById('data').textContent);
const runs = report.runs.map((run, i) => prepareRun(run, i));
const several = runs.length > 1;

/** One character a set that changed, A to Z for 1 to 26 that did not (docs/report.md). */
function decodeSets(text, sets, at) {
  for (let i = 0; i < text.length; ++i) {
    const c = text.charCodeAt(i);
    if (c >= 65 && c <= 90)
      at += c - 64;
    else
      sets[at++] = c <= 57 ? c - 48 : c - 87;
  }
}

function prepareFrames(frames) {
  if (!frames || !frames.list.length) return [];
  const slices = frames.list[0].dirty.length;
  let before = new Uint8Array(slices * frames.sets);
  return frames.list.map((frame, i) => {
    const dirty = before.slice();
    frame.dirty.forEach((text, slice) => decodeSets(text, dirty, slice * frames.sets));
    before = dirty;
    return {...frame, dirty, sets: frames.sets, before: i > 0 ? frames.list[i - 1] : null};
  });
}

/** A parameter's value as a plain number in its base unit: "2.6 GHz" is 2.6e9, "96 KiB" 98304; times in ns. */
function quantity(text) {
  const match = /^(-?[0-9.]+(?:e[-+]?[0-9]+)?) *([A-Za-z]*)$/.exec(text || '');
  if (!match) return NaN;
  const units = {
    ns: 1,
    us: 1e3,
    ms: 1e6,
    s: 1e9,
    fs: 1e-6,
    ps: 1e-3,
    Hz: 1,
    kHz: 1e3,
    MHz: 1e6,
    GHz: 1e9,
    B: 1,
    KiB: 1024,
    MiB: 1048576,
    GiB: 1073741824,
    TiB: 1099511627776
  };
  return Number(match[1]) * (match[2] ? units[match[2]] ?? NaN : 1);
}

function prepareRun(run, number) {
  const parameters = new Map(run.configuration.map((p) => [p.path, p]));
  const frames = prepareFrames(run.pictures?.frames);
  const statistics = run.statistics;
  const prepared = {
    ...run,
    number,
    frames,
    parameters,
    label: run.summary.experiment,
    color: `--run-${number}`,
    /** A parameter's value, NaN when there is none. */
    parameter: (path) => quantity(parameters.get(path)?.value),
    /** A statistic of all units of a kind: one value each. */
    values: (kind, name) => (statistics[kind]?.[name]?.values ?? []).filter((v) => typeof v === 'number'),
    total: (kind, name) => sum((statistics[kind]?.[name]?.values ?? []).filter((v) => typeof v === 'number')),
    /** Time of the run in ns; of a launch, to its end. */
    time: run.summary.simulated_ns ?? run.summary.timeline_ns?.done ?? frames.at(-1)?.time_ns ?? 0,
  };
  prepared.columns = run.series ?? columnsOf(prepared);
  return prepared;
}

/** A launch writes no time series; its frames have most of what one holds. */
function columnsOf(run) {
  if (!run.frames.length) return null;
  const columns = {
    time_ns: run.frames.map((f) => f.time_ns),
    dram_bytes_read: run.frames.map((f) => 32 * sum(f.read_columns)),
    dram_bytes_written: run.frames.map((f) => 32 * sum(f.write_columns)),
    sms_throttled: run.frames.map((f) => f.throttled.length),
  };
  run.frames[0].writes.forEach((_, c) => {
    columns[`write_backlog_${c}`] = run.frames.map((f) => f.writes[c]);
    columns[`read_backlog_${c}`] = run.frames.map((f) => f.reads[c]);
  });
  return columns;
}

/** Runs of one experiment are told apart by their directories, those of one name by their place. */
function labelRuns() {
  const base = (run) => run.directory.replace(/\/+$/, '').split('/').pop() || run.directory;
  const unique = (text) => new Set(runs.map(text)).size === runs.length;
  for (const text of [(run) => run.summary.experiment, base, (run) => run.directory]) {
    if (!unique(text)) continue;
    runs.forEach((run) => {
      run.label = text(run);
    });
    return;
  }
  runs.forEach((run) => {
    run.label = `${run.number + 1}: ${base(run)}`;
  });
}
labelRuns();

/** All leaves of a document: [[path, value], ...]. */
function leaves(value, path = '') {
  if (value === null || typeof value !== 'object') return [[path, value]];
  return Object.entries(value).flatMap(([key, child]) => leaves(child, `${path}/${key}`));
}

/** The value at a path of a summary; undefined when there is none. */
const at = (document, path) => path.split('/').slice(1).reduce(
    (node, key) => (node === null || node === undefined ? undefined : node[key]), document);

/** A figure of the summary on the page: the text, and what it was made of for whoever wants to compare. */
const figure = (run, path, text) =>
    el('span',
       {class: 'figure', 'data-run': run.number, 'data-path': path, 'data-raw': JSON.stringify(at(run.summary, path))},
       text);
