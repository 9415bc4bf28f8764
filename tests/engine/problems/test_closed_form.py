"""The forty closed forms: truths, laws whose ratios average to them, maps that lose nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from augury.engine.catalog.problems import ClosedFormProblem
from augury.engine.catalog.problems.mi_closed import RECIPES, Recipe
from augury.engine.problems import closed_form
from augury.engine.problems.maps import MAPS
from augury.engine.problems.pairs import Source

_DATA = Path(__file__).parents[2] / "golden" / "data" / "mi.json"
GOLDEN = json.loads(_DATA.read_text())["closed_form"]
NONE = jnp.zeros(())


def test_there_are_forty() -> None:
    assert set(RECIPES) == set(GOLDEN) and len(RECIPES) == 40


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_truth(name: str) -> None:
    assert closed_form.information(RECIPES[name]) == pytest.approx(GOLDEN[name], abs=1e-6)


def test_formulas_that_stand_in_the_literature() -> None:
    pair = closed_form.information(Recipe("normal", 1, 0.75))
    assert pair == pytest.approx(-0.5 * np.log(1 - 0.75**2), abs=1e-12)
    assert closed_form.information(RECIPES["multinormal-sparse-5-5-2-2.0"]) == pytest.approx(
        -np.log(1 - 0.8**2), abs=1e-12
    )
    assert closed_form.information(Recipe("additive", 1, 0.5)) == pytest.approx(0.5)  # both meet


# One of each law: what it is made of must average to the truth.
LAWS = (
    "1v1-normal-0.75", "1v1-additive-0.1", "1v1-additive-0.75", "student-identity-1-1-1",
    "student-identity-3-3-2", "multinormal-dense-3-3-0.5", "multinormal-sparse-5-5-2-2.0",
)  # fmt: skip


@pytest.mark.parametrize("name", LAWS)
def test_log_ratios_average_to_the_truth(name: str) -> None:
    source = closed_form.source(ClosedFormProblem(name))

    def one(key: jax.Array) -> jax.Array:
        pairs = source.sample(key, NONE, 100, ())
        return jnp.diagonal(source.log_ratio(*pairs.hidden, NONE))

    draw = jax.jit(lambda key: jax.lax.map(one, jax.random.split(key, 400)))
    found = np.asarray(draw(jax.random.key(3))).ravel()
    error = found.std() / np.sqrt(len(found))
    assert found.mean() == pytest.approx(closed_form.information(RECIPES[name]), abs=4 * error)


def _scored(source: Source, key: jax.Array, number: int) -> Any:
    """Pairs and their log-ratios, as one program: compiled faster than one for each operation."""

    def both(key: jax.Array) -> Any:
        pairs = source.sample(key, NONE, number, ())
        return pairs, source.log_ratio(*(part[:4] for part in pairs.hidden), NONE)

    return jax.device_get(jax.jit(both)(key))


def test_student_ratio_is_the_ratio_of_densities() -> None:
    source = closed_form.source(ClosedFormProblem("student-identity-2-2-2"))
    pairs, found = _scored(source, jax.random.key(4), 4)
    x, y = (np.asarray(part, np.float64) for part in pairs.hidden)
    both, one = stats.multivariate_t(np.zeros(4), df=2), stats.multivariate_t(np.zeros(2), df=2)
    for i in range(4):
        for j in range(4):
            expected = both.logpdf(np.concatenate([x[i], y[j]])) - one.logpdf(x[i])
            assert found[i, j] == pytest.approx(expected - one.logpdf(y[j]), abs=1e-4)


def test_additive_pairs_that_cannot_be_have_no_ratio() -> None:
    source = closed_form.source(ClosedFormProblem("1v1-additive-0.1"))
    found = np.asarray(source.log_ratio(jnp.asarray([[0.5]]), jnp.asarray([[0.55], [0.7]]), NONE))
    assert found[0, 0] == pytest.approx(np.log(5)) and found[0, 1] == -np.inf


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_problem_gives_pairs_of_its_size(name: str) -> None:
    source = closed_form.source(ClosedFormProblem(name))
    shapes = jax.eval_shape(lambda key: source.sample(key, NONE, 9, ()), jax.random.key(0))
    assert (shapes.x.shape, shapes.y.shape) == ((9, source.x_dim), (9, source.y_dim))


def test_shuffled_pairs_share_nothing() -> None:
    source = closed_form.source(ClosedFormProblem("1v1-normal-0.75", shuffled=True))
    pairs, ratios = _scored(source, jax.random.key(5), 20_000)
    assert np.corrcoef(pairs.x[:, 0], pairs.y[:, 0])[0, 1] == pytest.approx(0, abs=4 / 141)
    assert not ratios.any()


@pytest.mark.parametrize("name", sorted(set(MAPS) - {"spiral", "swissroll_x"}))
def test_maps_of_one_number_are_one_to_one(name: str) -> None:
    grid = jnp.linspace(-4.5, 4.5, 2_001)[:, None]
    for side in (MAPS[name].x, MAPS[name].y):
        assert np.all(np.diff(np.asarray(jax.jit(side)(grid), np.float64)[:, 0]) > 0)


def test_bimodal_has_the_quantiles_of_its_mixture() -> None:
    z = np.array([-2.0, -0.3, 0.0, 1.5])
    found = np.asarray(jax.jit(MAPS["bimodal"].x)(jnp.asarray(z)[:, None]))[:, 0]
    reached = 0.3 * stats.norm.cdf(found) + 0.7 * stats.norm.cdf(found - 5)
    np.testing.assert_allclose(reached, stats.norm.cdf(z), atol=1e-5)


def test_spirals_turn_by_the_square_of_the_norm() -> None:
    x = jnp.asarray([[0.3, -1.0, 0.5]])
    for side, plane in ((MAPS["spiral"].x, (0, 1)), (MAPS["spiral"].y, (1, 2))):
        turned = np.asarray(jax.jit(side)(x))[0]
        assert np.linalg.norm(turned) == pytest.approx(float(jnp.linalg.norm(x)), rel=1e-6)
        before, after = (np.arctan2(v[plane[1]], v[plane[0]]) for v in (np.asarray(x)[0], turned))
        assert (after - before) % (2 * np.pi) == pytest.approx(float(jnp.sum(x**2)) / 3, abs=1e-5)
