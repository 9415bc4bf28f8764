"""Lines of a log: follows its end until one scrolls away, and writes only what is new."""

from __future__ import annotations

from typing import ClassVar

from textual.widgets import Log

from augury.engine.wording import count
from augury.tui.bindings import bindings
from augury.tui.log_tail import MOST_LINES, LogText, added


class LogView(Log):
    """Bounded; keys move as in every table."""

    PLACE: ClassVar[str] = "log"  # its name in the table of keys
    BINDINGS: ClassVar = bindings("log")

    def __init__(self, *, id: str | None = None) -> None:
        """Show nothing yet, and follow what comes."""
        super().__init__(id=id, max_lines=MOST_LINES)
        self.follows = True
        self._text = LogText()

    def show(self, text: LogText) -> None:
        """Write what is new in it, or all of it where that is another log."""
        new = added(self._text, text)
        self._text = text
        if new is None:
            self.clear()
            new = text.lines
        if new:
            self.write_lines((line or " " for line in new), scroll_end=self.follows)
            if self.follows:
                self.scroll_end(animate=False)

    def follow(self, wanted: bool) -> None:
        """Stay at the end, or where one is."""
        self.follows = wanted
        if wanted:
            self.scroll_end(animate=False)

    def title(self) -> str:
        """What is shown, in words."""
        about = f" about {self._text.about}" if self._text.about else ""
        how = "following" if self.follows else "standing still, f follows"
        return f"log{about}, {count(len(self._text.lines), 'line')}, {how}"
