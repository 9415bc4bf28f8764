"""Speed of the testbed: 15 problems, D=10, lambda=10, three temperatures x five environments.

Prints figures (`pytest -m slow -s tests/bench`); what it asserts is the number of compilations.
Run it alone and with one thread, as workers are:
`XLA_FLAGS=--xla_cpu_multi_thread_eigen=false taskset -c 0 ...`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.compiled import compilations
from augury.engine.learning.widths import CPU_MEMBERS
from augury.engine.scenarios.testbed import run_batch
from augury.engine.types import BatchContext, Cell, CellFinished

DIM, RATIO, BATCH, HIDDEN, CLASSES = 10, 10, 100, 50, 2
PROBLEMS = [
    f"testbed/d{DIM}-l{RATIO}-t{temperature}/e{environment}"
    for temperature in (0.01, 0.1, 0.5)
    for environment in range(5)
]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("subject", "members"), [("mlp", 1), ("ensemble+", 100)])
def test_speed(subject: str, members: int) -> None:
    """One program for training and one for evaluation, whatever the temperature and the seed."""
    warm = _run([Cell("testbed", PROBLEMS[0], subject)])
    before, cpu, wall = compilations(), time.process_time(), time.monotonic()
    finished = _run([Cell("testbed", problem, subject) for problem in PROBLEMS])
    cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    assert compilations() == before  # the first cell's programs served all others
    assert len(finished) == len(PROBLEMS)

    cells = len(finished)
    train = sum(f.seconds.train for f in finished) / cells
    evaluate = sum(f.seconds.evaluate for f in finished) / cells
    products = members * _products_of_a_step()
    ideal = 1_000 * sum(flops / rate(shape) for shape, flops in products_by_shape(members).items())
    share = ideal / (cpu / cells)
    print(
        f"\n{subject}: {cells} cells at width {finished[0].width}"
        f"\n  compile once      {warm[0].seconds.compile:8.2f} s wall"
        f"\n  CPU per cell      {cpu / cells:8.3f} s"
        f"\n  wall per cell     {wall / cells:8.3f} s: train {train:.3f}, evaluate {evaluate:.3f}"
        f"\n  matrix products   {1_000 * products / 1e9:8.1f} GFLOP of training per cell"
        f"\n  at measured rates {ideal:8.3f} s of CPU: {share:.0%} of what was spent"
    )


def _run(cells: list[Cell]) -> list[CellFinished]:
    events: list[Any] = []
    run_batch(cells, events.append, BatchContext())
    return [event for event in events if isinstance(event, CellFinished)]


def products_by_shape(members: int) -> dict[tuple[int, int, int], float]:
    """Floating-point operations of one step for each [m, k] @ [k, n]; the input needs no slope."""
    found: dict[tuple[int, int, int], float] = {}
    layers = [(DIM, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, CLASSES)]
    for number, (fan_in, fan_out) in enumerate(layers):
        shapes = [(fan_out, fan_in, BATCH), (fan_out, BATCH, fan_in)]
        shapes += [(fan_in, fan_out, BATCH)] if number else []
        for shape in shapes:
            found[shape] = found.get(shape, 0.0) + 2.0 * members * float(np.prod(shape))
    return found


def _products_of_a_step() -> float:
    return sum(products_by_shape(1).values())


def rate(shape: tuple[int, int, int]) -> float:
    """The machine's own rate for a batched product of this shape, FLOP/s of CPU time, in cache."""
    m, k, n = shape
    left = jnp.ones((CPU_MEMBERS, m, k)) / k
    right = jnp.ones((CPU_MEMBERS, k, n))
    repeats = 200

    def body(i: Any, carry: Any) -> Any:
        out, right = carry
        out = left @ right
        return out, right.at[0, 0, 0].set(out[0, 0, 0])  # or the loop would be hoisted

    start = (jnp.zeros((CPU_MEMBERS, m, n)), right)
    product = jax.jit(lambda start: jax.lax.fori_loop(0, repeats, body, start))
    seconds = _best(lambda: product(start))
    return 2.0 * CPU_MEMBERS * m * k * n * repeats / seconds


def _best(call: Callable[[], Any], tries: int = 5) -> float:
    jax.block_until_ready(call())
    best = float("inf")
    for _ in range(tries):
        started = time.process_time()
        jax.block_until_ready(call())
        best = min(best, time.process_time() - started)
    return best
