"""The whole application in ASCII: no screen paints another character."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from augury.engine.preferences import Preferences
from tests.tui.conftest import Watch
from tests.tui.tour import seeded, tour, walker


def painted(app: Any) -> list[str]:
    """Lines as they go to the terminal: filtered."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_no_screen_paints_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    seeded(tmp_path / "results")
    seen = {}
    async with walker(tmp_path, monkeypatch, Watch, size, Preferences(ascii=True)) as watch:
        async for name in tour(watch):
            lines = seen[name] = painted(watch.app)
            for line in lines:
                assert line.isascii(), (name, [c for c in line if not c.isascii()], line)
                assert len(line) == size[0]
    assert len(seen) > 30
