"""The interpreter may end while threads are in long calls."""

import os
import pathlib
import subprocess
import sys

import pytest

import thigmo

ENVIRONMENT = os.environ | {"PYTHONPATH": str(pathlib.Path(thigmo.__file__).absolute().parents[1])}


@pytest.mark.parametrize(
    "work",
    [
        "world.run(1e7, dt=1e-3)",
        "while True: world.step(1e-3)",
        "while True: world.copy().run(0.01)",
        pytest.param("thigmo.run('long.toml', 'out')", marks=pytest.mark.whole),
        pytest.param("thigmo.validate()", marks=pytest.mark.whole),
    ],
)
def test_a_thread_that_nobody_waits_for(work, tmp_path):
    (tmp_path / "long.toml").write_text(
        "duration = 1e5\nstep = 0.001\n[[plant]]\nname = 'p'\nkind = 'rod'\nsegments = 200\n"
        "length = 5\nradius = 0.01\n")
    program = f"""
import threading, time, thigmo
world = thigmo.World()
world.add(thigmo.rod(segments=200, length=5, radius=0.01))
def work():
    {work}
threading.excepthook = lambda raised: None
threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
print("end")
"""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env=ENVIRONMENT, cwd=tmp_path, timeout=120)
        assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
