"""The forms of the command line that others build on."""
import csv
import json
import math
import os
import signal
import struct
import subprocess
import unittest

from thigmo_cli import ROD, THIGMO, CliTestCase, thigmo


class Help(unittest.TestCase):
    def test_every_subcommand_has_help_with_an_example(self):
        text = thigmo("--help").stdout
        for subcommand in ["derive", "check", "convert", "render", "gallery", "run", "validate", "bench"]:
            self.assertIn(subcommand, text)
            result = thigmo(subcommand, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn(f"thigmo {subcommand}", result.stdout)
            self.assertIn("xample", result.stdout)

    def test_version(self):
        result = thigmo("--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"\d+\.\d+\.\d+")


class Derive(CliTestCase):
    # ABOP fig. 1.24a: 5 steps of F -> F[+F]F[-F]F from F; each step makes 5 F of one.
    GRAMMAR = "derivation length: 5\nangle: 25.7\nAxiom: F\nF --> F[+F]F[-F]F\n"

    def test_json(self):
        result = thigmo("derive", self.write("plant.lsys", self.GRAMMAR), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        derived = json.loads(result.stdout)
        # Each F brings 2 turns and 4 brackets, at every step: (5^5 - 1) / 4 times.
        rewrites = (5**5 - 1) // 4
        self.assertEqual(derived["counts"]["F"], 5**5)
        self.assertEqual(derived["length"], 5**5 + 6 * rewrites)
        self.assertEqual(derived["segments"], 5**5)
        # The straight way up: 3^5 units.
        self.assertAlmostEqual(derived["bbox_max"][1], 3**5, delta=1e-9)
        self.assertEqual(derived["bbox_min"][1], 0)

    def test_steps_and_string(self):
        grammar = self.write("plant.lsys", self.GRAMMAR)
        result = thigmo("derive", grammar, "--steps", 1, "--string")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.strip(), "F[+F]F[-F]F")

    def test_angle(self):
        grammar = self.write("plant.lsys", "Axiom: F+F\n")
        derived = json.loads(thigmo("derive", grammar, "--angle", 90, "--json").stdout)
        self.assertAlmostEqual(derived["bbox_min"][0], -1, delta=1e-12)  # + turns to the left: -x
        self.assertAlmostEqual(derived["bbox_max"][1], 1, delta=1e-12)


    def test_explain_names_rule_step_and_parent(self):
        grammar = self.write("plant.lsys", self.GRAMMAR)
        result = thigmo("derive", grammar, "--steps", 1, "--explain")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.strip().splitlines()
        self.assertEqual(len(lines), len("F[+F]F[-F]F"))
        self.assertIn("F --> F[+F]F[-F]F", lines[0])

    def test_constants_can_be_set(self):
        grammar = self.write("plant.lsys", "#define L 1\nAxiom: F(L)\n")
        derived = json.loads(thigmo("derive", grammar, "--set", "L=3", "--json").stdout)
        self.assertAlmostEqual(derived["bbox_max"][1], 3, delta=1e-12)

    def test_a_byte_order_mark_is_passed_over(self):
        grammar = self.write("plant.lsys", "\ufeffAxiom: FF\n")
        self.assertEqual(json.loads(thigmo("derive", grammar, "--json").stdout)["length"], 2)

    def test_expectations_that_fail_are_said(self):
        grammar = self.write("plant.lsys", "expect length 3\nAxiom: FF\n")
        self.assertIn("expect length 3", thigmo("derive", grammar).stderr)

    def test_limits_are_options(self):
        grammar = self.write("plant.lsys", self.GRAMMAR)
        result = thigmo("derive", grammar, "--max-symbols", 100)
        self.assertEqual(result.returncode, 1)
        self.assertIn("100", result.stderr)

    def test_watch_derives_again_on_save(self):
        grammar = self.write("plant.lsys", "Axiom: F\n")
        process = subprocess.Popen([THIGMO, "derive", str(grammar), "--watch"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        try:
            self.assertIn("1 symbols, 1 segments", process.stdout.readline())
            stamp = grammar.stat().st_mtime + 5
            grammar.write_text("Axiom: FFF\n")
            os.utime(grammar, (stamp, stamp))
            self.assertIn("3 symbols, 3 segments", process.stdout.readline())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=30), 130)
        finally:
            process.kill()
            process.stdout.close()


class Check(CliTestCase):
    def test_a_sound_grammar(self):
        result = thigmo("check", self.write("plant.lsys", Derive.GRAMMAR))
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("0 errors, 0 warnings", result.stdout)

    def test_all_complaints_at_once(self):
        grammar = self.write("plant.lsys", "Axiom: A\nA --> F(1,\nB --> F(2,+F\n")
        result = thigmo("check", grammar)
        self.assertEqual(result.returncode, 1)
        self.assertIn("plant.lsys:2:", result.stdout)
        self.assertIn("plant.lsys:3:", result.stdout)


class Convert(CliTestCase):
    GRAMMAR = "Axiom: F(1)[+(40)F(0.5)~l(0.1)]F(0.7)\n"

    def convert(self, source, target, *options):
        result = thigmo("convert", source, self.folder / target, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.folder / target

    def test_every_still_format(self):
        grammar = self.write("plant.lsys", self.GRAMMAR)
        for ending in ["glb", "usda", "obj", "ply", "geo", "json", "csv"]:
            with self.subTest(ending):
                self.assertGreater(self.convert(grammar, f"tree.{ending}").stat().st_size, 50)

    def test_lines_come_back_with_their_lengths(self):
        grammar = self.write("plant.lsys", self.GRAMMAR)
        for ending in ["geo", "json", "csv"]:
            with self.subTest(ending):
                there = self.convert(grammar, f"there.{ending}")
                with open(self.convert(there, "back.csv"), newline="") as file:
                    lengths = sorted(float(row["length"]) for row in csv.DictReader(file))
                for length, expected in zip(lengths, [0.5, 0.7, 1.0], strict=True):
                    self.assertAlmostEqual(length, expected, delta=1e-6)

    def test_unknown_formats_are_refused(self):
        grammar = self.write("plant.lsys", self.GRAMMAR)
        for source, target in [(grammar, "tree.xyz"), (self.folder / "tree.xyz", "tree.glb")]:
            result = thigmo("convert", source, self.folder / target)
            self.assertEqual(result.returncode, 1)
            self.assertIn("tree.xyz", result.stderr)


    def test_a_file_that_may_not_grow_leaves_nothing(self):
        source = self.write("tree.lsys", "Axiom: A\nderivation length: 12\nA --> F(1)[+A][-A]\n")
        target = self.folder / "tree.obj"
        result = subprocess.run(["bash", "-c", f"ulimit -f 20; exec {THIGMO} convert {source} {target}"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("error:", result.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["tree.lsys"])


class Run(CliTestCase):
    def run_json(self, *options):
        scenario = self.write("scene.toml", ROD)
        result = thigmo("run", scenario, "--out", self.out, "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_summary(self):
        summary = self.run_json()
        self.assertEqual(summary["segments"], 10)
        self.assertEqual(summary["steps"], 50)
        self.assertAlmostEqual(summary["simulated_seconds"], 0.5, delta=1e-9)
        self.assertGreater(summary["wall_seconds"], 0)
        self.assertAlmostEqual(summary["real_time_factor"] * summary["wall_seconds"], 0.5,
                               delta=0.01)
        self.assertIs(summary["finite"], True)
        self.assertEqual(summary["rejected_steps"], 0)

    def test_braked_joints_are_counted(self):
        scenario = self.write("whirl.toml", """\
duration = 0.05
[[plant]]
kind = "rod"
segments = 6
root = "free"
spin = [0, 0, 1e9]
""")
        result = thigmo("run", scenario, "--out", self.out, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(json.loads(result.stdout)["braked_joints"], 0)

    def test_every_moving_format(self):
        outputs = "".join(f'[[output]]\nfile = "beam.{ending}"\nrate = 4\n'
                          for ending in ["glb", "usda", "obj", "geo", "pc2", "mdd", "vat", "pp2"])
        scenario = self.write("scene.toml", ROD + outputs)
        result = thigmo("run", scenario, "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        for name in ["beam.glb", "beam.usda", "beam.0000.obj", "beam.0002.geo", "beam.pc2",
                     "beam.mdd", "beam_offsets.png", "beam_normals.png", "beam.json",
                     "beam_pivots.exr", "beam_axes.exr"]:
            self.assertGreater((self.out / name).stat().st_size, 0, name)

    def test_frames_are_at_their_times_between_steps_too(self):
        """A swinging rod, in frames of 24 a second: steps of 1/60 s show it where finer ones do."""
        def frames(step, rate):
            scenario = self.write("swing.toml", f"""\
duration = 0.5
step = {step}
[[plant]]
kind = "rod"
segments = 3
young = 5e6
direction = [1, 1, 0]
start = "rest"
[[output]]
file = "swing.mdd"
rate = {rate}
""")
            result = thigmo("run", scenario, "--out", self.out)
            self.assertEqual(result.returncode, 0, result.stderr)
            data = (self.out / "swing.mdd").read_bytes()
            count, points = struct.unpack(">2i", data[:8])
            times = struct.unpack(f">{count}f", data[8:8 + 4 * count])
            body = struct.unpack(f">{count * points * 3}f", data[8 + 4 * count:])
            return times, [body[k * points * 3:(k + 1) * points * 3] for k in range(count)]

        times, coarse = frames("0.016666666666666666", 24)
        for k, time in enumerate(times):
            self.assertAlmostEqual(time, k / 24, delta=1e-6)
        _, fine = frames("0.0020833333333333333", 24)  # twenty steps a frame
        moved = max(abs(a - b) for a, b in zip(coarse[0], coarse[6]))
        self.assertGreater(moved, 0.05)
        for a, b in zip(coarse, fine):
            # The step's own error; half a step's way would be a hundred times as much.
            self.assertLess(max(abs(x - y) for x, y in zip(a, b)), 2e-3)
        self.assertEqual(len(frames("0.016666666666666666", 240)[0]), 121)

    def test_probes_csv_has_a_row_per_step(self):
        summary = self.run_json()
        with open(self.out / "probes.csv", newline="") as file:
            header, *rows = csv.reader(file)
        self.assertEqual(header,
                         ["time", "tip.x", "tip.y", "tip.z", "tip.vx", "tip.vy", "tip.vz"])
        self.assertEqual(len(rows), summary["steps"])
        numbers = [[float(cell) for cell in row] for row in rows]
        self.assertTrue(all(map(math.isfinite, sum(numbers, []))))
        self.assertAlmostEqual(numbers[-1][0], 0.5, delta=1e-9)
        self.assertEqual(numbers[-1][1:4], summary["probes"]["tip"]["position"])
        self.assertEqual(numbers[-1][4:7], summary["probes"]["tip"]["velocity"])

    def test_same_bits_for_any_number_of_threads(self):
        hashes = {self.run_json("--threads", n)["state_hash"] for n in (1, 1, 2, 4)}
        self.assertEqual(len(hashes), 1)

    def test_set_changes_the_run(self):
        before = self.run_json()
        after = self.run_json("--set", "wind.mean=[0,0,9]")
        self.assertNotEqual(before["state_hash"], after["state_hash"])
        self.assertEqual(self.run_json("--set", "duration=0.1")["steps"], 10)


if __name__ == "__main__":
    unittest.main()
