"""The only SGD loop: compiled chunks of steps, batched over cells, resumable between chunks."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from augury.engine.compiled import Compiled

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray

    from augury.engine.learning.checkpoints import Checkpoint

Pytree = Any
CHUNK = 500  # most steps between two looks at the clock, and the length of the record's buffer
CHUNK_SECONDS = 0.25
CHECKPOINT_SECONDS = 60.0
CURVE_POINTS = 200


class Step(NamedTuple):
    """What one step of SGD consists of. All are pure functions of one cell."""

    batch: Callable[[PRNGKeyArray, Int[Array, ""], Pytree], Pytree]  # (key, step, arguments)
    loss: Callable[[Pytree, Pytree, PRNGKeyArray, Pytree], tuple[Float[Array, ""], Pytree]]
    # (params, batch, key, arguments) -> (value, what to record of this step: scalars or ())
    optimiser: Callable[[Pytree], optax.GradientTransformation]
    # (arguments): rates are traced; `update` is given the step's `key`, for what adds noise


class State(NamedTuple):
    """The carry of the loop; every leaf has the cells' axis first."""

    params: Pytree
    moments: Pytree


@dataclass(frozen=True, slots=True)
class Trainer:
    """A training for cells of one kind: build it once, call `train` with it many times."""

    width: int
    start: Compiled  # (params, arguments) -> state
    advance: Compiled  # (state, keys, arguments, first step, steps) -> (state, record)


class Trained(NamedTuple):
    """Parameters after the last step, and the record of each step."""

    params: Pytree
    losses: np.ndarray  # [cells, steps]
    record: Pytree  # what the loss recorded, [cells, steps, ...]
    kept: Pytree  # parameters after the steps that were to be kept: axis 1 counts those


def make_trainer(step: Step, width: int, shards: int = 0, axes: Pytree = 0) -> Trainer:
    """Compile-once functions that train `width` cells side by side.

    Everything handed to them (params, keys, arguments) has an axis of `width` cells first;
    `step`'s functions see one cell. Numbers of steps are traced, so no schedule recompiles.
    `axes`, a prefix of the arguments' tree, is None where all cells share a part of them.

    With `shards`, params are parts of one model whose losses add up and share no parameter: an
    axis of `shards` comes before that of the cells. The parts are trained one after another within
    each chunk, so that what one of them needs stays in cache. `step`'s functions then get
    (arguments, own) as their arguments, `own` having the axis of shards too.
    """

    def start(params: Pytree, arguments: Pytree) -> State:
        begin = jax.vmap(lambda p, told: State(p, step.optimiser(told).init(p)), in_axes=(0, axes))
        if not shards:
            return begin(params, arguments)
        return jax.vmap(lambda p, own: begin(p, (arguments[0], own)))(params, arguments[1])

    def one(state: State, key: tuple[Any, Any], arguments: Pytree, at: Int[Array, ""]) -> Any:
        batch = step.batch(key[0], at, arguments)
        noise = jax.random.fold_in(key[1], at)
        gradient = jax.value_and_grad(step.loss, has_aux=True)
        (value, recorded), slope = gradient(state.params, batch, noise, arguments)
        move = optax.with_extra_args_support(step.optimiser(arguments)).update
        own = jax.random.fold_in(noise, 1)
        updates, moments = move(slope, state.moments, state.params, key=own)
        return State(optax.apply_updates(state.params, updates), moments), (value, recorded)

    cells = jax.vmap(one, in_axes=(0, 0, axes, None))

    def chunk(state: State, keys: Any, arguments: Pytree, first: Any, steps: Any) -> Any:
        keys = tuple(jax.vmap(lambda k, n=n: jax.random.fold_in(k, n))(keys) for n in (0, 1))
        shapes = jax.eval_shape(cells, state, keys, arguments, first)[1]
        record = jax.tree.map(lambda s: jnp.zeros((CHUNK, *s.shape), s.dtype), shapes)

        def body(i: Int[Array, ""], carry: Any) -> Any:
            state, record = carry
            state, row = cells(state, keys, arguments, first + i)
            return state, jax.tree.map(lambda kept, new: kept.at[i].set(new), record, row)

        return jax.lax.fori_loop(0, steps, body, (state, record))

    def advance(state: State, keys: Any, arguments: Pytree, first: Any, steps: Any) -> Any:
        if not shards:
            return chunk(state, keys, arguments, first, steps)
        shared, own = arguments
        state, record = jax.lax.map(
            lambda part: chunk(part[0], keys, (shared, part[1]), first, steps), (state, own)
        )
        return state, jax.tree.map(lambda leaf: leaf.sum(0), record)

    return Trainer(width, Compiled(start), Compiled(advance, donate=(0,)))


def train(
    trainer: Trainer,
    params: Pytree,
    keys: PRNGKeyArray,
    arguments: Pytree,
    num_steps: int,
    on_chunk: Callable[[int, np.ndarray], None] | None = None,
    checkpoint: Checkpoint | None = None,
    keep: Sequence[int] = (),
) -> Trained:
    """Run `num_steps` steps of every cell.

    Args:
        trainer: of `make_trainer`.
        params: initial parameters, cells first.
        keys: one key for each cell; the same keys give the same training, however it is chunked.
        arguments: what `Step`'s functions are told (data, rates, ...), cells first.
        num_steps: steps of all cells.
        on_chunk: called between chunks with (steps done, losses [cells, steps of the chunk]);
            it may raise to stop.
        checkpoint: where the carry is kept every minute and taken up again, if it is there.
        keep: numbers of steps, ascending, after which parameters are kept; a repeated number
            keeps them as often. Chunks end there, so that keeping costs the steps nothing.
    """
    state = trainer.start(params, arguments)
    done, records, kept = 0, [], [_none(state.params)]
    if checkpoint:
        found = checkpoint.load((state, _empty(trainer, state, keys, arguments), kept[0]))
        if found:
            done, (state, past, before) = found
            records.append(past)
            kept.append(before)
    length, last_save = 20, time.monotonic()
    while done < num_steps:
        upcoming = keep[bisect_right(keep, done) :]
        steps = min(length, CHUNK, (upcoming[0] if upcoming else num_steps) - done)
        started = time.monotonic()
        state, record = trainer.advance(state, keys, arguments, jnp.int32(done), jnp.int32(steps))
        record = jax.tree.map(lambda leaf, n=steps: np.moveaxis(np.asarray(leaf)[:n], 0, 1), record)
        done += steps
        records.append(record)
        copies = bisect_right(keep, done) - bisect_right(keep, done - 1)
        kept += [jax.tree.map(_row, state.params)] * copies
        if on_chunk:
            on_chunk(done, record[0])
        now = time.monotonic()
        length = int(np.clip(steps * CHUNK_SECONDS / max(now - started, 1e-4), 1, 2 * steps))
        if checkpoint and now - last_save > CHECKPOINT_SECONDS and done < num_steps:
            checkpoint.save(done, (state, _joined(records), _joined(kept)))
            last_save = now
    losses, record = _joined(records) if records else _empty(trainer, state, keys, arguments)
    return Trained(state.params, losses, record, _joined(kept))


def curve(losses: np.ndarray, points: int = CURVE_POINTS) -> list[tuple[int, float]]:
    """(last step, mean) of at most `points` equal stretches of one cell's losses; no NaN."""
    stretches = np.array_split(np.asarray(losses, np.float64), min(points, max(len(losses), 1)))
    ends = np.cumsum([len(stretch) for stretch in stretches])
    means = [float(stretch.mean()) if len(stretch) else np.nan for stretch in stretches]
    return [(int(end), mean) for end, mean in zip(ends, means, strict=True) if np.isfinite(mean)]


def diverged(losses: np.ndarray) -> str:
    """At which step one cell's losses ceased to be finite, in words; empty where none did."""
    bad = np.flatnonzero(~np.isfinite(losses))
    return f"training diverged at step {int(bad[0]) + 1}" if bad.size else ""


def _joined(records: list[Pytree]) -> Pytree:
    return jax.tree.map(lambda *parts: np.concatenate(parts, axis=1), *records)


def _row(leaf: Any) -> np.ndarray:
    return np.array(leaf)[:, None]  # a copy: the steps that follow reuse the memory


def _none(params: Pytree) -> Pytree:
    return jax.tree.map(lambda leaf: np.zeros_like(_row(leaf)[:, :0]), params)


def _empty(trainer: Trainer, state: State, keys: PRNGKeyArray, arguments: Pytree) -> Pytree:
    steps = jnp.int32(0)
    shapes = jax.eval_shape(trainer.advance.function, state, keys, arguments, steps, steps)[1]
    return jax.tree.map(lambda s: np.zeros((s.shape[1], 0, *s.shape[2:]), s.dtype), shapes)
