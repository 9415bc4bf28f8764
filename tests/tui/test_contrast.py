"""Everything can be read in the themes of which no whole snapshots are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from augury.engine.preferences import Preferences
from tests.pty.goals import Figures
from tests.tui.conftest import Watch
from tests.tui.contrast import faults, ratio
from tests.tui.tour import tour, walker


def test_the_formula() -> None:
    assert ratio((0, 0, 0), (255, 255, 255)) == pytest.approx(21.0)
    assert ratio((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.005)


@pytest.mark.goal
@pytest.mark.parametrize("theme", ["light", "safe", "ansi", "ansi on white"])
async def test_everything_can_be_read(
    still_store: Path, monkeypatch: pytest.MonkeyPatch, theme: str, goal: Figures
) -> None:
    name, _, white = theme.partition(" ")
    environ = {"COLORFGBG": "0;15"} if white else {}
    wrong: dict[str, str] = {}
    chosen = Preferences(name)
    async with walker(still_store, monkeypatch, Watch, (100, 30), chosen, environ) as watch:
        async for place in tour(watch):
            for style, why in faults(watch.app, white=bool(white)).items():
                wrong.setdefault(style, f"{why} of {place}")
    assert not wrong, "\n" + "\n".join(f"{why}: {style}" for style, why in wrong.items())
    goal.holds(16, f"{theme}: every text of every screen and dialog")
