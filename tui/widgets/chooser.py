"""A list from which any number can be chosen; each says so in characters, not by colour alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from augury.tui.bindings import bindings


class Chooser(OptionList):
    """Space or enter chooses and drops."""

    PLACE: ClassVar[str] = "list"  # its name in the table of keys
    BINDINGS: ClassVar = bindings("list")

    class Changed(Message):
        """Other names are chosen now."""

    def __init__(self, *, id: str | None = None) -> None:
        """Offer nothing yet."""
        super().__init__(id=id, markup=False, compact=True)
        self._names: tuple[str, ...] = ()
        self._titles: Mapping[str, str] = {}
        self._chosen: set[str] = set()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The chosen names, in the order they are offered."""
        return tuple(name for name in self._names if name in self._chosen)

    def offer(
        self, names: Sequence[str], chosen: Collection[str], titles: Mapping[str, str] | None = None
    ) -> None:
        """Replace what is offered; a name without a title stands for itself."""
        self._names, self._chosen = tuple(names), set(chosen) & set(names)
        self._titles = titles or {}
        self.clear_options()
        self.add_options([Option(self._prompt(name), id=name) for name in self._names])

    def choose(self, names: Collection[str]) -> None:
        """Choose these and no others."""
        self._chosen = set(names) & set(self._names)
        for place, name in enumerate(self._names):
            self.replace_option_prompt_at_index(place, self._prompt(name))
        self.post_message(self.Changed())

    def shift(self, step: int) -> None:
        """Move the name under the cursor up or down."""
        here = self.highlighted
        if here is None or not 0 <= here + step < len(self._names):
            return
        names = list(self._names)
        names.insert(here + step, names.pop(here))
        self._names = tuple(names)
        self.clear_options()
        self.add_options([Option(self._prompt(name), id=name) for name in self._names])
        self.highlighted = here + step
        self.post_message(self.Changed())

    def action_all(self, wanted: bool) -> None:
        """Choose all or none."""
        self.choose(self._names if wanted else ())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose what was not chosen, drop what was."""
        event.stop()
        self.choose(self._chosen ^ {self._names[event.option_index]})

    def _prompt(self, name: str) -> str:
        return f"[{'x' if name in self._chosen else ' '}] {self._titles.get(name, name)}"
