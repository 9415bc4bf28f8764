"""The command palette, with a fault of its list's page keys kept from the application."""

from __future__ import annotations

from contextlib import suppress

from textual.command import CommandPalette


class Palette(CommandPalette):
    """Textual's own; page keys do nothing while its list is not laid out yet."""

    def _action_command_list(self, action: str) -> None:
        # Between the arrival of options and their layout the list knows no line of them.
        with suppress(KeyError, IndexError):
            super()._action_command_list(action)
