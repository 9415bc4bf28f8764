"""The check itself: draws, blocks, verdicts, refusals."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.stats import binomtest, kstest

from augury.engine.catalog.statistics import REFUSED, STATISTICS
from augury.engine.errors import UsageError
from augury.engine.statistics import check as module
from augury.engine.statistics import classes as module_of_classes
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import check, replicate
from augury.engine.statistics.classes import categorical_mixture
from augury.engine.statistics.latent import LatentNormal
from augury.engine.statistics.mixture import normal_mixture
from augury.engine.statistics.predictive import MODES, Mode
from augury.engine.statistics.verdict import Check

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


@pytest.mark.parametrize("mode", MODES)
def test_memory_of_labels_is_bounded_by_the_block(mode: Mode) -> None:
    model = categorical_mixture(rng(0).dirichlet(np.ones(10), size=(2, 20_000)))
    names = [n for n, card in STATISTICS.items() if card.needs in ("probs", "belief")]
    statistics = bind(names, model)
    tracemalloc.start()
    try:
        replicate(model, statistics, mode, 120, rng(0), rng(1))
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
    model = normal_mixture([[0.0], [1.0], [2.0], [3.0]], np.ones((4, 1)), [0.0, 0.5, 0.5, 0.0])
    assert set(model.choose("bayesian", 100, rng(0)).ravel()) == {1, 2}
    assert model.cdf(np.array([1.5]))[0] == pytest.approx(0.5, abs=1e-15)
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


def test_probabilities_of_labels() -> None:
    probs = np.array([[[0.1, 0.0, 0.9]], [[0.5, 0.5, 0.0]]])
    model = categorical_mixture(probs, [0.5, 0.5])
    labels = model.draw(model.choose("independent", 40_000, rng(0)), rng(1))[:, 0]
    share = np.bincount(labels, minlength=3) / 40_000
    assert np.abs(share - [0.3, 0.25, 0.45]).max() < 4 * 0.5 / np.sqrt(40_000)
    one = model.draw(np.zeros((40_000, 1), int), rng(1))
    assert not (one == 1).any()  # probability zero is never drawn


@pytest.mark.parametrize("few", [0, module_of_classes._FEW_NUMBERS])
@pytest.mark.parametrize("classes", [2, 10, 63, 64, 65, 100, 300])
def test_labels_invert_the_members_distribution_function(
    classes: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many classes there are, and with probabilities of zero among them."""
    monkeypatch.setattr(module_of_classes, "_FEW_NUMBERS", few)
    probs = rng(0).dirichlet(np.full(classes, 0.1), size=(3, 40))
    probs[0, :, 0], probs[1, :, -1] = 0.0, 0.0
    probs /= probs.sum(-1, keepdims=True)
    weights = np.array([0.2, 0.5, 0.3])
    model = categorical_mixture(probs, weights)
    mixed = np.einsum("m,mrk->rk", weights, model.members)
    for chosen, law in ((0, model.members[0]), (1, model.members[1]), (3, mixed)):
        labels = model.draw(np.full((50, 1), chosen), rng(5))
        uniform = rng(5).random((50, 40))
        ends = np.cumsum(law, -1)[:, :-1]
        expected = [[np.searchsorted(ends[i], u, side="right") for i, u in enumerate(row)]
                    for row in uniform]  # fmt: skip
        assert (labels == expected).all()
        assert (np.take_along_axis(law[None].repeat(50, 0), labels[..., None].astype(int), -1) > 0
                ).all()  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_labels_of_rows_hang_together_in_bayesian_mode_only(mode: Mode) -> None:
    """Golden 2f: members (.9, .8) and (.1, .3) for label 1 at two rows."""
    hit = np.array([[0.9, 0.8], [0.1, 0.3]])
    model = categorical_mixture(np.stack([1 - hit, hit], -1))
    labels = model.draw(model.choose(mode, 100_000, rng(0)), rng(1)).astype(int)
    joint = np.bincount(2 * labels[:, 0] + labels[:, 1], minlength=4) / 100_000
    golden = {"bayesian": [0.325, 0.175, 0.125, 0.375],
              "independent": [0.225, 0.275, 0.225, 0.275]}  # fmt: skip
    assert np.abs(joint - golden[mode]).max() <= 4 * 0.5 / np.sqrt(100_000)


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


def test_how_a_check_fails() -> None:
    drawn = np.array([0.1, 0.2, 0.2, 0.9])
    for observed, direction, passes, inside in (
        (0.05, "low", False, False), (0.1, "low", False, True), (0.2, "", True, True),
        (0.9, "", True, True), (0.95, "high", False, False),
    ):  # fmt: skip
        found = Check("bayesian", observed, drawn, 2)
        assert (found.direction, found.passes, found.passes_range) == (direction, passes, inside)
    low, high = found.quantiles
    assert found.sharpness == high - low


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
    certain = Check("bayesian", 0.7, np.ones(10), 2)  # a model that is sure, and wrong
    assert certain.reason == "" and not certain.passes and certain.direction == "low"
    assert "degenerate" in Check("bayesian", 0.1 + 0.2, np.full(10, 0.3), 2).reason
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
    for name in REFUSED:
        with pytest.raises(UsageError, match="the same in every replicate"):
            bind([name], model)
    with pytest.raises(UsageError, match="'covariate' needs a covariate"):
        bind(["covariate"], model)
    latent = LatentNormal(0.0, 1.0, 1.0, 3)
    with pytest.raises(UsageError, match="ranks need members"):
        bind(["rank_histogram"], latent)(np.zeros(3))
    with pytest.raises(UsageError, match="strata need members"):
        replicate(latent, bind(["mean"], latent), "bayesian", 9, rng(0), rng(1), stratified=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"ece": {"bins": 0}}, "ece.bins must be a whole number from 1 to 1000, got 0"),
     ({"ece": {"bins": 2.5}}, "whole number"), ({"ece": {"bins": True}}, "whole number"),
     ({"ece": {"bins": float("inf")}}, "whole number"), ({"ece": {"bins": "15"}}, "whole number"),
     ({"ece": {"bin": 15}}, "Did you mean 'bins'"),
     ({"mce": {"bins": 15}}, "no such statistic is asked for"),
     ({"accuracy": {"bins": 15}}, "'accuracy' has no options"),
     ({"class_share": {"label": -1}}, "from 0"),
     ({"confident_accuracy": {"share": 1.0}}, "between 0 and 1"),
     ({"confident_accuracy": {"share": float("nan")}}, "between 0 and 1")],
)  # fmt: skip
def test_options_that_cannot_be_are_refused(options: dict, message: str) -> None:
    model = categorical_mixture(np.full((2, 3, 2), 0.5))
    with pytest.raises(UsageError, match=message):
        bind(["ece", "accuracy", "class_share", "confident_accuracy"], model, options)
