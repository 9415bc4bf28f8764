"""Two problems small enough for exact scores: tossed coins, and logistic regression."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from augury.engine.catalog.problems.card import FLOAT, INT, ProblemCard
from augury.engine.errors import UsageError
from augury.engine.types import JSON

MOST_COINS, MOST_TOSSES, MOST_DIMENSIONS = 100_000, 1_000_000, 100_000


@dataclass(frozen=True, slots=True)
class CoinsProblem(ProblemCard):
    """Coins with independent uniform biases; training tosses are of coins drawn at random.

    An input is a coin's number, a label is its toss (Example 1 of arXiv:2202.13509).
    """

    num_coins: int
    num_train: int = 0
    environment: int = 0
    scenario: ClassVar[str] = "testbed"

    def __post_init__(self) -> None:
        """Refuse sizes that mean nothing. Raises `UsageError`."""
        if not (1 <= self.num_coins <= MOST_COINS and self.num_train <= MOST_TOSSES):
            raise UsageError(
                f"{self.id}: coins must be 1 to {MOST_COINS:,} and tosses at most {MOST_TOSSES:,}."
            )

    @property
    def setting(self) -> str:
        """Numbers of coins and of training tosses: `coins-m10-n0`."""
        return f"coins-m{self.num_coins}-n{self.num_train}"

    def columns(self) -> Mapping[str, JSON]:
        """Coins and training tosses."""
        return {"num_coins": self.num_coins, "num_train": self.num_train}

    def shape(self) -> tuple[JSON, ...]:
        """Nothing is compiled; a batch holds one setting."""
        return ("coins", self.num_coins, self.num_train)


@dataclass(frozen=True, slots=True)
class LogisticProblem(ProblemCard):
    """Logistic regression without training data: P(y=1|x) = sigmoid(theta.x / temperature).

    theta and inputs are N(0, I); theta is drawn anew for each test batch (section 3 of
    arXiv:2202.13509). Environments are independent sets of test batches.
    """

    input_dim: int
    temperature: float
    environment: int = 0
    num_train: ClassVar[int] = 0
    scenario: ClassVar[str] = "testbed"

    def __post_init__(self) -> None:
        """Refuse sizes that mean nothing. Raises `UsageError`."""
        if not (1 <= self.input_dim <= MOST_DIMENSIONS and 1e-9 <= self.temperature <= 1e9):
            raise UsageError(
                f"{self.id}: input_dim must be 1 to {MOST_DIMENSIONS:,}, temperature 1e-9 to 1e9."
            )

    @property
    def setting(self) -> str:
        """Dimension and temperature: `logistic-d10-t0.01`."""
        return f"logistic-d{self.input_dim}-t{self.temperature:g}"

    def columns(self) -> Mapping[str, JSON]:
        """Dimension and temperature."""
        return {"input_dim": self.input_dim, "temperature": self.temperature, "num_train": 0}

    def shape(self) -> tuple[JSON, ...]:
        """Nothing is compiled; a batch holds one setting."""
        return ("logistic", self.input_dim, self.temperature)


PATTERNS = (
    (rf"testbed/coins-m{INT}-n{INT}/e{INT}",
     lambda g: CoinsProblem(int(g[0]), int(g[1]), int(g[2]))),
    (rf"testbed/logistic-d{INT}-t{FLOAT}/e{INT}",
     lambda g: LogisticProblem(int(g[0]), float(g[1]), int(g[2]))),
)  # fmt: skip
