"""Suggested commands name the program as it was called and the store they need."""

import shlex
from pathlib import Path

import click
import pytest

from augury.engine.cli.hints import as_called, hint
from augury.engine.cli.options import open_store


def hint_in(store: str | None) -> list[str]:
    """What a command of that `--store` suggests."""
    with click.Context(click.Command("augury")):
        open_store(store)
        return shlex.split(hint("attach", "r1"))


def test_the_default_store_goes_without_saying() -> None:
    assert hint_in(None) == ["augury", "attach", "r1"]


def test_another_store_is_named_and_survives_a_shell(tmp_path: Path) -> None:
    assert hint_in(f"{tmp_path}/a b")[-2:] == ["--store", f"{tmp_path}/a b"]


def test_the_program_is_called_as_the_person_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUGURY_PROGRAM", "./augury")
    assert hint_in(None)[0] == "./augury"


def test_outside_a_command_there_is_a_hint_as_well() -> None:
    assert hint("run", "quick") == "augury run quick"


def test_what_errors_suggest_is_called_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "2 are not here. To fetch: `augury data fetch a b`, or `augury data list` shows them."
    assert as_called(said) == said
    monkeypatch.setenv("AUGURY_PROGRAM", "./augury")
    assert as_called(said) == said.replace("`augury", "`./augury")
    assert as_called("none: first augury run real") == "none: first ./augury run real"
