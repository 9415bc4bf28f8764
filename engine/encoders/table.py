"""Encoders by name: how each is made of images, and what it makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from augury.engine.encoders import flow, irevnet, maf, realnvp
from augury.engine.encoders.shape import Shape


class Invertible(NamedTuple):
    """A map of images that loses nothing: what two images share, their codes share."""

    fit: Callable[..., Any]  # (key, images [n, size], shape) -> params
    forward: Callable[..., Any]  # (params, x [n, size], shape) -> (z [n, size], log |det| [n])
    inverse: Callable[..., Any]  # (params, z [n, size], shape) -> x [n, size]


def _flow(layer: flow.Layer) -> Invertible:
    def forward(params: Any, x: Any, shape: Shape) -> Any:
        return flow.forward(layer, params, x)

    def inverse(params: Any, z: Any, shape: Shape) -> Any:
        return flow.inverse(layer, params, z)

    return Invertible(partial(flow.fit, layer), forward, inverse)


INVERTIBLE: Mapping[str, Invertible] = {
    "irevnet": Invertible(irevnet.fit, irevnet.forward, irevnet.inverse),
    "realnvp": _flow(realnvp.LAYER),
    "maf": _flow(maf.LAYER),
}
