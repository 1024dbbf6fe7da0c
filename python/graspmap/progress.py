"""How far a simulation is, and how that is shown."""
from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from typing import Any, Optional, Union

from . import _native

__all__ = ["Progress"]


class Progress:
    """How far a simulation is, as a ``progress`` function gets it, ten times per second.

    Attributes
    ----------
    done, asked
        Trials done so far, and trials asked for (with adaptive sampling, at most).
    seconds
        Since it began, s.
    outcomes
        Trials by outcome, ``{"success": 23012, ...}``.
    """

    def __init__(self, counts: tuple[int, ...], asked: int, before: int, seconds: float) -> None:
        self.outcomes = dict(zip(_native.OUTCOMES, counts))
        self.done = sum(counts)
        self.asked = asked
        self.seconds = seconds
        self._before = before

    @property
    def fraction(self) -> float:
        """done / asked, from 0 to 1."""
        return self.done / self.asked if self.asked else 1.0

    @property
    def trials_per_s(self) -> float:
        """The mean rate since it began; 0 before the first trial."""
        return (self.done - self._before) / self.seconds if self.seconds > 0 else 0.0

    @property
    def left_s(self) -> float | None:
        """The estimated time left, s; None before the first trial."""
        rate = self.trials_per_s
        return (self.asked - self.done) / rate if rate > 0 else None

    def __repr__(self) -> str:
        left = "" if self.left_s is None else f", {self.left_s:.0f} s left"
        return f"<Progress {self.done} of {self.asked} trials, {self.seconds:.1f} s{left}>"

    def bar(self, width: int = 79) -> str:
        """The command's progress bar, of at most `width` characters."""
        return _native.progress_bar(tuple(self.outcomes.values()), self.asked, self._before,
                                    self.seconds, width)


ProgressOption = Union[bool, Callable[[Progress], Any]]
_Watch = Callable[[tuple[int, ...], int, int, float], bool]


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


class _ShownBar:
    """What a notebook displays, as HTML or as text."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def _repr_html_(self) -> str:
        return (f"<progress value='{self._progress.done}' max='{self._progress.asked}'></progress> "
                f"<code>{self._progress.bar(100).partition(']')[2]}</code>")

    def __repr__(self) -> str:
        return self._progress.bar(100)


class _NotebookBar:
    def __init__(self) -> None:
        self._display: Any = None

    def __call__(self, progress: Progress) -> None:
        from IPython.display import display

        if self._display is None:
            self._display = display(_ShownBar(progress), display_id=True)
        else:
            self._display.update(_ShownBar(progress))

    def end(self) -> None:
        pass


class _TerminalBar:
    def __init__(self) -> None:
        self._shown = False

    def __call__(self, progress: Progress) -> None:
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write("\r" + progress.bar(width) + "\x1b[K")
        sys.stderr.flush()
        self._shown = True

    def end(self) -> None:
        if self._shown:
            sys.stderr.write("\n")


class _Lines:
    """A plain line now and then, for a file or a pipe: each tenth, or 10 s after the last."""

    def __init__(self) -> None:
        self._tenth, self._seconds = 0, 0.0

    def __call__(self, progress: Progress) -> None:
        tenth = int(10 * progress.fraction)
        if tenth == self._tenth and progress.seconds < self._seconds + 10.0:
            return
        self._tenth, self._seconds = tenth, progress.seconds
        print(progress.bar(100), file=sys.stderr, flush=True)

    def end(self) -> None:
        pass


class Watch:
    """What the `progress` option of a function asks for, while it runs: a context manager that gives
    the function for the native code, or None."""

    def __init__(self, option: ProgressOption) -> None:
        self._bar: Any = None
        self._function: Optional[Callable[[Progress], Any]] = None
        if callable(option):
            self._function = option
        elif option:
            self._bar = (_NotebookBar() if _in_notebook()
                         else _TerminalBar() if sys.stderr.isatty() else _Lines())
            self._function = self._bar

    def __enter__(self) -> Optional[_Watch]:
        if self._function is None:
            return None
        function: Callable[[Progress], Any] = self._function

        def watch(counts: tuple[int, ...], asked: int, before: int, seconds: float) -> bool:
            return function(Progress(counts, asked, before, seconds)) is not False

        return watch

    def __exit__(self, *_error: object) -> None:
        if self._bar is not None:
            self._bar.end()
