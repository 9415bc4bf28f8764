"""What every application in a terminal owes people: few bytes, keys in order, crashes explained."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text
from textual import events
from textual.app import App
from textual.driver import Driver

from augury.tui import crash
from augury.tui.terse import terse
from augury.tui.tolerant import tolerant


class TerminalApp(App[None]):
    """Textual's application, with that."""

    crash_report: Path | None = None
    crashed_by: Exception | None = None

    def get_driver_class(self) -> type[Driver]:
        """What Textual would take, with fewer bytes out and any byte in."""
        return tolerant(terse(super().get_driver_class()))

    async def _on_key(self, event: events.Key) -> None:
        """Keys that were typed right behind the one that opened a line belong into it.

        Over a slow link they come in one piece, and were sent to what had the focus then.
        """
        from augury.tui.widgets.typed_line import TypedLine

        line = self.focused
        if isinstance(line, TypedLine) and await line.take(event):
            event.prevent_default()  # no key of an action here; enter may be right behind

    def _handle_exception(self, error: Exception) -> None:
        self.crash_report, self.crashed_by = crash.write_report(error), error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        # The report holds the traceback; the terminal gets what a person needs.
        words = crash.explanation(self.crashed_by, self.crash_report)
        self._exit_renderables.append(Text(words, no_wrap=True, overflow="ignore"))
        self._close_messages_no_wait()
