"""Where exports go: nothing that was there is destroyed but an ordinary file's old bytes."""

from __future__ import annotations

import os
import pty
import stat
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from augury.engine.errors import StoreError
from augury.engine.service import launch
from augury.engine.service.destination import deliver
from augury.engine.service.reader import Reader


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    for name, target in (("link", "real"), ("link2", "link"), ("dangling", "new")):
        (tmp_path / name).symlink_to(target)
        assert deliver(b"text", tmp_path / name) == tmp_path / name
        assert (tmp_path / name).is_symlink()
    assert (tmp_path / "real").read_text() == (tmp_path / "new").read_text() == "text"
    assert not (tmp_path / "real").is_symlink()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_an_older_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "file"
    target.write_text("old, and longer than the new")
    target.chmod(mode)
    before = target.stat().st_ino
    deliver(b"text", target)
    assert target.read_text() == "text"
    assert stat.S_IMODE(target.stat().st_mode) == mode
    assert target.stat().st_ino != before  # replaced, not written into
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    try:
        Reader(tmp_path / "store").export("runs", {}, "csv", pipe)
        kept = pipe.is_fifo()
    finally:
        if not pipe.is_fifo():  # so that a failing test ends
            reader.join(0)
        else:
            reader.join(20)
    assert kept
    assert found[0].startswith(b"run_id,")


def test_a_device_stays(tmp_path: Path) -> None:
    """A terminal of our own: never one of the system's nodes, which a fault here would destroy."""
    ours, theirs = pty.openpty()
    try:
        tty = tmp_path / "tty"
        tty.symlink_to(os.ttyname(theirs))
        deliver(b"text", tty)
        assert os.read(ours, 100) == b"text"
        assert tty.is_symlink()
        assert stat.S_ISCHR(tty.stat().st_mode)
    finally:
        os.close(ours)
        os.close(theirs)


def test_what_cannot_be_written_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "out").symlink_to("no/such/place")
    for place in (tmp_path, tmp_path / "loop", tmp_path / "out", tmp_path / "none" / "x"):
        with pytest.raises(StoreError, match="cannot write"):
            deliver(b"text", place)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["loop", "out"]


@pytest.mark.parametrize("ending", ["there", "there/", "new/", "there/new/", "new/."])
def test_what_names_a_folder_is_refused(tmp_path: Path, ending: str) -> None:
    (tmp_path / "there").mkdir()
    place = f"{tmp_path}/{ending}"
    with pytest.raises(StoreError, match=r"folder; give (a file name|the name of a file in it)\."):
        deliver(b"text", place)
    with pytest.raises(StoreError, match="folder"):
        Reader(tmp_path / "store").export("runs", {}, "csv", place)
    assert [p.name for p in tmp_path.rglob("*")] == ["there"]


def test_a_read_only_file_system_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "store"
    store.mkdir()
    monkeypatch.setattr(os, "access", lambda *_: False)
    for flags, why in ((os.ST_RDONLY, "on a read-only file system"), (0, "not writable by you")):
        monkeypatch.setattr(os, "statvfs", lambda _, f=flags: SimpleNamespace(f_flag=f))
        with pytest.raises(StoreError, match=f"cannot write .*: {tmp_path} is {why}"):
            deliver(b"text", tmp_path / "new")
        with pytest.raises(StoreError, match=f"cannot use {store} as a store: it is {why}"):
            launch.spawn(store)


def test_our_own_stdout_keeps_what_it_holds(tmp_path: Path) -> None:
    out = tmp_path / "out"
    code = (
        "from augury.engine.service.destination import deliver; "
        "deliver(b'second\\n', '/dev/stdout')"
    )
    script = f'echo first; {sys.executable} -P -c "$1"; echo third'
    with out.open("wb") as file:
        subprocess.run(["sh", "-c", script, "sh", code], stdout=file, check=True)
    assert out.read_text() == "first\nsecond\nthird\n"


@pytest.mark.parametrize(
    "name", ["results.duckdb", "results.duckdb.wal", "engine.lock", "engine.sock", "exports/a.csv"]
)
def test_the_stores_own_files_are_not_written_over(tmp_path: Path, name: str) -> None:
    store = tmp_path / "store"
    (store / "exports").mkdir(parents=True)
    (tmp_path / "link").symlink_to(store)
    (store / name).write_text("precious")
    for given in (store / name, tmp_path / "link" / name):
        with pytest.raises(StoreError, match="the store keeps its own files there"):
            Reader(store).export("runs", {}, "csv", given)
    assert (store / name).read_text() == "precious"


def test_a_file_of_ones_own_may_lie_in_the_store(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    assert Reader(store).export("runs", {}, "csv", store / "mine.csv").exists()
