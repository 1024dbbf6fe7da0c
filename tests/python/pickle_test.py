"""Runs, trials and results survive pickle and copies, with their type and all that they say."""
import copy
import multiprocessing
import os
import pickle
import shutil

import numpy as np
import pytest

import graspmap as gm
from conftest import QUICK, SOURCE

ONE = {"x_mm": 0, "y_mm": -5, "mu_jaw": 0.3, "mu_support": 0.2}
COPIES = [lambda thing: pickle.loads(pickle.dumps(thing)), copy.copy, copy.deepcopy]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    config = gm.load(QUICK, {"placement.x_cells": 4, "placement.y_cells": 4, "sweep.trials_per_cell": 60})
    with gm.run(config, tmp_path_factory.mktemp("run") / "small") as small:
        yield small


LAB = {"x_mm": np.linspace(-8, 8, 40), "y_mm": np.linspace(-18, -2, 40), "success": [0, 1] * 20}
COSTS = ('[[input]]\nkey = "friction.jaw"\ngrades = [[0.15, 0], [0.05, 1]]\n'
         '[[input]]\nkeys = ["robot.x_mm", "robot.y_mm"]\ngrades = [[6, 0], [2, 2]]\n')
LOOKS = {"x_mm": [1, 1.1, 1, 0.9, 1], "y_mm": [2, 2, 2.1, 2, 2]}


def tolerances(run, folder):
    (folder / "costs.toml").write_text(COSTS)
    return run.tolerances((0, -10), 0.6, folder / "costs.toml", sigma_mm=6, trials=250, check_trials=300)


def designed():
    config = gm.load(SOURCE / "configs" / "shaft_from_above.toml", {
        "placement.x_cells": 2, "placement.y_cells": 2, "robot.position_sigma_mm": 2,
        "design": {"variable": [{"key": "gripper.finger.groove_depth_mm", "min": 1, "max": 7}]}})
    return gm.design(config, designs=8, generations=0, most_trials=64, trials=100)


DECISIONS = {
    "Plan": lambda run, _: run.plan(1),
    "DeliveredPose": lambda run, _: run.pose((0, -7), sigma_mm=3),
    "Hold": lambda run, _: run.hold((0, -7), hold={"part_height_mm": 10}, sigma_mm=1,
                                    required_probability=0.05),
    "Comparison": lambda run, _: run.compare(LAB, simulate=False),
    "FactCheck": lambda run, _: run.compare(SOURCE / "configs/published/brost_christiansen_1996.toml"),
    "Calibration": lambda run, _: run.calibrate(LAB),
    "Reweighting": lambda run, _: run.reweight({"friction.jaw.max": 0.25}),
    "Sensitivity": lambda run, _: run.sensitivity(),
    "Difference": lambda run, _: run.difference(run),
    "Tolerances": tolerances,
    "LabPlan": lambda run, _: run.lab_plan(trials=50, experiments=200),
    "SupportFit": lambda run, _: gm.fit_support(SOURCE / "configs/pushes/simulated_tripod.csv", folds=2,
                                                resamples=5),
    "SqueezePlan": lambda run, _: gm.sequence(gm.load(SOURCE / "configs/connecting_rod.toml"),
                                              angles_deg=(-40, 40), within_deg=1, within_mm=4, trials=100),
    "FingerDesign": lambda run, _: designed(),
    "Detections": lambda run, _: gm.detections(LOOKS),
    "RobotGrasps": lambda run, _: run.grasps(height_mm=10, sigma_mm=1),
}


def test_every_kind_of_decision_is_tried():
    kinds = {name for name in gm.__all__ if isinstance(getattr(gm, name), type)
             and issubclass(getattr(gm, name), gm.Decision)} - {"Decision"}
    assert kinds == set(DECISIONS)


@pytest.mark.parametrize("kind", DECISIONS)
def test_a_decision_survives(kind, run, tmp_path):
    if kind == "LabPlan" and "GRASPMAP_LONG_TESTS" not in os.environ:
        pytest.skip("takes long: GRASPMAP_LONG_TESTS")
    decision = DECISIONS[kind](run, tmp_path)
    assert (decision._kind or type(decision)).__name__ == kind
    for copied in (duplicate(decision) for duplicate in COPIES):
        again = pickle.loads(pickle.dumps(copied))  # of a copy too
        assert type(again) is type(decision) and isinstance(again, getattr(gm, kind))
        assert again == decision and again.text == decision.text and repr(again) == decision.text
        assert again.files == decision.files and again.to_dict() == decision.to_dict()
        for name in decision.files:
            if name.endswith(".csv"):
                there, here = again.table(name), decision.table(name)
                assert there.dtype == here.dtype and there.tobytes() == here.tobytes()
        with pytest.raises(gm.UsageError, match="must be one of"):
            again.table("nothing.csv")
        saved = again.save(tmp_path / "saved", figures=False)
        assert {file.name: file.read_bytes() for file in saved.iterdir()} == decision.files
        for file in saved.iterdir():
            file.unlink()


def test_what_belongs_to_a_kind_survives(run, tmp_path):
    plan = pickle.loads(pickle.dumps(run.plan(1)))
    assert (plan.x_mm, plan.interval) == (run.plan(1).x_mm, run.plan(1).interval)
    if shutil.which("gnuplot"):
        assert plan.figures["plan_map"].svg == run.plan(1).figures["plan_map"].svg
    other = pickle.loads(pickle.dumps(run.reweight({"friction.jaw.max": 0.25})))
    assert np.array_equal(other.map.success, run.reweight({"friction.jaw.max": 0.25}).map.success,
                          equal_nan=True)
    fit = pickle.loads(pickle.dumps(run.calibrate(LAB)))
    after = [run.plan(1, after=one).placements for one in (fit, run.calibrate(LAB))]
    assert after[0] == after[1]


def test_a_run_survives(run):
    for copied in (duplicate(run) for duplicate in COPIES):
        assert type(copied) is gm.Run and copied is not run
        assert (copied.digest, copied.text, copied.path) == (run.digest, run.text, run.path)
        copied.close()
    assert not run.closed
    assert pickle.loads(pickle.dumps(copied)).closed  # as it was


def test_what_a_run_gives_survives(run):
    for thing in (run.summary, run.sweet_spot, run.plateau, run.health, run.sessions, run.outcomes,
                  run.success_interval, run.config):
        again = pickle.loads(pickle.dumps(thing))
        assert type(again) is type(thing) and again == thing
    trials, cells = pickle.loads(pickle.dumps((run.trials, run.map)))
    assert type(trials) is gm.Trials and trials.tobytes() == run.trials.tobytes()
    assert np.array_equal(cells.success, run.map.success) and repr(cells) == repr(run.map)


def test_a_trial_survives(run, config):
    program = gm.load(SOURCE / "configs" / "hex_nut.toml")
    for trial in (run.trial(7), run.trial(outcome="wedged"), gm.trial(config, **ONE),
                  gm.trial(program, x_mm=0, y_mm=0, theta_rad=0, mu_jaw=0.2, mu_support=0.3)):
        for again in (duplicate(trial) for duplicate in COPIES):
            assert type(again) is gm.Trial and again == trial
            assert (again.story, repr(again)) == (trial.story, repr(trial))
            assert again.trajectory.tobytes() == trial.trajectory.tobytes()
            assert again.draw().svg == trial.draw().svg and again.reproduced
    assert gm.trial(config, **ONE) != gm.trial(config, **{**ONE, "x_mm": 1})
    assert gm.trial(config, **ONE) != run.trial(7)


def test_errors_survive(run, config):
    def missing():
        gm.load("no/such/file.toml")

    def wrong():
        config.gripper.closing_force_n = -1

    def stopped():
        gm.simulate(config, **{**ONE, "x_mm": np.zeros(300_000)}, progress=lambda _: False)

    for fails in (missing, wrong, stopped, lambda: run.trial(100_000)):
        with pytest.raises(gm.Error) as caught:
            fails()
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is caught.type and str(again) == str(caught.value)
        assert getattr(again, "faults", None) == getattr(caught.value, "faults", None)
        if isinstance(again, gm.StoppedError):
            assert again.partial.tobytes() == caught.value.partial.tobytes()


def plan_elsewhere(run):
    return run.plan(2)


def test_other_processes_take_and_give_them(run):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        plans = pool.map(plan_elsewhere, [run, run])
    assert [plan.text for plan in plans] == [run.plan(2).text] * 2
