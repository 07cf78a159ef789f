"""Misuse is an exception, never a crash, and changes nothing."""

import threading

import numpy as np
import pytest

import thigmo

NAN, INF = float("nan"), float("inf")
NOTHING = thigmo.SegmentId(2**32 - 1, 0)
NOBODY = thigmo.PlantId(2**32 - 1, 0)


class Uninitialized(thigmo.World):
    def __init__(self):
        pass


@pytest.fixture(autouse=True)
def nothing_changes(world):
    before = world.state_hash
    yield
    assert world.state_hash == before


def refused(trouble, work):
    with pytest.raises(thigmo.Error) as caught:
        work()
    (said,) = caught.value.diagnostics
    assert said.trouble == trouble and said.severity == "error" and said.message in str(caught.value)
    return said


CALLS_ON_SEGMENTS = {
    "cut": lambda w, s: w.cut(s),
    "remove": lambda w, s: w.remove(s),
    "extend": lambda w, s: w.extend(s, 0.1),
    "thicken": lambda w, s: w.thicken([s], 2),
    "change": lambda w, s: w.change([s], mass=2),
    "push": lambda w, s: w.push(s, (1, 0, 0)),
    "grab": lambda w, s: w.grab(s),
    "graft": lambda w, s: w.graft(thigmo.rod(), s),
    "add_probe": lambda w, s: w.add_probe("p", s),
    "plant_of": lambda w, s: w.plant_of(s),
    "run": lambda w, s: w.run(0, probes=[s]),
    "read": lambda w, s: thigmo.Probes([s]).read(w),
}
CALLS_ON_PLANTS = {
    "remove": lambda w, p: w.remove(p),
    "change": lambda w, p: w.change(p, mass=2),
    "add_instances": lambda w, p: w.add_instances(p, [[0, 0, 0]]),
    "graft": lambda w, p: w.graft(p, w.segment(w.plants[0], 0)),
    "move_root": lambda w, p: w.move_root(p, (0, 0, 0)),
    "release_root": lambda w, p: w.release_root(p),
    "clamp_root": lambda w, p: w.clamp_root(p),
    "segments": lambda w, p: w.segments(p),
    "segment_ids": lambda w, p: w.segment_ids(p),
    "segment": lambda w, p: w.segment(p, 0),
    "tip": lambda w, p: w.tip(p),
    "transforms": lambda w, p: w.transforms(p),
    "positions": lambda w, p: w.positions(p),
    "velocities": lambda w, p: w.velocities(p),
    "angular_velocities": lambda w, p: w.angular_velocities(p),
    "section_loads": lambda w, p: w.section_loads(p),
    "bodies": lambda w, p: w.bodies(p),
    "materials": lambda w, p: w.materials(p),
    "momentum": lambda w, p: w.momentum(p),
    "surface": lambda w, p: w.surface(p),
}


@pytest.mark.parametrize("name", CALLS_ON_SEGMENTS)
def test_stale_segments(world, plant, name):
    gone = world.copy()
    segment = gone.segment(plant, 2)
    gone.remove(segment)
    refused("stale", lambda: CALLS_ON_SEGMENTS[name](gone, segment))
    refused("stale", lambda: CALLS_ON_SEGMENTS[name](world, NOTHING))


@pytest.mark.parametrize("name", CALLS_ON_PLANTS)
def test_stale_plants(world, plant, name):
    gone = world.copy()
    extra = gone.add_instances(plant, [[5, 0, 0]])[0]
    gone.remove(extra)
    refused("stale", lambda: CALLS_ON_PLANTS[name](gone, extra))
    refused("stale", lambda: CALLS_ON_PLANTS[name](world, NOBODY))


def test_questions_about_nobody_are_answered_with_no_number(world):
    assert np.isnan(world.first_frequency(NOBODY)) and np.isnan(world.sway_frequency(NOBODY))
    assert np.isnan(world.air_velocity(NOBODY, (0, 0, 0))).all() and not world.asleep(NOBODY)


@pytest.mark.parametrize("bad", [NAN, INF, -INF])
def test_numbers_that_are_none(world, plant, bad):
    segment = world.segment(plant, 0)
    for work in (
        lambda: world.step(bad),
        lambda: world.run(1, dt=bad),
        lambda: world.run(bad),
        lambda: world.set_wind(mean=(bad, 0, 0)),
        lambda: world.set_wind(ease=bad),
        lambda: world.set_gravity((0, bad, 0)),
        lambda: world.set_ground(height=bad),
        lambda: world.push(segment, (0, 0, bad)),
        lambda: world.push(segment, (0, 0, 1), along=bad),
        lambda: world.grab(segment, stiffness=bad),
        lambda: world.move_root(plant, (bad, 0, 0)),
        lambda: world.cut(segment, along=bad),
        lambda: world.extend(world.tip(plant), bad),
        lambda: world.thicken([segment], bad),
        lambda: world.change(plant, stiffness=bad),
        lambda: world.graft(thigmo.rod(), segment, turn=(bad, 0, 0, 1)),
        lambda: world.add(thigmo.rod(), (0, bad, 0)),
        lambda: world.add(thigmo.rod(), turn=bad),
        lambda: world.add_instances(plant, [[0, 0, bad]]),
        lambda: world.pick((0, 0, bad), (1, 0, 0)),
        lambda: world.nearest((0, 0, bad), 1),
        lambda: thigmo.rod(length=bad),
        lambda: thigmo.Probes([(segment, bad)]),
    ):
        with pytest.raises(thigmo.Error):
            work()


def test_negative_and_senseless_numbers(world, plant):
    refused("argument", lambda: world.step(-1))
    refused("argument", lambda: world.step(0))
    refused("argument", lambda: world.run(-1))
    refused("argument", lambda: world.run(1e300, dt=1e-300))
    refused("argument", lambda: world.run(1, every=0))
    refused("argument", lambda: world.segment(plant, 10**6))
    refused("argument", lambda: world.transforms(plant, layout="rows"))
    refused("argument", lambda: world.graft(plant, world.tip(plant), rest="well"))
    refused("argument", lambda: thigmo.Probes([(world.tip(plant), 1.5)]))
    refused("argument", lambda: world.add_instances(plant, [[0, 0, 0]], turns=[1, 2]))
    refused("argument", lambda: world.add_instances(plant, [0, 0, 0]))
    refused("argument", lambda: thigmo.grow())
    with pytest.raises(thigmo.Error):
        world.surface(plant, sides=-3)


@pytest.mark.parametrize(
    "out",
    [
        lambda n: np.empty((n - 1, 3, 4)),
        lambda n: np.empty((n + 1, 3, 4)),
        lambda n: np.empty(n * 12),
        lambda n: np.empty((n, 4, 3)),
        lambda n: np.empty((n, 3, 4), dtype=np.int64),
        lambda n: np.empty((n, 3, 4), dtype=np.float16),
        lambda n: np.empty((n, 3, 4), dtype=complex),
        lambda n: np.empty((n, 3, 4), dtype=object),
        lambda n: np.empty((n, 3, 4), dtype=">f8"),
        lambda n: np.empty((n, 3, 4), order="F"),
        lambda n: np.empty((2 * n, 3, 4))[::2],
        lambda n: np.empty((n, 3, 8))[:, :, ::2],
        lambda n: np.frombuffer(bytes(96 * n)).reshape(n, 3, 4),
        lambda n: np.frombuffer(bytearray(96 * n + 1), np.uint8)[1:].view(np.float64).reshape(n, 3, 4),
        lambda n: np.broadcast_to(np.zeros(1), (n, 3, 4)),
    ],
)
def test_memory_that_does_not_fit(world, plant, out):
    refused("argument", lambda: world.transforms(plant, out=out(len(world.segments(plant)))))


@pytest.mark.parametrize("out", [[[0]], "memory", 5, bytearray(96)])
def test_memory_that_is_no_array(world, plant, out):
    with pytest.raises(TypeError):
        world.transforms(plant, out=out)


def test_wrong_types(world, plant):
    segment = world.segment(plant, 0)
    for number, work in enumerate((
        lambda: world.cut(plant),
        lambda: world.cut(None),
        lambda: world.cut(3),
        lambda: world.add(None),
        lambda: world.add("oak.lsys"),
        lambda: world.graft(None, segment),
        lambda: world.set_gravity((1, 2)),
        lambda: world.set_gravity("down"),
        lambda: world.set_gravity(None),
        lambda: world.step("soon"),
        lambda: world.thicken(segment, 2),
        lambda: world.change(plant, colour=1),
        lambda: world.segment(plant, -1),
        lambda: world.run(1, probes=[plant]),
        lambda: world.run(1, probes=5),
        lambda: thigmo.rod(segments=2**40),
        lambda: thigmo.rod(segments=1.5),
        lambda: thigmo.grow(text="Axiom: F", seed=-1),
        lambda: thigmo.grow(text="Axiom: F", parameters={"L": "long"}),
        lambda: thigmo.grow(5),
        lambda: thigmo.grow("a\0b"),
        lambda: thigmo.SegmentId(-1, 0),
        lambda: thigmo.Force(),
        lambda: thigmo.Grab(),
        lambda: thigmo.Surface(),
        lambda: thigmo.World.step(None, 0.1),
        lambda: Uninitialized().time,
    )):
        with pytest.raises((TypeError, RuntimeError)):
            pytest.fail(f"{number}: {work()}")
    with pytest.raises((TypeError, ValueError)):
        world.add_instances(plant, [["x", "y", "z"]])


def test_what_is_wrong_with_a_grammar_is_said_where_it_is(tmp_path):
    file = tmp_path / "bad.lsys"
    file.write_text("derivation length: 2\nAxiom: F(1\nA --> F(\n")
    with pytest.raises(thigmo.Error) as caught:
        thigmo.grow(file)
    first = caught.value.diagnostics[0]
    assert first.file == str(file) and first.line == 2 and first.column > 0
    assert first.source_line == "Axiom: F(1" and str(first) in str(caught.value)
    with pytest.raises(thigmo.Error, match="nowhere.lsys"):
        thigmo.grow("nowhere.lsys")


def test_another_thread(world, plant):
    """A run lets go of the interpreter lock; who calls its world meanwhile is refused."""
    busy = world.copy()
    busy.add_instances(plant, [[x, 0, 0] for x in range(1, 20)])
    probes = thigmo.Probes([busy.tip(plant)])
    surface = busy.surface(plant)
    thread = threading.Thread(target=busy.run, args=(10,), kwargs={"probes": probes, "dt": 1 / 240})
    thread.start()
    seen = set()
    while thread.is_alive():
        for name, work in {
            "time": lambda: busy.time,
            "copy": busy.copy,
            "step": lambda: busy.step(0.01),
            "cut": lambda: busy.cut(busy.segment(plant, 3)),
            "positions": lambda: busy.positions(plant),
            "events": lambda: busy.events,
            "follow": surface.follow,
            "probes": lambda: probes.positions,
            "repr": lambda: repr(busy),
        }.items():
            try:
                work()
            except thigmo.Error as error:
                assert error.diagnostics[0].trouble == "busy"
                seen.add(name)
            if not thread.is_alive():
                break
    thread.join()
    assert len(seen) == 9 and busy.time >= 10.25 - 1e-9


def test_worlds_of_many_threads_do_not_meet(world):
    worlds = [world.copy() for _ in range(4)]
    threads = [threading.Thread(target=w.run, args=(0.5,)) for w in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({w.state_hash for w in worlds}) == 1
