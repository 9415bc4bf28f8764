"""Data sets as the Data tab shows them: lines and the words about one. No widgets."""

from __future__ import annotations

from collections.abc import Mapping

from augury.engine.catalog.datasets import DATASETS, DatasetCard
from augury.engine.datasets.fetch import Step
from augury.engine.datasets.presence import Presence, advice, amount, look
from augury.engine.wording import size
from augury.tui.formatting import MISSING

COLUMNS = ("data set", "state", "size", "checksum", "licence", "sweeps", "rows")
UNASKED = 50_000_000  # bytes that a key may fetch at once
_STATES = {"here": "✔ here", "absent": "○ absent", "part": "◌ part", "damaged": "✖ damaged"}


def found() -> dict[str, Presence]:
    """All sets, as they are on this machine now."""
    return {name: look(name, card) for name, card in DATASETS.items()}


def line(
    name: str, presence: Presence, verdict: str | None, step: Step | None = None
) -> tuple[str, ...]:
    """One set; `verdict` is what a verification said ("": all right), None before one.

    With a `step` it is being fetched.
    """
    card = DATASETS[name]
    checked = MISSING if verdict is None else "✖ wrong" if verdict else "✔ right"
    rows = card.num_train + card.num_test
    return (name, _state(presence, step), amount(presence), checked, card.licence,
            str(len(presence.sweeps)), f"{rows:,}")  # fmt: skip


def about(
    name: str,
    presence: Presence,
    verdict: str | None,
    step: Step | None = None,
    elsewhere: str = "",
) -> list[str]:
    """Everything of one set, keys by their actions.

    `verdict` is that of `line`, or why a fetch brought nothing. `elsewhere` names the
    machine that the engine runs on, if another.
    """
    card = DATASETS[name]
    lines = [name, *_what(card)]
    if elsewhere:
        lines += ["", f"This is about this machine; the engine reads those of {elsewhere}."]
    if step is not None:
        lines += ["", _progress(step)]
    elif verdict:
        lines += ["", f"✖ {verdict}"]
    if presence.missing and step is None:
        lines += ["", f"{_state(presence, None)}: {{data.fetch}} fetches "
                  f"{size(presence.total)} into the cache. Or by hand: "
                  f"{advice(name, card, presence)}. Then {{data.verify}} verifies it."]  # fmt: skip
    lines += ["", f"folder   {presence.folder}"]
    for file in (*card.files, *([card.archive] if card.archive else [])):
        inside = f"in {card.archive.name}" if card.archive and file.member else ""
        lines += [f"file     {file.name} {inside}".rstrip()]
        lines += [f"sha256   {file.sha256}"] if file.sha256 else []
        lines += [f"from     {url}" for url in file.urls]
    lines += ["", f"sweeps   {', '.join(presence.sweeps) or MISSING}",
              f"licence  {card.licence}", f"source   {card.source}"]  # fmt: skip
    return [*lines, f"doi      {card.doi}"] if card.doi else lines


def much(presence: Presence) -> str:
    """How much a fetch brings, where that is enough to be asked about; else ""."""
    lacks = presence.total - presence.size
    return size(lacks) if lacks > UNASKED else ""


def notice(name: str, said: str) -> str:
    """One sentence about a set, which says its name once."""
    named = said if name in said else f"{name}: {said}"
    return f"{named.rstrip('.')}."


def note(all_of_them: Mapping[str, Presence]) -> str:
    """How many there are."""
    here = sum(presence.state == "here" for presence in all_of_them.values())
    return f"{len(all_of_them)} data sets, {here} here"


def _what(card: DatasetCard) -> list[str]:
    told = [
        f"{card.kind}, {card.input_dim:,} columns, {card.num_classes} classes, "
        f"{card.num_train:,} rows to train on and {card.num_test:,} to test"
    ]
    return [*told, card.note] if card.note else told


def _state(presence: Presence, step: Step | None) -> str:
    if step is None:
        return _STATES[presence.state]
    return f"▼ {100 * step.done // step.total}%" if step.total else "▼ waits"


def _progress(step: Step) -> str:
    if step.is_waiting:
        return "▼ Another process is fetching it; waiting. {data.stop} stops."
    if not step.total:
        return "▼ Fetching. {data.stop} stops."
    done = f"{size(step.done)} of {size(step.total)}"
    return f"▼ {step.file}: {done}. {{data.stop}} stops; {{data.fetch}} goes on later."
