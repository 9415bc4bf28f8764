"""The plots of each kind of question, made from named queries of a store.

A builder takes `ask(query, **params) -> Table` and gives the chart, with the command that draws
it again. Numbers come from the store's own statements: a plot computes none.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from augury.engine.canonical import canonical
from augury.engine.charts.chart import Axis, Chart, Points, Series, smoothed
from augury.engine.charts.check_plots import checked, replicates, severities
from augury.engine.charts.transfer_plot import transfer
from augury.engine.errors import UsageError, unknown
from augury.engine.store.render import caption
from augury.engine.store.table import Table
from augury.engine.wording import count

Ask: TypeAlias = Callable[..., Table]
POINTS = ("tau", "kappa")  # of joint predictions; other axes are columns of problems
HISTOGRAM = "histogram/"  # curves of a cell that are counts of its replicates
SMOOTH = 0.6  # of an estimate by step: over few points, so that it follows a new stage
_UNITS = {"kl": "nats", "mi": "bits"}


def cell(ask: Ask, cell: str, curve: str = "") -> Chart:
    """One curve of one cell by step: its loss, or another that it has.

    A cell that failed has what its batch had told when it did.
    """
    about = next(ask("cell", cell=cell).dicts())
    found = _curves(ask, about["cell_id"])
    plain = [name for name in found if not name.startswith(HISTOGRAM)]
    if curve and curve not in plain:
        raise unknown("curve of this cell", curve, plain)
    name = curve or ("loss" if "loss" in plain or not plain else plain[0])
    series = (Series(_who(about), found[name]),) if name in found else ()
    nothing = "no curve: nothing was trained, or not yet"
    if about["error_kind"]:
        told = f"{about['error_kind']}: {about['error_message']}"
        nothing = f"✖ {told} (no curve: it failed before it told a loss)"
    return Chart(
        "", series, Axis("step"), Axis(name, _UNITS.get(name, ""), log=name == "loss"), (),
        _command("cell", about["cell_id"][:12], **({"curve": name} if name != "loss" else {})),
        nothing,
    )  # fmt: skip


def along(
    ask: Ask,
    scenario: str,
    by: str,
    subjects: Sequence[str] = (),
    column: str = "",
    over: str = "",
    **place: Any,
) -> Chart:
    """A column of the board along tau, kappa or a column of problems, with standard errors.

    One curve for each row; with `over`, one for each row and value of a second column.
    """
    axes = [by, *([over] if over else [])]
    table = ask("board", scenario=scenario, by=axes, intervals=False, **place)
    titles: Mapping[str, Any] = table.meta["titles"]
    name = column or str(table.meta["rank"])
    if name not in titles:
        raise unknown("column of this board", name, titles)
    subject = str(table.meta["subject"])
    rows = [row for row in table.dicts() if row[name] is not None and row[by] is not None]
    for word in subjects:
        if rows and word not in {row[subject] for row in rows}:
            raise unknown(subject, word, sorted({row[subject] for row in rows}))
    rows = [row for row in rows if not subjects or row[subject] in subjects]
    places, names = _places({row[by] for row in rows}, by)
    groups: dict[str, list[tuple[float, float, float | None]]] = {}
    for row in rows:
        label = row[subject] + (f", {over} {_short(row[over])}" if over else "")
        error = row.get(str(titles[name].get("stderr")))
        groups.setdefault(label, []).append((places[row[by]], row[name], error))
    series = [_with_errors(label, points) for label, points in groups.items()]
    if subjects:
        series.sort(key=lambda s: [s.name.startswith(word) for word in subjects], reverse=True)
    else:  # the best first, for only some of many are drawn
        sign = -1 if table.meta.get("better") == "higher" else 1
        series.sort(key=lambda s: sign * sum(y for _, y in s.points) / len(s.points))
    log = not names and len(places) > 2 and min(places.values()) > 0
    return Chart(
        caption(table), tuple(series), Axis(by, log=log, names=names),
        Axis(str(titles[name]["title"]), str(titles[name].get("unit") or "")), (),
        _command("along", scenario, by=by, agent=",".join(subjects), column=column, over=over,
                 **_place_words(place)),
        f"no number along {by}",
    )  # fmt: skip


def curves(
    ask: Ask,
    scenario: str,
    subjects: Sequence[str] = (),
    problem: str = "",
    curve: str = "loss",
    **place: Any,
) -> Chart:
    """Mean curves of rows of the board by step, over all of their cells or those of a problem.

    Bands are one standard error over cells.
    """
    given = {**place, "problem": problem} if problem else place
    table = ask("mean_curves", scenario=scenario, labels=list(subjects), name=curve, **given)
    groups: dict[str, list[tuple[float, float, float | None]]] = {}
    most: dict[str, int] = {}
    for row in table.dicts():
        point = (float(row["step"]), row["value"], row["stderr"])
        groups.setdefault(row["label"], []).append(point)
        most[row["label"]] = max(most.get(row["label"], 0), row["cells"])
    series = [_with_errors(f"{name} ({count(most[name], 'cell')})", points)
              for name, points in groups.items()]  # fmt: skip
    series.sort(key=lambda s: [s.name.startswith(f"{word} (") for word in subjects], reverse=True)
    return Chart(
        f"{problem or caption(table)}: mean over cells ± SE", tuple(series), Axis("step"),
        Axis(curve, _UNITS.get(curve, ""), log=curve == "loss"), (),
        _command("curves", scenario, agent=",".join(subjects), problem=problem,
                 curve=curve if curve != "loss" else "", **_place_words(place)),
        "no curve: nothing was trained, or not yet",
    )  # fmt: skip


def steps(ask: Ask, cell: str) -> Chart:
    """A mutual information estimate at every step, beside the true value of each stage."""
    from augury.engine.catalog.problems import parse
    from augury.engine.catalog.problems.mi import PairProblem

    about = next(ask("cell", cell=cell).dicts())
    problem = parse(about["problem"])
    if not isinstance(problem, PairProblem):
        raise UsageError(f"{about['problem']} has no true value of mutual information.")
    found = _curves(ask, about["cell_id"]).get("mi", ())
    true: list[tuple[float, float]] = []
    if found and problem.shared_bits:
        length = found[-1][0] / len(problem.shared_bits)
        for stage, bits in enumerate(problem.shared_bits):
            true += [(stage * length, bits), ((stage + 1) * length, bits)]
    smooth = Series("smoothed", smoothed(found, SMOOTH))
    truth = (Series("true", tuple(true)),) if true else ()
    series = (Series("estimate", found), *truth, smooth) if found else ()
    return Chart(
        _who(about), series, Axis("step"), Axis("mutual information", "bits"), (),
        _command("steps", about["cell_id"][:12]),
        "no estimate by step is stored: the cell has not finished, or trains nothing",
    )  # fmt: skip


def stepped(
    ask: Ask, scenario: str, label: str, domain: str = "", place: int = 0, **where: Any
) -> Chart:
    """`steps` of one of the cells behind a row of the board: the one at `place`, in a circle.

    With a `domain`, of its problems alone.
    """
    from augury.engine.catalog.problems import parse

    cells = [
        row
        for row in ask("row", scenario=scenario, label=label, **where).dicts()
        if not domain or parse(row["problem"]).columns().get("domain") == domain
    ]
    if not cells:
        return Chart(nothing="no cell of this row is here")
    chosen = cells[place % len(cells)]
    about = f"{label}  {chosen['problem']}  seed {chosen['seed']}"
    chart = Chart(about, nothing=f"{chosen['problem']}: no estimate yet")
    if chosen["status"] == "done":
        chart = steps(ask, chosen["cell_id"])
    elif chosen["status"] == "failed":
        told = f"✖ {chosen['error_kind']}: {chosen['error_message']}"
        chart = Chart(about, nothing=f"{chosen['problem']}: {told}")
    counted = f"{place % len(cells) + 1} of {len(cells)}: " if len(cells) > 1 else ""
    return replace(chart, title=counted + chart.title)


def _curves(ask: Ask, cell_id: str) -> dict[str, Points]:
    found: dict[str, list[tuple[float, float]]] = {}
    for row in ask("curves", cell=cell_id).dicts():
        if row["value"] is not None:
            found.setdefault(row["name"], []).append((float(row["step"]), row["value"]))
    return {name: tuple(points) for name, points in found.items()}


def _who(about: Mapping[str, Any]) -> str:
    return f"{about['label']}  {about['problem']}  seed {about['seed']}"


def _with_errors(name: str, rows: Sequence[tuple[float, float, float | None]]) -> Series:
    rows = sorted(rows)
    points = tuple((x, y) for x, y, _ in rows)
    if all(error is None for _, _, error in rows):
        return Series(name, points)
    low = tuple(y - (error or 0.0) for _, y, error in rows)
    return Series(name, points, low, tuple(y + (error or 0.0) for _, y, error in rows))


def _places(values: set[Any], by: str) -> tuple[dict[Any, float], tuple[tuple[float, str], ...]]:
    """Where each value lies on the axis, and the names of places that are no numbers there."""
    numbers = all(isinstance(v, (int, float)) for v in values)
    if numbers and not (by == "kappa" and 0 in values):
        return {v: float(v) for v in values}, ()
    # Independent inputs are the limit of many distinct ones.
    order = sorted(values, key=lambda v: (by == "kappa" and not v, v if numbers else str(v)))
    names = ["iid" if by == "kappa" and not v else _short(v) for v in order]
    return (
        {v: float(n) for n, v in enumerate(order)},
        tuple((float(n), name) for n, name in enumerate(names)),
    )


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _command(kind: str, about: str, **options: Any) -> str:
    words = ["augury", "plot", kind, about]
    for name, value in options.items():
        if value not in (None, "", (), [], {}):
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join(words)


def _place_words(place: Mapping[str, Any]) -> dict[str, Any]:
    words = {name: value for name, value in place.items() if value not in (None, "")}
    settings = words.get("settings")
    if settings is not None and not isinstance(settings, str):
        words["settings"] = canonical(settings)
    for name in POINTS:
        if isinstance(words.get(name), (list, tuple)):
            words[name] = ",".join(map(str, words[name]))
    return words


PLOTS: Mapping[str, Callable[..., Chart]] = {
    "cell": cell, "along": along, "curves": curves, "replicates": replicates,
    "severities": severities, "checked": checked, "steps": steps, "stepped": stepped,
    "transfer": transfer,
}  # fmt: skip
