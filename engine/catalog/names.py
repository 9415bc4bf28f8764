"""Names alone, for readers of a store: the tables they belong to load every config there is."""

from __future__ import annotations

from typing import Literal, TypeAlias

SCENARIO_NAMES = ("testbed", "real", "ppc", "mi")  # as in `scenarios.SCENARIOS`, in its order
Scale: TypeAlias = Literal["smoke", "quick", "full"]
SCALES: tuple[Scale, ...] = ("smoke", "quick", "full")
Config: TypeAlias = Literal["default", "best", "all"]  # which configs a run evaluates
CONFIGS: tuple[Config, ...] = ("default", "best", "all")
Units: TypeAlias = Literal["raw", "normalised", "rank"]  # of a board's numbers
UNITS: tuple[Units, ...] = ("raw", "normalised", "rank")
# Of the settings of `real`: how its rows are made.
Preprocess: TypeAlias = Literal["example", "feature"]
Subsample: TypeAlias = Literal["first", "random"]
TestRows: TypeAlias = Literal["published", "all"]

# Where cells of problems in files are recorded: no board mixes them with a sweep's own.
FILES = "files"
TABLES = "tables"  # likewise of a person's own tables
