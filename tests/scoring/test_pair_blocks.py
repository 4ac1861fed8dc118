"""Pairs in columns are those of items one by one, however they are cut into batches."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from fstmetrics._native import TextColumn
from fstmetrics.io.blocks import Block, Item
from fstmetrics.io.items import Items
from fstmetrics.scoring.pair_blocks import Pair, PairBlock, in_batches
from fstmetrics.scoring.pairing import Pairs
from fstmetrics.support.errors import FstmetricsError


def found(sides: Sequence[Items]) -> tuple[list[Pair], int] | str:
    try:
        pairs = Pairs(sides[0], sides[1:], "skip")
        return list(pairs), pairs.skipped
    except FstmetricsError as error:
        return str(error)


@pytest.mark.parametrize("seed", range(100))
def test_pairs_of_columns_are_those_of_items(seed: int) -> None:
    choose = random.Random(seed)
    with_ids = choose.random() < 0.7
    names = [f"u{n}" for n in range(choose.randint(1, 6))]
    columns, items = [], []
    for side in range(choose.choice([2, 2, 3])):
        ids = choose.sample(names, len(names)) if choose.random() < 0.5 else names
        ids = ids if choose.random() < 0.8 else ids[:-1]
        texts = [f"text {side} of {id}" for id in ids]
        columns.append(
            Items(Block(TextColumn(ids) if with_ids else None, TextColumn(texts)), ("x",), f"p{side}")
        )
        each = (Item(id if with_ids else None, None, text) for id, text in zip(ids, texts, strict=True))
        items.append(Items(tuple(each), ("x",), f"p{side}"))
    assert found(columns) == found(items)


def test_batches_are_the_pairs_in_order() -> None:
    pairs = [Pair(f"u{n}", f"h{n}", (f"r{n}",)) for n in range(300)]

    def native(begin: int, end: int) -> PairBlock:
        some = pairs[begin:end]
        hypotheses, references = [pair.hypothesis for pair in some], [pair.reference for pair in some]
        return PairBlock([pair.id for pair in some], TextColumn(hypotheses), (TextColumn(references),))

    def blocks() -> Iterator[PairBlock]:
        yield from (PairBlock.of([pair]) for pair in pairs[:100])
        yield native(100, 180)
        yield native(180, 200)
        yield PairBlock.of(pairs[200:])

    batches = list(in_batches(blocks()))
    assert [pair for batch in batches for pair in batch] == pairs
    assert max(map(len, batches)) > 1
    assert all(batch.is_native == (100 <= int(str(batch[0].id)[1:]) < 200) for batch in batches)


def test_what_comes_before_an_error_is_worked_on() -> None:
    def blocks() -> Iterator[PairBlock]:
        yield PairBlock.of([Pair("a", "x", ("x",)), Pair("b", "x", ("x",)), Pair("c", "x", ("x",))])
        raise FstmetricsError("damaged")

    batches = in_batches(blocks())
    assert next(batches).ids == ["a"]
    assert next(batches).ids == ["b", "c"]
    with pytest.raises(FstmetricsError, match="damaged"):
        next(batches)
