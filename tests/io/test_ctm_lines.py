"""Lines of ctm: a word each, and what may stand behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import fstmetrics


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ("f 1 0.0 0.5 the\nf 1 0.5 0.5 good morning\n", 2),
        ("f 1 0.0 0.5 the 0.9\nf 1 0.5 0.5 good morning 0.8\n", 2),
        ("f 1 0.0 0.5 good morning sir\n", 1),
        ("f 1 0.0 0.5 good\u00a0morning 0.9\n", 1),
        ("f 1 0.0 0.5 the\nf 1 0.5 0.5 mp 3\n", 2),
        ("f 1 0.0 0.5 the 0.9\nf 1 0.5 0.5 mp 3 0.9\n", 2),
    ],
)
def test_a_ctm_line_of_several_words_is_refused(lines: str, line: int, tmp_path: Path) -> None:
    segments, timed = tmp_path / "r.stm", tmp_path / "h.ctm"
    segments.write_text("f 1 spk 0.0 3.0 the good morning\n")
    for name in ("h.ctm", "words"):
        timed = tmp_path / name
        timed.write_text(lines)
        refused = fstmetrics("score", segments, timed)
        assert refused.status == 2, refused.err
        assert f"{name}:{line}: " in refused.err


def test_what_may_stand_behind_a_word_of_ctm(tmp_path: Path) -> None:
    segments, timed = tmp_path / "r.stm", tmp_path / "h.ctm"
    segments.write_text("f 1 spk 0.0 3.0 the cat\n")
    for tail in ("", " 0.5", " 1", " -3.25", " NA", " 0.5 lex", " NA lex spk"):
        timed.write_text(f"f 1 0.0 0.5 the{tail}\nf 1 0.5 0.5 cat{tail}\n")
        assert fstmetrics("score", segments, timed, "--json").summary["edits"] == 0
