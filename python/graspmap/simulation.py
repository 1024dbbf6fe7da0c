"""Trials with parameters that you choose: arrays in, an array out."""
from __future__ import annotations

import math
from typing import Any, Mapping

import numpy as np

from . import _native
from .config import Config
from .errors import StoppedError, UsageError
from .progress import ProgressOption, Watch
from .trials import Trials

__all__ = ["simulate"]

_PARAMETERS = ("x_mm", "y_mm", "theta_rad", "mu_jaw", "mu_support")


def _numbers(name: str, value: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" and array.dtype.kind != "O":
        raise UsageError(f"{name}: has values of type {array.dtype}; must be numbers")
    try:
        return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: must be numbers; {error}") from None


def _column(array: np.ndarray[Any, Any], shape: tuple[int, ...],
            trials: int) -> np.ndarray[Any, Any]:
    """The array as one dimension: without a copy of a single number or a whole array."""
    if array.size == 1:
        return np.broadcast_to(array.reshape(-1), (trials,))
    return np.broadcast_to(array, shape).reshape(-1)


def _trials(rows: np.ndarray[Any, Any], shape: tuple[int, ...]) -> Trials:
    return rows.reshape(shape).view(Trials)


def check_threads(threads: int | None) -> int:
    if threads is None:
        return 0
    if not isinstance(threads, (int, np.integer)) or not 1 <= threads <= 1024:
        raise UsageError(f"threads: {threads!r}; must be a whole number from 1 to 1024, or None")
    return int(threads)


def simulate(config: Config, *, x_mm: Any, y_mm: Any, theta_rad: Any = None, mu_jaw: Any,
             mu_support: Any, numbers: Mapping[str, Any] | None = None,
             threads: int | None = None, progress: ProgressOption = False) -> Trials:
    """Simulates a trial for each set of parameters, on all cores.

    Nothing is drawn and no noise is added; the same parameters always give the same bits.

    Parameters
    ----------
    config
        Part, gripper, table and success; its sweep does not count.
    x_mm, y_mm, theta_rad
        Placements: where the gripper is, seen from the part, before it closes, and how the part is
        turned. `theta_rad` may be left out where the configuration has one angle.
    mu_jaw, mu_support
        Friction of part and jaws, and of part and table, >= 0.
    numbers
        Numbers of part, gripper and table by their keys, a piece by its name:
        ``{"part.mass_kg": masses, "part.piece.tooth_1.angle_rad": angles}``. Others have the
        configuration's values, where it has a distribution its median.
    threads
        Default: all.
    progress
        True for a bar, or a function of a :class:`Progress`, called ten times per second; when it
        returns False, the simulation ends with a StoppedError.

    Parameters and numbers are numbers or arrays, and are broadcast against each other. Numbers and arrays of
    float64 that have all trials are not copied.

    Returns
    -------
    Trials
        A structured array of the broadcast shape: 22 fields of 8 bytes, 176 bytes for each trial.

    Raises
    ------
    UsageError
        (a ValueError) for NaN, infinity, negative friction, numbers that the configuration does
        not have or that may not be so, or shapes that do not fit.
    StoppedError, KeyboardInterrupt
        when `progress` or Ctrl-C ended it: ``error.partial`` has the trials that were done, the first
        ones in the order of the flattened arrays.
    """
    angle = config._checked.angle_rad if theta_rad is None else theta_rad
    if angle is None:
        raise UsageError("theta_rad is missing: the configuration has a range of angles")
    one = (x_mm, y_mm, angle, mu_jaw, mu_support)
    if not numbers and progress is False and all(type(n) is float or type(n) is int for n in one):
        check_threads(threads)
        return _trials(_native.simulate_one(config._checked, *one), ())
    given = {**dict(zip(_PARAMETERS, one)), **(numbers or {})}
    arrays = {name: _numbers(name, value) for name, value in given.items()}
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise UsageError(f"the shapes do not fit each other: {shapes}") from None
    trials = math.prod(shape)
    columns = [_column(array, shape, trials) for array in arrays.values()]
    with Watch(progress) as watch:
        x, y, theta, jaw, support = columns[:5]
        rows, interrupted = _native.simulate(
            config._checked, x, y, theta, jaw, support, dict(zip(numbers or {}, columns[5:])),
            check_threads(threads), watch)
    found = _trials(rows, rows.shape)
    if interrupted or len(found) < trials:
        words = f"{len(found)} of {trials} trials are done: partial has them"
        if interrupted:
            interrupt = KeyboardInterrupt()
            interrupt.partial = found  # type: ignore[attr-defined] # pyright: ignore
            interrupt.add_note(words)
            raise interrupt
        raise StoppedError(f"the progress function ended the simulation; {words}", found)
    return _trials(rows, shape)
