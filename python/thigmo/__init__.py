"""Grows plants from grammars and moves them.

    import thigmo

    world = thigmo.World()
    world.set_wind(mean=(6, 0, 0), intensity=0.3)
    tree = world.add(thigmo.grow("gallery/plants/young_tree.lsys", species="oak"))
    tip = world.tip(tree)
    probes = world.run(4, dt=1 / 60, probes=[tip])
    print(probes.times, probes.positions[:, 0])

SI units, y up. What is refused raises thigmo.Error. docs/python.md has the tutorial.
"""

from . import _thigmo
from ._thigmo import *  # noqa: F403
from ._thigmo import __version__

# Whether the functions of files, scenarios and pictures are here too.
whole = _thigmo.whole

_OF_THE_WHOLE = {
    "check", "convert", "derive", "load_world", "modes", "parse_world", "pose", "read_plant",
    "render", "run", "validate", "validation_cases",
}

__all__ = sorted(
    [name for name in vars(_thigmo) if not name.startswith("_")] + ["__version__"]
)


def __getattr__(name):
    if name in _OF_THE_WHOLE:
        raise AttributeError(
            f"thigmo.{name} is not here: this thigmo was built with its core alone. Build it where "
            "toml++, nlohmann-json, libpng and Embree 3 are installed (docs/python.md)"
        )
    raise AttributeError(f"module 'thigmo' has no attribute '{name}'")
