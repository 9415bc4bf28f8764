"""Agents from outside: resolved and hashed by the client, never imported there."""

from pathlib import Path

import pytest

from augury.engine.batching import batch_key
from augury.engine.catalog.outside import resolve
from augury.engine.catalog.scenarios import entry_of
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand


def test_a_file_is_hashed_and_its_code_is_identity(tmp_path: Path) -> None:
    file = tmp_path / "coin.py"
    file.write_text("def make_agent(): ...\nraise SystemExit('imported')\n")
    first = resolve(f"{file}:make_agent")
    assert first is not None and first[0] == "coin.make_agent"
    cells = expand(Selection(("testbed-quick",), (first[0],), outside=(first,)))
    assert entry_of(cells[0].cell).target == "augury.engine.agents.outside:make_agent"
    assert batch_key(cells[0].cell)
    file.write_text("make_agent = None  # changed\n")
    second = resolve(f"{file}:make_agent")
    assert second is not None
    again = expand(Selection(("testbed-quick",), (second[0],), outside=(second,)))
    assert cells[0].cell.cell_id != again[0].cell.cell_id


@pytest.mark.parametrize("word", ["missing.py:make_agent", "missing.py:3"])
def test_a_file_that_cannot_be_meant_is_refused(word: str) -> None:
    with pytest.raises(UsageError):
        resolve(word)


def test_a_plain_name_is_nobody_elses() -> None:
    assert resolve("ensemble") is None


def test_scenarios_without_the_contract_take_no_outside_agent(tmp_path: Path) -> None:
    file = tmp_path / "coin.py"
    file.write_text("def make_agent(): ...\n")
    found = resolve(f"{file}:make_agent")
    assert found is not None
    with pytest.raises(UsageError, match="no subject of mi"):
        expand(Selection(("mi-quick",), (found[0],), outside=(found,)))
