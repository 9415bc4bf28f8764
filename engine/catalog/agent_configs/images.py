"""Networks of images: ensembles of them, and one with dropout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ImageConfig:
    """A network of images and its training by Adam, with a cosine decay of the rate to zero."""

    network: Literal["mlp", "cnn", "resnet20"] = "cnn"
    width: int = 16  # units or channels of the first layer
    num_steps: int = 3_000
    batch_size: int = 64
    learning_rate: float = 2e-3
    weight_decay: float = 1e-4  # times the sum of squares of all weights but biases
    augment: bool = False  # mirrored, and shifted by up to 4 pixels

    def __post_init__(self) -> None:
        """Refuse what cannot be trained."""
        if min(self.width, self.num_steps, self.batch_size) < 1:
            raise ValueError("width, num_steps and batch_size must be at least 1.")
        if self.num_steps * self.batch_size >= 2**31:
            raise ValueError("num_steps times batch_size must be below 2^31 rows.")
        if self.learning_rate <= 0 or self.weight_decay < 0:
            raise ValueError("learning_rate must be positive and weight_decay not negative.")


@dataclass(frozen=True, slots=True)
class ImageEnsembleConfig(ImageConfig):
    """Independent networks of images, each with minibatches of its own; cost grows with them."""

    num_ensemble: int = 10

    def __post_init__(self) -> None:
        """Refuse what cannot be trained, and one member, for which both modes are the same."""
        ImageConfig.__post_init__(self)
        if self.num_ensemble < 2:
            raise ValueError(f"num_ensemble must be at least 2, got {self.num_ensemble}.")


@dataclass(frozen=True, slots=True)
class ImageDropoutConfig(ImageConfig):
    """One network of images with dropout: a mask for each row in training, one for all to predict.

    A member is a mask, so a replicate of the bayesian mode comes from one thinned network.
    """

    rate: float = 0.1  # of units left out
    num_samples: int = 50  # masks

    def __post_init__(self) -> None:
        """Refuse what cannot be trained, and one member, for which both modes are the same."""
        ImageConfig.__post_init__(self)
        if not 0.0 < self.rate < 1.0 or self.num_samples < 2:
            raise ValueError("rate must be between 0 and 1, num_samples at least 2.")
