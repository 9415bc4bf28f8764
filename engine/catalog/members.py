"""Subjects of posterior predictive checks: predictives made of members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from augury.engine.catalog.agent_configs.images import ImageDropoutConfig, ImageEnsembleConfig
from augury.engine.catalog.agent_configs.sgd import check_training
from augury.engine.catalog.entry import Entry


@dataclass(frozen=True, slots=True)
class PosteriorConfig:
    """Members drawn from the exact posterior of an analytic problem: the truth in closed form."""

    prior_mean: float = 0.0
    prior_variance: float = 1.0  # other than 1: a model that is wrong about its problem

    def __post_init__(self) -> None:
        """Refuse a prior that is no distribution."""
        if self.prior_variance <= 0:
            raise ValueError(f"prior_variance must be positive, got {self.prior_variance}.")


@dataclass(frozen=True, slots=True)
class GaussianEnsembleConfig:
    """Independent networks with a mean and a scale at the output, trained by likelihood."""

    num_ensemble: int = 50
    hidden: tuple[int, ...] = (50, 50)
    num_steps: int = 2_000
    batch_size: int = 64
    learning_rate: float = 5e-3  # Adam, cosine decay to zero
    weight_decay: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what cannot be trained, and one member, for which both modes are the same."""
        check_training(self)
        if self.num_ensemble < 2:
            raise ValueError(f"num_ensemble must be at least 2, got {self.num_ensemble}.")


@dataclass(frozen=True, slots=True)
class GaussianDropoutConfig:
    """One such network with dropout: a mask for each row in training, one for all to predict."""

    hidden: tuple[int, ...] = (50, 50)
    rate: float = 0.1  # of units left out, after each hidden layer
    num_samples: int = 50  # masks: the members
    num_steps: int = 4_000
    batch_size: int = 64
    learning_rate: float = 5e-3  # Adam, cosine decay to zero
    weight_decay: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what cannot be trained, and one member, for which both modes are the same."""
        check_training(self)
        if not 0.0 < self.rate < 1.0 or self.num_samples < 2:
            raise ValueError("rate must be between 0 and 1, num_samples at least 2.")


_DROPOUT = "arXiv:1506.02142"


def _of_images(kind: str, config: Any, paper: str, summary: str) -> Entry[Any]:
    target = f"augury.engine.agents.image_{kind}:make_agent"
    return Entry(target, config, paper=paper, summary=summary)


_RESNET: dict[str, Any] = {
    "network": "resnet20", "width": 16, "num_steps": 16_000, "batch_size": 128,
    "learning_rate": 2e-3, "weight_decay": 1e-4, "augment": True,
}  # fmt: skip
# Subjects of the corruptions.
IMAGE_MEMBERS: dict[str, Entry[Any]] = {
    "mlp-ensemble": _of_images(
        "ensemble", ImageEnsembleConfig(network="mlp", width=128), "arXiv:1612.01474",
        "Independent networks of two hidden layers, each with minibatches of its own."),
    "mlp-dropout": _of_images(
        "dropout", ImageDropoutConfig(network="mlp", width=256), _DROPOUT,
        "One network of two hidden layers with dropout; a member is a mask for all rows."),
    "cnn-ensemble": _of_images(
        "ensemble", ImageEnsembleConfig(network="cnn", width=16), "arXiv:1612.01474",
        "Independent small convolutional networks, each with minibatches of its own."),
    "cnn-dropout": _of_images(
        "dropout", ImageDropoutConfig(network="cnn", width=16), _DROPOUT,
        "One small convolutional network with dropout; a member is a mask for all rows."),
    "resnet20-ensemble": _of_images(
        "ensemble", ImageEnsembleConfig(**_RESNET), "arXiv:2112.01477",
        "Independent ResNet-20s; they want a GPU."),
    "resnet20-dropout": _of_images(
        "dropout", ImageDropoutConfig(**_RESNET, rate=0.054988), "arXiv:2112.01477",
        "One ResNet-20 with dropout before every layer; a member is a mask for all rows."),
}  # fmt: skip

MEMBERS: dict[str, Entry[Any]] = {
    "posterior": Entry("augury.engine.agents.posterior:make_agent", PosteriorConfig()),
    "ensemble": Entry(
        "augury.engine.agents.gaussian_ensemble:make_agent",
        GaussianEnsembleConfig(),
        version=2,
        paper="arXiv:2112.01477",
    ),
    "dropout": Entry(
        "augury.engine.agents.gaussian_dropout:make_agent",
        GaussianDropoutConfig(),
        paper=_DROPOUT,
    ),
    **IMAGE_MEMBERS,
}
