"""The installed package: without the build tree."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BUILD = os.environ.get("GRASPMAP_BUILD")


@pytest.mark.skipif(BUILD is None, reason="GRASPMAP_BUILD names no build folder")
def test_the_installed_package_passes_tests(tmp_path):
    subprocess.run(["cmake", "--install", BUILD, "--component", "python", "--prefix", tmp_path],
                   check=True, capture_output=True)
    folder = tmp_path / "lib/python3/dist-packages"
    files = {file.name for file in (folder / "graspmap").iterdir()}
    assert {"__init__.py", "py.typed", "_native.pyi"} <= files
    assert not any((folder / "graspmap" / file).is_symlink() for file in files)
    program = f"import graspmap, pathlib; assert pathlib.Path(graspmap.__file__).is_relative_to({str(tmp_path)!r})"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    done = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider",
         HERE / "config_test.py", HERE / "results_test.py", "--deselect",
         HERE / "results_test.py::test_an_animation"],
        env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
