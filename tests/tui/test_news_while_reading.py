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
