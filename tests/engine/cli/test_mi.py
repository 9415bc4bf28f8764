"""`augury mi`: a person's own rows in, information out; every wrong file is one line."""

from __future__ import annotations

import csv
import io
import json
import math
import pickle
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from augury.engine.cli.main import main

ROWS = 400


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Numbers, labels and a table of both."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, ROWS))
    y = 0.8 * x + 0.6 * noise
    label = rng.integers(3, size=ROWS)
    np.save("x.npy", x)
    np.save("y.npy", y)
    np.save("label.npy", label)
    np.savez("both.npz", x=np.stack([x, noise], axis=1), y=y)
    text = [f"{a},{b},{'abc'[c]},1" for a, b, c in zip(x, y, label, strict=True)]
    Path("table.csv").write_text("\n".join(["a,b,kind,same", *text]) + "\n")
    return tmp_path


def call(words: str) -> Result:
    return CliRunner().invoke(main, ["mi", *shlex.split(words)], prog_name="augury")


def rows(words: str) -> list[dict[str, Any]]:
    result = call(f"{words} --format json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_a_table_with_checks(folder: Path) -> None:
    result = call("--x x.npy --y y.npy --estimator ksg,cca")
    assert result.exit_code == 0 and result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0].split()[:2] == ["estimator", "bits"]
    assert [line.split()[0] for line in lines[2:4]] == ["ksg", "cca"]
    assert lines[2].count(" ok ") == lines[3].count(" ok ") == 3
    assert lines[4] == "400 rows; x 1 column of numbers; y 1 column of numbers; seed 0"


def test_numbers_in_full(folder: Path) -> None:
    true = -0.5 * math.log2(1 - 0.64)
    for row in rows("--x x.npy --y y.npy --estimator ksg,cca"):
        assert row["bits"] == pytest.approx(row["nats"] / math.log(2))
        assert row["bits_low"] < true < row["bits_high"]
        assert row["independence_expected_bits"] == 0 and row["independence_holds"] is True
        assert row["additivity_expected_bits"] == pytest.approx(2 * row["bits"])
        assert row["rows"] == ROWS and row["reason"] == ""
    plain = rows("--x x.npy --y y.npy --estimator ksg --no-checks")[0]
    assert plain["processing_bits"] is None and plain["processing_holds"] is None


def test_csv_has_the_rows_of_json(folder: Path) -> None:
    words = "--x label.npy --y y.npy --estimator ksg"
    table = list(csv.DictReader(io.StringIO(call(f"{words} --format csv").stdout)))
    same = rows(words)
    assert len(table) == len(same) == 1
    assert float(table[0]["bits"]) == same[0]["bits"]
    assert table[0]["independence_holds"] == "true" and same[0]["independence_holds"] is True
    assert call(f"{words} --format csv -o out.csv").stdout == ""
    assert Path("out.csv").read_text() == call(f"{words} --format csv").stdout


def test_other_files_say_the_same(folder: Path) -> None:
    words = "--estimator ksg --no-checks"
    first = rows(f"--x x.npy --y y.npy {words}")[0]["bits"]
    table = "--x table.csv --x-columns a --y table.csv --y-columns b"
    assert rows(f"{table} {words}")[0]["bits"] == pytest.approx(first, abs=1e-9)
    wide = call(f"--x both.npz --y both.npz {words}").stdout
    assert "x 2 columns of numbers; y 1 column of numbers" in wide
    text = call(f"--x table.csv --x-columns kind,same --y table.csv --y-columns b {words}")
    assert "x 1 column of labels" in text.stdout
    assert "left out, the same in every row: same" in text.stdout


def test_few_rows_and_many(folder: Path) -> None:
    x = np.random.default_rng(1).normal(size=1_000_000)
    np.save("few.npy", x[:20])
    few = call("--x few.npy --y few.npy --no-checks")
    assert few.exit_code == 0
    assert few.stderr == "20 rows are too few for a critic, which needs 200: left out.\n"
    assert "infinite: a part of x is a linear function of y" in few.stdout
    assert "ksg: much for 20 rows" in few.stdout
    np.save("many.npy", x.astype(np.float32))
    np.save("other.npy", (x + np.random.default_rng(2).normal(size=len(x))).astype(np.float32))
    many = rows("--x many.npy --y other.npy --estimator cca --no-checks")[0]
    assert many["bits"] == pytest.approx(0.5, abs=3 * many["bits_stderr"])


def _refused(result: Result, message: str) -> None:
    assert result.exit_code == 2, result.stderr
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("augury: ")
    assert message in result.stderr


WRONG = {
    "": "Missing option",
    "--x x.npy --y nowhere.npy": "nowhere.npy: No such file",
    "--x x.npy --y y.npy --estimator kgs": "Did you mean 'ksg'?",
    "--x x.npy --y y.npy --estimator tuba": "unknown estimator for rows of your own",
    "--x x.npy --y y.npy --x-columns a": "--x-columns is for tables",
    "--x table.csv --x-columns c --y y.npy": "no column of table.csv",
    "--x x.npy --y y.npy --seed -1": "--seed",
    "--x x.npy --y .": "a folder",
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_words_are_one_line(folder: Path, words: str) -> None:
    _refused(call(words), WRONG[words])


HOLED = np.where(np.arange(ROWS) == 7, np.nan, np.arange(ROWS))
ARRAYS: dict[str, tuple[Any, str]] = {
    "short": (np.arange(399.0), "x.npy has 400 rows and bad.npy 399: give one y each x"),
    "nan": (HOLED, "bad.npy: y of row 7 is nan"),
    "infinite": (np.where(np.arange(ROWS) == 9, -np.inf, 0.0), "y of row 9 is -inf"),
    "constant": (np.ones(ROWS), "every column is the same in all rows"),
    "number": (np.array(3.0), "holds one number"),
    "none": (np.zeros((0, 2)), "is empty"),
    "complex": (np.arange(ROWS) + 1j, "must hold numbers"),
    "words": (np.array(["a", "b"] * 200), "must hold numbers"),
    "objects": (np.array([{}] * ROWS, object), "pickled and never loaded"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_wrong_arrays_are_one_line(folder: Path, name: str) -> None:
    np.save("bad.npy", ARRAYS[name][0])
    _refused(call("--x x.npy --y bad.npy"), ARRAYS[name][1])


def test_wrong_files_are_one_line(folder: Path) -> None:
    np.save("few.npy", np.arange(19.0))
    _refused(call("--x few.npy --y few.npy"), "few.npy has 19 rows; at least 20 are needed")
    np.save("some.npy", np.random.default_rng(0).normal(size=50))
    _refused(call("--x some.npy --y some.npy --estimator nwj"), "needs 200 rows; there are 50")
    Path("bad.npy").write_bytes(pickle.dumps([1.0]))
    _refused(call("--x x.npy --y bad.npy"), "a pickle, which could run code")
    Path("gap.csv").write_text("a,b\n1,x\n,y\n" + "2,z\n" * 40)
    _refused(call("--x gap.csv --x-columns a --y gap.csv --y-columns b"), "a of row 1 is nan")


def test_files_are_of_this_machine(folder: Path) -> None:
    words = ["--ssh", "ann@gpu1:~/bench", "mi", "--x", "x.npy", "--y", "y.npy"]
    result = CliRunner().invoke(main, words, prog_name="augury")
    _refused(result, "reads files of this machine and asks no store")


@pytest.mark.slow
def test_critics_too(folder: Path) -> None:
    """The whole command, in the process that trains."""
    found = {row["estimator"]: row for row in rows("--x x.npy --y y.npy --steps 200")}
    assert set(found) == {"ksg", "cca", "infonce", "nwj", "smile-5"}
    assert found["infonce"]["ceiling_bits"] == pytest.approx(math.log2(found["infonce"]["pairs"]))
    for row in found.values():
        assert 0.3 < row["bits"] < 1.0 and row["independence_holds"], row["estimator"]
