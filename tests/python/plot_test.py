"""Maps and trials by matplotlib."""
import subprocess
import sys

import numpy as np
import pytest

import graspmap as gm
from conftest import QUICK

ONE = {"x_mm": 0, "y_mm": -5, "mu_jaw": 0.3, "mu_support": 0.2}


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    yield pyplot
    pyplot.close("all")


def mesh(axes):
    """The coloured cells: (x, y) values, NaN where nothing is drawn."""
    [cells] = [thing for thing in axes.collections if type(thing).__name__ == "QuadMesh"]
    return cells, np.ma.filled(cells.get_array().astype(float), np.nan)


def test_a_map(quick_run, pyplot, tmp_path):
    axes = gm.plot.map(quick_run)
    cells, values = mesh(axes)
    success = np.asarray(quick_run.map.success)[:, :, 0]
    assert np.array_equal(values.reshape(success.T.shape), success.T)
    assert (cells.get_cmap().name, cells.get_clim()) == ("viridis", (0, 1))
    assert axes.get_xlabel() == "placement x (mm)" and axes.get_aspect() == 1
    assert axes.get_title() == "lock_piece_quick\n200 trials"
    assert [thing.get_ylabel() for thing in axes.child_axes] == ["success probability p"]
    spot = quick_run.sweet_spot
    points = [line.get_xydata() for line in axes.lines if line.get_marker() == "o"]
    assert np.array_equal(points, [[[spot.x_mm, spot.y_mm]]])
    assert len(axes.lines) > 4  # part, fingers, plateau, square
    low, high = axes.get_xlim()
    assert low < -20 and high > 20  # the part is seen
    axes.figure.savefig(tmp_path / "map.png")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_the_border_of_the_plateau(quick_run, pyplot):
    """Its length is that of the edges between cells that are in it and others."""
    plain = len(gm.plot.map(quick_run, marks=False).lines)
    inside = np.pad(np.asarray(quick_run.map.success)[:, :, 0] >= 0.95, 1)
    edges = sum(int((np.diff(inside.astype(int), axis=axis) != 0).sum()) for axis in (0, 1))
    size = quick_run.map.edges("x_mm")[1] - quick_run.map.edges("x_mm")[0]
    lines = [line.get_xydata() for line in gm.plot.map(quick_run).lines]
    [border] = [np.hypot(*np.diff(line, axis=0).T) for line in lines if np.isnan(line).any()]
    assert plain == 0 and np.isclose(border[np.isfinite(border)], size).sum() == edges > 0


@pytest.mark.parametrize("layer", ["success_low", "success_high", "trials", "wedged"])
def test_layers(quick_run, pyplot, layer):
    _, values = mesh(gm.plot.map(quick_run, layer, colorbar=False))
    cells = quick_run.map
    wanted = (np.asarray(cells.count(layer)) / np.asarray(cells.trials) if layer == "wedged"
              else np.asarray(getattr(cells, layer)))
    assert np.array_equal(values.reshape(10, 10), wanted[:, :, 0].T)


def test_angles_and_axes_of_one_s_own(tmp_path, pyplot):
    config = gm.load(QUICK, {"placement.x_cells": 2, "placement.y_cells": 3, "sweep.trials_per_cell": 5,
                             "placement.theta_min_rad": -0.2, "placement.theta_max_rad": 0.2,
                             "placement.theta_cells": 2})
    with gm.run(config, tmp_path / "run") as run:
        _, (left, right) = pyplot.subplots(1, 2)
        for axes, theta_rad, k in ((left, -0.1, 0), (right, 0.15, 1)):
            assert gm.plot.map(run, theta_rad=theta_rad, ax=axes, colorbar=False) is axes
            _, values = mesh(axes)
            assert np.array_equal(values.reshape(3, 2), np.asarray(run.map.success)[:, :, k].T)
        assert "θ = 0.1 rad" in right.get_title()


def test_maps_without_a_run(quick_run, pyplot, tmp_path):
    assert not gm.plot.map(quick_run.map).lines
    with gm.run(gm.load(QUICK, {"placement.x_cells": 2, "placement.y_cells": 2}), tmp_path / "run",
                trials_per_cell=100) as run:
        other = run.reweight({"friction.jaw.max": 0.25})
    _, values = mesh(gm.plot.map(other))
    assert np.array_equal(values.reshape(2, 2), np.asarray(other.map.success)[:, :, 0].T)


def test_placements_of_a_plan(quick_run, pyplot):
    for found in (quick_run.plan(1), quick_run.grasps(sigma_mm=1, height_mm=10)):
        axes = gm.plot.placements(found, ax=gm.plot.map(quick_run, marks=False))
        there = found.placements if isinstance(found, gm.Plan) else found.runs[0].grasps
        assert [line.get_xydata().tolist() for line in axes.lines] == [[[p.x_mm, p.y_mm]] for p in there]
        assert [text.get_text() for text in axes.texts] == [str(n + 1) for n in range(len(there))]


def test_a_difference(quick_run, pyplot, tmp_path):
    with gm.run(gm.load(QUICK, {"sweep.trials_per_cell": 2, "gripper.closing_force_n": 40}),
                tmp_path / "strong") as strong:
        found, stronger = quick_run.difference(strong), strong.map
    cells, values = mesh(gm.plot.difference(found))
    points = 100 * (np.asarray(stronger.success) - np.asarray(quick_run.map.success))[:, :, 0]
    assert np.allclose(values.reshape(10, 10), points.T)
    assert cells.get_clim()[1] == -cells.get_clim()[0] == np.abs(points).max()
    _, few = mesh(gm.plot.difference(found, significant=True))
    assert np.isfinite(few).sum() == (found.table("difference.csv")["significant"] != 0).sum()


def test_a_trial(config, pyplot):
    trial = gm.trial(config, **ONE)
    axes = gm.plot.trial(trial)
    assert axes.get_title() == f"{trial.outcome} from (0, -5) mm, 0 rad"
    path = axes.lines[-1].get_xydata()
    assert np.array_equal(path[:, 0], trial.trajectory["part_x_mm"])
    end = [line for line in axes.lines if line.get_linewidth() == 1.5]
    right_tip = trial.row["jaw_right_x_mm"]
    assert any(np.isclose(line.get_xdata(), right_tip).any() for line in end)
    # The part's outline at the end: the disc of the lock piece about its pose there.
    disc = max((line.get_xydata() for line in end), key=len)
    assert np.ptp(np.hypot(*(disc - path[-1]).T)) < 0.01


def test_what_is_wrong(quick_run, pyplot):
    with pytest.raises(gm.UsageError, match="layer: 'sucess'; must be one of success, "):
        gm.plot.map(quick_run, "sucess")


def test_without_matplotlib(tmp_path):
    """graspmap needs none; a plot says what is missing."""
    program = ("import sys; sys.modules['matplotlib'] = None\nimport graspmap as gm\n"
               f"config = gm.load({str(QUICK)!r})\n"
               f"gm.plot.trial(gm.trial(config, **{ONE!r}))")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: graspmap.plot needs matplotlib: apt-get install python3-matplotlib, or pip "
        "install matplotlib")
