"""Names that a shell can complete: from the catalog, without asking a store."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem


def sweeps(context: click.Context, parameter: click.Parameter, start: str) -> list[CompletionItem]:
    """What `augury run` takes."""
    from augury.engine.catalog.sweeps import COLLECTIONS, DEFAULT_SWEEPS, SWEEPS

    return _starting(start, (*COLLECTIONS, *DEFAULT_SWEEPS, *SWEEPS))


def boards(context: click.Context, parameter: click.Parameter, start: str) -> list[CompletionItem]:
    """What `augury leaderboard` takes."""
    from augury.engine.catalog.scenarios import SCENARIOS
    from augury.engine.catalog.sweeps import SWEEPS

    return _starting(start, (*SCENARIOS, *SWEEPS))


def subjects(
    context: click.Context, parameter: click.Parameter, start: str
) -> list[CompletionItem]:
    """Agents and estimators; the last of a list with commas."""
    from augury.engine.catalog.scenarios import SCENARIOS

    before, comma, last = start.rpartition(",")
    names = (name for scenario in SCENARIOS.values() for name in scenario.subjects)
    return [CompletionItem(f"{before}{comma}{item.value}") for item in _starting(last, names)]


def own_estimators(
    context: click.Context, parameter: click.Parameter, start: str
) -> list[CompletionItem]:
    """Estimators for rows of one's own; the last of a list with commas."""
    from augury.engine.pairs.estimate import SAMPLED
    from augury.engine.pairs.launch import TRAINABLE

    before, comma, last = start.rpartition(",")
    every = (*SAMPLED, *TRAINABLE)
    return [CompletionItem(f"{before}{comma}{i.value}") for i in _starting(last, every)]


def statistics(
    context: click.Context, parameter: click.Parameter, start: str
) -> list[CompletionItem]:
    """Statistics of checks; the last of a list with commas."""
    from augury.engine.catalog.statistics import STATISTICS

    before, comma, last = start.rpartition(",")
    return [CompletionItem(f"{before}{comma}{i.value}") for i in _starting(last, STATISTICS)]


def datasets(
    context: click.Context, parameter: click.Parameter, start: str
) -> list[CompletionItem]:
    """Data sets of the catalog."""
    from augury.engine.catalog.datasets import DATASETS

    return _starting(start, DATASETS)


def views(context: click.Context, parameter: click.Parameter, start: str) -> list[CompletionItem]:
    """Saved views of the board that was named."""
    from augury.engine.cli.which_board import place
    from augury.engine.errors import UsageError
    from augury.engine.views import views

    try:
        scenario, _ = place(str(context.params.get("what") or ""))
    except UsageError:
        return []
    return _starting(start, views(scenario))


def _starting(start: str, names: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(name) for name in dict.fromkeys(names) if name.startswith(start)]
