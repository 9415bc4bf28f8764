"""`augury ppc`: posterior predictive checks of a person's own predictions."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from augury.engine.catalog.statistics import STATISTICS
from augury.engine.cli import names
from augury.engine.cli.command import Command
from augury.engine.cli.counting import counting
from augury.engine.cli.failure import need_stdout, say
from augury.engine.cli.options import chosen_format, formats_of, refuse_far, words
from augury.engine.cli.ppc_output import FORMATS, charted, written
from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from augury.engine.statistics.report import Report

_FEW = 20  # replicates; their 5 % and 95 % quantiles are the ends
_USUAL = {True: ("accuracy", "ece"), False: ("calibration", "picp90")}  # of labels, of numbers
_CHARTS = 6  # histograms that a person need not ask for
_CHART_HEIGHT = 9


@click.command(
    cls=Command,
    examples=(
        "augury ppc --predictions probs.npz --labels y.npy --statistic accuracy,ece",
        "augury ppc --predictions probs.npz --labels y.npy --statistic ece --set ece.bins=10",
        "augury ppc --predictions mean_scale.npz --labels y.npy --statistic all --format csv",
    ),
)
@click.option("--predictions", required=True, metavar="FILE",
              help="probs [members, rows, classes], or mean and scale [members, rows]")  # fmt: skip
@click.option("--labels", required=True, metavar="FILE",
              help="Class labels from 0 on, or numbers, one a row; .npy or .npz.")  # fmt: skip
@click.option("--statistic", "statistics", multiple=True, metavar="A,B",
              shell_complete=names.statistics,
              help="all, or of: augury list statistics. Default: two that are usual.")  # fmt: skip
@click.option("--mode", type=click.Choice(("bayesian", "independent", "both")), default="both",
              show_default=True, help="One member for all rows, or one for each.")  # fmt: skip
@click.option("--replicates", type=click.IntRange(2, 10_000_000), default=1_000, metavar="S",
              show_default=True, help="Compare verdicts at equal S only.")  # fmt: skip
@click.option("--set", "options", multiple=True, metavar="STATISTIC.OPTION=VALUE",
              help="Such as ece.bins=10; repeatable.")  # fmt: skip
@click.option(
    "--covariate", metavar="FILE", help="A number of each row, for covariate, group_bias."
)
@click.option("--stratified", is_flag=True, help="Bayesian: every member as often as its weight.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@formats_of(FORMATS)
@click.option("--plot/--no-plot", default=None, 
              help="Histograms below a table; default: if there are few.")  # fmt: skip
@click.option("--chart", metavar="FILE", help="Both modes of one statistic: .svg, .png or .csv.")
@click.option("--ascii", is_flag=True, help="Histograms without braille dots.")
def ppc(output: str | None, fmt: str | None, plot: bool | None, chart: str | None, ascii: bool,
        **given: Any) -> None:  # fmt: skip
    """Ask whether your own predictions expect the error they make.

    For each statistic: its value on the labels, and where that lies among replicates whose labels
    are drawn from the predictions, from one member for all rows (bayesian) or one for each row
    (independent). An array `weights` [members] in the predictions' file weighs the members.
    """
    refuse_far("reads files of this machine and asks no store: leave --ssh out, or there:")
    if output is None:
        need_stdout()
    _keep_apart(output, chart, given)
    fmt = chosen_format(fmt, output, FORMATS)
    if given["stratified"] and given["mode"] == "independent":
        raise UsageError("--stratified is of bayesian mode; --mode independent has no strata.")
    if given["replicates"] < _FEW:
        say(f"with fewer than {_FEW} replicates the 5 % and 95 % quantiles mean little.")
    reports = _checked(given)
    drawn = charted(reports, chart) if chart is not None else None
    text = written(reports, fmt)
    if output is not None:
        _write(text.encode(), output)
    else:
        _print(text)
    if chart is not None and drawn is not None:
        _write(drawn, chart)
    if fmt == "table" and output is None:
        _draw(reports, plot, ascii)


def _keep_apart(output: str | None, chart: str | None, given: dict[str, Any]) -> None:
    from augury.engine.service.destination import keep_apart

    inputs = {f"--{name}": given[name] for name in ("predictions", "labels", "covariate")}
    keep_apart({"-o": output, "--chart": chart}, inputs)


def _checked(given: dict[str, Any]) -> list[Report]:
    import numpy as np

    from augury.engine.statistics.binding import bind, checked_options
    from augury.engine.statistics.check import check
    from augury.engine.statistics.given import (
        check_replicates,
        checked_labels,
        read_column,
        read_predictions,
    )
    from augury.engine.statistics.predictive import MODES
    from augury.engine.statistics.report import Report

    chosen, options = words("--statistic", given["statistics"]), _options(given["options"])
    predictive = read_predictions(given["predictions"])
    observed = checked_labels(predictive, read_column(given["labels"], "labels"), given["labels"])
    covariate = None
    if given["covariate"] is not None:
        covariate = _covariate(given["covariate"], predictive.num_rows)
    fitting = _fitting(chosen, hasattr(predictive, "probs"), covariate is not None)
    readers = [name for name, card in STATISTICS.items() if card.needs == "covariate"]
    if covariate is not None and not set(fitting) & set(readers):
        raise UsageError(f"--covariate is read by {', '.join(readers)} only: add --statistic.")
    statistics = bind(fitting, predictive, options, covariate)
    modes = MODES if given["mode"] == "both" else (given["mode"],)
    check_replicates(given["replicates"], len(fitting) * len(modes))
    with np.errstate(all="ignore"):  # numbers that overflow: the check says that it is not finite
        found = {}
        for mode in modes:
            with counting(f"{mode}: replicate", given["replicates"]) as told:
                found[mode] = check(
                    predictive, observed, statistics, mode, given["replicates"],
                    _stream(f"members/{mode}", given["seed"]), _stream("noise", given["seed"]),
                    given["stratified"], told,
                )  # fmt: skip
    return [
        Report(name, checked_options(name, options.get(name, {})), found[mode][name],
               predictive.num_rows, given["seed"])
        for name in fitting
        for mode in modes
    ]  # fmt: skip


def _fitting(chosen: tuple[str, ...], labels: bool, covariate: bool) -> list[str]:
    """The statistics asked for; of `all`, those that these predictions have."""
    if not chosen:
        return list(_USUAL[labels])
    if chosen != ("all",):
        if "all" in chosen:
            raise UsageError("--statistic all names every statistic: give it alone.")
        return list(chosen)
    return [
        name
        for name, card in STATISTICS.items()
        if card.needs == "belief"
        or ((card.needs == "probs") == labels and (covariate or card.needs != "covariate"))
    ]


def _options(given: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for word in given:
        place, equals, text = word.partition("=")
        name, dot, option = place.strip().partition(".")
        if not (equals and dot and name and option):
            raise UsageError(f"--set takes STATISTIC.OPTION=VALUE, got {word!r}.")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = text
        if option in found.setdefault(name, {}):
            raise UsageError(f"--set gives {name}.{option} twice.")
        found[name][option] = value
    return found


def _covariate(path: str, rows: int) -> Any:
    from augury.engine.statistics.given import read_column
    from augury.engine.statistics.predictive import checked_rows

    found = read_column(path, "covariate")
    try:
        return checked_rows(found, rows, "covariate value")
    except UsageError as error:
        raise UsageError(f"{path}: {error.message}") from None


def _stream(name: str, seed: int) -> Any:
    from zlib import crc32

    import numpy as np

    return np.random.default_rng([crc32(f"ppc/given/{name}".encode()), seed])


def _draw(reports: list[Report], wanted: bool | None, ascii: bool) -> None:
    from augury.engine.charts.replicates import replicates
    from augury.engine.cli.plot import show

    shown = [report for report in reports if not report.check.reason]
    if wanted is None and len(shown) > _CHARTS:
        say(f"{len(shown)} histograms are not drawn; --plot draws them.")
    elif wanted is not False:
        for report in shown:
            click.echo()
            show(
                replicates(report.name, report.unit, [report.check]),
                ascii=ascii,
                height=_CHART_HEIGHT,
            )


def _write(content: bytes, place: str) -> None:
    from augury.engine.service.destination import deliver

    say(f"wrote {deliver(content, place)}")


def _print(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()
