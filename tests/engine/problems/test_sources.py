"""What is true of each kind of problem, and where its items come from."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from augury.engine.catalog.problems import ItemProblem, PairProblem, parse
from augury.engine.errors import AuguryError, UsageError
from augury.engine.problems import channel
from augury.engine.problems.sources import folds_of, items_of, source_of, truth_of


def _problem(text: str) -> PairProblem:
    found = parse(text)
    assert isinstance(found, PairProblem)
    return found


@pytest.mark.parametrize(
    ("text", "bits", "levels"),
    [
        ("mi/gaussian-ds10-2-4bits", (2.0, 4.0), (2.0, 4.0)),
        ("mi/gaussian-ds10-4bits-shuffled", (0.0,), (4.0,)),
        ("mi/channel-ds10-4-10bits", (4.0, 10.0), (channel.crossover(4.0, 10), 0.0)),
        ("mi/channel-ds2-m4-3bits", (3.0,), (channel.crossover(3.0, 2, 4),)),
        ("mi/text-bert-ds10-4bits", (4.0,), (channel.crossover(4.0, 10),)),
        ("mi/image-mnist-1x2x5-s64-4bits", (4.0,), (channel.crossover(4.0, 10),)),
        ("mi/closed-1v1-normal-0.75", (-0.5 * math.log2(1 - 0.75**2),), (0.0,)),
        ("mi/closed-1v1-normal-0.75-shuffled", (0.0,), (0.0,)),
    ],
)
def test_truths(text: str, bits: tuple[float, ...], levels: tuple[float, ...]) -> None:
    truth = truth_of(_problem(text))
    assert truth.bits == pytest.approx(bits)
    np.testing.assert_allclose(truth.levels, levels, atol=1e-7)
    assert _problem(text).is_null == (not any(bits))


def test_more_bits_than_there_are_is_refused() -> None:
    with pytest.raises(UsageError, match="share at most 4 bits, not 6"):
        truth_of(_problem("mi/image-mnist-1x2x2-s64-6bits"))


@pytest.mark.parametrize(
    ("text", "dims"),
    [
        ("mi/gaussian-ds10-dr40tile-cubic-4bits", (40, 40)),
        ("mi/channel-ds5-m3-2bits", (15, 15)),
        ("mi/image-mnist-1x2x5-s64-4bits", (4096, 4096)),
        ("mi/image-mnist-1x2x5-s64-eta0.3-4bits", (12288, 12288)),
        ("mi/text-bert-ds10-4bits", (7680, 7680)),
        ("mi/mixture-mnist-bert-2x5-4bits", (7680, 7680)),
        ("mi/closed-swissroll_x-normal_cdf-1v1-normal-0.75", (2, 1)),
    ],
)
def test_sizes(text: str, dims: tuple[int, int]) -> None:
    source = source_of(_problem(text))
    assert (source.x_dim, source.y_dim) == dims


def test_blanks_of_one_kind_are_one() -> None:
    for text in ("gaussian-ds10-{}bits", "text-bert-ds10-{}bits", "image-mnist-1x2x5-s64-{}bits"):
        two, four = (_problem("mi/" + text.format(bits)) for bits in (2, 4))
        assert two.blank() == four.blank() and two.shape() == four.shape()


def test_embeddings_that_are_not_here_are_asked_for() -> None:
    with pytest.raises(AuguryError, match=r"nobody serves them: put bert.npz \(32,024,635 bytes"):
        items_of(_problem("mi/text-bert-ds10-4bits"))


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("mi/image-mnist-1x2x5-s64-4bits", (5923, 6742)),
        ("mi/text-bert-ds10-4bits", (12500, 12500)),
        ("mi/text-roberta-ds10-4bits", (2000, 2000)),
    ],
)
def test_real_items(text: str, counts: tuple[int, int], own_data: Callable[[str], None]) -> None:
    problem = _problem(text)
    assert isinstance(problem, ItemProblem)
    own_data(problem.datasets[0])
    items = items_of(problem)
    assert tuple(items.every[0].counts.tolist()) == counts
    train, held_out = (side[0].counts.tolist() for side in (items.train, items.held_out))
    assert train == pytest.approx([0.8 * c for c in counts], abs=1)
    assert [a + b for a, b in zip(train, held_out, strict=True)] == list(counts)
    assert sum(int(fold[0].counts.sum()) for fold in folds_of(problem, 5)) == sum(counts)
