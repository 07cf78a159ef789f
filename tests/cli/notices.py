"""Every library that is linked or included has its terms in THIRD_PARTY_NOTICES.md, which is installed."""
import re
import subprocess
import unittest

from thigmo_cli import ROOT, THIGMO

NOTICES = (ROOT / "THIRD_PARTY_NOTICES.md").read_text()
# As CMake and the linker call them, and as they call themselves.
NAMES = {"fmt": "fmt", "FastFloat": "fast_float", "TBB": "oneTBB", "tbb": "oneTBB",
         "tomlplusplus": "toml++", "nlohmann_json": "nlohmann-json", "embree": "Embree",
         "embree3": "Embree", "PNG": "libpng", "png16": "libpng", "z": "zlib", "CLI11": "CLI11",
         "Eigen3": "Eigen", "Python": "Python", "pybind11": "pybind11", "stdc++": "libstdc++", "gcc_s": "libgcc", "c": "glibc", "m": "glibc"}
SANITIZERS = {"asan", "ubsan", "dl", "pthread", "rt"}


class Notices(unittest.TestCase):
    def test_what_cmake_finds(self):
        files = [ROOT / "CMakeLists.txt", ROOT / "cmake/packages.cmake"]
        found = re.findall(r"(?:find_package|thigmo_find)\((\w+)", "\n".join(f.read_text() for f in files))
        self.assertGreater(len(found), 5)
        for package in found:
            self.assertIn(f"\n| {NAMES[package]} ", NOTICES)

    def test_what_the_program_is_linked_with(self):
        lines = subprocess.run(["ldd", THIGMO], capture_output=True, text=True, check=True).stdout
        found = set(re.findall(r"\blib([\w+-]+?)(?:-[\d.]+)?\.so", lines)) - SANITIZERS
        self.assertGreater(len(found), 5)
        for library in found:
            self.assertRegex(NOTICES, rf"\n\| [^|]*\b{re.escape(NAMES[library])}")

    def test_they_are_installed(self):
        self.assertIn("THIRD_PARTY_NOTICES.md", (ROOT / "cmake" / "install.cmake").read_text())

    def test_eigen_without_the_lgpl(self):
        self.assertIn("EIGEN_MPL2_ONLY", (ROOT / "CMakeLists.txt").read_text())

    def test_every_file_of_data_has_its_terms(self):
        for path in (ROOT / "tests" / "data").iterdir():
            if path.name in ("extreme", "frames", "golden_hashes.tsv", "hostile", "violent"):  # made by tools of this project
                continue
            self.assertIn(path.name, NOTICES)


if __name__ == "__main__":
    unittest.main()
