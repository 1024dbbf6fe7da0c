"""Maps and trials by matplotlib, in the colours of the command's figures.

>>> axes = gm.plot.map(run)
>>> axes.figure.savefig("map.png")

Each function draws into `ax`, by default into axes of a new figure, and returns the axes. Without
matplotlib (Debian: python3-matplotlib) they raise an ImportError that says so.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from .decision_results import Difference, Plan, Reweighting, RobotGrasps
from .errors import UsageError
from .one_trial import Trial
from .runs import Run
from .trial_map import SuccessMap
from .trials import Outcome

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["difference", "map", "placements", "trial"]

_Numbers = np.ndarray[Any, np.dtype[Any]]
# ColorBrewer's RdBu, from blue to red, as in the figures of `graspmap difference`.
_DIFFERENCE = ["#053061", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7",
               "#fddbc7", "#f4a582", "#d6604d", "#b2182b", "#67001f"]
_LABELS = {"success": "success probability p", "success_low": "lower bound of p, 95 %",
           "success_high": "upper bound of p, 95 %", "trials": "trials"}


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("graspmap.plot needs matplotlib: apt-get install python3-matplotlib, or "
                          "pip install matplotlib") from None
    return pyplot.figure(figsize=(7.5, 5), layout="constrained").add_subplot()


def _rim() -> list[Any]:
    """A white rim, to be seen on any colour."""
    from matplotlib import patheffects

    return [patheffects.withStroke(linewidth=3.5, foreground="white")]


def _draw_lines(ax: Axes, lines: Iterable[_Numbers], window: Sequence[float] | None = None,
                **style: Any) -> None:
    for line in lines:
        ax.plot(line[:, 0], line[:, 1], **{"color": "black", "linewidth": 1, **style})
    if window is not None:
        ax.set_xlim(window[0], window[2])
        ax.set_ylim(window[1], window[3])


def _cells(ax: Axes, x: _Numbers, y: _Numbers, values: _Numbers, label: str, colorbar: bool,
           **colours: Any) -> None:
    """Cells by their edges, hatched where nothing is known."""
    ax.patch.set_facecolor("white")
    if not np.isfinite(values).all():
        ax.fill([x[0], x[-1], x[-1], x[0]], [y[0], y[0], y[-1], y[-1]], facecolor="white",
                edgecolor="#999999", hatch="////", linewidth=0)
    mesh = ax.pcolormesh(x, y, values.T, **colours)
    if colorbar:
        figure: Any = ax.figure
        figure.colorbar(mesh, cax=ax.inset_axes((1.03, 0, 0.04, 1)), label=label)  # as high as the map
    ax.set_xlabel("placement x (mm)")
    ax.set_ylabel("placement y (mm)")
    ax.set_aspect("equal")


def _border(x: _Numbers, y: _Numbers, inside: _Numbers) -> _Numbers:
    """The edges between cells that are inside and others: one line, NaN where it is interrupted."""
    around = np.pad(inside, 1)
    gap = (np.nan, np.nan)
    points: list[tuple[float, float]] = [gap]
    for i, j in np.argwhere(around[1:, 1:-1] != around[:-1, 1:-1]):
        points += [(x[i], y[j]), (x[i], y[j + 1]), gap]
    for i, j in np.argwhere(around[1:-1, 1:] != around[1:-1, :-1]):
        points += [(x[i], y[j]), (x[i + 1], y[j]), gap]
    return np.array(points)


def _slice_of(cells: SuccessMap, theta_rad: float | None) -> int:
    return 0 if theta_rad is None else int(np.abs(cells.theta_rad - theta_rad).argmin())


def _layer(cells: SuccessMap, layer: str) -> tuple[_Numbers, str, dict[str, Any]]:
    """The values of all cells, what they are, and their colours."""
    if layer in _LABELS:
        values = np.asarray(getattr(cells, layer), dtype=float)
        scale = {"cmap": "YlGnBu", "vmin": 0} if layer == "trials" else {
            "cmap": "viridis", "vmin": 0, "vmax": 1}
        return values, _LABELS[layer], scale
    if layer not in _native.OUTCOMES:
        words = ", ".join([*_LABELS, *_native.OUTCOMES])
        raise UsageError(f"layer: {layer!r}; must be one of {words}")
    with np.errstate(invalid="ignore"):
        share = np.asarray(cells.count(layer)) / np.asarray(cells.trials)
    return share, f"share of trials: {Outcome(layer)}", {"cmap": "viridis", "vmin": 0, "vmax": 1}


def map(run: Run | Reweighting | SuccessMap, layer: str = "success", *,  # noqa: A001
        theta_rad: float | None = None, ax: Axes | None = None, colorbar: bool = True,
        marks: bool = True) -> Axes:
    """The map as colours, for one angle.

    Parameters
    ----------
    run
        A run, a reweighting, or a map alone.
    layer
        "success", "success_low", "success_high" (Wilson 95 %), "trials", or an outcome, "wedged":
        its share of a cell's trials.
    theta_rad
        Takes the cells nearest to this angle; default: those of the sweet spot, else the first.
    marks
        Draws part and open fingers, the plateau's border, and the sweet spot with its square, where
        `run` is a run.
    """
    cells = run if isinstance(run, SuccessMap) else run.map
    marked = run if marks and isinstance(run, Run) else None
    spot = marked.sweet_spot if marked and marked.sweet_spot.found else None
    if theta_rad is None and spot is not None and "theta_rad" in spot:
        theta_rad = spot.theta_rad
    k = _slice_of(cells, theta_rad)
    values, label, colours = _layer(cells, layer)
    ax = _axes(ax)
    x, y = cells.edges("x_mm"), cells.edges("y_mm")
    _cells(ax, x, y, values[:, :, k], label, colorbar, **colours)
    angle = f", θ = {cells.theta_rad[k]:.4g} rad" if cells.shape[2] > 1 else ""
    if marked is None:
        ax.set_title(angle.removeprefix(", "))
        return ax
    ax.set_title(f"{marked.name}{angle}\n{marked.trials_done:,} trials")
    if spot is not None and k != _slice_of(cells, spot.theta_rad if "theta_rad" in spot else None):
        spot = None
    success = np.asarray(cells.success)[:, :, k]
    with np.errstate(invalid="ignore"):
        plateau = success >= marked.plateau.probability_at_least
    _draw_lines(ax, [_border(x, y, plateau)], path_effects=_rim(), solid_capstyle="projecting")
    box = (x[0], y[0], x[-1], y[-1])
    fingers = None if spot is None else (spot.x_mm, spot.y_mm)
    _draw_lines(ax, *marked.config._checked.drawn_grasp(box, float(cells.theta_rad[k]), fingers))
    if spot is not None:
        a = spot.half_width_mm
        square = np.array([[-a, -a], [a, -a], [a, a], [-a, a], [-a, -a]]) + np.array(fingers)
        _draw_lines(ax, [square], linewidth=2, path_effects=_rim())
        _point(ax, spot.x_mm, spot.y_mm)
    return ax


def _point(ax: Axes, x_mm: float, y_mm: float) -> None:
    ax.plot([x_mm], [y_mm], "o", color="black", markeredgecolor="white", markersize=8)


def placements(found: Plan | RobotGrasps, *, ax: Axes) -> Axes:
    """Numbers the placements of a plan, or of grasps for a robot, on a map; 1 is the best."""
    there = found.placements if isinstance(found, Plan) else found.runs[0].grasps
    for number, place in enumerate(there, 1):
        _point(ax, place.x_mm, place.y_mm)
        ax.annotate(str(number), (place.x_mm, place.y_mm), xytext=(5, 5),
                    textcoords="offset points", path_effects=_rim())
    return ax


def difference(found: Difference, *, significant: bool = False, theta_rad: float | None = None,
               ax: Axes | None = None, colorbar: bool = True) -> Axes:
    """How much more often design B succeeds than A in each cell, in percentage points.

    Parameters
    ----------
    significant
        Hatches the cells whose difference is not significant.
    theta_rad
        Takes the cells nearest to this angle; default: the first.
    """
    table = found.table("difference.csv")
    if theta_rad is not None:
        middle = (table["theta_min_rad"] + table["theta_max_rad"]) / 2
        table = table[table["cell_theta"] == table["cell_theta"][np.abs(middle - theta_rad).argmin()]]
    else:
        table = table[table["cell_theta"] == 0]
    x, y = (np.append(np.unique(table[f"{axis}_min_mm"]), table[f"{axis}_max_mm"].max())
            for axis in "xy")
    values = np.full((len(x) - 1, len(y) - 1), np.nan)
    shown = table[table["significant"] != 0] if significant else table
    values[shown["cell_x"], shown["cell_y"]] = 100 * shown["b_minus_a"]
    most = float(np.nanmax(np.abs(100 * table["b_minus_a"]), initial=1e-9))
    ax = _axes(ax)
    from matplotlib.colors import LinearSegmentedColormap

    _cells(ax, x, y, values, "B minus A (percentage points)", colorbar, vmin=-most, vmax=most,
           cmap=LinearSegmentedColormap.from_list("difference", _DIFFERENCE))
    ax.set_title("B minus A, where significant" if significant else "B minus A")
    return ax


def trial(shown: Trial, *, ax: Axes | None = None) -> Axes:
    """The part between the fingers at the end of a trial, in the gripper's frame; thin and dashed
    where it began, and dotted the path of its origin."""
    path = shown.trajectory
    ax = _axes(ax)
    window = [np.inf, np.inf, -np.inf, -np.inf]
    start: dict[str, Any] = {"linestyle": "--", "linewidth": 0.8, "color": "#777777"}
    end: dict[str, Any] = {"linewidth": 1.5}
    for step, style in ((path[0], start), (path[-1], end)):
        at = np.array([step["part_x_mm"], step["part_y_mm"]])
        right, left = step["jaw_right_x_mm"], step["jaw_left_x_mm"]
        fingers = ((right + left) / 2 - at[0], -at[1])
        half = (path[0]["jaw_right_x_mm"] - path[0]["jaw_left_x_mm"]) / 2
        around = (fingers[0] - half, fingers[1] - half / 2, fingers[0] + half, fingers[1] + half / 2)
        lines, box = shown._told.drawn_grasp(around, step["part_theta_rad"], fingers, right - left)
        _draw_lines(ax, [line + at for line in lines], **style)
        window = [*np.minimum(window[:2], box[:2] + at), *np.maximum(window[2:], box[2:] + at)]
    _draw_lines(ax, [np.column_stack([path["part_x_mm"], path["part_y_mm"]])], window,
                linestyle=":", color="#1d91c0")
    ax.set_aspect("equal")
    ax.set_xlabel("x in the gripper (mm)")
    ax.set_ylabel("y in the gripper (mm)")
    row = shown.row
    ax.set_title(f"{shown.outcome} from ({row['x_mm']:.4g}, {row['y_mm']:.4g}) mm, "
                 f"{row['theta_rad']:.4g} rad")
    return ax
