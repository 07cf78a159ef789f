"""What pip calls to build thigmo (PEP 517), with CMake and Python's standard library alone.

Settings of `pip install --config-settings=NAME=VALUE`:
  parts: all, found or core, as THIGMO_PARTS of CMake; found, if it is not said.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-pip"


class UnsupportedOperation(Exception):
    """What PEP 517 wants where there is no such thing."""


def version():
    return re.search(r"project\(thigmo VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def metadata():
    summary = "Grows plants from grammars and moves them"
    return (f"Metadata-Version: 2.1\nName: thigmo\nVersion: {version()}\nSummary: {summary}\n"
            "License: Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: numpy\n")


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def compile_into(folder, settings):
    unknown = set(settings) - {"parts"}
    if unknown:
        raise SystemExit(f"thigmo: there is no setting '{unknown.pop()}'; 'parts' is one")
    configure = [
        "cmake", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DTHIGMO_TESTS=OFF",
        "-DTHIGMO_UNITY=ON", "-DTHIGMO_PYTHON=ON", f"-DTHIGMO_PYTHON_EXECUTABLE={sys.executable}",
        f"-DTHIGMO_PARTS={settings.get('parts', 'found')}",
    ]
    # What is there was found for another Python.
    (BUILD / "CMakeCache.txt").unlink(missing_ok=True)
    shutil.rmtree(BUILD / "python", ignore_errors=True)
    if shutil.which("ninja"):
        configure += ["-G", "Ninja"]
    build = ["cmake", "--build", BUILD, "--target", "thigmo_python", "--parallel", str(os.cpu_count())]
    install = ["cmake", "--install", BUILD, "--component", "python", "--strip", "--prefix", folder]
    for command in (configure, build, install):
        subprocess.run([str(word) for word in command], check=True)


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    about = f"thigmo-{version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: thigmo\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    contents = {f"{about}/METADATA": metadata().encode(), f"{about}/WHEEL": wheel.encode()}
    for terms in ("LICENSE", "THIRD_PARTY_NOTICES.md"):
        contents[f"{about}/{terms}"] = (ROOT / terms).read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        compile_into(folder, config_settings or {})
        for file in sorted(pathlib.Path(folder).rglob("*")):
            if file.is_file():
                contents[file.relative_to(folder).as_posix()] = file.read_bytes()
    record = "".join(record_line(name, data) for name, data in contents.items())
    contents[f"{about}/RECORD"] = (record + f"{about}/RECORD,,\n").encode()
    name = f"thigmo-{version()}-{tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in contents.items():
            archive.writestr(member, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise UnsupportedOperation("the source is the repository: pip install FOLDER")
