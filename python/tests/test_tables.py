# SPDX-License-Identifier: Apache-2.0
"""Tables: types follow from what stands in them."""

import pathlib
import tempfile
import unittest

import numpy as np

import gputlm


def table_of(text):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "table.csv"
        file.write_text(text)
        return gputlm.read_table(file)


class Tables(unittest.TestCase):
    def test_each_column_has_the_type_of_its_texts(self):
        table = table_of('point,"load_latency [ns]",state,mask\n1,1.5,done,0x40\n2,,failed,0x80\n')
        self.assertEqual(table.dtype.names, ("point", "load_latency [ns]", "state", "mask"))
        self.assertEqual(table["point"].dtype, np.int64)
        self.assertEqual(table["load_latency [ns]"][0], 1.5)
        self.assertTrue(np.isnan(table["load_latency [ns]"][1]))
        self.assertEqual(list(table["state"]), ["done", "failed"])
        self.assertEqual(list(table["mask"]), ["0x40", "0x80"])

    def test_a_head_alone_is_a_table_without_rows(self):
        self.assertEqual(table_of("a,b\n").shape, (0,))

    def test_numbers_beyond_64_bits_become_floating_point(self):
        self.assertEqual(table_of("a\n36893488147419103232\n")["a"][0], 2.0**65)

    def test_what_is_no_table_is_refused_with_its_line(self):
        with self.assertRaisesRegex(ValueError, r"table\.csv:3: 1 fields, not 2"):
            table_of("a,b\n1,2\n3\n")
        for text in ("", "a,a\n1,2\n"):
            with self.assertRaisesRegex(ValueError, "no head"):
                table_of(text)
        with self.assertRaises(FileNotFoundError):
            gputlm.read_table("no-such-file.csv")


if __name__ == "__main__":
    unittest.main()
