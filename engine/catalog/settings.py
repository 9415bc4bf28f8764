"""Settings: numbers of evaluation that change a result, and their values at each scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from augury.engine.catalog.names import SCALES as SCALES
from augury.engine.catalog.names import Scale as Scale


@dataclass(frozen=True, slots=True)
class JointSettings:
    """How joint predictions are scored (testbed, real)."""

    num_test_batches: int = 1_000  # J
    num_epistemic: int = 1_000  # M; a finite ensemble is enumerated instead
    max_steps: int = 0  # cap on training steps; 0 leaves the config's

    def __post_init__(self) -> None:
        """Refuse counts that give no standard error."""
        if self.num_test_batches < 2 or self.num_epistemic < 1 or self.max_steps < 0:
            raise ValueError("num_test_batches must be >= 2, num_epistemic >= 1, max_steps >= 0.")


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

    def __post_init__(self) -> None:
        """Refuse counts that give no standard error."""
        if self.num_final < 2 or self.max_steps < 0:
            raise ValueError("num_final must be >= 2, max_steps >= 0.")


SETTINGS: dict[str, dict[Scale, Any]] = {
    "testbed": {
        "smoke": JointSettings(num_test_batches=100, num_epistemic=100, max_steps=50),
        "quick": JointSettings(),
        "full": JointSettings(),
    },
    "real": {
        "smoke": JointSettings(num_test_batches=100, num_epistemic=100, max_steps=50),
        "quick": JointSettings(),
        "full": JointSettings(),
    },
    "ppc": {
        "smoke": CheckSettings(num_replicates=100, max_steps=100),
        "quick": CheckSettings(),
        "full": CheckSettings(),
    },
    "mi": {
        "smoke": BoundSettings(num_final=50, max_steps=100),
        "quick": BoundSettings(num_final=500, max_steps=2_000),
        "full": BoundSettings(),
    },
}
