"""The files of the shipped grammars: where they are (`shipped_folder`), and their `names`. Nothing is read."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".grammar"


def shipped_folder() -> Path:
    """The folder of the package with the shipped grammars."""
    return Path(__file__).resolve().parents[1] / "grammars" / "shipped"


def names() -> list[str]:
    """The shipped grammars, in order."""
    folder = shipped_folder()
    return sorted(
        ".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob(f"*{SUFFIX}")
    )
