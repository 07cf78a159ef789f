"""What the tests of the command line share."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import types
import unittest

THIGMO = os.environ["THIGMO"]  # the program under test
SANITIZED = os.environ.get("THIGMO_SANITIZED") == "1"  # some 20 times slower, 4 times larger
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# A rod that is quick to simulate; tests replace parts of it.
ROD = """\
title = "rod"
duration = 0.5
step = 0.01
[[plant]]
name = "beam"
kind = "rod"
segments = 10
length = 1.0
radius = 0.01
young = 8.1e9
poisson = 0.3
density = 923
damping_ratio = 0.05
direction = [1, 0, 0]
[wind]
kind = "uniform"
mean = [6, 0, 0]
[[probe]]
name = "tip"
plant = "beam"
at = "tip"
"""


def thigmo(*arguments, timeout=120, cwd=None):
    return subprocess.run([THIGMO, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=timeout, cwd=cwd)


# Starts a program and writes what it cost. A process begins with the peak memory of the one it was started
# from, so that one is a small one, not the test with its large files.
STARTER = """
import os, sys
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
cost = (os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
os.write(int(sys.argv[1]), " ".join(map(str, cost)).encode())
"""


def measured(*arguments, timeout=300, cwd=None):
    """As thigmo(), with what it cost: `seconds` of CPU time and `megabytes` at most in memory."""
    # A sanitizer holds back what was freed, up to 256 MB, unless it is told not to.
    options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        told, tell = os.pipe()
        starter = subprocess.Popen([sys.executable, "-S", "-c", STARTER, str(tell), THIGMO,
                                    *map(str, arguments)], stdin=subprocess.DEVNULL,
                                   stdout=stdout, stderr=stderr, cwd=cwd, pass_fds=[tell],
                                   env={**os.environ, "ASAN_OPTIONS": options},
                                   start_new_session=True)
        os.close(tell)
        alarm = threading.Timer(timeout, os.killpg, (starter.pid, signal.SIGKILL))
        alarm.start()
        starter.wait()
        alarm.cancel()
        with os.fdopen(told) as pipe:
            cost = pipe.read().split() or [-9, timeout, 0]
        said = []
        for stream in (stdout, stderr):
            stream.seek(0)
            said.append(stream.read())
    return types.SimpleNamespace(returncode=int(cost[0]), stdout=said[0], stderr=said[1],
                                 seconds=float(cost[1]), megabytes=float(cost[2]))


class CliTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def files_left(self):
        return sorted(p for p in self.out.rglob("*") if p.is_file()) if self.out.is_dir() else []

    def assert_cheap(self, result, seconds, megabytes):
        """A measured() command stayed within its CPU time and memory."""
        slower, larger = (20, 4) if SANITIZED else (1, 1)
        self.assertLess(result.seconds, seconds * slower)
        self.assertLess(result.megabytes, megabytes * larger)

    def assert_refused(self, result, *words):
        """Failed by its own decision, with one message that has the words, and left nothing."""
        said = f"exit {result.returncode}\nstdout: {result.stdout}\nstderr: {result.stderr}"
        self.assertIn(result.returncode, range(1, 126), said)
        self.assertEqual(result.stdout, "", said)
        self.assertEqual(result.stderr.count("error:"), 1, said)
        self.assertNotIn("internal error", result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(self.files_left(), [])
