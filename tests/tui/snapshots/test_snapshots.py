"""Screens as they were looked at and found good; `SNAPSHOTS=write` rewrites."""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path
from time import monotonic

import pytest

from augury.engine.preferences import THEMES, Preferences
from tests.tui.conftest import Watch
from tests.tui.snapshots.picture import picture
from tests.tui.tour import settled, tour, walker

HERE = Path(__file__).resolve().parent
WRITE = os.environ.get("SNAPSHOTS") == "write"
_SECONDS = 20.0  # that a screen may take to become what it should be
_REST = 2.5  # longer than any pace of the application: what is written stands still


async def _compared(watch: Watch, name: str, path: Path) -> list[str]:
    """The difference from what is kept; waits until there is none, for what threads bring."""
    if WRITE:
        await settled(watch, _REST)
        path.parent.mkdir(exist_ok=True)
        path.write_text(picture(watch.app), "utf-8")
        return []
    kept = path.read_text("utf-8") if path.exists() else ""
    end = monotonic() + _SECONDS
    while (found := picture(watch.app)) != kept:
        if monotonic() > end:
            return [*unified_diff(kept.splitlines(), found.splitlines(), f"kept {path.name}",
                                  "found", lineterm="", n=1)]  # fmt: skip
        await watch.pilot.pause(0.05)
    return []


@pytest.mark.slow  # a walk over all screens
@pytest.mark.parametrize(("size", "theme"), [
    ((80, 24), "dark"), ((120, 40), "dark"),
])  # fmt: skip
async def test_every_screen(
    still_store: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], theme: str
) -> None:
    folder = HERE / f"{size[0]}x{size[1]}"
    seen = set()
    async with walker(still_store, monkeypatch, Watch, size, Preferences(theme)) as watch:
        async for name in tour(watch):
            seen.add(f"{name}.txt")
            difference = await _compared(watch, name, folder / f"{name}.txt")
            assert not difference, "\n".join(difference)
    assert {path.name for path in folder.iterdir()} == seen


@pytest.mark.parametrize("theme", [t for t in THEMES if t != "dark"])
async def test_a_board_in_every_theme(
    still_store: Path, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    async with walker(still_store, monkeypatch, Watch, (80, 24), Preferences(theme)) as watch:
        async for name in tour(watch):
            if name == "marked":
                difference = await _compared(watch, name, HERE / "themes" / f"{theme}.txt")
                assert not difference, "\n".join(difference)
                break
