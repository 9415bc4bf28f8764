"""Rows sifted and sorted here are those of the same words in SQL."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augury.engine.errors import UsageError
from augury.engine.store import arrange, filters
from augury.engine.store.arrange import Place
from augury.engine.terms import OPERATORS, FilterError

ROWS: list[tuple[Any, ...]] = [
    ("mlp", 0.5, 0, "x"),
    ("ensemble", 0.25, 1, None),
    ("ensemble+", None, 0, "a, b"),
    ("bbb[learning_rate=0.1]", 0.5, 2, "10"),
    ("Zeta", -3.0, None, "é"),
    ("sgmcmc", 1.0, 0, "none"),
]
PLACES = {"agent": Place(0, "text"), "kl": Place(1), "failed": Place(2, flag=True),
          "note": Place(3, "text")}  # fmt: skip
SQL = {
    "agent": filters.Column("agent", "text"),
    "kl": filters.Column("kl"),
    "failed": filters.Column("failed", flag=True),
    "note": filters.Column("note", "text"),
}


def _here(text: str, sort: list[str]) -> list[Any]:
    asked = arrange.split(text, PLACES, {})
    rows = arrange.sift(ROWS, asked.rows, PLACES, 0)
    return [row[0] for row in arrange.ordered(rows, sort, PLACES, ("agent",))]


def _there(text: str, sort: list[str]) -> list[Any]:
    clause = filters.compile_terms(filters.parse(text), SQL, "agent")
    con = duckdb.connect()
    con.execute("CREATE TABLE t (agent VARCHAR, kl DOUBLE, failed BIGINT, note VARCHAR)")
    con.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", ROWS)
    order = filters.order(sort, SQL, ("agent",))
    sql = f"SELECT agent FROM t WHERE {clause.sql} ORDER BY {order}"
    return [row[0] for row in con.execute(sql, dict(clause.params)).fetchall()]


_NUMBERS = ("0.5", "-3", "0", "1", "0.25,2", "none")
_TEXTS = ("ens", "MLP", '"a, b"', "x", "none", "é", "mlp,Zeta")
_TERMS = [f"{c}{o.sign}{v}" for c in ("agent", "note") for o in OPERATORS for v in _TEXTS]
_TERMS += [
    f"{c}{o.sign}{v}" for c in ("kl", "failed") for o in OPERATORS
    if o.sign not in ("~", "!~") for v in _NUMBERS
    if o.sign in ("=", "!=") or v[0] in "-015" and "," not in v
]  # fmt: skip
_TERMS += ["ens", "eb", "b[l", '"failed"', "failed", "+", "lr", "Ze", "rate]"]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.builds(str.__add__, st.sampled_from(["", "!"]), st.sampled_from(_TERMS)),
             max_size=3),
    st.lists(st.builds(str.__add__, st.sampled_from(["", "-"]), st.sampled_from(list(PLACES))),
             max_size=2),
)  # fmt: skip
def test_as_in_sql(terms: list[str], sort: list[str]) -> None:
    text = " ".join(terms)
    assert _here(text, sort) == _there(text, sort)


def test_letters_in_order_within_one_word_of_the_name() -> None:
    assert _here("esmb", []) == ["ensemble", "ensemble+"]
    assert _here("bb0", []) == []
    assert _here('"esmb"', []) == []


@pytest.mark.parametrize("find", [_here, _there])
def test_none_is_what_is_missing_or_says_so(find: Any) -> None:
    assert find("note=none", []) == ["ensemble", "sgmcmc"]
    assert find("note!=none failed=0", []) == ["ensemble+", "mlp"]
    assert find("!note=none failed=0", []) == ["ensemble+", "mlp"]
    assert find("kl=none", []) == ["ensemble+"]


def test_terms_on_problems_are_the_stores() -> None:
    asked = arrange.split(
        "mlp  input_dim=10 kl<1 !region=gap", PLACES, {"input_dim": "number", "region": "text"}
    )
    assert [term.name for term in asked.rows] == ["mlp", "kl"]
    assert asked.problem_text == "input_dim=10 !region=gap"
    assert arrange.of_problems("testbed", "mlp kl_t1<1 temperature<.1") == "temperature<.1"
    assert arrange.of_problems("ppc", "setting~d10 ties~best") == ""
    with pytest.raises(FilterError, match="input_dim is compared with a number"):
        arrange.of_problems("testbed", "input_dim=ten")


def test_the_column_that_ranks_has_a_short_name() -> None:
    places = {"kl_t1": PLACES["kl"], "kl_t10_k2": PLACES["kl"]}
    (term,) = arrange.split("!kl<1", places, {}, "kl_t10_k2").rows
    assert (term.name, term.negated, term.end) == ("kl_t10_k2", True, 5)
    assert arrange.split("kl<1", PLACES, {}, "kl_t10_k2").rows[0].name == "kl"  # is a column here
    assert not arrange.split("kl", places, {}, "kl_t10_k2").rows[0].op  # a free word stays one
    with pytest.raises(FilterError, match="unknown column in the filter 'k'"):
        arrange.split("k<1", places, {}, "kl_t10_k2")


@pytest.mark.parametrize(
    ("text", "wrong"), [("mlp klx<1 x", "klx<1"), ("x kl<abc", "kl<abc"), ("<1 y", "<1 y")]
)
def test_errors_point_at_the_term(text: str, wrong: str) -> None:
    with pytest.raises(FilterError) as caught:
        arrange.sift(ROWS, arrange.split(text, PLACES, {}).rows, PLACES, 0)
    assert text[caught.value.start : caught.value.end] == wrong
    if "abc" in text:
        clause = pytest.raises(FilterError, filters.compile_terms, filters.parse(text), SQL, "x")
        assert clause.value.start == caught.value.start


def test_a_column_that_is_none_sorts_nothing() -> None:
    with pytest.raises(UsageError, match="unknown column to sort by 'x'"):
        arrange.ordered(ROWS, ["-x"], PLACES, ())
