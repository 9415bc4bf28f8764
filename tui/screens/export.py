"""Where to write the view, and how."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.message_pump import MessagePump
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from augury.tui.bindings import bindings
from augury.tui.board_query import file_words
from augury.tui.screens.writing import WritingDialog
from augury.tui.widgets.typed_line import TypedLine

FORMATS = (
    ("csv", "csv", "full precision, one header line"),
    ("markdown", "md", "a table for a README"),
    ("latex", "tex", "a booktabs table"),
    ("json", "json", "a list of objects"),
    ("parquet", "parquet", "typed columns"),
)


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """A format and a file, of which an ending slash is kept: it names a folder."""

    form: str
    path: str


class ExportDialog(WritingDialog):
    """Enter on a format writes the file; tab goes to its name."""

    PLACE: ClassVar[str] = "write"
    BINDINGS: ClassVar = bindings("write")

    def __init__(
        self,
        stem: str,
        command: str,
        write: Callable[[ExportChoice, MessagePump], None],
        target: MessagePump,
        formats: Sequence[tuple[str, str, str]] = FORMATS,
    ) -> None:
        """Propose `stem` in the working directory; `command` has a place for the format.

        `write` begins to write what is chosen, and is told whom to tell; `target` learns of it.
        """
        super().__init__("Export this view", target)
        self._begin = write
        self._stem = stem
        self._command = command
        self._formats = formats
        self._proposed = ""
        self._warned = ""

    def compose_body(self) -> ComposeResult:
        """Formats, the file's name and the equivalent command."""
        yield OptionList(
            *(Option(f"{name:<9} {about}") for name, _, about in self._formats), markup=False
        )
        yield Static("", id="about-file", classes="dialog-hint", markup=False)
        yield TypedLine(select_on_focus=False, id="path")
        yield Static("", id="same", classes="dialog-text", markup=False)

    def on_mount(self) -> None:
        """Begin with CSV."""
        self.query_one(OptionList).highlighted = 0
        self.query_one(OptionList).focus()

    def action_step(self, step: int) -> None:
        """Move as j and k do everywhere."""
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    def action_copy(self) -> None:
        """Copy the command."""
        from augury.tui.clipboard import copy

        place = copy(self._same(), self.app.copy_to_clipboard)
        self.app.notify(f"Copied to {place}.", markup=False)

    @on(OptionList.OptionHighlighted)
    def _moved(self) -> None:
        field = self.query_one(Input)
        if field.value == self._proposed:  # nobody typed another
            self._proposed = field.value = f"{self._stem}.{self._format()[1]}"
        self._tell()

    @on(Input.Changed)
    def _renamed(self) -> None:
        self._tell()

    @on(OptionList.OptionSelected)
    @on(Input.Submitted)
    def _write(self) -> None:
        path = self._path()
        if os.path.isfile(path) and self._warned != path:
            self._warned = path
            said = f"{path} exists: enter again replaces it, esc leaves it as it is."
            self.say(said)
            return
        told = self.begin()
        if told is not None:
            self._begin(ExportChoice(self._format()[0], path), told)

    def _tell(self) -> None:
        there = os.path.isfile(self._path())
        self.query_one("#about-file", Static).update("file" + ", replaces the one there" * there)
        self.query_one("#same", Static).update(f"same as: {self._same()}")

    def _path(self) -> str:
        name = self.query_one(Input).value.strip() or f"{self._stem}.{self._format()[1]}"
        return os.path.join(os.getcwd(), os.path.expanduser(name))

    def _format(self) -> tuple[str, str, str]:
        return self._formats[self.query_one(OptionList).highlighted or 0]

    def _same(self) -> str:
        name = self.query_one(Input).value.strip() or os.path.basename(self._path())
        return f"{self._command} {shlex.join(file_words(self._format()[0], name))}"
