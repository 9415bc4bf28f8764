"""Boards, cells and SQL on a store that no engine holds."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.cli.main import main
from augury.engine.paths import store_directory
from tests.engine.cli.conftest import AGENTS

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
