"""Dry runs in words."""

from __future__ import annotations

from typing import Any

from augury.engine.preview_words import costs, said


def _preview(**changes: Any) -> dict[str, Any]:
    return {"total": 1200, "stored": 200, "failed": 0, "new": 1000, "batches": 3, "seconds": 200.0,
            "guessed_seconds": 0.0, "guessed_cells": 0} | changes  # fmt: skip


def test_counts_and_time() -> None:
    assert said(_preview()) == [
        "1,200 cells", "200 already stored", "1,000 new cells in 3 batches", "about 3:20",
    ]  # fmt: skip
    assert costs(_preview(stored=1200, new=0, batches=0)) == []


def test_the_uncertain_part_is_said() -> None:
    some = _preview(guessed_seconds=80.0, guessed_cells=12)
    assert costs(some) == ["about 3:20, 1:20 of it a guess: 12 cells of kinds never timed here"]
    none = _preview(seconds=None, guessed_seconds=None, guessed_cells=1000)
    assert costs(none) == ["time unknown: 1,000 cells of kinds never timed here"]


def test_cells_that_failed_are_named_and_cost_nothing() -> None:
    only = _preview(total=1, stored=0, new=1, failed=1)
    assert costs(only) == ["1 of them failed before: `augury retry --failed` tries again"]
    assert len(costs(_preview(failed=2))) == 2


def test_data_sets_that_are_lacking_are_named() -> None:
    assert costs(_preview(lacking="1 data set is not here.")) == [
        "about 3:20", "1 data set is not here.",
    ]  # fmt: skip
