"""Networks whose weights are drawn: dropout, Bayes by backprop, hypermodels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from augury.engine.catalog.agent_configs.networks import MlpConfig
from augury.engine.catalog.agent_configs.sgd import SgdConfig, check_training


@dataclass(frozen=True, slots=True)
class DropoutConfig(SgdConfig):
    """One network with units left out at random, in training and in every epistemic sample.

    The sum of squares is scaled by length_scale sqrt(temperature) input_dim / num_train if
    adaptive, else by length_scale^2 (1 - rate) / (2 num_train tau_reg).
    """

    hidden: tuple[int, ...] = (100, 100)
    rate: float = 0.1  # of units left out
    dropout_input: bool = False  # inputs too
    length_scale: float = 1.0
    tau_reg: float = 1.0  # unused if adaptive
    exclude_bias_l2: bool = False  # no decay of biases

    def __post_init__(self) -> None:
        """Refuse what cannot be trained."""
        check_training(self)
        if not 0 <= self.rate < 1:
            raise ValueError(f"rate must be at least 0 and below 1, got {self.rate}.")
        if self.length_scale < 0 or self.tau_reg <= 0:
            raise ValueError("length_scale must not be negative, and tau_reg be positive.")


@dataclass(frozen=True, slots=True)
class BbbConfig(SgdConfig):
    """A normal distribution for each weight, fitted by variational inference.

    The prior of a weight is N(0, sigma_1^2) if `kl_method` is "analytical", which leaves sigma_2
    and mixture_scale without effect; if it is "sample_based",
    mixture_scale N(0, sigma_1^2) + (1 - mixture_scale) N(0, sigma_2^2).
    """

    learning_rate: float = 3e-3
    sigma_1: float = 1.0
    sigma_2: float = 0.75
    mixture_scale: float = 1.0
    kl_method: Literal["analytical", "sample_based"] = "analytical"
    num_index_samples: int = 8  # weight samples in each step
    output_scale: bool = False  # logits over temperature

    def __post_init__(self) -> None:
        """Refuse what cannot be trained."""
        check_training(self)
        if self.sigma_1 <= 0 or self.sigma_2 <= 0 or not 0 <= self.mixture_scale <= 1:
            raise ValueError("sigma_1, sigma_2 must be positive, mixture_scale in 0 to 1.")


@dataclass(frozen=True, slots=True)
class HypermodelConfig(MlpConfig):
    """A linear map from a normal index to all weights of a network, beside a fixed prior one."""

    num_steps: int = 2_000
    index_dim: int = 6
    num_index_samples: int = 16  # indices in each step
    prior_hidden: tuple[int, ...] = (10,)
    prior_scale: float = 1.0
    temp_scale: Literal["sqrt", "linear", "none"] = "sqrt"  # prior_scale / temperature^(1/2, 1, 0)
    # Weights of mean 1 for each row and index, from normal draws of each row, fixed for a cell.
    distribution: Literal["none", "bernoulli", "exponential"] = "none"
    scale: bool = False  # weights over sqrt(fan_in)

    def __post_init__(self) -> None:
        """Refuse what cannot be trained."""
        check_training(self)
        if any(width < 1 for width in self.prior_hidden):
            raise ValueError(f"prior_hidden widths must be at least 1, got {self.prior_hidden}.")
