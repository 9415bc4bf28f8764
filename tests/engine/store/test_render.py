"""Tables as text."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from augury.engine.store import render
from augury.engine.store.table import Table

TABLE = Table(
    ("rank", "agent", "kl", "kl_stderr", "seconds", "done", "reason"),
    [
        (1, "ensemble+", 0.0512345, 0.00213, 12.5, 3, None),
        (None, "50%_off|x", None, None, None, 0, "3 failed (ValueError: bad)"),
    ],
    {
        "subject": "agent",
        "title": "Testbed",
        "context": {"sweep": "testbed", "scale": "full", "settings": {"max_steps": 5}},
        "titles": {"kl": {"title": "KL τ=1", "stderr": "kl_stderr", "wide": False}},
    },
)


@pytest.mark.parametrize(
    ("value", "stderr", "text"),
    [
        (0.123456, 0.0123, "0.123 ± 0.012"),
        (0.123456, None, "0.1235"),
        (1234.5, 98.7, "1234 ± 99"),
        (1234.5, 987.6, "1230 ± 990"),
        (-0.0004, 0.0021, "-0.0004 ± 0.0021"),
        (1.0, 0.0, "1 ± 0"),
        (3, None, "3"),
        (0.999964, None, "0.999964"),  # a p-value that is not one
        (0.99996, 0.0, "0.99996 ± 0"),
        (1.00004, None, "1.00004"),
        (0.0995, 0.00999, "0.0995 ± 0.0100"),
        (1e-12, 1e-13, "1e-12 ± 1e-13"),
        (None, 0.1, "—"),
        (float("nan"), 0.1, "nan"),
        ("word", None, "word"),
    ],
)
def test_number(value: float | None, stderr: float | None, text: str) -> None:
    assert render.number(value, stderr) == text


def test_plain_table() -> None:
    assert render.render(TABLE, "table") == (
        "Testbed (testbed, full, max_steps=5)\n"
        "rank  agent               KL τ=1  seconds\n"
        "────  ─────────  ───────────────  ───────\n"
        "   1  ensemble+  0.0512 ± 0.0021     12.5\n"
        "   —  50%_off|x                —        —\n"
        "50%_off|x: 3 failed (ValueError: bad)\n"
    )


def test_words_that_no_row_says_have_no_column() -> None:
    rows = [("mlp", "", 0.5), ("ensemble", None, 0.25)]
    meta = {"subject": "agent", "titles": {"kl": {"title": "KL", "wide": False}}}
    table = Table(("agent", "statistic", "kl"), rows, meta)
    assert render.shown(table) == [("agent", "agent"), ("kl", "KL")]
    assert render.shown(Table(table.columns, [*rows, ("x", "ece", 1.0)], meta))[1][0] == "statistic"
    assert render.blank(Table(table.columns, [], meta)) == frozenset()


def test_markdown() -> None:
    assert render.render(TABLE, "markdown") == (
        "| rank | agent | KL τ=1 | seconds |\n"
        "|--:|---|--:|--:|\n"
        "| 1 | ensemble+ | 0.0512 ± 0.0021 | 12.5 |\n"
        "| — | 50%_off\\|x | — | — |\n"
        "\n"
        "- 50%_off|x: 3 failed (ValueError: bad)\n"
    )


def test_latex() -> None:
    text = render.render(TABLE, "latex")
    assert r"rank & agent & KL $\tau$=1 & seconds \\" in text
    assert r"50\%\_off|x & --- & --- \\" in text and r"0.0512 $\pm$ 0.0021" in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 1


def _limited(**more: object) -> Table:
    titles = {"kl": {"title": "KL", "stderr": "kl_stderr", "wide": False, "size": "ess"},
              "ess": {"title": "ESS", "stderr": "", "wide": True}}  # fmt: skip
    rows = [(1, "mlp", 0.5, 0.01, 10.0), (2, "bbb", 0.75, 0.01, 9.9), (3, "x", None, None, 2.0),
            (4, "knn", 0.9, 0.01, None)]  # fmt: skip
    return Table(
        ("rank", "agent", "kl", "kl_stderr", "ess"), rows, {"titles": titles, "title": "T", **more}
    )


@pytest.mark.parametrize("fmt", render.FORMATS)
def test_numbers_of_few_effective_samples_are_marked(fmt: str) -> None:
    text = render.render(_limited(), fmt)
    if fmt.endswith("-full"):  # as a CSV of all digits: the sample size has a column of its own
        assert "!" not in text and "9.9" in text
        return
    assert "!0.750" in text and text.count("!0.") == 1
    legend = "numbers with ! are estimator-limited: effective sample size below 10"
    assert (legend in text) == (fmt not in ("csv-shown", "json-shown"))  # which are rows only


def test_no_mark_no_legend() -> None:
    table = _limited()
    good = Table(table.columns, [table.rows[0], table.rows[3]], table.meta)
    assert "!" not in render.render(good, "table")
    assert render.legend(good) == "" == render.ranked_within(good)


def test_ranks_that_begin_anew_say_so() -> None:
    said = "ranks are within each setting and kappa"
    table = _limited(ranked_within=["setting", "kappa"])
    assert said in render.render(table, "table")
    chosen = Table(("agent",), [("mlp",)], table.meta)
    assert said not in render.render(chosen, "table")  # no rank, nothing to say


def test_a_table_that_is_no_board_and_an_empty_one() -> None:
    assert render.render(Table(("a", "b"), [(1, "x")]), "table") == "a  b\n─  ─\n1  x\n"
    assert render.render(Table(("a",), []), "table") == "a\n─\n"


def test_json_and_back() -> None:
    rows = [(1, 0.5, None, "x", True, datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), Decimal("1.5"),
             float("inf"), [1, {"a": b"\x01"}])]  # fmt: skip
    table = Table(tuple("abcdefghi"), rows, {"title": "t"})
    back = Table.from_json(json.loads(json.dumps(table.to_json(), allow_nan=False)))
    assert back.columns == table.columns and back.meta == {"title": "t"}
    assert back.rows == [(1, 0.5, None, "x", True, "2026-01-02T03:04:05Z", 1.5, "inf",
                          [1, {"a": "01"}])]  # fmt: skip
    assert Table.from_json(back.to_json()) == back


def test_wide_characters_take_two_columns() -> None:
    names = ("mlp", "模型[名=値]", "e\u0301te\u0301")
    text = render.render(Table(("agent", "値"), [(name, 0.5) for name in names]), "table")
    assert text.splitlines() == [
        "agent         値",
        "───────────  ───",
        "mlp          0.5",
        "模型[名=値]  0.5",
        "e\u0301te\u0301          0.5",
    ]
