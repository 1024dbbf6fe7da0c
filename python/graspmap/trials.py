"""Trials as numpy arrays."""
from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas

__all__ = ["Outcome", "Trials"]


class Outcome(IntEnum):
    """What became of a trial: the numbers in the field ``outcome``."""

    SUCCESS = 0
    WEDGED = 1
    MISSED = 2
    TIMEOUT = 3
    BLOCKED = 4
    FAILED = 5

    def __str__(self) -> str:
        return self.name.lower()


class Trials(np.ndarray[Any, np.dtype[Any]]):
    """Trials as a structured numpy array, one record each; a field is an array of numbers.

    ``trials["part_x_mm"]``, ``trials[trials["outcome"] == gm.Outcome.WEDGED]``. Units are in the
    names; docs/reference/formats.md explains the fields. ``index`` and the cells are there in the
    trials of a run only. Of a run with uncertain numbers each has a field too, named by its key:
    ``trials["part.mass_kg"]``. All counts, cells and outcomes are int64, all else is float64.
    """

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if isinstance(found, Trials) and found.dtype.names is None:
            return found.view(np.ndarray)  # a field
        return found

    @property
    def success(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which trials succeeded."""
        succeeded: np.ndarray[Any, np.dtype[np.bool_]]
        succeeded = np.asarray(self["outcome"]) == Outcome.SUCCESS
        return succeeded

    @property
    def outcome_names(self) -> np.ndarray[Any, np.dtype[np.str_]]:
        """The outcomes as words, of the same shape."""
        words = np.array([str(outcome) for outcome in Outcome])
        names: np.ndarray[Any, np.dtype[np.str_]] = words[np.asarray(self["outcome"])]
        return names

    def to_pandas(self) -> pandas.DataFrame:
        """The trials as a pandas DataFrame with a column for each field; ``outcome`` as words."""
        import pandas

        flat = self.reshape(-1)
        columns = {name: flat[name] for name in flat.dtype.names or ()}
        table = pandas.DataFrame(columns)
        words = [str(outcome) for outcome in Outcome]
        table["outcome"] = pandas.Categorical.from_codes(flat["outcome"], categories=words)
        return table.set_index("index") if "index" in columns else table
