"""What a person can do to a run: each says what it cannot do, and shows the command like it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from augury.engine.wording import count
from augury.tui.runs_page import guess, summary

if TYPE_CHECKING:
    from augury.tui.messages import FailureRead
    from augury.tui.screens.tab import TabScreen

Run = Mapping[str, Any]
MOST_PRIORITY = 99  # as the engine takes it


def cancel(screen: TabScreen, run: Run | None) -> None:
    """Ask, then cancel it."""
    if run is None or run["state"] not in ("running", "stopped", "paused"):
        screen.notify("This run is not under way: there is nothing to cancel.")
        return
    from augury.tui.screens.confirm import ConfirmDialog

    run_id = run["run_id"]
    left = run["pending"] + run.get("running", 0)
    words = f"{count(left, 'cell')} {'is' if left == 1 else 'are'} dropped; {run['done']:,} stay."

    def answer(yes: bool | None) -> None:
        if yes:
            screen.session.cancel(screen, run_id)

    command = screen.session.same_as(f"augury cancel {run_id}")
    screen.app.push_screen(ConfirmDialog(f"Cancel run {run_id}?", words, command), answer)


def retry(screen: TabScreen, run: Run | None) -> None:
    """Resume it where it stands still; else try its failed cells again."""
    if run is not None and run["state"] in ("stopped", "paused", "cancelled"):
        screen.session.resume(screen, run["run_id"])
    elif run is None or not run["failed"]:
        screen.notify("No cell of this run has failed.")
    else:
        screen.session.retry(screen, run["run_id"])


def explain(
    screen: TabScreen, read: FailureRead, run: Run | None, open_log: Callable[[], None]
) -> None:
    """Say why a cell failed, and do what the person wants then."""
    if read.value is None:
        screen.notify("This cell has not failed: it waits for another try.")
        return
    from augury.tui.screens.failure import FailureDialog

    run_id = run["run_id"] if run is not None else ""

    def answer(wanted: str | None) -> None:
        if wanted == "retry":
            screen.session.retry(screen, run_id)
        elif wanted == "log":
            open_log()

    command = screen.session.same_as(f"augury retry --failed {run_id}".strip())
    screen.app.push_screen(FailureDialog(read, command), answer)


def details(screen: TabScreen, run: Run | None) -> None:
    """Show it in full."""
    if run is None:
        return
    from augury.tui.screens.run import RunDialog

    counts = "\n".join(filter(None, (summary(run, screen.augury.live), guess(run))))
    screen.app.push_screen(RunDialog(run, counts))


class Priority:
    """Steps up and down that come quickly become one request."""

    def __init__(self, screen: TabScreen) -> None:
        """Nothing is wanted yet."""
        self._screen = screen
        self._wanted: dict[str, int] = {}

    def step(self, run: Run | None, step: int) -> None:
        """Want a run fed sooner or later."""
        if run is None or run["state"] in ("finished", "cancelled"):
            self._screen.notify("This run is not under way: it has no place to change.")
            return
        now = self._wanted.get(run["run_id"], int(run.get("priority") or 0))
        if not self._wanted:
            self._screen.set_timer(0.4, self._send)
        self._wanted[run["run_id"]] = min(max(now + step, -MOST_PRIORITY), MOST_PRIORITY)

    def _send(self) -> None:
        wanted, self._wanted = self._wanted, {}
        for run_id, priority in wanted.items():
            self._screen.session.prioritise(self._screen, run_id, priority)
