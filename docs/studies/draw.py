#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""draw.py RESULTS FIGURES: draws the shipped sweeps' tables (RESULTS/NAME/results.csv) as FIGURES/NAME.svg.

Needs nothing but Python's own library. The same table gives the same file.
"""
import csv
import math
import sys
from html import escape
from pathlib import Path

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 420, 300, 62, 16, 34, 46
COLOURS = ["#1b6ca8", "#d1495b", "#3c8d53", "#8f5aa8", "#c27c0e", "#4d4d4d"]

# One figure a sweep: what is on the x axis, what tells the curves apart, and a panel for each y column.
# Columns are named without their units.
FIGURES = {
    "janitor-threshold": dict(
        x="l2.janitor.dirty_threshold", curve="experiment.buffers.written.size", bytes_in_curve=True,
        panels=["phases.both.writer.store_bandwidth", "load_latency", "load_latency_p99", "dram_write_bandwidth"]),
    "write-queue-marks": dict(
        x="dram.write_low_mark", curve="dram.write_high_mark",
        panels=["phases.both.reader.load_bandwidth", "phases.both.writer.store_bandwidth", "load_latency_p99",
                "mode_switches"]),
    "l2-ways-rrip": dict(
        x="l2.ways", curve="l2.replacement.levels",
        panels=["phases.both.resident.load_bandwidth", "phases.both.stream.load_bandwidth", "l2_load_hits"]),
    "slice-count": dict(x="l2.slices", log_x=True, panels=["phases.read.load_bandwidth", "load_latency"]),
    "slice-hash": dict(
        x="experiment.phases.*.stride", log_x=True, curve="crossbar.slice_function.type", log_y=True,
        panels=["phases.read.load_bandwidth", "load_latency"]),
    "page-policy": dict(
        x=("dram.page_policy", "dram.idle_close"),
        panels=["phases.stream.load_bandwidth", "phases.random.load_bandwidth", "phases.lone-random.time",
                "phases.lone-near.time"]),
}


def read(file):
    """The rows of points that are done, by column name without unit, and the columns' units."""
    with open(file, newline="") as f:
        rows = list(csv.DictReader(f))
    units = {}
    for column in rows[0]:
        name, _, unit = column.partition(" [")
        units[name] = unit.rstrip("]")
    rows = [{k.partition(" [")[0]: v for k, v in row.items()} for row in rows if row["state"] == "done"]
    return rows, units


def bytes_text(value):
    size = float(value)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:g} {unit}"
        size /= 1024
    return f"{size:g} TiB"


def ticks(low, high, log):
    if log:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return [10.0 ** e for e in range(first, last + 1)]
    step = 10.0 ** math.floor(math.log10((high - low) or 1))
    while (high - low) / step > 5:
        step *= 2 if str(step).lstrip("0.").startswith("1") else 2.5
    while (high - low) / step < 3:
        step /= 2
    count = math.ceil(high / step - 1e-9)
    return [step * i for i in range(math.floor(low / step + 1e-9), count + 1)]


class Scale:
    def __init__(self, low, high, start, end, log):
        self.log, self.start, self.end = log, start, end
        self.low, self.high = (math.log10(low), math.log10(high)) if log else (low, high)

    def at(self, value):
        value = math.log10(value) if self.log else value
        span = (self.high - self.low) or 1
        return self.start + (value - self.low) / span * (self.end - self.start)


def text(x, y, words, anchor="middle", size=11, turn=False, colour="#333"):
    rotation = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turn else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{rotation}>'
            f"{escape(words)}</text>")


def axes(figure, xs, ys, x_label, y_label, x_names):
    out = [f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}" fill="none" '
           f'stroke="#999"/>']
    for value in figure["y_ticks"]:
        y = ys.at(value)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        out.append(text(LEFT - 6, y + 4, f"{value:g}", "end", 10))
    for value, name in x_names:
        out.append(text(xs.at(value), HEIGHT - BOTTOM + 15, name, size=10))
    out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_label))
    out.append(text((LEFT + WIDTH - RIGHT) / 2, 20, y_label, size=12))
    return out


def curves_of(rows, figure, y):
    """{curve's name: [(x, y)]}; of categories x is their number."""
    curves = {}
    for number, row in enumerate(rows):
        if row[y] == "":
            continue
        name = row[figure["curve"]] if "curve" in figure else ""
        x = number if isinstance(figure["x"], tuple) else float(row[figure["x"]])
        curves.setdefault(name, []).append((x, float(row[y])))
    return curves


def x_names_of(rows, figure):
    if isinstance(figure["x"], tuple):
        policy, time = figure["x"]
        return [(i, r[policy] if r[policy] != "idle_timer" else f"{float(r[time]):g}") for i, r in enumerate(rows)]
    values = sorted({float(row[figure["x"]]) for row in rows})
    if figure["x"].endswith("stride"):
        return [(v, bytes_text(v).replace(" ", "").replace("iB", "")) for v in values]
    return [(v, f"{v:g}") for v in values]


def panel(rows, units, figure, y, offset):
    curves = curves_of(rows, figure, y)
    values = [v for points in curves.values() for _, v in points]
    low = min(values) if figure.get("log_y") else min(0, min(values))
    figure = dict(figure, y_ticks=ticks(low, max(values), figure.get("log_y", False)))
    x_names = x_names_of(rows, figure)
    numbers = [v for v, _ in x_names]
    pad = 0.5 if isinstance(figure["x"], tuple) else 0
    xs = Scale(min(numbers) - pad, max(numbers) + pad, LEFT + 14, WIDTH - RIGHT - 14, figure.get("log_x", False))
    ys = Scale(figure["y_ticks"][0], figure["y_ticks"][-1], HEIGHT - BOTTOM, TOP, figure.get("log_y", False))
    x_label = "idle time before a row is closed, ns" if isinstance(figure["x"], tuple) else figure["x"]
    if not isinstance(figure["x"], tuple) and units[figure["x"]]:
        x_label += f" [{units[figure['x']]}]"
    out = [f'<g transform="translate({offset[0]} {offset[1]})">']
    out += axes(figure, xs, ys, x_label, f"{y} [{units[y]}]" if units[y] else y, x_names)
    for (name, points), colour in zip(curves.items(), COLOURS):
        points.sort()
        path = " ".join(f"{xs.at(x):.1f},{ys.at(v):.1f}" for x, v in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        out += [f'<circle cx="{xs.at(x):.1f}" cy="{ys.at(v):.1f}" r="2.6" fill="{colour}"/>' for x, v in points]
    return out + ["</g>"]


def legend(rows, figure, y):
    if "curve" not in figure:
        return []
    out, x = [text(12, y, figure["curve"] + ":", "start")], 22 + 6.2 * len(figure["curve"])
    for name, colour in zip(dict.fromkeys(row[figure["curve"]] for row in rows), COLOURS):
        shown = bytes_text(name) if figure.get("bytes_in_curve") else name
        out.append(f'<circle cx="{x:.1f}" cy="{y - 4}" r="4" fill="{colour}"/>')
        out.append(text(x + 8, y, shown, "start"))
        x += 26 + 6.5 * len(shown)
    return out


def draw(name, results, figures):
    figure = FIGURES[name]
    rows, units = read(results / name / "results.csv")
    lines = math.ceil(len(figure["panels"]) / 2)
    width, height = 2 * WIDTH, lines * HEIGHT + (24 if "curve" in figure else 0)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           f'font-family="sans-serif">', f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for i, y in enumerate(figure["panels"]):
        out += panel(rows, units, figure, y, (i % 2 * WIDTH, i // 2 * HEIGHT))
    out += legend(rows, figure, lines * HEIGHT + 12) + ["</svg>"]
    (figures / f"{name}.svg").write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    for sweep in FIGURES:
        draw(sweep, Path(sys.argv[1]), Path(sys.argv[2]))
