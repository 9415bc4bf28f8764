"""Tables as text: terminal, Markdown, LaTeX (booktabs). Numbers are rounded to their error."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any

from augury.engine import text_width
from augury.engine.catalog.metrics import LEAST_ESS
from augury.engine.errors import UsageError, unknown
from augury.engine.store.table import Table
from augury.engine.wording import count

MISSING = "—"
LIMITED = "!"  # before a number with too few effective samples behind it
LEGEND = f"numbers with {LIMITED} are estimator-limited: effective sample size below {LEAST_ESS}"
_UNSAID = frozenset(("", None)).__contains__
_SILENT = {"done", "pending", "reason"}  # said by coverage and the notes


def render(table: Table, fmt: str) -> str:
    """The table as text, ending in a newline. Raises `UsageError` for an unknown format."""
    if fmt not in FORMATS:
        raise unknown("format", fmt, FORMATS)
    return FORMATS[fmt](table)


def number(value: float | None, stderr: float | None = None, pm: str = " ± ") -> str:
    """A value to four significant digits, or to two digits of its standard error.

    >>> number(0.123456, 0.0123)
    '0.123 ± 0.012'
    """
    if value is None or not isinstance(value, (int, float)):
        return MISSING if value is None else " ".join(str(value).split())
    if stderr is None or not math.isfinite(stderr) or not math.isfinite(value):
        return _significant(value)
    if stderr == 0.0:
        return f"{_significant(value)}{pm}0"
    digits = 1 - math.floor(math.log10(stderr))
    if digits > 9 or digits < -6:
        return f"{value:.4g}{pm}{stderr:.2g}"
    places = max(digits, 0)
    return f"{round(value, digits):.{places}f}{pm}{round(stderr, digits):.{places}f}"


def between(value: float, low: float, high: float) -> str:
    """A value and its interval, to two digits of half its width.

    >>> between(0.64213, 0.5812, 0.7034)
    '0.642 [0.581, 0.703]'
    """
    half = (high - low) / 2
    places = min(max(1 - math.floor(math.log10(half)), 0), 9) if half > 0 else 4
    return f"{value:.{places}f} [{low:.{places}f}, {high:.{places}f}]"


def shown(table: Table) -> list[tuple[str, str]]:
    """The columns a person sees: (name, title), standard errors folded into their values."""
    titles: Mapping[str, Any] = table.meta.get("titles", {})
    chosen = bool(table.meta.get("chosen"))
    errors = {t.get(part) for t in titles.values() for part in ("stderr", "low", "high")} - {""}
    empty = blank(table)
    found = []
    for name in table.columns:
        card = titles.get(name)
        silent = titles and (name in _SILENT or name in empty)
        if name in errors or (not chosen and (silent or (card and card["wide"]))):
            continue
        found.append((name, card["title"] if card else name))
    return found


def blank(table: Table) -> frozenset[str]:
    """Columns of words in which no row says anything; none of a table without rows."""
    if not table.rows:
        return frozenset()
    numbers = table.meta.get("titles", {}).keys() | {"rank", "reason"}
    # Column by column, up to the first word: a board has many rows, and no loop of ours over them.
    return frozenset(
        name
        for place, name in enumerate(table.columns)
        if name not in numbers and all(map(_UNSAID, map(itemgetter(place), table.rows)))
    )


def texts(table: Table, pm: str = " ± ") -> tuple[list[str], list[list[str]], list[bool]]:
    """Titles, rows as text, and which columns are numbers (set to the right)."""
    titles: Mapping[str, Any] = table.meta.get("titles", {})
    columns = shown(table)
    place = {name: i for i, name in enumerate(table.columns)}
    rows = []
    marked = {name: limited(table, name) for name, _ in columns}
    for number_of, row in enumerate(table.rows):
        line = []
        for name, _ in columns:
            card = titles.get(name, {})
            known = {part: row[place[card[part]]] for part in ("stderr", "low", "high")
                     if card.get(part) in place}  # fmt: skip
            if known.get("low") is not None:
                text = between(row[place[name]], known["low"], known["high"])
            else:
                text = number(row[place[name]], known.get("stderr"), pm)
            line.append(LIMITED * marked[name][number_of] + text)
        rows.append(line)
    right = [
        any(isinstance(row[place[name]], (int, float)) for row in table.rows) for name, _ in columns
    ]
    return [title for _, title in columns], rows, right


def notes(table: Table) -> list[str]:
    """Why numbers are missing or rows unranked: one line for each such row of a board."""
    found = []
    if "rank" in table.columns and (within := ranked_within(table)):
        found.append(f"ranks are {within}")
    if mark := legend(table):
        found.append(mark)
    if table.meta.get("baseline_missing"):
        found.append(f"no {table.meta['baseline']!r} here to divide by; choose another --baseline")
    if gaps := _gaps(table):
        found.append(gaps)
    subject = table.meta.get("subject")
    if "reason" in table.columns and subject in table.columns:
        pairs = dict.fromkeys(zip(table.column(subject), table.column("reason"), strict=True))
        found += _reasons(pairs, table.meta.get("lone") or "")
    return found


def _reasons(pairs: Collection[tuple[Any, Any]], every: str) -> list[str]:
    """A line for each row with a reason; a board's own reason once, with rows unless all have it.

    All but the baseline, which is compared with nobody.
    """
    found, mine = [], []
    for name, why in pairs:
        parts = str(why or "").split("; ")
        mine += [str(name)] * (bool(every) and every in parts)
        if left := "; ".join(part for part in parts if part and part != every):
            found.append(f"{name}: {' '.join(left.split())}")
    if not mine:
        return found
    some = "" if len(mine) >= len(pairs) - 1 else f"{', '.join(dict.fromkeys(mine))}: "
    return [some + every, *found]


def _gaps(table: Table) -> str:
    """How many cells of a board have no number, and what that does to its ranks."""
    if "coverage" not in table.columns or not table.meta.get("titles"):
        return ""
    pairs = [tuple(map(int, text.split("/"))) for text in table.column("coverage")]
    missing, planned = sum(n - have for have, n in pairs), sum(n for _, n in pairs)
    if not missing:
        return ""
    said = f"{missing:,} of {count(planned, 'cell')} {'has' if missing == 1 else 'have'} no number"
    if table.meta.get("common"):
        return f"{said}: means and ranks are of what all have"
    return f"{said}: rows with gaps have no rank; --common ranks all on what they share"


def limited(table: Table, name: str) -> list[bool]:
    """For each row, whether its number in a column has too few effective samples behind it."""
    size = table.meta.get("titles", {}).get(name, {}).get("size")
    if size not in table.columns or name not in table.columns:
        return [False] * len(table.rows)
    sizes = table.column(size)
    if not too_few(min((n for n in sizes if n is not None), default=None)):
        return [False] * len(sizes)  # the usual case, quickly: a board may have very many rows
    pairs = zip(table.column(name), sizes, strict=True)
    return [value is not None and too_few(n) for value, n in pairs]


def all_limited(table: Table) -> dict[str, list[bool]]:
    """`limited` of each column where any number is."""
    sized = [name for name, about in table.meta.get("titles", {}).items() if about.get("size")]
    found = {name: limited(table, name) for name in sized}
    return {name: marks for name, marks in found.items() if any(marks)}


def too_few(size: float | None) -> bool:
    """Whether a number with such an effective sample size is limited by its estimator."""
    return size is not None and size < LEAST_ESS


def legend(table: Table, marks: Mapping[str, Sequence[bool]] | None = None) -> str:
    """What the mark at some of the numbers means; empty where none has it.

    `marks` as `all_limited` finds them, where they are at hand.
    """
    marks = all_limited(table) if marks is None else marks
    return LEGEND if marks and any(name in marks for name, _ in shown(table)) else ""


def ranked_within(table: Table) -> str:
    """`within each setting` for a board whose ranks begin anew with every setting, else nothing."""
    within = table.meta.get("ranked_within") or ()
    return f"within each {' and '.join(within)}" if within else ""


def caption(table: Table) -> str:
    """Title and context in one line; empty for a table that is no board."""
    meta = table.meta
    if not meta.get("title"):
        return ""
    if meta.get("published"):
        return f"{meta['title']} (published, not from this store)"
    context = meta.get("context")
    if not context:
        return f"{meta['title']} (nothing evaluated yet)"
    settings = ", ".join(f"{k}={v}" for k, v in context["settings"].items())
    where = f"{context['sweep']}, {context['scale']}" + (f", {settings}" if settings else "")
    return f"{meta['title']} ({where})"


def _table(table: Table) -> str:
    titles, rows, right = texts(table)
    widths = [max(map(text_width.width_of, column)) for column in zip(titles, *rows, strict=True)]
    lines = [caption(table)] if caption(table) else []
    for row in [titles, ["─" * w for w in widths], *rows]:
        pairs = zip(row, widths, right, strict=True)
        cells = [
            text_width.right(text, w) if r else text_width.left(text, w) for text, w, r in pairs
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([*lines, *notes(table)]) + "\n"


def _markdown(table: Table) -> str:
    titles, rows, right = texts(table)

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(c.replace("|", "\\|").replace("\n", " ") for c in cells) + " |"

    lines = [line(titles), "|" + "|".join("--:" if r else "---" for r in right) + "|"]
    lines += [line(row) for row in rows]
    extra = ["", *(f"- {note}" for note in notes(table))] if notes(table) else []
    return "\n".join([*lines, *extra]) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "τ": r"$\tau$", "κ": r"$\kappa$", "±": r"$\pm$", MISSING: "---",
}  # fmt: skip


def _latex(table: Table) -> str:
    titles, rows, right = texts(table)

    def line(cells: Sequence[str]) -> str:
        escaped = ("".join(_LATEX.get(ch, ch) for ch in cell) for cell in cells)
        return "  " + " & ".join(escaped) + r" \\"

    notes_ = [f"% {note}" for note in notes(table)]
    return "\n".join([
        "% needs \\usepackage{booktabs}",
        f"\\begin{{tabular}}{{{''.join('r' if r else 'l' for r in right)}}}",
        "  \\toprule", line(titles), "  \\midrule", *map(line, rows), "  \\bottomrule",
        "\\end{tabular}", *notes_,
    ]) + "\n"  # fmt: skip


def _significant(value: float) -> str:
    if isinstance(value, int) or float(value).is_integer() and abs(value) < 1e6:
        return str(int(value))
    text = f"{value:.4g}"
    if text == "1":  # a p-value of .99996 is not one of 1
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return text


def _csv(table: Table) -> str:
    import csv
    import io

    titles, rows, _ = texts(table)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([titles, *rows])
    return text.getvalue()


def _json(table: Table) -> str:
    import json

    titles, rows, _ = texts(table)
    return json.dumps([dict(zip(titles, row, strict=True)) for row in rows],
                      ensure_ascii=False, indent=1) + "\n"  # fmt: skip


def _in_full(table: Table) -> Table:
    """Every number as a text of all its digits, each standard error in a column of its own."""
    rows = [tuple("" if v is None else str(v) for v in row) for row in table.rows]
    return Table(table.columns, rows, {})


FULL, SHOWN = "full", "shown"  # numbers with all their digits, or as a person reads them
FORMATS: Mapping[str, Callable[[Table], str]] = {
    "table": _table,
    "markdown": _markdown,
    "latex": _latex,
    "csv-shown": _csv,
    "json-shown": _json,
    "markdown-full": lambda table: _markdown(_in_full(table)),
    "latex-full": lambda table: _latex(_in_full(table)),
}


def named(fmt: str, values: str) -> str:
    """The format of this name whose numbers are `FULL` or `SHOWN`; "" is the format's own way.

    Raises `UsageError` where there is none.
    """
    usual = SHOWN if fmt in ("table", "markdown", "latex") else FULL
    if values in ("", usual):
        return fmt
    if f"{fmt}-{values}" not in FORMATS:
        raise UsageError(f"{fmt} has no numbers as {values}: leave --values out.")
    return f"{fmt}-{values}"
