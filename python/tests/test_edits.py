import numpy as np
import pytest

import thigmo


def total(world):
    momenta = [world.momentum(p) for p in world.plants]
    return sum(m.linear for m in momenta), sum(m.angular for m in momenta)


def test_a_cut_moves_nothing_and_momenta_add_up(world, plant):
    ids, points, speeds = world.segment_ids(plant), world.positions(plant), world.velocities(plant)
    linear, angular = total(world)
    report = world.cut(world.segment(plant, 3), along=0.5)
    (piece,) = report.pieces
    (split,) = report.splits
    assert split.along == 0.5 and split.lower == ids[3] and world.plant_of(split.upper) == piece
    for part in (plant, piece):
        for i, name in enumerate(world.segment_ids(part)):
            if name in ids:
                k = ids.index(name)
                assert np.allclose(world.positions(part)[i], points[k], atol=1e-12)
                assert np.allclose(world.velocities(part)[i], speeds[k], atol=1e-12)
    after = total(world)
    assert np.allclose(after[0], linear, rtol=1e-9, atol=1e-12)
    assert np.allclose(after[1], angular, rtol=1e-9, atol=1e-12)


def test_a_cut_and_a_graft_at_once_go_on_with_the_same_motion(world, plant):
    alone = world.copy()
    segment = world.segment(plant, 3)
    parent = world.segment_ids(plant)[world.segments(plant)["parent"][3]]
    (piece,) = world.cut(segment).pieces
    world.graft(piece, parent)
    assert piece not in world
    for one in (world, alone):
        one.run(0.2, dt=1 / 120)
    order = [world.segment_ids(plant).index(name) for name in alone.segment_ids(plant)]
    assert np.allclose(world.positions(plant)[order], alone.positions(plant), atol=1e-9)


def test_removing(world, plant):
    other = world.add_instances(plant, [[3, 0, 0]])[0]
    world.remove(other)
    assert other not in world and world.plants == [plant]
    segment = world.segment(plant, 1)
    world.remove(segment)
    assert segment not in world and world.segment_count == 1
    assert {e.kind for e in world.events} >= {"removed"}


def test_growing_longer_and_thicker(world, plant):
    tip, rows = world.tip(plant), world.segments(plant)
    number = world.segment_ids(plant).index(tip)
    world.extend(tip, by=0.05)
    assert world.segments(plant)["length"][number] == pytest.approx(rows["length"][number] + 0.05)
    world.thicken([tip], 2)
    assert world.segments(plant)["radius_base"][number] == pytest.approx(
        2 * rows["radius_base"][number])


def test_changing_stiffness_changes_the_frequency(world, plant):
    before = world.first_frequency(plant)
    world.change(plant, stiffness=0.25)
    assert world.first_frequency(plant) == pytest.approx(before / 2, rel=1e-6)
    world.change(world.segment_ids(plant), stiffness=4)
    assert world.first_frequency(plant) == pytest.approx(before, rel=1e-6)


def test_grafting_a_plant_that_is_in_no_world(world, plant):
    n = len(world.segments(plant))
    world.graft(thigmo.rod(segments=3, length=0.3, radius=0.005), world.tip(plant))
    assert len(world.segments(plant)) == n + 3
    bases, tips = world.positions(plant), world.positions(plant, 1)
    parents = world.segments(plant)["parent"]
    for i in range(1, n + 3):
        assert np.allclose(bases[i], tips[parents[i]], atol=1e-12)


def test_a_surface_is_made_anew_after_an_edit(world, plant):
    surface = world.surface(plant)
    world.cut(world.segment(plant, 3))
    with pytest.raises(thigmo.Error, match="other segments"):
        surface.follow()
    assert len(world.surface(plant).positions) < len(surface.positions)
