"""Data: the catalog's data-set cards."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.widgets import DataTable

from augury.engine.catalog.datasets import DATASETS
from augury.tui.bindings import bindings
from augury.tui.screens.tab import TabScreen


class DataScreen(TabScreen):
    """One line for each data set."""

    PLACE: ClassVar[str] = "data"
    TAB: ClassVar[str] = "data"
    AUTO_FOCUS: ClassVar[str | None] = "DataTable"
    BINDINGS: ClassVar = bindings("data")

    def compose_body(self) -> ComposeResult:
        """The table."""
        yield DataTable(id="datasets", cursor_type="row", zebra_stripes=False)

    def on_mount(self) -> None:
        """Fill it; the cards are part of the program."""
        super().on_mount()
        table = self.query_one(DataTable)
        table.add_columns("data set", "kind", "columns", "classes", "train", "test", "here",
                          "licence", "source")  # fmt: skip
        for name, card in DATASETS.items():
            here = "✔ bundled" if card.bundled else "○ fetched on demand"
            table.add_row(name, card.kind, card.input_dim, card.num_classes, card.num_train,
                          card.num_test, here, card.licence, card.source, key=name)  # fmt: skip
        self.note(f"{len(DATASETS)} data sets")
