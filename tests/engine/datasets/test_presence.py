"""Which data sets are here, and what is said of those that are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from augury.engine.catalog.datasets import DATASETS
from augury.engine.datasets.presence import advice, look, sweeps_with, verify

IRIS = DATASETS["iris"]
AWAY = replace(IRIS, bundled=False)  # as one that is not shipped


@pytest.mark.parametrize("name", [name for name, card in DATASETS.items() if card.bundled])
def test_what_is_shipped_is_here_and_right(name: str) -> None:
    found = look(name, DATASETS[name])
    assert (found.state, found.missing) == ("here", ()) and found.size > 1_000
    assert verify(name, DATASETS[name]) == "" and advice(name, DATASETS[name], found) == ""


def test_sweeps_that_need_it() -> None:
    assert sweeps_with("iris") == ("real", "real-quick") and sweeps_with("cmaterdb") == ("real",)


def test_where_nobody_said_where_data_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUGURY_DATA", raising=False)
    found = look("iris", AWAY)
    assert (found.state, found.folder, found.size) == ("absent", "", 0)
    told = advice("iris", AWAY, found)
    assert "Set AUGURY_DATA" in told and "iris.data" in told and IRIS.files[0].url in told


def test_a_file_put_in_its_place_is_found_and_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))
    found = look("iris", AWAY)
    assert found.missing == ("iris.data",) and found.folder == str(tmp_path / "iris")
    assert advice("iris", AWAY, found).startswith(f"Put iris.data into {tmp_path}/iris.")
    (tmp_path / "iris").mkdir()
    (tmp_path / "iris" / "iris.data").write_text("not iris")
    assert (look("iris", AWAY).state, look("iris", AWAY).size) == ("here", 8)
    assert "is damaged" in verify("iris", AWAY)
