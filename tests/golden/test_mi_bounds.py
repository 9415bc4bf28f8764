"""Every bound's value and training gradient on the reference's fixed 8 x 8 score matrix."""

from __future__ import annotations

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.estimators import bounds
from augury.engine.goldens.mi_exact import PAIRS

GOLDEN = json.loads((Path(__file__).parent / "data" / "mi.json").read_text())["exact_bounds"]


def _matrix() -> jnp.ndarray:
    i, j = np.meshgrid(np.arange(8.0), np.arange(8.0), indexing="ij")
    return jnp.asarray(2 * np.sin(3 * i + 5 * j + 1) + 3 * (i == j))


@pytest.mark.parametrize("name", sorted(GOLDEN["values"]))
def test_value(name: str) -> None:
    value = float(PAIRS[name][0](_matrix()))
    assert value == pytest.approx(GOLDEN["values"][name]["value"], abs=1e-5)


@pytest.mark.parametrize("name", sorted(GOLDEN["values"]))
def test_gradient(name: str) -> None:
    gradient = np.asarray(jax.grad(PAIRS[name][1])(_matrix()))
    golden = GOLDEN["values"][name]
    np.testing.assert_allclose(gradient[0], golden["grad_row0"], atol=1e-5)
    assert np.linalg.norm(gradient) == pytest.approx(golden["grad_fro"], abs=1e-5)
    assert gradient.sum() == pytest.approx(golden["grad_sum"], abs=1e-5)


def test_corrected_js_adds_what_the_compat_value_lacks() -> None:
    f = _matrix()
    off = float(jnp.exp(bounds.log_mean_exp_off(f)))
    gap = float(bounds.js(f) - bounds.js_compat(f))
    assert gap == pytest.approx(1 - off * (1 - np.exp(-1)), abs=1e-5)
