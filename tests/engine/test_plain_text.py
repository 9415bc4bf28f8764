"""What a terminal could take for a command is spelt out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from augury.engine.plain_text import visible
from augury.engine.store import queries
from augury.engine.types import Cell
from tests.engine.store.conftest import add, con

__all__ = ["add", "con"]
WIPES = "wipe \x1b[2J\x1b]0;title\x07 \x9bmore\x7f"


def test_control_characters_are_spelt_out() -> None:
    assert visible(WIPES) == r"wipe \x1b[2J\x1b]0;title\x07 \x9bmore\x7f"
    assert visible("a\tb\nc é ✖") == "a\tb\nc é ✖"


@pytest.mark.parametrize(
    ("name", "params"),
    [("states", {}), ("failures", {}), ("board", {"scenario": "testbed"}), ("cell", {})],
)
def test_a_store_that_holds_them_commands_no_terminal(
    con: Any, add: Callable[..., Sequence[Cell]], name: str, params: dict[str, str]
) -> None:
    cell = Cell("testbed", "testbed/d2-l1-t0.1/e0", "mlp", {}, {}, 0)
    add("r1", [(cell, WIPES)])
    if name == "cell":
        params = {"cell": cell.cell_id}
    found = str(list(queries.run(con, name, params).rows))
    assert "wipe" in found and "\\x1b" not in found and "\\x07" not in found
