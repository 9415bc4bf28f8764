"""Settings: numbers of evaluation that change a result, and their values at each scale."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from augury.engine.catalog.names import SCALES as SCALES
from augury.engine.catalog.names import Preprocess, Subsample, TestRows
from augury.engine.catalog.names import Scale as Scale
from augury.engine.errors import UsageError

MOST_LABELS = 10_000  # tau and kappa
MOST_INPUTS = 2**28  # numbers in all test inputs of a problem: a gibibyte
PROJECTED = 10  # up to this tau the published estimator averages over all samples


@dataclass(frozen=True, slots=True)
class JointSettings:
    """How joint predictions are scored (testbed, real).

    Every tau goes with every kappa. One label is one label, whatever its anchors: (1, kappa) is
    (1, 0). So the defaults stand for the published points (1, 0), (10, 0) and (10, 2).
    """

    num_test_batches: int = 1_000  # J
    num_epistemic: int = 1_000  # M; a finite ensemble is enumerated instead
    max_steps: int = 0  # cap on training steps; 0 leaves the config's
    tau: tuple[int, ...] = (1, 10)  # labels of a joint prediction
    kappa: tuple[int, ...] = (0, 2)  # anchors their inputs repeat; 0: iid inputs
    labels: Literal["exact", "sampled"] = "exact"  # sampled: one draw for each batch, as published
    estimator: Literal["exact", "projection"] = "exact"  # projection: as published, tau > 10

    def __post_init__(self) -> None:
        """Refuse counts that give no number; put points in the one order that has an identity."""
        if self.num_test_batches < 2 or self.num_epistemic < 1 or self.max_steps < 0:
            raise ValueError("num_test_batches must be >= 2, num_epistemic >= 1, max_steps >= 0.")
        for name, least in (("tau", 1), ("kappa", 0)):
            values = tuple(sorted(set(getattr(self, name))))
            if not values or values[0] < least or values[-1] > MOST_LABELS:
                first = "1" if least else "0 (iid)"
                raise ValueError(f"{name} must be of {first} to {MOST_LABELS:,}, got {values}.")
            object.__setattr__(self, name, values)
        if self.estimator == "projection" and self.tau[-1] <= PROJECTED:
            raise ValueError(
                f"the projection estimator is for tau above {PROJECTED}; add such tau."
            )

    @property
    def points(self) -> tuple[tuple[int, int], ...]:
        """The (tau, kappa) that are scored, each once."""
        pairs = product(self.tau, self.kappa)
        return tuple(sorted({(tau, kappa if tau > 1 else 0) for tau, kappa in pairs}))

    @property
    def width(self) -> int:
        """Inputs of the widest point."""
        return max(kappa or tau for tau, kappa in self.points)

    def check_inputs(self, input_dim: int) -> None:
        """Raise `UsageError` for test inputs that would not fit in memory."""
        if self.num_test_batches * self.width * input_dim > MOST_INPUTS:
            raise UsageError(
                f"{self.num_test_batches:,} test batches of {self.width:,} inputs in {input_dim} "
                f"dimensions are more than {MOST_INPUTS:,} numbers: ask for a smaller --tau or "
                "fewer num_test_batches."
            )


@dataclass(frozen=True, slots=True)
class RealSettings(JointSettings):
    """As joint predictions anywhere, and how the rows of a data set are made."""

    kappa: tuple[int, ...] = (2,)
    preprocess: Preprocess = "example"  # standardise each row, as published, or each feature
    subsample: Subsample = "first"  # random: rows of a small problem by the subject's seed
    test_rows: TestRows = "published"  # all: of emnist/letters the whole test file


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """How a posterior predictive check is run. Compare pass counts at equal S only."""

    num_replicates: int = 1_000  # S
    max_steps: int = 0

    def __post_init__(self) -> None:
        """Refuse counts that give no quantile."""
        if self.num_replicates < 2 or self.max_steps < 0:
            raise ValueError("num_replicates must be >= 2, max_steps >= 0.")


@dataclass(frozen=True, slots=True)
class BoundSettings:
    """How a trained critic is read (mi)."""

    num_final: int = 1_000  # steps at the end of each stage whose values are averaged
    max_steps: int = 0
    held_out_pairs: int = 100_000  # least draws of the product of marginals behind a second look
    oracle_batches: int = 1_000  # for what the exact critic reads
    # Items (images, texts) that train: split keeps a fifth of them for the second look; full
    # trains on all of them, as published, and looks at no other.
    pool: Literal["split", "full"] = "split"

    def __post_init__(self) -> None:
        """Refuse counts that give no standard error."""
        if self.num_final < 2 or self.max_steps < 0:
            raise ValueError("num_final must be >= 2, max_steps >= 0.")
        if self.held_out_pairs < 1 or self.oracle_batches < 2:
            raise ValueError("held_out_pairs must be >= 1, oracle_batches >= 2.")


SETTINGS: dict[str, dict[Scale, Any]] = {
    "testbed": {
        "smoke": JointSettings(num_test_batches=100, num_epistemic=100, max_steps=50),
        "quick": JointSettings(),
        "full": JointSettings(),
    },
    "real": {
        "smoke": RealSettings(num_test_batches=100, num_epistemic=100, max_steps=50),
        "quick": RealSettings(num_epistemic=300),
        "full": RealSettings(),
    },
    "ppc": {
        "smoke": CheckSettings(num_replicates=100, max_steps=100),
        "quick": CheckSettings(),
        "full": CheckSettings(),
    },
    "mi": {
        "smoke": BoundSettings(
            num_final=50, max_steps=100, held_out_pairs=10_000, oracle_batches=50
        ),
        "quick": BoundSettings(num_final=500, max_steps=2_000),
        "full": BoundSettings(),
    },
}
