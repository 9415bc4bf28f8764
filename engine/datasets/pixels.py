"""Images as bytes: rows to learn from, clean ones held out, and test rows with their numbers."""

from __future__ import annotations

import tarfile
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from augury.engine.catalog.datasets import CIFAR10_C, DATASETS, DatasetCard
from augury.engine.catalog.entry import load as import_target
from augury.engine.catalog.entry import lookup
from augury.engine.datasets.files import read
from augury.engine.datasets.order import record_order
from augury.engine.datasets.records import Source
from augury.engine.errors import AuguryError, UsageError
from augury.engine.paths import data_directory

_SHARE, _MOST = 5, 10_000  # held out: a fifth of the training file, at most so many


class Pixels(NamedTuple):
    """uint8 images [n, h, w, c] and labels; read-only. No image is in two of the three parts."""

    train_x: NDArray[np.uint8]
    train_y: NDArray[np.int32]
    held_x: NDArray[np.uint8]  # clean images that calibrate, never trained on
    held_y: NDArray[np.int32]
    test_x: NDArray[np.uint8]
    test_y: NDArray[np.int32]
    test_index: NDArray[np.int64]  # each image's number in its source file


def num_held(card: DatasetCard) -> int:
    """Clean images held out of a set's training file."""
    return min(card.num_train // _SHARE, _MOST)


@lru_cache(maxsize=2)
def load_pixels(name: str) -> Pixels:
    """All images of a set in published record order; smaller problems take the first of each part.

    Raises:
        UsageError: no set has this name, or it is none of images.
        AuguryError: a file is missing or damaged.
    """
    card = lookup(DATASETS, name, "data set")
    if card.kind != "image":
        images = [name for name, card in DATASETS.items() if card.kind == "image"]
        raise UsageError(f"{name} has no images; sets that have: {', '.join(images)}.")
    source: Source = import_target(card.target)(read(name, card))
    if source.test is None:
        raise UsageError(f"{name} has no test images of its own.")
    images, others = (_with_channels(part.x) for part in (source.train, source.test))
    order = record_order(len(source.train.y), "train")
    train, held = np.split(order, [len(order) - num_held(card)])
    test = record_order(len(source.test.y), "test")
    parts = (
        images[train], source.train.y[train].astype(np.int32),
        images[held], source.train.y[held].astype(np.int32),
        others[test], source.test.y[test].astype(np.int32), test,
    )  # fmt: skip
    for part in parts:
        part.setflags(write=False)
    return Pixels(*parts)


def _with_channels(x: np.ndarray) -> NDArray[np.uint8]:
    """[n, h, w, c], of which grey images [n, h, w] have one channel."""
    x = x.astype(np.uint8, copy=False)
    return x[..., None] if x.ndim == 3 else x


def published(name: str, severity: int) -> NDArray[np.uint8]:
    """Images [10000, 32, 32, 3] of CIFAR-10-C as published, in the order of CIFAR-10's test file.

    They are read out of the archive in `AUGURY_DATA/cifar10_c/`.

    Raises:
        AuguryError: the archive is not there or damaged, or holds no such images.
    """
    home = data_directory()
    where = f"{CIFAR10_C.name} from {CIFAR10_C.url}"
    if home is None:
        raise AuguryError(f"cifar10_c is not shipped: set AUGURY_DATA and put {where} into it.")
    path = home / "cifar10_c" / CIFAR10_C.name
    if not path.exists():
        raise AuguryError(f"{path} is not there: put {where} there.")
    _verify(str(path))
    inside = f"CIFAR-10-C/{name}.npy"
    with tarfile.open(path) as archive:
        if inside not in archive.getnames():
            raise AuguryError(f"{path} holds no {inside}.")
        member = archive.extractfile(inside)
        assert member is not None
        np.lib.format.read_magic(member)
        shape, _, dtype = np.lib.format.read_array_header_1_0(member)
        rows = shape[0] // 5
        size = rows * int(np.prod(shape[1:]))  # bytes: the archive is what its checksum says
        member.seek((severity - 1) * size, 1)
        found = np.frombuffer(member.read(size), dtype)
    return found.reshape(rows, *shape[1:])


@lru_cache(maxsize=1)
def _verify(path: str) -> None:
    """Once in a process: three gigabytes take seconds."""
    digest = sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 22):
            digest.update(block)
    if digest.hexdigest() != CIFAR10_C.sha256:
        raise AuguryError(
            f"data file {path} is damaged: expected sha256 {CIFAR10_C.sha256}, found "
            f"{digest.hexdigest()}; fetch it again from {CIFAR10_C.url}."
        )
