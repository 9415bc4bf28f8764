"""Boards, cells and SQL on a store that no engine holds."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.cli import watch
from augury.engine.cli.main import main
from augury.engine.paths import store_directory

AGENTS = ("uniform", "prior", "mlp", "ensemble", "ensemble+")
RUN = ("run", "testbed-quick", "--agent", ",".join(AGENTS), "--scale", "smoke")
CELL_COLUMNS = (
    "cell_id run scenario sweep problem subject config seed status metric tau kappa split value "
    "stderr num_samples scale settings scenario_version code_version device seconds"
).split()


def call(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), prog_name="augury")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("fmt", ["csv", "json", "parquet", "markdown", "latex", "table"])
def test_stdout_and_file_are_the_same_bytes(store: Path, tmp_path: Path, fmt: str) -> None:
    out = tmp_path / "board"
    shown = call("leaderboard", "testbed", "--format", fmt)
    written = call("leaderboard", "testbed", "--format", fmt, "-o", str(out))
    assert (shown.exit_code, written.exit_code, written.stdout) == (0, 0, "")
    assert out.read_bytes() == shown.stdout_bytes != b""
    assert written.stderr == f"wrote {out}\n"


def test_one_row_for_each_subject_with_value_and_error(store: Path) -> None:
    found = rows(call("leaderboard", "testbed", "--format", "csv").stdout)
    assert {row["agent"] for row in found} == set(AGENTS)
    for name in ("kl_t1", "kl_t10_iid", "kl_t10_k2"):
        assert all(float(row[name]) > 0 and float(row[f"{name}_stderr"]) > 0 for row in found)


def test_sort_filter_and_columns_reach_the_store(store: Path) -> None:
    words = ("--sort", "-accuracy", "--filter", "agent~ens", "--columns", "agent,accuracy")
    found = rows(call("leaderboard", "testbed", "--format", "csv", *words).stdout)
    assert {row["agent"] for row in found} == {"ensemble", "ensemble+"}
    accuracies = [float(row["accuracy"]) for row in found]
    assert accuracies == sorted(accuracies, reverse=True)
    assert "kl_t1" not in found[0]


@pytest.mark.parametrize(
    "words",
    ["--sort zzz", "--filter zzz=1", "--columns zzz", "--baseline zzz", "--sweep zzz", "--by zzz",
     "--run zzz", "--settings ["],
)  # fmt: skip
def test_a_wrong_word_is_one_line(store: Path, words: str) -> None:
    result = call("leaderboard", "testbed", *words.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1


def test_the_suffix_of_the_file_gives_the_format(store: Path, tmp_path: Path) -> None:
    for suffix, start in ((".md", "| rank |"), (".csv", "rank,agent,"), (".tex", "%")):
        out = tmp_path / f"board{suffix}"
        assert call("leaderboard", "testbed", "-o", str(out)).exit_code == 0
        assert out.read_text().startswith(start)


def test_cells_are_in_long_form_with_their_documented_columns(store: Path) -> None:
    result = call("cells", "--format", "csv")
    found = rows(result.stdout)
    assert list(found[0]) == CELL_COLUMNS
    assert len(found) == 5 * 2 * 2 * 4
    iid = [row for row in found if (row["metric"], row["tau"], row["kappa"]) == ("kl", "10", "0")]
    assert len(iid) == 5 * 2 * 2


def test_failed_cells_say_why_in_one_line_each(broken_store: Path) -> None:
    lines = call("cells", "--failed").stdout.splitlines()
    assert len(lines) == 2 + 4
    assert "ValueError" in lines[2] and "loss is not finite" in lines[2]
    (first, *_) = json.loads(call("cells", "--failed", "--format", "json").stdout)
    assert first["traceback"].startswith("Traceback")


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


def test_sql_reads(store: Path) -> None:
    shown = call("sql", "select count(*) as n from cells", "--format", "json")
    assert json.loads(shown.stdout) == [{"n": 20}]


@pytest.mark.parametrize(
    "statement",
    ["drop table cells", "select 1; select 2", "select frm", "copy cells to '/tmp/x.csv'",
     "with x as (insert into meta values ('a', 'b') returning 1) select * from x",
     "select * from read_text('/etc/passwd')", "attach '/tmp/other.duckdb'", ""],
)  # fmt: skip
@pytest.mark.parametrize("fmt", ["table", "csv"])
def test_sql_that_is_no_plain_select_is_refused(store: Path, statement: str, fmt: str) -> None:
    before = (store / "results.duckdb").read_bytes()
    result = call("sql", statement, "--format", fmt)
    assert result.exit_code in (1, 2)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "bug" not in result.stderr
    assert (store / "results.duckdb").read_bytes() == before


@pytest.mark.parametrize("fmt", ["csv", "markdown"])
def test_a_place_that_cannot_be_written_is_one_line(store: Path, tmp_path: Path, fmt: str) -> None:
    for out in (tmp_path, tmp_path / "none" / "x", Path("/proc/x"), f"{tmp_path}/new/"):
        result = call("leaderboard", "testbed", "--format", fmt, "-o", str(out))
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.count("\n") == 1
        assert "bug" not in result.stderr
    assert [p.name for p in tmp_path.iterdir() if p.name[0] in ".n"] == []


def test_an_older_file_stays_until_the_new_one_is_whole(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.md"
    out.write_text("old")
    assert call("leaderboard", "testbed", "--sort", "zzz", "-o", str(out)).exit_code == 2
    assert out.read_text() == "old"
    assert call("leaderboard", "testbed", "-o", str(out)).exit_code == 0
    assert out.stat().st_mode & 0o777 == 0o666 & ~_umask()


def test_without_a_terminal_augury_prints_the_boards(store: Path) -> None:
    result = call()
    assert result.exit_code == 0
    assert "ensemble+" in result.stdout
    assert "augury leaderboard testbed --sweep testbed-quick --scale smoke" in result.stderr


def test_an_empty_store_says_how_to_start() -> None:
    store_directory().mkdir()
    result = call()
    assert (result.exit_code, result.stdout) == (0, "")
    assert "augury run quick" in result.stderr


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


def test_parquet_to_a_terminal_is_refused(store: Path) -> None:
    code, text = _in_terminal("leaderboard", "testbed", "--format", "parquet")
    assert code == 2
    assert text.startswith("augury: parquet is binary")


def test_a_board_fits_an_80_column_terminal(store: Path) -> None:
    code, text = _in_terminal("leaderboard", "testbed")
    assert code == 0
    lines = text.splitlines()
    assert max(map(len, lines[1:])) <= 80
    assert sum("ensemble+" in line for line in lines) > 1


def test_a_terminal_of_plain_ascii_gets_ascii(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = _in_terminal("leaderboard", "testbed")[1]
    assert "KL τ=1 " in shown and " ± " in shown
    monkeypatch.setenv("LC_ALL", "C")
    plain = _in_terminal("leaderboard", "testbed")[1]
    assert plain.isascii() and "KL t=1 " in plain and " +-" in plain
    assert [len(line) for line in plain.splitlines()] == [len(s) for s in shown.splitlines()]
    assert "τ" in _shell("leaderboard testbed").stdout  # a pipe takes all
    assert _shell("--ascii leaderboard testbed").stdout.isascii()
    assert _shell("--ascii list").stdout.isascii()  # whatever prints it
    data = [_shell(f"{words} leaderboard testbed --format csv").stdout for words in ("", "--ascii")]
    assert data[0] == data[1]  # nothing but what is read by people


def test_a_reader_that_stops_early_is_no_error(store: Path) -> None:
    command = [sys.executable, "-P", "-m", "augury", "cells", "--format", "csv"]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as broken:
        done = subprocess.run(command, stdout=broken, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["", "leaderboard testbed --format csv", "list agents"])
def test_only_a_closed_stdout_is_an_error(store: Path, closed: str, words: str) -> None:
    done = _shell(f"{words} {closed}")
    lost = ">&-" in closed.replace("2>&-", "")
    assert done.returncode == (1 if lost else 0)
    assert (done.stdout == "") == lost
    if closed == ">&-":
        assert done.stderr == "augury: stdout: it is closed.\n"


@pytest.mark.parametrize("words", ["run quick --detach", "run quick", "goldens mi"])
def test_long_work_does_not_begin_without_a_stdout(store: Path, words: str) -> None:
    done = _shell(f"{words} >&-")
    assert (done.returncode, done.stderr) == (1, "augury: stdout: it is closed.\n")
    assert not (store / "engine.log").exists()


@pytest.mark.parametrize("words", ["leaderboard testbed", "cells --format csv", "list agents"])
def test_a_stdout_that_takes_nothing_is_one_line(store: Path, tmp_path: Path, words: str) -> None:
    readable = tmp_path / "readable"
    readable.touch()
    done = _shell(f"{words} 1< {readable}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("fmt", ["csv", "json", "parquet", "table"])
def test_rows_that_nothing_matches_are_told(store: Path, tmp_path: Path, fmt: str) -> None:
    for words in (("leaderboard", "testbed"), ("cells",)):
        for filters, told in (("subject~zzz", True), ("!subject~zzz", False)):
            out = str(tmp_path / "out")
            result = call(*words, "--filter", filters.replace("subject", "agent")
                          if words[0] == "leaderboard" else filters,
                          "--format", fmt, "-o", out)  # fmt: skip
            assert result.exit_code == 0
            assert ("no row matches." in result.stderr) == told


def test_no_failed_cell_is_told(store: Path) -> None:
    assert call("cells", "--failed").stderr == "no cell has failed.\n"


def test_a_suffix_that_is_no_format_is_told(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.xyz"
    result = call("leaderboard", "testbed", "-o", str(out))
    assert result.exit_code == 0
    assert result.stderr.startswith(".xyz names no format (.csv ")
    assert result.stderr.count("\n") == 2
    given = call("leaderboard", "testbed", "--format", "csv", "-o", str(out))
    assert given.stderr == f"wrote {out}\n"


@pytest.mark.parametrize("words", ["resume", "cancel"])
def test_a_finished_run_is_left_as_it_is(store: Path, words: str) -> None:
    result = call(words, "r1a2b3")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "augury: run r1a2b3 is finished already.\n"
    assert not (store / "engine.log").exists()


def test_a_finished_run_with_failed_cells_names_retry(broken_store: Path) -> None:
    assert "augury retry --failed r1a2b3" in call("resume", "r1a").stderr


def _shell(words: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -P -m augury {words}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)


def _in_terminal(*words: str) -> tuple[int, str]:
    """Run in a pseudo-terminal of 80 columns; exit code and everything shown."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-P", "-m", "augury", *words]
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    child = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 65536):
            shown += chunk
    except OSError:
        pass  # Linux says "input/output error" when the last writer is gone
    os.close(ours)
    return child.wait(), shown.decode().replace("\r\n", "\n")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
