"""Ctrl-C ends what takes long, and leaves the world usable."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

import thigmo

ENVIRONMENT = os.environ | {"PYTHONPATH": str(pathlib.Path(thigmo.__file__).absolute().parents[1])}
PREPARE = """
import sys, thigmo
world = thigmo.World()
plant = world.add(thigmo.grow(text="Axiom: !(0.02)" + 200 * "F(0.1)"))
probes = thigmo.Probes([world.tip(plant)])
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    {after}
    sys.exit(42)
"""


def interrupted(work, after="pass", wait=0.3, most=30, folder=None):
    program = PREPARE.format(work=work, after=after)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, cwd=folder, env=ENVIRONMENT)
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    time.sleep(wait)
    assert process.poll() is None, "it ended before it was interrupted"
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=120)
    assert process.returncode == 42, (process.returncode, out, err)
    assert time.monotonic() - began < most
    return out


def test_run_ends_and_the_world_goes_on():
    out = interrupted("world.run(1e7, dt=1e-3, probes=probes)",
                      "t = world.time; world.step(1e-3); print(t, world.time, len(probes))")
    before, after, readings = (float(x) for x in out.split())
    assert 0 < before < after and readings > 10


def test_a_loop_of_steps_ends():
    interrupted("while True: world.step(1e-3)")


def test_a_signal_in_another_thread_does_not_end_the_wrong_one():
    interrupted(
        "import threading; t = threading.Thread(target=lambda: other.run(1)); t.start(); "
        "world.run(1e7, dt=1e-3)".replace("other", "world.copy()"), "t.join()")


def test_a_replay_ends():
    interrupted("world.keep_log(5); world.run(0.1); "
                "thigmo.replay(world.log().replace('times=5', 'times=100000000'))")


@pytest.mark.whole
def test_a_scenario_ends_and_leaves_nothing_half_written(tmp_path):
    (tmp_path / "long.toml").write_text(
        "duration = 1e5\nstep = 0.001\n[[plant]]\nname = 'p'\nkind = 'rod'\nsegments = 200\n"
        "length = 5\nradius = 0.01\n[[probe]]\nname = 'tip'\nplant = 'p'\nat = 'tip'\n")
    interrupted("thigmo.run('long.toml', 'out')", folder=tmp_path)
    left = [p.name for p in pathlib.Path(tmp_path).rglob("*") if p.is_file()]
    assert left == ["long.toml"]


@pytest.mark.whole
def test_a_picture_ends(tmp_path):
    interrupted("thigmo.render('p.csv', 'p.png', samples=60000)",
                folder=_plant_in(tmp_path))
    assert not (tmp_path / "p.png").exists()


def _plant_in(folder):
    (folder / "p.csv").write_text("base_x,base_y,base_z,tip_x,tip_y,tip_z,parent,radius\n0,0,0,0,1,0,-1,0.05\n")
    return folder


@pytest.mark.whole
def test_validation_ends_between_two_cases():
    interrupted("thigmo.validate()", wait=0.05, most=60)
