// SPDX-License-Identifier: Apache-2.0
// What the page holds of its sweeps (sweep.json, docs/sweeps.md), ready to be drawn.

/** More values than one can tell apart are put into so many bins. */
const kMostLevels = 12, kBins = 8;

const withUnit = (name, unit) => (unit ? `${name} [${unit}]` : name);
/** A figure of the table, short: in a parameter's or statistic's own unit. */
const short = (value) => (typeof value === 'number' ? number(value, 4) : String(value));
const mean = (values) => sum(values) / values.length;
/** Math.min and Math.max take too many arguments for too few stacks. */
const extent =
    (values) => [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];

/** Bins of equal width, or of equal ratio where the parameter is drawn logarithmically. */
function binsOf(values, logarithmic) {
  const to = logarithmic ? Math.log : (v) => v, back = logarithmic ? Math.exp : (v) => v;
  const [low, high] = extent(values), step = (to(high) - to(low)) / kBins;
  return Array.from({length: kBins}, (_, i) => {
    const from = back(to(low) + i * step), until = back(to(low) + (i + 1) * step), last = i + 1 === kBins;
    return {
      text: `${short(from)} to ${short(until)}`,
      value: back(to(low) + (i + 0.5) * step),
      has: (v) => (i === 0 || v >= from) && (last || v < until)
    };
  });
}

/** The values of a parameter that occur: levels with a text, a place on an axis and who belongs to them. */
function levelsOf(parameter, points) {
  const found = [...new Set(points.map((point) => point.parameters[parameter.path]))].filter((v) => v !== undefined);
  if (!parameter.numeric) {
    const order = Array.isArray(parameter.values) ? parameter.values : [];
    found.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  } else {
    found.sort((a, b) => a - b);
    if (found.length > kMostLevels) return binsOf(found, parameter.logarithmic);
  }
  return found.map((value, i) => ({text: short(value), value: parameter.numeric ? value : i, has: (v) => v === value}));
}

/** As its author says, or because its values span decades. */
function isLogarithmic({path, numeric, scale}, points) {
  const [low, high] = extent(points.map((point) => point.parameters[path]));
  return numeric && low > 0 && (scale === 'log' || high / low >= 50);
}

function prepareSweep(sweep, number) {
  const done = sweep.points.filter((point) => point.state === 'done');
  const parameters = sweep.parameters.map((parameter) => {
    const prepared = {
      ...parameter,
      logarithmic: isLogarithmic(parameter, done),
      label: withUnit(parameter.path, parameter.unit)
    };
    prepared.levels = levelsOf(prepared, done);
    prepared.of = (point) => point.parameters[parameter.path];
    /** Number of the level that a point belongs to. */
    prepared.levelOf = (point) => prepared.levels.findIndex((level) => level.has(point.parameters[parameter.path]));
    return prepared;
  });
  const statistics = sweep.statistics.map((statistic) => ({
                                            ...statistic,
                                            label: withUnit(statistic.name, statistic.unit),
                                            of: (point) => point.statistics[statistic.name]
                                          }));
  return {
    ...sweep,
    number,
    done,
    parameters,
    statistics,
    failed: sweep.points.filter((point) => point.state === 'failed'),
    /** Those that vary: a parameter with one value explains nothing. */
    varied: parameters.filter((parameter) => parameter.levels.length > 1),
    sampled: sweep.method === 'random' || sweep.method === 'latin-hypercube',
  };
}

/** A point in words: every parameter with its value. */
const pointText = (sweep, point) => `point ${point.point}: ${
    sweep.parameters.map((p) => `${p.path} ${short(p.of(point))}${p.unit ? ` ${p.unit}` : ''}`).join(', ')}`;

const report = JSON.parse(document.getElementById('data').textContent);
const sweeps = report.sweeps.map((sweep, number) => prepareSweep(sweep, number));
const several = sweeps.length > 1;
