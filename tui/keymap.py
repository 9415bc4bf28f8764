"""Other keys for actions, as a person prefers them: checked against the table of keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import combinations

from textual.binding import Binding
from textual.keys import Keys, key_to_character

from augury.engine.errors import UsageError
from augury.engine.paths import config_file
from augury.tui.bindings import DIALOGS, KEYS, spelt
from augury.tui.key import Key, Keymap
from augury.tui.key import name as reads

_HELD = ("ctrl", "shift", "alt")
_NAMED = {k.value for k in Keys if "+" not in k.value and "<" not in k.value}
# What is on screen together with a place, beside the whole application.
_BESIDE: Mapping[str, tuple[str, ...]] = {
    "leaderboard": ("table",),
    "row": ("table", "chart"),
    "compare": ("table", "chart"),
    "transfer": ("table", "chart"),
    "heat": ("map",),
    "cell": ("table", "chart", "log"),
    "runs": ("lines", "table", "chart", "log"),
    "launch": ("list",),
    "data": ("lines",),
    "columns": ("list", "dialog"),
    "export": ("choice", "dialog"),
    **{name: ("dialog",) for name in DIALOGS if name not in ("dialog", "columns", "export")},
}


def checked(wanted: Mapping[str, str]) -> dict[str, str]:
    """Ids with keys as Textual names them.

    Raises:
        UsageError: ids or keys are none, or keys would mean two actions in one place; all are told.
    """
    found: dict[str, str] = {}
    wrong: list[str] = []
    for name, keys in wanted.items():
        try:
            found[name] = _meant(name, keys)
        except _Wrong as error:
            wrong.append(str(error))
    shared: dict[str, list[str]] = {}
    for one, other, key in _clashes(found):
        told = shared.setdefault(reads(key), [])
        told += [action.id for action in (one, other) if action.id not in told]
    for key, (one, other, *more) in shared.items():
        too = f", and {', '.join(more)} too" if more else ""
        said = f"key {key!r} would mean both {one} and {other}{too}: give "
        wrong.append(f"{said}{'one of them' if not more else 'what was moved'} another.")
    if wrong:
        raise UsageError(f"{config_file()}: keys: {' '.join(wrong)}")
    return found


class _Wrong(ValueError):
    """What is wrong with one line, in words."""


def _meant(name: str, keys: str) -> str:
    """The keys of one action as Textual names them. Raises `_Wrong`."""
    known = {key.id for key in KEYS if key.action}
    if name not in known:
        near = [key.of for key in KEYS if key.id == name and key.of]
        near = near or get_close_matches(name, sorted(known), n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise _Wrong(f"no action is called {name!r}.{hint} `augury config keys` lists them.")
    return ",".join(dict.fromkeys(_key(name, word) for word in _words(keys)))


def table(keymap: Keymap) -> Iterator[str]:
    """Lines of `augury config keys`: id, keys, what it does."""
    rows = [(k.id, _own(k, keymap), spelt(k.help, keymap)) for k in KEYS if k.action]
    widths = [max(len(row[n]) for row in rows) for n in (0, 1)]
    for name, keys, said in rows:
        yield f"{name:<{widths[0]}}  {keys:<{widths[1]}}  {said}"


def _own(key: Key, keymap: Keymap) -> str:
    return keymap.get(key.id, key.keys)


def _words(keys: str) -> list[str]:
    """Keys between commas; a comma alone is itself a key."""
    if keys.strip() == ",":
        return ["comma"]
    return [word.strip() for word in keys.split(",")]


def _key(name: str, word: str) -> str:
    """One key as Textual names it. Raises `_Wrong`."""
    *held, last = [word] if len(word) == 1 else word.split("+") if word[-1:] != "+" else [word]
    letter = key_to_character(last) if last.isascii() and last else None
    is_key = last in _NAMED or (letter is not None and letter.isprintable()) or len(last) == 1
    wrong = [part for part in held if part not in _HELD]
    if is_key and not wrong:
        return "+".join([*held, *(binding.key for binding in Binding.make_bindings([(last, "")]))])
    part, parts = (wrong[0], _HELD) if wrong else (last, sorted(_NAMED))
    near = get_close_matches(part, parts, n=1, cutoff=0.5)
    hint = f" Did you mean {word.replace(part, near[0])!r}?" if near and part else ""
    raise _Wrong(f"{name} is given {word!r}, which is no key.{hint}")


def _clashes(keymap: Keymap) -> Iterator[tuple[Key, Key, str]]:
    """Pairs of actions that share a key only because of other keys."""
    moved = [k for k in KEYS if k.action and k.id in keymap]
    places = {key.where for key in moved}
    near = [k for k in KEYS if k.action and any(_together(k.where, p) for p in places)]
    for one, other in combinations(near, 2):
        if one.action == other.action or not {one.id, other.id} & set(keymap):
            continue
        if not _together(one.where, other.where):
            continue
        now = set(_own(one, keymap).split(",")) & set(_own(other, keymap).split(","))
        now -= set(one.keys.split(",")) & set(other.keys.split(","))
        if now:
            yield one, other, min(now)


def _together(one: str, other: str) -> bool:
    """Whether keys of two places are listened to at the same time."""
    if one == other or other in _BESIDE.get(one, ()) or one in _BESIDE.get(other, ()):
        return True
    return "app" in (one, other) and not {one, other} & {*DIALOGS, "filter", "choice"}
