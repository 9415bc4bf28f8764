"""`augury mi`: mutual information of a person's own rows."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from augury.engine.cli import names
from augury.engine.cli.command import Command
from augury.engine.cli.failure import need_stdout, say
from augury.engine.cli.mi_output import FORMATS, written
from augury.engine.cli.options import chosen_format, formats_of, refuse_far, words
from augury.engine.errors import UsageError, unknown
from augury.engine.wording import count

if TYPE_CHECKING:
    from augury.engine.pairs.estimate import Estimate
    from augury.engine.pairs.read import Given
    from augury.engine.pairs.report import Report
    from augury.engine.pairs.sides import Side


@click.command(
    cls=Command,
    examples=(
        "augury mi --x x.npy --y y.npy",
        "augury mi --x table.csv --x-columns age,height --y table.csv --y-columns weight",
        "augury mi --x x.npy --y labels.npy --estimator ksg,infonce --format json",
    ),
)
@click.option("--x", required=True, metavar="FILE",
              help="Rows [rows] or [rows, columns]: .npy, .npz, .csv or .parquet.")  # fmt: skip
@click.option("--y", required=True, metavar="FILE", help="As many rows, in the same order.")
@click.option("--x-columns", metavar="A,B", multiple=True, help="Of a .csv or .parquet file.")
@click.option("--y-columns", metavar="A,B", multiple=True, help="Of a .csv or .parquet file.")
@click.option("--estimator", "estimators", multiple=True, metavar="A,B",
              shell_complete=names.own_estimators,
              help="Default: what fits the columns, and three with a critic.")  # fmt: skip
@click.option("--checks/--no-checks", default=True,
              help="Whether each keeps three rules; half of the work.")  # fmt: skip
@click.option("--steps", type=click.IntRange(8, 1_000_000), default=2_000, metavar="N",
              show_default=True, help="Of each training of a critic.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@formats_of(FORMATS)
def mi(output: str | None, fmt: str | None, **given: Any) -> None:
    """Estimate how much your own x and y tell of each other, in bits.

    A column of few values that come again is taken for labels, others for numbers, of which only
    the order counts. Each estimator has a 95 % interval and three checks: y shuffled must leave
    nothing, y made noisier no more, two rows taken as one twice as much.
    """
    refuse_far("reads files of this machine and asks no store: leave --ssh out, or there:")
    if output is None:
        need_stdout()
    else:
        from augury.engine.service.destination import keep_apart

        keep_apart({"-o": output}, {"--x": given["x"], "--y": given["y"]})
    fmt = chosen_format(fmt, output, FORMATS)
    reports, about = _reports(given)
    text = written(reports, about, fmt)
    if output is not None:
        from augury.engine.service.destination import deliver

        say(f"wrote {deliver(text.encode(), output)}")
    else:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()


def _reports(given: dict[str, Any]) -> tuple[list[Report], list[str]]:
    from augury.engine.pairs.checks import RULES, checked, pairs_of
    from augury.engine.pairs.draws import draws
    from augury.engine.pairs.launch import MOST_TRAINED
    from augury.engine.pairs.read import read
    from augury.engine.pairs.report import Report

    asked = _known(words("--estimator", given["estimators"]))
    rows = read(given["x"], given["y"], words("--x-columns", given["x_columns"]),
                words("--y-columns", given["y_columns"]))  # fmt: skip
    order = draws("rows", given["seed"]).permutation(rows.x.num_rows)
    x, y = rows.x.take(order), rows.y.take(order)
    chosen = _chosen(asked, x, y)
    pairs = {"given": (x, y)}
    if given["checks"]:
        some = order[:MOST_TRAINED]
        few = rows.x.take(some), rows.y.take(some)
        pairs |= {rule: pairs_of(rule, *few, given["seed"]) for rule in RULES}
    found = _found(chosen, pairs, given["seed"], given["steps"])
    reports = []
    for name in chosen:
        value = found["given"][name]
        kept = {rule: checked(rule, value, found[rule][name]) for rule in RULES if rule in found}
        holding = {rule: check for rule, check in kept.items() if check is not None}
        reports.append(Report(name, value, holding, given["seed"]))
    return reports, _about(rows, given)


def _known(asked: tuple[str, ...]) -> tuple[str, ...]:
    from augury.engine.pairs.estimate import SAMPLED
    from augury.engine.pairs.launch import TRAINABLE

    every = (*SAMPLED, *TRAINABLE)
    for name in asked:
        if name not in every:
            raise unknown("estimator for rows of your own", name, every)
    return tuple(dict.fromkeys(asked))


def _chosen(asked: tuple[str, ...], x: Side, y: Side) -> tuple[str, ...]:
    """Those asked for; else what fits the columns. Raises `UsageError` for too few rows."""
    from augury.engine.pairs.estimate import SAMPLED, fitting
    from augury.engine.pairs.launch import LEAST_ROWS, USUAL

    enough = x.num_rows >= LEAST_ROWS
    if not asked:
        if not enough:
            say(f"{x.num_rows} rows are too few for a critic, which needs {LEAST_ROWS}: left out.")
        return (*fitting(x, y), *(USUAL if enough else ()))
    trained = [name for name in asked if name not in SAMPLED]
    if trained and not enough:
        raise UsageError(
            f"{trained[0]} trains a critic, which needs {LEAST_ROWS} rows; there are {x.num_rows}."
        )
    return asked


def _found(
    chosen: tuple[str, ...], pairs: dict[str, tuple[Side, Side]], seed: int, steps: int
) -> dict[str, dict[str, Estimate]]:
    from augury.engine.pairs.draws import draws
    from augury.engine.pairs.estimate import SAMPLED, estimate
    from augury.engine.pairs.launch import trained

    found: dict[str, dict[str, Estimate]] = {
        kind: {
            name: estimate(name, *both, draws(f"{name}/{kind}", seed))
            for name in chosen
            if name in SAMPLED
        }
        for kind, both in pairs.items()
    }
    neural = [name for name in chosen if name not in SAMPLED]
    if neural:
        say(f"training critics for {count(len(neural), 'estimator')} ...")
        for kind, values in trained(neural, pairs, seed, steps).items():
            found[kind] |= values
    return found


def _about(rows: Given, given: dict[str, Any]) -> list[str]:
    sides = [f"{name} {', '.join(_columns(side))}" for name, side in (("x", rows.x), ("y", rows.y))]
    lines = [f"{rows.x.num_rows:,} rows; {'; '.join(sides)}; seed {given['seed']}"]
    if rows.left_out:
        lines.append(f"left out, the same in every row: {', '.join(rows.left_out[:8])}"
                     + (" ..." if len(rows.left_out) > 8 else ""))  # fmt: skip
    return lines


def _columns(side: Side) -> list[str]:
    kinds = ("numbers", side.numbers.shape[1]), ("labels", side.labels.shape[1])
    return [f"{count(number, 'column')} of {kind}" for kind, number in kinds if number]
