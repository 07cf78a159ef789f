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
