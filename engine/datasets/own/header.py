"""The first lines of a text file: what separates its columns, and what they are called.

A guess that reads on where lines do not fit would lose rows unseen; so what is found here is what
the file is read by, and a line that does not fit is an error.
"""

from __future__ import annotations

import csv
import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path

from augury.engine.errors import UsageError

DELIMITERS = (",", ";", "\t", "|")
_LOOKED_AT = 1 << 20  # bytes
_LINES = 100
_WIDE = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"\x00\x00\xfe\xff", "UTF-32"))


@dataclass(frozen=True, slots=True)
class Header:
    """How a text file is read."""

    delimiter: str
    names: tuple[str, ...]
    blank_lines: int  # before the names


def read_header(path: Path) -> Header:
    """Names of the first line that is not blank; one without a name is `columnN`, N from 1.

    The delimiter is the one that splits most of the first lines as it splits the names, the first
    of equals in `DELIMITERS`.

    Raises:
        UsageError: damaged, of another encoding than UTF-8, or without such a line.
    """
    text = _beginning(path)
    body = text.lstrip("\r\n")
    if not body.strip():
        raise UsageError(f"{path} has no line of names: its beginning is blank.")
    blank = text[: len(text) - len(body)]
    # csv counts lines of a quoted name as one record.
    best: tuple[float, int, str, list[str]] | None = None
    for rank, delimiter in enumerate(DELIMITERS):
        records = _records(body, delimiter)
        if not records:
            continue
        width = len(records[0])
        alike = sum(len(record) == width for record in records) / len(records)
        score = alike if width > 1 else 0.0
        if best is None or score > best[0]:
            best = score, rank, delimiter, records[0]
    if best is None:
        raise UsageError(f"{path}: its first line cannot be read as names of columns.")
    names = tuple(n.strip() or f"column{i}" for i, n in enumerate(best[3], start=1))
    return Header(best[2], names, blank.replace("\r\n", "\n").count("\n") or blank.count("\r"))


def _records(text: str, delimiter: str) -> list[list[str]]:
    found = []
    try:
        for record in csv.reader(text.splitlines(keepends=True), delimiter=delimiter):
            if record:
                found.append(record)
            if len(found) > _LINES:
                break
    except csv.Error:  # such as a field that no quote ends
        pass
    # The last one may be cut off where the look ends.
    return found[:-1] if len(text) >= _LOOKED_AT // 4 and 1 < len(found) <= _LINES else found


def _beginning(path: Path) -> str:
    try:
        if path.name.lower().endswith(".gz"):
            with gzip.open(path) as packed:
                start = packed.read(_LOOKED_AT)
        else:
            with path.open("rb") as file:
                start = file.read(_LOOKED_AT)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise UsageError(f"{path} is no gzip file, or a damaged one.") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}.") from None
    for mark, encoding in _WIDE:
        if start.startswith(mark):
            raise not_utf8(path, f" but {encoding}", encoding)
    if b"\x00" in start:
        raise UsageError(f"{path} is no text: it has null bytes. Is it of another format?")
    try:
        return start.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Unless it is but the last character that is cut off.
        if error.start > len(start) - 4 and len(start) == _LOOKED_AT:
            return start[: error.start].decode("utf-8-sig")
        line = start[: error.start].count(b"\n") + 1
        raise not_utf8(path, f" (line {line})") from None


def not_utf8(path: Path, what: str = "", encoding: str = "LATIN1") -> UsageError:
    """What to raise for text in another encoding."""
    return UsageError(
        f"{path} is not UTF-8{what}: convert it, for example `iconv -f {encoding} -t UTF-8`."
    )
