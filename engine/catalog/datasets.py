"""The ten data sets, in the order in which sweeps go through them."""

from __future__ import annotations

from augury.engine.catalog.data_cards import Archive as Archive
from augury.engine.catalog.data_cards import DataFile as DataFile
from augury.engine.catalog.data_cards import DatasetCard as DatasetCard
from augury.engine.catalog.data_fetched import FETCHED
from augury.engine.catalog.data_shipped import SHIPPED

DATASETS: dict[str, DatasetCard] = {**SHIPPED, **FETCHED}

# CIFAR-10-C as published: one archive, read from as it is.
CIFAR10_C = DataFile(
    "CIFAR-10-C.tar",
    2_918_471_680,
    "c72763e101c723b7c507b96205f7e938912a5d587376173b825850cf3cb876a7",
    ("https://zenodo.org/record/2535967/files/CIFAR-10-C.tar",),
)
