"""What reads scenarios and writes files."""

import json

import numpy as np
import pytest

import thigmo

pytestmark = pytest.mark.whole

ROD = """
step = 0.01
duration = 0.5
[[plant]]
name = "beam"
kind = "rod"
segments = 40
length = 1.0
radius = 0.01
young = 1e10
density = 900
poisson = 0.3
direction = [1, 0, 0]
[[probe]]
name = "tip"
plant = "beam"
at = "tip"
"""


@pytest.fixture
def scenario(tmp_path):
    file = tmp_path / "rod.toml"
    file.write_text(ROD)
    return file


def test_a_world_of_a_scenario_moves_as_its_run(scenario, tmp_path):
    summary = thigmo.run(scenario, tmp_path / "out")
    world = thigmo.load_world(scenario)
    probes = world.run(0.5, dt=0.01, probes=[world.tip(world.plants[0])])
    position, velocity = world.probes()["tip"]
    assert np.allclose(summary["probes"]["tip"]["position"], position, atol=1e-12)
    assert np.allclose(probes.positions[-1, 0], position, atol=1e-12)
    assert np.allclose(probes.velocities[-1, 0], velocity, atol=1e-12)
    assert (tmp_path / "out" / "summary.json").exists()
    assert summary["steps"] == 50 and summary["errors"] == []


def test_overrides_and_texts(scenario):
    world = thigmo.load_world(scenario, {"plant.beam.segments": 17})
    assert world.segment_count == 17
    assert thigmo.parse_world(ROD, overrides={"plant.beam.segments": 9}).segment_count == 9
    with pytest.raises(thigmo.Error, match="nobody"):
        thigmo.load_world(scenario, {"plant.nobody.segments": 3})


def test_a_beam_sags_as_it_should(scenario):
    """Small loads: w = rho g A L⁴ / (8 E I) = rho g L⁴ / (2 E r²) for a round one, but for what it turns."""
    summary = thigmo.pose(scenario)
    sag = 900 * 9.81 / (2 * 1e10 * 0.01**2)
    assert -summary["probes"]["tip"]["position"][1] == pytest.approx(sag, rel=5e-3)
    assert thigmo.pose(text=ROD)["residual"] < 1e-9


def test_modes_are_those_of_a_beam(scenario):
    summary = thigmo.modes(scenario, count=4, about="rest")
    # Roots of cos x cosh x = -1, twice each: along both axes of the section.
    beam = np.array([1.875104, 4.694091]) ** 2 / (2 * np.pi) * np.sqrt(1e10 * 0.01**2 / (4 * 900))
    assert np.allclose(summary["frequencies_hz"], np.repeat(beam, 2), rtol=1e-2)


def test_plants_are_written_and_read_again(tmp_path, gallery):
    file = tmp_path / "tree.csv"
    converted = thigmo.convert(gallery / "plants" / "young_tree.lsys", file)
    assert file.exists() and converted["segments"] > 100
    tree = thigmo.read_plant(file)
    assert tree.segment_count >= converted["segments"]
    world = thigmo.World()
    plant = world.add(tree)
    start = world.positions(plant)
    world.run(0.5)
    assert np.allclose(world.positions(plant), start, atol=1e-3), "it stands as it was modelled"
    with pytest.raises(thigmo.Error, match="no tree that can be read"):
        thigmo.read_plant("tree.xyz")
    with pytest.raises(thigmo.Error, match="unit"):
        thigmo.read_plant(file, scale=0)
    with pytest.raises(thigmo.Error, match="species"):
        thigmo.read_plant(file, species="stone")


def test_a_glb_of_a_motion(scenario, tmp_path):
    converted = thigmo.convert(scenario, tmp_path / "rod.glb", rate=10)
    assert converted["frames"] == 6 and (tmp_path / "rod.glb").read_bytes()[:4] == b"glTF"
    with pytest.raises(thigmo.Error):
        thigmo.convert(scenario, tmp_path / "rod.xyz")
    with pytest.raises(thigmo.Error, match="style"):
        thigmo.convert(scenario, tmp_path / "rod.usda", style="ornate")


def test_a_picture(scenario, tmp_path):
    picture = tmp_path / "rod.png"
    drawn = thigmo.render(scenario, picture, width=80, height=60, samples=1, time=0.1)
    assert picture.read_bytes()[1:4] == b"PNG" and drawn["segments"] == 40


def test_deriving_and_checking(gallery, tmp_path):
    derived = thigmo.derive(gallery / "plants" / "grass.lsys")
    assert derived["length"] > 0 and "F" in derived["text"]
    assert thigmo.check(gallery / "plants" / "grass.lsys")["errors"] == []
    bad = tmp_path / "bad.lsys"
    bad.write_text("Axiom: F(\n")
    assert thigmo.check(bad)["errors"][0]["line"] == 1


def test_validation():
    (result,) = thigmo.validate("cantilever_vibration")
    assert result["passed"] and result["checks"] and "cantilever_vibration" in thigmo.validation_cases()
    with pytest.raises(thigmo.Error, match="no validation case"):
        thigmo.validate("nothing")


def test_summaries_are_plain_data(scenario):
    json.dumps(thigmo.pose(scenario))


def test_meshes_of_organs_are_files(world, plant):
    with pytest.raises(thigmo.Error, match="nowhere.obj"):
        world.surface(plant, organs={"leaf": "nowhere.obj"})


def test_probes_go_on_through_edits_of_the_scenario(scenario):
    edits = """
[[cut]]
plant = "beam"
at = 20
time = 0.1
[[remove]]
plant = "beam"
at = { segment = 30, along = 0 }
time = 0.2
"""
    world = thigmo.parse_world(ROD + edits)
    beam = world.plants[0]
    segments = [world.segment(beam, i) for i in (10, 25, 35)]
    probes = world.run(0.4, dt=0.01, probes=segments)
    assert world.plant_of(segments[0]) == beam != world.plant_of(segments[1])
    held, fell, gone = (probes.positions[:, i] for i in range(3))
    assert np.isfinite(held).all() and np.abs(held[:, 1]).max() < 0.05
    # From 0.1 s on it falls freely, but for its turning.
    assert fell[-1, 1] == pytest.approx(-9.81 * 0.3**2 / 2, rel=0.2)
    assert np.isfinite(gone[:20]).all() and np.isnan(gone[21:]).all()
    with pytest.raises(thigmo.Error):
        world.run(0.1, probes=[segments[2]])


def test_progress_is_told_and_may_end_a_run(scenario, tmp_path):
    told = []
    thigmo.run(scenario, tmp_path / "out", overrides={"duration": 20, "plant.beam.segments": 500},
               progress=lambda stage, part: told.append((stage, part)))
    assert told and all(stage and 0 <= part <= 1 for stage, part in told)

    def enough(stage, part):
        raise ZeroDivisionError(stage)

    with pytest.raises(ZeroDivisionError):
        thigmo.run(scenario, tmp_path / "no", overrides={"duration": 2000}, progress=enough)
    assert not (tmp_path / "no" / "summary.json").exists()
