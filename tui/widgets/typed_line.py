"""A line to type into that takes keys in the order in which they were typed."""

from __future__ import annotations

from textual import events
from textual.widgets import Input


class TypedLine(Input):
    """Textual inserts a letter at once, while what a key is bound to waits for two more queues.

    Over a slow link a word comes in one piece: its letters would overtake backspace and enter.
    """

    async def take(self, event: events.Key) -> bool:
        """Do what a key means here, now; whether it means anything."""
        if event.is_printable:
            await super()._on_key(event)
            return True
        return await self.app._check_bindings(event.key)

    async def _on_key(self, event: events.Key) -> None:
        if await self.take(event):
            event.stop()
            event.prevent_default()
