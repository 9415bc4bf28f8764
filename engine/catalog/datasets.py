"""Data-set cards: what each set is, where it is from, and what its bytes must be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DatasetCard:
    """One data set in the published record order and split."""

    input_dim: int
    num_classes: int
    num_train: int
    num_test: int
    kind: str  # structured | image
    files: tuple[tuple[str, str], ...]  # (canonical name, sha256)
    licence: str
    source: str
    bundled: bool = True


DATASETS: dict[str, DatasetCard] = {
    "iris": DatasetCard(
        4, 3, 120, 30, "structured",
        (("iris.data", "6f608b71a7317216319b4d27b4d9bc84e6abd734eda7872b71a458569e2656c0"),),
        "CC BY 4.0", "UCI Machine Learning Repository, data set 53",
    ),
}  # fmt: skip
