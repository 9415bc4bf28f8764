"""`augury compare` and `augury claims`: subjects side by side, on the problems both have."""

from __future__ import annotations

from typing import Any

import click

from augury.engine.catalog.settings import SCALES
from augury.engine.catalog.tuning import CONFIGS
from augury.engine.cli import names
from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.options import (
    chosen_format,
    existing_store,
    format_options,
    is_there,
    labels,
    points,
    settings_object,
    store_option,
)
from augury.engine.cli.which_board import place, say_which
from augury.engine.errors import UsageError


def place_options(command: Any) -> Any:
    """Options that choose a context."""
    for option in (
        click.option("--run", metavar="RUN", help="Only this run's cells."),
        click.option("--settings", metavar="JSON", help="Those that differ from full scale."),
        click.option("--scale", type=click.Choice(SCALES), help="smoke, quick or full."),
        click.option(
            "--sweep", metavar="SWEEP", help="Default: the newest run's, as the next two."
        ),
    ):
        command = option(command)
    return command


@click.command(
    cls=Command,
    examples=(
        "augury compare testbed --agent mlp,ensemble,ensemble+",
        "augury compare testbed --agent ensemble+,ensemble --filter input_dim=100",
        "augury compare testbed --tau 1 --format csv",
        "augury compare testbed --agent mlp,ensemble --by setting",
    ),
)
@click.argument("what", shell_complete=names.boards)
@click.option("--agent", "subjects", multiple=True, metavar="A,B",
              help="Rows of the board, in this order; default: all.")  # fmt: skip
@click.option("--tau", type=click.IntRange(1), help="Of testbed and real; default: 10.")
@click.option("--kappa", metavar="iid|2|...",
              help="Inputs that the labels repeat; iid: none repeats; default: 2.")  # fmt: skip
@click.option("--by", type=click.Choice(("setting", "problem")),
              help="Differences of two to four rows, for each of these.")  # fmt: skip
@click.option("--column", metavar="COL", help="With --by: the number to compare.")
@click.option("--filter", "filters", multiple=True, metavar="TERMS",
              help="Only these problems: input_dim=100, temperature<0.5, ...")  # fmt: skip
@click.option("--config", type=click.Choice(CONFIGS), default="all", help="As of leaderboard.")
@place_options
@format_options
@store_option
def compare(what: str, fmt: str | None, output: str | None, **given: Any) -> None:
    """Print the ratio of KLs of every two agents of WHAT, a scenario or a sweep.

    Both are averaged over the problems and seeds that both have. Intervals are 95 %; environments
    are drawn anew within each setting, for both together. Two tie if the interval contains 1 after
    Holm's correction for the number of pairs.
    """
    scenario, given["sweep"] = place(what, given["sweep"])
    kappas = points("--kappa", (given["kappa"],)) if given["kappa"] is not None else (None,)
    if len(kappas) != 1:
        raise UsageError(f"--kappa takes one value here, got {given['kappa']!r}.")
    if given["column"] and not given["by"]:
        raise UsageError("--column goes with --by setting or --by problem.")
    subjects = list(labels("--agent", given["subjects"]))
    params = {**_place(given), "subjects": subjects, "tau": given["tau"], "kappa": kappas[0],
              "filter": " ".join(given["filters"])}  # fmt: skip
    if given["by"]:
        params |= {"by": given["by"], "column": given["column"]}
    name = "differences" if given["by"] else "compare"
    _print(name, scenario, given["store"], params, fmt, output)


@click.command(
    cls=Command,
    examples=(
        "augury claims",
        "augury claims real",
        "augury claims mi   # after: augury run mi-published",
        "augury claims --config best --format csv -o claims.csv",
    ),
)
@click.argument("scenario", type=click.Choice(("testbed", "real", "mi")), default="testbed")
@click.option("--config", type=click.Choice(("default", "best")), default="default",
              show_default=True)  # fmt: skip
@place_options
@format_options
@store_option
def claims(scenario: str, fmt: str | None, output: str | None, **given: Any) -> None:
    """Print what papers claim, as numbers of this store.

    Of arXiv:2202.13509 (testbed, real): worst over best agent of mlp, ensemble, dropout,
    ensemble+, hypermodel and bbb (those that are there), at tau 1 and at tau 10 dyadic: on the
    testbed by D, on real data over all data sets and on each. Of the testbed also ensemble+ over
    ensemble by D and lambda, and the rank correlation of the smallest D with independent inputs
    and the largest with dyadic ones. Intervals are 95 %, by a bootstrap of environments or data
    sets.

    Of Lee and Rhee 2024 (mi): the median of each bound over the last steps of a stage, over the
    true value, beside that of the published curve; --sweep mi-published-images for images.
    """
    _print("claims", scenario, given["store"], _place(given), fmt, output)


def _place(given: dict[str, Any]) -> dict[str, Any]:
    found = {name: given[name] for name in ("sweep", "scale", "run", "config")}
    return {**found, "settings": settings_object(given["settings"])}


def _print(
    query: str, scenario: str, store: str | None, params: dict[str, Any],
    fmt: str | None, output: str | None,
) -> None:  # fmt: skip
    from augury.engine.cli.output import emit
    from augury.engine.service.reader import Reader

    reader = Reader(existing_store(store))
    chosen = {name: value for name, value in params.items() if value not in (None, "", [])}
    emit(reader, query, {"scenario": scenario, **chosen}, chosen_format(fmt, output), output)
    if not is_there(reader.store):
        return
    table = reader.query(query, scenario=scenario, **chosen)
    say_which(table.meta, params)
    if params.get("config") == "best":
        from augury.engine.cli.tuning import say_of_tuned

        say_of_tuned(table.meta)
    if not table.rows:
        say(_too_few(query, scenario))


def _too_few(query: str, scenario: str) -> str:
    if query != "claims":
        return (
            "nothing to compare here yet: two agents or more on problems of one sweep are needed."
        )
    if scenario == "mi":
        from augury.engine.cli.hints import hint

        return (
            "nothing to claim here yet: published curves are of 10 Gaussian sources, images, "
            f"texts at 2 to 10 bits: {hint('run', 'mi-published')}"
        )
    from augury.engine.store.claims import SET

    return (
        f"nothing to claim here yet: claims are about {', '.join(SET)}; two of them or more, with "
        "numbers on all problems of one D, are needed."
    )
