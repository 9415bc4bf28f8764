"""A command whose help ends with examples, and which takes no empty text for a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from augury.engine.cli.hints import as_called
from augury.engine.errors import AuguryError, UsageError


def refuse_empty(context: click.Context) -> None:
    """Raise `UsageError` for the first option or argument whose value is an empty text."""
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name or "") is ParameterSource.DEFAULT:
            continue
        given = context.params.get(parameter.name or "")
        if any(value == "" for value in (given if isinstance(given, tuple) else (given,))):
            option = isinstance(parameter, click.Option)
            name = " or ".join(parameter.opts) if option else (parameter.name or "").upper()
            instead = "." if parameter.required else ", or leave it out."
            raise UsageError(f"{name} is empty: give it a value{instead}")


class Command(click.Command):
    """A click command with `examples`: lines that work when pasted."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **extra: Any) -> None:
        """Keep the examples for `--help`."""
        super().__init__(*args, **extra)
        self.examples = tuple(examples)

    def invoke(self, ctx: click.Context) -> Any:
        """As click, but an empty value is refused: a script's unset variable never means all."""
        refuse_empty(ctx)
        try:
            return super().invoke(ctx)
        except AuguryError as error:  # what answers does not know how we are called
            error.message = as_called(error.message)
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, unwrapped, so that they can be copied."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
