"""What a person chose in the Launch tab, as a selection and as the command that does the same."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.settings import SCALES, Scale
from augury.engine.catalog.subjects import fitting, usual
from augury.engine.catalog.sweeps import COLLECTIONS, DEFAULT_SWEEPS, SWEEPS
from augury.engine.datasets.own.ask import table_words
from augury.engine.errors import UsageError, unknown
from augury.engine.plan import Selection

QUICK = Selection(("quick",))
_MOST_SEEDS = 10_000


def scenarios_of(what: str) -> tuple[str, ...]:
    """The scenarios that a sweep, scenario or collection touches. Raises `UsageError`."""
    if what in COLLECTIONS:
        return tuple(dict.fromkeys(SWEEPS[name].scenario for name in COLLECTIONS[what]))
    name = DEFAULT_SWEEPS.get(what, what)
    if name not in SWEEPS:
        raise unknown("sweep or scenario", what, {*SWEEPS, *DEFAULT_SWEEPS, *COLLECTIONS})
    return (SWEEPS[name].scenario,)


def takes_tables(what: str) -> bool:
    """Whether a person's own table can take the place of its problems."""
    return scenarios_of(what) == ("real",)


def summary(what: str) -> str:
    """One line about a sweep, scenario or collection."""
    if what in COLLECTIONS:
        return "a first look at " + ", ".join(scenarios_of(what))
    return SWEEPS[DEFAULT_SWEEPS.get(what, what)].summary


def subjects_of(what: str) -> tuple[str, ...]:
    """The subjects that can be chosen for it, in the order of their tables."""
    found: dict[str, None] = {}
    for name in sweeps_of(what):
        found.update(dict.fromkeys(fitting(name)))
    return tuple(found)


def default_subjects(what: str) -> tuple[str, ...]:
    """The subjects that run when none is named."""
    return tuple(dict.fromkeys(name for sweep in sweeps_of(what) for name in usual(sweep)))


def sweeps_of(what: str) -> tuple[str, ...]:
    """The sweeps that a sweep, scenario or collection stands for."""
    return COLLECTIONS.get(what, (DEFAULT_SWEEPS.get(what, what),))


def parse_seeds(text: str) -> tuple[int, ...]:
    """`0-4`, `0,2,5-7`; empty for the sweep's own. Raises `UsageError`."""
    found: dict[int, None] = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", part)
        if match is None:
            raise UsageError(
                f"seeds are whole numbers and ranges such as 0-4 or 0,2; got {part!r}."
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last - first >= _MOST_SEEDS:
            raise UsageError(f"seed range {part!r} must rise and hold at most {_MOST_SEEDS} seeds.")
        found.update(dict.fromkeys(range(first, last + 1)))
    return tuple(found)


def selection(
    what: str,
    subjects: Sequence[str],
    seeds: str,
    scale: str,
    problems: str = "",
    overrides: Sequence[str] = (),
    tables: Sequence[tuple[str, str, int, str, str]] = (),
) -> Selection:
    """The selection of a form. Raises `UsageError` for what cannot be meant."""
    if not subjects:
        raise UsageError("choose at least one subject.")
    usual_ones = set(subjects) == set(default_subjects(what))
    chosen = () if usual_ones else tuple(subjects)
    size: Scale | None = next((s for s in SCALES if s == scale), None)
    return Selection(
        (what,), chosen, parse_seeds(seeds), size, tuple(overrides), filter=problems.strip(),
        tables=tuple(tables),
    )  # fmt: skip


def command(chosen: Selection, how: str = "--detach") -> str:
    """The command line that submits the same selection, detached, or that only plans it."""
    words = ["augury", "run", *chosen.what]
    for option, names in _subject_options(chosen):
        words += [option, ",".join(names)]
    if chosen.seeds:
        words += ["--seeds", _ranges(chosen.seeds)]
    if chosen.scale:
        words += ["--scale", chosen.scale]
    for override in chosen.overrides:
        words += ["--set", override]
    if chosen.filter:
        words += ["--filter", chosen.filter]
    for *_, path, recipe in chosen.tables:
        words += ["--data", path, *table_words(recipe)]
    return shlex.join([*words, how])


def _subject_options(chosen: Selection) -> list[tuple[str, list[str]]]:
    options: dict[str, list[str]] = {}
    for name in chosen.subjects:
        for word in chosen.what:
            homes = [s for s in scenarios_of(word) if name in SCENARIOS[s].subjects]
            if homes:
                options.setdefault(f"--{SCENARIOS[homes[0]].kind}", []).append(name)
                break
    return list(options.items())


def _ranges(seeds: Sequence[int]) -> str:
    parts: list[list[int]] = []
    for seed in seeds:
        if parts and seed == parts[-1][-1] + 1:
            parts[-1].append(seed)
        else:
            parts.append([seed])
    return ",".join(str(p[0]) if len(p) == 1 else f"{p[0]}-{p[-1]}" for p in parts)
