"""Where one is, in one line: what tells places apart stays, what is known anyway goes. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from augury.engine.text_width import cut_middle, width_of

_BEFORE = " › "
_LEAST = 8  # columns that a name keeps


def trail(parts: Sequence[str], width: int) -> str:
    """The way to the last part, which is whole as long as may be.

    Where it has no room, first what is far above is left out, then the last part is cut.

    >>> trail(("Runs", "r12", "mlp seed 3"), 40), trail(("Runs", "r12", "mlp seed 3"), 16)
    ('Runs › r12 › mlp seed 3', '… › mlp seed 3')
    """
    for first in range(len(parts)):
        line = _BEFORE.join(["…"] * (first > 0) + list(parts[first:]))
        if width_of(line) <= width:
            return line
    return cut_middle(parts[-1], width) if parts else ""


def names(every: Sequence[str], width: int) -> list[str]:
    """The names, the longest cut in their middle until all of them have room."""
    wide = [width_of(name) for name in every]
    while sum(wide) > width and max(wide) > _LEAST:
        wide[wide.index(max(wide))] -= 1
    return [cut_middle(name, room) for name, room in zip(every, wide, strict=True)]
