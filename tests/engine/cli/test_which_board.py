"""Names of boards, which of several is shown, and stores that are not there."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.cli.main import main
from augury.engine.cli.which_board import place
from augury.engine.paths import store_directory
from augury.engine.plan import Selection, expand
from augury.engine.store import connection, write
from augury.engine.store.records import RunRecord

READING = (
    "leaderboard testbed", "leaderboard testbed --by kappa --plot", "compare testbed", "claims",
    "tuning", "cells", "cells --failed", "sql 'select 1'", "status", "status --json", "logs",
    "resume", "retry --failed", "cancel --all", "engine status", "engine stop",
)  # fmt: skip


def call(words: str) -> Result:
    return CliRunner().invoke(main, shlex.split(words), prog_name="augury")


def plan(path: Path, run: str, *words: str) -> None:
    """A run of these sweeps at smoke scale, with nothing done."""
    con = connection.open_store(path)
    try:
        selection = Selection(words, ("uniform",), scale="smoke")
        write.add_run(con, RunRecord(run, "augury run", {}), expand(selection))
    finally:
        con.close()


@pytest.mark.parametrize("fmt", ["table", "csv", "markdown"])
def test_the_newest_of_several_boards_says_so(store: Path, tmp_path: Path, fmt: str) -> None:
    assert "this is" not in call(f"leaderboard testbed --format {fmt}").stderr
    plan(store, "rnew", "testbed-2d")
    told = (
        "this is --sweep testbed-quick --scale smoke, one of 2 boards. The newest is empty. "
        "For another give --sweep testbed-2d --scale smoke.\n"
    )
    assert call(f"leaderboard testbed --format {fmt}").stderr == told
    out = tmp_path / "board"
    assert call(f"leaderboard testbed --format {fmt} -o {out}").stderr == f"wrote {out}\n{told}"
    older = call(f"leaderboard testbed --sweep testbed-quick --format {fmt}")
    assert older.stderr == "" and "ensemble" in older.stdout
    compared = call(f"compare testbed --format {fmt}")
    assert compared.stderr.startswith(
        "this is --sweep testbed-quick --scale smoke, one of 2 boards"
    )


def test_boards_that_differ_by_settings_are_told_apart(store: Path) -> None:
    con = connection.open_store(store)
    try:
        words = ("testbed-quick",), ("uniform",), (), "smoke", ("testbed.tau=[1,5]",)
        write.add_run(con, RunRecord("rtau", "augury run", {}), expand(Selection(*words)))
    finally:
        con.close()
    shown = call("leaderboard testbed-quick")
    told = shown.stderr
    assert "one of 2 boards. The newest is empty." in told and told.count("--settings") == 2
    other = told.partition("For another give ")[2].rstrip(".\n")
    chosen = call(f"leaderboard testbed {other}")
    assert "ensemble" in shown.stdout and "ensemble" not in chosen.stdout
    assert "uniform" in chosen.stdout


def test_many_boards_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "many"
    for number, sweep in enumerate(
        ("testbed", "testbed-2d", "testbed-quick", "testbed-tuning", "testbed-2d-tuning")
    ):
        plan(path, f"r{number}", sweep)
    con = connection.open_store(path)
    try:
        selection = Selection(("testbed",), ("uniform",), scale="full")
        write.add_run(con, RunRecord("rfull", "augury run", {}), expand(selection))
    finally:
        con.close()
    told = call(f"leaderboard testbed --store {path}").stderr
    assert "the newest of 6 boards" in told and told.endswith("; and 1 more.\n")
    assert told.count("--sweep") == 5


def test_a_sweep_is_a_board(store: Path) -> None:
    plan(store, "rnew", "testbed-2d")
    whole = call("leaderboard testbed --sweep testbed-quick --format csv")
    assert call("leaderboard testbed-quick --format csv").stdout == whole.stdout != ""
    pairs = call("compare testbed-quick --agent mlp,ensemble")
    assert (pairs.exit_code, pairs.stderr) == (0, "")
    assert place("real") == ("real", None) and place("mi-quick") == ("mi", "mi-quick")
    assert place("files") == ("testbed", "files") and place("tables") == ("real", "tables")
    assert place("coins", "coins") == ("testbed", "coins")


@pytest.mark.parametrize("fmt", ["table", "csv"])
def test_a_board_of_nothing_says_how_to_fill_it(store: Path, fmt: str) -> None:
    for words, again in (("coins", "coins"), ("ppc --scale smoke", "ppc --scale smoke"),
                         ("testbed-2d --config best", "testbed-2d --config best")):  # fmt: skip
        result = call(f"leaderboard {words} --format {fmt}")
        assert result.exit_code == 0
        assert result.stderr == f"nothing is evaluated there yet: augury run {again}\n"


@pytest.mark.parametrize("words", READING)
def test_a_store_that_was_named_must_be_there(tmp_path: Path, words: str) -> None:
    for given in (f"{words} --store {tmp_path}/typo", words):  # AUGURY_STORE names one that is not
        result = call(given)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("augury: no store at ") and result.stderr.count("\n") == 1
        assert "augury run quick" in result.stderr
    assert not (tmp_path / "typo").exists() and not store_directory().exists()


@pytest.mark.parametrize("words", READING)
def test_the_default_store_may_be_yet_to_come(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.delenv("AUGURY_STORE")
    result = call(words)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.count("\n") == 1 or words.startswith(("status", "engine status"))
    assert not store_directory().exists()
