"""Gauss rules against moments in closed form."""

import numpy as np
import pytest
from scipy.special import beta

from augury.engine.studies.quadrature import Rule, add, beta_rule, compress


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (2.0, 5.0), (0.5, 0.5), (1.5, 0.5), (300.0, 7.0)])
def test_beta_moments(a: float, b: float) -> None:
    rule = beta_rule(a, b, 6)
    for k in range(12):
        assert rule.weights @ rule.nodes**k == pytest.approx(beta(a + k, b) / beta(a, b), rel=1e-10)


def test_compressing_keeps_moments() -> None:
    rng = np.random.default_rng(0)
    many = Rule(rng.normal(size=500), rng.random(500))
    few = compress(many, 8)
    assert len(few.nodes) == 8
    for k in range(16):
        wanted = many.weights @ many.nodes**k
        assert few.weights @ few.nodes**k == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_a_measure_of_few_points_stays_as_it_is() -> None:
    repeated = Rule(np.repeat([0.0, 1.0], 20), np.full(40, 0.025))
    few = compress(repeated, 5)
    assert few.weights.sum() == pytest.approx(1.0)
    assert few.weights @ few.nodes**9 == pytest.approx(0.5)


def test_sum_of_two_uniforms_is_triangular() -> None:
    uniform = beta_rule(1.0, 1.0, 6)
    both = add(uniform, uniform, 6)
    for k in range(12):
        wanted = 2.0 * (2.0 ** (k + 1) - 1.0) / ((k + 1) * (k + 2))
        assert both.weights @ both.nodes**k == pytest.approx(wanted, rel=1e-11)
