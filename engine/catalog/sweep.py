"""What a sweep is, and what several of them share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from augury.engine.catalog.problems import ProblemCard
from augury.engine.catalog.settings import Scale
from augury.engine.types import JSON

DEFAULT_SEEDS: Mapping[Scale, tuple[int, ...]] = {"smoke": (0,), "quick": (0, 1), "full": (0,)}


@dataclass(frozen=True, slots=True)
class Sweep:
    """Problems at each scale, and the subjects that make sense on them (all, if none named)."""

    scenario: str
    summary: str
    full: tuple[ProblemCard, ...]
    quick: tuple[ProblemCard, ...]
    smoke: tuple[ProblemCard, ...]
    subjects: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()  # the subjects that run when none is named: all, if empty
    scale: Scale = "full"  # where none is asked for
    seeds: Mapping[Scale, tuple[int, ...]] = field(default_factory=lambda: DEFAULT_SEEDS)
    # What configs change at a scale, before --set: "field" for every subject that has it, or
    # "subject.field".
    config: Mapping[Scale, Mapping[str, JSON]] = field(default_factory=dict)
    # Further changes, each of which every subject is run with that has its fields.
    kinds: Mapping[Scale, tuple[Mapping[str, JSON], ...]] = field(default_factory=dict)
    # What it changes of the scenario's settings at a scale, before --set.
    settings: Mapping[Scale, Mapping[str, JSON]] = field(default_factory=dict)

    def problems(self, scale: Scale) -> tuple[ProblemCard, ...]:
        """The problems of one scale."""
        return {"full": self.full, "quick": self.quick, "smoke": self.smoke}[scale]


# The published chain takes half a minute for each cell.
_CHAIN = {"num_steps": 20_000, "burn_in": 4_000, "save_every": 400}
_SHORT_CHAIN = {"num_steps": 50, "burn_in": 10, "save_every": 4}
CHAINS: Mapping[Scale, Mapping[str, JSON]] = {
    "smoke": {f"sgmcmc.{name}": value for name, value in _SHORT_CHAIN.items()},
    "quick": {f"sgmcmc.{name}": value for name, value in _CHAIN.items()},
}
FEW: Mapping[Scale, tuple[int, ...]] = {"smoke": (0,), "quick": (0, 1), "full": (0, 1, 2, 3, 4)}
ONE: Mapping[Scale, tuple[int, ...]] = {"smoke": (0,), "quick": (0,), "full": (0,)}
