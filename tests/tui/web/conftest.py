"""The server for browsers; its tests need the extra `serve`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.web.served import Served


@pytest.fixture
def served(store: Path) -> Iterator[Served]:
    made = Served(store)
    yield made
    made.close()
