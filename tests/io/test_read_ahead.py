"""Blocks that are read ahead come in order, with what reading raises in its place, and leave no thread behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from long_runs import archive
from time_limits import joined

from fstmetrics import _native
from fstmetrics.io.blocks import Block, read_ahead
from fstmetrics.support.errors import InputError


def counted(most: int, error: Exception | None = None) -> Iterator[Block]:
    for number in range(most):
        yield Block([str(number)], [number])
    if error:
        raise error


def reading() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "reading ahead"]


def test_blocks_come_in_order() -> None:
    assert [block.ids for block in read_ahead(counted(50))] == [[str(number)] for number in range(50)]
    assert not reading()


def test_what_reading_raises_comes_behind_the_blocks_before_it() -> None:
    blocks = read_ahead(counted(3, InputError("is damaged", "lat")))
    assert [next(blocks).values for _ in range(3)] == [[0], [1], [2]]
    with pytest.raises(InputError, match="lat: is damaged"):
        next(blocks)
    assert not reading()


def test_the_thread_ends_where_nobody_goes_on() -> None:
    blocks = read_ahead(counted(50))
    next(blocks)
    assert len(reading()) == 1
    blocks.close()  # type: ignore[attr-defined]
    assert not reading()


def test_a_stop_ends_the_engine_on_the_thread_that_heeds_it(tmp_path: Path) -> None:
    text = archive([f"u-{n}" for n in range(30_000)], 3).encode()
    said: list[str] = []

    def read() -> None:
        stop = _native.Stop()
        stop.heed()
        stop.set()
        labels = _native.Labels(_native.Vocabulary(), "words")
        try:
            column = _native.LatticeColumn(labels.vocabulary)
            _native.KaldiTextReader(labels, (99, 99, 99)).read(text, 0, True, 0, column)
            said.append("read to the end")
        except RuntimeError as error:
            said.append(str(error))

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    joined(thread)
    assert said == ["cancelled"]
