"""How often checks fail where they should not, and that p is uniform under the true model."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.stats import kstest

from augury.engine.statistics import verdict
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import replicate
from augury.engine.statistics.classes import categorical_mixture
from augury.engine.statistics.latent import LatentNormal
from augury.engine.statistics.mixture import normal_mixture
from augury.engine.statistics.predictive import MODES, Mode
from augury.engine.statistics.verdict import Check, false_fail_rate, fresh_fail_rate

rng = np.random.default_rng


@pytest.mark.parametrize("mode", MODES)
def test_p_of_continuous_statistics_is_uniform_when_the_truth_is_the_mode(mode: Mode) -> None:
    names = ["calibration", "cvm", "ks", "mean", "first", "crps", "lag1"]
    model = LatentNormal(0.0, 1.0, 1.0, 30)
    drawn = replicate(model, bind(names, model), mode, 3000, rng(1), rng(2))
    truth = replicate(model, bind(names, model), mode, 400, rng(3), rng(4))
    for name in names:
        p = [Check(mode, value, drawn[name], 0).p_value for value in truth[name]]
        assert kstest(p, "uniform").pvalue > 0.001, name


@pytest.mark.parametrize("mode", MODES)
def test_p_of_discrete_statistics_is_uniform_once_ties_are_broken_at_random(mode: Mode) -> None:
    """Twenty labels: a strict p-value takes few values, and is below its randomised one."""
    names = ["accuracy", "class_share", "top5", "confusion"]
    model = categorical_mixture(rng(0).dirichlet(np.full(7, 0.5), size=(6, 20)))
    drawn = replicate(model, bind(names, model), mode, 3000, rng(1), rng(2))
    truth = replicate(model, bind(names, model), mode, 400, rng(3), rng(4))
    ties = rng(5)
    for name in names:
        found = [Check(mode, value, drawn[name], 6) for value in truth[name]]
        p = [check.randomised_p(ties.random()) for check in found]
        assert kstest(p, "uniform").pvalue > 0.001, name
        strict = [check.p_value for check in found]
        assert kstest(strict, "uniform").pvalue < 1e-6, name


def test_randomised_p_is_a_place_among_all() -> None:
    check = Check("bayesian", 2.0, np.array([1.0, 2.0, 2.0, 5.0]), 2)
    assert check.randomised_p(np.array([0.0, 1.0])) == pytest.approx([1 / 5, 4 / 5])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [20, 50])
def test_two_in_s_plus_one_fail_where_a_member_is_the_truth(mode: Mode, size: int) -> None:
    """S + 1 exchangeable values, one of them observed; 4,000 times."""
    mean = rng(0).normal(size=(5, 10))
    model = normal_mixture(mean, np.ones((5, 10)))
    drawn = replicate(model, bind(["mean"], model), mode, 4000 * (size + 1), rng(1), rng(2))["mean"]
    checks = [Check(mode, row[0], row[1:], 5) for row in drawn.reshape(4000, size + 1)]
    rate = checks[0].false_fail
    assert rate == false_fail_rate(size) == 2 / (size + 1)
    failed = np.mean([not check.passes for check in checks])
    assert abs(failed - rate) <= 4 * np.sqrt(rate * (1 - rate) / 4000)


@pytest.mark.parametrize("size", [6, 60])
def test_the_floor_where_the_truth_is_drawn_as_members_are(size: int) -> None:
    """Members that hardly blur, as many rows make them: five of them, and a sixth as the truth."""
    draw, repeats, members = rng(3), 1500, 5
    checks = []
    for _ in range(repeats):
        theta = draw.normal(size=members + 1)
        model = normal_mixture(theta[:-1, None], np.full((members, 1), 1e-9))
        values = replicate(model, bind(["mean"], model), "bayesian", size, draw, draw)["mean"]
        checks.append(Check("bayesian", theta[-1], values, members))
    rate = checks[0].fresh_fail
    assert rate == fresh_fail_rate(size, members) > false_fail_rate(size)
    failed = np.mean([not check.passes for check in checks])
    assert abs(failed - rate) <= 4 * np.sqrt(rate * (1 - rate) / repeats)


def test_replicates_that_are_all_the_same_would_be_no_verdict() -> None:
    sure = Check("bayesian", 0.995, np.ones(1000), 5)
    assert sure.direction == "low" and not sure.reason and sure.false_fail == 1 / 1001
    assert Check("bayesian", 1.0, np.ones(1000), 5).reason.startswith("degenerate")
    one_apart = Check("bayesian", 0.0, np.append(np.ones(999), 2.0), 5)
    assert one_apart.false_fail == 1000 / 1001  # each of 999 would have none below it


def test_false_fails_of_a_statistic_with_ties() -> None:
    """The fails that are predicted from replicates are those that come: counts of few rows."""
    size, repeats = 40, 3000
    values = rng(4).binomial(50, 0.03, size=(repeats, size + 1)).astype(float)
    checks = [Check("independent", row[0], row[1:], 0) for row in values]
    failed = np.mean([not check.passes for check in checks])
    told = np.mean([check.false_fail for check in checks])
    assert failed > 4 * false_fail_rate(size)
    assert abs(told - failed) <= 4 * np.sqrt(failed * (1 - failed) / repeats)


def test_sharpness_error_of_many_replicates_is_that_of_their_density() -> None:
    """Of 10^6 uniform numbers: the range of two order statistics is a beta number."""
    values = rng(5).random(10**6)
    tracemalloc.start()
    stderr = Check("independent", 0.5, values, 0).sharpness_stderr
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert stderr == pytest.approx((0.9 * 0.1 / 10**6) ** 0.5, rel=0.2)  # 4 of 1 / sqrt(2 * 200)
    assert peak < 20 * 2**20


def test_resamples_by_their_order_are_those_that_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counts of few values, with ties: both ways agree as two bootstraps of 4,000."""
    check = Check("independent", 0.5, rng(6).binomial(40, 0.3, size=101).astype(float) ** 2, 0)
    monkeypatch.setattr(verdict, "_RESAMPLES", 4_000)
    drawn = check.sharpness_stderr
    monkeypatch.setattr(verdict, "_MOST_PICKED", 0)
    assert check.sharpness_stderr == pytest.approx(drawn, rel=0.06)


def test_the_floor_between_its_ends() -> None:
    assert fresh_fail_rate(10**6, 10) == pytest.approx(2 / 11)
    assert fresh_fail_rate(1000, 10**6) == pytest.approx(false_fail_rate(1000), rel=1e-3)
    assert fresh_fail_rate(1000, 0) == false_fail_rate(1000)
    assert Check("independent", 0.0, np.arange(1000.0), 5).fresh_fail == false_fail_rate(1000)


def test_strata_give_the_same_mean_with_less_noise() -> None:
    """P(T < 0) of two members at -1 and 1 with weights .3 and .7 is .3, without error."""
    model = normal_mixture([[-1.0], [1.0]], np.full((2, 1), 1e-3), [0.3, 0.7])
    statistics = bind(["mean"], model)
    p = {
        stratified: [
            Check("bayesian", 0.0, replicate(
                model, statistics, "bayesian", 101, rng(seed), rng(1), stratified)["mean"], 2
            ).p_value
            for seed in range(400)
        ]
        for stratified in (False, True)
    }  # fmt: skip
    assert set(p[True]) == {30 / 101, 31 / 101}
    assert abs(np.mean(p[True]) - 0.3) <= 4 * np.std(p[True]) / 20
    assert np.std(p[False]) > 5 * np.std(p[True])
