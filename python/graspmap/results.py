"""Small results: fields with their units in their names."""
from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Interval", "Result"]


class Interval(NamedTuple):
    """An interval of a number, both ends included."""

    low: float
    high: float

    def __repr__(self) -> str:
        return f"[{self.low:.6g}, {self.high:.6g}]"


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Result):
        return "(" + ", ".join(f"{name} {_text(v)}" for name, v in value._fields.items()) + ")"
    if isinstance(value, (list, tuple)) and not isinstance(value, Interval) and len(value) > 6:
        return f"({len(value)} values)"
    return repr(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


@lru_cache(maxsize=None)
def _documented(kind: type[Result], meanings: tuple[tuple[str, str], ...]) -> type[Result]:
    """A kind of result whose fields are properties, with what they mean."""
    def field(name: str, meaning: str) -> property:
        return property(lambda self: self._fields[name], doc=meaning or None)

    own: dict[str, Any] = {"__slots__": (), "__module__": kind.__module__, "__doc__": kind.__doc__,
                           "_kind": kind}
    own.update({name: field(name, meaning) for name, meaning in meanings if not hasattr(kind, name)})
    return type(kind.__name__, (kind,), own)


class Result:
    """A result with named fields, ``result.x_mm``; units are in the names. It cannot be changed.
    ``help(result)`` says what its fields mean."""

    __slots__ = ("_fields", "_meanings")
    _fields: dict[str, Any]
    _meanings: dict[str, str]
    _kind: type[Result] | None = None

    def __init__(self, fields: Mapping[str, Any], meanings: Mapping[str, str] | None = None) -> None:
        object.__setattr__(self, "_fields", dict(fields))
        object.__setattr__(self, "_meanings", dict(meanings or {}))
        if meanings:
            kind = _documented(type(self), tuple(meanings.items()))  # type: ignore[arg-type]
            object.__setattr__(self, "__class__", kind)

    @classmethod
    def _of(cls, other: Result) -> Self:
        """The fields of another result."""
        return cls(other._fields, other._meanings)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        fields = object.__getattribute__(self, "_fields")
        if name not in fields:
            raise AttributeError(f"there is no {name!r}; there are " + ", ".join(fields))
        return fields[name]

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a result cannot be changed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self._fields == other._fields

    def __reduce__(self) -> tuple[Any, ...]:
        return (self._kind or type(self), (self._fields, self._meanings))

    def to_dict(self) -> dict[str, Any]:
        """The fields as dict, list and numbers, as JSON has them."""
        return {name: _plain(value) for name, value in self._fields.items()}

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={_text(value)}" for name, value in self._fields.items())
        return f"{type(self).__name__}({fields})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='text-align:left'>{html.escape(name)}</td>"
            f"<td style='text-align:left'>{html.escape(_text(value))}</td></tr>"
            for name, value in self._fields.items())
        return f"<table><caption>{type(self).__name__}</caption>{rows}</table>"
