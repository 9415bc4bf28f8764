"""The application on real terminals, with a store of made-up numbers."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.pty.terminal import Terminal

SEEDED = Path(__file__).resolve().parents[1] / "bench" / "seeded_store.py"
# CPU milliseconds that a bare Textual application takes on the idle machine that all limits of CPU
# time were set on.
BARE_MS = 180.0


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1,000 cells: 10,000 rows of results."""
    path = tmp_path_factory.mktemp("seeded")
    subprocess.run([sys.executable, "-P", str(SEEDED), str(path), "1000"], check=True)
    return path


@pytest.fixture
def store(seeded: Path, tmp_path: Path) -> Path:
    """A copy to open."""
    return Path(shutil.copytree(seeded, tmp_path / "store"))


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """`opened(store, rows=, cols=, term=, env=)`: the application on a pty; ended afterwards."""
    all_of_them: list[Terminal] = []

    def start(
        store: Path | None,
        rows: int = 24,
        cols: int = 80,
        term: str = "xterm-256color",
        env: dict[str, str] | None = None,
        before: tuple[str, ...] = (),
        options: tuple[str, ...] = (),
        program: tuple[str, ...] = ("-m", "augury"),
    ) -> Terminal:
        place = [] if store is None else ["--store", str(store)]
        command = [*before, sys.executable, "-P", *program, *place, *options]
        terminal = Terminal(command, env or {}, rows, cols, term)
        all_of_them.append(terminal)
        return terminal

    yield start
    for terminal in all_of_them:
        terminal.close()


_BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("ready")
Bare().run()
"""


class Yardstick:
    """How many times slower this machine is, at this moment, than an idle one.

    By the first frame of a bare Textual application. Nothing of ours is in it, so nothing that we
    add can hide in it; and other work that swells CPU time (it shares a core's caches) swells both.
    """

    def __init__(self) -> None:
        """Nothing is measured yet."""
        self._found: list[float] = []

    def look(self) -> None:
        """Measure: before, among and after what is to be held to a limit."""
        terminal = Terminal([sys.executable, "-P", "-c", _BARE], {})
        try:
            terminal.wait_for("ready")
            self._found.append(terminal.read_ms)
        finally:
            terminal.close()

    @property
    def slowness(self) -> float:
        """By the middle of all looks; 1 on a machine that is faster."""
        return max(statistics.median(self._found) / BARE_MS, 1.0)


@pytest.fixture
def yardstick() -> Yardstick:
    """What CPU times are scaled by. No other margin."""
    found = Yardstick()
    found.look()
    return found
