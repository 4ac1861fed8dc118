"""What command lines print and write, and the public names of Python, are as recorded in tests/golden.

An intended change is recorded by `python tests/golden/record.py`; its diff is part of the change.
"""

from __future__ import annotations

import difflib
from pathlib import Path

import golden
import pytest
from missing_packages import missing_package
from public_names import public_names

AT_ONCE = 50


def parts() -> list[tuple[str, int]]:
    """Commands, and where the cases of a test begin."""
    return [(name, first) for name in golden.bundles() for first in range(0, len(golden.read(name)), AT_ONCE)]


@pytest.mark.parametrize(("command", "first"), parts())
def test_command_lines_give_what_they_gave(command: str, first: int, tmp_path: Path) -> None:
    cases = golden.read(command)[first : first + AT_ONCE]
    differences, unable = [], []
    for number, case in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        now = golden.replayed(case, folder)
        if missing_package(golden.shown(now)) and now != case:
            unable.append(golden.shown(now))
        elif now != case:
            differences.append(golden.difference(case, now))
    text = "\n\n".join(differences[:5])
    assert not differences, f"{len(differences)} of {len(cases)} are not as recorded:\n\n{text}"
    assert not unable, "\n".join(unable)  # what needs a package that is not here, after what does not


def test_public_names_are_those_that_were() -> None:
    recorded = golden.NAMES.read_text(encoding="utf-8").splitlines()
    difference = difflib.unified_diff(recorded, public_names(), "recorded", "now", n=0, lineterm="")
    assert not (text := "\n".join(difference)), f"public names are not as recorded:\n{text}"
