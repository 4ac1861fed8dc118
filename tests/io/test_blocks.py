"""Blocks of lattices are put together without changing what they have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from command import written

from fstmetrics._native import LatticeColumn, TextColumn, Vocabulary
from fstmetrics.io import blocks as of_blocks
from fstmetrics.io.blocks import Block, together
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.items import ReadOptions
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import File


def lattices(path: Path, ids: str, options: ReadOptions, damaged: str = "") -> Iterator[Block]:
    """Blocks of one lattice each."""
    for id in ids:
        arc = "0 1 a-word" if id != damaged else "0 1 2 3 4 5"
        file = written(path / id, f"{id}\n{arc} 1,2,\n0 1 other 2,1,\n1\n\n")
        blocks = FORMATS["kaldi-lattice"].blocks
        assert blocks is not None
        yield from blocks(File(str(file)), options) or ()


def shown(blocks: list[Block]) -> list[tuple[str | None, int]]:
    return [(item.id, item.value.num_arcs) for block in blocks for item in block]


def test_lattices_are_put_together_up_to_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_blocks, "TOGETHER", 8)  # of two arcs and two states
    apart = list(lattices(tmp_path, "abcde", ReadOptions()))
    joined = list(together(apart))
    assert [len(block) for block in joined] == [2, 2, 1]
    assert shown(joined) == shown(apart)
    assert all(isinstance(block.ids, TextColumn) for block in joined)


def test_what_is_damaged_stays_alone(tmp_path: Path) -> None:
    apart = list(lattices(tmp_path, "abcde", ReadOptions(), damaged="c"))
    joined = list(together(apart))
    assert [list(block.ids or ()) for block in joined] == [["a", "b"], ["c"], ["d", "e"]]
    assert [len(block.faults) for block in joined] == [0, 1, 0]


def test_lattices_of_other_words_are_apart(tmp_path: Path) -> None:
    apart = [*lattices(tmp_path, "ab", ReadOptions()), *lattices(tmp_path, "cd", ReadOptions())]
    assert [len(block) for block in together(apart)] == [2, 2]


def test_what_comes_before_an_error_comes_first(tmp_path: Path) -> None:
    def broken() -> Iterator[Block]:
        yield from lattices(tmp_path, "ab", ReadOptions())
        raise FstmetricsError("cut off")

    joined = together(broken())
    assert list(next(joined).ids or ()) == ["a", "b"]
    with pytest.raises(FstmetricsError, match="cut off"):
        next(joined)


def test_columns_of_other_vocabularies_are_not_joined() -> None:
    with pytest.raises(ValueError, match="columns of different vocabularies"):
        LatticeColumn.joined([LatticeColumn(Vocabulary()), LatticeColumn(Vocabulary())])
