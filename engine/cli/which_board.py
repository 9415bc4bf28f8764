"""Which of a store's boards is meant by a word, and which one is shown where there are several."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from augury.engine.catalog.names import FILES, SCENARIO_NAMES, TABLES
from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint
from augury.engine.errors import UsageError, unknown

Context: TypeAlias = Mapping[str, Any]  # sweep, scale, settings, scenario_version
_MOST_NAMED = 4


def place(what: str, sweep: str | None = None) -> tuple[str, str | None]:
    """Scenario and sweep that a name of either stands for; a scenario's is taken first.

    Raises `UsageError` for a name that is neither, and for a second sweep.
    """
    if what in SCENARIO_NAMES:
        return what, sweep
    from augury.engine.catalog.sweeps import COLLECTIONS, SWEEPS  # most words need none

    if what in COLLECTIONS:
        raise UsageError(f"{what} is several boards: give one of {', '.join(COLLECTIONS[what])}.")
    found = {FILES: "testbed", TABLES: "real"}.get(what)
    found = SWEEPS[what].scenario if what in SWEEPS else found
    if found is None:
        raise unknown("scenario or sweep", what, {*SCENARIO_NAMES, *SWEEPS})
    if sweep not in (None, what):
        raise UsageError(f"{what} is a sweep, and --sweep {sweep} another: give one of them.")
    return found, what


def say_which(meta: Mapping[str, Any], params: Mapping[str, Any]) -> None:
    """Say on stderr which board is shown, and how to get the others that `params` leave open."""
    shown, every = meta.get("context"), meta.get("contexts") or ()
    these = fitting(every, params)
    others = [context for context in these if context != shown]
    if not shown or not others:
        return
    newest = these[0] == shown
    of = "the newest" if newest else "one"
    lacks = meta.get("newest_lacks")
    why = f" {'It' if newest else 'The newest'} is {lacks}." if lacks else ""
    named = "; or ".join(_options(context, these) for context in others[:_MOST_NAMED])
    more = f"; and {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
    board = f"this is {_options(shown, these)}, {of} of {len(these)} boards"
    say(f"{board}.{why} For another give {named}{more}.")


def say_nothing_yet(meta: Mapping[str, Any], params: Mapping[str, Any]) -> None:
    """Say how to fill a board that nothing was evaluated for."""
    if meta.get("context"):
        return
    words = [params.get("sweep") or params["scenario"]]
    words += ["--scale", params["scale"]] if params.get("scale") else []
    words += ["--config", "best"] if params.get("config") == "best" else []
    say(f"nothing is evaluated there yet: {hint('run', *words)}")


def fitting(contexts: Iterable[Context], params: Mapping[str, Any]) -> list[Context]:
    """Those that `params` leave open."""
    return [context for context in contexts if _fits(context, params)]


def _fits(context: Context, params: Mapping[str, Any]) -> bool:
    names = ("sweep", "scale", "settings", "scenario_version")
    return all(params.get(name) in (None, context[name]) for name in names)


def _options(context: Context, among: Sequence[Context]) -> str:
    """The options of `augury leaderboard` that tell a board from the others."""
    words = ["--sweep", context["sweep"], "--scale", context["scale"]]
    same = [c for c in among if all(c[name] == context[name] for name in ("sweep", "scale"))]
    if any(c["settings"] != context["settings"] for c in same):
        words += ["--settings", json.dumps(context["settings"], separators=(",", ":"))]
    if any(c["scenario_version"] != context["scenario_version"] for c in same):
        words += ["--scenario-version", str(context["scenario_version"])]
    return shlex.join(words)
