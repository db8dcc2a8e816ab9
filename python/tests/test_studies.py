# SPDX-License-Identifier: Apache-2.0
"""Sweeps and calibrations from Python."""

import pathlib
import tempfile
import unittest

import gputlm
from gputlm.command import RunError, execute

TARGETS = """calibration: planted
parameters:
  mmu.miss_latency: {min: 0 ns, max: 20 ns}
probes:
  tlb: {passes: 3}
targets:
  - {probe: tlb, case: step, value: 7.5, unit: ns, tolerance: 0.01, source: planted}
"""

SWEEP = """sweep: two
experiment: store-journey
config: tiny
parameters:
  l2.ways: [8, 16]
"""


def has_subcommand(name):
    try:
        execute([name, "--help"])
        return True
    except (gputlm.ConfigError, RunError):
        return False


class Calibrations(unittest.TestCase):
    def test_the_fitted_configuration_and_its_report_come_back(self):
        with tempfile.TemporaryDirectory() as folder:
            targets = pathlib.Path(folder) / "targets.yaml"
            targets.write_text(TARGETS)
            fitted = gputlm.calibrate(gputlm.Config("tiny", set={"l2.ways": 8}), targets, jobs=2, budget=20)
            with self.assertRaises(gputlm.ConfigError) as caught:
                targets.write_text(TARGETS.replace("case: step", "case: stpe"))
                gputlm.calibrate("tiny", targets)
        self.assertTrue(fitted.met)
        self.assertAlmostEqual(fitted.config["mmu.miss_latency"].value, 7.5, places=2)
        self.assertEqual(fitted.config["mmu.miss_latency"].source, "fitted to planted")
        self.assertEqual(fitted.config["l2.ways"].value, 8)
        self.assertEqual(fitted.report["targets"][0]["case"], "step")
        self.assertIn("mmu.miss_latency", fitted.text)
        mistake = caught.exception.diagnostics[0]
        self.assertEqual((mistake.file, mistake.line, mistake.path, mistake.found), (str(targets), 7, "case", "stpe"))


class Sweeps(unittest.TestCase):
    @unittest.skipUnless(has_subcommand("sweep"), "this gputlm has no sweep")
    def test_a_sweeps_table_is_an_array(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "two.yaml"
            file.write_text(SWEEP)
            swept = gputlm.sweep(file, pathlib.Path(folder) / "out", jobs=2)
            again = gputlm.read_sweep(pathlib.Path(folder) / "out")
        self.assertEqual(list(swept.results["point"]), [1, 2])
        self.assertEqual(len(swept.failed), 0)
        self.assertEqual(again.description["sweep"], "two")

    def test_a_sweep_that_is_not_there_is_bad_input(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises((gputlm.ConfigError, FileNotFoundError)):
                gputlm.sweep(pathlib.Path(folder) / "absent.yaml", pathlib.Path(folder) / "out")


if __name__ == "__main__":
    unittest.main()
