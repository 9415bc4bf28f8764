"""Dropout: units left out at random, in training and when predicting (arXiv:1506.02142).

Choose it as the cheapest agent with more than one belief: trained like one network. Its joint
beliefs are no better than those of a point estimate on the testbed, for more data do not make
them surer. Cost of evaluation: a network for each epistemic sample, but for the first layer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax.numpy as jnp

from augury.engine.catalog.agent_configs.bayesian import DropoutConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Known, Learned, Learner, Training
from augury.engine.losses.classification import cross_entropy, decay_scale, sum_of_squares
from augury.engine.networks import mlp
from augury.engine.networks.groups import in_groups
from augury.engine.randomness import fractions, stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray


def build(config: DropoutConfig, input_dim: int, num_classes: int) -> Learner:
    """Loss: cross entropy under one mask, the same for the whole minibatch, plus decay."""
    sizes = (input_dim, *config.hidden, num_classes)
    first = 0 if config.dropout_input else 1  # the first layer whose inputs are left out
    widths = sizes[first:-1]

    def init(key: PRNGKeyArray, known: Known) -> Learned:
        params = mlp.init(stream(key, "network"), sizes, 1, "truncated")
        return Learned(params, known.hyper["rate"])  # which draws need too

    def thinned(
        params: mlp.Params, rate: Float[Array, ""], key: PRNGKeyArray, count: int
    ) -> mlp.Params:
        """Networks with the masks in their weights: relu(mask h) = mask relu(h)."""
        kept = fractions(key, count * sum(widths)).reshape(count, sum(widths)) >= rate
        masks = jnp.where(kept, 1.0 / (1.0 - rate), 0.0)
        layers, start = list(params), 0
        for number, width in enumerate(widths, first):
            weight, bias = params[number]
            layers[number] = weight * masks[:, None, start : start + width], bias
            start += width
        return tuple(layers)

    def decay(known: Known) -> Float[Array, ""]:
        told = known.hyper
        if config.adaptive:
            length = told["length_scale"]
            return decay_scale(length, known.num_train, known.temperature, input_dim, True)
        kept = told["length_scale"] ** 2 * (1.0 - told["rate"])
        return kept / (2.0 * known.num_train * told["tau_reg"])

    def loss(
        params: mlp.Params, offsets: Any, x: Any, y: Any, known: Known, key: Any, shard: Any
    ) -> Float[Array, ""]:
        logits = mlp.columns(thinned(params, known.hyper["rate"], key, 1), x)
        decayed = [weight for weight, _ in params] if config.exclude_bias_l2 else params
        return cross_entropy(logits, y)[0] + decay(known) * sum_of_squares(decayed)

    def draw(learned: Learned, key: PRNGKeyArray, count: int) -> mlp.Params:
        return thinned(learned.params, learned.fixed, key, count)

    def apply(samples: mlp.Params, x: Any, known: Known) -> Float[Array, "m classes data"]:
        thin = samples[first:]
        if not thin:
            return mlp.columns(samples, x)
        # Where inputs are kept, the first layer is the same network's for all masks.
        shared = mlp.rectified(*samples[0], x.T)[0] if first else x.T

        def later(weights: Any) -> Float[Array, "m classes data"]:
            *layers, last = zip(weights, (bias for _, bias in thin), strict=True)
            hidden = shared
            for weight, bias in layers:
                hidden = mlp.rectified(weight, bias, hidden)
            return mlp.dense(*last, hidden)

        return in_groups(later, [weight for weight, _ in thin])

    rules = Training(
        loss, config.num_steps, config.batch_size, batch_strategy=config.batch_strategy
    )
    return Learner(init, draw, apply, None, rules)


def make_agent(config: DropoutConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or DropoutConfig(), build)
