"""What the application remembers between two starts: theme, scenario, looks of each board."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augury.engine.paths import discard, state_directory

if TYPE_CHECKING:
    from augury.engine.service.link import Store
    from augury.engine.views import View


@dataclass(slots=True)
class BoardState:
    """How one board is looked at."""

    sort: str = ""  # a column's name; "" is the rank
    descending: bool = False
    then: str = ""  # what decides between equals: COLUMN or -COLUMN
    filter: str = ""
    columns: list[str] = field(default_factory=list)  # shown, in this order; []: the board's own
    units: str = ""
    baseline: str = ""
    group: str = ""
    errors: bool = True  # columns of standard errors
    colours: bool = True  # from a column's best to its worst
    bars: bool = True
    # Sweep, scale, settings and version of an older board; empty: the newest. Never saved, for the
    # next start would hide what ran since.
    context: Mapping[str, Any] = field(default_factory=dict)

    def sort_words(self) -> list[str]:
        """The order as the board query takes it; empty for the rank, best first."""
        first = self.sort or ("rank" if self.descending or self.then else "")
        words = [f"-{first}" if self.descending else first, self.then]
        return [word for word in words if word]

    def view(self) -> View:
        """What can be saved under a name, and what the command line knows."""
        from augury.engine.views import View  # not before the first frame

        return View(
            tuple(self.sort_words()), self.filter, tuple(self.columns), self.units, self.baseline,
            self.group,
        )  # fmt: skip

    def take(self, view: View) -> None:
        """Look at the board as a saved view says."""
        first, then, *_ = (*view.sort, "", "")
        self.sort, self.descending, self.then = first.lstrip("-"), first.startswith("-"), then
        self.filter, self.columns = view.filter, list(view.columns)
        self.units, self.baseline, self.group = view.units, view.baseline, view.group


@dataclass(slots=True)
class ViewState:
    """Everything remembered for one store."""

    theme: str = ""
    scenario: str = ""
    boards: dict[str, BoardState] = field(default_factory=dict)

    def board(self, scenario: str) -> BoardState:
        """The state of one board, made on first use."""
        return self.boards.setdefault(scenario, BoardState())


def path_for(store: Store) -> Path:
    """One file for each store, so that two stores never mix."""
    name = str(store.absolute() if isinstance(store, Path) else store)
    digest = hashlib.blake2b(name.encode(), digest_size=8).hexdigest()
    return state_directory() / f"view-{digest}.json"


def load(store: Store) -> ViewState:
    """What was saved; the defaults if nothing was, or if it cannot be read."""
    try:
        raw = json.loads(path_for(store).read_text("utf-8"))
        boards = {str(k): BoardState(**v) for k, v in raw.pop("boards").items()}
        state = ViewState(**raw, boards=boards)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return ViewState()
    sound = _is_like(state, ViewState()) and all(_is_like(b, BoardState()) for b in boards.values())
    return state if sound else ViewState()


def save(store: Store, state: ViewState) -> None:
    """Write at once and whole. A disk that refuses costs the memory, not the session."""
    path = path_for(store)
    new = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(json.dumps(asdict(_without_contexts(state)), indent=1), "utf-8")
        new.replace(path)
    except OSError:
        discard(new)


def _is_like(found: Any, plain: Any) -> bool:
    return all(
        isinstance(getattr(found, f.name), type(getattr(plain, f.name))) for f in fields(plain)
    )


def _without_contexts(state: ViewState) -> ViewState:
    boards = {name: replace(board, context={}) for name, board in state.boards.items()}
    return replace(state, boards=boards)
