"""Motion that is too violent for its step costs a bounded time, and the user chooses what becomes of it."""
import json
import unittest

from thigmo_cli import ROOT, SANITIZED, CliTestCase, measured

# 110 segments, 90 steps, its foot shaken by degrees at 1.8 kHz.
SHAKEN = ROOT / "tests/data/violent/shaken_rod.toml"


class ViolentMotion(CliTestCase):
    def run_shaken(self, *settings):
        arguments = [word for setting in settings for word in ("--set", setting)]
        if SANITIZED:
            arguments += ["--set", "duration=0.3"]
        return measured("run", SHAKEN, "--out", self.out, "--json", *arguments)

    def test_ends_in_seconds_and_says_that_it_was_coarse(self):
        # Without a budget it takes 15,000 passes a step: 20 s.
        result = self.run_shaken()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_cheap(result, seconds=10, megabytes=200)
        summary = json.loads(result.stdout)
        self.assertEqual(summary["coarse_steps"], summary["steps"])
        self.assertTrue(summary["finite"])

    def test_a_file_of_it_says_so_too(self):
        scenario = self.write("s.toml", SHAKEN.read_text().replace("duration = 3.8571598494746486",
                                                                   "duration = 0.2"))
        result = measured("convert", scenario, self.folder / "a.glb", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        said = [w["message"] for w in json.loads(result.stdout)["warnings"]]
        self.assertTrue(any("too violent" in message for message in said), said)

    def test_a_wind_that_is_none_is_refused(self):
        # Its gusts took for ever to prepare, and no signal ended that.
        scenario = self.write("s.toml", '[[plant]]\nkind = "rod"\n[wind]\nkind = "gusty"\n'
                                        "mean = [1e200, 0, 0]\n")
        result = measured("run", scenario, "--out", self.out)
        self.assertEqual(result.returncode, 1)
        self.assertIn("s.toml:5:", result.stderr)
        self.assert_cheap(result, seconds=1, megabytes=100)

    def test_fewer_passes_cost_less(self):
        costly, cheap = (self.run_shaken(f"most_passes={n}") for n in (1000, 10))
        self.assertLess(cheap.seconds, 0.6 * costly.seconds)

    def test_stops_where_it_is_told_to(self):
        result = self.run_shaken('too_violent="stop"')
        self.assertEqual(result.returncode, 1)
        self.assertIn("too violent", result.stderr)
        self.assertIn("most_passes", result.stderr)
        self.assertFalse(json.loads(result.stdout)["finite"])


if __name__ == "__main__":
    unittest.main()
