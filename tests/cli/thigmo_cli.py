"""What the tests of the command line share."""
import os
import pathlib
import subprocess
import tempfile
import unittest

THIGMO = os.environ["THIGMO"]  # the program under test
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# A rod that is quick to simulate; tests replace parts of it.
ROD = """\
title = "rod"
duration = 0.5
step = 0.01
[[plant]]
name = "beam"
kind = "rod"
segments = 10
length = 1.0
radius = 0.01
young = 8.1e9
poisson = 0.3
density = 923
damping_ratio = 0.05
direction = [1, 0, 0]
[wind]
kind = "uniform"
mean = [6, 0, 0]
[[probe]]
name = "tip"
plant = "beam"
at = "tip"
"""


def thigmo(*arguments, timeout=120, cwd=None):
    return subprocess.run([THIGMO, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=timeout, cwd=cwd)


class CliTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def files_left(self):
        return sorted(p for p in self.out.rglob("*") if p.is_file()) if self.out.is_dir() else []

    def assert_refused(self, result, *words):
        """Failed by its own decision, with one message that has the words, and left nothing."""
        said = f"exit {result.returncode}\nstdout: {result.stdout}\nstderr: {result.stderr}"
        self.assertIn(result.returncode, range(1, 126), said)
        self.assertEqual(result.stdout, "", said)
        self.assertEqual(result.stderr.count("error:"), 1, said)
        self.assertNotIn("internal error", result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(self.files_left(), [])
