"""The tail of a log."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from augury.engine.cli.logs import BLOCK_BYTES, PART_BYTES, follow_lines, last_lines
from augury.engine.cli.main import main
from augury.engine.service.log import log_path
from augury.engine.service.reader import Reader
from tests.pty import transports


@pytest.mark.parametrize("number", [0, 1, 3, 5000, 20_000])
def test_last_lines_of_a_file_longer_than_a_part(tmp_path: Path, number: int) -> None:
    lines = [f"line {i} of some length, τ" for i in range(20_000)]
    file = log_path(tmp_path)
    file.write_text("\n".join(lines) + "\n")
    assert file.stat().st_size > 2 * max(BLOCK_BYTES, PART_BYTES)
    found, _ = last_lines(Reader(tmp_path), number, None)
    assert found == lines[len(lines) - number :]


def test_only_lines_that_name_a_run_however_far_back(tmp_path: Path) -> None:
    log_path(tmp_path).write_text("run r1 starts\n" + "other\n" * 100_000)
    assert last_lines(Reader(tmp_path), 5, "r1")[0] == ["run r1 starts"]


def test_bytes_that_are_no_text_do_not_matter(tmp_path: Path) -> None:
    log_path(tmp_path).write_bytes(b"\xff\xfe bad\nfine\n")
    assert last_lines(Reader(tmp_path), 2, None)[0][1] == "fine"


def test_no_log(tmp_path: Path) -> None:
    assert last_lines(Reader(tmp_path), 2, None) == ([], {})


def test_follow_gives_whole_lines_and_goes_on_in_a_new_file(tmp_path: Path) -> None:
    file, reader = log_path(tmp_path), Reader(tmp_path)
    file.write_text("zero\n")
    _, last = last_lines(reader, 1, None)
    with file.open("a") as appended:
        appended.write("one\ntwo\nthr")
    lines = follow_lines(reader, last, 0.01)
    assert [next(lines), next(lines)] == ["one", "two"]
    with file.open("a") as appended:
        appended.write("ee\n")
    assert next(lines) == "three"
    file.replace(file.with_suffix(".log.1"))
    file.write_text("new\n")
    assert next(lines) == "new"
    lines.close()


def test_a_far_log_reads_as_a_near_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transport, store = transports.direct(), tmp_path / "far store"
    monkeypatch.setenv("AUGURY_SSH", transport.ssh)
    store.mkdir()
    (store / "results.duckdb").touch()
    log_path(store).write_text("".join(f"line {i}\n" for i in range(100_000)))
    words = ["logs", "-n", "30000"]
    far = CliRunner().invoke(main, [*transport.options(store), *words])
    near = CliRunner().invoke(main, ["--store", str(store), *words])
    assert far.exit_code == near.exit_code == 0 and near.stdout.count("\n") == 30_000
    assert far.stdout == near.stdout
