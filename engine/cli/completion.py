"""`augury completion`: the script that a shell sources."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from augury.engine.cli.command import Command


@click.command(
    cls=Command,
    examples=(
        "augury completion bash > ~/.local/share/bash-completion/completions/augury",
        'eval "$(augury completion zsh)"',
        "augury completion fish > ~/.config/fish/completions/augury.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell."""
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"this click knows no {shell}")
    script = kind(context.find_root().command, {}, "augury", "_AUGURY_COMPLETE")
    # `source` would first start a shell to ask its version; old shells are no error of ours.
    click.echo(script.source_template % script.source_vars())
