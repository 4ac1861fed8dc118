"""The files of the shipped grammars: where they are (`shipped_folder`), and their `names`. Nothing is read, nor is the
engine needed: `doctor` lists them where it is broken.

They are data at the top of the repository, in `grammars/`. A wheel has them inside the package; a clone, and an install
that is edited in place, use those of the repository, so that what is changed counts at once.
"""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".grammar"
PACKAGE = Path(__file__).resolve().parents[1]


def shipped_folder() -> Path:
    """The folder with the shipped grammars."""
    packaged = PACKAGE / "grammars" / "shipped"
    return packaged if packaged.is_dir() else PACKAGE.parent / "grammars"


def names() -> list[str]:
    """The shipped grammars, in order."""
    folder = shipped_folder()
    return sorted(
        ".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob(f"*{SUFFIX}")
    )
