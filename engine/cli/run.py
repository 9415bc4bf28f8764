"""`augury run`: plan, start what is new, watch it, print the boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from augury.engine.catalog.settings import SCALES
from augury.engine.catalog.tuning import CONFIGS, Config
from augury.engine.cli import names
from augury.engine.cli.command import Command
from augury.engine.cli.failure import need_stdout, say
from augury.engine.cli.hints import hint
from augury.engine.cli.options import is_far, open_store, store_option, words
from augury.engine.cli.table import Asked, read_table, table_options
from augury.engine.cli.wording import count
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, absent, left_out
from augury.engine.preview_words import said

if TYPE_CHECKING:
    from augury.engine.service.link import Store


@click.command(
    cls=Command,
    examples=(
        "augury run quick",
        "augury run testbed-2d --agent mlp,ensemble --seeds 0-4 --detach",
        "augury run testbed --set ensemble.num_ensemble=10 --set ensemble.num_ensemble=30",
        'augury run testbed --filter "input_dim=10 temperature=0.1" --agent mlp,bbb',
        "augury run testbed --config all --agent mlp,ensemble   # then --config best",
        "augury run testbed --tau 1,10,100 --kappa iid,1,2,3,5,10",
        "augury run real --data credit.csv --target default --scale quick   # your own table",
        "augury run real --scale smoke --dry-run",
    ),
)
@click.argument("what", nargs=-1, metavar="WHAT...", shell_complete=names.sweeps)
@click.option("--agent", "--estimator", "subjects", multiple=True, metavar="A,B",
              shell_complete=names.subjects,
              help="Only these subjects; a name or FILE.py:make_agent.")  # fmt: skip
@click.option("--seeds", metavar="0-4|0,2", help="The subjects' seeds; else the sweep's own.")
@click.option(
    "--scale", type=click.Choice(SCALES), help="Size; default quick for `quick`, else full."
)
@click.option("--set", "overrides", multiple=True, metavar="X.FIELD=VALUE",
              help="Change a subject's or scenario's field; JSON; repeated: a grid.")  # fmt: skip
@click.option("--filter", "terms", multiple=True, metavar="TERMS",
              help="Only these problems: input_dim=10,100 ratio<=10 environment=0")  # fmt: skip
@click.option("--config", type=click.Choice(CONFIGS), default="default",
              help="all: each grid config, where tuning chooses; best: those chosen.")  # fmt: skip
@click.option("--tau", multiple=True, metavar="1,10,...",
              help="Labels of a joint prediction; default 1,10, with every kappa.")  # fmt: skip
@click.option("--kappa", multiple=True, metavar="iid,2,...",
              help="Inputs that they repeat; iid: none repeats. Default iid,2.")  # fmt: skip
@click.option("--preprocess", type=click.Choice(["example", "feature"]),
              help="Standardise each row of real data, as published, or each feature.")  # fmt: skip
@click.option("--subsample", type=click.Choice(["first", "random"]),
              help="Rows of a small real problem: the first, or by the seed.")  # fmt: skip
@click.option("--problem", "problems", multiple=True, metavar="FILE.npz",
              help="Evaluate on your own testbed environment.")  # fmt: skip
@table_options
@click.option("--detach", is_flag=True, help="Start it and return at once.")
@click.option("--dry-run", is_flag=True, help="Print what would run; start nothing.")
@store_option
def run(
    what: tuple[str, ...],
    subjects: tuple[str, ...],
    seeds: str | None,
    scale: Any,
    overrides: tuple[str, ...],
    terms: tuple[str, ...],
    config: Config,
    tau: tuple[str, ...],
    kappa: tuple[str, ...],
    preprocess: str | None,
    subsample: str | None,
    problems: tuple[str, ...],
    table: Asked | None,
    detach: bool,
    dry_run: bool,
    store: str | None,
) -> None:
    """Evaluate subjects; what the store holds already is not computed again.

    WHAT is a sweep (augury list sweeps), a scenario (testbed, real, ppc, mi: its default sweep)
    or `quick`: a little of each. With --data, which agent does best on your table of classes: real.
    """
    from augury.engine.cli.points import with_points, with_rows
    from augury.engine.cli.selection import (
        check_takes_table,
        checked,
        parse_seeds,
        problem_file,
        subjects_of,
    )

    need_stdout()
    names, outside = subjects_of(words("--agent", subjects))
    path = open_store(store)
    if (outside or problems or table) and is_far(path):
        raise UsageError("files of yours cannot be used from afar: copy them there and run there.")
    selection = Selection(
        what or (("real",) if table else ()),
        names,
        parse_seeds(seeds) if seeds is not None else (),
        scale,
        tuple(overrides),
        tuple(dict.fromkeys(map(problem_file, problems))),
        outside,
        config,
        filter=" ".join(terms),
    )
    if table:
        check_takes_table(selection)
        selection = replace(selection, tables=(read_table(table),))
    if config == "best":
        from augury.engine.cli.tuning import with_tuned

        selection = with_tuned(path, selection)
    selection = with_rows(selection, preprocess, subsample)
    selection = checked(with_points(selection, tau, kappa))
    if narrowed := left_out(selection):
        say(f"no chosen subject fits {', '.join(narrowed)}: left out.")
    for name, extra in absent(selection).items():
        say(f"{name} is left out: it needs {extra.package}. To install it: {extra.install}")
    preview = _preview(path, selection)
    if dry_run:
        for line in said(preview):
            click.echo(line)
        return
    # What no run of this sweep has yet is recorded under it too: its board lacks it otherwise.
    if preview["new"] == 0 and not preview.get("elsewhere"):
        total = preview["total"]
        every = "its one cell is" if total == 1 else f"all {count(total, 'cell')} are"
        say(f"0 new cells: {every} stored.")
        _finish(path, selection, {"failed": 0, "state": "finished"})
        return
    _start(path, selection, detach)


def _preview(path: Store, selection: Selection) -> Mapping[str, Any]:
    from augury.engine.service.reader import Reader

    return Reader(path).preview(selection)


def _start(path: Store, selection: Selection, detach: bool) -> None:
    from augury.engine.cli.selection import command_text
    from augury.engine.cli.watch import goes_on, watch
    from augury.engine.executors.places import idle_gpu
    from augury.engine.service import client

    if not is_far(path) and (warning := idle_gpu()):
        say(f"warning: {warning}")
    with client.ensure_for("submit", path) as engine:
        request = {"selection": selection.to_json(), "command": command_text(selection)}
        submitted = engine.call("submit", **request)
    run_id = submitted["run_id"]
    say(
        f"run {run_id}: {count(submitted['new'], 'new cell')} in "
        f"{count(submitted['batches'], 'batch')}, {submitted['stored']:,} already stored."
    )
    if submitted.get("failed"):
        again = hint("retry", "--failed", run_id)
        say(f"{submitted['failed']:,} of them failed before. Again: {again}")
    if detach:
        goes_on(run_id)
        click.echo(run_id)
        return
    _finish(path, selection, watch(path, run_id))


def _finish(path: Store, selection: Selection, ended: Mapping[str, Any]) -> None:
    from augury.engine.cli.boards import print_boards
    from augury.engine.cli.selection import selected_boards
    from augury.engine.cli.watch import leave

    if selection.config == "all":
        from augury.engine.cli.tuning import print_tuning

        print_tuning(path, selected_boards(selection))
    else:
        print_boards(path, selected_boards(selection), selection.config)
    leave(path, ended)
