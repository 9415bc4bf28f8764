"""The entry point: a table of commands, each imported when it is called."""

from __future__ import annotations

import os
import sys

import click

from augury.engine.cli.options import Chosen
from augury.engine.cli.program import CommandLine, Program
from augury.engine.errors import UsageError

COMMANDS: dict[str, CommandLine] = {
    "run": CommandLine("augury.engine.cli.run:run", "Evaluate subjects on a sweep."),
    "leaderboard": CommandLine("augury.engine.cli.leaderboard:leaderboard", "Print a board."),
    "compare": CommandLine("augury.engine.cli.compare:compare", "Ratios of each two, paired."),
    "levels": CommandLine("augury.engine.cli.levels:levels", "Agent, config, problem, seed."),
    "plot": CommandLine("augury.engine.cli.plot:plot", "Draw curves, in text, SVG, PNG or CSV."),
    "claims": CommandLine("augury.engine.cli.compare:claims", "A paper's claims in your numbers."),
    "transfer": CommandLine(
        "augury.engine.cli.transfer:transfer", "Testbed scores against real data's."
    ),
    "tuning": CommandLine("augury.engine.cli.tuning:tuning", "Print the configs chosen by tuning."),
    "status": CommandLine("augury.engine.cli.status:status", "Show the engine and its runs."),
    "attach": CommandLine("augury.engine.cli.control:attach", "Watch a run that goes on."),
    "cancel": CommandLine("augury.engine.cli.control:cancel", "Stop a run; keep what is done."),
    "resume": CommandLine("augury.engine.cli.control:resume", "Go on with what is pending."),
    "retry": CommandLine("augury.engine.cli.control:retry", "Try failed cells once more."),
    "priority": CommandLine("augury.engine.cli.priority:priority", "Feed a run sooner or later."),
    "logs": CommandLine("augury.engine.cli.logs:logs", "Show the engine's log."),
    "ppc": CommandLine("augury.engine.cli.ppc:ppc", "Check your own predictions."),
    "mi": CommandLine("augury.engine.cli.mi:mi", "Information between your own x and y."),
    "cells": CommandLine("augury.engine.cli.cells:cells", "Export every number, long form."),
    "sql": CommandLine("augury.engine.cli.sql:sql", "Ask the store in SQL, read-only."),
    "list": CommandLine("augury.engine.cli.catalog:list_catalog", "List what can be run."),
    "data": CommandLine("augury.engine.cli.data:data", "Data sets: list, fetch, verify, path."),
    "problem": CommandLine("augury.engine.cli.problem:problem", "Match the reference's ids."),
    "goldens": CommandLine("augury.engine.cli.goldens:goldens", "Compare with known numbers."),
    "engine": CommandLine("augury.engine.cli.engine:engine", "Stop or restart the engine."),
    "doctor": CommandLine("augury.engine.cli.doctor:doctor", "Check terminal, store and devices."),
    "serve": CommandLine("augury.engine.cli.serve:serve", "The application in a browser."),
    "bridge": CommandLine("augury.engine.cli.bridge:bridge", "Serve a store to `augury --ssh`."),
    "config": CommandLine("augury.engine.cli.config:config", "Show your preferences and keys."),
    "where": CommandLine("augury.engine.cli.where:where", "Print where things lie."),
    "completion": CommandLine("augury.engine.cli.completion:completion", "Shell completion."),
}


def _is_on_terminal() -> bool:
    return any(stream is not None and stream.isatty() for stream in (sys.stdout, sys.stderr))


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from augury.engine.hello import code_version

        click.echo(f"augury {code_version()}")
        context.exit()


@click.group(
    cls=Program,
    commands_table=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: augury run quick",
)
@click.option("--store", metavar="DIR", help="Store to open; else AUGURY_STORE, else XDG data.")
@click.option("--ssh", metavar="[USER@]HOST[:DIR]",
              help="The store and its engine on another machine.")  # fmt: skip
@click.option("--ssh-command", metavar="PATH",
              help="Augury there; else AUGURY_SSH_COMMAND, else augury.")  # fmt: skip
@click.option("--theme", metavar="NAME", help="Of the application: dark, light, safe or ansi.")
@click.option("--ascii/--no-ascii", default=None, help="Plain ASCII in all that is shown.")
@click.option("--mouse/--no-mouse", default=None, help="Mouse in the application, or not.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
              help="Print the version.")  # fmt: skip
@click.pass_context
def main(
    context: click.Context,
    store: str | None,
    ssh: str | None,
    ssh_command: str | None,
    **flags: str | bool | None,
) -> None:
    """How well learning agents know what they do not know.

    Without a command: opens the terminal application, or prints the leaderboards where there
    is no terminal to open it in.
    """
    if ssh_command and not ssh:
        raise UsageError("--ssh-command goes with --ssh HOST.")
    program = ssh_command or os.environ.get("AUGURY_SSH_COMMAND") or None
    context.obj = Chosen(store, ssh, program, flags)
    if any(value is not None for value in flags.values()):
        from augury.engine.preferences import check_flags

        check_flags(flags)
    if flags["ascii"] or (flags["ascii"] is None and _is_on_terminal()):
        from augury.engine.cli.plain_streams import write_as_shown

        write_as_shown(flags["ascii"])  # type: ignore[arg-type]
    if context.invoked_subcommand is None:
        from augury.engine.cli.home import home

        home(store)
