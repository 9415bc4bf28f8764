"""Decodable information of real items beside the published benchmark's; needs AUGURY_DATA."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from augury.engine.catalog.problems import TextProblem
from augury.engine.information.decodable import decodable

GOLDEN = json.loads((Path(__file__).parent / "data" / "mi.json").read_text())["text_truth"]
STAGES = (2.0, 4.0, 6.0, 8.0, 10.0)


@pytest.mark.slow  # eigenvectors of 768 columns, five times: 20 seconds
def test_reviews_by_bert(own_data: Callable[[str], None]) -> None:
    own_data("imdb/bert")
    for value, bits in zip(decodable(TextProblem("bert", 10, STAGES)), STAGES, strict=True):
        golden = GOLDEN["bert"][f"I={bits:g}"]
        # Another split into folds, and log losses of a few doubtful reviews: 1 % of the value.
        assert value.value == pytest.approx(golden, abs=0.01 * golden + 3 * value.stderr)
        assert value.value < bits and value.stderr < 0.02 * bits
