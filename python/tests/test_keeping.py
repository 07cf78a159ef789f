import pickle
import random

import numpy as np
import pytest

import thigmo


@pytest.mark.parametrize("keep", [lambda w: thigmo.World.restore(w.save()),
                                  lambda w: pickle.loads(pickle.dumps(w))])
def test_what_was_kept_goes_on_with_the_same_bits(world, plant, keep):
    world.cut(world.segment(plant, 4), along=0.3)
    tip = world.tip(plant)
    grab = world.grab(tip)
    grab.drag((0.2, 0.8, 0.1))
    push = world.push(world.segment(plant, 0), force=(1, 0, 0))
    world.run(0.1, dt=1 / 120)
    other = keep(world)
    assert other.state_hash == world.state_hash and other.time == world.time
    assert other.segment_ids(plant) == world.segment_ids(plant)
    for one in (world, other):
        assert np.isfinite(one.section_loads(plant)["force"]).all()
        one.run(0.1, dt=1 / 120)
        push.within(one).remove()
        grab.within(one).let_go()
        one.cut(tip)
        one.run(0.2, dt=1 / 120)
    assert other.state_hash == world.state_hash


def test_damaged_bytes_are_refused(world):
    saved = world.save()
    with pytest.raises(thigmo.Error):
        thigmo.World.restore(b"")
    chance = random.Random(1)
    for _ in range(300):
        damaged = bytearray(saved)
        for _ in range(chance.randrange(1, 4)):
            damaged[chance.randrange(len(saved))] ^= 1 << chance.randrange(8)
        with pytest.raises(thigmo.Error):
            thigmo.World.restore(bytes(damaged))
        with pytest.raises(thigmo.Error):
            thigmo.World.restore(saved[: chance.randrange(len(saved))])
    for wrong in (None, 5, "text", bytearray(saved)):
        with pytest.raises(TypeError):
            thigmo.World.restore(wrong)


def test_a_log_makes_the_same_world(world, plant):
    start = world.time
    world.keep_log(check_every=10)
    more = world.add(thigmo.rod(segments=5), (1, 0, 0))
    world.set_wind(mean=(0, 0, 9))
    grab = world.grab(world.tip(plant))
    for step in range(30):
        grab.drag((0.01 * step, 0.8, 0))
        world.step(1 / 120)
    grab.let_go()
    (piece,) = world.cut(world.segment(plant, 1), along=0.3).pieces
    world.graft(piece, world.tip(more), carry=True)
    world.change(more, stiffness=0.5)
    with pytest.raises(thigmo.Error):
        world.cut(world.segment(plant, 0), along=2)
    world.run(0.3)
    log = world.log()
    made = thigmo.replay(log, "some.log")
    assert made.differs is None and made.steps == 48
    assert made.world.state_hash == world.state_hash and made.world.time == world.time > start
    assert np.array_equal(made.world.positions(more), world.positions(more))


def test_other_logs_are_refused_or_differ(world, plant):
    world.keep_log(check_every=5)
    world.push(world.tip(plant), force=(1, 0, 0))
    world.run(0.2)
    log = world.log()
    for was, other in (("force=1,0,0", "force=2,0,0"), ("gives=1", "gives=7")):
        assert was in log
        made = thigmo.replay(log.replace(was, other), "some.log")
        assert made.differs.file == "some.log" and made.differs.line > 1
    for bad in ("", "nonsense", log + "fly away=3\n", log.replace("force=1", "force=x")):
        with pytest.raises(thigmo.Error):
            thigmo.replay(bad)
    with pytest.raises(thigmo.Error, match="log"):
        thigmo.World().log()
