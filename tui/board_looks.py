"""A board as it is looked at: which rows in which order, which columns, in groups or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from augury.engine.store.arrange import ordered, sift
from augury.engine.wording import count
from augury.tui import board_columns
from augury.tui.board_page import BoardPage, Limited
from augury.tui.board_tail import TIES
from augury.tui.formatting import state
from augury.tui.state import BoardState
from augury.tui.widgets.sheet import Column, Group, Row, Sheet

KIND = "kind"  # the group of a subject, its config aside
_SUFFIXES = {"normalised": "_norm", "rank": "_rank"}


def arranged(page: BoardPage, looks: BoardState) -> Sheet:
    """The rows that the filter keeps, sorted, with the columns that are chosen.

    Asked again for the same looks it is the same sheet: it was made in a thread, where keys do
    not wait for it.

    Raises:
        FilterError: the filter cannot be meant.
        UsageError: nor a column to sort by.
    """
    wanted = replace(looks, columns=list(looks.columns))
    if page.last and page.last[0] == wanted:
        return page.last[1]
    sheet = _arranged(page, looks)
    page.last[:] = wanted, sheet
    return sheet


def _arranged(page: BoardPage, looks: BoardState) -> Sheet:
    asked = page.asked_for(looks.filter)
    kept = sift(page.sheet.rows, asked.rows, page.places, page.places[page.subject].place)  # type: ignore[arg-type]
    words = looks.sort_words() or _own_order(page)
    rows: Sequence[Row | Group] = ordered(kept, words, page.places, ())  # equals lie by their keys
    if looks.group in groups(page):
        rows = _grouped(page, rows, looks.group)  # type: ignore[arg-type]
    columns = _columns(page, looks)
    names = [column.name for column in columns]
    return Sheet(
        tuple(columns),
        rows,
        len(rows),
        key=page.sheet.key,
        frozen=names.index(page.subject) + 1,
        sort=looks.sort or "rank",
        descending=looks.descending,
        row_tone=_row_tone(page),
        places=tuple(0 if c.unlike else page.places[c.name].place for c in columns),
        first=() if looks.columns else _ranking(page, looks),
        then=looks.then,
    )


def legend(page: BoardPage, sheet: Sheet) -> str:
    """What the marks of some rows and numbers of `arranged` mean; empty where none has one."""
    said = []
    rows = [row for row in sheet.rows if not isinstance(row, Group)]
    if {"rank", "failed"} <= set(page.places):
        rank, failed = (page.places[name].place for name in ("rank", "failed"))
        if any(row[rank] is None and row[failed] for row in rows):
            said.append(f"{state('failed').glyph} cells failed: ! in Runs tells why")
    if page.legend:
        marked = (isinstance(row[place], Limited) for row in rows for place in sheet.places)
        if any(marked):  # both have room in 80 columns
            return "  ".join([page.legend, f"{state('failed').glyph} failed"][: 1 + len(said)])
    return "".join(said)


def visible(page: BoardPage, looks: BoardState) -> list[str]:
    """Names of the columns that are shown, in the units that are chosen; no standard errors."""
    chosen = [in_units(page, name, looks.units) for name in looks.columns]
    chosen = [name for name in chosen if name in page.optional]
    if not chosen:
        return list(page.usual)
    first = [name for name in ("rank",) if name in chosen]
    return [*first, *page.keys, *(name for name in chosen if name != "rank")]


def in_units(page: BoardPage, name: str, units: str) -> str:
    """The column that shows the same number in other units, where there is one."""
    other = name + _SUFFIXES.get(units, "")
    return other if other in page.places else name


def groups(page: BoardPage) -> tuple[str, ...]:
    """What rows can be grouped by."""
    return (KIND, *page.keys[1:])


def tied(page: BoardPage) -> dict[str, int]:
    """How many rows tie with the best and with the baseline."""
    if TIES not in page.places:
        return {}
    found = {"best": 0, "baseline": 0}
    for names in page.values(TIES):
        for name in found:
            found[name] += name in names
    return {name: count for name, count in found.items() if count}


def _own_order(page: BoardPage) -> list[str]:
    """By rank, which begins anew with each setting of a board that ranks within settings."""
    words = [*(page.meta.get("ranked_within") or ()), "rank"]
    return [word for word in words if word in page.places] if "rank" in page.places else []


def _columns(page: BoardPage, looks: BoardState) -> list[Column]:
    ranked = in_units(page, page.rank, looks.units)
    found = []
    for name in visible(page, looks):
        if name == looks.group:
            continue  # the titles of groups say it
        found.append(_named(page, board_columns.column(page, name, colours=looks.colours), looks))
        stderr = board_columns.error(page, name) if looks.errors else None
        if stderr is not None:
            found.append(stderr)
        bar = board_columns.bar(page, name) if looks.bars and name == ranked else None
        if bar is not None:
            found.append(bar)
    return found


def _ranking(page: BoardPage, looks: BoardState) -> tuple[str, ...]:
    """The columns that tell rows apart and why they are in this order: in view at first sight.

    What rows are ranked within comes after the other keys: equals of it lie together anyway.
    """
    name = in_units(page, page.rank, looks.units)
    within = page.meta.get("ranked_within") or ()
    keys = [key for key in page.keys[1:] if board_columns.differs(page, key)]
    keys.sort(key=lambda key: key in within)
    stderr = str(page.titles.get(name, {}).get("stderr") or "")
    return name, stderr, *keys, board_columns.BAR


def _named(page: BoardPage, column: Column, looks: BoardState) -> Column:
    """What all columns are divided by, or that they are places, the status line says."""
    said = {"normalised": " / baseline", "rank": " rank"}.get(looks.units, "")
    title = column.title.removesuffix(said) if said and column.name in page.titles else ""
    return replace(column, title=title) if title and title != column.title else column


def _grouped(page: BoardPage, rows: Sequence[Row], group: str) -> list[Row | Group]:
    """The rows of each group together, in the order of the groups' names, each with its title."""
    place = page.places[page.subject if group == KIND else group].place
    name: Callable[[Row], Any] = lambda row: row[place]  # noqa: E731
    if group == KIND:
        name = lambda row: str(row[place]).partition("[")[0]  # noqa: E731
    there = sorted((row for row in rows if name(row) is not None), key=name)
    there += [row for row in rows if name(row) is None]
    found: list[Row | Group] = []
    for title, members in groupby(there, key=name):
        lines = list(members)
        found += [Group(f"{title or 'none'} ({count(len(lines), 'row')})"), *lines]
    return found


def _row_tone(page: BoardPage) -> Callable[[Row], str] | None:
    if "rank" not in page.places:
        return None
    place = page.places["rank"].place
    return lambda row: "muted" if row[place] is None else ""
