"""Bicubic resizing against Pillow, whose images published results were made with."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from PIL import Image

from augury.engine.problems.resize import resize, weights


@pytest.mark.parametrize(
    ("shape", "new"), [((56, 140), (64, 64)), ((32, 32), (64, 64)), ((28, 28), (6, 6)),
                       ((56, 140), (80, 96)), ((56, 140), (56, 32))],
)  # fmt: skip
def test_levels_are_those_of_pillow(shape: tuple[int, int], new: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    images = rng.integers(0, 256, (3, *shape), dtype=np.uint8)
    images[0] = np.where(images[0] > 127, 255, 0)  # edges: what overshoots is clipped
    found = np.asarray(resize(jnp.asarray(images, jnp.float32), *new))
    expected = [
        Image.fromarray(i).resize((new[1], new[0]), Image.Resampling.BICUBIC) for i in images
    ]
    apart = np.abs(found - np.stack([np.asarray(e, np.float32) for e in expected]))
    # Pillow adds up in whole numbers: a level may fall on the other side of a half.
    assert apart.max() <= 1 and (apart > 0).mean() < 1e-3


@pytest.mark.parametrize("sizes", [(28, 64), (140, 64), (5, 3)])
def test_weights_of_each_new_pixel_add_to_one(sizes: tuple[int, int]) -> None:
    np.testing.assert_allclose(weights(*sizes).sum(1), 1.0, atol=1e-6)


def test_an_image_of_the_right_size_stays() -> None:
    image = jnp.arange(12.0).reshape(1, 3, 4)
    assert np.array_equal(resize(image, 3, 4), image)
