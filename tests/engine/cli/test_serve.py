"""`augury serve` without its extra."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from augury.engine.catalog.entry import Extra
from augury.engine.cli import serve
from augury.engine.cli.main import main
from augury.engine.paths import config_file


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "NEEDED", (Extra("no_such_module", "no-such-package"),))
    said = CliRunner().invoke(main, ["serve"])
    assert said.exit_code == 2 and said.stdout == ""
    assert re.search("pip install .*no-such-package$", said.stderr.strip())


def test_flags_reach_the_tabs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen = {}
    monkeypatch.setattr(serve, "NEEDED", ())
    monkeypatch.setattr(serve, "load", lambda _target: lambda *_args: seen.update(os.environ))
    monkeypatch.setattr(os, "environ", dict(os.environ))
    words = ["--theme", "light", "--no-mouse", "serve", "--store", str(tmp_path)]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert (seen["AUGURY_THEME"], seen["AUGURY_MOUSE"]) == ("light", "False")
    assert "AUGURY_ASCII" not in seen
    assert CliRunner().invoke(main, ["--theme", "drak", "serve"]).exit_code == 2


@pytest.mark.parametrize("text", ['theme = "pink"\n', '[keys]\napp.qit = "Q"\n'])
def test_preferences_that_no_tab_starts_with_are_refused(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(serve, "NEEDED", ())
    config_file().parent.mkdir(parents=True, exist_ok=True)
    config_file().write_text(text, "utf-8")
    said = CliRunner().invoke(main, ["serve", "--store", str(tmp_path)])
    assert said.exit_code == 2 and str(config_file()) in said.stderr


def test_a_store_that_no_tab_can_show_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(serve, "NEEDED", ())
    (tmp_path / "results.duckdb").write_text("no database")
    said = CliRunner().invoke(main, ["serve", "--store", str(tmp_path)])
    assert said.exit_code == 1 and str(tmp_path) in said.stderr and said.stdout == ""
