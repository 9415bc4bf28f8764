"""Whether the data sets that cells need are on this machine: asked before anything starts."""

from __future__ import annotations

from collections.abc import Iterable

from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.problems import parse
from augury.engine.datasets.presence import look
from augury.engine.errors import AuguryError
from augury.engine.types import Cell
from augury.engine.wording import size


def check(cells: Iterable[Cell]) -> None:
    """Raise `AuguryError`, with the command that fetches them, if a data set is not here."""
    if lack := lacking(cells):
        raise AuguryError(lack, "Data sets are not here")


def lacking(cells: Iterable[Cell]) -> str:
    """Which data sets are not here, and the command that fetches them; "" if all are."""
    problems = dict.fromkeys(cell.problem for cell in cells if cell.scenario == "real")
    names = dict.fromkeys(parse(problem).columns().get("dataset") for problem in problems)
    known = [name for name in names if name in DATASETS]
    absent = [name for name in known if look(name, DATASETS[name]).missing]
    if not absent:
        return ""
    total = size(sum(DATASETS[name].size for name in absent))
    are = "data set is" if len(absent) == 1 else "data sets are"
    here = ",".join(name for name in known if name not in absent)
    without = f" Or without: --filter dataset={here}." if here else ""
    return (
        f"{len(absent)} {are} not here. To fetch ({total}): `augury data fetch "
        f"{' '.join(absent)}`.{without}"
    )
