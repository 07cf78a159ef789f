"""Exports a gallery plant that moves, and says where its tips are, by the engine's own numbers."""
import csv
import json
import math
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLANTS = ROOT / "gallery" / "plants"
FRAMES = 10
RATE = 10  # [1/s]


def gallery_plants():
    return sorted(p.name for p in PLANTS.iterdir() if p.suffix in (".lsys", ".sbt"))


def small_settings(plant):
    """The constants that make a plant small, as its file says them."""
    found = re.search(r"Sizes: small (.*?),", (PLANTS / plant).read_text())
    return found[1].replace(" ", ", ").replace("=", " = ") if found else ""


def export(thigmo, plant, folder, endings, more_outputs=""):
    """Blows on a plant for a second and writes a file (or one a frame) for each ending."""
    folder.mkdir(parents=True, exist_ok=True)
    outputs = "".join(f'[[output]]\nfile = "plant{e}"\nrate = {RATE}\n' for e in endings)
    scenario = folder / "plant.toml"
    scenario.write_text(f"""\
duration = {(FRAMES - 1) / RATE}
[wind]
kind = "gusty"
mean = [30, 0, 0]
[[plant]]
grammar = "{PLANTS / plant}"
parameters = {{ {small_settings(plant)} }}
{outputs}{more_outputs}[[output]]
file = "frame.csv"
rate = {RATE}
""")
    subprocess.run([thigmo, "run", scenario, "--out", folder, "--json"], check=True,
                   capture_output=True, timeout=600)
    return folder


def tips(folder, count=12):
    """Where the tops of the domes that close some twigs are, at every frame.

    A tube ends with a dome of the tip's radius, or a 50th of the base's where a tip is sharper.
    """
    tables = []
    for frame in range(FRAMES):
        with open(folder / f"frame.{frame:04}.csv", newline="") as file:
            tables.append(list(csv.DictReader(file)))
    parents = {row["parent"] for row in tables[0]}
    ends = [i for i, row in enumerate(tables[0]) if row["id"] not in parents]
    ends = ends[::max(1, len(ends) // count)][:count]
    frames = []
    for frame, table in enumerate(tables):
        tops = []
        for i in ends:
            row = {k: float(v) for k, v in table[i].items()}
            base, tip = ([row[f"{end}_{k}"] for k in "xyz"] for end in ("base", "tip"))
            over = max(row["radius_tip"], 0.02 * row["radius"]) / math.dist(base, tip)
            tops.append([t + over * (t - b) for b, t in zip(base, tip)])
        frames.append({"time": frame / RATE, "tips": tops})
    (folder / "tips.json").write_text(json.dumps({"frames": frames}))
    return frames
