"""SG-MCMC: networks that Langevin dynamics visit on their way through the posterior.

Choose it for the reference that asks most of the machine and least of the model: nothing is
variational, and what it believes follows from the prior and the chain alone. It costs num_steps
steps of one network, 500 times an MLP's by default, and (num_steps - burn_in) / save_every + 1
networks at evaluation. A short chain is not a cheap version of a long one but a wrong answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax.numpy as jnp

from augury.engine.catalog.agent_configs.chains import SgmcmcConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Keep, Known, Learned, Learner, Training
from augury.engine.learning.langevin import langevin
from augury.engine.losses.classification import cross_entropy, sum_of_squares
from augury.engine.networks import mlp

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

MANY_INPUTS = 100  # from this dimension on, an adaptive prior variance is doubled


def build(config: SgmcmcConfig, input_dim: int, num_classes: int) -> Learner:
    """The kept networks, equally likely.

    Loss: mean cross entropy of the minibatch + sqrt(temperature) input_dim / (prior_variance
    num_train) times the sum of squares of all parameters. The dynamics run at alg_temperature /
    num_train, so that their stationary density is the posterior at alg_temperature 1.
    """
    sizes = (input_dim, *config.hidden, num_classes)
    doubled = config.adaptive_prior_variance and input_dim >= MANY_INPUTS

    def init(key: PRNGKeyArray, known: Known) -> Learned:
        return Learned(mlp.init(key, sizes, 1))

    def loss(
        params: mlp.Params, offsets: Any, x: Any, y: Any, known: Known, key: Any, shard: Any
    ) -> Float[Array, ""]:
        variance = known.hyper["prior_variance"] * (2.0 if doubled else 1.0)
        scale = jnp.sqrt(known.temperature) * input_dim / (variance * known.num_train)
        return cross_entropy(mlp.columns(params, x), y)[0] + scale * sum_of_squares(params)

    def optimiser(known: Known) -> Any:
        hyper = known.hyper
        temperature = hyper["alg_temperature"] / known.num_train
        return langevin(
            hyper["learning_rate"], temperature, hyper["momentum_decay"], config.preconditioner
        )

    return Learner(
        init=init,
        draw=lambda learned, key, count: learned.params,
        apply=lambda samples, x, known: mlp.columns(samples, x),
        num_members=config.num_kept,
        training=Training(
            loss,
            config.num_steps,
            config.batch_size,
            optimiser=optimiser,
            keep=Keep(config.burn_in, config.save_every),
        ),
    )


def make_agent(config: SgmcmcConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or SgmcmcConfig(), build)
