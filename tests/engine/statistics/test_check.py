"""The check itself: draws, blocks, verdicts, refusals."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.stats import binomtest, kstest

from augury.engine.errors import UsageError
from augury.engine.statistics import check as module
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import Check, check, replicate
from augury.engine.statistics.classes import categorical_mixture
from augury.engine.statistics.mixture import LatentNormal, normal_mixture
from augury.engine.statistics.predictive import MODES, Mode

rng = np.random.default_rng


@pytest.mark.parametrize("mode", MODES)
def test_blocks_change_no_number(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    models = (
        LatentNormal(0.0, 1.0, 1.0, 7),
        normal_mixture(rng(0).normal(size=(3, 7)), np.ones((3, 7))),
        categorical_mixture(rng(0).dirichlet(np.ones(4), size=(3, 7))),
    )
    for model in models:
        name = "brier" if hasattr(model, "probs") else "calibration"
        whole = replicate(model, bind([name], model), mode, 101, rng(1), rng(2))[name]
        monkeypatch.setattr(module, "BLOCK", 7 * 10)
        parts = replicate(model, bind([name], model), mode, 101, rng(1), rng(2))[name]
        monkeypatch.undo()
        assert (whole == parts).all()


@pytest.mark.parametrize("mode", MODES)
def test_memory_is_bounded_by_the_block(mode: Mode) -> None:
    """100 replicates of 100,000 rows would take 80 MB for each array of them all."""
    model = LatentNormal(0.0, 1.0, 1.0, 100_000)
    tracemalloc.start()
    try:
        replicate(model, bind(["calibration", "mean"], model), mode, 100, rng(0), rng(1))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10 * 8 * module.BLOCK


def test_a_bayesian_replicate_comes_from_one_member() -> None:
    mean = np.array([[-100.0] * 5, [100.0] * 5])
    model = normal_mixture(mean, np.ones((2, 5)), [0.25, 0.75])
    signs = {mode: np.sign(model.draw(model.choose(mode, 4000, rng(1)), rng(2))) for mode in MODES}
    assert (np.abs(signs["bayesian"].sum(-1)) == 5).all()
    assert (np.abs(signs["independent"].sum(-1)) < 5).any()
    for (
        drawn
    ) in signs.values():  # weights are respected in both modes; se = .0068, less if rows vary
        assert abs((drawn > 0).mean() - 0.75) < 4 * np.sqrt(0.75 * 0.25 / 4000)


def test_a_member_of_weight_zero_is_never_drawn() -> None:
    model = normal_mixture([[0.0], [1.0], [2.0]], np.ones((3, 1)), [0.0, 1.0, 0.0])
    assert (model.choose("bayesian", 100, rng(0)) == 1).all()
    assert model.cdf(np.array([1.0]))[0] == 0.5
    assert np.isfinite(model.log_density(np.array([40.0]))).all()


@pytest.mark.parametrize("mode", MODES)
def test_equal_members_make_both_modes_one_law(mode: Mode) -> None:
    """P under the truth is uniform: 400 observed rows sets from the same law as the replicates."""
    model = normal_mixture(np.zeros((2, 20)), np.ones((2, 20)))
    statistics = bind(["cvm"], model)
    drawn = replicate(model, statistics, mode, 2000, rng(1), rng(2))["cvm"]
    observed = statistics(rng(3).standard_normal((400, 20)))["cvm"]
    p = [Check(mode, value, drawn, 2).p_value for value in observed]
    assert kstest(p, "uniform").pvalue > 0.001


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["calibration", "cvm", "ks", "mean", "first"])
def test_p_is_uniform_when_the_truth_is_the_mode(name: str, mode: Mode) -> None:
    model = LatentNormal(0.0, 1.0, 1.0, 30)
    statistics = bind([name], model)
    drawn = replicate(model, statistics, mode, 3000, rng(1), rng(2))[name]
    truth = replicate(model, statistics, mode, 400, rng(3), rng(4))[name]
    p = [Check(mode, value, drawn, 0).p_value for value in truth]
    assert kstest(p, "uniform").pvalue > 0.001


def test_probabilities_of_labels() -> None:
    probs = np.array([[[0.1, 0.0, 0.9]], [[0.5, 0.5, 0.0]]])
    model = categorical_mixture(probs, [0.5, 0.5])
    labels = model.draw(model.choose("independent", 40_000, rng(0)), rng(1))[:, 0]
    share = np.bincount(labels, minlength=3) / 40_000
    assert np.abs(share - [0.3, 0.25, 0.45]).max() < 4 * 0.5 / np.sqrt(40_000)
    one = model.draw(np.zeros((40_000, 1), int), rng(1))
    assert not (one == 1).any()  # probability zero is never drawn


def test_standard_error_and_interval() -> None:
    drawn = np.arange(1000.0)
    middle = Check("bayesian", 250.0, drawn, 5)
    assert middle.stderr == pytest.approx(np.sqrt(0.25 * 0.75 / 1000))
    interval = binomtest(250, 1000).proportion_ci(0.95, "exact")
    assert middle.interval == pytest.approx((interval.low, interval.high), rel=1e-9)
    for value in (-1.0, 2000.0):
        edge = Check("bayesian", value, drawn, 5)
        assert edge.stderr == pytest.approx(0.003682, abs=5e-7)
        assert not edge.passes
        assert max(edge.interval) - min(edge.interval) == pytest.approx(edge.stderr)
    assert middle.sharpness == pytest.approx(0.9 * 999)


def test_error_of_sharpness_is_its_spread_over_repeats() -> None:
    repeats = rng(0).standard_normal((300, 400))
    found = [Check("bayesian", 0.0, row, 2) for row in repeats]
    spread = np.std([c.sharpness for c in found], ddof=1)
    told = np.mean([c.sharpness_stderr for c in found[:50]])
    assert told == pytest.approx(spread, rel=0.2)  # the spread of 300 repeats is good to 4 %


def test_degenerate_and_infinite_statistics_say_why() -> None:
    model = normal_mixture(np.zeros((2, 3)), np.ones((2, 3)))
    found = check(
        model,
        np.zeros(3),
        lambda y: (
            {"rows": y[..., 0] * 0.0 + 3.0, "infinite": y[..., 0] / 0.0 * 0.0 + np.nan}
            if y.ndim == 3
            else {"rows": np.full(y.shape[:-1], 3.0), "infinite": np.full(y.shape[:-1], np.inf)}
        ),
        "bayesian",
        10,
        rng(0),
        rng(1),
    )
    assert "degenerate" in found["rows"].reason
    assert "finite" in found["infinite"].reason


_BAD = [
    ((np.zeros((1, 2)), np.ones((1, 2))), "two members"),
    ((np.zeros(2), np.ones(2)), "members, rows"),
    ((np.zeros((2, 2)), np.ones((2, 3))), "members, rows"),
    ((np.zeros((2, 0)), np.ones((2, 0))), "one row"),
    (([[0.0, np.nan], [0.0, 0.0]], np.ones((2, 2))), "mean of member 0 at row 1"),
    ((np.zeros((2, 2)), [[1.0, 1.0], [np.inf, 1.0]]), "scale of member 1 at row 0"),
    ((np.zeros((2, 2)), [[1.0, 1.0], [1.0, 0.0]]), "scale of member 1 at row 1"),
    ((np.zeros((2, 2)), np.ones((2, 2)), [0.5, 0.6]), "sum to 1; they sum to 1.1"),
    ((np.zeros((2, 2)), np.ones((2, 2)), [-0.5, 1.5]), "not negative"),
    ((np.zeros((2, 2)), np.ones((2, 2)), [1.0]), "need 2 weights"),
]


@pytest.mark.parametrize(("arguments", "message"), _BAD)
def test_members_that_cannot_be_are_refused(arguments: tuple, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        normal_mixture(*arguments)


@pytest.mark.parametrize(
    ("probs", "message"),
    [
        (np.full((2, 3), 0.5), "members, rows, classes"),
        (np.ones((2, 3, 1)), "two classes"),
        (np.full((1, 3, 2), 0.5), "two members"),
        (np.full((2, 3, 2), 0.4), "member 0 at row 0 .* sum is 0.8"),
        (np.broadcast_to([1.5, -0.5], (2, 3, 2)), "not positive"),
        (np.full((2, 3, 2), np.nan), "probability of member 0 at row 0"),
    ],
)
def test_probabilities_that_cannot_be_are_refused(probs: np.ndarray, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        categorical_mixture(probs)


def test_observations_that_cannot_be_are_refused() -> None:
    model = normal_mixture(np.zeros((2, 3)), np.ones((2, 3)))
    labelled = categorical_mixture(np.full((2, 3, 2), 0.5))
    for target, observed, message in (
        (model, [0.0, 0.0], "3 rows need 3 observed"),
        (model, [0.0, np.nan, 0.0], "row 1"),
        (labelled, [0, 1, 2], "label 2 of row 2"),
        (labelled, [0, 0.5, 1], "label 0.5 of row 1"),
    ):
        with pytest.raises(UsageError, match=message):
            target.validate(observed)
    statistics = bind(["mean"], model)
    with pytest.raises(UsageError, match="two replicates"):
        replicate(model, statistics, "bayesian", 1, rng(0), rng(1))
    with pytest.raises(UsageError, match="bayesian, independent"):
        replicate(model, statistics, "joint", 10, rng(0), rng(1))  # type: ignore[arg-type]


def test_statistics_that_do_not_fit_are_refused() -> None:
    model = normal_mixture(np.zeros((2, 3)), np.ones((2, 3)))
    labelled = categorical_mixture(np.full((2, 3, 2), 0.5))
    with pytest.raises(UsageError, match="class labels"):
        bind(["ece"], model)
    with pytest.raises(UsageError, match="numbers"):
        bind(["calibration"], labelled)
    with pytest.raises(UsageError, match="Did you mean 'calibration'"):
        bind(["calibratoin"], model)
