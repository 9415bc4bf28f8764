"""The filter line: what is typed is tried at once, and what cannot be meant is pointed at."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from augury.engine.terms import FilterError
from augury.tui.bindings import bindings
from augury.tui.messages import FilterEntered, FilterHelpWanted, FilterTyped
from augury.tui.widgets.typed_line import TypedLine


class _Line(TypedLine):
    """`?` is no part of any filter: it asks for help."""

    async def take(self, event: events.Key) -> bool:
        if event.character != "?":
            return await super().take(event)
        self.post_message(FilterHelpWanted())
        return True


class FilterBar(Vertical):
    """Closed until it is asked for; enter keeps a filter, escape brings back the one before."""

    PLACE: ClassVar[str] = "filter"  # its name in the table of keys
    BINDINGS: ClassVar = bindings("filter")

    def __init__(self) -> None:
        """Begin closed."""
        super().__init__(id="filter-bar")
        self._before = ""
        hint = "agent~ens kl_t1<0.5 !failed, or letters of a name; ? helps"
        self._line = _Line(id="filter", placeholder=hint, select_on_focus=False)
        self._wrong: FilterError | None = None

    def compose(self) -> ComposeResult:
        """The line, and room for a word about it."""
        yield self._line
        yield Static("", id="filter-note", markup=False)

    @property
    def is_open(self) -> bool:
        """Whether it is on screen."""
        return self.has_class("-open")

    @property
    def text(self) -> str:
        """What is typed in it."""
        return self._line.value.strip()

    @property
    def is_wrong(self) -> bool:
        """Whether it points at something that cannot be meant."""
        return self._wrong is not None

    def open(self, text: str) -> None:
        """Show it with the filter that is on."""
        self._before = text
        self.add_class("-open")
        self.display = True  # at once: what is hidden cannot have the focus
        if self._line.is_mounted:
            self._begin()

    def on_mount(self) -> None:
        """It was opened before it was there."""
        self._begin()

    def _begin(self) -> None:
        with self._line.prevent(Input.Changed):
            self._line.value = self._before
        self._line.cursor_position = len(self._before)
        self.complain(None)
        self.screen.set_focus(self._line)  # not later: the next letters may be here already

    def close(self) -> None:
        """Take it off the screen."""
        self.remove_class("-open")
        self.display = False

    def complain(self, error: FilterError | None) -> None:
        """Point at what cannot be meant, or at nothing."""
        if error is None and self._wrong is None:
            return
        self._wrong = error
        self.set_class(error is not None, "-wrong")
        if error is not None:
            start = error.start + 1  # the line's own margin
            mark = "^" * max(error.end - error.start, 1)
            said = error.message.partition(" Known:")[0]
            shown = f"{' ' * start}{mark} {said}"
            if len(shown) > self.size.width:  # more than the rest of the line: from its beginning
                shown = f" {said}"
            self.query_one("#filter-note", Static).update(Content(shown))

    def action_leave(self) -> None:
        """The filter as it was before."""
        self.post_message(FilterEntered(self._before))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(FilterTyped(event.value))

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(FilterEntered(event.value))
