"""What a sampler must not return is told in its own words, whichever way it is called."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.errors import UsageError
from augury.engine.evaluation.samplers import score_sampler
from augury.engine.evaluation.scores import Tests
from augury.engine.metrics.test_sets import TestSet


def _tests() -> Tests:
    x = jnp.zeros((4, 1, 3))
    counts = jax.nn.one_hot(jnp.zeros((4, 1), int), 2)
    return Tests({(1, 0): TestSet(x, counts, jnp.zeros(4))})


class _Members:
    def __init__(self, make: Any) -> None:
        self.members = make

    def __call__(self, x: Any, key: Any) -> Any:
        raise AssertionError("enumerated instead")


WRONG = {
    "no member": (_Members(lambda x: np.zeros((0, len(x), 2))), "no sample: at least one"),
    "no traced member": (_Members(lambda x: jnp.zeros((0, len(x), 2))), "no sample"),
    "complex, traced": (lambda x, key: jnp.zeros((len(x), 2), complex), "complex64; logits are"),
    "complex, held": (lambda x, key: np.asarray(x)[:, :2] * 1j, "complex64; logits are real"),
    "complex members": (_Members(lambda x: np.zeros((3, len(x), 2), complex)), "complex128"),
    "complex list": (_Members(lambda x: [[[1j, 0.0]] * len(x)]), "complex128; logits are real"),
    "texts": (lambda x, key: np.asarray(x)[:, :2].astype(str), "logits are real numbers"),
    "nothing": (None, "the agent returned NoneType, not a function"),
    "no sampler": (SimpleNamespace(predict=max), "returned SimpleNamespace, not a function"),
}


@pytest.mark.parametrize("name", WRONG)
def test_it_is_refused(key: Any, name: str) -> None:
    sampler, words = WRONG[name]
    with pytest.raises(UsageError, match=words) as caught:
        score_sampler(sampler, key, _tests(), 3)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("dtype", [int, bool, np.float16, np.float64, object, jnp.bfloat16])
def test_any_real_numbers_will_do(key: Any, dtype: Any) -> None:
    def held(x: Any, key: Any) -> Any:
        return np.ones((len(np.asarray(x)), 2)).astype(dtype)

    rows = {row.metric: row.value for row in score_sampler(held, key, _tests(), 3)}
    assert rows["kl"] == pytest.approx(np.log(2))


def test_lists_will_do(key: Any) -> None:
    drawn: Any = lambda x, key: [[1.0, 1.0]] * len(x)  # noqa: E731
    for sampler in (drawn, _Members(lambda x: [[[1, 1]] * len(x)])):
        rows = {row.metric: row.value for row in score_sampler(sampler, key, _tests(), 3)}
        assert rows["kl"] == pytest.approx(np.log(2))
