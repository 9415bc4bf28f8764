"""What the dialogs that write files share: one that fails leaves the dialog as it was filled in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from textual import on
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widgets import Static

from augury.tui.messages import Exported, Failed, TextMade
from augury.tui.screens.dialog import Dialog

if TYPE_CHECKING:
    from augury.tui.app import AuguryApp


class WritingDialog(Dialog[None]):
    """Closes once the file is there, and passes that news on to whoever opened it."""

    def __init__(self, title: str, target: MessagePump) -> None:
        """News go to `target`."""
        super().__init__(title)
        self._target = target
        self._is_writing = False

    def begin(self) -> MessagePump | None:
        """Who is to be told how the writing ended; None while it goes on."""
        if self._is_writing:
            return None
        self._is_writing = True
        self.say("writing …")
        return cast("MessagePump", _Relay(self, self._target))

    def say(self, words: str) -> None:
        """In place of the command."""
        self.query_one("#same", Static).update(words)

    @on(Exported)
    @on(TextMade)
    def _ended(self, message: Exported | TextMade) -> None:
        message.stop()
        self._target.post_message(replace(message))
        self.dismiss(None)

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        message.stop()
        self._is_writing = False
        self.say("not written")
        cast("AuguryApp", self.app).show_error(message)


class _Relay:
    """Tells the dialog, or whoever opened it once that is closed."""

    def __init__(self, dialog: WritingDialog, target: MessagePump) -> None:
        self._dialog, self._target = dialog, target

    def post_message(self, message: Message) -> bool:
        there = self._dialog in self._dialog.app.screen_stack
        return (self._dialog if there else self._target).post_message(message)
