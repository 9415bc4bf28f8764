"""`augury transfer`: does an agent's score on the testbed predict that on real data?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from augury.engine.catalog.settings import SCALES
from augury.engine.charts.transfer_plot import lacking, sides, told
from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint
from augury.engine.cli.options import (
    chosen_format,
    existing_store,
    format_options,
    is_there,
    store_option,
)


@click.command(
    cls=Command,
    examples=(
        "augury transfer",
        "augury transfer --config best --real-sweep real-regimes",
        "augury transfer --format csv -o transfer.csv",
        "augury plot transfer -o transfer.svg   # the same as a chart",
    ),
)
@click.option("--config", type=click.Choice(("default", "best")), default="default",
              show_default=True)  # fmt: skip
@click.option("--testbed-sweep", metavar="SWEEP", help="Default: the newest of the testbed.")
@click.option("--real-sweep", metavar="SWEEP", help="Default: the newest on real data.")
@click.option("--scale", type=click.Choice(SCALES), help="Of both sides; default: the newest.")
@format_options
@store_option
def transfer(fmt: str | None, output: str | None, store: str | None, **given: Any) -> None:
    """Print each agent's score on the testbed beside that on real data.

    A score is the mean KL at tau 10, kappa 2 over that of mlp, with a 95 % interval by a bootstrap
    of environments or of data sets. Then Spearman's rank correlation of the trained agents, its
    interval (both drawn anew together) and its p-value (agents permuted).
    """
    from augury.engine.cli.output import emit
    from augury.engine.service.reader import Reader

    reader = Reader(existing_store(store))
    params = {name: value for name, value in given.items() if value}
    emit(reader, "transfer", params, chosen_format(fmt, output), output)
    if is_there(reader.store):
        _say(reader.query("transfer", **params).meta)


def _say(meta: Mapping[str, Any]) -> None:
    lacks = lacking(meta)
    for why, words in lacks:
        say(f"{why}: {hint(*words)}")
    if not lacks:
        say(f"{sides(meta)}: {told(meta) or 'all agents score the same on one side'}.")
