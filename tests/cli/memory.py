"""Long motions are written without being held: what 960 frames need is what 60 need."""
import unittest

from thigmo_cli import CliTestCase, measured

SEGMENTS = 1600
RATE = 60


class BoundedMemory(CliTestCase):
    def peak(self, file, frames, *arguments):
        """Megabytes that converting a swaying rod took at most."""
        scenario = self.write("rod.toml", f"""\
duration = {(frames - 1) / RATE}
[wind]
kind = "uniform"
mean = [4, 0, 0]
[[plant]]
kind = "rod"
segments = {SEGMENTS}
length = 2
radius = 0.01
""")
        result = measured("convert", scenario, self.folder / file, "--rate", RATE, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.megabytes

    def test_peak_memory_does_not_grow_with_frames(self):
        # Held in memory, the poses of 900 frames more would take 900 * 1600 * 56 bytes = 81 MB. The
        # batches of a GLB take up to twice 16 MB whatever the length; times and page caches little.
        for file, options in [("a.glb", []), ("b.glb", ["--max-joints", "64"]), ("a.usda", []),
                              ("a.pc2", ["--sides", "3"]), ("a.vat", ["--sides", "3"])]:
            with self.subTest(file):
                few, many = (self.peak(file, frames, *options) for frames in (60, 960))
                self.assertLess(many, few + 40)


if __name__ == "__main__":
    unittest.main()
