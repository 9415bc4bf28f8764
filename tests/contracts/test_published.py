"""Published boards: they are read as boards, and each row says whose numbers it has."""

from __future__ import annotations

import pytest

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.store import boards


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_is_read_with_the_columns_of_its_board(scenario: str) -> None:
    table = boards.published(scenario)
    assert table is not None and table.rows and table.meta["published"]
    board = boards.load(scenario)
    assert {"rank", board.subject, board.rank} <= set(table.columns)
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert (boards.LEADERBOARDS / "published" / f"{scenario}.csv").read_text("utf-8")[0] == "#"


def test_rows_of_ppc_say_what_they_rest_on() -> None:
    table = boards.published("ppc")
    assert table is not None
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert {row["source"] for row in rows} == {
        "paper", "ours", "ours, fresh", "ours, reduced", "ours, residual"
    }  # fmt: skip
    for row in rows:
        if row["source"] == "paper":  # of its text: verdicts, and one p-value
            assert row["passes"] in (0.0, 1.0) and row["rank"] is row["sharpness"] is None
        else:
            assert row["replicates"] == 1000 and row["members"] and row["problems"]
            assert row["passed"] == pytest.approx(row["passes"] * row["problems"])
    # Where the paper states a verdict, ours are the same in most environments.
    place = lambda row: tuple(row[name] for name in ("agent", "setting", "mode"))  # noqa: E731
    for source in ("ours", "ours, fresh"):
        ours = {place(row): row for row in rows if row["source"] == source}
        said = [row for row in rows if row["source"] == "paper"]
        assert [round(ours[place(row)]["passes"]) for row in said] == [1, 1, 0, 1]
        assert [row["passes"] for row in said] == [1, 1, 0, 1]
