"""`augury serve` without its extra."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from augury.engine.catalog.entry import Extra
from augury.engine.cli import serve
from augury.engine.cli.main import main


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "NEEDED", (Extra("no_such_module", "no-such-package"),))
    said = CliRunner().invoke(main, ["serve"])
    assert said.exit_code == 2 and said.stdout == ""
    assert re.search("pip install .*no-such-package$", said.stderr.strip())
