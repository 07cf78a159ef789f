"""Runs one scenario of the gallery for a moment and checks what it says and leaves.

Its pictures and videos are made small: drawing them well is most of a run's work.

usage: check_scenario.py SCENARIO OUT_FOLDER SECONDS [FILE THAT MUST BE LEFT]...
"""
import csv
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tomllib

from thigmo_cli import ROOT, thigmo

scenario, out, seconds, *required = sys.argv[1:]
out = pathlib.Path(out)
changes = [f"duration={seconds}"]
for i, output in enumerate(tomllib.loads(pathlib.Path(scenario).read_text()).get("output", [])):
    if output.get("kind") != "plot" and output["file"].endswith((".png", ".mp4")):
        changes += [f"output.{i}.width=160", f"output.{i}.height=90", f"output.{i}.samples=2"]

shutil.rmtree(out, ignore_errors=True)
result = thigmo("run", scenario, "--out", out, "--json", *(f"--set={c}" for c in changes),
                timeout=600)
print(result.stdout, result.stderr, sep="\n")
assert result.returncode == 0, f"exit code {result.returncode}"
summary = json.loads(result.stdout)
assert summary["finite"] is True
assert summary["segments"] > 0 and summary["steps"] > 0
for probe in summary["probes"].values():
    assert all(map(math.isfinite, probe["position"] + probe["velocity"]))
with open(out / "probes.csv", newline="") as file:
    header, *rows = csv.reader(file)
assert header[0] == "time" and len(header) == 1 + 6 * len(summary["probes"])
assert len(rows) == summary["steps"]
for name in ["probes.csv", "summary.json", *required]:
    assert (out / name).is_file(), f"{name} is missing"
for file in out.iterdir():
    assert file.stat().st_size > 0, f"{file} is empty"
meshes = sorted(out.glob("*.glb"))
if meshes:
    subprocess.run(["node", ROOT / "tests/interop/validate_gltf.mjs", *meshes], check=True)
