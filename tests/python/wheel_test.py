"""The wheel: what is in it, what it is called, and that it computes what the build does.

GRASPMAP_WHEEL_BUILD=1 lets pip build all of it, which takes minutes; without, the wheel is of the build
that is tested.
"""
import os
import re
import subprocess
import sys
import sysconfig
import zipfile

import pytest

import graspmap as gm
from conftest import SOURCE

BUILD = os.environ.get("GRASPMAP_BUILD")
FULL = "GRASPMAP_WHEEL_BUILD" in os.environ
TAG = f"cp{sys.version_info[0]}{sys.version_info[1]}"
NAME = f"graspmap-{gm.version()}-{TAG}-{TAG}-{sysconfig.get_platform().replace('-', '_')}.whl"

pytestmark = pytest.mark.skipif(BUILD is None, reason="GRASPMAP_BUILD names no build folder")


def environment(*without):
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", *without)}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    for package in ("setuptools", "wheel", "pip", "venv"):
        pytest.importorskip(package, reason=f"Debian's python3-{package} is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index",
         "--quiet", "-w", folder, SOURCE],
        env=environment("GRASPMAP_BUILD") if FULL else environment(), capture_output=True, text=True,
        check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.iterdir())


@pytest.fixture(scope="module")
def venv(wheel, tmp_path_factory):
    """A virtual environment with the wheel; numpy is Debian's."""
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", folder],
                   check=True)
    subprocess.run([sys.executable, "-m", "pip", "--python", folder, "install", "--no-index",
                    "--quiet", wheel], env=environment(), check=True)
    return folder


def test_its_name_and_tags(wheel):
    assert wheel.name == NAME
    with zipfile.ZipFile(wheel) as files:
        meta = files.read(f"graspmap-{gm.version()}.dist-info/METADATA").decode()
        tags = files.read(f"graspmap-{gm.version()}.dist-info/WHEEL").decode()
    assert f"\nTag: {TAG}-{TAG}-" in tags and "Root-Is-Purelib: false" in tags
    assert f"\nVersion: {gm.version()}\n" in meta and "\nRequires-Dist: numpy\n" in meta
    cmake = (SOURCE / "CMakeLists.txt").read_text()
    assert re.search(r"project\(graspmap VERSION (\S+)", cmake)[1] == gm.version()


def test_its_content(wheel):
    package = {f"graspmap/{file.name}" for file in (SOURCE / "python/graspmap").iterdir()
               if file.is_file()}
    package.add(f"graspmap/_native{sysconfig.get_config_var('EXT_SUFFIX')}")
    data = f"graspmap-{gm.version()}.data/data"
    configs = {f"{data}/share/graspmap/{file.relative_to(SOURCE)}"
               for file in (SOURCE / "configs").rglob("*") if file.is_file()}
    info = {f"graspmap-{gm.version()}.dist-info/{name}"
            for name in ("METADATA", "RECORD", "WHEEL", "top_level.txt", "LICENSE")}
    with zipfile.ZipFile(wheel) as files:
        assert set(files.namelist()) == package | configs | info | {f"{data}/bin/graspmap"}
        assert files.getinfo(f"{data}/bin/graspmap").external_attr >> 16 & 0o111
    assert {"graspmap/py.typed", "graspmap/_native.pyi", "graspmap/plot.py"} <= package


def test_the_installed_wheel_has_the_digest_of_the_build(venv, config, tmp_path):
    with gm.run(config, tmp_path / "build") as run:
        digest = run.digest
    program = (f"import graspmap as gm, pathlib\nassert pathlib.Path(gm.__file__).is_relative_to({str(venv)!r})\n"
               f"run = gm.run(gm.open({str(tmp_path / 'build')!r}).config, {str(tmp_path / 'wheel')!r})\n"
               "print(run.digest)")
    done = subprocess.run([venv / "bin/python", "-c", program], env=environment(), cwd=tmp_path,
                          capture_output=True, text=True, check=True)
    assert done.stdout.split() == [digest]
    told = subprocess.run([venv / "bin/graspmap", "hash", tmp_path / "wheel"], env=environment(),
                          capture_output=True, text=True, check=True)
    assert digest in told.stdout


def test_its_program_finds_its_examples(venv, tmp_path):
    subprocess.run([venv / "bin/graspmap", "examples", "--out", tmp_path / "configs"], check=True,
                   capture_output=True)
    assert (tmp_path / "configs/lock_piece.toml").read_bytes() == (
        SOURCE / "configs/lock_piece.toml").read_bytes()


def test_a_build_without_the_module_is_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index",
         "-w", tmp_path, SOURCE], env={**environment(), "GRASPMAP_BUILD": str(tmp_path / "empty")},
        capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "does not exist: the build is for another Python, or has no module" in done.stdout + done.stderr
    assert not list(tmp_path.glob("*.whl"))
