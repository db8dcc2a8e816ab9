# SPDX-License-Identifier: Apache-2.0
"""Configurations in Python: what is read, what is set, what is refused and how."""

import errno
import io
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import numpy as np

import gputlm


class Reading(unittest.TestCase):
    def test_a_parameter_comes_with_what_is_known_of_it(self):
        card = gputlm.Config("rtx4090")
        latency = card["l1.hit_latency"]
        self.assertEqual((latency.value, latency.unit, latency.text), (15.4, "ns", "15.4 ns"))
        self.assertEqual((latency.confidence, latency.source), ("measured", "READS"))
        self.assertIn("load to use", latency.note)
        self.assertTrue(latency.description)
        self.assertIn("rtx4090.yaml:", latency.origin)
        self.assertIn("ns", latency.allowed)

    def test_every_kind_has_its_python_type(self):
        card = gputlm.Config("rtx4090")
        self.assertEqual(card["l2.ways"].value, 16)
        self.assertEqual(card["clocks.sm"].value, 2.6e9)
        self.assertEqual(card["mmu.page_bytes"].value, 2 << 20)
        self.assertEqual(card["sm.store_issue_interval"].value, 6.1)
        self.assertEqual(card["l2.replacement.policy"].value, "rrip")
        self.assertEqual(len(card["l1.index_masks"].value), 8)
        self.assertEqual(card["name"].value, "NVIDIA GeForce RTX 4090")

    def test_it_is_a_mapping_in_the_order_of_the_reference(self):
        card = gputlm.Config("tiny")
        self.assertEqual(len(list(card)), len(card))
        self.assertEqual(next(iter(card)), "name")
        self.assertIn("l2.ways", card)
        self.assertNotIn("l2", card)
        self.assertEqual(card["sm.count"].value, 2)
        self.assertEqual({p.path.rsplit(".", 1)[0] for p in card.group("l2.janitor")}, {"l2.janitor"})
        for wrong in ("l2.wyas", "l2"):
            with self.assertRaises(KeyError):
                card[wrong]


class Setting(unittest.TestCase):
    def test_numbers_texts_and_parameters_can_be_set(self):
        card = gputlm.Config("tiny")
        card["l1.hit_latency"] = 20
        self.assertEqual(card["l1.hit_latency"].text, "20 ns")
        card["l1.hit_latency"] = "0.03 us"
        self.assertEqual(card["l1.hit_latency"].value, 30)
        card["l1.hit_latency"] = np.float64(2) * card["l1.miss_latency"].value
        self.assertEqual(card["l1.hit_latency"].value, 30.8)
        card["l1.hit_latency"] = gputlm.Config("tiny")["l1.hit_latency"]
        self.assertEqual(card["l1.hit_latency"].value, 15.4)
        card["l2.ways"] = np.int64(8)
        card["sm.carve_outs"] = [0, 8192, 102400]
        self.assertEqual(card["sm.carve_outs"].value, [0, 8192, 102400])
        carve_outs = "[0, 8192, 102400]"
        self.assertEqual(card.settings, {"l1.hit_latency": "15.4 ns", "l2.ways": "8", "sm.carve_outs": carve_outs})

    def test_a_copy_is_a_card_of_its_own(self):
        card = gputlm.Config("tiny", set={"l2.ways": 8})
        other = card.copy()
        other["l2.ways"] = 4
        self.assertEqual((card["l2.ways"].value, other["l2.ways"].value), (8, 4))

    def test_a_saved_configuration_loads_to_the_same_values(self):
        card = gputlm.Config("tiny", set={"l2.janitor.dirty_threshold": 3})
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "card.yaml"
            card.save(file)
            again = gputlm.Config(file)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [file])
        self.assertEqual([p.text for p in again.values()], [p.text for p in card.values()])
        self.assertEqual(again["l1.ways"].source, "READS")


class Saving(unittest.TestCase):
    """Only regular files are written, and a failure leaves everything as it was."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.card = gputlm.Config("tiny")

    def refused(self, file):
        before = sorted(self.folder.rglob("*"))
        with self.assertRaises(OSError) as caught:
            self.card.save(file)
        self.assertEqual(caught.exception.filename, str(file))
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        return caught.exception

    def test_a_link_stays_and_its_file_is_written(self):
        file, link, dangling = (self.folder / name for name in ("card.yaml", "link.yaml", "dangling.yaml"))
        file.write_text("an earlier one")
        link.symlink_to("card.yaml")
        dangling.symlink_to("new.yaml")
        self.card.save(link)
        self.card.save(dangling)
        self.assertTrue(link.is_symlink() and dangling.is_symlink())
        self.assertEqual(file.read_text(), self.card.to_yaml())
        self.assertEqual((self.folder / "new.yaml").read_text(), self.card.to_yaml())
        self.assertEqual(len(list(self.folder.iterdir())), 4)

    def test_what_is_no_regular_file_is_refused_and_stays(self):
        self.assertIsInstance(self.refused(self.folder), IsADirectoryError)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.assertIn("no regular file", str(self.refused(pipe)))
        device = self.folder / "device"
        device.symlink_to("/dev/full")
        self.refused(device)
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())
        self.assertIsInstance(self.refused(self.folder / "absent" / "card.yaml"), FileNotFoundError)
        loop = self.folder / "loop"
        loop.symlink_to("loop")
        self.refused(loop)

    def test_a_full_disk_leaves_the_earlier_file_and_nothing_else(self):
        file = self.folder / "card.yaml"
        file.write_text("an earlier one")
        with mock.patch("builtins.open", side_effect=lambda part, *_, **__: _full(part)):
            self.assertEqual(self.refused(file).errno, errno.ENOSPC)
        self.assertEqual(file.read_text(), "an earlier one")


def _full(part):
    """A file that takes a few bytes and whose disk is full then."""
    pathlib.Path(part).touch()
    return io.TextIOWrapper(io.FileIO("/dev/full", "w"))


class Refusals(unittest.TestCase):
    def refused(self, path, value):
        card = gputlm.Config("tiny")
        before = [p.text for p in card.values()]
        with self.assertRaises(gputlm.ConfigError) as caught:
            card[path] = value
        self.assertEqual([p.text for p in card.values()], before)
        self.assertEqual(card.settings, {})
        return caught.exception.diagnostics

    def test_a_wrong_setting_changes_nothing_and_says_what_is_allowed(self):
        (mistake,) = self.refused("l2.ways", 1000)
        self.assertEqual((mistake.path, mistake.found, mistake.allowed), ("l2.ways", "1000", "1 to 64"))
        (mistake,) = self.refused("l2.wyas", 8)
        self.assertIn("did you mean l2.ways?", mistake.message)
        (mistake,) = self.refused("l1.hit_latency", "fast")
        self.assertIn("not a number", mistake.message)
        (mistake,) = self.refused("l2.replacement.policy", "best")
        self.assertIn("rrip", mistake.allowed)

    def test_values_that_do_not_fit_together_are_found_by_check(self):
        card = gputlm.Config("tiny", set={"l2.sets": 1000})
        with self.assertRaises(gputlm.ConfigError) as caught:
            card.check()
        self.assertIn("l2.sets", str(caught.exception))
        with self.assertRaises(ValueError):
            card.to_yaml()

    def test_a_path_that_is_no_text_is_no_parameters(self):
        card = gputlm.Config("tiny")
        self.assertIsNone(card.get(5))
        with self.assertRaisesRegex(TypeError, "a parameter's path is a text"):
            card[5] = 1

    def test_every_mistake_of_a_file_is_told_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "card.yaml"
            file.write_text("base: tiny\nl2:\n  ways: many\n  wyas: 2\n")
            with self.assertRaises(gputlm.ConfigError) as caught:
                gputlm.Config(file)
        places = [(d.file, d.line, d.column, d.path) for d in caught.exception.diagnostics]
        self.assertEqual(places, [(str(file), 3, 9, "l2.ways"), (str(file), 4, 3, "l2.wyas")])
        self.assertEqual(caught.exception.diagnostics[0].found, "many")
        with self.assertRaises(gputlm.ConfigError):
            gputlm.Config("no-such-card")


if __name__ == "__main__":
    unittest.main()
