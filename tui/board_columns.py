"""How each column of a board reads: decimals, width, colour from best to worst, bars."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from augury.engine.text_width import cut, width_of
from augury.tui.board_page import TAIL, TIES, BoardPage, Limited, marked
from augury.tui.formatting import decimals, fixed, number, state
from augury.tui.widgets.sheet import Column, Row
from augury.tui.widgets.strips import LEVELS

BAR = "bar"  # the column's name
BAR_WIDTH = 8
_LEFT = frozenset({"reason", "coverage", TIES})
_SAMPLE = 2_000  # values that decimals and colours are found from
_LONG = 8  # letters that rows have in common and do without
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def column(page: BoardPage, name: str, *, colours: bool) -> Column:
    """One column, measured once for each page."""
    key = (name, colours)
    if key not in page.measured:
        page.measured[key] = _column(page, name, colours)
    return page.measured[key]


def differs(page: BoardPage, name: str) -> bool:
    """Whether rows of a page have unlike values there."""
    if name not in page.differing:
        values = page.values(name)
        page.differing[name] = any(value != values[0] for value in values)
    return page.differing[name]


def error(page: BoardPage, name: str) -> Column | None:
    """The column of standard errors that belongs to one, if there is one."""
    stderr = str(page.titles.get(name, {}).get("stderr") or "")
    if stderr not in page.places:
        return None
    if stderr not in page.measured:
        values = page.values(stderr)
        if not values:
            return None  # a column of dashes
        show = column(page, name, colours=False).show
        width = _width(values, show)
        page.measured[stderr] = Column(stderr, "±SE", show=show, tone=_muted, width=width)
    return page.measured[stderr]


def bar(page: BoardPage, name: str) -> Column | None:
    """Bars of a column's values, as long as the baseline's is or the largest; None without any."""
    key = (BAR, name)
    if key not in page.measured:
        base = page.row_of(page.baseline) if page.baseline else None
        place = page.places[name].place
        against = base[place] if base is not None else None
        full = against or max(page.values(name), default=0.0)
        title = cut(f"vs {page.baseline if against else 'most'}", BAR_WIDTH)
        page.measured[key] = Column(
            BAR, title, "left", width=BAR_WIDTH * (full > 0), sortable=False,
            unlike=True, draw=lambda row: bar_text(row[place], full, BAR_WIDTH),
        )  # fmt: skip
    return page.measured[key] if page.measured[key].width else None


def bar_text(value: Any, full: float, width: int) -> str:
    """A bar in eighths of a character; one that would be longer ends in a mark.

    >>> bar_text(0.5, 1.0, 4), bar_text(9.0, 1.0, 4), bar_text(None, 1.0, 4)
    ('██', '███▸', '')
    """
    if not isinstance(value, (int, float)) or not math.isfinite(value) or value <= 0:
        return ""
    eighths = max(round(value / full * width * 8), 1)
    if eighths > width * 8:
        return "█" * (width - 1) + "▸"
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def levels(values: Sequence[float], better: str) -> Callable[[Any], str] | None:
    """The style of a value by its place among all, best to worst; None where nothing is better."""
    worse = {"lower": lambda v: v, "higher": lambda v: -v, "one": lambda v: abs(v - 1)}.get(better)
    if worse is None:
        return None
    step = max(len(values) // _SAMPLE, 1)
    places = sorted(worse(v) for v in values[::step] if math.isfinite(v))
    if not places or places[0] == places[-1]:
        return None
    last = len(places) - 1
    cuts = [places[last * level // LEVELS] for level in range(1, LEVELS)]

    def tone(value: Any) -> str:
        if not isinstance(value, (int, float)) or not math.isfinite(value):
            return ""
        return f"level-{bisect_left(cuts, worse(value))}"

    return tone


def _column(page: BoardPage, name: str, colours: bool) -> Column:
    title, values = page.title_of(name), page.values(name)
    if name == "rank":
        return _rank(page, values)
    if page.places[name].kind == "text":
        begin = common_beginning(values) if name in page.keys[1:] else ""
        show = (lambda value: f"…{str(value)[len(begin) :]}") if begin else number
        width = _longest(values) - len(begin) + bool(begin)
        named = name in page.keys
        return Column(name, title, "left", show, most=60, width=width, names=named)
    about = page.titles.get(name)
    if about is None:
        tone = _failed_tone if name == "failed" else None
        show = fixed(decimals(values[:_SAMPLE])) if name not in TAIL else number
        if name == "seconds":
            show = fixed(decimals(values[:_SAMPLE]))
        return Column(name, title, show=show, tone=tone, width=_width(values, show))
    stderr = str(about.get("stderr") or "")
    errors = page.values(stderr)[:_SAMPLE] if stderr in page.places else []
    show = fixed(decimals(values[:_SAMPLE], errors))
    tone = levels(values, str(about.get("better", ""))) if colours else None
    mark = bool(page.legend) and any(isinstance(value, Limited) for value in values)
    width = _width(values, show) + mark
    return Column(name, title, show=marked(show) if mark else show, tone=tone, width=width)


def common_beginning(texts: Sequence[str]) -> str:
    """What all texts begin with, up to a hyphen; "" where it is short or they are all the same.

    >>> common_beginning(["fashion_mnist-n1000-s1", "fashion_mnist-n1000-s5"])
    'fashion_mnist-n1000-'
    """
    low, high = min(texts, default=""), max(texts, default="")
    differ = (n for n, (a, b) in enumerate(zip(low, high, strict=False)) if a != b)
    same = next(differ, len(low) if low != high else 0)
    begin = low[: low.rfind("-", 0, same) + 1]
    return begin if len(begin) >= _LONG else ""


def _rank(page: BoardPage, values: list[Any]) -> Column:
    """Ranks; those that tie with the best say so."""
    width = max(len(number(max(values, default=0))), 1)
    place = page.places["rank"].place
    failed = page.places["failed"].place if "failed" in page.places else None

    def said(row: Row) -> str:
        broken = row[place] is None and failed is not None and row[failed]
        return state("failed").glyph if broken else number(row[place])

    if not page.has_intervals:
        return Column("rank", "#", show=number, draw=said, width=width)
    ties = page.places[TIES].place if page.has_ties else None

    def draw(row: Row) -> str:
        tie = ties is not None and "best" in (row[ties] or "")
        return said(row) + ("=" if tie else " ")

    return Column("rank", "#", show=number, draw=draw, width=width + 1)


def _width(values: Sequence[Any], show: Callable[[Any], str]) -> int:
    """Of the longest text: that of the largest, of the least, or of one that is almost zero."""
    if not values:
        return 1
    try:
        ends = [min(values), max(values)]
    except TypeError:  # of a published table, where a text may stand among numbers
        return max(width_of(show(value)) for value in values)
    ends += (value for value in values[:_SAMPLE] if value and abs(value) < 0.1)
    return max(len(show(value)) for value in ends)


def _longest(texts: Sequence[str]) -> int:
    """Columns that the widest takes."""
    if all(map(str.isascii, texts)):
        return max(map(len, texts), default=1) or 1
    return max(map(width_of, texts))


def _muted(_value: Any) -> str:
    return "muted"


def _failed_tone(value: Any) -> str:
    return "bad" if value else "muted"
