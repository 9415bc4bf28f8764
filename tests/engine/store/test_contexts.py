"""Which of a scenario's boards is shown where none is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from augury.engine.store import queries, write
from augury.engine.types import Cell
from tests.engine.store.conftest import kl

PROBLEM = "testbed/d2-l10-t0.1/e{}"


def _cells(count: int, **fields: Any) -> list[Cell]:
    return [Cell("testbed", PROBLEM.format(n), "mlp", **fields) for n in range(count)]


def _shown(con: Any, **params: Any) -> tuple[str, str]:
    meta = queries.run(con, "board", {"scenario": "testbed", **params}).meta
    return meta["context"]["scale"], meta["newest_lacks"]


@pytest.fixture
def two(con: Any, add: Callable[..., Any]) -> Any:
    """A complete board, and a newer one with the first of its cells."""
    add("rold", [(cell, kl(1.0)) for cell in _cells(4)], scale="smoke")
    write.set_run_state(con, "rold", "finished")
    new = _cells(4, settings={"max_steps": 9})
    add("rnew", [(new[0], kl(2.0)), *((cell, None) for cell in new[1:])], scale="quick")
    return con


def test_a_cancelled_run_hides_no_board(two: Any) -> None:
    assert _shown(two) == ("quick", "unfinished")
    write.set_run_state(two, "rnew", "cancelled")
    assert _shown(two) == ("smoke", "cancelled")
    assert _shown(two, scale="quick") == ("quick", "cancelled")
    assert _shown(two, run="rnew") == ("quick", "cancelled")
    meta = queries.run(two, "board", {"scenario": "testbed"}).meta
    assert [context["scale"] for context in meta["contexts"]] == ["quick", "smoke"]
    assert _shown(two, tau=10, kappa=2) == ("smoke", "cancelled")
    write.set_run_state(two, "rnew", "finished")
    assert _shown(two) == ("quick", "")


def test_a_board_without_results_hides_none(con: Any, add: Callable[..., Any]) -> None:
    add("rold", [(_cells(1)[0], kl(1.0))], scale="smoke")
    add("rnew", [(_cells(1, settings={"max_steps": 9})[0], None)], scale="quick")
    assert _shown(con) == ("smoke", "empty")
    write.set_run_state(con, "rold", "cancelled")  # none is whole: any result is better than none
    assert _shown(con) == ("smoke", "empty")


def test_of_boards_without_results_the_newest_is_shown(con: Any, add: Callable[..., Any]) -> None:
    add("rold", [(_cells(1)[0], None)], scale="smoke")
    add("rnew", [(_cells(1, settings={"max_steps": 9})[0], None)], scale="quick")
    assert _shown(con) == ("quick", "empty")
