"""Pairs of the closed-form problems: laws with a known density ratio under one-to-one maps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import jax.numpy as jnp
import numpy as np
from scipy.special import digamma, gammaln

from augury.engine.catalog.problems.mi_closed import ClosedFormProblem, Recipe
from augury.engine.problems.maps import MAPS
from augury.engine.problems.pairs import Pairs, Source
from augury.engine.randomness import fractions, normal, stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray


def information(recipe: Recipe) -> float:
    """Mutual information in nats, to double precision."""
    dim, number = recipe.dim, recipe.number
    if recipe.law == "additive":
        return number - math.log(2 * number) if number <= 0.5 else 1 / (4 * number)
    if recipe.law == "student":
        return _student_information(number, dim)
    both = _covariance(recipe)
    one, other = both[:dim, :dim], both[dim:, dim:]
    return 0.5 * (_log_det(one) + _log_det(other) - _log_det(both))


def source(problem: ClosedFormProblem) -> Source:
    """The law of a recipe and its maps; nothing is traced."""
    recipe = problem.recipe
    maps = [MAPS[name] for name in recipe.maps]
    dims = [recipe.dim + sum(m.added[side] for m in maps) for side in (0, 1)]
    draw = {"additive": _additive, "student": _student}.get(recipe.law, _normal)
    ratio = {"additive": _additive_ratio, "student": _student_ratio}.get(recipe.law, _normal_ratio)

    def sample(key: PRNGKeyArray, level: Array, num_pairs: int, items: object) -> Pairs:
        x, y = draw(key, num_pairs, recipe)
        if problem.shuffled:
            y = draw(stream(key, "shuffled"), num_pairs, recipe)[1]
        hidden = (x, y)
        for way in maps:
            x, y = way.x(x), way.y(y)
        return Pairs(x, y, hidden)

    def log_ratio(x: Array, y: Array, level: Array) -> Float[Array, "pairs pairs"]:
        if problem.shuffled:
            return jnp.zeros((len(x), len(y)))
        return ratio(x, y, recipe)

    return Source(dims[0], dims[1], sample, log_ratio)


def _covariance(recipe: Recipe) -> Float[np.ndarray, "both both"]:
    """Of (x, y): dense, or between the first two coordinates of x and of y."""
    dim, number = recipe.dim, recipe.number
    if recipe.law == "dense":
        return np.full((2 * dim, 2 * dim), number) + (1 - number) * np.eye(2 * dim)
    both = np.eye(2 * dim)
    for k in range(min(2, dim) if recipe.law == "sparse" else dim):
        both[k, dim + k] = both[dim + k, k] = number
    return both


def _log_det(matrix: Float[np.ndarray, "n n"]) -> float:
    return float(np.linalg.slogdet(matrix)[1])


def _student_information(freedom: float, dim: int) -> float:
    """Of a Student-t pair whose scale is the identity (Arellano-Valle et al. 2013)."""
    half, one, both = freedom / 2, (freedom + dim) / 2, (freedom + 2 * dim) / 2
    logs = gammaln(half) + gammaln(both) - 2 * gammaln(one)
    tails = 2 * one * digamma(one) - both * digamma(both) - half * digamma(half)
    return float(logs + tails)


def _normal(key: PRNGKeyArray, num_pairs: int, recipe: Recipe) -> tuple[Array, Array]:
    root = np.linalg.cholesky(_covariance(recipe)).astype(np.float32)
    both = normal(key, (num_pairs, 2 * recipe.dim)) @ jnp.asarray(root.T)
    return both[:, : recipe.dim], both[:, recipe.dim :]


def _student(key: PRNGKeyArray, num_pairs: int, recipe: Recipe) -> tuple[Array, Array]:
    freedom = int(recipe.number)
    both = normal(stream(key, "normal"), (num_pairs, 2 * recipe.dim))
    squares = jnp.sum(normal(stream(key, "scale"), (num_pairs, freedom)) ** 2, axis=1)
    both = both * jnp.sqrt(freedom / squares)[:, None]
    return both[:, : recipe.dim], both[:, recipe.dim :]


def _additive(key: PRNGKeyArray, num_pairs: int, recipe: Recipe) -> tuple[Array, Array]:
    x, noise = fractions(key, 2 * num_pairs).reshape(2, num_pairs, 1)
    return x, x + recipe.number * (2 * noise - 1)


def _normal_ratio(x: Array, y: Array, recipe: Recipe) -> Float[Array, "pairs pairs"]:
    dim, both = recipe.dim, _covariance(recipe)
    apart = np.block([[both[:dim, :dim], np.zeros((dim, dim))],
                      [np.zeros((dim, dim)), both[dim:, dim:]]])  # fmt: skip
    form = jnp.asarray((np.linalg.inv(apart) - np.linalg.inv(both)) / 2, jnp.float32)
    own = jnp.einsum("id,de,ie->i", x, form[:dim, :dim], x)
    other = jnp.einsum("jd,de,je->j", y, form[dim:, dim:], y)
    cross = 2 * x @ form[:dim, dim:] @ y.T
    return own[:, None] + other[None] + cross + jnp.float32(information(recipe))


def _student_ratio(x: Array, y: Array, recipe: Recipe) -> Float[Array, "pairs pairs"]:
    freedom, dim = recipe.number, recipe.dim
    sizes = jnp.sum(x**2, axis=1)[:, None] / freedom, jnp.sum(y**2, axis=1)[None] / freedom
    half, one, both = freedom / 2, (freedom + dim) / 2, (freedom + 2 * dim) / 2
    scale = float(gammaln(both) + gammaln(half) - 2 * gammaln(one))
    apart = one * (jnp.log1p(sizes[0]) + jnp.log1p(sizes[1]))
    return scale + apart - both * jnp.log1p(sizes[0] + sizes[1])


def _additive_ratio(x: Array, y: Array, recipe: Recipe) -> Float[Array, "pairs pairs"]:
    width = recipe.number
    covered = jnp.minimum(y + width, 1.0) - jnp.maximum(y - width, 0.0)  # of [0, 1], by y +- width
    inside = jnp.abs(x - y.T) <= width
    return jnp.where(inside, -jnp.log(covered.T), -jnp.inf)
