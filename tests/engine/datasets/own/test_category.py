"""Columns that a person calls categories: values are names, whatever they look like."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

from augury.engine.datasets.own.ask import parse, table_words, told
from augury.engine.datasets.own.load import describe, load
from augury.engine.datasets.own.recipe import Recipe, digest
from augury.engine.errors import UsageError
from augury.engine.store import driver

ROWS = 60
GRADES = ["R" if i == 17 else str(1 + i % 5) for i in range(ROWS)]


def _csv(folder: Path) -> Path:
    path = folder / "marks.csv"
    lines = [f"{g},{i % 7},{'ab'[i % 2]}" for i, g in enumerate(GRADES)]
    path.write_text("grade,zone,y\n" + "\n".join(lines) + "\n")
    return path


def test_a_rare_letter_among_numbers(tmp_path: Path) -> None:
    path = _csv(tmp_path)
    said = (r"column 'grade': 59 of 60 values are numbers, row 18 is 'R'. Correct such values, or "
            r"empty them; if they are names of few categories: --category grade. To leave out: "
            r"--ignore grade$")  # fmt: skip
    with pytest.raises(UsageError, match=said):
        describe(path, Recipe("y"))
    about = describe(path, Recipe("y", category=("grade",)))
    assert dict(about.kinds) == {"text": 1, "number": 1}
    # An input for each of 1 to 5, and for R where a training row has it.
    assert about.input_dim in (6, 7)


@pytest.mark.parametrize("form", ["csv", "parquet", "npz"])
def test_codes_in_every_form(tmp_path: Path, form: str) -> None:
    """Seven zones have no order: an input each, of which one is 1 in each row."""
    zones, y = np.arange(ROWS) % 7, np.arange(ROWS) % 2
    path = tmp_path / f"zones.{form}"
    if form == "npz":
        np.savez(path, zone=zones.astype(float), y=y)
    else:
        text = tmp_path / "zones.csv"
        text.write_text("zone,y\n" + "".join(f"{z},{t}\n" for z, t in zip(zones, y, strict=True)))
        if form == "parquet":
            with driver.connect(":memory:") as con:
                con.execute(f"COPY (FROM read_csv('{text}')) TO '{path}' (FORMAT parquet)")
    recipe = Recipe("y", category=("zone",))
    about = describe(path, recipe)
    assert (about.input_dim, dict(about.kinds)) == (7, {"text": 1})
    rows, _ = load(str(path), recipe.text(), about.digest)
    assert set(rows.train_x.sum(1)) == {1.0} and rows.train_x.shape == (48, 7)
    assert describe(path, Recipe("y")).input_dim == 1


def test_words_and_digests(tmp_path: Path) -> None:
    path = _csv(tmp_path)
    asked = parse(f"{path} --target y --category grade --category zone")
    assert asked.category == ("grade", "zone")
    recipe = Recipe("y", category=("zone", "grade"))
    assert Recipe.from_text(recipe.text()) == recipe
    assert table_words(recipe.text()) == ["--target", "y", "--category", "grade",
                                          "--category", "zone"]  # fmt: skip
    # Without the option a table is the one that it was before there was one.
    assert "category" not in Recipe("y").text()
    assert digest("0", "csv", Recipe("y")) != digest("0", "csv", recipe)
    with pytest.raises(UsageError, match="--category 'grad' is no column of .*mean 'grade'"):
        describe(path, Recipe("y", category=("grad",)))
    with pytest.raises(UsageError, match="--category y: that is the target"):
        Recipe("y", category=("y",))
    with pytest.raises(UsageError, match="left out by --ignore"):
        Recipe("y", ("zone",), category=("zone",))


def test_what_a_message_suggests_can_be_typed(tmp_path: Path) -> None:
    long = "how_many_times_it_was_seen_in_all_of_the_years_that_are_on_record_here"
    names = (long, "two  blanks", "it's")
    path = tmp_path / "slips.csv"
    lines = [",".join((f'"{names[0]}"', f'"{names[1]}"', f'"{names[2]}"', "y"))]
    lines += [f"{n % 7}.5,{n % 5}.25,{n % 3}.125,{n % 2}" for n in range(60)]
    lines[18] = "R,R,R,0"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(UsageError) as refused:
        describe(path, Recipe("y"))
    said = shlex.split(
        refused.value.message.split("few categories: ")[1].split(". To leave out")[0]
    )
    assert said == [word for name in names for word in ("--category", name)]


def test_one_class_that_is_no_number_is_told(tmp_path: Path) -> None:
    path = tmp_path / "target.csv"
    rows = [f"{n % 9},{n % 2}" for n in range(80)] + ["3,-", "4,-"]
    path.write_text("\n".join(["x,y", *rows]) + "\n", "utf-8")
    lines = told(path, Recipe("y"), describe(path, Recipe("y")))
    [line] = [line for line in lines if "missing" in line]
    assert line.startswith("every class but '-' is a number")
