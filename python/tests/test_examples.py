"""The tutorial, and the Python of the documents, run as they stand."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENVIRONMENT = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}


def run(program):
    done = subprocess.run([sys.executable, *program], cwd=ROOT, capture_output=True, text=True,
                          env=ENVIRONMENT, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["tutorial.py", "interactive_loop.py"])
def test_examples(name):
    assert run([ROOT / "python" / "examples" / name])


@pytest.mark.whole
@pytest.mark.parametrize("name", ["README.md", "docs/python.md"])
def test_documents(name, tmp_path):
    """All of a document's blocks, one after the other, in one program."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / name).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks, "nothing was run"
    program = tmp_path / "program.py"
    program.write_text("\n".join(blocks).replace('"out/', f'"{tmp_path}/'))
    run([program])
