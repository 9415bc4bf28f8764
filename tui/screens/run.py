"""One run in full: what the line of a table has no room for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from augury.tui.bindings import bindings
from augury.tui.formatting import state
from augury.tui.screens.dialog import Dialog, text


class RunDialog(Dialog[None]):
    """Its state, when it began, its counts, and the whole command."""

    PLACE: ClassVar[str] = "details"
    BINDINGS: ClassVar = bindings("details")

    def __init__(self, run: Mapping[str, Any], counts: str) -> None:
        """Show a run as `status` tells of it; `counts` says in words how far it is."""
        super().__init__(f"Run {run['run_id']}")
        self._run = run
        self._counts = counts

    def compose_body(self) -> ComposeResult:
        """The text; a long command wraps and scrolls."""
        began = str(self._run.get("created", ""))[:19].replace("T", " ")
        words = f"{state(self._run['state'])}, started {began} UTC\n{self._counts}"
        with VerticalScroll(classes="dialog-scroll", can_focus=False):
            yield text(f"{words}\n\n{self._run.get('command', '')}")

    def action_copy(self) -> None:
        """Copy the command."""
        from augury.tui.clipboard import copy

        place = copy(str(self._run.get("command", "")), self.app.copy_to_clipboard)
        self.app.notify(f"Copied to {place}.", markup=False)

    def action_step(self, step: int) -> None:
        """Scroll by a line."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)
