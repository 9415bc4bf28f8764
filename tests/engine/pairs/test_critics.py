"""Critics on rows they have not seen, in the process that trains them."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest

from augury.engine.pairs.critics import FOLDS, batch_size, parts_of
from augury.engine.pairs.worker import answer


def test_parts_are_disjoint_and_scored_once() -> None:
    scored = []
    for fold in range(FOLDS):
        parts = parts_of(203, fold, 7)
        together = np.concatenate(parts)
        assert sorted(together) == list(range(203))
        assert len(parts.choose) >= 2 * batch_size(203) <= len(parts.score)
        scored.append(parts.score)
    assert sorted(np.concatenate(scored)) == list(range(203))


def asked(names: list[str], kinds: list[str], num_steps: int) -> dict[str, object]:
    return {"names": names, "kinds": kinds, "seed": 0, "num_steps": num_steps,
            "parent": os.getppid()}  # fmt: skip


def test_what_critics_learn_holds_on_other_rows() -> None:
    x, noise = np.random.default_rng(0).normal(size=(2, 1_500, 1)).astype(np.float32)
    y = 0.8 * x + 0.6 * noise
    rows = {"given/x": x, "given/y": y, "independence/x": x[:750], "independence/y": y[750:]}
    found = answer(rows, asked(["nwj", "kl-dime"], ["given", "independence"], 240))
    true = -0.5 * math.log(1 - 0.64)
    nwj, nothing = found["given"]["nwj"], found["independence"]["nwj"]
    assert nwj["rows"] == 5 * (300 // nwj["pairs"]) * nwj["pairs"]
    assert true - 0.15 < nwj["value"] < true + 3 * nwj["stderr"]
    assert nothing["value"] < 3 * nothing["stderr"] and nothing["value"] > -0.2
    assert found["given"]["kl-dime"]["value"] == pytest.approx(true, abs=0.2)


@pytest.mark.slow
def test_intervals_of_all_usual_bounds_hold_what_they_should() -> None:
    x, noise = np.random.default_rng(1).normal(size=(2, 8_000, 2)).astype(np.float32)
    rows = {"given/x": x, "given/y": 0.8 * x + 0.6 * noise}
    found = answer(rows, asked(["infonce", "nwj", "smile-5"], ["given"], 2_000))["given"]
    true = -math.log(1 - 0.64)
    for name, value in found.items():
        assert true - 0.06 < value["value"] < true + 3 * value["stderr"], name
