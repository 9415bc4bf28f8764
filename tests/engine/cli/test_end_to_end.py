"""The command line as a person uses it, on engines of its own: smoke runs of cheap agents."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from augury.engine.cli.table import read_table
from augury.engine.datasets.own.ask import Asked
from augury.engine.paths import store_directory
from augury.engine.plan import Selection
from augury.engine.service import client
from tests.engines import until

QUICK = ("testbed-2d", "--scale", "smoke")
BAD = """
import time

def make_agent():
    def agent(data, prior, key):
        time.sleep(0.2)
        raise RuntimeError("bad agent\\nby design")
    return agent
"""


def start(store: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", "-m", "augury", *words, "--store", str(store)]
    environment = {**os.environ, "AUGURY_IDLE_SECONDS": "20", "AUGURY_WORKERS": "1"}
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def call(store: Path, *words: str) -> tuple[int, str, str]:
    child = start(store, *words)
    out, err = child.communicate(timeout=200)
    return child.returncode, out, err


def status(store: Path) -> dict:
    return json.loads(call(store, "status", "--json")[1])


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A store whose engine is stopped afterwards."""
    store = tmp_path / "place"
    yield store
    call(store, "cancel", "--all")
    call(store, "engine", "stop")


def test_run_then_run_again_then_export(place: Path) -> None:
    code, out, err = call(place, "run", *QUICK, "--agent", "uniform")
    assert code == 0, err
    assert "uniform" in out and "±" in out
    lines = err.splitlines()
    assert lines[0].endswith(": 2 new cells in 1 batch, 0 already stored.")
    assert lines.count("stored 1 cell") + 2 * lines.count("stored 2 cells") == 2
    assert lines[-1].startswith("CSV: augury leaderboard testbed --sweep testbed-2d")
    assert "\x1b" not in out + err

    code, again, err = call(place, "run", *QUICK, "--agent", "uniform")
    assert (code, again) == (0, out)
    assert err.startswith("0 new cells: all 2 cells are stored.\n")

    code, text, _ = call(place, "leaderboard", "testbed", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (code, row["agent"], row["problems"]) == (0, "uniform", "2")
    alive = status(place)
    assert alive["engine"]["pid"] > 0
    assert [(run["state"], run["done"]) for run in alive["runs"]] == [("finished", 2)]

    # Without its engine the store gives the same bytes.
    assert call(place, "engine", "stop")[0] == 0
    assert status(place)["engine"] is None
    assert call(place, "leaderboard", "testbed", "--format", "csv")[1] == text


def test_detach_interrupt_lose_the_engine_cancel_resume_attach(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD)  # cells that fail need no compilation
    words = ("testbed-2d", "--scale", "quick", "--seeds", "0-1", "--agent", f"{file}:make_agent")
    code, run_id, err = call(place, "run", *words, "--detach")
    run_id = run_id.strip()
    assert code == 0, err
    assert f"watch: augury attach {run_id}" in err

    watcher = start(place, "attach")
    until(lambda: status(place)["runs"][0]["failed"] > 0)
    watcher.send_signal(signal.SIGINT)
    _, err = watcher.communicate(timeout=30)
    assert watcher.returncode == 130
    assert err.splitlines()[-3:] == [
        f"run {run_id} goes on by itself",
        f"watch: augury attach {run_id} --store {place}",
        f"stop: augury cancel {run_id} --store {place}",
    ]

    watcher = start(place, "attach", run_id[:5])
    assert watcher.stderr and watcher.stderr.readline()  # it shows something: it is connected
    os.kill(status(place)["engine"]["pid"], signal.SIGKILL)
    until(lambda: (status(place)["engine"] or {}).get("pid") is not None)
    assert watcher.poll() is None

    assert call(place, "cancel", run_id)[0] == 0
    _, err = watcher.communicate(timeout=60)
    assert watcher.returncode == 1
    assert err.splitlines()[-1] == (
        f"augury: run {run_id} is cancelled. Go on: augury resume {run_id} --store {place}"
    )
    assert "lost the engine; starting it again" in err
    code, _, err = call(place, "cancel", run_id)
    assert (code, err) == (1, f"augury: run {run_id} is cancelled already.\n")

    assert call(place, "resume", run_id)[0] == 0
    code, out, _ = call(place, "attach", run_id)
    assert code == 3
    assert "bad.make_agent" in out
    (run,) = status(place)["runs"]
    assert (run["state"], run["done"], run["failed"]) == ("finished", 0, 36)


def test_failed_cells_exit_3_are_named_and_tried_again(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(BAD)
    code, _, err = call(place, "run", *QUICK, "--agent", f"{file}:make_agent")
    assert code == 3, err
    told = [line for line in err.splitlines() if line.startswith("failed ")]
    assert told[0].startswith("failed bad.make_agent testbed/2d-n")
    assert told[0].endswith(" seed 0 RuntimeError: bad agent")
    assert told[1:] == ["failed 1 more cell RuntimeError: bad agent"]
    assert "2 cells failed" in err.splitlines()
    assert all("Traceback" not in line for line in err.splitlines())
    assert "bad agent" in call(place, "cells", "--failed")[1]
    code, _, err = call(place, "retry", "--failed")
    assert code == 0
    assert err.startswith("2 failed cells to be tried again.\n")
    assert call(place, "attach")[0] == 3


def test_a_table_that_changes_while_its_run_waits(place: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("x,y\n" + "".join(f"{i % 7},{'ab'[i % 2]}\n" for i in range(40)))
    given = ("--data", str(file), "--target", "y", "--scale", "smoke")
    code, out, err = call(place, "run", *given, "--agent", "uniform")
    assert code == 0, err
    assert err.startswith("mine.csv: 40 rows, 32 to learn from and 8 to test on")
    assert "uniform" in out and "(tables, smoke" in out

    table = read_table(Asked(file, "y", (), 0.2, 0))
    chosen = Selection(("real",), ("mlp", "uniform"), scale="smoke", tables=(table,))
    file.write_text(file.read_text() + "1,a\n")
    with client.ensure(place) as engine:
        told = engine.call("submit", selection=chosen.to_json())
    assert (told["new"], told["stored"]) == (1, 1)
    code, _, err = call(place, "attach", told["run_id"])
    assert code == 3, err
    failed = call(place, "cells", "--failed", "--format", "csv")[1]
    assert f"{file} changed since the run was launched; launch it again." in failed
    code, again, _ = call(place, "leaderboard", "tables", "--format", "csv")
    (row,) = [row for row in csv.DictReader(io.StringIO(again)) if row["done"] == "1"]
    assert (code, row["agent"]) == (0, "uniform")


@pytest.mark.parametrize(
    "words",
    ["--version", "where", "list agents", "status", "leaderboard testbed", "run quick --dry-run"],
)
def test_no_command_imports_jax_or_a_terminal_library(words: str) -> None:
    store_directory().mkdir()
    code = (
        "import sys; from augury.engine.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "bad = {'jax', 'haiku', 'optax', 'textual', 'rich', 'numpy', 'scipy'} & set(sys.modules)\n"
        "print('BAD', sorted(bad), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *words.split()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.splitlines()[-1] == "BAD []"
