"""Agents as a few pure functions, from which both the fast path and the two-line contract come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.catalog.entry import traced
from augury.engine.randomness import stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray

    from augury.engine.types import Data, Prior

Pytree = Any
UNKNOWN_TEMPERATURE = 0.01  # what agents are told where a problem has none, as published


class Known(NamedTuple):
    """Traced numbers: what an agent is told beside the rows, and its own float fields."""

    num_train: Float[Array, ""]
    temperature: Float[Array, ""]
    hyper: Mapping[str, Float[Array, ""]]


class Learned(NamedTuple):
    """Parameters that training moves, and those it does not."""

    params: Pytree
    fixed: Pytree = ()


@dataclass(frozen=True, slots=True)
class Training:
    """How an agent's parameters are moved: Adam on minibatches."""

    loss: Callable[[Pytree, Pytree, Any, Any, Known, PRNGKeyArray], Float[Array, ""]]
    # (params, offsets of the rows, x, y, known, key)
    num_steps: int
    batch_size: int
    offset: Callable[[Pytree, Any, Known], Pytree] | None = None
    # (fixed, x) -> what depends on a row and on nothing that moves, rows first: computed once


@dataclass(frozen=True, slots=True)
class Learner:
    """An agent for one input dimension and number of classes.

    Its functions may depend on the int, bool and str fields of the config only; float fields
    come in `Known.hyper`, so that a whole grid of them is one compiled program.
    """

    init: Callable[[PRNGKeyArray, Known], Learned]
    draw: Callable[[Learned, PRNGKeyArray, int], Pytree]  # (learned, key, M) -> M samples
    apply: Callable[[Pytree, Any, Known], Float[Array, "m n c"]]  # (samples, x, known)
    num_members: int | None = None  # finite: `draw` returns them all, whatever M
    training: Training | None = None


@dataclass(frozen=True, slots=True)
class LearnerAgent:
    """The two-line contract over a learner; scenarios take the learner itself."""

    config: Any
    build: Callable[[Any, int, int], Learner]  # (config, input_dim, num_classes)

    def learner(self, input_dim: int, num_classes: int) -> Learner:
        """The pure functions."""
        return self.build(self.config, input_dim, num_classes)

    def __call__(self, data: Data, prior: Prior, key: PRNGKeyArray) -> LearnerSampler:
        """Train on `data`; as the scenarios do, given the same key."""
        from augury.engine.learning.fitting import fit

        learner = self.learner(prior.input_dim, prior.num_classes)
        known = make_known(prior.num_train, prior.temperature, self.config)
        rows = jnp.asarray(data.x, jnp.float32), jnp.asarray(data.y, jnp.int32).reshape(-1)
        return LearnerSampler(learner, fit(learner, rows, known, key), known)


@dataclass(frozen=True, slots=True)
class LearnerSampler:
    """Epistemic samples of a trained learner."""

    learner: Learner
    learned: Learned
    known: Known

    def __call__(
        self, x: Float[Array, "data dim"], key: PRNGKeyArray
    ) -> Float[Array, "data classes"]:
        """Logits of one sample, the same for all rows."""
        count = self.learner.num_members
        samples = self.learner.draw(self.learned, key, 1)
        which = jax.random.randint(key, (), 0, count) if count else 0
        return self.learner.apply(samples, x, self.known)[which]

    def members(self, x: Float[Array, "data dim"]) -> Float[Array, "member data classes"] | None:
        """Logits of every equally likely sample, where there are finitely many."""
        if self.learner.num_members is None:
            return None
        samples = self.learner.draw(self.learned, jax.random.key(0), 1)
        return self.learner.apply(samples, x, self.known)


def make_known(num_train: int, temperature: float | None, config: Any) -> Known:
    """Numbers of a problem and a config as arrays."""
    told = UNKNOWN_TEMPERATURE if temperature is None else temperature
    hyper = {name: jnp.float32(value) for name, value in traced(config).items()}
    return Known(jnp.float32(num_train), jnp.float32(told), hyper)


def agent_key(seed: int, problem_id: str) -> PRNGKeyArray:
    """Randomness of one cell's agent: problems are independent, subjects share it."""
    return stream(stream(jax.random.key(seed), "agent"), problem_id)


def epistemic_key(key: PRNGKeyArray) -> PRNGKeyArray:
    """From an agent's key: that of its epistemic samples at evaluation."""
    return stream(key, "epistemic")


def row_count(known: Known) -> Int[Array, ""]:
    """Training rows as an integer."""
    return known.num_train.astype(jnp.int32)
