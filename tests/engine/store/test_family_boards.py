"""Boards of checks and of mutual information: what is counted, and what is averaged where."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from augury.engine.store import queries
from augury.engine.types import Cell, MetricRow


def test_corruptions_are_passed_by_severity_statistic_mode_and_recalibration(
    con: Any, add: Callable[..., Any]
) -> None:
    """Three corruptions of one severity: how many pass, and ranks of each statistic on its own."""
    ways = {
        "bayesian/accuracy/none": (1, 1, 0), "bayesian/ece/none": (1, 0, 0),
        "independent/accuracy/none": (0, 1, 0), "independent/ece/temperature": (1, 1, 1),
    }  # fmt: skip
    cells = []
    for place, name in enumerate(("fog", "snow", "frost")):
        rows = []
        for split, passes in ways.items():
            rows.append(MetricRow("passes", float(passes[place]), split=split))
            rows.append(MetricRow("ece15", 0.1 * (1 + place), split=split))
            rows.append(MetricRow("fails_high", 1.0 - passes[place], split=split))
        cells.append((Cell("ppc", f"ppc/cmaterdb-n600-m60-s3/{name}", "mlp-ensemble"), rows))
    add("rone", cells, "ppc-corruptions")
    table = queries.run(con, "board", {"scenario": "ppc", "by": ["severity"]})
    found = {(r["mode"], r["statistic"], r["recalibration"]): r for r in table.dicts()}
    assert len(found) == len(table.rows) == 4
    for split, passes in ways.items():
        mode, statistic, recalibration = split.split("/")
        row = found[mode, statistic, recalibration]
        assert (row["passed"], row["problems"], row["severity"]) == (sum(passes), 3, 3.0)
        assert row["passes"] == pytest.approx(sum(passes) / 3)
        assert row["fails_high"] == 3 - sum(passes)
        assert row["ece15"] == pytest.approx(0.2)
    ranks = {key: row["rank"] for key, row in found.items()}
    assert ranks["bayesian", "accuracy", "none"] == 1 < ranks["independent", "accuracy", "none"]
    assert ranks["independent", "ece", "temperature"] == 1 < ranks["bayesian", "ece", "none"]


def test_mi_averages_stages_within_a_seed(con: Any, add: Callable[..., Any]) -> None:
    def rows(offset: float) -> list[MetricRow]:
        return [
            MetricRow(metric, value, 0.01, split=f"{bits:g}bits", num_samples=500)
            for bits in (2.0, 4.0)
            for metric, value in (("mi", bits + offset), ("mi_true", bits),
                                  ("mi_ratio", 1 + offset / bits),
                                  ("mi_miss", abs(offset / bits)), ("mi_square", offset**2))
        ]  # fmt: skip

    offsets = (-0.2, 0.1, 0.4)
    cells = [Cell("mi", "mi/gaussian-ds10-2-4bits", "dv", seed=s) for s in range(3)]
    add("rone", [(c, rows(o)) for c, o in zip(cells, offsets, strict=True)], "mi-gaussian")
    row = next(queries.run(con, "board", {"scenario": "mi"}).dicts())
    per_seed = np.array([np.mean([o / 2, o / 4]) for o in offsets]) + 1
    assert (row["estimate"], row["true"]) == pytest.approx((3.1, 3.0))
    assert row["true_stderr"] == 0.0
    assert (row["domain"], row["rmse"]) == ("gaussian", pytest.approx(np.sqrt(0.07)))
    assert row["ratio"] == pytest.approx(per_seed.mean())
    assert row["ratio_stderr"] == pytest.approx(per_seed.std(ddof=1) / np.sqrt(3))
    assert (row["problems"], row["seeds"], row["coverage"]) == (1, 3, "3/3")
