"""What a person prefers of the terminal application: flags, else environment, else a file.

The file is `config.toml` in the XDG configuration directory. `FIELDS` documents every field once:
`augury config show` and the README are made from it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints

from augury.engine.errors import UsageError, unknown
from augury.engine.paths import config_file

THEMES = ("dark", "light", "safe", "ansi")
FLAG = "the command line"  # as a source
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
# Consoles and emulations whose fonts have no more than their code page.
_OLD = ("linux", "ansi", "cons25", "vt52", "vt100", "vt102", "vt220")


@dataclass(frozen=True, slots=True)
class Preferences:
    """Each with its help; None leaves the choice to the application."""

    theme: str | None = field(default=None, metadata={"help": (
        "dark, light, safe (told apart with any kind of colour vision) or ansi (the terminal's own "
        "colours). Unset: what key t chose last, dark at first; ansi where NO_COLOR is set or "
        "there are 16 colours."
    )})  # fmt: skip
    ascii: bool | None = field(default=None, metadata={"help": (
        "Plain ASCII for every sign, border and chart. Unset: where the locale is C or not UTF-8, "
        "and on consoles that know no other signs."
    )})  # fmt: skip
    mouse: bool = field(default=True, metadata={"help": (
        "Take mouse events. Off, the terminal selects text without shift."
    )})  # fmt: skip
    keys: Mapping[str, str] = field(default_factory=dict, metadata={"help": (
        "Other keys for actions: `augury config keys` lists their ids. Several keys are separated "
        "by commas: leaderboard.sort = \"o,f5\"."
    )})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Preferred:
    """Preferences, and for each field what it comes from."""

    values: Preferences
    sources: Mapping[str, str]


def choose(
    flags: Mapping[str, Any], environ: Mapping[str, str] = os.environ, path: Path | None = None
) -> Preferred:
    """Put together what flags (None: not given), environment and file say.

    Raises:
        UsageError: one of them cannot be meant.
    """
    path = path or config_file()
    kinds = get_type_hints(Preferences)
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for name, value in _read(path).items():
        if name not in kinds:
            raise _at(path, unknown("preference", name, kinds))
        values[name], sources[name] = _checked(name, value, f"{path}: {name}"), str(path)
    for one in fields(Preferences):
        variable = f"AUGURY_{one.name.upper()}"
        said = environ.get(variable, "")
        if said and one.name != "keys":
            values[one.name] = _checked(one.name, _word(one.name, said), variable)
            sources[one.name] = variable
        if flags.get(one.name) is not None:
            values[one.name] = _checked(one.name, flags[one.name], f"--{one.name}")
            sources[one.name] = FLAG
    return Preferred(Preferences(**values), sources)


def check_flags(flags: Mapping[str, Any]) -> None:
    """Raise `UsageError` for a flag that cannot be meant, whether or not it will be used."""
    for name, value in flags.items():
        if value is not None:
            _checked(name, value, f"--{name}")


def is_plain(wanted: bool | None, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether to write ASCII: as wanted, else by what the terminal is said to show."""
    if wanted is not None:
        return wanted
    said = next((v for n in ("LC_ALL", "LC_CTYPE", "LANG") if (v := environ.get(n))), "C.UTF-8")
    utf8 = said.lower().replace("-", "").partition("@")[0].endswith(".utf8")
    return not utf8 or environ.get("TERM", "").partition("-")[0] in _OLD


def toml(chosen: Preferred) -> str:
    """As a file that says the same, with a word on where each value is from."""
    lines = []
    for one in fields(Preferences):
        value, source = getattr(chosen.values, one.name), chosen.sources.get(one.name, "default")
        if one.name == "ascii" and value is None:
            source = f"as the terminal is: {_text(is_plain(None))} here"
        if one.name == "keys":
            lines += ["", f"[keys]  # {source}"]
            pairs = chosen.values.keys.items()
            lines += [f"{_name(name)} = {_text(keys)}" for name, keys in pairs]
        else:
            said = "# unset: " if value is None else ""
            shown = "" if value is None else _text(value)
            lines.append(f"{said}{one.name}{' = ' if not said else ''}{shown:<10}  # {source}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}.") from None
    import tomllib  # most people have no file

    try:
        return tomllib.loads(text.decode())
    except ValueError as error:  # no TOML, or no UTF-8
        raise UsageError(f"{path} is no TOML: {error}.") from None


def _word(name: str, said: str) -> Any:
    """What an environment variable means for a field."""
    low = said.lower()
    if name == "theme":
        return said
    return True if low in _YES else False if low in _NO else said


def _checked(name: str, value: Any, where: str) -> Any:
    if name == "keys":
        return dict(_flat(value, where))
    if name == "theme":
        if value not in THEMES:
            raise UsageError(f"{where}: {unknown('theme', str(value), THEMES).message}")
    elif not isinstance(value, bool):
        raise UsageError(f"{where} is true or false, got {value!r}.")
    return value


def _flat(value: Any, where: str) -> list[tuple[str, str]]:
    """`{"leaderboard": {"sort": "o"}}`, as TOML reads leaderboard.sort, to pairs."""
    if not isinstance(value, dict):
        raise UsageError(f"{where} is a table of ids and keys, got {value!r}.")
    found: list[tuple[str, str]] = []
    for name, inner in value.items():
        if isinstance(inner, dict):
            found += [(f"{name}.{rest}", keys) for rest, keys in _flat(inner, f"{where}.{name}")]
        elif isinstance(inner, str) and inner.strip():
            found.append((name, inner))
        else:
            raise UsageError(f"{where}.{name} is a text that names keys, got {inner!r}.")
    return found


def _at(path: Path, error: UsageError) -> UsageError:
    return UsageError(f"{path}: {error.message}")


def _name(name: str) -> str:
    bare = all(part.replace("_", "").replace("-", "").isalnum() for part in name.split("."))
    return name if bare else _text(name)


def _text(value: Any) -> str:
    import json

    return str(value).lower() if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)
