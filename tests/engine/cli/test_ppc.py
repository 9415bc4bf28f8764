"""`augury ppc`: a person's own predictions in, verdicts out; every wrong file is one line."""

from __future__ import annotations

import csv
import io
import json
import pickle
import shlex
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from augury.engine.catalog.statistics import STATISTICS
from augury.engine.cli.main import main
from augury.engine.cli.ppc_output import written
from augury.engine.statistics import given
from augury.engine.statistics.binding import bind
from augury.engine.statistics.classes import categorical_mixture
from augury.engine.statistics.mixture import normal_mixture
from augury.engine.statistics.report import Report
from augury.engine.statistics.verdict import Check

MEMBERS, ROWS, CLASSES = 4, 60, 6
rng = np.random.default_rng


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Right predictions of labels and of numbers; labels that no member expects."""
    monkeypatch.chdir(tmp_path)
    draw = rng(0)
    probs = draw.dirichlet(np.full(CLASSES, 0.3), size=(MEMBERS, ROWS))
    np.savez("probs.npz", probs=probs.astype(np.float32))
    np.save("y.npy", np.array([draw.choice(CLASSES, p=p) for p in probs[0]]))
    np.save("wrong.npy", probs.mean(0).argmin(-1))
    mean = draw.normal(size=(MEMBERS, ROWS))
    np.savez("normal.npz", mean=mean, scale=np.ones(mean.shape), weights=[0.4, 0.3, 0.2, 0.1])
    np.save("numbers.npy", mean[0] + draw.normal(size=ROWS))
    np.save("group.npy", np.arange(ROWS) % 3)
    np.save("nan.npy", np.where(np.arange(ROWS) == 2, np.nan, 0.0))
    return tmp_path


def call(words: str) -> Result:
    return CliRunner().invoke(main, ["ppc", *shlex.split(words)], prog_name="augury")


def held(name: str) -> dict[str, np.ndarray]:
    with np.load(name) as file:
        return dict(file)


def rows(words: str) -> list[dict[str, Any]]:
    result = call(words)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_the_table_and_a_histogram_for_each_mode(folder: Path) -> None:
    result = call("--predictions probs.npz --labels y.npy --statistic accuracy,ece")
    assert result.exit_code == 0 and result.stderr == ""
    lines = result.stdout.splitlines()
    titles = "statistic mode observed 5 % to 95 % verdict false fails p mid-p sharpness"
    assert lines[0].split() == titles.split()
    verdicts = [line.split()[:2] for line in lines[2:6]]
    assert verdicts == [[s, m] for s in ("accuracy", "ece") for m in ("bayesian", "independent")]
    assert all(" passes " in line for line in lines[2:6])
    assert "60 rows, 4 members, 1,000 replicates, seed 0" in lines
    assert lines[8] == (
        "false fails: where a member is the truth, 0.2 % without ties, up to 40 % where the truth "
        "is drawn as members were"
    )
    assert result.stdout.count("┃ observed") == 4 and "⣿" in result.stdout
    plain = call("--predictions probs.npz --labels y.npy --statistic accuracy --ascii").stdout
    assert "| observed" in plain and "#" in plain


def test_numbers_are_those_of_the_statistics_themselves(folder: Path) -> None:
    found = rows("--predictions probs.npz --labels y.npy --statistic ece,nll --format json")
    model = categorical_mixture(held("probs.npz")["probs"])
    expected = bind(["ece", "nll"], model)(np.load("y.npy"))
    for row in found:
        assert row["observed"] == pytest.approx(expected[row["statistic"]], rel=1e-12)
        assert row["p_low"] <= row["p_value"] <= row["p_high"]
        assert (row["replicates"], row["members"], row["rows"], row["seed"]) == (1000, 4, 60, 0)
        assert row["passes"] is True and row["direction"] == row["reason"] == ""
        assert row["q95"] - row["q05"] == pytest.approx(row["sharpness"])
        histogram = row["histogram"]
        assert sum(histogram["counts"]) == 1000
        assert len(histogram["edges"]) == len(histogram["counts"]) + 1
    weighted = rows("--predictions normal.npz --labels numbers.npy --statistic bias --format json")
    arrays = held("normal.npz")
    model = normal_mixture(arrays["mean"], arrays["scale"], arrays["weights"])
    bias = bind(["bias"], model)(np.load("numbers.npy"))["bias"]
    assert weighted[0]["observed"] == pytest.approx(bias, rel=1e-12)


def test_csv_has_the_rows_of_json(folder: Path) -> None:
    words = "--predictions probs.npz --labels wrong.npy --statistic ece --set ece.bins=5"
    table = list(csv.DictReader(io.StringIO(call(f"{words} --format csv").stdout)))
    same = rows(f"{words} --format json")
    assert len(table) == len(same) == 2
    for line, row in zip(table, same, strict=True):
        assert float(line["observed"]) == row["observed"]
        assert line["passes"] == "false" and row["passes"] is False
        assert line["direction"] == row["direction"] == "high"
        assert line["options"] == "bins=5" and row["options"] == {"bins": 5}


def test_a_fail_says_which_way(folder: Path) -> None:
    text = call("--predictions probs.npz --labels wrong.npy --no-plot").stdout
    assert text.count("FAILS: below, worse ") == 2  # accuracy, in both modes
    assert text.count("FAILS: above, worse ") == 2  # its calibration error
    assert "⣿" not in text


def test_ties_are_counted_among_false_fails(folder: Path) -> None:
    """No row is in the tails: as it is in the share .98^60 = 0.30 of the replicates."""
    np.savez("one.npz", mean=np.zeros((2, ROWS)), scale=np.ones((2, ROWS)))
    np.save("none.npy", np.zeros(ROWS))
    words = "--predictions one.npz --labels none.npy --statistic tails,bias"
    found = rows(f"{words} --replicates 2000 --format json")
    tails = [row for row in found if row["statistic"] == "tails"]
    for row in tails:
        assert row["p_value"] == 0.0 and row["mid_p"] > 0.1 and not row["passes"]
        assert row["false_fail"] == pytest.approx(0.98**ROWS, abs=0.041)
        assert row["fresh_fail"] >= row["false_fail"]
    assert found[2]["false_fail"] == pytest.approx(2 / 2001)
    text = call(f"{words} --replicates 100 --no-plot").stdout
    assert text.count("FAILS: none below ") == 2 and " 2 % " in text
    assert "FAILS: none below: equal to the smallest replicates" in text


def test_all_statistics_of_each_kind(folder: Path) -> None:
    labels = rows("--predictions probs.npz --labels y.npy --statistic all --mode bayesian "
                  "--replicates 50 --format json")  # fmt: skip
    numbers = rows("--predictions normal.npz --labels numbers.npy --statistic all --mode "
                   "independent --covariate group.npy --replicates 50 --format json")  # fmt: skip
    found = {row["statistic"] for row in [*labels, *numbers]}
    assert found == set(STATISTICS)
    assert {row["mode"] for row in labels} == {"bayesian"}
    many = call("--predictions probs.npz --labels y.npy --statistic all --replicates 50")
    assert "histograms are not drawn; --plot draws them." in many.stderr
    assert "⣿" not in many.stdout


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(folder: Path) -> None:
    words = "--predictions normal.npz --labels numbers.npy --format csv"
    assert call(words).stdout == call(words).stdout != call(f"{words} --seed 1").stdout
    assert call(words).stdout != call(f"{words} --stratified").stdout


def test_files_out(folder: Path) -> None:
    words = "--predictions probs.npz --labels y.npy --statistic accuracy"
    result = call(f"{words} --format json -o out.json --chart chart.svg")
    assert result.exit_code == 0 and result.stdout == ""
    assert len(json.loads(Path("out.json").read_text())) == 2
    drawn = Path("chart.svg").read_text()
    assert drawn.startswith("<svg") and "observed" in drawn and "independent" in drawn
    call(f"{words} --chart chart.csv")
    counts = list(csv.DictReader(Path("chart.csv").read_text().splitlines()))
    assert sum(float(row["y"] or 0) for row in counts) == 2000
    for fmt, start in (("markdown", "| statistic"), ("latex", "% needs")):
        assert call(f"{words} --format {fmt}").stdout.startswith(start)


def test_a_statistic_that_says_nothing_keeps_its_row(folder: Path) -> None:
    found = rows("--predictions probs.npz --labels y.npy --statistic top5 --set top5.k=6 "
                 "--format json")  # fmt: skip
    assert found[0]["reason"].startswith("degenerate") and found[0]["p_value"] is None
    assert found[0]["histogram"] == {}
    text = call("--predictions probs.npz --labels y.npy --statistic top5 --set top5.k=6").stdout
    assert "degenerate: the statistic is the same in every replicate" in text
    np.save("far.npy", np.full(ROWS, 1e300))
    row = rows("--predictions normal.npz --labels far.npy --statistic rmse --format json")[0]
    assert row["reason"] == "the statistic is not finite"


def test_numbers_near_the_largest_say_so(folder: Path) -> None:
    """Their range overflows, and nothing warns (warnings are errors here)."""
    mean = np.full((2, ROWS), 1e308) * [[1], [-1]]
    np.savez("large.npz", mean=mean, scale=np.ones(mean.shape))
    words = "--predictions large.npz --labels numbers.npy --statistic max --replicates 50"
    result = call(words)
    assert result.exit_code == 0 and result.stderr == ""
    assert result.stdout.count("the range of the statistic is not finite") == 1  # bayesian
    assert result.stdout.count("FAILS: below ") == 1  # of each row the largest, 1e308


def test_an_error_of_the_last_digit_is_none() -> None:
    """Replicates .1 and .4 alone: their range .3 is the same in every resample, but for digits."""
    check = Check("bayesian", 0.2, np.repeat([0.1, 0.1 + 0.3], 50), 2)
    assert 0.0 <= check.sharpness_stderr < 1e-12
    text = written([Report("bias", {}, check, 5, 0)], "table")
    assert "0.3 ± 0\n" in text and "e-1" not in text


def test_few_replicates_are_warned_of(folder: Path) -> None:
    result = call("--predictions probs.npz --labels y.npy --replicates 10 --no-plot")
    assert result.exit_code == 0
    assert result.stderr == (
        "with fewer than 20 replicates the 5 % and 95 % quantiles mean little.\n"
    )


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
}  # fmt: skip


@pytest.mark.parametrize("words", WRONG_WORDS)
def test_wrong_words_are_one_line(folder: Path, words: str) -> None:
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
def test_wrong_predictions_are_one_line(folder: Path, name: str) -> None:
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
def test_wrong_labels_are_one_line(folder: Path, labels: np.ndarray, message: str) -> None:
    np.save("bad.npy", labels)
    _refused(call("--predictions probs.npz --labels bad.npy"), message)


def test_wrong_files_are_one_line(folder: Path) -> None:
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
    folder: Path, monkeypatch: pytest.MonkeyPatch
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


def test_nothing_is_written_where_the_answer_cannot_be(folder: Path) -> None:
    result = call(f"{RIGHT} -o nowhere/out.csv --format csv")
    assert result.exit_code == 1 and "cannot write" in result.stderr


def test_files_are_of_this_machine(folder: Path) -> None:
    words = ["--ssh", "ann@gpu1:~/bench", "ppc", "--predictions", "probs.npz", "--labels", "y.npy"]
    result = CliRunner().invoke(main, words, prog_name="augury")
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr == (
        "augury: augury ppc reads files of this machine and asks no store: leave --ssh out, or "
        "there: ssh ann@gpu1 augury ppc\n"
    )
