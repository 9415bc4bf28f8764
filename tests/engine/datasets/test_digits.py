"""Parsers of the MNIST family, on made-up files with the canonical names: never a result."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.catalog.datasets import DATASETS, DataFile, DatasetCard
from augury.engine.corruptions.corrupt import corrupt
from augury.engine.datasets.digits import read_idx
from augury.engine.datasets.load import load, split_records
from augury.engine.datasets.order import record_order
from augury.engine.datasets.pixels import load_pixels
from augury.engine.datasets.presence import look, verify
from augury.engine.errors import AuguryError

DRAWS = np.random.default_rng(0)
TRAIN, TEST = 60, 26  # rows of the made-up files
Put = Callable[..., dict[str, np.ndarray]]


def idx(array: np.ndarray) -> bytes:
    shape = struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape)
    return gzip.compress(shape + array.astype(np.uint8).tobytes(), 1)


def npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def arrays(channel: tuple[int, ...] = ()) -> dict[str, np.ndarray]:
    """Images, and labels that rise: a test file sorted by class."""
    return {
        "train-images": DRAWS.integers(0, 256, (TRAIN, 28, 28, *channel)),
        "train-labels": DRAWS.integers(1, 27, TRAIN),
        "test-images": DRAWS.integers(0, 256, (TEST, 28, 28, *channel)),
        "test-labels": np.arange(1, TEST + 1),
    }


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Lay made-up files where a set's belong; its card knows their checksums and counts."""
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))

    def lay(name: str, made: Mapping[str, np.ndarray], num_train: int, num_test: int) -> Any:
        card = DATASETS[name]
        folder = tmp_path / (card.folder or name)
        folder.mkdir(parents=True)
        files: list[DataFile] = []
        for file, array in zip(card.files, made.values(), strict=True):
            content = idx(array)
            (folder / file.name).write_bytes(content)
            digest = sha256(content).hexdigest()
            files.append(replace(file, size=len(content), sha256=digest))
        changed = replace(card, files=tuple(files), num_train=num_train, num_test=num_test,
                          all_test=TEST if card.all_test else 0)  # fmt: skip
        monkeypatch.setitem(DATASETS, name, changed)
        load.cache_clear()
        return made

    return lay


@pytest.mark.parametrize("name", ["mnist", "fashion_mnist"])
def test_grey_images_to_corrupt_have_one_channel(name: str, put: Put) -> None:
    made = put(name, arrays(), TRAIN, TEST)
    load_pixels.cache_clear()
    found = load_pixels(name)
    load_pixels.cache_clear()
    order = record_order(TRAIN, "train")
    trained = np.concatenate([found.train_x, found.held_x])
    assert trained.shape == (TRAIN, 28, 28, 1) and len(found.held_x) == TRAIN // 5
    np.testing.assert_array_equal(trained[..., 0], made["train-images"][order])
    assert corrupt(found.test_x, "fog", 3).shape == (TEST, 28, 28, 1)


@pytest.mark.parametrize("name", ["mnist", "fashion_mnist", "emnist/digits"])
def test_rows_of_the_files_in_the_stored_order(name: str, put: Put) -> None:
    made = put(name, arrays(), TRAIN, TEST)
    train, test = split_records(name)
    order = record_order(TRAIN, "train")
    np.testing.assert_array_equal(train.x, made["train-images"][order])
    np.testing.assert_array_equal(train.y, made["train-labels"][order])
    np.testing.assert_array_equal(test.x, made["test-images"][record_order(TEST, "test")])
    assert train.x.dtype == np.uint8 and train.y.dtype == np.int64
    assert look(name, DATASETS[name]).state == "here" and verify(name, DATASETS[name]) == ""
    split = load(name)
    assert split.train_x.shape == (TRAIN, 784) and split.test_x.shape == (TEST, 784)


def test_the_published_letters_are_the_first_of_a_file_sorted_by_class(put: Put) -> None:
    made = put("emnist/letters", arrays(), 40, 18)
    train, test = split_records("emnist/letters")
    # The first 40 and 18 of the files, then put in order: not the first of the whole order.
    np.testing.assert_array_equal(train.y, made["train-labels"][:40][record_order(40, "train")])
    np.testing.assert_array_equal(test.x, made["test-images"][:18][record_order(18, "test")])
    assert sorted(test.y) == list(range(1, 19))
    _, whole = split_records("emnist/letters", "all")
    assert sorted(whole.y) == list(range(1, TEST + 1))
    assert load("emnist/letters", "example", "all").test_x.shape == (TEST, 784)
    assert load("emnist/letters").test_x.shape == (18, 784)


def test_all_test_rows_of_other_sets_are_the_published_ones(put: Put) -> None:
    put("mnist", arrays(), TRAIN, TEST)
    for one, other in zip(split_records("mnist", "all"), split_records("mnist"), strict=True):
        np.testing.assert_array_equal(one.x, other.x)


def corrupted(made: Mapping[str, np.ndarray], extra: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for part, array in made.items():
            kind = np.uint8 if part.endswith("images") else np.int64
            name = f"mnist_c/shot_noise/{part.replace('-', '_')}.npy"
            archive.writestr(name, npy(array.astype(kind)))
        archive.writestr("mnist_c/fog/other.npy", extra)
    return out.getvalue()


def _corrupted_card(content: bytes) -> DatasetCard:
    card = DATASETS["mnist_corrupted/shot_noise"]
    assert card.archive is not None
    digest = sha256(content).hexdigest()
    archive = replace(card.archive, size=len(content), sha256=digest)
    return replace(card, archive=archive, num_train=TRAIN, num_test=TEST)


def test_one_corruption_is_read_from_the_whole_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "mnist_corrupted/shot_noise"
    made = arrays((1,))
    content = corrupted(made)
    card = _corrupted_card(content)
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))
    monkeypatch.setitem(DATASETS, name, card)
    load.cache_clear()
    assert look(name, card).missing == ("mnist_c.zip",)
    place = tmp_path / "mnist_corrupted" / "mnist_c.zip"
    place.parent.mkdir()
    place.write_bytes(content)
    train, test = split_records(name)
    np.testing.assert_array_equal(train.x, made["train-images"][record_order(TRAIN, "train")])
    assert sorted(test.y) == list(range(1, TEST + 1))
    assert load(name).test_x.shape == (TEST, 784)
    # A file of its own has no checksum to go by, so that it is never read instead.
    (place.parent / "train_images.npy").write_bytes(npy(made["test-images"]))
    assert verify(name, card) == ""
    place.write_bytes(corrupted(made, b"other"))
    assert "expected sha256" in verify(name, card) and look(name, card).state == "damaged"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"not gzip", "is no gzip file"),
        (gzip.compress(b"\0\0"), "is no IDX file"),
        (gzip.compress(b"\0\0\x0d\1" + bytes(8)), "is no IDX file of unsigned bytes"),
        (idx(np.arange(9))[:-9], "is no gzip file"),
        (gzip.compress(struct.pack(">HBBI", 0, 8, 1, 3) + b"ab"), "holds 2 bytes of data"),
    ],
)
def test_other_files_are_refused(content: bytes, why: str) -> None:
    with pytest.raises(AuguryError, match=why):
        read_idx("a.gz", content)
