"""Estimators that train a critic, on a person's rows: each row is scored by one that lacked it.

The rows are cut in folds. For each, critics learn from most of the others, the rest of which tells
after how many steps to stop; what a bound reads on the fold itself is reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.critic_config import CriticConfig
from augury.engine.catalog.entry import load
from augury.engine.catalog.estimators import ESTIMATORS
from augury.engine.compiled import Compiled
from augury.engine.critics.program import Learnt, pooled, program_of_pairs
from augury.engine.critics.table import CRITICS
from augury.engine.estimators.objectives import OBJECTIVES, Read, told
from augury.engine.pairs.draws import draws
from augury.engine.pairs.estimate import Estimate
from augury.engine.problems.pairs import Pairs, Source
from augury.engine.randomness import stream
from augury.engine.training import train

if TYPE_CHECKING:
    from jaxtyping import Float, Int

FOLDS = 5
BATCH = 128  # pairs; of few rows, half of those that choose when to stop
WATCHED = 8  # times during a training when its critic is looked at
CHOOSE = 0.2  # of the rows behind a fold: they choose among the looks
MOST_BLOCKS = 32  # batches of a fold that are scored
CONFIG = CriticConfig(critic="separable", width=64, depth=1, learning_rate=2e-3)


class Rows(NamedTuple):
    """Standardised rows of both sides, in pairs."""

    x: Float[np.ndarray, "capacity x_dim"]
    y: Float[np.ndarray, "capacity y_dim"]
    number: int  # of rows; what is beyond fills an array up


class Parts(NamedTuple):
    """Places of rows, disjoint."""

    learn: Int[np.ndarray, " some"]
    choose: Int[np.ndarray, " some"]
    score: Int[np.ndarray, " some"]


def batch_size(rows: int) -> int:
    """Pairs in a batch of this many rows: at least two batches choose, and two are scored."""
    return max(4, min(BATCH, int(rows * (1 - 1 / FOLDS) * CHOOSE) // 2))


def parts_of(rows: int, fold: int, seed: int) -> Parts:
    """The rows of a fold, and what the others do for it."""
    order = draws("folds", seed).permutation(rows)
    mine = np.arange(rows) % FOLDS == fold
    others = order[~mine]
    choosing = int(len(others) * CHOOSE)
    return Parts(others[choosing:], others[:choosing], order[mine])


def estimates(
    names: Sequence[str],
    rows: Rows,
    size: int,
    seed: int,
    num_steps: int,
    folds: Sequence[int] = range(FOLDS),
    tell: Callable[[], object] = lambda: None,
) -> dict[str, Estimate]:
    """The bound of each estimator, in nats, on rows that its critics have not seen.

    Args:
        names: of estimators; those of one objective read the same critics.
        rows: as `Side.matrix` gives them.
        size: pairs in a batch, as `batch_size` of these rows or of fewer.
        seed: of the folds, the order of rows and the first weights.
        num_steps: of each training, of which the best of `WATCHED` looks counts.
        folds: that are scored: all, or some to save time.
        tell: called after each training.
    """
    found: dict[str, Estimate] = {}
    data = (jnp.asarray(rows.x, jnp.float32), jnp.asarray(rows.y, jnp.float32))
    for objective in dict.fromkeys(ESTIMATORS[name].group for name in names):
        reading = [name for name in names if ESTIMATORS[name].group == objective]
        seen: dict[str, list[tuple[float, float]]] = {name: [] for name in reading}
        scored = 0
        for fold in folds:
            parts = parts_of(rows.number, fold, seed)
            blocks = _blocks(parts.score, size)
            scored += blocks.size
            kept = list(_trained(objective, data, parts, size, num_steps, seed + fold))
            look = _look(objective, tuple(reading))
            chosen = _best(look, kept, data, _blocks(parts.choose, size))
            for name, value in look(chosen, *data, blocks)[0].items():
                seen[name].append((float(value.value), float(value.stderr)))
            tell()
        found |= {name: _joined(values, scored, size) for name, values in seen.items()}
    return found


def _trained(
    objective: str, data: Any, parts: Parts, size: int, num_steps: int, seed: int
) -> Iterator[Learnt]:
    """The critic at each of `WATCHED` looks."""
    draw = draws("order", seed)
    per_pass = len(parts.learn) // size
    passes = -(-num_steps // per_pass)
    # Whole passes over the rows: none is in a batch twice, and none is seen more often than others.
    order = np.concatenate([
        draw.permutation(parts.learn)[: per_pass * size].reshape(per_pass, size)
        for _ in range(passes)
    ])[:num_steps]  # fmt: skip
    program = _program(objective, size, data[0].shape[1], data[1].shape[1])
    own = {
        "levels": jnp.asarray(order, jnp.int32)[None],
        "stage_steps": jnp.ones(1, jnp.int32),
        "learning_rate": jnp.full(1, CONFIG.learning_rate, jnp.float32),
        "share": jnp.full(1, math.nan, jnp.float32),
    }
    key = jax.random.key(seed)
    ends = [num_steps * (look + 1) // WATCHED for look in range(WATCHED)]
    begun = program.begin(stream(key, "critic")[None])
    kept = train(program.trainer, begun, stream(key, "pairs")[None], (own, data), num_steps,
                 keep=ends).kept  # fmt: skip
    for look in range(WATCHED):
        yield jax.tree.map(lambda leaf, at=look: jnp.asarray(leaf[0, at]), kept)


def _best(look: Callable[..., Any], kept: Sequence[Learnt], data: Any, blocks: Any) -> Learnt:
    """By what its objective is worth on rows that choose."""
    worth = [float(look(learnt, *data, blocks)[1]) for learnt in kept]
    return kept[int(np.argmax(np.nan_to_num(worth, nan=-np.inf)))]


def _blocks(places: Int[np.ndarray, " some"], size: int) -> Any:
    """Batches of distinct rows [blocks, pairs]."""
    number = min(MOST_BLOCKS, len(places) // size)
    return jnp.asarray(places[: number * size].reshape(number, size), jnp.int32)


_PROGRAMS: dict[tuple[Any, ...], Any] = {}


def _program(objective: str, size: int, x_dim: int, y_dim: int) -> Any:
    key = objective, size, x_dim, y_dim
    if key not in _PROGRAMS:
        config = CriticConfig(
            critic=CONFIG.critic, width=CONFIG.width, depth=CONFIG.depth, num_steps=1,
            batch_size=size, learning_rate=1.0,
        )  # fmt: skip
        source = Source(x_dim, y_dim, _pairs, _no_ratio)
        _PROGRAMS[key] = program_of_pairs(objective, config, source, 1, 2)
    return _PROGRAMS[key]


def _pairs(key: Any, level: Any, num_pairs: int, items: Any) -> Pairs:
    """The rows that a step's level names."""
    x, y = items
    return Pairs(x[level], y[level], ((), ()))


def _no_ratio(*_: Any) -> Any:
    raise TypeError("nobody knows the density ratio of a person's rows")


_LOOKS: dict[tuple[str, tuple[str, ...]], Any] = {}


def _look(objective: str, names: tuple[str, ...]) -> Any:
    """(Learnt, x, y, blocks) -> what each estimator reads, and the objective's worth."""
    if (objective, names) not in _LOOKS:
        critic, aim = CRITICS[CONFIG.critic], OBJECTIVES[objective]
        bounds: Mapping[str, Any] = {name: load(ESTIMATORS[name].target) for name in names}

        def look(params: Learnt, x: Any, y: Any, blocks: Any) -> Any:
            scores = jax.lax.map(lambda at: critic.scores(params.critic, x[at], y[at]), blocks)
            given = told(objective, Read(scores), math.nan)
            read = {name: pooled(bound, given) for name, bound in bounds.items()}
            return read, aim.value(*given)

        _LOOKS[objective, names] = Compiled(look)
    return _LOOKS[objective, names]


def _joined(values: Sequence[tuple[float, float]], rows: int, size: int) -> Estimate:
    """The mean over folds; its error that of the batches, or of the folds where that is larger."""
    worth = np.array(values)
    if not np.isfinite(worth).all():
        return Estimate(None, rows=rows, pairs=size, reason="diverged: not finite on other rows")
    inner = math.sqrt(float(np.sum(worth[:, 1] ** 2))) / len(worth)
    outer = float(np.std(worth[:, 0], ddof=1)) / math.sqrt(len(worth)) if len(worth) > 1 else 0.0
    return Estimate(float(worth[:, 0].mean()), max(inner, outer), rows, pairs=size)
