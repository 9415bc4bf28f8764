"""A board that is wider than the terminal."""

from __future__ import annotations

import re

import pytest

from augury.engine.cli.blocks import blocks
from augury.engine.store.render import render
from augury.engine.store.table import Table

NAMES = ("kl_t1", "kl_t10_iid", "kl_t10_k2", "accuracy")
META = {
    "title": "Testbed",
    "subject": "agent",
    "context": {"sweep": "testbed", "scale": "full", "settings": {}},
    "titles": {
        name: {"title": name, "stderr": f"{name}_stderr", "wide": False, "unit": "", "better": ""}
        for name in NAMES
    },
}
COLUMNS = ("rank", "agent", *(c for n in NAMES for c in (n, f"{n}_stderr")), "seconds", "reason")
TABLE = Table(
    COLUMNS,
    [
        (1, "ensemble", *(0.125, 0.0125) * 4, 2.5, None),
        (None, "mlp", *(0.25, 0.025) * 4, 1.5, "why"),
    ],
    META,
)


@pytest.mark.parametrize("width", [30, 40, 60, 80])
def test_every_line_fits_and_no_column_is_lost(width: int) -> None:
    parts = blocks(TABLE, width)
    text = "\n".join(render(part, "table") for part in parts)
    assert max(map(len, text.splitlines()[1:])) <= width  # the first line is the caption
    for name in NAMES:
        assert len(re.findall(rf"\b{name}\b", text)) == 1
    assert text.count("Testbed") == 1
    assert text.count("mlp: why") == 1
    assert text.count("ensemble") == len(parts)


def test_what_belongs_to_a_number_stays_with_it() -> None:
    titles = {
        name: {"title": name, "stderr": "", "wide": False, "low": f"{name}_low",
               "high": f"{name}_high", "size": "ess"} for name in ("a", "b")
    } | {"ess": {"title": "ess", "stderr": "", "wide": True}}  # fmt: skip
    columns = ("agent", "a", "a_low", "a_high", "b", "b_low", "b_high", "ess")
    table = Table(columns, [("mlp", 0.5, 0.4, 0.6, 0.7, 0.6, 0.8, 3.0)], {"titles": titles})
    first, second = (render(part, "table") for part in blocks(table, 25))
    assert "!0.50 [0.40, 0.60]" in first and "!0.70 [0.60, 0.80]" in second
    assert "numbers with !" in first and "ess" not in first + second


def test_a_board_that_fits_is_left_alone() -> None:
    (part,) = blocks(TABLE, 200)
    assert render(part, "table") == render(TABLE, "table")


def test_other_tables_are_never_cut() -> None:
    table = Table(("a" * 50, "b" * 50), [(1, 2)])
    assert blocks(table, 20) == [table]
