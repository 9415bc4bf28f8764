"""What commands print, in ASCII where the terminal shows nothing else."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import TextIO

from augury.engine.errors import UsageError
from augury.engine.plain_text import escaped, plain, signs, typed, typed_word
from augury.engine.preferences import choose, is_plain


class PlainStream(io.TextIOWrapper):
    """Writes all text in ASCII; bytes, which are data, go through `buffer` as they are."""

    spell: Callable[[str], str] = staticmethod(plain)

    def write(self, s: str, /) -> int:
        """As a text stream; the number is that of the letters given."""
        super().write(self.spell(s))
        return len(s)


class PlainNarration(PlainStream):
    """Has no columns to keep straight; a path that it names is no other file's."""

    spell = staticmethod(lambda text: escaped(signs(text)))


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
            setattr(sys, name, _plain(stream, PlainNarration if name == "stderr" else PlainStream))


def shows_plain(stream: TextIO) -> bool:
    """Whether what is written there ends as ASCII: charts are then drawn of other signs."""
    return isinstance(stream, PlainStream) or "utf" not in (stream.encoding or "utf-8").lower()


def path_as_shown(path: object) -> str:
    """A path for people to copy from stderr: in ASCII a word that a shell reads as the same."""
    return typed_word(str(path)) if shows_plain(sys.stderr) else str(path)


def command_as_shown(command: str) -> str:
    """As `path_as_shown`, a whole command."""
    return typed(command) if shows_plain(sys.stderr) else command


def _plain(stream: TextIO, kind: type[PlainStream]) -> TextIO:
    try:
        file = open(stream.fileno(), "wb", closefd=False)
    except (OSError, ValueError):  # whoever calls us collects the text
        return stream
    stream.flush()
    return kind(file, "utf-8", line_buffering=stream.isatty())
