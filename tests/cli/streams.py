"""Closed, full and broken streams, and what --json says: every command, every way."""
import json
import resource
import signal
import subprocess
import unittest

from thigmo_cli import ROD, SANITIZED, THIGMO, CliTestCase, thigmo

GRAMMAR = "Axiom: F[+F]F\nF --> F[+F]F\nderivation length: 2\n"
# What the repro of a closed stderr was: few frames, so that the file of poses is small.
SCENE = ROD.replace("duration = 0.5", "duration = 0.1") + '[[output]]\nfile = "a.csv"\nrate = 20\n'


class EveryCommand(CliTestCase):
    def setUp(self):
        super().setUp()
        self.grammar = self.write("plant.lsys", GRAMMAR)
        self.scene = self.write("scene.toml", SCENE)

    def commands(self, out):
        """Every command that is quick, with files below `out` where it writes any."""
        out.mkdir(exist_ok=True)
        return {
            "derive": ["derive", self.grammar],
            "string": ["derive", self.grammar, "--string"],
            "explain": ["derive", self.grammar, "--explain"],
            "check": ["check", self.grammar],
            "run": ["run", self.scene, "--out", out, "--save", out / "end.snapshot"],
            "convert": ["convert", self.grammar, out / "tree.obj"],
            "render": ["render", self.grammar, "-o", out / "tree.png", "--width", 32, "--height",
                       32, "--samples", 1],
            "gallery": ["gallery", self.folder],
            "sheet": ["gallery", self.folder, "--sheet", out / "sheet.png", "--tile", 32,
                      "--samples", 1],
            "pose": ["pose", self.scene, "--out", out],
            "modes": ["modes", self.scene, "--count", 1],
            "validate": ["validate", "--list"],
            "help": ["--help"],
            "help of a command": ["run", "--help"],
            "version": ["--version"],
        }


class Streams(EveryCommand):
    def shell(self, command, redirection, json_too=False):
        """Through a shell, which can close streams."""
        words = " ".join(f"'{word}'" for word in [THIGMO, *map(str, command)])
        return subprocess.run(["sh", "-c", f"{words}{' --json' if json_too else ''} {redirection}"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=120)

    def bytes_of(self, folder):
        # The summary holds the time that it took.
        return {path.name: path.read_bytes() for path in folder.iterdir()
                if path.name != "summary.json"}

    def test_nobody_has_to_listen_to_what_is_said(self):
        for name in self.commands(self.folder):
            usual = self.folder / f"usual {name}"
            result = thigmo(*self.commands(usual)[name])
            self.assertEqual(result.returncode, 0, (name, result.stderr))
            for number, redirection in enumerate(["2>&-", "2>/dev/full", ">&- 2>&- <&-", "<&-"]):
                with self.subTest(name, redirection=redirection):
                    out = self.folder / f"{name}{number}"
                    odd = self.shell(self.commands(out)[name], redirection)
                    self.assertEqual(odd.returncode, 0, odd.stderr)
                    if "1" not in redirection and not redirection.startswith(">"):
                        self.assertEqual(odd.stdout.count("\n"), result.stdout.count("\n"))
                    self.assertEqual(self.bytes_of(out), self.bytes_of(usual))

    def test_errors_that_nobody_can_read_are_errors(self):
        for redirection in ["2>&-", "2>/dev/full", ">&- 2>&-"]:
            for command in (["derive", self.folder / "none.lsys"], ["run", "--nonsense"], ["grow"]):
                result = self.shell(command, redirection)
                self.assertIn(result.returncode, (1, 2), (redirection, command))

    def test_a_full_disk_behind_standard_output_is_an_error(self):
        for name, command in self.commands(self.out).items():
            jsons = (False,) if name in ("string", "explain") or "help" in name or name == "version" \
                else (False, True)
            for json_too in jsons:
                with self.subTest(name, json=json_too):
                    result = self.shell(command, ">/dev/full", json_too)
                    self.assertEqual(result.returncode, 1, result.stderr)
                    self.assertEqual(result.stderr.count("cannot write standard output"), 1,
                                     result.stderr)
                    both = self.shell(command, ">/dev/full 2>/dev/full", json_too)
                    self.assertEqual(both.returncode, 1)

    def test_a_reader_that_leaves_ends_the_program_as_others(self):
        grammar = self.write("long.lsys", "Axiom: F\nF --> FFFFFFFF\nderivation length: 6\n")
        with subprocess.Popen([THIGMO, "derive", grammar, "--string"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.read(1)
            process.stdout.close()
            said = process.stderr.read()
            self.assertEqual(process.wait(60), -signal.SIGPIPE)
            self.assertEqual(said, b"")


class Json(EveryCommand):
    KEYS = {"severity", "file", "line", "column", "message", "hint"}

    def parse(self, result):
        said = json.loads(result.stdout)
        for list_name, severity in [("errors", "error"), ("warnings", "warning"),
                                    ("notes", "note")]:
            for entry in said[list_name]:
                self.assertEqual(set(entry), self.KEYS)
                self.assertEqual(entry["severity"], severity)
                self.assertIn(entry["message"].splitlines()[0], result.stderr)
                if entry["hint"]:
                    self.assertIn(entry["hint"], result.stderr)
        return said

    def test_every_command_on_success(self):
        for name, command in self.commands(self.out).items():
            if name in ("string", "explain") or "help" in name or name == "version":
                continue
            with self.subTest(name):
                result = thigmo(*command, "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                said = self.parse(result)
                self.assertEqual(said["errors"], [])
                self.assertGreaterEqual(len(said), 3 if name == "check" else 4)

    def test_every_command_on_failure(self):
        none = self.folder / "none"
        for command in (["derive", f"{none}.lsys"], ["check", f"{none}.lsys"],
                        ["run", f"{none}.toml", "--out", self.out],
                        ["convert", f"{none}.lsys", self.folder / "a.obj"],
                        ["render", f"{none}.lsys", "-o", self.folder / "a.png"],
                        ["gallery", none], ["gallery", none, "--sheet", self.folder / "a.png"],
                        ["pose", f"{none}.toml"], ["modes", f"{none}.toml"],
                        ["validate", "nothing"], ["bench", "--gallery", none],
                        ["derive", self.grammar, "--set", "L"]):
            with self.subTest(command):
                result = thigmo(*command, "--json")
                self.assertIn(result.returncode, (1, 2), result.stdout)
                said = self.parse(result)
                self.assertGreaterEqual(len(said["errors"]), 1)
                self.assertEqual(thigmo(*command).stdout, "")

    def test_wrong_command_lines(self):
        for command in (["run"], ["derive", "x.lsys", "--steps", "many"], ["grow"],
                        ["run", self.scene, "--nonsense"], ["check", "--max", "3"]):
            with self.subTest(command):
                result = thigmo(*command, "--json")
                self.assertEqual(result.returncode, 2)
                self.assertEqual(len(self.parse(result)["errors"]), 1)

    def test_errors_say_where(self):
        bad = self.write("bad.lsys", "Axiom: F\nF --> F(1,+F\n")
        for command in ("derive", "check"):
            error = self.parse(thigmo(command, bad, "--json"))["errors"][0]
            self.assertEqual((error["file"], error["line"]), (str(bad), 2))
            self.assertGreater(error["column"], 1)
        scene = self.write("bad.toml", ROD.replace("duration =", "durration ="))
        error = self.parse(thigmo("run", scene, "--out", self.out, "--json"))["errors"][0]
        self.assertEqual((error["file"], error["line"]), (str(scene), 2))
        self.assertIn("duration", error["hint"] or error["message"])

    def test_warnings_and_notes_are_there(self):
        weak = self.write("weak.lsys", "Axiom: !(0.004)F(1)F(1)F(1)F(1)F(1)\n")
        scene = self.write("weak.toml", f'duration = 0.1\n[[plant]]\nname = "pole"\n'
                                        f'grammar = "{weak.name}"\n')
        for command in (["pose", scene], ["run", scene, "--out", self.out],
                        ["render", scene, "-o", self.folder / "a.png", "--width", 16, "--height",
                         16, "--samples", 1]):
            with self.subTest(command[0]):
                said = self.parse(thigmo(*command, "--json"))
                self.assertTrue(any("falls at a touch" in w["message"] for w in said["warnings"]))
        said = json.loads((self.out / "summary.json").read_text())
        self.assertTrue(any("falls at a touch" in w["message"] for w in said["warnings"]))
        lines = self.write("loop.obj", "v 0 0 0\nv 0 1 0\nv 1 1 0\nl 1 2 3 1\n")
        said = self.parse(thigmo("convert", lines, self.folder / "b.csv", "--json"))
        self.assertTrue(any(note["file"] == str(lines) for note in said["notes"]), said)

    def test_a_motion_that_fails_is_an_error_beside_its_summary(self):
        scene = self.write("wild.toml", ROD + '[[force]]\nplant = "beam"\nvector = [1e200, 0, 0]\n')
        result = thigmo("run", scene, "--out", self.out, "--json")
        self.assertEqual(result.returncode, 1)
        said = self.parse(result)
        self.assertFalse(said["finite"])
        self.assertIn("could not be continued", said["errors"][0]["message"])


@unittest.skipIf(SANITIZED, "the sanitizers need an address space without limits")
class Memory(CliTestCase):
    """Too little memory is an error that is said, with nothing left behind."""
    def limited(self, megabytes, *command):
        limit = megabytes << 20
        return subprocess.run([THIGMO, *map(str, command)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                    (limit, limit)))

    def test_commands(self):
        grammar = self.write("big.lsys", "Axiom: F\nF --> FF\nderivation length: 23\n")
        tree = self.write("tree.lsys", "Axiom: F\nF --> F[+F]F\nderivation length: 10\n")
        scene = self.write("scene.toml", 'duration = 0.1\n[[plant]]\ngrammar = "tree.lsys"\n'
                                         '[[output]]\nfile = "a.obj"\n')
        self.out.mkdir()
        drawn = ["render", tree, "-o", self.out / "a.png", "--width", 32, "--height", 32,
                 "--samples", 1]
        failed = 0
        for megabytes in (140, 200, 260, 340):
            for command in (["derive", grammar], ["derive", grammar, "--string"],
                            ["convert", tree, self.out / "a.obj"],
                            ["run", scene, "--out", self.out],
                            # Embree itself does not always survive where its threads lack memory.
                            *([drawn] if megabytes <= 200 else [])):
                with self.subTest(command[0], megabytes=megabytes):
                    result = self.limited(megabytes, *command, "--threads", 1)
                    self.assertIn(result.returncode, (0, 1), result.stderr)
                    self.assertEqual([p for p in self.out.iterdir() if p.name.startswith(".")], [])
                    if "out of memory" in result.stderr:
                        failed += 1
                        self.assertEqual(result.returncode, 1)
                        self.assertIn("hint", result.stderr)
                        said = self.limited(megabytes, *command, "--threads", 1,
                                            *([] if "--string" in command else ["--json"]))
                        if said.stdout:
                            self.assertIn("out of memory",
                                          json.loads(said.stdout)["errors"][0]["message"])
        self.assertGreaterEqual(failed, 4, "the limits were too high to show anything")


if __name__ == "__main__":
    unittest.main()
