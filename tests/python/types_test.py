"""Type hints and docstrings."""
import inspect
import os
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import graspmap as gm

HERE = Path(__file__).parent


def test_the_stubs_are_those_of_the_module():
    """mypy.stubtest: _native.pyi against the extension module, and mypy --strict on the package."""
    pytest.importorskip("mypy.stubtest")
    folder = Path(gm.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--mypy-config-file", HERE / "mypy.ini",
         "--allowlist", HERE / "stub_allowlist.txt", "graspmap._native"],
        env={**os.environ, "MYPYPATH": str(folder), "PYTHONPATH": str(folder)},
        capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_says_that_it_is_typed():
    assert (Path(gm.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("name", gm.__all__)
def test_all_that_is_public_is_explained(name):
    thing = getattr(gm, name)
    assert inspect.getdoc(thing)
    if inspect.isclass(thing) and thing.__module__.startswith("graspmap"):
        for member, value in vars(thing).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member}"


def test_help_shows_units_and_shapes():
    text = pydoc.render_doc(gm.simulate, renderer=pydoc.plaintext)
    for words in ("x_mm", "theta_rad", "mu_support", "176 bytes", "UsageError"):
        assert words in text
    assert "gm.load" in pydoc.render_doc(gm, renderer=pydoc.plaintext)
