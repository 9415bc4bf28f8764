"""Single members of a large zip on a web server: only their bytes are fetched."""

from __future__ import annotations

import zipfile
import zlib
from io import SEEK_CUR, SEEK_END, SEEK_SET, RawIOBase
from pathlib import Path

import requests
from urllib3.exceptions import HTTPError

from augury.engine.datasets.transfer import (
    CONNECT_SECONDS,
    SILENCE_SECONDS,
    DiskError,
    NoRangesError,
    RefusedError,
    Tell,
    reason,
    transfer,
)

_AHEAD = 1 << 16  # read at once: the list of members is at the end, in pieces
_LOCAL_HEADER = 30  # bytes before a member's name, which is followed by extra fields


class RemoteFile(RawIOBase):
    """A file on a web server, read where `zipfile` wants to. Raises `RefusedError`."""

    def __init__(self, url: str, size: int) -> None:
        """Nothing is asked for yet."""
        self._url, self._size, self._at = url, size, 0
        self._start, self._held = 0, b""

    def seekable(self) -> bool:
        """It is."""
        return True

    def readable(self) -> bool:
        """It is."""
        return True

    def tell(self) -> int:
        """Where the next read begins."""
        return self._at

    def seek(self, offset: int, whence: int = SEEK_SET) -> int:
        """As any file."""
        base = {SEEK_SET: 0, SEEK_CUR: self._at, SEEK_END: self._size}[whence]
        self._at = max(base + offset, 0)
        return self._at

    def read(self, size: int = -1) -> bytes:
        """At most so many bytes; a little more is asked for, and kept for the next read."""
        last = self._size if size is None or size < 0 else min(self._at + size, self._size)
        if last <= self._at:
            return b""
        if not self._start <= self._at <= last <= self._start + len(self._held):
            self._start = max(min(self._at, self._size - _AHEAD), 0)
            self._held = self._range(self._start, max(last, min(self._start + _AHEAD, self._size)))
        found = self._held[self._at - self._start : last - self._start]
        self._at = last
        return found

    def _range(self, start: int, end: int) -> bytes:
        headers = {"Range": f"bytes={start}-{end - 1}", "Accept-Encoding": "identity"}
        try:
            with requests.get(self._url, headers=headers, stream=True,
                              timeout=(CONNECT_SECONDS, SILENCE_SECONDS)) as answer:  # fmt: skip
                if answer.status_code == 200:
                    raise NoRangesError("it gives no parts of files")
                if answer.status_code != 206:
                    raise RefusedError(f"HTTP {answer.status_code} {answer.reason}".strip())
                whole = answer.headers.get("Content-Range", "").rpartition("/")[2]
                if whole.isdigit() and int(whole) != self._size:
                    raise RefusedError(f"it has {int(whole):,} bytes, not {self._size:,}")
                content = answer.raw.read(end - start, decode_content=False)
        except (requests.RequestException, HTTPError) as error:
            raise RefusedError(reason(error)) from None
        if len(content) != end - start:
            raise RefusedError("it gives less than asked for")
        return content


def fetch_member(
    url: str, archive_size: int, member: str, size: int, part: Path, out: Path, tell: Tell
) -> None:
    """Fetch one member of the zip at `url` into `out`, going on with what `part` holds.

    Args:
        url: of the zip.
        archive_size: its bytes.
        member: name within the zip.
        size: bytes of the member, unpacked.
        part: collects the packed bytes; removed at the end.
        out: gets the unpacked ones.
        tell: hears how many packed bytes are there.

    Raises:
        NoRangesError: the server gives whole files only.
        RefusedError: it does not give the member, or one of another size.
        DiskError: something cannot be written.
    """
    remote = RemoteFile(url, archive_size)
    try:
        with zipfile.ZipFile(remote) as archive:  # type: ignore[arg-type]
            entry = archive.getinfo(member)
        remote.seek(entry.header_offset)
        header = remote.read(_LOCAL_HEADER)
    except (zipfile.BadZipFile, KeyError):
        raise RefusedError(f"it is no zip that holds {member}") from None
    if entry.file_size != size or entry.compress_type not in _KNOWN or header[:4] != b"PK\3\4":
        raise RefusedError(f"its {member} is another file")
    lengths = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    start = entry.header_offset + _LOCAL_HEADER + lengths
    transfer(url, part, entry.compress_size, tell, start)
    _inflate(part, out, entry.compress_type == zipfile.ZIP_DEFLATED, size)


_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def _inflate(part: Path, out: Path, is_packed: bool, size: int) -> None:
    """Unpack what was fetched; the packed bytes go. `RefusedError` where they are no such thing."""
    content = part.read_bytes()
    part.unlink()
    if is_packed:
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = unpacker.decompress(content, size + 1)
        except zlib.error:
            raise RefusedError("its bytes cannot be unpacked") from None
    try:
        out.write_bytes(content)
    except OSError as error:
        out.unlink(missing_ok=True)
        raise DiskError(out, error) from None
