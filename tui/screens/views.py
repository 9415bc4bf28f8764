"""Saved views: look at a board as was saved under a name; save how it is looked at now."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from augury.engine.errors import AuguryError
from augury.engine.views import View, save, views
from augury.tui.bindings import bindings
from augury.tui.board_query import context_words
from augury.tui.screens.dialog import Dialog
from augury.tui.widgets.typed_line import TypedLine

_OWN = "the board's own"


class ViewsDialog(Dialog[View]):
    """Answers with a view; the first is the board as it comes."""

    PLACE: ClassVar[str] = "views"
    BINDINGS: ClassVar = bindings("views")

    def __init__(self, scenario: str, session: Any, context: Mapping[str, Any]) -> None:
        """Offer the views of a scenario; `context` is the board that is shown."""
        super().__init__("Views")
        self._scenario, self._session, self._board = scenario, session, context
        self._views = {_OWN: View(), **views(scenario)}

    def compose_body(self) -> ComposeResult:
        """The names, and what each is."""
        yield OptionList(*self._options(), markup=False)
        yield Static("", id="same", classes="dialog-text", markup=False)

    def action_step(self, step: int) -> None:
        """Move as j and k do everywhere."""
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    def action_forget(self) -> None:
        """Forget the view under the cursor."""
        name = self._under_cursor()
        if name != _OWN:
            try:
                save(self._scenario, name, None)
            except AuguryError as error:
                self.query_one("#same", Static).update(error.message)
                return
            del self._views[name]
            options = self.query_one(OptionList)
            options.clear_options()
            options.add_options(self._options())
            options.highlighted = 0

    def action_copy(self) -> None:
        """Copy the command that prints the view."""
        cast("Any", self.app).copy_text(self._command())

    @on(OptionList.OptionHighlighted)
    def _moved(self) -> None:
        self.query_one("#same", Static).update(f"same as: {self._command()}")

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._views[list(self._views)[event.option_index]])

    def _under_cursor(self) -> str:
        return list(self._views)[self.query_one(OptionList).highlighted or 0]

    def _command(self) -> str:
        name = self._under_cursor()
        command = view_command(self._scenario, "" if name == _OWN else name, self._board)
        return self._session.same_as(command)

    def _options(self) -> list[Option]:
        width = max(map(len, self._views))
        return [Option(f"{name:<{width}}  {_about(view)}") for name, view in self._views.items()]


class SaveView(Dialog[None]):
    """Asks for a name, and saves."""

    PLACE: ClassVar[str] = "save"

    def __init__(self, scenario: str, view: View, context: Mapping[str, Any]) -> None:
        """Save this view of a board."""
        super().__init__("Save this view as")
        self._scenario, self._view, self._board = scenario, view, context
        self._warned = ""

    def compose_body(self) -> ComposeResult:
        """The name, and what is saved."""
        yield TypedLine(id="view-name")
        yield Static(_about(self._view), id="about", classes="dialog-text", markup=False)

    @on(Input.Submitted)
    def _save(self, event: Input.Submitted) -> None:
        name = event.value.strip()
        said = self.query_one("#about", Static)
        if not name or name == _OWN or name.startswith("-"):
            said.update("Give a name that does not begin with -.")
        elif name in views(self._scenario) and self._warned != name:
            self._warned = name
            said.update(f"{name} exists: enter again replaces it.")
        else:
            try:
                save(self._scenario, name, self._view)
            except AuguryError as error:
                said.update(error.message)
                return
            command = view_command(self._scenario, name, self._board)
            same = cast("Any", self.app).session.same_as(command)
            self.app.notify(f"same as: {same}", title="Saved", markup=False)
            self.dismiss(None)


def view_command(scenario: str, name: str, context: Mapping[str, Any]) -> str:
    """The command that prints a board as was saved under a name; as it comes without one."""
    words = [f"--view={name}"] if name.startswith("-") else ["--view", name] if name else []
    return shlex.join(["augury", "leaderboard", scenario, *words, *context_words(context)])


def _about(view: View) -> str:
    said = [f"{name} {','.join(v) if isinstance(v, list) else v}"
            for name, v in view.params().items()]  # fmt: skip
    return "  ".join(said) or "as the board comes: by rank, its own columns"
