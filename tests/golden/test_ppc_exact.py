"""Every number of goldens/ppc.json that needs no random draw, and which ones nobody computes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from augury.engine.goldens.ppc_drawn import drawn
from augury.engine.goldens.ppc_exact import exact, given, known, left_out
from augury.engine.problems import normal

EXACT = list(exact())


def test_every_number_is_in_the_table_or_is_left_out_for_a_reason() -> None:
    rows = [*EXACT, *drawn()]
    assert [row for row in rows if not row.ok] == []
    assert len({row.name for row in rows}) == len(rows)
    computed = {row.name.removesuffix(" (largest gap)").partition(", ")[0] for row in rows}
    computed |= {name.replace("/cvm_limit/", "/cvm_limit_quantiles_of_n*integral/")
                 for name in computed}  # fmt: skip
    names = {*given(), *(name for names in left_out().values() for name in names)}
    ends = tuple(f"/{name}" for name in names)
    missing = {
        place
        for place in _numbers("", known())
        if place not in computed
        and not place.endswith(ends)
        and place.rpartition("/")[0] not in computed  # one number for each mode
    }
    assert missing == set()


def _numbers(place: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _numbers(f"{place}/{name}" if place else name, part)
    elif not isinstance(value, str):
        yield place


@pytest.mark.parametrize("row", EXACT, ids=lambda row: row.name)
def test_exact(row: Any) -> None:
    assert row.ours == pytest.approx(row.golden, abs=row.tolerance)


def test_limit_error_grows_with_theta_up_to_a_third() -> None:
    grid = np.linspace(0.0, 8.0, 401)
    assert (np.diff(normal.limit_error(grid)) > 0).all()
    assert (np.diff(normal.limit_error_levels(grid, 9)) > 0).all()
    assert normal.limit_error(40.0) == pytest.approx(1 / 3, abs=1e-12)


def test_the_independent_mode_has_a_limit_for_one_mean_only() -> None:
    latent, fresh = normal.NormalProblem("latent", 10), normal.NormalProblem("iid", 10)
    for theta in (0.0, 0.5, 2.0):
        assert normal.limit_p_value(latent, theta, "independent") == 1.0
    assert normal.limit_p_value(fresh, None, "bayesian") == 0.0
    assert normal.limit_p_value(fresh, None, "independent") is None
