"""One network, and beliefs about what comes after it: linear heads, kernels, epinets."""

from __future__ import annotations

from dataclasses import dataclass

from augury.engine.catalog.agent_configs.networks import MlpConfig
from augury.engine.catalog.agent_configs.sgd import check_training


@dataclass(frozen=True, slots=True)
class LogisticRegressionConfig(MlpConfig):
    """A linear classifier with weight decay: what networks must beat, at a tenth of an MLP."""

    hidden: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be trained."""
        check_training(self)
        if self.hidden:
            raise ValueError(f"hidden must be empty, got {self.hidden}: 'mlp' has hidden layers.")


@dataclass(frozen=True, slots=True)
class DeepKernelConfig(MlpConfig):
    """An MLP with a Gaussian process over its last hidden layer; costs as much as the MLP."""

    scale_factor: float = 2.0  # of the spread of sampled logits
    sigma_squared_factor: float = 4.0  # noise variance over temperature
    num_inference_rows: int = 32_768  # most training rows that the process is conditioned on

    def __post_init__(self) -> None:
        """Refuse what cannot be trained or conditioned."""
        check_training(self)
        if not self.hidden or self.num_inference_rows < 1:
            raise ValueError("hidden must not be empty and num_inference_rows be at least 1.")
        if self.scale_factor < 0 or self.sigma_squared_factor <= 0:
            raise ValueError("scale_factor must not be negative, sigma_squared_factor positive.")


@dataclass(frozen=True, slots=True)
class EpinetConfig:
    """An MLP and a small network that turns a random index into joint beliefs; cheap to sample.

    Decay: weight_decay (input_dim / num_train)^0.7 times the sum of squares. Beyond 500 rows for
    each input dimension the training is ten times as long.
    """

    hidden: tuple[int, ...] = (50, 50)
    num_steps: int = 1_000  # SGD steps, not epochs
    batch_size: int = 100
    learning_rate: float = 1e-3  # Adam
    weight_decay: float = 0.2
    index_dim: int = 8
    num_index_samples: int = 8  # indices in each step
    epi_hidden: tuple[int, ...] = (15, 15)  # of the trained epinet
    prior_hidden: tuple[int, ...] = (5, 5)  # of each of the index_dim fixed networks
    prior_scale: float = 0.3  # of those, over temperature
    epinet_prior: bool = False  # a fixed epinet beside the trained one
    epinet_prior_scale: float = 1.0  # of that
    many_rows_factor: int = 10

    def __post_init__(self) -> None:
        """Refuse what cannot be trained."""
        check_training(self)
        if not self.hidden or not self.epi_hidden or self.many_rows_factor < 1:
            raise ValueError("hidden and epi_hidden must not be empty, many_rows_factor positive.")
        if any(width < 1 for width in (*self.epi_hidden, *self.prior_hidden)):
            raise ValueError("epi_hidden and prior_hidden widths must be at least 1.")
