# SPDX-License-Identifier: Apache-2.0
"""Sweeps and calibrations: many runs of the model, and what they come to."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Union

import numpy as np

from .command import execute, settings_of
from .configuration import Config, as_config
from .tables import read_table


class Sweep:
    """What a sweep has left in its directory (docs/sweeps.md)."""

    def __init__(self, folder: Path):
        self.results: np.ndarray = read_table(folder / "results.csv")
        """A row for each point that has ended: point, state, parameters, statistics, by the table's column names."""
        self.description: dict[str, Any] = json.loads((folder / "sweep.json").read_text(encoding="utf-8"))
        """Parameters, statistics with units, the state of every point, as in sweep.json."""

    @property
    def failed(self) -> np.ndarray:
        """The rows of points that failed."""
        return self.results[self.results["state"] != "done"]


def read_sweep(folder: Union[str, os.PathLike]) -> Sweep:
    """The directory of a sweep that has been run."""
    return Sweep(Path(folder))


def sweep(
    file: Union[str, os.PathLike],
    out: Union[str, os.PathLike],
    *,
    jobs: int | None = None,
    engine: str = "local",
    resume: bool = False,
    timeout: float | None = None,
) -> Sweep:
    """Runs a sweep, a name or a file, with its results in `out`. Points that fail are rows of Sweep.failed.

    Raises ConfigError for bad input.
    """
    arguments = ["sweep", os.fspath(file), "--out", os.fspath(out), "--engine", engine]
    arguments += [] if jobs is None else ["--jobs", str(jobs)]
    execute(arguments + ["--resume"] * resume, timeout)
    return read_sweep(out)


class Calibration:
    """What a calibration has come to (docs/calibrate.md)."""

    def __init__(self, config: Config, report: dict[str, Any], text: str):
        self.config = config
        """The fitted configuration, with its provenance."""
        self.report = report
        """Targets before and after, parameters, sensitivities, as in the JSON report."""
        self.text = text
        """The report for people."""

    @property
    def met(self) -> bool:
        """Whether every target is within its tolerance."""
        return self.report["met"]


def calibrate(
    config: Union[Config, str, os.PathLike],
    targets: Union[str, os.PathLike],
    *,
    out: Union[str, os.PathLike, None] = None,
    jobs: int | None = None,
    budget: int | None = None,
    resume: bool = False,
    timeout: float | None = None,
) -> Calibration:
    """Fits the parameters of a targets file to its measurements.

    out: keep the new configuration here, report and evaluations beside it; None: they are read and thrown away.

    Raises ConfigError for bad input, RunError when the configuration to start from gives no measurement.
    """
    card = as_config(config, None)
    with tempfile.TemporaryDirectory(prefix="gputlm-") as scratch:
        file = Path(out) if out is not None else Path(scratch) / "fitted.yaml"
        arguments = ["calibrate", card.name, *settings_of(card), "--targets", os.fspath(targets), "--out", str(file)]
        arguments += [] if jobs is None else ["--jobs", str(jobs)]
        arguments += [] if budget is None else ["--budget", str(budget)]
        execute(arguments + ["--resume"] * resume, timeout)
        base = file.with_suffix("") if file.suffix == ".yaml" else file
        report = Path(f"{base}.report.json").read_text(encoding="utf-8")
        text = Path(f"{base}.report.txt").read_text(encoding="utf-8")
        return Calibration(Config(file), json.loads(report), text)
