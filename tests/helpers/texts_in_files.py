"""Texts that stay in their files however small they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstmetrics.support import source
from fstmetrics.support.file_bytes import OpenBytes
from fstmetrics.support.source import Source, open_text


def leave_in_files(monkeypatch: pytest.MonkeyPatch, least: int = 1, window: int = 7, ahead: int = 3) -> None:
    """Have texts of so many bytes stay in their files, of which so many bytes or lines are looked at together."""
    for name, size in {"LEAST": least, "WINDOW": window, "AHEAD": ahead}.items():
        monkeypatch.setattr(source, name, size)


def in_file(path: Path) -> Source:
    """A text that stays in its file."""
    found = open_text(path)
    assert isinstance(found.content, OpenBytes)
    return found


def never_whole(monkeypatch: pytest.MonkeyPatch, path: str | None = None) -> None:
    """Have a test fail where all of a text is read that stays in its file: of one, or of any."""

    def data(of: Source) -> bytes:
        if isinstance(of.content, OpenBytes):
            assert path is not None, "all of it is read"
            assert of.path != path, "all of it is read"
            return of.content[:]
        return of.content

    monkeypatch.setattr(Source, "data", property(data))
