"""Bytes from a web server into a file, going on where an interrupted transfer stopped."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path

import requests
from urllib3.exceptions import HTTPError

Tell = Callable[[int], None]  # bytes that are there by now; it may raise, to stop the transfer

CONNECT_SECONDS, SILENCE_SECONDS = 10.0, 30.0
CHUNK = 1 << 17
PATIENCE = 5  # connections of one server that bring less than `WORTHWHILE` each
WORTHWHILE = 1 << 20
PAUSE_SECONDS = 0.5  # before a server that hung up is asked again
_HUNG_UP = "it hung up"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_OK, _PARTIAL, _UNSATISFIABLE = 200, 206, 416


class RefusedError(Exception):
    """A server does not give the file; the text says why."""


class NoRangesError(RefusedError):
    """A server gives whole files only."""


class DiskError(Exception):
    """The file cannot be written: `cause` is what the system said."""

    def __init__(self, path: Path, cause: OSError) -> None:
        """Keep both."""
        super().__init__(f"{path}: {cause.strerror}")
        self.path, self.cause = path, cause

    @property
    def is_full(self) -> bool:
        """Whether there was no room."""
        return self.cause.errno in _FULL


def transfer(url: str, part: Path, size: int, tell: Tell, start: int = 0) -> None:
    """Make `part` the `size` bytes of `url` from `start` on; what it holds already is kept.

    Stored bytes are taken as they are, whatever a server says of their encoding.

    Raises:
        RefusedError: the server has no such file, has one of another size, or hangs up too often.
        DiskError: the part cannot be written. Where there is no room it is removed.
    """
    poor = 0
    while (have := _size(part)) != size:
        if have > size:
            _empty(part)
            have = 0
        try:
            _stream(url, part, have, size, tell, start)
        except (requests.RequestException, HTTPError) as error:
            brought = _size(part) - have
            poor += brought < WORTHWHILE
            if brought <= 0 or poor >= PATIENCE:
                raise RefusedError(reason(error)) from None
            time.sleep(PAUSE_SECONDS)


def _stream(url: str, part: Path, have: int, size: int, tell: Tell, start: int) -> None:
    """One connection, until it ends or everything is there."""
    headers = {"Accept-Encoding": "identity"}
    if have or start:
        headers["Range"] = f"bytes={start + have}-{start + size - 1}"
    timeout = (CONNECT_SECONDS, SILENCE_SECONDS)
    with requests.get(url, headers=headers, stream=True, timeout=timeout) as answer:
        if answer.status_code == _OK:
            if start:
                raise NoRangesError("it gives no parts of files")
            if have:
                _empty(part)
                have = 0
        elif answer.status_code == _UNSATISFIABLE:
            raise RefusedError(f"it has fewer than {start + size:,} bytes")
        elif answer.status_code != _PARTIAL:
            raise RefusedError(f"HTTP {answer.status_code} {answer.reason}".strip())
        elif not answer.headers.get("Content-Range", "").startswith(f"bytes {start + have}-"):
            raise NoRangesError("it gives other parts than asked for")
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            raise RefusedError("it gives a web page instead")
        length = answer.headers.get("Content-Length", "")
        if length.isdigit() and int(length) != size - have:
            raise RefusedError(f"it has {int(length) + have:,} bytes, not {size:,}")
        _write(answer.raw.stream(CHUNK, decode_content=False), part, have, size, tell)


def _write(chunks: Iterator[bytes], part: Path, have: int, size: int, tell: Tell) -> None:
    with _appending(part) as file:
        tell(have)
        for chunk in chunks:
            have += len(chunk)
            if have > size:
                _empty(part)  # of another file
                raise RefusedError(f"it has more than {size:,} bytes")
            _put(file, chunk, part)
            tell(have)
    if have < size:
        raise requests.ConnectionError(_HUNG_UP)


def _appending(part: Path) -> FileIO:
    try:
        return FileIO(part, "ab")  # no buffer, which would be written once more after an error
    except OSError as error:
        raise DiskError(part, error) from None


def _put(file: FileIO, chunk: bytes, part: Path) -> None:
    left = memoryview(chunk)
    try:
        while left:
            left = left[file.write(left) :]
    except OSError as error:
        failure = DiskError(part, error)
        if failure.is_full:
            part.unlink(missing_ok=True)
        raise failure from None


def _size(part: Path) -> int:
    try:
        return part.stat().st_size
    except OSError:
        return 0


def _empty(part: Path) -> None:
    try:
        part.unlink(missing_ok=True)
    except OSError as error:
        raise DiskError(part, error) from None


def reason(error: Exception) -> str:
    """Why a transfer failed, in a few words: a network library's own are pages long."""
    if isinstance(error, requests.exceptions.SSLError):
        return "its certificate is not valid"
    if isinstance(error, requests.Timeout) or "timed out" in str(error).lower():
        return "no answer in time"
    if isinstance(error, (requests.exceptions.InvalidURL, requests.exceptions.MissingSchema)):
        return "no such address"
    if isinstance(error, requests.exceptions.ProxyError):
        return "the proxy refuses"
    if isinstance(error, HTTPError) or _HUNG_UP in str(error):
        return "it hangs up in the middle"
    return "cannot be reached"
