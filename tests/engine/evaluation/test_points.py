"""Joint scores against float64 sums over every sequence of places and labels."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import log_softmax, logsumexp

from augury.engine.evaluation.points import score_pool
from augury.engine.metrics.mixtures import LOWEST
from augury.engine.metrics.pool import Pool, draw_pool

CLASSES = 2
FEW, MANY = 23, 103  # samples: patterns one by one, and by matrix products


@partial(jax.jit, static_argnums=(0, 1, 2))
def _draw(points: tuple[tuple[int, int], ...], batches: int, exact: bool, scale: Any) -> Pool:
    key = jax.random.key(4)
    return draw_pool(key, points, batches, 3, lambda x: scale * x[:, :CLASSES], exact)


def case(points, exact: bool = True, samples: int = FEW, batches: int = 5, scale: float = 3.0):
    """A pool and log-probabilities of samples [m, classes, b, width], also in float64."""
    pool = _draw(tuple(points), batches, exact, scale)
    rng = np.random.default_rng(5)
    values = scale * rng.normal(size=(samples, CLASSES, batches, pool.x.shape[1]))
    log_p = log_softmax(values.astype(np.float32).astype(float), axis=1)
    return pool, log_p


def oracle(pool: Pool, log_p: np.ndarray, tau: int, kappa: int) -> np.ndarray:
    """KL of each batch: the sum over all kappa^tau places and all label sequences."""
    truth = np.asarray(pool.truth, float)
    truth = truth - logsumexp(truth, -1, keepdims=True)
    found = np.zeros(len(truth))
    anchors = kappa or tau
    sequences = product(range(anchors), repeat=tau) if kappa else [tuple(range(tau))]
    chance = 1 / kappa**tau if kappa else 1.0
    for places in sequences:
        for labels in product(range(CLASSES), repeat=tau):
            known = sum(truth[:, a, y] for a, y in zip(places, labels, strict=True))
            each = sum(log_p[:, y, :, a] for a, y in zip(places, labels, strict=True))
            agent = logsumexp(each, 0) - np.log(len(log_p))
            found += chance * np.exp(known) * (known - agent)
    return found


def effective(each: np.ndarray) -> np.ndarray:
    weights = np.exp(each - each.max(0))
    return weights.sum(0) ** 2 / (weights**2).sum(0)


_score = jax.jit(score_pool, static_argnums=2)  # one program for each shape, whatever the numbers


def scored(pool: Pool, log_p: np.ndarray, drawn: bool) -> Any:
    return _score(jnp.asarray(log_p, jnp.float32), pool, drawn)


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("scale", [0.3, 3.0, 60.0])
@pytest.mark.parametrize(
    ("tau", "kappa", "samples"),
    [(4, 1, FEW), (4, 2, FEW), (3, 3, FEW), (2, 5, FEW), (5, 2, FEW), (5, 2, MANY), (3, 3, MANY)],
)
def test_sums_over_patterns(tau: int, kappa: int, scale: float, drawn: bool, samples: int) -> None:
    pool, log_p = case([(tau, kappa)], samples=samples, scale=scale)
    found = scored(pool, log_p, drawn)[0][tau, kappa]
    np.testing.assert_allclose(found.kl, oracle(pool, log_p, tau, kappa), rtol=2e-5, atol=2e-5)


def test_one_label_is_the_mean_over_single_inputs() -> None:
    pool, log_p = case([(1, 0)])
    kl, _, left, *_ = scored(pool, log_p, True)[0][1, 0]
    truth = np.asarray(pool.truth, float)

    def exact(log_p: np.ndarray) -> np.ndarray:
        agent = np.moveaxis(logsumexp(log_p, 0) - np.log(len(log_p)), 0, -1)
        return (np.exp(truth) * (truth - agent)).sum(-1).mean(-1)

    np.testing.assert_allclose(kl, exact(log_p), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(left[:, 0], exact(log_p[2:]), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(left[:, -1], exact(log_p[:-1]), rtol=1e-4, atol=1e-5)


def test_one_label_at_anchors_is_one_label() -> None:
    """The dyadic KL at tau = 1 is the marginal KL."""
    pool, log_p = case([(1, 0)])
    kl = scored(pool, log_p, False)[0][1, 0].kl
    pairs = [
        oracle(pool._replace(truth=pool.truth[:, [a, b]]), log_p[..., [a, b]], 1, 2)
        for a, b in zip(range(0, 10, 2), range(1, 10, 2), strict=True)
    ]
    np.testing.assert_allclose(kl, np.mean(pairs, 0), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("point", [(4, 0), (10, 0), (10, 5), (10, 2)])
def test_drawn_labels(point: tuple[int, int]) -> None:
    pool, log_p = case([point], exact=False)
    found = scored(pool, log_p, True)[0][point]
    counts = np.asarray(pool.counts[point], float)
    k = counts.shape[1]
    known = (counts * np.asarray(pool.truth, float)[:, :k]).sum((1, 2))
    each = np.einsum("mybk,bky->mb", log_p[..., :k], counts)
    agent = logsumexp(each, 0) - np.log(len(log_p))
    np.testing.assert_allclose(found.kl, known - agent, rtol=1e-4, atol=1e-4)
    ess = effective(each)
    np.testing.assert_allclose(found.ess, ess, rtol=1e-3)
    np.testing.assert_allclose(found.inverse_ess, 1 / ess, rtol=1e-3)
    assert found.controls is None


@pytest.mark.parametrize(("tau", "samples"), [(3, FEW), (5, MANY)])
def test_ess_is_weighted_by_true_patterns(tau: int, samples: int) -> None:
    pool, log_p = case([(tau, 2)], samples=samples)
    found = scored(pool, log_p, True)[0][tau, 2]
    truth = np.asarray(pool.truth, float)
    least, inverse = np.full(5, np.inf), np.zeros(5)
    merged: dict[tuple[int, ...], list[Any]] = {}
    for places in product(range(2), repeat=tau):
        for labels in product(range(2), repeat=tau):
            known = sum(truth[:, a, y] for a, y in zip(places, labels, strict=True))
            each = sum(log_p[:, y, :, a] for a, y in zip(places, labels, strict=True))
            ess = effective(np.asarray(each))
            chance = np.exp(known) / 2**tau
            inverse += chance / ess
            cell = tuple(np.bincount(2 * np.array(places) + np.array(labels), minlength=4))
            merged.setdefault(cell, [0.0, ess])[0] += chance
    for chance, ess in merged.values():
        least = np.minimum(least, np.where(chance >= 1e-3, ess, np.inf))
    np.testing.assert_allclose(found.ess, least, rtol=1e-3)
    np.testing.assert_allclose(found.inverse_ess, inverse, rtol=1e-3)


@pytest.mark.parametrize("point", [(10, 0), (10, 5), (10, 2)])
def test_controls_have_mean_zero(point: tuple[int, int]) -> None:
    pool, log_p = case([point], batches=4_000, samples=3)
    controls = np.asarray(scored(pool, log_p, False)[0][point].controls, float)
    assert controls.shape[1] == {(10, 0): 1, (10, 5): 3, (10, 2): 1}[point]
    error = controls.std(0) / np.sqrt(len(controls))
    assert (np.abs(controls.mean(0)) < 4 * error).all()


@pytest.mark.parametrize("samples", [FEW, MANY])
def test_what_is_impossible_is_infinite_only_where_it_can_come(samples: int) -> None:
    pool, log_p = case([(1, 0), (10, 2)], batches=2, samples=samples)
    truth = np.asarray(pool.truth).copy()
    truth[0] = [0.0, -200.0]  # of probability 0 in 32 bits
    log_p[:, 1] = LOWEST
    log_p[:, 0] = 0.0
    found = scored(pool._replace(truth=jnp.asarray(truth)), log_p, True)[0]
    for scores in found.values():
        assert np.asarray(scores.kl)[0] == 0.0 and np.asarray(scores.kl)[1] == np.inf


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("samples", [FEW, MANY])
def test_a_broken_truth_is_no_number(drawn: bool, samples: int) -> None:
    pool, log_p = case([(1, 0), (10, 0), (10, 2)], samples=samples)
    truth = np.asarray(pool.truth).copy()
    truth[2] = np.nan
    for scores in scored(pool._replace(truth=jnp.asarray(truth)), log_p, drawn)[0].values():
        kl = np.asarray(scores.kl)
        assert np.isnan(kl[2]) and np.isfinite(np.delete(kl, 2)).all()


@pytest.mark.parametrize("samples", [FEW, MANY])
def test_one_broken_sample_is_no_number(samples: int) -> None:
    pool, log_p = case([(1, 0), (10, 0), (10, 2)], samples=samples)
    log_p[3] = np.nan
    for scores in scored(pool, log_p, True)[0].values():
        assert np.isnan(np.asarray(scores.kl)).all()
