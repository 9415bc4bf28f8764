"""The lines around a board in words: scenarios, marks and ties, what the board is. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from augury.engine.text_width import cut
from augury.engine.wording import count
from augury.tui.state import BoardState

if TYPE_CHECKING:
    from augury.tui.board_page import BoardPage


def scenario_line(scenarios: Sequence[str], current: str, width: int) -> Content:
    """The scenarios, each to be clicked on, the current one in brackets."""
    parts: list[Content] = [Content(" ")]
    for name in scenarios:
        chosen = name == current
        shown = Content.styled(f"[{name}]" if chosen else f" {name} ", "bold" if chosen else "")
        parts += [shown.stylize(f"@click=screen.show('{name}')"), Content(" ")]
    line = Content("").join(parts)
    if len(scenarios) < 2 or width <= line.cell_length + 22:
        return line
    return Content.assemble(line, ("  [ ] other scenarios", "$secondary"))


def note(page: BoardPage, looks: BoardState, marks: int, ties: Mapping[str, int]) -> str:
    """Marks, units and ties."""
    said = [f"{marks} marked"] * bool(marks)
    if looks.units == "normalised":
        said.append(f"normalised to {page.baseline}")
    elif looks.units == "rank":
        said.append("places in each column")
    elif looks.baseline:
        said.append(f"baseline {page.baseline}")
    if "best" in ties:
        said.append(f"= ties with the best: {ties['best']}")
    if "baseline" in ties and page.baseline:  # a published board names none
        said.append(f"ties with {page.baseline}: {ties['baseline']}")
    return "   ".join(said)


def context(page: BoardPage, looks: BoardState, shown: int) -> str:
    """How many rows of it are shown, in which order, and which board it is."""
    if page.published:
        return " published, not yours: " + page.title
    rows, said = count(page.sheet.total, "row"), cut(looks.filter, 34)
    filtered = f"filter: {said} ({shown:,} of {rows}; esc takes it off)" if said else rows
    # Of an older board it matters most which one it is; the edge may cut the rest.
    last = (page.direction, page.context)
    parts = (filtered, page.place, *(reversed(last) if looks.context else last))
    return " " + "   ".join(part for part in parts if part)
