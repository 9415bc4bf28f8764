"""Preferences: which of flag, environment and file wins, and what cannot be meant."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from augury.engine.errors import UsageError
from augury.engine.paths import ROOT
from augury.engine.preferences import THEMES, Preferences, choose, is_plain, toml


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(text, "utf-8")
    return path


def test_flags_win_over_environment_over_file(tmp_path: Path) -> None:
    path = _file(tmp_path, 'theme = "light"\nascii = true\nmouse = false\n')
    flags, environ = {"theme": "safe", "ascii": None}, {"AUGURY_THEME": "ansi", "AUGURY_MOUSE": "1"}
    found = choose(flags, environ, path)
    assert found.values == Preferences("safe", True, True)
    assert found.sources == {"theme": "the command line", "ascii": str(path),
                             "mouse": "AUGURY_MOUSE"}  # fmt: skip
    assert choose({}, {}, tmp_path / "none").values == Preferences()


def test_what_is_shown_says_the_same_when_it_is_read(tmp_path: Path) -> None:
    text = '[keys]\nleaderboard.sort = "o"\n[keys.app]\nquit = "Q, f10"\n'
    found = choose({"ascii": False}, {"AUGURY_THEME": "dark"}, _file(tmp_path, text))
    shown = toml(found)
    again = choose({}, {}, _file(tmp_path, shown))
    assert again.values == found.values
    assert again.values.keys == {"leaderboard.sort": "o", "app.quit": "Q, f10"}
    assert "# AUGURY_THEME" in shown and "# the command line" in shown
    assert tomllib.loads(toml(choose({}, {}, tmp_path / "none"))) == {"mouse": True, "keys": {}}


@pytest.mark.parametrize(("text", "said"), [
    ('them = "dark"', "unknown preference 'them'. Did you mean 'theme'?"),
    ('theme = "drak"', "unknown theme 'drak'. Did you mean 'dark'?"),
    ("theme = 3", "theme: unknown theme '3'"),
    ('mouse = "often"', "mouse is true or false, got 'often'"),
    ("ascii = 1", "ascii is true or false, got 1"),
    ('keys = "s"', "keys is a table of ids and keys"),
    ("[keys]\napp.quit = 3", "keys.app.quit is a text that names keys, got 3"),
    ('theme = "dark', "is no TOML"),
])  # fmt: skip
def test_what_cannot_be_meant_names_file_and_field(tmp_path: Path, text: str, said: str) -> None:
    path = _file(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        choose({}, {}, path)
    assert said in caught.value.message and caught.value.message.startswith(str(path))
    assert "\n" not in caught.value.message and caught.value.exit_code == 2


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        choose({}, {}, tmp_path)
    (tmp_path / "config.toml").write_bytes(b"theme = '\xff'")
    with pytest.raises(UsageError, match="is no TOML"):
        choose({}, {}, tmp_path / "config.toml")


def test_flags_and_variables_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="^--theme: unknown theme 'x'"):
        choose({"theme": "x"}, {}, tmp_path / "none")
    with pytest.raises(UsageError, match="^AUGURY_ASCII is true or false, got 'perhaps'"):
        choose({}, {"AUGURY_ASCII": "perhaps"}, tmp_path / "none")


@pytest.mark.parametrize(("environ", "plain"), [
    ({}, False),
    ({"LANG": "C"}, True),
    ({"LANG": "C", "LC_ALL": "C.UTF-8"}, False),
    ({"LANG": "de_DE.UTF-8", "LC_CTYPE": "POSIX"}, True),
    ({"LANG": "de_DE.utf8@euro"}, False),
    ({"LANG": "de_DE.ISO-8859-1"}, True),
    ({"LANG": "C.UTF-8", "TERM": "linux"}, True),
    ({"LANG": "C.UTF-8", "TERM": "vt220"}, True),
    ({"LANG": "C.UTF-8", "TERM": "xterm-256color"}, False),
])  # fmt: skip
def test_terminals_without_utf8_get_ascii(environ: dict[str, str], plain: bool) -> None:
    assert is_plain(None, environ) is plain
    assert is_plain(True, environ) and not is_plain(False, environ)


def test_themes_are_four() -> None:
    assert THEMES == ("dark", "light", "safe", "ansi")


def test_the_readme_says_what_the_fields_say() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for one in fields(Preferences):
        assert f"| `{one.name}` | {one.metadata['help']} |" in text
        assert one.name == "keys" or f"`AUGURY_{one.name.upper()}`" in text
