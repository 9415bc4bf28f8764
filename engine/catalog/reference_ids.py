"""The reference's problem ids beside ours: `classification/80` is `testbed/d10-l10-t0.1/e0`.

Settings and environments correspond by their place in the reference's loops; the random numbers
are our own, so an id names the same distribution of environments, not the same environment. The
reference retrains for each tau, hence two of its ids for each of our problems.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from augury.engine.catalog.problems import PlaneProblem, ProblemCard, TestbedProblem, parse
from augury.engine.catalog.settings import SCALES
from augury.engine.catalog.sweeps import PLANE_ROWS, RATIOS, SWEEPS, TEMPERATURES
from augury.engine.errors import UsageError, unknown

TAUS = (1, 10)
DIMS = (2, 10, 100)


@dataclass(frozen=True, slots=True)
class ReferenceProblem:
    """One id of the reference and what it stands for here."""

    reference: str
    seed: int  # the reference's own, of its environment
    tau: int
    kappa: int  # 0: independent test inputs
    problem: str
    sweep: str


@cache
def table() -> tuple[ReferenceProblem, ...]:
    """Every id of the reference's four classification sweeps, in its order."""
    boxes = [
        TestbedProblem(d, ratio, temperature, e)
        for d, ratio, temperature, e in product(DIMS, RATIOS, TEMPERATURES, range(5))
    ]
    planes = [
        PlaneProblem(rows, temperature, e)
        for rows, temperature, e in product(PLANE_ROWS, TEMPERATURES, range(10))
    ]
    return (
        *_sweep("classification", boxes, 2, "testbed"),
        *_sweep("classification_2d", planes, 0, "testbed-2d"),
        # Small ones for tests: one environment of each number of rows, temperature 0.01, tau 1.
        *_small("classification_test", [b for b in boxes if b.input_dim == 2], 2, "testbed"),
        *_small("classification_2d_test", planes, 0, "testbed-2d"),
    )


def find(word: str) -> tuple[ReferenceProblem, ...]:
    """What an id stands for, ours or the reference's; all entries of a sweep for a sweep's name.

    Raises `UsageError` for a word that is neither; empty for one of our problems that the
    reference has not.
    """
    lines = table()
    names = {line.reference.partition("/")[0] for line in lines}
    name, slash, index = word.partition("/")
    if name == "testbed" and slash:
        problem = parse(word).id
        return tuple(line for line in lines if line.problem == problem)
    if name not in names:
        raise unknown("problem id or reference sweep", word, names)
    members = tuple(line for line in lines if line.reference.partition("/")[0] == name)
    if not slash:
        return members
    if not re.fullmatch(r"\d{1,9}", index, re.ASCII) or int(index) >= len(members):
        raise UsageError(f"{word!r}: {name} has the ids {name}/0 to {name}/{len(members) - 1}.")
    return (members[int(index)],)


def sweeps_of(problem: str) -> tuple[str, ...]:
    """The sweeps that hold one of our problems at some scale; empty for one that none has."""
    return tuple(
        name
        for name, sweep in SWEEPS.items()
        if any(card.id == problem for scale in SCALES for card in sweep.problems(scale))
    )


def _sweep(
    name: str, cards: Sequence[ProblemCard], kappa: int, sweep: str
) -> Iterator[ReferenceProblem]:
    for index, (tau, card) in enumerate(product(TAUS, cards)):
        # At tau = 1 both ways to draw test inputs are the same in law.
        yield ReferenceProblem(
            f"{name}/{index}", 1 + index % len(cards), tau, kappa if tau > 1 else 0, card.id, sweep
        )


def _small(
    name: str, cards: Sequence[TestbedProblem] | Sequence[PlaneProblem], kappa: int, sweep: str
) -> Iterator[ReferenceProblem]:
    chosen = [c for c in cards if c.temperature == TEMPERATURES[0] and c.environment == 0]
    for index, card in enumerate(chosen):
        seed = 1 + len(TEMPERATURES) * index
        yield ReferenceProblem(f"{name}/{index}", seed, 1, 0, card.id, sweep)
