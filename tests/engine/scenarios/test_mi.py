"""Cells in, rows out: what is shared, what is traced, what a failure looks like."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from augury.engine.batching import batches
from augury.engine.errors import UsageError
from augury.engine.scenarios import mi
from augury.engine.types import BatchContext, Cell, CellFinished, OutOfMemory, Progress

SMALL = {"width": 16, "depth": 0, "batch_size": 16}
SHORT = {"num_final": 50, "max_steps": 100, "held_out_pairs": 500, "oracle_batches": 20}


def _cell(subject: str, seed: int = 0, problem: str = "mi/gaussian-ds2-2bits", **config) -> Cell:
    return Cell("mi", problem, subject, {**SMALL, **config}, SHORT, seed)


def _run(cells: list[Cell], **context) -> tuple[dict[str, CellFinished], list[Progress]]:
    finished: dict[str, CellFinished] = {}
    progress: list[Progress] = []

    def emit(event: Progress | CellFinished) -> None:
        if isinstance(event, Progress):
            progress.append(event)
        else:
            assert event.cell_id not in finished
            finished[event.cell_id] = event

    for batch in batches(cells):
        mi.run_batch(batch.cells, emit, BatchContext(**context))
    assert set(finished) == {cell.cell_id for cell in cells}
    return finished, progress


def _value(found: CellFinished, metric: str = "mi", split: str = "2bits") -> float:
    value = next(r.value for r in found.rows if (r.metric, r.split) == (metric, split))
    assert value is not None
    return value


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many cells each training trained side by side."""
    seen: list[int] = []
    train = mi.train

    def counted(trainer, *arguments, **named):
        seen.append(trainer.width)
        return train(trainer, *arguments, **named)

    monkeypatch.setattr(mi, "train", counted)
    return seen


def test_bounds_of_one_objective_share_one_training(trainings: list[int]) -> None:
    names = ("js", "js-compat", "smile-1", "smile-5", "smile-inf")
    cells = [_cell(name, learning_rate=1e-2) for name in names]
    found, _ = _run(cells)
    assert trainings == [1]
    values = {cell.subject: _value(found[cell.cell_id]) for cell in cells}
    assert values["js"] - values["js-compat"] == pytest.approx(0.5307, abs=0.25)
    assert len(set(values.values())) >= 4  # no score need pass 5 nats within 100 steps
    alone, _ = _run(cells[2:3])
    assert alone[cells[2].cell_id].rows == found[cells[2].cell_id].rows


def test_rates_bits_and_seeds_compile_nothing_new() -> None:
    mi.make_program.cache_clear()
    cells = [_cell("dv", seed) for seed in (0, 1)]
    cells += [_cell("dv", 0, "mi/gaussian-ds2-3bits"), _cell("dv", 0, learning_rate=1e-3)]
    _run(cells)
    assert mi.make_program.cache_info().currsize == 1
    program = mi.program_of(cells[0], 1)
    assert program.trainer.advance.compilations == 1
    assert program.begin.compilations == 1


def test_seeds_differ_and_repeat() -> None:
    cells = [_cell("dv", 0), _cell("dv", 1)]
    one, _ = _run(cells)
    two, _ = _run(cells[::-1])
    assert [one[c.cell_id].rows for c in cells] == [two[c.cell_id].rows for c in cells]
    assert _value(one[cells[0].cell_id]) != _value(one[cells[1].cell_id])


def test_side_by_side_gives_what_one_after_another_gives(trainings: list[int]) -> None:
    cells = [_cell("nwj", seed) for seed in (0, 1, 2)]
    apart, _ = _run(cells, width=1)
    together, _ = _run(cells, width=2)  # the second training is padded
    assert trainings == [1, 1, 1, 2, 2]
    for cell in cells:
        assert together[cell.cell_id].width == 2
        assert _value(together[cell.cell_id]) == pytest.approx(
            _value(apart[cell.cell_id]), abs=1e-3
        )


def test_a_schedule_steps_the_true_value_and_carries_the_critic_over() -> None:
    problem = "mi/gaussian-ds2-1-4bits"
    settings = {**SHORT, "num_final": 200, "max_steps": 1_200}
    cell = dataclasses.replace(
        _cell("dv", problem=problem, width=32, learning_rate=3e-3), settings=settings
    )
    found = _run([cell])[0][cell.cell_id]
    low, high = _value(found, split="1bits"), _value(found, split="4bits")
    assert (_value(found, "mi_true", "1bits"), _value(found, "mi_true", "4bits")) == (1.0, 4.0)
    assert low == pytest.approx(1.0, abs=0.25)
    assert high == pytest.approx(4.0, abs=0.8)
    steps, values = zip(*found.curves["mi"], strict=True)
    assert len(steps) == 200 and steps[-1] == 1_200
    # The second stage starts from the first stage's critic: well above nothing at once.
    assert np.mean(values[102:108]) > 1.0


def test_independent_sources_give_nothing() -> None:
    cells = [_cell(name, problem="mi/gaussian-ds2-0bits") for name in ("dv", "infonce", "js")]
    for finished in _run(cells)[0].values():
        assert _value(finished, split="0bits") == pytest.approx(0.0, abs=0.1)


def test_a_diverged_critic_is_a_row_with_a_reason() -> None:
    cell = _cell("nwj", learning_rate=1e6)
    rows = _run([cell])[0][cell.cell_id].rows
    mi_row = next(row for row in rows if row.metric == "mi")
    lost = next(row for row in rows if row.metric == "mi_diverged")
    assert mi_row.reason.startswith("diverged")
    assert lost.value and lost.value > 0
    assert all(row.value is None or np.isfinite(row.value) for row in rows)


def test_progress_counts_steps_and_ends_before_the_rows() -> None:
    cell = _cell("dv")
    found, progress = _run([cell])
    assert [p.phase for p in progress][0] == "compile"
    training = [p for p in progress if p.phase != "evaluate"]
    assert {p.num_steps for p in training} == {100}
    assert training[-1].step == 100 and training[-1].loss is not None
    assert progress[-1].phase == "evaluate"
    seconds = found[cell.cell_id].seconds
    assert seconds.train > 0 and seconds.compile >= 0


def test_compilation_is_shared_by_all_cells_of_a_batch() -> None:
    mi.make_program.cache_clear()
    cells = [_cell("infonce", seed) for seed in (0, 1)]
    found, _ = _run(cells)
    assert len({found[c.cell_id].seconds.compile for c in cells}) == 1
    assert found[cells[0].cell_id].seconds.compile > 0


def test_more_stages_than_steps_is_refused() -> None:
    cell = Cell("mi", "mi/gaussian-ds2-1-2-3bits", "dv", {**SMALL, "num_steps": 2})
    with pytest.raises(UsageError, match="3 stages but 2 steps"):
        _run([cell])


def test_a_long_training_leaves_no_checkpoint_behind(tmp_path: Path) -> None:
    _run([_cell("dv")], checkpoints=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_out_of_memory_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    import jax

    def full(*_, **__):
        raise jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 1 byte")

    monkeypatch.setattr(mi, "train", full)
    with pytest.raises(OutOfMemory):
        _run([_cell("dv")])


def _rows(found: CellFinished, split: str = "2bits") -> dict[str, float | None]:
    return {row.metric: row.value for row in found.rows if row.split == split}


def test_the_error_is_taken_apart_without_a_rest() -> None:
    cell = _cell("dv", learning_rate=1e-2)
    rows = _rows(_run([cell])[0][cell.cell_id])
    parts = [rows[f"mi_bias_{part}"] for part in ("bound", "labels", "training", "pool")]
    assert all(part is not None for part in parts) and rows["mi_bias_labels"] == 0.0
    assert rows["mi_bias"] == pytest.approx(sum(part or 0 for part in parts), abs=1e-9)
    mi_value, true = rows["mi"], rows["mi_true"]
    assert mi_value is not None and true is not None
    assert rows["mi_bias"] == pytest.approx(mi_value - true)
    assert rows["mi_held_out_pairs"] == 16


def test_a_second_look_agrees_with_the_training_on_fresh_pairs() -> None:
    settings = {**SHORT, "max_steps": 600, "num_final": 200, "held_out_pairs": 20_000}
    cell = dataclasses.replace(_cell("nwj", width=32, learning_rate=3e-3), settings=settings)
    found = {row.metric: row for row in _run([cell])[0][cell.cell_id].rows}
    look, seen = found["mi_held_out"], found["mi"]
    assert look.value is not None and look.stderr is not None and seen.value is not None
    assert 0 < look.stderr < 0.1
    # The critic still learnt during the steps that are averaged: .1 bits beyond four errors.
    assert look.value == pytest.approx(seen.value, abs=0.1 + 4 * look.stderr)
    assert look.num_samples >= 20_000


def test_memory_of_mine_holds_the_partition_function_of_the_batch_before() -> None:
    import jax
    import jax.numpy as jnp

    from augury.engine.critics.table import CRITICS
    from augury.engine.estimators.bounds import log_mean_exp_off
    from augury.engine.problems import gaussian
    from augury.engine.training import train

    cell = _cell("mine", learning_rate=1e-3)
    program = mi.program_of(cell, 1)
    key = jax.random.key(3)
    own = {
        "levels": jnp.full((1, 1), 2.0), "stage_steps": jnp.full(1, 9),
        "learning_rate": jnp.full(1, 1e-3), "share": jnp.full(1, jnp.nan),
    }  # fmt: skip
    begun = program.begin(key[None])
    trained = train(program.trainer, begun, key[None], (own, ()), 5, keep=[4])
    before = jax.tree.map(lambda leaf: jnp.asarray(leaf[0, 0]), trained.kept.critic)
    pairs_key = jax.random.fold_in(jax.random.fold_in(key, 0), 4)
    x, y = gaussian.sample(pairs_key, jnp.float32(2.0), 16, 2)
    expected = log_mean_exp_off(CRITICS["joint"].scores(before, x, y))
    assert float(trained.params.memory[0]) == pytest.approx(float(expected), abs=1e-5)


def test_samples_are_read_without_a_training() -> None:
    cells = [
        Cell("mi", "mi/gaussian-ds2-2bits", name, {"num_samples": 2_000}, SHORT, seed)
        for name in ("ksg", "cca")
        for seed in (0, 1)
    ]
    found, _ = _run(cells)
    values = {(c.subject, c.seed): _value(found[c.cell_id]) for c in cells}
    assert values["cca", 0] == pytest.approx(2.0, abs=0.2)
    assert values["ksg", 0] == pytest.approx(2.0, abs=0.3)
    assert values["cca", 0] != values["cca", 1]
