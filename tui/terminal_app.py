"""What every application in a terminal owes people: few bytes, keys in order, crashes explained."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text
from textual.driver import Driver

from augury.tui import crash
from augury.tui.key_order import OrderedKeys
from augury.tui.terse import terse
from augury.tui.tolerant import tolerant


class TerminalApp(OrderedKeys):
    """Textual's application, with that."""

    crash_report: Path | None = None
    crashed_by: Exception | None = None

    def get_driver_class(self) -> type[Driver]:
        """What Textual would take, with fewer bytes out and any byte in."""
        return tolerant(terse(super().get_driver_class()))

    def _handle_exception(self, error: Exception) -> None:
        self.crash_report, self.crashed_by = crash.write_report(error), error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        # The report holds the traceback; the terminal gets what a person needs.
        words = crash.explanation(self.crashed_by, self.crash_report)
        self._exit_renderables.append(Text(words, no_wrap=True, overflow="ignore"))
        self._close_messages_no_wait()
