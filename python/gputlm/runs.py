# SPDX-License-Identifier: Apache-2.0
"""Experiments, run and read back."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union

import numpy as np

from .command import RunError, execute, options_of
from .configuration import Config, Setting, as_config, given
from .tables import read_table

Experiment = Union[str, os.PathLike, Mapping]
"""The name of a shipped experiment, a file, or its content as a dictionary."""


class RunResult:
    """What a run has left (docs/experiments.md explains every figure)."""

    def __init__(self, folder: Path, accesses: np.ndarray | None = None):
        read = {name: _json(folder / f"{name}.json") for name in ("summary", "stats", "pictures")}
        self.summary: dict[str, Any] = read["summary"]
        """Headline figures, as in summary.json."""
        self.statistics: dict[str, Any] = read["stats"]
        """Every statistic of every unit by hierarchy, as in stats.json: value, unit, description."""
        self.time_series: np.ndarray = _table(folder / "timeseries.csv")
        """A row for each sample (timeseries.csv); empty for a launch."""
        self.latencies: dict[str, np.ndarray] = {
            name: np.array(d["percentiles_ns"]) for name, d in read["pictures"].get("distributions", {}).items()
        }
        """Per kind of latency or leg its distribution: the 0th, 1st, ... 100th percentile, in ns."""
        self.accesses = accesses
        """A row for each access of a warp, when asked for: op, sm, warp, addresses, request_ns, done_ns, ..."""
        self.config_yaml: str = (folder / "config.yaml").read_text(encoding="utf-8")
        """The effective configuration, as a file."""

    @property
    def problems(self) -> list[str]:
        """What the judges found; empty: nothing."""
        return self.summary.get("problems", [])

    def statistic(self, path: str) -> Any:
        """One value of `statistics` by its dotted path, as total.l2.stores or gpu.sm0.lsu.load_latency."""
        node: Any = self.statistics
        for key in path.split("."):
            node = node[key]
        return node.get("value", node)

    def __repr__(self) -> str:
        name, end, time = (self.summary.get(key) for key in ("experiment", "end", "simulated_ns"))
        return f"<RunResult {name}: {end}, {time} ns>"


def _json(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def _table(file: Path) -> np.ndarray:
    return read_table(file) if file.exists() else np.empty(0)


def _access_rows(file: Path) -> np.ndarray:
    hops = read_table(file)
    return hops[hops["kind"] == "access"]


def run(
    experiment: Experiment,
    config: Union[Config, str, os.PathLike, None] = None,
    *,
    set: Mapping[str, Setting] | None = None,
    seed: int | None = None,
    check: bool = False,
    accesses: bool = False,
    out: Union[str, os.PathLike, None] = None,
    timeout: float | None = None,
) -> RunResult:
    """Runs an experiment in a process of its own and returns what it left.

    experiment: a name, a file, or a dictionary of what would stand in the file.
    config: a Config, or the name or file of one; None: the experiment's.
    set: configuration values over those.
    check: with a base-protocol checker on every arrow, a command checker on every DRAM channel, a judge of fences.
    accesses: also bring back every access of every warp (it takes memory: some 100 bytes each).
    out: keep the run's directory here; None: it is read and thrown away.
    timeout: seconds.

    Raises ConfigError for bad input, RunError (with .result) when the run faults, stalls or a judge finds something,
    subprocess.TimeoutExpired. Ctrl-C ends the run. Runs may be made from several threads at a time.
    """
    card = as_config(config, None)
    with tempfile.TemporaryDirectory(prefix="gputlm-") as scratch:
        folder = Path(out) if out is not None else Path(scratch) / "run"
        arguments = ["run", _file_of(experiment, Path(scratch)), "--out", str(folder), "--format", "json"]
        arguments += options_of(card)
        for path, value in given(set).items():
            arguments += ["--set", f"{path}={_written(path, value, card)}"]
        if seed is not None:
            arguments += ["--seed", str(seed)]
        if check:
            arguments.append("--check")
        hops = Path(scratch) / "hops.csv"
        if accesses:
            arguments += ["--trace-csv", str(hops)]
        ended = execute(arguments, timeout)
        result = RunResult(folder, _access_rows(hops) if accesses else None)
        if ended.found:
            raise RunError(ended.problems, result)
        return result


def _file_of(experiment: Experiment, scratch: Path) -> str:
    if not isinstance(experiment, Mapping):
        return os.fspath(experiment)
    file = scratch / "experiment.yaml"  # JSON is YAML
    file.write_text(json.dumps(experiment, indent=1), encoding="utf-8")
    return str(file)


def _written(path: str, value: Setting, card: Config | None) -> str:
    """As one writes it: which unit a number has is the same on every card."""
    scratch = card.copy() if card is not None else Config()
    scratch[path] = value
    return scratch.settings[path]
