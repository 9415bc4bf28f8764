"""From the command line to the application and back, with an exit code."""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from augury.tui.app import AuguryApp
from augury.tui.session import Session

if TYPE_CHECKING:
    from augury.engine.preferences import Preferences
    from augury.engine.service.link import Store

LAST_SECONDS = 0.5  # for what is being read when the person leaves


def run(store: Store, preferences: Preferences) -> int:
    """Show a store until the person leaves; the exit code.

    Raises the `StoreError` or `StoreLockedError` of a store that cannot be read from the start, and
    `UsageError` for keys that cannot be meant.
    """
    # Textual draws on the standard error stream.
    shown = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.__stderr__))
    if os.environ.get("TERM", "dumb") in ("dumb", "unknown", "") or not shown:
        print(
            "This terminal cannot show the application: see `augury leaderboard`.", file=sys.stderr
        )
        return 2
    app = AuguryApp(store, preferences=preferences)
    try:
        app.run(mouse=preferences.mouse)
    finally:
        app.wind_up()
    code = app.refusal.exit_code if app.refusal else app.return_code or 0
    atexit.register(_last, app.session, code)
    if app.refusal is not None:
        raise app.refusal
    return code


def _last(session: Session, code: int) -> None:
    """All is said and saved: end, without Python's taking everything apart.

    That takes a person's tenth of a second, a busy machine's whole one, and aborts the process
    where a thread is inside DuckDB.
    """
    session.ended(LAST_SECONDS)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
