"""What corruptions cost, and that those out of order are the ones that the catalog names."""

from __future__ import annotations

import numpy as np
import pytest

from augury.engine.catalog.corruptions import CORRUPTIONS
from tests.bench import corruption_speed

MOST_MS = 2.0  # an image, in the mean over corruptions


@pytest.mark.slow
def test_milliseconds_and_decibels(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print()
        found = corruption_speed.show()
    assert np.mean([row.milliseconds for row in found]) <= MOST_MS
    for row in found:
        assert row.ordered or CORRUPTIONS[row.name].disorder, row.name
