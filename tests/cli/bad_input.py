"""Bad input: exit code not 0, one clear message that says where, nothing half-written."""
import resource
import signal
import subprocess
import time
import unittest

from thigmo_cli import ROD, THIGMO, CliTestCase, thigmo


class BadFiles(CliTestCase):
    def run_text(self, text, *options):
        scenario = self.write("scene.toml", text)
        return thigmo("run", scenario, "--out", self.out, *options)

    def derive_text(self, text, *options):
        return thigmo("derive", self.write("plant.lsys", text), *options)

    def test_missing_scenario(self):
        self.assert_refused(thigmo("run", self.folder / "none.toml", "--out", self.out),
                            "none.toml")

    def test_missing_grammar(self):
        self.assert_refused(thigmo("derive", self.folder / "none.lsys"), "none.lsys")
        text = 'duration = 1\n[[plant]]\nname = "tree"\ngrammar = "none.lsys"\nspecies = "oak"\n'
        self.assert_refused(self.run_text(text), "none.lsys")

    def test_a_folder_is_no_scenario(self):
        self.assert_refused(thigmo("run", self.folder, "--out", self.out), str(self.folder))

    def test_syntax_error_in_scenario(self):
        result = self.run_text("duration = 1\nstep = = 2\n")
        self.assert_refused(result, "scene.toml:2:", "step = = 2", "^")

    def test_syntax_error_in_grammar(self):
        result = self.derive_text("Axiom: F\nF --> F(1,+F\n")
        self.assert_refused(result, "plant.lsys:2:", "F --> F(1,+F", "^")

    def test_binary_file(self):
        garbage = bytes(range(256)).decode("latin-1")
        self.assert_refused(self.run_text(garbage), "scene.toml:")

    def test_empty_scenario(self):
        self.assert_refused(self.run_text(""), "scene.toml")

    def test_unknown_key_is_suggested(self):
        for good, bad in [("duration", "durration"), ("segments", "segmnts"), ("mean", "meen")]:
            with self.subTest(bad):
                result = self.run_text(ROD.replace(f"{good} =", f"{bad} ="))
                self.assert_refused(result, "scene.toml:", bad, good, "^")

    def test_unknown_species_is_suggested(self):
        self.write("plant.lsys", "Axiom: F\n")
        text = '[[plant]]\nname = "tree"\ngrammar = "plant.lsys"\nspecies = "oack"\n'
        self.assert_refused(self.run_text(text), "oack", "oak")

    def test_impossible_numbers(self):
        for key in ["duration", "step", "segments", "length", "radius", "young", "density"]:
            for value in ["-1", "nan", "inf", '"ten"', "true", "[1]"]:
                with self.subTest(f"{key} = {value}"):
                    lines = [f"{key} = {value}" if line.startswith(f"{key} =") else line
                             for line in ROD.splitlines()]
                    self.assert_refused(self.run_text("\n".join(lines)), "scene.toml:", key)

    def test_impossible_vectors(self):
        for value in ["[nan, 0, 0]", "[1, 2]", "[1, 2, 3, 4]", "3"]:
            with self.subTest(value):
                result = self.run_text(ROD.replace("mean = [6, 0, 0]", f"mean = {value}"))
                self.assert_refused(result, "scene.toml:", "mean")

    def test_probe_of_an_unknown_plant(self):
        self.assert_refused(self.run_text(ROD.replace('plant = "beam"', 'plant = "beem"')),
                            "scene.toml:", "beem", "beam")

    def test_bad_overrides(self):
        for override in ["durration=1", "duration", "duration=", "duration=-1", "=1"]:
            with self.subTest(override):
                self.assert_refused(self.run_text(ROD, "--set", override))

    def test_an_out_folder_that_cannot_be_made(self):
        blocked = self.write("file", "not a folder") / "out"
        scenario = self.write("scene.toml", ROD)
        self.assert_refused(thigmo("run", scenario, "--out", blocked), str(blocked))

    def test_an_out_file_that_cannot_be_written(self):
        # A folder stands where probes.csv has to go.
        (self.out / "probes.csv").mkdir(parents=True)
        scenario = self.write("scene.toml", ROD)
        self.assert_refused(thigmo("run", scenario, "--out", self.out), "probes.csv")


class ExplodingGrammars(CliTestCase):
    def assert_refused_at_once(self, text):
        """Refused in seconds, and before much memory is used."""
        grammar = self.write("plant.lsys", text)
        process = subprocess.Popen([THIGMO, "derive", grammar], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started = time.monotonic()
        output, message = process.communicate(timeout=60)
        self.assertIn(process.returncode, range(1, 126), message)
        self.assertEqual(output, "")
        self.assertEqual(message.count("error:"), 1, message)
        self.assertLess(time.monotonic() - started, 20)
        # The largest child so far; the sanitizers alone take some 100 MB.
        peak_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(peak_kib, 1 << 20)

    def test_exponential_growth(self):
        self.assert_refused_at_once("derivation length: 60\nAxiom: F\nF --> FFFFFFFF\n")

    def test_growth_that_hides_behind_a_condition(self):
        self.assert_refused_at_once(
            "derivation length: 1000\nAxiom: A(0)\nA(n) : n >= 0 --> F A(n+1) A(n+2)\n")


    def test_an_expansion_that_makes_nothing(self):
        # Each letter makes two of the next, the last makes nothing: 2^48 rewrites, no module.
        letters = "abcdefghijklmnopqrstuvwxyzABCDEGHIJKMNOPQRSTUWXYZ"[:48]
        rules = "".join(f"{a} --> {b}{b}\n" for a, b in zip(letters, letters[1:]))
        self.assert_refused_at_once(
            f"derivation length: 1\nAxiom: 1\n1 --> a\ndecomposition\n{rules}{letters[-1]} --> *\n")

    def test_a_homomorphism_without_end(self):
        self.assert_refused_at_once("Axiom: A\nhomomorphism\nmaximum depth: 60\nA --> AA\n")

    def test_impossible_seeds(self):
        for seed in ["-1", "1e300", "1.5"]:
            with self.subTest(seed):
                grammar = self.write("plant.lsys", f"seed: {seed}\nAxiom: F\n")
                self.assert_refused(thigmo("derive", grammar), "plant.lsys:1:", "seed")


class BadCommands(CliTestCase):
    def test_unknown_words(self):
        for arguments in [[], ["grow"], ["run"], ["derive"], ["run", "--nonsense"],
                          ["derive", "x.lsys", "--steps", "many"]]:
            with self.subTest(arguments):
                result = thigmo(*arguments)
                self.assertIn(result.returncode, range(1, 126))
                self.assertEqual(result.stdout, "")
                self.assertNotEqual(result.stderr, "")

    def test_numbers_out_of_range(self):
        grammar = self.write("plant.lsys", "Axiom: F\nF --> F+F\n")
        for option, value in [("--steps", "-1"), ("--angle", "nan"), ("--seed", "-3")]:
            with self.subTest(option):
                self.assertIn(thigmo("derive", grammar, option, value).returncode, range(1, 126))
        scenario = self.write("scene.toml", ROD)
        result = thigmo("run", scenario, "--out", self.out, "--threads", "-1")
        self.assertIn(result.returncode, range(1, 126))
        self.assertEqual(self.files_left(), [])


class Interrupt(CliTestCase):
    def test_control_c_leaves_no_broken_output(self):
        scenario = self.write("scene.toml", ROD.replace("duration = 0.5", "duration = 1e5"))
        process = subprocess.Popen([THIGMO, "run", scenario, "--out", self.out],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            time.sleep(1)
            self.assertIsNone(process.poll(), "the run ended before it could be interrupted")
            process.send_signal(signal.SIGINT)
            _, message = process.communicate(timeout=30)
        finally:
            process.kill()
        self.assertNotEqual(process.returncode, 0)
        self.assertNotEqual(message, "")
        self.assertEqual(self.files_left(), [])


if __name__ == "__main__":
    unittest.main()
