"""Labels through a symmetric channel: what x and y share is known for every rate of errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

from augury.engine.catalog.problems.mi import ChannelProblem
from augury.engine.errors import UsageError
from augury.engine.problems.pairs import Pairs, Source
from augury.engine.randomness import fractions

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray

_HALVINGS = 200  # more than a double can tell apart


def information(crossover: float, num_classes: int = 2) -> float:
    """Bits that one uniform label of `num_classes` and its received copy share.

    log2 M - H(e) - e log2(M - 1), H the binary entropy; Theorem 4.4 of Lee and Rhee 2024 at M = 2.
    """
    lost = crossover * math.log2(num_classes - 1) if num_classes > 2 else 0.0
    return math.log2(num_classes) - _entropy(crossover) - lost


def crossover(bits: float, num_sources: int, num_classes: int = 2) -> float:
    """The rate of errors at which `num_sources` labels share `bits` bits, by bisection.

    Raises:
        UsageError: more bits than the labels have.
    """
    most = num_sources * math.log2(num_classes)
    if bits > most * (1 + 1e-12):
        raise UsageError(
            f"{num_sources} sources of {num_classes} classes share at most {most:g} bits, "
            f"not {bits:g}."
        )
    low, high = 0.0, 1.0 - 1.0 / num_classes
    if bits >= most:
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if num_sources * information(middle, num_classes) > bits:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def labels(
    key: PRNGKeyArray, rate: Float[Array, ""], shape: tuple[int, int], num_classes: int = 2
) -> tuple[Int[Array, "pairs sources"], Int[Array, "pairs sources"]]:
    """Sent and received labels: uniform, and moved to another class at the given rate."""
    draws = fractions(key, 3 * shape[0] * shape[1]).reshape(3, *shape)
    sent = (draws[0] * num_classes).astype(jnp.int32)
    moved = 1 + (draws[1] * (num_classes - 1)).astype(jnp.int32)
    received = jnp.where(draws[2] < rate, (sent + moved) % num_classes, sent)
    return sent, received


def log_ratio(
    sent: Int[Array, "pairs sources"],
    received: Int[Array, "pairs sources"],
    rate: Float[Array, ""],
    num_classes: int = 2,
) -> Float[Array, "pairs pairs"]:
    """Log of p(c_i, c'_j) / (p(c_i) p(c'_j)) from the number of labels that differ.

    Without errors a pair that differs has ratio 0: minus infinity.
    """
    apart = jnp.sum(sent[:, None] != received[None], axis=-1)
    same = jnp.log(num_classes * (1.0 - rate))
    differ = jnp.log(num_classes / max(num_classes - 1, 1) * rate)
    wrong = jnp.where(apart > 0, apart * differ, 0.0)  # 0 times minus infinity
    return (sent.shape[1] - apart) * same + wrong


def source(problem: ChannelProblem) -> Source:
    """One number of -1 and 1 for each label of two classes, else one-hot codes."""
    size, classes = problem.num_sources, problem.num_classes
    dim = size if classes == 2 else size * classes

    def code(found: Int[Array, "pairs sources"]) -> Float[Array, "pairs dim"]:
        if classes == 2:
            return 2.0 * found - 1.0
        return jax.nn.one_hot(found, classes).reshape(len(found), dim)

    def sample(key: PRNGKeyArray, rate: Float[Array, ""], num_pairs: int, items: object) -> Pairs:
        sent, received = labels(key, rate, (num_pairs, size), classes)
        return Pairs(code(sent), code(received), (sent, received))

    def ratio(sent: Array, received: Array, rate: Float[Array, ""]) -> Float[Array, "pairs pairs"]:
        return log_ratio(sent, received, rate, classes)

    return Source(dim, dim, sample, ratio)


def _entropy(rate: float) -> float:
    if rate <= 0.0 or rate >= 1.0:
        return 0.0
    return -rate * math.log2(rate) - (1 - rate) * math.log1p(-rate) / math.log(2.0)
