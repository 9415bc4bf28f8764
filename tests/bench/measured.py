"""Cells run in this process, with what they cost and what their matrix products must cost."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp

from augury.engine import compiled
from augury.engine.catalog.scenarios import settings_of
from augury.engine.evaluation.joint_cells import make_agent
from augury.engine.evaluation.scores import score_tests
from augury.engine.executors.allocation import keep_freed_memory
from augury.engine.learning.contract import LearnerAgent
from augury.engine.scenarios.testbed import prepare, run_batch
from augury.engine.types import BatchContext, Cell, CellFinished
from tests.bench.products import Product, products


@dataclasses.dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of one cell, and products of one cell's training and evaluation."""

    cells: int
    width: int
    cpu: float
    train: float
    evaluate: float
    compile: float  # of all programs, once
    training: Counter[Product]
    evaluation: Counter[Product]
    scoring: float  # CPU seconds of an evaluation whose logits cost next to nothing


def cost(make: Callable[[int], Cell], num_steps: int, least: int = 3) -> Cost:
    """Run at least `least` of the cells `make` numbers, after the first compiled the programs.

    They are of one batch key, and fill the width at which they train: a batch that is not full
    costs what a full one does.
    """
    keep_freed_memory()  # as workers do
    with watched() as programs:
        warm = _run([make(0)])
    width = warm[0].width
    # Two trainings at least: the first is the only one of a sweep that finds no memory kept.
    cells = [make(number) for number in range(max(-(-least // width), 2) * width)]
    before, cpu = compiled.compilations(), time.process_time()
    finished = _run(cells)
    cpu = time.process_time() - cpu
    assert compiled.compilations() == before, "the first cell's programs serve all others"
    assert len(finished) == len(cells)
    assert {cell.width for cell in finished} == {width}
    training, evaluation = Counter[Product](), Counter[Product]()
    for name, program in programs.items():
        found = products(program[0], program[1], num_steps)
        if name == "advance":  # trains `width` cells at a time
            training.update({p: times / width for p, times in found.items()})  # type: ignore[misc]
        elif name == "evaluate":
            evaluation.update(found)
    count = len(cells)
    scoring, scored = _scoring(cells[0])
    evaluation.subtract(scored)  # the floor is that of networks
    return Cost(
        count, width, cpu / count,
        sum(f.seconds.train for f in finished) / count,
        sum(f.seconds.evaluate for f in finished) / count,
        warm[0].seconds.compile, training, +evaluation, scoring,
    )  # fmt: skip


def _scoring(cell: Cell) -> tuple[float, Counter[Product]]:
    """CPU seconds and products of scoring as many samples as the cell's agent has: no network."""
    agent = make_agent(cell)
    if not isinstance(agent, LearnerAgent):
        return 0.0, Counter()
    settings = settings_of(cell)
    problem = prepare(cell, settings)
    members = agent.learner(problem.prior.input_dim, problem.prior.num_classes).num_members
    count = members or settings.num_epistemic
    slopes = jnp.linspace(-1.0, 1.0, 2 * count).reshape(count, 2, 1)

    @jax.jit
    def score(tests: Any) -> Any:
        return score_tests(lambda x: slopes * x[:, 0], tests, count, drawn=members is None)

    jax.block_until_ready(score(problem.tests))
    spent = time.process_time()
    jax.block_until_ready(score(problem.tests))
    return time.process_time() - spent, products(score, (problem.tests,))


def _run(cells: Sequence[Cell]) -> list[CellFinished]:
    events: list[Any] = []
    run_batch(cells, events.append, BatchContext())
    return [event for event in events if isinstance(event, CellFinished)]


@contextmanager
def watched() -> Iterator[dict[str, tuple[Any, Any]]]:
    """Every compiled function by name, with the shapes it was first called with."""
    seen: dict[str, tuple[Any, Any]] = {}
    call = compiled.Compiled.__call__

    def watching(self: compiled.Compiled, *arguments: Any) -> Any:
        shapes = jax.tree.map(lambda v: jax.ShapeDtypeStruct(v.shape, v.dtype), arguments)
        seen.setdefault(self.name, (self.function, shapes))
        return call(self, *arguments)

    compiled.Compiled.__call__ = watching  # type: ignore[method-assign]
    try:
        yield seen
    finally:
        compiled.Compiled.__call__ = call  # type: ignore[method-assign]
