"""JSON values and their one canonical text. Apart from `types`: readers of a store need no more."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

JSON: TypeAlias = Any


def canonical(value: JSON) -> str:
    """JSON text with sorted keys and no spaces; mappings and tuples allowed, NaN refused."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} has no JSON form")
