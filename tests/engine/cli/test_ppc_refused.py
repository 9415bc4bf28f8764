"""What `augury ppc` cannot take is one line, and nothing is written over."""

from __future__ import annotations

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from augury.engine.cli.main import main
from augury.engine.statistics import given
from tests.engine.cli.ppc_files import CLASSES, MEMBERS, ROWS, call, rng, write


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with files of predictions and labels."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    return tmp_path


RIGHT = "--predictions probs.npz --labels y.npy"
WRONG_WORDS = {
    "": "Missing option",
    f"{RIGHT} --statistic accurcy": "Did you mean 'accuracy'?",
    f"{RIGHT} --statistic calibration": "is one of numbers, which these predictions lack",
    f"{RIGHT} --statistic entropy": "is the same in every replicate",
    f"{RIGHT} --statistic accuracy,,ece": "empty item",
    f"{RIGHT} --statistic ece --set ece.bins=0": "whole number from 1",
    f"{RIGHT} --statistic ece --set ece.bins=NaN": "whole number from 1",
    f"{RIGHT} --statistic ece --set ece=3": "STATISTIC.OPTION=VALUE",
    f"{RIGHT} --statistic ece --set mce.bins=3": "no such statistic is asked for",
    f"{RIGHT} --replicates 1": "--replicates",
    f"{RIGHT} --mode joint": "--mode",
    f"{RIGHT} --seed -1": "--seed",
    f"{RIGHT} --statistic all,ece": "give it alone",
    f"{RIGHT} --statistic confusion --set confusion.label=99": "one of the classes 0 to 5",
    f"{RIGHT} --statistic confusion --set confusion.predicted=6": "one of the classes 0 to 5",
    f"{RIGHT} --statistic class_share --set class_share.label=7": "one of the classes 0 to 5",
    f"{RIGHT} --statistic ece --set ece.bins=3 --set ece.bins=4": "gives ece.bins twice",
    f"{RIGHT} --stratified --mode independent": "--stratified is of bayesian mode",
    f"{RIGHT} --covariate nan.npy": "covariate value of row 2 is not a finite number",
    f"{RIGHT} --chart a.svg": "draws one statistic",
    f"{RIGHT} --statistic ece --chart a.gif": "FILE.svg",
    "--predictions normal.npz --labels numbers.npy --statistic ece": "class labels",
    "--predictions normal.npz --labels numbers.npy --statistic covariate": "needs a covariate",
    "--predictions normal.npz --labels numbers.npy --covariate y.npz": "No such file",
    "--predictions '' --labels y.npy": "--predictions is empty",
    "--predictions normal.npz --labels numbers.npy --covariate group.npy": "is read by covariate",
    "--predictions slip.npz --labels y.npy": "array 'weight' would not be read. Did you mean",
}  # fmt: skip


@pytest.mark.parametrize("words", WRONG_WORDS)
def test_wrong_words_are_one_line(words: str) -> None:
    _refused(call(words), WRONG_WORDS[words])


def _refused(result: Result, message: str) -> None:
    assert result.exit_code == 2, result.stderr
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("augury: ")
    assert message in result.stderr


def _changed(place: tuple[int, ...], value: float) -> dict[str, np.ndarray]:
    probs = rng(0).dirichlet(np.ones(CLASSES), size=(MEMBERS, ROWS))
    probs[place] = value
    return {"probs": probs}


GOOD = _changed((0, 0), 1.0 / CLASSES)["probs"]
WRONG_ARRAYS: dict[str, tuple[dict[str, Any], str]] = {
    "logits": ({"probs": np.log(GOOD)}, "member 0 at row 0 are not positive numbers that sum"),
    "sum": (_changed((2, 5), 0.5), "member 2 at row 5 are not positive numbers that sum to one"),
    "nan": (_changed((3, 7, 2), np.nan), "probability of member 3 at row 7 is not a finite number"),
    "infinite": (_changed((1, 0, 0), np.inf), "member 1 at row 0 is not a finite"),
    "large": (_changed((1, 0), 1e308), "their sum is inf"),
    "one member": ({"probs": GOOD[:1]}, "two members or more"),
    "two axes": ({"probs": GOOD[0]}, "[members, rows, classes] with two classes or more"),
    "one class": ({"probs": np.ones((4, 60, 1))}, "two classes or more"),
    "swapped": ({"probs": GOOD.transpose(1, 0, 2)}, "first two axes swapped"),
    "no rows": ({"probs": GOOD[:, :0]}, "is empty: its shape is [4, 0, 6]"),
    "words": ({"probs": np.array(["a"])}, "must hold numbers"),
    "complex": ({"probs": GOOD + 0j}, "must hold numbers"),
    "objects": ({"probs": np.array([{}], object)}, "pickled and never loaded"),
    "mean alone": ({"mean": GOOD[..., 0]}, "the file has mean"),
    "everything": ({"mean": GOOD[..., 0], "probs": GOOD}, "the file has mean, probs"),
    "other names": ({"a": GOOD, "b": GOOD}, "the file has a, b"),
    "weights": ({"probs": GOOD, "weights": np.full(4, 0.5)}, "sum to 1; they sum to 2"),
    "negative": ({"probs": GOOD, "weights": [0.6, -0.1, 0.3, 0.2]}, "weight of member 1 must be"),
    "one weight": ({"probs": GOOD, "weights": [0, 0, 0, 1]}, "two members or more with a weight"),
    "std": (
        {"mean": GOOD[..., 0], "std": GOOD[..., 0]},
        "scale is missing beside mean; the file has mean, std",
    ),
    "few weights": ({"probs": GOOD, "weights": np.ones(3) / 3}, "4 members need 4 weights"),
    "scale": ({"mean": GOOD[..., 0], "scale": -GOOD[..., 0]}, "scale of member 0 at row 0"),
    "shapes": ({"mean": GOOD[..., 0], "scale": GOOD[:2, :, 0]}, "[4, 60] and [2, 60]"),
}


@pytest.mark.parametrize("name", WRONG_ARRAYS)
def test_wrong_predictions_are_one_line(name: str) -> None:
    arrays, message = WRONG_ARRAYS[name]
    np.savez("bad.npz", **arrays)
    _refused(call("--predictions bad.npz --labels y.npy"), message)


@pytest.mark.parametrize(
    ("labels", "message"),
    [(np.arange(ROWS), "label 6 of row 6 is none of the classes 0 to 5"),
     (np.full(ROWS, -1), "label -1 of row 0"), (np.full(ROWS, 0.5), "label 0.5 of row 0"),
     (np.full(ROWS, np.nan), "row 0 is not a finite number"),
     (np.zeros(ROWS - 1, int), "60 rows need 60 observed values, got [59]"),
     (np.zeros((ROWS, CLASSES), int), "got [60, 6]"),
     (np.array(5), "got []"), (np.array(["a"] * ROWS), "must hold numbers")],
)  # fmt: skip
def test_wrong_labels_are_one_line(labels: np.ndarray, message: str) -> None:
    np.save("bad.npy", labels)
    _refused(call("--predictions probs.npz --labels bad.npy"), message)


def test_wrong_files_are_one_line() -> None:
    whole = Path("probs.npz").read_bytes()
    header = io.BytesIO()
    shape = {"descr": "<f4", "fortran_order": False, "shape": (10**4, 10**6, 10)}
    np.lib.format.write_array_header_1_0(header, shape)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("probs.npy", header.getvalue() + bytes(10**6))
    nothing = io.BytesIO()
    with zipfile.ZipFile(nothing, "w") as archive:
        archive.writestr("text.txt", "text")
    number = io.BytesIO()
    np.save(number, np.arange(100))
    for content, message in (
        (b"", "it is empty"), (b"0\n1\n", "neither an .npz nor an .npy file"),
        (pickle.dumps([1]), "a pickle, which could run code and is never loaded"),
        (header.getvalue(), "GiB are free"), (bomb.getvalue(), "GiB are free"),
        (nothing.getvalue(), "an archive without arrays"),
        (whole[: len(whole) // 2], "a damaged archive"),
        (whole[:200] + bytes(200) + whole[400:], "damaged"),
        (number.getvalue()[:300], "is damaged"), (b"\x93NUMPY\x01\x00\xff\xff{", "is damaged"),
        (b"\x93NUMPY\x09\x00" + bytes(100), "not of a known .npy version"),
    ):  # fmt: skip
        Path("bad.npz").write_bytes(content)
        _refused(call("--predictions bad.npz --labels y.npy"), message)
        _refused(call("--predictions probs.npz --labels bad.npz"), "bad.npz")
    for place in ("missing.npz", ".", "/dev/zero"):
        _refused(call(f"--predictions {place} --labels y.npy"), place)


def test_replicates_that_do_not_fit_the_memory_are_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(given, "_free_memory", lambda: 2**30)
    _refused(call(f"{RIGHT} --replicates 10000000 --statistic all"), "GiB are free; take fewer")


def test_no_input_and_no_other_output_is_written_over(folder: Path) -> None:
    words = f"{RIGHT} --statistic ece"
    Path("link.npy").symlink_to("y.npy")
    before = {name: Path(name).read_bytes() for name in ("probs.npz", "y.npy", "group.npy")}
    for more, message in (
        ("-o y.npy", "-o y.npy is the file of --labels"),
        ("-o ./link.npy", "-o ./link.npy is the file of --labels"),
        (f"--chart {folder}/probs.npz", "is the file of --predictions"),
        ("--covariate group.npy -o group.npy", "is the file of --covariate"),
        ("-o a.svg --chart ./a.svg", "--chart ./a.svg is the file of -o"),
    ):
        _refused(call(f"{words} {more}"), message)
    assert before == {name: Path(name).read_bytes() for name in before}
    assert not Path("a.svg").exists()
    wrong = "mi --x y.npy --y group.npy -o group.npy --format json"
    result = CliRunner().invoke(main, wrong.split(), prog_name="augury")
    _refused(result, "-o group.npy is the file of --y")
    assert before["group.npy"] == Path("group.npy").read_bytes()


def test_nothing_is_written_where_the_answer_cannot_be() -> None:
    result = call(f"{RIGHT} -o nowhere/out.csv --format csv")
    assert result.exit_code == 1 and "cannot write" in result.stderr


def test_files_are_of_this_machine() -> None:
    words = ["--ssh", "ann@gpu1:~/bench", "ppc", "--predictions", "probs.npz", "--labels", "y.npy"]
    result = CliRunner().invoke(main, words, prog_name="augury")
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr == (
        "augury: augury ppc reads files of this machine and asks no store: leave --ssh out, or "
        "there: ssh ann@gpu1 augury ppc\n"
    )
