"""What a stream is shown on."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def moves_cursor(*streams: TextIO) -> bool:
    """Whether all of them are a terminal that can paint over what it shows."""
    kind = os.environ.get("TERM", "")
    return kind not in ("", "dumb", "unknown") and all(stream.isatty() for stream in streams)


def paint(text: str) -> None:
    """Write to stderr as it is; what goes on does not depend on being watched."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        pass
