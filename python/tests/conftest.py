import pathlib

import pytest

import thigmo

ROOT = pathlib.Path(__file__).resolve().parents[2]

BRANCHED = """
derivation length: 5
Axiom: !(0.02)A(0.02)
A(r) --> !(r)F(0.1)F(0.1)[+(40)B(r * 0.6)][-(40)/(70)B(r * 0.6)]A(r * 0.8)
B(r) --> !(r)F(0.1)F(0.1)F(0.1)
"""


def pytest_collection_modifyitems(items):
    if thigmo.whole:
        return
    skip = pytest.mark.skip(reason="this thigmo was built with its core alone")
    for item in items:
        if item.get_closest_marker("whole"):
            item.add_marker(skip)


def pytest_configure(config):
    config.addinivalue_line("markers", "whole: needs more than the core")


@pytest.fixture
def world():
    """A branched plant that moves in a gust, after a quarter of a second."""
    world = thigmo.World()
    world.add(thigmo.grow(text=BRANCHED, species="oak"))
    world.set_wind(mean=(12, 0, 3), intensity=0.3, ease=0)
    world.run(0.25, dt=1 / 120)
    return world


@pytest.fixture
def plant(world):
    return world.plants[0]


@pytest.fixture
def gallery():
    return ROOT / "gallery"
