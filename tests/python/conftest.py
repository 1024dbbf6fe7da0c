"""What the tests of the Python module share."""
import os
import subprocess
from pathlib import Path

import pytest

import graspmap as gm

SOURCE = Path(__file__).resolve().parents[2]
QUICK = SOURCE / "configs" / "lock_piece_quick.toml"


@pytest.fixture
def config():
    """A sweep of 100 trials."""
    return gm.load(QUICK, {"sweep.trials_per_cell": 1})


@pytest.fixture(scope="module")
def quick_run(tmp_path_factory):
    """A finished run of 200 trials."""
    folder = tmp_path_factory.mktemp("run") / "quick"
    with gm.run(gm.load(QUICK, {"sweep.trials_per_cell": 2}), folder) as run:
        yield run


@pytest.fixture(scope="session")
def command():
    """Runs the command graspmap: command("hash", folder) gives what it prints."""
    program = os.environ.get("GRASPMAP_PROGRAM", "graspmap")
    # scripts/python_sanitized loads the sanitizers' runtime into Python; the program has its own.
    environment = {name: text for name, text in os.environ.items() if name != "LD_PRELOAD"}

    def run(*words, status=0):
        done = subprocess.run([program, *map(str, words)], capture_output=True, text=True,
                              cwd=SOURCE, env=environment, check=False)
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr

    return run
