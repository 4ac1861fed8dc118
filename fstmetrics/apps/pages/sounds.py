"""Sound files of items: `sounds`, links from the page to those that can be read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote


@dataclass(frozen=True)
class Sounds:
    """Links to sound files.

    Attributes:
        links: of every item; "" where there is none.
        missing: how many items name a file that cannot be read.
        far: how many name one that shares no folder with the page: a relative link would show its whole path.
    """

    links: Sequence[str]
    missing: int = 0
    far: int = 0


def sounds(paths: Iterable[object], page: Path, folders: Sequence[Path], full_paths: bool = False) -> Sounds:
    """Links of a page to the sound files of its items.

    Args:
        paths: of every item, as the manifest has them.
        page: the page's file.
        folders: where relative paths may begin; the first in which the file is counts.
        full_paths: whether links are absolute.
    """
    here = os.path.abspath(page.parent)
    links, missing, far = [], 0, 0
    for path in paths:
        link = ""
        if isinstance(path, str) and path:
            found = next((p for p in (os.path.join(f, path) for f in folders) if _is_readable(p)), None)
            if found is None:
                missing += 1
            elif full_paths:
                link = Path(os.path.abspath(found)).as_uri()
            elif link := _relative(os.path.abspath(found), here):
                pass
            else:
                far += 1
        links.append(link)
    return Sounds(links, missing, far)


def _is_readable(path: str) -> bool:
    try:
        return os.path.isfile(path) and os.access(path, os.R_OK)
    except ValueError:  # a zero byte
        return False


def _relative(file: str, folder: str) -> str:
    """The link; "" where nothing but the root is shared. A colon is escaped, so that no link has a scheme."""
    try:
        shared = os.path.commonpath((file, folder))
    except ValueError:  # on different drives
        return ""
    if shared == os.path.dirname(shared):
        return ""
    return quote(Path(os.path.relpath(file, folder)).as_posix(), errors="surrogateescape")
