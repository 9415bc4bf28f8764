"""Published curves of mutual information beside rows of a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from augury.engine.store import queries
from augury.engine.types import JSON, Cell, MetricRow

STEPWISE = "2-4-6-8-10bits"
BITS = (2.0, 4.0, 6.0, 8.0, 10.0)


def _rows(medians: Sequence[float | None], bits: Sequence[float] = BITS) -> list[MetricRow]:
    found = []
    for value, true in zip(medians, bits, strict=True):
        lost = 1_000.0 if value is None else 7.0 * (true == 10.0)
        fields: dict[str, Any] = {"split": f"{true:g}bits", "num_samples": 1_000}
        reason = "diverged: none of the last 1000 values is finite" if value is None else ""
        found += [
            MetricRow("mi_true", true, **fields),
            MetricRow("mi_median", value, reason=reason, **fields),
            MetricRow("mi_std", None if value is None else 0.5, reason=reason, **fields),
            MetricRow("mi_diverged", lost, **fields),
        ]
    return found


def _claims(con: Any, **params: Any) -> list[dict[str, Any]]:
    return list(queries.run(con, "claims", {"scenario": "mi", **params}).dicts())


def test_medians_of_all_seeds_beside_the_published_one(con: Any, add: Callable[..., Any]) -> None:
    problem = f"mi/gaussian-ds10-{STEPWISE}"
    medians = {
        0: [1.90, 3.90, 5.90, 9.00, 50.0],
        1: [1.96, 3.90, 5.00, None, None],
        2: [1.96, 3.90, 5.30, None, None],
    }  # fmt: skip
    add("rone", [(Cell("mi", problem, "dv", seed=s), _rows(v)) for s, v in medians.items()],
        "mi-published")  # fmt: skip
    found = _claims(con)
    assert [(r["estimator"], r["domain"], r["bits"]) for r in found] == [
        ("dv", "gaussian", bits) for bits in BITS
    ]
    first, second, third, fourth, fifth = found
    assert (first["published"], first["seeds"], first["steps"]) == (0.96771, 3, 4_000)
    assert first["ratio"] == pytest.approx((0.95 + 0.98 + 0.98) / 3)
    assert first["ratio_stderr"] == pytest.approx(0.01)
    assert first["std"] == 0.5
    assert second["ratio_stderr"] == pytest.approx(0.0)
    assert (first["holds"], second["holds"], third["holds"]) == ("yes", "yes", "no")
    # Published as .984; beyond 6 bits dv diverges there too, and only that is counted.
    assert third["ratio"] == pytest.approx(0.9)
    assert [(r["expected"], r["holds"]) for r in (fourth, fifth)] == [("diverges", None)] * 2
    assert (fourth["ratio"], fourth["diverged"], fifth["diverged"]) == (None, 2_000, 2_007)
    assert fourth["reason"] == "diverged: none of the last 1000 values is finite"


def test_what_is_expected_follows_the_bound(con: Any, add: Callable[..., Any]) -> None:
    problem = f"mi/gaussian-ds10-{STEPWISE}"
    cells = [(Cell("mi", problem, name), _rows(BITS)) for name in ("nwj", "mine", "js-compat")]
    add("rone", cells, "mi-published")
    found = {(r["estimator"], r["bits"]): r["expected"] for r in _claims(con)}
    assert found["nwj", 8.0] == "within 0.05" and found["nwj", 10.0] == "diverges"
    assert found["mine", 10.0] == found["js-compat", 10.0] == "within 0.05"


def test_only_the_published_problem_at_the_configs_of_the_sweep(
    con: Any, add: Callable[..., Any]
) -> None:
    """A wider Gaussian, a cubic one and a small critic are other curves."""
    narrow: dict[str, JSON] = {"width": 64}
    cells = [
        (Cell("mi", f"mi/gaussian-ds20-{STEPWISE}", "dv"), _rows(BITS)),
        (Cell("mi", f"mi/gaussian-ds10-cubic-{STEPWISE}", "dv"), _rows(BITS)),
        (Cell("mi", f"mi/gaussian-ds10-{STEPWISE}", "dv", narrow), _rows(BITS)),
        (Cell("mi", f"mi/text-roberta-ds10-{STEPWISE}", "dv"), _rows(BITS)),
        (Cell("mi", "mi/gaussian-ds10-4bits", "infonce"), _rows([3.4], [4.0])),
    ]
    add("rone", cells, "mi-published")
    (only,) = _claims(con)
    assert (only["estimator"], only["bits"], only["steps"]) == ("infonce", 4.0, 20_000)
    assert only["holds"] == "yes"  # published: .856


def test_a_store_without_medians_says_so(con: Any, add: Callable[..., Any]) -> None:
    rows = [row for row in _rows([1.9], [2.0]) if row.metric != "mi_median"]
    add("rone", [(Cell("mi", "mi/gaussian-ds10-2bits", "dv"), rows)], "mi-published")
    (row,) = _claims(con)
    assert (row["ratio"], row["holds"]) == (None, "no")
    assert row["reason"] == "no median is stored: evaluated before there was one"
    assert _claims(con, sweep="mi-gaussian") == []
