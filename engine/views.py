"""Saved views: how a board is looked at, under a name. One file for the terminal and the command.

`views.json` in the state directory: scenario -> name -> the fields of `View` that are set.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from augury.engine.errors import StoreError, UsageError, unknown
from augury.engine.paths import discard, state_directory


@dataclass(frozen=True, slots=True)
class View:
    """What `augury leaderboard` takes, without which board it is."""

    sort: tuple[str, ...] = ()
    filter: str = ""
    columns: tuple[str, ...] = ()
    units: str = ""
    baseline: str = ""
    group: str = ""

    def params(self) -> dict[str, Any]:
        """Parameters of the query `board`: those that are set."""
        said = {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}
        return {name: value for name, value in said.items() if value}


def views(scenario: str) -> dict[str, View]:
    """The views of a scenario by name; what cannot be read is left out."""
    found = {}
    for name, fields in _read().get(scenario, {}).items():
        try:
            found[str(name)] = _view(**fields)
        except TypeError:  # written by hand, or by another version
            continue
    return found


def view(scenario: str, name: str) -> View:
    """One view. Raises `UsageError` for a name that is none."""
    known = views(scenario)
    if not known:
        raise UsageError(f"no view of {scenario} is saved: V in the terminal application does it.")
    if name not in known:
        raise unknown(f"view of {scenario}", name, known)
    return known[name]


def save(scenario: str, name: str, what: View | None) -> None:
    """Keep a view under a name, or forget the name. Raises `StoreError`."""
    everything = _read()
    mine = dict(everything.get(scenario, {}))
    mine.pop(name, None)
    if what is not None:
        mine[name] = what.params()
    path = _path()
    new = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(json.dumps({**everything, scenario: mine}, indent=1), "utf-8")
        new.replace(path)
    except OSError as error:
        discard(new)
        raise StoreError(f"cannot write {path}: {error.strerror}.") from None


def _view(sort: Iterable[str] = (), columns: Iterable[str] = (), **texts: str) -> View:
    return View(sort=tuple(map(str, sort)), columns=tuple(map(str, columns)),
                **{name: str(text) for name, text in texts.items()})  # fmt: skip


def _path() -> Path:
    return state_directory() / "views.json"


def _read() -> dict[str, Mapping[str, Any]]:
    try:
        found = json.loads(_path().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(k): v for k, v in found.items() if isinstance(v, dict)}
