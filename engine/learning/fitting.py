"""Learners made into programs: initialise, tabulate offsets, train."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from augury.engine import training
from augury.engine.compiled import Compiled
from augury.engine.learning.epistemic import Known, Learned, Learner, row_count
from augury.engine.learning.minibatches import minibatch
from augury.engine.learning.side_by_side import give_back, side_by_side
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
    known: Known


class Fitter(NamedTuple):
    """Compiled functions for one learner at one width."""

    learner: Learner
    begin: Compiled  # one cell: (key, x, known) -> (learned, offsets)
    trainer: training.Trainer | None
    shards: int = 1  # groups of members that train one after another
    shared: bool = False  # all cells have the same rows, which are then not copied for each

    @property
    def by_member(self) -> bool:
        """Whether parameters and offsets count members first."""
        return self.learner.training is not None and self.learner.training.members_axis


def make_fitter(learner: Learner, width: int, members: int = 0, shared: bool = False) -> Fitter:
    """Programs that fit `width` cells side by side, `members` of each at a time (0: all).

    With `shared` all cells have the very same rows.
    """
    rules = learner.training

    def begin(key: PRNGKeyArray, x: Any, known: Known) -> tuple[Learned, Pytree]:
        learned = learner.init(stream(key, "init"), known)
        offset = rules.offset if rules else None
        if rules is None or offset is None:
            return learned, ()
        axis = 1 if rules.members_axis else 0
        return learned, table(lambda x, rows: offset(learned.fixed, x, rows, known), x, known, axis)

    if rules is None:
        return Fitter(learner, Compiled(begin), None)
    sharded = rules.members_axis and learner.num_members is not None
    shards = _shards(learner.num_members or 1, members) if sharded else 1
    axis = 1 if rules.members_axis else 0

    def batch(key: PRNGKeyArray, step: Any, told: Any) -> Any:
        arguments, (_, offsets) = told
        rows = minibatch(key, step, rules.batch_size, row_count(arguments.known))
        take = lambda leaf, axis: jnp.take(leaf, rows, axis=axis, mode="clip")  # noqa: E731
        mine = jax.tree.map(lambda leaf: take(leaf, axis), offsets)
        return take(arguments.x, 0), take(arguments.y, 0), mine

    def loss(params: Pytree, batch: Any, key: PRNGKeyArray, told: Any) -> Any:
        x, y, offsets = batch
        arguments, (shard, _) = told
        return rules.loss(params, offsets, x, y, arguments.known, key, shard), ()

    def optimiser(told: Any) -> optax.GradientTransformation:
        if rules.optimiser is not None:
            return rules.optimiser(told[0].known)
        return optax.adam(told[0].known.hyper["learning_rate"])

    axes = (Arguments(None, None, 0), 0) if shared else 0  # type: ignore[arg-type]
    trainer = training.make_trainer(training.Step(batch, loss, optimiser), width, shards, axes)
    return Fitter(learner, Compiled(begin), trainer, shards, shared)


def _shards(num_members: int, most: int) -> int:
    if not most:
        return 1
    sizes = [n for n in range(1, num_members + 1) if num_members % n == 0 and n <= most]
    size = sizes[-1]
    return num_members // size if 2 * size > most else 1  # an awkward number trains in one piece


def table(function: Callable[[Any, Any], Pytree], x: Any, known: Known, axis: int) -> Pytree:
    """`function` of the first `num_train` rows and their numbers, in blocks; padding stays zero.

    `axis` is where the function's leaves count rows.
    """
    capacity = x.shape[0]
    size = min(TABLE_ROWS, capacity)
    shapes = jax.eval_shape(function, x[:size], jnp.arange(size))

    def empty(leaf: Any) -> Any:
        return jnp.zeros((*leaf.shape[:axis], capacity, *leaf.shape[axis + 1 :]), leaf.dtype)

    def fill(i: Any, filled: Pytree) -> Pytree:
        start = jnp.minimum(i * size, capacity - size)
        rows = start + jnp.arange(size)
        values = function(jax.lax.dynamic_slice_in_dim(x, start, size), rows)
        return jax.tree.map(
            lambda whole, part: jax.lax.dynamic_update_slice_in_dim(whole, part, start, axis),
            filled,
            values,
        )

    blocks = (row_count(known) + size - 1) // size
    return jax.lax.fori_loop(0, blocks, fill, jax.tree.map(empty, shapes))


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
    if fitter.trainer is None:
        learned = [fitter.begin(key, x, known)[0] for key, x, _, known in cells]
        return learned, np.zeros((len(cells), 0), np.float32)
    learned, params, keys, arguments = stacked(fitter, cells)
    rules = fitter.learner.training
    keep = rules.keep.steps(rules.num_steps, num_steps) if rules and rules.keep else ()
    trained = training.train(
        fitter.trainer, params, keys, arguments, num_steps, on_chunk, checkpoint, keep
    )
    done_with(fitter, arguments)

    def last(i: int) -> Pytree:
        return jax.tree.map(
            lambda leaf, old: leaf[:, i].reshape(old.shape), trained.params, learned[i].params
        )

    def kept(i: int) -> Pytree:
        return jax.tree.map(
            lambda leaf, old: jnp.asarray(leaf[0, :, i].reshape(-1, *old.shape[1:])),
            trained.kept,
            learned[i].params,
        )

    of = kept if keep else last
    done = [Learned(of(i), state.fixed) for i, state in enumerate(learned)]
    if finish := fitter.learner.finish:
        done = [finish(state, cells[i][1], cells[i][3]) for i, state in enumerate(done)]
    return done, trained.losses[: len(cells)]


def stacked(
    fitter: Fitter, cells: Sequence[tuple[PRNGKeyArray, Any, Any, Known]]
) -> tuple[list[Learned], Pytree, PRNGKeyArray, Pytree]:
    """What the trainer is told: (initial state of each cell, params, keys, arguments).

    `done_with` takes the arguments when they are not needed any more.
    """
    assert fitter.trainer is not None
    begun = [fitter.begin(key, x, known) for key, x, _, known in cells]
    learned = [state for state, _ in begun]
    padded = [*range(len(cells)), *[len(cells) - 1] * (fitter.trainer.width - len(cells))]
    parts = fitter.shards

    def split(tree: Pytree) -> Pytree:
        if not fitter.by_member:
            return jax.tree.map(lambda leaf: leaf[None], tree)
        return jax.tree.map(lambda leaf: leaf.reshape(parts, -1, *leaf.shape[1:]), tree)

    def stack(trees: list[Pytree], axis: int) -> Pytree:
        return jax.tree.map(lambda *leaves: jnp.stack(leaves, axis), *trees)

    if fitter.shared:
        rows = cells[0][1], cells[0][2]
    else:
        rows = side_by_side([(x, y, row_count(known)) for _, x, y, known in cells], len(padded))
    shared = Arguments(*rows, stack([cells[i][3] for i in padded], 0))
    own = (
        jnp.repeat(jnp.arange(parts)[:, None], len(padded), 1),
        stack([split(begun[i][1]) for i in padded], 1),
    )
    keys = jnp.stack([stream(cells[i][0], "train") for i in padded])
    params = stack([split(learned[i].params) for i in padded], 1)
    return learned, params, keys, (shared, own)


def done_with(fitter: Fitter, arguments: Pytree) -> None:
    """Copies of rows that `stacked` made may be written over."""
    if not fitter.shared:
        give_back((arguments[0].x, arguments[0].y))


def fit(learner: Learner, rows: tuple[Any, Any], known: Known, key: PRNGKeyArray) -> Learned:
    """Fit one learner to (x, y)."""
    rules = learner.training
    steps = rules.steps(int(known.num_train), rows[0].shape[1]) if rules else 0
    return fit_cells(make_fitter(learner, 1), [(key, *rows, known)], steps)[0][0]
