"""A store that belongs to another user: nothing is started there, and the reason is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from augury.engine.errors import StoreError, StoreLockedError
from augury.engine.service import client, launch
from augury.engine.service.client import Client
from augury.engine.service.reader import Reader
from augury.engine.store.connection import open_store

ROOT = "you are root, but the store .* belongs to"


@pytest.fixture
def as_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is owned by somebody, and we are root."""
    if os.getuid() == 0:
        (tmp_path / "store").mkdir(mode=0o700, exist_ok=True)
        os.chown(tmp_path / "store", 65534, 65534)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_no_engine_is_started(store: Path, as_root: None) -> None:
    store.mkdir(exist_ok=True)
    before = sorted(store.iterdir())
    for start in (client.ensure, launch.spawn):
        with pytest.raises(StoreError, match=ROOT):
            start(store)
    assert sorted(store.iterdir()) == before


def test_an_engine_does_not_serve_it(store: Path, as_root: None) -> None:
    store.mkdir(exist_ok=True)
    code = (
        "import os, sys; os.geteuid = lambda: 0;"
        "from augury.engine.service.process import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(store)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "you are root" in done.stderr and done.stderr.count("\n") == 1
    assert not list(store.iterdir())


def test_reading_stays_allowed(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_store(store).close()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert Reader(store).query("runs").rows == []


def test_a_living_engine_of_another_user_is_named_as_such(
    engine: Client, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = "root" if os.getuid() == 0 else f"user {os.getuid()}"
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    for ask in (Reader(store).status, lambda: client.connect(store)):
        with pytest.raises(StoreLockedError, match=f"in use by the engine of {owner}") as caught:
            ask()
        assert "engine stop" not in caught.value.message
