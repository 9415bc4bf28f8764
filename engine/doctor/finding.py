"""What one check found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

State: TypeAlias = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: "warn" costs comfort, "fail" costs results."""

    area: str
    state: State
    text: str
    advice: str = ""  # what to do, where something is wrong


Check: TypeAlias = Callable[[Path], Iterator[Finding]]
