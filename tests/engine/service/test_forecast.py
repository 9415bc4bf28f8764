"""Time left: from past cells of the same kind, and from how far batches are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from augury.engine.batching import batch_key
from augury.engine.executors.protocol import Slot
from augury.engine.plan import Selection, expand
from augury.engine.service.forecast import Forecast, Left
from augury.engine.service.ledger import Ledger, RunState, units
from augury.engine.service.scheduler import Scheduler
from augury.engine.service.timing import Past, Timing
from augury.engine.types import Cell, CellFinished, Progress, Seconds

SLOT = Slot("cpu0", "cpu")


def _cells(agent: str, *seeds: int, dims: str = "/d2-") -> list[Cell]:
    found = expand(Selection(("testbed-quick",), (agent,), seeds, "smoke"))
    return [p.cell for p in found if dims in p.cell.problem]


def _scheduler(*runs: Sequence[Cell]) -> Scheduler:
    scheduler = Scheduler(Ledger(), Timing())
    for number, cells in enumerate(runs):
        scheduler.ledger.add_run(RunState(f"r{number}", "", "", len(cells)), units(cells))
    return scheduler


def _told(scheduler: Scheduler, cell: Cell, seconds: float, device: str = "cpu") -> None:
    scheduler.timing.expect({(batch_key(cell), device): Past(seconds, 0.0, 4)})


def _left(
    scheduler: Scheduler,
    workers: int = 1,
    now: float = 0.0,
    newest: Mapping[str, Progress] | None = None,
) -> Mapping[str, Left]:
    return Forecast(scheduler, newest or {}, workers, now).runs()


def test_past_cells_of_the_same_kind_are_enough_from_the_first_second() -> None:
    cells = _cells("mlp", *range(10))
    scheduler = _scheduler(cells)
    _told(scheduler, cells[0], 3.0)
    assert _left(scheduler) == {"r0": Left(30.0, 0)}
    assert _left(scheduler, workers=2) == {"r0": Left(15.0, 0)}


def test_workers_do_not_share_one_cell() -> None:
    cells = _cells("mlp", 0)
    scheduler = _scheduler(cells)
    _told(scheduler, cells[0], 60.0)
    assert _left(scheduler, workers=8) == {"r0": Left(60.0, 0)}


def test_nothing_known_is_said_so() -> None:
    assert _left(_scheduler(_cells("mlp", *range(3)))) == {"r0": Left(None, 3)}
    assert _left(_scheduler([])) == {"r0": Left(0.0, 0)}


def test_other_kinds_stand_in_and_are_counted() -> None:
    known, wider, other = _cells("mlp", 0, 1), _cells("mlp", 0, dims="/d10-"), _cells("uniform", 0)
    scheduler = _scheduler([*known, *wider, *other])
    _told(scheduler, known[0], 3.0)
    # Wider inputs count as the subject's own kind, another subject as the scenario's.
    assert _left(scheduler) == {"r0": Left(4 * 3.0, 2)}
    _told(scheduler, other[0], 0.5)
    assert _left(scheduler) == {"r0": Left(3 * 3.0 + 0.5, 1)}


def test_what_takes_no_time_says_nothing_of_other_subjects() -> None:
    quick, other = _cells("uniform", 0, 1), _cells("mlp", 0, 1)
    scheduler = _scheduler(other, quick)
    _told(scheduler, quick[0], 0.01)
    left = _left(scheduler)
    assert left["r0"] == Left(None, 2) and left["r1"].guessed == 0


def test_the_device_matters() -> None:
    cells = _cells("mlp", *range(8))
    scheduler = _scheduler(cells)
    _told(scheduler, cells[0], 10.0, "cpu")
    _told(scheduler, cells[0], 1.0, "NVIDIA H200")
    flight = scheduler.next_batch(Slot("gpu0", "NVIDIA H200"), 1)
    assert flight is not None
    assert _left(scheduler) == {"r0": Left(8.0, 0)}
    assert scheduler.timing.of(batch_key(cells[0]), "cpu") == 10.0
    assert scheduler.timing.of(batch_key(cells[0]), "TPU") in (1.0, 10.0)


def test_progress_counts() -> None:
    cells = _cells("mlp", *range(8))
    scheduler = _scheduler(cells)
    _told(scheduler, cells[0], 10.0)
    flight = scheduler.next_batch(SLOT, 1)
    assert flight is not None and len(flight.cells) == 4
    ids = tuple(flight.cells)
    half = {flight.batch.batch_id: Progress(ids, "train", 50, 100)}
    (left,) = _left(scheduler, now=0.5, newest=half).values()
    assert left.seconds == pytest.approx(4 * 10.0 * (1 - 0.45) + 4 * 10.0)
    # It turns out to be four times faster than others were: its own pace is believed.
    (left,) = _left(scheduler, now=9.0, newest=half).values()
    assert left.seconds == pytest.approx(9.0 / 0.45 * 0.55 + 4 * 10.0)


def test_a_first_batch_tells_of_the_rest_before_it_ends() -> None:
    scheduler = _scheduler(_cells("mlp", *range(20)))
    flight = scheduler.next_batch(SLOT, 1)
    assert flight is not None
    done = next(iter(flight.cells))
    scheduler.cell_done(flight.batch.batch_id, CellFinished(done, (), Seconds(train=2.0)))
    assert _left(scheduler, now=2.0) == {"r0": Left(19 * 2.0, 20)}


def test_a_run_waits_for_those_before_it() -> None:
    first, second = _cells("mlp", *range(4)), _cells("mlp", *range(2, 6))
    scheduler = _scheduler(first, second)
    _told(scheduler, first[0], 1.0)
    # Two of the second run's cells are the first one's: they are computed once.
    assert _left(scheduler) == {"r0": Left(4.0, 0), "r1": Left(6.0, 0)}
    scheduler.ledger.runs["r1"].priority = 1
    assert _left(scheduler) == {"r1": Left(4.0, 0), "r0": Left(6.0, 0)}


def test_what_was_learnt_here_counts_more_than_the_store() -> None:
    timing = Timing()
    timing.learn("a", [2.0, 4.0], "cpu", compiling=0.5)
    timing.expect({("a", "cpu"): Past(100.0, 0.0, 5)})
    timing.expect({("b", "cpu"): Past(1.0, 2.0, 3)})
    timing.expect({("b", "cpu"): Past(5.0, 2.0, 1)})  # the same program, other environments
    assert (timing.of("a"), timing.whole("a")) == (3.0, 3.5)
    assert (timing.of("b"), timing.whole("b")) == (2.0, 4.0)
    assert timing.of("c") is None and timing.alike("c") == pytest.approx((3.5 + 4.0) / 2)
