"""Learners made into programs: initialise, tabulate offsets, train."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from augury.engine import training
from augury.engine.compiled import Compiled
from augury.engine.learning.epistemic import Known, Learned, Learner, row_count
from augury.engine.learning.minibatches import minibatch
from augury.engine.randomness import stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

    from augury.engine.learning.checkpoints import Checkpoint

Pytree = Any
TABLE_ROWS = 256  # rows of an offset table filled at a time


class Arguments(NamedTuple):
    """What every step of one cell's training is told."""

    x: Float[Array, "rows dim"]
    y: Any
    offsets: Pytree
    known: Known


class Fitter(NamedTuple):
    """Compiled functions for one learner at one width."""

    learner: Learner
    begin: Compiled  # one cell: (key, x, known) -> (learned, offsets)
    trainer: training.Trainer | None


def make_fitter(learner: Learner, width: int) -> Fitter:
    """Programs that fit `width` cells side by side."""
    rules = learner.training

    def begin(key: PRNGKeyArray, x: Any, known: Known) -> tuple[Learned, Pytree]:
        learned = learner.init(stream(key, "init"), known)
        offset = rules.offset if rules else None
        if offset is None:
            return learned, ()
        return learned, table(lambda rows: offset(learned.fixed, rows, known), x, known)

    if rules is None:
        return Fitter(learner, Compiled(begin), None)

    def batch(key: PRNGKeyArray, step: Any, told: Arguments) -> Any:
        rows = minibatch(key, step, rules.batch_size, row_count(told.known))
        take = lambda leaf: jnp.take(leaf, rows, axis=0, mode="clip")  # noqa: E731
        return take(told.x), take(told.y), jax.tree.map(take, told.offsets)

    def loss(params: Pytree, batch: Any, key: PRNGKeyArray, told: Arguments) -> Any:
        x, y, offsets = batch
        return rules.loss(params, offsets, x, y, told.known, key), ()

    def adam(told: Arguments) -> optax.GradientTransformation:
        return optax.adam(told.known.hyper["learning_rate"])

    trainer = training.make_trainer(training.Step(batch, loss, adam), width)
    return Fitter(learner, Compiled(begin), trainer)


def table(function: Callable[[Any], Pytree], x: Any, known: Known) -> Pytree:
    """`function` of the first `num_train` rows, in blocks; the padding stays zero."""
    capacity = x.shape[0]
    size = min(TABLE_ROWS, capacity)
    shapes = jax.eval_shape(function, x[:size])
    empty = jax.tree.map(lambda s: jnp.zeros((capacity, *s.shape[1:]), s.dtype), shapes)

    def fill(i: Any, filled: Pytree) -> Pytree:
        start = jnp.minimum(i * size, capacity - size)
        values = function(jax.lax.dynamic_slice_in_dim(x, start, size))
        return jax.tree.map(
            lambda whole, part: jax.lax.dynamic_update_slice_in_dim(whole, part, start, 0),
            filled,
            values,
        )

    return jax.lax.fori_loop(0, (row_count(known) + size - 1) // size, fill, empty)


def fit_cells(
    fitter: Fitter,
    cells: list[tuple[PRNGKeyArray, Any, Any, Known]],  # (key, x, y, known)
    num_steps: int,
    on_chunk: Callable[[int, np.ndarray], None] | None = None,
    checkpoint: Checkpoint | None = None,
) -> tuple[list[Learned], np.ndarray]:
    """Fit at most as many cells as the fitter is wide; missing ones repeat the last.

    Returns the learned state of each cell and the losses [cells, steps].
    """
    begun = [fitter.begin(key, x, known) for key, x, _, known in cells]
    learned = [state for state, _ in begun]
    if fitter.trainer is None:
        return learned, np.zeros((len(cells), 0), np.float32)
    padded = [*range(len(cells)), *[len(cells) - 1] * (fitter.trainer.width - len(cells))]
    stack = lambda parts: jax.tree.map(lambda *leaves: jnp.stack(leaves), *parts)  # noqa: E731
    arguments = stack(
        [Arguments(cells[i][1], cells[i][2], begun[i][1], cells[i][3]) for i in padded]
    )
    keys = jnp.stack([stream(cells[i][0], "train") for i in padded])
    params = stack([learned[i].params for i in padded])
    trained = training.train(
        fitter.trainer, params, keys, arguments, num_steps, on_chunk, checkpoint
    )
    done = [
        Learned(jax.tree.map(lambda leaf, i=i: leaf[i], trained.params), learned[i].fixed)
        for i in range(len(cells))
    ]
    return done, trained.losses[: len(cells)]


def fit(learner: Learner, rows: tuple[Any, Any], known: Known, key: PRNGKeyArray) -> Learned:
    """Fit one learner to (x, y)."""
    steps = learner.training.num_steps if learner.training else 0
    return fit_cells(make_fitter(learner, 1), [(key, *rows, known)], steps)[0][0]
