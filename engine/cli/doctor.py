"""`augury doctor`: is everything in order here, and if not, what to do."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.hints import as_called
from augury.engine.cli.options import far_store, local_path, store_option
from augury.engine.cli.wording import count
from augury.engine.paths import store_directory

if TYPE_CHECKING:
    from augury.engine.doctor.finding import Finding

_WIDTH = 11


@click.command(
    cls=Command,
    examples=("augury doctor", "augury doctor --json", "augury --ssh HOST doctor"),
)
@click.option("--json", "as_data", is_flag=True, help="As JSON, for scripts and reports.")
@store_option
def doctor(as_data: bool, store: str | None) -> None:
    """Look at terminal, store, engine, devices, data sets, Python and ssh; say what to do.

    With --ssh HOST: at this terminal, at the link, then at all the rest over there.
    Exits with 1 if something fails, with 0 if all is well or only less comfortable.
    """
    findings = []
    for found in _findings(store):
        findings.append(found)
        if not as_data:
            width = _WIDTH + found.area.find(": ") + 1  # wider by the host that it is of
            text = as_called(" ".join(found.text.split()))
            click.echo(f"{found.state:<4}  {found.area:<{width}}  {text}")
            if found.advice:
                click.echo(f"{'':<{width + 8}}{as_called(found.advice)}")
    if as_data:
        click.echo(json.dumps([asdict(found) for found in findings], indent=1))
    failures = sum(found.state == "fail" for found in findings)
    warnings = sum(found.state == "warn" for found in findings)
    if not as_data and failures + warnings:
        say(f"{count(warnings, 'warning')}, {count(failures, 'failure')}")
    if failures:
        raise SystemExit(1)


def _findings(given: str | None) -> Iterator[Finding]:
    from augury.engine.doctor.report import NEAR, report

    link = far_store(given)
    if link is None:
        yield from report(local_path(given))
        return
    from augury.engine.doctor import ssh

    yield from report(store_directory(None), NEAR)
    yield from ssh.check_link(link, quiet=not sys.stdin.isatty())
    if link.state.kind != "down":
        host = link.address.host
        for found in ssh.ask(link):
            yield replace(found, area=f"{host}: {found.area}")
