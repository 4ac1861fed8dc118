"""Formats that are parsed natively unless something is unusual: the parser and the reader line by line say the same."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hostile import mutated
from small_files import K2, RAGGED, SPHINX
from small_paths import same

from fstmetrics.readers import FORMATS, ReadOptions, Source
from fstmetrics.readers.formats import k2_text, sphinx
from fstmetrics.readers.items import Item
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limited
from fstmetrics.values.times import Times

OUTPUTS = "0 1 10 7 0.25\n0 1 0 0 -1e-3\n0 2 5 5 .5\n1 2 3 8 1\n2 3 -1 -1 0\n3\n"
TEXTS = {
    "k2": [
        K2, OUTPUTS, RAGGED, "0 1 10\n1 2 -1\n2\n", "\ufeff0 1 007 -1.\r\n \r\n1 2 -1 +0\r\n2 \r\n\n",
        "0 5000000 3 1\n5000000 5000001 -1 0\n5000001\n", "0 1 3 1e400\n1 2 -1 0\n2\n", "0 1 3\xa00.5\n1 2 -1 0\n2\n",
        "0 1 -0 1\n0 1 -3 1\n1 2 -1 0\n2\n", "0 1 3 1\n1 2 -1 0\n2\n2\n", "2\n", "0 1 99999999999 1\n1 2 -1 0\n2\n",
        "0 2147483646 3 1\n2147483646 3 -1 0\n3\n", "0 1 3 nan\n1 2 -1 0\n2\n", "0 1 3 1\n1 2 -1 0\n2",
        "0 1 5 [7]\n1 2 -1 [-1]\n2\n", "0 1 5 [5] 1\n1 2 -1 [-1 10 5] 0\n2\n", "0 3 5 [7 10 5] 1\n3 9 -1 [-1]0\n9\n",
        "0 1 5 [] 1\n0 1 6[0 7 00 10]-2\n0 1 7 [ 0 ] .5\n1 2 -1 [] 0\n2\n", "0 1 5 7 [7] 1\n1 2 -1 -1 [] 0\n2\n",
    ],
    "sphinx": [
        SPHINX, SPHINX.replace("<sil>", "word(2)"), SPHINX.replace("</s>", "end"), SPHINX.replace("</s>", "<eps>"),
        SPHINX.replace("<s>", "[NOISE]"), SPHINX.replace("<s>", "++"), SPHINX.replace("<s>", "a)(3)"),
        SPHINX.replace("\n", "\r\n"), SPHINX.replace("1.000100e+00", "1"), SPHINX.replace("End", "Ende"),
        SPHINX.replace("Initial", "Nodes 3\nInitial"), SPHINX.replace("# -logbase", "# logbase"),
    ],
}  # fmt: skip
PARSERS = {"k2": (k2_text, "read_k2"), "sphinx": (sphinx, "read_sphinx")}
Answer = Item | str


@pytest.fixture
def line_by_line(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Switches the native parser of a format off."""

    def off(format: str) -> None:
        monkeypatch.setattr(*PARSERS[format], lambda *_: None)

    return off


def answer(format: str, data: bytes, symbols: str | None) -> Answer:
    try:
        (item,) = FORMATS[format].read(
            Source("folder/u1.txt", data), ReadOptions(symbols=symbols, tell_left_out=True)
        )
    except FstmetricsError as error:
        return str(error)
    return item


def alike(one: Answer, other: Answer) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return (
        same(one, other)
        and one.left_out == other.left_out
        and one.value.numbered == other.value.numbered
        and same_times(one.value.times, other.value.times)
    )


def same_times(one: object, other: object) -> bool:
    if not (isinstance(one, Times) and isinstance(other, Times)):
        return one is other
    return one.unit == other.unit and np.array_equal(one.of_state, other.of_state, equal_nan=True)


def damaged(format: str) -> Iterator[bytes]:
    rng = random.Random(17)
    for text in TEXTS[format]:
        yield text.encode()
        for _ in range(60):
            yield mutated(text.encode(), rng)
            # A character more, less or other, mostly within a field.
            data = bytearray(text.encode())
            data[rng.randrange(len(data))] = rng.choice(b" 0123456789-.\n[]e#(")
            yield bytes(data)


@pytest.mark.parametrize("format", PARSERS)
@pytest.mark.parametrize("has_table", [False, True])
def test_a_parser_says_what_the_reader_line_by_line_says(
    format: str, has_table: bool, tmp_path: Path, line_by_line: Callable[[str], None]
) -> None:
    symbols = tmp_path / "words.txt"
    symbols.write_text("<eps> 0\nhello 10\nbye 7\nsilent 5\n!NULL 3\n")
    named = str(symbols) if has_table else None
    cases = list(damaged(format))
    found = [answer(format, data, named) for data in cases]
    assert sum(isinstance(one, Item) for one in found) > len(TEXTS[format])
    line_by_line(format)
    for data, one in zip(cases, found, strict=True):
        assert alike(one, answer(format, data, named)), data


@pytest.mark.parametrize("limit", ["states", "arcs", "label"])
@pytest.mark.parametrize("format", PARSERS)
def test_limits(format: str, limit: str, line_by_line: Callable[[str], None]) -> None:
    data = TEXTS[format][0].replace("10", "1000010").encode()
    with limited(**{limit: 2}):
        found = answer(format, data, None)
        line_by_line(format)
        assert found == answer(format, data, None)
        assert isinstance(found, str)


def test_a_table_that_cannot_be_read_is_told_after_what_is_wrong_with_lines(
    line_by_line: Callable[[str], None],
) -> None:
    texts = [text.encode() for text in TEXTS["k2"]]
    found = [answer("k2", data, "no/such/table") for data in texts]
    assert any("no/such/table" in str(one) for one in found)
    line_by_line("k2")
    assert found == [answer("k2", data, "no/such/table") for data in texts]


def test_real_lattices_of_sphinx(shared: Path, line_by_line: Callable[[str], None]) -> None:
    paths = sorted((shared / "asr-pocketsphinx").glob("*.lat.gz"), key=lambda path: path.stat().st_size)[:3]
    texts = [gzip.decompress(path.read_bytes()) for path in paths]
    found = [answer("sphinx", data, None) for data in texts]
    assert all(isinstance(one, Item) for one in found)
    assert found
    line_by_line("sphinx")
    for data, one in zip(texts, found, strict=True):
        assert alike(one, answer("sphinx", data, None))
