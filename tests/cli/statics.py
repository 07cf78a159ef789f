"""thigmo pose and thigmo modes, as a script would use them."""
import csv
import json
import math
import struct
import unittest

from thigmo_cli import CliTestCase, thigmo

# Length 1 m, radius 1 cm: E I = pi/4 r^4 E.
ROD = """
[[plant]]
name = "beam"
kind = "rod"
segments = 100
length = 1.0
radius = 0.01
young = 1e9
density = 1000
poisson = 0.25
strength = 5e7
direction = [1, 0, 0]
up = [0, 1, 0]
"""
BENDING = math.pi / 4 * 1e-8 * 1e9
WEIGHTLESS = "gravity = [0, 0, 0]\n"
# Masses, centres and springs stated outright: a base and three links.
LINKS = """B(1, 0,0.5,0, 0,0.5,0, 0.33,0.01,0.33)
J(0,0,0, 0,0,0, 9,9,9) B(0.5, 0,0.4,0, 0,0.4,0, 0.11,0.005,0.11)
J(0,0,0, 0,0,0, 4,4,4) B(0.5, 0,0.4,0, 0,0.4,0, 0.11,0.005,0.11)
J(0,0,0, 0,0,0, 4,4,4) B(0.5, 0,0.4,0, 0,0.4,0, 0.11,0.005,0.11)
"""


class Pose(CliTestCase):
    def pose(self, text, *options):
        result = thigmo("pose", self.write("scene.toml", text), "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_json_has_what_others_build_on(self):
        pose = self.pose(ROD)
        self.assertEqual(pose["method"], "newton")
        self.assertTrue(pose["stable"])
        self.assertLess(pose["residual"], 1e-9)
        self.assertGreater(pose["iterations"], 0)
        self.assertGreater(pose["wall_ms"], 0)
        self.assertEqual(len(pose["probes"]["tip"]["rotation"]), 4)
        # w L^4 / 8 E I and w L^2 / 2 r / I; the beam is bent so far (14 degrees) that both are a
        # few percent high.
        weight = 1000 * 9.81 * math.pi * 1e-4
        sag = weight / (8 * BENDING)
        self.assertAlmostEqual(-pose["probes"]["tip"]["position"][1], sag, delta=0.03 * sag)
        stress = weight / 2 * 0.01 / (math.pi / 4 * 1e-8)
        self.assertAlmostEqual(pose["max_stress"], stress, delta=0.03 * stress)
        self.assertEqual(pose["max_stress_segment"], 0)
        self.assertAlmostEqual(pose["min_safety"], 5e7 / pose["max_stress"], delta=1e-9)

    def test_moments_turn_the_tip_exactly(self):
        # M L / E I and T L / G J, G = E / 2.5, J = 2 I.
        pose = self.pose(WEIGHTLESS + ROD + "[[force]]\nmoment = [0, 0, 4]\n",
                         "--set", "plant.0.segments=5")
        # up = y is the section's z: the tip's own y axis is turned about the world's z.
        w, x, y, z = pose["probes"]["tip"]["rotation"]
        along = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)]
        self.assertAlmostEqual(math.atan2(along[1], along[0]), 4 / BENDING, delta=1e-9)
        pose = self.pose(WEIGHTLESS + ROD + "[[force]]\nmoment = [2, 0, 0]\n",
                         "--set", "plant.0.segments=5")
        w, x, y, z = pose["probes"]["tip"]["rotation"]
        up = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]
        self.assertAlmostEqual(math.atan2(up[2], up[1]), 2 / (BENDING / 2.5 * 2), delta=1e-9)

    def test_methods_agree(self):
        text = WEIGHTLESS + ROD + "[[force]]\nvector = [0, 5, 2]\n"
        newton = self.pose(text)["probes"]["tip"]["position"]
        for method in ["chain-1r", "chain-3r", "chain-1r-quadratic", "chain-3r-quadratic",
                       "chain-1r-outer", "chain-3r-outer"]:
            with self.subTest(method):
                pose = self.pose(text, "--method", method)
                self.assertEqual(pose["method"], method)
                # 1R leaves out each element's own force: first order in its length.
                self.assertLess(math.dist(pose["probes"]["tip"]["position"], newton), 5e-3)

    def test_the_tip_of_a_chain_is_that_of_its_last_element(self):
        """One 1R element with M L / E I = 1: links of 0.2654 and 0.7346, turned by 1 / 1.5164
        (Hall 2013, eqs. 3.1 to 3.3). The end of its chord, a length long, lies elsewhere."""
        text = WEIGHTLESS + ROD + f"[[force]]\nmoment = [0, 0, {BENDING}]\n"
        pose = self.pose(text, "--method", "chain-1r", "--set", "plant.0.segments=1",
                         "--out", self.out)
        turn = 1 / 1.5164
        tip = [0.2654 + 0.7346 * math.cos(turn), 0.7346 * math.sin(turn), 0]
        self.assertLess(math.dist(tip, [0.846, 0.4501, 0]), 1e-4)
        self.assertLess(math.dist(pose["probes"]["tip"]["position"], tip), 1e-9)
        with open(self.out / "pose.csv", newline="") as file:
            row = next(csv.DictReader(file))
        self.assertLess(math.dist([float(row[f"tip_{axis}"]) for axis in "xyz"], tip), 1e-9)

    def test_a_column_buckles_to_the_chosen_side(self):
        load = 1.2 * math.pi**2 / 4 * BENDING
        text = WEIGHTLESS + ROD + f"[[force]]\nvector = [-{load}, 0, 0]\n"
        straight = self.pose(text)
        self.assertFalse(straight["stable"])
        self.assertAlmostEqual(straight["probes"]["tip"]["position"][0], 1, delta=1e-9)
        for side in [[0, 1, 0], [0, 0, -1]]:
            bent = self.pose(text, "--branch", *side)
            self.assertTrue(bent["stable"])
            across = sum(a * b for a, b in zip(bent["probes"]["tip"]["position"], side))
            self.assertGreater(across, 0.5)

    def test_files(self):
        self.pose(ROD, "--out", self.folder / "out")
        with open(self.folder / "out" / "sections.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 200)
        self.assertEqual(rows[0]["plant"], "beam")
        # At the clamp the beam carries its weight as shear.
        shear = math.hypot(float(rows[0]["shear_x_N"]), float(rows[0]["shear_z_N"]))
        self.assertAlmostEqual(shear, 1000 * 9.81 * math.pi * 1e-4, delta=0.01)
        with open(self.folder / "out" / "pose.csv", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), 100)

    def test_a_modelled_pose_stands(self):
        pose = self.pose(ROD, "--rest-from-pose")
        self.assertAlmostEqual(pose["probes"]["tip"]["position"][1], 0, delta=1e-12)
        self.assertLess(pose["residual"], 1e-12)
        self.assertGreater(pose["largest_rest_angle"], 1e-3)

    def test_the_rest_shape_of_a_pose_is_written(self):
        """w L^4 / 8 E I above where it stands; loaded, that shape comes down to the pose again."""
        scene = self.write("scene.toml", ROD.replace("young = 1e9", "young = 1e10"))
        result = thigmo("pose", scene, "--rest-from-pose", "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.out / "rest.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        with open(self.out / "pose.csv", newline="") as file:
            posed = list(csv.DictReader(file))
        self.assertEqual(len(rows), 100)
        self.assertLess(max(abs(float(row["y"])) for row in posed), 1e-12)
        sag = 1000 * 9.81 * math.pi * 1e-4 / (8 * 10 * BENDING)
        # The last segment's base, 1 % before the end, where the slope is 4/3 of the mean one.
        self.assertAlmostEqual(float(rows[-1]["y"]) / sag, 1 - 0.01 * 4 / 3, delta=0.01)

    def test_a_rod_lies_on_the_ground(self):
        text = ROD.replace("young = 1e9", "young = 1e7") + "position = [0, 0.05, 0]\n"
        free = self.pose(text)["probes"]["tip"]["position"][1]
        self.assertLess(free, -0.2)
        lying = self.pose(text + "[ground]\nheight = 0.0\n")
        self.assertAlmostEqual(lying["probes"]["tip"]["position"][1], 0, delta=1e-8)
        self.assertGreater(lying["contacts"], 10)
        # The clamp carries 2/3 w a, a = (72 E I H / w)^(1/4); slopes of 0.1 make it 1 % uncertain.
        weight = 1000 * 9.81 * math.pi * 1e-4
        lift_off = (72 * BENDING / 100 * 0.05 / weight) ** 0.25
        push = weight * (1 - 2 / 3 * lift_off)
        self.assertAlmostEqual(lying["ground_force"], push, delta=0.02 * push)
        scene = self.write("scene.toml", text + "[ground]\n")
        for command in [["modes", scene], ["pose", scene, "--method", "chain-1r"]]:
            result = thigmo(*command)
            self.assertEqual(result.returncode, 1)
            self.assertIn("ground", result.stderr)
        self.assertIn("unknown key", self.failure(text + "[ground]\nhight = 1\n"))

    def test_a_plant_too_weak_to_stand_is_warned_of(self):
        # A 5 m pole of 4 mm: Greenhill's limit for oak is 1.3 m.
        self.write("weak.lsys", "Axiom: !(0.004)F(1)F(1)F(1)F(1)F(1)\n")
        scene = self.write("scene.toml",
                           "duration = 0.1\n[[plant]]\nname = \"pole\"\ngrammar = \"weak.lsys\"\n")
        pose = thigmo("pose", scene, "--json")
        self.assertFalse(json.loads(pose.stdout)["stable"])
        run = thigmo("run", scene, "--out", self.folder / "run")
        for said in [pose.stderr, run.stdout + run.stderr]:
            self.assertIn("'pole' is in balance as modelled but falls at a touch", said)
            self.assertIn("thicker stems", said)
        for sturdy in ["!(0.1)", "!(0.2)"]:
            self.write("weak.lsys", f"Axiom: {sturdy}F(1)F(1)F(1)F(1)F(1)\n")
            self.assertEqual(thigmo("pose", scene).stderr, "")

    def failure(self, text, *options):
        out = self.folder / "nothing"
        result = thigmo("pose", self.write("scene.toml", text), "--json", "--out", out, *options)
        self.assertEqual(result.returncode, 1)
        said = json.loads(result.stdout)["errors"]
        self.assertEqual(len(said), 1)
        self.assertIn(said[0]["message"], result.stderr)
        self.assertFalse(out.exists())
        return result.stderr

    def test_what_is_not_found_says_how_far_it_came_and_writes_nothing(self):
        # A follower load a thousand times what the rod resists.
        said = self.failure(WEIGHTLESS + ROD +
                            "[[force]]\nvector = [30000, 20000, 10000]\nfollower = true\n")
        self.assertRegex(said, r"raised to [\d.e-]+ of their full size")
        self.assertIn("hint", said)
        said = self.failure(WEIGHTLESS + ROD + "[[force]]\nvector = [0, 500, 0]\n",
                            "--method", "chain-1r", "--sweeps", 50)
        self.assertRegex(said, r"stood still at [\d.e-]+ of the loads")

    def test_bad_requests(self):
        self.assertIn("did you mean 'chain-3r'", self.failure(ROD, "--method", "chain-3"))
        self.assertIn("newton alone", self.failure(ROD, "--method", "chain-1r", "--rest-from-pose"))
        follower = "[[force]]\nvector = [0, 1, 0]\nfollower = true\n"
        self.assertIn("follower loads", self.failure(ROD + follower, "--method", "chain-1r"))


    def test_what_is_left_out_is_said(self):
        wind = self.pose(ROD + '[wind]\nkind = "uniform"\nmean = [5, 0, 0]\n')
        self.assertTrue(any("wind is left out" in note["message"] for note in wind["notes"]))
        self.assertEqual(self.pose(ROD)["notes"], [])
        free = self.write("free.toml", ROD + 'root = "free"\n')
        for command in ["pose", "modes"]:
            self.assert_refused(thigmo(command, free), "nothing holds the plant")

    def test_coarse_bends_are_said(self):
        strong = WEIGHTLESS + ROD.replace("segments = 100", "segments = 3") + f"""\
[[force]]
moment = [0, 0, {3 * BENDING}]
"""
        self.assertTrue(any("degrees" in note["message"]
                            for note in self.pose(strong)["notes"]))

    def test_loads_that_turn_along_do_so_with_the_section_where_they_act(self):
        """Half way up a stem that goes on: errors fall with the square of a segment."""
        def tip(segments):
            text = ROD.replace("segments = 100", f"segments = {segments}") + """\
[[force]]
at = 0.5
vector = [40, 0, 0]
moment = [0, 0, 6]
follower = true
"""
            return self.pose(WEIGHTLESS + text)["probes"]["tip"]["position"]

        tips = [tip(segments) for segments in (10, 20, 40, 80)]
        steps = [math.dist(a, b) for a, b in zip(tips, tips[1:])]
        self.assertLess(steps[0], 2e-3)
        for coarse, fine in zip(steps, steps[1:]):
            self.assertGreater(coarse / fine, 3.5)

    def test_what_holds_a_foot_takes_the_loads_on_it(self):
        for segments in (10, 40):
            text = ROD.replace("segments = 100", f"segments = {segments}") + """\
[[force]]
at = 0.0
moment = [0, 0, 0.5]
follower = true
"""
            tip = self.pose(WEIGHTLESS + text)["probes"]["tip"]["position"]
            self.assertLess(math.dist(tip, [1, 0, 0]), 1e-12)

    def test_joints_without_springs_are_named(self):
        self.write("pendulum.abs", "B J(0,0,3.1416, 0,0,0.3, 0,0,0)"
                                   "B(0.5, 0,0.4,0, 0,0.4,0, 0.11,0.005,0.11)\n")
        scene = self.write("pendulum.toml", '[[plant]]\ngrammar = "pendulum.abs"\n')
        for command in ("pose", "modes"):
            result = thigmo(command, scene)
            self.assertEqual(result.returncode, 1)
            self.assertIn("spring of 0", result.stderr)
            self.assertIn("hint: give the joint a small spring", result.stderr)

    def test_stated_bodies_keep_their_loads(self):
        """Three links of an articulated string: what turns the first leaves the second joint alone."""
        self.write("links.abs", LINKS)
        pose = self.pose(WEIGHTLESS + """\
[[plant]]
grammar = "links.abs"
start = "rest"
[[force]]
at = 0
moment = [0, 0, -3]
follower = true
[[probe]]
name = "first"
at = 0
[[probe]]
name = "second"
at = 1
""")
        first, second = (pose["probes"][name]["rotation"] for name in ("first", "second"))
        self.assertGreater(math.dist(first, [1, 0, 0, 0]), 0.01)
        self.assertLess(math.dist(first, second), 1e-9)

    def test_a_branch_is_a_direction(self):
        scene = self.write("scene.toml", ROD)
        for branch in (["0", "0", "0"], ["nan", "0", "0"], ["inf", "0", "0"]):
            self.assert_refused(thigmo("pose", scene, "--branch", *branch), "direction to fall to")
        self.assert_refused(thigmo("pose", scene, "--rest-from-pose", "--branch", "1", "0", "0"),
                            "no branch")


class Modes(CliTestCase):
    # beta^2 sqrt(E I / rho A) / 2 pi, both planes of a round rod.
    FIRST = 1.8751040687**2 * math.sqrt(BENDING / (1000 * math.pi * 1e-4)) / (2 * math.pi)

    def modes(self, text, *options):
        result = thigmo("modes", self.write("scene.toml", text), "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_frequencies(self):
        found = self.modes(WEIGHTLESS + ROD, "--count", 4)["frequencies_hz"]
        self.assertEqual(len(found), 4)
        for frequency, ratio in zip(found, [1, 1, 6.2669, 6.2669]):
            self.assertAlmostEqual(frequency / (self.FIRST * ratio), 1, delta=2e-3)

    def test_about_rest_leaves_gravity_out(self):
        standing = ROD.replace("direction = [1, 0, 0]\nup = [0, 1, 0]", "direction = [0, 1, 0]")
        rest = self.modes(standing, "--about", "rest", "--count", 1)["frequencies_hz"][0]
        loaded = self.modes(standing, "--count", 1)["frequencies_hz"][0]
        self.assertAlmostEqual(rest / self.FIRST, 1, delta=2e-3)
        self.assertLess(loaded, 0.98 * rest)

    def test_every_mode_is_a_looping_animation_and_a_picture(self):
        found = self.modes(WEIGHTLESS + ROD, "--count", 2, "--out", self.folder / "out",
                           "--set", "plant.0.segments=12")
        self.assertEqual(len(found["frequencies_hz"]), 2)
        for number in [1, 2]:
            picture = (self.folder / "out" / f"mode_{number}.png").read_bytes()
            self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
            glb = (self.folder / "out" / f"mode_{number}.glb").read_bytes()
            self.assertEqual(glb[:4], b"glTF")
            length = struct.unpack_from("<I", glb, 12)[0]
            gltf = json.loads(glb[20:20 + length])
            binary = 20 + length + 8
            self.assertEqual(len(gltf["animations"]), 1)
            turns = 0
            for channel in gltf["animations"][0]["channels"]:
                if channel["target"]["path"] != "rotation":
                    continue
                sampler = gltf["animations"][0]["samplers"][channel["sampler"]]
                accessor = gltf["accessors"][sampler["output"]]
                view = gltf["bufferViews"][accessor["bufferView"]]
                start = binary + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
                values = struct.unpack_from(f"<{4 * accessor['count']}f", glb, start)
                first, last = values[:4], values[-4:]
                # It ends as it began, q and -q being the same turn.
                self.assertAlmostEqual(abs(sum(a * b for a, b in zip(first, last))), 1, delta=1e-6)
                middle = values[4 * (accessor["count"] // 4):][:4]
                turns += abs(sum(a * b for a, b in zip(first, middle))) < 1 - 1e-6
            self.assertGreater(turns, 3)

    def failure(self, text, *options):
        out = self.folder / "nothing"
        result = thigmo("modes", self.write("scene.toml", text), "--json", "--out", out, *options)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(json.loads(result.stdout)["errors"]), 1)
        self.assertFalse(out.exists())
        return result.stderr

    def test_a_plant_that_falls_has_none(self):
        # Greenhill: rho g A L^3 / E I = 7.84 falls; this is 39.
        tall = ROD.replace("direction = [1, 0, 0]\nup = [0, 1, 0]", "direction = [0, 1, 0]")
        said = self.failure(tall.replace("young = 1e9", "young = 1e7"))
        self.assertIn("does not stand", said)

    def test_bad_requests(self):
        self.assertIn("not \"sideways\"", self.failure(ROD, "--about", "sideways"))
        self.assertIn("modes cannot be asked for", self.failure(ROD, "--count", 0))
        self.assertIn("no plant named 'bem'", self.failure(ROD, "--plant", "bem"))


    def test_wood_that_cannot_be_is_refused_and_repairs_are_told(self):
        tree = self.write("tree.json", '{"xyz": [[0, 0, 0], [0, 0, 1]], "parent": [-1, 0], "radius": [0.1, 0]}')
        self.assert_refused(thigmo("modes", tree, "--young", "-1"), "Young's modulus")
        self.assert_refused(thigmo("modes", tree, "--density", "nan"), "density")
        self.assert_refused(thigmo("modes", tree, "--poisson", "0.7"), "Poisson")
        result = thigmo("modes", tree, "--count", 2)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("width", result.stderr)


class Validate(CliTestCase):
    def test_plots(self):
        result = thigmo("validate", "static_convergence", "--plots", self.folder)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertTrue((self.folder / "static_convergence.png").stat().st_size > 1000)
        result = thigmo("validate", "static_convergence", "--plots", self.folder / "missing")
        self.assertEqual(result.returncode, 1)
        self.assertIn("missing", result.stderr)


if __name__ == "__main__":
    unittest.main()
