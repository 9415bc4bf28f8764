"""Styles that are parsed when they differ, not whenever a screen appears."""

from __future__ import annotations

from collections.abc import Mapping

from textual.css.stylesheet import Stylesheet


class SteadyStylesheet(Stylesheet):
    """Parsing is an eighth of the time to the first frame; each source is parsed once for a theme.

    Textual parses all of them again for every screen that brings its own, and at the first sight
    of a theme whose variables it was made with.
    """

    def __init__(self, *, variables: Mapping[str, str]) -> None:
        """Begin without rules."""
        super().__init__(variables=dict(variables))
        self._parsed: tuple[object, ...] = ()

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take other variables; what was parsed with these very ones stays."""
        if variables != self._variables:
            super().set_variables(variables)

    def parse(self) -> None:
        """Parse what is new, and remember from what."""
        super().parse()
        self._parsed = self._basis()

    def reparse(self) -> None:
        """Parse what is new if sources or variables differ from what the rules were made of."""
        if self._basis() != self._parsed:
            self.parse()

    def _basis(self) -> tuple[object, ...]:
        return tuple(self.source), dict(self._variables)
