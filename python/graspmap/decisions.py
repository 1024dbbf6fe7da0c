"""Decisions on a run: the methods plan, pose, compare and others of :class:`graspmap.Run`.

Each calls the function of the command of its name; the keywords are the command's options.
"""
from __future__ import annotations

import operator
import os
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Union

import numpy as np

from . import _native
from .config import Overrides, PathLike, _assignments
from .decision_results import (
    Calibration,
    Comparison,
    Decision,
    DeliveredPose,
    Difference,
    FactCheck,
    LabPlan,
    Plan,
    Reweighting,
    Sensitivity,
    SupportFit,
    Tolerances,
)
from .errors import ConfigError, GraspmapWarning, StoppedError, UsageError
from .progress import ProgressOption, Watch

if TYPE_CHECKING:
    from .runs import Run

__all__ = ["Decisions", "fit_support"]

Numbers = Union[float, Sequence[float], "np.ndarray[Any, Any]"]
_AnyDecision = TypeVar("_AnyDecision", bound=Decision)
_Word = Union[str, bytes]

_FLAGS = {"--no-simulate": "simulate=False", "--simulate": "simulate=True"}
_RESERVED = {"with": "with_"}


def _number(name: str, value: Any) -> str:
    try:
        if isinstance(value, (bool, np.bool_, str, bytes)):
            raise TypeError
        return repr(float(value))
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name}: {value!r}; must be a number") from None


def _numbers(name: str, value: Any) -> str:
    """One number or several, as an option has them."""
    if np.ndim(value) == 0:
        return _number(name, value)
    if np.ndim(value) != 1 or len(value) == 0:
        raise UsageError(f"{name}: {value!r}; must be a number, or a list of numbers")
    return ",".join(_number(name, number) for number in value)


def _points(name: str, value: Any) -> str:
    """Points as "x,y;x,y"."""
    array = np.asarray(value)
    if array.ndim != 2 or array.shape[1] != 2:
        raise UsageError(f"{name}: must be a list of points (x, y)")
    return ";".join(_numbers(name, point) for point in array.tolist())


def _whole(name: str, value: Any) -> str:
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        return str(operator.index(value))
    except TypeError:
        raise UsageError(f"{name}: {value!r}; must be a whole number") from None


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise UsageError(f"{name}: {value!r}; must be a text")
    return value


def _path(name: str, value: Any) -> bytes:
    try:
        path = os.fsencode(value)
    except (TypeError, ValueError):
        path = b""
    if not path or b"\0" in path:
        raise UsageError(f"{name}: {value!r}; must be the path of a file or folder")
    return b"./" + path if path.startswith(b"-") else path  # no option


class _Words:
    """The words of a command, and what its options are called here."""

    def __init__(self, *operands: bytes) -> None:
        self.list: list[_Word] = list(operands)
        self.names: dict[str, str] = {}

    def add(self, name: str, value: Any, as_text: Any, option: str | None = None) -> _Words:
        """The option of a keyword, unless its value is None."""
        if value is None:
            return self
        word = option or name.rstrip("_").replace("_", "-")
        self.names[word] = name
        text = as_text(name, value)
        if "\0" in text:
            raise UsageError(f"{name}: {value!r}; must not have a zero byte")
        self.list.append(f"--{word}={text}".encode("utf-8", "surrogateescape"))
        return self

    def flag(self, option: str, given: Any) -> _Words:
        if given:
            self.list.append(f"--{option}")
        return self

    def in_keywords(self, command: str, message: str) -> str:
        """A message of the command with keywords in place of options."""
        message = message.removeprefix(f"{command}: ").removesuffix(f" (graspmap {command} --help)")

        def keyword(found: re.Match[str]) -> str:
            if found[0] in _FLAGS:
                return _FLAGS[found[0]]
            word = found[1]
            return self.names.get(word) or _RESERVED.get(word) or word.replace("-", "_")

        # Not where a message quotes another command, "graspmap run --set", or what it was given.
        return re.sub(r"(?<!graspmap run )(?<!')--([a-z][a-z-]*[a-z])", keyword, message)


def _decide(kind: Callable[[_native.Analysis], _AnyDecision], command: str, words: _Words,
            progress: ProgressOption = False) -> _AnyDecision:
    try:
        with Watch(progress) as watch:
            analysis = _native.analyse(command, words.list, watch)
    except (UsageError, ConfigError) as error:
        told = type(error)(words.in_keywords(command, str(error)))
        vars(told).update(vars(error))  # of a ConfigError what it names: file, line, key
        raise told from None
    if analysis is None:
        raise StoppedError(f"{command}: the progress function ended it")
    for note in analysis.notes.splitlines():
        note = re.sub(r"^graspmap: (note|warning): ", "", note)
        warnings.warn(words.in_keywords(command, note), GraspmapWarning, stacklevel=3)
    return kind(analysis)


def _columns(table: Any) -> dict[str, Any]:
    """A table of pandas, a dict of columns, or a structured array: columns by their names."""
    if isinstance(table, np.ndarray):
        if not table.dtype.names:
            raise UsageError("a table must have named columns: a structured array, a dict of "
                             "columns, or a pandas.DataFrame")
        names: list[Any] = list(table.dtype.names)
    else:
        names = list(table)
    columns = {}
    for name in names:
        column = np.asarray(table[name])
        if not isinstance(name, str) or column.ndim != 1:
            raise UsageError(f"a table: {name!r}; must be a column with one value in each row")
        columns[name] = column
    return columns


def _cell(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    text = str(value)
    if any(letter in text for letter in ",\"\n\r"):
        raise UsageError(f"a table: {text!r}; must be a number, or a text without commas and quotes")
    return text


def _csv(table: Any, origin: str) -> str:
    columns = _columns(table)
    if len({len(column) for column in columns.values()}) > 1:
        raise UsageError("a table: its columns must be equally long")
    lines = [f"# origin = {_cell(origin)}", ",".join(_cell(name) for name in columns)]
    lines += [",".join(map(_cell, row)) for row in zip(*columns.values())]
    return "\n".join(lines) + "\n"


@contextmanager
def _file_of(name: str, data: Any, origin: str) -> Iterator[bytes]:
    """The path of a file; of a table, one that is there meanwhile."""
    if isinstance(data, (str, bytes, os.PathLike)):
        yield _path(name, data)
        return
    if not isinstance(data, (np.ndarray, Mapping)) and not hasattr(data, "columns"):
        raise UsageError(f"{name}: is a {type(data).__name__}; must be a path, a pandas.DataFrame, "
                         "a dict of columns, or a structured array")
    with tempfile.TemporaryDirectory(prefix="graspmap-") as folder:
        file = Path(folder) / f"{name}.csv"
        file.write_text(_csv(data, _text("origin", origin)), encoding="utf-8")
        yield _path(name, file)


@contextmanager
def _calibration_file(after: Any) -> Iterator[Any]:
    """calibrate.json: a path, or of a Calibration its own, in a folder that is there meanwhile."""
    if not isinstance(after, Calibration):
        yield after
    elif after._saved is not None:
        yield after._saved / "calibrate.json"
    else:
        with tempfile.TemporaryDirectory(prefix="graspmap-") as folder:
            after._analysis.write(folder)
            yield Path(folder) / "calibrate.json"


def _one_sigma(position_sigma_mm: Any, sigma_mm: Any) -> tuple[str, Any]:
    if sigma_mm is None:
        return ("position_sigma_mm", position_sigma_mm)
    if position_sigma_mm is not None:
        raise UsageError("position_sigma_mm and sigma_mm are the same; give one")
    return ("sigma_mm", sigma_mm)


def _change(name: str, value: Any) -> str:
    """A change as "jaw_friction=0.05": a text, or a dict of one."""
    if isinstance(value, Mapping) and len(value) == 1:
        key, amount = next(iter(value.items()))
        return f"{_text(name, key)}={_number(name, amount)}"
    return _text(name, value)


def _comparison(analysis: _native.Analysis) -> Comparison | FactCheck:
    return (FactCheck if "facts.json" in analysis.files() else Comparison)(analysis)


def _law_words(words: _Words, laws: Overrides) -> _Words:
    words.names["set"] = "laws:"
    for assignment in _assignments(laws):
        words.add("laws:", assignment, _text, "set")
    return words


class Decisions:
    """What a run can be asked to decide. A part of :class:`graspmap.Run`.

    All results have the fields of the command's JSON, print as the command's text, and save the
    command's files (:class:`graspmap.Decision`). Where a method has `progress`, True shows a bar, and
    a function gets a :class:`Progress` for each round of trials; when it returns False, the method
    ends with StoppedError. Ctrl-C ends each of them within a second. `threads`: default all.
    `confidence`: of the intervals, default 0.95.
    """

    _stored: _native.StoredRun

    def _words(self, *operands: bytes) -> _Words:
        self._stored.trials_asked()  # a closed run says so
        return _Words(_path("run", self._stored.run), *operands)

    def plan(self, position_sigma_mm: Numbers | None = None, *, sigma_mm: Numbers | None = None,
             angle_sigma_rad: float | None = None,
             position_covariance_mm2: Sequence[float] | None = None,
             angle_covariance_mm_rad: Sequence[float] | None = None,
             offset_sigma_mm: Numbers | None = None, offset_angle_sigma_rad: float | None = None,
             repeats: int | None = None, after: Calibration | PathLike | None = None,
             required_probability: float | None = None, confidence: float | None = None) -> Plan:
        """Where to put the gripper under the robot's positioning error.

        Parameters
        ----------
        position_sigma_mm
            Standard deviations of the error in x and y, mm: two numbers, or one for both. `sigma_mm`
            is the same.
        angle_sigma_rad
            The angle's standard deviation, rad, for a sweep over angles.
        position_covariance_mm2
            In place of the standard deviations: (XX, XY, YY), variances and covariance, mm2.
        angle_covariance_mm_rad
            (XT, YT): covariances of the angle with x and y.
        offset_sigma_mm, offset_angle_sigma_rad
            Of an offset that is unknown but the same in each grasp.
        repeats
            The standard deviations are those of so many repeat measurements.
        after
            A :class:`Calibration`, or its calibrate.json: averages over its posterior.
        required_probability
            Finds the largest errors that still allow it.
        """
        name, sigma = _one_sigma(position_sigma_mm, sigma_mm)
        words = self._words().add(name, sigma, _numbers, "position-sigma-mm")
        words.add("angle_sigma_rad", angle_sigma_rad, _number)
        words.add("position_covariance_mm2", position_covariance_mm2, _numbers)
        words.add("angle_covariance_mm_rad", angle_covariance_mm_rad, _numbers)
        words.add("offset_sigma_mm", offset_sigma_mm, _numbers)
        words.add("offset_angle_sigma_rad", offset_angle_sigma_rad, _number)
        words.add("repeats", repeats, _whole)
        words.add("required_probability", required_probability, _number)
        words.add("confidence", confidence, _number)
        with _calibration_file(after) as file:
            words.add("after", file, lambda n, value: os.fsdecode(_path(n, value)))
            return _decide(Plan, "plan", words)

    def pose(self, placement: Sequence[float] | None = None, *,
             position_sigma_mm: Numbers | None = None, sigma_mm: Numbers | None = None,
             angle_sigma_rad: float | None = None, outcome: str | None = None,
             confidence: float | None = None) -> DeliveredPose:
        """How the part lies in the hand after the grasp.

        Parameters
        ----------
        placement
            (x_mm, y_mm), or with theta_rad for a sweep over angles; default: the plateau.
        position_sigma_mm, angle_sigma_rad
            The positioning error at the placement (`sigma_mm` is the first).
        outcome
            Takes the trials that ended so; default: "success".
        """
        name, sigma = _one_sigma(position_sigma_mm, sigma_mm)
        words = self._words().add("placement", placement, _numbers)
        words.add(name, sigma, _numbers, "position-sigma-mm")
        words.add("angle_sigma_rad", angle_sigma_rad, _number)
        words.add("outcome", outcome, lambda n, value: _text(n, str(value)))
        words.add("confidence", confidence, _number)
        return _decide(DeliveredPose, "pose", words)

    def compare(self, experiment: Any, *, within: float | None = None, trials: int | None = None,
                simulate: bool = True, theta_rad: float | None = None,
                confidence: float | None = None, origin: str = "measured",
                threads: int | None = None,
                progress: ProgressOption = False) -> Comparison | FactCheck:
        """Whether an experiment agrees with the run, differs, or cannot tell.

        Parameters
        ----------
        experiment
            A file of an experiment's trials, CSV; or such a table: a pandas.DataFrame, a dict of
            columns (x_mm, y_mm, success), a structured array; or another run, or its folder; or a
            TOML file of published facts, which gives a :class:`FactCheck`.
        within
            Percentage points of success that are still agreement; default: 10.
        trials
            To simulate at the experiment's placements, about.
        simulate
            False: takes the stored trials of the cells.
        theta_rad
            The experiment's angle, for a run with several.
        origin
            How a table was made: "measured", "digitised" or "simulated".
        """
        with _file_of("experiment", _stored_file(experiment), origin) as file:
            words = self._words(file).add("within", within, _number)
            words.add("trials", trials, _whole)
            words.flag("no-simulate", not simulate)
            words.add("theta_rad", theta_rad, _number).add("confidence", confidence, _number)
            words.add("threads", threads, _whole)
            return _decide(_comparison, "compare", words, progress)

    def calibrate(self, experiment: Any, *, law: str | None = None, theta_rad: float | None = None,
                  simulate: bool = False, with_: Sequence[str] | str | None = None,
                  jaw_range: Sequence[float] | None = None,
                  support_range: Sequence[float] | None = None, confidence: float | None = None,
                  origin: str = "measured", threads: int | None = None,
                  progress: ProgressOption = False) -> Calibration:
        """The laws of friction that an experiment does not contradict.

        Parameters
        ----------
        experiment, theta_rad, origin
            As of :meth:`compare`.
        law
            "uniform" (default) or "normal".
        simulate
            Simulates trials at the experiment's own placements; takes 10 to 60 s.
        with_
            What is sought besides, of "offset", "noise", "e_r", "size", "discrepancy", and keys of
            uncertain numbers: "part.mass_kg".
        jaw_range, support_range
            (low, high): where the means of the laws are sought.
        """
        if with_ is not None and not isinstance(with_, str):
            with_ = ",".join(_text("with_", word) for word in with_)
        with _file_of("experiment", experiment, origin) as file:
            words = self._words(file).add("law", law, _text).add("theta_rad", theta_rad, _number)
            words.flag("simulate", simulate).add("with_", with_, _text)
            words.add("jaw_range", jaw_range, _numbers).add("support_range", support_range, _numbers)
            words.add("confidence", confidence, _number).add("threads", threads, _whole)
            return _decide(Calibration, "calibrate", words, progress)

    def reweight(self, laws: Overrides, *, confidence: float | None = None) -> Reweighting:
        """The map under other distributions of friction or placement noise, without new simulations.

        Parameters
        ----------
        laws
            Changes of the configuration: ``{"friction.jaw": {"distribution": "uniform", "min": 0.1,
            "max": 0.2}}``, ``{"friction.jaw.max": 0.2}``, or :attr:`Calibration.mean_laws`.
        """
        words = _law_words(self._words(), laws).add("confidence", confidence, _number)
        found = _decide(Reweighting, "reweight", words)
        found._set_map(self._stored.axes(), self._stored.counts())
        return found

    def sensitivity(self, placement: Sequence[float] | None = None, *,
                    position_sigma_mm: Numbers | None = None, sigma_mm: Numbers | None = None,
                    angle_sigma_rad: float | None = None, halved_trials: int | None = None,
                    confidence: float | None = None, threads: int | None = None,
                    progress: ProgressOption = False) -> Sensitivity:
        """Which uncertainty matters: Sobol indices of the whole map, or around a placement; and what
        tightening is worth.

        Parameters
        ----------
        placement
            (x_mm, y_mm), or with theta_rad: where the robot aims.
        position_sigma_mm, angle_sigma_rad
            Its errors there (`sigma_mm` is the first).
        halved_trials
            To simulate as it is and with each distribution half as wide; 0: none. Default: 10000
            when the run has uncertain numbers, else 0.
        """
        name, sigma = _one_sigma(position_sigma_mm, sigma_mm)
        words = self._words().add("placement", placement, _numbers)
        words.add("halved_trials", halved_trials, _whole).add("threads", threads, _whole)
        words.add(name, sigma, _numbers, "position-sigma-mm")
        words.add("angle_sigma_rad", angle_sigma_rad, _number)
        words.add("confidence", confidence, _number)
        return _decide(Sensitivity, "sensitivity", words, progress)

    def difference(self, other: Run | PathLike, *, false_discovery_rate: float | None = None,
                   confidence: float | None = None) -> Difference:
        """How much more often another run (b) succeeds than this one (a), and where.

        Parameters
        ----------
        other
            A run on the same grid, or its folder.
        false_discovery_rate
            The share of false findings among the significant cells; default: 0.05.
        """
        words = self._words(_path("other", _stored_file(other)))
        words.add("false_discovery_rate", false_discovery_rate, _number)
        return _decide(Difference, "difference", words.add("confidence", confidence, _number))

    def tolerances(self, placement: Sequence[float], required_probability: float,
                   costs: PathLike, *, position_sigma_mm: Numbers | None = None,
                   sigma_mm: Numbers | None = None, angle_sigma_rad: float | None = None,
                   trials: int | None = None, check_trials: int | None = None,
                   seed: int | None = None, confidence: float | None = None,
                   threads: int | None = None) -> Tolerances:
        """Shares a budget: the cheapest widths of laws with which a grasp succeeds often enough.

        Parameters
        ----------
        placement
            (x_mm, y_mm), or with theta_rad: where the gripper is put.
        required_probability
            How often a grasp must succeed.
        costs
            A TOML file: the widths that are offered, and their costs.
        position_sigma_mm, angle_sigma_rad
            The robot's errors, normal (`sigma_mm` is the first).
        trials, check_trials
            Grasps for each set of widths in the search, and for the check.
        """
        name, sigma = _one_sigma(position_sigma_mm, sigma_mm)
        words = self._words().add("placement", placement, _numbers, "at")
        words.add("required_probability", required_probability, _number)
        words.add("costs", costs, lambda n, value: os.fsdecode(_path(n, value)))
        words.add(name, sigma, _numbers, "position-sigma-mm")
        words.add("angle_sigma_rad", angle_sigma_rad, _number).add("trials", trials, _whole)
        words.add("check_trials", check_trials, _whole).add("seed", seed, _whole)
        words.add("confidence", confidence, _number).add("threads", threads, _whole)
        return _decide(Tolerances, "tolerances", words)

    def lab_plan(self, *, detect: str | Mapping[str, float] | None = None,
                 agree_within: float | None = None, learn: str | None = None,
                 to_width: float | None = None, power: float | None = None,
                 placements: str | None = None, sessions: int | None = None,
                 trials_per_placement: int | None = None, seed: int | None = None,
                 experiments: int | None = None, confidence: float | None = None,
                 threads: int | None = None, progress: ProgressOption = False) -> LabPlan:
        """How many trials a laboratory needs, and where. Takes 10 to 60 s.

        Parameters
        ----------
        detect
            A change to find: {"jaw_friction": 0.05}, "support_friction", "shift_x_mm",
            "shift_y_mm", "turn_rad", "size_mm", "size_percent".
        agree_within
            Or: show agreement within so many percentage points.
        learn, to_width
            Or: know a parameter with an interval at most so wide.
        power
            The share of experiments that reach the goal; default: 0.8.
        placements
            "spread" (default) or "informative".
        sessions
            Blocks of trials in which friction is constant.
        trials_per_placement, seed
            Default: 1.
        experiments
            To simulate for the power, 200 to 20000; default: 1000.
        """
        words = self._words().add("detect", detect, _change)
        words.add("agree_within", agree_within, _number)
        words.add("learn", learn, _text).add("to_width", to_width, _number)
        words.add("power", power, _number).add("placements", placements, _text)
        words.add("sessions", sessions, _whole)
        words.add("trials_per_placement", trials_per_placement, _whole)
        words.add("seed", seed, _whole).add("experiments", experiments, _whole)
        words.add("confidence", confidence, _number).add("threads", threads, _whole)
        return _decide(LabPlan, "lab-plan", words, progress)


def _stored_file(run_or_path: Any) -> Any:
    """The stored file of a run; anything else as it is."""
    if not isinstance(run_or_path, Decisions):
        return run_or_path
    run_or_path._stored.trials_asked()  # a closed run says so
    return run_or_path._stored.file


def fit_support(pushes: Any, *, center: Sequence[float] | None = None, points: Any = None,
                grid_radius: float | None = None, length: float | None = None,
                weight_n: float | None = None, folds: int | None = None,
                resamples: int | None = None, seed: int | None = None,
                confidence: float | None = None, origin: str = "measured") -> SupportFit:
    """The friction of the table under a part, from measured slow pushes.

    Parameters
    ----------
    pushes
        A CSV file, or such a table: a pandas.DataFrame, a dict of columns, a structured array. Each
        measurement has the twist vx_mm_s, vy_mm_s, omega_rad_s and the wrench fx_n, fy_n, moment_n_mm (or
        force_x_n, force_y_n, contact_x_mm, contact_y_mm), in the part's axes.
    center
        (x, y), mm: the centre of mass in the file's frame; default: (0, 0).
    points
        (x, y) of 3 to 16 points under the part, mm.
    grid_radius
        Radius of the grid of points, mm.
    length
        That moments are divided by, mm.
    weight_n
        The part's weight, N, to tell friction.support.
    folds, resamples, seed
        Groups of held-out pushes (10), resamples of the bootstrap (100), and their seed.
    origin
        How a table was made: "measured", "digitised" or "simulated".
    """
    with _file_of("pushes", pushes, origin) as file:
        words = _Words(file).add("center", center, _numbers).add("points", points, _points)
        words.add("grid_radius", grid_radius, _number).add("length", length, _number)
        words.add("weight_n", weight_n, _number).add("folds", folds, _whole)
        words.add("resamples", resamples, _whole).add("seed", seed, _whole)
        return _decide(SupportFit, "fit-support", words.add("confidence", confidence, _number))
