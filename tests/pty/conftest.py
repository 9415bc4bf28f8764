"""The application on real terminals, with a store of made-up numbers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.pty.terminal import Terminal

HERE = Path(__file__).resolve().parent
SEEDED = HERE.parent / "bench" / "seeded_store.py"


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
    ) -> Terminal:
        place = [] if store is None else ["--store", str(store)]
        command = [*before, sys.executable, "-P", "-m", "augury", *place, *options]
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


@pytest.fixture
def bare_start() -> Callable[[], float]:
    """CPU milliseconds to the first frame of a bare Textual application, measured now.

    What costs are scaled by: over what an idle machine takes it says how many times slower this
    one is at this moment. Nothing of ours is in it, so nothing that we add can hide in it; and
    other work that swells CPU time (it shares a core's caches) swells both alike.
    """

    def start() -> float:
        terminal = Terminal([sys.executable, "-P", "-c", _BARE], {})
        try:
            terminal.wait_for("ready")
            return terminal.read_ms
        finally:
            terminal.close()

    return start
