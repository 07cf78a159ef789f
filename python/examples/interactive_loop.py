"""The loop of docs/worlds.md in Python: plants that move while somebody pulls at them, cuts them and takes that
back, as in a game. It needs thigmo's core and numpy, and prints what its twins in C++ and C print."""

import numpy as np

import thigmo

BUSH = """derivation length: 5
Axiom: !(0.05)A(0.4)
A(s) --> !(s * 0.08)F(s)[&(35)A(s * 0.8)][/(120)&(35)A(s * 0.8)]/(240)&(35)A(s * 0.7)
"""


def main():
    world = thigmo.World()
    tree = world.add(thigmo.grow(text=BUSH, species="oak"))
    world.add_instances(tree, [[3, 0, 0], [0, 0, 3]], turns=[0.5, 1.7])  # they share its model
    world.set_ground()
    world.set_wind()

    matrices = np.empty((len(world.segments(tree)), 4, 4), dtype=np.float32)
    for frame in range(180):
        if frame == 30:  # the mouse goes down
            hit = world.pick(origin=(0, 0.7, 5), direction=(0, 0, -1), reach=100)
            grab = world.grab(hit.segment)
        if 30 <= frame < 120:  # it is moved
            grab.drag(hit.position + [0.004 * (frame - 30), 0, 0])
        if frame == 90:  # kept as bytes, here or in a file, to take the cut back
            undo = thigmo.World.restore(world.save())
            world.cut(hit.segment)  # scissors
            matrices = np.empty((len(world.segments(tree)), 4, 4), dtype=np.float32)
        if frame == 120:
            grab.let_go()

        for event in world.events:  # of the last step, and since
            print(f"{event.time:.3f} s: {event.kind}")
        world.step(1 / 60)
        world.transforms(tree, "matrix_4x4_columns", out=matrices)  # to be drawn

    for one in (world, undo):
        print(f"state {one.state_hash:016x} after {one.time:.3f} s")


if __name__ == "__main__":
    main()
