"""The exceptions and warnings of graspmap.

All exceptions are :class:`Error`, and besides of the kind of Python's own that fits: ``ValueError``
for what a person should change, ``OSError`` for what the machine could not do.
"""
from __future__ import annotations

import re

__all__ = [
    "Error", "ConfigError", "UsageError", "ClosedRunError", "RunInUseError", "IoError",
    "StoppedError",
    "GraspmapWarning",
]

# "FILE:LINE: KEY: text", LINE and KEY may be missing.
_LOCATION = re.compile(r"(?P<file>[^\n]+?):(?P<line>\d+): (?:(?P<key>[\w.\-]+): )?")
_OVERRIDE = re.compile(r"--set (?P<assignment>.*?): (?P<key>[\w.\-]+): ")
_FILE = re.compile(r"(?P<file>[^\n:]+): (?:(?P<key>[\w\-]+(?:\.[\w\-]+)+): )?")


class Error(Exception):
    """The base of all exceptions of graspmap."""


class ConfigError(Error, ValueError):
    """A file, a configuration or a run is not as it must be.

    The message is the line that the command would print. ``file``, ``line`` (from 1) and ``key``
    ("gripper.opening_mm") are what it names, or None. An override, like every change of a
    configuration, has neither file nor line.
    """

    file: str | None
    line: int | None
    key: str | None

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.file = self.line = self.key = None
        if override := _OVERRIDE.match(message):
            self.key = override["key"]
        elif place := _LOCATION.match(message):
            self.file, self.line, self.key = place["file"], int(place["line"]), place["key"]
        elif place := _FILE.match(message):
            self.file, self.key = place["file"], place["key"]


class UsageError(Error, ValueError):
    """A function was called with what it cannot take: a wrong shape, NaN, an unknown word."""


class ClosedRunError(Error, ValueError):
    """A run was used after it was closed."""


class RunInUseError(Error, RuntimeError):
    """Another process, or another thread of this one, is writing the folder of a run."""


class IoError(Error, OSError):
    """The machine could not do it: a full disk, a folder that cannot be written, no gnuplot."""


class StoppedError(Error, RuntimeError):
    """A progress function ended a decision, which then has no result."""


class GraspmapWarning(UserWarning):
    """What the command says in a note."""
