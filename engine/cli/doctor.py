"""`augury doctor`: is everything in order here, and if not, what to do."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.options import local_path, store_option
from augury.engine.cli.wording import count

_WIDTH = 11


@click.command(cls=Command, examples=("augury doctor", "augury doctor --json"))
@click.option("--json", "as_data", is_flag=True, help="As JSON, for scripts and reports.")
@store_option
def doctor(as_data: bool, store: str | None) -> None:
    """Look at terminal, store, engine, devices, data sets and Python; say what to do.

    Exits with 1 if something fails, with 0 if all is well or only less comfortable.
    """
    from augury.engine.doctor.report import report

    findings = []
    for found in report(local_path(store)):
        findings.append(found)
        if not as_data:
            click.echo(f"{found.state:<4}  {found.area:<{_WIDTH}}  {' '.join(found.text.split())}")
            if found.advice:
                click.echo(f"{'':<{_WIDTH + 8}}{found.advice}")
    if as_data:
        click.echo(json.dumps([asdict(found) for found in findings], indent=1))
    failures = sum(found.state == "fail" for found in findings)
    warnings = sum(found.state == "warn" for found in findings)
    if not as_data and failures + warnings:
        say(f"{count(warnings, 'warning')}, {count(failures, 'failure')}")
    if failures:
        raise SystemExit(1)
