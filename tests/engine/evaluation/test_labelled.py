"""Joint scores at given labels against sums written out in double precision."""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.evaluation.labelled import score_anchors, score_labelled
from augury.engine.evaluation.points import PointScores
from augury.engine.evaluation.scores import metric_rows
from augury.engine.metrics.joint_rows import kl_row
from augury.engine.metrics.labelled import MOST_PAIRS, Labelled, draw_anchors, exact_pairs
from augury.engine.metrics.mixtures import group_sizes, log_mean_exp
from augury.engine.types import MetricRow

CLASSES = 3


def _problem(rows: int, samples: int, points: Any, batches: int = 40, exact: bool = True) -> Any:
    """Logits of samples at rows by their number, and tests on them."""
    draw = np.random.default_rng(rows + samples)
    logits = (2.0 * draw.normal(size=(samples, CLASSES, rows))).astype(np.float32)
    y = draw.integers(0, CLASSES, rows)
    anchors = {p: draw_anchors(jax.random.key(p[0]), p, rows, batches, exact) for p in points}
    x = jnp.arange(rows, dtype=jnp.float32)[:, None]
    return logits, y, Labelled(x, jax.nn.one_hot(y, CLASSES), anchors)


def _scored(logits: np.ndarray, tests: Labelled, drawn: bool) -> Any:
    def at(x: Any) -> Any:
        return jnp.asarray(logits)[:, :, x[:, 0].astype(int)]

    score = jax.jit(lambda tests: score_labelled(at, tests, len(logits), drawn, tests.x[:, None]))
    return jax.device_get(score(tests))


def _rows(logits: np.ndarray, tests: Labelled) -> list[MetricRow]:
    joint, single = _scored(logits, tests, drawn=False)
    return metric_rows(joint, single, 0, labelled=True)


def _seen(logits: np.ndarray, y: np.ndarray) -> np.ndarray:
    """log p of the label, [samples, rows]."""
    z = np.asarray(logits, np.float64)
    log_p = z - np.log(np.exp(z).sum(1, keepdims=True))
    return log_p[:, y, np.arange(len(y))]


def _pair(seen: np.ndarray, i: int, j: int, tau: int) -> float:
    """-log joint likelihood of tau labels at two anchors, in expectation over where they fall."""
    terms = [np.log(np.exp(k * seen[:, i] + (tau - k) * seen[:, j]).mean()) for k in range(tau + 1)]
    return -sum(comb(tau, k) / 2**tau * term for k, term in enumerate(terms))


def test_all_pairs_are_all_pairs() -> None:
    logits, y, tests = _problem(7, 6, [(1, 0), (4, 2)])
    seen = _seen(logits, y)
    table = np.array([[_pair(seen, i, j, 4) for j in range(7)] for i in range(7)])
    joint, single = _scored(logits, tests, drawn=False)
    np.testing.assert_allclose(joint[4, 2].kl, table.mean(1), rtol=1e-5)
    np.testing.assert_allclose(joint[1, 0].kl, -np.log(np.exp(seen).mean(0)), rtol=1e-5)
    rows = {(r.metric, r.tau): r for r in metric_rows(joint, single, 0, labelled=True)}
    assert rows["kl", 4].value == pytest.approx(table.mean(), rel=1e-5)
    # Hajek: a mean over pairs moves twice as much with each row.
    assert rows["kl", 4].stderr == pytest.approx(2 * table.mean(1).std(ddof=1) / 7**0.5, rel=1e-5)
    assert rows["kl", 1].value == pytest.approx(rows["nll", 0].value, rel=1e-6)
    p = np.exp(np.asarray(logits, np.float64))
    p = (p / p.sum(1, keepdims=True)).mean(0).T
    brier = ((p - np.eye(CLASSES)[y]) ** 2).sum(1)
    assert rows["brier", 0].value == pytest.approx(brier.mean(), rel=1e-5)
    assert rows["brier", 0].stderr == pytest.approx(brier.std(ddof=1) / 7**0.5, rel=1e-5)


def test_drawn_samples_leave_groups_out() -> None:
    logits, y, tests = _problem(5, 44, [(3, 2)])
    found: PointScores = _scored(logits, tests, drawn=True)[0][3, 2]
    seen, start = _seen(logits, y), 0
    assert found.left_out is not None and found.inverse_ess is not None and found.ess is not None
    for group, size in enumerate(group_sizes(44)):
        rest = np.delete(seen, np.arange(start, start + size), axis=0)
        table = [[_pair(rest, i, j, 3) for j in range(5)] for i in range(5)]
        np.testing.assert_allclose(found.left_out[:, group], np.mean(table, 1), rtol=1e-4)
        start += size
    inverse = np.zeros((5, 5))
    for i, j, k in product(range(5), range(5), range(4)):
        weight = np.exp(k * seen[:, i] + (3 - k) * seen[:, j])
        inverse[i, j] += comb(3, k) / 8 * (weight**2).sum() / weight.sum() ** 2
    np.testing.assert_allclose(found.inverse_ess, inverse.mean(1), rtol=1e-4)
    np.testing.assert_allclose(found.ess, 1 / inverse.mean(1), rtol=1e-4)


@pytest.mark.parametrize("point", [(10, 2), (3, 0), (6, 3), (5, 1)])
def test_drawn_batches(point: tuple[int, int]) -> None:
    """Many rows: batches are drawn; what can be summed over is, the rest has its counts."""
    tau, kappa = point
    logits, y, tests = _problem(1_100, 4, [point], batches=30)
    anchors = tests.anchors[point]
    seen, rows = _seen(logits, y), np.asarray(anchors.rows)
    assert rows.shape == ((1_100, 1) if kappa == 1 else (30, kappa or tau))
    found = _scored(logits, tests, drawn=False)[0][point]
    assert found.degree is None and found.kl.shape == (len(rows),)
    for kl, at in list(zip(np.asarray(found.kl), rows, strict=True))[:30]:
        ways = product(range(len(at)), repeat=tau) if kappa else [range(tau)]
        if point == (10, 2):
            expected = _pair(seen, at[0], at[1], 10)
        else:
            each = [-np.log(np.exp(seen[:, at[list(way)]].sum(1)).mean()) for way in ways]
            expected = float(np.mean(each))
        assert kl == pytest.approx(expected, rel=2e-5)


def test_counts_where_they_are_asked_for() -> None:
    logits, y, tests = _problem(6, 4, [(10, 2)], batches=50, exact=False)
    rows, counts, _ = tests.anchors[10, 2]
    assert counts is not None and (np.asarray(counts).sum(1) == 10).all()
    seen = _seen(logits, y)
    found = _scored(logits, tests, drawn=False)[0][10, 2].kl
    for kl, at, times in zip(found, np.asarray(rows), np.asarray(counts), strict=True):
        assert kl == pytest.approx(-np.log(np.exp(seen[:, at] @ times).mean()), rel=2e-5)


def test_a_point_estimate_needs_no_pairs() -> None:
    """One sample: labels are independent, so tau of them cost tau times one; errors too."""
    logits, _, tests = _problem(1_100, 1, [(1, 0), (10, 2)], batches=60)
    rows = {(r.metric, r.tau): r for r in _rows(logits, tests)}
    assert rows["kl", 10].value == pytest.approx(10 * (rows["nll", 0].value or 0), rel=1e-5)
    assert rows["kl", 10].stderr == pytest.approx(10 * (rows["nll", 0].stderr or 0), rel=1e-3)


def test_the_error_of_drawn_batches_counts_their_rows_too() -> None:
    """Test sets and batches drawn anew: their means spread as each says of its own."""
    draw, sets, size, point = np.random.default_rng(5), 300, 60, (6, 3)
    means, errors = [], []

    @jax.jit
    def score(seen: Any, key: Any) -> Any:
        anchors = draw_anchors(key, point, size, 80)
        found = score_anchors(seen.T, {point: anchors}, False)[point]
        return found.kl, found.controls, log_mean_exp(seen)

    for number in range(sets):
        seen = np.log(draw.beta(4, 2, size=(3, size)))
        kl, controls, one = map(np.asarray, score(jnp.asarray(seen), jax.random.key(number)))
        row = kl_row(kl, *point, controls, control_rows=one)
        plain = kl_row(kl, *point)
        means.append(row.value)
        errors.append((row.stderr or 0.0, plain.stderr or 0.0))
    spread = np.std(means, ddof=1)
    with_rows, without = np.sqrt(np.mean(np.square(errors), 0))
    # The deviation of 300 means is known to 4.1 %; three of its errors.
    assert spread == pytest.approx(with_rows, rel=0.125)
    assert without != pytest.approx(with_rows, rel=0.05)


def test_what_is_few_enough_for_all_pairs() -> None:
    assert exact_pairs((10, 2), 1_023) and not exact_pairs((10, 2), 1_024)
    assert 1_023 * 1_024 // 2 <= MOST_PAIRS < 1_024 * 1_025 // 2
    assert not exact_pairs((10, 0), 30) and not exact_pairs((10, 3), 30)
    anchors = draw_anchors(jax.random.key(0), (10, 2), 30, 1_000)
    assert anchors.rows.shape == (465, 2) and anchors.every is not None


def test_an_impossible_label_is_infinitely_bad() -> None:
    logits, _, tests = _problem(4, 2, [(1, 0), (2, 2)])
    logits[:] = 0.0
    logits[:, :, 0] = [[-np.inf, 0.0, -np.inf]] * 2
    tests = tests._replace(truth=jax.nn.one_hot(jnp.array([0, 1, 1, 1]), CLASSES))
    rows = _rows(logits, tests)
    kl = {r.tau: r for r in rows if r.metric == "kl"}
    assert kl[1].value is None and kl[1].reason == "1 of 4 values are not finite"
    assert kl[2].value is None  # every row has a pair with it
    accuracy = next(r for r in rows if r.metric == "accuracy")
    assert accuracy.value == 0.0


def test_the_error_of_all_pairs_is_that_of_the_rows() -> None:
    """Test sets drawn anew: their means over all pairs spread as each says of its own."""
    draw, sets, size = np.random.default_rng(3), 300, 40
    seen = np.log(draw.beta(4, 2, size=(sets, 3, size)))
    means, errors = [], []
    pairs = draw_anchors(jax.random.key(0), (10, 2), size, 10)

    @jax.jit
    def score(seen: Any) -> Any:
        return score_anchors(seen.T, {(10, 2): pairs}, False)[10, 2].kl

    for one in seen:
        row = kl_row(np.asarray(score(jnp.asarray(one))), 10, 2, degree=2.0)
        means.append(row.value)
        errors.append(row.stderr)
    # The deviation of 300 means is known to 4.1 %; three of its errors.
    assert np.std(means, ddof=1) == pytest.approx(np.sqrt(np.mean(np.square(errors))), rel=0.125)
