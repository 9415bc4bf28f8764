"""Parser of sentence embeddings: one array of vectors, one of classes."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import numpy as np

from augury.engine.datasets.records import Records, Source


def read_embeddings(files: Mapping[str, bytes]) -> Source:
    """The only file; vectors of half precision, made single."""
    (content,) = files.values()
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        vectors = arrays["embeddings"].astype(np.float32)
        return Source(Records(vectors, arrays["labels"].astype(np.int64)))  # type: ignore[arg-type]
