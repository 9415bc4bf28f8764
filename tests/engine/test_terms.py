"""The filter language held against a problem's own columns."""

from __future__ import annotations

import re

import pytest

from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand
from augury.engine.terms import keeps, parse

VALUES = {"input_dim": 10, "temperature": 0.1, "setting": "d10-l10-t0.1", "file": None}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", True),
        ("input_dim=10", True),
        ("input_dim=2,10", True),
        ("input_dim!=2,10", False),
        ("!input_dim=2", True),
        ("temperature<=0.1 input_dim>5", True),
        ("temperature<0.1", False),
        ("temperature=.1", True),
        ("setting~L10", True),
        ("setting!~t0.5", True),
        ("setting=d10-l10-t0.1", True),
        ("e3", True),
        ("!e3", False),
        ("file=none", True),
        ("file=x", False),
        ("file!=none", False),
    ],
)
def test_terms_hold(text: str, kept: bool) -> None:
    assert keeps(parse(text), VALUES, "testbed/d10-l10-t0.1/e3") is kept


def test_a_number_is_compared_with_a_number() -> None:
    with pytest.raises(UsageError, match="input_dim is compared with a number, got 'ten'"):
        keeps(parse("input_dim<ten"), VALUES, "")


def test_a_run_of_some_problems_of_a_sweep() -> None:
    chosen = Selection(("testbed",), ("mlp",), filter="input_dim=10 ratio<=10 environment=0,1")
    found = {p.cell.problem for p in expand(chosen)}
    ratios, temperatures = (1, 10), ("0.01", "0.1", "0.5")
    assert found == {
        f"testbed/d10-l{r}-t{t}/e{e}" for r in ratios for t in temperatures for e in (0, 1)
    }
    assert {p.sweep for p in expand(chosen)} == {"testbed"}
    assert Selection.from_json(chosen.to_json()) == chosen


def test_columns_of_any_chosen_sweep_may_be_named() -> None:
    found = {p.cell.scenario for p in expand(Selection(("quick",), filter="input_dim=10"))}
    assert found == {"testbed"}
    with pytest.raises(UsageError, match="unknown column of a problem in --filter 'input_dims'"):
        expand(Selection(("quick",), filter="input_dims=10"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("!mlp", "'mlp' is none: give --agent mlp"),
        ('input_dim=10 "ensemble+"', "give --agent ensemble"),
        ("agent~mlp", "name each agent with --agent"),
        ("zzz", "no problem has 'zzz' in its id, such as testbed/d2-"),
        ("!failed", "no problem has 'failed' in its id"),
    ],
)
def test_words_that_are_in_no_problem(words: str, told: str) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        expand(Selection(("quick",), filter=words))


def test_words_that_are_in_some_problem() -> None:
    for words in ("d10", "!d10", "IRIS", "temperature=0.1 e1"):
        assert expand(Selection(("quick",), filter=words))


def test_files_are_not_filtered() -> None:
    chosen = Selection(("testbed",), ("mlp",), problem_files=(("a", "0f", "/a.npz"),), filter="a")
    with pytest.raises(UsageError, match="--filter does not go with --problem"):
        expand(chosen)
