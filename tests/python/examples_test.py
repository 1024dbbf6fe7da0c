"""The scripts of python/examples run, and the design loop converges."""
import contextlib
import io
import os
import runpy

import pytest

from conftest import SOURCE

EXAMPLES = sorted((SOURCE / "python" / "examples").glob("*.py"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with configs/, as the repository's; runs are simulated once for all scripts."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "configs").symlink_to(SOURCE / "configs")
    before = os.getcwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


def run_script(script):
    """What it prints, and its variables."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        variables = runpy.run_path(str(script))
    return printed.getvalue(), variables


@pytest.mark.parametrize("script", [file for file in EXAMPLES if file.stem[:6] != "design"],
                         ids=lambda script: script.stem)
def test_example(script, folder):
    printed, _ = run_script(script)
    assert len(printed.splitlines()) >= 3 and "nan" not in printed


def test_every_page_of_a_decision_has_an_example():
    listed = (SOURCE / "python" / "examples" / "README.md").read_text()
    for script in EXAMPLES:
        assert f"`{script.name}`" in listed
    for line in listed.splitlines():
        if "docs/how-to/" in line:
            page = line.split("docs/how-to/")[1].split(")")[0]
            script = SOURCE / "python" / "examples" / line.split("`")[1]
            assert f"docs/how-to/{page}" in script.read_text()


def test_the_design_loop_converges(folder):
    pytest.importorskip("scipy")
    printed, found = run_script(SOURCE / "python" / "examples" / "design_closing_force.py")
    assert found["found"].success and found["found"].nfev <= 15
    forces = [force_n for force_n, _ in found["steps"]]
    shares = [success for _, success in found["steps"]]
    assert max(shares) == 1 - found["found"].fun
    assert abs(forces[-1] - found["best_n"]) < 0.1 * found["best_n"]
    assert 4 < found["best_n"] < 32
    # Common random numbers: the same force fails in the same trials.
    again = found["succeeds"](found["best_n"], found["trials"])
    assert again.mean() == max(shares)
    assert "better than 1 N" in printed
