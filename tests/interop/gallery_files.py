"""Every plant of the gallery in the hands of other programs: gltf-validator, tinyusdz, three.js.

usage: gallery_files.py THIGMO
"""
import pathlib
import subprocess
import sys
import tempfile

from gallery_motion import ROOT, export, gallery_plants, tips

THIGMO = sys.argv[1]


def node(script, *arguments):
    subprocess.run(["node", ROOT / "tests" / "interop" / script, *arguments], check=True)


with tempfile.TemporaryDirectory() as name:
    folders = []
    for plant in gallery_plants():
        welded = '[[output]]\nfile = "welded.glb"\nweld = true\ntangents = true\nmax_joints = 100\nrate = 10\n'
        folders.append(
            export(THIGMO, plant, pathlib.Path(name) / plant, [".glb", ".usda"], welded))
        tips(folders[-1])
    assert len(folders) >= 28, "the gallery has lost plants"
    node("validate_gltf.mjs", *(f / "plant.glb" for f in folders),
         *(f / "welded.glb" for f in folders))
    node("read_usd.mjs", *(f / "plant.usda" for f in folders))
    node("follow_tips.mjs", "1e-4", *folders)
