"""Data sets as the Data tab shows them: lines and the words about one. No widgets."""

from __future__ import annotations

from collections.abc import Mapping

from augury.engine.catalog.datasets import DATASETS, DatasetCard
from augury.engine.datasets.presence import Presence, advice, look
from augury.tui.formatting import MISSING

COLUMNS = ("data set", "state", "size", "rows", "checksum", "sweeps", "licence")
_STATES = {"here": "✔ here", "absent": "○ absent"}


def found() -> dict[str, Presence]:
    """All sets, as they are on this machine now."""
    return {name: look(name, card) for name, card in DATASETS.items()}


def line(name: str, presence: Presence, verdict: str | None) -> tuple[str, ...]:
    """One set; `verdict` is what a verification said ("": all right), None before one."""
    card = DATASETS[name]
    checked = MISSING if verdict is None else "✖ wrong" if verdict else "✔ right"
    rows = card.num_train + card.num_test
    return (name, _STATES[presence.state], _size(presence.size), f"{rows:,}", checked,
            str(len(presence.sweeps)), card.licence)  # fmt: skip


def about(name: str, presence: Presence, verdict: str | None, elsewhere: str = "") -> list[str]:
    """Everything of one set, keys by their actions.

    `elsewhere` names the machine that the engine runs on, if another.
    """
    card = DATASETS[name]
    lines = [name, *_what(card)]
    if elsewhere:
        lines += ["", f"This is about this machine; the engine reads those of {elsewhere}."]
    if presence.missing:
        lines += ["", f"○ absent: {advice(name, card, presence)}"]
        lines += ["Then: {data.verify} verifies it."]
    elif verdict:
        lines += ["", f"✖ {verdict}"]
    lines += ["", f"folder   {presence.folder or MISSING}"]
    for file in card.files:
        lines += [f"file     {file.name}", f"sha256   {file.sha256}", f"from     {file.url}"]
    lines += ["", f"sweeps   {', '.join(presence.sweeps) or MISSING}",
              f"licence  {card.licence}", f"source   {card.source}"]  # fmt: skip
    return [*lines, f"doi      {card.doi}"] if card.doi else lines


def note(all_of_them: Mapping[str, Presence]) -> str:
    """How many there are."""
    here = sum(presence.state == "here" for presence in all_of_them.values())
    return f"{len(all_of_them)} data sets, {here} here"


def _what(card: DatasetCard) -> list[str]:
    return [
        f"{card.kind}, {card.input_dim:,} columns, {card.num_classes} classes, "
        f"{card.num_train:,} rows to train on and {card.num_test:,} to test"
    ]


def _size(size: int) -> str:
    if not size:
        return MISSING
    kilobytes = size / 1024
    return f"{kilobytes:.0f} kB" if kilobytes < 1024 else f"{kilobytes / 1024:.1f} MB"
