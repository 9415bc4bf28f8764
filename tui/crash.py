"""The report a crash leaves behind."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from augury.engine.paths import state_directory


def write_report(error: BaseException) -> Path | None:
    """Write the traceback and versions; the file's path, or None where nothing can be written."""
    import platform  # these three are not worth the start of every session
    import traceback

    now = datetime.now(UTC)
    folder = state_directory() / "crashes"
    path = folder / f"{now:%Y%m%dT%H%M%S}-{abs(hash(now)) % 0xFFFF:04x}.txt"
    lines = [
        f"augury {_version('augury')}, textual {_version('textual')}",
        f"python {platform.python_version()} on {platform.platform()}",
        f"{now.isoformat(timespec='seconds')}, arguments {sys.argv[1:]}",
        "",
        *traceback.format_exception(error),
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines), "utf-8")
    except OSError:
        return None
    return path


def explanation(error: BaseException | None, report: Path | None) -> str:
    """What a person has to know who is back at the shell all of a sudden."""
    kind = f"{type(error).__name__}: {error}" if error else "unknown"
    where = report or "none: the state directory cannot be written"
    return f"""\
Augury stopped on an error of its own; nothing is lost.

  what      {" ".join(kind.split())[:300]}
  report    {where}
            (the traceback and versions; nothing of your results)

Runs go on in their engine, and how you looked at the boards is saved.

  augury          opens the application again
  augury status   says what runs
  augury doctor   checks terminal, store, engine and devices
"""


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"
