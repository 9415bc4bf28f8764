"""`augury` alone: the terminal application, or the boards where there is no terminal for it."""

from __future__ import annotations

import sys

from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint
from augury.engine.cli.options import check_there, open_store, preferences
from augury.engine.cli.terminal import moves_cursor
from augury.engine.targets import load

# A string, not an import: the engine runs headless and must not depend on the application, which
# depends on it. This is the one place that names it, and it is loaded on a terminal only.
APPLICATION = "augury.tui.start:run"


def home(store: str | None) -> None:
    """Open the application if a person sits at a terminal that can show it."""
    path = open_store(store)
    if moves_cursor(sys.stdin, sys.stdout):
        raise SystemExit(load(APPLICATION)(path, preferences().values))
    from augury.engine.cli.boards import newest_boards, print_boards

    check_there(path)
    boards = newest_boards(path)
    print_boards(path, boards)
    if not boards:
        say(f"no results yet. Start with: {hint('run', 'quick')}")
