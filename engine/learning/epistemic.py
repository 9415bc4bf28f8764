"""Agents as a few pure functions, from which the fast path and the two-line contract come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.catalog.agent_configs.sgd import steps_for
from augury.engine.catalog.entry import traced
from augury.engine.randomness import stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray
    from optax import GradientTransformation

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
class Keep:
    """Parameters after step `first` and after every `every` steps from there to the last."""

    first: int
    every: int

    def steps(self, num_steps: int, done: int) -> tuple[int, ...]:
        """When to keep parameters where `num_steps` are planned and `done` are taken.

        Where a cap leaves fewer than planned, everything comes earlier in proportion, and as
        many samples are kept.
        """
        planned = range(self.first, num_steps + 1, self.every)
        return tuple(-(-step * done // num_steps) for step in planned)


@dataclass(frozen=True, slots=True)
class Training:
    """How an agent's parameters are moved: Adam on minibatches, unless it says otherwise."""

    loss: Callable[[Pytree, Pytree, Any, Any, Known, PRNGKeyArray, Any], Float[Array, ""]]
    # (params, offsets of the rows, x, y, known, key, shard); see `members_axis`
    num_steps: int
    batch_size: int
    offset: Callable[[Pytree, Any, Any, Known], Pytree] | None = None
    # (fixed, x, rows, known) -> what depends on a row, by its number too, and on nothing that
    # moves: computed once.
    # Leaves are [rows, ...], or [members, rows, ...] if `members_axis`
    members_axis: bool = False
    # leaves of params have the members first, and the loss is a sum over members: then a few
    # members are trained at a time, so that they stay in cache. `shard` counts those groups,
    # and the loss of one group is its part of the sum
    batch_strategy: bool = False  # steps as `steps_for` says
    networks: int = 1  # that a step sends its rows through, where that is not the members
    many_rows_factor: int = 1  # likewise
    optimiser: Callable[[Known], GradientTransformation] | None = None
    # what replaces Adam at the hyper `learning_rate`; `update` is given a `key` for each step
    keep: Keep | None = None  # the samples are parameters kept on the way, not the last ones

    def steps(self, num_train: int, input_dim: int) -> int:
        """SGD steps on a problem of this size."""
        ratio = num_train / input_dim
        return steps_for(self.num_steps, self.batch_strategy, ratio, self.many_rows_factor)


@dataclass(frozen=True, slots=True)
class Learner:
    """An agent for one input dimension and number of classes.

    Its functions may depend on the int, bool and str fields of the config only; float fields
    come in `Known.hyper`, so that a whole grid of them is one compiled program.
    """

    init: Callable[[PRNGKeyArray, Known], Learned]
    draw: Callable[[Learned, PRNGKeyArray, int], Pytree]  # (learned, key, M) -> M samples
    apply: Callable[[Pytree, Any, Known], Float[Array, "m c n"]]  # (samples, x, known); rows last
    num_members: int | None = None  # finite: `draw` returns them all, whatever M
    training: Training | None = None
    finish: Callable[[Learned, Any, Known], Learned] | None = None
    # (learned, x, known) -> learned, on the host: what follows from all rows after training


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
