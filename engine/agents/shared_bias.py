"""Shared bias: takes all coins for one. Choose it on `coins` to see what monadic inputs miss.

Its joint predictions are right at a single coin (Proposition 2 of arXiv:2202.13509) and wrong
across coins. Exact, and costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.agent_configs.studies import SharedBiasConfig

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

    from augury.engine.types import Agent, Data, EpistemicSampler, Prior


def make_agent(config: SharedBiasConfig | None = None) -> Agent:
    """The two-line contract; inputs are not looked at."""
    config = config or SharedBiasConfig()

    def agent(data: Data, prior: Prior, key: PRNGKeyArray) -> EpistemicSampler:
        y = np.asarray(data.y).reshape(-1)
        heads, tails = config.heads + y.sum(), config.tails + (1 - y).sum()

        def sampler(x, key):  # noqa: ANN001, ANN202
            bias = jax.random.beta(key, heads, tails)
            row = jnp.stack([jnp.log1p(-bias), jnp.log(bias)])
            return jnp.broadcast_to(row, (len(x), 2))

        return sampler

    return agent
