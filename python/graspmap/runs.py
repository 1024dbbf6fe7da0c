"""A run: simulated, resumed, extended, merged, opened, read."""
from __future__ import annotations

import html
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from .config import Config, PathLike
from .decisions import Decisions
from .errors import ConfigError, GraspmapWarning, UsageError
from .progress import ProgressOption, Watch
from .result_fields import SummaryFields, SummaryPlateau, SummarySweetSpot
from .results import Interval, Result
from .simulation import check_threads
from .one_trial import Picture, Trial
from .trial_map import SuccessMap
from .trials import Trials

__all__ = ["Run", "merge", "open", "run"]


class SweetSpot(SummarySweetSpot):
    """The placement whose square has the best worst cell: ``found``, ``x_mm``, ``y_mm``,
    ``theta_rad`` (where the sweep has several angles), ``half_width_mm``, and of the worst cell
    ``lowest_probability`` and ``wilson_95``."""


class Plateau(SummaryPlateau):
    """The cells with a success probability of ``probability_at_least`` or more: ``cells``,
    ``area_mm2`` and its interval, and the bounds ``x_min_mm`` ..."""


class Health(Result):
    """How the solver did: ``failed`` trials, ``retried`` steps (of ``steps``) that were not solved
    at the first try, ``worst_residual``, ``worst_gap_mm``, ``least_dissipation_mn_mm``, and
    ``first_failed``, the first failed trials, each with its ``trial``."""

    failed: int
    retried: int
    steps: int
    newton_iterations: int
    worst_residual: float
    worst_gap_mm: float
    least_dissipation_mn_mm: float
    first_failed: tuple[Result, ...]


class Session(Result):
    """Who added trials to a run."""

    version: str
    git_commit: str
    host: str
    started_utc: str
    processes: int
    threads: int
    trials: int
    wall_s: float


class Summary(SummaryFields):
    """All of summary.json."""


def _note(text: str, callers: int = 1) -> None:
    """A warning at the line that called the function so many calls above."""
    warnings.warn(text, GraspmapWarning, stacklevel=callers + 2)


class Run(Decisions):
    """A run of a sweep: its folder, with all trials in run.sqlite, open for reading.

    :func:`graspmap.run`, :func:`graspmap.open` and :func:`graspmap.merge` give one. It is also a
    context manager, which closes it. Several threads may use one.
    """

    def __init__(self, path: PathLike) -> None:
        self._stored = _native.StoredRun(path)
        self._forget()

    def _forget(self) -> None:
        self._summary: Summary | None = None
        self._trials: Trials | None = None
        self._map: SuccessMap | None = None

    # The run itself.

    @property
    def path(self) -> Path:
        """The run's folder (or the file of the store, when it has another name)."""
        return Path(self._stored.run)

    @property
    def config(self) -> Config:
        """The configuration that it was simulated with: a new object each time."""
        text = self._stored.config_toml()
        return Config._of(text, str(self.path / "config.toml"), [])

    @property
    def name(self) -> str:
        """The sweep's name."""
        return str(self.config.name)

    @property
    def shard(self) -> tuple[int, int]:
        """(part, of parts); (1, 1) is a whole sweep."""
        return self._stored.shard()

    @property
    def trials_done(self) -> int:
        """The trials that are there."""
        return self._stored.trials_done()

    @property
    def trials_asked(self) -> int:
        """The number of trials asked for; with adaptive sampling, at most."""
        return self._stored.trials_asked()

    @property
    def complete(self) -> bool:
        """Whether all trials are there, or the rule of an adaptive run has stopped it."""
        return self._stored.is_complete()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._stored.is_closed

    @property
    def sessions(self) -> tuple[Session, ...]:
        """Who added trials: version, git_commit, host, started_utc, threads, trials, wall_s."""
        return tuple(Session(session) for session in self._stored.sessions())

    def close(self) -> None:
        """Closes the file. What was read before stays; anything else raises ClosedRunError."""
        self._stored.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (os.path.abspath(self._stored.file), self.closed))

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def reload(self) -> None:
        """Reads the run as it is now, when others have added trials to it."""
        self._stored.reload()
        self._forget()

    # Going on with it.

    def _go_on(self, config: Config, threads: int | None, progress: ProgressOption) -> Run:
        if self._stored.file.name != "run.sqlite":
            raise UsageError(f"{self.path}: is not a run folder; only such a run can continue")
        _simulate_into(config, self.path, self.shard, True, False, threads, progress)
        self.reload()
        return self

    def resume(self, *, threads: int | None = None, progress: ProgressOption = False) -> Run:
        """Simulates the trials that are missing, and returns this run."""
        return self._go_on(self.config, threads, progress)

    def extend(self, trials_per_cell: int | None = None, *, most_trials: int | None = None,
               threads: int | None = None, progress: ProgressOption = False) -> Run:
        """Simulates more trials: from now on `trials_per_cell` in each cell, or, of an adaptive
        run, at most `most_trials` in all. Returns this run."""
        if (trials_per_cell is None) == (most_trials is None):
            raise UsageError("extend: give trials_per_cell, or, of an adaptive run, most_trials")
        key, number = (("sweep.trials_per_cell", trials_per_cell) if most_trials is None
                       else ("sweep.adaptive.most_trials", most_trials))
        return self._go_on(self.config.copy({key: number}), threads, progress)

    # What came out.

    @property
    def map(self) -> SuccessMap:
        """Success and outcomes of each cell."""
        if self._map is None:
            self._map = SuccessMap(self._stored.axes(), self._stored.counts(),
                                   self._stored.intervals())
        return self._map

    @property
    def trials(self) -> Trials:
        """All trials, ordered by ``index``: a structured array of 208 bytes for each, which is read
        at the first use, and cannot be written to."""
        if self._trials is None:
            rows = self._stored.trials().view(Trials)
            rows.flags.writeable = False
            self._trials = rows
        return self._trials

    def worst_trials(self, count: int = 10) -> Trials:
        """The trials with the largest residuals of the solver, the worst first."""
        return self._stored.worst(count).view(Trials)

    @property
    def summary(self) -> Summary:
        """What summary.json says of the run."""
        if self._summary is None:
            self._summary = Summary._of(self._stored.summary())
        return self._summary

    @property
    def text(self) -> str:
        """The summary as ``graspmap run`` prints it."""
        return self._stored.summary_text()

    @property
    def outcomes(self) -> dict[str, int]:
        """How many trials ended how."""
        return self.summary.outcomes.to_dict()

    @property
    def success(self) -> float:
        """The success probability over the whole map; NaN without valid trials."""
        probability = self.summary.success.probability
        return float("nan") if probability is None else float(probability)

    @property
    def success_interval(self) -> Interval:
        """Its Wilson 95 % interval."""
        return Interval(*self.summary.success.wilson_95)

    @property
    def sweet_spot(self) -> SweetSpot:
        """The placement to aim at if the robot is off by up to ``half_width_mm``."""
        return SweetSpot._of(self.summary.sweet_spot)

    @property
    def plateau(self) -> Plateau:
        """The cells with a high success probability."""
        return Plateau._of(self.summary.plateau)

    @property
    def health(self) -> Health:
        """How the solver did."""
        solver = dict(self.summary.solver._fields)
        by_rung = solver.pop("steps_by_rung").to_dict()
        return Health({"failed": self.outcomes["failed"],
                       "retried": sum(by_rung.values()) - by_rung["warm"], **solver,
                       "first_failed": self.summary.first_failed})

    @property
    def digest(self) -> str:
        """32 hexadecimal digits that change when any bit of any trial does, as ``graspmap hash``
        prints them."""
        return self._stored.digest()

    def trial(self, index: int | None = None, *, cell: Sequence[float] | None = None,
              outcome: str | None = None) -> Trial:
        """Simulates a stored trial again, explains and draws it.

        Parameters
        ----------
        index
            The trial. Or else:
        cell
            (x_mm, y_mm) or (x_mm, y_mm, theta_rad): the first trial of the cell there.
        outcome
            "wedged", ...: the first trial that ended so, in that cell or at all.
        """
        if index is not None and (cell is not None or outcome is not None):
            raise UsageError("trial: give an index, or cell and outcome")
        if index is None and cell is None and outcome is None:
            raise UsageError("trial: give an index, cell or outcome")
        numbers = None if cell is None else [float(number) for number in cell]
        word = None if outcome is None else str(outcome)
        told = self._stored.replay(None if index is None else int(index), numbers, word)
        if told.differences:
            _note(f"{told.title} is not reproduced; this is how it runs now:\n{told.differences}")
        return Trial(told)

    def draw(self) -> dict[str, Picture]:
        """Draws the figures into the folder ``figures``, as ``graspmap plot`` does, and returns
        them by their names. Needs gnuplot."""
        self._stored.draw_figures()
        figures = Path(self._stored.file).parent / "figures"
        return {file.stem: Picture(file.read_text(encoding="utf-8"))
                for file in sorted(figures.glob("*.svg"))}

    def __repr__(self) -> str:
        if self.closed:
            return f"<Run {self.path}: closed>"
        state = "" if self.complete else ", incomplete"
        text = f"<Run {self.path}: {self.trials_done} of {self.trials_asked} trials{state}"
        if self.trials_done:
            text += f", {100 * self.success:.1f} % success"
        return text + ">"

    def to_dict(self) -> dict[str, Any]:
        """The summary as dict, as in summary.json."""
        return self.summary.to_dict()

    def _repr_html_(self) -> str:
        if self.closed or not self.trials_done:
            return html.escape(repr(self))
        return f"{self.map._repr_svg_() or ''}<pre>{html.escape(self.text)}</pre>"


def _restored(file: str, closed: bool) -> Run:
    """What a copy of a run is: the stored run, opened again."""
    run = Run(Path(file).parent if os.path.basename(file) == "run.sqlite" else file)
    if closed:
        run.close()
    return run


def _simulate_into(config: Config, folder: Path, shard: tuple[int, int], resume: bool,
                   overwrite: bool, threads: int | None, progress: ProgressOption) -> None:
    checked = config._checked
    try:
        with Watch(progress) as watch:
            crashed, npz_removed = _native.run_sweep(
                checked, folder, shard[0], shard[1], resume, overwrite, check_threads(threads),
                watch)
    except KeyboardInterrupt as interrupt:
        if hasattr(interrupt, "add_note"):
            interrupt.add_note(f"What was simulated is kept in {folder}; resume=True continues.")
        raise
    if crashed:
        _note(f"{crashed} was writing {folder} and ended without finishing.", callers=2)
    if npz_removed:
        _note(f"{folder / 'trials.npz'} was of an earlier state and is removed.", callers=2)


def _checked_shard(shard: Sequence[int] | str | None, config: Config) -> tuple[int, int]:
    if shard is None:
        return (1, 1)
    try:
        words: Sequence[Any] = shard.split("/") if isinstance(shard, str) else shard
        index, count = (int(word) for word in words)
    except (TypeError, ValueError):
        index, count = 0, 0
    if not 1 <= index <= count <= 1_000_000:
        raise UsageError(f"shard: {shard!r}; must be (I, N) with 1 <= I <= N <= 1000000")
    if count > 1 and config._checked.is_adaptive:
        raise UsageError("shard: an adaptive run cannot be split, for what it simulates follows "
                         "from all its trials")
    return (index, count)


def run(config: Config, out: PathLike | None = None, *, progress: ProgressOption = False,
        threads: int | None = None, trials_per_cell: int | None = None, resume: bool = False,
        overwrite: bool = False, shard: Sequence[int] | str | None = None) -> Run:
    """Simulates the sweep of a configuration, and keeps all trials in a folder.

    The trials are the same to the last bit as those of ``graspmap run``, for any number of threads,
    interruptions and shards. Python's other threads go on meanwhile.

    Parameters
    ----------
    config
        What to simulate.
    out
        The run's folder; default: outputs/NAME, and of a shard outputs/NAME/shards/I-of-N.
    progress
        True for a bar, or a function of a :class:`Progress`, called ten times per second. When it
        returns False, the run ends early, and ``complete`` is False. When it raises an exception,
        the run ends, and the exception comes out here.
    threads
        Default: all.
    trials_per_cell
        In place of the configuration's; a larger number extends a run that is there.
    resume
        Continues the run in the folder, or begins it.
    overwrite
        Overwrites a run that is in the folder.
    shard
        (I, N): simulates part I of N; :func:`merge` joins the parts.

    Ctrl-C ends it, with KeyboardInterrupt, and leaves a run that ``resume=True`` continues. An
    error of the disk does so too.

    Raises
    ------
    ConfigError
        when the folder holds another run; RunInUseError when somebody else is writing it; IoError
        when files cannot be written.
    """
    if not isinstance(config, Config):
        raise UsageError(f"config: is a {type(config).__name__}; must be a Config (graspmap.load)")
    if trials_per_cell is not None:
        config = config.copy({"sweep.trials_per_cell": trials_per_cell})
        resume = resume or not overwrite
    part = _checked_shard(shard, config)
    folder = Path(out) if out is not None else Path("outputs") / config.name
    if out is None and part[1] > 1:
        folder = folder / "shards" / f"{part[0]}-of-{part[1]}"
    _simulate_into(config, folder, part, resume, overwrite, threads, progress)
    return Run(folder)


def open(path: PathLike) -> Run:  # noqa: A001
    """Opens a stored run: its folder, or a run.sqlite.

    Raises ConfigError when it does not exist, or is damaged.
    """
    return Run(path)


def merge(out: PathLike, shards: Sequence[PathLike], *, partial: bool = False,
          overwrite: bool = False, progress: ProgressOption = False) -> Run:
    """Joins runs of parts of one sweep into the run `out`, as if it had been run at once.

    Parameters
    ----------
    out
        The folder of the whole run.
    shards
        Run folders, or run.sqlite files, in any order. They stay as they are.
    partial
        Merges what there is when trials are missing.
    overwrite
        Overwrites a run that is already in `out`.
    progress
        As of :func:`run`; when the function returns False, nothing is merged.

    Raises ConfigError when trials are missing, or the shards do not belong together.
    """
    if isinstance(shards, (str, bytes)) or not len(shards):
        raise UsageError("shards: must be a list of one run or more")
    with Watch(progress) as watch:
        kinds, npz_removed = _native.merge_runs(Path(out), [Path(shard) for shard in shards],
                                                partial, overwrite, watch)
    if len(kinds) > 1:
        _note("the shards come from programs or machines that compute other bits than each other: "
              f"{', '.join(kinds)}; the digest is not that of a run on any one of them")
    if npz_removed:
        _note(f"{Path(out) / 'trials.npz'} was of an earlier state and is removed.")
    return Run(out)
