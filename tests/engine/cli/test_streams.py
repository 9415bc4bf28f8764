"""Where a table goes: terminals, of ASCII alone too, pipes, files, and streams that are closed."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.cli.main import main
from augury.engine.plain_text import plain


def call(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), prog_name="augury")


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


def test_a_path_told_in_ascii_is_no_other_files(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "é.csv"
    said = _shell(f"--ascii cells -o '{path}'").stderr
    assert said.isascii() and f"wrote $'{tmp_path}/\\xc3\\xa9.csv'" in said and path.exists()
    said = _shell(f"--ascii cells -o '{tmp_path}/ü/x.csv'").stderr
    assert said.isascii() and "/\\xc3\\xbc" in said and "/u" not in said
    assert f"wrote {path}" in _shell(f"cells -o '{path}'").stderr


@pytest.mark.parametrize(
    "words", ["plot along testbed --by input_dim", "leaderboard testbed --by kappa --plot"]
)
def test_charts_are_drawn_for_a_terminal_of_plain_ascii(
    store: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    braille = _in_terminal(*words.split())[1]
    assert any("\u2800" < sign <= "\u28ff" for sign in braille)
    monkeypatch.setenv("LC_ALL", "C")
    code, drawn = _in_terminal(*words.split())
    assert code == 0 and drawn.isascii() and "?" not in drawn and drawn.count("*") > 1
    assert len(drawn.splitlines()) == len(braille.splitlines())
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert _in_terminal("--ascii", *words.split())[1] == drawn
    if words.startswith("plot"):
        assert plain(_in_terminal(*words.split(), "--ascii")[1]) == drawn


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
