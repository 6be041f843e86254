"""`hustings completion`: print the shell script that completes commands and options."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from hustings.cli.terminal import show, talk

Shell = Literal["bash", "zsh", "fish", "powershell"]
WHERE: dict[Shell, str] = {
    "bash": 'eval "$(hustings completion bash)" in ~/.bashrc',
    "zsh": 'eval "$(hustings completion zsh)" in ~/.zshrc, after compinit',
    "fish": "hustings completion fish > ~/.config/fish/completions/hustings.fish",
    "powershell": "hustings completion powershell | Out-String | Invoke-Expression in $PROFILE",
}


def show_completion(shell: Annotated[Shell, typer.Argument(help="Which shell.")]) -> None:
    """Print what makes a shell complete commands."""
    from typer._completion_classes import completion_init  # noqa: PLC0415  little used
    from typer._completion_shared import get_completion_script  # noqa: PLC0415

    completion_init()
    show(get_completion_script(prog_name="hustings", complete_var="_HUSTINGS_COMPLETE", shell=shell))
    talk(f"To keep it: {WHERE[shell]}")
