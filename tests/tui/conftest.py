"""Stores with made-up numbers, and an application that shows one without a terminal."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.css.query import NoMatches
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from augury.engine.preferences import Preferences
from augury.engine.service.link import Store
from augury.tui.app import AuguryApp
from augury.tui.screens.export import ExportDialog
from augury.tui.session import Session

_NONE = Preferences()
SEEDED = Path(__file__).resolve().parents[1] / "bench" / "seeded_store.py"


@pytest.fixture(scope="session")
def _seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seeded")
    subprocess.run([sys.executable, "-P", str(SEEDED), str(path), "200"], check=True)
    return path


@pytest.fixture
def store(_seeded: Path, tmp_path: Path) -> Path:
    """200 cells of the testbed, five subjects, one of which has two failed cells."""
    return Path(shutil.copytree(_seeded, tmp_path / "store"))


@pytest.fixture(scope="session")
def _still(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.tui.tour import seeded

    path = tmp_path_factory.mktemp("still") / "results"
    seeded(path)
    return path


@pytest.fixture
def still_store(_still: Path, tmp_path: Path) -> Path:
    """A folder with the store `results`, of which every number and time is always the same."""
    shutil.copytree(_still, tmp_path / "results")
    return tmp_path


class Watch:
    """An application under a pilot, and a way to wait for what threads bring."""

    def __init__(self, app: AuguryApp, pilot: Pilot[None]) -> None:
        """Watch `app`."""
        self.app, self.pilot = app, pilot

    async def until(self, met: Callable[[], Any], seconds: float = 60.0) -> None:
        """Let the application run until `met` is true. Fails when it never is.

        A widget that is not there yet is no failure: screens compose themselves in their own time.
        """
        for _ in range(int(seconds / 0.02)):
            if self._is_met(met):
                await self.pilot.pause()
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"never came true: {met}\n{self.text()}")

    @staticmethod
    def _is_met(met: Callable[[], Any]) -> bool:
        try:
            return bool(met())
        except NoMatches:
            return False

    async def press(self, *keys: str) -> None:
        """Press keys and let them take effect."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def opens(self, kind: type[Screen[Any]], widget: type[Widget] | None = None) -> None:
        """Wait until a screen of this kind is in front, with such a widget on it."""
        screen = lambda: self.app.screen  # noqa: E731
        await self.until(
            lambda: isinstance(screen(), kind) and (widget is None or screen().query_one(widget))
        )

    def lines(self) -> list[str]:
        """What is on screen, to its edge."""
        width = self.app.size.width
        return [strip.text[:width] for strip in self.app.screen._compositor.render_strips()]

    async def exported(self, folder: Path) -> str:
        """Export by key e; the file's text, which is that of the command the dialog shows."""
        ours, theirs = folder / "ours.csv", folder / "theirs.csv"
        await self.press("e")
        await self.opens(ExportDialog, Input)
        dialog = self.app.screen
        assert isinstance(dialog, ExportDialog)
        dialog.query_one(Input).value = str(ours)
        words = [*shlex.split(dialog._command)[1:], "--format", "csv", "-o", str(theirs)]
        await self.press("enter")
        await self.until(ours.exists)
        command = [sys.executable, "-P", "-m", "augury", *words]
        subprocess.run(command, check=True, capture_output=True)
        assert ours.read_bytes() == theirs.read_bytes()
        return ours.read_text()

    def text(self) -> str:
        """What is on screen."""
        return "\n".join(line.rstrip() for line in self.lines())

    def shows(self, words: str) -> Callable[[], bool]:
        """A condition: `words` are on screen."""
        return lambda: words in self.text()


@pytest.fixture
def watching() -> Callable[..., Any]:
    """`async with watching(store) as watch`: the application at 80x24."""

    @asynccontextmanager
    async def run(
        store: Store,
        session: Session | None = None,
        size: tuple[int, int] = (80, 24),
        preferences: Preferences = _NONE,
    ) -> AsyncIterator[Watch]:
        app = AuguryApp(store, session, preferences)
        async with app.run_test(size=size, notifications=True) as pilot:
            yield Watch(app, pilot)
        app.wind_up()

    return run
