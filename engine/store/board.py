"""What a board is, and what may be asked of it: plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from augury.engine.catalog.metrics import CHECKED_BY
from augury.engine.catalog.splits import ALONE, PARTS

Stat: TypeAlias = Literal["mean", "ratio", "sum", "root", "samples", "largest", "least", "rank"]
Better: TypeAlias = Literal["lower", "higher", "one", "none"]
# A file's.
STATS: tuple[Stat, ...] = ("mean", "ratio", "sum", "root", "samples", "largest", "least")
# What problems say of themselves, as JSON of the cell, and its SQL.
PROBLEM_NUMBERS = (
    "input_dim",
    "ratio",
    "temperature",
    "num_train",
    "num_test",
    "num_sources",
    "severity",
)
PROBLEM_WORDS = ("file", "dataset", "family", "truth", "region", "domain", "schedule")
PROBLEM_SQL: Mapping[str, str] = {
    **{n: f"TRY_CAST(problem_columns ->> '{n}' AS DOUBLE)" for n in PROBLEM_NUMBERS},
    **{n: f"(problem_columns ->> '{n}')" for n in PROBLEM_WORDS},
}
_PARTS_SQL = {name: f"split_part(r.split, '/', {n})" for n, name in enumerate(PARTS, 1)}
_PARTS_SQL["statistic"] = (
    f"CASE WHEN r.split IN {ALONE} THEN '{CHECKED_BY}' ELSE {_PARTS_SQL['statistic']} END"
)
# Ways to break rows out further; names in a request, and the SQL of a stored number they stand for.
BY: Mapping[str, str] = {
    "setting": "s.setting",
    "problem": "s.problem",
    "split": "r.split",
    **_PARTS_SQL,
    "seed": "s.seed",
    "environment": "s.environment",
    "tau": "r.tau",
    "kappa": "r.kappa",
    **{name: f"s.{name}" for name in PROBLEM_SQL},
}
KIND = "kind"  # the subject without its config
# Those that are known of a result only, not of a cell.
LATE = frozenset({"split", *PARTS, "tau", "kappa"})
# Of those, the ones whose every value has ranks of its own: their numbers mean different things.
AXES = ("tau", "kappa", "statistic")


def place_sql(scenario: str, cells: str) -> str:
    """The SQL of the place that a cell's config is chosen for, `cells` being the table's name."""
    from augury.engine.catalog.tuning import COLUMNS

    column = COLUMNS.get(scenario, "setting")
    if column == "setting":
        return f"{cells}.setting"
    return f"CAST({cells}.problem_columns ->> '{column}' AS INTEGER)"


@dataclass(frozen=True, slots=True)
class Column:
    """One number of a board. A mean and a ratio carry a standard error right behind them."""

    name: str
    title: str
    metric: str
    tau: int | None = 0  # None: every one
    kappa: int | None = 0
    split: str | None = ""  # None ("*" in the file): every split
    stat: Stat = "mean"
    of: str = ""  # ratio: the column whose mean is divided by the baseline's; rank: that is ranked
    better: Better = "none"
    unit: str = ""
    wide: bool = False  # left out of a terminal table unless asked for

    @property
    def has_stderr(self) -> bool:
        """Whether a column NAME_stderr follows."""
        return self.stat in ("mean", "ratio")

    @property
    def has_interval(self) -> bool:
        """Whether columns NAME_low and NAME_high can follow."""
        return self.stat == "ratio"


@dataclass(frozen=True, slots=True)
class Board:
    """What a scenario's leaderboard shows, and how its intervals are made."""

    name: str
    title: str
    subject: str  # name of the first column
    unit: str  # what is exchangeable within a stratum: a key of BY
    strata: tuple[str, ...]
    columns: tuple[Column, ...]
    rank: str
    better: Better
    baseline: str = ""
    by: tuple[tuple[str, str], ...] = ()  # (column, key of BY)
    baselines: tuple[tuple[str, str], ...] = ()  # (sweep, its own): of those that rank no other
    # Why a stratum of one unit gives no interval where cells keep no sums of their test rows, which
    # subjects share; "": errors are independent.
    lone: str = ""

    @property
    def ranked(self) -> Column:
        """The column that ranks."""
        return next(c for c in self.columns if c.name == self.rank)

    def baseline_of(self, sweep: str) -> str:
        """The subject whose mean ratios divide by, unless a person names another."""
        return dict(self.baselines).get(sweep, self.baseline)


@dataclass(frozen=True, slots=True)
class Context:
    """What one board may put side by side: never two settings, scales or versions."""

    sweep: str
    scale: str
    settings: str  # canonical JSON of those that differ from full scale
    scenario_version: int


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asked of a board."""

    context: Context | None = None
    run: str | None = None  # only cells of this run (its full id)
    sort: Sequence[str] | str = ()
    filter: str = ""
    columns: Sequence[str] = ()
    baseline: str = ""  # "": the board's
    common: bool = False  # rank everybody on the pairs that all of them have
    by: Sequence[str] = ()  # further keys of BY
    group: str = ""  # rows that share this come together: KIND, or a key of the row
    rows: Sequence[str] = ()  # labels, or all keys of a row with | between: only these
    intervals: bool = True  # bootstrapped ones of ratios, and ties
    defaults: bool = False  # only default configs
    tuned: Sequence[
        tuple[str, int | str | None, str]
    ] = ()  # (label, place, label shown): only these
    only: Mapping[str, Sequence[str]] = field(default_factory=dict)  # values of columns to keep
    grouped: bool = False  # all configs of a subject as one row


@dataclass(frozen=True, slots=True)
class Intervals:
    """Bootstrapped numbers by row key: what `board_intervals` finds for a board's statement."""

    keys: tuple[str, ...] = ()
    numbers: Mapping[str, Sequence[float | None]] = field(default_factory=dict)  # by column
    ties: Sequence[str | None] = ()
    reasons: Sequence[str | None] = ()  # why one has none
