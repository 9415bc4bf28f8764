"""Exit codes, and the report of what nobody expected."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from augury.engine.cli.failure import exit_code
from augury.engine.errors import EngineError, StoreError, StoreLockedError, UsageError


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("a"), 2),
        (StoreError("a"), 1),
        (EngineError("a"), 1),
        (StoreLockedError("a"), 4),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (SystemExit(3), 3),
        (SystemExit(), 0),
        (SystemExit("a"), 1),
        (click.UsageError("a"), 2),
        (PermissionError(13, "Permission denied", "/x"), 1),
    ],
)
def test_exit_codes(error: BaseException, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(error) == code
    assert capsys.readouterr().err.count("\n") <= 1


def test_a_message_of_several_lines_is_shown_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code(StoreError("first\nsecond\r\n   third"))
    assert capsys.readouterr().err == "augury: first second third\n"


def test_a_bug_is_one_line_and_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise ZeroDivisionError("by design")
    except ZeroDivisionError as error:
        assert exit_code(error) == 1
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    match = re.search(r"a report is in (\S+\.txt)\)", shown)
    assert match
    assert "Traceback" in Path(match[1]).read_text()
    assert "by design" in Path(match[1]).read_text()


def test_a_bug_without_a_place_for_its_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    assert exit_code(ZeroDivisionError("x")) == 1
    assert "no report could be written" in capsys.readouterr().err
