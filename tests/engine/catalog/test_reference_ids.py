"""The reference's ids against its own index formulas, both ways."""

from __future__ import annotations

import pytest

from augury.engine.catalog.problems import parse
from augury.engine.catalog.reference_ids import find, table
from augury.engine.catalog.sweeps import SWEEPS
from augury.engine.errors import UsageError


def test_every_id_by_its_formula() -> None:
    """i = 180 a + 60 iD + 15 il + 5 iT + s, and i = 210 a + 30 iN + 10 iT + s."""
    dims, ratios, temperatures = [2, 10, 100], [1, 10, 100, 1000], [0.01, 0.1, 0.5]
    rows = [1, 3, 10, 30, 100, 300, 1000]
    lines = {line.reference: line for line in table()}
    assert len(lines) == len(table()) == 360 + 420 + 4 + 7
    for line in table():
        name, _, index = line.reference.partition("/")
        if name.endswith("_test"):
            continue
        card = parse(line.problem)
        columns, late = card.columns(), int(line.tau == 10)
        place = temperatures.index(columns["temperature"])
        if name == "classification":
            at = 60 * dims.index(columns["input_dim"]) + 15 * ratios.index(columns["ratio"])
            expected, half = 180 * late + at + 5 * place + card.unit, 180
            assert line.kappa == (2 if late else 0)
        else:
            at = 30 * rows.index(columns["num_train"])
            expected, half = 210 * late + at + 10 * place + card.unit, 210
            assert line.kappa == 0
        assert int(index) == expected
        assert line.seed == 1 + expected % half


def test_both_ways() -> None:
    """Known places: the two problems whose environments the golden files hold."""
    (first,), (second,) = find("classification/20"), find("classification/80")
    assert (first.problem, first.seed) == ("testbed/d2-l10-t0.1/e0", 21)
    assert (second.problem, second.seed) == ("testbed/d10-l10-t0.1/e0", 81)
    back = [line.reference for line in find("testbed/d10-l10-t0.1/e0")]
    assert back == ["classification/80", "classification/260"]
    (plane,) = find("classification_2d/75")
    assert (plane.problem, plane.seed) == ("testbed/2d-n10-t0.1/e5", 76)
    for line in table():
        assert line in find(line.problem) and find(line.reference) == (line,)


def test_small_sweeps() -> None:
    assert [line.seed for line in find("classification_test")] == [1, 4, 7, 10]
    assert [line.problem for line in find("classification_test")] == [
        f"testbed/d2-l{ratio}-t0.01/e0" for ratio in (1, 10, 100, 1000)
    ]
    assert [line.seed for line in find("classification_2d_test")] == [1, 4, 7, 10, 13, 16, 19]


def test_sweeps_are_the_references_problems() -> None:
    for sweep, count in (("testbed", 180), ("testbed-2d", 210)):
        ours = {problem.id for problem in SWEEPS[sweep].full}
        theirs = {line.problem for line in table() if line.sweep == sweep}
        assert ours == theirs and len(SWEEPS[sweep].full) == count


def test_what_is_no_id() -> None:
    with pytest.raises(UsageError, match="classification/0 to classification/359"):
        find("classification/360")
    with pytest.raises(UsageError, match="has the ids"):
        find("classification/-1")
    with pytest.raises(UsageError, match="Did you mean 'classification'"):
        find("clasification")
    with pytest.raises(UsageError, match="no known form"):
        find("testbed/d10")
    with pytest.raises(UsageError, match="unknown problem id"):
        find("real/iris/n120")
    assert find("testbed/d10-l10-t0.1/e7") == ()  # an environment of our own
