import copy
import pickle

import numpy as np
import pytest

import thigmo


def test_a_rod_has_the_frequency_of_a_beam():
    world = thigmo.World()
    rod = world.add(thigmo.rod(segments=50, radius=0.01, density=923, young=8.1e9))
    # Euler and Bernoulli: f = 1.8751² / (2 pi L²) sqrt(E I / (rho A)), I / A = r² / 4.
    beam = 1.875104**2 / (2 * np.pi) * np.sqrt(8.1e9 * 0.01**2 / (4 * 923))
    assert world.first_frequency(rod) == pytest.approx(beam, rel=2e-3)


def test_growing_takes_parameters_steps_and_seeds():
    text = "#define N 2\n#define L 0.5\nderivation length: 3\nAxiom: A\nA --> F(L)A\n"
    assert thigmo.grow(text=text).height == pytest.approx(1.5)
    assert thigmo.grow(text=text, parameters={"L": 0.25}).height == pytest.approx(0.75)
    assert thigmo.grow(text=text, steps=5).segment_count == 5
    chance = "derivation length: 60\nAxiom: A\nA --> F(0.1 + ran(1))A\n"
    heights = [thigmo.grow(text=chance, seed=seed).height for seed in (1, 2, 1)]
    assert heights[0] == heights[2] != heights[1]


def test_files_are_named_as_text_or_path(gallery):
    file = gallery / "plants" / "grass.lsys"
    assert thigmo.grow(file).segment_count == thigmo.grow(str(file)).segment_count > 0


def test_instances_share_and_stand_where_they_were_put(world, plant):
    ids = world.add_instances(plant, [[2, 0, 0], [4, 0, 1]], turns=[0.5, np.pi])
    assert world.plants == [plant, *ids] and world.plant_count == 3
    first, second = (world.positions(i)[0] for i in ids)
    assert np.allclose(first, [2, 0, 0]) and np.allclose(second, [4, 0, 1])
    assert world.segment_count == 3 * len(world.segments(plant))


def test_any_number_of_threads_gives_the_same_bits(world, plant):
    world.add_instances(plant, [[3, 0, 0]])
    hashes = set()
    for threads in (1, 2, 0):
        one = world.copy()
        one.run(0.2, dt=1 / 120, threads=threads)
        hashes.add(one.state_hash)
    assert len(hashes) == 1


def test_run_is_many_steps(world):
    other = world.copy()
    world.run(0.1, dt=1 / 100)
    for _ in range(10):
        other.step(1 / 100)
    assert world.state_hash == other.state_hash and world.time == other.time


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, thigmo.World.copy])
def test_a_copy_goes_its_own_way(world, plant, copied):
    other = copied(world)
    assert other.state_hash == world.state_hash
    before = world.positions(plant)
    other.run(0.1)
    assert np.array_equal(world.positions(plant), before)
    assert not np.array_equal(other.positions(plant), before)


def test_ids_are_values(world, plant):
    tip = world.tip(plant)
    assert tip == thigmo.SegmentId(tip.number, tip.birth) and hash(tip) == hash(world.tip(plant))
    assert tip != plant and tip in {tip: 1}
    assert pickle.loads(pickle.dumps(tip)) == tip and eval(repr(tip), vars(thigmo)) == tip
    ids = world.segment_ids(plant)
    assert sorted(ids, reverse=True)[0] == max(ids) and len(set(ids)) == len(ids)
    rows = world.segments(plant)
    assert [thigmo.SegmentId(r["number"], r["birth"]) for r in rows] == ids
    assert plant in world and tip in world and world.plant_of(tip) == plant


def test_wind_bends_and_gravity_turns():
    world = thigmo.World()
    rod = world.add(thigmo.rod(length=2, radius=0.004))
    world.set_wind(mean=(0, 0, 10), intensity=0, ease=0)
    world.run(1)
    assert world.positions(rod, along=1)[-1][2] > 0.01
    world.set_wind(mean=(0, 0, 0), intensity=0, ease=0)
    world.set_gravity((9.81, 0, 0))
    world.run(3)
    assert world.positions(rod, along=1)[-1][0] > 0.1
    assert np.allclose(world.air_velocity(rod, (0, 1, 0)), 0)


def test_a_push_bends_as_a_beam_until_it_is_removed():
    world = thigmo.World()
    world.set_gravity((0, 0, 0))
    rod = world.add(thigmo.rod(segments=60, radius=0.01, young=1e10, damping_ratio=0.5))
    # Euler and Bernoulli: the tip goes by F L³ / (3 E I).
    bend = 0.1 / (3 * 1e10 * np.pi / 4 * 0.01**4)
    with world.push(world.tip(rod), force=(0.1, 0, 0)) as push:
        world.run(4, dt=1 / 120)
        assert world.positions(rod, 1)[-1][0] == pytest.approx(bend, rel=2e-3)
        push.change(force=(0.2, 0, 0))
        world.run(4, dt=1 / 120)
        assert world.positions(rod, 1)[-1][0] == pytest.approx(2 * bend, rel=2e-3)
    world.run(4, dt=1 / 120)
    assert abs(world.positions(rod, 1)[-1][0]) < 1e-3 * bend
    with pytest.raises(thigmo.Error, match="no force"):
        push.remove()


def test_a_grab_drags_until_it_lets_go(world, plant):
    tip = world.tip(plant)
    number = world.segment_ids(plant).index(tip)
    with world.grab(tip, stiffness=5000) as grab:
        goal = world.positions(plant, 1)[number] + [0.1, -0.05, 0.1]
        grab.drag(goal)
        world.run(2, dt=1 / 120)
        assert np.linalg.norm(world.positions(plant, 1)[number] - goal) < 0.02
        other = world.copy()
        grab.within(other).let_go()
        other.run(0.5, dt=1 / 120)
        assert np.linalg.norm(other.positions(plant, 1)[number] - goal) > 0.02
    with pytest.raises(thigmo.Error):
        grab.drag((0, 0, 0))


def test_roots_are_moved_released_and_clamped(world, plant):
    world.move_root(plant, (1, 0, 0), seconds=0.5)
    world.run(0.6, dt=1 / 120)
    assert np.allclose(world.positions(plant)[0], [1, 0, 0], atol=1e-9)
    world.release_root(plant)
    world.run(0.5, dt=1 / 120)
    assert world.positions(plant)[0][1] < -0.5
    world.clamp_root(plant)
    low = world.positions(plant)[0]
    world.run(0.2, dt=1 / 120)
    assert np.array_equal(world.positions(plant)[0], low)


def test_energy_is_accounted_for(world):
    world.keep_account()
    before = world.energies().total
    world.run(0.5, dt=1 / 240)
    works = world.account()
    gained = works.by_air + works.by_loads + works.by_ground + works.by_base + works.by_edits
    lost = works.lost_in_joints + works.lost_by_mass + works.numerical
    assert works.by_air > 0
    assert world.energies().total - before == pytest.approx(gained - lost, abs=1e-6 * works.by_air)


def test_events_of_a_run_are_all_there(world, plant):
    world.set_ground(height=0)
    (piece,) = world.cut(world.segment(plant, 4)).pieces
    assert [e.kind for e in world.events][-1] == "cut" and world.events[-1].other == piece
    world.run(2, dt=1 / 120)
    touched = [e for e in world.events if e.kind == "touched"]
    assert touched and touched[0].plant == piece and 0.25 < touched[0].time < 2
    world.step(1 / 120)
    assert not any(e.time < 2 for e in world.events)


def test_particles_move_what_asks_for_them():
    world = thigmo.World()
    joints = world.add(thigmo.rod())
    moved = world.add(thigmo.rod(particles={"velocity_kept": 0.5}))
    assert world.particles(joints) == []
    [(constraints, iterations)] = world.particles(moved)
    assert iterations == int(np.ceil(np.sqrt(constraints)))  # Li (2012), appendix A.1
    world.step(1 / 60)
    assert np.isfinite(world.transforms(moved)).all()
    for wrong in ({"supports": 3}, {"supports": 2.5}, {"power": np.nan}, {"iterations": -1}, {"color": 1}):
        with pytest.raises(thigmo.Error):
            thigmo.World().add(thigmo.rod(particles=wrong))
