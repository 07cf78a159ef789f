"""What docs/scenario.md says: its examples run, and every key that a scenario may have is explained.

The keys are those that the readers in src/scenario ask for, and those of surfaces.
"""
import json
import re
import unittest

from thigmo_cli import ROOT, CliTestCase, thigmo

TEXT = (ROOT / "docs/scenario.md").read_text()


class ScenarioDocs(CliTestCase):
    def test_examples_run(self):
        examples = re.findall(r"```toml\n(.*?)```", TEXT, re.S)
        self.assertGreater(len(examples), 1)
        self.write("fork.csv", (ROOT / "tests/data/frames/fork.csv").read_text())
        for number, example in enumerate(examples):
            with self.subTest(example=example):
                scenario = self.write(f"example{number}.toml", example)
                result = thigmo("run", scenario, "--out", self.out / str(number), "--set",
                                "duration=0.2", "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertTrue(json.loads(result.stdout)["finite"])

    def test_every_key_is_explained(self):
        asked = set()
        for file in (ROOT / "src/scenario").glob("scenario*.cpp"):
            asked |= set(re.findall(
                r'reader\.(?:number|vector|text|truth|integer|choice|node|tables?)\("(\w+)"',
                file.read_text()))
        surface = (ROOT / "include/thigmo/surface.h").read_text()
        asked |= set(re.findall(r'SurfaceKey\{"(\w+)"', surface))
        self.assertGreater(len(asked), 80)  # the pattern still finds them
        explained = set(re.findall(r"`(?:\[+)?(\w+)(?:\]+)?`", TEXT))
        self.assertEqual(asked - explained, set())


if __name__ == "__main__":
    unittest.main()
