"""A board as the leaderboard tab shows it: which columns, in which order, how each number reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from augury.engine.store import render
from augury.tui.formatting import MISSING, decimals, fixed, number
from augury.tui.widgets.sheet import Column, Row, Sheet

if TYPE_CHECKING:
    from augury.engine.store.table import Table

# Columns that every board ends with: name -> title and how a value reads.
_TAIL: Mapping[str, tuple[str, Callable[[Any], str]]] = {
    "problems": ("problems", number),
    "seeds": ("seeds", number),
    "coverage": ("covers", number),
    "done": ("done", number),
    "failed": ("failed", number),
    "pending": ("pending", number),
    "seconds": ("s/cell", number),
    "reason": ("note", lambda value: "" if value is None else str(value)),
}
_LEFT = frozenset({"reason", "coverage"})


class Limited(float):
    """A number with too few effective samples behind it: the same value, read with a mark."""


@dataclass(frozen=True, slots=True)
class BoardPage:
    """One board, ready to be drawn."""

    scenario: str
    title: str
    sheet: Sheet
    subject: str  # name of the column that names the subject
    context: str
    context_params: Mapping[str, Any]  # of a query that stays in this context
    direction: str  # of the ranked column, in words
    place: str  # which of the scenario's boards this is, where there are several
    legend: str  # what the mark at some of the numbers means; empty where none has it
    published: bool = False


def page(scenario: str, table: Table, sort: str = "", descending: bool = False) -> BoardPage:
    """Arrange a board's table: rank and names frozen, main numbers first, wide ones last."""
    meta = table.meta
    titles: Mapping[str, Any] = meta.get("titles", {})
    subject = str(meta.get("subject", table.columns[0]))
    order = _order(table, subject)
    rows = _rows(table, order)
    shown = _numbers(order, rows, titles)
    columns = tuple(shown.get(name) or _column(name) for name in order)
    named = [p for p, name in enumerate(order) if name not in shown and name not in _TAIL]
    rank = order.index("rank") if "rank" in order else None
    sheet = Sheet(
        columns,
        rows,
        len(rows),
        key=tuple(p for p in named if p != rank),
        frozen=order.index(subject) + 1,
        sort=sort or "rank",
        descending=descending,
        row_tone=_row_tone(rank),
    )
    return BoardPage(
        scenario,
        str(meta.get("title", scenario)),
        sheet,
        subject,
        context_words(meta.get("context")),
        meta.get("context") or {},
        _direction(table),
        _place(meta.get("context"), meta.get("contexts") or []),
        render.legend(table),
        bool(meta.get("published")),
    )


def text_of(sheet: Sheet, row: Row) -> str:
    """A row as tab-separated text with its titles, for the clipboard."""
    titles = "\t".join(column.name for column in sheet.columns)
    return titles + "\n" + "\t".join("" if v is None else str(v) for v in row)


def _order(table: Table, subject: str) -> list[str]:
    titles: Mapping[str, Any] = table.meta.get("titles", {})
    errors = {str(about.get("stderr")) for about in titles.values()}
    columns = [
        name for name in table.columns  # an error that no row has would be a column of dashes
        if name not in errors or any(value is not None for value in table.column(name))
    ]  # fmt: skip
    wide = [name for name, about in titles.items() if about.get("wide")]
    wide += [str(titles[name].get("stderr")) for name in wide]
    first = [name for name in ("rank", subject) if name in columns]
    last = [name for name in columns if name in wide]
    return [*first, *(n for n in columns if n not in first and n not in last), *last]


def _rows(table: Table, order: Sequence[str]) -> tuple[Row, ...]:
    columns = []
    for name in order:
        values, marks = table.column(name), render.limited(table, name)
        if any(marks):
            values = [Limited(v) if mark else v for v, mark in zip(values, marks, strict=True)]
        columns.append(values)
    return tuple(zip(*columns, strict=True))


def _numbers(
    order: Sequence[str], rows: Sequence[Row], titles: Mapping[str, Any]
) -> dict[str, Column]:
    """The board's own columns and their errors, each pair with the decimals of its errors."""
    found = {}
    for name, about in titles.items():
        if name not in order:
            continue
        place, error = order.index(name), str(about.get("stderr") or "")
        errors = [row[order.index(error)] for row in rows] if error in order else []
        show = fixed(decimals((row[place] for row in rows), errors))
        found[name] = Column(name, str(about["title"]), show=marked(show))
        if error in order:
            found[error] = Column(error, "±SE", show=show, tone=_muted)
    return found


def marked(show: Callable[[Any], str]) -> Callable[[Any], str]:
    """Reads numbers as `show` does, limited ones with their mark."""
    return lambda v: render.LIMITED + show(v) if isinstance(v, Limited) else show(v)


def _column(name: str) -> Column:
    if name == "rank":
        return Column(name, "#", show=number)
    if name not in _TAIL:
        return Column(name, name, "left", number)
    title, show = _TAIL[name]
    tone = _failed_tone if name == "failed" else None
    return Column(name, title, "left" if name in _LEFT else "right", show, tone, most=60)


def _muted(_value: Any) -> str:
    return "muted"


def _failed_tone(value: Any) -> str:
    return "bad" if value else "muted"


def _row_tone(rank: int | None) -> Callable[[Row], str] | None:
    if rank is None:
        return None
    return lambda row: "muted" if row[rank] is None else ""


def context_words(context: Any) -> str:
    """A board's sweep, scale, version and settings as one short text."""
    if not isinstance(context, Mapping):
        return ""
    words = [str(context.get("sweep", "")), f"scale {context.get('scale', MISSING)}"]
    if context.get("scenario_version", 1) != 1:
        words.append(f"version {context['scenario_version']}")
    settings = context.get("settings")
    if isinstance(settings, Mapping):
        words += [f"{name} {value}" for name, value in settings.items()]
    return ", ".join(word for word in words if word)


def _place(context: Any, contexts: Sequence[Any]) -> str:
    if len(contexts) < 2 or context not in contexts:
        return ""
    place = contexts.index(context)
    age = "newest" if place == 0 else "older: number"
    return f"{age} {'' if place == 0 else f'{place + 1} '}of {len(contexts)} boards (o others)"


def _direction(table: Table) -> str:
    meta, titles = table.meta, table.meta.get("titles", {})
    rank = str(meta.get("rank", ""))
    better = {"lower": "lower is better", "higher": "higher is better", "one": "nearer 1 is better"}
    title = titles.get(rank, {}).get("title", rank)
    said = better.get(str(meta.get("better", "")), "")
    return ", ".join(filter(None, (f"ranked by {title}", render.ranked_within(table), said)))
