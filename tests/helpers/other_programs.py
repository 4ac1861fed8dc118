"""Packages and programs that tests compare with, where they are installed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest


def client(name: str) -> Any:
    """A package, or the test is skipped."""
    return pytest.importorskip(name)


def program(*names: str) -> list[str]:
    """The command of the first program there is, or the test is skipped; Debian's sctk has its programs as commands."""
    beside = str(Path(sys.executable).parent)  # programs of packages, where the environment is not in PATH
    for name in names:
        if path := shutil.which(name) or shutil.which(name, path=beside):
            return [path, names[0]] if name == "sctk" else [path]
    pytest.skip(f"no {names[0]} here")
