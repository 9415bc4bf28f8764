"""Runs that are over: nothing is started again, and failed cells are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.cli import watch
from augury.engine.cli.main import main
from augury.engine.cli.selection import command_text
from tests.engine.cli.conftest import AGENTS, SELECTION, fill

RUN = ("run", "testbed-quick", "--agent", ",".join(AGENTS), "--scale", "smoke")


def call(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), prog_name="augury")


def test_whoever_comes_late_to_a_run_is_told_why_cells_failed(
    broken_store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = {"run_id": "r1a2b3", "state": "finished", "failed": 4}
    monkeypatch.setattr(watch, "_until_ended", lambda *_: ended)
    assert watch.watch(broken_store, "r1a2b3") == ended
    first, rest = capsys.readouterr().err.splitlines()
    assert first.startswith("failed prior testbed/")
    assert first.endswith("/e0 seed 0 ValueError: loss is not finite")
    assert rest == "failed 3 more cells ValueError: loss is not finite"


def test_a_run_with_nothing_new_starts_nothing_and_prints_its_board(store: Path) -> None:
    result = call(*RUN, "--seeds", "0-1")
    assert result.exit_code == 0
    assert result.stderr.startswith("0 new cells")
    assert "ensemble+" in result.stdout
    assert not (store / "engine.sock").exists()


def test_dry_run_counts(store: Path) -> None:
    result = call(*RUN, "--seeds", "0-2", "--dry-run")
    assert result.stdout.splitlines()[:2] == ["30 cells", "20 already stored"]
    assert result.stdout.splitlines()[2].startswith("10 new cells in ")


def test_status_and_attach_of_a_finished_run(store: Path) -> None:
    shown = call("status")
    assert "no engine is running" in shown.stdout
    assert "r1a2b3  finished  20/20" in shown.stdout
    found = json.loads(call("status", "--json").stdout)
    assert found["engine"] is None
    assert [run["run_id"] for run in found["runs"]] == ["r1a2b3"]
    attached = call("attach", "r1a")
    assert attached.exit_code == 0
    assert "ensemble+" in attached.stdout
    assert call("attach", "r9").exit_code == 2


def test_attach_to_a_run_with_failed_cells_exits_3(broken_store: Path) -> None:
    result = call("attach")
    assert result.exit_code == 3
    assert "augury cells --failed --run r1a2b3" in result.stderr
    assert "again: augury retry --failed r1a2b3\n" in result.stderr


def test_cells_of_a_file_that_changed_are_not_to_be_tried_again(tmp_path: Path) -> None:
    """They fail alike as long as it is not what they were planned on."""
    place = ("--store", str(fill(tmp_path / "changed", {"prior"}, "ChangedError")))
    result = call("attach", *place)
    assert result.exit_code == 3 and "retry" not in result.stderr
    again = command_text(SELECTION) + f" --store {place[1]}"
    assert f"of a file that has changed: 4 cells; as it is now: {again}\n" in result.stderr


@pytest.mark.parametrize("words", ["resume", "cancel"])
def test_a_finished_run_is_left_as_it_is(store: Path, words: str) -> None:
    result = call(words, "r1a2b3")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "augury: run r1a2b3 is finished already.\n"
    assert not (store / "engine.log").exists()


def test_a_finished_run_with_failed_cells_names_retry(broken_store: Path) -> None:
    assert "augury retry --failed r1a2b3" in call("resume", "r1a").stderr
