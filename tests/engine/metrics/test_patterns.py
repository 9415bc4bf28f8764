"""Label-count patterns against sequences counted one by one."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from augury.engine.metrics.patterns import num_patterns, patterns, summable


@pytest.mark.parametrize(
    ("tau", "anchors", "labels"), [(1, 1, 2), (4, 1, 2), (3, 2, 2), (4, 2, 1), (3, 1, 3), (2, 3, 2)]
)
def test_patterns_are_all_sequences_gathered(tau: int, anchors: int, labels: int) -> None:
    places = anchors * labels
    seen = Counter(
        tuple(np.bincount(sequence, minlength=places))
        for sequence in product(range(places), repeat=tau)
    )
    table = patterns(tau, anchors, labels)
    assert len(table.counts) == num_patterns(tau, anchors, labels) == len(seen)
    for counts, log_ways in zip(table.counts.astype(int).tolist(), table.log_ways, strict=True):
        ways = seen[tuple(counts)] / anchors**tau
        assert np.exp(log_ways) == pytest.approx(ways, rel=1e-5)


def test_two_classes_and_two_anchors_of_ten_labels() -> None:
    table = patterns(10, 2, 2)
    assert table.counts.shape == (286, 4)
    weight = table.log_ways + table.counts @ np.log([0.1, 0.9, 0.7, 0.3]).astype(np.float32)
    assert np.exp(weight.astype(float)).sum() == pytest.approx(1.0, abs=1e-6)


def test_what_is_summed() -> None:
    assert summable(1, 0, 2) and summable(10, 2, 2) and summable(10, 1, 2) and summable(10, 2, 1)
    assert not summable(10, 0, 2)
    assert not summable(10, 3, 2)  # 3,003 patterns
    assert not summable(10_000, 10_000, 2)
