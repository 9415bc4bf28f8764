"""The order in which TensorFlow Datasets stores records, on which published splits rest.

It writes a split sorted by the MD5 digest of the split's name followed by the record's key, which
is the record's index in its source file for every set in the catalog.
"""

from __future__ import annotations

from hashlib import md5

import numpy as np
from numpy.typing import NDArray


def record_order(num_records: int, split: str) -> NDArray[np.int64]:
    """Indices [num_records] into the source file, in stored order.

    Args:
        num_records: records in the file.
        split: "train" or "test", as the set's publisher names it.
    """
    salted = md5(split.encode(), usedforsecurity=False)
    digests = []
    for index in range(num_records):
        digest = salted.copy()
        digest.update(str(index).encode())
        digests.append(digest.digest())
    return np.array(sorted(range(num_records), key=digests.__getitem__), dtype=np.int64)
