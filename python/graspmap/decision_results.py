"""What decisions give: the command's text, files and figures, and its JSON as fields."""
from __future__ import annotations

import html
import tempfile
import tomllib
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from . import _native, result_fields
from .config import Config, PathLike
from .errors import GraspmapWarning, IoError, UsageError
from .one_trial import Picture
from .results import Interval, Result
from .trial_map import Cells, SuccessMap

__all__ = [
    "Calibration", "Comparison", "Decision", "DeliveredPose", "Detections", "Difference",
    "FactCheck", "FingerDesign", "Hold", "LabPlan",
    "Plan", "ReweightedMap", "Reweighting", "RobotGrasps", "Sensitivity", "SqueezePlan", "SupportFit",
    "Tolerances",
]


class Decision(Result):
    """What a decision gives: the fields of the command's JSON file, ``decision.trials``, with units in
    their names; :meth:`to_dict` has them all. Printed, it is the command's text; a notebook shows its
    figures too."""

    __slots__ = ("_analysis", "_tables", "_pictures", "_saved")

    _analysis: _native.Analysis
    _tables: dict[str, np.ndarray[Any, Any]] | None
    _pictures: dict[str, Picture] | None
    _saved: Path | None

    def __init__(self, analysis: _native.Analysis, fields: Result | None = None,
                 tables: dict[str, np.ndarray[Any, Any]] | None = None) -> None:
        found = analysis.fields() if fields is None else fields
        super().__init__(found._fields, found._meanings)
        for name, value in (("_analysis", analysis), ("_tables", tables), ("_pictures", None),
                            ("_saved", None)):
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy of the native analysis has texts, files and figures only."""
        tables = {name: table for name in self.files if (table := self._table(name)) is not None}
        fields = Result(self._fields, self._meanings)
        return (self._kind or type(self), (self._analysis, fields, tables), self._state())

    def _state(self) -> dict[str, Any]:
        return {"_saved": self._saved}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)

    def _table(self, name: str) -> np.ndarray[Any, Any] | None:
        return self._analysis.table(name) if self._tables is None else self._tables.get(name)

    @property
    def text(self) -> str:
        """What the command prints."""
        return str(self._analysis.text)

    @property
    def files(self) -> dict[str, bytes]:
        """The files that the command writes, by their names."""
        return self._analysis.files()

    def table(self, name: str) -> np.ndarray[Any, Any]:
        """One of the CSV files as a structured array: ``table("plan.csv")["x_mm"]``."""
        table = self._table(name)
        if table is None:
            names = ", ".join(file for file in self.files if file.endswith(".csv"))
            raise UsageError(f"table: {name!r}; must be one of {names}")
        return table

    @property
    def figures(self) -> dict[str, Picture]:
        """The command's figures, drawn at the first use. Needs gnuplot; raises IoError without."""
        if self._pictures is None:
            pictures: dict[str, Picture] = {}
            with tempfile.TemporaryDirectory(prefix="graspmap-") as folder:
                self._analysis.draw(folder)
                for file in sorted(Path(folder).glob("*.svg")):
                    pictures[file.stem] = Picture(file.read_text(encoding="utf-8"))
            object.__setattr__(self, "_pictures", pictures)
            return pictures
        return self._pictures

    def save(self, folder: PathLike | None = None, *, figures: bool = True) -> Path:
        """Writes the files and figures that the command writes, into `folder`, by default where the
        command puts them. Returns the folder. Without gnuplot there are no figures, and a warning."""
        path = Path(self._analysis.folder if folder is None else folder)
        self._analysis.write(path)
        object.__setattr__(self, "_saved", path)
        if figures and self._analysis.has_figures():
            try:
                self._analysis.draw(path)
            except IoError as error:
                warnings.warn(f"no figures: {error}", GraspmapWarning, stacklevel=2)
        return path

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        pictures = ""
        try:
            pictures = "".join(picture.svg[max(picture.svg.find("<svg"), 0):]
                               for picture in self.figures.values())
        except IoError as error:
            pictures = f"<p>{html.escape(str(error))}</p>"
        return f"<pre>{html.escape(self.text)}</pre>{pictures}"

    def _repr_svg_(self) -> str | None:
        try:
            return next(iter(picture.svg for picture in self.figures.values()), None)
        except IoError:
            return None


class Plan(Decision, result_fields.PlanFields):
    """Where to put the gripper. ``placements`` are the good ones, the best first; of the best one
    ``x_mm``, ``y_mm``, ``theta_rad`` (where the sweep has several angles), ``success`` and
    ``interval``. With ``required_probability``, ``required`` has the largest errors that allow it."""

    @property
    def best(self) -> result_fields.PlanPlacements:
        """The best placement."""
        if not self._fields.get("placements"):
            raise AttributeError("the plan has no placement: it was asked for the largest errors")
        return self.placements[0]

    @property
    def x_mm(self) -> float:
        """x of the best placement, mm."""
        return float(self.best.x_mm)

    @property
    def y_mm(self) -> float:
        """y of the best placement, mm."""
        return float(self.best.y_mm)

    @property
    def theta_rad(self) -> float:
        """The best placement's angle, rad; where the sweep has several angles."""
        return float(self.best.theta_rad)

    @property
    def success(self) -> float:
        """The success probability at the best placement."""
        return float(self.best.success_probability)

    @property
    def interval(self) -> Interval:
        """Of `success`, at the confidence asked."""
        return self.best.interval


class DeliveredPose(Decision, result_fields.DeliveredPoseFields):
    """How the part lies in the hand: ``mean``, ``standard_deviation``, ``quantiles`` ... each with
    ``x_mm``, ``y_mm``, ``theta_rad``, ``opening_mm``; ``modes``, the groups of poses."""


class Hold(Decision, result_fields.HoldFields):
    """Whether the part stays in the hand: ``lifted`` and ``closes`` (``value``, ``interval``),
    ``factor_quantiles``, the ``force_n`` that it needs. ``table("hold.csv")`` has the cells."""


class Comparison(Decision, result_fields.ComparisonFields):
    """A run against an experiment: ``agreement`` (``verdict``, ``smallest_within``, ``changes``, ...).
    ``table("compare.csv")`` has the cells."""

    @property
    def verdict(self) -> str:
        """"agrees", "differs" or "cannot tell"."""
        return str(self.agreement.verdict)


class FactCheck(Decision, result_fields.FactCheckFields):
    """Published facts, and whether they hold in the run: ``facts``, each with its ``verdict``."""


class Calibration(Decision, result_fields.CalibrationFields):
    """The distributions of friction that an experiment does not contradict: ``learned``, numbers
    with their intervals; ``fit``, whether any distribution fits."""

    @property
    def mean_laws(self) -> dict[str, dict[str, Any]]:
        """The distributions with the mean parameters, by their key in a configuration: for
        :meth:`Run.reweight`, or for the changes of a configuration."""
        return self["mean_laws"].to_dict()  # type: ignore[no-any-return]

    @property
    def parameters(self) -> dict[str, Result]:
        """What was learned, by its name: ``parameters["friction.jaw.mean"].interval``."""
        return {learned["name"]: learned for learned in self["learned"]}

    @property
    def posterior(self) -> np.ndarray[Any, Any]:
        """The draws of the posterior: a structured array."""
        return self.table("posterior.csv")


class ReweightedMap(SuccessMap):
    """The map of a run under other distributions. What it has besides a run's map:
    ``effective_trials``, how many trials the stored ones of each cell are worth. ``trials`` and
    outcomes are the stored ones."""

    def __init__(self, axes: tuple[tuple[float, float, int], ...], counts: np.ndarray[Any, Any],
                 table: np.ndarray[Any, Any]) -> None:
        def cells(name: str) -> np.ndarray[Any, Any]:
            return table[name].reshape(counts.shape[:3])

        super().__init__(axes, counts,
                         np.stack([cells("interval_low"), cells("interval_high")], axis=-1))
        self._values = {name: cells(name).transpose(2, 1, 0)
                        for name in ("success_probability", "effective_trials")}

    @property
    def success(self) -> Cells:
        """The success probability under the new distributions; NaN where nothing is known."""
        return self._array(self._values["success_probability"], "success", "success probability")

    @property
    def effective_trials(self) -> Cells:
        """Trials that the stored ones are worth."""
        return self._array(self._values["effective_trials"], "effective_trials", "effective trials")

    def __repr__(self) -> str:
        return super().__repr__().replace("SuccessMap", "ReweightedMap")


class Reweighting(Decision, result_fields.ReweightingFields):
    """The run under other distributions: ``map``, and of the whole map ``now`` and ``stored``, each
    with ``success_probability``, ``sweet_spot``, ``plateau_area_mm2``."""

    __slots__ = ("_map",)

    def _state(self) -> dict[str, Any]:
        return {**super()._state(), "_map": self._map}

    def _set_map(self, axes: tuple[tuple[float, float, int], ...],
                 counts: np.ndarray[Any, Any]) -> None:
        object.__setattr__(self, "_map", ReweightedMap(axes, counts, self.table("map.csv")))

    @property
    def map(self) -> ReweightedMap:
        """Success of each cell under the new distributions."""
        return self._map  # type: ignore[no-any-return]


class Sensitivity(Decision, result_fields.SensitivityFields):
    """Which uncertainty matters: ``inputs``, each with ``first_order`` and ``total`` effect, and
    ``groups``; where trials were simulated, ``halved``: ``as_it_is`` and ``inputs``, each with
    ``success_probability`` and ``gain``. ``table("sensitivity.csv")`` has the cells."""


class Detections(Decision, result_fields.DetectionsFields):
    """What detections show of a camera's error: ``misses`` and their ``miss_interval``, the
    ``covariance``, ``drift_p_value``. :meth:`Run.plan` takes it as ``measured``."""

    @property
    def deviations(self) -> np.ndarray[Any, Any]:
        """How far a placement is off by each detection: x_mm, y_mm, theta_rad, a structured array."""
        return self.table("deviations.csv")


class RobotGrasps(Decision, result_fields.RobotGraspsFields):
    """Grasps for a robot: ``runs``, each with its ``grasps``, the best first (``x_mm``, ``y_mm``,
    ``theta_rad``, ``success_probability``, ``interval``, ``tool_in_robot`` ...). ``files`` has
    grasps.json, with joints grasps_moveit.yaml and grasps_isaac.yaml, with a frame grasps.script."""


class Difference(Decision, result_fields.DifferenceFields):
    """Two designs: ``whole_map``, ``plateaus``, ... each with ``b_minus_a`` and its ``interval``.
    ``table("difference.csv")`` has the cells."""


class Tolerances(Decision, result_fields.TolerancesFields):
    """A shared budget: ``found``, ``promised``, and the sets ``today``, ``cheapest`` (``narrowest``
    when none is found) and ``equal_shares``, each with ``cost``, ``success_probability`` and
    ``widths``. ``table("tolerances.csv")`` has a row for each tolerance."""


class LabPlan(Decision, result_fields.LabPlanFields):
    """An experiment: ``plan.trials`` and its ``checked`` power; ``run_sheet``, to be filled in."""

    @property
    def run_sheet(self) -> np.ndarray[Any, Any]:
        """The rows of run_sheet.csv: a structured array."""
        return self.table("run_sheet.csv")


class SupportFit(Decision, result_fields.SupportFitFields):
    """The table's friction under a part: ``models``, the best first, and ``support``."""

    @property
    def support(self) -> dict[str, Any]:
        """The [support] table for a configuration: ``config.copy({"support": fit.support})``."""
        return tomllib.loads(self.files["support.toml"].decode("utf-8"))["support"]  # type: ignore[no-any-return]


class SqueezePlan(Decision, result_fields.SqueezePlanFields):
    """Squeezes that bring a part into one pose: ``squeezes`` (``turn_rad``, ``offset_mm``, ``push_mm``), the
    ``probability`` with its ``interval``, ``phases`` with the spread of the poses after each
    (``angle_rms_rad``, ``position_rms_mm``), and ``cycle_s``, the mean time of all of it, s. Where
    ``reaches`` is false it is the best that was found, and none can have more than ``bound``."""

    @property
    def program(self) -> list[dict[str, Any]]:
        """The [[program]] tables for a configuration: ``config.copy({"program": plan.program})``."""
        return tomllib.loads(self.files["sequence.toml"].decode("utf-8"))["program"]  # type: ignore[no-any-return]


class FingerDesign(Decision, result_fields.FingerDesignFields):
    """The designs that grasp best: ``designs``, the best first (``words``, ``value``, ``tied``, ``set``,
    ``placements``); ``best`` and ``today`` with their ``values`` in fresh trials, and ``gains``, each
    with its ``interval``; ``variables`` with what each is worth. ``table("designs.csv")`` has all that
    were tried."""

    @property
    def words(self) -> str:
        """The best design in words."""
        return str(self.designs[0].words)

    @property
    def config(self) -> Config:
        """The configuration of the best design, for :func:`graspmap.run`."""
        return Config(self.files["design.toml"].decode("utf-8"), source="design.toml")

    def _drawing(self, name: str) -> str | None:
        drawing = self.files.get(name)
        return None if drawing is None else drawing.decode("utf-8")

    @property
    def finger_dxf(self) -> str | None:
        """The best finger as a DXF drawing, mm; None without [gripper.finger]."""
        return self._drawing("finger.dxf")

    @property
    def finger_svg(self) -> str | None:
        """The same as SVG."""
        return self._drawing("finger.svg")
