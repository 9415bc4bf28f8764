"""Tables of known numbers, printed."""

import pytest

from augury.engine.errors import AuguryError
from augury.engine.goldens.table import Row, data_file, leave, show, show_whole


def test_a_wrong_number_is_marked_and_leaves_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    table = [Row("right", 1.0, 1.25, 0.25), Row("wrong", 1.0, 1.3, 0.25)]
    with pytest.raises(SystemExit, match="^1$"):
        leave(lambda: show(table))
    heading, right, wrong = capsys.readouterr().out.splitlines()
    assert heading.split() == ["golden", "ours", "tolerance"]
    assert right.split() == ["right", "1", "1.25", "0.25", "ok"]
    assert wrong.split() == ["wrong", "1", "1.3", "0.25", "WRONG"]
    assert show(table[:1]) == 0


def test_known_numbers_that_are_not_there_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert data_file("logistic.json").is_file()
    with pytest.raises(AuguryError, match="in a checkout only"):
        data_file("none.json")
    with pytest.raises(SystemExit, match="^1$"):
        leave(lambda: len(str(data_file("none.json"))))
    assert capsys.readouterr().err.startswith("augury: none.json is not there")


def test_a_number_out_of_tolerance_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [Row("one", 1.0, 1.05, 0.1), Row("two", 1.0, 1.2, 0.1), Row("nan", 1.0, float("nan"), 9)]
    assert show_whole(rows, [("a, b", "no code")], width=10) == 1
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in shown[1:4]] == ["ok", "WRONG", "WRONG"]
    assert shown[5:] == [
        "3 numbers, 2 out of tolerance", "of the file, computed nowhere here:", "  a, b: no code",
    ]  # fmt: skip
    assert show_whole(rows[:1], ()) == 0
