import numpy as np
import pytest

import thigmo


def test_layouts_say_the_same(world, plant):
    n = len(world.segments(plant))
    rows = world.transforms(plant)
    flat = world.transforms(plant, "position_rotation")
    columns = world.transforms(plant, "matrix_4x4_columns")
    assert rows.shape == (n, 3, 4) and flat.shape == (n, 7) and columns.shape == (n, 4, 4)
    assert np.array_equal(rows[:, :, 3], flat[:, :3])
    assert np.array_equal(columns.transpose(0, 2, 1)[:, :3], rows)
    # v' = v + 2 w (q × v) + 2 q × (q × v) for a unit quaternion (w, q).
    w, q = flat[:, 3:4], flat[:, 4:]
    y = np.array([0.0, 1.0, 0.0])
    along = y + 2 * w * np.cross(q, y) + 2 * np.cross(q, np.cross(q, y))
    assert np.allclose(along, rows[:, :, 1], atol=1e-14)


def test_rotations_are_rotations(world, plant):
    r = world.transforms(plant)[:, :, :3]
    assert np.allclose(r @ r.transpose(0, 2, 1), np.eye(3), atol=1e-12)
    assert np.allclose(np.linalg.det(r), 1)


def test_segments_hang_together(world, plant):
    """A segment begins where its parent ends."""
    segments = world.segments(plant)
    bases, tips = world.positions(plant), world.positions(plant, along=1)
    for i, parent in enumerate(segments["parent"]):
        assert parent < i
        if parent >= 0:
            assert np.allclose(bases[i], tips[parent], atol=1e-12)
    assert np.allclose(np.linalg.norm(tips - bases, axis=1), segments["length"], rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_transforms_into_memory_of_ones_own(world, plant, dtype):
    whole = np.full((3, len(world.segments(plant)), 3, 4), 7, dtype=dtype)
    out = whole[1]
    assert world.transforms(plant, out=out) is out
    assert np.array_equal(out, world.transforms(plant).astype(dtype))
    assert (whole[[0, 2]] == 7).all(), "nothing was written beside it"


def test_velocities_are_differences_of_positions(world, plant):
    h = 1e-5
    before = world.positions(plant)
    world.step(h)
    v, w, r = world.velocities(plant), world.angular_velocities(plant), world.transforms(plant)
    world.step(h)
    fastest = np.abs(v).max()
    assert fastest > 0.01
    # Central differences: of second order in h, and 1e-16 / h by rounding.
    assert np.allclose(v, (world.positions(plant) - before) / (2 * h), atol=1e-4 * fastest)
    later = world.transforms(plant)
    change = (later[:, :, 1] - r[:, :, 1]) / h
    assert np.allclose(np.cross(w, r[:, :, 1]), change, atol=2e-2 * np.abs(w).max())


def test_the_lowest_section_carries_the_weight():
    world = thigmo.World()
    rod = world.add(thigmo.rod(length=1, radius=0.02, stands_as_modelled=True))
    loads = world.section_loads(rod)
    weight = 9.81 * world.momentum(rod).mass
    assert np.allclose(loads["force"][0], [0, -weight, 0], rtol=1e-9, atol=1e-9 * weight)
    assert loads["stress"][0] == pytest.approx(weight / (np.pi * 0.02**2), rel=1e-6)
    assert (np.diff(loads["stress"]) < 0).all()


def test_momentum_of_a_plant_that_falls(world, plant):
    world.set_wind(mean=(0, 0, 0), intensity=0, ease=0)
    world.release_root(plant)
    before = world.momentum(plant)
    world.run(0.1, dt=1 / 1000)
    after = world.momentum(plant)
    gained = after.linear - before.linear
    assert gained[1] == pytest.approx(-9.81 * 0.1 * before.mass, rel=0.05)  # less what the air holds
    assert after.mass == before.mass


def test_picks_and_nearest(world, plant):
    segment = world.segments(plant)
    middle = world.positions(plant, along=0.5)[0]
    hit = world.pick(origin=middle + [0, 0, 3], direction=(0, 0, -2))
    assert hit.plant == plant and hit.segment == world.segment(plant, 0)
    assert hit.along == pytest.approx(0.5, abs=0.05)
    assert hit.distance == pytest.approx(3 - segment["radius_base"][0], rel=1e-3)
    assert world.pick(origin=middle + [0, 0, 3], direction=(0, 0, 1)) is None
    near = world.nearest(middle + [0, 0, 0.1], within=0.2)
    assert near.segment == hit.segment and near.distance < 0.1
    assert world.nearest((9, 9, 9), within=0.5) is None


def test_a_surface_follows_its_plant(world, plant):
    surface = world.surface(plant, sides=6)
    n = len(surface.positions)
    assert surface.triangles.max() == n - 1 and surface.uvs.shape == (n, 2)
    positions, normals = surface.follow()
    assert np.allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-5)
    # Every vertex is on some segment's side.
    reach = world.segments(plant)["radius_base"].max()
    assert np.abs(positions.max(axis=0) - world.positions(plant, 1).max(axis=0)).max() < 2 * reach
    before = positions.copy()
    world.run(0.2)
    assert surface.follow()[0] is not positions
    assert not np.array_equal(positions, before), "the same memory, moved"


def test_a_graphics_card_finds_the_same_surface(world, plant):
    surface = world.surface(plant, sides=6)
    weights, joints = surface.weights, surface.joints
    assert weights.shape == joints.shape == (len(surface.positions), 4)
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-6)
    matrices = surface.joint_matrices().transpose(0, 2, 1)  # columns become rows
    at_rest = np.column_stack([surface.positions, np.ones(len(weights))])
    points = np.einsum("vj,vjrc,vc->vr", weights, matrices[joints], at_rest)
    assert np.allclose(points[:, :3], surface.follow()[0], atol=1e-5)


def test_bodies_and_materials_change_with_edits(world, plant):
    before = world.bodies(plant)
    assert before["mass"].sum() == pytest.approx(world.momentum(plant).mass, rel=1e-6)
    world.change(plant, stiffness=0.5, mass=2)
    after = world.bodies(plant)
    assert np.allclose(after["stiffness"], 0.5 * before["stiffness"], rtol=1e-6)
    assert np.allclose(after["mass"], 2 * before["mass"], rtol=1e-6)
    (oak,) = world.materials(plant)
    assert (world.segments(plant)["material"] == 0).all() and oak.young > 1e9 and oak.density > 100


def test_named_probes(world, plant):
    world.add_probe("end", world.tip(plant))
    number = world.segment_ids(plant).index(world.tip(plant))
    assert np.allclose(world.probes()["end"][0], world.positions(plant, 1)[number])
    world.remove(world.segment(plant, 0))
    assert np.isnan(world.probes()["end"][0]).all()
    world.remove_probe("end")
    assert world.probes() == {}


def test_arrays_over_the_surface_outlive_their_names(world, plant):
    positions, at_rest = (lambda s: (s.follow()[0], s.positions))(world.surface(plant))
    kept = positions.copy(), at_rest.copy()
    del world
    junk = [np.random.default_rng(i).random(100_000) for i in range(20)]
    assert np.array_equal(positions, kept[0]) and np.array_equal(at_rest, kept[1])
    del junk
    for array in (positions, at_rest):
        with pytest.raises(ValueError):
            array[0] = 0


def test_probes_read_points_of_segments(world, plant):
    tip, low = world.tip(plant), world.segment(plant, 1)
    probes = world.run(0.2, dt=1 / 100, probes=[tip, (low, 0.25)], every=2)
    assert probes.times.shape == (11,) and probes.positions.shape == (11, 2, 3)
    assert np.allclose(np.diff(probes.times), 0.02)
    number = world.segment_ids(plant).index(tip)
    assert np.allclose(probes.positions[-1, 0], world.positions(plant, 1)[number], atol=1e-14)
    assert np.allclose(probes.positions[-1, 1], world.positions(plant, 0.25)[1], atol=1e-14)
    more = world.run(0.1, dt=1 / 100, probes=probes)
    assert more is probes and len(probes) == 21, "it goes on, and reads no time twice"


def test_probes_have_the_velocity_of_their_points(world, plant):
    probes = thigmo.Probes([world.tip(plant), (world.segment(plant, 2), 0.3)])
    world.run(3e-5, dt=1e-5, probes=probes)
    x, v = probes.positions, probes.velocities
    assert np.allclose(v[1], (x[2] - x[0]) / 2e-5, atol=1e-4 * np.abs(v).max())


def test_probes_go_with_what_is_cut_off(world, plant):
    tip = world.tip(plant)
    probes = world.run(0.1, probes=[tip])
    world.cut(world.segment(plant, 1))
    world.run(0.5, probes=probes)
    assert probes.positions[-1, 0, 1] < probes.positions[0, 0, 1] - 0.3
    steps = np.linalg.norm(np.diff(probes.positions[:, 0], axis=0), axis=1)
    assert steps.max() < 0.2, "no jump"
