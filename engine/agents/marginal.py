"""Marginal: right for each label of logistic regression, with one number behind all of them.

Choose it on `logistic` to see what iid and monadic inputs miss (section 3 of arXiv:2202.13509).
Nothing is learned and a sample costs one normal number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

from augury.engine.catalog.agent_configs.studies import MarginalConfig

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

    from augury.engine.types import Agent, Data, EpistemicSampler, Prior


def make_agent(config: MarginalConfig | None = None) -> Agent:
    """The two-line contract: lambda ~ N(0, 1), P(y=1|x) = sigmoid(lambda |x| / temperature)."""

    def agent(data: Data, prior: Prior, key: PRNGKeyArray) -> EpistemicSampler:
        temperature = 1.0 if prior.temperature is None else prior.temperature

        def sampler(x, key):  # noqa: ANN001, ANN202
            logit = jax.random.normal(key) * jnp.linalg.norm(jnp.asarray(x), axis=1) / temperature
            return jnp.stack([jnp.zeros_like(logit), logit], axis=1)

        return sampler

    return agent
