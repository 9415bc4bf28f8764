"""`augury resume` after an engine's death: real engines, toy cells."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.cli.main import main
from augury.engine.plan import Selection
from augury.engine.service import client, lock
from augury.engine.service.reader import Reader
from augury.engine.store.connection import open_store
from tests import engines
from tests.engine.service.conftest import TOY

WAITS = 1003  # the seed of a toy cell that never ends


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store without results, whose engines run the toy."""
    path = os.pathsep.join(filter(None, (str(TOY), os.environ.get("PYTHONPATH"))))
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("AUGURY_WORKERS", "1")
    monkeypatch.setenv("AUGURY_CPU", "1")
    store = tmp_path / "place"
    yield store
    engines.end(store)


def _resume(store: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["resume", *words, "--store", str(store)], prog_name="augury")


def test_resume_takes_up_the_run_of_an_engine_that_died(place: Path) -> None:
    with client.ensure(place) as engine:
        selection = Selection(("testbed-quick",), ("uniform",), (WAITS,), "smoke").to_json()
        run_id = engine.call("submit", selection=selection, command="augury run toy")["run_id"]
        died = engine.hello["pid"]
    engines.end(place)
    status = CliRunner().invoke(main, ["status", "--json", "--store", str(place)])
    told = json.loads(status.stdout)
    (run,) = told["runs"]
    assert (told["engine"], run["state"], run["running"]) == (None, "stopped", 0)
    assert run["pending"] == run["total"]
    assert run["resume"] == f"augury resume {run_id} --store {place}"
    told = _resume(place)
    assert told.exit_code == 0, told.stderr
    assert run_id in told.stderr and "nothing to resume" not in told.stderr
    with client.connect(place) as engine:
        assert engine.hello["pid"] != died
        engines.until(lambda: engine.call("status")["runs"][0]["running"])


def test_resume_of_an_empty_store_starts_no_engine(place: Path) -> None:
    open_store(place).close()
    told = _resume(place)
    assert told.exit_code == 0
    assert "nothing to resume" in told.stderr
    named = _resume(place, "r123")
    assert named.exit_code == 2 and "no run yet" in named.stderr
    assert not lock.held(place) and not list(place.glob("engine*"))


def test_resume_where_all_is_done_starts_no_engine(store: Path) -> None:
    told = _resume(store)
    assert told.exit_code == 0 and "nothing to resume" in told.stderr
    assert Reader(store).query("runs").column("state") == ["finished"]
    assert not list(store.glob("engine*"))
