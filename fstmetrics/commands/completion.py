"""`fstmetrics completion`: what makes a shell complete commands, options and files."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from fstmetrics.cli.terminal import show
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import whole_file

PROGRAM = "fstmetrics"
SHELLS = ("bash", "zsh", "fish")
# The file that an interactive shell reads at its start; fish finds completions by itself.
STARTS = {"bash": ".bashrc", "zsh": ".zshrc"}
# Zsh completes nothing before this.
ZSH_HEAD = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n"


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.option("--install", is_flag=True, help="Write it where the shell finds it, and say where.")
def completion_command(shell: str | None, install: bool) -> None:
    """Print the script that makes a shell complete commands, options, values and files, or install it.

    \b
    Example:  fstmetrics completion --install
              fstmetrics completion zsh

    SHELL: by default the one in the variable SHELL. For bash and zsh, --install also adds a line to ~/.bashrc or
    ~/.zshrc that reads the script. To undo it, remove what it says it has written.
    """
    shell = shell or _own_shell()
    if not install:
        show(*_script(shell).rstrip("\n").split("\n"))
        return
    path = _place(shell)
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(str(path)) as stream:
        stream.write(_script(shell))
    show(f"{path}: completion for {shell}")
    if shell in STARTS:
        start = Path(
            os.environ.get("ZDOTDIR") or Path.home() if shell == "zsh" else Path.home(), STARTS[shell]
        )
        _add_line(
            start, f"[ ! -f {shlex.quote(str(path))} ] || . {shlex.quote(str(path))}  # {PROGRAM} completion"
        )
    show(
        f"it holds for new shells; for this one: {'source' if shell == 'fish' else '.'} {shlex.quote(str(path))}"
    )


def _own_shell() -> str:
    found = Path(os.environ.get("SHELL", "")).name
    if found not in SHELLS:
        raise FstmetricsError(
            f"the variable SHELL is {found!r}, and completion is for {', '.join(SHELLS)}: name one of them"
        )
    return found


def _script(shell: str) -> str:
    """The script of click; it asks the program for what may come next."""
    from fstmetrics.cli import cli

    made = get_completion_class(shell)
    assert made is not None
    text = made(cli, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE").source().lstrip("\n")
    if shell == "zsh":
        head, line, rest = text.partition("\n")
        text = f"{head}{line}{ZSH_HEAD}{rest}"
    return f"{text.rstrip()}\n"


def _place(shell: str) -> Path:
    if shell == "fish":
        config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        return Path(config, "fish", "completions", f"{PROGRAM}.fish")
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data, PROGRAM, f"completion.{shell}")


def _add_line(path: Path, line: str) -> None:
    """A line at the end of a file, once; what is there stays as it is, byte for byte."""
    try:
        there = path.read_bytes() if path.exists() else b""
        if line.encode() in there.splitlines():
            return
        with path.open("ab") as stream:
            stream.write((b"" if not there or there.endswith(b"\n") else b"\n") + line.encode() + b"\n")
    except OSError as error:
        raise FstmetricsError(f"{path}: {error.strerror}; add this line to it yourself: {line}") from None
    show(f"{path}: a line that reads it")
