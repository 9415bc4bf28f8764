"""The command palette: actions of a place by the footer's names, by their ids, by their words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen

from augury.tui.bindings import KEYS, spelt
from augury.tui.places import places

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from augury.tui.app import AuguryApp


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that can be taken here."""

    label: str  # as the footer has it
    help: str
    id: str
    keys: str
    run: Callable[[], Awaitable[bool]]

    @property
    def shown(self) -> str:
        """Its line; the one below tells key and id."""
        return f"{self.label}: {self.help}"

    @property
    def below(self) -> str:
        """How else one gets it."""
        return f"key {self.keys}   {self.id}"


class Palette(CommandPalette):
    """Textual's own; page keys do nothing while its list is not laid out yet."""

    def __init__(self) -> None:
        """Offer what can be done on the screen it opens over."""
        super().__init__([_Offers], id="--command-palette")

    def _action_command_list(self, action: str) -> None:
        # Between the arrival of options and their layout the list knows no line of them.
        with suppress(KeyError, IndexError):
            super()._action_command_list(action)


def offers(app: AuguryApp, screen: Screen[Any]) -> Iterator[Offer]:
    """Every action of a screen and of the whole application, in the order of the table of keys."""
    for place, node in places(screen).items():
        for key in KEYS:
            if key.where == place and key.action and key.action != "app.command_palette":
                run = partial(app.run_action, key.action, node)
                said = spelt(key.help, app.keymap)
                yield Offer(key.label, said, key.id, key.reads(app.keymap), run)


def fit(offer: Offer, query: str) -> float:
    """How well an action is meant by what was typed, from 0, not at all, to 1.

    Its names count before its description, a whole one before a beginning, that before a part.
    """
    words = query.lower().replace("_", " ").split()
    names = (offer.label.lower(), offer.id.replace("_", " "), *offer.id.split("."))
    said = " ".join(words)
    if not words or said in names:
        return 1.0
    if any(name.startswith(said) for name in names):
        return 0.9
    for score, text in ((0.7, f"{offer.label} {offer.id}"), (0.4, offer.shown)):
        text = text.lower().replace("_", " ")
        if all(word in text for word in words):
            begins = all(f" {word}" in f" {text}".replace(".", " ") for word in words)
            return score + 0.1 * begins
    return 0.0


class _Offers(Provider):
    """What the palette searches."""

    async def discover(self) -> Hits:
        for offer in offers(cast("AuguryApp", self.app), self.screen):
            yield DiscoveryHit(offer.shown, offer.run, help=offer.below)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for offer in offers(cast("AuguryApp", self.app), self.screen):
            # Letters in this order find what no word does, after all that a word finds.
            score = fit(offer, query) or min(matcher.match(offer.shown) / 100, 0.3)
            if score > 0:
                yield Hit(score, matcher.highlight(offer.shown), offer.run, help=offer.below)
