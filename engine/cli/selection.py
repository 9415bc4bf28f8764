"""The words of `augury run` as a `Selection`, checked before anything starts."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from augury.engine.canonical import canonical
from augury.engine.catalog.names import FILES, TABLES
from augury.engine.catalog.outside import resolve
from augury.engine.catalog.problems import parse
from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.cli.boards import Shown
from augury.engine.cli.hints import hint
from augury.engine.datasets.own.ask import table_words
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, check_beside_table, expand, scenarios_of

MOST_SEEDS = 10_000


def parse_seeds(text: str) -> tuple[int, ...]:
    """`0-4` or `0,2,5-7` as increasing seeds without doubles. Raises `UsageError`."""
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,18})(?:\s*-\s*(\d{1,18}))?\s*", part, re.ASCII)
        if not match:
            raise UsageError(
                f"--seeds takes numbers and ranges such as 0-4 or 0,2,5; got {text!r}."
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise UsageError(f"--seeds {part.strip()}: the range ends before it starts.")
        if last >= 2**31:
            raise UsageError(f"--seeds {part.strip()}: a seed must be below 2^31.")
        if last - first >= MOST_SEEDS or len(found) > MOST_SEEDS:
            raise UsageError(f"--seeds {text}: at most {MOST_SEEDS:,} seeds in one run.")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def problem_file(given: str) -> tuple[str, str, str]:
    """(name, digest, absolute path) of an .npz environment. Raises `UsageError`."""
    from augury.engine.problems.environment_file import describe

    path = Path(given).expanduser().absolute()
    try:
        _, digest = describe(path)
    except UsageError as error:
        raise UsageError(f"--problem {error.message}") from None
    name = re.sub(r"[^a-z0-9_]+", "-", path.stem.lower()).strip("-") or "problem"
    return name, digest, str(path)


def subjects_of(given: Iterable[str]) -> tuple[tuple[str, ...], tuple[tuple[str, str, str], ...]]:
    """Names of subjects, and (name, source, target) of those from outside the project.

    Raises `UsageError` for an outside file that gives no agent; unknown names are left to `expand`.
    """
    known = {name for scenario in SCENARIOS.values() for name in scenario.subjects}
    names, outside = [], []
    for word in given:
        found = None if word in known else resolve(word)
        if found:
            outside.append(found)
        names.append(found[0] if found else word)
    return tuple(dict.fromkeys(names)), tuple(outside)


def checked(selection: Selection) -> Selection:
    """The selection, if it plans at least one cell. Raises `UsageError`."""
    from augury.engine.cli.points import check_sizes

    planned = expand(selection)
    check_sizes(planned)
    if not planned:
        why = "no problem meets --filter" if selection.filter else "no subject fits a scenario"
        raise UsageError(f"that selects no cell: {why}.")
    if selection.problem_files and all(p.cell.scenario != "testbed" for p in planned):
        command = hint("run", "testbed", "--problem", "FILE")
        raise UsageError(f"--problem needs a testbed sweep, e.g. {command}.")
    if selection.tables:
        check_takes_table(selection)
    return selection


def check_takes_table(selection: Selection) -> None:
    """Raise `UsageError` for words that `--data` does not go with: before a table is read."""
    check_beside_table(selection)
    if "real" not in scenarios_of(selection):
        command = hint("run", "real", "--data", "FILE")
        raise UsageError(f"--data needs a sweep of real, e.g. {command}.")


def selected_boards(selection: Selection) -> list[Shown]:
    """The boards that a selection's cells belong to, in the plan's order.

    Of a person's files it is about those that were given, and no other that was ever scored.
    """
    planned = expand(selection)
    given: dict[str, dict[str, None]] = {FILES: {}, TABLES: {}}
    for p in planned:
        given.get(p.sweep, {})[parse(p.cell.problem).setting] = None
    chosen = {sweep: f"setting={','.join(settings)}" for sweep, settings in given.items()}
    return list(
        dict.fromkeys(
            Shown(
                p.cell.scenario, p.sweep, p.scale, canonical(p.cell.settings),
                chosen.get(p.sweep, ""),
            )
            for p in planned
        )
    )  # fmt: skip


def command_text(selection: Selection) -> str:
    """The `augury run` command that asks for the same."""
    parts = ["augury", "run", *selection.what]
    if selection.subjects:
        files = {name: target for name, _, target in selection.outside if ".py:" in target}
        parts += ["--agent", ",".join(files.get(name, name) for name in selection.subjects)]
    if selection.seeds:
        parts += ["--seeds", _seed_text(selection.seeds)]
    if selection.scale:
        parts += ["--scale", selection.scale]
    for override in selection.overrides:
        parts += ["--set", override]
    if selection.filter:
        parts += ["--filter", selection.filter]
    if selection.config != "default":
        parts += ["--config", selection.config]
    for _, _, path in selection.problem_files:
        parts += ["--problem", path]
    for *_, path, recipe in selection.tables:
        parts += ["--data", path, *table_words(recipe)]
    return shlex.join(parts)


def _seed_text(seeds: Iterable[int]) -> str:
    spans: list[list[int]] = []
    for seed in sorted(seeds):
        if spans and seed == spans[-1][1] + 1:
            spans[-1][1] = seed
        else:
            spans.append([seed, seed])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)
