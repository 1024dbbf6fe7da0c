"""One trial, explained and drawn."""
from __future__ import annotations

import base64
import html
import os
from typing import Any

import numpy as np

from . import _native
from .config import Config, PathLike
from .errors import UsageError
from .trials import Outcome, Trials

__all__ = ["Animation", "Picture", "Trial", "trial"]


class Picture:
    """A drawing as SVG: shown in a notebook, ``save("trial.svg")`` writes it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, file: PathLike) -> None:
        """Writes the SVG file."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture: {len(self.svg)} bytes of SVG>"


class Animation:
    """An animated GIF: shown in a notebook, ``save("trial.gif")`` writes it."""

    def __init__(self, gif: bytes) -> None:
        self.gif = gif

    def save(self, file: PathLike) -> None:
        """Writes the GIF file."""
        with open(file, "wb") as out:
            out.write(self.gif)

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.gif).decode("ascii")
        return f"<img src='data:image/gif;base64,{data}' alt='a trial'/>"

    def __repr__(self) -> str:
        return f"<Animation: {len(self.gif)} bytes of GIF>"


class Trial:
    """One trial that was simulated with all that was seen of it.

    ``run.trial(251)`` gives one of a run, run again, and ``graspmap.trial`` one at a placement of
    your own.
    """

    def __init__(self, told: _native.ToldTrial) -> None:
        self._told = told
        self._trajectory: np.ndarray[Any, Any] | None = None

    @property
    def outcome(self) -> Outcome:
        """How it ended; it equals its word, "success", "wedged", ..."""
        return Outcome(self._told.outcome)

    @property
    def row(self) -> np.void:
        """The trial's record, as in ``run.trials``."""
        return self._told.row().view(Trials)[0]

    @property
    def story(self) -> str:
        """What happened, as text: the outcome, why it ended, the contacts, the final state."""
        return self._told.text()

    @property
    def trajectory(self) -> np.ndarray[Any, Any]:
        """The motion, a structured array with one record for each step.

        ``time_s``; ``part_x_mm``, ``part_y_mm``, ``part_theta_rad``: the part in the gripper's
        frame; ``com_vx_mm_s``, ``com_vy_mm_s``, ``part_omega_rad_s``: velocities of its centre of
        mass; ``jaw_right_x_mm``, ``jaw_left_x_mm`` and their velocities; ``contacts``: how many;
        ``residual``: of the solver. With a program also ``phase``, counted from 1, and
        ``gripper_x_mm``, ``gripper_y_mm``, ``gripper_theta_rad``: the gripper on the table.
        """
        if self._trajectory is None:
            self._trajectory = self._told.trajectory()
        return self._trajectory

    @property
    def phases(self) -> list[dict[str, Any]]:
        """How each phase of the configuration's program ended; empty without a program.

        ``does`` and ``ended`` are words; ``end_time_s``; ``part_x_mm``, ``part_y_mm``,
        ``part_theta_rad``: the part in the gripper's frame, with ``part_on_table_`` before them on
        the table; ``gripper_x_mm``, ``gripper_y_mm``, ``gripper_theta_rad``: the gripper on the
        table; ``opening_mm``.
        """
        phases: list[dict[str, Any]] = self.to_dict().get("phases", [])
        return phases

    @property
    def obstacle_touches(self) -> dict[str, list[str]]:
        """What each obstacle of the configuration touches at the end, by its name."""
        touches: dict[str, list[str]] = self.to_dict().get("obstacle_touches", {})
        return touches

    @property
    def reproduced(self) -> bool:
        """Whether a stored trial came out the same when it was run again, to the last bit."""
        return not self._told.differences

    @property
    def differences(self) -> str:
        """How the stored trial differs from this one, as text; empty when it does not."""
        return self._told.differences

    def draw(self) -> Picture:
        """A strip of pictures of its key moments."""
        return Picture(self._told.strip_svg())

    def animate(self) -> Animation:
        """The trial as an animated GIF, slowed down. Needs gnuplot; takes a second or two."""
        return Animation(self._told.animation_gif())

    def save(self, file: PathLike) -> None:
        """Writes a strip of pictures (.svg), an animation (.gif) or the trajectory (.csv)."""
        ending = os.path.splitext(os.fspath(file))[1]
        if ending == ".svg":
            self.draw().save(file)
        elif ending == ".gif":
            self.animate().save(file)
        elif ending == ".csv":
            with open(file, "w", encoding="utf-8") as out:
                out.write(self._told.trajectory_csv())
        else:
            raise UsageError(f"file: {os.fspath(file)!r}; must end with .svg, .gif or .csv")

    def to_dict(self) -> dict[str, Any]:
        """The trial as ``graspmap replay --json`` gives it."""
        return self._told.fields()

    def __eq__(self, other: object) -> bool:
        """Whether both are the same trial with the same end, to the last bit."""
        return isinstance(other, Trial) and (self._told.__getstate__(), self.row.tobytes()) == (
            other._told.__getstate__(), other.row.tobytes())

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {"_told": self._told, "_trajectory": None}  # a copy is simulated again

    def __repr__(self) -> str:
        row = self.row
        return (f"<Trial {self._told.title}: {self.outcome} from ({row['x_mm']:.6g}, "
                f"{row['y_mm']:.6g}) mm, {row['theta_rad']:.6g} rad>")

    def _repr_html_(self) -> str:
        return f"{self._told.strip_svg()}<pre>{html.escape(self.story)}</pre>"


def trial(config: Config, *, x_mm: float, y_mm: float, theta_rad: float | None = None,
          mu_jaw: float, mu_support: float) -> Trial:
    """Simulates and explains one trial, as ``graspmap trial`` does. No noise is added.

    Parameters
    ----------
    config
        The configuration; part, gripper, table and success count.
    x_mm, y_mm, theta_rad
        The placement: where the gripper is, seen from the part, before it closes, and how the part
        is turned. `theta_rad` may be left out where the configuration has one angle.
    mu_jaw, mu_support
        Friction of part and jaws, and of part and table, >= 0.
    """
    from .simulation import simulate

    row = simulate(config, x_mm=x_mm, y_mm=y_mm, theta_rad=theta_rad, mu_jaw=mu_jaw,
                   mu_support=mu_support)  # checks the numbers
    numbers = (float(row[name]) for name in ("x_mm", "y_mm", "theta_rad", "mu_jaw", "mu_support"))
    return Trial(_native.tell_trial(config._checked, *numbers))
