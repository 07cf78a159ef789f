"""Trees from files that move, and files of other programs, by the command line."""
import json
import unittest

from thigmo_cli import ROOT, CliTestCase, thigmo

PLANTS = ROOT / "gallery" / "plants"
# A trunk with two branches: id, type, x, y, z, radius, parent.
SWC = """\
# a tree of four pieces, in centimetres
1 1 0 0 0 1.5 -1
2 3 0 40 0 1.2 1
3 3 0 80 0 1.0 2
4 3 20 100 0 0.6 3
5 3 -20 100 0 0.6 3
"""


class TreesFromFiles(CliTestCase):
    def run_tree(self, keys, seconds=0.5, *options):
        """Blows on a tree; the run's summary and how far its tip moved."""
        scenario = self.write("tree.toml", f"""\
duration = {seconds}
[wind]
kind = "uniform"
mean = [12, 0, 0]
[[plant]]
{keys}
""")
        result = thigmo("run", scenario, "--out", self.out, "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = (self.out / "probes.csv").read_text().splitlines()
        first, last = ([float(x) for x in row.split(",")[1:4]] for row in (rows[1], rows[-1]))
        moved = sum((a - b) ** 2 for a, b in zip(first, last)) ** 0.5
        return json.loads(result.stdout), moved

    def test_every_format_that_we_write_moves_again(self):
        grammar = self.write("tree.lsys", "width: 0.01\nAxiom: F(0.4)[+(40)F(0.3)]F(0.4)\n")
        tips = {}
        for ending, options in [(".obj", ["--lines"]), (".geo", []), (".json", []), (".csv", []),
                                (".glb", [])]:
            with self.subTest(ending):
                tree = self.folder / f"tree{ending}"
                made = thigmo("convert", grammar, tree, *options)
                self.assertEqual(made.returncode, 0, made.stderr)
                summary, moved = self.run_tree(f'file = "tree{ending}"')
                self.assertEqual(summary["segments"], 3)
                self.assertGreater(moved, 1e-4)
                tips[ending] = summary["probes"]["tip"]["position"]
        # The same shape and material move the same way; OBJ has no widths, so it moves its own way.
        del tips[".obj"]
        for ending, tip in tips.items():
            for a, b in zip(tip, tips[".geo"]):
                self.assertAlmostEqual(a, b, delta=1e-5, msg=ending)

    def test_scanned_cylinders(self):
        tree = ROOT / "tests" / "data" / "qsm" / "qsm_Tf3_LeafOff.json"
        count = len(json.loads(tree.read_text())["parent"]) - 1
        summary, moved = self.run_tree(f'file = "{tree}"\nspecies = "oak"\nposition = [1, 0, 2]', 0.3)
        self.assertLessEqual(summary["segments"], count)
        self.assertGreater(summary["segments"], 0.9 * count)
        self.assertGreater(moved, 1e-5)

    def test_swc_with_scale_and_pieces(self):
        self.write("tree.swc", SWC)
        summary, moved = self.run_tree(
            'file = "tree.swc"\nscale = 0.01\npieces = 3\nposition = [5, 0, 0]')
        self.assertEqual(summary["segments"], 12)
        self.assertGreater(moved, 1e-5)
        self.assertAlmostEqual(summary["probes"]["tip"]["position"][0], 5, delta=0.4)

    def test_up_axis_turns_the_tree(self):
        self.write("tree.csv", "x,y,z,radius,parent,id\n0,0,0,0.01,0,1\n0,0,2,0.01,1,2\n")
        summary, _ = self.run_tree('file = "tree.csv"\nup_axis = "z"', 0.02)
        self.assertAlmostEqual(summary["probes"]["tip"]["position"][1], 2, delta=0.01)

    def test_repairs_are_told(self):
        self.write("tree.obj", "v 0 0 0\nv 0 1 0\nv 0.2 2 0\nl 1 2 3\nl 3 1\n")
        scenario = self.write("tree.toml", 'duration = 0.1\n[[plant]]\nfile = "tree.obj"\n')
        result = thigmo("run", scenario, "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("loop", result.stdout + result.stderr)
        self.assertIn("width", result.stdout + result.stderr)


class BadTrees(CliTestCase):
    def refuse(self, keys, *words):
        scenario = self.write("tree.toml", f"duration = 1\n[[plant]]\n{keys}\n")
        self.assert_refused(thigmo("run", scenario, "--out", self.out), *words)

    def test_missing_file(self):
        self.refuse('file = "none.obj"', "none.obj")

    def test_unknown_ending(self):
        self.refuse('file = "tree.xyz"', "tree.xyz", ".geo")

    def test_two_sources(self):
        self.refuse('file = "tree.obj"\ngrammar = "a.lsys"', "[[plant]]", "tree.obj")

    def test_broken_file_names_its_line(self):
        self.write("tree.obj", "v 0 0 0\nv 0 one 0\nl 1 2\n")
        self.refuse('file = "tree.obj"', "tree.obj:2")

    def test_keys_of_a_grammar_are_refused(self):
        self.write("tree.obj", "v 0 0 0\nv 0 1 0\nl 1 2\n")
        self.refuse('file = "tree.obj"\nsteps = 3', "steps")


if __name__ == "__main__":
    unittest.main()
