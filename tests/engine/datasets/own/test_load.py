"""A table as rows of numbers: identity, leaks, columns that tell nothing, and files that change."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.datasets.own import load as loading
from augury.engine.datasets.own.load import describe, load, names
from augury.engine.datasets.own.recipe import Recipe
from augury.engine.errors import UsageError
from augury.engine.store import driver


def write(tmp_path: Path, lines: list[str], header: str = "x,y", name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_text("\n".join([header, *lines]) + "\n")
    return path


def rows(path: Path, recipe: Recipe) -> Any:
    return load(str(path), recipe.text(), describe(path, recipe).digest)[0]


def test_inputs_and_labels_are_those_of_their_rows(tmp_path: Path) -> None:
    x = np.random.default_rng(0).permutation(1_000)[:200] * 1.25
    path = write(tmp_path, [f"{v},{'u' if v > 600 else 'v'}" for v in x])
    split = rows(path, Recipe("y"))
    train_x, test_x = split.train_x[:, 0], split.test_x[:, 0]
    assert (len(train_x), len(test_x)) == (160, 40)
    # Standardising keeps the order, and the label is a threshold of x.
    for values, labels in ((train_x, split.train_y), (test_x, split.test_y)):
        assert values[labels == 0].min() > values[labels == 1].max()
    scale = np.sort(np.concatenate([train_x, test_x])), np.sort(x)
    slope = np.polyfit(scale[1], scale[0], 1)
    np.testing.assert_allclose(np.polyval(slope, scale[1]), scale[0], atol=1e-5)
    assert abs(train_x.mean()) < 1e-6 and abs(train_x.std() - 1) < 1e-6


def test_nothing_is_learned_from_test_rows(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    cells = [[f"{v:.3f}", "pqr"[i % 3], "uv"[i % 2]] for i, v in enumerate(rng.normal(size=60))]
    path = write(tmp_path, [",".join(row) for row in cells], "x,t,y")
    before = rows(path, Recipe("y"))
    seen = {row[0] for row in cells}
    tested = [
        i for i, row in enumerate(cells)
        if np.isclose(before.test_x[:, 0], _scaled(before, cells, float(row[0])), atol=1e-4).any()
    ]  # fmt: skip
    assert len(tested) == 12 and len(seen) == 60
    for i in tested:
        cells[i][:2] = ["1e6", "new"] if i % 2 else ["", ""]
    write(tmp_path, [",".join(row) for row in cells], "x,t,y")
    after = rows(path, Recipe("y"))
    np.testing.assert_array_equal(before.train_x, after.train_x)
    np.testing.assert_array_equal(before.test_y, after.test_y)
    assert (after.test_x != before.test_x).any(1).all()


def _scaled(split: Any, cells: list[list[str]], value: float) -> float:
    """By the line through the training rows, whose inputs are in one order with their values."""
    every = np.sort([float(row[0]) for row in cells])
    scaled = np.sort(np.concatenate([split.train_x[:, 0], split.test_x[:, 0]]))
    return float(np.polyval(np.polyfit(every, scaled, 1), value))


def test_identity_is_bytes_target_and_recipe(tmp_path: Path) -> None:
    lines = [f"{i % 7},{i % 3},{'ab'[i % 2]}" for i in range(60)]
    path = write(tmp_path, lines, "x,z,y")
    recipes = [
        Recipe("y"), Recipe("z"), Recipe("y", ("z",)), Recipe("y", test_share=0.3),
        Recipe("y", split_seed=1),
    ]  # fmt: skip
    found = [describe(path, recipe).digest for recipe in recipes]
    elsewhere = write(tmp_path, lines, "x,z,y", "other.csv")
    assert describe(elsewhere, Recipe("y")).digest == found[0]
    write(tmp_path, [*lines[:-1], "6,2,b"], "x,z,y")
    found.append(describe(path, Recipe("y")).digest)
    assert len(set(found)) == len(found)
    assert all(re.fullmatch(r"[0-9a-f]{16}", digest) for digest in found)


def test_a_recipe_survives_its_text() -> None:
    recipe = Recipe("ünï, 'y'", ("b", "a", "b"), 0.25, 3)
    assert recipe.ignore == ("a", "b")
    assert Recipe.from_text(recipe.text()) == recipe


def test_what_is_said_of_a_table(tmp_path: Path) -> None:
    lines = [f"{i % 7},1,,{['u', 'v', ''][i % 3]},{i % 5 > 2}" for i in range(90)]
    about = describe(write(tmp_path, lines, "x,k,m,y,b", "My Data.csv"), Recipe("y"))
    assert (about.name, about.classes, about.counts) == ("my-data-y", ("u", "v"), (30, 30))
    assert (about.num_train, about.num_test, about.unlabelled, about.input_dim) == (48, 12, 30, 2)
    assert about.kinds == (("number", 1), ("boolean", 1))
    assert about.left_out == ("k (the same in all training rows)", "m (no value)")


def test_classes_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    path = write(tmp_path, [f"{i % 7},{[10, 9, '-1.50'][i % 3]}" for i in range(30)])
    assert describe(path, Recipe("y")).classes == ("-1.5", "9", "10")


BIG = [str(2**53 - 1 + i % 4) for i in range(40)]  # three of them are one floating-point number


@pytest.mark.parametrize("form", ["csv", "parquet", "npz"])
def test_whole_numbers_are_told_apart_digit_by_digit(form: str, tmp_path: Path) -> None:
    path = write(tmp_path, [f"{i % 7},{v}" for i, v in enumerate(BIG)])
    if form == "parquet":
        con, path = driver.connect(":memory:"), tmp_path / "t.parquet"
        con.execute(f"COPY (FROM '{tmp_path}/t.csv') TO '{path}' (FORMAT parquet)")
        con.close()
    elif form == "npz":
        path = tmp_path / "t.npz"
        np.savez(path, x=np.arange(40) % 7, y=np.array(list(map(int, BIG))))
    about = describe(path, Recipe("y"))
    assert about.classes == tuple(str(2**53 - 1 + i) for i in range(4))
    assert about.counts == (10,) * 4


@pytest.mark.parametrize(
    ("slips", "said"),
    [
        ({7: "-"}, "column 'x': 39 of 40 values are numbers, row 8 is '-'. Correct such values"),
        ({7: "35%"}, "column 'x': 39 of 40 values are numbers, row 8 is '35%'."),
        (
            {7: "'1,200'", 9: "none given"},
            "column 'x': 38 of 40 values are numbers, row 8 is '1,200', the first of 2.",
        ),
    ],
)
def test_numbers_with_a_slip_are_no_categories(
    slips: dict[int, str], said: str, tmp_path: Path
) -> None:
    x = [slips.get(i, str(20 + i % 9)).replace("'", '"') for i in range(40)]
    path = write(tmp_path, [f"{v},{'ab'[i % 2]}" for i, v in enumerate(x)])
    with pytest.raises(UsageError, match=re.escape(said)) as error:
        describe(path, Recipe("y"))
    assert error.value.message.endswith(" To leave out: --ignore x")
    if len(slips) == 1:  # the same in an array of texts
        np.savez(tmp_path / "t.npz", x=np.array(x), y=np.arange(40) % 2)
        with pytest.raises(UsageError, match=re.escape(said)):
            describe(tmp_path / "t.npz", Recipe("y"))


def test_text_with_some_numbers_is_text(tmp_path: Path) -> None:
    few = [f"{'-' if i % 8 == 0 else i % 3},{'ab'[i % 2]}" for i in range(40)]
    assert describe(write(tmp_path, few), Recipe("y")).kinds == (("text", 1),)


SAME = [f"{i % 7},{'ab'[i % 2]}" for i in range(40)]


@pytest.mark.parametrize(
    ("lines", "header", "message"),
    [
        (SAME, "x,Y", "--target 'y' is no column of .* Did you mean 'Y'\\? Columns: x, Y\\."),
        (SAME, "0.5,a", "'y' is no column .* Its first line is taken for names\\."),
        ([f"{i % 7},a" for i in range(40)], "x,y", "'y' is 'a' in every row: one class only"),
        (SAME[:9], "x,y", "'y' is given in 9 of 9 rows; 10 are needed"),
        ([f"{i % 7}," for i in range(40)], "x,y", "'y' has no value in any row"),
        ([f"{i % 7},{i}" for i in range(40)], "x,y", "40 classes in 40 rows: an identifier"),
        ([f"{i % 7},{i / 3}" for i in range(40)], "x,y", "looks like a measurement"),
        ([f"{i % 7},2020-01-0{i % 2 + 1}" for i in range(40)], "x,y", "'y' is a date"),
        ([f"{i % 7},{'inf' if i % 2 else 1}" for i in range(40)], "x,y", "has infinite values"),
        ([f"3,{'ab'[i % 2]}" for i in range(40)], "x,y", "no column that tells classes apart: x"),
        ([f"{'ab'[i % 2]}" for i in range(40)], "y", "has no column that tells classes apart\\."),
        ([f"{i + 5},{'ab'[i % 2]}" for i in range(40)], "x,y", "'x' counts the rows"),
        ([f"k{i},{'ab'[i % 2]}" for i in range(40)], "x,y", "'x' has 40 different texts in 40"),
        (
            [f"{'1e400' if i == 6 else i % 7},{'ab'[i % 2]}" for i in range(40)],
            "x,y",
            "'x' is infinite or beyond 1e\\+300 in 1 row, the first of them row 7",
        ),
    ],
)
def test_what_gives_no_problem_is_refused(
    lines: list[str], header: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        describe(write(tmp_path, lines, header), Recipe("y"))
    assert "\n" not in caught.value.message


def test_all_columns_that_cannot_be_used_are_told_at_once(tmp_path: Path) -> None:
    lines = [f"k{i},{i},{i % 7},t {i},{'ab'[i % 2]}" for i in range(40)]
    path = write(tmp_path, lines, "id,row,x,free text,y")
    with pytest.raises(UsageError) as caught:
        describe(path, Recipe("y"))
    said = caught.value.message
    assert "column 'id' has 40 different texts" in said and "column 'row' counts" in said
    assert said.endswith("To leave out: --ignore id --ignore row --ignore 'free text'")
    assert describe(path, Recipe("y", ("id", "row", "free text"))).input_dim == 1


def test_types_that_are_no_input_and_no_target(tmp_path: Path) -> None:
    path, con = tmp_path / "t.parquet", driver.connect(":memory:")
    con.execute(
        f"COPY (SELECT [i] AS l, i % 7 AS x, i % 2 AS y FROM range(40) AS r(i)) TO '{path}' "
        "(FORMAT parquet)"
    )
    con.close()
    with pytest.raises(UsageError, match=r"column 'l' is of type BIGINT\[\], .*: --ignore l$"):
        describe(path, Recipe("y"))
    with pytest.raises(UsageError, match=r"target 'l' is of type BIGINT\[\]: no classes"):
        describe(path, Recipe("l"))
    assert describe(path, Recipe("y", ("l",))).input_dim == 1


def test_a_column_that_is_left_out_is_not_looked_at(tmp_path: Path) -> None:
    path = write(tmp_path, [f"k{i},{i % 7},{'ab'[i % 2]}" for i in range(40)], "id,x,y")
    assert describe(path, Recipe("y", ("id",))).input_dim == 1
    with pytest.raises(UsageError, match=r"--ignore 'idd' is no column .* Did you mean 'id'"):
        describe(path, Recipe("y", ("idd",)))
    with pytest.raises(UsageError, match="that is the target"):
        Recipe("y", ("y",))


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, float("nan")])
def test_no_split(share: float) -> None:
    with pytest.raises(UsageError, match="--test-share must lie between 0 and 1"):
        Recipe("y", test_share=share)


def test_too_few_rows_to_test_on(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"leaves 0 to test on, and 2 are needed"):
        describe(write(tmp_path, SAME), Recipe("y", test_share=0.01))


def test_more_numbers_than_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "MOST_NUMBERS", 39)
    with pytest.raises(UsageError, match=r"40 rows of 1 inputs are more than 39 numbers"):
        describe(write(tmp_path, SAME), Recipe("y"))


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "empty.csv").touch()
    (tmp_path / "t.xlsx").write_text("x")
    for name, message in {
        "absent.csv": "No such file or directory", "pipe.csv": "is no regular file",
        "folder.csv": "is a folder: name a file in it", "empty.csv": "is empty",
        "t.xlsx": r"\.xlsx is no table here; it takes \.csv",
    }.items():  # fmt: skip
        with pytest.raises(UsageError, match=message):
            describe(tmp_path / name, Recipe("y"))
        with pytest.raises(UsageError, match=message):
            names(tmp_path / name)


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = write(tmp_path, SAME)
    path.chmod(0)
    if me := os.geteuid() == 0:  # to whom nothing is forbidden
        os.seteuid(65534)
    try:
        with pytest.raises(UsageError, match="Permission denied"):
            describe(path, Recipe("y"))
    finally:
        if me:
            os.seteuid(0)


@pytest.mark.slow
def test_a_million_rows_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    con = driver.connect(":memory:", config={"threads": 2})
    columns = ", ".join(f"round(random(), 4) AS x{i}" for i in range(20))
    con.execute(
        f"COPY (SELECT {columns}, 'k' || (i % 9) AS t, i % 3 AS y FROM range(1000000) AS r(i)) "
        f"TO '{path}' (FORMAT csv, HEADER)"
    )
    con.close()
    code = (
        "import resource, sys; from pathlib import Path;"
        "from augury.engine.datasets.own.load import load, describe;"
        "from augury.engine.datasets.own.recipe import Recipe;"
        "path, recipe = Path(sys.argv[1]), Recipe('y');"
        "split, about = load(str(path), recipe.text(), describe(path, recipe).digest);"
        "print(about.num_train, about.num_test, about.input_dim, split.train_x.nbytes,"
        "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    train, test, dim, size, most = map(int, done.stdout.split())
    assert (train, test, dim) == (990_000, 10_000, 29)
    assert most < 8 * size + 200_000_000


def test_a_file_that_changed_or_went_since(tmp_path: Path) -> None:
    path, recipe = write(tmp_path, SAME), Recipe("y")
    planned = describe(path, recipe).digest
    write(tmp_path, [*SAME, "1,a"])
    with pytest.raises(UsageError, match=r"t\.csv changed since the run was launched"):
        load(str(path), recipe.text(), planned)
    path.unlink()
    with pytest.raises(UsageError, match=r"t\.csv: No such file or directory"):
        load(str(path), recipe.text(), planned)
    write(tmp_path, SAME)
    assert load(str(path), recipe.text(), planned)[1].num_train == 32
