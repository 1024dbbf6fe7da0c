"""Decisions on a run: the methods plan, pose, compare and others of :class:`graspmap.Run`.

Each calls the function of the command of its name; the keywords are the command's options.
"""
from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Union

import numpy as np

from . import _native
from .config import Config, Overrides, PathLike, _assignments
from .decision_results import (
    Calibration, Comparison, Decision, DeliveredPose, Detections, Difference, FactCheck,
    FingerDesign, Hold, LabPlan, Plan, Reweighting, RobotGrasps, Sensitivity, SqueezePlan,
    SupportFit, Tolerances,
)
from .errors import GraspmapWarning, StoppedError, UsageError
from .progress import ProgressOption, Watch

if TYPE_CHECKING:
    from .runs import Run

__all__ = ["Decisions", "design", "detections", "fit_support", "sequence"]

Numbers = Union[float, Sequence[float], "np.ndarray[Any, Any]"]
_AnyDecision = TypeVar("_AnyDecision", bound=Decision)

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
    return path


# What are no options of a command.
_OPERANDS = {"self", "config", "experiment", "looks", "origin", "other", "progress", "pushes"}


def _keywords(given: Mapping[str, Any], options: Mapping[str, str]) -> dict[str, tuple[str, Any]]:
    """The options of a command: what each is called here, and its value."""
    keywords: dict[str, tuple[str, Any]] = {}
    for name, value in given.items():
        if name in _OPERANDS:
            continue
        if name == "simulate":
            keywords["simulate"] = ("simulate=True", True if value else None)
            keywords["no-simulate"] = ("simulate=False", None if value else True)
            continue
        option = options.get(name) or name.rstrip("_").replace("_", "-")
        first, there = keywords.get(option, (name, None))
        if there is not None and value is not None:
            raise UsageError(f"{first} and {name} are the same; give one")
        keywords[option] = (first, there) if value is None else (name, value)
    return keywords


def _decide(kind: Callable[[_native.Analysis], _AnyDecision], command: str,
            operands: Sequence[bytes], given: Mapping[str, Any],
            options: Mapping[str, str] | None = None) -> _AnyDecision:
    """What the command finds. `given`: the keywords of a function; `options`: what those are called
    as options that have another name there."""
    keywords = _keywords(given, {"sigma_mm": "position-sigma-mm", **(options or {})})
    with Watch(given.get("progress", False)) as watch:
        analysis = _native.analyse(command, operands, keywords, watch)
    if analysis is None:
        raise StoppedError(f"{command}: the progress function ended it")
    for note in analysis.notes.splitlines():
        note = note.removeprefix("graspmap: note: ").removeprefix("graspmap: warning: ")
        warnings.warn(note, GraspmapWarning, stacklevel=3)
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
        return repr(float(value)) if value == value else ""
    text = str(value)
    if any(letter in text for letter in ",\"\n\r"):
        raise UsageError(f"a table: {text!r}; must be a number, or a text without commas and quotes")
    return text


def _csv(table: Any, origin: str | None) -> str:
    columns = _columns(table)
    if len({len(column) for column in columns.values()}) > 1:
        raise UsageError("a table: its columns must be equally long")
    lines = [] if origin is None else [f"# origin = {_cell(_text('origin', origin))}"]
    lines.append(",".join(_cell(name) for name in columns))
    lines += [",".join(map(_cell, row)) for row in zip(*columns.values())]
    return "\n".join(lines) + "\n"


@contextmanager
def _file_of(name: str, data: Any, origin: str | None = None) -> Iterator[bytes]:
    """The path of a file; of a table, one that is there meanwhile, with a line of its origin."""
    if isinstance(data, (str, bytes, os.PathLike)):
        yield _path(name, data)
        return
    if not isinstance(data, (np.ndarray, Mapping)) and not hasattr(data, "columns"):
        raise UsageError(f"{name}: is a {type(data).__name__}; must be a path, a pandas.DataFrame, "
                         "a dict of columns, or a structured array")
    with tempfile.TemporaryDirectory(prefix="graspmap-") as folder:
        file = Path(folder) / f"{name}.csv"
        file.write_text(_csv(data, origin), encoding="utf-8")
        yield _path(name, file)


@contextmanager
def _optional_file_of(name: str, data: Any) -> Iterator[bytes | None]:
    """The same, of detections their deviations; None without data."""
    if data is None:
        yield None
        return
    with _file_of(name, data.deviations if isinstance(data, Detections) else data) as file:
        yield file


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


def _comparison(analysis: _native.Analysis) -> Comparison | FactCheck:
    return FactCheck(analysis) if analysis.document == "facts.json" else Comparison(analysis)


class Decisions:
    """What a run can be asked to decide. A part of :class:`graspmap.Run`.

    All results have the fields of the command's JSON, print as the command's text, and save the
    command's files (:class:`graspmap.Decision`). Where a method has `progress`, True shows a bar, and
    a function gets a :class:`Progress` for each round of trials; when it returns False, the method
    ends with StoppedError. Ctrl-C ends each of them within a second. `threads`: default all.
    `confidence`: of the intervals, default 0.95.
    """

    _stored: _native.StoredRun

    def _operands(self, *others: bytes) -> list[bytes]:
        self._stored.trials_asked()  # a closed run says so
        return [_path("run", self._stored.run), *others]

    def plan(self, position_sigma_mm: Numbers | None = None, *, sigma_mm: Numbers | None = None,
             repeatability_mm: float | None = None, position_range_mm: float | None = None,
             measured: Any = None, angle_sigma_rad: float | None = None,
             angle_range_rad: float | None = None,
             position_covariance_mm2: Sequence[float] | None = None,
             angle_covariance_mm_rad: Sequence[float] | None = None,
             offset_sigma_mm: Numbers | None = None, offset_angle_sigma_rad: float | None = None,
             repeats: int | None = None, after: Calibration | PathLike | None = None,
             required_probability: float | None = None, confidence: float | None = None,
             trials: int | None = None, threads: int | None = None) -> Plan:
        """Where to put the gripper under the robot's positioning error.

        Parameters
        ----------
        position_sigma_mm
            Standard deviations of the error in x and y, mm: two numbers, or one for both. `sigma_mm`
            is the same. Without any error here, the one of the run's [robot] holds.
        repeatability_mm, position_range_mm, measured
            Instead: the repeatability of a data sheet (ISO 9283); the half width of a uniform error
            in x and y; measured deviations, a CSV file or a table of them, or :func:`detections`.
        angle_sigma_rad, angle_range_rad
            The angle's standard deviation, or the half width of its uniform error, rad, for a sweep
            over angles.
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
        trials
            To simulate for each width of an uncertain number; default: 4000.
        """
        given = locals()
        with _calibration_file(after) as file, _optional_file_of("measured", measured) as given["measured"]:
            given["after"] = None if file is None else _path("after", file)
            return _decide(Plan, "plan", self._operands(), given)

    def grasps(self, *others: Run | PathLike, height_mm: float | None = None,
               grasps: int | None = None, approach_mm: float | None = None,
               retreat_mm: float | None = None, jaw_angle_rad: float | None = None,
               part_pose: Sequence[float] | None = None, frame: PathLike | None = None,
               frame_position_mm: Sequence[float] | None = None,
               frame_rpy_rad: Sequence[float] | None = None,
               frame_quaternion: Sequence[float] | None = None,
               robot_points_mm: Sequence[float] | None = None,
               plane_points_mm: Sequence[Sequence[float]] | None = None,
               quality: str | None = None, joints: Sequence[str] | str | None = None,
               joint_map: Sequence[float] | None = None, object: str | None = None,  # noqa: A002
               tool_frame: str | None = None, frame_id: str | None = None,
               speed_mm_s: float | None = None, joint_speed_rad_s: float | None = None,
               output: int | None = None, wait_s: float | None = None,
               position_sigma_mm: Numbers | None = None, sigma_mm: Numbers | None = None,
               repeatability_mm: float | None = None, position_range_mm: float | None = None,
               measured: Any = None, angle_sigma_rad: float | None = None,
               angle_range_rad: float | None = None, offset_sigma_mm: Numbers | None = None,
               offset_angle_sigma_rad: float | None = None,
               confidence: float | None = None) -> RobotGrasps:
        """The best placements as grasps for a robot, as ``graspmap export --format json`` writes them.

        Parameters
        ----------
        others
            Runs of the part on other resting faces: all make one library.
        height_mm
            Of the tool's frame above the table while it grasps; needed.
        grasps
            The best placement and others well apart from it, 1 to 5; default: 5.
        approach_mm, retreat_mm
            From how far above the tool comes straight down, and how far it lifts; default: 100.
        jaw_angle_rad
            Along which axis of the tool the jaws close: 0 (default) along its x, pi/2 along its y.
        part_pose
            (x_mm, y_mm, theta_rad): where the part lies in the plane; default: at its origin.
        frame, frame_position_mm, frame_rpy_rad, frame_quaternion, robot_points_mm, plane_points_mm
            Where the table's plane is in the robot's frame: a file; or a position with a rotation, (r,
            p, y) or (w, x, y, z); or three points, nine numbers, with their (x, y) in the plane. With
            it ``files`` has grasps.script, a program in URScript.
        quality
            What a robot is told of success: "estimate" (default), or "lower", the interval's low end.
        joints, joint_map
            The gripper's joints, for grasps_moveit.yaml and grasps_isaac.yaml; (a, b): their position
            at an opening is a + b opening_mm.
        object, tool_frame, frame_id
            Names of the part, of the tool's frame (isaac), of the robot's frame (moveit).
        speed_mm_s, joint_speed_rad_s, output, wait_s
            Of grasps.script: its speeds, the digital output that closes the gripper, and its wait.
        position_sigma_mm, ..., confidence
            As of :meth:`plan`.
        """
        given = locals()
        operands = self._operands(*(_path("others", _stored_file(given_run))
                                    for given_run in given.pop("others")))
        given["frame"] = None if frame is None else _path("frame", frame)
        with _optional_file_of("measured", measured) as given["measured"]:
            return _decide(RobotGrasps, "grasps", operands, given)

    def pose(self, placement: Sequence[float] | None = None, *,
             position_sigma_mm: Numbers | None = None, sigma_mm: Numbers | None = None,
             angle_sigma_rad: float | None = None, plateau: bool | None = None,
             outcome: str | None = None, confidence: float | None = None) -> DeliveredPose:
        """How the part lies in the hand after the grasp.

        Parameters
        ----------
        placement
            (x_mm, y_mm), or with theta_rad for a sweep over angles; default: the one that the run
            answers with.
        position_sigma_mm, angle_sigma_rad
            The positioning error at the placement (`sigma_mm` is the first); default: that of the
            run's [robot].
        plateau
            Instead: the cells whose success probability is at least the plateau's.
        outcome
            Takes the trials that ended so; default: "success".
        """
        return _decide(DeliveredPose, "pose", self._operands(), locals())

    def hold(self, placement: Sequence[float] | None = None, *,
             hold: Mapping[str, Any] | None = None, factor: float | None = None,
             required_probability: float | None = None,
             position_sigma_mm: Numbers | None = None, sigma_mm: Numbers | None = None,
             angle_sigma_rad: float | None = None, check: bool = True,
             confidence: float | None = None, threads: int | None = None,
             progress: ProgressOption = False) -> Hold:
        """Whether the part stays in the hand when the robot moves it, and the closing force it needs.

        Parameters
        ----------
        placement, position_sigma_mm, angle_sigma_rad
            As of :meth:`pose`.
        hold
            Another manoeuvre than the run's [hold]: ``{"acceleration_m_s2": 5}``.
        factor
            The safety factor that the hold must have; default: the largest hold_factor in
            [[success]], else 1.
        required_probability
            For which the closing force is sought; default: 0.99.
        check
            Simulates the trials there again with the force found.
        """
        given = locals()
        changes = {f"hold.{key}": value for key, value in (hold or {}).items()}
        given["hold"] = _assignments(changes) or None
        given["no_check"] = None if given.pop("check") else True
        return _decide(Hold, "hold", self._operands(), given, {"hold": "set"})

    def compare(self, experiment: Any, *, within: float | None = None, trials: int | None = None,
                simulate: bool = True, theta_rad: float | None = None,
                columns: Sequence[str] | str | None = None, confidence: float | None = None,
                origin: str = "measured", threads: int | None = None,
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
        columns
            What a file's columns are called: "x_mm=X,y_mm=Y,success=OK".
        origin
            How a table was made: "measured", "digitised" or "simulated".
        """
        given = locals()
        with _file_of("experiment", _stored_file(experiment), origin) as file:
            return _decide(_comparison, "compare", self._operands(file), given)

    def calibrate(self, experiment: Any, *, law: str | None = None, theta_rad: float | None = None,
                  simulate: bool = False, with_: Sequence[str] | str | None = None,
                  jaw_range: Sequence[float] | None = None,
                  support_range: Sequence[float] | None = None,
                  columns: Sequence[str] | str | None = None, confidence: float | None = None,
                  origin: str = "measured", threads: int | None = None,
                  progress: ProgressOption = False) -> Calibration:
        """The distributions of friction that an experiment does not contradict.

        Parameters
        ----------
        experiment, theta_rad, columns, origin
            As of :meth:`compare`.
        law
            "uniform" (default) or "normal".
        simulate
            Simulates trials at the experiment's own placements; takes 10 to 60 s.
        with_
            What is sought besides, of "offset", "noise", "e_r", "size", "discrepancy", and keys of
            uncertain numbers: "part.mass_kg".
        jaw_range, support_range
            (low, high): where the means of the distributions are sought.
        """
        given = locals()
        with _file_of("experiment", experiment, origin) as file:
            return _decide(Calibration, "calibrate", self._operands(file), given)

    def reweight(self, laws: Overrides, *, confidence: float | None = None) -> Reweighting:
        """The map under other distributions of friction or placement noise, without new simulations.

        Parameters
        ----------
        laws
            Changes of the configuration: ``{"friction.jaw": {"distribution": "uniform", "min": 0.1,
            "max": 0.2}}``, ``{"friction.jaw.max": 0.2}``, or :attr:`Calibration.mean_laws`.
        """
        given = {"laws": _assignments(laws) or None, "confidence": confidence}
        found = _decide(Reweighting, "reweight", self._operands(), given, {"laws": "set"})
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
        return _decide(Sensitivity, "sensitivity", self._operands(), locals())

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
        given = locals()
        operands = self._operands(_path("other", _stored_file(other)))
        return _decide(Difference, "difference", operands, given)

    def tolerances(self, placement: Sequence[float], required_probability: float,
                   costs: PathLike, *, position_sigma_mm: Numbers | None = None,
                   sigma_mm: Numbers | None = None, angle_sigma_rad: float | None = None,
                   trials: int | None = None, check_trials: int | None = None,
                   seed: int | None = None, confidence: float | None = None,
                   threads: int | None = None) -> Tolerances:
        """Shares a budget: the cheapest widths of distributions with which a grasp succeeds often enough.

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
        given = locals() | {"costs": _path("costs", costs)}
        return _decide(Tolerances, "tolerances", self._operands(), given)

    def lab_plan(self, *, detect: str | Mapping[str, float] | None = None,
                 agree_within: float | None = None, learn: str | None = None,
                 to_width: float | None = None, trials: int | None = None,
                 power: float | None = None, placements: str | None = None, sessions: int | None = None,
                 trials_per_placement: int | None = None, seed: int | None = None,
                 experiments: int | None = None, confidence: float | None = None,
                 threads: int | None = None, progress: ProgressOption = False) -> LabPlan:
        """How many trials a laboratory needs, and where. Takes 5 to 30 s.

        Parameters
        ----------
        detect
            A change to find: {"jaw_friction": 0.05}, "support_friction", "shift_x_mm",
            "shift_y_mm", "turn_rad", "size_mm", "size_percent".
        agree_within
            Or: show agreement within so many percentage points.
        learn, to_width
            Or: know a parameter with an interval at most so wide.
        trials
            Or: what so many trials can show.
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
        return _decide(LabPlan, "lab-plan", self._operands(), locals())


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
        The part's weight, N, to find friction.support.
    folds, resamples, seed
        Groups of held-out pushes (10), resamples of the bootstrap (100), and their seed.
    origin
        How a table was made: "measured", "digitised" or "simulated".
    """
    given = locals()
    with _file_of("pushes", pushes, origin) as file:
        return _decide(SupportFit, "fit-support", [file], given)


def detections(looks: Any, *, period_deg: float | None = None, truth: Sequence[float] | None = None,
               placement_theta_rad: float | None = None, positions_only: bool | None = None,
               confidence: float | None = None) -> Detections:
    """A camera's repeated detections of a part that lies still, as an error for :meth:`Run.plan`.

    Parameters
    ----------
    looks
        A CSV file, or such a table: x_mm, y_mm, maybe theta_rad, in the order of time; a row without
        numbers (NaN) is a miss; and maybe cov_xx_mm2, cov_xy_mm2, cov_yy_mm2, cov_tt_rad2.
    period_deg
        The part looks the same after a turn by so much; default: 360.
    truth
        (x_mm, y_mm, theta_rad): where the part really is; default: the mean of the detections.
    placement_theta_rad
        The angle with which it will be grasped; default: 0.
    positions_only
        True: leaves the angle out, for a map at one angle.
    """
    given = locals()
    with _file_of("looks", looks) as file:
        return _decide(Detections, "detections", [file], given)


def sequence(config: Config, *, probability: float | None = None, most_squeezes: int | None = None,
             box_mm: Numbers | None = None, angles_deg: Sequence[float] | None = None,
             particles: Any = None, offsets_mm: Numbers | None = None,
             push_mm: Numbers | None = None, opening_mm: float | None = None, period_deg: float | None = None,
             within_deg: float | None = None, within_mm: float | None = None,
             turn_speed_rad_s: float | None = None, program: bool | None = None,
             trials: int | None = None, seed: int | None = None, threads: int | None = None,
             confidence: float | None = None, progress: ProgressOption = False) -> SqueezePlan:
    """The shortest sequence of squeezes that brings a part from an unknown pose into a known one.

    Parameters
    ----------
    config
        Part, gripper, table and friction; its placements do not count.
    probability
        Of the one pose at the end; default: 0.99.
    most_squeezes
        The longest sequence that is looked for; default: 6.
    box_mm, angles_deg
        Start poses: half widths of the box in which the centre of mass lies, mm, two numbers or one
        for both (default: 0); the part's angles in the gripper's frame, (from, to), degrees (default:
        all).
    particles
        Instead: a CSV file, or such a table, with columns x_mm, y_mm, theta_rad of start poses.
    offsets_mm
        Squeezes beside the part's middle that are tried too, to either side, mm: one jaw pushes the
        part before the other meets it.
    push_mm
        Pushes that are tried too: one jaw of the opened gripper sweeps until it is so far past the
        part's middle, mm, and goes back.
    opening_mm
        To which the jaws open between squeezes, mm; default: gripper.opening_mm.
    period_deg
        The part looks the same after a turn by so much, degrees; default: 180, for parallel jaws
        cannot tell a pose from the one turned by half a turn.
    within_deg, within_mm
        How near to the one pose counts as it, degrees and mm; default: 2 and 1.
    turn_speed_rad_s
        How fast the gripper turns, rad/s; default: 1.
    program
        True: evaluates the configuration's [[program]], without a search.
    trials
        Fresh ones, that estimate the probability; default: 2000.
    """
    given = locals()
    if not isinstance(config, Config):
        raise UsageError(f"config: {config!r}; must be a Config: gm.load(file)")
    with (tempfile.TemporaryDirectory(prefix="graspmap-") as folder,
          _optional_file_of("particles", particles) as given["particles"]):
        file = Path(folder) / "config.toml"
        file.write_text(config.to_toml(), encoding="utf-8")
        return _decide(SqueezePlan, "sequence", [_path("config", file)], given)


@contextmanager
def _configuration_file(config: Config | PathLike) -> Iterator[tuple[bytes, list[str]]]:
    """A configuration's file, in whose folder other files are, and the changes since it was read."""
    if not isinstance(config, Config):
        if not isinstance(config, (str, os.PathLike)):
            raise UsageError(f"config: {config!r}; must be a Config, or the path of a configuration")
        yield _path("config", config), []
        return
    source = Path(config.source)
    if source.is_file() and _native.read_toml_text(config.source) == config._text:
        yield _path("config", source), list(config.overrides)
        return
    with tempfile.TemporaryDirectory(prefix="graspmap-") as folder:
        file = Path(folder) / "config.toml"
        file.write_text(config._text, encoding="utf-8")
        yield _path("config", file), list(config.overrides)


def design(config: Config | PathLike, *, designs: int | None = None, generations: int | None = None,
           most_trials: int | None = None, trials: int | None = None,
           position_sigma_mm: Numbers | None = None, sigma_mm: Numbers | None = None,
           angle_sigma_rad: float | None = None, seed: int | None = None,
           threads: int | None = None, confidence: float | None = None,
           progress: ProgressOption = False) -> FingerDesign:
    """The design of finger and gripper that grasps best, of those that [design] lets vary.

    Parameters
    ----------
    config
        A :class:`Config`, or the path of a configuration. Drawings and the configurations of other
        parts are looked for in the folder of its file.
    designs, generations
        Designs in the first generation (default: 128); generations near the best ones (default: 4).
    most_trials
        At most, of a design in the race: 64, 128, 256, ... up to 65536; default: 1024.
    trials
        Fresh ones, that show how good the best design is; default: 4000.
    position_sigma_mm, angle_sigma_rad
        Standard deviations of the robot's error (`sigma_mm` is the first); default: that of [robot].
    """
    given = locals()
    with _configuration_file(config) as (file, changes):
        given["overrides"] = changes or None
        return _decide(FingerDesign, "design", [file], given, {"overrides": "set"})
