"""Errors of the database as one line about the file."""

from __future__ import annotations

import re
from pathlib import Path

from augury.engine.datasets.own.columns import plain
from augury.engine.datasets.own.header import not_utf8
from augury.engine.errors import UsageError


def explained(path: Path, text: str) -> UsageError:
    """What a person is told for an error of the database's."""
    at = re.search(r"CSV Error on Line: (\d+)", text)
    where = f"{path}, line {at[1]}" if at else str(path)
    if "not utf-8" in text:
        return not_utf8(path, f" (line {at[1]})" if at else "")
    if fields := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text):
        return UsageError(
            f"{where}: {fields[2]} values where the first line has {fields[1]} names."
        )
    if "unterminated quote" in text:
        return UsageError(f"{where}: a quote that does not end, or text behind one that did.")
    if "Maximum line size" in text or "max_line_size" in text:
        return UsageError(f"{where}: longer than 2 MB; is this a table?")
    if "GZIP" in text:
        return UsageError(f"{path} is a damaged gzip file: it ends too early.")
    if "state machine" in text:
        return UsageError(
            f"{path}: its lines end in more than one way, or its quotes are not CSV's."
        )
    if path.suffix.lower() in (".parquet", ".pq"):
        return UsageError(f"{path} is no Parquet file, or a damaged one.")
    return UsageError(f"{path}: {plain(text.partition(chr(10))[0])}")
