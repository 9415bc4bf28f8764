"""A board as the leaderboard tab has it: all rows and columns, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from augury.engine.store import render
from augury.engine.store.arrange import Asked, Place, ordered, sift, split
from augury.tui.board_tail import TAIL, TIES
from augury.tui.formatting import MISSING
from augury.tui.widgets.sheet import Column, Row, Sheet

if TYPE_CHECKING:
    from augury.engine.store.table import Table

MOST_MEASURED = 10_000  # rows, or about as many, that widths and colours are made from
MOST_COMPARED = 500  # rows that are tested against the best and the baseline
_SILENT = frozenset({"done", "pending", TIES})  # said by coverage, the notes and marks


class Limited(float):
    """A number with too few effective samples behind it: the same value, read with a mark."""


@dataclass(frozen=True, slots=True)
class BoardPage:
    """One board. `sheet` has every row and column, in the order of what identifies a row."""

    scenario: str
    title: str
    sheet: Sheet
    subject: str  # name of the column that names the subject
    context: str
    context_params: Mapping[str, Any]  # of a query that stays in this context
    direction: str  # of the ranked column, in words
    place: str  # which of the scenario's boards this is, where there are several
    place_in_short: str
    legend: str  # what the mark at some of the numbers means; empty where none has it
    published: bool = False
    rank: str = ""  # the column that ranks
    baseline: str = ""
    titles: Mapping[str, Any] = field(default_factory=dict)  # title, unit, better, stderr, wide
    places: Mapping[str, Place] = field(default_factory=dict)  # every column, for filter and sort
    problems: Mapping[str, str] = field(default_factory=dict)  # what a filter may say of problems
    keys: tuple[str, ...] = ()  # columns that identify a row
    usual: tuple[str, ...] = ()  # columns that are shown unless others are chosen
    asked: Mapping[str, Any] = field(default_factory=dict)  # `board_query.source` of the numbers
    meta: Mapping[str, Any] = field(default_factory=dict, repr=False)  # as the store said it
    measured: dict[Any, Column] = field(default_factory=dict, compare=False, repr=False)
    differing: dict[str, bool] = field(default_factory=dict, compare=False, repr=False)
    last: list[Any] = field(default_factory=list, compare=False, repr=False)  # looks and sheet
    sampled: list[tuple[Any, ...]] = field(default_factory=list, compare=False, repr=False)

    def asked_for(self, filter_text: str) -> Asked:
        """A filter of this board, taken apart. Raises `FilterError`."""
        return split(filter_text, self.places, self.problems, self.rank)

    @property
    def has_intervals(self) -> bool:
        """Whether there are intervals and ties to be asked for; they take 2 ms of each row."""
        some = any(about.get("low") for about in self.titles.values())
        return some and self.sheet.total <= MOST_COMPARED

    @property
    def has_ties(self) -> bool:
        """Whether they are here."""
        return TIES in self.places

    def kept(self, filter_text: str) -> dict[str, Any]:
        """Parameters that keep these rows where a board is broken out further.

        There a number is another one: rows that a term on numbers keeps are told by their names.
        Raises `FilterError`.
        """
        asked = self.asked_for(filter_text)
        known = [t for t in asked.rows if t.name in self.keys or t.name not in self.places]
        typed = [filter_text[term.start : term.end] for term in known]
        params: dict[str, Any] = {"filter": " ".join(filter(None, (asked.problem_text, *typed)))}
        if len(known) < len(asked.rows):
            place = self.places[self.subject].place
            rows = sift(self.sheet.rows, asked.rows, self.places, place)  # type: ignore[arg-type]
            params["rows"] = list(dict.fromkeys(str(row[place]) for row in rows))
        return {name: value for name, value in params.items() if value}

    def values(self, name: str) -> list[Any]:
        """What rows have in a column, without what is missing; of very many rows a sample."""
        if not self.sampled:  # all columns at once: rows are read once, not once for each column
            rows = self.sheet.rows[:: max(self.sheet.total // MOST_MEASURED, 1)]
            self.sampled.extend(zip(*rows, strict=True))  # type: ignore[arg-type]
        column = self.sampled[self.places[name].place] if self.sampled else ()
        return [value for value in column if value is not None]

    def row_of(self, label: str) -> Row | None:
        """The first row of a subject."""
        place = self.places[self.subject].place
        return next((row for row in self.sheet.rows if row[place] == label), None)  # type: ignore[index, return-value]

    def row_with(self, keys: Mapping[str, Any]) -> Row | None:
        """The first row with these values in those of its key columns that are named."""
        wanted = [(self.places[n].place, keys[n]) for n in self.keys if n in keys]
        rows: Sequence[Any] = self.sheet.rows
        return next((r for r in rows if all(r[at] == value for at, value in wanted)), None)

    @property
    def optional(self) -> tuple[str, ...]:
        """Columns that one may show or hide: all but keys and standard errors."""
        errors = {about.get("stderr") for about in self.titles.values()}
        return tuple(n for n in self.places if n not in errors and n not in self.keys)

    def title_of(self, name: str) -> str:
        """What a column is called."""
        if name in self.titles:
            return str(self.titles[name]["title"])
        return "#" if name == "rank" else TAIL.get(name, name)


def page(scenario: str, table: Table, asked: Mapping[str, Any] | None = None) -> BoardPage:
    """Take a board's table in: its rows in the order of their keys."""
    meta = table.meta
    titles: Mapping[str, Any] = meta.get("titles", {})
    subject = str(meta.get("subject", table.columns[0]))
    places = _places(table, meta.get("kinds") or {})
    parts = {
        str(about.get(part)) for about in titles.values() for part in ("stderr", "low", "high")
    }
    known = {"rank", subject, TIES, *titles, *TAIL, *parts}
    keys = (subject, *(name for name in table.columns if name not in known))
    limited = render.all_limited(table)
    rows = ordered(limited_rows(table, limited), (), places, keys)
    columns = tuple(Column(name, name) for name in table.columns)
    sheet = Sheet(columns, rows, len(rows), key=tuple(places[key].place for key in keys))
    plain = [name for name in titles if name in places and not titles[name].get("wide")]
    blank = render.blank(table)
    said = [key for key in keys if key not in blank]
    usual = [*("rank",) * ("rank" in places), *said, *plain]
    usual += [name for name in TAIL if name in places and name not in _SILENT]
    return BoardPage(
        scenario,
        str(meta.get("title", scenario)),
        sheet,
        subject,
        context_words(meta.get("context")),
        meta.get("context") or {},
        _direction(table),
        *_place(
            meta.get("context"), meta.get("contexts") or [], str(meta.get("newest_lacks") or "")
        ),
        render.legend(table, limited),
        bool(meta.get("published")),
        str(meta.get("rank", "")),
        str(meta.get("baseline") or ""),
        titles,
        places,
        meta.get("problem_kinds") or {},
        keys,
        tuple(usual),
        asked or {},
        meta,
    )


def text_of(sheet: Sheet, row: Row) -> str:
    """A row as tab-separated text with its titles, for the clipboard."""
    shown = [(n, column.name) for n, column in enumerate(sheet.columns) if not column.unlike]
    values = (sheet.value(row, n) for n, _ in shown)
    titles = "\t".join(name for _, name in shown)
    return titles + "\n" + "\t".join("" if v is None else str(v) for v in values)


def marked(show: Callable[[Any], str]) -> Callable[[Any], str]:
    """Reads numbers as `show` does, limited ones with their mark."""
    return lambda v: render.LIMITED + show(v) if isinstance(v, Limited) else show(v)


def limited_rows(table: Table, marks: Mapping[str, Sequence[bool]] | None = None) -> Sequence[Row]:
    """The rows, their limited numbers as such; `marks` as `render.all_limited` finds them."""
    marks = render.all_limited(table) if marks is None else marks
    if not marks:
        return table.rows
    rows = [list(row) for row in table.rows]
    for place, limited in ((table.columns.index(name), marks[name]) for name in marks):
        for row, mark in zip(rows, limited, strict=True):
            row[place] = Limited(row[place]) if mark else row[place]
    return [tuple(row) for row in rows]


def _places(table: Table, kinds: Mapping[str, str]) -> dict[str, Place]:
    """Every column; of a table that does not say, a text where one of its values is."""
    found = {}
    for place, name in enumerate(table.columns):
        kind = kinds.get(name) or (
            "text" if any(isinstance(row[place], str) for row in table.rows) else "number"
        )
        found[name] = Place(place, "text" if kind == "text" else "number", kind == "flag")
    return found


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


def _place(context: Any, contexts: Sequence[Any], lacks: str) -> tuple[str, str]:
    """Which of several boards it is, and the same in fewer words."""
    if len(contexts) < 2 or context not in contexts:
        return "", ""
    place, others = contexts.index(context), "{leaderboard.boards}"
    several = f"of {len(contexts)} boards ({others} others)"
    short = f"{place + 1} of {len(contexts)} boards ({others})"
    if place == 0:
        newest = f"newest{f' ({lacks})' if lacks else ''}"
        return f"{newest} {several}", f"{newest}, {short}"
    older = f"number {place + 1} {several}"
    if lacks:
        return f"the newest is {lacks}; this is {older}", f"newest {lacks}: {short}"
    return f"older: {older}", f"older: {place + 1} of {len(contexts)} ({others})"


def _direction(table: Table) -> str:
    meta, titles = table.meta, table.meta.get("titles", {})
    rank = str(meta.get("rank", ""))
    better = {"lower": "lower is better", "higher": "higher is better", "one": "nearer 1 is better"}
    title = titles.get(rank, {}).get("title", rank)
    said = better.get(str(meta.get("better", "")), "")
    return ", ".join(filter(None, (f"ranked by {title}", render.ranked_within(table), said)))
