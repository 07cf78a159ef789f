"""Plants and cameras of extreme sizes: drawn and written in numbers that files hold, or refused; quickly."""
import json
import struct
import unittest

from thigmo_cli import ROD, ROOT, SANITIZED, CliTestCase, measured, thigmo

MESHES = ["obj", "ply", "glb", "usda", "pc2", "mdd"]
TABLES = ["csv", "geo", "json"]
# Stems that turn back within their own thickness: of their rings only the first has room.
BLOCKS = {
    "thick": "width: 75\nAxiom: F(5e-6)|F(0.5)\n",
    "pruned": "width: 0.001\nAxiom: F(0.001)|!(2)F(0.5)\n",
    "branch": "width: 1\nAxiom: F(1)[|F(0.01)]F(1)\n",
}
SWC = """\
1 0 0 0 0 0.02 -1
2 3 0 1 3 0.018 1
3 3 0.2 1.5 0 {radius} 2
4 3 {far} 1.6 0.1 0.012 2
5 3 -0.3 2 0.1 0.01 4
"""


class Blocks(CliTestCase):
    def test_every_format_has_their_walls(self):
        for name, text in BLOCKS.items():
            plant = self.write(f"{name}.lsys", text)
            for ending in MESHES + ["vat", "pp2"]:
                for option in [[], ["--weld"], ["--min-radius", "0.01"]]:
                    with self.subTest(name=name, ending=ending, option=option):
                        result = measured("convert", plant, self.folder / f"a.{ending}", *option)
                        self.assertEqual(result.returncode, 0, result.stderr)
                        self.assert_cheap(result, seconds=0.5, megabytes=100)
            text = (self.folder / "a.obj").read_text()
            corners = [int(word.split("/")[0]) for line in text.splitlines()
                       if line.startswith("f ") for word in line.split()[1:]]
            self.assertGreater(len(corners), 0)
            self.assertLessEqual(max(corners), text.count("\nv "))
            self.assertNotIn("nan", text)
            self.assertNotIn("inf", text)


class Sizes(CliTestCase):
    def test_what_files_cannot_hold_is_refused(self):
        self.out.mkdir()
        for far, radius, words in [("1e16", "0.015", "a length of 1e+16 m"),
                                   ("1", "5e19", "a diameter of 1e+20 m"),
                                   ("1e39", "0.015", "a length of 1e+39 m"),
                                   ("1", "1e140", "a diameter of 2e+140 m")]:
            tree = self.write("tree.swc", SWC.format(far=far, radius=radius))
            for ending in MESHES + TABLES + ["vat", "pp2"]:
                with self.subTest(far=far, radius=radius, ending=ending):
                    result = thigmo("convert", tree, self.out / f"a.{ending}")
                    self.assert_refused(result, "hint", *([] if ending == "pp2" else [words]))
            with self.subTest(far=far, radius=radius, picture=True):
                result = thigmo("render", tree, "-o", self.out / "a.png", "--width", 32,
                                "--height", 32, "--samples", 1)
                self.assert_refused(result, "hint", words)
                result = thigmo("render", tree, "-o", self.out / "a.png", "--wireframe")
                self.assert_refused(result, "hint", words)

    def test_what_they_hold_is_written(self):
        """Up to 1e10 m; nothing is infinite or no number."""
        tree = self.write("tree.swc", SWC.format(far="9e9", radius="1e8"))
        for ending in MESHES + TABLES:
            with self.subTest(ending):
                path = self.folder / f"a.{ending}"
                result = thigmo("convert", tree, path)
                self.assertEqual(result.returncode, 0, result.stderr)
                if ending in ["obj", "usda"] + TABLES:
                    words = path.read_text().replace(",", " ").replace("(", " ").split()
                    self.assertFalse({"inf", "nan", "null", "-inf", "-nan"} & set(words))
        data = (self.folder / "a.glb").read_bytes()
        length, = struct.unpack("<I", data[12:16])
        json.loads(data[20:20 + length])
        self.assertNotIn(b"null", data[20:20 + length])
        result = thigmo("render", tree, "-o", self.folder / "a.png", "--width", 32, "--height", 32,
                        "--samples", 1)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_small_plants_far_away_are_refused_by_meshes(self):
        """Ten metres, 5e7 m from the origin, where single precision has steps of 4 m."""
        self.out.mkdir()
        rows = "".join(f"{i} 0 {50_000_000 + i} {i} 0 0.1 {i - 1 if i > 1 else -1}\n"
                       for i in range(1, 11))
        tree = self.write("far.swc", rows)
        self.assert_refused(thigmo("convert", tree, self.out / "a.glb"), "9 m large",
                            "nearer to the origin")
        self.assert_refused(thigmo("render", tree, "-o", self.out / "a.png"), "9 m large")
        self.assertEqual(thigmo("convert", tree, self.folder / "a.csv").returncode, 0)

    def test_pivots_end_at_655_m(self):
        self.out.mkdir()
        tall = self.write("tall.lsys", "width: 1\nAxiom: F(700)\n")
        self.assert_refused(thigmo("convert", tall, self.out / "a.pp2"), "700 m", "655 m")
        self.assertEqual(thigmo("convert", tall, self.folder / "a.glb").returncode, 0)

    def test_small_plants_far_away_are_refused_by_pivots(self):
        """A centimetre, 600 m from the origin, where halfs have steps of half a metre."""
        self.out.mkdir()
        far = self.write("far.lsys", "width: 0.001\nAxiom: f(600)F(0.005)F(0.005)\n")
        self.assert_refused(thigmo("convert", far, self.out / "a.pp2"), "0.01 m large",
                            "nearer to the origin")
        self.assertEqual(thigmo("convert", far, self.folder / "a.glb").returncode, 0)
        near = self.write("near.lsys", "width: 0.01\nAxiom: f(20)F(0.5)F(0.5)\n")
        self.assertEqual(thigmo("convert", near, self.folder / "a.pp2").returncode, 0)

    def test_masses_that_are_no_numbers(self):
        self.out.mkdir()
        heavy = self.write("heavy.lsys", "width: 1e12\nAxiom: F(9e11)\n")
        self.assert_refused(thigmo("convert", heavy, self.out / "a.csv"), "kg")

    def test_a_run_says_so_before_it_begins(self):
        for ending in ["glb", "png", "csv"]:
            text = ROD.replace('direction = [1, 0, 0]\n',
                               'direction = [1, 0, 0]\nposition = [1e13, 0, 0]\n')
            scene = self.write("far.toml", text + f'[[output]]\nfile = "a.{ending}"\n')
            result = thigmo("run", scene, "--out", self.out)
            self.assert_refused(result, "1e+13 m from the origin")

    def test_a_run_stops_where_a_foot_is_carried_too_far(self):
        """A rod of a metre, carried 1000 km, where single precision has steps of 12 cm."""
        text = ROD + "[[motion]]\nkeys = [[0, 0, 0, 0], [0.4, 1e6, 0, 0]]\n"
        scene = self.write("far.toml", text + '[[output]]\nfile = "a.glb"\n')
        result = thigmo("run", scene, "--out", self.out)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("nearer to the origin", result.stderr)
        self.assertFalse((self.out / "a.glb").exists())
        scene = self.write("far.toml", text + '[[output]]\nfile = "a.csv"\n')
        result = thigmo("run", scene, "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_organs_and_options(self):
        self.out.mkdir()
        leaf = self.write("leaf.lsys", "Axiom: F(1)~l(1,1)\n")
        wide = self.write("wide.obj", "v -1e30 0 0\nv 1e30 0 0\nv 0 1 0\nf 1 2 3\n")
        self.assert_refused(thigmo("convert", leaf, self.out / "a.glb", "--organ", f"leaf={wide}"),
                            "wide.obj")
        for option in [["--leaf-share", "1e-300"], ["--root-flare", "1e300"]]:
            with self.subTest(option):
                self.assert_refused(thigmo("convert", leaf, self.out / "a.glb", *option), "hint")


class Cameras(CliTestCase):
    def test_absurd_ones_are_refused(self):
        self.out.mkdir()
        tree = ROOT / "gallery/plants/young_tree.lsys"
        for option in [["--eye", "1e20", 0, 0], ["--eye", "1e17", 0, 0, "--target", 0, 1, 0],
                       ["--eye", 0, 1, 5, "--target", "1e300", 0, 0], ["--zoom", "1e300"],
                       ["--zoom", "1e-300"], ["--zoom", "1e20"], ["--aperture", "1e30"],
                       ["--aperture", 1, "--focus", "1e30"],
                       ["--eye", 0, 1, "1e-30", "--target", 0, 1, 0],
                       ["--eye", "1e10", 0, 0, "--target", "1.00001e10", 0, 0, "--zoom", "1e6"]]:
            with self.subTest(option):
                result = thigmo("render", tree, "-o", self.out / "a.png", "--width", 32,
                                "--height", 32, "--samples", 1, *option)
                self.assert_refused(result, "hint")

    def test_odd_ones_are_not(self):
        """A turn is a turn, and a speck a speck."""
        tree = ROOT / "gallery/plants/young_tree.lsys"
        for option in [["--azimuth", "1e300"], ["--eye", "1e10", 0, 0], ["--zoom", "0.01"],
                       ["--zoom", 100], ["--aperture", 100]]:
            with self.subTest(option):
                result = thigmo("render", tree, "-o", self.folder / "a.png", "--width", 32,
                                "--height", 32, "--samples", 1, *option)
                self.assertEqual(result.returncode, 0, result.stderr)


class Meshes(CliTestCase):
    """What a plant would be as a surface is known before it is made."""

    def setUp(self):
        super().setUp()
        self.out.mkdir()

    def assert_refused_cheaply(self, result, megabytes):
        self.assert_refused(result, "vertices of the mesh", "GB", "--leaf-share", "--sides",
                            "--min-radius")
        self.assert_cheap(result, 6, megabytes)

    @unittest.skipIf(SANITIZED, "a shadow of such a plant would not fit")
    def test_leaves_by_the_million(self):
        """68 bytes, of which 4 million leaves made 10 GB."""
        leaves = self.write("ml.lsys", "derivation length: 22\nAxiom: FA\nA --> AA\n"
                            "homomorphism\nA --> ~l(0.1)\n")
        for ending in ["ply", "glb"]:
            with self.subTest(ending):
                result = measured("convert", leaves, self.out / f"a.{ending}")
                self.assert_refused_cheaply(result, megabytes=1500)
        result = measured("render", leaves, "-o", self.out / "a.png", "--width", 32, "--height", 32,
                          "--samples", 1)
        self.assert_refused_cheaply(result, megabytes=1500)
        # Lines have no surface, and a part of the leaves has one that fits.
        result = thigmo("convert", leaves, self.folder / "a.ply", "--leaf-share", 0.01)
        self.assertEqual(result.returncode, 0, result.stderr)

    @unittest.skipIf(SANITIZED, "a shadow of such a plant would not fit")
    def test_organs_by_the_ten_million(self):
        organs = self.write("o.lsys", "derivation length: 23\nAxiom: FA\nA --> AA\n"
                            "homomorphism\nA --> ~l(0.1)~l(0.1)~l(0.1)\n")
        result = measured("convert", organs, self.out / "a.csv")
        self.assert_refused(result, "more organs than memory is allowed for")
        self.assert_cheap(result, 20, 2500)

    def test_a_dense_mesh_on_every_leaf(self):
        side = 100
        rows = [f"v {x} {y} 0" for y in range(side) for x in range(side)]
        rows += [f"f {a} {a + 1} {a + side}" for a in range(1, side * side - side)]
        dense = self.write("dense.obj", "\n".join(rows) + "\n")
        leafy = self.write("leafy.lsys", "Axiom: " + "F(0.01)[+~l]" * 15_000 + "\n")
        result = measured("convert", leafy, self.out / "a.ply", "--organ", f"leaf={dense}")
        self.assert_refused_cheaply(result, megabytes=300)
        scene = self.write("leafy.toml", """\
duration = 0.1
[[plant]]
grammar = "leafy.lsys"
[[organ]]
kind = "leaf"
file = "dense.obj"
[[output]]
file = "a.glb"
""")
        result = measured("run", scene, "--out", self.out)
        self.assert_refused_cheaply(result, megabytes=600)

    def test_sides(self):
        """Stems of 256 sides."""
        stems = self.write("s.lsys", "width: 0.01\nAxiom: " + "F(0.1)[+F(0.1)]" * 15_000 + "\n")
        result = measured("convert", stems, self.out / "a.ply", "--sides", 256)
        self.assert_refused_cheaply(result, megabytes=300)
        result = thigmo("convert", stems, self.folder / "a.ply", "--sides", 5)
        self.assertEqual(result.returncode, 0, result.stderr)


class Weld(CliTestCase):
    def test_a_thread_on_a_stem(self):
        """The wall behind a twig a billion times thinner than its parent is looked for in few steps."""
        plant = self.write("thread.lsys", "width: 0.001\n"
                           "Axiom: F(5)!(1e-9)[F(8)]!(0.5)F(0.0005)\n")
        result = measured("convert", plant, self.folder / "a.obj", "--weld", timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_cheap(result, seconds=0.5, megabytes=100)
        many = self.write("many.lsys", "width: 0.5\nderivation length: 200\nAxiom: A\n"
                          "A --> F(0.5)[+(60)!(1e-9)F(1)][-(20)!(1e-7)F(3)]/(40)A\n")
        result = measured("convert", many, self.folder / "a.obj", "--weld", timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_cheap(result, seconds=4, megabytes=150)


class Validate(CliTestCase):
    def test_cases_are_skipped_outside_the_source_tree(self):
        result = thigmo("validate", "scanned_trees", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("skip scanned_trees", result.stdout)
        self.assertIn("1 skipped", result.stdout)
        found = json.loads(thigmo("validate", "scanned_trees", "--json", cwd=self.folder).stdout)
        self.assertEqual((found["passed"], found["failed"], found["skipped"]), (0, 0, 1))
        self.assertIn("source tree", found["cases"][0]["skipped"])


if __name__ == "__main__":
    unittest.main()
