"""Scores on the testbed against those on real data, and in words what they come to or lack."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from augury.engine.catalog.names import FILES, TABLES
from augury.engine.charts.chart import MOST_SERIES, Axis, Chart, Series
from augury.engine.errors import unknown
from augury.engine.wording import count

_UNIT = "KL / mlp"


def transfer(
    ask: Callable[..., Any], subjects: Sequence[str] = (), config: str = "", **place: Any
) -> Chart:
    """Each trained agent's score on the testbed (x) and on real data (y, 95 % interval).

    `subjects` are drawn apart from the others, five at most.
    """
    given = {**({"config": config} if config else {}), **place}
    return drawn(ask("transfer", **given), subjects, given)


def drawn(
    table: Any, subjects: Sequence[str] = (), given: Mapping[str, Any] | None = None
) -> Chart:
    """The chart of a table of the query `transfer`, asked with `given`."""
    rows = {row["agent"]: row for row in table.dicts()}
    rows = {name: row for name, row in rows.items() if None not in (row["testbed"], row["real"])}
    for name in subjects:
        if rows and name not in rows:
            raise unknown("agent on both sides", name, rows)
    apart = [name for name in subjects if name in rows][: MOST_SERIES - 1]
    groups = {name: [rows[name]] for name in apart}
    if rest := [row for name, row in rows.items() if name not in apart]:
        groups["the others" if apart else ""] = rest
    words = ["augury", "plot", "transfer"]
    if subjects:
        words += ["--agent", ",".join(subjects)]
    for name, value in (given or {}).items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    lacks = [f"{why}: augury {shlex.join(run)}" for why, run in lacking(table.meta)]
    return Chart(
        "", tuple(_series(name, some) for name, some in groups.items()),
        Axis("testbed", _UNIT), Axis("real", _UNIT), (), shlex.join(words),
        "; ".join(lacks) or "no agent has a score on both sides", told(table.meta),
    )  # fmt: skip


def told(meta: Mapping[str, Any]) -> str:
    """The rank correlation, its interval and its p-value; empty without one."""
    found = meta["correlation"]
    if not found or found["spearman"] is None:
        return ""
    low, high, p = found["low"], found["high"], found["p"]
    interval = "" if low is None else f" [{low:.2f}, {high:.2f}]"
    chance = "" if p is None else f", permutation p = {p:.2g}"
    return (
        f"rank correlation of {count(found['agents'], 'agent')} "
        f"{found['spearman']:.2f}{interval}{chance}"
    )


def sides(meta: Mapping[str, Any]) -> str:
    """The two boards that are compared, as far as there are any."""
    known = [c for c in meta["contexts_of"].values() if c is not None]
    return " and ".join(f"{c['sweep']} ({c['scale']})" for c in known)


def lacking(meta: Mapping[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """What is missing for a rank correlation, each with the words after `augury` that bring it."""
    from augury.engine.store.transfer_query import LEAST_AGENTS

    contexts, agents, config = meta["contexts_of"], meta["agents_of"], meta["config"]
    how = ("--config", "best") if config == "best" else ()
    found: list[tuple[str, tuple[str, ...]]] = []
    for side, context in contexts.items():
        if context is None:
            scale = next((c["scale"] for c in contexts.values() if c is not None), "full")
            size = () if scale == "full" else ("--scale", scale)
            found.append((f"nothing of {side} is evaluated here yet", ("run", side, *size, *how)))
        elif not agents[side]:
            why = f"{_name(side, context)} has no trained agent with a KL at tau 10, kappa 2"
            found.append((why, _run(context, how)))
    if found or len(_both(agents)) >= LEAST_AGENTS:
        return found
    both = _both(agents)
    named = f": {', '.join(both)}" if both else ""
    why = f"{LEAST_AGENTS} trained agents on both sides are needed; there are {len(both)}{named}"
    for side, other in (("real", "testbed"), ("testbed", "real")):
        only = [name for name in agents[other] if name not in agents[side]]
        if only:
            run = _run(contexts[side], (*how, "--agent", ",".join(only)))
            found.append((f"{why}; {other} alone has {', '.join(only)}", run))
    return found or [(why, _run(contexts["real"], how))]


def _name(side: str, context: Mapping[str, Any]) -> str:
    return f"{side} ({context['sweep']}, {context['scale']})"


def _run(context: Mapping[str, Any], more: Sequence[str]) -> tuple[str, ...]:
    sweep: str = context["sweep"]
    sweep = {FILES: "testbed", TABLES: "real"}.get(sweep, sweep)
    return ("run", sweep, "--scale", context["scale"], *more)


def _both(agents: Mapping[str, Sequence[str]]) -> list[str]:
    return [name for name in agents["real"] if name in agents["testbed"]]


def _series(name: str, rows: Sequence[Mapping[str, Any]]) -> Series:
    rows = sorted(rows, key=lambda row: row["testbed"])
    ends = [[row[f"real_{end}"] if row[f"real_{end}"] is not None else row["real"] for row in rows]
            for end in ("low", "high")]  # fmt: skip
    points = tuple((row["testbed"], row["real"]) for row in rows)
    return Series(name, points, tuple(ends[0]), tuple(ends[1]), "points")
