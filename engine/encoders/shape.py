"""Images between flat rows, as pairs hold them, and maps, as networks see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import jax.numpy as jnp

if TYPE_CHECKING:
    from jaxtyping import Array, Float


class Shape(NamedTuple):
    """Of an image: a flat row has its channels first."""

    channels: int
    height: int
    width: int

    @property
    def size(self) -> int:
        """Numbers in an image."""
        return self.channels * self.height * self.width


def maps(x: Float[Array, "n size"], shape: Shape) -> Float[Array, "n h w c"]:
    """Rows as maps, channels last."""
    return jnp.moveaxis(x.reshape(-1, *shape), 1, -1)


def rows(x: Float[Array, "n h w c"]) -> Float[Array, "n size"]:
    """Maps as rows, channels first."""
    return jnp.moveaxis(x, -1, 1).reshape(len(x), -1)


def squeeze(x: Float[Array, "n h w c"]) -> Float[Array, "n h/2 w/2 4*c"]:
    """Blocks of 2 x 2 pixels as channels."""
    n, h, w, c = x.shape
    blocks = x.reshape(n, h // 2, 2, w // 2, 2, c)
    return jnp.moveaxis(blocks, 2, 3).reshape(n, h // 2, w // 2, 4 * c)


def unsqueeze(x: Float[Array, "n h w c"]) -> Float[Array, "n 2*h 2*w c/4"]:
    """The inverse of `squeeze`."""
    n, h, w, c = x.shape
    blocks = x.reshape(n, h, w, 2, 2, c // 4)
    return jnp.moveaxis(blocks, 3, 2).reshape(n, 2 * h, 2 * w, c // 4)
