"""The tail of a log."""

from __future__ import annotations

from pathlib import Path

import pytest

from augury.engine.cli.logs import BLOCK_BYTES, follow_lines, last_lines


@pytest.mark.parametrize("number", [0, 1, 3, 5000, 20_000])
def test_last_lines_of_a_file_longer_than_a_block(tmp_path: Path, number: int) -> None:
    lines = [f"line {i} of some length" for i in range(10_000)]
    file = tmp_path / "log"
    file.write_text("\n".join(lines) + "\n")
    assert file.stat().st_size > 2 * BLOCK_BYTES
    with file.open("rb") as opened:
        assert last_lines(opened, number, None) == lines[len(lines) - min(number, 10_000) :]


def test_only_lines_that_name_a_run_however_far_back(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_text("run r1 starts\n" + "other\n" * 50_000)
    with file.open("rb") as opened:
        assert last_lines(opened, 5, "r1") == ["run r1 starts"]


def test_bytes_that_are_no_text_do_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(b"\xff\xfe bad\nfine\n")
    with file.open("rb") as opened:
        assert last_lines(opened, 2, None)[1] == "fine"


def test_follow_gives_whole_lines_and_goes_on_in_a_new_file(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_text("one\ntwo\nthr")
    lines = follow_lines(file, file.open("rb"))
    assert [next(lines), next(lines)] == ["one", "two"]
    with file.open("a") as appended:
        appended.write("ee\n")
    assert next(lines) == "three"
    file.replace(tmp_path / "log.1")
    file.write_text("new\n")
    assert next(lines) == "new"
    lines.close()
