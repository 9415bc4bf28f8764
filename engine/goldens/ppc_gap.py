"""The quadratic with a gap (arXiv:2112.01477, section 4.1): the paper states verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from augury.engine.catalog.problems import QuadraticProblem
from augury.engine.goldens.table import Row
from augury.engine.problems.quadratic import NUM_TEST
from augury.engine.scenarios.ppc import run_batch
from augury.engine.types import JSON, BatchContext, Cell, CellFinished, Progress

CVM_SHARPNESS = 0.4247994  # 95 % minus 5 % quantile of the Cramer-von Mises law
SUBJECTS = ("ensemble", "dropout")
NO_CONFIGS: Mapping[str, Mapping[str, JSON]] = {}
Numbers = Mapping[tuple[str, str], float]  # (metric, mode) -> value
Found = dict[tuple[str, str], list[Numbers]]  # (subject, region) -> environments in order


def gap(
    environments: Sequence[int], configs: Mapping[str, Mapping[str, JSON]] = NO_CONFIGS
) -> Iterator[Row]:
    """In the gap the independent ensemble fails; the bayesian and dropout pass. Off it all pass.

    One p-value strictly between 0 and 1 would show little; several must vary as of a right model.
    `configs` are changes to the default of a subject, such as fewer steps.
    """
    found: Found = {}
    for subject in SUBJECTS:
        found |= _evaluated(subject, environments, configs.get(subject, {}))
    for place, environment in enumerate(environments):
        for region in NUM_TEST:
            where = f"quadratic-{region}/e{environment}"
            ensemble, dropout = (found[subject, region][place] for subject in SUBJECTS)
            yield from _ensemble(where, region, ensemble)
            yield _passes(f"{where} dropout p", dropout["p_value", "bayesian"])
            if region == "iid":
                ratio = ensemble["observed", "bayesian"] / dropout["observed", "bayesian"]
                yield Row(f"{where} calibration error, ensemble to dropout", 0.0, ratio, 0.5)
    yield from _together(found)


def _ensemble(where: str, region: str, numbers: Numbers) -> Iterator[Row]:
    independent = numbers["sharpness", "independent"]
    if region == "gap":
        yield Row(f"{where} independent p", 1.0, numbers["p_value", "independent"], 0.0)
        ratio = independent / numbers["sharpness", "bayesian"]
        yield Row(f"{where} sharpness, independent to bayesian", 0.0, ratio, 0.2)
    else:
        yield _passes(f"{where} independent p", numbers["p_value", "independent"])
    yield _passes(f"{where} bayesian p", numbers["p_value", "bayesian"])
    scaled = independent * NUM_TEST[region]
    yield Row(f"{where} independent sharpness times rows", CVM_SHARPNESS, scaled,
              0.2 * CVM_SHARPNESS)  # fmt: skip


def _together(found: Found) -> Iterator[Row]:
    """What holds of the environments as a whole."""
    for subject, region, mode in (
        ("ensemble", "gap", "bayesian"), ("ensemble", "iid", "bayesian"),
        ("ensemble", "iid", "independent"), ("dropout", "gap", "bayesian"),
        ("dropout", "iid", "bayesian"),
    ):  # fmt: skip
        p_values = [numbers["p_value", mode] for numbers in found[subject, region]]
        yield spread(f"quadratic-{region} {subject} {mode} p, spread", p_values)
    for region in NUM_TEST:
        mean = {
            subject: np.mean([v["sharpness", "bayesian"] for v in found[subject, region]])
            for subject in SUBJECTS
        }
        ratio = float(mean["ensemble"] / mean["dropout"])
        yield Row(f"quadratic-{region} mean sharpness, ensemble to dropout", 0.0, ratio, 1.0)


def _passes(name: str, p: float) -> Row:
    """A check passes where 0 < p < 1: a distance below 1/2 from the middle."""
    return Row(f"{name} (passes within .4999)", 0.5, p, 0.4999)


def _evaluated(subject: str, environments: Sequence[int], config: Mapping[str, JSON]) -> Found:
    """One training for each environment, read in both regions."""
    places = [(region, e) for region in NUM_TEST for e in environments]
    cells = [Cell("ppc", QuadraticProblem(region, e).id, subject, config) for region, e in places]
    done: dict[str, Numbers] = {}

    def emit(event: Progress | CellFinished) -> None:
        if isinstance(event, CellFinished):
            rows = {(row.metric, row.split): row.value for row in event.rows}
            done[event.cell_id] = {k: np.nan if v is None else v for k, v in rows.items()}

    run_batch(cells, emit, BatchContext())
    found: Found = {}
    for (region, _), cell in zip(places, cells, strict=True):
        found.setdefault((subject, region), []).append(done[cell.cell_id])
    return found


def spread(name: str, p_values: Sequence[float]) -> Row:
    """Mean of 12 (p - 1/2)^2, which no model that is right exceeds 1 by much.

    A p-value of data that the model itself expects is uniform, with mean 1 of this, or nearer to
    1/2 (Meng 1994, doi:10.1214/aos/1176325622). It is at most 3, where every p is 0 or 1. For
    uniform p its variance is 4/5; about one right model in a thousand lies beyond.
    """
    n = len(p_values)
    value = 12 * float(np.mean((np.asarray(p_values) - 0.5) ** 2))
    return Row(name, 0.0, value, 1.0 + min(3.4 * (0.8 / n) ** 0.5, 1.994))
