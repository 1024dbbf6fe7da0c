"""Configurations of sweeps: a TOML document, which graspmap's own reader checks at every change."""
from __future__ import annotations

import functools
import html
import json
import math
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Union

from . import _native
from .errors import UsageError

__all__ = ["Config", "Section", "describe", "load"]

PathLike = Union[str, "os.PathLike[str]"]
Overrides = Union[Mapping[str, Any], Sequence[str]]


def _toml_text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_key(key: Any) -> str:
    if not isinstance(key, str):
        raise UsageError(f"a key of a configuration is a text, not {key!r}")
    bare = key.replace("_", "").replace("-", "")
    return key if bare.isascii() and bare.isalnum() else _toml_text(key)


def _toml_value(value: Any) -> str:
    """A Python value as TOML."""
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, (str, os.PathLike)):
        return _toml_text(os.fspath(value))
    if isinstance(value, Section):
        value = value.to_object()
    if isinstance(value, Mapping):
        items = (f"{_toml_key(key)} = {_toml_value(v)}" for key, v in value.items())
        return "{ " + ", ".join(items) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml_value(v) for v in value) + "]"
    raise UsageError(f"a configuration has numbers, texts, lists and tables, no {type(value).__name__}")


def _document(tables: Mapping[str, Any]) -> str:
    """A dict as a TOML document: one line for each key of a table, so that errors name one."""
    lines: list[str] = []

    def add(prefix: str, table: Mapping[str, Any]) -> None:
        for key, value in table.items():
            if isinstance(value, Mapping) and value:
                add(f"{prefix}{_toml_key(key)}.", value)
            else:
                lines.append(f"{prefix}{_toml_key(key)} = {_toml_value(value)}")

    add("", tables)
    return "\n".join(lines) + "\n"


def _assignment(key: str, value: Any) -> str:
    """What --set gets: a value of None takes the key away."""
    if not isinstance(key, str):
        raise UsageError(f"a key of a configuration is a text, not {key!r}")
    return f"{key}=" if value is None else f"{key}={_toml_value(value)}"


def _assignments(overrides: Overrides | None) -> list[str]:
    if overrides is None:
        return []
    if isinstance(overrides, Mapping):
        return [_assignment(key, value) for key, value in overrides.items()]
    if isinstance(overrides, str):
        raise UsageError("overrides: must be a dict, or a list of texts KEY=VALUE")
    return [str(assignment) for assignment in overrides]


def _joined(earlier: Sequence[str], later: Sequence[str]) -> list[str]:
    """Both lists of assignments, without those that a later one of the same key replaces."""
    joined = list(earlier)
    for assignment in later:
        key, _, value = assignment.partition("=")
        for place in range(len(joined) - 1, -1, -1):
            other, _, old = joined[place].partition("=")
            if other == key and value and old:
                del joined[place]
                break
            if not old or f"{other}.".startswith(f"{key}.") or f"{key}.".startswith(f"{other}."):
                break
        joined.append(assignment)
    return joined


def _with_defaults(written: Any, resolved: Any) -> Any:
    """What is written, and what the reader has added to it."""
    if isinstance(written, dict) and isinstance(resolved, dict):
        both = {key: _with_defaults(value, resolved.get(key)) for key, value in written.items()}
        return {**both, **{key: value for key, value in resolved.items() if key not in written}}
    if isinstance(written, list) and isinstance(resolved, list) and len(written) == len(resolved):
        return [_with_defaults(*pair) for pair in zip(written, resolved)]
    return written


def _at(tree: Any, words: Sequence[str]) -> Any:
    for word in words:
        if isinstance(tree, list):
            tree = tree[int(word)]
        else:
            tree = tree[word]
    return tree


@functools.cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(_native.config_schema())
    return schema


def describe(key: str = "") -> str:
    """What a key of a configuration means, with its unit and default; of a table, all its keys.

    ``describe("gripper.opening_mm")``, ``describe("part.piece")``. Indices do not matter:
    ``part.piece[0].exponent`` is ``part.piece.exponent``.
    """
    found = _schema()
    for word in key.split(".") if key else []:
        found = found.get("items", found) if word.isdecimal() else (
            found.get("items", found).get("properties", {}).get(word))
        if found is None:
            raise KeyError(f"{key}: there is no such key")
    found = found if "description" in found else found.get("items", found)
    if "description" in found:
        return f"{key}: {found['description']}"
    return "\n".join(f"{name}: {below['description']}" if "description" in below else f"[{name}]"
                     for name, below in found.get("properties", {}).items())


class Section:
    """A table of a configuration, or a list of tables; changes go into the configuration.

    ``config.gripper.closing_force_n``, ``config.part.piece[0].exponent``. What is read has the
    defaults in it.
    """

    __slots__ = ("_config", "_words")

    def __init__(self, config: Config, words: tuple[str, ...]) -> None:
        object.__setattr__(self, "_config", config)
        object.__setattr__(self, "_words", words)

    def _below(self, word: Any) -> tuple[str, ...]:
        if isinstance(word, int) and word < 0:
            word += len(self)
        return (*self._words, *str(word).split("."))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._config._get(self._below(name))
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __getitem__(self, word: str | int | slice) -> Any:
        if isinstance(word, slice):
            return [self[k] for k in range(*word.indices(len(self)))]
        return self._config._get(self._below(word))

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __setitem__(self, word: str | int, value: Any) -> None:
        self._config.update({".".join(self._below(word)): value})

    def __delattr__(self, name: str) -> None:
        del self[name]

    def __delitem__(self, word: str | int) -> None:
        self._config.update({".".join(self._below(word)): None})

    def to_object(self) -> Any:
        """The table as a dict, or the list of tables as a list."""
        return self._config._plain(self._words)

    def __iter__(self) -> Iterator[Any]:
        value = self.to_object()
        if isinstance(value, list):
            return iter([self[k] for k in range(len(value))])
        return iter(value)

    def __len__(self) -> int:
        return len(self.to_object())

    def __contains__(self, name: object) -> bool:
        return name in self.to_object()

    def keys(self) -> list[str]:
        """The keys of the table, those with a default too."""
        return list(self.to_object())

    def help(self, key: str = "") -> str:
        """What a key of the table means; without one, what all of them do."""
        return describe(".".join(filter(None, (*self._words, key))))

    def __dir__(self) -> list[str]:
        value = self.to_object()
        return [*super().__dir__(), *(value if isinstance(value, dict) else [])]

    def _ipython_key_completions_(self) -> list[str]:
        value = self.to_object()
        return list(value) if isinstance(value, dict) else []

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Section):
            other = other.to_object()
        return bool(self.to_object() == other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        value = self.to_object()
        if isinstance(value, list):
            return f"[{'.'.join(self._words)}: {len(value)} tables]"
        lines = [f"{_toml_key(key)} = {_toml_value(v)}" for key, v in value.items()]
        return "\n".join([f"[{'.'.join(self._words)}]", *lines])


class Config:
    """The configuration of a sweep, checked by the reader of the command ``graspmap``.

    Parameters
    ----------
    tables
        A dict of tables, as ``to_dict`` gives it, or the text of a TOML document.
    overrides
        Changes: ``{"gripper.closing_force_n": 20}``; None takes a key away. Or a list of texts as
        the command's ``--set`` gets them: ``["gripper.closing_force_n=20"]``.
    source
        What errors call the document. Drawings are looked for in its folder.

    Raises
    ------
    ConfigError
        with ``file``, ``line`` and ``key``.

    Keys are attributes and items, ``config.gripper.closing_force_n`` and
    ``config["gripper.closing_force_n"]``. What is read is what is written, and defaults. Every
    change is checked at once, and one that is refused changes nothing; several that belong together
    are made by :meth:`update`. docs/reference/configuration.md lists all keys.
    """

    __slots__ = ("_text", "_source", "_assignments", "_checked", "_tables")

    _text: str
    _source: str
    _assignments: list[str]
    _checked: _native.Config
    _tables: dict[str, Any] | None

    def __init__(self, tables: Mapping[str, Any] | str, overrides: Overrides | None = None, *,
                 source: PathLike = "configuration") -> None:
        if isinstance(tables, Config):
            tables = tables.to_toml()
        text = tables if isinstance(tables, str) else _document(tables)
        self._become(text, os.fspath(source), _assignments(overrides))

    @classmethod
    def _of(cls, text: str, source: str, assignments: list[str]) -> Config:
        config = cls.__new__(cls)
        config._become(text, source, assignments)
        return config

    def _become(self, text: str, source: str, assignments: list[str]) -> None:
        checked = _native.Config(text, source, assignments)
        for name, value in (("_text", text), ("_source", source), ("_assignments", assignments),
                            ("_checked", checked), ("_tables", None)):
            object.__setattr__(self, name, value)

    # What is in it.

    @property
    def source(self) -> str:
        """What errors call the document: its file."""
        return self._source

    @property
    def overrides(self) -> tuple[str, ...]:
        """The changes since it was read, as --set takes them."""
        return tuple(self._assignments)

    def _tree(self) -> dict[str, Any]:
        """The document as it is written, with the defaults."""
        if self._tables is None:
            written = _native.written_toml(self._text, self._source, self._assignments)
            tables = _with_defaults(tomllib.loads(written), tomllib.loads(self._checked.toml))
            object.__setattr__(self, "_tables", tables)
            return tables  # type: ignore[no-any-return]
        return self._tables

    def _plain(self, words: Sequence[str]) -> Any:
        """A value as dict, list, text or number."""
        try:
            return _at(self._tree(), words)
        except (KeyError, IndexError, TypeError, ValueError):
            pass
        key = ".".join(words)
        try:
            table = _at(self._tree(), words[:-1])
        except (KeyError, IndexError, TypeError, ValueError):
            raise KeyError(f"{key}: there is no such key") from None
        if isinstance(table, list):
            raise IndexError(f"{key}: there are {len(table)} elements")
        there = ", ".join(table) if isinstance(table, dict) else "none, for it is no table"
        raise KeyError(f"{key}: there is no such key; there are {there}")

    def _get(self, words: tuple[str, ...]) -> Any:
        value = self._plain(words)
        if isinstance(value, dict):
            return Section(self, words)
        if isinstance(value, list):
            if value and all(isinstance(element, dict) for element in value):
                return Section(self, words)
            return tuple(tuple(v) if isinstance(v, list) else v for v in value)
        return value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._get((name,))
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __getitem__(self, key: str) -> Any:
        return self._get(tuple(str(key).split(".")))

    def __contains__(self, key: object) -> bool:
        try:
            self._plain(str(key).split("."))
        except (KeyError, IndexError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._tree())

    def keys(self) -> list[str]:
        """The names of the tables."""
        return list(self._tree())

    def help(self, key: str = "") -> str:
        """What a key means, with its unit and default: ``config.help("gripper.opening_mm")``."""
        return describe(key)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._tree()]

    def _ipython_key_completions_(self) -> list[str]:
        found: list[str] = []

        def add(prefix: str, value: Any) -> None:
            for key, below in value.items():
                found.append(prefix + key)
                if isinstance(below, dict):
                    add(f"{prefix}{key}.", below)

        add("", self._tree())
        return found

    # Changes.

    def update(self, changes: Overrides) -> None:
        """Makes several changes together: ``{"support.model": "tripod", "support.e_t": None}``.

        A value of None takes its key away. Raises ConfigError, and changes nothing, when what
        comes out is not allowed.
        """
        later = _assignments(changes)
        self._become(self._text, self._source, _joined(self._assignments, later))

    def __setattr__(self, name: str, value: Any) -> None:
        self.update({name: value})

    def __setitem__(self, key: str, value: Any) -> None:
        self.update({key: value})

    def __delattr__(self, name: str) -> None:
        self.update({name: None})

    def __delitem__(self, key: str) -> None:
        self.update({key: None})

    def copy(self, overrides: Overrides | None = None) -> Config:
        """A copy, with changes if there are any; this one stays as it is."""
        changed = _joined(self._assignments, _assignments(overrides))
        return Config._of(self._text, self._source, changed)

    def __copy__(self) -> Config:
        return self.copy()

    def __deepcopy__(self, _memo: Any) -> Config:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self._text, self._source, list(self._assignments)))

    # As text.

    def to_toml(self) -> str:
        """The configuration as TOML text with every key, as a run keeps it in config.toml."""
        return self._checked.toml

    def to_dict(self) -> dict[str, Any]:
        """The same as a new dict of tables."""
        return tomllib.loads(self._checked.toml)

    def save(self, file: PathLike) -> None:
        """Writes :meth:`to_toml` into a file."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.to_toml())

    @property
    def trials(self) -> int:
        """How many trials a run has; with adaptive sampling, at most."""
        return self._checked.trials

    def __eq__(self, other: object) -> bool:
        """Whether both give the same sweep, to the last bit."""
        return isinstance(other, Config) and self.to_toml() == other.to_toml()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        x, y, theta = self._checked.cells
        cells = f"{x} x {y}" + (f" x {theta}" if theta > 1 else "")
        if self._checked.is_adaptive:
            return f"<Config {self.name}: {cells} cells, adaptive, at most {self.trials} trials>"
        return f"<Config {self.name}: {cells} cells of {self._checked.trials_per_cell} trials>"

    def _repr_html_(self) -> str:
        return (f"<details><summary>{html.escape(repr(self)[1:-1])}</summary>"
                f"<pre>{html.escape(self.to_toml())}</pre></details>")


def _restored(text: str, source: str, assignments: list[str]) -> Config:
    return Config._of(text, source, assignments)


def load(path: PathLike, overrides: Overrides | None = None) -> Config:
    """Reads and checks the configuration in a TOML file.

    Parameters
    ----------
    path
        The file. Drawings that it names are looked for in its folder.
    overrides
        Changes, as of :class:`Config`: ``{"gripper.closing_force_n": 20}``.

    Raises
    ------
    ConfigError
        with ``file``, ``line`` and ``key``; the message is the one that ``graspmap run`` prints.
    """
    source = os.fspath(path)
    return Config._of(_native.read_toml_text(source), source, _assignments(overrides))
