"""How a sheet is drawn in the room there is: which columns come first, and how wide they are."""

from __future__ import annotations

from dataclasses import replace

from augury.tui.widgets.columns import GAP, Columns
from augury.tui.widgets.sheet import Sheet


def placed(sheet: Sheet, columns: Columns, width: int) -> tuple[Sheet, Columns]:
    """The sheet as it is drawn in `width` columns, and where its columns lie.

    `sheet.first` come first only where they would be out of view: a table that one knows with
    much room looks the same with a little more or less of it.
    """
    if width <= 0:
        return sheet, columns
    names = [n for n, c in enumerate(sheet.columns[: sheet.frozen]) if c.align == "left"]
    laid = columns.within(width, names)
    known = {c.name: n for n, c in enumerate(sheet.columns) if n >= sheet.frozen}
    first = [known[name] for name in sheet.first if name in known]
    numbers = [n for n in first if not sheet.columns[n].unlike]
    if all(laid.start(n + 1) - GAP <= width for n in numbers):
        return sheet, laid
    rest = [n for n in range(sheet.frozen, len(sheet.columns)) if n not in first]
    order = [*range(sheet.frozen), *first, *rest]
    there = sheet.places or tuple(range(len(sheet.columns)))
    drawn = replace(
        sheet,
        columns=tuple(sheet.columns[n] for n in order),
        places=tuple(there[n] for n in order),
    )
    return drawn, replace(laid, widths=tuple(laid.widths[n] for n in order))
