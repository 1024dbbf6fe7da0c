"""Decisions on a run: the same as those of the commands, and what is refused."""
import inspect
import json
import os
import pickle
import re
import shutil
import signal
import threading
import time

import numpy as np
import pytest

import graspmap as gm
from conftest import QUICK, SOURCE

LAB = SOURCE / "configs" / "lab" / "lock_piece_off.csv"
PUSHES = SOURCE / "configs" / "pushes" / "simulated_tripod.csv"
FACTS = SOURCE / "configs" / "published" / "brost_christiansen_1996.toml"
NARROW = {"friction.jaw": {"distribution": "uniform", "min": 0.05, "max": 0.3}}
# Under a sanitizer everything takes ten times as long.
PATIENCE_S = float(os.environ.get("GRASPMAP_PATIENCE_S", "1"))


def small_sweep(trials, **more):
    """A sweep of 16 cells."""
    return gm.load(QUICK, {"placement.x_cells": 4, "placement.y_cells": 4,
                           "sweep.trials_per_cell": trials, **more})


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of 3200 trials in 16 cells."""
    with gm.run(small_sweep(200), tmp_path_factory.mktemp("run") / "small") as small:
        yield small


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """The same with another force."""
    config = small_sweep(200, **{"gripper.closing_force_n": 20})
    with gm.run(config, tmp_path_factory.mktemp("run") / "strong") as strong:
        yield strong


@pytest.fixture(scope="module")
def experiment(run):
    """Cells of an experiment that agrees with the run: a dict of columns."""
    edges_x, edges_y = run.map.edges("x_mm").tolist(), run.map.edges("y_mm").tolist()
    success = np.asarray(run.map.success)[:, :, 0]
    rows = [(edges_x[i], edges_x[i + 1], edges_y[j], edges_y[j + 1], 20,
             round(20 * float(success[i, j]))) for i in range(4) for j in range(4)]
    names = ["x_min_mm", "x_max_mm", "y_min_mm", "y_max_mm", "trials", "successes"]
    return {name: list(column) for name, column in zip(names, zip(*rows))}


def experiment_file(experiment, folder):
    lines = ["# origin = simulated", ",".join(experiment)]
    lines += [",".join(map(str, row)) for row in zip(*experiment.values())]
    file = folder / "experiment.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def check_equal(decision, command, folder, *words):
    """The command's text and files, byte for byte; so are all fields."""
    out = folder / "out"
    printed = command(*words, "--out", out, "--no-plots")
    # A command that it prints names its files: without --out they are RUN/COMMAND.
    text = decision.text.replace(f"{words[1]}/{words[0]}/", f"{out}/")
    assert printed == text + f"\nFiles in {out}: {', '.join(decision.files)}\n"
    assert decision.files == {file.name: file.read_bytes() for file in out.iterdir()}
    assert decision.to_dict() == json.loads((out / decision._analysis.document).read_text())
    assert repr(decision) == decision.text


def test_plan(run, command, tmp_path):
    plan = run.plan(sigma_mm=(2, 1.5), confidence=0.9)
    check_equal(plan, command, tmp_path, "plan", run.path, "--position-sigma-mm", "2,1.5",
                "--confidence", "0.9")
    best = plan.placements[0]
    assert (plan.x_mm, plan.y_mm, plan.success) == (best.x_mm, best.y_mm, best.success_probability)
    assert plan.interval.low <= plan.success <= plan.interval.high
    assert plan.to_dict()["placements"][0]["interval"] == list(plan.interval)
    assert plan.table("plan.csv")["success_probability"][0] == plan.success


def test_plan_with_all_that_is_known(run, command, tmp_path):
    plan = run.plan(1, repeats=10, offset_sigma_mm=(0.5, 0.25))
    check_equal(plan, command, tmp_path, "plan", run.path, "--position-sigma-mm", "1", "--repeats",
                "10", "--offset-sigma-mm", "0.5,0.25")
    covariance = run.plan(position_covariance_mm2=(4, 1.5, 1))
    assert covariance.error_model.covariance[0][1] == 1.5
    assert run.plan(position_sigma_mm=2).to_dict() == run.plan(sigma_mm=np.float64(2)).to_dict()
    with pytest.raises(AttributeError):
        run.plan(required_probability=0.5).x_mm


LOOKS = """x_mm,y_mm,theta_rad
100.12,50.03,0.402
100.02,49.91,0.398
99.87,50.11,3.541
,,
100.09,50.02,0.405
99.95,49.88,0.394
"""


def test_detections(run, command, tmp_path):
    file = tmp_path / "looks.csv"
    file.write_text(LOOKS)
    found = gm.detections(file, period_deg=180)
    out = tmp_path / "out"
    printed = command("detections", file, "--period-deg", 180, "--out", out)
    assert printed.startswith(found.text.replace("outputs/looks_detections", str(out)))
    assert found.files == {file.name: file.read_bytes() for file in out.iterdir()}
    assert (found.misses, found.flips) == (1, 1)
    rows = np.genfromtxt(file, delimiter=",", names=True)
    columns = {name: rows[name] for name in rows.dtype.names}  # NaN: a miss
    for table in (rows, columns):
        again = gm.detections(table, period_deg=180)
        assert again.misses == 1 and again.covariance == found.covariance
    # As the robot's error.
    flat = gm.detections(file, period_deg=180, positions_only=True)
    plans = [run.plan(measured=measured) for measured in (flat, flat.deviations)]
    flat.save(tmp_path / "flat")
    plans.append(run.plan(measured=tmp_path / "flat" / "deviations.csv"))
    assert plans[0].placements == plans[1].placements == plans[2].placements
    with pytest.raises(gm.UsageError, match="period_deg: -1; must be"):
        gm.detections(file, period_deg=-1)
    with pytest.raises(gm.ConfigError, match="has 2 detections; must have 5 to 1000"):
        gm.detections({"x_mm": [1, 2], "y_mm": [1, 2]})


def test_grasps(run, command, tmp_path):
    table = {"robot_points_mm": [400, -120, 15, 400, 80, 15, 250, -120, 15],
             "plane_points_mm": [(0, 0), (200, 0), (0, 150)]}
    found = run.grasps(height_mm=10, sigma_mm=(1, 2), joints=["left", "right"], grasps=2, quality="lower",
                       output=3, **table)
    words = ["--height-mm", 10, "--position-sigma-mm", "1,2", "--grasps", 2]
    at = ["--robot-points-mm", ",".join(map(str, table["robot_points_mm"])), "--plane-points-mm", "0,0;200,0;0,150"]
    joints, quality = ["--joints", "left,right"], ["--quality", "lower"]
    for word, name, more in (("moveit", "grasps_moveit.yaml", at + joints + quality),
                             ("isaac", "grasps_isaac.yaml", joints + quality),
                             ("urscript", "grasps.script", [*at, "--output", 3]),
                             ("json", "grasps.json", at + quality)):
        command("export", run.path, "--format", word, *words, *more, "--out", tmp_path / name)
        assert found.files[name] == (tmp_path / name).read_bytes(), name
    assert len(found.files) == 4
    best = found.runs[0].grasps[0]
    plan = run.plan((1, 2)).placements[0]
    assert (best.x_mm, best.y_mm, best.success_probability) == (plan.x_mm, plan.y_mm, plan.success_probability)
    assert best.quality == best.interval.low and f"({best.x_mm:g}, {best.y_mm:g}) mm" in str(found)
    assert list(run.grasps(height_mm=10, sigma_mm=1).files) == ["grasps.json"]
    assert found.save(tmp_path / "saved") == tmp_path / "saved"
    assert run.grasps(height_mm=10, sigma_mm=1)._analysis.folder == run.path


def test_grasps_of_several_resting_faces(run, tmp_path):
    face = gm.run(small_sweep(60, name="other_face"), tmp_path / "face")
    both = run.grasps(face, height_mm=10, sigma_mm=1, joints="left")
    assert [one.name for one in both.runs] == ["lock_piece_quick", "other_face"]
    assert list(both.files) == ["grasps.json"]  # one library; other formats have one run
    assert run.grasps(face.path, height_mm=10, sigma_mm=1).runs == both.runs
    for given, words in (({}, "height_mm: missing"), ({"height_mm": 10}, "give position_sigma_mm"),
                         ({"height_mm": 10, "sigma_mm": 1, "grasps": 6}, "grasps: 6; must be"),
                         ({"height_mm": 10, "sigma_mm": 1, "position_sigma_mm": 1}, "are the same")):
        with pytest.raises(gm.UsageError, match=words):
            run.grasps(**given)
    with pytest.raises(gm.UsageError, match="both called lock_piece_quick"):
        run.grasps(run, height_mm=10, sigma_mm=1)


def test_pose(run, command, tmp_path):
    pose = run.pose((0, -7), sigma_mm=1, outcome="wedged")
    check_equal(pose, command, tmp_path, "pose", run.path, "--placement", "0,-7",
                "--position-sigma-mm", "1", "--outcome", "wedged")
    assert isinstance(pose.mean.x_mm, float)


def test_hold(run, command, tmp_path):
    hold = {"part_height_mm": 10, "acceleration_m_s2": 2}
    held = run.hold((0, -10), hold=hold, factor=1.5, required_probability=0.5, sigma_mm=1)
    check_equal(held, command, tmp_path, "hold", run.path, "--placement", "0,-10",
                "--set", "hold.part_height_mm=10", "--set", "hold.acceleration_m_s2=2",
                "--factor", "1.5", "--required-probability", "0.5", "--position-sigma-mm", "1")
    assert held.lifted.value <= held.closes.value
    assert held.check.trials > 0
    assert "check" not in run.hold((0, -10), hold=hold, check=False).to_dict()
    assert len(held.table("hold.csv")) == 16
    with pytest.raises(gm.UsageError, match="hold must give the part's height, hold.part_height_mm=H"):
        run.hold((0, -10))


def test_compare(run, experiment, command, tmp_path):
    file = experiment_file(experiment, tmp_path)
    found = run.compare(file, within=50, simulate=False)
    check_equal(found, command, tmp_path, "compare", run.path, file, "--within", "50",
                "--no-simulate")
    assert found.verdict == "agrees"
    of_table = run.compare(experiment, within=50, simulate=False, origin="simulated")
    assert of_table.agreement == found.agreement
    structured = np.array(list(zip(*experiment.values())),
                          dtype=[(name, "f8" if "mm" in name else "i8") for name in experiment])
    of_array = run.compare(structured, within=50, simulate=False)
    assert of_array.agreement == found.agreement and of_array.experiment.origin == "measured"


def test_compare_simulates_single_trials(run, command, tmp_path):
    seen = []
    found = run.compare(LAB, trials=1000, threads=1, progress=seen.append)
    check_equal(found, command, tmp_path, "compare", run.path, LAB, "--trials", "1000", "--quiet")
    assert all(0 <= state.done <= state.asked for state in seen)


def test_compare_with_facts_and_runs(run, other, command, tmp_path):
    check_equal(run.compare(FACTS), command, tmp_path, "compare", run.path, FACTS)
    assert isinstance(run.compare(FACTS), gm.FactCheck)
    of_run = run.compare(other, simulate=False)
    assert of_run.agreement == run.compare(other.path, simulate=False).agreement


def test_calibrate_and_plan_after_it(run, experiment, command, tmp_path):
    file = experiment_file(experiment, tmp_path)
    fit = run.calibrate(file, confidence=0.9)
    check_equal(fit, command, tmp_path, "calibrate", run.path, file, "--confidence", "0.9")
    assert set(fit.mean_laws) == {"friction.jaw", "friction.support"}
    assert (fit.mean_laws["friction.jaw"]["min"]
            == fit.parameters["friction.jaw.min"].mean)
    assert len(fit.posterior) == fit.posterior_draws
    plan = run.plan(1, after=fit)
    fit.save(tmp_path / "fit", figures=False)
    of_file = run.plan(1, after=tmp_path / "fit" / "calibrate.json")
    assert plan.placements == of_file.placements == run.plan(1, after=fit).placements


def test_reweight(run, experiment, command, tmp_path):
    found = run.reweight(NARROW)
    check_equal(found, command, tmp_path, "reweight", run.path, "--set",
                'friction.jaw={ distribution = "uniform", min = 0.05, max = 0.3 }')
    assert found.map.shape == run.map.shape
    stored = found.table("map.csv")["stored_probability"]
    np.testing.assert_array_equal(np.asarray(run.map.success).T.ravel(), stored)
    new = found.table("map.csv")["success_probability"].reshape(4, 4)
    np.testing.assert_array_equal(np.asarray(found.map.success)[:, :, 0].T, new)
    assert np.all(np.asarray(found.map.success_low) <= np.asarray(found.map.success_high))
    assert np.asarray(found.map.effective_trials).max() <= 200
    assert "ReweightedMap" in repr(found.map)
    of_fit = run.reweight(run.calibrate(experiment).mean_laws)
    assert {law.key for law in of_fit.laws} == {"friction.jaw", "friction.support"}


def test_sensitivity(run, command, tmp_path):
    check_equal(run.sensitivity(), command, tmp_path, "sensitivity", run.path)
    aimed = run.sensitivity((0, -7), sigma_mm=2)
    assert aimed.inputs[0].first_order.interval.low <= aimed.inputs[0].first_order.value
    assert aimed.table("sensitivity.csv")["state"].dtype.kind == "U"
    halved = run.sensitivity((0, -7), sigma_mm=2, halved_trials=50)
    check_equal(halved, command, tmp_path, "sensitivity", run.path, "--placement", "0,-7",
                "--position-sigma-mm", "2", "--halved-trials", "50", "--quiet")
    assert [i.input for i in halved.halved.inputs] == [i.input for i in halved.inputs]
    assert halved.halved.as_it_is.success_probability.interval.high <= 1


def test_tolerances(run, command, tmp_path):
    costs = tmp_path / "costs.toml"
    costs.write_text('[[input]]\nkey = "friction.jaw"\ngrades = [[0.15, 0], [0.05, 1]]\n'
                     '[[input]]\nkeys = ["robot.x_mm", "robot.y_mm"]\ngrades = [[6, 0], [2, 2]]\n')
    found = run.tolerances((0, -10), 0.8, costs, sigma_mm=6, trials=250, check_trials=300)
    check_equal(found, command, tmp_path, "tolerances", run.path, "--placement", "0,-10",
                "--required-probability", "0.8", "--costs", costs, "--position-sigma-mm", "6",
                "--trials", "250", "--check-trials", "300")
    assert found.found and found.cheapest.cost <= found.equal_shares.cost
    assert found.table("tolerances.csv")["width"].tolist() == [w.width for w in found.cheapest.widths]
    with pytest.raises(gm.UsageError, match="placement: x = 99 is outside of the map"):
        run.tolerances((99, -10), 0.8, costs)


def test_difference(run, other, command, tmp_path):
    found = run.difference(other, false_discovery_rate=0.1)
    check_equal(found, command, tmp_path, "difference", run.path, other.path,
                "--false-discovery-rate", "0.1")
    assert found.pairing.paired
    assert found.save(figures=False) == run.path / "difference" / other.path.name


@pytest.mark.skipif("GRASPMAP_LONG_TESTS" not in os.environ, reason="takes a minute")
def test_lab_plan(run, command, tmp_path):
    found = run.lab_plan(detect={"shift_y_mm": 2}, experiments=200, threads=2)
    check_equal(found, command, tmp_path, "lab-plan", run.path, "--detect", "shift_y_mm=2.0",
                "--experiments", "200", "--quiet")
    assert len(found.run_sheet) == found.plan.trials


def test_fit_support(command, tmp_path):
    fit = gm.fit_support(PUSHES, points=[(40, 10), (-13, 17), (-5, -35)], weight_n=8, folds=2,
                         resamples=5)
    check_equal(fit, command, tmp_path, "fit-support", PUSHES, "--points", "40,10;-13,17;-5,-35",
                "--weight-n", "8", "--folds", "2", "--resamples", "5", "--quiet")
    config = gm.load(QUICK).copy({"support": fit.support})
    assert config.support.model == fit.support["model"]


@pytest.fixture(scope="module")
def rectangle():
    """A plate of 16 mm by 30 mm between flat jaws, almost without friction."""
    return gm.load(QUICK, {
        "part": {"density_kg_mm3": 2.7e-6, "thickness_mm": 5, "piece": [
            {"name": "plate", "outline_mm": [[-8, -15], [8, -15], [8, 15], [-8, 15]]}]},
        "success": [{"at_rest": True}], "gripper.opening_mm": 90, "stop.timeout_s": 20,
        "friction": {"jaw": 0, "support": 0.05}})


def test_sequence(rectangle, command, tmp_path):
    file = tmp_path / "plate.toml"
    file.write_text(rectangle.to_toml())
    plan = gm.sequence(rectangle, trials=300, box_mm=(1, 0.5), angles_deg=(0, 180), seed=3)
    check_equal(plan, command, tmp_path, "sequence", file, "--trials", "300", "--box-mm", "1,0.5",
                "--angles-deg", "0,180", "--seed", "3", "--quiet")
    assert plan.reaches and len(plan.squeezes) == 2 and plan.interval.low > 0.98
    assert [phase.phase for phase in plan.phases][:2] == ["start", plan.phases[1].phase]
    assert plan.phases[-1].angle_rms_rad < 0.02 < plan.phases[0].angle_rms_rad
    assert plan.cycle_s == plan.phases[-1].time_s > 1
    assert len(plan.table("phases.csv")) == len(plan.phases)
    again = gm.sequence(rectangle.copy({"program": plan.program}), program=True, trials=300,
                        box_mm=(1, 0.5), angles_deg=(0, 180), seed=3)
    assert again.evaluated and again.cycle_s == plan.cycle_s
    starts = {"x_mm": [0.0, 1.0], "y_mm": [0.0, 0.0], "theta_rad": [0.1, -0.2]}
    near = gm.sequence(rectangle, particles=starts, trials=100, most_squeezes=1)
    assert near.probability == 1.0 and "2 start poses of the file" in near.text


@pytest.fixture(scope="module")
def shaft(tmp_path_factory):
    """A shaft between V-pads whose groove may change."""
    file = tmp_path_factory.mktemp("design") / "shaft.toml"
    file.write_text((SOURCE / "configs" / "shaft_from_above.toml").read_text() + """
[robot]
position_sigma_mm = 2
[design]
[[design.variable]]
key = "gripper.finger.groove_depth_mm"
min = 3
max = 5
step = 1
""")
    return file


FEW = {"designs": 8, "generations": 1, "most_trials": 64, "trials": 200}
FEW_WORDS = ("--designs", "8", "--generations", "1", "--most-trials", "64", "--trials", "200")


def test_design(shaft, command, tmp_path):
    found = gm.design(shaft, **FEW, seed=3)
    check_equal(found, command, tmp_path, "design", shaft, *FEW_WORDS, "--seed", "3", "--quiet")
    first = found.designs[0]
    assert found.words == first.words and found.words.startswith("groove depth")
    assert 0 <= found.best.values[0].interval.low <= found.best.values[0].value <= 1
    assert found.gains[0].interval.low <= found.gains[0].value <= found.gains[0].interval.high
    depth_mm = float(first.set[0].split("=")[1])
    assert found.variables[0].key == "gripper.finger.groove_depth_mm"
    assert len(found.table("designs.csv")) == found.tried
    assert found.config.gripper.finger.groove_depth_mm == depth_mm
    assert "POLYLINE" in found.finger_dxf and found.finger_svg.startswith("<")


def test_a_design_keeps_files_and_changes(shaft, tmp_path):
    part = tmp_path / "parts" / "thin.toml"
    part.parent.mkdir()
    part.write_text((SOURCE / "configs" / "shaft_from_above.toml").read_text()
                    .replace("[12, 12]", "[9, 9]"))
    file = tmp_path / "shaft.toml"
    file.write_text(shaft.read_text() + '[[design.part]]\nname = "thin"\nconfig = "parts/thin.toml"\n')
    of_file = gm.design(file, **FEW)
    assert [one.name for one in of_file.parts][1] == "thin"
    config = gm.load(file)
    assert gm.design(config, **FEW).to_dict() == of_file.to_dict()
    config.robot.position_sigma_mm = 5
    worse = gm.design(config, **FEW)
    assert worse.best.values[0].value < of_file.best.values[0].value
    assert worse.to_dict()["best"] == gm.design(file, **FEW, sigma_mm=5).to_dict()["best"]


def test_numbers_keep_all_bits(run):
    assert run.plan(0.1 + 0.2).position_sigma_mm == (0.1 + 0.2, 0.1 + 0.2)


def test_a_run_that_is_not_complete_gives_a_warning(tmp_path):
    with gm.run(small_sweep(4000), tmp_path / "part", threads=1,
                progress=lambda state: state.done < 100) as part:
        assert not part.complete
        with pytest.warns(gm.GraspmapWarning, match="not complete"):
            part.plan(2)


@pytest.mark.skipif(shutil.which("gnuplot") is None, reason="needs gnuplot")
def test_figures_are_the_commands(run, tmp_path):
    plan = run.plan(2)
    assert list(plan.figures) == ["plan_map"]
    assert plan._repr_svg_() == plan.figures["plan_map"].svg
    assert plan.text.split("\n", 1)[0] in plan._repr_html_() and "<svg" in plan._repr_html_()
    folder = plan.save(tmp_path / "deep" / "plan")
    names = {file.name for file in folder.iterdir()}
    assert names >= {"plan.json", "plan.csv", "plan_map.svg", "plan_map.png"}
    assert (folder / "plan_map.svg").read_text() == plan.figures["plan_map"].svg


def test_without_gnuplot_there_is_text(run, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    plan = run.plan(2)
    with pytest.raises(gm.IoError, match="gnuplot"):
        plan.figures
    assert "<pre>" in plan._repr_html_() and plan._repr_svg_() is None
    with pytest.warns(gm.GraspmapWarning, match="no figures"):
        plan.save(tmp_path / "out")
    assert (tmp_path / "out" / "plan.json").is_file()


def test_results_cannot_be_changed_and_can_be_pickled(run):
    plan = run.plan(2)
    with pytest.raises(AttributeError):
        plan.trials = 3
    with pytest.raises(AttributeError, match="placements"):
        plan.nothing
    assert pickle.loads(pickle.dumps(plan)).to_dict() == plan.to_dict()
    with pytest.raises(gm.UsageError, match="plan.csv"):
        plan.table("plan.json")


def test_fields_know_what_they_mean(run):
    plan = run.plan(2)
    best = plan.placements[0]
    assert isinstance(plan, gm.Plan) and type(plan).__name__ == "Plan"
    assert type(best).unknown_share.__doc__.startswith("of the error's mass")
    assert type(plan).placements.__doc__ == "the best and other local maxima"
    assert type(best) is type(plan.placements[-1])
    again = pickle.loads(pickle.dumps(best))
    assert again == best and type(again).unknown_share.__doc__ == type(best).unknown_share.__doc__
    assert isinstance(best.interval, gm.Interval)
    assert isinstance(pickle.loads(pickle.dumps(run.summary)), type(run.summary))


def test_tables_have_numbers_and_texts(run):
    table = run.plan(2).table("plan.csv")
    assert table["what"][0] == "placement_1" and table["x_mm"].dtype == np.float64
    cells = run.sensitivity().table("sensitivity.csv")
    assert cells["cell_x"].dtype == np.int64 and cells["state"].dtype.kind == "U"


# What is refused: an exception that names the keyword.

WRONG = [
    (lambda r: r.plan(), "position_sigma_mm"),
    (lambda r: r.plan((1, 2, 3)), "position_sigma_mm: \\(1, 2, 3\\)"),
    (lambda r: r.plan(sigma_mm=-1), "^sigma_mm: -1;"),
    (lambda r: r.plan(float("nan")), "position_sigma_mm: nan"),
    (lambda r: r.plan([]), "position_sigma_mm"),
    (lambda r: r.plan([[1, 2]]), "position_sigma_mm"),
    (lambda r: r.plan("1"), "position_sigma_mm: '1'"),
    (lambda r: r.plan(True), "position_sigma_mm: True"),
    (lambda r: r.plan(10**400), "position_sigma_mm"),
    (lambda r: r.plan(1, sigma_mm=1), "give one"),
    (lambda r: r.plan(repeatability_mm=1, position_range_mm=1), "one of repeatability_mm, .*_mm2, measured$"),
    (lambda r: r.plan(1, confidence=1), "confidence: 1;"),
    (lambda r: r.plan(1, repeats=2), "repeats: 2;"),
    (lambda r: r.plan(1, repeats=4.5), "repeats: 4.5"),
    (lambda r: r.plan(1, angle_sigma_rad=0.1), "angle_sigma_rad: the sweep has one angle only"),
    (lambda r: r.plan(1, required_probability=2), "required_probability: 2;"),
    (lambda r: r.plan(after="\0"), "after"),
    (lambda r: r.pose((0, 0, 0)), "placement: \\(0, 0, 0\\)"),
    (lambda r: r.pose(outcome="lost"), "outcome: 'lost'"),
    (lambda r: r.pose(outcome="--help"), "outcome: '--help'"),
    (lambda r: r.compare(3), "experiment: is a int"),
    (lambda r: r.compare(""), "experiment: ''"),
    (lambda r: r.compare({"x_mm": [1], "y_mm": [2, 3]}), "equally long"),
    (lambda r: r.compare({"x_mm": 1}), "'x_mm'"),
    (lambda r: r.compare({"x_mm": ["a,b"]}), "'a,b'"),
    (lambda r: r.compare(np.zeros((3, 3))), "named columns"),
    (lambda r: r.compare({"x_mm": [1]}, origin="a\nb"), "a table"),
    (lambda r: r.compare(LAB, within=0), "within: 0;"),
    (lambda r: r.compare(LAB, threads=0), "threads: 0;"),
    (lambda r: r.compare(LAB, trials=200, simulate=False), "trials: .* with simulate=False"),
    (lambda r: r.calibrate(LAB, with_="offset"), "with_: needs simulate=True"),
    (lambda r: r.calibrate(LAB, simulate=True, with_=["fog"]), "with_: 'fog'"),
    (lambda r: r.calibrate(LAB, law="beta"), "law: 'beta'"),
    (lambda r: r.calibrate(LAB, simulate=True, jaw_range=(2, 1)), "jaw_range: \\(2, 1\\)"),
    (lambda r: r.reweight({}), "laws"),
    (lambda r: r.reweight(None), "laws"),
    (lambda r: r.sensitivity((0, -7)), "placement and position_sigma_mm"),
    (lambda r: r.difference("a\0b"), "other"),
    (lambda r: r.difference(None), "other"),
    (lambda r: r.difference(r, false_discovery_rate=1), "false_discovery_rate: 1;"),
    (lambda r: r.lab_plan(), "detect"),
    (lambda r: r.lab_plan(learn="turn_rad"), "learn: needs to_width"),
    (lambda r: r.lab_plan(agree_within=8, experiments=3), "experiments: 3;"),
    (lambda r: r.lab_plan(detect={}), "detect"),
    (lambda _: gm.fit_support(PUSHES, folds=1), "folds: 1;"),
    (lambda _: gm.fit_support(PUSHES, points=[(1, 2)]), "points: has 1 points"),
    (lambda _: gm.fit_support(PUSHES, points=3), "points"),
    (lambda _: gm.sequence("a.toml"), "config: 'a.toml'; must be a Config"),
    (lambda r: gm.sequence(r.config, period_deg=70), "period_deg: 70;"),
    (lambda r: gm.sequence(r.config, particles=PUSHES, box_mm=1), "particles: does not go with box_mm"),
    (lambda r: gm.sequence(r.config, program=True), "program: the configuration has no"),
    (lambda _: gm.design(3), "config: 3; must be a Config, or the path"),
    (lambda r: gm.design(r.config, designs=7), "designs: 7;"),
    (lambda r: gm.design(r.config, most_trials=100), "most_trials: 100; must be 64, 128"),
]


DECISIONS = {name: getattr(gm.Run, name.replace("-", "_")) for name in (
    "plan", "pose", "hold", "compare", "calibrate", "reweight", "sensitivity", "difference", "tolerances",
    "lab-plan")} | {"fit-support": gm.fit_support, "detections": gm.detections, "sequence": gm.sequence,
                    "design": gm.design, "export": gm.Run.grasps}


@pytest.mark.parametrize("name", DECISIONS)
def test_each_option_is_a_keyword(command, name):
    shown = set(re.findall(r"^  --([a-z0-9-]+)", command(name, "--help"), re.MULTILINE))
    options = shown - {"quiet", "out", "no-plots", "format", "set"}
    keywords = {word.rstrip("_").replace("_", "-") for word in inspect.signature(DECISIONS[name]).parameters}
    keywords -= {"self", "config", "experiment", "hold", "laws", "looks", "origin", "other", "others", "progress",
                 "pushes", "sigma-mm"}
    assert keywords == {option.removeprefix("no-") for option in options}


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_wrong_calls_name_the_keyword(run, call, message):
    with pytest.raises(gm.UsageError, match=message) as caught:
        call(run)
    told = str(caught.value).replace("'--help'", "").replace("graspmap run --", "")
    assert "--" not in told and "\n" not in told


def test_wrong_files_name_file_and_line(run, tmp_path):
    wrong = tmp_path / "lab.csv"
    wrong.write_text("# origin = measured\nx_mm,y_mm,success\n0,-7,1\n0,a,1\n")
    with pytest.raises(gm.ConfigError) as caught:
        run.compare(wrong)
    assert (caught.value.file, caught.value.line) == (str(wrong), 4)
    with pytest.raises(gm.ConfigError, match="nothing.csv"):
        run.calibrate(tmp_path / "nothing.csv")
    with pytest.raises(gm.ConfigError, match="nothing"):
        run.difference(tmp_path / "nothing")
    with pytest.raises(gm.ConfigError):
        gm.fit_support(wrong)
    with pytest.raises(gm.ConfigError) as caught:
        run.plan(1, after=wrong)
    assert caught.value.faults == (gm.Fault(str(wrong), None, None, "is no calibrate.json",
                                            "must be the file that `graspmap calibrate` writes"),)
    with pytest.raises(gm.ConfigError, match="jaw"):
        run.lab_plan(detect={"jaw": 1})
    with pytest.raises(gm.ConfigError, match="reaches above") as caught:
        run.reweight({"friction.jaw.max": 9})
    assert caught.value.key == "friction.jaw" and str(caught.value).startswith("friction.jaw: ")
    assert "config.toml --set friction.jaw.max=9 --out " in str(caught.value)


def test_a_table_of_pandas(run, experiment):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(experiment)
    assert (run.compare(frame, simulate=False).agreement
            == run.compare(experiment, simulate=False).agreement)


def test_closed_runs_are_refused(tmp_path, run):
    closed = gm.run(small_sweep(1), tmp_path / "run")
    closed.close()
    for call in (lambda: closed.plan(2), lambda: closed.pose(), lambda: closed.compare(LAB),
                 lambda: closed.calibrate(LAB), lambda: closed.reweight(NARROW),
                 lambda: closed.sensitivity(), lambda: closed.difference(run),
                 lambda: closed.lab_plan(agree_within=8), lambda: run.difference(closed),
                 lambda: run.compare(closed)):
        with pytest.raises(gm.ClosedRunError):
            call()


# Long decisions end within a second.

def designable(config):
    return config.copy({"design": {"variable": [
        {"key": "gripper.closing_force_n", "min": 5, "max": 50}]}})


LONG = [
    lambda r, watch: r.compare(LAB, trials=10**6, progress=watch),
    lambda r, watch: r.calibrate(LAB, simulate=True, with_=("offset", "noise"), progress=watch),
    lambda r, watch: r.lab_plan(agree_within=2, progress=watch),
    lambda r, watch: gm.sequence(r.config, trials=10**6, most_squeezes=1, progress=watch),
    lambda r, watch: gm.design(designable(r.config), designs=1000, sigma_mm=1, progress=watch),
]
SILENT = [lambda r, _: gm.fit_support(PUSHES, resamples=10000)]


@pytest.mark.parametrize("call", LONG + SILENT)
def test_ctrl_c_ends_a_decision(run, call):
    pressed = []

    def press():
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.3, press).start()
    with pytest.raises(KeyboardInterrupt):
        call(run, False)
    assert time.monotonic() - pressed[0] < PATIENCE_S
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Enough(Exception):
    pass


@pytest.mark.parametrize("call", LONG)
def test_a_progress_function_ends_a_decision(run, call):
    def enough(state):
        assert state.asked > 0
        raise Enough

    with pytest.raises(gm.StoppedError):
        call(run, lambda state: False)
    with pytest.raises(Enough):
        call(run, enough)


def test_decisions_in_several_threads(run, other):
    answers = {}

    def decide(name, of_run):
        answers[name] = [of_run.plan(2).success for _ in range(5)]

    threads = [threading.Thread(target=decide, args=pair)
               for pair in (("a", run), ("b", other), ("c", run))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers["a"] == answers["c"] == [run.plan(2).success] * 5
    assert answers["b"] == [other.plan(2).success] * 5


def test_a_file_may_begin_with_a_minus_sign(run, experiment, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    experiment_file(experiment, tmp_path).rename("--help")
    assert run.compare("--help", within=50, simulate=False).experiment.file == "--help"
