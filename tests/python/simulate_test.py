"""Trials with given parameters: arrays in, an array out."""
import os
import signal
import statistics
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import graspmap as gm
from conftest import QUICK

# Under a sanitizer everything takes ten times as long.
PATIENCE_S = float(os.environ.get("GRASPMAP_PATIENCE_S", "1"))
ONE = {"x_mm": 0, "y_mm": -11, "theta_rad": 0, "mu_jaw": 0.2, "mu_support": 0.3}


def test_the_numbers_are_those_of_the_run(config, quick_run):
    trials = quick_run.trials
    given = {name: trials[name] for name in ONE}
    again = gm.simulate(config, **given)
    for name in again.dtype.names:
        assert np.array_equal(again[name], trials[name]), name
    assert again.dtype.itemsize == 22 * 8


def test_the_numbers_are_those_of_the_command(config, command, tmp_path):
    (tmp_path / "c.toml").write_text(config.to_toml())
    (tmp_path / "t.csv").write_text("x_mm,y_mm,theta_rad,mu_jaw,mu_support\n0,-11,0,0.2,0.3\n")
    command("trial", tmp_path / "c.toml", "--trials", tmp_path / "t.csv", "--out",
            tmp_path / "o.csv", "--quiet")
    row = np.genfromtxt(tmp_path / "o.csv", delimiter=",", names=True)
    one = gm.simulate(config, **ONE)
    assert one.shape == ()
    assert one["part_y_mm"] == row["part_y_mm"] and one["end_time_s"] == row["end_time_s"]


def test_one_trial_of_numbers_is_that_of_arrays(config):
    """Plain numbers take a shorter way."""
    for given in ({}, {"x_mm": 3.5, "y_mm": -2}, {"theta_rad": None}):
        one = gm.simulate(config, **{**ONE, **given})
        arrays = gm.simulate(config, **{**ONE, **given, "x_mm": [given.get("x_mm", 0)]})
        assert type(one) is gm.Trials and one.shape == () and one.dtype == arrays.dtype
        assert one.tobytes() == arrays.tobytes()
        assert bool(one.success) == (one["outcome"] == gm.Outcome.SUCCESS)


def test_one_trial_costs_little_more_than_itself(config):
    """Measured: 0.031 ms, where a trial of a batch takes 0.030 ms."""
    def median_s(function):
        times = []
        for _ in range(300):
            start = time.perf_counter()
            function()
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    start = time.perf_counter()
    gm.simulate(config, **{**ONE, "x_mm": np.zeros(3000)}, threads=1)
    itself_s = (time.perf_counter() - start) / 3000
    assert median_s(lambda: gm.simulate(config, **ONE)) < itself_s + PATIENCE_S * 0.1e-3


def test_shapes_are_broadcast(config):
    x, y = np.arange(3.0), np.array([[-11.0], [-5.0]])
    grid = gm.simulate(config, x_mm=x, y_mm=y, mu_jaw=0.2, mu_support=0.3)
    assert grid.shape == grid.success.shape == grid.outcome_names.shape == (2, 3)
    assert (grid["x_mm"] == x).all() and (grid["y_mm"] == y).all()
    alone = gm.simulate(config, x_mm=2, y_mm=-5, mu_jaw=0.2, mu_support=0.3)
    assert alone["part_x_mm"] == grid["part_x_mm"][1, 2]
    assert gm.simulate(config, **{**ONE, "x_mm": []}).shape == (0,)
    assert len(grid.to_pandas()) == 6
    strided = gm.simulate(config, **{**ONE, "x_mm": np.arange(6.0)[::-2]})
    assert list(strided["x_mm"]) == [5, 3, 1]


def test_numbers_of_the_scenario_differ_from_trial_to_trial(config):
    masses, angles = [0.04, 0.06], [4.09, 4.12]
    both = gm.simulate(config, **ONE, numbers={"part.piece.tooth_1.angle_rad": angles,
                                               "part.mass_kg": masses})
    nominal = gm.simulate(config, **ONE)
    assert (both["part_x_mm"] != nominal["part_x_mm"]).all()
    for row, mass, angle in zip(both, masses, angles):
        changed = config.copy({"part.mass_kg": mass, "part.piece.1.angle_rad": angle})
        alone = gm.simulate(changed, **ONE)
        for name in alone.dtype.names:
            assert row[name] == alone[name], name


@pytest.mark.parametrize("change, words", [
    ({"numbers": {"part.mass_kg": [0.05, -1]}}, "part.mass_kg: value 1 is -1; must be"),
    ({"numbers": {"part.mas_kg": 1}}, "the configuration has no number part.mas_kg; must be one"),
    ({"numbers": {"part.mass_kg": "heavy"}}, "part.mass_kg: has values of type"),
    ({"x_mm": [0, np.nan]}, "x_mm: value 1 is nan; must be a finite number"),
    ({"y_mm": -np.inf}, "y_mm: value 0 is -inf"),
    ({"mu_jaw": [0.1, -0.1]}, "mu_jaw: value 1 is -0.1; must be a finite number >= 0"),
    ({"theta_rad": 1e5}, "theta_rad: value 0 is"),
    ({"x_mm": [1, 2, 3], "y_mm": [1, 2]}, r"the shapes do not fit each other: x_mm \(3,\), y_mm"),
    ({"x_mm": "wide"}, "x_mm: has values of type <U4; must be numbers"),
    ({"x_mm": 1j}, "must be numbers"),
    ({"x_mm": [None]}, "x_mm: value 0 is nan|x_mm: must be numbers"),
    ({"x_mm": [object()]}, "x_mm: must be numbers"),
    ({"x_mm": [[1, 2], [3]]}, "inhomogeneous|must be numbers"),
    ({"threads": 0}, "threads: 0; must be a whole number"),
    ({"threads": 1.5}, "threads"),
])
def test_wrong_values(config, change, words):
    with pytest.raises(ValueError, match=words):
        gm.simulate(config, **{**ONE, **change})


def test_a_range_of_angles_needs_an_angle(config):
    config.update({"placement.theta_min_rad": -0.1, "placement.theta_max_rad": 0.1,
                   "placement.theta_cells": 2})
    with pytest.raises(gm.UsageError, match="theta_rad is missing"):
        gm.simulate(config, x_mm=0, y_mm=-11, mu_jaw=0.2, mu_support=0.3)


def check_partial(config, stopped, trials):
    """What is done is kept: the first trials, with the bits that they have alone."""
    partial = stopped.partial
    assert isinstance(partial, gm.Trials) and 0 < len(partial) < trials
    words = str(stopped) or stopped.__notes__[0]
    assert f"{len(partial)} of {trials} trials are done: partial has them" in words
    x_mm = np.linspace(-9, 9, trials)[:len(partial)]
    assert (partial["x_mm"] == x_mm).all()
    few = gm.simulate(config, **{**ONE, "x_mm": x_mm[-3:]})
    assert few.tobytes() == partial[-3:].tobytes()


def test_ctrl_c_comes_out_within_a_second(config):
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        gm.simulate(config, **{**ONE, "x_mm": np.linspace(-9, 9, 500_000)})
    assert time.monotonic() - sent[0] < 1.0
    check_partial(config, caught.value, 500_000)


def test_ctrl_c_in_a_process_of_its_own(tmp_path):
    """Python's own handling of SIGINT, and what a script that does not care about it prints."""
    script = tmp_path / "long.py"
    script.write_text(f"""
import graspmap as gm, numpy as np
config = gm.load({str(QUICK)!r})
print("begun", flush=True)
gm.simulate(config, **{ONE!r} | {{"x_mm": np.zeros(5_000_000)}})
""")
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert errors.splitlines()[-2] == "KeyboardInterrupt"
    assert errors.splitlines()[-1].endswith(" of 5000000 trials are done: partial has them")


def test_a_function_watches_and_stops(config):
    seen = []
    gm.simulate(config, **{**ONE, "x_mm": np.zeros(50)}, progress=seen.append)
    assert seen[-1].done == 50
    with pytest.raises(gm.StoppedError, match="ended the simulation") as caught:
        gm.simulate(config, **{**ONE, "x_mm": np.linspace(-9, 9, 500_000)}, progress=lambda p: False)
    assert not isinstance(caught.value, ValueError)
    check_partial(config, caught.value, 500_000)
    with pytest.raises(ZeroDivisionError):
        gm.simulate(config, **{**ONE, "x_mm": np.zeros(500_000)}, progress=lambda p: 1 / 0)


def test_one_trial_is_explained(config, command, tmp_path):
    trial = gm.trial(config, **ONE)
    (tmp_path / "c.toml").write_text(config.to_toml())
    assert trial.story == command("trial", tmp_path / "c.toml", "--placement", "0,-11", "--mu-jaw",
                                  0.2, "--mu-support", 0.3)
    assert trial.outcome == "success" and trial.row["part_y_mm"] == gm.simulate(config, **ONE)["part_y_mm"]
    with pytest.raises(gm.UsageError, match="mu_jaw"):
        gm.trial(config, **{**ONE, "mu_jaw": -1})
