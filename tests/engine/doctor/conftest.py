"""A store with numbers in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from augury.engine.paths import store_directory

SEEDED = Path(__file__).parents[2] / "bench" / "seeded_store.py"


@pytest.fixture(scope="session")
def _seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seeded")
    subprocess.run([sys.executable, "-P", str(SEEDED), str(path), "20"], check=True)
    return path


@pytest.fixture
def store(_seeded: Path) -> Path:
    """At the place where a bare command looks."""
    return Path(shutil.copytree(_seeded, store_directory()))
