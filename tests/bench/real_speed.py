"""Agents at the full size of a data set: `python tests/bench/real_speed.py mnist ensemble+`.

With the working tree importable as `augury` (PYTHONPATH=.dev), and the set where AUGURY_DATA points
or fetched. Trains and scores one batch of cells as one worker does, and prints seconds to load, to
compile, to train and to score, CPU seconds of the process, the most memory it held (of an
accelerator: the most its allocator did), and what came out.

    real_speed.py DATASET AGENT [--set FIELD=VALUE ...] [--seeds 1] [--rows 0] [--width 0]
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Sequence
from typing import Any

import jax

from augury.engine.catalog.datasets import DATASETS
from augury.engine.compiled import compile_seconds
from augury.engine.executors.allocation import keep_freed_memory
from augury.engine.problems.real import on_device
from augury.engine.scenarios.real import run_batch
from augury.engine.types import BatchContext, Cell, CellFinished


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what the cells cost, and their scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", choices=sorted(DATASETS))
    parser.add_argument("agent")
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--rows", type=int, default=0, help="0: all")
    parser.add_argument("--width", type=int, default=0, help="cells side by side; 0: the rule's")
    told = parser.parse_args(arguments)
    pairs = (text.partition("=") for text in told.set)
    config: dict[str, Any] = {name: json.loads(value) for name, _, value in pairs}
    keep_freed_memory()  # as workers do
    if jax.default_backend() != "cpu":
        jax.config.update("jax_default_matmul_precision", "highest")  # as workers are told
    device = jax.devices()[0]
    problem = f"real/{told.dataset}/n{told.rows or DATASETS[told.dataset].num_train}"
    cells = [Cell("real", problem, told.agent, config, {}, seed) for seed in range(told.seeds)]
    started = time.perf_counter()
    rows = on_device(told.dataset, "example", "published")
    jax.block_until_ready(rows)
    print(f"{device.device_kind}: {told.agent} {config} on {problem}, {told.seeds} cells")
    print(f"load {time.perf_counter() - started:.1f} s, {rows.train_x.nbytes:,} bytes of rows")
    done: list[CellFinished] = []
    wall, cpu, compiled = time.perf_counter(), time.process_time(), compile_seconds()
    context = BatchContext(device.device_kind, width=told.width or None)
    run_batch(cells, lambda e: done.append(e) if isinstance(e, CellFinished) else None, context)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    count = len(done)
    train, evaluate = (sum(getattr(f.seconds, n) for f in done) for n in ("train", "evaluate"))
    print(
        f"width {done[0].width}, compile {compile_seconds() - compiled:.1f} s, train {train:.1f}"
        f" s, score {evaluate:.1f} s; all {wall:.1f} s, CPU {cpu:.1f} s of {count} cells"
    )
    print(f"most memory {_most_memory(device):,} bytes")
    for cell in done:
        found = {(r.metric, r.tau, r.kappa): r for r in cell.rows}
        shown = [("accuracy", 0, 0), ("kl", 1, 0), ("kl", 10, 2), ("ece10", 0, 0), ("brier", 0, 0)]
        print(
            "  "
            + ", ".join(
                f"{n} {found[n, t, k].value:.4f}" + (f" (tau {t})" if t else "")
                for n, t, k in shown
            )
        )


def _most_memory(device: Any) -> int:
    stats = device.memory_stats() if device.platform != "cpu" else None
    if stats:
        return int(stats["peak_bytes_in_use"])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
