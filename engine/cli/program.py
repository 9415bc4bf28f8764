"""The group of commands: loads one when it is called, and turns errors into one line."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import click

from augury.engine.cli.command import refuse_empty
from augury.engine.cli.failure import exit_code
from augury.engine.errors import unknown
from augury.engine.targets import load


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command that exists: where it is, and what `--help` says of it."""

    target: str
    summary: str


class Program(click.Group):
    """A group whose commands are imported on use: `--version` must not pay for `run`."""

    def __init__(self, *args: Any, commands_table: Mapping[str, CommandLine], **extra: Any) -> None:
        """Keep the table; click gets no command yet."""
        super().__init__(*args, **extra)
        self.table = commands_table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        line = self.table.get(cmd_name)
        return load(line.target) if line else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click, but an unknown command names the nearest one."""
        if args[0] not in self.table and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise unknown("command", args[0], self.table)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `--help`, from the table: importing every command would be slow."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line.summary) for name, line in self.table.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """As click, which would call a reader that stops early an error."""
        refuse_empty(ctx)
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise SystemExit(exit_code(error)) from None

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run, then leave with the exit code that the errors table gives."""
        if args is None:
            args = sys.argv[1:]
        prog_name = prog_name or "augury"
        _fill_closed_streams()
        # Imports make many objects and no garbage: looking for it costs a tenth of a short command.
        gc.set_threshold(100_000)
        try:
            # Click answers a completing shell only in its own main, which it leaves by itself.
            self._main_shell_completion(extra, prog_name, complete_var)
            code = super().main(args, prog_name, standalone_mode=False, **extra)
            sys.stdout.flush()
        except BaseException as error:
            code = exit_code(error)
        sys.exit(code if isinstance(code, int) else 0)


def _fill_closed_streams() -> None:
    """A stream that the caller closed is None; narration may be lost, data may not.

    The descriptor is taken too: otherwise the store's file would get it, and prints go there.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)
    if sys.stdout is None:
        nowhere = _Closed(os.open(os.devnull, os.O_RDONLY), "w")
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(nowhere), encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")


class _Closed(io.FileIO):
    """A stdout that the caller closed: every write to it fails, and says why."""

    def write(self, data: Any, /) -> int:
        """Raises `OSError`."""
        try:
            return super().write(data)
        except OSError as error:
            raise OSError(error.errno, "it is closed", "stdout") from None
