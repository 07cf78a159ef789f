"""Pictures by the command line: values as colours, cameras, contact sheets."""
import json
import struct
import unittest

from thigmo_cli import CliTestCase, thigmo

PLANT = "width: 0.02\nAxiom: F(0.5)[+(50)!(0.01)F(0.3)~l(0.1)]F(0.5)\n"
SMALL = ["--width", 64, "--height", 48, "--samples", 1]


def size(path):
    """Width and height of a PNG, from its first chunk."""
    return struct.unpack(">II", path.read_bytes()[16:24])


class Pictures(CliTestCase):
    def draw(self, *options, file=None, name="x.png"):
        out = self.folder / name
        source = file or self.write("plant.lsys", PLANT)
        result = thigmo("render", source, "-o", out, *SMALL, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(size(out), (64, 48))
        return out.read_bytes(), result.stdout

    def value_range(self, value, *options, file=None):
        words = self.draw("--colour", value, *options, file=file)[1]
        line = next(line for line in words.splitlines() if line.startswith(value))
        return float(line.split()[2]), float(line.split()[4])

    def test_values_are_the_plants(self):
        self.assertEqual(self.value_range("radius"), (5, 10))  # widths are diameters
        self.assertEqual(self.value_range("length"), (0.3, 0.5))
        self.assertEqual(self.value_range("order"), (0, 1))
        self.assertEqual(self.value_range("generation"), (1, 2))
        self.assertEqual(self.value_range("step"), (0, 0))
        self.assertAlmostEqual(self.value_range("height")[1], 1)

    def test_every_value_of_the_help_can_be_drawn(self):
        text = " ".join(thigmo("render", "--help").stdout.split())
        names = text.split("Colour segments by ")[1].split(" --")[0].replace(",", "").split()
        self.assertGreater(len(names), 8)
        plain, _ = self.draw()
        for name in names:
            with self.subTest(name):
                self.assertNotEqual(self.draw("--colour", name)[0], plain)

    def test_moments_side_by_side(self):
        # A rod of 1 m falls from level to below its foot: its box spans all moments.
        rod = self.write("rod.toml", """\
duration = 1
[[plant]]
kind = "rod"
segments = 4
length = 1
radius = 0.01
young = 1
damping_ratio = 0
direction = [1, 0, 0]
""")
        out = self.folder / "strip.png"
        result = thigmo("render", rod, "-o", out, *SMALL, "--frames", "0,0.2,0.4")
        self.assertEqual(result.returncode, 0, result.stderr)
        # Gaps of 12 pixels around and between, and 26 for the time below.
        self.assertEqual(size(out), (12 + 3 * (64 + 12), 12 + 48 + 26 + 12))
        down = float(result.stdout.split(" x ")[1])
        self.assertGreater(down, 0.5)
        one = thigmo("render", rod, "-o", self.folder / "one.png", *SMALL, "--frames", "0.4")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(size(self.folder / "one.png"), (64 + 24, 12 + 48 + 26 + 12))

    def test_moments_that_cannot_be(self):
        rod = self.write("rod.toml", 'duration = 1\n[[plant]]\nkind = "rod"\n')
        plant = self.write("plant.lsys", PLANT)
        self.out.mkdir()
        for file, options, words in (
                (rod, ["--frames", "0,2"], ["no picture at 2 s"]),
                (rod, ["--frames", "0.5,0.2"], ["early to late"]),
                (rod, ["--frames", "0,0.5", "--frame", "1"], ["not both"]),
                (plant, ["--frames", "0,1"], ["at rest"])):
            with self.subTest(options):
                result = thigmo("render", file, "-o", self.out / "x.png", *SMALL, *options)
                self.assert_refused(result, *words)

    def test_stress_of_a_cantilever(self):
        # A rod of length L and radius r under its own weight: M = ρ g π r² L²/2 at the wall, so
        # σ = M r / (π r⁴/4) = 2 ρ g L²/r; it is so stiff that its lever stays L to 1e-4.
        rod = self.write("rod.toml", """\
duration = 1
[[plant]]
kind = "rod"
segments = 40
length = 1
radius = 0.01
density = 1000
young = 1e12
direction = [1, 0, 0]
start = "equilibrium"
""")
        low, high = self.value_range("stress", file=rod)
        self.assertAlmostEqual(high, 2 * 1000 * 9.81 / 0.01 / 1e6, delta=0.001)
        # The last joint carries the last of 40 pieces alone.
        self.assertAlmostEqual(low, high / 40**2, delta=high * 1e-4)

    def test_section_forces_of_a_loaded_rod(self):
        # Without weight, so stiff that it stays straight along x: a force (3, -4, 0) N and a twist
        # of 5 N m at the tip pull with 3 N and shear with 4 N everywhere, bend with 4 (1 - x) N m
        # and twist with 5 N m; a round rod of 40 MPa strength: safety = strength π r³ / (4 M).
        rod = self.write("rod.toml", """\
duration = 1
gravity = [0, 0, 0]
[[plant]]
kind = "rod"
segments = 20
length = 1
radius = 0.01
density = 1000
young = 1e13
strength = 40e6
direction = [1, 0, 0]
start = "equilibrium"
[[force]]
vector = [3, -4, 0]
moment = [5, 0, 0]
""")
        def expect(value, low, high):
            found = self.value_range(value, file=rod)
            self.assertAlmostEqual(found[0], low, delta=2e-3 * abs(high), msg=value)
            self.assertAlmostEqual(found[1], high, delta=2e-3 * abs(high), msg=value)

        expect("axial", 3, 3)
        expect("shear", 4, 4)
        expect("bending", 4 * 0.05, 4)
        expect("torsion", 5, 5)
        safety = 40e6 * 3.14159265 * 0.01**3 / 4 / 4
        expect("safety", safety, 100)  # at the tip 20 times as much, shown as 100

    def test_cameras_differ(self):
        plain, _ = self.draw()
        seen = {plain}
        for options in [["--azimuth", 120], ["--elevation", 40], ["--zoom", 2], ["--no-ground"],
                        ["--eye", 0, 1, 3], ["--eye", 0, 1, 3, "--target", 0, 0.2, 0],
                        ["--field-of-view", 60, "--eye", 0, 1, 3], ["--aperture", 0.2],
                        ["--wireframe"], ["--root-flare", 2], ["--min-radius", 0.007]]:
            with self.subTest(options):
                picture, _ = self.draw(*options)
                self.assertNotIn(picture, seen)
                seen.add(picture)

    def test_a_tree_from_a_file(self):
        tree = self.write("tree.obj", "v 0 0 0\nv 0 1 0\nv 0.4 1.5 0\nl 1 2 3\n")
        _, words = self.draw(file=tree)
        self.assertIn("2 segments", words)

    def test_coloured_pictures_and_videos_of_a_run(self):
        scenario = self.write("a.toml", """\
duration = 0.1
[wind]
kind = "uniform"
mean = [9, 0, 0]
[[plant]]
kind = "rod"
[[output]]
file = "stress.png"
colour = "stress"
width = 64
height = 48
samples = 1
[[output]]
file = "wire.mp4"
wireframe = true
azimuth = 90
colour = "bend"
width = 64
height = 48
""")
        result = thigmo("run", scenario, "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(size(self.out / "stress.png"), (64, 48))
        self.assertGreater((self.out / "wire.mp4").stat().st_size, 500)


class BadPictures(CliTestCase):
    def refuse(self, options, *words):
        result = thigmo("render", self.write("plant.lsys", PLANT), "-o", self.out / "x.png", *options)
        self.assert_refused(result, *words)

    def test_unknown_value(self):
        self.refuse(["--colour", "stres"], "stres", "did you mean 'stress'")

    def test_a_target_without_an_eye(self):
        self.refuse(["--target", 0, 1, 0], "eye")

    def test_a_camera_over_head(self):
        self.refuse(["--elevation", 95], "elevation")

    def test_an_unknown_value_stops_a_run_before_it_starts(self):
        scenario = self.write("a.toml", """\
duration = 1000000
[[plant]]
kind = "rod"
[[output]]
file = "a.png"
colour = "temperature"
""")
        self.assert_refused(thigmo("run", scenario, "--out", self.out, timeout=20), "temperature", "radius")


class Gallery(CliTestCase):
    def test_list_shows_first_comments(self):
        self.write("b.lsys", "/* A stick. */\nAxiom: F\n")
        self.write("a.lsys", "/* Two\n   sticks. */\nAxiom: FF\n")
        result = thigmo("gallery", self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        first, second = result.stdout.splitlines()
        self.assertRegex(first, r"a\.lsys +Two sticks\.$")
        self.assertRegex(second, r"b\.lsys +A stick\.$")

    def test_sheet_has_a_tile_for_each(self):
        for name in ["a", "b", "c"]:
            self.write(f"{name}.lsys", PLANT)
        out = self.folder / "sheet.png"
        result = thigmo("gallery", self.folder, "--sheet", out, "--columns", 2, "--tile", 40,
                        "--samples", 1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("3 plants", result.stdout)
        width, height = size(out)
        self.assertEqual(width, 12 + 2 * (40 + 12))
        self.assertEqual(height, 12 + 2 * (40 + 26 + 12))

    def test_a_sheet_without_a_name_lies_here(self):
        self.write("a.lsys", PLANT)
        result = thigmo("gallery", self.folder, "--tile", 40, "--samples", 1, "--sheet",
                        cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(size(self.folder / "gallery.png")[0], 12 + 40 + 12)

    def test_a_broken_grammar_leaves_no_sheet(self):
        self.write("a.lsys", PLANT)
        self.write("b.lsys", "Axiom: F(1,\n")
        self.assert_refused(thigmo("gallery", self.folder, "--sheet", self.folder / "s.png"), "b.lsys:1")
        self.assertFalse((self.folder / "s.png").exists())

    def test_an_empty_folder(self):
        self.out.mkdir()
        self.assert_refused(thigmo("gallery", self.out), "no grammar")



class Surfaces(CliTestCase):
    def convert(self, name, *options):
        """What a surface's file holds, and what was said about it."""
        out = self.folder / name
        result = thigmo("convert", self.write("plant.lsys", PLANT), out, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return out.read_bytes(), result.stdout + result.stderr

    def test_glb_has_tangents_when_asked(self):
        def attributes(*options):
            data, _ = self.convert("x.glb", *options)
            scene = json.loads(data[20:20 + struct.unpack("<I", data[12:16])[0]])
            return scene["meshes"][0]["primitives"][0]["attributes"]

        self.assertNotIn("TANGENT", attributes())
        self.assertIn("TANGENT", attributes("--tangents"))
        scenario = self.write("plant.toml", """\
duration = 0.1
[[plant]]
grammar = "plant.lsys"
[[output]]
file = "x.glb"
tangents = true
""")
        self.assertEqual(thigmo("run", scenario, "--out", self.out).returncode, 0)
        self.assertIn(b"TANGENT", (self.out / "x.glb").read_bytes())

    def test_notes_begin_with_a_name_or_a_number(self):
        for options in (["--weld"], ["--max-joints", 1]):
            words = self.convert("x.glb", *options)[1]
            self.assertRegex(words, "side branches|joints;")
            for line in words.splitlines():
                self.assertFalse(line.strip().startswith(":"), line)


if __name__ == "__main__":
    unittest.main()
