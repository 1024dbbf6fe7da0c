"""What a run gives: map, trials, summary, one trial; numbers equal to those of the command's files."""
import csv
import json
import pickle
import shutil
import sys

import numpy as np
import pytest

import graspmap as gm
from conftest import QUICK, SOURCE


@pytest.fixture(scope="module")
def map_rows(quick_run):
    with open(quick_run.path / "map.csv", newline="") as file:
        return list(csv.DictReader(file))


def test_the_map_is_that_of_map_csv(quick_run, map_rows):
    found = quick_run.map
    success = found.success
    assert success.dims == ("x_mm", "y_mm", "theta_rad") and success.shape == (10, 10, 1)
    assert success.coords["x_mm"].attrs["units"] == "mm"
    for row in map_rows:
        cell = (int(row["cell_x"]), int(row["cell_y"]), int(row["cell_theta"]))
        assert success.values[cell] == float(row["success_probability"])
        assert found.success_low.values[cell] == float(row["wilson_low"])
        assert found.success_high.values[cell] == float(row["wilson_high"])
        for outcome in gm.Outcome:
            assert found.count(outcome).values[cell] == int(row[str(outcome)])
        assert found.edges("x_mm")[cell[0]] == pytest.approx(float(row["x_min_mm"]), abs=1e-12)
        middle = (float(row["y_min_mm"]) + float(row["y_max_mm"])) / 2
        assert found.y_mm[cell[1]] == pytest.approx(middle, abs=1e-12)
    assert int(found.trials.sum()) == 200
    assert float(success.sel(x_mm=-1, y_mm=-11, theta_rad=0)) == success.values[4, 4, 0]
    assert set(found.to_dataset()) >= {"success", "wedged_trials"}
    assert np.asarray(found.to_dict()["success"]).shape == (10, 10, 1)
    assert "10 x 10 cells, 200 trials" in repr(found)
    assert found._repr_svg_().count("<rect") == 100 and "#fde725" in found._repr_svg_()
    with pytest.raises(gm.UsageError, match="wegded"):
        found.count("wegded")
    with pytest.raises(gm.UsageError, match="axis"):
        found.edges("x")


def test_the_map_without_xarray(quick_run, monkeypatch):
    with_xarray = quick_run.map.success
    monkeypatch.setitem(sys.modules, "xarray", None)
    assert type(quick_run.map.success) is np.ndarray
    assert np.array_equal(quick_run.map.success, with_xarray.values, equal_nan=True)


def test_the_trials_are_those_of_the_command(quick_run, command, tmp_path):
    command("export", quick_run.path, "--format", "npz", "--out", tmp_path / "t.npz", "--quiet")
    trials = quick_run.trials
    assert trials.shape == (200,) and trials.dtype.itemsize == 208
    with np.load(tmp_path / "t.npz") as exported:
        assert [*trials.dtype.names, "outcome_names"] == list(exported)
        for name in trials.dtype.names:
            assert np.array_equal(trials[name], exported[name])
        assert list(exported["outcome_names"]) == [str(outcome) for outcome in gm.Outcome]
    assert type(trials["x_mm"]) is np.ndarray and trials["x_mm"].base is not None  # no copy
    assert trials.success.sum() == quick_run.outcomes["success"]
    assert set(trials[trials["outcome"] == gm.Outcome.WEDGED].outcome_names) == {"wedged"}
    assert quick_run.trials is trials
    with pytest.raises(ValueError, match="read-only"):
        trials["x_mm"][0] = 1


def test_the_trials_in_pandas(quick_run):
    table = quick_run.trials.to_pandas()
    assert table.index.name == "index" and len(table) == 200
    assert table["outcome"].value_counts()["success"] == quick_run.outcomes["success"]
    assert (table["x_mm"].to_numpy() == quick_run.trials["x_mm"]).all()


def test_intervals_of_nets_count_effective_trials(tmp_path):
    with gm.run(gm.load(QUICK, {"sweep.trials_per_cell": 32}), tmp_path / "nets") as run:
        with open(run.path / "map.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert any(float(row["effective_trials"]) > 1.5 * 32 for row in rows)
        for row in rows:
            cell = (int(row["cell_x"]), int(row["cell_y"]), int(row["cell_theta"]))
            assert run.map.success_low.values[cell] == float(row["wilson_low"])
            assert run.map.success_high.values[cell] == float(row["wilson_high"])
        assert run.to_dict() == json.loads((run.path / "summary.json").read_text())


def test_the_summary_is_that_of_the_file(quick_run):
    summary = json.loads((quick_run.path / "summary.json").read_text())
    assert quick_run.to_dict() == quick_run.summary.to_dict() == summary
    spot = quick_run.sweet_spot
    assert (spot.x_mm, spot["y_mm"]) == (summary["sweet_spot"]["x_mm"], summary["sweet_spot"]["y_mm"])
    assert spot.wilson_95.low == summary["sweet_spot"]["wilson_95"][0]
    assert quick_run.plateau.area_mm2 == summary["plateau"]["area_mm2"]
    assert quick_run.success == summary["success"]["probability"]
    assert quick_run.success_interval.low < quick_run.success < quick_run.success_interval.high
    assert quick_run.health.failed == 0 and quick_run.health.retried > 0
    assert quick_run.outcomes == summary["outcomes"]
    assert quick_run.name == "lock_piece_quick"
    assert quick_run.text.startswith("Too few trials to tell") and quick_run.summary.answer == "unknown"


def test_results_are_small_objects(quick_run):
    spot = quick_run.sweet_spot
    assert repr(spot).startswith("SweetSpot(found=True, half_width_mm=3, x_mm=")
    assert "<td" in spot._repr_html_() and "x_mm" in dir(spot) and "x_mm" in spot
    assert pickle.loads(pickle.dumps(spot)) == spot
    with pytest.raises(AttributeError, match="there is no 'z_mm'; there are found"):
        spot.z_mm  # noqa: B018
    with pytest.raises(AttributeError, match="cannot be changed"):
        spot.x_mm = 1
    assert "% success" in repr(quick_run) and "<pre>" in quick_run._repr_html_()


def test_a_trial_is_that_of_replay(quick_run, command, tmp_path):
    trial = quick_run.trial(51)
    printed = command("replay", quick_run.path, 51, "--out", tmp_path / "trial.csv")
    assert printed.endswith(trial.story) and trial.reproduced and trial.differences == ""
    assert trial.row == quick_run.trials[51] and trial.outcome in printed
    of_command = json.loads(command("replay", quick_run.path, 51, "--json"))
    del of_command["git_commit"]  # a program that was built at another commit
    assert of_command.items() < trial.to_dict().items()
    columns = np.genfromtxt(tmp_path / "trial.csv", delimiter=",", names=True)
    assert np.array_equal(trial.trajectory, columns)
    assert trial.trajectory.dtype.names[:4] == ("time_s", "part_x_mm", "part_y_mm", "part_theta_rad")
    for name in ("copy.csv", "trial.svg"):
        trial.save(tmp_path / name)
    assert (tmp_path / "copy.csv").read_bytes() == (tmp_path / "trial.csv").read_bytes()
    command("replay", quick_run.path, 51, "--out", tmp_path / "command.svg")
    assert (tmp_path / "trial.svg").read_bytes() == (tmp_path / "command.svg").read_bytes()
    assert "<svg" in trial._repr_html_() and "<svg" in trial.draw()._repr_svg_()
    assert "trial 51" in repr(trial)
    with pytest.raises(gm.UsageError, match="must end with"):
        trial.save(tmp_path / "trial.png")


def test_a_trial_knows_its_phases_and_obstacles(quick_run):
    assert quick_run.trial(51).phases == [] and quick_run.trial(51).obstacle_touches == {}
    sweep = gm.load(SOURCE / "configs" / "push_grasp.toml")
    trial = gm.trial(sweep, x_mm=0, y_mm=-10, theta_rad=0.2, mu_jaw=0.2, mu_support=0.25)
    moved, closed = trial.phases
    assert moved["ended"] == "duration" and closed["ended"] == "stopped"
    assert moved["gripper_y_mm"] == pytest.approx(20) and moved["end_time_s"] == pytest.approx(0.4)
    assert closed["part_x_mm"] == trial.row["part_x_mm"]
    assert {"phase", "gripper_y_mm"} < set(trial.trajectory.dtype.names)
    rail = gm.load(SOURCE / "configs" / "bracket_against_wall.toml")
    trial = gm.trial(rail, x_mm=0, y_mm=-30, theta_rad=0.2, mu_jaw=0.2, mu_support=0.25)
    assert trial.outcome == "success" and trial.obstacle_touches == {"rail": ["back"]}
    blocked = gm.trial(rail, x_mm=10, y_mm=-30, theta_rad=-0.3, mu_jaw=0.2, mu_support=0.25)
    assert blocked.outcome == "blocked" and blocked.to_dict()["blocked_by"] == "rail"


def test_a_trial_is_looked_for(quick_run):
    wedged = quick_run.trial(outcome="wedged")
    assert wedged.outcome == "wedged"
    assert quick_run.trial(outcome=gm.Outcome.WEDGED).row["index"] == wedged.row["index"]
    row = quick_run.trial(cell=(0.5, -11)).row
    assert abs(row["x_mm"] - 1) <= 1 and abs(row["y_mm"] + 11) <= 1
    with pytest.raises(gm.ConfigError, match="trial 100000 is not there; existing trials: 0-199"):
        quick_run.trial(100000)
    with pytest.raises(gm.ConfigError, match="is not on the map"):
        quick_run.trial(cell=(500, 0))
    with pytest.raises(gm.UsageError, match="must be one of success, wedged"):
        quick_run.trial(outcome="wegded")
    for arguments in ({}, {"index": 1, "outcome": "wedged"}, {"cell": (1,)}):
        with pytest.raises(gm.UsageError):
            quick_run.trial(**arguments)
    worst = quick_run.worst_trials(3)
    assert len(worst) == 3 and worst["worst_residual"][0] == quick_run.trials["worst_residual"].max()


@pytest.mark.skipif(shutil.which("gnuplot") is None, reason="needs gnuplot")
def test_an_animation(quick_run, tmp_path):
    animation = quick_run.trial(51).animate()
    assert animation.gif[:6] in (b"GIF87a", b"GIF89a")
    assert "data:image/gif;base64," in animation._repr_html_()
    animation.save(tmp_path / "trial.gif")
    assert (tmp_path / "trial.gif").read_bytes() == animation.gif


def test_no_gnuplot(quick_run, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(gm.IoError, match="gnuplot"):
        quick_run.trial(51).animate()


def test_trials_have_a_field_for_each_uncertain_number(config, tmp_path):
    text = (config.to_toml()
            + '\n[uncertain]\n"part.mass_kg" = { distribution = "uniform", min = 0.04, max = 0.06 }\n')
    file = tmp_path / "uncertain.toml"
    file.write_text(text)
    with gm.run(gm.load(file), tmp_path / "run") as run:
        trials = run.trials
        assert trials.dtype.names[-1] == "part.mass_kg"
        mass_kg = trials["part.mass_kg"]
        assert 0.04 < mass_kg.min() < 0.045 and 0.055 < mass_kg.max() < 0.06
        trial = run.trial(7)
        assert f"part.mass_kg {mass_kg[7]:.6g}" in trial.story
        with open(run.path / "trials.csv", newline="") as table:
            rows = list(csv.DictReader(table))
        assert [float(row["part.mass_kg"]) for row in rows] == mass_kg.tolist()


def test_outcomes_are_words_with_codes_and_meanings(quick_run, config):
    assert [str(outcome) for outcome in gm.Outcome] == list(gm._native.OUTCOMES) == list(quick_run.outcomes)
    assert [outcome.code for outcome in gm.Outcome] == list(range(6))
    assert all(len(outcome.meaning) > 20 for outcome in gm.Outcome)
    wedged = gm.Outcome.WEDGED
    assert wedged == "wedged" and wedged == 1 and wedged == np.int64(1) and wedged == gm.Outcome.WEDGED
    assert wedged != "missed" and wedged != 2 and wedged != gm.Outcome.MISSED and wedged != 1.5
    assert gm.Outcome("wedged") is gm.Outcome(1) is gm.Outcome(np.int64(1)) is wedged and int(wedged) == 1
    assert f"{wedged} {wedged:>7}" == "wedged  wedged" and repr(wedged) == "<Outcome.WEDGED: 'wedged'>"
    assert {"wedged": 3}[wedged] == 3 and json.dumps([wedged]) == '["wedged"]'
    for value in (6, -1, "wegded", None):
        with pytest.raises(ValueError):
            gm.Outcome(value)
    trial = quick_run.trial(outcome=wedged)
    assert trial.outcome is wedged and trial.row["outcome"] == wedged and trial.outcome == "wedged"


def test_outcomes_are_compared_with_arrays(quick_run):
    trials, wedged = quick_run.trials, gm.Outcome.WEDGED
    wanted = trials["outcome"].view(np.ndarray) == 1
    assert 0 < wanted.sum() < len(trials)
    for mask in (trials["outcome"] == wedged, wedged == trials["outcome"], ~(trials["outcome"] != wedged),
                 ~(wedged != trials["outcome"]), trials.outcome_names == wedged,
                 trials["outcome"] == wedged.code):
        assert mask.dtype == bool and (mask == wanted).all()
    table = trials.to_pandas()
    assert ((table["outcome"] == wedged) == wanted).all()
    assert np.bincount(trials["outcome"], minlength=6)[wedged] == quick_run.outcomes[wedged]
