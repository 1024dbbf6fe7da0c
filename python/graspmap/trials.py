"""Trials as numpy arrays."""
from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _native

if TYPE_CHECKING:
    import pandas

__all__ = ["Outcome", "Trials"]


class Outcome(str, Enum):
    """What became of a trial: a word, with the code that arrays have for it.

    ``trial.outcome == "wedged"``, ``trials["outcome"] == gm.Outcome.WEDGED``, ``gm.Outcome(1)``,
    ``gm.Outcome.WEDGED.code``, ``gm.Outcome.WEDGED.meaning``. It equals its word and its code, and is
    compared with each element of an array of either.
    """

    SUCCESS = "success"
    WEDGED = "wedged"
    MISSED = "missed"
    TIMEOUT = "timeout"
    BLOCKED = "blocked"
    FAILED = "failed"

    __array_ufunc__ = None  # numpy leaves comparisons to __eq__ and __ne__

    @property
    def code(self) -> int:
        """The number in the field ``outcome`` of arrays."""
        return _native.OUTCOMES.index(self.value)

    @property
    def meaning(self) -> str:
        """What it means, in words."""
        return _native.OUTCOME_MEANINGS[self.value]

    @classmethod
    def _missing_(cls, value: object) -> Outcome | None:
        """Codes are other names of outcomes."""
        if isinstance(value, (int, np.integer)) and 0 <= value < len(_native.OUTCOMES):
            return cls(_native.OUTCOMES[value])
        return None

    def __index__(self) -> int:
        return self.code

    __int__ = __index__

    def __eq__(self, other: object) -> Any:
        if isinstance(other, np.ndarray):
            return np.asarray(other) == (self.code if other.dtype.kind in "iu" else self.value)
        if isinstance(other, (int, np.integer)):
            return self.code == other
        return str.__eq__(self, other)

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return ~equal if isinstance(equal, np.ndarray) else equal if equal is NotImplemented else not equal

    __hash__ = str.__hash__

    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, form: str) -> str:
        return format(self.value, form)


class Trials(np.ndarray[Any, np.dtype[Any]]):
    """Trials as a structured numpy array, one record each; a field is an array of numbers.

    ``trials["part_x_mm"]``, ``trials[trials["outcome"] == gm.Outcome.WEDGED]``. Units are in the
    names; docs/reference/formats.md explains the fields. ``index`` and the cells are there in the
    trials of a run only. Of a run with uncertain numbers each has a field too, named by its key:
    ``trials["part.mass_kg"]``. All counts, cells and outcomes are int64, all else is float64.
    """

    if TYPE_CHECKING:
        @overload
        def __getitem__(self, key: str) -> np.ndarray[Any, np.dtype[Any]]: ...
        @overload
        def __getitem__(self, key: int | np.integer[Any]) -> np.void: ...
        @overload
        def __getitem__(self, key: slice | list[Any] | tuple[Any, ...] | np.ndarray[Any, Any]) -> Trials: ...

    def __getitem__(self, key: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        found = super().__getitem__(key)
        if isinstance(found, Trials) and found.dtype.names is None:
            return found.view(np.ndarray)  # a field
        return found

    @property
    def success(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which trials succeeded."""
        succeeded: np.ndarray[Any, np.dtype[np.bool_]]
        succeeded = np.asarray(self["outcome"]) == Outcome.SUCCESS.code
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
