"""The encoder that learns: its stages, its start, and that it learns."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.catalog.problems.mi_encoded import NUM_STAGES
from augury.engine.encoders import resnet
from augury.engine.encoders.shape import Shape

SHAPE = Shape(1, 8, 8)


def _draw(key: Any, number: int, items: Any) -> tuple[Any, Any]:
    """Noise that is brighter in the left or right half where that half's label is 1."""
    labels = jax.random.bernoulli(jax.random.fold_in(key, 1), 0.5, (number, 2)).astype(jnp.int32)
    light = jnp.repeat(labels, 4, axis=1)[:, None, None]
    noise = jax.random.uniform(key, (number, 1, 8, 8))
    return (0.3 * noise + 0.7 * light).reshape(number, -1), labels


def test_stages_have_the_sizes_that_are_told() -> None:
    assert resnet.NUM_STAGES == NUM_STAGES
    shape = Shape(3, 12, 20)  # halved to 6 x 10, 3 x 5, 2 x 3, 1 x 2
    params = resnet.init(jax.random.key(0), shape, 4)
    x = jnp.ones((2, shape.size))
    sizes = [resnet.sides(shape, stage) for stage in range(1, NUM_STAGES + 1)]
    assert [s[1:] for s in sizes] == [(6, 10), (3, 5), (2, 3), (1, 2), (1, 1)]
    for stage, expected in enumerate(sizes, 1):
        assert resnet.features(params, x, shape, stage).shape == (2, expected.size)
    assert resnet.logits(params, x, shape).shape == (2, 4)


def test_blocks_start_as_the_identity() -> None:
    params = resnet.init(jax.random.key(0), SHAPE, 2)
    x = _draw(jax.random.key(1), 3, ())[0]
    one = resnet.features(params, x, SHAPE, 1)
    changed = params._replace(blocks=(params.blocks[0]._replace(weight=jnp.ones(())),
                                      *params.blocks[1:]))  # fmt: skip
    assert not np.allclose(resnet.features(changed, x, SHAPE, 1), one)
    twice = params._replace(blocks=(params.blocks[0], *params.blocks))
    assert np.array_equal(resnet.features(twice, x, SHAPE, 2), one)


@pytest.fixture(scope="module")
def learnt() -> resnet.Network:
    """After 150 steps."""
    return resnet.fit(jax.random.key(0), _draw, (), SHAPE, 2, 150)


@pytest.mark.slow
def test_it_learns_each_label(learnt: resnet.Network) -> None:
    x, labels = _draw(jax.random.key(9), 500, ())
    found = resnet.logits(learnt, x, SHAPE) > 0
    assert np.mean(np.asarray(found) == labels, axis=0).min() > 0.97
    assert all(float(block.weight) != 0.0 for block in learnt.blocks)


@pytest.mark.slow
def test_trainings_repeat_and_seeds_differ(learnt: resnet.Network) -> None:
    again = resnet.fit(jax.random.key(0), _draw, (), SHAPE, 2, 150)
    assert all(
        np.array_equal(a, b)
        for a, b in zip(jax.tree.leaves(learnt), jax.tree.leaves(again), strict=True)
    )
    other = resnet.fit(jax.random.key(1), _draw, (), SHAPE, 2, 1)
    assert not np.array_equal(other.stem, learnt.stem)
