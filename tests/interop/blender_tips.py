"""Inside Blender: imports what the engine wrote of a plant, and follows its tips.

usage: blender -b --factory-startup --python tests/interop/blender_tips.py -- TOLERANCE FOLDER...

A folder holds plant.glb, plant.pc2, plant.NNNN.obj and plant.NNNN.ply, and tips.json with the places
of some tips at every frame. In each format the vertex nearest to a tip in the first frame must stay with it.
Blender exits with 0 after most failures, so the caller counts the lines that begin with "PASS".
"""
import json
import pathlib
import sys

import numpy

numpy.bool = bool  # the glTF importer of Blender 3.4 asks for a name that numpy has dropped

import bpy  # noqa: E402
from mathutils import Matrix  # noqa: E402

# From the engine's y up to Blender's z up.
Z_UP = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))


def empty_scene(rate):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = rate


def meshes():
    return [o for o in bpy.context.scene.objects if o.type == "MESH"]


def vertices(objects):
    """All vertices as they are drawn: after modifiers, in the world."""
    graph = bpy.context.evaluated_depsgraph_get()
    parts = []
    for item in objects:
        evaluated = item.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        flat = numpy.empty(3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", flat)
        matrix = numpy.array(evaluated.matrix_world)
        parts.append(flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
        evaluated.to_mesh_clear()
    return numpy.vstack(parts)


def expected(frame, turn):
    tips = numpy.array(frame["tips"])
    return tips @ numpy.array(turn)[:3, :3].T if turn else tips


class Follower:
    """Keeps to the vertices that were nearest to the tips at first."""

    def __init__(self):
        self.nearest, self.worst, self.moved, self.first = None, 0.0, 0.0, None

    def look(self, places, tips):
        if self.nearest is None:
            self.nearest = [int(((places - tip) ** 2).sum(1).argmin()) for tip in tips]
            self.first = tips
        off = ((places[self.nearest] - tips) ** 2).sum(1) ** 0.5
        self.worst = max(self.worst, float(off.max()))
        self.moved = max(self.moved, float((((tips - self.first) ** 2).sum(1) ** 0.5).max()))


def follow_animation(frames, turn):
    follower = Follower()
    for number, frame in enumerate(frames):
        bpy.context.scene.frame_set(number)
        follower.look(vertices(meshes()), expected(frame, turn))
    return follower


def follow_glb(folder, frames, rate):
    empty_scene(rate)
    bpy.ops.import_scene.gltf(filepath=str(folder / "plant.glb"))
    return follow_animation(frames, Z_UP)


def follow_files(folder, frames, rate, ending, load, turn):
    follower = Follower()
    for number, frame in enumerate(frames):
        empty_scene(rate)
        load(str(folder / f"plant.{number:04}{ending}"))
        follower.look(vertices(meshes()), expected(frame, turn))
    return follower


def follow_obj(folder, frames, rate):
    return follow_files(folder, frames, rate, ".obj",
                        lambda path: bpy.ops.wm.obj_import(filepath=path), Z_UP)


def follow_ply(folder, frames, rate):
    return follow_files(folder, frames, rate, ".ply",
                        lambda path: bpy.ops.import_mesh.ply(filepath=path), None)


def follow_pc2(folder, frames, rate):
    """The cache on the mesh of the first OBJ: the same vertices in the same order."""
    empty_scene(rate)
    bpy.ops.import_mesh.ply(filepath=str(folder / "plant.0000.ply"))
    cache = meshes()[0].modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.filepath = str(folder / "plant.pc2")
    cache.frame_start = 0
    return follow_animation(frames, None)


def main():
    tolerance, *folders = sys.argv[sys.argv.index("--") + 1:]
    for folder in map(pathlib.Path, folders):
        frames = json.loads((folder / "tips.json").read_text())["frames"]
        rate = round(1 / (frames[1]["time"] - frames[0]["time"]))
        for name, follow in [("GLB", follow_glb), ("OBJ", follow_obj), ("PLY", follow_ply),
                             ("PC2", follow_pc2)]:
            found = follow(folder, frames, rate)
            good = found.worst <= float(tolerance)
            print(f"{'PASS' if good else 'FAIL'} {folder.name} {name}: {len(found.nearest)} tips "
                  f"move by {found.moved:.3f} m, off by at most {found.worst:.2e} m", flush=True)


main()
