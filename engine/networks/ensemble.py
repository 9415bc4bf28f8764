"""Learners made of independent networks, with or without a fixed network added to each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.learning.bootstrap import row_weights, seed_word
from augury.engine.learning.epistemic import Known, Learned, Learner, Training
from augury.engine.losses.classification import cross_entropy, decay_scale, sum_of_squares
from augury.engine.networks import mlp
from augury.engine.networks.groups import in_groups
from augury.engine.randomness import stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray


class Fixed(NamedTuple):
    """What training does not move; () where there is none of it."""

    prior: Any  # parameters of the prior networks
    word: Any  # of the bootstrap


PriorScale = Callable[[Known], "Float[Array, '']"]


def ensemble_learner(
    config: Any,
    input_dim: int,
    num_classes: int,
    num_members: int,
    prior_scale: PriorScale | None = None,
) -> Learner:
    """`num_members` networks on the same minibatches.

    Loss: mean over members of the cross entropy, plus scale / num_members times the sum of
    squares over all of them, with the scale of `decay_scale`. With `index_sampling` of
    "replacement" the mean is over as many draws of a member as there are members. With a
    `distribution` other than "none" the loss of each row has a weight of each member's own.

    With a `prior_scale` every member is f_k(x) + s p_k(x), p_k fixed (arXiv:1806.03335), and
    first-layer biases of both are random. p_k at the training rows is tabulated once.
    """
    sizes = (input_dim, *config.hidden, num_classes)
    added = prior_scale is not None
    bootstrap = getattr(config, "distribution", "none")
    sampled = getattr(config, "index_sampling", "every") == "replacement"

    def init(key: PRNGKeyArray, known: Known) -> Learned:
        bias: mlp.FirstBias = "truncated" if added else "zero"
        params = mlp.init(stream(key, "network"), sizes, num_members, bias)
        fixed = mlp.init(stream(key, "prior network"), sizes, num_members, bias) if added else ()
        word = seed_word(stream(key, "bootstrap")) if bootstrap != "none" else ()
        return Learned(params, Fixed(fixed, word))

    def offset(fixed: Fixed, x: Any, rows: Any, known: Known) -> Any:
        logits = prior_scale(known) * mlp.apply(fixed.prior, x) if prior_scale else None
        if bootstrap == "none":
            return logits, None
        return logits, row_weights(fixed.word, rows, num_members, bootstrap)

    def loss(
        params: mlp.Params, offsets: Any, x: Any, y: Any, known: Known, key: Any, shard: Any
    ) -> Float[Array, ""]:
        logits = mlp.columns(params, x)
        prior, of_rows = offsets or (None, None)
        if prior is not None:
            logits = logits + jnp.swapaxes(prior, 1, 2)
        here = logits.shape[0]
        weights = jnp.full((here,), 1.0 / num_members)
        if sampled:
            drawn = _drawn_shares(key, num_members)
            weights = jax.lax.dynamic_slice_in_dim(drawn, shard * here, here)
        decay = known.hyper["weight_decay"]
        scale = decay_scale(decay, known.num_train, known.temperature, input_dim, config.adaptive)
        fit = jnp.sum(weights * cross_entropy(logits, y, of_rows))
        return fit + scale / num_members * sum_of_squares(params)

    def apply(samples: Learned, x: Any, known: Known) -> Float[Array, "member classes data"]:
        if prior_scale is None:
            return in_groups(lambda some: mlp.columns(some, x), samples.params)
        scale = prior_scale(known)
        both = samples.params, samples.fixed.prior
        return in_groups(lambda w: mlp.columns(w[0], x) + scale * mlp.columns(w[1], x), both)

    rules = Training(
        loss,
        config.num_steps,
        config.batch_size,
        offset if added or bootstrap != "none" else None,
        members_axis=True,
        batch_strategy=config.batch_strategy,
    )
    return Learner(init, lambda learned, key, count: learned, apply, num_members, rules)


def _drawn_shares(key: PRNGKeyArray, num_members: int) -> Float[Array, " member"]:
    """Shares of as many draws of a member, with replacement, as there are members."""
    drawn = jax.random.randint(key, (num_members,), 0, num_members)
    return jnp.zeros((num_members,)).at[drawn].add(1.0 / num_members)
