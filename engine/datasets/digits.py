"""Parsers of the MNIST family: grey images of 28 x 28 and their labels, train and test."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from augury.engine.datasets.records import Records, Source
from augury.engine.errors import AuguryError

_BYTES = 0x08  # the IDX code of unsigned bytes, the only type these sets use


def read_mnist(files: Mapping[str, bytes]) -> Source:
    """Four gzipped IDX files: MNIST, Fashion-MNIST and both EMNIST sets.

    EMNIST's images are stored transposed; they stay so, as in the published benchmark.
    """
    parts = {
        (part.startswith("train"), "images" in part): read_idx(name, content)
        for name, content in files.items()
        for part in [name.removeprefix("emnist-").removeprefix("letters-").removeprefix("digits-")]
    }
    return Source(
        _records(parts[True, True], parts[True, False]),
        _records(parts[False, True], parts[False, False]),
    )


def read_corrupted(files: Mapping[str, bytes]) -> Source:
    """One corruption of MNIST-C: images [rows, 28, 28, 1] and labels, as NumPy arrays."""
    train_x, train_y, test_x, test_y = (
        np.load(BytesIO(files[f"{split}_{part}.npy"]), allow_pickle=False)
        for split in ("train", "test")
        for part in ("images", "labels")
    )
    return Source(_records(train_x, train_y), _records(test_x, test_y))


def read_idx(name: str, content: bytes) -> NDArray[np.uint8]:
    """The array of a gzipped IDX file of unsigned bytes.

    The header is two zeros, a type code, the number of axes, then each length as 4 bytes, big
    end first.

    Raises:
        AuguryError: not such a file.
    """
    try:
        raw = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise AuguryError(f"{name} is no gzip file: {error}.") from None
    if raw[:3] != bytes((0, 0, _BYTES)) or len(raw) < 4 + 4 * raw[3]:
        raise AuguryError(f"{name} is no IDX file of unsigned bytes: it starts with {raw[:4]!r}.")
    start = 4 + 4 * raw[3]
    shape = tuple(int(n) for n in np.frombuffer(raw, ">u4", raw[3], 4))
    if len(raw) - start != np.prod(shape, dtype=np.int64):
        raise AuguryError(f"{name} holds {len(raw) - start:,} bytes of data, not those of {shape}.")
    return np.frombuffer(raw, np.uint8, offset=start).reshape(shape)


def _records(images: NDArray[np.uint8], labels: NDArray[np.generic]) -> Records:
    return Records(images, labels.astype(np.int64))
