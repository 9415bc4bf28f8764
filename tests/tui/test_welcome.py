"""An empty store: the offer, and a board that is not one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.message_pump import MessagePump

from augury.engine.plan import Selection
from augury.engine.store import boards
from augury.engine.store.table import Table
from augury.tui.messages import Submitted
from augury.tui.screens.runs import RunsScreen
from augury.tui.session import Session


class _Recording(Session):
    """Takes submissions without an engine."""

    def __init__(self, store: Path) -> None:
        super().__init__(store)
        self.submitted: list[Selection] = []

    def submit(self, target: MessagePump, selection: Selection) -> None:
        self.submitted.append(selection)
        target.post_message(Submitted("", {"run_id": "r123456", "new": 66, "total": 66}))


async def test_enter_starts_the_quick_run(tmp_path: Path, watching: Any) -> None:
    session = _Recording(tmp_path / "none")
    async with watching(tmp_path / "none", session) as watch:
        await watch.until(watch.shows("No results in this store yet"))
        await watch.press("enter")
        await watch.until(lambda: isinstance(watch.app.screen, RunsScreen))
        assert session.submitted == [Selection(("quick",))]
        await watch.until(
            lambda: any("Safe to quit" in n.message for n in watch.app._notifications)
        )
    assert not (tmp_path / "none").exists()


async def test_the_published_board_is_marked(
    tmp_path: Path, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def published(scenario: str) -> Table:
        meta = {"published": True, "title": "T", **boards.describe(boards.load(scenario))}
        return Table(("rank", "agent", "kl_t10_k2"), [(1.0, "theirs", 0.25)], meta)

    monkeypatch.setattr(boards, "published", published)
    session = _Recording(tmp_path / "none")
    async with watching(tmp_path / "none", session) as watch:
        await watch.until(watch.shows("published, not yours"))
        await watch.until(watch.shows("theirs"))
        await watch.until(watch.shows("No results in this store yet"))
        await watch.press("e")
        await watch.until(watch.shows("published, not yours"))
        await watch.press("enter")
        await watch.until(lambda: session.submitted == [Selection(("quick",))])


async def test_no_published_board_is_said(
    tmp_path: Path, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "published", lambda scenario: None)
    async with watching(tmp_path / "none") as watch:
        await watch.until(watch.shows("No published board"))
