# SPDX-License-Identifier: Apache-2.0
"""gputlm from Python: configurations to look at and change, runs in processes of their own, results as arrays.

>>> import gputlm
>>> card = gputlm.Config("tiny")
>>> card["l2.janitor.dirty_threshold"] = 4
>>> result = gputlm.run("vadd", card)
>>> result.time_series["dram_bytes_read"][-1]
"""

from ._core import ConfigError, Diagnostic, Parameter, __version__
from .command import CommandNotFound, RunError
from .configuration import Config
from .probes import ProbeResult, probe
from .runs import RunResult, run
from .studies import Calibration, Sweep, calibrate, read_sweep, sweep
from .tables import read_table

__all__ = [
    "Calibration",
    "CommandNotFound",
    "Config",
    "ConfigError",
    "Diagnostic",
    "Parameter",
    "ProbeResult",
    "RunError",
    "RunResult",
    "Sweep",
    "__version__",
    "calibrate",
    "probe",
    "read_sweep",
    "read_table",
    "run",
    "sweep",
]
