"""`augury config`, as a script sees it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.engine.cli.main import main
from augury.engine.paths import config_file


def _run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def _write(text: str) -> Path:
    path = config_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_show_is_toml_that_says_where_each_value_is_from(monkeypatch: pytest.MonkeyPatch) -> None:
    path = _write('theme = "light"\n[keys]\nleaderboard.sort = "f5"\n')
    monkeypatch.setenv("AUGURY_ASCII", "yes")
    found = _run("--no-mouse", "config", "show")
    assert found.exit_code == 0
    assert tomllib.loads(found.stdout) == {
        "theme": "light", "ascii": True, "mouse": False, "keys": {"leaderboard": {"sort": "f5"}},
    }  # fmt: skip
    for words in (str(path), "# AUGURY_ASCII", "# the command line"):
        assert words in found.stdout


def test_path_is_one_line_whether_or_not_it_is_there() -> None:
    assert _run("config", "path").stdout == f"{config_file()}\n" and not config_file().exists()
    assert "(not there)" in _run("config", "show").stdout


def test_keys_lists_ids_with_the_keys_that_hold() -> None:
    _write('[keys]\napp.quit = "Q"\n')
    lines = [line.split()[:2] for line in _run("config", "keys").stdout.splitlines()]
    assert ["app.quit", "Q"] in lines and ["table.down", "down,j"] in lines


@pytest.mark.parametrize(("text", "words", "said"), [
    ('[keys]\napp.qit = "Q"\n', ("config", "show"), "Did you mean 'app.quit'?"),
    ('thme = "dark"\n', ("config", "show"), "Did you mean 'theme'?"),
    ("", ("--theme", "ligt", "config", "show"), "--theme: unknown theme 'ligt'"),
])  # fmt: skip
def test_what_cannot_be_meant_is_one_line_and_two(
    text: str, words: tuple[str, ...], said: str
) -> None:
    _write(text)
    found = _run(*words)
    assert found.exit_code == 2 and found.stdout == ""
    assert said in found.stderr and found.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ['[keys]\napp.qit = "Q"\n', 'thme = "dark"\n', "[[[", "mouse = 3"])
def test_keys_are_listed_whatever_is_wrong_with_the_file(text: str) -> None:
    whole = _run("config", "keys").stdout
    path = _write(text)
    found = _run("config", "keys")
    assert found.exit_code == 0 and found.stdout == whole and "app.quit" in whole
    assert str(path) in found.stderr and found.stderr.count("\n") == 1


def test_where_names_every_place_and_the_preferences() -> None:
    assert _run("where", "config").stdout == f"{config_file()}\n"
    assert str(config_file()) in _run("where").stdout


@pytest.mark.parametrize("words", [(), ("where",), ("leaderboard", "mi"), ("doctor",)])
def test_a_flag_that_cannot_be_meant_is_refused_by_every_command(words: tuple[str, ...]) -> None:
    found = _run("--theme", "pink", *words)
    assert found.exit_code == 2 and found.stdout == ""
    assert "--theme: unknown theme 'pink'" in found.stderr
