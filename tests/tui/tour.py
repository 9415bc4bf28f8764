"""A walk over all screens and dialogs of the application, always the same: for tests of looks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest
from textual.message_pump import MessagePump
from textual.widgets import OptionList, Select

from augury.engine.preferences import Preferences
from augury.engine.store import connection
from augury.engine.store.table import Table
from augury.tui.app import AuguryApp
from augury.tui.messages import EngineSpoke, Failed, StatesRead, StatusRead
from augury.tui.run_cells import Cells
from augury.tui.session import Session
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.filter_bar import FilterBar
from augury.tui.widgets.score_table import ScoreTable

if TYPE_CHECKING:
    from tests.tui.conftest import Watch

SEEDED = Path(__file__).resolve().parents[1] / "bench" / "seeded_store.py"
_AT = "2026-01-02T03:04:05Z"
_RUN = {"run_id": "rseeded", "command": "augury run testbed", "state": "finished", "reason": "",
        "created": _AT, "seconds_left": None, "total": 200, "done": 197, "failed": 3,
        "pending": 0, "running": 0}  # fmt: skip
_USE = {"percent": 71, "memory": 38000, "total": 139000, "celsius": 61}
_ENGINE = {"pid": 4121, "workers": [{"name": "gpu0", "use": _USE}]}
_CELL_NAMES = (
    "cell_id",
    "label",
    "problem",
    "seed",
    "status",
    "seconds",
    "error_kind",
    "error_message",
)
_CELLS = [
    ("a", "mlp", "testbed/d2-l10-t0.1/e0", 0, "pending", None, None, None),
    ("b", "mlp", "testbed/d2-l10-t0.1/e1", 0, "pending", None, None, None),
    ("c", "ensemble", "testbed/d2-l10-t0.1/e0", 0, "done", 1.25, None, None),
    ("d", "ensemble", "testbed/d2-l10-t0.1/e1", 0, "failed", None, "ValueError", "too small"),
]
_BEGUN = {"event": "batch", "state": "begun", "batch": "b1", "runs": ["rlive"], "worker": "gpu0",
          "cells": ["a"]}  # fmt: skip


def seeded(path: Path) -> None:
    """A store whose every number and time is the same, whenever it is made."""
    subprocess.run([sys.executable, "-P", str(SEEDED), str(path), "200"], check=True)
    con = connection.open_store(path)
    con.execute("UPDATE runs SET created_at = TIMESTAMP '2026-01-02 03:04:05', "
                "updated_at = created_at, code_version = '1'")  # fmt: skip
    con.execute("UPDATE cells SET finished_at = TIMESTAMP '2026-01-02 03:04:05'")
    con.execute("INSERT INTO results SELECT cell_id, 'ess', 10, 2, '', 4.0, NULL, 100, '' "
                "FROM cells WHERE subject = 'mlp' AND status = 'done'")  # fmt: skip
    con.close()


class Still(Session):
    """Reads the store, but hears of engine and runs only what the walk tells."""

    def start(self, app: MessagePump) -> None:
        """One status, without an engine."""
        app.post_message(StatusRead({"engine": None, "runs": [_RUN]}))

    def ask_states(self, target: MessagePump, run_id: str) -> None:
        """The cells of the run that the walk makes up are made up too."""
        if run_id == "rlive":
            target.post_message(StatesRead(run_id, Cells(Table(_CELL_NAMES, list(_CELLS)))))
        else:
            super().ask_states(target, run_id)

    @property
    def busy(self) -> int:
        """Requests that are not answered yet."""
        return sum(lane.left for lane in self._lanes.values())


@asynccontextmanager
async def walker(
    folder: Path,
    patch: pytest.MonkeyPatch,
    watch_kind: Callable[..., Watch],
    size: tuple[int, int],
    preferences: Preferences,
    environ: Mapping[str, str] | None = None,
) -> AsyncIterator[Watch]:
    """The application on the store `results` of `folder`, which is the working directory.

    Nothing on screen depends on where that is, nor on the clock.
    """
    patch.chdir(folder)
    patch.setenv("AUGURY_STORE", "results")
    patch.setenv("XDG_CACHE_HOME", "/proc/augury/cache")  # never there, and never can be
    patch.setenv("XDG_STATE_HOME", "/proc/augury/state")
    patch.setattr(os, "getcwd", lambda: "/home/you")
    for name in ("NO_COLOR", "TMUX", "SSH_CONNECTION", "AUGURY_DATA"):
        patch.delenv(name, raising=False)
    patch.setenv("TERM", "xterm-256color")
    for name, value in (environ or {}).items():
        patch.setenv(name, value)
    app = AuguryApp(Path("results"), Still(Path("results")), preferences)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield watch_kind(app, pilot)
    app.wind_up()


async def settled(watch: Watch, seconds: float = 0.04) -> None:
    """Wait until nothing is asked for and the screen has stood still for so long."""
    session: Any = watch.app.session
    before, since = "", monotonic()
    for _ in range(1500):
        await watch.pilot.pause(0.04)
        text = watch.text()
        if text != before or session.busy:
            before, since = text, monotonic()
        elif monotonic() - since > seconds:
            return
    raise AssertionError(f"never came to rest\n{before}")


async def tour(watch: Watch) -> AsyncIterator[str]:
    """Yields the name of each place while it is on screen."""

    async def at(*keys: str) -> None:
        await watch.press(*keys)
        await settled(watch)

    async def back() -> None:
        await at("escape")

    await watch.until(watch.shows("ensemble+"))
    board: Any = watch.app.screen
    await watch.until(lambda: board.page.has_ties)
    await watch.until(watch.shows("no engine"))
    await settled(watch)
    yield "leaderboard"
    await at("j", "space", "j", "space", "l", "l")
    yield "marked"
    for key, name in (("s", "sort"), ("c", "columns"), ("e", "export"), ("v", "views"),
                      ("V", "save"), ("o", "boards"), ("F", "filter_help"),
                      ("question_mark", "help")):  # fmt: skip
        await at(key)
        yield name
        await back()
    await at("slash", *"agent~zzz kl")
    await settled(watch, 0.3)  # what is typed is tried now and then
    await at("<")
    assert watch.app.screen.query_one(FilterBar).is_wrong
    yield "filter"
    await back()
    await at("z", "u")
    yield "grouped"
    await at("z", "z", "u", "u", "equals_sign")
    yield "compare"
    await back()
    await at("A", "equals_sign")
    await watch.opens(type(watch.app.screen), OptionList)
    yield "second"
    await back()
    await at("T")
    yield "transfer"
    await back()
    await at("H")
    yield "heat"
    await at("j", "l", "right_square_bracket")
    yield "heat_moved"
    await back()
    await at("g", "enter")
    yield "row"
    await at("tab", "plus")
    yield "row_chart"
    await at("0", "tab")
    yield "row_config"
    await at("tab", "enter")
    await watch.until(watch.shows("seed"))
    yield "row_seeds"
    await at("e")
    yield "write"
    await back()
    await at("enter")
    await watch.until(lambda: not watch.app.screen.query_one(ChartView).chart.is_empty)
    yield "cell"
    for name in ("config", "scores", "log"):
        await at("tab")
        yield f"cell_{name}"
    for _ in range(4):
        await back()
    await at("g")
    async for name in _tabs(watch, at, back):
        yield name


async def _tabs(watch: Watch, at: Any, back: Any) -> AsyncIterator[str]:
    await at("2")
    await watch.until(lambda: watch.app.screen.query_one(ScoreTable).sheet.total)
    await settled(watch)
    yield "runs"
    await at("d")
    yield "details"
    await back()
    await at("exclamation_mark")
    yield "failure"
    await back()
    await at("l")
    yield "runs_log"
    await at("l")
    more = {"run_id": "rlive", "command": "augury run quick", "state": "running", "total": 4,
            "done": 1, "failed": 1, "pending": 2, "seconds_left": 61.0}  # fmt: skip
    watch.app.post_message(StatusRead({"engine": _ENGINE, "runs": [{**_RUN, **more}, _RUN]}))
    await watch.until(watch.shows("rlive"))
    watch.app.post_message(EngineSpoke(_BEGUN))
    for step in range(10, 100, 10):  # losses of one width: a column never gets narrower
        watch.app.post_message(EngineSpoke({
            "event": "progress", "run": "rlive", "batch": "b1", "cells": ["a"], "label": "mlp",
            "problem": "p", "phase": "train", "step": step, "num_steps": 100,
            "loss": 0.9123 - step / 125,
        }))  # fmt: skip
        await watch.pilot.pause()
    await watch.until(lambda: "90/100" in watch.app.screen.query_one(ChartView).lines[0])
    await settled(watch)
    yield "runs_live"
    await at("g", "x")
    yield "confirm"
    await back()
    await at("3")
    await watch.until(watch.shows("cells"))
    await settled(watch)
    yield "launch"
    watch.app.screen.query(Select).first().focus()
    await at("enter", "down")
    yield "launch_select"
    await at("escape", "escape", "ctrl+r")
    await watch.until(watch.shows("nothing has started"))
    await settled(watch)
    yield "dry_run"
    await back()
    await at("4")
    yield "data"
    watch.app.post_message(Failed("Made up", "what happened. What to do about it."))
    await watch.until(watch.shows("What to do"))
    await settled(watch)
    yield "error"
    await at("enter", "1", "p")
    for severity in ("warning", "error"):
        watch.app.notify("made up", title=severity, severity=severity, timeout=60)
    watch.app.notify("rows.csv\nsame as: augury leaderboard", title="Written", timeout=60)
    await watch.until(watch.shows("same as"))
    await settled(watch)
    yield "paused"
    watch.app.clear_notifications()
    await at("p", "colon")
    await at(*"next")
    yield "palette"
    await back()
