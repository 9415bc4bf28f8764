"""What is said on the engine's socket: JSON lines, requests, replies, events."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path

from augury.engine import errors
from augury.engine.canonical import JSON

LINE_LIMIT = 8 << 20  # bytes; a longer request is refused
# Refused between different sources.
MUTATING = frozenset({"submit", "resume", "retry", "prioritise"})

_ERRORS = {
    kind.__name__: kind
    for kind in (
        errors.AuguryError,
        errors.UsageError,
        errors.StoreError,
        errors.StoreLockedError,
        errors.EngineError,
        errors.EngineAbsentError,
    )
}


def now() -> str:
    """UTC, ISO-8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def encode(message: Mapping[str, JSON]) -> bytes:
    """One line. Raises ValueError for NaN: a missing number travels as null with a reason."""
    text = json.dumps(message, separators=(",", ":"), allow_nan=False, default=_plain)
    return text.encode() + b"\n"


def decode(line: bytes) -> dict[str, JSON]:
    """The object of one line. Raises `EngineError` for anything else."""
    try:
        message = json.loads(line, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        raise errors.EngineError(f"not a line of JSON: {error}") from None
    if not isinstance(message, dict):
        raise errors.EngineError("a message is a JSON object.")
    return message


def error_to_json(error: BaseException) -> dict[str, str]:
    """An error as it travels; unknown kinds become `EngineError`."""
    if isinstance(error, errors.AuguryError):
        kind = next((c.__name__ for c in type(error).__mro__ if c.__name__ in _ERRORS), "")
        return {"kind": kind, "message": error.message, "title": error.title}
    return {
        "kind": "EngineError",
        "message": f"the engine failed on this request: {type(error).__name__}: {error}",
        "title": "Error",
    }


def error_from_json(value: Mapping[str, str]) -> errors.AuguryError:
    """The inverse of `error_to_json`."""
    kind = _ERRORS.get(value.get("kind", ""), errors.EngineError)
    return kind(value.get("message", "unknown error"), value.get("title", "Error"))


def _finite(text: str) -> float:
    """NaN, Infinity and 1e999 could not be sent back, so they are not taken either."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is no finite number")
    return number


def _plain(value: object) -> JSON:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, datetime):
        aware = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
        return aware.isoformat(timespec="milliseconds")
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
