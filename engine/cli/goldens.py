"""`augury goldens`: tables of computed against known numbers."""

from __future__ import annotations

import subprocess
import sys

import click

from augury.engine.cli.command import Command
from augury.engine.cli.failure import need_stdout, say

MODULES = {
    "testbed": "augury.engine.goldens.testbed",
    "logistic": "augury.engine.goldens.logistic",
    "ppc": "augury.engine.goldens.ppc",
    "mi": "augury.engine.goldens.mi",
    "mi-joint": "augury.engine.goldens.mi_joint",
}


@click.command(cls=Command, examples=("augury goldens", "augury goldens mi-joint"))
@click.argument("which", default="all", type=click.Choice([*MODULES, "all"]))
def goldens(which: str) -> None:
    """Compute numbers that are known from papers or in closed form, and compare.

    Takes minutes. The exit code is 1 if one is out of tolerance.
    """
    need_stdout()
    wrong = [name for name in (MODULES if which == "all" else (which,)) if not _agrees(name)]
    if wrong:
        raise SystemExit(f"out of tolerance: {', '.join(wrong)}.")


def _agrees(name: str) -> bool:
    # A process of its own: the command line never imports JAX.
    sys.stdout.flush()
    say(f"{name}: computing ...")
    return subprocess.run([sys.executable, "-P", "-m", MODULES[name]], check=False).returncode == 0
