"""Speed and memory of checks: 1,000 replicates of 10,000 rows, 10 classes, 50 members.

Prints figures (`pytest -m slow -s tests/bench/test_checks_bench.py`); what it asserts is memory,
which does not depend on what else the machine does. CPU seconds are of one thread: a check uses
no other, so two of them fit two cores.
"""

from __future__ import annotations

import time
import tracemalloc
from typing import Any

import numpy as np
import pytest

from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import BLOCK, check
from augury.engine.statistics.classes import categorical_mixture
from augury.engine.statistics.mixture import normal_mixture
from augury.engine.statistics.predictive import MODES

MEMBERS, ROWS, CLASSES, REPLICATES = 50, 10_000, 10, 1_000
LABELS = ("accuracy", "ece", "brier", "nll", "classwise_ece", "adaptive_ece", "cumulative_error")
NUMBERS = ("calibration", "picp90", "cvm", "bias", "lag1")
pytestmark = pytest.mark.slow
rng = np.random.default_rng


def test_labels() -> None:
    """Together the two that the scenario asks for, then one by one."""
    probs = rng(0).dirichlet(np.full(CLASSES, 0.5), (MEMBERS, ROWS))
    labels = rng(1).integers(CLASSES, size=ROWS)
    started = time.process_time()
    model = categorical_mixture(probs)
    built = time.process_time() - started
    size = f"{MEMBERS} members, {ROWS:,} rows, {CLASSES} classes, S={REPLICATES:,}"
    print(f"\n{size}; build {built:.2f} CPU s")
    _measure(model, labels, ("accuracy", "ece"), REPLICATES)
    for name in LABELS:
        _measure(model, labels, (name,), REPLICATES)


def test_numbers() -> None:
    """A hundredth of the replicates: each asks every member for a distribution function."""
    mean = rng(0).normal(size=(MEMBERS, ROWS))
    model = normal_mixture(mean, np.ones(mean.shape))
    y = rng(1).normal(size=ROWS)
    few = REPLICATES // 100
    print(f"\n{MEMBERS} members, {ROWS:,} rows of numbers, S={few}")
    for name in NUMBERS:
        _measure(model, y, (name,), few)


def _measure(model: Any, observed: np.ndarray, names: tuple[str, ...], size: int) -> None:
    statistics = bind(names, model)
    for mode in MODES:
        started = time.process_time()
        check(model, observed, statistics, mode, size, rng(2), rng(3))
        spent = time.process_time() - started
        tracemalloc.start()
        try:  # as many replicates as two blocks hold: more take no more memory
            check(model, observed, statistics, mode, 2 * BLOCK // ROWS, rng(2), rng(3))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        print(f"  {'+'.join(names):20} {mode:12} {spent:7.3f} CPU s {peak / 2**20:7.0f} MiB beside")
        assert peak < 10 * 8 * BLOCK
