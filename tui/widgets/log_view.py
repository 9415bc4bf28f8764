"""Lines of a log: follows its end until one scrolls away, and writes only what is new."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import Log

from augury.engine.text_width import cut_words, first, width_of
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

    def render_line(self, y: int) -> Strip:
        """A line with marks where it goes on out of view: half a number would read as another."""
        whole = super().render_line(y)
        scrolled, top = self.scroll_offset
        if top + y >= len(self._lines):
            return whole
        room = self.scrollable_content_region.width  # a scroll bar lies over the rest
        text = self._process_line(self._lines[top + y])
        rest = text[len(first(text, scrolled)) :]
        shown, strip = cut_words(rest, room), whole
        if shown != rest:
            strip = Strip.join([whole.crop(0, width_of(shown) - 1), self._mark(0)])
        if scrolled and text.strip():
            gone = 1
            while rest[gone - 1 : gone].strip() and gone < room // 2:
                gone += 1
            strip = Strip.join([self._mark(gone - 1), strip.crop(gone)])
        return strip.adjust_cell_length(whole.cell_length, self.rich_style)

    def _mark(self, blanks: int) -> Strip:
        return Strip([Segment("…" + " " * blanks, self.rich_style)])

    def follow(self, wanted: bool) -> None:
        """Stay at the end, or where one is."""
        self.follows = wanted
        if wanted:
            self.scroll_end(animate=False)

    def title(self, follow: str = "f") -> str:
        """What is shown, in words; `follow` is the key that goes on to the end."""
        about = f" about {self._text.about}" if self._text.about else ""
        how = "following" if self.follows else f"standing still, {follow} follows"
        return f"log{about}, {count(len(self._text.lines), 'line')}, {how}"
