"""Lines of text read at once by the engine are those that the reader of lines finds."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from fstmetrics.data.transcripts import Transcript
from fstmetrics.io.formats import kaldi_text, plain, trn
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source

PIECES = (
    "a",
    "bc",
    " ",
    " ",
    "\n",
    "\n",
    "\r\n",
    "\t",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\x1c",
    "\u00e9",
    "(u1)",
    "(u2)",
    "(x",
    ";;",
    "{",
    "/",
)


def told(item: Item) -> object:
    """An item, of a transcript what it says: lattices are equal to themselves alone."""
    value = item.given
    if not isinstance(value, Transcript):
        return item
    machine, words = value.lattice.automaton, value.lattice.symbols.words
    arcs = zip(machine.sources.tolist(), machine.destinations.tolist(), machine.labels.tolist(), strict=True)
    said = [(source, destination, words[label]) for source, destination, label in arcs]
    return replace(item, given=(said, machine.finals.tolist(), value.choices, value.optional, value.depth))


@pytest.mark.parametrize(
    "format", [plain.FORMAT, kaldi_text.FORMAT, trn.FORMAT], ids=lambda format: format.name
)
@pytest.mark.parametrize("seed", range(100))
def test_blocks_have_the_items_of_the_reader(format: Format, seed: int) -> None:
    choose = random.Random(seed)
    lines = "".join(choose.choices(PIECES, k=choose.randint(0, 12)))
    if format is trn.FORMAT and seed % 2:
        lines = "".join(
            f"{' '.join(choose.choices(PIECES[:2], k=n))} (u{choose.randint(1, 9)})\n" for n in range(3)
        )
    source, options = Source("x", lines.encode()), ReadOptions()
    assert format.block is not None
    block = format.block(source, options)
    try:
        items = list(format.read(source, options))
    except InputError:
        assert block is None
        return
    if block is not None:
        assert [told(item) for item in block] == list(map(told, items))
    else:
        assert format is not plain.FORMAT
        assert format is not kaldi_text.FORMAT
        assert (
            any(mark in lines for mark in "{/;")
            or "  " in lines
            or any(c.isspace() and c not in " \r\n" for c in lines)
        )


def test_text_that_is_not_utf8_has_the_same_error() -> None:
    source = Source("x", b"fine\ncaf\xe9\n")
    for format in (plain.FORMAT, kaldi_text.FORMAT, trn.FORMAT):
        assert format.block is not None
        with pytest.raises(InputError) as at_once:
            format.block(source, ReadOptions())
        with pytest.raises(InputError) as by_lines:
            list(format.read(source, ReadOptions()))
        assert str(at_once.value) == str(by_lines.value)
