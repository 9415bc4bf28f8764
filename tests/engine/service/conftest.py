"""Engines for tests: real processes on stores of their own, ended with the test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from augury.engine.plan import Selection
from augury.engine.service.client import Client, ensure
from tests import engines

TOY = Path(__file__).with_name("toy")
Until = Callable[..., Any]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    """A store's directory; whatever engine serves it is ended."""
    path = tmp_path / "store"
    yield path
    engines.end(path)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines started from here run the toy scenario, on two workers."""
    path = os.pathsep.join(filter(None, (str(TOY), os.environ.get("PYTHONPATH"))))
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("AUGURY_WORKERS", "2")
    monkeypatch.setenv("AUGURY_CPU", "1")


@pytest.fixture
def until() -> Until:
    """Wait for a condition and give its value; fails after a time."""
    return engines.until


@pytest.fixture
def submit() -> Callable[..., dict[str, Any]]:
    """Submit cells of `uniform` with these seeds on the smoke testbed (two problems)."""

    def call(client: Client, *seeds: int, sweep: str = "testbed-quick") -> dict[str, Any]:
        selection = Selection((sweep,), ("uniform",), seeds, "smoke")
        return client.call("submit", selection=selection.to_json(), command="augury run toy")

    return call


@pytest.fixture
def run_of() -> Callable[[Client, str], dict[str, Any]]:
    """One run's part of the status."""

    def call(client: Client, run_id: str) -> dict[str, Any]:
        return next(r for r in client.call("status")["runs"] if r["run_id"] == run_id)

    return call


@pytest.fixture
def finished(run_of: Callable[..., Any], until: Until) -> Callable[[Client, str], dict[str, Any]]:
    """Wait for the end of a run; its part of the status."""

    def wait(client: Client, run_id: str) -> dict[str, Any]:
        return until(lambda: (r := run_of(client, run_id))["state"] == "finished" and r, "end")

    return wait


@pytest.fixture
def engine(store: Path, toy: None) -> Iterator[Client]:
    """A client of a toy engine."""
    with ensure(store) as client:
        yield client
