"""Export of a board: which rows and columns, in which form, to a file or to the clipboard."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.message_pump import MessagePump
from textual.widgets import Input, Static

from augury.engine.store.arrange import split
from augury.engine.store.render import named
from augury.tui.bindings import bindings
from augury.tui.board_looks import visible
from augury.tui.board_page import BoardPage
from augury.tui.board_query import board_command, board_params, file_words
from augury.tui.screens.export import FORMATS
from augury.tui.screens.writing import WritingDialog
from augury.tui.state import BoardState
from augury.tui.widgets.choice_line import ChoiceLine
from augury.tui.widgets.typed_line import TypedLine

_ENDINGS = {name: ending for name, ending, _ in FORMATS}


class BoardExport(WritingDialog):
    """Enter writes, wherever one is; a file that is there is replaced at the second enter."""

    PLACE: ClassVar[str] = "export"
    BINDINGS: ClassVar = bindings("export")

    def __init__(
        self,
        page: BoardPage,
        looks: BoardState,
        marked: Sequence[str],
        count: int,
        target: MessagePump,
    ) -> None:
        """Offer what is shown, `count` rows of it; the answer goes to `target`."""
        super().__init__(f"Export {page.scenario}", target)
        self._page, self._looks, self._marked = page, replace(looks), tuple(marked)
        self._count = count
        self._stem = page.scenario
        self._warned = ""

    def compose_body(self) -> ComposeResult:
        """One line for each choice, the file's name, the equivalent command."""
        rows = [("filtered", f"filtered {self._count}"), ("marked", f"marked {len(self._marked)}"),
                ("all", f"all {self._page.sheet.total}")]  # fmt: skip
        first = "marked" if self._marked else "filtered"
        yield ChoiceLine("Rows", rows, first, "rows")
        columns = "visible" if self._looks.columns else "all"
        yield ChoiceLine("Columns", [("visible", "visible"), ("all", "all")], columns, "columns")
        yield ChoiceLine("Format", [(name, name) for name, *_ in FORMATS], "csv", "format")
        values = [("full", "full precision"), ("shown", "as shown")]
        yield ChoiceLine("Values", values, "full", "values")
        yield ChoiceLine("To", [("file", "file"), ("clipboard", "clipboard")], "file", "to")
        yield Static("file", id="about-file", classes="dialog-hint", markup=False)
        yield TypedLine(f"{self._stem}.csv", select_on_focus=False, id="path")
        yield Static("", id="same", classes="dialog-text", markup=False)

    def on_mount(self) -> None:
        """Begin with the format; close off what cannot be."""
        if not self._marked:
            self._line("rows").close_off({"marked"})
        self._line("format").focus()
        self._changed()

    def action_copy(self) -> None:
        """Copy the command."""
        app = cast("Any", self.app)
        app.copy_text(self._command())

    @on(ChoiceLine.Changed)
    def _changed(self) -> None:
        form = self._chosen("format")
        self._line("values").close_off({"shown"} if form == "parquet" else ())
        self._line("to").close_off({"clipboard"} if form == "parquet" else ())
        field = self.query_one(Input)
        field.display = self._chosen("to") == "file"
        stem, _, ending = field.value.rpartition(".")
        if ending in _ENDINGS.values():
            with field.prevent(Input.Changed):
                field.value = f"{stem}.{_ENDINGS[form]}"
        self._tell()

    @on(Input.Changed)
    def _tell(self) -> None:
        self._warned = ""
        about = self.query_one("#about-file", Static)
        about.display = self._chosen("to") == "file"
        about.update("file" + ", replaces the one there" * os.path.isfile(self._path()))
        self.query_one("#same", Static).update(f"same as: {self._command()}")

    @on(Input.Submitted)
    def action_write(self) -> None:
        """Write it, or say that a file would be replaced."""
        path = self._path() if self._chosen("to") == "file" else None
        if path is not None and os.path.isfile(path) and self._warned != path:
            self._warned = path
            said = f"{path} exists: enter again replaces it, esc leaves it as it is."
            self.say(said)
            return
        told = self.begin()
        if told is None:
            return
        app = cast("Any", self.app)
        form = named(self._chosen("format"), self._values())
        app.session.export(told, "board", self._params(), form, path, self._command())

    def _params(self) -> dict[str, Any]:
        page, looks = self._page, replace(self._looks)
        looks.context = page.context_params  # the newest may be another by the time it is used
        rows: Sequence[str] = ()
        if self._chosen("rows") != "filtered":  # what chooses problems stays: it makes the numbers
            looks.filter = split(looks.filter, page.places, page.problems).problem_text
            rows = self._marked if self._chosen("rows") == "marked" else ()
        names = visible(page, looks) if self._chosen("columns") == "visible" else []
        columns = [name for name in names if name not in page.keys]
        return board_params(page.scenario, looks, columns, rows)

    def _command(self) -> str:
        form = ["--format", self._chosen("format")]
        values = ["--values", self._values()] if self._values() else []
        if self._chosen("to") == "file":
            name = self.query_one(Input).value.strip() or os.path.basename(self._path())
            form = file_words(self._chosen("format"), name)
        words = [*form[:2], *values, *form[2:]]
        command = f"{board_command(self._params())} {shlex.join(words)}"
        return cast("Any", self.app).session.same_as(command)

    def _values(self) -> str:
        """What `--values` is given, nothing for the format's own way."""
        form, values = self._chosen("format"), self._chosen("values")
        return "" if named(form, values) == form else values

    def _path(self) -> str:
        name = self.query_one(Input).value.strip()
        name = name or f"{self._stem}.{_ENDINGS[self._chosen('format')]}"
        return os.path.join(os.getcwd(), os.path.expanduser(name))  # an ending slash is kept

    def _chosen(self, name: str) -> str:
        return self._line(name).chosen

    def _line(self, name: str) -> ChoiceLine:
        return self.query_one(f"#{name}", ChoiceLine)
