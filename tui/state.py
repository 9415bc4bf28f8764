"""What the application remembers between two starts: theme, scenario, looks of each board."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from augury.engine.paths import state_directory


@dataclass(slots=True)
class BoardState:
    """How one board is looked at."""

    sort: str = ""
    descending: bool = False
    filter: str = ""
    # Sweep, scale, settings and version of an older board; empty: the newest. Never saved, for the
    # next start would hide what ran since.
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class ViewState:
    """Everything remembered for one store."""

    theme: str = ""
    scenario: str = ""
    boards: dict[str, BoardState] = field(default_factory=dict)

    def board(self, scenario: str) -> BoardState:
        """The state of one board, made on first use."""
        return self.boards.setdefault(scenario, BoardState())


def path_for(store: Path) -> Path:
    """One file for each store, so that two stores never mix."""
    digest = hashlib.blake2b(str(store.absolute()).encode(), digest_size=8).hexdigest()
    return state_directory() / f"view-{digest}.json"


def load(store: Path) -> ViewState:
    """What was saved; the defaults if nothing was, or if it cannot be read."""
    try:
        raw = json.loads(path_for(store).read_text("utf-8"))
        boards = {str(k): BoardState(**v) for k, v in raw.pop("boards").items()}
        state = ViewState(**raw, boards=boards)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return ViewState()
    texts: list[Any] = [state.theme, state.scenario]
    return state if all(isinstance(text, str) for text in texts) else ViewState()


def save(store: Path, state: ViewState) -> None:
    """Write at once and whole. A disk that refuses costs the memory, not the session."""
    path = path_for(store)
    new = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(json.dumps(asdict(_without_contexts(state)), indent=1), "utf-8")
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)


def _without_contexts(state: ViewState) -> ViewState:
    boards = {name: replace(board, context={}) for name, board in state.boards.items()}
    return replace(state, boards=boards)
