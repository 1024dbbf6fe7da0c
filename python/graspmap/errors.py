"""The exceptions and warnings of graspmap.

All exceptions are :class:`Error`, and besides of the kind of Python's own that fits: ``ValueError``
for what a person should change, ``OSError`` for what the machine could not do.
"""
from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

if TYPE_CHECKING:
    from typing_extensions import Self

    from .trials import Trials

__all__ = [
    "Error", "ConfigError", "MissingFileError", "MissingTrialError", "Fault", "UsageError",
    "ClosedRunError", "RunInUseError", "IoError", "StoppedError", "GraspmapWarning",
]


class Error(Exception):
    """The base of all exceptions of graspmap."""


class Fault(NamedTuple):
    """One thing that is wrong with an input; None for what is not known."""

    file: Optional[str]
    line: Optional[int]
    key: Optional[str]
    what: str
    allowed: Optional[str]


class ConfigError(Error, ValueError):
    """A file, a configuration or a run is not as it must be.

    The message is what the command would print: a line for each of ``faults``. ``file``, ``line``
    (from 1), ``key`` ("gripper.opening_mm"), ``what`` ("is -1") and ``allowed`` ("must be a finite
    number > 0") are those of the first one, or None. An override, like every change of a
    configuration, has neither file nor line.
    """

    faults: tuple[Fault, ...]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.faults = (Fault(None, None, None, message, None),)

    @classmethod
    def _of(cls, found: Sequence[tuple[str, str, int, str, str, str]]) -> Self:
        error = cls("\n".join(sentence for sentence, *_ in found))
        if len(found) > 1 or any((found[0][1], found[0][3])):
            error.faults = tuple(
                Fault(None if file.startswith("--set ") else file or None, line or None,
                      key or None, what, allowed or None)
                for _, file, line, key, what, allowed in found)
        return error

    @property
    def file(self) -> str | None:
        """The file of the first fault."""
        return self.faults[0].file

    @property
    def line(self) -> int | None:
        """Its line, from 1."""
        return self.faults[0].line

    @property
    def key(self) -> str | None:
        """Its dotted key."""
        return self.faults[0].key

    @property
    def what(self) -> str:
        """What is wrong: 'is -1'."""
        return self.faults[0].what

    @property
    def allowed(self) -> str | None:
        """What is allowed: 'must be a finite number > 0'."""
        return self.faults[0].allowed


class MissingFileError(ConfigError, FileNotFoundError):
    """There is no such file or folder: a ConfigError that ``except FileNotFoundError`` finds too."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.errno = errno.ENOENT
        self.strerror = os.strerror(errno.ENOENT)

    @property
    def filename(self) -> str | None:
        """The file, as of Python's own FileNotFoundError."""
        return self.file

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self),), {"faults": self.faults})

    def __str__(self) -> str:
        return str(self.args[0])


class MissingTrialError(ConfigError, IndexError):
    """A run has no trial of this index."""


class UsageError(Error, ValueError):
    """A function was called with what it cannot take: a wrong shape, NaN, an unknown word."""


class ClosedRunError(Error, ValueError):
    """A run was used after it was closed."""


class RunInUseError(Error, RuntimeError):
    """Another process, or another thread of this one, is writing the folder of a run."""


class IoError(Error, OSError):
    """The machine could not do it: a full disk, a folder that cannot be written, no gnuplot."""


class StoppedError(Error, RuntimeError):
    """A progress function returned False. ``partial``: of :func:`graspmap.simulate`, the trials that
    were done, the first ones in the order of the flattened arrays; a decision has no result then."""

    def __init__(self, message: str, partial: Trials | None = None) -> None:
        super().__init__(message)
        self.partial = partial


class GraspmapWarning(UserWarning):
    """What the command says in a note."""
