"""Random numbers of a named stream, without JAX."""

from __future__ import annotations

from zlib import crc32

import numpy as np


def draws(name: str, seed: int) -> np.random.Generator:
    """NumPy's generator of the stream of this name; others do not change it."""
    return np.random.default_rng([crc32(f"pairs/{name}".encode()), seed])
