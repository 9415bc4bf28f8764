"""What a selection would do: counts, seconds with their uncertain part, a grid."""

from __future__ import annotations

from augury.engine.batching import batch_key
from augury.engine.plan import Selection, expand
from augury.engine.service.preview import preview
from augury.engine.service.timing import Past, Timing

PLANNED = expand(Selection(("testbed-quick",), ("mlp", "uniform"), (0, 1), "smoke"))
IDS = [item.cell.cell_id for item in PLANNED]  # 2 subjects x 2 dims x 2 seeds


def test_nothing_known() -> None:
    told = preview(PLANNED, {}, Timing(), 2)
    assert (told["total"], told["stored"], told["failed"], told["new"]) == (8, 0, 0, 8)
    assert told["seconds"] is None and told["guessed_cells"] == 8
    assert told["grid"] == [
        ["mlp", "testbed/d2-l10-t0.1", 0, 2, 0], ["mlp", "testbed/d10-l10-t0.1", 0, 2, 0],
        ["uniform", "testbed/d2-l10-t0.1", 0, 2, 0], ["uniform", "testbed/d10-l10-t0.1", 0, 2, 0],
    ]  # fmt: skip


def test_seconds_and_what_of_them_is_a_guess() -> None:
    timing = Timing()
    narrow = next(p.cell for p in PLANNED if p.cell.subject == "mlp" and "/d2-" in p.cell.problem)
    timing.expect({(batch_key(narrow), "cpu"): Past(9.0, 1.0, 3)})
    told = preview(PLANNED, {}, timing, 1)
    # mlp on D=10 counts as mlp on D=2, uniform as the scenario.
    assert (told["seconds"], told["guessed_seconds"], told["guessed_cells"]) == (80.0, 60.0, 6)
    assert preview(PLANNED, {}, timing, 4)["seconds"] == 20.0
    assert preview(PLANNED, {}, timing, 100)["seconds"] == 10.0  # eight cells, side by side


def test_stored_and_failed_cells_cost_nothing() -> None:
    timing = Timing()
    timing.expect({(batch_key(item.cell), "cpu"): Past(1.0, 0.0, 1) for item in PLANNED})
    states = {IDS[0]: "done", IDS[1]: "failed", IDS[2]: "pending"}
    told = preview(PLANNED, states, timing, 1)
    assert (told["stored"], told["failed"], told["new"], told["seconds"]) == (1, 1, 7, 6.0)
    done = sum(row[2] for row in told["grid"])
    failed = sum(row[4] for row in told["grid"])
    assert (done, failed) == (1, 1)
    assert preview(PLANNED, dict.fromkeys(IDS, "done"), timing)["seconds"] == 0.0


def test_data_sets_that_new_cells_lack() -> None:
    chosen = Selection(("real",), ("uniform",), (0,), filter="dataset=iris,mnist")
    cells = expand(chosen)
    assert "`augury data fetch mnist`" in preview(cells, {}, Timing())["lacking"]
    done = {p.cell.cell_id: "done" for p in cells if "mnist" in p.cell.problem}
    assert preview(cells, done, Timing())["lacking"] == ""
