# SPDX-License-Identifier: Apache-2.0
"""Runs and probes from Python: what comes back, and what a failure looks like."""

import concurrent.futures
import os
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

import numpy as np

import gputlm

SMALL = {
    "experiment": "small",
    "config": "tiny",
    "buffers": {"out": {"size": "64 KiB"}, "in": {"size": "64 KiB"}},
    "image": {"in": "pattern"},
    "sample_interval": "100 ns",
    "phases": [
        {"name": "write", "pattern": "stream_store", "buffer": "out", "grid": 4, "block": 128},
        {"name": "read", "pattern": "stream_load", "buffer": "in", "grid": 4, "block": 128},
    ],
}


class Experiments(unittest.TestCase):
    def test_a_run_comes_back_as_dictionaries_and_arrays(self):
        result = gputlm.run(SMALL, accesses=True, check=True)
        self.assertTrue(result.summary["complete"])
        self.assertEqual(result.problems, [])
        self.assertEqual(result.statistic("total.lsu.stores"), 512)
        series = result.time_series
        self.assertEqual(series.dtype.names[0], "time_ns")
        self.assertEqual(series["bytes_stored"][-1], 65536)
        self.assertTrue(np.all(np.diff(series["time_ns"]) > 0))
        stores = result.accesses[result.accesses["op"] == "store"]
        loads = result.accesses[result.accesses["op"] == "load"]
        self.assertEqual((len(stores), stores["bytes"].sum(), loads["bytes"].sum()), (512, 65536, 65536))
        mean = (loads["done_ns"] - loads["request_ns"]).mean()
        self.assertAlmostEqual(mean, result.summary["latency_ns"]["load_latency"]["mean"], delta=0.01 * mean)
        percentiles = result.latencies["lsu.load_latency"]
        self.assertEqual(len(percentiles), 101)
        self.assertTrue(np.all(np.diff(percentiles) >= 0))
        self.assertIn("sm:", result.config_yaml)

    def test_settings_of_the_card_and_of_the_run_take_effect(self):
        card = gputlm.Config("tiny", set={"l2.ways": 8})
        result = gputlm.run(SMALL, card, set={"l1.hit_latency": 20}, seed=3)
        self.assertEqual(result.summary["seed"], 3)
        self.assertEqual(result.summary["overrides"], ["l2.ways=8", "l1.hit_latency=20 ns"])
        self.assertIsNone(result.accesses)

    def test_the_directory_is_kept_where_it_is_wanted(self):
        with tempfile.TemporaryDirectory() as folder:
            gputlm.run(SMALL, out=pathlib.Path(folder) / "run")
            kept = pathlib.Path(folder) / "run" / "timeseries.csv"
            self.assertEqual(gputlm.read_table(kept)["bytes_stored"][-1], 65536)

    def test_threads_may_run_side_by_side_to_the_same_result(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            one, two = pool.map(lambda seed: gputlm.run(SMALL, seed=seed), (5, 5))
        self.assertTrue(np.array_equal(one.time_series, two.time_series))
        self.assertEqual(one.statistics, two.statistics)


class Failures(unittest.TestCase):
    def test_a_wrong_experiment_is_told_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "wrong.yaml"
            file.write_text("experiment: x\nbufers: {}\nphases: []\n")
            with self.assertRaises(gputlm.ConfigError) as caught:
                gputlm.run(file)
        mistakes = {(d.file, d.line): d for d in caught.exception.diagnostics}
        self.assertIn("did you mean buffers?", mistakes[(str(file), 2)].message)
        self.assertEqual(mistakes[(str(file), 2)].path, "bufers")

    def test_a_wrong_card_is_refused_before_anything_runs(self):
        with mock.patch("gputlm.command.find_command", side_effect=AssertionError("started")):
            with self.assertRaises(gputlm.ConfigError):
                gputlm.run(SMALL, gputlm.Config("tiny", set={"l2.sets": 1000}))
            with self.assertRaises(gputlm.ConfigError):
                gputlm.run(SMALL, "no-such-card")

    def test_a_fault_is_an_error_that_holds_the_result(self):
        faulty = dict(SMALL, buffers={"out": {"size": "64 KiB", "mapped": False}, "in": {"size": "64 KiB"}})
        with self.assertRaises(gputlm.RunError) as caught:
            gputlm.run(faulty)
        self.assertEqual(caught.exception.result.summary["end"], "fault")
        self.assertEqual(caught.exception.result.problems[0], caught.exception.problems[0])

    def test_a_run_that_takes_too_long_is_ended(self):
        with self.assertRaises(subprocess.TimeoutExpired):
            gputlm.run("die", timeout=0.3)

    def test_a_command_that_is_nowhere_or_no_program_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            noise = pathlib.Path(folder) / "noise"
            noise.write_text("neither a program nor a script")
            noise.chmod(0o755)
            orphan = pathlib.Path(folder) / "orphan"
            orphan.write_text("#!/nowhere/interpreter\n")
            orphan.chmod(0o755)
            plain = pathlib.Path(folder) / "plain"
            plain.write_text("not to be executed")
            for wrong in ("/nowhere/gputlm", "no-such-gputlm", folder, str(plain), str(noise), str(orphan)):
                with self.subTest(wrong), mock.patch.dict(os.environ, {"GPUTLM_COMMAND": wrong}):
                    with self.assertRaises(gputlm.CommandNotFound) as caught:
                        gputlm.run(SMALL)
                    self.assertIn(wrong, str(caught.exception))

    def test_settings_that_are_no_mapping_are_refused_in_words(self):
        for wrong in (5, 0, "l2.ways=8", ["l2.ways"]):
            for call in (
                lambda: gputlm.run(SMALL, set=wrong),
                lambda: gputlm.probe("tlb", "tiny", set=wrong),
                lambda: gputlm.Config("tiny", set=wrong),
                lambda: gputlm.Config("tiny").update(wrong),
            ):
                with self.assertRaisesRegex(TypeError, "a mapping from path to value"):
                    call()


class Probes(unittest.TestCase):
    def test_rows_come_back_by_case_and_as_a_table(self):
        result = gputlm.probe("tlb", "tiny", set={"mmu.miss_latency": 6.5})
        self.assertAlmostEqual(result["step"], 6.5)
        self.assertEqual(result.missed, [])  # silicon was measured on another card
        table = result.table
        self.assertEqual(table["value"][table["case"] == "reach"], 16)
        self.assertTrue(np.isnan(table["reference"][table["case"] == "pages=1"][0]))
        with self.assertRaises(KeyError):
            result["no such case"]

    def test_an_unknown_probe_and_one_that_does_not_fit_are_bad_input(self):
        with self.assertRaises(gputlm.ConfigError) as caught:
            gputlm.probe("tbl", "tiny")
        self.assertIn("did you mean tlb?", str(caught.exception))
        with self.assertRaises(gputlm.ConfigError) as caught:
            gputlm.probe("dirty-survival", "tiny")
        self.assertIn("does not apply to tiny", caught.exception.diagnostics[0].message)


if __name__ == "__main__":
    unittest.main()
