"""Folders in which a program keeps networks, where a command takes networks: `project_reader`.

The program says how they are read, as an entry point of the group `fstmetrics.projects` whose name is the file that
such a folder has: `project.sqlite` of the annotation tool.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from fstmetrics.io.items import Items
from fstmetrics.support.plugins import Registry, uncallable


class ProjectNetworks(NamedTuple):
    """The networks of a project, and the ids of all its sentences, of which some may have no network yet."""

    items: Items
    sentences: tuple[str, ...]


Reader = Callable[[str], ProjectNetworks]
PROJECTS: Registry[Reader] = Registry("reader of projects", "fstmetrics.projects", dict, uncallable)
# Files that a project may be kept in: other folders are not asked for.
SUFFIX = ".sqlite"


def project_reader(path: str) -> Reader | None:
    """What reads a folder as a project; None where it is none."""
    marks = [file.name for file in Path(path).glob(f"*{SUFFIX}")]
    return next((PROJECTS[name] for name in marks if name in PROJECTS), None)
