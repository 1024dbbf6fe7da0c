"""What pip calls: CMake builds the extension module graspmap._native and the program graspmap.

GRASPMAP_BUILD=build/release takes those of a build tree that is there, instead of building them.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent
WORK = SOURCE / "build" / "wheel"
TARGETS = ["graspmap_native", "graspmap"]


def version():
    """The one that CMake has."""
    text = (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(graspmap VERSION (\S+)", text)[1]


def built_tree():
    """A folder in which both targets are built for this Python."""
    if given := os.environ.get("GRASPMAP_BUILD"):
        return Path(given).resolve()
    folder = WORK / sys.implementation.cache_tag
    subprocess.run(["cmake", "-G", "Ninja", "-S", SOURCE, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                    "-DGRASPMAP_UNITY=ON", "-DGRASPMAP_TESTS=OFF", "-DGRASPMAP_LAB=OFF", "-DGRASPMAP_AVX2=OFF",
                    "-DGRASPMAP_PYTHON_MODULE=ON", f"-DPython_EXECUTABLE={sys.executable}"], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", *TARGETS], check=True)
    return folder


class BuildByCMake(build_ext):
    def run(self):
        tree = built_tree()
        module = Path(self.get_ext_fullpath("graspmap._native"))
        built = tree / "python" / "graspmap" / module.name
        if not built.exists():
            sys.exit(f"{built} does not exist: the build is for another Python, or has no module")
        module.parent.mkdir(parents=True, exist_ok=True)
        program = WORK / "bin" / "graspmap"
        program.parent.mkdir(parents=True, exist_ok=True)
        for source, target in ((built, module), (tree / "grasp" / "graspmap", program)):
            shutil.copy(source, target)
            subprocess.run(["strip", "--strip-unneeded", target], check=True)
        self.distribution.data_files = [("bin", [str(program.relative_to(SOURCE))]), *examples()]


def examples():
    """configs/, where the program looks for its examples."""
    for folder, _, files in os.walk("configs"):
        yield f"share/graspmap/{folder}", [f"{folder}/{file}" for file in sorted(files)]


os.chdir(SOURCE)
WORK.mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    packages=["graspmap"],
    package_dir={"graspmap": "python/graspmap"},
    package_data={"graspmap": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("graspmap._native", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
    options={"build": {"build_base": str(WORK / "setuptools")}, "egg_info": {"egg_base": str(WORK)}},
)
