"""Encoders that can be undone: there and back, volumes against derivatives, not by the batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.catalog.problems.mi_encoded import INVERTIBLE as NAMES
from augury.engine.encoders import maf
from augury.engine.encoders.irevnet import halves
from augury.engine.encoders.shape import Shape, maps, rows, squeeze, unsqueeze
from augury.engine.encoders.table import INVERTIBLE
from augury.engine.errors import UsageError

pytestmark = pytest.mark.slow  # together they compile for minutes

SHAPE = Shape(1, 8, 8)
ROWS = 4


def _images(number: int, shape: Shape = SHAPE, seed: int = 0) -> np.ndarray:
    """Mostly dark, as digits are; a pixel is always."""
    drawn = np.random.default_rng(seed).random((number, shape.size))
    drawn = np.where(drawn > 0.6, drawn, 0.0)
    drawn[:, 0] = 0.0
    return drawn


class Made(NamedTuple):
    """An encoder whose functions are compiled once, for `ROWS` images in double precision."""

    name: str
    fit: Any  # (seed) -> parameters
    forward: Any  # (parameters, images) -> codes and volumes
    inverse: Any
    slopes: Any  # (parameters, images) -> derivative at each


@pytest.fixture(scope="module", params=NAMES)
def made(request: pytest.FixtureRequest) -> Iterator[Made]:
    """In double precision rounding hides nothing."""
    encoder = INVERTIBLE[request.param]
    seen = _images(200)

    def fit(seed: Any) -> Any:
        return encoder.fit(jax.random.key(seed), jnp.asarray(seen), SHAPE)

    def forward(params: Any, x: Any) -> Any:
        return encoder.forward(params, x, SHAPE)

    def slopes(params: Any, x: Any) -> Any:
        return jax.vmap(jax.jacfwd(lambda row: forward(params, row[None])[0][0]))(x)

    def inverse(params: Any, z: Any) -> Any:
        return encoder.inverse(params, z, SHAPE)

    with jax.enable_x64(True):
        yield Made(request.param, *map(jax.jit, (fit, forward, inverse, slopes)))


def test_the_table_has_the_encoders_of_the_catalog() -> None:
    assert set(INVERTIBLE) == set(NAMES)


def test_there_and_back_is_where_it_was(made: Made) -> None:
    params, x = made.fit(0), _images(ROWS, seed=1)
    z, _ = made.forward(params, x)
    assert z.dtype == jnp.float64 and z.shape == x.shape
    assert 0.3 < float(jnp.abs(z - x).mean())  # it is no identity
    np.testing.assert_allclose(made.inverse(params, z), x, atol=1e-10)
    # And from anywhere: every code is that of an image.
    code = np.random.default_rng(2).normal(size=x.shape)
    np.testing.assert_allclose(made.forward(params, made.inverse(params, code))[0], code, atol=1e-8)


def test_log_determinants_are_those_of_the_derivative(made: Made) -> None:
    params, x = made.fit(0), _images(ROWS, seed=3)
    told = made.forward(params, x)[1]
    found = np.linalg.slogdet(made.slopes(params, x))[1]
    np.testing.assert_allclose(found, told, atol=1e-8)
    assert (made.name == "irevnet") == bool(np.allclose(told, 0.0))


def test_a_code_is_a_function_of_its_image_alone(made: Made) -> None:
    params, x = made.fit(0), _images(ROWS, seed=4)
    others = np.concatenate([x[:1], _images(ROWS - 1, seed=5)])
    codes = [made.forward(params, rows)[0] for rows in (x, others)]
    np.testing.assert_allclose(codes[0][0], codes[1][0], atol=1e-12)
    assert np.abs(codes[0][1:] - codes[1][1:]).mean() > 0.1


def test_seeds_differ_and_repeat(made: Made) -> None:
    one, again, other = (jax.tree.leaves(made.fit(seed)) for seed in (0, 0, 1))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not any(np.allclose(a, b) for a, b in zip(one, other, strict=True) if a.ndim > 1)


def test_images_behind_the_moments_have_unit_codes(made: Made) -> None:
    if made.name == "irevnet":  # standardises in front of its blocks
        return
    seen = _images(200)
    codes = np.concatenate(
        [made.forward(made.fit(0), seen[at : at + ROWS])[0] for at in range(0, 200, ROWS)]
    )
    np.testing.assert_allclose(codes.mean(0), 0.0, atol=1e-10)
    scale = codes.std(0)  # a pixel that is always dark stays so: the floor of a variance
    assert scale.max() <= 1.0 and np.median(scale) > 0.9


@pytest.mark.parametrize(("size", "width"), [(5, 9), (6, 3), (1, 4)])
def test_masks_let_no_number_see_itself_or_a_later_one(size: int, width: int) -> None:
    paths = np.eye(size)
    for mask in maf.masks(size, width):
        paths = paths @ mask
    shift, log_scale = np.split(paths, 2, axis=1)
    assert np.array_equal(shift, log_scale)
    assert not np.tril(shift).any()  # input i reaches output j only where i < j
    if width >= size - 1:
        assert np.triu(shift, 1).astype(bool).sum() == size * (size - 1) // 2


def test_pixels_become_channels_and_come_back() -> None:
    x = np.arange(2 * 3 * 4 * 6.0).reshape(2, -1)
    seen = maps(jnp.asarray(x), Shape(3, 4, 6))
    assert seen.shape == (2, 4, 6, 3) and float(seen[0, 1, 2, 0]) == 8.0  # row 1, column 2
    small = squeeze(seen)
    assert small.shape == (2, 2, 3, 12)
    assert set(np.asarray(small[0, 1, 2]).tolist()) == set(
        np.asarray(seen[0, 2:4, 4:6]).ravel().tolist()
    )
    assert np.array_equal(unsqueeze(small), seen) and np.array_equal(rows(seen), x)


@pytest.mark.parametrize(("side", "times"), [(8, 2), (32, 4), (64, 5), (224, 5), (60, 2)])
def test_how_often_resolution_is_halved(side: int, times: int) -> None:
    assert halves(Shape(1, side, side)) == times


@pytest.mark.parametrize("side", [4, 30, 33])
def test_images_that_cannot_be_halved_are_refused(side: int) -> None:
    with pytest.raises(UsageError, match=f"multiples of 4, at least 8, not {side} x {side}"):
        halves(Shape(1, side, side))
