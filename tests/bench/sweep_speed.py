"""The whole `testbed` sweep of each agent on one device: `python tests/bench/sweep_speed.py`.

With the working tree importable as `augury` (PYTHONPATH=.dev). Prints, for every agent, seconds to
compile, seconds of the sweep without compiling, cells, and the share of the device's measured
float32 matrix-product rate that the counted products of training amount to.

    sweep_speed.py [--scale smoke|quick|full] [AGENT ...]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

sys.path.insert(0, str(Path(__file__).parents[2]))  # so that `tests` is found

from augury.engine.batching import batches  # noqa: E402
from augury.engine.compiled import compile_seconds  # noqa: E402
from augury.engine.plan import Selection, expand  # noqa: E402
from augury.engine.scenarios.testbed import run_batch  # noqa: E402
from augury.engine.types import BatchContext, CellFinished  # noqa: E402
from tests.bench.measured import watched  # noqa: E402
from tests.bench.products import products  # noqa: E402

AGENTS = ("mlp", "ensemble", "ensemble+", "dropout", "bbb", "hypermodel")
SIDE = 8_192  # of the square product whose rate stands for the device's


def main(arguments: Sequence[str]) -> None:
    """Print one line for each agent."""
    words = list(arguments)
    scale: Any = "full"
    if "--scale" in words:
        at = words.index("--scale")
        scale = words[at + 1]
        del words[at : at + 2]
    jax.config.update("jax_default_matmul_precision", "highest")  # as workers on a GPU are told
    device = jax.devices()[0]
    rate = device_rate(SIDE if device.platform != "cpu" else 1_024)
    print(f"{device.device_kind}: {rate / 1e12:.2f} TFLOP/s of float32 matrix products")
    for subject in words or AGENTS:
        sweep(subject, scale, device.device_kind, rate)


def sweep(subject: str, scale: Any, device: str, rate: float) -> None:
    """All batches of one agent, one after another, as one worker runs them."""
    cells = [p.cell for p in expand(Selection(("testbed",), (subject,), scale=scale))]
    compiled, started, flops, widths = compile_seconds(), time.perf_counter(), 0.0, set()
    for batch in batches(cells):
        done: list[Any] = []
        context = BatchContext(device, waiting=len(cells))
        with watched() as programs:
            run_batch(batch.cells, done.append, context)
        finished = [event for event in done if isinstance(event, CellFinished)]
        widths |= {f.width for f in finished}
        steps = max((p.num_steps for p in done if hasattr(p, "num_steps")), default=0)
        for name, (function, shapes) in programs.items():
            if name == "advance":
                groups = -(-len(finished) // finished[0].width)
                found = products(function, shapes, steps)
                flops += groups * sum(times * p.flops for p, times in found.items())
    compiling = compile_seconds() - compiled
    spent = time.perf_counter() - started - compiling
    print(
        f"{subject:>12}: {len(cells)} cells, width {sorted(widths)}, compile {compiling:.1f} s, "
        f"sweep {spent:.2f} s, {1e3 * spent / len(cells):.1f} ms a cell, "
        f"{flops / spent / rate:.1%} of the matrix-product rate",
        flush=True,
    )


def device_rate(side: int) -> float:
    """FLOP/s of a large square product in full float32."""
    left = jnp.ones((side, side)) / side
    product = jax.jit(jnp.matmul)
    jax.block_until_ready(product(left, left))
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        jax.block_until_ready(product(left, left))
        best = min(best, time.perf_counter() - started)
    return 2.0 * side**3 / best


if __name__ == "__main__":
    main(sys.argv[1:])
