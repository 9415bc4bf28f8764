"""A web server, a dead one, and a cache that tests do not share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.datasets.web import Web, serving


@pytest.fixture
def web() -> Iterator[Web]:
    with serving() as server:
        yield server


@pytest.fixture
def dead() -> str:
    """The address of a server that is not there."""
    with serving() as server:
        return server.url("")


@pytest.fixture(autouse=True)
def _cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is found in, or fetched into, a cache that tests share."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("augury.engine.datasets.transfer.PAUSE_SECONDS", 0.0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where the small set's files belong."""
    return tmp_path / "cache" / "augury" / "data" / "numbers"
