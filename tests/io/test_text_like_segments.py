"""Text with numbers where segments of STM have times is text, and not segments without most of their words."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import fstmetrics, written


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("ref.txt", "1 2 3 4 5 6\n2 3 4 5 6 7 8\n", 13),
        ("ref.txt", "1 2 3 4 5\n2 3 4 5 6\n", 10),
        ("ref.txt", "she has about 5 6 cats\n", 6),
        ("ref.stm", "1 2 3 4 5 6\n", 1),
        ("ref.txt", "call A anna 0 5 hello there\n", 2),
        ("ref.txt", "1 1 anna 0.5 5 hello there\n", 2),
    ],
)
def test_words_that_count(name: str, text: str, words: int, tmp_path: Path) -> None:
    path = written(tmp_path / name, text)
    assert f"[ 0 / {words}, " in fstmetrics("score", path, path).out
