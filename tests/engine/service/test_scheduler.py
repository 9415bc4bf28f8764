from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from augury.engine.batching import batch_key
from augury.engine.executors.protocol import Slot
from augury.engine.plan import Selection, expand
from augury.engine.service.flights import Failure, Flight, Outcome
from augury.engine.service.ledger import Ledger, RunState, units
from augury.engine.service.scheduler import LONE_TRIES, Scheduler, batch_name, count_batches
from augury.engine.service.timing import Past, Timing
from augury.engine.types import Cell, CellFinished, Seconds

WHY = Failure("ValueError", "bad")
IDLE = Slot("cpu0", "cpu")


def _cells(*seeds: int, dims: int = 1, agents: Sequence[str] = ("mlp",)) -> list[Cell]:
    found = expand(Selection(("testbed-quick",), tuple(agents), seeds, "smoke"))
    return [p.cell for p in found if dims > 1 or "/d2-" in p.cell.problem]


def _scheduler(*runs: Sequence[Cell], target: float = 120.0) -> Scheduler:
    scheduler = Scheduler(Ledger(), Timing(), target)
    for number, cells in enumerate(runs):
        run = RunState(f"r{number}", "augury run", "", len(cells))
        scheduler.ledger.add_run(run, units(cells))
    return scheduler


def _finish(scheduler: Scheduler, flight: Flight, seconds: float = 0.1) -> Outcome:
    for cell in flight.batch.cells:
        finished = CellFinished(cell.cell_id, (), Seconds(train=seconds), 4)
        assert scheduler.cell_done(flight.batch.batch_id, finished)
    outcome = scheduler.ended(flight.batch.batch_id)
    assert outcome is not None
    _settle(scheduler, outcome)
    return outcome


def _settle(scheduler: Scheduler, outcome: Outcome) -> None:
    done = [cell.cell_id for cell, _ in outcome.finished]
    scheduler.ledger.settle(done, [cell.cell_id for cell, _ in outcome.failed])


def _run_all(scheduler: Scheduler, poison: Iterable[str], slots: int = 2) -> list[list[str]]:
    """Run to the end; batches with a poison cell raise. All batches, in order."""
    poison, seen = set(poison), []
    for _ in range(1000):
        flight = scheduler.next_batch(IDLE, slots)
        if flight is None:
            return seen
        ids = [cell.cell_id for cell in flight.batch.cells]
        seen.append(ids)
        if poison & set(ids):
            outcome = scheduler.raised(flight.batch.batch_id, WHY)
            assert outcome is not None
            _settle(scheduler, outcome)
        else:
            _finish(scheduler, flight)
    raise AssertionError("it never ends")


def test_all_cells_run_once_and_the_run_counts_them() -> None:
    cells = _cells(*range(30), dims=2)
    scheduler = _scheduler(cells)
    seen = [i for batch in _run_all(scheduler, ()) for i in batch]
    assert sorted(seen) == sorted(c.cell_id for c in cells)
    run = scheduler.ledger.runs["r0"]
    assert (run.done, run.failed, len(run.open)) == (60, 0, 0)
    assert not scheduler.ledger.cells


def test_a_batch_holds_one_program() -> None:
    scheduler = _scheduler(_cells(*range(9), dims=2, agents=("mlp", "uniform")))
    for _ in range(4):
        flight = scheduler.next_batch(IDLE, 1)
        assert flight is not None
        assert {batch_key(cell) for cell in flight.batch.cells} == {flight.batch.key}


def test_halving_convicts_the_guilty_cell_alone_after_two_tries() -> None:
    cells = _cells(*range(8))
    guilty = cells[5].cell_id
    scheduler = _scheduler(cells)
    batches = _run_all(scheduler, [guilty], slots=1)
    run = scheduler.ledger.runs["r0"]
    assert (run.done, run.failed) == (7, 1)
    with_it = [len(batch) for batch in batches if guilty in batch]
    assert with_it == [8, 4, 2, *[1] * LONE_TRIES]


def test_every_cell_may_be_guilty() -> None:
    cells = _cells(*range(11))
    scheduler = _scheduler(cells)
    _run_all(scheduler, [c.cell_id for c in cells])
    assert scheduler.ledger.runs["r0"].failed == 11


def test_doubtful_cells_come_after_sound_ones() -> None:
    cells = _cells(*range(24))
    scheduler = _scheduler(cells)
    first = scheduler.next_batch(IDLE, 1)
    assert first is not None
    scheduler.raised(first.batch.batch_id, WHY)
    second = scheduler.next_batch(IDLE, 1)
    assert second is not None
    assert not {c.cell_id for c in first.batch.cells} & {c.cell_id for c in second.batch.cells}


def test_finished_cells_of_a_lost_batch_are_kept() -> None:
    scheduler = _scheduler(_cells(*range(4)))
    flight = scheduler.next_batch(IDLE, 1)
    assert flight is not None
    first = flight.batch.cells[0]
    scheduler.cell_done(flight.batch.batch_id, CellFinished(first.cell_id, (), Seconds()))
    outcome = scheduler.lost(flight.batch.batch_id, "killed", resumable=False)
    assert outcome is not None
    assert [cell for cell, _ in outcome.finished] == [first]
    assert not outcome.failed


def test_a_batch_with_a_checkpoint_goes_on_whole_once() -> None:
    scheduler = _scheduler(_cells(*range(4)))
    first = scheduler.next_batch(IDLE, 1)
    assert first is not None
    scheduler.lost(first.batch.batch_id, "killed", resumable=True)
    again = scheduler.next_batch(IDLE, 1)
    assert again is not None and again.batch.cells == first.batch.cells
    scheduler.lost(again.batch.batch_id, "killed", resumable=True)
    half = scheduler.next_batch(IDLE, 1)
    assert half is not None and len(half.batch.cells) == 2


def test_out_of_memory_halves_the_width_down_to_one_cell() -> None:
    scheduler = _scheduler(_cells(*range(8)))
    widths: list[int | None] = []
    while True:
        flight = scheduler.next_batch(IDLE, 1)
        assert flight is not None
        widths.append(flight.batch.widths.get("cpu"))
        outcome = scheduler.out_of_memory(flight.batch.batch_id, "cpu", WHY)
        assert outcome is not None
        if len(widths) == 4:
            break
    assert widths == [None, 4, 2, 1]
    # At one cell a time memory is no longer the width's fault: the cells are told apart.
    half = scheduler.next_batch(IDLE, 1)
    assert half is not None and len(half.batch.cells) == 4


def test_a_cell_of_two_runs_is_computed_once() -> None:
    cells = _cells(*range(12))
    scheduler = _scheduler(cells[:8], cells[4:])
    seen = [i for batch in _run_all(scheduler, ()) for i in batch]
    assert len(seen) == len(set(seen)) == 12
    assert [scheduler.ledger.runs[r].done for r in ("r0", "r1")] == [8, 8]


def test_a_waiting_cell_is_sought_where_the_newest_run_found_its_file() -> None:
    (cell,) = _cells(0)[:1]
    old, new = (replace(cell, resources={"agent": f"/{place}/a.py"}) for place in ("old", "new"))
    flight = _scheduler([old], [new]).next_batch(IDLE, 1)
    assert flight is not None
    assert [c.resources["agent"] for c in flight.batch.cells] == ["/new/a.py"]


def test_cancelling_one_run_leaves_the_cells_of_another() -> None:
    cells = _cells(*range(8))
    scheduler = _scheduler(cells[:6], cells[4:])
    flight = scheduler.next_batch(IDLE, 1)
    assert flight is not None
    scheduler.ledger.stop_run(scheduler.ledger.runs["r0"], "cancelled")
    wanted = {c.cell_id for c in cells[4:]}
    in_flight = {c.cell_id for c in flight.batch.cells}
    assert bool(scheduler.unwanted()) == (not in_flight & wanted)
    scheduler.put_back(flight.batch.batch_id)
    seen = {i for batch in _run_all(scheduler, ()) for i in batch}
    assert seen == wanted
    assert scheduler.ledger.runs["r1"].done == 4


def test_a_cancelled_run_may_be_taken_up_again_while_its_batch_ends() -> None:
    cells = _cells(*range(4))
    scheduler = _scheduler(cells)
    flight = scheduler.next_batch(IDLE, 1)
    assert flight is not None
    scheduler.ledger.stop_run(scheduler.ledger.runs["r0"], "cancelled")
    assert scheduler.unwanted() == [flight.batch.batch_id]
    scheduler.ledger.add_run(RunState("r0", "augury run", "", 4), units(cells))
    assert scheduler.next_batch(IDLE, 1) is None  # all four are still in a worker
    scheduler.put_back(flight.batch.batch_id)
    assert {i for batch in _run_all(scheduler, ()) for i in batch} == {c.cell_id for c in cells}


def test_a_short_run_gives_every_worker_something() -> None:
    scheduler = _scheduler(_cells(*range(10)))
    sizes = []
    for _ in range(2):
        flight = scheduler.next_batch(IDLE, 2)
        assert flight is not None
        sizes.append(len(flight.batch.cells))
    assert sizes == [5, 5]


def test_a_worker_keeps_to_the_program_it_has() -> None:
    cells = _cells(*range(40), agents=("mlp", "uniform"), dims=2)
    scheduler = _scheduler(cells)
    mine = sorted({batch_key(c) for c in cells})[-1]
    for _ in range(3):
        flight = scheduler.next_batch(Slot("cpu0", "cpu", frozenset([mine])), 2)
        assert flight is not None and flight.batch.key == mine
    other = scheduler.next_batch(Slot("cpu1", "cpu"), 2)
    assert other is not None and other.batch.key != mine


def test_batches_aim_at_their_seconds() -> None:
    cells = _cells(*range(400))
    scheduler = _scheduler(cells, target=10.0)
    scheduler.timing.expect({(batch_key(cells[0]), "cpu"): Past(0.5, 0.0, 10)})
    flight = scheduler.next_batch(IDLE, 1)
    assert flight is not None and len(flight.batch.cells) == 20
    scheduler.widths = {batch_key(cells[0]): {"cpu": 16}}
    flight = scheduler.next_batch(IDLE, 1)
    assert flight is not None and len(flight.batch.cells) == 16  # whole programs


def test_long_cells_go_alone() -> None:
    cells = _cells(*range(6))
    scheduler = _scheduler(cells)
    scheduler.timing.expect({(batch_key(cells[0]), "cpu"): Past(500.0, 0.0, 1)})
    flight = scheduler.next_batch(IDLE, 1)
    assert flight is not None and len(flight.batch.cells) == 1


def test_batches_with_a_checkpoint_form_again() -> None:
    cells = _cells(*range(9))
    scheduler = _scheduler(cells)
    kept = [c.cell_id for c in reversed(cells[2:5])]
    assert scheduler.restore(kept)
    assert not scheduler.restore([cells[0].cell_id, "gone"])
    assert not scheduler.restore(kept) and not scheduler.restore([])
    batches = _run_all(scheduler, ())
    assert kept in batches
    assert sorted(i for batch in batches for i in batch) == sorted(c.cell_id for c in cells)


def test_missing_numbers_are_a_failure_of_the_cell() -> None:
    scheduler = _scheduler(_cells(0))
    outcome = None
    for _ in range(LONE_TRIES):
        flight = scheduler.next_batch(IDLE, 1)
        assert flight is not None
        outcome = scheduler.ended(flight.batch.batch_id)
    assert outcome is not None and outcome.failed[0][1].kind == "MissingResult"


def test_unknown_batches_and_cells_are_ignored() -> None:
    scheduler = _scheduler(_cells(0))
    assert not scheduler.cell_done("b9", CellFinished("x", (), Seconds()))
    assert scheduler.ended("b9") is None
    assert scheduler.raised("b9", WHY) is None
    assert scheduler.lost("b9", "", True) is None
    assert scheduler.put_back("b9") is None
    flight = scheduler.next_batch(IDLE, 1)
    assert flight is not None
    assert not scheduler.cell_done(flight.batch.batch_id, CellFinished("x", (), Seconds()))


def test_batch_name_depends_on_the_cells_alone() -> None:
    ids = [cell.cell_id for cell in _cells(*range(3))]
    assert batch_name(ids) == batch_name(ids[::-1]) != batch_name(ids[:2])
    assert count_batches({"a": 33, "b": 1}) == 4


def _order(scheduler: Scheduler, slots: int = 1) -> list[str]:
    """Which run each batch belongs to, until nothing waits."""
    found = []
    while flight := scheduler.next_batch(IDLE, slots):
        runs = {run for i in flight.cells for run in scheduler.ledger.runs_of(i)}
        found.append("+".join(sorted(runs)))
        _finish(scheduler, flight)
    return found


def test_runs_of_a_higher_priority_are_fed_first_then_the_older_ones() -> None:
    groups = [_cells(*range(n * 8, n * 8 + 8)) for n in range(4)]
    scheduler = _scheduler(*groups)
    assert _order(scheduler) == ["r0", "r1", "r2", "r3"]
    scheduler = _scheduler(*groups)
    scheduler.ledger.runs["r2"].priority = 5
    scheduler.ledger.runs["r0"].priority = -1
    assert [run.run_id for run in scheduler.in_order()] == ["r2", "r1", "r3", "r0"]
    assert _order(scheduler) == ["r2", "r1", "r3", "r0"]


def test_a_raised_priority_takes_the_next_slot_and_no_batch_under_way() -> None:
    scheduler = _scheduler(_cells(*range(16)), _cells(*range(16, 24)))
    first = scheduler.next_batch(IDLE, 1)
    assert first is not None
    scheduler.ledger.runs["r1"].priority = 1
    assert list(scheduler.flights) == [first.batch.batch_id]
    _finish(scheduler, first)
    assert _order(scheduler)[0] == "r1"


def test_waiting_batches_are_counted() -> None:
    scheduler = _scheduler(_cells(*range(20)))
    run = scheduler.ledger.runs["r0"]
    assert scheduler.waiting_batches(run, 1) == 3  # of eight, while nobody knows what they cost
    flight = scheduler.next_batch(IDLE, 1)
    assert flight is not None and scheduler.waiting_batches(run, 1) == 2
    scheduler.raised(flight.batch.batch_id, WHY)
    assert scheduler.waiting_batches(run, 1) == 4  # its halves are tried again
    _run_all(scheduler, ())
    assert scheduler.waiting_batches(run, 1) == 0
