"""A board wider than the terminal, as blocks below each other that repeat who the rows are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from augury.engine.store import render
from augury.engine.store.table import Table
from augury.engine.text_width import width_of

_GAP = 2


def blocks(table: Table, width: int) -> list[Table]:
    """The table, cut by columns so that each part fits `width`; boards only, others stay whole."""
    titles: Mapping[str, Any] = table.meta.get("titles", {})
    names = [name for name, _ in render.shown(table)]
    head = next((i for i, name in enumerate(names) if name in titles), 0)
    if not head:
        return [table]
    heads, rows, _ = render.texts(table)
    widths = [max(map(width_of, column)) for column in zip(heads, *rows, strict=True)]
    groups = _groups(widths[head:], width - sum(w + _GAP for w in widths[:head]))
    found = []
    for number, group in enumerate(groups):
        chosen = names[:head] + [names[head + i] for i in group]
        cards = [titles[n] for n in chosen if n in titles]
        parts = ("stderr", "low", "high", *(() if table.meta.get("chosen") else ("size",)))
        chosen += [card[part] for card in cards for part in parts if card.get(part)]
        chosen += ["reason"] if number == len(groups) - 1 else []
        found.append(_part(table, [n for n in table.columns if n in chosen], number > 0))
    return found


def _groups(widths: Sequence[int], room: int) -> list[list[int]]:
    """Places of columns, as many in a group as fit; a column that never fits stands alone."""
    groups: list[list[int]] = [[]]
    left = room
    for place, width in enumerate(widths):
        if groups[-1] and width > left:
            groups.append([])
            left = room
        groups[-1].append(place)
        left -= width + _GAP
    return groups


def _part(table: Table, names: Sequence[str], later: bool) -> Table:
    places = [table.columns.index(name) for name in names]
    rows = [tuple(row[place] for place in places) for row in table.rows]
    meta = {k: v for k, v in table.meta.items() if not (later and k == "title")}
    return Table(tuple(names), rows, meta)
