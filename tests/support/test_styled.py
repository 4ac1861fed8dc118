"""Text with styles: the same text without them, and cells of a terminal."""

from __future__ import annotations

import io

import pytest

from fstmetrics.cli.terminal import CLEAR, ProgressLine
from fstmetrics.support.printable import cells_of
from fstmetrics.support.styled import Styled


def test_styles_end_with_every_line() -> None:
    text = Styled("one\ntwo", "red").append(" three").append("", "bold").append("  ", "dim")
    assert text.plain == "one\ntwo three  "
    assert text.coloured == "\x1b[31mone\x1b[0m\n\x1b[31mtwo\x1b[0m three\x1b[2m  \x1b[0m"
    text.rstrip()
    assert text.plain == "one\ntwo three"
    assert not Styled()
    assert Styled("x").append_text(Styled("y", "dim")).mapped(str.upper).coloured == "X\x1b[2mY\x1b[0m"


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("day", 3),
        ("天气", 4),
        ("e\u0301", 1),
        ("é", 1),
        ("ｶﾅ", 2),
        ("ー", 2),
        ("a\u200bb", 2),
        ("😀", 2),
    ],
)
def test_cells_are_those_that_terminals_use(text: str, cells: int) -> None:
    assert cells_of(text) == cells


def test_a_line_of_progress_fits_is_safe_and_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    stream = io.StringIO()
    line = ProgressLine(stream)
    line.show("reading 天\x1b[31m" + "天" * 40, 1, 2)
    line.show("too soon", 1, 3)
    line.show("scoring", 2, 2)
    line.clear()
    first, last, cleared = stream.getvalue().split("\r")[1:]
    assert first.startswith("reading 天\\x1b[31m天")
    assert cells_of(first.removesuffix(CLEAR)) <= 39
    assert last.startswith("scoring ##############################"[:20])
    assert cleared == CLEAR
