# SPDX-License-Identifier: Apache-2.0
"""Published experiments, run and read back."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Union

import numpy as np

from .command import RunError, execute, options_of
from .configuration import Config, Setting, as_config, given

_TEXTS = [("probe", "U64"), ("case", "U128"), ("unit", "U32")]
_NUMBERS = [("value", "f8"), ("reference", "f8"), ("tolerance", "f8")]


class ProbeResult:
    """The rows of a probe."""

    def __init__(self, rows: list[dict[str, Any]]):
        self.rows = rows
        """Dictionaries with probe, case, value, unit, reference, tolerance, source, kind, ok; None: there is none."""

    def __getitem__(self, case: str) -> float:
        """The value of a case; NaN: the runs did not show it."""
        for row in self.rows:
            if row["case"] == case:
                return float("nan") if row["value"] is None else row["value"]
        raise KeyError(case)

    @property
    def missed(self) -> list[dict[str, Any]]:
        """Rows that miss their reference."""
        return [row for row in self.rows if not row["ok"]]

    @property
    def table(self) -> np.ndarray:
        """A structured array with probe, case, unit, value, reference, tolerance; NaN where there is none."""
        table = np.empty(len(self.rows), dtype=_TEXTS + _NUMBERS)
        for name, _ in _TEXTS:
            table[name] = [row[name] for row in self.rows]
        for name, _ in _NUMBERS:
            table[name] = [np.nan if row[name] is None else row[name] for row in self.rows]
        return table

    def __repr__(self) -> str:
        return f"<ProbeResult {len(self.rows)} rows, {len(self.missed)} missed>"


def probe(
    name: str,
    config: Union[Config, str, os.PathLike, None] = None,
    *,
    set: Mapping[str, Setting] | None = None,
    full: bool = False,
    check: bool = False,
    timeout: float | None = None,
) -> ProbeResult:
    """Runs a probe (docs/probes.md) in a process of its own; a missed reference is no error but a row that is not ok.

    config: a Config, or the name or file of one; None: rtx4090.  set: configuration values over it.
    full: at full size where the default is a sample.  check: under the checkers.

    Raises ConfigError for bad input and for a probe that does not fit the card, RunError when it gives no measurement.
    """
    card = as_config(config, "rtx4090").copy()
    card.update(given(set))
    card.check()
    arguments = ["probe", name, "--format", "json", *options_of(card)]
    arguments += ["--full"] * full + ["--check"] * check
    ended = execute(arguments, timeout)
    rows = json.loads(ended.out)
    if ended.problems:
        raise RunError(ended.problems, ProbeResult(rows))
    return ProbeResult(rows)
