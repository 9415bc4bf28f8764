"""Plots of posterior predictive checks from a store: replicates about what was observed."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from augury.engine.catalog.statistics import STATISTICS
from augury.engine.charts.chart import Axis, Chart, Mark, Series
from augury.engine.errors import unknown
from augury.engine.store.table import Table

Ask: TypeAlias = Callable[..., Table]
NOTHING = "no replicates are kept: this cell is no check, or older than they are"
_DEFAULT = "calibration"  # the statistic of a split that names none


def replicates(ask: Ask, cell: str, mode: str = "") -> Chart:
    """How a statistic's replicates lie about the value that was observed, and what that comes to.

    `mode` is a split of the cell: `bayesian`, or `bayesian/accuracy/none`. Without one, both modes
    of a cell's only statistic on the same axes, or a small multiple of every split.
    """
    found = _read(ask, cell, mode)
    splits = [row["split"] for row in found]
    command = _command("replicates", found[0]["cell_id"] if found else cell, mode)
    if len(found) > 1 and any("/" in split for split in splits):
        panels = tuple(_panel(row, row["split"].replace("/", " "), "") for row in found)
        return Chart(_who(found[0]), panels=panels, command=command, note=_sizes(found[0]))
    marks = {row["observed"]: Mark(row["observed"], "observed")
             for row in found if row["observed"] is not None}  # fmt: skip
    series = tuple(_bars(row) for row in found if row["counts"])
    axis = _axis(splits[0]) if splits else Axis("statistic")
    note = verdict(found[0]) if len(found) == 1 else " | ".join(
        f"{row['split']} {_brief(row)}" for row in found)  # fmt: skip
    return Chart(
        _who(found[0]) if found else "", series, axis, Axis("replicates"),
        tuple(marks.values()), command, (found[0]["reason"] if found else "") or NOTHING, note,
    )  # fmt: skip


def severities(ask: Ask, cell: str, mode: str = "") -> Chart:
    """The check of a cell beside those of its problem's other severities: small multiples.

    Without a `mode`, of the cell's first split.
    """
    found = _read(ask, cell, mode, severities=True)
    found = [row for row in found if row["split"] == found[0]["split"]]
    if not found:
        return Chart(command=_command("severities", cell, mode), nothing=NOTHING)
    here = next(row for row in found if row["cell_id"].startswith(cell))
    command = _command("severities", here["cell_id"], mode)
    if here["severity"] is None:
        return replace(replicates(ask, here["cell_id"], here["split"]), command=command)
    panels = tuple(
        _panel(row, f"s{row['severity']} {_brief(row)}", ">" if row is here else " ")
        for row in found
    )
    passed = sum(bool(row["passes"]) for row in found)
    note = f"{here['split'].replace('/', ' ')}: {passed} of {len(found)} severities pass"
    return Chart(
        _who(here), panels=panels, command=command, nothing=NOTHING,
        note=f"{note}   {_sizes(here)}",
    )  # fmt: skip


def checked(
    ask: Ask, scenario: str, label: str, mode: str = "", place: int = 0, **where: Any
) -> Chart:
    """`severities` of one of the cells behind a row of the board: the one at `place`, in a circle.

    Where its problem has no severities they are the replicates of that cell.
    """
    cells = list(ask("row", scenario=scenario, label=label, limit=1, **where).dicts())
    total = cells[0]["total"] if cells else 0
    if total and place % total:
        at = place % total
        cells = list(
            ask("row", scenario=scenario, label=label, limit=1, offset=at, **where).dicts()
        )
    if not cells:
        return Chart(nothing=NOTHING)
    if cells[0]["status"] != "done":
        said = "no check yet"
        if cells[0]["status"] == "failed":
            said = f"✖ {cells[0]['error_kind']}: {cells[0]['error_message']}"
        return Chart(_title(cells[0], label), nothing=f"{cells[0]['problem']}: {said}")
    chart = severities(ask, cells[0]["cell_id"], mode)
    counted = f"{place % total + 1} of {total}: " if total > 1 else ""
    return replace(chart, title=counted + (chart.title or _title(cells[0], label)))


def verdict(row: Mapping[str, Any]) -> str:
    """Whether a check passes, on which side it fails, and what that rests on."""
    if row["p_value"] is None:
        return row["reason"]
    p, error = row["p_value"], row["p_value_stderr"]
    if row["passes"]:
        said = f"pass: p {_share(p, 3)}" + (f" ± {error:.2g}" if error is not None else "")
    elif p == 0:
        said = "FAIL: p 0, no replicate is below observed"
    else:
        said = "FAIL: p 1, observed is above every replicate"
    sharpness = row["sharpness"]
    said += f"   sharpness {sharpness:.3g}" if sharpness is not None else ""
    return f"{said}   {_sizes(row)}"


def _brief(row: Mapping[str, Any]) -> str:
    if row["p_value"] is None:
        return "no check"
    return f"{'pass' if row['passes'] else 'FAIL'} p {_share(row['p_value'], 2)}"


def _share(p: float, digits: int) -> str:
    """So many digits, and more where p would look like 1, which fails, and is not."""
    said = f"{p:.{digits}g}"
    return said if said != "1" or p >= 1.0 else _share(p, digits + 1)


def _sizes(row: Mapping[str, Any]) -> str:
    """S and M: how many right models fail depends on both."""
    members = row["num_members"]
    said = f"S {row['num_replicates']:,}" if row["num_replicates"] else ""
    return said + (f", M {members:,.0f}" if members else "")


def _panel(row: Mapping[str, Any], title: str, mark: str) -> Chart:
    observed = row["observed"]
    return Chart(
        mark + title, (_bars(row),) if row["counts"] else (), _axis(row["split"]),
        Axis("replicates"), (Mark(observed, "observed"),) if observed is not None else (),
        nothing=row["reason"] or "no replicates",
    )  # fmt: skip


def _bars(row: Mapping[str, Any]) -> Series:
    edges: Sequence[float] = row["edges"]
    middles = [(a + b) / 2 for a, b in zip(edges, edges[1:], strict=False)]
    points = tuple(zip(middles, row["counts"], strict=True))
    return Series(row["split"].replace("/", " "), points, kind="bars")


def _axis(split: str) -> Axis:
    name = (split.split("/") + [""])[1] or _DEFAULT
    card = STATISTICS.get(name)
    return Axis(name, card.unit if card is not None else "")


def _read(ask: Ask, cell: str, mode: str, **more: Any) -> list[dict[str, Any]]:
    found = list(ask("checks", cell=cell, split=mode, **more).dicts())
    if mode and not found:
        splits = ask("checks", cell=cell).column("split")
        if splits:
            raise unknown("mode with replicates in this cell", mode, splits)
    return found


def _who(row: Mapping[str, Any]) -> str:
    return _title(row, row["label"])


def _title(row: Mapping[str, Any], label: str) -> str:
    """The problem first: labels with a config may be long."""
    return f"{row['problem'].partition('/')[2]}  {label}  seed {row['seed']}"


def _command(kind: str, cell: str, mode: str) -> str:
    words = ["augury", "plot", kind, cell[:12]]
    return shlex.join([*words, "--mode", mode] if mode else words)
