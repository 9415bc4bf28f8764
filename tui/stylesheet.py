"""Styles that are parsed when they differ, not whenever a screen appears."""

from __future__ import annotations

from collections.abc import Mapping

from textual.css.stylesheet import Stylesheet


class SteadyStylesheet(Stylesheet):
    """Parsing is a third of the time to the first frame, and nothing changes between two screens.

    Textual parses again for every new screen and at the first sight of a theme.
    """

    def __init__(self, *, variables: Mapping[str, str]) -> None:
        """Begin without rules."""
        super().__init__(variables=dict(variables))
        self._parsed: tuple[object, ...] = ()

    def parse(self) -> None:
        """Parse, and remember from what."""
        super().parse()
        self._parsed = self._basis()

    def reparse(self) -> None:
        """Parse again if sources or variables differ from what the rules were made of."""
        if self._basis() != self._parsed:
            super().reparse()
            self._parsed = self._basis()

    def _basis(self) -> tuple[object, ...]:
        return tuple(self.source), dict(self._variables)
