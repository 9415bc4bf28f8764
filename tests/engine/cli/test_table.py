"""`augury run --data FILE --target COLUMN`: from words to a selection and back."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from augury.engine.batching import batches
from augury.engine.catalog.problems import parse
from augury.engine.cli.main import main
from augury.engine.cli.selection import checked, command_text, selected_boards
from augury.engine.cli.table import read_table
from augury.engine.datasets.own.ask import Asked, table_words, told
from augury.engine.datasets.own.load import describe
from augury.engine.datasets.own.recipe import Recipe
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "My Own.csv"
    file.write_text("id,x,y\n" + "".join(f"k{i},{i % 7},{'ab'[i % 2]}\n" for i in range(40)))
    return file


def selection(path: Path, *words: str, **options: object) -> Selection:
    asked = Asked(path, "y", ("id",), 0.2, 0)
    return Selection(words or ("real",), tables=(read_table(asked),), **options)  # type: ignore[arg-type]


def test_cells_are_of_this_table_and_no_published_one(path: Path) -> None:
    chosen = selection(path, subjects=("mlp", "uniform"), seeds=(0, 1))
    cells = [planned.cell for planned in expand(checked(chosen))]
    digest = describe(path, Recipe("y", ("id",))).digest
    assert {cell.problem for cell in cells} == {f"real/table-my-own-y-{digest}/n32"}
    assert [(c.subject, c.seed) for c in cells] == [
        ("mlp", 0), ("mlp", 1), ("uniform", 0), ("uniform", 1),
    ]  # fmt: skip
    assert all(cell.settings == {"preprocess": "feature"} for cell in cells)
    assert all(cell.resources["table"] == str(path) for cell in cells)
    assert len(batches(cells)) == 2
    assert Selection.from_json(chosen.to_json()) == chosen
    card = parse(cells[0].problem)
    assert card.id == cells[0].problem and card.setting == card.id.removeprefix("real/")
    assert card.columns() == {"dataset": f"table-my-own-y-{digest}", "num_train": 32}


def test_regimes_of_a_table(path: Path) -> None:
    planned = expand(checked(selection(path, "real-regimes", subjects=("uniform",), seeds=(0,))))
    assert [p.cell.problem.rpartition("/")[2] for p in planned] == ["n10", "n32"]


def test_the_board_is_of_this_table_alone(path: Path) -> None:
    chosen = checked(selection(path, subjects=("uniform",)))
    (shown,) = selected_boards(chosen)
    setting = expand(chosen)[0].cell.problem.removeprefix("real/")
    assert (shown.scenario, shown.sweep, shown.filter) == ("real", "tables", f"setting={setting}")


def test_the_command_asks_for_the_same(path: Path) -> None:
    asked = Asked(path, "y", ("id",), 0.25, 7)
    chosen = Selection(("real",), ("uniform",), tables=(read_table(asked),))
    words = shlex.split(command_text(chosen))
    at = words.index("--data")
    assert words[at:] == [
        "--data", str(path), "--target", "y", "--ignore", "id", "--test-share", "0.25",
        "--split-seed", "7",
    ]  # fmt: skip
    assert table_words(Recipe("y").text()) == ["--target", "y"]


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        (("testbed",), {}, "--data needs a sweep of real"),
        (("real",), {"filter": "num_train=10"}, "--filter does not go with --data"),
        (("real",), {"config": "all"}, "--config does not go with --data"),
    ],
)
def test_what_does_not_go_with_a_table(
    words: tuple[str, ...], options: dict[str, str], message: str, path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        checked(selection(path, *words, **options))


def test_what_a_person_is_told(path: Path) -> None:
    recipe = Recipe("y", ("id",))
    assert told(path, recipe, describe(path, recipe)) == [
        "My Own.csv: 40 rows, 32 to learn from and 8 to test on, each class in its share "
        "(split seed 0)",
        "target y: 2 classes: a 20, b 20",
        "1 input from columns by kind: 1 number",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target", "y"], "--target goes with --data FILE"),
        (["--split-seed", "0"], "--split-seed goes with --data FILE"),
        (["--data", "{path}"], "--data needs --target, the column that is predicted: id, x, y."),
        (["--data", "{path}", "--target", "y"], "column 'id' has 40 different texts in 40 rows"),
        (["--data", "{path}", "--target", "why", "--ignore", "id"], "--target 'why' is no column"),
        (["--data", "{path}", "--data", "b.csv"], "--data takes one value, got "),
        (
            ["--data", "{path}", "--target", "y", "--target", "x"],
            "--target takes one value, got y, x",
        ),
        (["--data", "no.csv", "--target", "y", "--filter", "d=1"], "--filter does not go with"),
        (["--data", "no.csv", "--target", "y", "--config", "all"], "--config does not go with"),
        (["--data", "no.csv", "--target", "y", "--config", "best"], "--config does not go with"),
        (["testbed", "--data", "no.csv", "--target", "y"], "--data needs a sweep of real, e.g."),
    ],
)
def test_a_wrong_command(words: list[str], message: str, path: Path) -> None:
    words = [word.format(path=path) for word in words]
    result = CliRunner().invoke(main, ["run", *words])
    assert result.exit_code != 0
    assert message in getattr(result.exception, "message", result.output)


def test_a_target_that_may_be_a_measurement_is_told(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("x,y\n" + "".join(f"{i % 7},{i % 60}\n" for i in range(240)))
    assert told(file, Recipe("y"), describe(file, Recipe("y")))[-1] == (
        "target y may be a measurement: 60 whole numbers of 4.0 rows each; agents tell classes "
        "apart and know no order"
    )


def test_test_rows_of_one_class_are_told(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("x,y\n" + "".join(f"{i % 7},{'b' if i == 3 else 'a'}\n" for i in range(40)))
    lines = told(file, Recipe("y"), describe(file, Recipe("y")))
    assert lines[-1].startswith("all rows to test on are of one class")
