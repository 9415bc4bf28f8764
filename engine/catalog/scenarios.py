"""The four scenario families: which subjects they rank, how, and where their code is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from augury.engine.catalog.agents import AGENTS, REAL_AGENTS
from augury.engine.catalog.entry import Entry, lookup, override
from augury.engine.catalog.estimators import ESTIMATORS
from augury.engine.catalog.members import MEMBERS
from augury.engine.catalog.outside import OUTSIDE
from augury.engine.catalog.settings import SETTINGS, Scale
from augury.engine.types import Cell


@dataclass(frozen=True, slots=True)
class Scenario:
    """One family. `version` is bumped when a formula or split changes a number."""

    question: str
    target: str  # run_batch(cells, emit, context)
    subjects: Mapping[str, Entry[Any]]
    kind: str  # agent | estimator: what the subject option is called
    baseline: str  # whose mean a normalised score is divided by; "" where that means nothing
    unit: str  # what is resampled for an interval
    version: int = 1
    outside: bool = False  # takes agents from outside, by the two-line contract


SCENARIOS: dict[str, Scenario] = {
    "testbed": Scenario(
        "are joint predictions right, when the truth is a known random network?",
        "augury.engine.scenarios.testbed:run_batch",
        AGENTS,
        "agent",
        "mlp",
        "environment",
        version=2,
        outside=True,
    ),
    "real": Scenario(
        "does that carry over to classic data sets?",
        "augury.engine.scenarios.real:run_batch",
        REAL_AGENTS,
        "agent",
        "mlp",
        "data set",
        version=2,
        outside=True,
    ),
    "ppc": Scenario(
        "does the model expect the error it makes?",
        "augury.engine.scenarios.ppc:run_batch",
        MEMBERS,
        "agent",
        "",
        "environment",
    ),
    "mi": Scenario(
        "how far off are neural mutual-information estimators?",
        "augury.engine.scenarios.mi:run_batch",
        ESTIMATORS,
        "estimator",
        "",
        "seed",
        version=2,
    ),
}


def entry_of(cell: Cell) -> Entry[Any]:
    """The catalog line of a cell's subject."""
    if "agent" in cell.resources:
        return OUTSIDE
    return lookup(SCENARIOS[cell.scenario].subjects, cell.subject, "subject")


def config_of(cell: Cell) -> Any:
    """The cell's full config: defaults with its differences put in."""
    return override(entry_of(cell).config, cell.config, cell.subject)


def settings_of(cell: Cell) -> Any:
    """The cell's full settings."""
    return override(default_settings(cell.scenario), cell.settings, cell.scenario)


def default_settings(scenario: str, scale: Scale = "full") -> Any:
    """The settings a scale stands for; identity is counted from those of `full`."""
    return SETTINGS[scenario][scale]
