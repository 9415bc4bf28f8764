"""What a command ends with: one line on stderr and an exit code; never a traceback."""

from __future__ import annotations

import errno
import fcntl
import os
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

import click

from augury.engine.errors import AuguryError
from augury.engine.paths import state_directory
from augury.engine.text_width import straight

FAILED_CELLS = 3
INTERRUPTED = 130


def exit_code(error: BaseException) -> int:
    """Say on stderr what went wrong; return 0, 1, 2, 4 or 130, or what a SystemExit carries."""
    if isinstance(error, SystemExit):
        return _system_exit(error)
    if isinstance(error, BrokenPipeError):
        return _broken_pipe()
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return INTERRUPTED
    if isinstance(error, AuguryError):
        say(f"augury: {error.message}")
        return error.exit_code
    if isinstance(error, click.ClickException):
        say(f"augury: {_usage(error)}")
        return error.exit_code
    if isinstance(error, OSError) and error.strerror:
        place = "stdout" if _drop_unwritten() and not error.filename else error.filename
        where = f"{place}: " if place else ""
        say(f"augury: {where}{error.strerror}.")
        return 1
    say(f"augury: {type(error).__name__}: {error} {_report(error)}")
    return 1


def say(message: str) -> None:
    """One line of narration on stderr, whatever the message holds; a lost stderr is no error."""
    try:
        print(straight(" ".join(message.split())), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass


def need_stdout() -> None:
    """Raises `OSError` if stdout is closed: better before long work than after it."""
    try:
        flags = fcntl.fcntl(sys.stdout.fileno(), fcntl.F_GETFL)
    except (OSError, ValueError):
        return  # no descriptor: whoever calls us collects the text
    if flags & os.O_ACCMODE == os.O_RDONLY:
        raise OSError(errno.EBADF, "it is closed", "stdout")


def _system_exit(error: SystemExit) -> int:
    if isinstance(error.code, int) or error.code is None:
        return error.code or 0
    say(str(error.code))
    return 1


def _broken_pipe() -> int:
    _to_nowhere(sys.stdout, sys.stderr)
    return 0


def _drop_unwritten() -> bool:
    """Whether stdout holds what it cannot get rid of; then it is forgotten."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _to_nowhere(sys.stdout)
        return True
    return False


def _to_nowhere(*streams: TextIO) -> None:
    # Python flushes stdout once more at exit and would complain there.
    with open(os.devnull, "w") as nowhere:
        for stream in streams:
            try:
                os.dup2(nowhere.fileno(), stream.fileno())
            except (OSError, ValueError):
                continue  # a stream without a file cannot complain


def _usage(error: click.ClickException) -> str:
    message = error.format_message().strip().rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "augury"
    return f"{message}. See: {path} --help"


def _report(error: BaseException) -> str:
    """Write the traceback where a person can send it from; say where."""
    text = "".join(traceback.format_exception(error))
    now = datetime.now(UTC)
    path = Path(state_directory()) / "crashes" / f"{now:%Y%m%dT%H%M%S}-{os.getpid()}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"augury {' '.join(sys.argv[1:])}\n{now.isoformat()}\n{text}", "utf-8")
    except OSError as failure:
        return f"(this is a bug; no report could be written: {failure.strerror})"
    return f"(this is a bug; a report is in {path})"
