"""Errors of KL: coverage on a toy whose truth is known, controls, and caveats."""

from __future__ import annotations

import numpy as np
import pytest

from augury.engine.metrics.joint_rows import LIMITED, ess_rows, kl_row, limited
from augury.engine.metrics.mixtures import group_sizes

REPEATS, SAMPLES, BATCHES, SPREAD = 1_000, 40, 60, 0.3


def _toy(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Batch j, sample m: likelihood exp(-s_j) (1 + .3 a_m s_j), s and a standard uniform-like.

    Its mean over infinitely many samples is exp(-s_j), as a has mean zero, so the KL of a truth
    with log-likelihood 0 is s_j and its mean is 0.
    """
    s = rng.uniform(-1.0, 1.0, BATCHES)
    a = rng.uniform(-1.0, 1.0, SAMPLES) * 3**0.5
    likelihood = np.exp(-s) * (1 + SPREAD * a[:, None] * (1 + s))
    ends = np.cumsum(group_sizes(SAMPLES))
    starts = [0, *ends[:-1]]
    left = [np.delete(likelihood, np.s_[i:j], 0).mean(0) for i, j in zip(starts, ends, strict=True)]
    return -np.log(likelihood.mean(0)), -np.log(np.stack(left, -1))


def test_intervals_cover_under_shared_samples() -> None:
    rng = np.random.default_rng(0)
    hits, naive = 0, 0
    for _ in range(REPEATS):
        kl, left = _toy(rng)
        joined = kl_row(kl, 10, 2, None, left, SAMPLES)
        alone = kl_row(kl, 10, 2)
        assert joined.value is not None and joined.stderr is not None and alone.stderr is not None
        bias = SPREAD**2 * (1 + 1 / 3) / (2 * SAMPLES)  # E (1 + s)^2 = 4 / 3; finite samples
        hits += abs(joined.value - bias) <= 1.96 * joined.stderr
        naive += abs(joined.value - bias) <= 1.96 * alone.stderr
    # 95 % of 1,000 has a standard error of .7 %; Student's t of few groups takes another percent.
    assert 0.93 <= hits / REPEATS <= 0.97
    assert naive / REPEATS < 0.93  # batches alone miss what they share


def test_the_error_of_batches_alone() -> None:
    row = kl_row(np.array([0.0, 1.0, 2.0]) + 1.0, 10, 2)
    assert (row.metric, row.tau, row.kappa, row.num_samples) == ("kl", 10, 2, 3)
    assert row.value == 2.0 and row.stderr == pytest.approx(1 / np.sqrt(3))


def test_controls_take_off_what_they_explain() -> None:
    rng = np.random.default_rng(1)
    noise, rest = rng.normal(size=(500, 2)), rng.normal(size=500)
    kl = 3 + noise @ [2.0, -1.0] + 0.1 * rest
    row = kl_row(kl, 10, 0, np.concatenate([noise, np.zeros((500, 1))], 1))
    assert row.value == pytest.approx(3, abs=4 * 0.1 / 500**0.5)
    assert row.stderr == pytest.approx(0.1 / 500**0.5, rel=0.1)
    plain = kl_row(kl, 10, 0)
    assert plain.stderr == pytest.approx(5**0.5 / 500**0.5, rel=0.1)


def test_intervals_with_controls_cover() -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(REPEATS):
        noise = rng.normal(size=(60, 2))
        kl = 1 + noise @ [1.0, 1.0] + rng.exponential(size=60) - 1
        row = kl_row(kl, 10, 0, noise)
        assert row.value is not None and row.stderr is not None
        hits += abs(row.value - 1) <= 1.96 * row.stderr
    assert 0.92 <= hits / REPEATS <= 0.97  # skewed, 60 batches


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_controls_that_are_no_numbers_are_left_alone(bad: float) -> None:
    kl, controls = np.arange(80.0), np.ones((80, 1))
    controls[3] = bad
    assert kl_row(kl, 10, 0, controls).value == kl.mean()
    assert kl_row(np.append(kl, bad), 10, 0).reason == "1 of 81 values are not finite"


def test_one_sample_has_no_error() -> None:
    assert kl_row(np.arange(3.0), 10, 0, None, None, 1).stderr is None


def test_bias_and_least_effective_number() -> None:
    ess = np.array([50.0, 4.0, 25.0])
    least, bias = ess_rows(ess, 1 / ess, 10, 2, 100)
    assert (least.metric, least.value, least.num_samples) == ("ess", 4.0, 100)
    assert bias.value == pytest.approx(((1 / ess - 1 / 100) / 2).mean())
    row = kl_row(np.arange(3.0), 10, 2)
    assert limited(row, ess).reason == LIMITED and limited(row, ess[:1]) == row
    assert ess_rows(np.array([np.nan]), np.array([np.nan]), 10, 2, 5)[0].value is None


def test_the_bias_is_that_of_a_log_of_a_mean() -> None:
    rng = np.random.default_rng(3)
    likelihood = rng.gamma(4.0, size=(20_000, 50))
    off = -np.log(likelihood.mean(1) / 4)
    inverse = (likelihood**2).sum(1) / likelihood.sum(1) ** 2
    bias = ess_rows(1 / inverse, inverse, 10, 0, 50)[1].value
    assert bias == pytest.approx(off.mean(), abs=4 * off.std() / 20_000**0.5 + 0.1 * off.mean())
