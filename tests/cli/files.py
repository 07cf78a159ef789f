"""Trees from files that move, and files of other programs, by the command line."""
import csv
import json
import os
import signal
import subprocess
import unittest

from thigmo_cli import ROOT, THIGMO, CliTestCase, thigmo

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
                summary, moved = self.run_tree(f'file = "tree{ending}"\npieces = 1')
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
        summary, moved = self.run_tree(
            f'file = "{tree}"\nspecies = "oak"\npieces = 1\nposition = [1, 0, 2]', 0.3)
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

    def test_bars_are_cut_until_their_frequencies_are_right(self):
        """P1 of the oracles: a file's bars bend in five places, counted as the file counts them."""
        oracle = json.loads((ROOT / "tests" / "data" / "physics.json").read_text())
        frame = next(o for o in oracle["oracles"] if o["id"] == "P1_branched")["oracle"]["Y_asymmetric"]
        ends, rows = [(0.0, 0.0, 0.0)], ["id,parent,x0,y0,z0,x1,y1,z1,radius"]
        for bar in frame["segments"]:
            start = ends[bar["parent_node"]]
            ends.append(tuple(a + b for a, b in zip(start, bar["vec"])))
            rows.append(",".join(map(str, (len(rows), bar["parent_node"], *start, *ends[-1], bar["radius"]))))
        self.write("frame.csv", "\n".join(rows))
        scenario = self.write("frame.toml", f"""\
gravity = [0, 0, 0]
duration = 0.02
[[plant]]
file = "frame.csv"
up_axis = "y"
young = {frame["E"]}
density = {frame["rho"]}
poisson = 0.3
[[probe]]
name = "arm"
at = 2
""")
        result = thigmo("modes", scenario, "--count", 4, "--about", "rest", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        for measured, exact in zip(json.loads(result.stdout)["frequencies_hz"], frame["freq_hz"]):
            self.assertAlmostEqual(measured / exact, 1, delta=0.01)
        result = thigmo("run", scenario, "--out", self.out, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout)
        self.assertEqual(summary["segments"], 15)
        for measured, exact in zip(summary["probes"]["arm"]["position"], ends[3]):
            self.assertAlmostEqual(measured, exact, delta=1e-9)

    def test_columns_of_a_file_come_out_of_its_motion(self):
        """Each piece of a cut segment has what the segment had; masses are those that moved."""
        self.write("tree.csv", "x,y,z,radius,parent,id,health,mass,word\n0,0,0,0.01,0,1,9,100,foot\n"
                               "0,1,0,0.01,1,2,0.25,100,old\n0.5,1.5,0,0.005,2,3,0.75,100,new\n")
        scenario = self.write("tree.toml", """\
duration = 0.1
[[plant]]
file = "tree.csv"
pieces = 2
[[output]]
file = "moved.csv"
rate = 10
[[output]]
file = "moved.geo"
rate = 10
""")
        self.assertEqual(thigmo("run", scenario, "--out", self.out).returncode, 0)
        converted = thigmo("convert", scenario, self.folder / "converted.csv", "--rate", 10)
        self.assertEqual(converted.returncode, 0, converted.stderr)
        for name in [self.out / "moved.0001.csv", self.folder / "converted.0001.csv"]:
            with open(name, newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual([float(row["health"]) for row in rows], [0.25, 0.25, 0.75, 0.75])
            self.assertEqual([row["word"] for row in rows], ["old", "old", "new", "new"])
            self.assertNotIn("100", [row.get("mass") for row in rows])
        geo = (self.out / "moved.0001.geo").read_text()
        self.assertEqual(geo.count("health"), 1)
        self.assertIn("0.75", geo)

    def test_restored_runs_number_frames_by_their_time(self):
        scenario = self.write("rod.toml", """\
duration = 0.3
[[plant]]
kind = "rod"
[[output]]
file = "rod.csv"
rate = 10
""")
        whole, half = self.folder / "whole", self.folder / "half"
        self.assertEqual(thigmo("run", scenario, "--out", whole).returncode, 0)
        snapshot = self.folder / "snapshot"
        self.assertEqual(thigmo("run", scenario, "--set", "duration=0.15", "--out", half, "--save",
                                snapshot).returncode, 0)
        result = thigmo("run", scenario, "--out", half, "--restore", snapshot)
        self.assertEqual(result.returncode, 0, result.stderr)
        names = [f"rod.000{k}.csv" for k in range(4)]
        self.assertEqual(sorted(path.name for path in half.glob("rod*")), names)
        for name in names:
            self.assertEqual((half / name).read_text(), (whole / name).read_text(), name)

    def test_a_run_does_not_write_over_what_it_reads(self):
        tree = self.write("tree.0000.csv", "x,y,z,radius,parent,id\n0,0,0,0.01,0,1\n0,2,0,0.01,1,2\n")
        before = tree.read_text()
        scenario = self.write("tree.toml", 'duration = 0.1\n[[plant]]\nfile = "tree.0000.csv"\n'
                                           '[[output]]\nfile = "tree.csv"\n')
        self.assert_refused(thigmo("run", scenario, "--out", self.folder), "is a file that is read")
        self.assertEqual(tree.read_text(), before)
        self.write("path.csv", "0 0 0 0\n1 1 0 0\n")
        moved = self.write("moved.toml", 'duration = 0.01\n[[plant]]\nkind = "rod"\n[[motion]]\n'
                                         'file = "path.csv"\n[[output]]\nfile = "path.csv"\n')
        self.assert_refused(thigmo("run", moved, "--out", self.folder), "is a file that is read")

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

    def test_byte_order_marks_of_what_a_scenario_names(self):
        (self.folder / "tree.lsys").write_text("\ufeffAxiom: F(1)F(1)\n", encoding="utf-8")
        (self.folder / "path.csv").write_text("\ufeff0,0,0,0\n1,0.1,0,0\n", encoding="utf-8")
        (self.folder / "marked.toml").write_text("""\
\ufeffduration = 0.1
[[plant]]
grammar = "tree.lsys"
[[motion]]
file = "path.csv"
""", encoding="utf-8")
        result = thigmo("run", self.folder / "marked.toml", "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)


class Converting(CliTestCase):
    GRAMMAR = "width: 0.02\nAxiom: F(0.5)[+(50)F(0.3)~l(0.1)]F(0.5)\n"

    def convert(self, source, target, *options):
        result = thigmo("convert", source, self.folder / target, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / target, result.stdout

    def scenario(self, duration=0.5):
        self.write("plant.lsys", self.GRAMMAR)
        return self.write("plant.toml", f"""\
duration = {duration}
[wind]
kind = "uniform"
mean = [12, 0, 0]
[[plant]]
grammar = "plant.lsys"
""")

    def test_a_scenario_becomes_its_motion(self):
        _, words = self.convert(self.scenario(), "a.csv", "--rate", 10)
        self.assertIn("6 frames", words)
        frames = [(self.folder / f"a.{i:04}.csv").read_text() for i in range(6)]
        self.assertEqual(len(set(frames)), 6)

    def test_few_joints_tell_their_error(self):
        whole, _ = self.convert(self.scenario(), "whole.glb")
        few, words = self.convert(self.scenario(), "few.glb", "--max-joints", 2)
        self.assertRegex(words, r"3 segments on 2 joints; tips stray by at most [0-9.e-]+ m")
        self.assertLess(few.stat().st_size, whole.stat().st_size)
        _, words = self.convert(few, "few.csv")
        self.assertIn("3 segments", words)
        self.assertNotIn("roots", words)

    def test_a_comparison_of_joints(self):
        self.convert(self.scenario(), "few.glb", "--max-joints", 2, "--compare",
                     self.folder / "both.png", "--compare-size", 32)
        head = (self.folder / "both.png").read_bytes()[16:24]
        self.assertEqual(int.from_bytes(head[:4], "big"), 12 + 2 * (32 + 12))

    def test_nothing_to_compare(self):
        result = thigmo("convert", self.scenario(), self.folder / "a.glb", "--compare",
                        self.folder / "both.png")
        self.assertEqual(result.returncode, 1)
        self.assertIn("nothing was merged", result.stderr)

    def test_columns_of_other_programs_are_kept(self):
        tree = self.write("a.geo", """\
PGEOMETRY V5
NPoints 3 NPrims 2
NPointGroups 0 NPrimGroups 0
NPointAttrib 0 NVertexAttrib 0 NPrimAttrib 2 NAttrib 0
0 0 0 1
0 1 0 1
0 2 0 1
PrimitiveAttrib
vigour 1 float 0
plot 1 index 2 "north" "south"
Run 2 Poly
 2 : 0 1 [0.25 0]
 2 : 1 2 [0.75 1]
beginExtra
endExtra
""")
        middle, _ = self.convert(tree, "b.json")
        last, _ = self.convert(middle, "c.geo")
        text = last.read_text()
        for word in ["vigour", "0.25", "0.75", "plot", "north", "south"]:
            self.assertIn(word, text)

    def test_organs_take_the_users_mesh(self):
        # A square of two triangles, one unit long: four vertices where our own leaf has more.
        self.write("leaf.obj", "v -0.2 0 0\nv 0.2 0 0\nv 0.2 1 0\nv -0.2 1 0\nf 1 2 3 4\n")
        grammar = self.write("plant.lsys", self.GRAMMAR)
        self.convert(grammar, "none.obj", "--leaf-share", 0.0001)
        glb, _ = self.convert(self.write("stick.lsys", "width: 0.3\nAxiom: F(1)\n"), "stick.glb")
        counts = {}
        for name, options in [("own", []), ("obj", ["--organ", f"leaf={self.folder}/leaf.obj"]),
                              ("glb", ["--organ", f"leaf={glb}"])]:
            mesh, _ = self.convert(grammar, f"{name}.obj", *options)
            counts[name] = sum(line.startswith("v ") for line in mesh.read_text().splitlines())
        bare = sum(line.startswith("v ")
                   for line in (self.folder / "none.obj").read_text().splitlines())
        self.assertEqual(counts["obj"], bare + 4)
        self.assertGreater(counts["own"], counts["obj"])
        self.assertGreater(counts["glb"], bare + 4)
        self.assertNotEqual(counts["glb"], counts["own"])

    def test_organs_of_a_scenario(self):
        self.write("leaf.obj", "v -0.2 0 0\nv 0.2 0 0\nv 0 1 0\nf 1 2 3\n")
        scenario = self.scenario(0.1)
        plain, _ = self.convert(scenario, "a.glb")
        scenario.write_text(scenario.read_text() + '[[organ]]\nkind = "leaf"\nfile = "leaf.obj"\n')
        own, _ = self.convert(scenario, "b.glb")
        self.assertLess(own.stat().st_size, plain.stat().st_size)

    def test_detail(self):
        grammar = self.write("plant.lsys", self.GRAMMAR)
        sizes = [self.convert(grammar, f"{k}.ply", *options)[0].stat().st_size
                 for k, options in enumerate([["--sides", 24], [], ["--sides", 4]])]
        self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_welded_branches_are_counted(self):
        grammar = self.write("plant.lsys", self.GRAMMAR)
        apart, _ = self.convert(grammar, "apart.obj")
        welded, words = self.convert(grammar, "welded.obj", "--weld")
        self.assertIn("1 of 1 side branches are welded", words)
        self.assertNotEqual(apart.read_text(), welded.read_text())

    def test_a_scenario_welds_where_it_says_so(self):
        sizes = []
        for weld in ["false", "true"]:
            scenario = self.scenario(0.1)
            scenario.write_text(scenario.read_text() + f"""\
[[output]]
file = "tree.glb"
weld = {weld}
""")
            result = thigmo("run", scenario, "--out", self.out)
            self.assertEqual(result.returncode, 0, result.stderr)
            sizes.append((self.out / "tree.glb").stat().st_size)
        self.assertNotEqual(*sizes)

    def test_every_style_of_usd(self):
        texts = {}
        for style, word in [("skeleton", "SkelRoot"), ("points", "timeSamples"),
                            ("curves", "BasisCurves")]:
            file, _ = self.convert(self.scenario(0.1), f"{style}.usda", "--style", style)
            texts[style] = file.read_text()
            self.assertIn(word, texts[style])
        self.assertNotIn("SkelRoot", texts["points"])
        self.assertIn("PointInstancer", texts["curves"])

    def test_scanned_cylinders_survive_geo(self):
        # Branches of a scan start anywhere along their parents.
        tree = self.write("scan.csv", """\
id,parent,start_x,start_y,start_z,end_x,end_y,end_z,radius
1,0,0,0,0,0,0,2,0.1
2,1,0,0,1.25,0.5,0,1.75,0.05
3,2,0.5,0,1.75,0.75,0,2.5,0.025
""")
        direct, _ = self.convert(tree, "direct.csv")
        rows = [[float(cell) for cell in row.split(",")] for row in direct.read_text().splitlines()[1:]]
        for ending in ["geo", "json"]:
            middle, _ = self.convert(tree, f"middle.{ending}")
            back, _ = self.convert(middle, f"{ending}.csv")
            for row, line in zip(rows, back.read_text().splitlines()[1:]):
                for a, b in zip(row, line.split(",")):
                    self.assertAlmostEqual(a, float(b), delta=1e-12)

    def test_several_plants_are_one_table(self):
        self.write("plant.lsys", self.GRAMMAR)
        forest = self.write("forest.toml", """\
duration = 0.1
[[plant]]
grammar = "plant.lsys"
[[plant]]
grammar = "plant.lsys"
position = [3, 0, 0]
""")
        self.convert(forest, "a.csv", "--rate", 10)
        rows = (self.folder / "a.0000.csv").read_text().splitlines()
        self.assertEqual([row.split(",")[0] for row in rows],
                         ["id", "1", "2", "3", "4", "5", "6"])
        self.assertEqual(rows[0].split(",")[-1], "plant")
        self.assertEqual([row.split(",")[-1] for row in rows[1:]], list("111222"))
        _, words = self.convert(self.folder / "a.0000.csv", "b.csv")
        self.assertIn("6 segments", words)
        self.assertIn("2 roots", words)


class Interrupted(CliTestCase):
    def interrupt(self, *arguments):
        """Starts a command, waits for its first words, and presses Ctrl-C."""
        process = subprocess.Popen([THIGMO, *map(str, arguments)], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            self.assertTrue(process.stderr.readline())
            process.send_signal(signal.SIGINT)
            words = process.stderr.read()
            self.assertEqual(process.wait(timeout=60), 130, words)
            self.assertIn("interrupted", words)
        finally:
            process.kill()
            process.stderr.close()
        self.assertEqual(self.files_left(), [])

    def test_convert_leaves_no_half_file(self):
        self.out.mkdir()
        scenario = Converting.scenario(self, 100000)
        self.interrupt("convert", scenario, self.out / "a.glb", "--rate", 1)

    def test_every_writer_leaves_no_half_file(self):
        """Interrupted while it writes: whole frames may stay, a part of a file or a temporary one not."""
        scenario = self.write("forked.toml", f"""\
duration = 0.46
[wind]
kind = "uniform"
mean = [3, 0, 0]
[[plant]]
grammar = "{ROOT}/bench/models/forked.lsys"
species = "oak"
steps = 12
""")
        self.out.mkdir()
        for ending in ["glb", "usda", "obj", "ply", "geo", "json", "csv", "pc2", "mdd", "vat"]:
            with self.subTest(ending):
                process = subprocess.Popen(
                    [THIGMO, "convert", scenario, self.out / f"a.{ending}", "--rate", "50"],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                    text=True)
                for line in process.stderr:
                    if "writing" in line:
                        process.send_signal(signal.SIGINT)
                        break
                words = process.stderr.read()
                process.stderr.close()
                self.assertEqual(process.wait(timeout=60), 130, words)
                sizes = set()
                for name in self.out.iterdir():
                    self.assertRegex(name.name, rf"^a\.\d{{4}}\.{ending}$")
                    sizes.add(name.stat().st_size)
                    name.unlink()
                if ending == "ply":  # the same number of vertices in every frame
                    self.assertLessEqual(len(sizes), 1)

    GRAMMAR = Converting.GRAMMAR

    def test_gallery_leaves_no_half_file(self):
        self.out.mkdir()
        for k in range(40):
            self.write(f"{k}.lsys", self.GRAMMAR)
        self.interrupt("gallery", self.folder, "--sheet", self.out / "a.png", "--samples", 4000)


class UnwritableOutputs(CliTestCase):
    """Known before anything is simulated: the scenario would take minutes."""
    SCENARIO = """\
duration = 3600
[wind]
kind = "uniform"
mean = [4, 0, 0]
[[plant]]
kind = "rod"
segments = 2000
length = 2
radius = 0.01
[[output]]
file = "a.glb"
rate = 0.01
"""

    def refuse(self, *arguments, word="none"):
        result = thigmo(*arguments, timeout=10)
        self.assert_refused(result, word)
        self.assertNotIn("simulating", result.stderr)

    def test_convert(self):
        scenario = self.write("long.toml", self.SCENARIO)
        missing = self.folder / "none"
        self.refuse("convert", scenario, missing / "a.glb", "--rate", 0.01)
        self.refuse("convert", scenario, self.folder / "a.glb", "--rate", 0.01, "--max-joints", 9,
                    "--compare", missing / "a.png")
        (self.folder / "folder.glb").mkdir()
        self.refuse("convert", scenario, self.folder / "folder.glb", word="directory")

    def test_run(self):
        scenario = self.write("long.toml", self.SCENARIO)
        self.refuse("run", scenario, "--out", scenario / "none")
        self.refuse("run", scenario, "--out", self.folder / "runs", "--save",
                    self.folder / "none" / "end.snap")
        (self.folder / "taken" / "a.glb").mkdir(parents=True)
        self.refuse("run", scenario, "--out", self.folder / "taken", word="a.glb")

    def test_derived_names(self):
        """Frames, textures and what every run writes are known before the run as well."""
        for ending, derived in [("obj", "a.0007.obj"), ("csv", "a.0035.csv"), ("vat", "a_normals.png"),
                                ("vat", "a.json")]:
            with self.subTest(derived):
                scenario = self.write("long.toml", self.SCENARIO.replace("a.glb", f"a.{ending}"))
                taken = self.folder / f"taken {derived}"
                (taken / derived).mkdir(parents=True)
                self.refuse("run", scenario, "--out", taken, word=derived)
                self.refuse("convert", scenario, taken / f"a.{ending}", "--rate", 0.01, word=derived)
        (self.folder / "taken pp2" / "a_axes.exr").mkdir(parents=True)
        scenario = self.write("long.toml", self.SCENARIO.replace("a.glb", "a.pp2"))
        self.refuse("run", scenario, "--out", self.folder / "taken pp2", word="a_axes.exr")
        scenario = self.write("long.toml", self.SCENARIO)
        for name in ["probes.csv", "summary.json"]:
            (self.folder / f"taken {name}" / name).mkdir(parents=True)
            self.refuse("run", scenario, "--out", self.folder / f"taken {name}", word=name)

    def test_clashes(self):
        """Two outputs with names of their own may still write one file."""
        for first, second, file in [("a.vat", "a.json", "a.json"),
                                    ("a.vat", "a_offsets.png", "a_offsets.png"),
                                    ("a.obj", "a.0003.obj", "a.0003.obj"),
                                    ("probes.vat", "probes_normals.png", "probes_normals.png"),
                                    ("summary.vat", "a.glb", "summary.json")]:
            with self.subTest(first):
                rate = "" if second.endswith(".png") else "rate = 0.0001\n"
                scenario = self.write("long.toml", self.SCENARIO.replace("a.glb", first) +
                                      f'[[output]]\nfile = "{second}"\n{rate}')
                self.refuse("run", scenario, "--out", self.folder / "runs", word=file)
        scenario = self.write("long.toml", self.SCENARIO)
        self.refuse("run", scenario, "--out", self.folder / "runs", "--save",
                    self.folder / "long.toml" / ".." / "runs" / "a.glb", word="long.toml")
        self.refuse("run", scenario, "--out", self.folder / "runs", "--save",
                    self.folder / "runs" / ".." / "runs" / "a.glb", word="snapshot")

    def test_devices_and_too_many_files(self):
        scenario = self.write("long.toml", self.SCENARIO.replace("a.glb", "a.obj"))
        often = self.write("often.toml", scenario.read_text().replace("0.01", "1000"))
        self.refuse("run", often, "--out", self.folder / "runs", word="too many")
        self.refuse("convert", scenario, self.folder / "a.obj", "--rate", 1000, word="too many")
        os.mkfifo(self.folder / "pipe.glb")
        self.refuse("convert", scenario, self.folder / "pipe.glb", word="pipe")

    def test_pictures(self):
        scenario = self.write("long.toml", self.SCENARIO)
        self.refuse("render", scenario, "--frame", 3600, "-o", self.folder / "none" / "a.png")
        self.refuse("gallery", "--sheet", self.folder / "none" / "a.png")

    def test_a_disk_that_is_too_small(self):
        # 3.6e6 frames of 2000 segments are 400 GB; no disk of ours has them.
        scenario = self.write("long.toml", self.SCENARIO.replace("rate = 0.01", "rate = 1000"))
        self.refuse("run", scenario, "--out", self.folder / "runs", "--set", "duration=360000",
                    word="has room for")


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

    def test_bad_options_of_convert(self):
        grammar = self.write("a.lsys", "Axiom: F~l(1)\n")
        self.write("flat.obj", "v 0 -1 0\nv 1 -1 0\nv 1 -2 0\nf 1 2 3\n")
        for options, words in [(["--max-joints", 0], ["0 joints"]), (["--style", "mesh"], ["curves"]),
                               (["--sides", 2], ["2 sides"]), (["--leaf-share", 0], ["leaves"]),
                               (["--organ", "leaf=none.obj"], ["none.obj"]),
                               (["--organ", "wing=a.obj"], ["wing", "leaf"]),
                               (["--organ", f"leaf={self.folder}/flat.obj"], ["flat.obj", "y"])]:
            with self.subTest(options):
                self.assert_refused(thigmo("convert", grammar, self.out / "a.glb", *options), *words)

    def test_the_file_that_is_read_is_not_written_over(self):
        tree = self.write("tree.obj", "v 0 0 0\nv 0 1 0\nl 1 2\n")
        (self.folder / "link.obj").symlink_to(tree)
        (self.folder / "folder").mkdir()
        before = tree.read_text()
        for name in ["tree.obj", "folder/../tree.obj", "link.obj"]:
            for source, target in [(tree, self.folder / name), (self.folder / name, tree)]:
                result = thigmo("convert", source, target, "--lines")
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn("written over", result.stderr)
        self.assertEqual(tree.read_text(), before)
        self.assertTrue((self.folder / "link.obj").is_symlink())
        grammar = self.write("a.lsys", "Axiom: F~l(1)\n")
        scenario = self.write("a.toml", 'duration = 0.1\n[[plant]]\nfile = "tree.0002.obj"\n')
        (self.folder / "tree.0002.obj").write_text(before)
        leaf = self.write("leaf.obj", "v -0.2 0 0\nv 0.2 0 0\nv 0 1 0\nf 1 2 3\n")
        for source, target, options in [(grammar, leaf, ["--organ", f"leaf={leaf}"]),
                                        (scenario, tree, ["--lines"])]:
            result = thigmo("convert", source, target, *options)
            self.assertEqual(result.returncode, 1, result.stdout)
            self.assertIn("written over", result.stderr)
        self.assertEqual(tree.read_text(), before)
        self.assertNotIn("vn", leaf.read_text())

    def test_names_with_nul(self):
        self.write("tree", "v 0 0 0\nv 0 1 0\nl 1 2\n")
        self.refuse('file = "tree\\u0000.obj"', "NUL")
        self.write("tree.obj", "v 0 0 0\nv 0 1 0\nl 1 2\n")
        self.refuse('file = "tree.obj"\n[[output]]\nfile = "a\\u0000.glb"', "NUL")

    def test_keys_of_a_grammar_are_refused(self):
        self.write("tree.obj", "v 0 0 0\nv 0 1 0\nl 1 2\n")
        self.refuse('file = "tree.obj"\nsteps = 3', "steps")


if __name__ == "__main__":
    unittest.main()
