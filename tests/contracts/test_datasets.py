"""Every data-set card matches what is loaded under its name."""

import re

import numpy as np
import pytest

from augury.engine.catalog.datasets import DATASETS
from augury.engine.datasets.load import load
from augury.engine.paths import ASSETS


@pytest.fixture(params=[name for name, card in DATASETS.items() if card.bundled])
def name(request):
    return request.param


def test_arrays_match_the_card(name):
    card, split = DATASETS[name], load(name)
    assert split.train_x.shape == (card.num_train, card.input_dim)
    assert split.test_x.shape == (card.num_test, card.input_dim)
    assert split.train_y.shape == (card.num_train,)
    assert split.test_y.shape == (card.num_test,)
    assert split.train_x.dtype == split.test_x.dtype == np.float32
    assert split.train_y.dtype == split.test_y.dtype == np.int32
    labels = np.concatenate([split.train_y, split.test_y])
    assert 0 <= labels.min() and labels.max() < card.num_classes


def test_rows_are_standardised(name):
    for rows in (load(name).train_x, load(name).test_x):
        np.testing.assert_allclose(rows.mean(axis=1, dtype=np.float64), 0.0, atol=1e-6)
        np.testing.assert_allclose(rows.var(axis=1, dtype=np.float64), 1.0, atol=1e-4)


def test_loading_twice_gives_the_same_rows(name):
    first = load(name)
    load.cache_clear()
    again = load(name)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))


def test_shared_arrays_cannot_be_changed(name):
    assert not any(array.flags.writeable for array in load(name))


@pytest.mark.parametrize("card", DATASETS.values(), ids=DATASETS)
def test_card_is_complete(card):
    assert card.licence and card.source and card.files and card.size > 0
    assert card.num_train > 0 and card.num_test > 0 and card.num_classes > 1
    archive = card.archive
    for file in (*card.files, *((archive,) if archive else ())):
        vouched = archive is not None and not archive.ranges and file.member
        assert re.fullmatch("[0-9a-f]{64}", file.sha256) or (vouched and not file.sha256)
        assert bool(file.urls) != bool(file.member)  # of its own, or in the archive
        assert file.size > 0 or not file.sha256
        for url in card.urls(file):
            assert url.endswith("/" + (archive.name if archive else file.name))
        assert not file.member or file.member.endswith("/" + file.name)


def test_ten_sets_in_the_order_of_the_sweeps():
    assert list(DATASETS) == [
        "iris", "wine_quality", "german_credit_numeric", "cmaterdb", "mnist", "emnist/digits",
        "emnist/letters", "fashion_mnist", "mnist_corrupted/shot_noise", "cifar10",
    ]  # fmt: skip


def test_licences_name_every_bundled_set_and_file():
    text = (ASSETS / "data" / "LICENCES.md").read_text()
    for name, card in DATASETS.items():
        if card.bundled:
            assert f"`{name}`" in text and card.licence in text and card.doi in text
            assert all(f"`{file.name}`" in text for file in card.files)


def test_no_stray_files_are_shipped():
    shipped = {path for path in (ASSETS / "data").rglob("*") if path.is_file()}
    named = {
        ASSETS / "data" / name / file.name
        for name, card in DATASETS.items()
        if card.bundled
        for file in card.files
    }
    assert shipped == named | {ASSETS / "data" / "LICENCES.md"}
