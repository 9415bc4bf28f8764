"""Selections become the right cells, and cells the right batches."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.engine.batching import batch_key, batches, training_key
from augury.engine.catalog.problems import parse
from augury.engine.catalog.sweeps import SWEEPS
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, absent, expand, label, left_out
from augury.engine.types import Cell, canonical


def cells_of(*what: str, **options: object) -> list[Cell]:
    """The cells of a selection."""
    return [p.cell for p in expand(Selection(what, **options))]  # type: ignore[arg-type]


def test_the_same_words_give_the_same_cells_in_the_same_order() -> None:
    assert cells_of("quick") == cells_of("quick")


def test_a_quick_run_has_several_seeds_of_every_scenario() -> None:
    cells = cells_of("quick")
    assert {c.scenario for c in cells} == {"testbed", "real", "ppc", "mi"}
    for scenario in ("testbed", "real", "ppc", "mi"):
        assert len({c.seed for c in cells if c.scenario == scenario}) >= 2
    assert {
        parse(c.problem).columns().get("input_dim") for c in cells if c.scenario == "testbed"
    } == {
        2,
        10,
    }


@pytest.mark.parametrize(("sweep", "count"), [("testbed", 180), ("testbed-2d", 210)])
def test_the_papers_sweeps_have_their_size(sweep: str, count: int) -> None:
    assert len({p.id for p in SWEEPS[sweep].full}) == count


@pytest.mark.parametrize("sweep", SWEEPS)
@pytest.mark.parametrize("scale", ["smoke", "quick", "full"])
def test_cell_ids_are_unique_and_survive_json(sweep: str, scale: str) -> None:
    cells = cells_of(sweep, scale=scale)
    assert len({c.cell_id for c in cells}) == len(cells) > 0
    for cell in cells[:20]:
        again = Cell.from_json(json.loads(canonical(cell.to_json())))
        assert again.cell_id == cell.cell_id


def test_a_number_written_two_ways_is_one_cell() -> None:
    one = cells_of("testbed-quick", subjects=("mlp",), overrides=("mlp.weight_decay=3",))
    two = cells_of("testbed-quick", subjects=("mlp",), overrides=("mlp.weight_decay=3.0",))
    assert [c.cell_id for c in one] == [c.cell_id for c in two]


def test_an_override_equal_to_the_default_changes_nothing() -> None:
    plain = cells_of("testbed-quick", subjects=("mlp",))
    same = cells_of("testbed-quick", subjects=("mlp",), overrides=("mlp.weight_decay=1",))
    assert [c.cell_id for c in plain] == [c.cell_id for c in same]


def test_where_outside_files_lie_is_not_identity() -> None:
    here = Cell("testbed", "testbed/file-a-00/e0", "mlp", resources={"problem": "/a"})
    there = Cell("testbed", "testbed/file-a-00/e0", "mlp", resources={"problem": "/b"})
    assert here.cell_id == there.cell_id


def test_repeated_overrides_are_a_grid() -> None:
    options = (
        "mlp.weight_decay=1",
        "mlp.weight_decay=10",
        "mlp.num_steps=100",
        "mlp.num_steps=200",
    )
    cells = cells_of("testbed-quick", subjects=("mlp",), seeds=(0,), overrides=options)
    assert len({label(c.subject, c.config) for c in cells}) == 4


def test_settings_are_overridden_by_the_scenarios_name() -> None:
    cells = cells_of("testbed-quick", subjects=("mlp",), overrides=("testbed.num_test_batches=50",))
    assert {c.settings["num_test_batches"] for c in cells} == {50}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"what": ("quik",)}, "Did you mean 'quick'"),
        ({"what": ()}, "nothing to run"),
        ({"what": ("quick",), "subjects": ("ensembel",)}, "Did you mean 'ensemble'"),
        ({"what": ("testbed",), "subjects": ("dv",)}, "no subject of testbed"),
        ({"what": ("ppc-quadratic",), "subjects": ("posterior",)}, "no subject of ppc-quadratic"),
        ({"what": ("testbed", "mi"), "subjects": ("mlp",)}, "(mlp) fits mi: leave it out, or add"),
        ({"what": ("testbed",), "scale": "tiny"}, "unknown scale"),
        ({"what": ("testbed",), "overrides": ("mlp.hiden=[1]",)}, "Did you mean 'hidden'"),
        ({"what": ("testbed",), "overrides": ("mpl.hidden=[1]",)}, "Did you mean 'mlp'"),
        ({"what": ("testbed",), "overrides": ("mlp=3",)}, "SUBJECT.FIELD=VALUE"),
        ({"what": ("testbed",), "overrides": ("mlp.num_steps=0",)}, "at least 1"),
        ({"what": ("testbed",), "overrides": ("mlp.num_steps=2.5",)}, "takes int"),
        (
            {"what": ("testbed",), "overrides": ("testbed.max_steps=99999999999999999",)},
            "takes int",
        ),
        ({"what": ("testbed",), "overrides": ("mlp.num_steps=1e400",)}, "takes int"),
        (
            {"what": ("testbed",), "overrides": ("mlp.num_steps=1000000000000",)},
            "takes int below 2",
        ),
        ({"what": ("testbed",), "overrides": ("mlp.num_steps=1000000000",)}, "below 2^31"),
        (
            {"what": ("testbed",), "overrides": ("ensemble.num_ensemble=1000000000",)},
            "takes int up to 1,000,000, got 1,000,000,000",
        ),
        ({"what": ("testbed",), "overrides": ("mlp.num_steps=1" + 400 * "0",)}, "below 2^31"),
        (
            {"what": ("testbed",), "overrides": ("mlp.learning_rate=1" + 400 * "0",)},
            "takes a finite number, got 10000000000000000000... of 401 digits",
        ),
        ({"what": ("testbed",), "overrides": ("mlp.num_steps=true",)}, "takes int"),
        ({"what": ("testbed",), "overrides": ("mlp.weight_decay=-1",)}, "not negative"),
        ({"what": ("testbed",), "overrides": ("mlp.weight_decay=NaN",)}, "finite"),
        ({"what": ("testbed",), "overrides": ("ensemble.index_sampling=evry",)}, "'every'"),
        ({"what": ("testbed",), "overrides": ("testbed.num_test_batches=1",)}, ">= 2"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(options: dict, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        expand(Selection(**options))
    assert words in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.exit_code == 2


def test_a_collection_may_be_narrowed_and_that_is_known() -> None:
    chosen = Selection(("quick",), ("mlp",))
    assert {p.sweep for p in expand(chosen)} == {"testbed-quick", "real-quick"}
    assert left_out(chosen) == ("ppc-quick", "mi-quick")
    assert left_out(Selection(("quick",))) == ()


def test_subjects_whose_package_is_missing_are_left_out_but_refused_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = Selection(("testbed",), scale="smoke")
    chosen = Selection(("testbed",), ("random-forest",), scale="smoke")
    assert absent(whole) == {}
    assert "random-forest" in {p.cell.subject for p in expand(whole)} and expand(chosen)
    monkeypatch.setattr("augury.engine.catalog.entry.find_spec", lambda module: None)
    assert [extra.package for extra in absent(whole).values()] == ["scikit-learn"]
    subjects = {p.cell.subject for p in expand(whole)}
    assert "random-forest" not in subjects and {"mlp", "knn"} <= subjects
    with pytest.raises(UsageError, match="random-forest needs scikit-learn.*pip install") as caught:
        expand(chosen)
    assert "\n" not in caught.value.message and absent(chosen) == {}


def test_a_batch_holds_one_program_and_never_parts_a_training() -> None:
    cells = cells_of("quick", seeds=(0, 1, 2))
    cut = batches(cells, most=2)
    assert sorted(c.cell_id for b in cut for c in b.cells) == sorted(c.cell_id for c in cells)
    home: dict[str, int] = {}
    for number, batch in enumerate(cut):
        assert {batch_key(c) for c in batch.cells} == {batch.key}
        for cell in batch.cells:
            assert home.setdefault(training_key(cell), number) == number


def test_traced_numbers_share_a_program_and_counts_do_not() -> None:
    decays = ("mlp.weight_decay=1", "mlp.weight_decay=2")
    cells = cells_of("testbed", scale="quick", subjects=("mlp",), overrides=decays)
    assert len({batch_key(c) for c in cells}) == 2  # one for each input dimension
    widths = ("mlp.hidden=[10]", "mlp.hidden=[20]")
    cells = cells_of("testbed", scale="quick", subjects=("mlp",), overrides=widths)
    assert len({batch_key(c) for c in cells}) == 4


def test_bounds_of_one_objective_share_a_training_and_both_regions_of_a_check_do() -> None:
    cells = cells_of("mi-quick", seeds=(0,))
    js = [training_key(c) for c in cells if c.subject in ("js", "smile-1", "smile-5", "smile-inf")]
    assert len(js) >= 4 and len(set(js)) == 1
    checked = cells_of("ppc-quick", seeds=(0,))
    assert len(checked) == 4 and len({training_key(c) for c in checked}) == 2  # of two agents


@given(st.permutations(range(12)))
def test_batches_do_not_depend_on_the_order_of_cells(order: list[int]) -> None:
    cells = cells_of("testbed-quick", scale="quick")[:12]
    plain = {(b.key, frozenset(c.cell_id for c in b.cells)) for b in batches(cells, 100)}
    mixed = batches([cells[i] for i in order], 100)
    assert {(b.key, frozenset(c.cell_id for c in b.cells)) for b in mixed} == plain


def test_a_selection_survives_json() -> None:
    selection = Selection(
        ("quick",), ("mlp",), (0, 1), "quick", ("mlp.hidden=[3]",), (("a", "b", "c"),)
    )
    assert Selection.from_json(json.loads(json.dumps(selection.to_json()))) == selection


def test_a_sweep_may_make_every_subject_smaller_and_set_wins_over_it() -> None:
    quick = cells_of("mi-quick", scale="quick", overrides=("dv.width=128", "nwj.depth=2"))
    configs = {c.subject: c.config for c in quick}
    assert configs["js"] == {"width": 64, "depth": 1}
    assert configs["dv"] == {"width": 128, "depth": 1}
    assert configs["nwj"] == {"width": 64}
    assert {canonical(c.config) for c in cells_of("mi-quick", scale="full")} == {"{}"}


def test_problems_of_files_have_boards_of_their_own() -> None:
    planned = expand(Selection(("testbed",), ("mlp",), problem_files=(("a", "00", "/a.npz"),)))
    assert {p.sweep for p in planned} == {"files"}
    assert {p.cell.problem for p in planned} == {"testbed/file-a-00/e0"}


def test_cells_whose_trainings_differ_in_length_are_apart() -> None:
    option = ("mlp.batch_strategy=true",)
    cells = cells_of("testbed", subjects=("mlp",), scale="full", overrides=option)
    keys: dict[str, set[int]] = {}
    for cell in cells:
        card = parse(cell.problem)
        keys.setdefault(batch_key(cell), set()).add(card.columns()["ratio"])  # type: ignore[arg-type]
    assert sorted(map(sorted, keys.values())) == [[1]] * 3 + [[10, 100]] * 3 + [[1000]] * 3
    plain = cells_of("testbed", subjects=("mlp",), scale="full")
    assert len({batch_key(cell) for cell in plain}) == 3


def test_a_first_look_runs_few_subjects_and_takes_any_that_fits() -> None:
    """What runs unasked stays quick; what is named runs."""
    unasked = {p.cell.subject for p in expand(Selection(("testbed-quick",)))}
    assert unasked == {"uniform", "prior", "mlp", "ensemble", "ensemble+"}
    asked = {p.cell.subject for p in expand(Selection(("testbed-quick",), ("dropout",)))}
    assert asked == {"dropout"}
