# SPDX-License-Identifier: Apache-2.0
"""Tables that runs and sweeps leave, as NumPy structured arrays."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from typing import Union

import numpy as np

_INT64 = np.iinfo(np.int64)


def _column(texts: Sequence[str]) -> np.ndarray:
    """Whole numbers where all are, else numbers (an empty field is NaN), else texts."""
    try:
        whole = [int(text) for text in texts]
        if all(_INT64.min <= number <= _INT64.max for number in whole):
            return np.array(whole, dtype=np.int64)
    except ValueError:
        pass
    try:
        return np.array([float(text) if text else np.nan for text in texts], dtype=np.float64)
    except ValueError:
        return np.array(texts, dtype=str)


def table_of(names: Sequence[str], rows: Sequence[Sequence[str]]) -> np.ndarray:
    """A structured array with a field for each name; the types follow from the texts."""
    columns = [_column([row[i] for row in rows]) for i in range(len(names))]
    table = np.empty(len(rows), dtype=[(name, column.dtype) for name, column in zip(names, columns)])
    for name, column in zip(names, columns):
        table[name] = column
    return table


def read_table(path: Union[str, os.PathLike]) -> np.ndarray:
    """A CSV file with a head as a structured array: timeseries.csv, a sweep's results.csv, a recording by --trace-csv.

    Columns keep their names, units in brackets included: table["load_latency [ns]"]. Raises ValueError for a file that
    is no such table.
    """
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    if not rows or len(set(rows[0])) != len(rows[0]):
        raise ValueError(f"{os.fspath(path)}: no head with a name for each column")
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(rows[0]):
            raise ValueError(f"{os.fspath(path)}:{number}: {len(row)} fields, not {len(rows[0])}")
    return table_of(rows[0], rows[1:])
