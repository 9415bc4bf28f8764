"""`augury ppc`: a person's own predictions in, verdicts out."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.catalog.statistics import STATISTICS
from augury.engine.cli.counting import counting
from augury.engine.cli.ppc_output import written
from augury.engine.statistics.binding import bind
from augury.engine.statistics.classes import categorical_mixture
from augury.engine.statistics.mixture import normal_mixture
from augury.engine.statistics.report import Report
from augury.engine.statistics.verdict import Check
from tests.engine.cli.ppc_files import ROWS, call, write


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with files of predictions and labels."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    return tmp_path


def held(name: str) -> dict[str, np.ndarray]:
    with np.load(name) as file:
        return dict(file)


def rows(words: str) -> list[dict[str, Any]]:
    result = call(words)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_the_table_and_a_histogram_for_each_mode() -> None:
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


def test_numbers_are_those_of_the_statistics_themselves() -> None:
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


def test_csv_has_the_rows_of_json() -> None:
    words = "--predictions probs.npz --labels wrong.npy --statistic ece --set ece.bins=5"
    table = list(csv.DictReader(io.StringIO(call(f"{words} --format csv").stdout)))
    same = rows(f"{words} --format json")
    assert len(table) == len(same) == 2
    for line, row in zip(table, same, strict=True):
        assert float(line["observed"]) == row["observed"]
        assert line["passes"] == "false" and row["passes"] is False
        assert line["direction"] == row["direction"] == "high"
        assert line["options"] == "bins=5" and row["options"] == {"bins": 5}


def test_a_fail_says_which_way() -> None:
    text = call("--predictions probs.npz --labels wrong.npy --no-plot").stdout
    assert text.count("FAILS: below, worse ") == 2  # accuracy, in both modes
    assert text.count("FAILS: above, worse ") == 2  # its calibration error
    assert "⣿" not in text


def test_ties_are_counted_among_false_fails() -> None:
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


def test_all_statistics_of_each_kind() -> None:
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


def test_the_same_seed_gives_the_same_bytes_and_another_does_not() -> None:
    words = "--predictions normal.npz --labels numbers.npy --format csv"
    assert call(words).stdout == call(words).stdout != call(f"{words} --seed 1").stdout
    assert call(words).stdout != call(f"{words} --stratified").stdout


def test_files_out() -> None:
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


def test_a_file_s_suffix_gives_the_format() -> None:
    right = "--predictions probs.npz --labels y.npy --statistic accuracy --mode bayesian"
    assert call(f"{right} -o a.json").exit_code == 0
    [row] = json.loads(Path("a.json").read_text())
    assert row["statistic"] == "accuracy"
    assert call(f"{right} -o a.csv").exit_code == 0
    assert Path("a.csv").read_text().startswith("statistic,mode,observed,")
    told = call(f"{right} -o a.parquet")  # a table of text, and says so
    assert told.exit_code == 0 and ".parquet names no format" in told.stderr


def test_options_that_are_not_the_usual_ones_are_named() -> None:
    right = "--predictions probs.npz --labels y.npy --statistic ece,accuracy --no-plot"
    assert "ece[bins=3]  bayesian" in call(f"{right} --set ece.bins=3").stdout
    assert "ece[" not in call(f"{right} --set ece.bins=15").stdout


def test_a_count_that_takes_long_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = iter([0.0, 1.0, 6.0, 7.0, 12.0])
    monkeypatch.setattr("augury.engine.cli.counting.time.monotonic", lambda: next(now))
    with counting("bayesian: replicate", 1000) as told:
        for done in (100, 500, 600, 1000):
            told(done)
    assert capsys.readouterr().err == "bayesian: replicate 500 of 1,000, 6 s left\n"


def test_a_statistic_that_says_nothing_keeps_its_row() -> None:
    found = rows("--predictions probs.npz --labels y.npy --statistic top5 --set top5.k=6 "
                 "--format json")  # fmt: skip
    assert found[0]["reason"].startswith("degenerate") and found[0]["p_value"] is None
    assert found[0]["histogram"] == {}
    text = call("--predictions probs.npz --labels y.npy --statistic top5 --set top5.k=6").stdout
    assert "degenerate: the statistic is the same in every replicate" in text
    np.save("far.npy", np.full(ROWS, 1e300))
    row = rows("--predictions normal.npz --labels far.npy --statistic rmse --format json")[0]
    assert row["reason"] == "the statistic is not finite"


def test_numbers_near_the_largest_say_so() -> None:
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


def test_few_replicates_are_warned_of() -> None:
    result = call("--predictions probs.npz --labels y.npy --replicates 10 --no-plot")
    assert result.exit_code == 0
    assert result.stderr == (
        "with fewer than 20 replicates the 5 % and 95 % quantiles mean little.\n"
    )
