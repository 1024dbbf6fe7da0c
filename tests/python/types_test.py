"""Type hints and docstrings."""
import inspect
import os
import pydoc
import re
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


def test_the_package_keeps_to_its_types():
    """mypy --strict. (pyright 1.1.414 in its standard mode says nothing, either; it is no Debian package.)"""
    pytest.importorskip("mypy")
    folder = Path(gm.__file__).parents[1]
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", HERE / "mypy.ini", "-p", "graspmap"],
                          env={**os.environ, "MYPYPATH": str(folder)}, cwd=folder, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stdout


PROGRAM_OF_A_USER = """
import graspmap as gm

run = gm.open("run")
reveal_type(run.map)
reveal_type(run.map.x_mm)
reveal_type(run.map.success)
reveal_type(run.sweet_spot.lowest_probability)
reveal_type(run.sweet_spot.wilson_95)
reveal_type(run.trials)
reveal_type(run.trials["part_x_mm"])
reveal_type(run.trials[run.trials.success])
reveal_type(run.plan(1).placements[0].outcomes.wedged)
reveal_type(run.hold().lifted)
reveal_type(run.trial(7).outcome)
reveal_type(run.summary.solver.steps)
reveal_type(run.grasps(height_mm=10).runs[0].grasps[0].interval)
"""
ITS_TYPES = """graspmap.trial_map.SuccessMap
numpy.ndarray[Any, Any]
Union[Any, numpy.ndarray[Any, numpy.dtype[Any]]]
builtins.float
Tuple[builtins.float, builtins.float, fallback=graspmap.results.Interval]
graspmap.trials.Trials
numpy.ndarray[Any, numpy.dtype[Any]]
graspmap.trials.Trials
builtins.float
graspmap.result_fields.HoldCloses
graspmap.trials.Outcome
builtins.int
Tuple[builtins.float, builtins.float, fallback=graspmap.results.Interval]"""


def test_what_a_user_gets_has_types(tmp_path):
    """Union[Any, ...]: mypy.ini does not look into xarray."""
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(PROGRAM_OF_A_USER)
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", HERE / "mypy.ini", "user.py"],
                          env={**os.environ, "MYPYPATH": str(Path(gm.__file__).parents[1])}, cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    assert re.findall(r'Revealed type is "(.*)"', done.stdout) == ITS_TYPES.splitlines(), done.stdout


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
