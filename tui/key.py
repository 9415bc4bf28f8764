"""What a row of the table of keys is, and how its keys read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache

from textual.binding import Binding
from textual.keys import key_to_character

Keymap = Mapping[str, str]  # id of an action -> its keys as Textual names them, with commas

# Everything else reads as its own character or name.
_SHOWN = {
    "escape": "esc", "left": "←", "right": "→", "up": "↑", "down": "↓", "pagedown": "pgdn",
    "pageup": "pgup", "plus": "+", "minus": "-",
}  # fmt: skip
_OF_FIELDS = ("left", "right", "home", "end", "backspace", "delete")


@dataclass(frozen=True, slots=True)
class Key:
    """One action and the keys that reach it."""

    where: str
    keys: str  # as Textual names them, separated by commas
    shown: str  # as a person reads them
    action: str
    label: str  # in the footer, and with `where` the id that other keys are given to
    help: str
    footer: bool = True
    first: bool = False  # before the focused widget's own use of the key
    of: str = ""  # the id of the action this tells of, where that is another row's

    @property
    def id(self) -> str:
        """What a configuration calls the action: `leaderboard.save_view`."""
        return f"{self.where}.{self.label.replace(' ', '_')}"

    def reads(self, keymap: Keymap) -> str:
        """The keys as a person reads them, under other keys than the table's own."""
        other = keymap.get(self.of or self.id)
        return " ".join(map(name, other.split(","))) if other else self.shown

    def beside_typing(self, keymap: Keymap, places: Collection[str]) -> Key | None:
        """The action by those of its keys that are no letters of a text field; None without any."""
        if self.of and self.of.partition(".")[0] not in places:
            return None
        keys = keymap.get(self.of or self.id) or self.keys
        if not keys:
            return None if is_letter(self.shown) else self
        free = [key for key in keys.split(",") if not (is_letter(key) or key in _OF_FIELDS)]
        return replace(self, keys=",".join(free), shown=name(free[0])) if free else None


def is_letter(key: str) -> bool:
    """Whether a text field takes the key as text."""
    letter = key if len(key) == 1 else key_to_character(key)
    return key in _signs() or (letter is not None and letter.isprintable())


@cache
def _signs() -> frozenset[str]:
    """ASCII by the names of keys, some of which no character goes by: `slash`."""
    letters = [(chr(code), "") for code in range(33, 127) if chr(code) != ","]
    return frozenset({"comma", "space", *(one.key for one in Binding.make_bindings(letters))})


def name(key: str) -> str:
    """One key as a person reads it.

    >>> name("ctrl+full_stop"), name("escape"), name("tab"), name("x")
    ('ctrl+.', 'esc', 'tab', 'x')
    """
    *held, last = key.split("+")
    letter = key_to_character(last)
    named = letter is None or not letter.isprintable() or letter.isspace()
    return "+".join([*held, _SHOWN.get(last, last if named else letter or last)])
