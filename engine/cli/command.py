"""A command whose help ends with examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click


class Command(click.Command):
    """A click command with `examples`: lines that work when pasted."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **extra: Any) -> None:
        """Keep the examples for `--help`."""
        super().__init__(*args, **extra)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, unwrapped, so that they can be copied."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
