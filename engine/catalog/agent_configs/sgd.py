"""What all agents trained by Adam on minibatches share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MANY_ROWS = 500  # for each input dimension
FACTOR = 5  # by which `batch_strategy` lengthens or shortens a training


@dataclass(frozen=True, slots=True)
class SgdConfig:
    """Fields of a training by Adam."""

    hidden: tuple[int, ...] = (50, 50)
    num_steps: int = 1_000  # SGD steps, not epochs
    batch_size: int = 100
    learning_rate: float = 1e-3  # Adam
    adaptive: bool = True  # regularisation times sqrt(temperature) * input_dim
    batch_strategy: bool = False  # 5 times the steps where num_train / input_dim > 500, a
    # fifth where it is < 5

    def __post_init__(self) -> None:
        """Refuse what cannot be trained."""
        check_training(self)


def check_training(config: Any) -> None:
    """Raise ValueError for counts and rates that no training can have."""
    for name in ("num_steps", "batch_size", "num_ensemble", "num_index_samples", "index_dim"):
        if getattr(config, name, 1) < 1:
            raise ValueError(f"{name} must be at least 1, got {getattr(config, name)}.")
    most = config.num_steps * getattr(config, "many_rows_factor", 1)
    most *= FACTOR if getattr(config, "batch_strategy", False) else 1
    if most * config.batch_size >= 2**31:
        raise ValueError("num_steps times batch_size must be below 2^31 rows.")
    if config.learning_rate <= 0 or getattr(config, "weight_decay", 0.0) < 0:
        raise ValueError("learning_rate must be positive and weight_decay not negative.")
    if any(width < 1 for width in config.hidden):
        raise ValueError(f"hidden widths must be at least 1, got {config.hidden}.")


def steps_for(
    num_steps: int, batch_strategy: bool, ratio: float | None, many_rows_factor: int = 1
) -> int:
    """Steps on a problem with `ratio` training rows for each input dimension (None: unknown).

    Beyond 500 rows `many_rows_factor` times as many, with or without the strategy.
    """
    if ratio is None or 5 <= ratio <= MANY_ROWS:
        return num_steps
    if ratio > MANY_ROWS:
        return num_steps * many_rows_factor * (FACTOR if batch_strategy else 1)
    return max(num_steps // FACTOR, 1) if batch_strategy else num_steps
