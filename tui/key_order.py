"""Keys one after another: each goes to what has the focus once the ones before have had their say.

Over a slow link a word comes in one piece. Textual sends every key of it at once to what has the
focus then, and what a key is bound to happens two queues later: letters overtake backspace and
enter, and those behind a key that opens something land in what was open before.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from textual import events
from textual.app import App
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

_PATIENCE = 0.5  # seconds; what a key was sent to may be gone before it answers
_ROUNDS = 20  # through all queues, at most: a screen with much to do must not hold keys up


class KeyTaken(Message):
    """Follows a key through the same queues, up to the application."""

    def __init__(self, number: int, rounds: int = 1) -> None:
        """Of the key with this number; how many times it has gone."""
        super().__init__()
        self.number, self.rounds = number, rounds


class OrderedKeys(App[None]):
    """Textual's application, with that. A key that comes alone is not held up."""

    def __init__(self, *args: Any, **extra: Any) -> None:
        """Nothing is typed yet."""
        super().__init__(*args, **extra)
        self._typed: deque[events.Event] = deque()
        self._number = 0  # of the key at work
        self._at_work = False

    async def on_event(self, event: events.Event) -> None:
        """As Textual, but keys and pastes wait for those before."""
        typed = isinstance(event, (events.Key, events.Paste)) and not event.is_forwarded
        if not typed or not self._screen_stack:
            await super().on_event(event)
        elif self._at_work:
            self._typed.append(event)
            if len(self._typed) == 1:
                self._watch()
        else:
            await self._hand_on(event)

    async def _hand_on(self, event: events.Event) -> None:
        self._at_work = True
        self._number += 1
        target, before = self.focused or self.screen, self.screen
        await super().on_event(event)
        self._follow(target, KeyTaken(self._number), before)

    def _follow(self, target: Widget, message: KeyTaken, before: Screen) -> None:
        self._seen = before, self.focused
        if not target.post_message(message):  # it was closed meanwhile
            self.call_later(self.on_key_taken, message)

    async def on_key_taken(self, message: KeyTaken) -> None:
        """Go on once nothing that the key set off is on its way."""
        if message.number != self._number or not self._at_work:
            return
        target = self.focused or self.screen
        busy = any(node.message_queue_size for node in (*target.ancestors_with_self, self))
        if message.rounds >= _ROUNDS or (self._seen == (self.screen, self.focused) and not busy):
            await self._go_on(message.number)
            return
        again = KeyTaken(message.number, message.rounds + 1)
        if self.screen is self._seen[0]:
            self._follow(target, again, self.screen)
        else:  # it has its focus once it was shown
            screen = self.screen
            screen.call_after_refresh(self.call_later, self._follow, screen, again, screen)

    def _watch(self) -> None:
        """Whatever happens to the key at work, those behind it come."""
        number = self._number
        self.set_timer(_PATIENCE, lambda: self._go_on(number))

    async def _go_on(self, number: int) -> None:
        if number != self._number or not self._at_work:
            return
        self._at_work = False
        if self._typed:
            event = self._typed.popleft()
            await self._hand_on(event)
            if self._typed:
                self._watch()
