"""Patterns by matrix products, against float64, and against an exponential for each."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_softmax, logsumexp

from augury.engine.metrics.mixtures import LOWEST, Mixture, group_sizes, mixture, parted
from augury.engine.metrics.patterns import patterns, summable
from augury.engine.metrics.products import _products, cut_patterns, halves

TAU, SAMPLES, BATCHES = 10, 103, 4
TABLE = patterns(TAU, 2, 2)
CUT = halves(TAU, 2, 2)
assert CUT is not None
COUNTS = TABLE.counts.astype(float)
SIZES = group_sizes(SAMPLES)


@pytest.mark.parametrize(
    ("tau", "anchors", "labels"),
    [
        (tau, anchors, labels)
        for tau in (2, 3, 4, 5, 6, 8, 10, 15, 300)
        for anchors in (1, 2, 3, 5, 10)
        for labels in (2, 3, 5, 10)
        if summable(tau, anchors, labels)
    ],
)
def test_halves_make_patterns(tau: int, anchors: int, labels: int) -> None:
    counts, cut = patterns(tau, anchors, labels).counts, halves(tau, anchors, labels)
    if cut is None:
        assert len(counts) <= 40
        return
    row, column = np.divmod(cut.entry, cut.columns)
    assert (cut.powers[cut.first[row]] + cut.powers[column] == counts).all()
    # Exponentials and multiplications that a pattern costs.
    assert len(cut.powers) <= 0.6 * len(counts)
    assert len(cut.first) * cut.columns <= 5 * len(counts)


def test_ten_labels_at_two_anchors() -> None:
    assert CUT is not None
    assert len(TABLE.counts) == 286
    assert (len(CUT.powers), len(CUT.first), CUT.columns) == (56, 12, 56)


def drawn_case(seed: int, scale: float, spread: float, sharp: float) -> tuple[Any, Any]:
    """Log-probabilities [m, label, b, anchor] about logits of each batch, and of the truth.

    Args:
        seed: of all numbers.
        scale: deviation of what the samples agree on.
        spread: deviation of each sample from it.
        sharp: deviation of the truth's logits.
    """
    rng = np.random.default_rng(seed)
    shared = scale * rng.normal(size=(1, 1, BATCHES, 2))
    logits = shared + spread * rng.normal(size=(SAMPLES, 1, BATCHES, 2))
    log_p = log_softmax(np.concatenate([logits, 0 * logits], 1), axis=1).astype(np.float32)
    truth = sharp * rng.normal(size=(BATCHES, 2, 1))
    truth = log_softmax(np.concatenate([truth, 0 * truth], -1), axis=-1)
    return log_p, truth.reshape(BATCHES, 4) @ COUNTS.T + TABLE.log_ways


@jax.jit
def fast(log_p: Any, log_weight: Any) -> Mixture:
    assert CUT is not None
    return cut_patterns(log_p, jnp.exp(log_weight), TABLE.counts, CUT, True)


@jax.jit
def slow(log_p: Any) -> Mixture:
    flat = jnp.moveaxis(log_p, (1, 3), (3, 2)).reshape(SAMPLES, BATCHES, 4)
    return mixture(flat @ TABLE.counts.T, True)


def oracle(log_p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Log of the mean [b, pattern], without each group [group, b, pattern], and 1 / ESS."""
    flat = np.moveaxis(log_p.astype(float), (1, 3), (3, 2)).reshape(SAMPLES, BATCHES, 4)
    each = flat @ COUNTS.T
    ends = np.cumsum(SIZES)
    left = [
        logsumexp(np.delete(each, np.arange(end - size, end), 0), 0) - np.log(SAMPLES - size)
        for end, size in zip(ends, SIZES, strict=True)
    ]
    weights = np.exp(each - each.max(0))
    inverse = (weights**2).sum(0) / weights.sum(0) ** 2
    return logsumexp(each, 0) - np.log(SAMPLES), np.stack(left), inverse


def mean(log_weight: np.ndarray, values: Any) -> np.ndarray:
    weight = np.exp(log_weight)
    return np.where(weight == 0, 0.0, weight * np.asarray(values, float)).sum(-1)


deviations = st.sampled_from([0.0, 0.1, 1.0, 10.0, 100.0, 1_000.0])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), deviations, deviations, deviations)
def test_against_float64(seed: int, scale: float, spread: float, sharp: float) -> None:
    log_p, weight = drawn_case(seed, scale, spread, sharp)
    found, (whole, left, inverse) = fast(log_p, weight), oracle(log_p)
    assert found.left_out is not None and found.log_ess is not None
    # Sums of log-probabilities of 32 bits; 2e-5 nats where those are of order ten.
    close: dict[str, Any] = {"rtol": 1e-6, "atol": 2e-5}
    np.testing.assert_allclose(mean(weight, found.log_mean), mean(weight, whole), **close)
    # A group whose samples have all but e^-80 of the likelihood is missed, by no matter how much.
    kept = mean(weight, np.where(left < whole - 80, 0.0, left))
    told = np.where(left < whole - 80, 0.0, np.asarray(found.left_out, float))
    np.testing.assert_allclose(mean(weight, told), kept, **close)
    assert (np.asarray(found.left_out)[left < whole - 80] < np.max(whole)).all()
    np.testing.assert_allclose(
        mean(weight, np.exp(-found.log_ess)), mean(weight, inverse), rtol=1e-4
    )
    likely = weight >= np.log(1e-3)
    ess = np.exp(np.asarray(found.log_ess, float))
    np.testing.assert_allclose(ess[likely], 1 / inverse[likely], rtol=3e-4)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), deviations, deviations, deviations)
def test_against_an_exponential_each(seed: int, scale: float, spread: float, sharp: float) -> None:
    log_p, weight = drawn_case(seed, scale, spread, sharp)
    # Sums of log-probabilities as they are, of ten labels, are rounded to 32 bits.
    close: dict[str, Any] = {"rtol": 2e-6, "atol": 2e-5 + 1e-6 * np.abs(log_p).max()}
    for one, other in zip(fast(log_p, weight), slow(log_p), strict=True):
        assert one is not None and other is not None
        if one.ndim == 3:  # what is left without a group may be next to nothing
            one, other = (jnp.maximum(leaf, leaf.max(0) - 60) for leaf in (one, other))
        np.testing.assert_allclose(mean(weight, one), mean(weight, other), **close)


def sure(log_p: np.ndarray, weight: np.ndarray) -> list[bool]:
    """Whether products serve each batch: with a bound for what is lost above all that can be."""
    assert CUT is not None
    flat = jnp.moveaxis(jnp.asarray(log_p), (1, 3), (3, 2)).reshape(SAMPLES, BATCHES, 4)
    off, weight = flat - flat.max(0), np.exp(weight)
    return [
        bool(_products(parted(off[:, b]), weight[b], 1e6 * weight[b], CUT, True)[1])
        for b in range(BATCHES)
    ]


def test_which_batches_products_serve() -> None:
    assert all(sure(*drawn_case(0, 3.0, 3.0, 3.0)))
    assert all(sure(*drawn_case(0, 1_000.0, 1.0, 3.0)))  # far off together is no matter
    # Samples of which each is certain, and a truth that is not: no sample has mixed labels.
    assert not any(sure(*drawn_case(0, 0.0, 1_000.0, 0.1)))


def test_patterns_that_cannot_come_do_not_count() -> None:
    log_p, weight = drawn_case(1, 0.0, 1_000.0, 1_000.0)
    log_p[:] = np.where(log_p < -500, LOWEST, log_p)
    assert all(sure(log_p, weight + np.where(weight < -400, -np.inf, 0.0)))


def test_impossible_labels() -> None:
    log_p, weight = drawn_case(2, 1.0, 1.0, 1.0)
    log_p[:, 0, 1, 0], log_p[:, 1, 1, 0] = LOWEST, 0.0  # of all samples
    log_p[:50, 0, 2, 1], log_p[:50, 1, 2, 1] = LOWEST, 0.0  # of some
    log_p[::2, :, 3, 0] = [LOWEST, 0.0]  # no sample has both labels there
    log_p[1::2, :, 3, 0] = [0.0, LOWEST]
    found, (whole, _, _) = fast(log_p, weight), oracle(log_p)
    possible = whole > LOWEST / 2
    assert 0 < possible[1].sum() < possible[3].sum() < possible[2].sum() == 286
    log_mean = np.asarray(found.log_mean, float)
    np.testing.assert_allclose(log_mean[possible], whole[possible], atol=2e-5)
    assert (log_mean[~possible] < LOWEST / 2).all()


def test_what_is_no_number_stays_in_its_batch() -> None:
    log_p, weight = drawn_case(3, 1.0, 1.0, 1.0)
    log_p[7, 1, 2, 0] = np.nan
    found = fast(log_p, weight)
    for leaf in (found.log_mean, found.log_ess, found.left_out):
        nothing = np.isnan(np.asarray(leaf))
        assert nothing[..., 2, :].all() and not nothing[..., [0, 1, 3], :].any()


def test_all_samples_there_are() -> None:
    assert CUT is not None
    for spread in (1.0, 1_000.0):
        log_p, weight = drawn_case(4, 1.0, spread, 1.0)
        found = cut_patterns(log_p, jnp.exp(weight), TABLE.counts, CUT, False)
        assert found.left_out is None and found.log_ess is None
        expected = mean(weight, oracle(log_p)[0])
        np.testing.assert_allclose(mean(weight, found.log_mean), expected, rtol=1e-6, atol=2e-5)
