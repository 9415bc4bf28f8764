"""What commands print, in ASCII where the terminal shows nothing else."""

from __future__ import annotations

import io
import sys
from typing import TextIO

from augury.engine.errors import UsageError
from augury.engine.plain_text import plain
from augury.engine.preferences import choose, is_plain


class PlainStream(io.TextIOWrapper):
    """Writes all text in ASCII; bytes, which are data, go through `buffer` as they are."""

    def write(self, s: str, /) -> int:
        """As a text stream; the number is that of the letters given."""
        super().write(plain(s))
        return len(s)


def write_as_shown(flag: bool | None) -> None:
    """Replace stdout and stderr where they are to be ASCII.

    A person's `--ascii` holds for pipes too; what the terminal can show is no matter of theirs.
    """
    if flag is None:
        try:
            wanted = choose({}).values.ascii
        except UsageError:  # said where preferences are shown; a table is printed all the same
            wanted = None
        there = is_plain(wanted)
    else:
        there = flag
    for name in ("stdout", "stderr"):
        stream: TextIO = getattr(sys, name)
        if there and (flag or stream.isatty()):
            setattr(sys, name, _plain(stream))


def _plain(stream: TextIO) -> TextIO:
    try:
        file = open(stream.fileno(), "wb", closefd=False)
    except (OSError, ValueError):  # whoever calls us collects the text
        return stream
    stream.flush()
    return PlainStream(file, "utf-8", line_buffering=stream.isatty())
