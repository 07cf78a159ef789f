"""The stubs name what the module has, with the same arguments; and everything public has a docstring."""

import ast
import pathlib
import re

import pytest

import thigmo

STUB = pathlib.Path(thigmo.__file__).with_suffix(".pyi")
# Inherited, or made by pybind11.
OF_OBJECTS = set(dir(object)) | {"__module__", "__eq__", "__hash__", "__reduce__", "__getstate__", "__setstate__"}


def arguments_of_stub(function):
    a = function.args
    return [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs if x.arg != "self"]


def arguments_of_doc(doc, name):
    """Of each overload, from the signatures that pybind11 writes into docstrings."""
    found = []
    for signature in re.findall(rf"^(?:\d+\. )?{name}\((.*)\) -> ", doc, re.MULTILINE):
        # Defaults may hold brackets and commas; argument names stand before ': ' at depth 0.
        depth, names, start = 0, [], 0
        for i, c in enumerate(signature + ","):
            depth += (c in "([{") - (c in ")]}")
            if c == "," and depth == 0:
                names.append(signature[start:i].strip().split(":")[0].split("=")[0])
                start = i + 1
        found.append([n for n in names if n not in ("self", "*", "*args", "") and not n.startswith("arg0")])
    return found


def stub_members(body):
    members = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            members.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.ClassDef):
            members[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            members[node.target.id] = None
    return {n: m for n, m in members.items() if not n.startswith("_") or n.startswith("__")}


STUBS = stub_members(ast.parse(STUB.read_text()).body)


def test_the_same_names():
    names = set(thigmo.__all__) | {"whole"}
    if not thigmo.whole:
        names |= thigmo._OF_THE_WHOLE
    assert set(STUBS) == names


@pytest.mark.parametrize("name", [n for n, m in STUBS.items() if isinstance(m, ast.ClassDef)])
def test_classes_have_the_same_members(name):
    real = getattr(thigmo, name)
    stubs = stub_members(STUBS[name].body)
    members = {n for n in vars(real) if n not in OF_OBJECTS and not n.startswith("_pybind11")}
    if "__init__" in vars(real) and name in ("World", "PlantId", "SegmentId", "Probes"):
        members.add("__init__")
    if name == "Error":
        members = {"diagnostics"}
    assert {n for n in stubs if n not in OF_OBJECTS or n == "__init__"} == members
    assert real.__doc__
    for member, nodes in stubs.items():
        if isinstance(nodes, list) and not nodes[0].decorator_list and member not in OF_OBJECTS:
            check_arguments(getattr(real, member).__doc__, member, nodes)


@pytest.mark.parametrize("name", [n for n, m in STUBS.items() if isinstance(m, list)])
def test_functions_have_the_same_arguments(name):
    if thigmo.whole or name not in thigmo._OF_THE_WHOLE:
        check_arguments(getattr(thigmo, name).__doc__, name, STUBS[name])


def check_arguments(doc, name, nodes):
    real = arguments_of_doc(doc, name)
    assert real, doc
    for node in nodes:
        if not node.name.startswith("__exit"):
            assert arguments_of_stub(node) in real, (name, real)
