"""What one file may make the program use, files that cost more than they are long, and files that make no
sense: each is answered in little time and memory."""
import csv
import json
import struct
import unittest

from thigmo_cli import ROOT, SANITIZED, CliTestCase, measured, thigmo

LEAF = "width: 0.1\nAxiom: F(1)~l\n"


class ReaderTestCase(CliTestCase):
    def setUp(self):
        super().setUp()
        self.out.mkdir()


def shrunk(number):
    """A size for a quadratic: sanitizers would only make it slow."""
    return number // 10 if SANITIZED else number


def glb(root, binary):
    text = json.dumps(root).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    size = 12 + 8 + len(text) + 8 + len(binary)
    return (b"glTF" + struct.pack("<II", 2, size) + struct.pack("<I", len(text)) + b"JSON" + text
            + struct.pack("<I", len(binary)) + b"BIN\0" + binary)


def organ(nodes, meshes, accessors, views, binary, buffers=None, **more):
    return glb({"asset": {"version": "2.0"}, "nodes": nodes, "meshes": meshes,
                "accessors": accessors, "bufferViews": views,
                "buffers": buffers or [{"byteLength": len(binary)}], **more}, binary)


def geo_json(points, vertices, polygons, runs, columns=()):
    positions = [[0, i, 0] for i in range(points)]
    return json.dumps([
        "pointcount", points, "vertexcount", len(vertices), "primitivecount", polygons,
        "topology", ["pointref", ["indices", vertices]],
        "attributes", [
            "pointattributes", [[["type", "numeric", "name", "P"],
                                 ["values", ["size", 3, "storage", "fpreal64", "tuples",
                                             positions]]]],
            "primitiveattributes", columns],
        "primitives", runs])


def curve_run(first, *lengths):
    return [["type", "PolygonCurve_run"], ["startvertex", first, "nvertices", list(lengths)]]


class Budgets(ReaderTestCase):
    """Small files that would fill the memory are refused before they do."""

    def assert_refused_cheaply(self, result, *words, seconds=2, megabytes=300):
        self.assert_refused(result, *words)
        self.assert_cheap(result, seconds, megabytes)

    def convert(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return measured("convert", path, self.out / "tree.csv")

    def leaf(self, content, name="leaf.glb"):
        (self.folder / name).write_bytes(content)
        return measured("convert", self.write("leaf.lsys", LEAF), self.out / "a.obj",
                        "--organ", f"leaf={self.folder / name}")

    def test_runs_over_the_same_vertices(self):
        vertices = list(range(100_000))
        text = geo_json(100_000, vertices, 5000, [curve_run(0, 100_000)] * 5000)
        self.assertLess(len(text), 4e6)
        self.assert_refused_cheaply(self.convert("runs.json", text), "lines", "GB")

    def test_columns_of_a_long_polygon(self):
        count, columns = 50_000, 300
        column = [[["type", "numeric", "name", f"c{k}"],
                   ["values", ["size", 64, "storage", "fpreal64", "tuples", [[0] * 64]]]]
                  for k in range(columns)]
        text = geo_json(count, list(range(count)), 1, [curve_run(0, count)], column)
        self.assert_refused_cheaply(self.convert("columns.json", text), "columns", "GB")

    def test_columns_of_long_polygons_in_classic_geometry(self):
        count, columns, polygons = 5_000, 300, 10
        polygon = (f" {count} : " + " ".join(map(str, range(count))) + " [" +
                   " ".join(["0"] * columns * 64) + "]\n")
        text = (f"PGEOMETRY V5\nNPoints {count} NPrims {polygons}\nNPointGroups 0 NPrimGroups 0\n"
                f"NPointAttrib 0 NVertexAttrib 0 NPrimAttrib {columns} NAttrib 0\n"
                + "".join(f"0 {i} 0 1\n" for i in range(count)) + "PrimitiveAttrib\n"
                + "".join(f"c{k} 64 float {' '.join(['0'] * 64)}\n" for k in range(columns))
                + f"Run {polygons} Poly\n" + polygon * polygons + "beginExtra\nendExtra\n")
        self.assert_refused_cheaply(self.convert("columns.geo", text), "columns", "GB")

    def test_nodes_with_the_same_mesh(self):
        corners = 500_000
        binary = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + b"\0\1\2" * (corners // 3)
        corners = corners // 3 * 3
        result = self.leaf(organ(
            [{"mesh": 0}] * 3000,
            [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
             {"bufferView": 1, "componentType": 5121, "count": corners, "type": "SCALAR"}],
            [{"buffer": 0, "byteLength": 36},
             {"buffer": 0, "byteOffset": 36, "byteLength": corners}], binary))
        self.assert_refused_cheaply(result, "corners of triangles", "GB")

    def test_meshes_of_nothing_in_many_nodes(self):
        count = 20_000
        result = self.leaf(organ(
            [{"mesh": 0}] * count, [{"primitives": [{"attributes": {"POSITION": 0}}] * count}],
            [{"bufferView": 0, "componentType": 5126, "count": 0, "type": "VEC3"}],
            [{"buffer": 0, "byteLength": 36}], b"\0" * 36))
        self.assert_refused_cheaply(result, "meshes", "GB")

    def test_an_accessor_of_nothing(self):
        result = self.leaf(organ(
            [{"mesh": 0}], [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            [{"componentType": 5126, "count": 3, "type": "VEC3"},
             {"componentType": 5125, "count": 399_999_999, "type": "SCALAR"}],
            [{"buffer": 0, "byteLength": 36}], b"\0" * 36))
        self.assert_refused_cheaply(result, "corners of triangles", "GB")

    def test_a_grammar_in_soft_body_notation(self):
        result = measured("derive", self.write("a.sbt", "n = 60\nstart -> N start N start\n"))
        self.assert_refused_cheaply(result, "limit")

    def test_buffers_without_a_uri(self):
        binary = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + b"\0" * 1_000_000
        # Only the first is the file's own; the others are never read here, and cost nothing.
        result = self.leaf(organ(
            [{"mesh": 0}], [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            [{"buffer": 0, "byteLength": 36}], binary,
            buffers=[{"byteLength": len(binary)}] * 5000))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_cheap(result, 2, 200)

    def test_texture_coordinates_of_another_number_than_the_vertices(self):
        # Without a view all are zero, and none is stored: 6 GB from a few hundred bytes.
        triangle = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
        mesh = [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}}]}]
        positions = {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}
        result = self.leaf(organ(
            [{"mesh": 0}], mesh,
            [positions, {"componentType": 5126, "count": 390_000_000, "type": "VEC2"}],
            [{"buffer": 0, "byteLength": 36}], triangle))
        self.assertEqual(result.returncode, 1)
        self.assertIn("TEXCOORD_0 for 390000000 of 3 vertices", result.stderr)
        self.assert_cheap(result, 0.5, 100)
        # A million of them for three vertices, in every node: 32 s.
        count = shrunk(1_000_000)
        result = self.leaf(organ(
            [{"mesh": 0}] * 3000, mesh,
            [positions, {"bufferView": 1, "componentType": 5121, "normalized": True,
                         "count": count, "type": "VEC2"}],
            [{"buffer": 0, "byteLength": 36},
             {"buffer": 0, "byteOffset": 36, "byteLength": 2 * count}], triangle + b"\0" * 2 * count))
        self.assertEqual(result.returncode, 1)
        self.assertIn("of 3 vertices", result.stderr)
        self.assert_cheap(result, 2, 200)

    @unittest.skipIf(SANITIZED, "what is small enough for them is not refused")
    def test_values_of_json(self):
        # Thirty times their text in memory.
        text = "[" + "{}," * 60_000_000 + "{}]"
        self.assert_refused_cheaply(self.convert("values.json", text), "values of the JSON",
                                    megabytes=600)

    def test_rows_of_nothing(self):
        # More cells than the header has are counted, not kept.
        row = "1," * 20_000_000
        result = self.convert("row.csv", "id,parent,x,y,z,radius\n" + row)
        self.assert_refused_cheaply(result, "this row has 20000000 cells")

    def test_scattered_plants(self):
        self.write("long.csv", "id,parent,x,y,z,radius\n1,0,0,0,0,1\n" + "".join(
            f"{i + 1},{i},0,{0.01 * i:.2f},0,0.1\n" for i in range(1, 20_000)))
        scenario = self.write("forest.toml", """\
duration = 0.1
[[plant]]
file = "long.csv"
pieces = 5
start = "rest"
scatter = { count = 10000, from = [0, 0, 0], to = [1000, 0, 1000] }
""")
        result = measured("run", scenario, "--out", self.out)
        self.assert_refused_cheaply(result, "segments", "GB", seconds=6, megabytes=1000)

    def test_messages_keep_a_window_of_the_line(self):
        size = 40_000_000
        line = "x" * size
        for name, text in [("a.geo", line), ("a.json", "[" + line), ("a.gltf", "{" + line),
                           ("a.obj", "v " + line), ("a.csv", "id,parent,x,y,z,radius\n" + line)]:
            with self.subTest(name):
                self.assert_refused_cheaply(self.convert(name, text), megabytes=100)
        scenario = self.write("a.toml", "a = " + line)
        self.assert_refused_cheaply(measured("run", scenario, "--out", self.out), megabytes=100)


class Quadratics(ReaderTestCase):
    """Ten times the file takes about ten times as long."""

    def convert(self, name, text, seconds, megabytes, ending="csv"):
        path = self.write(name, text)
        result = measured("convert", path, self.folder / f"tree.{ending}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_cheap(result, seconds, megabytes)
        return result

    def test_columns_of_a_table(self):
        count = shrunk(100_000)
        names = ",".join(f"c{i}" for i in range(count))
        rows = "".join(f"{i + 1},{i},0,{i},0,0.1" + ",1" * count + "\n" for i in range(3))
        for ending in ("csv", "json"):
            self.convert("wide.csv", f"id,parent,x,y,z,radius,{names}\n{rows}", 3, 600, ending)

    def test_the_same_column_again_and_again(self):
        count = shrunk(100_000)
        rows = "".join(f"{i + 1},{i},0,{i},0,0.1" + ",1" * count + "\n" for i in range(3))
        result = self.convert("same.csv", "id,parent,x,y,z,radius" + ",c" * count + "\n" + rows, 3, 600)
        self.assertLess(len(result.stderr + result.stdout), 2000)

    def test_pieces_without_length(self):
        count = shrunk(100_000)
        rows = ["id,parent,base_x,base_y,base_z,tip_x,tip_y,tip_z,radius", "1,0,0,0,0,0,1,0,0.1"]
        rows += [f"{i},{i - 1},0,1,0,0,1,0,0.1" for i in range(2, count)]
        rows += [f"{count + i},{count - 1},0,1,0,{i},2,0,0.1" for i in range(count)]
        result = self.convert("empty.csv", "\n".join(rows), 4, 500)
        self.assertIn(f"{count - 2} pieces had no length", result.stderr + result.stdout)

    def test_children_of_one_node(self):
        count = shrunk(200_000)
        nodes = [{"children": list(range(1, count + 1))}]
        nodes += [{"translation": [1 + 1e-4 * (i % 500), 1e-4 * (i // 500), 1]} for i in range(count)]
        self.convert("star.gltf", json.dumps({"asset": {"version": "2.0"}, "nodes": nodes}), 8, 900)

    def test_nodes_above_joints(self):
        count = shrunk(60_000)
        nodes = [{"translation": [0, 1e-3, 0], "children": [i + 1]} for i in range(count)]
        nodes += [{"translation": [0, 1, 0], "children": list(range(count + 1, 2 * count))}]
        nodes += [{"translation": [i, 1, 0]} for i in range(count - 1)]
        joints = [0] + list(range(count + 1, 2 * count))
        self.convert("above.gltf", json.dumps({"asset": {"version": "2.0"}, "nodes": nodes,
                                               "skins": [{"joints": joints}]}), 4, 600)


class Nonsense(ReaderTestCase):
    """Files that contradict themselves, of which nothing sensible can be made."""

    def refuse(self, name, text, *words):
        result = thigmo("convert", self.write(name, text), self.out / "tree.csv")
        self.assert_refused(result, *words)

    CLASSIC = """\
PGEOMETRY V5
NPoints {points} NPrims {prims}
NPointGroups 0 NPrimGroups 0
NPointAttrib 2 NVertexAttrib 0 NPrimAttrib 0 NAttrib 0
PointAttrib
gen 1 int 0
name 1 index 1 "a"
0 0 0 1 ({gen} 0)
0 1 0 1 (2 {word})
0 2 0 1 (3 -1)
Run {prims} Poly
 2 : 0 1
 2 : 1 2
beginExtra
endExtra
{end}"""

    def classic(self, **changes):
        return self.CLASSIC.format(**{"points": 3, "prims": 2, "gen": 1, "word": 0, "end": "",
                                      **changes})

    def test_classic_geometry(self):
        good = thigmo("convert", self.write("good.geo", self.classic()), self.folder / "a.csv")
        self.assertEqual(good.returncode, 0, good.stderr)
        self.refuse("a.geo", self.classic(points=2), "a.geo:10:1")
        self.refuse("a.geo", self.classic(prims=1), "a.geo:13:2", "left behind the last primitive")
        self.refuse("a.geo", self.classic(end="garbage 12\n"), "left behind 'endExtra'")
        for group in ("group1 unordered\n3 111\n", "group1 ordered\n3 111 2 1 0\n"):
            text = self.CLASSIC.replace("NPointGroups 0", "NPointGroups 1").replace(
                "beginExtra", group + "beginExtra")
            counts = {"points": 3, "gen": 1, "word": 0, "end": ""}
            good = thigmo("convert", self.write("good.geo", text.format(prims=2, **counts)),
                          self.folder / "a.csv")
            self.assertEqual(good.returncode, 0, good.stderr)
            self.refuse("a.geo", text.format(prims=1, **counts), "a.geo:13:",
                        "left behind the last primitive")
            # Nor are runs and single polygons groups.
            for row in ("Run 1 Poly\n 2 : 1 2\n", "Poly 2 : 1 2\n"):
                self.refuse("a.geo", text.replace(" 2 : 1 2\n", row).format(prims=1, **counts),
                            "a.geo:13:", "left behind the last primitive")
        for value in ("1e300", "1.5", "2147483648"):
            self.refuse("a.geo", self.classic(gen=value), "a.geo:8:10", "whole numbers of 32 bits")
        for value in (1, -2):
            self.refuse("a.geo", self.classic(word=value), "none of their numbers")

    def test_json_geometry(self):
        column = [[["type", "numeric", "name", "id"],
                   ["values", ["size", 1, "storage", "int32", "arrays", [[3_000_000_000]]]]]]
        self.refuse("a.json", geo_json(2, [0, 1], 1, [curve_run(0, 2)], column), "3000000000")
        self.refuse("a.json", geo_json(2, [0, 1], 2, [curve_run(0, 2)]), "1 polygons")
        self.refuse("a.json", geo_json(2, [0, 1], 0, [curve_run(0, 2)]), "more polygons")

    GAP = """\
id,parent,base_x,base_y,base_z,tip_x,tip_y,tip_z,radius
1,0,0,0,0,0,1,0,0.01
2,1,{x},{y},0,{x},2,0,0.01
3,2,{x},2,0,{x},4,0,0.01
"""

    def test_children_far_from_their_parents(self):
        self.refuse("a.csv", self.GAP.format(x=1000, y=1), "a.csv:3", "piece 2 starts 1e+03")
        # A scan's gap is no word worth; half a metre in a tree of four is.
        for x, told in ((0.05, False), (0.5, True)):
            tree = self.write("a.csv", self.GAP.format(x=x, y=1))
            result = thigmo("convert", tree, self.folder / "b.csv")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual("(line 3) by 0.5" in result.stdout + result.stderr, told)

    def leaf(self, name, content):
        (self.folder / name).write_bytes(content)
        return thigmo("convert", self.write("leaf.lsys", LEAF), self.out / "a.obj",
                      "--organ", f"leaf={self.folder / name}")

    def triangle(self, nodes=None, accessor=None, extra=b"", views=(), **more):
        binary = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + extra
        return organ(nodes or [{"mesh": 0}], [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                     [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                       **(accessor or {})}],
                     [{"buffer": 0, "byteLength": 36}, *views], binary, **more)

    def test_organs(self):
        self.assertEqual(self.leaf("a.glb", self.triangle()).returncode, 0)
        for path in self.files_left():
            path.unlink()
        loop = [{"mesh": 0}, {"mesh": 0, "children": [2]}, {"mesh": 0, "children": [1]}]
        self.assert_refused(self.leaf("a.glb", self.triangle(loop)), "loop")
        self.assert_refused(self.leaf("a.glb", self.triangle(
            extensionsRequired=["KHR_draco_mesh_compression"])), "KHR_draco_mesh_compression")
        self.assertEqual(self.leaf("a.glb", self.triangle(
            extensionsRequired=["KHR_materials_unlit"])).returncode, 0)
        for path in self.files_left():
            path.unlink()
        self.assert_refused(self.leaf("a.glb", self.triangle(accessor={"sparse": {
            "count": -5, "indices": {"bufferView": 999}, "values": {}}})), "sparse")

    def test_sparse_accessors(self):
        # The third vertex is moved from (0, 1, 0) to (0, 2, 0).
        sparse = {"count": 1, "indices": {"bufferView": 1, "componentType": 5123},
                  "values": {"bufferView": 2}}
        extra = struct.pack("<HH", 2, 0) + struct.pack("<3f", 0, 2, 0)
        views = [{"buffer": 0, "byteOffset": 36, "byteLength": 4},
                 {"buffer": 0, "byteOffset": 40, "byteLength": 12}]
        for last, told in ((2, True), (3, False)):
            content = self.triangle(accessor={"sparse": sparse}, views=views,
                                    extra=struct.pack("<HH", last, 0) + extra[4:])
            result = self.leaf("a.glb", content)
            if not told:
                self.assert_refused(result, "the positions")
                continue
            self.assertEqual(result.returncode, 0, result.stderr)
            # It is scaled to its organ's length, so that the width is half as large as without.
            widths = []
            for name in ("a.glb", "b.glb"):
                self.assertEqual(self.leaf(name, content if name == "a.glb" else self.triangle())
                                 .returncode, 0)
                vertices = [list(map(float, line.split()[1:])) for line in
                            (self.out / "a.obj").read_text().splitlines()
                            if line.startswith("v ")][-3:]
                sides = sorted(sum((a - b) ** 2 for a, b in zip(vertices[i], vertices[j])) ** 0.5
                               for i, j in ((0, 1), (0, 2), (1, 2)))
                widths.append(sides[0] / sides[1])
            self.assertAlmostEqual(widths[0], 0.5, delta=1e-3)
            self.assertAlmostEqual(widths[1], 1.0, delta=1e-3)
            for path in self.files_left():
                path.unlink()


class Columns(ReaderTestCase):
    """Of several trees in one scenario."""

    def test_columns_of_all_trees_are_kept(self):
        head = "id,parent,base_x,base_y,base_z,tip_x,tip_y,tip_z,radius"
        self.write("a.csv", f"{head},dbh,name\n1,0,0,0,0,0,1,0,0.1,0.25,oak\n")
        self.write("b.csv", f"{head},age,name\n1,0,2,0,0,2,1,0,0.1,7,ash\n")
        scenario = self.write("wood.toml", """\
duration = 0.05
[[plant]]
file = "a.csv"
pieces = 1
[[plant]]
kind = "rod"
segments = 1
position = [1, 0, 0]
[[plant]]
file = "b.csv"
pieces = 1
""")
        result = thigmo("convert", scenario, self.out / "wood.csv", "--rate", 20)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.out / "wood.0000.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(r["dbh"], r["age"], r["name"]) for r in rows],
                         [("0.25", "", "oak"), ("", "", ""), ("", "7", "ash")])
        # And as lines, which have no gaps, and back.
        result = thigmo("convert", scenario, self.out / "wood.geo", "--rate", 20)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = thigmo("convert", self.out / "wood.0000.geo", self.out / "back.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.out / "back.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(float(r["dbh"]), float(r["age"]), r["name"]) for r in rows],
                         [(0.25, 0, "oak"), (0, 0, ""), (0, 7, "ash")])

    def test_textures_say_what_they_lack(self):
        tree = self.write("a.lsys", "Axiom: F(1)\n")
        for ending, words in (("pp2", "is not written yet"), ("vat", "are not in these files")):
            result = thigmo("convert", tree, self.out / f"a.{ending}")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(words, result.stdout + result.stderr)


class Scenarios(ReaderTestCase):
    ROD = """\
duration = 0.1
{top}
[[plant]]
kind = "rod"
segments = 4
{plant}
"""

    def run_with(self, top="", plant="", end=""):
        text = self.ROD.format(top=top, plant=plant) + end
        return thigmo("run", self.write("a.toml", text), "--out", self.out)

    def test_what_cannot_be_is_refused_with_the_reason(self):
        box = "from = [0, 0, 0], to = [1, 0, 1]"
        for changes, words in [
                ({"end": '[[output]]\nfile = "a.glb"\nrate = 1001\n'}, ["a.toml:9:8", "1001 frames"]),
                ({"top": "step = 1e300"}, ["a.toml:2:8", "longer than the whole of 0.1 s"]),
                ({"top": "step = 0.2"}, ["longer than the whole"]),
                ({"plant": "density = 1e-300"}, ["'density' lies between"]),
                ({"plant": "young = 1e300"}, ["'young' lies between"]),
                ({"plant": "scatter = { count = 100, spacing = 1, " + box + " }"},
                 ["cannot stand 1 m apart", "at most 5 have room"]),
                ({"plant": "scatter = { count = 2, spacing = 1e200, " + box + " }"},
                 ["at most 1 have room"]),
                ({"plant": "[plant.wood]\naxis = 1"}, ["only a plant from a 'file'", "a rod is of one"]),
                ({"plant": "[[plant.wood]]\naxis = 1"}, ["only a plant from a 'file'"])]:
            with self.subTest(changes):
                self.assert_refused(self.run_with(**changes), *words)

    def test_woods(self):
        self.write("tree.csv", "id,parent,x,y,z,radius\n1,0,0,0,0,1\n2,1,0,1,0,1\n")
        for wood, words in [("[plant.wood]\naxis = 0\nyoung = 1e9", ["write [[plant.wood]]"]),
                            ("[[plant.wood]]\naxis = 0\nhollow = 1", ["at most 0.99"])]:
            text = f'[[plant]]\nfile = "tree.csv"\n{wood}\n'
            result = thigmo("run", self.write("a.toml", text), "--out", self.out)
            self.assert_refused(result, *words)

    def test_what_has_no_effect_is_said(self):
        for wind, told in [('kind = "uniform"\nmean = [1, 0, 0]\nintensity = 0.3', "'intensity' has no"),
                           ('kind = "gusty"\nmean = [0, 0, 0]\ndecay = 3', "'decay' has no effect"),
                           ('kind = "still"\nmean = [1, 0, 0]', "'mean' has no effect"),
                           ('kind = "gusty"\nmean = [1, 0, 0]\ndecay = 3', None)]:
            with self.subTest(wind):
                result = self.run_with(end="[wind]\n" + wind)
                self.assertEqual(result.returncode, 0, result.stderr)
                said = result.stdout + result.stderr
                self.assertEqual("has no effect" in said, told is not None)
                self.assertIn(told or "", said)

    def test_many_places_are_tried_quickly(self):
        # Denser than random places can be, so that most tries meet another plant.
        text = """\
duration = 0.01
[[plant]]
kind = "rod"
segments = 1
scatter = { count = 10000, from = [0, 0, 0], to = [126, 0, 126], spacing = 1, seed = 3 }
"""
        result = measured("run", self.write("a.toml", text), "--out", self.out)
        self.assert_refused(result, "no room for plant")
        self.assert_cheap(result, 2, 200)


if __name__ == "__main__":
    unittest.main()
