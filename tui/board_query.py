"""A view of a board as parameters of the board query, and as the command that prints the same."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from augury.engine.canonical import canonical
from augury.tui.state import BoardState


def source(scenario: str, looks: BoardState, problem_filter: str) -> dict[str, Any]:
    """What a board's numbers depend on: rows, order and columns are chosen from them here."""
    params = {"scenario": scenario, "filter": problem_filter, "units": looks.units,
              "baseline": looks.baseline}  # fmt: skip
    return {**{name: value for name, value in params.items() if value}, **looks.context}


def board_params(
    scenario: str, looks: BoardState, columns: Iterable[str] = (), rows: Iterable[str] = ()
) -> dict[str, Any]:
    """The board query of a view: what is shown is what is exported.

    `columns` are names, all without any; `rows` what identifies the rows, all that the filter keeps
    without any.
    """
    view = {**looks.view().params(), "columns": list(columns), "rows": list(rows)}
    chosen = {name: value for name, value in view.items() if value}
    return {"scenario": scenario, **chosen, **looks.context}


def board_command(params: Mapping[str, Any]) -> str:
    """The command that prints the board of these parameters."""
    words = ["augury", "leaderboard", str(params["scenario"])]
    for name in ("sort", "columns", "rows"):
        if params.get(name):
            words.append(f"--{name}={','.join(params[name])}")
    for name in ("filter", "units", "baseline", "group", "sweep", "scale"):
        if params.get(name):
            words += [f"--{name}", str(params[name])]
    if "settings" in params:
        words += ["--settings", canonical(params["settings"])]
    if "scenario_version" in params:
        words += ["--scenario-version", str(params["scenario_version"])]
    return shlex.join(words)
