"""Data: the catalog's data-set cards."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult

from augury.engine.catalog.datasets import DATASETS
from augury.tui.bindings import bindings
from augury.tui.screens.tab import TabScreen
from augury.tui.widgets.score_table import ScoreTable
from augury.tui.widgets.sheet import Column, Sheet

_COLUMNS = (
    Column("name", "data set", "left"),
    Column("kind", "kind", "left"),
    Column("columns", "columns"),
    Column("classes", "classes"),
    Column("train", "train"),
    Column("test", "test"),
    Column("here", "here", "left"),
    Column("licence", "licence", "left"),
    Column("source", "source", "left", most=90),
)


class DataScreen(TabScreen):
    """One line for each data set."""

    PLACE: ClassVar[str] = "data"
    TAB: ClassVar[str] = "data"
    BINDINGS: ClassVar = bindings("data")

    def compose_body(self) -> ComposeResult:
        """The table."""
        yield ScoreTable(id="datasets")

    def on_mount(self) -> None:
        """Fill it; the cards are part of the program."""
        super().on_mount()
        rows = tuple(
            (name, card.kind, card.input_dim, card.num_classes, card.num_train, card.num_test,
             "✔ bundled" if card.bundled else "○ fetched on demand", card.licence, card.source)
            for name, card in DATASETS.items()
        )  # fmt: skip
        self.query_one(ScoreTable).show(Sheet(_COLUMNS, rows, len(rows)))
        self.note(f"{len(DATASETS)} data sets")
