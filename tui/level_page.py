"""A level of the drill-down as a table: means, standard errors and what they rest on."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from augury.tui.board_page import limited_rows, marked
from augury.tui.board_query import context_words
from augury.tui.formatting import decimals, fixed, number
from augury.tui.widgets.sheet import Column, Sheet

if TYPE_CHECKING:
    from augury.engine.store.table import Table

_TAIL: Mapping[str, tuple[str, Any]] = {
    "problems": ("problems", number), "seeds": ("seeds", number), "coverage": ("covers", str),
    "failed": ("failed", number), "pending": ("pending", number), "seconds": ("s/cell", number),
    "reason": ("note", lambda v: "" if v is None else str(v)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One level: agents, configs of one, problems of one config, its cells on one problem."""

    level: str  # agent | config | problem | cells
    scenario: str
    context: Mapping[str, Any] = field(default_factory=dict)
    subject: str = ""
    label: str = ""
    problem: str = ""
    also: Mapping[str, Any] = field(default_factory=dict)

    @property
    def crumb(self) -> str:
        """What is chosen above this level."""
        if self.level == "cells":
            return self.problem.partition("/")[2] or "all cells"
        more = "  ".join(f"{k} {v}" for k, v in self.also.items())
        return {"agent": "agents", "config": self.subject}.get(self.level, f"{self.label}  {more}")

    def params(self) -> dict[str, Any]:
        """The parameters of the query `levels`; of cells, those of the level seed."""
        level = "seed" if self.level == "cells" else self.level
        own = {"level": level, "subject": self.subject if level == "config" else "",
               "label": self.label if level in ("problem", "seed") else "",
               "problem": self.problem, "also": dict(self.also)}  # fmt: skip
        return {"scenario": self.scenario, **self.context,
                **{name: value for name, value in own.items() if value}}  # fmt: skip

    def command(self) -> str:
        """The command that prints this level."""
        words = ["augury", "levels", self.scenario]
        given = self.params()
        for name, option in (("level", "--level"), ("subject", "--agent"), ("label", "--row"),
                             ("problem", "--problem")):  # fmt: skip
            if given.get(name):
                words += [option, str(given[name])]
        for name, value in self.also.items():
            words += ["--also", f"{name}={value}"]
        return shlex.join([*words, *context_words(self.context)])


def sheet(table: Table, step: Step) -> Sheet:
    """One line for each row of the level; the name that tells them apart first."""
    titles: Mapping[str, Any] = table.meta.get("titles", {})
    subject = str(table.meta["subject"])
    first = "problem" if step.level == "problem" else subject
    errors = {about.get("stderr") for about in titles.values()}
    keys = [n for n in table.columns
            if n not in {"rank", "done", *titles, *errors, *_TAIL, *step.also}]  # fmt: skip
    if step.level == "problem":
        keys.remove(subject)
    keys.sort(key=lambda name: name != first)
    plain = [n for n in titles if n in table.columns and not titles[n].get("wide")]
    wide = [n for n in titles if n in table.columns and titles[n].get("wide")]
    columns: list[Column] = [Column("rank", "#", show=number, sortable=False)]
    columns += [Column(n, n, "left", number, most=34, sortable=False, names=True) for n in keys]
    place = {name: n for n, name in enumerate(table.columns)}
    tail = [Column(n, title, "left" if n in ("coverage", "reason") else "right", show, most=60,
                   sortable=False)
            for n, (title, show) in _TAIL.items() if n in place]  # fmt: skip
    for names, end in ((plain, tail), (wide, [])):
        for name in names:
            error = str(titles[name].get("stderr") or "")
            errs = [row[place[error]] for row in table.rows] if error in place else []
            show = fixed(decimals((row[place[name]] for row in table.rows), errs))
            columns.append(
                Column(name, str(titles[name]["title"]), show=marked(show), sortable=False)
            )
            if any(value is not None for value in errs):  # one problem's ratio has none
                columns.append(Column(error, "±SE", show=show, tone=_muted, sortable=False))
        columns += end
    rows = tuple(tuple(row[place[c.name]] for c in columns) for row in limited_rows(table))
    found = tuple(n for n, c in enumerate(columns) if c.name in keys)
    ranked = str(table.meta.get("rank", ""))
    early = (ranked, str(titles.get(ranked, {}).get("stderr") or ""))  # as on the board
    return Sheet(tuple(columns), rows, len(rows), key=found, frozen=2, first=early)


def _muted(_value: Any) -> str:
    return "muted"
