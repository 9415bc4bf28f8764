"""Every scenario keeps the contract of `run_batch`: one result a cell, numbers that are known."""

import math
from functools import cache

import pytest

from augury.engine.batching import batches
from augury.engine.catalog.entry import load
from augury.engine.catalog.metrics import METRICS
from augury.engine.catalog.names import SCENARIO_NAMES
from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.plan import Selection, expand
from augury.engine.types import BatchContext, CellFinished, Progress

CHEAP = {
    "testbed": Selection(("testbed-2d",), ("mlp",), scale="smoke"),
    "real": Selection(("real-quick",), ("mlp",), scale="smoke"),
    "ppc": Selection(("ppc-analytic",), ("posterior",), scale="smoke"),
    "mi": Selection(("mi-quick",), ("js", "smile-5"), scale="smoke"),
}


def test_names_are_those_of_the_table():
    assert SCENARIO_NAMES == tuple(SCENARIOS)


@cache
def played(scenario):
    batch = batches(planned.cell for planned in expand(CHEAP[scenario]))[0]
    return batch, play(scenario, batch)


def play(scenario, batch):
    events = []
    load(SCENARIOS[scenario].target)(batch.cells, events.append, BatchContext())
    return events


@pytest.fixture(params=SCENARIOS)
def scenario(request):
    return request.param


def test_one_result_for_each_cell(scenario):
    batch, events = played(scenario)
    finished = [event.cell_id for event in events if isinstance(event, CellFinished)]
    assert sorted(finished) == sorted(cell.cell_id for cell in batch.cells)


def test_rows_are_numbers_of_known_metrics(scenario):
    for event in played(scenario)[1]:
        if isinstance(event, CellFinished):
            assert event.rows
            places = [(row.metric, row.tau, row.kappa, row.split) for row in event.rows]
            assert len(set(places)) == len(places)
            for row in event.rows:
                assert row.metric in METRICS
                assert row.reason if row.value is None else math.isfinite(row.value)
                assert row.stderr is None or (math.isfinite(row.stderr) and row.stderr >= 0)


def test_progress_is_of_this_batch(scenario):
    batch, events = played(scenario)
    ids = {cell.cell_id for cell in batch.cells}
    seen = [event for event in events if isinstance(event, Progress)]
    assert seen
    for event in seen:
        assert set(event.cell_ids) <= ids
        assert event.phase in {"compile", "train", "evaluate"}
        assert 0 <= event.step <= event.num_steps
        assert event.loss is None or math.isfinite(event.loss)


def test_seconds_and_curves_can_be_stored(scenario):
    for event in played(scenario)[1]:
        if isinstance(event, CellFinished):
            spent = event.seconds
            assert min(spent.compile, spent.train, spent.evaluate) >= 0 and event.width >= 1
            for points in event.curves.values():
                steps = [step for step, _ in points]
                assert steps == sorted(set(steps)) and len(steps) <= 200


def test_the_same_batch_gives_the_same_numbers(scenario):
    batch, events = played(scenario)
    first = {e.cell_id: e.rows for e in events if isinstance(e, CellFinished)}
    again = {e.cell_id: e.rows for e in play(scenario, batch) if isinstance(e, CellFinished)}
    assert first == again
