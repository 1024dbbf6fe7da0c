"""Decisions on a run: the methods plan, pose, compare and others of :class:`graspmap.Run`."""
from __future__ import annotations

from . import _native

__all__ = ["Decisions"]


class Decisions:
    """What a run can be asked to decide. A part of :class:`graspmap.Run`."""

    _stored: _native.StoredRun
