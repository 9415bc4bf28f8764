"""Boards at other points (tau, kappa), and along one of both: columns made from a request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from augury.engine.errors import UsageError
from augury.engine.store.board import Board, Column

METRIC = "kl"
TAU, IID = 10, 0
AXES = ("tau", "kappa")


def at_points(board: Board, taus: Sequence[int], kappas: Sequence[int]) -> Board:
    """The board with columns at each (tau, kappa) first, ranked by the first. `UsageError`."""
    _check(board)
    pairs = [(tau, kappa) for tau in taus or (TAU,) for kappa in kappas or (IID,)]
    columns = _columns(board, pairs)
    known = {column.name for column in board.columns}
    added = [column for column in columns if column.name not in known]
    rank = next(column.name for column in columns if column.stat == "mean")
    return replace(board, columns=(*added, *board.columns), rank=rank)


def of_settings(board: Board, settings: str) -> Board:
    """The board with columns for the points that cells of these settings are scored at.

    It is ranked by the last of them where its own ranked column is not among them.
    """
    if '"tau"' not in settings and '"kappa"' not in settings:
        return board  # and a board with usual points loads no catalog
    from augury.engine.catalog.entry import override
    from augury.engine.catalog.scenarios import default_settings

    scored: Any = override(default_settings(board.name), json.loads(settings), board.name)
    points: list[tuple[int, int]] = list(getattr(scored, "points", ()))
    if not points:
        return board
    columns = _columns(board, points)
    known = {column.name for column in board.columns}
    added = [replace(c, wide=c.stat != "mean") for c in columns if c.name not in known]
    place = 1 + max(i for i, column in enumerate(board.columns) if column.metric == METRIC)
    means = [column for column in columns if column.stat == "mean"]
    rank = board.rank if board.rank in {c.name for c in means} else means[-1].name
    return replace(
        board, columns=(*board.columns[:place], *added, *board.columns[place:]), rank=rank
    )


def _columns(board: Board, pairs: Sequence[tuple[int, int]]) -> list[Column]:
    """A mean, a ratio and a least ESS at each point; the board's own where it has them."""
    means = {(c.tau, c.kappa): c for c in board.columns if c.metric == METRIC and c.stat == "mean"}
    ratios = {column.of: column for column in board.columns if column.stat == "ratio"}
    sizes = {(c.tau, c.kappa): c for c in board.columns if c.metric == "ess"}
    found: dict[str, Column] = {}
    for tau, kappa in pairs:
        # One input: both ways to draw it are the same.
        point = (tau, kappa if tau > 1 else IID)
        mean = means.get(point) or _mean(*point)
        size = sizes.get(point) or _size(mean)
        for column in (mean, ratios.get(mean.name) or _ratio(mean), size):
            found[column.name] = column
    return list(found.values())


def along(board: Board, axes: Sequence[str], taus: Sequence[int], kappas: Sequence[int]) -> Board:
    """A board of one number, broken out along tau or kappa; the other is fixed."""
    _check(board)
    for name, values in (("tau", taus), ("kappa", kappas)):
        if len(values) > 1 or (values and name in axes):
            raise UsageError(f"--by {axes[0]} takes one value of the other of --tau and --kappa.")
    tau = None if "tau" in axes else (taus or (TAU,))[0]
    kappa = None if "kappa" in axes else (kappas or (IID,))[0]
    place = ", ".join(f"{n}={v or 'iid'}" for n, v in (("τ", tau), ("κ", kappa)) if v is not None)
    column = Column(METRIC, f"KL {place}".strip(), METRIC, tau, kappa, better="lower", unit="nats")
    columns = (column, _ratio(column), _size(column))
    return replace(board, columns=columns, rank=METRIC, better="lower")


def _mean(tau: int, kappa: int) -> Column:
    place, title = (f"k{kappa}", f"κ={kappa}") if kappa else ("iid", "iid")
    name = f"{METRIC}_t{tau}" + (f"_{place}" if tau > 1 else "")
    title = f"KL τ={tau}" + (f" {title}" if tau > 1 else "")
    return Column(name, title, METRIC, tau, kappa, better="lower", unit="nats")


def _size(column: Column) -> Column:
    return replace(
        column, name=column.name.replace(METRIC, "ess"), title=f"least ESS{column.title[2:]}",
        metric="ess", stat="least", better="none", unit="count", wide=True,
    )  # fmt: skip


def _ratio(column: Column) -> Column:
    return replace(
        column, name=f"{column.name}_norm", title=f"{column.title} / baseline", stat="ratio",
        of=column.name, unit="ratio",
    )  # fmt: skip


def _check(board: Board) -> None:
    if not board.baseline or all(column.metric != METRIC for column in board.columns):
        raise UsageError(
            f"{board.name} has no joint predictions, which --tau, --kappa and compare need."
        )
