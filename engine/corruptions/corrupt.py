"""Images corrupted by name and severity: bytes in, bytes out, alike in every process and order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from augury.engine.catalog.corruptions import CORRUPTIONS, SEVERITIES
from augury.engine.catalog.entry import load, lookup
from augury.engine.corruptions.draws import Draws
from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import UInt8

BLOCK = 256  # images at a time: bounds the memory, changes no byte


def corrupt(
    images: UInt8[np.ndarray, "n h w c"],
    name: str,
    severity: int,
    indices: Sequence[int] | None = None,
    seed: int = 0,
) -> UInt8[np.ndarray, "n h w c"]:
    """Every image corrupted; its bytes depend on it, its index, the name, severity and seed.

    Args:
        images: [n, h, w, c] with c of 1 or 3; both sides even and at most 128.
        name: of the table of corruptions.
        severity: 1 to 5.
        indices: number of each image in its data set; 0, 1, ... if none are given.
        seed: of the randomness.

    Raises:
        UsageError: an unknown name or severity, or arrays that are no such images.
    """
    card = lookup(CORRUPTIONS, name, "corruption")
    if severity not in SEVERITIES:
        raise UsageError(f"severity is one of 1 to {SEVERITIES[-1]}, got {severity}.")
    _check(images)
    places = range(len(images)) if indices is None else [int(i) for i in indices]
    if len(places) != len(images):
        raise UsageError(f"{len(images)} images need as many indices, got {len(places)}.")
    function = load(card.target)
    found = np.empty_like(images)
    for start in range(0, len(images), BLOCK):
        part = slice(start, start + BLOCK)
        draws = Draws.of(name, seed, places[part])
        x = images[part].astype(np.float32) / np.float32(255.0)
        x = np.clip(function(x, draws, *card.parameters[severity - 1]), 0.0, 1.0)
        found[part] = (x.astype(np.float32) * np.float32(255.0)).astype(np.uint8)
    return found


def _check(images: np.ndarray) -> None:
    shape = np.shape(images)
    good = len(shape) == 4 and shape[3] in (1, 3)
    if not good or images.dtype != np.uint8 or any(s % 2 or not 8 <= s <= 128 for s in shape[1:3]):
        raise UsageError(
            "images are uint8 [n, height, width, 1 or 3 channels] with even sides of 8 to 128, "
            f"got {getattr(images, 'dtype', type(images).__name__)} {list(shape)}."
        )
