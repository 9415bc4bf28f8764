"""Sentence embeddings of film reviews: too large to ship, and served by nobody."""

from __future__ import annotations

from augury.engine.catalog.data_cards import DataFile, DatasetCard

_SOURCE = "A. Maas and others, Large Movie Review Dataset (IMDB), 2011; one vector for each review"


def _embeddings(file: DataFile, number: int, note: str) -> DatasetCard:
    return DatasetCard(
        input_dim=768,
        num_classes=2,
        num_train=number,
        num_test=0,
        kind="structured",
        target="augury.engine.datasets.embeddings:read_embeddings",
        files=(file,),
        licence="Apache-2.0 (vectors)",
        source=_SOURCE,
        bundled=False,
        folder="imdb_embeddings",
        note=note,
    )


EMBEDDINGS: dict[str, DatasetCard] = {
    "imdb/bert": _embeddings(
        DataFile(
            "bert.npz",
            32_024_635,
            "4ce3be0185d1f91802624ecef58c275e0a2b07c10a5193d3b4b8766fcff4a773",
        ),
        25_000,
        "BERT, fine-tuned; the class is the review's opinion.",
    ),
    "imdb/roberta": _embeddings(
        DataFile(
            "roberta_2k.npz",
            5_669_186,
            "d960aefb1b94ece1a8886fcd11256cb656b75d49119b755350e0f79e3f6213a7",
        ),
        4_000,
        "RoBERTa, fine-tuned; 2,000 reviews of each opinion: published results have 12,500.",
    ),
}
