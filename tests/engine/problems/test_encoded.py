"""Encoded pairs: items of their own for the encoder, the images' labels, what each stage shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.catalog.problems import EncodedProblem, EncodedTextProblem, parse
from augury.engine.datasets.two_classes import Items
from augury.engine.encoders.table import INVERTIBLE
from augury.engine.information import decodable
from augury.engine.problems import class_pairs, encoded
from augury.engine.problems.items import pool
from augury.engine.problems.sources import folds_of, items_of, source_of, truth_of

KEY = jax.random.key(0)
STAGES = [f"resnet{stage}" for stage in range(1, 6)]


def _problem(encoder: str, bits: str = "2") -> EncodedProblem:
    found = parse(f"mi/image-mnist-1x1x2-s16-{encoder}-{bits}bits")
    assert isinstance(found, EncodedProblem)
    return found


def _labelled(number: int = 60, seed: int = 0) -> Items:
    """Pictures whose left or right half is bright, by their class; numbered by two pixels."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat([0, 1], number // 2))
    rows = rng.integers(0, 60, (number, 28, 28))
    rows[:, :, :14] += 120 * (labels == 0)[:, None, None]
    rows[:, :, 14:] += 120 * (labels == 1)[:, None, None]
    rows[:, 0, 0] = np.arange(number)
    return Items(rows.astype(np.uint8), labels)


def _numbers(of: Any) -> set[int]:
    return set(np.asarray(of.rows)[:, 0, 0].tolist())


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> Iterator[Items]:
    """Small pictures instead of the data set's files."""
    found = _labelled()
    monkeypatch.setattr(encoded, "load_two_classes", lambda name: found)
    monkeypatch.setattr(encoded, "NUM_STEPS", 0)
    encoded._parameters.cache_clear()
    yield found
    encoded._parameters.cache_clear()


def test_items_of_the_encoder_are_in_no_pair(shipped: Items) -> None:
    mine, every = encoded.cut(shipped)
    assert not _numbers(mine) & _numbers(every)
    assert _numbers(mine) | _numbers(every) == set(range(60))
    assert (mine.counts.tolist(), every.counts.tolist()) == ([9, 9], [21, 21])
    found = items_of(_problem("maf"))
    train, held_out = _numbers(found.train[0]), _numbers(found.held_out[0])
    assert not train & held_out and train | held_out == _numbers(found.every[0]) == _numbers(every)
    folds = [_numbers(items[0]) for items in folds_of(_problem("maf"), 3)]
    assert sum(len(f) for f in folds) == len(_numbers(every)) == len(set.union(*folds))


@pytest.mark.parametrize("encoder", ["maf", pytest.param("resnet2", marks=pytest.mark.slow)])
def test_no_encoder_sees_an_item_of_a_pair(
    encoder: str, shipped: Items, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoded, "NUM_STEPS", 2)
    before = encoded.parameters(_problem(encoder))
    away = sorted(_numbers(encoded.cut(shipped)[1]))
    for changed, same in ((away, True), (sorted(set(range(60)) - set(away))[:3], False)):
        rows = np.array(shipped.rows, np.uint8)
        rows[changed, 3:25, 3:25] = 255 - rows[changed, 3:25, 3:25]
        other = Items(rows, shipped.labels)
        monkeypatch.setattr(encoded, "load_two_classes", lambda name, other=other: other)
        encoded._parameters.cache_clear()
        after = jax.tree.leaves(encoded.parameters(_problem(encoder)))
        alike = [np.array_equal(a, b) for a, b in
                 zip(jax.tree.leaves(before), after, strict=True)]  # fmt: skip
        assert all(alike) == same


@pytest.mark.parametrize("encoder", [pytest.param("maf", marks=pytest.mark.slow), "resnet2"])
def test_pairs_are_the_images_behind_the_encoder(encoder: str, shipped: Items) -> None:
    problem = _problem(encoder)
    source, images = source_of(problem), class_pairs.images(problem.plain)
    items = items_of(problem).every
    seen = jax.jit(lambda key, items: source.sample(key, jnp.float32(0.1), 7, items))(KEY, items)
    plain = images.sample(KEY, jnp.float32(0.1), 7, items[:1])
    assert seen.x.shape == seen.y.shape == (7, source.x_dim) == (7, source.y_dim)
    assert all(np.array_equal(a, b) for a, b in zip(seen.hidden, plain.hidden, strict=True))
    if not problem.stage:
        shape = encoded.shape_of(problem)
        back = jax.jit(lambda p, z: INVERTIBLE[encoder].inverse(p, z, shape))(items[-1], seen.y)
        np.testing.assert_allclose(back, plain.y, atol=1e-3)


def test_truths_are_those_of_the_images() -> None:
    for encoder in ("maf", "resnet3"):
        found, plain = truth_of(_problem(encoder, "1-2")), truth_of(_problem("maf", "1-2").plain)
        assert found.bits == plain.bits == (1.0, 2.0)
        assert np.array_equal(found.levels, plain.levels)


def test_stages_and_bits_share_an_encoder(shipped: Items) -> None:
    found = [encoded.parameters(_problem(name, bits)) for name in STAGES for bits in ("1", "1-2")]
    assert all(one is found[0] for one in found)
    assert encoded._parameters.cache_info().misses == 1


def test_behind_an_invertible_encoder_all_is_decodable_that_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = (np.array([0, 1]), np.array([-3.0, 3.0]))
    monkeypatch.setattr(decodable, "_of_images", lambda problem: known)
    decodable.posteriors.cache_clear()
    assert decodable.posteriors(_problem("irevnet").blank()) == (known, known)
    decodable.posteriors.cache_clear()


@pytest.mark.parametrize("stage", [1, 3, 5])
def test_windows_of_stages_cover_their_maps(stage: int) -> None:
    problem = _problem(f"resnet{stage}")
    windows = decodable._windows(problem)
    assert len(windows) == 2
    assert set(np.concatenate(windows).tolist()) == set(range(source_of(problem).x_dim))
    if stage == 5:  # every unit may know of every picture
        assert all(len(window) == source_of(problem).x_dim for window in windows)


def test_names_and_columns() -> None:
    problem = _problem("resnet3", "1-2")
    assert problem.id == "mi/image-mnist-1x1x2-s16-resnet3-1-2bits"
    assert problem.columns()["domain"] == "image-resnet3"
    assert _problem("maf").columns()["domain"] == "image-maf"
    assert _problem("maf", "0").columns()["domain"] == "null"
    assert problem.blank() == _problem("resnet3", "1-1").blank() != _problem("resnet4").blank()
    assert pool(*_labelled()).counts.tolist() == [30, 30]


def _texts(encoder: str, bits: str = "1") -> EncodedTextProblem:
    found = parse(f"mi/text-bert-ds1-{encoder}-{bits}bits")
    assert isinstance(found, EncodedTextProblem)
    return found


def test_texts_behind_an_encoder_come_back_and_keep_their_truth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Items of the encoder are in no pair; what it shows is undone to what the texts show."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 768)).astype(np.float16)
    rows[:, 0] = np.arange(60)
    labelled = Items(rows, np.repeat([0, 1], 30))
    monkeypatch.setattr(encoded, "load_two_classes", lambda name: {"imdb/bert": labelled}[name])
    encoded._parameters.cache_clear()
    problem = _texts("realnvp")
    items, shape = items_of(problem).every, encoded.shape_of(problem)
    numbers = [set(np.asarray(of.rows)[:, 0].tolist()) for of in encoded.cut(labelled)]
    assert set(np.asarray(items[0].rows)[:, 0].tolist()) == numbers[1]
    assert not numbers[0] & numbers[1] and len(numbers[0] | numbers[1]) == 60
    source, texts = source_of(problem), class_pairs.texts(problem.plain)
    assert source.x_dim == source.y_dim == shape.size == 768
    seen = jax.jit(lambda key, items: source.sample(key, jnp.float32(0.1), 7, items))(KEY, items)
    plain = texts.sample(KEY, jnp.float32(0.1), 7, items[:1])
    assert all(np.array_equal(a, b) for a, b in zip(seen.hidden, plain.hidden, strict=True))
    assert np.abs(np.asarray(seen.x) - np.asarray(plain.x)).mean() > 0.1
    back = jax.jit(lambda p, z: INVERTIBLE["realnvp"].inverse(p, z, shape))(items[-1], seen.y)
    np.testing.assert_allclose(back, plain.y, atol=1e-2)  # numbers up to 60
    assert truth_of(problem).bits == truth_of(problem.plain).bits == (1.0,)
    encoded._parameters.cache_clear()


def test_names_and_columns_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = _texts("irevnet", "0.5-1")
    assert problem.id == "mi/text-bert-ds1-irevnet-0.5-1bits"
    assert problem.plain.id == "mi/text-bert-ds1-0.5-1bits"
    columns = problem.columns()
    assert (columns["domain"], columns["dataset"]) == ("text-irevnet", "imdb/bert")
    assert _texts("maf", "0").columns()["domain"] == "null"
    assert problem.blank() == _texts("irevnet", "1-1").blank() != _texts("maf", "1-1").blank()
    known = (np.array([0, 1]), np.array([-3.0, 3.0]))
    monkeypatch.setattr(decodable, "_of_rows", lambda problem, place: known)
    decodable.posteriors.cache_clear()
    assert decodable.posteriors(problem.blank()) == (known, known)
    decodable.posteriors.cache_clear()


@pytest.mark.slow
def test_digits_that_no_encoder_saw_are_told_apart_by_its_units(
    own_data: Callable[[str], None],
) -> None:
    own_data("mnist")
    encoded._parameters.cache_clear()
    problem = parse("mi/image-mnist-1x2x2-s16-resnet5-2bits")
    assert isinstance(problem, EncodedProblem)
    found = decodable.decodable(problem)[0]
    # No more than the classes share, by the data-processing inequality, and hardly less.
    assert 1.9 < found.value < 2.0 + 3 * found.stderr
