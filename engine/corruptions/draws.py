"""Randomness of one block of images: a stream for each image, whoever its neighbours are."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Draws:
    """One generator for each image; every method gives [n, *shape], a part of each stream."""

    streams: tuple[np.random.Generator, ...]

    @classmethod
    def of(cls, name: str, seed: int, indices: Sequence[int]) -> Draws:
        """Streams of one corruption; severities share them, so that an image gets worse."""
        word = zlib.crc32(name.encode()) << 32 | (seed & 0xFFFFFFFF)
        keys = [np.array([word, index], np.uint64) for index in indices]
        return cls(tuple(np.random.Generator(np.random.Philox(key=key)) for key in keys))

    def normal(self, *shape: int) -> np.ndarray:
        """Standard normal."""
        return self._each(lambda rng: rng.standard_normal(shape, np.float32))

    def uniform(self, low: float, high: float, *shape: int) -> np.ndarray:
        """From low to high."""
        unit = self._each(lambda rng: rng.random(shape, np.float32))
        return low + (high - low) * unit

    def integers(self, low: int, high: int, *shape: int) -> np.ndarray:
        """From low to high, which is left out."""
        return self._each(lambda rng: rng.integers(low, high, shape, np.int64))

    def poisson(self, rate: np.ndarray) -> np.ndarray:
        """Counts at these rates."""
        pairs = zip(self.streams, rate, strict=True)
        return np.stack([rng.poisson(mean) for rng, mean in pairs]).astype(np.float32)

    def _each(self, draw: Callable[[np.random.Generator], np.ndarray]) -> np.ndarray:
        return np.stack([draw(rng) for rng in self.streams])
