"""Options of `augury run` that are settings: which joint predictions are scored, of which rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from augury.engine.catalog.problems import LogisticProblem, parse
from augury.engine.catalog.scenarios import SCENARIOS, default_settings, settings_of
from augury.engine.catalog.settings import JointSettings
from augury.engine.cli.options import points
from augury.engine.errors import UsageError
from augury.engine.plan import PlannedCell, Selection, expand


def with_points(selection: Selection, tau: Sequence[str], kappa: Sequence[str]) -> Selection:
    """The selection with every tau at every kappa; what is not given stays at its default.

    Raises:
        UsageError: no number, no scenario with joint predictions, or a file with draws of its own.
    """
    given = {"tau": _numbers("--tau", tau), "kappa": _numbers("--kappa", kappa)}
    given = {name: values for name, values in given.items() if values}
    if not given:
        return selection
    chosen = {planned.cell.scenario for planned in expand(selection)}
    joint = [s for s in SCENARIOS if s in chosen and isinstance(default_settings(s), JointSettings)]
    if not joint:
        raise UsageError("--tau and --kappa are of joint predictions: choose testbed or real.")
    twice = [f"{s}.{name}" for s in joint for name in given]
    for said in selection.overrides:
        if said.partition("=")[0].strip() in twice:
            option = said.partition("=")[0].rpartition(".")[2].strip()
            raise UsageError(f"--{option} and --set {said} say the same thing: give one of them.")
    for _, digest, path in selection.problem_files:
        _refuse_draws(path, digest)
    added = [f"{s}.{name}={_text(values)}" for s in joint for name, values in given.items()]
    return replace(selection, overrides=(*selection.overrides, *added))


def with_rows(selection: Selection, preprocess: str | None, subsample: str | None) -> Selection:
    """The selection with rows of real data made in another way than as published.

    Raises `UsageError` where there is no real data.
    """
    given = {"preprocess": preprocess, "subsample": subsample}
    added = [f"real.{name}={word}" for name, word in given.items() if word]
    if added and all(planned.cell.scenario != "real" for planned in expand(selection)):
        raise UsageError("--preprocess and --subsample are of real data: choose real.")
    return replace(selection, overrides=(*selection.overrides, *added))


def check_sizes(planned: Sequence[PlannedCell]) -> None:
    """Raise `UsageError` for test inputs that would not fit in memory."""
    for settings, dim in {_inputs(cell) for cell in planned} - {None}:  # type: ignore[misc]
        settings.check_inputs(dim)


def _inputs(planned: PlannedCell) -> tuple[JointSettings, int] | None:
    settings, card = settings_of(planned.cell), parse(planned.cell.problem)
    # A study's inputs are never all in memory at once.
    if isinstance(card, LogisticProblem) or not isinstance(settings, JointSettings):
        return None
    dim = card.columns().get("input_dim")
    return (settings, dim) if dim else None


def _numbers(option: str, given: Sequence[str]) -> list[int]:
    return [0 if word == "iid" else int(word) for word in points(option, given)]


def _refuse_draws(path: str, digest: str) -> None:
    from augury.engine.problems.environment_file import load

    if load(path, digest).draws:
        raise UsageError(
            f"{path} carries test draws, which are what is scored: --tau and --kappa choose none."
        )


def _text(values: Sequence[int]) -> str:
    return f"[{','.join(map(str, values))}]"
