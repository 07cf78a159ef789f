"""What runs leave behind: temporary files, frames, snapshots, and files that are read."""
import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

from thigmo_cli import ROD, THIGMO, CliTestCase, thigmo

FRAMES = '[[output]]\nfile = "a.csv"\nrate = 20\n'
ENDLESS = ROD.replace("duration = 0.5", "duration = 1e5")


class Temporary(CliTestCase):
    def begin(self, scenario, **more):
        """A run that is under way: it has said so, and its temporary file is there."""
        process = subprocess.Popen([THIGMO, "run", scenario, "--out", self.out],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(process.wait)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        self.assertIn("simulating", process.stderr.readline())
        self.assertNotEqual(self.hidden(), [])
        return process

    def hidden(self):
        return [p for p in self.out.iterdir() if p.name.startswith(".")] \
            if self.out.is_dir() else []

    def test_a_killed_run_blocks_nothing_and_the_next_cleans_up(self):
        process = self.begin(self.write("long.toml", ENDLESS))
        process.kill()
        process.wait(30)
        left = self.hidden()
        self.assertNotEqual(left, [])
        other = self.begin(self.write("long.toml", ENDLESS))  # cleans up; is alive itself
        self.assertEqual([p for p in left if p.exists()], [])
        own = self.hidden()
        result = thigmo("run", self.write("short.toml", ROD), "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.hidden(), own)  # those of one that lives stay
        other.kill()
        other.wait(30)

    def test_what_only_looks_like_ours_stays(self):
        self.out.mkdir()
        for name in [".thigmo-notes.tmp", ".thigmo-0123456789abcdef.tmp.bak", ".probes.7-0.tmp.csv"]:
            (self.out / name).write_text("mine")
        self.assertEqual(thigmo("run", self.write("s.toml", ROD), "--out", self.out).returncode, 0)
        self.assertEqual(len(self.hidden()), 3)

    def test_long_names(self):
        name = "n" * 251 + ".csv"
        grammar = self.write("a.lsys", "Axiom: F\n")
        result = thigmo("convert", grammar, self.folder / name)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = thigmo("run", self.write("s.toml", ROD + f'[[output]]\nfile = "{name[5:]}"\n'),
                        "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        longer = thigmo("convert", grammar, self.folder / ("n" + name))
        self.assertEqual(longer.returncode, 1)
        self.assertIn("too long", longer.stderr)

    def test_a_closed_terminal_is_like_control_c(self):
        process = self.begin(self.write("long.toml", ENDLESS))
        process.send_signal(signal.SIGHUP)
        words = process.stderr.read()
        self.assertEqual(process.wait(30), 130, words)
        self.assertIn("interrupted", words)
        self.assertEqual(self.files_left(), [])

    def test_nohup_goes_on(self):
        process = self.begin(self.write("long.toml", ENDLESS),
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
        self.assertEqual(process.wait(30), 130)


class Frames(CliTestCase):
    def frames(self):
        return sorted(p.name for p in self.out.glob("a.*.csv"))

    def run_for(self, seconds, *options):
        scenario = self.write("s.toml", ROD + FRAMES)
        result = thigmo("run", scenario, "--out", self.out, "--set", f"duration={seconds}",
                        *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_those_of_a_longer_run_go(self):
        self.run_for(0.5)
        self.assertEqual(len(self.frames()), 11)
        (self.out / "a.0100.csv").write_text("behind a gap")
        said = self.run_for(0.2)
        self.assertEqual(self.frames(), [f"a.{i:04}.csv" for i in range(5)] + ["a.0100.csv"])
        self.assertIn("6 frames of an earlier run removed", said)
        self.assertNotIn("removed", self.run_for(0.2))

    def test_a_run_that_goes_on_keeps_those_before_it(self):
        half = self.folder / "half"
        self.run_for(0.2, "--save", half)
        self.run_for(0.5, "--restore", half)
        self.assertEqual(len(self.frames()), 11)

    def test_convert_removes_them_too_but_not_what_it_reads(self):
        self.out.mkdir()
        tree = self.out / "t.0003.csv"
        plant = self.write("p.lsys", "Axiom: FF\n")
        self.assertEqual(thigmo("convert", plant, tree).returncode, 0)
        shutil.copy(tree, self.out / "t.0004.csv")
        scenario = self.write("s.toml", 'duration = 0.1\n[[plant]]\nfile = "out/t.0003.csv"\n')
        result = thigmo("convert", scenario, self.out / "t.csv", "--rate", 20)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(list(self.out.glob("t.*.csv"))), 5)
        tree.rename(self.folder / "tree.csv")
        scenario = self.write("s.toml", 'duration = 0.1\n[[plant]]\nfile = "tree.csv"\n')
        (self.out / "t.0003.csv").write_text("old")
        result = thigmo("convert", scenario, self.out / "t.csv", "--rate", 20)
        self.assertEqual(len(list(self.out.glob("t.*.csv"))), 3)
        self.assertIn("2 frames", result.stdout)


class Outputs(CliTestCase):
    def test_the_snapshot_is_written_where_an_output_fails(self):
        # Faked: an ffmpeg that starts, and then fails.
        fake = self.write("ffmpeg", '#!/bin/sh\ncase "$*" in *-version*) exit 0;; esac\n'
                                    'cat >/dev/null\necho broken >&2\nexit 3\n')
        fake.chmod(0o755)
        scenario = self.write("s.toml", ROD + '[[output]]\nfile = "a.mp4"\nwidth = 32\n'
                                              'height = 32\nsamples = 1\n')
        end = self.folder / "end"
        result = subprocess.run([THIGMO, "run", scenario, "--out", self.out, "--save", end],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("broken", result.stderr)
        self.assertTrue(end.is_file())
        self.assertEqual([p.name for p in self.files_left()], ["probes.csv"])

    def test_the_snapshot_is_written_where_a_table_fails(self):
        scenario = self.write("s.toml", ROD.replace("duration = 0.5", "duration = 20"))
        end = self.folder / "end"
        limit = 16384  # bytes of a file: more than the snapshot, less than the table
        result = subprocess.run([THIGMO, "run", scenario, "--out", self.out, "--save", end],
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                                                      (limit, limit)))
        self.assertEqual(result.returncode, 1)
        self.assertIn("probes.csv", result.stderr)
        self.assertTrue(end.is_file())
        self.assertEqual(self.files_left(), [])
        again = thigmo("run", scenario, "--out", self.out, "--restore", end)
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_a_missing_ffmpeg_is_said_before_the_run(self):
        scenario = self.write("s.toml", ENDLESS + '[[output]]\nfile = "a.mp4"\nrate = 0.001\n')
        result = subprocess.run([THIGMO, "run", scenario, "--out", self.out], timeout=60,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                env={**os.environ, "PATH": str(self.folder)})
        self.assert_refused(result, "ffmpeg", "hint")
        self.assertNotIn("simulating", result.stderr)

    def test_included_grammars_are_not_written_over(self):
        included = self.write("a.csv", "F --> FF\n")
        text = included.read_text()
        plant = self.write("p.lsys", '#include "a.csv"\nAxiom: F\nderivation length: 1\n')
        scenario = self.write("s.toml", 'duration = 0.1\n[[plant]]\ngrammar = "p.lsys"\n'
                                        '[[output]]\nfile = "b.csv"\nrate = 1\n')
        moving = self.write("m.toml", 'duration = 0.1\n[[plant]]\ngrammar = "p.lsys"\n')
        os.link(included, self.folder / "b.csv")
        picture = self.write("c.png", text)
        drawn = self.write("d.lsys", '#include "c.png"\nAxiom: F\nderivation length: 1\n')
        pose = self.write("pose.csv", text)
        self.write("e.lsys", '#include "pose.csv"\nAxiom: F\nderivation length: 1\n')
        posed = self.write("e.toml", '[[plant]]\ngrammar = "e.lsys"\n')
        for command in (["convert", plant, included], ["convert", plant, self.folder / "b.csv"],
                        ["run", scenario, "--out", self.folder],
                        ["convert", moving, included, "--rate", 1],
                        ["render", drawn, "-o", picture],
                        ["gallery", self.folder, "--sheet", picture, "--tile", 16, "--samples", 1],
                        ["pose", posed, "--out", self.folder]):
            with self.subTest(command[0]):
                result = thigmo(*command)
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn("written over", result.stderr)
        for file in (included, picture, pose):
            self.assertEqual(file.read_text(), text)
        self.assertFalse((self.folder / "sections.csv").exists())


SHAKEN = ROD.replace('[wind]\nkind = "uniform"\nmean = [6, 0, 0]\n', """\
[wind]
kind = "gusty"
mean = [6, 0, 0]
[ground]
[[motion]]
plant = "beam"
wave = [{ amplitude = [0.02, 0, 0], frequency = 2 }]
[[grab]]
plant = "beam"
keys = [[0, 0, 0, 0], [0.3, 0, 0.02, 0]]
stiffness = 50
release = 0.4
[[force]]
plant = "beam"
vector = [0, 0, 0.2]
""").replace('title = "rod"\n', 'title = "rod"\nenergy = true\n')


class Snapshots(CliTestCase):
    def run_text(self, text, name, *options):
        scenario = self.write("s.toml", text)
        return thigmo("run", scenario, "--out", self.folder / name, *options)

    def rows(self, name, file):
        with open(self.folder / name / file, newline="") as text:
            return list(csv.reader(text))

    def test_how_violent_motion_may_be_is_no_other_scenario(self):
        half = self.folder / "half"
        self.assertEqual(self.run_text(ROD, "first", "--set", "duration=0.25", "--set",
                                       'too_violent="stop"', "--save", half).returncode, 0)
        result = self.run_text(ROD, "second", "--set", "most_passes=5000", "--restore", half)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_accounts_go_on_with_the_same_bits(self):
        half = self.folder / "half"
        self.assertEqual(self.run_text(SHAKEN, "whole").returncode, 0)
        self.assertEqual(self.run_text(SHAKEN, "first", "--set", "duration=0.25", "--save",
                                       half).returncode, 0)
        result = self.run_text(SHAKEN, "second", "--restore", half)
        self.assertEqual(result.returncode, 0, result.stderr)
        for file in ["probes.csv", "energy.csv"]:
            whole = {row[0]: row for row in self.rows("whole", file)}
            for row in self.rows("second", file):
                self.assertEqual(row, whole[row[0]], file)
        last = self.rows("whole", "energy.csv")[-1]
        self.assertTrue(all(float(last[i]) != 0 for i in (4, 5, 7, 9)), last)

    def test_an_account_that_was_not_kept_begins_and_says_so(self):
        half = self.folder / "half"
        without = SHAKEN.replace("energy = true\n", "")
        self.run_text(without, "first", "--set", "duration=0.25", "--save", half)
        result = self.run_text(SHAKEN, "second", "--restore", half)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("the run before kept none", result.stdout)
        self.run_text(SHAKEN, "first", "--set", "duration=0.25", "--save", half)
        result = self.run_text(without, "third", "--restore", half)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse((self.folder / "third" / "energy.csv").exists())

    def test_other_scenarios_are_refused(self):
        half = self.folder / "half"
        self.run_text(SHAKEN, "first", "--set", "duration=0.25", "--save", half)
        for change in ["wind.seed=2", "wind.mean=[6,0,1]", "wind.intensity=0.3", "step=0.005",
                       "wind.length_scale=10", "wind.decay=3", "gravity=[0,-9,0]",
                       "numerical_damping=0.5", "ground.friction=0.1", "ground.height=-1",
                       "motion.0.wave=[{amplitude=[0.03,0,0],frequency=2}]",
                       "grab.0.keys=[[0,0,0,0],[0.3,0,0.03,0]]", "grab.0.stiffness=60",
                       "grab.0.release=0.45", "force.0.vector=[0,0,0.3]", "force.0.at=3",
                       "plant.beam.damping_ratio=0.06", "plant.beam.young=8e9",
                       "plant.beam.mass_damping=0.1"]:
            with self.subTest(change):
                result = self.run_text(SHAKEN, "second", "--restore", half, "--set", change)
                self.assertEqual(result.returncode, 1, change)
                self.assertIn("another scenario", result.stderr)
                self.assertIn("hint", result.stderr)
        for change in ["duration=0.4", "title=\"x\"", "energy=false"]:
            with self.subTest(change):
                result = self.run_text(SHAKEN + FRAMES, "second", "--restore", half, "--set",
                                       change)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_another_path_in_a_file_is_another_scenario(self):
        text = ROD + '[[motion]]\nplant = "beam"\nfile = "hand.csv"\n'
        half = self.folder / "half"
        self.write("hand.csv", "time,x,y,z\n0,0,0,0\n1,0.1,0,0\n")
        self.assertEqual(self.run_text(text, "first", "--set", "duration=0.1", "--save",
                                       half).returncode, 0)
        self.assertEqual(self.run_text(text, "second", "--restore", half).returncode, 0)
        self.write("hand.csv", "time,x,y,z\n0,0,0,0\n1,0.2,0,0\n")
        self.assertIn("another scenario", self.run_text(text, "third", "--restore", half).stderr)


CUTS = SHAKEN + """
[[cut]]
plant = "beam"
at = 5
time = 0.2
[[graft]]
plant = "beam"
at = 3
scion = { plant = "beam", segment = 6 }
time = 0.3
carry = true
"""


class Logs(CliTestCase):
    def log_of(self, text):
        log, out = self.folder / "run.log", self.folder / "run"
        result = thigmo("run", self.write("s.toml", text), "--out", out, "--log", log, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return log, json.loads(result.stdout)

    def test_runs_come_again(self):
        log, summary = self.log_of(CUTS)
        self.assertEqual(len([e for e in summary["events"] if e["kind"] == "cut"]), 1)
        for threads in [1, 2, 4]:
            result = thigmo("replay", log, "--threads", threads)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("as in the log", result.stdout)
            self.assertIn(summary["state_hash"], result.stdout)
        again = json.loads(thigmo("replay", log, "--json").stdout)
        self.assertTrue(again["same"])
        self.assertEqual(again["steps"], summary["steps"])
        self.assertEqual(again["errors"], [])

    def test_differences_are_said(self):
        log, summary = self.log_of(CUTS)
        log.write_text(log.read_text().replace(f"hash={summary['state_hash']}", "hash=1f"))
        result = thigmo("replay", log)
        self.assertEqual(result.returncode, 1)
        self.assertIn("which is not that of the log", result.stdout)
        self.assertIn("run.log:", result.stderr)
        again = json.loads(thigmo("replay", log, "--json").stdout)
        self.assertFalse(again["same"])
        self.assertEqual(len(again["errors"]), 1)

    def test_what_is_no_log_is_refused(self):
        log, _ = self.log_of(ROD)
        text = log.read_text()
        for bad, word in [("", "not a log"), ("thigmo log 2\n", "not a log"),
                          (text[:300], "damaged"), (text.replace("times", "tmies"), "missing"),
                          (text + "fly away=1\n", "no call 'fly'")]:
            with self.subTest(word):
                self.assert_refused(thigmo("replay", self.write("bad.log", bad)), word, "bad.log")
        self.assert_refused(thigmo("replay", self.folder / "none.log"), "none.log")
        self.assert_refused(thigmo("run", self.write("s.toml", ROD), "--log",
                                   self.folder / "s.toml"), "s.toml")


if __name__ == "__main__":
    unittest.main()
