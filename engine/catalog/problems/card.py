"""What planner, store and boards need of a problem."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from augury.engine.types import JSON

INT = r"(\d+)"
POSITIVE = r"([1-9]\d*)"
NUMBER = r"\d+(?:\.\d+)?(?:e-?\d+)?"
FLOAT = rf"({NUMBER})"


class ProblemCard(ABC):
    """One problem as a value; frozen, hashable, and all of it in its id."""

    __slots__ = ()
    scenario: ClassVar[str]

    @property
    def id(self) -> str:
        """Semantic, stable, lower case: `testbed/d10-l10-t0.1/e3`."""
        return f"{self.scenario}/{self.setting}/e{self.unit}"

    @property
    @abstractmethod
    def setting(self) -> str:
        """All but the environment: the stratum within which environments are exchangeable."""

    @property
    def unit(self) -> int:
        """Seed of the environment; 0 where there is one only."""
        return getattr(self, "environment", 0)

    @abstractmethod
    def columns(self) -> Mapping[str, JSON]:
        """Setting by name, for filters and group headers."""

    def training(self) -> str:
        """What a training depends on; problems that only differ in their test share it."""
        return self.id

    def rows_per_dimension(self) -> float | None:
        """num_train / input_dim where a training's length may depend on it; None: not known."""
        return None

    @abstractmethod
    def shape(self) -> tuple[JSON, ...]:
        """What forces another compiled program."""
