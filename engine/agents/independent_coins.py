"""Independent coins: the posterior of Example 1 of arXiv:2202.13509; no agent does better there.

Choose it on `coins`, beside what it is compared with. Each coin has a bias of its
own with a Beta prior. Exact, and costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.agent_configs.studies import IndependentCoinsConfig

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

    from augury.engine.types import Agent, Data, EpistemicSampler, Prior


@dataclass(frozen=True, slots=True)
class IndependentSampler:
    """Biases drawn from each coin's Beta; a coin never tossed has the prior's."""

    heads: Float[Array, " coins"]
    tails: Float[Array, " coins"]
    prior: tuple[float, float]

    def __call__(
        self, x: Float[Array, "data dim"], key: PRNGKeyArray
    ) -> Float[Array, "data classes"]:
        """Logits (tails, heads) at inputs that are numbers of coins, x [data, 1]."""
        coin = jnp.asarray(x)[:, 0].astype(jnp.int32)
        tossed = coin < len(self.heads)
        a = jnp.where(tossed, self.heads[coin % len(self.heads)], self.prior[0])
        b = jnp.where(tossed, self.tails[coin % len(self.tails)], self.prior[1])
        # The same key gives a coin the same bias, whatever else is asked about.
        keys = jax.vmap(lambda c: jax.random.fold_in(key, c))(coin)
        bias = jax.vmap(jax.random.beta)(keys, a, b)
        return jnp.stack([jnp.log1p(-bias), jnp.log(bias)], axis=1)


def make_agent(config: IndependentCoinsConfig | None = None) -> Agent:
    """The two-line contract; rows of `data.x` are numbers of coins, shape [n, 1]."""
    config = config or IndependentCoinsConfig()

    def agent(data: Data, prior: Prior, key: PRNGKeyArray) -> EpistemicSampler:
        which = np.asarray(data.x).reshape(-1).astype(np.int64)
        y = np.asarray(data.y).reshape(-1)
        size = int(which.max(initial=0)) + 1
        heads = config.heads + np.bincount(which, y, size)
        tails = config.tails + np.bincount(which, 1 - y, size)
        return IndependentSampler(
            jnp.asarray(heads), jnp.asarray(tails), (config.heads, config.tails)
        )

    return agent
