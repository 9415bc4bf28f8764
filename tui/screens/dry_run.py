"""What a run would do, before anything starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult

from augury.tui.bindings import bindings
from augury.tui.screens.dialog import Dialog, text


class DryRunDialog(Dialog[bool]):
    """Answers True on enter: start it."""

    PLACE: ClassVar[str] = "dry_run"
    BINDINGS: ClassVar = bindings("dry_run")

    def __init__(self, lines: Sequence[str], command: str) -> None:
        """Show what the command prints."""
        super().__init__("Dry run: nothing has started")
        self._lines = lines
        self._command = command

    def compose_body(self) -> ComposeResult:
        """Its lines, then the command."""
        yield text("\n".join([*self._lines, "", f"same as: {self._command}"]))

    def action_start(self) -> None:
        """Answer yes."""
        self.dismiss(True)

    def action_copy(self) -> None:
        """Copy the command."""
        from augury.tui.clipboard import copy

        place = copy(self._command, self.app.copy_to_clipboard)
        self.app.notify(f"Copied to {place}.", markup=False)
