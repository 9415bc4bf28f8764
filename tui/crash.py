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
    folder = state_directory() / "crash"
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


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"
