"""Parts of a split: one reading in Python, in SQL and back."""

from __future__ import annotations

import duckdb
import pytest

from augury.engine.catalog import splits
from augury.engine.store.board import BY

SPLITS = ("bayesian", "independent", "bayesian/ece/none", "independent/accuracy/temperature")


@pytest.mark.parametrize("split", [*SPLITS, "", "none", "temperature", "train"])
def test_sql_reads_it_alike(split: str) -> None:
    query = f"SELECT {', '.join(BY[n] for n in splits.PARTS)} FROM (SELECT ? AS split) r"
    with duckdb.connect() as connection:
        [found] = connection.execute(query, [split]).fetchall()
    assert dict(zip(splits.PARTS, found, strict=True)) == splits.parts_of(split)


@pytest.mark.parametrize("split", SPLITS)
def test_and_back(split: str) -> None:
    assert splits.split_of(splits.parts_of(split)) == split
