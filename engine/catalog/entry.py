"""One line of a catalog table, and how its config is read, compared and overridden."""

from __future__ import annotations

import dataclasses
import functools
import math
import shlex
import sys
import types as _types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Generic, TypeVar

from augury.engine.canonical import JSON
from augury.engine.errors import UsageError, unknown
from augury.engine.targets import load as load

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Extra:
    """A package that the project runs without."""

    module: str  # as imported: "sklearn"
    package: str  # as installed: "scikit-learn"

    @property
    def missing(self) -> bool:
        """Whether this environment lacks it; nothing is imported."""
        return find_spec(self.module) is None

    @property
    def install(self) -> str:
        """The command that brings it."""
        python = shlex.quote(sys.executable)
        if find_spec("pip") is None:  # uv makes environments without it
            return f"uv pip install --python {python} {self.package}"
        return f"{python} -m pip install {self.package}"

    def refusal(self, name: str) -> UsageError:
        """What to raise where `name` is asked for without it."""
        return UsageError(f"{name} needs {self.package}; to install it: {self.install}")


@dataclass(frozen=True, slots=True)
class Entry(Generic[C]):
    """A subject that exists. Nothing is imported until `load`."""

    target: str  # "augury.engine.agents.mlp:make_agent"
    config: C  # frozen dataclass holding the defaults
    version: int = 1  # bumped when a default, formula or split changes a number
    group: str = (
        ""  # subjects of one group share a compiled program and, at equal config, a training
    )
    paper: str = ""
    tags: frozenset[str] = frozenset()
    needs: Extra | None = None  # what only some environments have
    summary: str = ""  # one line; else that of the config's docstring


def lookup(table: Mapping[str, C], name: str, kind: str) -> C:
    """The table's entry, or a `UsageError` that names the nearest one."""
    if name not in table:
        raise unknown(kind, name, table)
    return table[name]


def differences(config: Any, default: Any) -> dict[str, JSON]:
    """The fields of `config` that differ from `default`, as JSON values."""
    pairs = ((f.name, getattr(config, f.name)) for f in dataclasses.fields(config))
    return {name: _jsonable(value) for name, value in pairs if value != getattr(default, name)}


def as_json(config: Any) -> dict[str, JSON]:
    """All fields, as JSON values."""
    return {f.name: _jsonable(getattr(config, f.name)) for f in dataclasses.fields(config)}


def override(default: C, changes: Mapping[str, JSON], where: str) -> C:
    """`default` with JSON values put in, each cast to the type of its field (1 becomes 1.0)."""
    hints = _hints(type(default))
    cast = {}
    for name, value in changes.items():
        if name not in hints:
            raise unknown(f"field of {where}", name, hints)
        cast[name] = _cast(hints[name], value, f"{where}.{name}")
    try:
        return dataclasses.replace(default, **cast)  # type: ignore[type-var]
    except ValueError as error:
        raise UsageError(f"{where}: {error}") from None


def traced(config: Any) -> dict[str, float]:
    """The float fields: numbers that a compiled program takes as arguments."""
    hints = _hints(type(config))
    return {name: getattr(config, name) for name, hint in hints.items() if hint is float}


def static(config: Any) -> dict[str, JSON]:
    """All other fields: a change of one needs another compiled program."""
    apart = traced(config)
    return {k: v for k, v in as_json(config).items() if k not in apart}


@functools.cache  # a sweep asks for the same few types once for each cell
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _jsonable(value: Any) -> JSON:
    return [_jsonable(v) for v in value] if isinstance(value, tuple) else value


def _cast(hint: Any, value: JSON, where: str) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, _types.UnionType):
        if value is None and type(None) in args:
            return None
        return _cast(next(a for a in args if a is not type(None)), value, where)
    if origin is typing.Literal:
        if value in args:
            return value
        raise unknown(f"value of {where}", str(value), map(str, args))
    if origin is tuple and isinstance(value, (list, tuple)):
        inner = [args[0]] * len(value) if args[-1] is Ellipsis else list(args)
        if len(inner) == len(value):
            return tuple(_cast(h, v, where) for h, v in zip(inner, value, strict=True))
    if hint is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        return _finite(value, where)
    if hint is int and not isinstance(value, bool) and isinstance(value, (int, float)):
        if isinstance(value, int) or value.is_integer():
            return _counted(int(value), where)
    if hint in (bool, str) and isinstance(value, hint):
        return value
    name = getattr(hint, "__name__", str(hint))
    raise UsageError(f"{where} takes {name}, got {value!r}.")


# What takes time only; all else takes memory too.
_ONE_BY_ONE = ("steps", "burn_in", "save_every", "rows", "factor")
_MOST_SIDE_BY_SIDE = 1_000_000


def _counted(value: int, where: str) -> int:
    """Small enough for the 32-bit counters of compiled programs, and for a machine's memory."""
    if abs(value) >= 2**31:
        raise UsageError(f"{where} takes int below 2^31, got {_short(value)}.")
    if value > _MOST_SIDE_BY_SIDE and not where.endswith(_ONE_BY_ONE):
        raise UsageError(f"{where} takes int up to {_MOST_SIDE_BY_SIDE:,}, got {value:,}.")
    return value


def _finite(value: float, where: str) -> float:
    try:
        if math.isfinite(number := float(value)):
            return number
    except OverflowError:  # a whole number of hundreds of digits
        pass
    raise UsageError(f"{where} takes a finite number, got {_short(value)}.")


def _short(value: float) -> str:
    text = f"{value!r}"
    return text if len(text) <= 40 else f"{text[:20]}... of {len(text)} digits"
