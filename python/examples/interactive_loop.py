"""A program that moves plants while somebody pulls, cuts and blows at them, as a game would. It needs thigmo's
core and numpy, and prints the state's hash, so that builds can be compared."""

import numpy as np

import thigmo

STEM = "Axiom: !(0.02)" + 12 * "F(0.1)" + "[+(50)" + 8 * "F(0.1)" + "]" + 8 * "F(0.1)"


def main():
    world = thigmo.World()
    oak = world.add(thigmo.grow(text=STEM, species="oak"))
    world.add_instances(oak, [[2, 0, 0], [4, 0, 0]], turns=[1, 2])
    world.set_wind(mean=(6, 0, 0))
    world.set_ground()
    buffer = np.empty((len(world.segments(oak)), 3, 4), dtype=np.float32)
    grab, kinds = None, set()
    for frame in range(120):
        tip = world.positions(oak, along=1)[11]
        if frame == 10:
            hit = world.pick(origin=tip + [0, -0.05, 5], direction=(0, 0, -1))
            assert hit and hit.plant == oak and abs(hit.position[2] - tip[2]) < 0.1
            grab = world.grab(hit.segment, hit.along, stiffness=200)
        if grab and frame < 60:
            grab.drag(tip + [0.01, 0, 0.02])
        if frame == 60:
            grab.let_go()
        if frame == 70:
            (piece,) = world.cut(world.segment(oak, 12), along=0.5).pieces
            buffer = np.empty((len(world.segments(oak)), 3, 4), dtype=np.float32)
        if frame == 71:
            world.change(oak, stiffness=0.7)
        kinds.update(event.kind for event in world.events)  # of the last step, and of the calls since
        world.step(1 / 60)
        world.transforms(oak, out=buffer)
        assert np.isfinite(buffer).all()
    assert {"cut", "changed"} <= kinds, kinds
    assert world.momentum(piece).center[1] < 1.2, "the piece falls"
    print(f"{world.state_hash:016x}")


if __name__ == "__main__":
    main()
