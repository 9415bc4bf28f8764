"""A new store is there whole or not at all."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from augury.engine.store import connection

# In a process of its own: no file of it, its output among them, may grow beyond a page.
_OPEN = """
import pathlib, resource, signal, sys
from augury.engine.errors import DiskFullError
from augury.engine.store import connection
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    connection.open_store(pathlib.Path(sys.argv[1]))
except DiskFullError as error:
    sys.exit(error.message)
"""


def _files(store: Path) -> list[str]:
    return sorted(entry.name for entry in store.iterdir() if entry.is_file())


def test_a_full_disk_leaves_no_half_of_one(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-c", _OPEN, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "the disk is full" in done.stderr
    assert "Traceback" not in done.stderr and _files(tmp_path) == []


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
