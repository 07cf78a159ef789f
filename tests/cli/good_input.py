"""The forms of the command line that others build on."""
import csv
import json
import math
import unittest

from thigmo_cli import ROD, CliTestCase, thigmo


class Help(unittest.TestCase):
    def test_every_subcommand_has_help_with_an_example(self):
        text = thigmo("--help").stdout
        for subcommand in ["derive", "run", "validate", "bench"]:
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
