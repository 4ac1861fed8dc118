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
        ("ref.txt", "call 1 2 0 5 nine 7\ncall 1 2 5 9 8 5\n", 4),
        ("ref.txt", "a_1 3 1 2 5 9 4\na_2 4 7 0 6 1 5\n", 12),
        ("ref.txt", "a_1 3 1 2 5\na_2 4 7 8 6\n", 8),
        ("ref.stm", "a_1 3 1 2 5 9 4\na_2 4 7 0 6 1 5\n", 4),
        ("ref.txt", "1 1 anna 0.5 5 hello there\n", 2),
    ],
)
def test_words_that_count(name: str, text: str, words: int, tmp_path: Path) -> None:
    path = written(tmp_path / name, text)
    assert f"[ 0 / {words}, " in fstmetrics("score", path, path).out
