"""Images as bytes: formats read back, parts that share no image, the published archive."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from augury.engine.catalog.datasets import CIFAR10_C, DATASETS
from augury.engine.datasets import pixels
from augury.engine.datasets.files import read
from augury.engine.datasets.images import read_cifar10, read_numerals
from augury.engine.datasets.order import record_order
from augury.engine.errors import AuguryError, UsageError


def test_cifar_batches_are_read_back() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 256, (6, 3, 32, 32, 3), np.uint8), rng.integers(0, 10, (6, 3), np.uint8)
    names = [*(f"data_batch_{n}.bin" for n in range(1, 6)), "test_batch.bin"]
    files = {
        name: np.concatenate(
            [y[n][:, None], x[n].transpose(0, 3, 1, 2).reshape(3, -1)], 1
        ).tobytes()
        for n, name in enumerate(names)
    }
    source = read_cifar10(files)
    assert source.test is not None
    np.testing.assert_array_equal(source.train.x, x[:5].reshape(15, 32, 32, 3))
    np.testing.assert_array_equal(source.train.y, y[:5].ravel())
    np.testing.assert_array_equal(source.test.x, x[5])


def test_no_image_is_in_two_parts() -> None:
    found = pixels.load_pixels("cmaterdb")
    card = DATASETS["cmaterdb"]
    assert len(found.held_x) == pixels.num_held(card) == 1_000
    assert len(found.train_x) + len(found.held_x) == card.num_train
    assert sorted(found.test_index) == list(range(card.num_test))
    assert (found.test_index == record_order(1_000, "test")).all()
    # Parts are of numbers, not of looks: the set has some images twice.
    whole = read_numerals(read("cmaterdb", card)).train
    order = record_order(card.num_train, "train")
    np.testing.assert_array_equal(np.concatenate([found.train_x, found.held_x]), whole.x[order])
    np.testing.assert_array_equal(np.concatenate([found.train_y, found.held_y]), whole.y[order])
    assert not any(part.flags.writeable for part in found)
    # Labels are mixed, though the file sorts them: the first rows are a sample.
    assert len(set(found.train_y[:200])) == len(set(found.test_y[:200])) == 10


def test_tables_have_no_images() -> None:
    with pytest.raises(UsageError, match="iris has no images; sets that have: cmaterdb, mnist"):
        pixels.load_pixels("iris")


def archive(path: Path, images: np.ndarray) -> None:
    content = io.BytesIO()
    np.save(content, images)
    with tarfile.open(path, "w") as tar:
        member = tarfile.TarInfo("CIFAR-10-C/fog.npy")
        member.size = len(content.getvalue())
        tar.addfile(member, io.BytesIO(content.getvalue()))


def test_the_published_archive_is_read_by_severity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))
    with pytest.raises(AuguryError, match=r"CIFAR-10-C\.tar is not there: put"):
        pixels.published("fog", 1)
    (tmp_path / "cifar10_c").mkdir()
    path = tmp_path / "cifar10_c" / CIFAR10_C.name
    images = np.random.default_rng(0).integers(0, 256, (15, 32, 32, 3), np.uint8)
    archive(path, images)
    with pytest.raises(AuguryError, match="is damaged: expected sha256 c72763e1"):
        pixels.published("fog", 1)
    right = replace(CIFAR10_C, sha256=sha256(path.read_bytes()).hexdigest())
    monkeypatch.setattr(pixels, "CIFAR10_C", right)
    for severity in range(1, 6):
        part = images[3 * severity - 3 : 3 * severity]
        np.testing.assert_array_equal(pixels.published("fog", severity), part)
    with pytest.raises(AuguryError, match=r"holds no CIFAR-10-C/snow\.npy"):
        pixels.published("snow", 1)
    pixels._verify.cache_clear()
    monkeypatch.delenv("AUGURY_DATA")
    with pytest.raises(AuguryError, match="set AUGURY_DATA"):
        pixels.published("fog", 1)
