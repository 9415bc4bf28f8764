"""A cell that failed: what happened, what to do, and the keys that do it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from augury.tui import failure
from augury.tui.bindings import bindings
from augury.tui.messages import FailureRead
from augury.tui.screens.dialog import Dialog, text


class FailureDialog(Dialog[str]):
    """Answers `retry` or `log`; nothing on escape."""

    PLACE: ClassVar[str] = "failure"
    BINDINGS: ClassVar = bindings("failure")

    def __init__(self, read: FailureRead, retry: str) -> None:
        """Show a cell's record; `retry` is the command that tries again."""
        super().__init__("✖ This cell failed")
        self._cell: Mapping[str, Any] = read.value["cell"]
        self._log: list[str] = read.value["log"]
        self._path = read.value["path"]
        self._report: str = read.value["report"]
        self._retry = retry

    def compose_body(self) -> ComposeResult:
        """What, what to do, log, where the traceback is."""
        cell = self._cell
        saved = str(self._path) if self._path else "could not be written"
        parts = [
            f"{cell.get('label')}  {cell.get('problem')}  seed {cell.get('seed')}",
            f"What happened\n{failure.what_happened(cell)}",
            f"What to do\n{failure.advice(str(cell['error_kind']))}\nsame as: {self._retry}",
            f"Log\n{failure.tail(self._log)}",
            f"Traceback and report\n{saved}",
        ]
        with VerticalScroll(classes="dialog-scroll", can_focus=False):
            yield text("\n\n".join(parts))

    def action_answer(self, what: str) -> None:
        """Say what the person wants."""
        self.dismiss(what)

    def action_copy(self) -> None:
        """Copy the report."""
        from augury.tui.clipboard import copy

        place = copy(self._report, self.app.copy_to_clipboard)
        self.app.notify(f"Copied to {place}.", markup=False)

    def action_step(self, step: int) -> None:
        """Scroll by a line."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)
