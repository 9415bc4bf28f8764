"""A new store is there whole or not at all."""

from __future__ import annotations

import errno
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from augury.engine.errors import DiskFullError
from augury.engine.store import connection


@pytest.fixture
def full_disk() -> Iterator[None]:
    """No file of this process may grow beyond a page."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limit[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    signal.signal(signal.SIGXFSZ, before)


def _files(store: Path) -> list[str]:
    return sorted(entry.name for entry in store.iterdir() if entry.is_file())


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_leaves_no_half_of_one(tmp_path: Path) -> None:
    with pytest.raises(DiskFullError, match="the disk is full"):
        connection.open_store(tmp_path)
    assert _files(tmp_path) == []


def test_what_a_killed_process_left_does_not_matter(tmp_path: Path) -> None:
    tmp_path.joinpath(f"{connection.FILE_NAME}.{os.getpid()}").write_bytes(b"half a store")
    connection.open_store(tmp_path).close()
    assert _files(tmp_path) == [connection.FILE_NAME]


def test_the_first_of_two_wins(tmp_path: Path) -> None:
    path = tmp_path / connection.FILE_NAME
    connection.open_store(tmp_path).close()
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE mine (x INTEGER)")
    connection._create_whole(path)  # as if it had not been there a moment ago
    with duckdb.connect(str(path)) as con:
        assert con.execute("SELECT count(*) FROM mine").fetchone() == (0,)
    assert _files(tmp_path) == [connection.FILE_NAME]


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    connection.open_store(tmp_path).close()
    connection.open_store(tmp_path).close()
    assert _files(tmp_path) == [connection.FILE_NAME]
