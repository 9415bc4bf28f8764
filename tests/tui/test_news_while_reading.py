"""News faster than the store answers: the board comes all the same."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from augury.tui.messages import EngineSpoke
from augury.tui.session import Session


class _Slow(Session):
    """A store whose boards take longer than the next news."""

    def query(self, name: str, /, **params: Any) -> Any:
        if name == "board":
            time.sleep(1.3)
        return super().query(name, **params)


_CELLS = {"event": "cells", "run_ids": ["r"], "done": ["x"], "failed": []}


async def _news(watch: Any, met: Any, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        watch.app.post_message(EngineSpoke(_CELLS))
        await watch.pilot.pause(0.2)
        if met():
            return True
    return False


async def test_a_run_that_commits_every_second_does_not_starve_the_first_board(
    store: Path, watching: Any
) -> None:
    async with watching(store, _Slow(store)) as watch:
        assert await _news(watch, watch.shows("ensemble+"), 12.0), watch.text()


async def test_keys_that_read_again_do_not_either(store: Path, watching: Any) -> None:
    async with watching(store, _Slow(store)) as watch:
        for _ in range(6):
            await watch.press("r")
            await watch.pilot.pause(0.4)
        await watch.until(watch.shows("ensemble+"), 12.0)


class _Counted(Session):
    """How often the board was read."""

    boards = 0

    def query(self, name: str, /, **params: Any) -> Any:
        self.boards += name == "board"
        return super().query(name, **params)


async def test_a_board_that_was_not_seen_catches_up_when_it_is(store: Path, watching: Any) -> None:
    session = _Counted(store)
    async with watching(store, session) as watch:
        board = watch.app.screen
        await watch.until(lambda: board.page is not None and board.page.has_ties)
        for away, back in ((("2",), ("1",)), (("enter",), ("escape",))):
            await watch.press(*away)
            await watch.until(watch.shows("[2 Runs]" if away == ("2",) else "40 problems"))
            watch.app.post_message(EngineSpoke(_CELLS))
            await watch.pilot.pause(1.5)
            read = session.boards
            await watch.press(*back)
            await watch.until(lambda read=read: session.boards > read)
            await watch.until(watch.shows("5 rows"))
            await watch.pilot.pause(0.5)
        read = session.boards
        await watch.press("2")
        await watch.until(watch.shows("[2 Runs]"))
        await watch.press("1")
        await watch.until(watch.shows("[1 Leaderboard]"))
        await watch.pilot.pause(0.5)
        assert session.boards == read  # nothing new: nothing is read
