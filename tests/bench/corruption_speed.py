"""How long corruptions take, and how far their images lie from the clean ones: printed.

    python -m tests.bench.corruption_speed

On 512 of the shipped images (32 x 32, in colour), each corruption at all five severities. Time is
CPU time of one thread, in milliseconds an image in the mean over severities; distance is PSNR in
decibels, lower the farther. Corruptions whose severities are not in order of it carry a mark.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from augury.engine.catalog.corruptions import CORRUPTIONS, SEVERITIES
from augury.engine.corruptions.corrupt import corrupt
from augury.engine.datasets.pixels import load_pixels

IMAGES = 512
SAME_BYTE = 1e-9  # mean squared error that counts as none


class Measured(NamedTuple):
    """One corruption."""

    name: str
    decibels: tuple[float, ...]  # PSNR at severity 1 to 5
    milliseconds: float  # CPU time an image

    @property
    def ordered(self) -> bool:
        """Whether each severity lies at least as far from the clean images as the one before."""
        return all(a >= b for a, b in zip(self.decibels, self.decibels[1:], strict=False))


def measured() -> Iterator[Measured]:
    """Each corruption in turn."""
    clean = load_pixels("cmaterdb").test_x[:IMAGES]
    for name in CORRUPTIONS:
        began = time.process_time()
        made = [corrupt(clean, name, severity) for severity in SEVERITIES]
        spent = (time.process_time() - began) / len(SEVERITIES) / len(clean) * 1e3
        errors = [np.mean((images.astype(float) - clean) ** 2) for images in made]
        decibels = (float(10 * np.log10(255.0**2 / max(error, SAME_BYTE))) for error in errors)
        yield Measured(name, tuple(decibels), spent)


def show() -> list[Measured]:
    """Print the table as it is measured; returns its rows."""
    print("corruption          PSNR in dB at severity 1 to 5           CPU ms an image")
    found = []
    for row in measured():
        found.append(row)
        mark = "" if row.ordered else "  not in order"
        numbers = " ".join(f"{value:7.2f}" for value in row.decibels)
        print(f"{row.name:18s} {numbers} {row.milliseconds:9.3f}{mark}", flush=True)
    print(f"mean {np.mean([row.milliseconds for row in found]):.3f} ms an image")
    return found


if __name__ == "__main__":
    show()
