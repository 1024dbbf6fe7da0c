"""The success map of a run."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _native
from .errors import UsageError

if TYPE_CHECKING:
    import xarray

__all__ = ["SuccessMap"]

Cells = Union["xarray.DataArray", "np.ndarray[Any, np.dtype[Any]]"]

_AXES = ("x_mm", "y_mm", "theta_rad")
_MOST_DRAWN_CELLS = 20_000


def _colour(success: float) -> str:
    """From dark blue, 0, to yellow, 1; grey: nothing known."""
    if not np.isfinite(success):
        return "#bbbbbb"
    low, middle, high = (np.array(rgb) for rgb in ((68, 1, 84), (33, 145, 140), (253, 231, 37)))
    part = 2 * success
    rgb = low + part * (middle - low) if part < 1 else middle + (part - 1) * (high - middle)
    return "#" + "".join(f"{int(channel):02x}" for channel in rgb)


class SuccessMap:
    """Success and outcomes of each cell of the map.

    All arrays have the axes (x_mm, y_mm, theta_rad), also for a single angle. They are
    xarray.DataArray where xarray is installed, with the cells' centres as coordinates, else numpy
    arrays.

    Attributes
    ----------
    x_mm, y_mm, theta_rad
        The centres of the cells: numpy arrays.
    """

    def __init__(self, axes: tuple[tuple[float, float, int], ...], counts: np.ndarray[Any, Any],
                 intervals: np.ndarray[Any, Any]) -> None:
        self._axes = axes
        self._counts = counts.transpose(2, 1, 0, 3)  # views: the axes x, y, theta, and the outcome
        self._intervals = intervals.transpose(2, 1, 0, 3)
        self.x_mm, self.y_mm, self.theta_rad = (self._centres(axis) for axis in axes)

    @staticmethod
    def _centres(axis: tuple[float, float, int]) -> np.ndarray[Any, Any]:
        low, high, cells = axis
        return low + (high - low) * (np.arange(cells) + 0.5) / cells

    def edges(self, axis: str) -> np.ndarray[Any, Any]:
        """The borders of the cells along "x_mm", "y_mm" or "theta_rad": one more than cells."""
        if axis not in _AXES:
            raise UsageError(f"axis: {axis!r}; must be one of {', '.join(_AXES)}")
        low, high, cells = self._axes[_AXES.index(axis)]
        return low + (high - low) * np.arange(cells + 1) / cells

    @property
    def shape(self) -> tuple[int, int, int]:
        """Cells along x, y and theta."""
        return self._counts.shape[:3]  # type: ignore[return-value]

    def _array(self, values: np.ndarray[Any, Any], name: str, long_name: str) -> Cells:
        try:
            import xarray
        except ImportError:
            return values
        coordinates = {axis: (axis, getattr(self, axis), {"units": axis.rpartition("_")[2]})
                       for axis in _AXES}
        return xarray.DataArray(values, coords=coordinates, dims=_AXES, name=name,
                                attrs={"long_name": long_name})

    @property
    def success(self) -> Cells:
        """The success probability: successes over valid trials; NaN in a cell without any."""
        valid = self._counts.sum(axis=-1) - self._counts[..., -1]
        with np.errstate(invalid="ignore", divide="ignore"):
            values = self._counts[..., 0] / valid
        return self._array(values, "success", "success probability")

    @property
    def success_low(self) -> Cells:
        """The lower bound of Wilson's 95 % interval, failed trials counted as no successes."""
        return self._array(self._intervals[..., 0], "success_low", "lower bound, 95 %")

    @property
    def success_high(self) -> Cells:
        """The upper bound of Wilson's 95 % interval, failed trials counted as successes."""
        return self._array(self._intervals[..., 1], "success_high", "upper bound, 95 %")

    @property
    def trials(self) -> Cells:
        """Trials in each cell."""
        return self._array(self._counts.sum(axis=-1), "trials", "trials")

    def count(self, outcome: str) -> Cells:
        """Trials in each cell that ended so: "success", "wedged", ..."""
        if str(outcome) not in _native.OUTCOMES:
            raise UsageError(
                f"outcome: {outcome!r}; must be one of {', '.join(_native.OUTCOMES)}")
        place = _native.OUTCOMES.index(str(outcome))
        return self._array(self._counts[..., place], str(outcome), f"{outcome} trials")

    def to_dataset(self) -> xarray.Dataset:
        """All of it as an xarray.Dataset."""
        import xarray

        arrays = [self.success, self.success_low, self.success_high, self.trials]
        counts = {f"{word}_trials": self.count(word) for word in _native.OUTCOMES}
        return xarray.Dataset({**{array.name: array for array in arrays if isinstance(array, xarray.DataArray)},
                               **counts})

    def to_dict(self) -> dict[str, Any]:
        """The centres of the cells, and all values as nested lists over x, y, theta."""
        values = {"success": self.success, "success_low": self.success_low,
                  "success_high": self.success_high, "trials": self.trials}
        return {**{axis: getattr(self, axis).tolist() for axis in _AXES},
                **{name: np.asarray(array).tolist() for name, array in values.items()}}

    def _repr_svg_(self) -> str | None:
        """The success of each cell as a colour, a panel for each angle; None for very large maps."""
        if np.prod(self.shape) > _MOST_DRAWN_CELLS:
            return None
        success = np.asarray(self.success)
        across, up, panels = self.shape
        size = max(1, min(12, 480 // max(across, up)))
        parts = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{panels * (across * size + 10)}' "
                 f"height='{up * size}'>"]
        for (i, j, k), value in np.ndenumerate(success):
            place = f"x='{k * (across * size + 10) + i * size}' y='{(up - 1 - j) * size}'"
            parts.append(f"<rect {place} width='{size}' height='{size}' fill='{_colour(value)}'>"
                         f"<title>({self.x_mm[i]:.6g}, {self.y_mm[j]:.6g}) mm, "
                         f"{self.theta_rad[k]:.6g} rad: {value:.3g}</title></rect>")
        return "".join([*parts, "</svg>"])

    def __repr__(self) -> str:
        x, y, theta = self.shape
        success = np.asarray(self.success)
        known = success[np.isfinite(success)]
        span = f"success {known.min():.3g} to {known.max():.3g}" if known.size else "no trials"
        cells = f"{x} x {y}" + (f" x {theta}" if theta > 1 else "")
        return f"<SuccessMap {cells} cells, {int(self._counts.sum())} trials, {span}>"
