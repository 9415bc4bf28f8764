"""Steps of training a critic for each second of one core: `python -m tests.bench.critic_speed`.

Whole steps of the default critics (batch 64, width 256, depth 2): pairs are made, scored, and every
bound of the objective is recorded. One process; the time is that of the processor, so that of
another process does not count, though it slows memory and clock. Beside each row stands what the
matrix products alone take on this core at this moment: a step can be no faster.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.catalog.critic_config import CriticConfig
from augury.engine.catalog.problems import (
    GaussianProblem,
    ImageProblem,
    PairProblem,
    TextProblem,
)
from augury.engine.critics.program import make_program, plain
from augury.engine.problems.sources import items_of, truth_of
from tests.bench.products import floor, products

PROBLEMS: dict[str, PairProblem] = {
    "gaussian": GaussianProblem(10, (4.0,)),
    "image": ImageProblem("mnist", (1, 2, 5), 64, (4.0,)),
    "text": TextProblem("bert", 10, (4.0,)),
}
# PyTorch, the published code, steps per second of two idle cores with both in use.
PYTORCH = {
    ("joint", "gaussian"): 43.0, ("separable", "gaussian"): 613.0,
    ("joint", "image"): 4.0, ("joint", "text"): 2.0,
}  # fmt: skip


class Speed(NamedTuple):
    """One row."""

    critic: str
    domain: str
    width: int
    steps: float  # of all critics, per second of the processor
    products: float  # the same, if a step were its matrix products


def measure(critic: str, domain: str, width: int, seconds: float) -> Speed:
    """Train `width` critics side by side for about so many seconds."""
    problem = PROBLEMS[domain]
    config, traced = plain(CriticConfig(critic=critic))  # type: ignore[arg-type]
    program = make_program("dv", config, problem.blank(), width, 2)
    keys = jax.random.split(jax.random.key(0), width)
    own = {
        "levels": jnp.broadcast_to(jnp.asarray(truth_of(problem).levels), (width, 1)),
        "stage_steps": jnp.full(width, 2**30),
        **{name: jnp.full(width, value, jnp.float32) for name, value in traced.items()},
    }
    told = (own, items_of(problem).train)
    state = program.trainer.start(program.begin(keys), told)
    done, steps, spent, first = 0, 2, 0.0, True
    counted = 0
    while spent < seconds:
        started = time.process_time()
        state, record = program.trainer.advance(
            state, keys, told, jnp.int32(done), jnp.int32(steps)
        )
        jax.block_until_ready(record)
        took = time.process_time() - started
        done += steps
        if not first:  # what compiles does not count
            spent, counted = spent + took, counted + steps
            steps = min(500, max(2, int(steps * 0.5 / max(took, 1e-3))))
        first = False
    arguments = (state, keys, told, jnp.int32(0), jnp.int32(1))
    least = floor(products(program.trainer.advance.function, arguments, trips=1))
    return Speed(critic, domain, width, width * counted / spent, width / least)


def rows(domains: Sequence[str], widths: Sequence[int], seconds: float) -> Iterator[Speed]:
    """Each critic on each domain, one alone and several side by side."""
    for critic in ("joint", "separable"):
        for domain in domains:
            for width in widths:
                yield measure(critic, domain, width, seconds)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--domains", default="gaussian,image,text")
    parser.add_argument("--widths", default="1,8")
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    widths = [int(w) for w in options.widths.split(",")]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; steps per second of one core")
    print(f"{'critic':10} {'domain':9} {'width':>5} {'steps/s':>9} {'products':>9} {'PyTorch':>8}")
    for row in rows(options.domains.split(","), widths, options.seconds):
        known = PYTORCH.get((row.critic, row.domain))
        beside = "" if known is None else f"{known / 2:8.1f}"
        print(f"{row.critic:10} {row.domain:9} {row.width:5} {row.steps:9.1f} {row.products:9.1f} "
              f"{beside}".rstrip(), flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
