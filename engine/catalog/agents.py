"""Agents for classification: what they are told, and the tables of the scenarios that rank them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from augury.engine.catalog.entry import Entry


@dataclass(frozen=True, slots=True)
class UniformConfig:
    """Equal probability for every class; the floor that anything trained should beat."""


@dataclass(frozen=True, slots=True)
class PriorConfig:
    """Fresh draws of the generative network, no learning: the truth before data."""


@dataclass(frozen=True, slots=True)
class MlpConfig:
    """One network: a point estimate, hence right marginals and wrong joints."""

    hidden: tuple[int, ...] = (50, 50)
    num_steps: int = 1_000  # SGD steps, not epochs
    batch_size: int = 100
    learning_rate: float = 1e-3  # Adam
    weight_decay: float = 1.0  # times the sum of squares of all parameters, over num_train
    adaptive: bool = True  # decay times sqrt(temperature) * input_dim

    def __post_init__(self) -> None:
        """Refuse what cannot be trained."""
        check_training(self)


@dataclass(frozen=True, slots=True)
class EnsembleConfig(MlpConfig):
    """Independent networks on the same rows; cost grows linearly in num_ensemble."""

    num_ensemble: int = 100
    index_sampling: Literal["every", "replacement"] = "every"  # replacement: as the reference


@dataclass(frozen=True, slots=True)
class EnsemblePlusConfig(EnsembleConfig):
    """An ensemble whose members each carry a fixed random prior network."""

    prior_scale: float = 3.0
    temp_scale: Literal["sqrt", "linear", "none"] = "sqrt"  # prior_scale / temperature^(1/2, 1, 0)


def check_training(config: Any) -> None:
    """Raise ValueError for counts and rates that no training can have."""
    for name in ("num_steps", "batch_size", "num_ensemble"):
        if getattr(config, name, 1) < 1:
            raise ValueError(f"{name} must be at least 1, got {getattr(config, name)}.")
    if config.num_steps * config.batch_size >= 2**31:
        raise ValueError("num_steps times batch_size must be below 2^31 rows.")
    if config.learning_rate <= 0 or config.weight_decay < 0:
        raise ValueError("learning_rate must be positive and weight_decay not negative.")
    if any(width < 1 for width in config.hidden):
        raise ValueError(f"hidden widths must be at least 1, got {config.hidden}.")


AGENTS: dict[str, Entry[Any]] = {
    "uniform": Entry("augury.engine.agents.uniform:make_agent", UniformConfig()),
    "prior": Entry("augury.engine.agents.prior:make_agent", PriorConfig()),
    "mlp": Entry("augury.engine.agents.mlp:make_agent", MlpConfig()),
    "ensemble": Entry(
        "augury.engine.agents.ensemble:make_agent", EnsembleConfig(), paper="arXiv:1612.01474"
    ),
    "ensemble+": Entry(
        "augury.engine.agents.ensemble_plus:make_agent",
        EnsemblePlusConfig(),
        paper="arXiv:1806.03335",
    ),
}

# On real data the generative temperature is unknown, so nothing scales with it.
REAL_AGENTS: dict[str, Entry[Any]] = {
    "uniform": AGENTS["uniform"],
    "mlp": Entry(AGENTS["mlp"].target, MlpConfig(adaptive=False)),
    "ensemble": Entry(AGENTS["ensemble"].target, EnsembleConfig(adaptive=False)),
    "ensemble+": Entry(
        AGENTS["ensemble+"].target, EnsemblePlusConfig(adaptive=False, temp_scale="none")
    ),
}
