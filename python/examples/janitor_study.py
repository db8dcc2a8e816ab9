# SPDX-License-Identifier: Apache-2.0
"""A small study, cell by cell: when should L2 clean dirty lines ahead of need?

Run it as a program (PYTHONPATH=build/release/python python3 python/examples/janitor_study.py), or open it as a
notebook in an editor that knows `# %%` cells. It prints its figures, and draws a picture where matplotlib is installed.
"""

# %% The card: two SMs on one L2 slice, with everything that is known of a value.
import numpy as np

import gputlm

card = gputlm.Config("tiny")
threshold = card["l2.janitor.dirty_threshold"]
print(f"{threshold.path} = {threshold.text} {threshold.unit} ({threshold.confidence}, {threshold.source})")
print(f"  {threshold.description} Allowed: {threshold.allowed}.")

# %% The experiment: stores of more than L2 holds, then loads of other memory while the rest is written back.
experiment = {
    "experiment": "janitor-study",
    "config": "tiny",
    "buffers": {"out": {"size": "4 MiB"}, "in": {"size": "1 MiB"}},
    "image": {"in": "pattern"},
    "phases": [
        {"name": "write", "pattern": "stream_store", "buffer": "out", "grid": 32, "block": 256},
        {"name": "read", "pattern": "stream_load", "buffer": "in", "grid": 32, "block": 256},
    ],
}

# %% One run for each threshold, each in a process of its own.
thresholds = (2, 8, 16)
results = {}
for lines in thresholds:
    card["l2.janitor.dirty_threshold"] = lines
    results[lines] = gputlm.run(experiment, card)

# %% The figures, as they come: dictionaries of the summary, arrays of series and latencies.
print(f"\n{'threshold':>9} {'cleaned':>8} {'most dirty':>11} {'store GB/s':>11} {'load p50':>9} {'load p99':>9}")
for lines, result in results.items():
    write = result.summary["phases"][0]
    store_rate = write["bytes_stored"] / (write["end_ns"] - write["start_ns"])
    dirty = result.time_series["l2_dirty_bytes"].max() / 1024
    loads = result.latencies["lsu.load_latency"]
    print(
        f"{lines:>9} {result.summary['l2']['janitor_cleans']:>8} {dirty:>7.0f} KiB {store_rate:>11.1f}"
        f" {loads[50]:>6.0f} ns {loads[99]:>6.0f} ns"
    )

# %% Where the time of the writes goes: what DRAM writes in each microsecond.
series = results[8].time_series
rate = np.diff(series["dram_bytes_written"]) / np.diff(series["time_ns"])
print(f"\nDRAM writes {rate.mean():.1f} GB/s on average and {rate.max():.1f} GB/s at most, with a threshold of 8")

# %% A mistake is an exception that knows its place and what would be right.
try:
    card["l2.janitor.dirty_threshold"] = 1000
except gputlm.ConfigError as error:
    for mistake in error.diagnostics:
        print(f"\n{mistake.path}: {mistake.message}; found {mistake.found}, allowed {mistake.allowed}")

# %% The picture.
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("\n(no picture: matplotlib is not installed)")
else:
    for lines, result in results.items():
        series = result.time_series
        plt.plot(series["time_ns"] / 1000, series["l2_dirty_bytes"] / 1024, label=f"{lines} lines")
    plt.xlabel("time, us")
    plt.ylabel("dirty in L2, KiB")
    plt.legend(title="threshold")
    plt.savefig("janitor-study.png")
    print("\njanitor-study.png drawn")
