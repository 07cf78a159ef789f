"""Calls with arguments at random: each raises or does what it says, and nothing ends the process or is no number."""

import random

import numpy as np
import pytest

import thigmo

GRAMMAR = """
derivation length: 3
Axiom: !(0.02)A(0.02)
A(r) --> !(r)F(0.1)F(0.1)[+(40)B(r * 0.6)]A(r * 0.8)
B(r) --> !(r)F(0.1)F(0.1)
"""
ODD = [None, -1, 0, 1, 0.5, True, 2**31, 2**70, float("nan"), float("inf"), -1e300, 1e-300, "", "oak", b"x", {}, [],
       (1, 2, 3), (float("nan"), 0, 0), [0.0, 0.1, 0.0], [(0, 0, 0)], np.zeros(3), np.zeros((5, 3, 4)),
       "as_it_is", "matrix_3x4", object, thigmo.SegmentId(3, 0), thigmo.PlantId(0, 0)]
REFUSALS = (thigmo.Error, TypeError, ValueError, AttributeError, OverflowError, RuntimeError)
CALLS = [n for n in dir(thigmo.World) if not n.startswith("__")] + ["__contains__", "__copy__", "__repr__"]


class Hands:
    """Somebody who calls anything with anything."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.grown = [thigmo.grow(text=GRAMMAR), thigmo.rod(segments=5)]
        self.worlds, self.things = [self.new_world(), self.new_world()], []

    def new_world(self):
        world = thigmo.World()
        world.add(self.grown[0])
        return world

    def value(self):
        kind = self.random.random()
        plants = self.random.choice(self.worlds).plants
        if kind < 0.4 and plants:
            plant = self.random.choice(plants)
            owner = next(w for w in self.worlds if plant in w)
            return plant if kind < 0.12 else self.random.choice(owner.segment_ids(plant))
        if kind < 0.5 and self.things:
            return self.random.choice(self.things)
        if kind < 0.6:
            return self.random.choice(self.grown)
        return self.random.random() if kind < 0.7 else self.random.choice(ODD)

    def arguments(self, name):
        values = [self.value() for _ in range(self.random.randrange(4))]
        if name in ("run", "step"):  # not for ever
            values[:1] = [self.random.choice([0.01, 0.02, -1, float("nan"), "x"])]
            values[2:] = []
            if name == "run":
                values[1:] = [self.random.choice([0.01, 0, -1])]
        return values

    def call(self):
        world = self.random.choice(self.worlds)
        thing, names = world, CALLS
        if self.things and self.random.random() < 0.1:
            thing = self.random.choice(self.things)
            names = [n for n in dir(thing) if not n.startswith("__")] or ["__repr__"]
        name = self.random.choice(names)
        if name == "add_instances" and world.plant_count > 20:
            return
        member = getattr(thing, name)
        self.keep(member(*self.arguments(name)) if callable(member) else member)

    def keep(self, result):
        if isinstance(result, (thigmo.Grab, thigmo.Force, thigmo.Surface, thigmo.Momentum)):
            self.things = self.things[-20:] + [result]
        if isinstance(result, thigmo.World):
            self.worlds = self.worlds[-3:] + [result]

    def check(self):
        for world in self.worlds:
            for plant in world.plants:
                assert np.isfinite(world.positions(plant)).all()
                assert np.isfinite(world.section_loads(plant)["force"]).all()


@pytest.mark.parametrize("seed", range(8))
def test_any_call_with_anything(seed):
    hands, done = Hands(seed), 0
    for number in range(4000):
        try:
            hands.call()
            done += 1
        except REFUSALS:
            pass
        if number % 100 == 0:
            hands.check()
        if number % 400 == 399:
            hands.worlds[0] = hands.new_world()
    assert done > 500
