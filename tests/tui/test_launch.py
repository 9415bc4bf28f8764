"""The Launch tab: counts, commands, wrong input, submission."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.message_pump import MessagePump
from textual.widgets import Input, Select, Static

from augury.engine.errors import EngineError
from augury.engine.plan import Selection
from augury.engine.service.reader import Reader
from augury.tui.messages import Submitted
from augury.tui.screens.launch import LaunchScreen
from augury.tui.screens.runs import RunsScreen
from augury.tui.session import Session
from augury.tui.widgets.chooser import Chooser


class _Recording(Session):
    def __init__(self, store: Path, new: int) -> None:
        super().__init__(store)
        self.new, self.submitted = new, list[Selection]()

    def submit(self, target: MessagePump, selection: Selection) -> None:
        self.submitted.append(selection)
        target.post_message(Submitted("", {"run_id": "r1", "new": self.new, "total": 2}))


def _said(watch: Any, which: str) -> str:
    return str(watch.app.screen.query_one(which, Static).render())


async def test_preview_counts_what_is_stored(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        screen = watch.app.screen
        screen.query_one("#what", Select).value = "testbed"
        await watch.until(lambda: "--agent" not in _said(watch, "#command"))
        await watch.until(lambda: "testbed --detach" in _said(watch, "#command"))
        told = Reader(store).preview(Selection(("testbed",)))
        expected = f"{told['total']} cells, {told['stored']} already stored → {told['new']} new"
        await watch.until(lambda: expected in _said(watch, "#preview"))
        assert told["stored"] > 0


async def test_choices_become_a_command_and_a_run(tmp_path: Path, watching: Any) -> None:
    session = _Recording(tmp_path, new=2)
    async with watching(tmp_path, session) as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        screen = watch.app.screen
        screen.query_one("#what", Select).value = "testbed-quick"
        await watch.until(lambda: "testbed-quick" in _said(watch, "#command"))
        chooser = screen.query_one(Chooser)
        chooser.focus()
        await watch.press("A", "down", "down", "down", "space")
        await watch.until(lambda: chooser.chosen == ("mlp",) and "[x] mlp" in watch.text())
        await watch.until(watch.shows("[ ] ensemble"))
        screen.query_one("#scale", Select).value = "smoke"
        screen.query_one("#seeds", Input).value = "0-1"
        words = "augury run testbed-quick --agent mlp --seeds 0-1 --scale smoke --detach"
        await watch.until(lambda: words in _said(watch, "#command"))
        await watch.until(lambda: "4 cells, 0 already stored → 4 new" in _said(watch, "#preview"))
        await watch.press("ctrl+s")
        await watch.until(lambda: isinstance(watch.app.screen, RunsScreen))
        assert session.submitted == [Selection(("testbed-quick",), ("mlp",), (0, 1), "smoke")]


async def test_wrong_seeds_are_explained_and_start_nothing(tmp_path: Path, watching: Any) -> None:
    session = _Recording(tmp_path, new=2)
    async with watching(tmp_path, session) as watch:
        await watch.press("3")
        await watch.opens(LaunchScreen, Chooser)
        watch.app.screen.query_one("#seeds", Input).value = "zero"
        await watch.until(lambda: "seeds are whole numbers" in _said(watch, "#preview"))
        assert _said(watch, "#command") == ""
        await watch.press("ctrl+s")
        assert session.submitted == [] and isinstance(watch.app.screen, LaunchScreen)


async def test_nothing_new_stays_here(tmp_path: Path, watching: Any) -> None:
    session = _Recording(tmp_path, new=0)
    async with watching(tmp_path, session) as watch:
        await watch.press("3")
        await watch.until(lambda: "cells" in _said(watch, "#preview"))
        await watch.press("ctrl+s")
        await watch.until(lambda: bool(session.submitted))
        await watch.until(lambda: isinstance(watch.app.screen, LaunchScreen))
        await watch.until(lambda: any("Nothing new" in n.message for n in watch.app._notifications))


async def test_what_cannot_be_counted_is_said_on_the_line(
    tmp_path: Path, watching: Any, monkeypatch: Any
) -> None:
    def refuse(self: Reader, selection: Selection) -> Any:
        raise EngineError("the engine runs other sources")

    monkeypatch.setattr(Reader, "preview", refuse)
    async with watching(tmp_path) as watch:
        await watch.press("3")
        await watch.until(lambda: "✖ the engine runs other" in _said(watch, "#preview"))
        await watch.until(lambda: isinstance(watch.app.screen, LaunchScreen))
