"""The lines around a board in words: scenarios, marks and ties, what the board is. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from augury.engine.text_width import cut, cut_words, width_of
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


def context(
    page: BoardPage, looks: BoardState, shown: int, clear: str, width: int,
    spelt: Callable[[str], str] = str,
) -> str:  # fmt: skip
    """How many rows of it are shown, in which order, and which board it is.

    `clear` is the key that takes the filter off; `spelt` names the keys of actions. In less room
    all of it is said in fewer words; what ranks stands before what the edge may cut.
    """
    if page.published:
        return cut_words(" published, not yours: " + page.title, width)
    rows, said = count(page.sheet.total, "row"), cut(looks.filter, 34)
    filters = (
        (f"filter: {said} ({shown:,} of {rows}; {clear} takes it off)",
         f"filter: {cut(said, 10)} ({shown:,} of {page.sheet.total:,})")
        if said else (rows, rows)
    )  # fmt: skip
    directions = page.direction, page.direction.partition(", ")[0]
    places = spelt(page.place), spelt(page.place_in_short)
    lines = [
        " " + "   ".join(filter(None, (filters[f], directions[d], places[p])))
        for f, d, p in ((0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1))
    ]
    # Of an older board it matters which one it is: all of that, or the rest in fewer words.
    more = width_of(f"   {page.context}") if looks.context else 0
    line = next((line for line in lines if width_of(line) + more <= width), lines[-1])
    rest = cut_words(f"   {page.context}" * bool(page.context), max(width - width_of(line), 0))
    return cut_words(line, width) + rest * bool(rest.strip(" …"))
