"""The store and its engine: where, how large, readable, on what kind of disk, alive."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from augury.engine.doctor.finding import Finding
from augury.engine.errors import AuguryError, EngineAbsentError, StoreLockedError
from augury.engine.wording import count

LITTLE, VERY_LITTLE = 2 << 30, 200 << 20  # bytes of free disk
# Locks on these are kept by servers, some of which only pretend; or nobody else sees them.
_NETWORKED = ("nfs", "cifs", "smb", "fuse.sshfs", "lustre", "9p", "beegfs", "gpfs", "ceph", "afs")
_PASSING = ("tmpfs", "ramfs")


def check(store: Path) -> Iterator[Finding]:
    """Directory, content, disk."""
    yield from _directory(store)
    yield _disk(store)
    yield _file_system(store)


def check_engine(store: Path) -> Iterator[Finding]:
    """Whether an engine lives, and is of our sources."""
    from augury.engine.service import client, lock

    if store.exists() and not store.is_dir():
        return
    try:
        with client.connect(store) as engine:
            told = engine.call("status")["engine"]
            yield _living(engine, told)
    except EngineAbsentError as error:
        if lock.held(store):
            yield Finding(
                "engine", "fail", f"one holds the lock, but does not answer: {error.message}",
                "wait a moment; then: `augury engine stop --now`",
            )  # fmt: skip
        else:
            yield Finding("engine", "ok", "none runs; one starts when it is needed")
            yield from _last_words(store)
    except AuguryError as error:
        yield Finding("engine", "fail", error.message)


def _living(engine: object, told: dict[str, object]) -> Finding:
    from augury.engine.service.client import Client

    assert isinstance(engine, Client)
    workers = told.get("workers")
    number = len(workers) if isinstance(workers, list) else 0
    text = f"process {told.get('pid')}, version {told.get('version')}, {count(number, 'worker')}"
    if not engine.compatible:
        return Finding("engine", "warn", f"{text}, of other sources", "`augury engine restart`")
    return Finding("engine", "ok", text)


def _last_words(store: Path) -> Iterator[Finding]:
    """What the last engine ended with, where that was an error."""
    from augury.engine.service import log

    try:
        lines = str(log.read_part(store, -8192, 8192)["text"]).splitlines()
    except OSError:
        return
    if lines and " ERROR " in lines[-1]:
        said = lines[-1].partition(" ERROR ")[2]
        yield Finding("engine", "warn", f"the last one ended with: {said[:200]}", "`augury logs`")


def _directory(store: Path) -> Iterator[Finding]:
    from augury.engine.service.owner import stranger
    from augury.engine.service.reader import Reader

    if store.exists() and not store.is_dir():
        yield Finding("store", "fail", f"{store} is no directory", "give --store a directory")
        return
    reader = Reader(store)
    if not reader.exists():
        near = _nearest(store)
        if not os.access(near, os.W_OK | os.X_OK):
            yield Finding(
                "store", "fail", f"{store} does not exist, and {near} is not writable by you",
                "give --store or AUGURY_STORE a directory of yours",
            )  # fmt: skip
        else:
            yield Finding("store", "ok", f"{store}, not there yet: `augury run quick` makes it")
        return
    if (owner := stranger(store)) is not None:
        yield Finding("store", "warn", f"{store} belongs to user {owner}: it can be read only")
    try:
        runs = reader.query("runs").rows
    except StoreLockedError as error:
        yield Finding("store", "fail", error.message)
    except AuguryError as error:
        yield Finding("store", "fail", error.message)
    else:
        from augury.engine.store.connection import SCHEMA_VERSION

        size = sum(path.stat().st_size for path in store.glob("results.duckdb*"))
        text = f"{store}, {_bytes(size)}, schema {SCHEMA_VERSION}, {count(len(runs), 'run')}"
        yield Finding("store", "ok", text)


def _disk(store: Path) -> Finding:
    free = shutil.disk_usage(_nearest(store)).free
    text = f"{_bytes(free)} free"
    if free < VERY_LITTLE:
        return Finding("disk", "fail", text, "free some space: results cannot be stored")
    if free < LITTLE:
        return Finding("disk", "warn", text, "free some space before long runs")
    return Finding("disk", "ok", text)


def _file_system(store: Path) -> Finding:
    kind = _kind(_nearest(store))
    if kind.startswith(_NETWORKED):
        return Finding(
            "file system", "warn", f"{kind}: its locks cannot be relied on",
            "keep the store on a local disk, and reach it with: `augury --ssh HOST`",
        )  # fmt: skip
    if kind in _PASSING:
        return Finding(
            "file system", "warn", f"{kind}: lost when the machine restarts",
            "give --store or AUGURY_STORE a directory on a disk",
        )  # fmt: skip
    return Finding("file system", "ok", kind or "of a kind this system does not tell")


def _kind(path: Path) -> str:
    """The kind of the mount that a path lies on; "" where the kernel does not say."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    except OSError:
        return ""
    place, found = os.path.realpath(path), ("", "")
    for line in mounts:
        left, _, right = line.partition(" - ")
        mount = left.split()[4].replace("\\040", " ")
        inside = place == mount or place.startswith(mount.rstrip("/") + "/")
        if inside and len(mount) >= len(found[0]):  # of two on one place, the later one shows
            found = (mount, right.split()[0])
    return found[1]


def _nearest(path: Path) -> Path:
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def _bytes(number: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"
