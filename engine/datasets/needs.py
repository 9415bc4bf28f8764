"""Whether the data sets that cells need are on this machine: asked before anything starts."""

from __future__ import annotations

from collections.abc import Iterable

from augury.engine.catalog.data_embeddings import EMBEDDINGS
from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.problems import ItemProblem, ProblemCard, parse
from augury.engine.catalog.problems.ppc import PUBLISHED
from augury.engine.datasets.files import wanted
from augury.engine.datasets.places import folder
from augury.engine.datasets.presence import look
from augury.engine.errors import AuguryError
from augury.engine.types import Cell
from augury.engine.wording import size

_WITH = ("real", "mi")  # scenarios with problems on data sets


def check(cells: Iterable[Cell]) -> None:
    """Raise `AuguryError`, with the command that fetches them, if a data set is not here."""
    if lack := lacking(cells):
        raise AuguryError(lack, "Data sets are not here")


def lacking(cells: Iterable[Cell]) -> str:
    """Which data sets are not here, and the command that fetches them; "" if all are."""
    cards = {**DATASETS, **EMBEDDINGS}
    problems = [parse(p) for p in dict.fromkeys(c.problem for c in cells if c.scenario in _WITH)]
    needed = dict.fromkeys(name for problem in problems for name in _sets(problem))
    known = [name for name in needed if name in cards]
    absent = [name for name in known if look(name, cards[name]).missing]
    if not absent:
        return ""
    are = "data set is" if len(absent) == 1 else "data sets are"
    fetched = [name for name in absent if name in DATASETS]
    parts = [f"{len(absent)} {are} not here."]
    if fetched:
        total = size(sum(DATASETS[name].size for name in fetched))
        parts.append(f"To fetch ({total}): `augury data fetch {' '.join(fetched)}`.")
    parts += [
        f"Nobody serves {name}: put {wanted(EMBEDDINGS[name], file)} into "
        f"{folder(name, EMBEDDINGS[name])}."
        for name in absent
        if name in EMBEDDINGS
        for file in EMBEDDINGS[name].files
    ]
    return " ".join([*parts, *_without(problems, absent)])


def reads_files(problems: Iterable[str]) -> bool:
    """Whether any of these problems is made of a data set that is not shipped."""
    cards = {**DATASETS, **EMBEDDINGS}
    names = {name for problem in set(problems) for name in _sets(parse(problem))}
    return any(name == PUBLISHED or (name in cards and not cards[name].bundled) for name in names)


def _sets(problem: ProblemCard) -> tuple[str, ...]:
    """The data sets that a problem is made of."""
    if isinstance(problem, ItemProblem):
        return problem.datasets
    name = problem.columns().get("dataset")
    return (name,) if isinstance(name, str) else ()


def _without(problems: Iterable[ProblemCard], absent: Iterable[str]) -> list[str]:
    """How to run the rest: by the column that tells problems with data sets apart."""
    rest = [p for p in problems if not set(_sets(p)) & set(absent)]
    for column in ("domain", "dataset"):
        values = dict.fromkeys(str(p.columns()[column]) for p in rest if column in p.columns())
        if values:
            return [f"Or without: --filter {column}={','.join(values)}."]
    return []
