"""Which configs a run evaluates where: defaults, grids on tuning environments, or tuned ones.

Configs are chosen and reported on environments or rows of different sweeps (`sweeps.TUNING`), never
on the same. What is chosen may differ by a column of the problems: input dimension on the testbed,
on real data the setting, that is data set and number of rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from augury.engine.catalog.entry import as_json, differences, override
from augury.engine.catalog.grids import configs, is_tuned
from augury.engine.catalog.names import CONFIGS as CONFIGS
from augury.engine.catalog.names import Config as Config
from augury.engine.catalog.sweeps import SWEEPS, TUNING
from augury.engine.errors import UsageError, unknown
from augury.engine.types import JSON, canonical

# (subject, where: a value of `COLUMNS`, fields that differ from the default as canonical JSON)
Where: TypeAlias = int | str
Tuned: TypeAlias = tuple[str, Where, str]
# Scenario -> the column of its problems by which configs are chosen.
COLUMNS: Mapping[str, str] = {"testbed": "input_dim", "real": "setting"}
POINTS = frozenset({"tau", "kappa"})  # settings that change no choice


def place_names(places: Iterable[Where]) -> str:
    """How sentences name values of `COLUMNS`: D=2,10 or iris/n10, iris/n100."""
    every = list(places)
    dims = ",".join(str(place) for place in every if isinstance(place, int))
    return ", ".join(([f"D={dims}"] if dims else []) + [p for p in every if isinstance(p, str)])


def tuning_of(sweep: str, config: str) -> str:
    """The sweep that chooses configs for `sweep`. Raises `UsageError` where none does."""
    if sweep not in TUNING:
        raise UsageError(
            f"{sweep} has no tuning environments: --config {config} is for {', '.join(TUNING)}."
        )
    return TUNING[sweep]


def reported(twin: str) -> str:
    """The sweep that a tuning sweep chooses configs for."""
    return next(sweep for sweep, tuning in TUNING.items() if tuning == twin)


def sweep_for(config: Config, sweep: str) -> str:
    """The sweep a run evaluates: with "all", the twin that chooses. Raises `UsageError`."""
    if config not in CONFIGS:
        raise unknown("config", config, CONFIGS)
    if config == "default":
        return sweep
    twin = tuning_of(sweep, config)
    return twin if config == "all" else sweep


def tuned_subjects(twin: str, names: Iterable[str]) -> tuple[str, ...]:
    """Those with more than one config to choose from."""
    return tuple(name for name in names if is_tuned(reported(twin), name))


def command(
    sweep: str,
    scale: str,
    settings: Mapping[str, JSON] | None = None,
    subjects: Iterable[str] = (),
) -> tuple[str, ...]:
    """Words after `augury` that choose configs for a sweep, at a scale and its settings or these.

    `settings` are those that differ from full scale.
    """
    from augury.engine.catalog.scenarios import default_settings  # few commands need it

    scenario = SWEEPS[sweep].scenario
    full = default_settings(scenario)
    usual = differences(default_settings(scenario, scale), full)  # type: ignore[arg-type]
    values = as_json(full)
    words = ["run", sweep, "--config", "all", "--scale", scale]
    if named := ",".join(subjects):
        words += ["--agent", named]
    chosen = usual if settings is None else settings
    for name in sorted({*chosen, *usual} - POINTS):
        value = chosen.get(name, values[name])
        if value != usual.get(name, values[name]):
            words += ["--set", f"{scenario}.{name}={canonical(value)}"]
    return tuple(words)


def starts(
    config: Config,
    tuned: Sequence[Tuned],
    sweep: str,
    subject: str,
    entry: Any,
    default: Any,
    places: Sequence[Any],
    scale: str,
) -> list[tuple[Any, Where | None]]:
    """Configs of a subject, each with the value of `COLUMNS` it is for; None: for all.

    `default` is the sweep's, which may differ from the catalog's `entry`. Raises `UsageError` where
    a tuned config is wanted and there is none.
    """
    if config == "all":
        points = configs(reported(sweep), subject, default)
        return [(override(default, point, subject), None) for point in points]
    if config == "default" or not is_tuned(sweep, subject):
        return [(default, None)]
    best = {where: json.loads(text) for name, where, text in tuned if name == subject}
    for place in places:
        if place not in best:
            words = " ".join(command(sweep, scale, subjects=[subject]))
            raise UsageError(
                f"no config of {subject} is tuned for {place_names([place])}: first augury {words}"
            )
    return [(override(entry, best[place], subject), place) for place in places]
