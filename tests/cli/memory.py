"""Long motions are written without being held: what 960 frames need is what 60 need. Where memory ends, that is
said."""
import resource
import subprocess
import unittest

from thigmo_cli import SANITIZED, THIGMO, CliTestCase, measured

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


@unittest.skipIf(SANITIZED, "sanitizers need more address space than any limit")
class EdgeOfMemory(CliTestCase):
    """Readers and writers of JSON hold values whose destructors allocate."""

    def limited(self, megabytes, *arguments):
        def limit():
            size = int(megabytes * 2**20)
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        return subprocess.run([THIGMO, *map(str, arguments)], preexec_fn=limit,
                              capture_output=True, text=True)

    def test_its_end_is_an_error(self):
        grammar = self.write("forked.lsys", "derivation length: 12\nAxiom: A(1,0.2)\n"
                             "A(l,w) --> !(w)F(l)/(90)[+(24)A(l*0.82,w*0.7)][-(24)A(l*0.82,w*0.7)]\n")
        for ending in ("json", "glb"):
            result = measured("convert", grammar, self.folder / f"big.{ending}")
            self.assertEqual(result.returncode, 0, result.stderr)
        for source, target in (("big.json", "a.csv"), ("big.glb", "b.csv"),
                               ("forked.lsys", "c.json"), ("forked.lsys", "d.glb")):
            with self.subTest(f"{source} to {target}"):
                arguments = ("convert", self.folder / source, self.folder / target)
                low, high = 16, 1024  # megabytes: too few, enough
                while high - low > 0.25:
                    middle = (low + high) / 2
                    enough = self.limited(middle, *arguments).returncode == 0
                    low, high = (low, middle) if enough else (middle, high)
                told = 0
                for step in range(1, 60):
                    if self.limited(high - 0.25 * step - 1, "--version").returncode != 0:
                        break  # the program itself hardly fits
                    result = self.limited(high - 0.25 * step, *arguments)
                    if result.returncode == 0:  # by luck
                        continue
                    self.assertEqual(result.returncode, 1, result.stderr[-300:])
                    self.assertIn("memory", result.stderr)
                    told += 1
                self.assertGreater(told, 10)


if __name__ == "__main__":
    unittest.main()
