"""Selection -> cells. Pure: no clock, no store, no JAX."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any, TypeAlias

from augury.engine.catalog.entry import Entry, Extra, differences, lookup, override
from augury.engine.catalog.names import FILES, TABLES
from augury.engine.catalog.outside import OUTSIDE
from augury.engine.catalog.problems import ProblemCard, TableProblem, parse
from augury.engine.catalog.scenarios import (
    SCENARIOS,
    default_settings,
)
from augury.engine.catalog.settings import SCALES, Scale
from augury.engine.catalog.subjects import fitting, missing, usual
from augury.engine.catalog.sweeps import COLLECTIONS, DEFAULT_SWEEPS, SWEEPS, Sweep
from augury.engine.catalog.sweeps_real import TABLE_REGIMES
from augury.engine.catalog.tuning import (
    COLUMNS,
    Config,
    Tuned,
    starts,
    sweep_for,
    tuned_subjects,
)
from augury.engine.errors import UsageError, unknown
from augury.engine.terms import keeps
from augury.engine.terms import parse as parse_terms
from augury.engine.types import JSON, Cell

_OF_SUBJECTS = ("agent", "estimator", "subject")  # columns of boards, not of problems
_MOST_NAMED = 6  # subjects in one message


@dataclass(frozen=True, slots=True)
class Selection:
    """What a person asked for, as JSON-able words."""

    what: tuple[str, ...]
    subjects: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    scale: Scale | None = None  # None: the sweep's own
    overrides: tuple[str, ...] = ()  # "ensemble.num_ensemble=30"
    problem_files: tuple[tuple[str, str, str], ...] = ()  # (name, digest, path)
    outside: tuple[tuple[str, str, str], ...] = ()  # (name, source, target) of outside agents
    config: Config = "default"  # best: `tuned`; all: every grid, on the tuning environments
    tuned: tuple[Tuned, ...] = ()  # (subject, where, differing fields as JSON)
    filter: str = ""  # terms that the problems must meet: "input_dim=10,100 ratio<=10"
    # (name, digest, training rows, path, recipe) of a person's own tables, in place of data sets
    tables: tuple[tuple[str, str, int, str, str], ...] = ()

    def to_json(self) -> dict[str, JSON]:
        """A JSON object that `from_json` restores."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, JSON]) -> Selection:
        """The inverse of `to_json`."""
        return cls(**{k: _freeze(v) for k, v in value.items()})


@dataclass(frozen=True, slots=True)
class PlannedCell:
    """A cell and the sweep and scale it was asked for under."""

    cell: Cell
    sweep: str
    scale: Scale


# A problem, and the files it lies in.
_Placed: TypeAlias = tuple[ProblemCard, dict[str, str]]


@dataclass(slots=True)
class _Overrides:
    """`--set` options by name: "ensemble.num_ensemble" -> the values of its grid, in order."""

    values: dict[str, list[JSON]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def grid(self, name: str) -> list[dict[str, JSON]]:
        """Every combination of the values given for fields of `name`."""
        mine = {k: v for k, v in self.values.items() if k.rpartition(".")[0] == name}
        self.used.update(mine)
        fields = [k.rpartition(".")[2] for k in mine]
        return [dict(zip(fields, point, strict=True)) for point in product(*mine.values())]


def expand(selection: Selection) -> tuple[PlannedCell, ...]:
    """All cells of a selection, each once, in a stable order. Raises `UsageError`."""
    if selection.tables:
        check_beside_table(selection)
    overrides = _parse_overrides(selection.overrides)
    cells: dict[str, PlannedCell] = {}
    known: set[str] = set()
    seen: dict[str, tuple[str, ...]] = {}
    for name, scale in _sweeps(selection):
        sweep = SWEEPS[name]
        scenario = SCENARIOS[sweep.scenario]
        problems = _problems(selection, name, scale)
        subjects = _subjects(selection, name)
        known.update(subjects)
        seen[name] = tuple(subjects)
        seeds = selection.seeds or sweep.seeds[scale]
        settings = [
            differences(
                override(_settings(sweep, scale, selection), point, sweep.scenario),
                default_settings(sweep.scenario),
            )
            for point in overrides.grid(sweep.scenario)
        ]
        for subject, (entry, source, code) in subjects.items():
            changes = _changes(sweep.config.get(scale, {}), subject, entry.config)
            default = override(entry.config, changes, subject)
            begun = _starts(selection, (name, scale), subject, entry, default, problems)
            kinds = [
                _changes(kind, subject, entry.config) for kind in sweep.kinds.get(scale, ({},))
            ]
            for (start, mine), kind, point in product(begun, kinds, overrides.grid(subject)):
                config = differences(override(start, kind | point, subject), entry.config)
                for setting, (problem, files), seed in product(settings, mine, seeds):
                    cell = Cell(
                        sweep.scenario, problem.id, subject, config, setting, seed,
                        scenario.version, entry.version, source=source, resources=code | files,
                    )  # fmt: skip
                    cells.setdefault(cell.cell_id, PlannedCell(cell, _recorded(files, name), scale))
    _check_used(selection, overrides, known)
    for word in selection.what:
        name = DEFAULT_SWEEPS.get(word, word)
        if name in seen and not seen[name]:
            raise UsageError(
                f"none of the chosen subjects ({', '.join(selection.subjects)}) fits {word}: "
                f"leave it out, or add one of {', '.join(usual(name)[:_MOST_NAMED])}."
            )
    return tuple(cells.values())


def _changes(config: Mapping[str, JSON], subject: str, default: Any) -> dict[str, JSON]:
    """What a sweep changes at a scale for one subject: "field", or "subject.field"."""
    mine = {k.removeprefix(f"{subject}."): v for k, v in config.items()}
    return {k: v for k, v in mine.items() if hasattr(default, k)}


def usual_label(sweep: str, scale: Scale, subject: str) -> str:
    """The label of a subject's default config as a sweep changes it at a scale."""
    entry = SCENARIOS[SWEEPS[sweep].scenario].subjects[subject]
    changes = _changes(SWEEPS[sweep].config.get(scale, {}), subject, entry.config)
    config = override(entry.config, changes, subject)
    return label(subject, differences(config, entry.config))


def left_out(selection: Selection) -> tuple[str, ...]:
    """Sweeps that a collection stands for and no chosen subject fits: they get no cell."""
    return tuple(
        name
        for word in selection.what
        for name in COLLECTIONS.get(word, ())
        if not _subjects(selection, name)
    )


def label(subject: str, config: Mapping[str, JSON]) -> str:
    """How boards and progress name a subject: its name and what differs from its defaults."""
    if not config:
        return subject
    return f"{subject}[{', '.join(f'{k}={_short(v)}' for k, v in sorted(config.items()))}]"


def _short(value: JSON) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _sweeps(selection: Selection) -> list[tuple[str, Scale]]:
    if selection.scale is not None and selection.scale not in SCALES:
        raise unknown("scale", selection.scale, SCALES)
    found: list[tuple[str, Scale]] = []
    for word in selection.what:
        if word in COLLECTIONS:
            names = COLLECTIONS[word]
        elif word in SWEEPS or word in DEFAULT_SWEEPS:
            names = (DEFAULT_SWEEPS.get(word, word),)
        else:
            raise unknown("sweep or scenario", word, {*SWEEPS, *DEFAULT_SWEEPS, *COLLECTIONS})
        for name in (sweep_for(selection.config, name) for name in names):
            found.append((name, selection.scale or SWEEPS[name].scale))
    if not found:
        raise UsageError("nothing to run: name a sweep, a scenario or 'quick'.")
    return found


def _settings(sweep: Sweep, scale: Scale, selection: Selection) -> Any:
    """The settings of a scale as a sweep, or a person's table, changes them."""
    usual = default_settings(sweep.scenario, scale)
    found = override(usual, sweep.settings.get(scale, {}), sweep.scenario)
    if sweep.scenario == "real" and selection.tables:
        return override(found, {"preprocess": "feature"}, sweep.scenario)
    return found


def check_beside_table(selection: Selection) -> None:
    """Raise `UsageError` for what is of published data sets alone."""
    for option in ("config", "filter"):
        if getattr(selection, option) not in ("", "default"):
            raise UsageError(f"--{option} does not go with --data.")


def scenarios_of(selection: Selection) -> set[str]:
    """Scenarios of the sweeps that are asked for. Raises `UsageError` for unknown ones."""
    return {SWEEPS[name].scenario for name, _ in _sweeps(selection)}


def _recorded(files: Mapping[str, str], sweep: str) -> str:
    """The sweep that cells are recorded under."""
    return TABLES if "table" in files else FILES if files else sweep


def absent(selection: Selection) -> dict[str, Extra]:
    """Subjects left out of a selection that names none, and the package each one needs."""
    sweeps = () if selection.subjects else _sweeps(selection)
    return {name: extra for sweep, _ in sweeps for name, extra in missing(sweep).items()}


def _subjects(
    selection: Selection, sweep: str
) -> dict[str, tuple[Entry[Any], str, dict[str, str]]]:
    """Name -> (catalog line, source, resources) of the subjects asked for in one scenario."""
    scenario = SCENARIOS[SWEEPS[sweep].scenario]
    table = {name: (entry, "", {}) for name, entry in scenario.subjects.items()}
    if not selection.subjects:
        names = usual(sweep)
        if selection.config == "all":
            names = tuned_subjects(sweep, names)
        return {name: table[name] for name in names}
    outside = {
        name: (OUTSIDE, source, {"agent": target}) for name, source, target in selection.outside
    }
    everywhere = {name for s in SCENARIOS.values() for name in s.subjects} | outside.keys()
    for name in selection.subjects:
        lookup(dict.fromkeys(everywhere), name, "agent or estimator")
        extra = scenario.subjects[name].needs if name in scenario.subjects else None
        if extra is not None and extra.missing:
            raise extra.refusal(name)
    if scenario.outside:
        table |= outside
    # Elsewhere a narrowed sweep's problems mean nothing.
    fits = {*fitting(sweep), *(() if SWEEPS[sweep].subjects else outside)}
    return {name: table[name] for name in selection.subjects if name in table and name in fits}


def _starts(
    selection: Selection,
    place: tuple[str, Scale],
    subject: str,
    entry: Entry[Any],
    default: Any,
    problems: list[_Placed],
) -> list[tuple[Any, list[_Placed]]]:
    """Configs that --set changes, each with the problems it is for."""
    sweep, scale = place
    column = COLUMNS.get(SWEEPS[sweep].scenario, "setting")
    placed = [(problem_values(card).get(column), (card, files)) for card, files in problems]
    where = list(dict.fromkeys(value for value, _ in placed))
    found = starts(
        selection.config, selection.tuned, sweep, subject, entry.config, default, where, scale
    )
    return [
        (config, [problem for value, problem in placed if only in (None, value)])
        for config, only in found
    ]


def _problems(selection: Selection, sweep: str, scale: Scale) -> list[_Placed]:
    if SWEEPS[sweep].scenario == "testbed" and selection.problem_files:
        if SWEEPS[sweep].subjects:  # its agents read a network's inputs as a coin's number
            raise UsageError(
                f"{sweep} is a study, whose agents know its own problems only: "
                "--problem goes with testbed."
            )
        if selection.config != "default":
            raise UsageError(f"--config {selection.config} does not go with --problem.")
        if selection.filter:
            raise UsageError("--filter does not go with --problem.")
        return [
            (parse(f"testbed/file-{name}-{digest}/e0"), {"problem": path})
            for name, digest, path in selection.problem_files
        ]
    if SWEEPS[sweep].scenario == "real" and selection.tables:
        return [
            (TableProblem(name, digest, rows), {"table": path, "recipe": recipe})
            for name, digest, every, path, recipe in selection.tables
            for rows in (*(n for n in TABLE_REGIMES.get(sweep, ()) if n < every), every)
        ]
    return [(problem, {}) for problem in _chosen(selection, SWEEPS[sweep].problems(scale))]


def _chosen(selection: Selection, problems: Sequence[ProblemCard]) -> list[ProblemCard]:
    """The problems that meet the selection's filter.

    Raises `UsageError` for unknown columns, and for a word that no problem's id holds.
    """
    terms = parse_terms(selection.filter)
    if not terms:
        return list(problems)
    every = [p for name, scale in _sweeps(selection) for p in SWEEPS[name].problems(scale)]
    names = {name for problem in every for name in problem_values(problem)}
    for term in terms:
        if term.op and term.name in _OF_SUBJECTS:
            raise UsageError(f"--filter chooses problems: name each {term.name} with --agent.")
        if term.op and term.name not in names:
            raise unknown("column of a problem in --filter", term.name, names)
        if not term.op and not any(term.name.lower() in problem.id.lower() for problem in every):
            raise _no_problem(term.name, selection, every, names)
    return [p for p in problems if keeps(terms, problem_values(p), p.id)]


def _no_problem(
    word: str, selection: Selection, every: Sequence[ProblemCard], names: Iterable[str]
) -> UsageError:
    subjects = {name for s in SCENARIOS.values() for name in s.subjects}
    if word in subjects.union(name for name, _, _ in selection.outside):
        return UsageError(f"--filter chooses problems, and {word!r} is none: give --agent {word}.")
    return UsageError(
        f"no problem has {word!r} in its id, such as {every[0].id}: --filter takes a part of an "
        f"id, or COLUMN=VALUE with one of {', '.join(sorted(names))}."
    )


def problem_values(problem: ProblemCard) -> dict[str, JSON]:
    """What a filter may say of a problem."""
    return {
        **problem.columns(),
        "problem": problem.id,
        "setting": problem.setting,
        "environment": problem.unit,
    }


def _parse_overrides(options: Sequence[str]) -> _Overrides:
    parsed = _Overrides()
    for option in options:
        name, equals, text = option.partition("=")
        if not equals or "." not in name:
            raise UsageError(f"--set takes SUBJECT.FIELD=VALUE, got {option!r}.")
        try:
            value = json.loads(text)
        except ValueError:
            value = text  # a bare word is a string
        values = parsed.values.setdefault(name.strip(), [])
        if value not in values:
            values.append(value)
    return parsed


def _check_used(selection: Selection, overrides: _Overrides, subjects: set[str]) -> None:
    sweeps = {name for name, _ in _sweeps(selection)}
    scenarios = {SWEEPS[name].scenario for name in sweeps}
    for name in overrides.values.keys() - overrides.used:
        raise unknown("subject or scenario in --set", name.rpartition(".")[0], subjects | scenarios)
    for name in selection.subjects:
        if name not in subjects:
            raise UsageError(
                f"{name!r} is no subject of {', '.join(sorted(sweeps))}; add its sweep."
            )


def _freeze(value: Any) -> Any:
    return tuple(map(_freeze, value)) if isinstance(value, (list, tuple)) else value
