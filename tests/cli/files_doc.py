"""The examples of docs/files.md, as they stand there."""
import os
import pathlib
import re
import shlex
import unittest

from thigmo_cli import ROOT, CliTestCase, thigmo

TEXT = (ROOT / "docs" / "files.md").read_text()
CSV = "x,y,z,radius,parent,id\n0,0,0,0.05,0,1\n0,1,0,0.04,1,2\n0.3,2,0,0.02,2,3\n"


class FilesDoc(CliTestCase):
    def setUp(self):
        super().setUp()
        (self.folder / "gallery").symlink_to(ROOT / "gallery")
        before = pathlib.Path.cwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    def test_commands(self):
        commands = [line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.S)
                    for line in block.splitlines()]
        self.assertGreaterEqual(len(commands), 10)
        for line in commands:
            with self.subTest(line):
                program, *words = shlex.split(line)
                self.assertEqual(program, "thigmo")
                result = thigmo(*words, timeout=600)
                self.assertEqual(result.returncode, 0, result.stderr)
                made = words[words.index("-o") + 1] if "-o" in words else words[2]
                self.assertGreater(pathlib.Path(made).stat().st_size, 100)

    def test_scenario(self):
        text = re.findall(r"```toml\n(.*?)```", TEXT, re.S)[0]
        self.write("scan.toml", text)
        self.write("scan.csv", CSV)
        result = thigmo("run", "scan.toml", "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("4 segments", result.stdout)
        self.assertGreater((self.out / "scan.glb").stat().st_size, 1000)

    def test_sawn_tree(self):
        _, text = re.findall(r"```toml\n(.*?)```", TEXT, re.S)
        self.write("sawn.toml", text)
        result = thigmo("run", "sawn.toml", "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b'"tree/1"', (self.out / "sawn.glb").read_bytes())
        rows = [(self.out / f"sawn.000{k}.csv").read_text().splitlines() for k in range(3)]
        self.assertEqual({row.split(",")[-1] for row in rows[0][1:]}, {"1", "2", "3"})
        self.assertEqual({row.split(",")[-1] for row in rows[2][1:]}, {"1", "2"})
        cached = self.write("cached.toml", text.replace("sawn.glb", "sawn.pc2"))
        refused = thigmo("run", cached, "--out", self.out)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("all its frames have the same vertices", refused.stderr)
        self.assertIn("cached.toml:11", refused.stderr)

    def test_tables_say_what_the_program_does(self):
        """The list of formats that `convert --help` prints, against the tables of both documents."""
        formats = re.findall(r"^  (\.\w+) .*?  (read, written|read|written)(, .*)?$",
                             thigmo("convert", "--help").stdout, re.M)
        self.assertGreaterEqual(len(formats), 19)
        def endings(text, heading):
            table = text.split(heading)[1].split("\n|---", 1)[1].split("\n\n")[0]
            return {e: row for row in re.findall(r"^\| (`\.[^|]*\|.*)$", table, re.M)
                    for e in re.findall(r"`(\.\w+)`", row.split("|")[0])}
        read, written = endings(TEXT, "## Trees that are read"), endings(TEXT, "## What is written")
        outputs = endings((ROOT / "docs" / "scenario.md").read_text(), "## `[[output]]`")
        for ending, use, motion in formats:
            with self.subTest(ending):
                if ending in (".lsys", ".abs", ".sbt", ".toml"):
                    self.assertEqual(use, "read")
                    continue
                self.assertEqual("read" in use, ending in read)
                self.assertEqual("written" in use, ending in written)
                self.assertEqual("written" in use, ending in outputs)
                if "written" in use:
                    kinds = written[ending].split("|")[1]
                    self.assertEqual("a file for each frame" in motion, "a file a frame" in kinds)
                    self.assertEqual(motion == "", kinds.strip() == "still")

    def test_every_ending_is_in_the_tables(self):
        for line in [thigmo("convert", "a.none", "b.glb").stderr,
                     thigmo("convert", "gallery/plants/rose.lsys", "b.none").stderr]:
            hint = line.split("hint:")[1]
            for ending in re.findall(r"\.\w+", hint):
                if ending in (".lsys", ".abs", ".sbt", ".toml"):
                    continue
                self.assertIn(f"`{ending}`", TEXT)


if __name__ == "__main__":
    unittest.main()
