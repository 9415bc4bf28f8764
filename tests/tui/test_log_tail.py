"""The log's end: read on, turned over, bounded, filtered."""

from __future__ import annotations

from pathlib import Path

from augury.engine.service import log
from augury.engine.service.reader import Reader
from augury.tui.log_tail import MOST_LINES, LogTail, LogText, Whose, added

_STAMP = "2026-11-30T00:00:00.000Z INFO"


def _append(store: Path, *lines: str) -> None:
    with (store / log.NAME).open("a") as file:
        file.writelines(f"{line}\n" for line in lines)


def _look(tail: LogTail, store: Path, whose: Whose | None = None) -> LogText:
    return tail.look(Reader(store), whose or Whose())


def test_only_what_was_appended_is_read(tmp_path: Path) -> None:
    tail = LogTail()
    assert not _look(tail, tmp_path).there
    _append(tmp_path, *(f"line {n}" for n in range(1_000)))
    assert len(_look(tail, tmp_path).lines) == 1_000
    before = tail.bytes_read
    _append(tmp_path, "one more")
    assert _look(tail, tmp_path).lines[-1] == "one more"
    assert tail.bytes_read - before == len("one more\n")
    assert _look(tail, tmp_path).lines[-1] == "one more"


def test_half_a_line_waits_for_the_rest(tmp_path: Path) -> None:
    tail, path = LogTail(), tmp_path / log.NAME
    path.write_text("whole\nha")
    assert _look(tail, tmp_path).lines == ("whole",)
    with path.open("a") as file:
        file.write("lf\n")
    assert _look(tail, tmp_path).lines == ("whole", "half")


def test_a_turn_loses_nothing(tmp_path: Path) -> None:
    tail, path = LogTail(), tmp_path / log.NAME
    _append(tmp_path, "a")
    assert _look(tail, tmp_path).lines == ("a",)
    _append(tmp_path, "b")  # not looked at before it is set aside
    path.replace(path.with_suffix(".log.1"))
    _append(tmp_path, "c")
    assert _look(tail, tmp_path).lines == ("a", "b", "c")
    _append(tmp_path, "d")
    assert _look(tail, tmp_path).lines == ("a", "b", "c", "d")
    path.unlink()  # twice in a row: what was between is gone
    path.with_suffix(".log.1").unlink()
    _append(tmp_path, "e")
    assert _look(tail, tmp_path).lines[-1] == "e"


def test_a_long_log_is_shown_from_near_its_end(tmp_path: Path) -> None:
    _append(tmp_path, *(f"line {n:06}" for n in range(20_000)))
    tail = LogTail()
    first = _look(tail, tmp_path)
    assert first.lines[-1] == "line 019999" and first.lines[0].startswith("line ")
    assert tail.bytes_read <= 1 << 16
    _append(tmp_path, *(f"more {n:06}" for n in range(20_000)))
    assert len(_look(tail, tmp_path).lines) == MOST_LINES


def test_lines_of_a_run_and_of_a_cell(tmp_path: Path) -> None:
    _append(
        tmp_path,
        f"{_STAMP} run rone: augury run quick",
        f"{_STAMP} batch b1 begins on cpu0: cells aaaaaaaaaaaa bbbbbbbbbbbb",
        f"{_STAMP} batch b2 begins on cpu1: cells cccccccccccc",
        f"{_STAMP} batch b1 raised ValueError: bad",
        f"{_STAMP} batch b2 is recorded",
        f"{_STAMP} run rone finished: 1 done, 2 failed",
    )
    tail = LogTail()
    of_run = _look(tail, tmp_path, Whose("run", "rone", frozenset(["a" * 32, "b" * 32])))
    assert [line.split()[2:4] for line in of_run.lines] == [
        ["run", "rone:"], ["batch", "b1"], ["batch", "b1"], ["run", "rone"],
    ]  # fmt: skip
    of_cell = _look(tail, tmp_path, Whose("cell", "", frozenset(["c" * 32])))
    assert len(of_cell.lines) == 2 and all("b2" in line for line in of_cell.lines)


def test_what_has_to_be_written() -> None:
    shown = LogText(("a", "b", "c"), 5)
    assert added(shown, LogText(("b", "c", "d"), 6)) == ("d",)
    assert added(shown, shown) == ()
    assert added(LogText(), LogText(("a",), 0)) == ("a",)
    for other in (LogText(("x", "y"), 100), LogText(("a",), 0, "run"), LogText(("z", "c"), 6)):
        assert added(shown, other) is None
