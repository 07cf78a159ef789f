"""Every case of `thigmo validate` has its pictures in docs/validation.md, and the pictures are there."""
import json
import os
import pathlib
import re
import struct
import unittest

from thigmo_cli import ROOT, CliTestCase, thigmo

DOCS = ROOT / "docs"
TEXT = (DOCS / "validation.md").read_text()
NAMED = re.findall(r"\((images/[^)]+)\)", TEXT)
LARGEST, LARGEST_SUM = 120_000, 3_000_000  # [bytes], so that a clone stays small


def cases():
    return json.loads(thigmo("validate", "--list", "--json").stdout)["cases"]


class ValidationDoc(CliTestCase):
    def test_every_case_is_described_and_shown(self):
        self.assertGreaterEqual(len(cases()), 33)
        for case in cases():
            with self.subTest(case):
                self.assertIn(f"`{case}`", TEXT)
                shown = [name for name in NAMED
                         if re.fullmatch(rf"images/{case}(_\w+)?\.png", name)]
                self.assertTrue(shown, "no picture in docs/validation.md")

    def test_every_picture_belongs_to_a_case(self):
        for name in NAMED:
            with self.subTest(name):
                stem = pathlib.Path(name).stem
                self.assertTrue(any(stem == case or stem.startswith(case + "_")
                                    for case in cases()))

    def test_pictures_are_there_and_small(self):
        sizes = []
        for name in NAMED:
            with self.subTest(name):
                data = (DOCS / name).read_bytes()
                self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
                width, height = struct.unpack(">II", data[16:24])
                self.assertGreaterEqual(width, 600)
                self.assertGreaterEqual(height, 150)
                self.assertLessEqual(len(data), LARGEST)
                sizes.append(len(data))
        self.assertEqual(len(sizes), len(set(NAMED)), "a picture is shown twice, or missing")
        self.assertLessEqual(sum(sizes), LARGEST_SUM)

    def test_every_picture_has_words(self):
        for words in re.findall(r"!\[([^\]]*)\]", TEXT):
            self.assertGreater(len(words.split()), 3)

    def test_a_case_draws_what_is_shown(self):
        # The quick ones, plots and a strip among them.
        before = pathlib.Path.cwd()
        os.chdir(ROOT)
        self.addCleanup(os.chdir, before)
        self.out.mkdir()
        for case in ("rod_pendulum", "static_elastica", "static_princeton", "softened_rose"):
            with self.subTest(case):
                result = thigmo("validate", case, "--plots", self.out, timeout=600)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                drawn = {f"images/{path.name}" for path in self.out.glob(f"{case}*.png")}
                shown = {name for name in NAMED if name.startswith(f"images/{case}")}
                self.assertEqual(drawn, shown)

    def test_pictures_need_a_folder(self):
        result = thigmo("validate", "rod_pendulum", "--plots", self.folder / "nowhere")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("nowhere", result.stderr)


if __name__ == "__main__":
    unittest.main()
