"""Everything can be read in all themes."""

from __future__ import annotations

from pathlib import Path

import pytest

from augury.engine.preferences import Preferences
from augury.tui import themes
from tests.pty.goals import Figures
from tests.tui.conftest import Watch
from tests.tui.contrast import faults, ratio
from tests.tui.tour import tour, walker


def test_the_formula() -> None:
    assert ratio((0, 0, 0), (255, 255, 255)) == pytest.approx(21.0)
    assert ratio((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.005)


_LOOKS = {**themes.NAMES, "ansi on white": themes.ANSI_LIGHT}


@pytest.mark.slow  # a walk over all screens
@pytest.mark.goal
async def test_everything_can_be_read_in_every_theme(
    still_store: Path, monkeypatch: pytest.MonkeyPatch, goal: Figures
) -> None:
    wrong: dict[str, str] = {}
    async with walker(still_store, monkeypatch, Watch, (100, 30), Preferences("dark")) as watch:
        app = watch.app
        async for place in tour(watch):
            for name, theme in _LOOKS.items():
                app.theme = theme
                app.refresh_css(animate=False)  # now, not with the next message
                for style, why in faults(app, white=name == "ansi on white").items():
                    wrong.setdefault(f"{name}: {style}", f"{why} of {place}")
    assert not wrong, "\n" + "\n".join(f"{why}: {style}" for style, why in wrong.items())
    goal.holds(16, f"{', '.join(_LOOKS)}: every text of every screen and dialog")
