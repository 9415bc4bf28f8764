"""The ten data sets, in the order in which sweeps go through them."""

from __future__ import annotations

from augury.engine.catalog.data_cards import Archive as Archive
from augury.engine.catalog.data_cards import DataFile as DataFile
from augury.engine.catalog.data_cards import DatasetCard as DatasetCard
from augury.engine.catalog.data_fetched import FETCHED
from augury.engine.catalog.data_shipped import SHIPPED

DATASETS: dict[str, DatasetCard] = {**SHIPPED, **FETCHED}
