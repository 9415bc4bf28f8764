"""The filter language: read, compiled, and never spliced."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augury.engine.errors import UsageError
from augury.engine.store import filters
from augury.engine.store.filters import Column, Term

COLUMNS = {
    "agent": Column("agent", "text"),
    "kl": Column("kl"),
    "failed": Column("failed", flag=True),
}
ROWS = "(VALUES ('mlp', 0.5, 0), ('ensemble', 0.2, 1), ('ensemble+', NULL, 0)) t(agent, kl, failed)"


def _kept(text: str) -> list[str]:
    clause = filters.compile_terms(filters.parse(text), COLUMNS, "agent")
    found = duckdb.execute(
        f"SELECT agent FROM {ROWS} WHERE {clause.sql} ORDER BY agent", dict(clause.params)
    )
    return [row[0] for row in found.fetchall()]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ["ensemble", "ensemble+", "mlp"]),
        ("ENS", ["ensemble", "ensemble+"]),
        ("!ens", ["mlp"]),
        ("agent~ens kl<0.5", ["ensemble"]),
        ("kl < 0.5", ["ensemble"]),
        ("!kl<0.5", ["ensemble+", "mlp"]),
        ("kl>=0.2 kl<=0.5", ["ensemble", "mlp"]),
        ("failed", ["ensemble"]),
        ("!failed", ["ensemble+", "mlp"]),
        ("failed=0", ["ensemble+", "mlp"]),
        ('"failed"', []),
        ("agent=mlp,ensemble", ["ensemble", "mlp"]),
        ("agent!=mlp", ["ensemble", "ensemble+"]),
        ('agent="ensemble+"', ["ensemble+"]),
        ("agent!~+", ["ensemble", "mlp"]),
        ("kl=none", ["ensemble+"]),
        ("kl!=none", ["ensemble", "mlp"]),
        ("kl>-1e3", ["ensemble", "mlp"]),
        ("mlp' OR 'a'='a", []),
        ("agent=x');DROP", []),
    ],
)
def test_keeps(text: str, kept: list[str]) -> None:
    if "OR" in text:
        with pytest.raises(UsageError):
            _kept(text)  # "'a'" is no column
    else:
        assert _kept(text) == kept


def test_parse_names_the_parts() -> None:
    assert filters.parse('agent~ens  !failed "two words" kl<=-0.5') == (
        Term("agent", "~", "ens"),
        Term("failed", negated=True),
        Term("two words", quoted=True),
        Term("kl", "<=", "-0.5"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kll<1", "unknown column in the filter 'kll'. Did you mean 'kl'"),
        ("kl<small", "kl is compared with a number, got 'small'"),
        ("<3", "cannot read the filter"),
        ("kl<", "cannot read the filter"),
        ('agent="x', "cannot read the filter"),
    ],
)
def test_errors_help(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        _kept(text)
    assert message in caught.value.message


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_a_filter_or_a_usage_error(text: str) -> None:
    try:
        kept: Any = _kept(text)
    except UsageError:
        return
    assert set(kept) <= {"mlp", "ensemble", "ensemble+"}


@given(st.text(alphabet=st.characters(exclude_characters='"', exclude_categories=("Cs", "Cc"))))
def test_quoted_values_are_found_as_they_are(value: str) -> None:
    clause = filters.compile_terms(filters.parse(f'agent="{value}"'), COLUMNS, "agent")
    expected = value.split(",") if value != "none" else []
    assert list(clause.params.values()) == expected


def test_order_puts_missing_last_and_is_total() -> None:
    assert filters.order("-kl,agent", COLUMNS, ["agent"]) == (
        '"kl" IS NULL, "kl" DESC, "agent" IS NULL, "agent", "agent" IS NULL, "agent"'
    )
    with pytest.raises(UsageError, match="Did you mean 'failed'"):
        filters.order(["fail"], COLUMNS, [])
