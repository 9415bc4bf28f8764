"""A view of a board as parameters of the board query, and as the command that prints the same."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from augury.engine.canonical import canonical
from augury.tui.state import BoardState

_BOARD = ("sweep", "scale", "settings", "scenario_version")


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
    for name in ("filter", "units", "baseline", "group"):
        value = str(params.get(name) or "")
        if value:
            words += [f"--{name}={value}"] if value.startswith("-") else [f"--{name}", value]
    board = {name: params[name] for name in _BOARD if name in params}
    return shlex.join([*words, *context_words(board, version=True)])


def context_words(context: Mapping[str, Any], *, version: bool = False) -> list[str]:
    """Options that choose a board; that of its version is known to `augury leaderboard` alone."""
    words: list[str] = []
    for name in ("sweep", "scale"):
        if context.get(name):
            words += [f"--{name}", str(context[name])]
    settings = context.get("settings")
    if settings is not None:
        words += ["--settings", settings if isinstance(settings, str) else canonical(settings)]
    if version and context.get("scenario_version"):
        words += ["--scenario-version", str(context["scenario_version"])]
    return words


def file_words(form: str, name: str) -> list[str]:
    """Options that name a format and a file, one that looks like an option too."""
    return ["--format", form, "-o", f"./{name}" if name.startswith("-") else name]
