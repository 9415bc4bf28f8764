"""Opening `results.duckdb`: for writing (the engine alone) or for one query."""

from __future__ import annotations

import os
import re
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from augury.engine.errors import (
    AuguryError,
    DiskFullError,
    StoreError,
    StoreLockedError,
    unwritable,
)

if TYPE_CHECKING:
    import duckdb

FILE_NAME = "results.duckdb"
EXPORTS = "exports"
SCHEMA_VERSION = 1
APPLICATION = "augury"
_STALE_SECONDS = 86_400.0
_DAMAGED = re.compile(
    r"Corrupt database|checksum|deserializ|Serialization Error|not read enough bytes"
    r"|INTERNAL Error|TransactionContext Error: Failed to load|Failed to load metadata",
    re.IGNORECASE,
)
# Connections of one process to one file share a database, and its settings lock once.
_SECURING = threading.Lock()
_SMALL = 1 << 26  # bytes of a file of which a second thread is more work than it takes over
_LIMITS = {
    "memory_limit": "1GB",
    "threads": 2,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,  # a table's name must never find a variable of ours
}


def open_store(directory: Path) -> duckdb.DuckDBPyConnection:
    """Open for writing; create directory (mode 0700), file and schema where they are missing.

    Raises:
        StoreLockedError: another process holds the file.
        StoreError: the file is damaged, not ours, or of a newer schema.
    """
    from augury.engine.store import driver

    path = directory / FILE_NAME
    try:
        ours = path.exists() or not directory.exists() or not any(directory.iterdir())
        (directory / EXPORTS).mkdir(parents=True, exist_ok=True, mode=0o700)
        if ours:  # a folder of other things keeps its mode: it may be a home, or /tmp
            os.chmod(directory, 0o700)
        _drop_stale(directory / EXPORTS)
    except (FileExistsError, NotADirectoryError) as error:
        blocks = error.filename or directory
        raise StoreError(
            f"{blocks} is a file where the store needs a folder: move it away."
        ) from None
    except OSError as error:
        raise StoreError(f"cannot create the store {directory}: {error.strerror}.") from None
    if not path.exists():
        _create_whole(path)
    con = _connect(path, read_only=False)
    try:
        _create_or_verify(con, path)
        _add_later_tables(con)
        secure(con, directory / EXPORTS)
    except BaseException as error:
        con.close()
        if isinstance(error, driver.Error):
            raise store_error(error, path) from None
        raise
    return con


def open_read_only(directory: Path, exports: Path | None = None) -> duckdb.DuckDBPyConnection:
    """Open for reading; `exports` (default: the store's own) is all that COPY may write to.

    A store that does not exist yet reads as an empty one.

    Raises:
        StoreLockedError: an engine holds the file; it names the process.
        StoreError: the file is damaged, not ours, or of a newer schema.
    """
    from augury.engine.store import driver

    path = directory / FILE_NAME
    if not path.exists():
        con = driver.connect(":memory:", config=dict(_LIMITS))
        _create_or_verify(con, path)
    else:
        con = _connect(path, read_only=True)
        try:
            _verify(con, path)
        except BaseException as error:
            con.close()
            if isinstance(error, driver.Error):
                raise store_error(error, path) from None
            raise
    small = not path.exists() or path.stat().st_size < _SMALL
    secure(con, exports or directory / EXPORTS, threads=1 if small else 0)
    return con


def secure(con: duckdb.DuckDBPyConnection, exports: Path, threads: int = 0) -> None:
    """Shut the whole database off from files but for `exports`, for good; 0: threads as they are.

    Where another connection of this process did so already, its `exports` stays the one.
    """
    folder = str(exports.absolute()).replace("'", "''")
    with _SECURING:
        done = con.execute("SELECT current_setting('lock_configuration')").fetchone()
        if done and done[0]:
            return
        if threads:
            con.execute(f"SET threads = {threads}")
        con.execute(f"SET allowed_directories = ['{folder}']")
        con.execute("SET enable_external_access = false")
        con.execute("SET lock_configuration = true")


def file_of(con: duckdb.DuckDBPyConnection) -> str:
    """The file a connection has open, as far as it can still tell."""
    from augury.engine.store import driver

    try:
        found = con.execute(
            "SELECT path FROM duckdb_databases() WHERE NOT internal AND path IS NOT NULL"
        ).fetchone()
    except driver.Error:
        found = None
    return str(found[0]) if found else "the store"


def damaged(error: BaseException) -> bool:
    """Whether an error of DuckDB's says that the file, not the question, is bad."""
    return bool(_DAMAGED.search(str(error)))


def store_error(
    error: BaseException, where: Path | str = "the store", file: str = ""
) -> AuguryError:
    """One line that says what is wrong and what to do, for an error of DuckDB's.

    `file` is the store's own, where `where` is something else, such as the place of an export.
    """
    text = " ".join(str(error).split())
    held = re.search(r"Conflicting lock is held.*?\(PID (\d+)\)", text)
    if held or "Could not set lock" in text or "different configuration than existing" in text:
        holder = held.group(1) if held else str(os.getpid())
        return _locked(where, holder)
    if "not a valid DuckDB database" in text:
        return StoreError(f"{where} is no DuckDB file. Move it away, or choose another --store.")
    if re.search(r"No space left|Disk quota|File too large|out of disk|max_temp_dir", text, re.I):
        if file:  # an export: the store itself lacks nothing
            return unwritable(where, "the disk is full. Free some space first.")
        return DiskFullError(f"{where} could not be written: the disk is full (nothing is lost; "
                             "free some space). Then: `augury resume`.")  # fmt: skip
    if damaged(error):
        return StoreError(f"{file or where} is damaged ({text[:160]}). "
                          "Restore a copy of it, or move it away to start anew.")  # fmt: skip
    if "database has been invalidated" in text:
        return StoreError(f"{where} had a write error and must be opened again: "
                          "`augury engine restart`.")  # fmt: skip
    if "newer version of DuckDB" in text or "storage version" in text.lower():
        return StoreError(f"{where} was written by another DuckDB: {text[:200]}")
    if file and re.search(r"Cannot open file|Permission denied|Could not write", text, re.I):
        return unwritable(where, f"{text[:160]}.")
    return StoreError(f"{where}: {text[:300]}")


def _locked(where: Path | str, holder: str) -> StoreLockedError:
    """By an engine, or by whatever else has the file open: a notebook, another program."""
    try:
        words = Path(f"/proc/{holder}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        words = []
    if any(words) and "augury.engine.service" not in words:
        program = Path(words[0]).name
        return StoreLockedError(
            f"{where} is held by process {holder} ({program}), which is no engine of Augury. "
            "Close the store there, or wait until it does."
        )
    return StoreLockedError(
        f"{where} is held by process {holder}. Wait for it, or stop it with `augury engine stop`."
    )


def _drop_stale(exports: Path) -> None:
    """Exports whose client went away before it moved them."""
    for left in exports.iterdir():
        if left.is_file() and time.time() - left.stat().st_mtime > _STALE_SECONDS:
            left.unlink(missing_ok=True)


def _connect(path: Path, read_only: bool) -> duckdb.DuckDBPyConnection:
    from augury.engine.store import driver

    try:
        return driver.connect(str(path), read_only=read_only, config=dict(_LIMITS))
    except driver.Error as error:
        raise store_error(error, path) from None


def _create_whole(path: Path) -> None:
    """Under another name first: a full disk, or an end in between, must leave no half a store."""
    from augury.engine.store import driver

    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.unlink(missing_ok=True)  # of a process of this number that was killed
    try:
        with driver.connect(str(new), config=dict(_LIMITS)) as con:
            _create_or_verify(con, path)
            con.execute("CHECKPOINT")
        _give_name(new, path)
    except driver.Error as error:
        raise store_error(error, path) from None
    except OSError as error:
        raise StoreError(f"cannot create the store {path}: {error.strerror}.") from None
    finally:
        for left in (new, new.with_name(f"{new.name}.wal")):
            left.unlink(missing_ok=True)


def _give_name(new: Path, path: Path) -> None:
    """Unless another process was first."""
    try:
        os.link(new, path)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        if not path.exists():
            os.rename(new, path)


def _create_or_verify(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    tables = con.execute("SELECT count(*) FROM duckdb_tables() WHERE NOT internal").fetchone()
    if tables and tables[0]:
        return _verify(con, path)
    con.execute("BEGIN")
    con.execute(_schema())
    con.execute(
        "INSERT INTO meta VALUES ('application', ?), ('schema', ?)",
        [APPLICATION, str(SCHEMA_VERSION)],
    )
    con.execute("COMMIT")
    return None


def _schema() -> str:
    return Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


def _add_later_tables(con: duckdb.DuckDBPyConnection) -> None:
    """Tables that stores of earlier versions lack, and that readers do without."""
    for statement in _schema().split(";"):
        if "IF NOT EXISTS" in statement:
            con.execute(statement)


def _verify(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    from augury.engine.store import driver

    try:
        found = dict(con.execute("SELECT name, value FROM meta").fetchall())
    except (driver.CatalogException, driver.BinderException, driver.ConversionException):
        found = {}
    if found.get("application") != APPLICATION or not str(found.get("schema", "")).isdigit():
        raise StoreError(f"{path} is a DuckDB file, but not Augury's. Choose another --store.")
    if int(found["schema"]) < 1:
        raise StoreError(
            f"{path} says schema {found['schema']}, which no version wrote: it is damaged. "
            "Choose another --store."
        )
    if int(found["schema"]) > SCHEMA_VERSION:
        raise StoreError(
            f"{path} has schema {found['schema']}, this version knows {SCHEMA_VERSION}: "
            "update Augury, or choose another --store."
        )
