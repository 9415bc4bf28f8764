"""Fields of the Launch tab in which a person types: what can be meant, and what comes next."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from augury.engine.canonical import canonical
from augury.engine.catalog.entry import as_json, override
from augury.engine.catalog.scenarios import SCENARIOS, default_settings
from augury.engine.catalog.settings import SCALES, Scale
from augury.engine.catalog.sweeps import SWEEPS
from augury.engine.errors import UsageError, unknown
from augury.engine.plan import problem_values
from augury.engine.terms import keeps
from augury.engine.terms import parse as parse_terms
from augury.tui.choice import scenarios_of, subjects_of, sweeps_of

_MOST_SHOWN = 8


def overrides(text: str) -> tuple[str, ...]:
    """`A.B=1 C.D="x y"` as items of `--set`. Raises `UsageError` for an open quote."""
    try:
        return tuple(shlex.split(text))
    except ValueError:
        raise UsageError("a quote is not closed.") from None


def check_overrides(what: str, items: Sequence[str]) -> None:
    """Raises `UsageError` for an item that no subject or scenario of the choice has or takes."""
    configs = _configs(what)
    for item in items:
        name, equals, value = item.partition("=")
        owner, dot, field = name.rpartition(".")
        if not dot or not equals:
            raise UsageError(f"SUBJECT.FIELD=VALUE, got {item!r}.")
        if owner not in configs:
            raise unknown("subject or scenario", owner, configs)
        override(configs[owner], {field: _value(value)}, owner)


def matching(what: str, scale: str, text: str) -> tuple[int, int]:
    """How many problems meet the filter, of how many. Raises `UsageError`."""
    terms = parse_terms(text)
    sweeps = [SWEEPS[name] for name in sweeps_of(what)]
    size: Scale | None = next((known for known in SCALES if known == scale), None)
    problems = [p for sweep in sweeps for p in sweep.problems(size or sweep.scale)]
    names = {name for problem in problems for name in problem_values(problem)}
    for term in terms:
        if term.op and term.name not in names:
            raise unknown("column of a problem", term.name, names)
    kept = [p for p in problems if keeps(terms, problem_values(p), p.id)]
    if not kept:
        raise UsageError(f"none of {len(problems)} problems meets this.")
    return len(kept), len(problems)


def columns(what: str) -> tuple[str, ...]:
    """What a filter of problems may name."""
    found: dict[str, None] = {}
    for name in sweeps_of(what):
        for problem in SWEEPS[name].full[:1]:
            found.update(dict.fromkeys(problem_values(problem)))
    return tuple(found)


def complete(what: str, text: str) -> str | None:
    """The text with its last item completed as far as there is one way, if there is any."""
    head, space, last = text.rpartition(" ")
    found = next(_continued(what, last), None) if last else None
    return None if found is None or found == last else f"{head}{space}{found}"


def choices(what: str, text: str) -> str:
    """What can come next in the last item, with the values that hold now."""
    last = text.rpartition(" ")[2]
    owner, dot, field = last.partition("=")[0].rpartition(".")
    configs = _configs(what)
    if not dot or owner not in configs:
        return _some([f"{name}." for name in configs if name.startswith(last)])
    fields = as_json(configs[owner])
    return _some([f"{name}={canonical(v)}" for name, v in fields.items() if name.startswith(field)])


def _continued(what: str, last: str) -> Iterator[str]:
    configs = _configs(what)
    name, equals, value = last.partition("=")
    owner, dot, field = name.rpartition(".")
    if not dot:
        yield from (f"{known}." for known in configs if known.startswith(last))
    elif owner in configs:
        fields = as_json(configs[owner])
        if equals:
            if field in fields and not value:
                yield f"{last}{canonical(fields[field])}"
        else:
            yield from (f"{owner}.{known}=" for known in fields if known.startswith(field))


def _configs(what: str) -> Mapping[str, Any]:
    """Defaults of every subject and scenario of the choice, by name."""
    scenarios = scenarios_of(what)
    found = {
        name: SCENARIOS[scenario].subjects[name].config
        for scenario in scenarios
        for name in subjects_of(what)
        if name in SCENARIOS[scenario].subjects
    }
    return found | {scenario: default_settings(scenario) for scenario in scenarios}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text  # a bare word is a string


def _some(words: Sequence[str]) -> str:
    more = len(words) - _MOST_SHOWN
    return "  ".join(words[:_MOST_SHOWN]) + (f"  and {more} more" if more > 0 else "")
