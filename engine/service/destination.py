"""Where an export goes: a file is replaced whole; anything else that is there is written into."""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from augury.engine.errors import UsageError, unwritable
from augury.engine.service.writable import obstacle

# What the store writes in its directory; all of its files begin with one of these words.
_OWN_FILES = ("results.duckdb", "engine.")
_OWN_FOLDERS = ("exports", "logs", "checkpoints")


def checked(given: str | os.PathLike[str]) -> Path:
    """The absolute path of a file that can be written. Raises `StoreError`.

    What ends in a slash names a folder, also one that is yet to come.
    """
    target = Path(os.path.expanduser(given)).absolute()
    if os.fspath(given).endswith(("/", "/.")) and not os.path.isdir(target):
        raise unwritable(given, "it names a folder; give a file name.")
    there = _stat(target)
    if there is None:
        folder = Path(os.path.realpath(target)).parent  # a link's target may be yet to come
        if not folder.is_dir():
            raise unwritable(target, f"{folder} is no directory; create it first.")
        if why := obstacle(folder):
            raise unwritable(target, f"{folder} {why}.")
    elif stat.S_ISDIR(there.st_mode):
        raise unwritable(target, "it is a folder; give the name of a file in it.")
    elif why := obstacle(target):
        raise unwritable(target, f"it {why}.")
    return target


def keep_off(store: Path, given: str | os.PathLike[str]) -> None:
    """Refuse a place among the store's own files. Raises `StoreError`."""
    target = Path(os.path.realpath(os.path.expanduser(given)))
    home = Path(os.path.realpath(store))
    if home not in target.parents:
        return
    first = target.relative_to(home).parts[0]
    if first in _OWN_FOLDERS or first.startswith(_OWN_FILES):
        raise unwritable(target, "the store keeps its own files there.")


def keep_apart(outputs: Mapping[str, str | None], inputs: Mapping[str, str | None]) -> None:
    """Refuse an output that is one of the inputs, or another output. Raises `UsageError`.

    Both map an option to its file, or to None. Files are compared, not names: a link is its
    target. A device may be written into twice.
    """
    held = [(option, place) for option, place in inputs.items() if place is not None]
    for option, place in outputs.items():
        if place is None:
            continue
        for other, taken in held:
            if _same(place, taken):
                raise UsageError(f"{option} {place} is the file of {other}; give it another name.")
        held.append((option, place))


def _same(one: str, other: str) -> bool:
    mine, taken = (Path(os.path.expanduser(place)) for place in (one, other))
    try:
        return os.path.samefile(mine, taken) and mine.is_file()
    except FileNotFoundError:
        return os.path.realpath(mine) == os.path.realpath(taken)
    except (OSError, ValueError):
        return False  # whoever opens it says what is amiss


def deliver(source: Path | bytes | IO[bytes], given: str | os.PathLike[str]) -> Path:
    """Put bytes, or those of a file, at a place; its absolute path is returned.

    A new or an ordinary file appears whole or not at all; an older one gives it its mode. Links
    are followed. A device, a pipe or the file behind our own stdout is written into.

    Raises:
        StoreError: it cannot be written.
    """
    target = checked(given)
    try:
        there = _stat(target)
        real = Path(os.path.realpath(target))
        if there is None:
            _replace(source, real, None)
        elif not _replaceable(there, real):
            _write_into(source, target)
        else:
            _replace_or_write_into(source, real, there)
    except OSError as error:
        raise unwritable(target, f"{error.strerror}.") from None
    return target


def _stat(target: Path) -> os.stat_result | None:
    try:
        return target.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unwritable(target, f"{error.strerror}.") from None


def _replaceable(there: os.stat_result, real: Path) -> bool:
    if not stat.S_ISREG(there.st_mode) or not os.access(real.parent, os.W_OK | os.X_OK):
        return False
    try:
        # /dev/fd/3 may lead to a file without a name; /dev/stdout to one that a shell goes on with.
        named = os.path.samestat(there, real.stat())
    except OSError:
        return False
    return named and not any(_is_open_as(number, there) for number in (1, 2))


def _is_open_as(number: int, there: os.stat_result) -> bool:
    try:
        return os.path.samestat(there, os.fstat(number))
    except OSError:
        return False


def _replace_or_write_into(
    source: Path | bytes | IO[bytes], real: Path, there: os.stat_result
) -> None:
    try:
        _replace(source, real, there)
    except OSError as error:
        if error.errno != errno.EBUSY:  # a file that is a mount of its own
            raise
        _write_into(source, real)


def _replace(source: Path | bytes | IO[bytes], real: Path, older: os.stat_result | None) -> None:
    """Under a temporary name first: a reader never sees half a file."""
    import tempfile  # with its random numbers 8 ms, which most commands need not spend

    descriptor, name = tempfile.mkstemp(dir=real.parent, prefix=".augury-")
    try:
        with os.fdopen(descriptor, "wb") as file, _open(source) as content:
            shutil.copyfileobj(content, file)
        if older is None:
            os.chmod(name, 0o666 & ~_umask())
        else:
            _take_after(name, older)
        os.replace(name, real)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _take_after(name: str, older: os.stat_result) -> None:
    mine = os.stat(name)
    if (mine.st_uid, mine.st_gid) != (older.st_uid, older.st_gid):
        try:
            os.chown(name, older.st_uid, older.st_gid)
        except PermissionError:
            pass  # only root gives files away; the mode is kept all the same
    os.chmod(name, stat.S_IMODE(older.st_mode))


def _write_into(source: Path | bytes | IO[bytes], target: Path) -> None:
    there = target.stat()
    number = next((n for n in (1, 2) if _is_open_as(n, there)), None)
    # Our own stream is shared, not opened anew: what it holds stays before what we write.
    descriptor = (
        os.open(target, os.O_WRONLY | os.O_TRUNC | os.O_NOCTTY | os.O_CLOEXEC)
        if number is None
        else os.dup(number)
    )
    with os.fdopen(descriptor, "wb") as file, _open(source) as content:
        shutil.copyfileobj(content, file)


def _open(source: Path | bytes | IO[bytes]) -> IO[bytes]:
    if isinstance(source, Path):
        return source.open("rb")
    if isinstance(source, bytes):
        return io.BytesIO(source)
    source.seek(0)
    return source


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
