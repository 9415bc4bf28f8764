"""How long corruptions take, and how far their images lie from the clean ones: printed.

Run with `./test -m slow -s tests/bench/test_corruptions_bench.py`.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

from augury.engine.catalog.corruptions import CORRUPTIONS, SEVERITIES
from augury.engine.corruptions.corrupt import corrupt
from augury.engine.datasets.pixels import load_pixels

MOST_MS = 2.0  # an image, in the mean over corruptions


@pytest.mark.slow
def test_milliseconds_and_decibels(capsys: pytest.CaptureFixture[str]) -> None:
    clean = load_pixels("cmaterdb").test_x[:512]
    spent = []
    with capsys.disabled():
        print("\ncorruption          PSNR in dB at severity 1 to 5           CPU ms an image")
        for name in CORRUPTIONS:
            found = []
            began = time.process_time()
            for severity in SEVERITIES:
                error = (corrupt(clean, name, severity).astype(float) - clean) ** 2
                found.append(10 * np.log10(255.0**2 / max(error.mean(), 1e-12)))
            spent.append((time.process_time() - began) / len(SEVERITIES) / len(clean) * 1e3)
            print(f"{name:18s}", *(f"{value:7.2f}" for value in found), f"{spent[-1]:9.3f}")
        print(f"mean {np.mean(spent):.3f} ms")
    assert np.mean(spent) < MOST_MS
