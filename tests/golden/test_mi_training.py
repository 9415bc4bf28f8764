"""Exact critics and trained critics against long averages and runs of the published code."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from augury.engine.catalog.estimators import NEURAL
from augury.engine.goldens import mi, mi_exact, mi_joint
from augury.engine.types import Cell

pytestmark = pytest.mark.slow  # together they compile for minutes

GOLDEN = json.loads((Path(__file__).parent / "data" / "mi.json").read_text())
JOINT = "gaussian|ds=10|MI=4|joint|w256|d2|K=64|lr5e-4|{}"
FOUR_BITS = "mi/gaussian-ds10-4bits"


def test_the_table_holds_the_golden_numbers() -> None:
    for (domain, bits), table in mi.ORACLE.items():
        law = {"gaussian": "gauss", "channel": "bsc"}[domain]
        golden = GOLDEN["oracle"][f"{law}|ds=10|I={bits}|K=64"]
        source = {"nwj": "nwj_at_optimum", "js": "nwj_at_optimum", "js-compat": "nwj"}
        for name, (mean, std) in table.items():
            found = golden[source.get(name, name)]
            assert (mean, std) == (found["mean"], found["std"])


def test_exact_bounds_and_exact_critics() -> None:
    exact = list(mi_exact.rows())
    matrix = len(GOLDEN["exact_bounds"]["values"]) * (3 + 8)  # value, norm, sum, a row of slopes
    assert len(exact) == matrix + len(GOLDEN["bsc"]) + len(GOLDEN["closed_form"])
    rows = [*exact, *mi.oracle(num_batches=250)]  # the command takes 1,000
    assert len(rows) == len(exact) + 4 * 9 + 5 * 2 + 1
    assert [row for row in rows if not row.ok] == []


def test_independent_pairs_with_the_exact_critic() -> None:
    found = mi.oracle_values("gaussian", 0.0, NEURAL, num_batches=10)
    for name, values in found.items():
        offset = -1 / (math.e * math.log(2)) if name == "js-compat" else 0.0  # every other: none
        assert values == pytest.approx(offset, abs=1e-5), name


@pytest.mark.slow  # 25 seconds on two cores
def test_separable_critics_reach_the_published_ratio() -> None:
    rows = list(mi.separable())
    assert len(rows) == 2
    assert [row for row in rows if not row.ok] == []


@pytest.mark.slow  # 40 seconds on two cores
def test_a_joint_critic_learns_as_fast_as_the_published_one() -> None:
    settings = {"num_final": 250, "max_steps": 500, **mi.ONCE}
    ours = mi.ratio(mi.trained(Cell("mi", FOUR_BITS, "dv", {}, settings)))
    golden = GOLDEN["reference_run"][JOINT.format("dv")]["mean_by_250"][1] / 4
    assert ours == pytest.approx(golden, abs=0.05)


@pytest.mark.slow  # 11,000 steps of the full joint critic: 8 minutes on two cores
def test_joint_critics_reach_the_published_ratios() -> None:
    rows = list(mi_joint.rows())
    assert len(rows) == len(GOLDEN["reference_run"]) == 6
    assert {row.tolerance for row in rows} == {0.03}
    assert [row for row in rows if not row.ok] == []
