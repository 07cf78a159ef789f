"""A tour of thigmo, in cells as notebooks and editors know them.

Run it as a whole from the root of the source tree, or cell by cell. It writes nothing.
"""

# %% Grow a plant from a grammar, and put it into a world
import math

import numpy as np

import thigmo

GRAMMAR = """
#define LENGTH 0.1
derivation length: 6
Axiom: !(0.02)A(0.02)
A(r) --> !(r)F(LENGTH)F(LENGTH)[+(40)B(r * 0.6)][-(40)B(r * 0.6)]A(r * 0.8)
B(r) --> !(r)F(LENGTH)F(LENGTH)F(LENGTH)
"""
shrub = thigmo.grow(text=GRAMMAR, parameters={"LENGTH": 0.12}, species="oak")
print(shrub, shrub.height)

world = thigmo.World()
plant = world.add(shrub)
print(world)

# %% Look at it: a row a segment, parents first
segments = world.segments(plant)
print(segments.dtype.names)
print("stem and branches:", np.unique(segments["order"], return_counts=True))
volume = np.sum(math.pi * segments["length"] * segments["radius_base"] * segments["radius_tip"])
print(f"about {1e3 * volume:.2f} litres of wood, {world.momentum(plant).mass:.2f} kg")

# %% Let the wind blow, and record where the tip goes
world.set_wind(mean=(8, 0, 0), intensity=0.3, seed=7)
tip = world.tip(plant)
probes = world.run(3, dt=1 / 120, probes=[tip, (world.segment(plant, 0), 0.5)])
sway = probes.positions[:, 0, 0]
print(f"{len(probes)} readings; the tip is between x = {sway.min():.4f} and {sway.max():.4f} m")

# %% What do its joints carry?
loads = world.section_loads(plant)
weakest = loads["stress"].argmax()
print(f"segment {weakest} bears most: {loads['stress'][weakest] / 1e6:.2f} MPa")

# %% The state as arrays, also into memory of your own
matrices = world.transforms(plant)  # n × 3 × 4
assert np.allclose(matrices[:, :, 3], world.positions(plant))
buffer = np.empty((len(segments), 4, 4), dtype=np.float32)
world.transforms(plant, "matrix_4x4_columns", out=buffer)  # as OpenGL wants them

# %% What if? A copy goes its own way
calm = world.copy()
calm.set_wind(mean=(0, 0, 0), intensity=0)
for one in (world, calm):
    one.run(4, dt=1 / 120)
print("kinetic energy in the wind", world.energies().kinetic, "and without", calm.energies().kinetic)

# %% Take hold of the tip, pull, and let go
number = world.segment_ids(plant).index(tip)
point = world.positions(plant, along=1)[number]
with world.grab(tip, stiffness=500) as grab:
    for step in range(60):
        grab.drag(point + np.array([0, 0, 0.3]) * min(1, step / 30))
        world.step(1 / 120)
print("pulled to", world.positions(plant, along=1)[number])

# %% Cut a branch; it falls
branch = next(i for i, s in enumerate(segments) if s["order"] == 1)
report = world.cut(world.segment(plant, branch), along=0.5)
(piece,) = report.pieces
world.set_ground(height=0)
before = world.momentum(piece).center
world.run(0.2, dt=1 / 120)
print("the piece fell by", before[1] - world.momentum(piece).center[1], "m")
print([event.kind for event in world.events])

# %% And graft it onto the tip
world.graft(piece, tip, carry=True)
assert world.plant_of(tip) == plant and piece not in world

# %% A surface for programs that draw: views of the engine's memory, moved by follow()
surface = world.surface(plant, sides=8)
positions, normals = surface.follow()
print(len(surface.triangles), "triangles over", len(positions), "vertices")

# %% What is refused says why, and has changed nothing
try:
    thigmo.grow(text="Axiom: F(1\n")
except thigmo.Error as error:
    for said in error.diagnostics:
        print(f"{said.file}:{said.line}:{said.column}: {said.message}")
