"""Exceptions that are of Python's own kinds too."""
import errno

import pytest

import graspmap as gm

MISSING = {
    "configuration": lambda run: gm.load("nothing.toml"),
    "run": lambda run: gm.open("nothing"),
    "store": lambda run: gm.open("nothing/run.sqlite"),
    "experiment": lambda run: run.compare("nothing.csv"),
    "facts": lambda run: run.compare("nothing.toml"),
    "deviations": lambda run: run.plan(measured="nothing.csv"),
    "other run": lambda run: run.difference("nothing"),
}


@pytest.mark.parametrize("kind", MISSING)
def test_a_missing_file(kind, quick_run):
    with pytest.raises(FileNotFoundError) as caught:
        MISSING[kind](quick_run)
    error = caught.value
    assert isinstance(error, gm.MissingFileError) and isinstance(error, (gm.ConfigError, ValueError))
    assert error.errno == errno.ENOENT and "nothing" in error.filename == error.file
    assert str(error).startswith(f"{error.filename}: ") and "\n" not in str(error)


def test_a_file_that_is_there_is_not_missing(tmp_path, quick_run):
    (tmp_path / "bad.toml").write_text("name = 3\n")
    (tmp_path / "bad.csv").write_text("x_mm\n")
    for fails in (lambda: gm.load(tmp_path), lambda: gm.load(tmp_path / "bad.toml"),
                  lambda: gm.open(tmp_path), lambda: quick_run.compare(tmp_path / "bad.csv")):
        with pytest.raises(gm.ConfigError) as caught:
            fails()
        assert not isinstance(caught.value, OSError)


def test_a_missing_trial(quick_run):
    with pytest.raises(IndexError) as caught:
        quick_run.trial(200)
    assert type(caught.value) is gm.MissingTrialError and isinstance(caught.value, gm.ConfigError)
    assert "trial 200 is not there; existing trials: 0-199" in str(caught.value)
    with pytest.raises(gm.ConfigError) as caught:
        quick_run.trial(outcome="failed")
    assert not isinstance(caught.value, IndexError)
