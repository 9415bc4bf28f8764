"""`augury serve` without its extra."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from augury.engine.cli import serve
from augury.engine.cli.main import main


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "NEEDED", ("no_such_module",))
    said = CliRunner().invoke(main, ["serve"])
    assert said.exit_code == 1 and said.stdout == ""
    assert said.stderr.strip().endswith("pip install 'augury[serve]'.")
