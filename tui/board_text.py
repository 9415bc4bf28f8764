"""A board on screen as text for the clipboard: what the command line would print of it."""

from __future__ import annotations

from augury.tui.board_page import BoardPage
from augury.tui.widgets.sheet import Group, Sheet


def markdown(page: BoardPage, sheet: Sheet) -> str:
    """The rows and columns on screen, as `augury leaderboard --format markdown` has them."""
    from augury.engine.store.render import render
    from augury.engine.store.table import Table

    names: list[str] = []
    for name in [*page.keys, *(c.name for c in sheet.columns if not c.unlike)]:
        about = page.titles.get(name, {})
        names += [name, *(about.get(part) or "" for part in ("stderr", "low", "high"))]
    names = [name for name in dict.fromkeys(names) if name in page.places]
    places = [page.places[name].place for name in names]
    lines = (row for row in sheet.rows if not isinstance(row, Group))
    rows = [tuple(row[place] for place in places) for row in lines]
    return render(Table(tuple(names), rows, {**page.meta, "chosen": True}), "markdown")
