"""What one objective, critic and kind of pairs compile to: a training, and a second look at it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from augury.engine.catalog.critic_config import CriticConfig, InterpolatedConfig
from augury.engine.catalog.problems.mi import PairProblem
from augury.engine.compiled import Compiled
from augury.engine.critics.mlp import Linear, apply_mlp, init_mlp
from augury.engine.critics.table import CRITICS
from augury.engine.estimators.bounds import is_mean_of_batches, log_mean_exp_off
from augury.engine.estimators.objectives import OBJECTIVES, Read, bounds_of, told
from augury.engine.problems.pairs import Source
from augury.engine.problems.sources import source_of
from augury.engine.randomness import stream
from augury.engine.training import Step, Trainer, make_trainer

if TYPE_CHECKING:
    from jaxtyping import Array, Float


class Learnt(NamedTuple):
    """What a training adapts."""

    critic: Any
    baseline: tuple[Linear, ...]  # of a row; empty where the objective needs none
    memory: Float[Array, ""]  # log of the partition function of the batch before


@dataclass(frozen=True, slots=True)
class Program:
    """Compile once, use for every rate, schedule and seed."""

    begin: Compiled  # keys [width] -> Learnt
    trainer: Trainer  # told (own, items): own has learning_rate, share, levels, stage_steps
    look: Compiled  # (Learnt of one cell, key, level, items, share) -> values: see `second_look`


@cache
def make_program(
    objective: str, config: CriticConfig, problem: PairProblem, width: int, batches: int
) -> Program:
    """As `program_of_pairs`, of a problem that is blank."""
    return program_of_pairs(objective, config, source_of(problem), width, batches)


def program_of_pairs(
    objective: str, config: CriticConfig, source: Source, width: int, batches: int
) -> Program:
    """Functions that train `width` critics by one objective and read them again.

    Args:
        objective: a key of `OBJECTIVES`. Every bound whose estimator names it is recorded at each
            step, before the update.
        config: with numbers that are traced set apart.
        source: of the pairs.
        width: critics side by side.
        batches: that the second look pools.
    """
    critic = CRITICS[config.critic]
    aim, bounds = OBJECTIVES[objective], bounds_of(objective)

    def begin(key: Any) -> Learnt:
        params = critic.init(key, source.x_dim, source.y_dim, config)
        layers: tuple[Linear, ...] = ()
        if aim.extra in ("baseline", "share"):
            size = source.x_dim if critic.rows == "x" else source.y_dim
            own = stream(key, "baseline")
            layers = init_mlp(own, size, config.width, config.depth, 1, config.init)
        return Learnt(params, layers, jnp.zeros(()))

    def read(params: Learnt, pairs: Any) -> Read:
        found = critic.scores(params.critic, pairs.x, pairs.y)
        if not params.baseline:
            return Read(found, 0.0)
        row = pairs.x if critic.rows == "x" else pairs.y
        return Read(found, apply_mlp(params.baseline, row)[:, 0])

    def batch(key: Any, step: Any, arguments: Any) -> Any:
        own, items = arguments
        stage = jnp.minimum(step // own["stage_steps"], own["levels"].shape[0] - 1)
        fresh = jax.random.fold_in(key, step)
        return source.sample(fresh, own["levels"][stage], config.batch_size, items)

    def loss(params: Learnt, pairs: Any, key: Any, arguments: Any) -> Any:
        share = arguments[0]["share"]
        seen = read(params, pairs)
        given = told(objective, seen, share)
        recorded = {name: bound(*given) for name, bound in bounds.items()}
        if aim.extra != "memory":
            return -aim.value(*given), recorded
        # The slope in the memory is memory - log Z, and its optimiser steps by the whole slope: it
        # becomes log Z of this batch for the next one.
        log_z = jax.lax.stop_gradient(log_mean_exp_off(seen.scores))
        keep = 0.5 * (params.memory - log_z) ** 2
        kept = jax.lax.stop_gradient(params.memory)
        return keep - jax.lax.stop_gradient(keep) - aim.value(seen.scores, kept), recorded

    def optimiser(arguments: Any) -> optax.GradientTransformation:
        adam = optax.adam(arguments[0]["learning_rate"])
        if aim.extra != "memory":
            return adam
        names = Learnt("adam", "adam", "whole")  # type: ignore[arg-type]
        return optax.partition({"adam": adam, "whole": optax.sgd(1.0)}, names)

    def look(params: Learnt, key: Any, level: Any, items: Any, share: Any) -> Any:
        def one(at: Any) -> Read:
            fresh = jax.random.fold_in(key, at)
            return read(params, source.sample(fresh, level, config.batch_size, items))

        seen = jax.lax.map(one, jnp.arange(batches))
        given = told(objective, seen, share)
        return {name: pooled(bound, given) for name, bound in bounds.items()}

    trainer = make_trainer(Step(batch, loss, optimiser), width, axes=(0, None))
    return Program(Compiled(jax.vmap(begin), name="critic"), trainer, Compiled(look))


class Pooled(NamedTuple):
    """A bound of many batches that share one partition function, in nats."""

    value: Float[Array, ""]
    stderr: Float[Array, ""]  # over batches; by the jackknife, where a log is taken of their mean


def pooled(bound: Any, given: tuple[Any, ...]) -> Pooled:
    """The value, and how it varies over batches, or as each batch in turn is left out."""
    total = given[0].shape[0]
    numbers = jnp.arange(total)
    per_batch = [getattr(part, "ndim", 0) > 0 for part in given]

    def of(rows: Any) -> Any:
        kept = zip(given, per_batch, strict=True)
        return bound(*(part[rows] if split else part for part, split in kept))

    if is_mean_of_batches(bound):
        values = jax.lax.map(of, numbers)
        return Pooled(jnp.mean(values), jnp.std(values, ddof=1) / jnp.sqrt(total))
    left = jax.lax.map(of, (numbers[:-1][None] + numbers[:, None] + 1) % total)
    spread = jnp.sqrt((total - 1) / total * jnp.sum((left - jnp.mean(left)) ** 2))
    return Pooled(of(numbers), spread)


def plain(config: CriticConfig) -> tuple[CriticConfig, Mapping[str, float]]:
    """A config with what is traced set apart, and those numbers."""
    traced = {"learning_rate": config.learning_rate, "share": math.nan}
    blank = replace(config, learning_rate=1.0, num_steps=1)
    if isinstance(blank, InterpolatedConfig):
        traced["share"] = blank.share
        blank = replace(blank, share=0.5)
    return blank, traced
