"""The native parsers against the slow readers: the same lattices and the same faults, on drawn and damaged files."""

from __future__ import annotations

import gzip
import math
import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hostile import mutated
from hypothesis import given
from hypothesis import strategies as st
from slow_readers import SLOW, Rows, vector_states
from written import Drawn, att, drawn, kaldi_binary, kaldi_text, rows, slf

from fstmetrics.data.cards import Call, Card
from fstmetrics.data.network import Network
from fstmetrics.io import FORMATS, ReadOptions, Source
from fstmetrics.support.errors import InputError

FORMS = sorted(SLOW)


def fast(format: str, data: bytes) -> list[tuple[str, Rows]] | str:
    """What the reader makes of a file, or its message."""
    try:
        items = list(FORMATS[format].read(Source("f", data), ReadOptions()))
    except InputError as error:
        return str(error)
    if items and isinstance(items[0].value, Network):
        return [(name, card_rows(card)) for name, card in items[0].value.cards.items()]
    return [(item.id or "", rows(item.value)) for item in items]


def card_rows(card: Card) -> Rows:
    """A card as rows: calls in brackets, costs of finals none."""
    costs = card.costs or ((0.0, 0.0),) * len(card.arcs)
    arcs = [
        (begin, end, f"[{token.name}]" if isinstance(token, Call) else token, *cost)
        for (begin, end, token), cost in zip(card.arcs, costs, strict=True)
    ]
    return card.start, sorted(arcs), dict.fromkeys(card.finals, (0.0, 0.0))


def outcome(read: Callable[[], list[tuple[str, Rows]]]) -> list[tuple[str, Rows]] | str:
    try:
        return read()
    except ValueError as error:
        return str(error)


def check(format: str, data: bytes) -> bool:
    """Whether the file could be read, by both."""
    expected, found = outcome(lambda: SLOW[format](data)), fast(format, data)
    assert found == expected, data
    return not isinstance(found, str)


def texts(machine: Drawn, other: Drawn) -> dict[str, str]:
    both = [
        kaldi_text(key, m, compact) for key, m in (("k 1", machine), ("k2", other)) for compact in (True,)
    ]
    return {"att": att(machine), "kaldi-lattice": "".join(both), "slf": slf(machine)}


@given(machine=drawn(), other=drawn(), seed=st.integers(0, 2**32))
def test_drawn_and_damaged(machine: Drawn, other: Drawn, seed: int) -> None:
    dice = random.Random(seed)
    for format, text in texts(machine, other).items():
        for end in ("\n", "\r\n"):
            data = text.replace("\n", end).encode()
            assert check(format, data)
            for _ in range(4):
                check(format, mutated(data, dice))


# Pieces of lines, right and wrong ones, that a random file is put together from.
FIELDS = {
    "att": ["0", "1", "2", "3", "a", "b", "7", "0.5", "-1e3", "Infinity", "inf", "nan", "é", "1_0", "+2",
            ".5", "5."],
    "kaldi-lattice": ["0", "1", "2", "a", "7", "1,2,", "1,2", "0.5,-3,4_5", ",", "1,2,3,4", "x,1", "9", "Infinity,0,"],
    "slf": [
        "J=0", "J=1", "J=2", "S=0", "E=1", "E=2", "S=1", "I=0", "I=1", "I=2", "I=00", "I=01", "W=a",
        'W="b c"', "W='d", "a=-1", "l=-2.5",
        "r=1", "a=x", "W=\\303\\251", "N=3", "L=2", "base=0", "base=10", "start=0", "end=2", "dir=b", "#", ".", "=",
        "acscale=2", "prscale=.5", "lmscale=nan", "WORD=w", "START=1", "W=!NULL", 'W="', "W=\\", "a=0",
        "n=-1", "n=0", "x1=-2", "ds=1", "ngscale=0", "x1scale=2", "wdpenalty=-1", "ngram=x",
    ],
}  # fmt: skip
SPACES = [" ", "\t", "  ", "\u00a0", "\u3000", "\x1c", "\u200b"]


def random_line(format: str, dice: random.Random, number: int) -> str:
    fields = [dice.choice(FIELDS[format]) for _ in range(dice.choice([0, 1, 2, 3, 3, 4, 4, 5, 6]))]
    if format == "slf" and dice.random() < 0.8:
        # A link that may well be right, with at most one other field.
        fields = [f"J={number}", f"S={dice.choice('001')}", f"E={dice.choice('122')}", *fields[:1]]
    space = dice.choice(SPACES) if dice.random() < 0.1 else " "
    return space.join(fields) + dice.choice(["", "", " ", "\r"])


@pytest.mark.parametrize("format", FORMS)
def test_random_lines_are_read_as_the_slow_readers_read_them(format: str) -> None:
    dice = random.Random(7)
    read = 0
    for _ in range(2500):
        lines = [random_line(format, dice, number) for number in range(dice.randrange(1, 6))]
        if dice.random() < 0.9:
            before = {"att": [], "kaldi-lattice": ["key"], "slf": [f"N=3 L={len(lines)} start=0 end=2"]}
            lines = [*before[format], *lines, *(["1"] if format != "slf" else [])]
        end = "" if dice.random() < 0.05 else "\n\n" if format == "kaldi-lattice" else "\n"
        read += check(format, ("\n".join(lines) + end).encode())
    assert 100 < read < 2083


def real_files(shared: Path) -> Iterator[tuple[str, bytes]]:
    """Whole files of every text format."""
    for format, path in [
        ("slf", "asr-theanolm/lattice.slf"),
        ("slf", "asr-pocketsphinx/cards-005.slf.gz"),
        ("kaldi-lattice", "asr-theanolm/lattice.lat"),
        ("kaldi-lattice", "asr-kaldi-weather/mono/lat.txt.gz"),
    ]:
        data = (shared / path).read_bytes()
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        # TheanoLM's file lacks the blank line at its end.
        yield format, data + b"\n" if path.endswith("lattice.lat") else data
    for path in sorted((shared / "asr-htk-ami").glob("*.gz"))[:2]:
        yield "slf", gzip.decompress(path.read_bytes())


def test_real_files_are_read_as_the_slow_readers_read_them(shared: Path) -> None:
    dice = random.Random(3)
    for format, data in real_files(shared):
        assert check(format, data)
        # A damaged copy of a part, as the whole takes the slow reader long.
        for _ in range(30):
            check(format, mutated(data[:5000], dice))


@given(machine=drawn(), seed=st.integers(0, 2**32))
def test_binary(machine: Drawn, seed: int) -> None:
    dice = random.Random(seed)
    words = {word: i for i, word in enumerate(sorted({arc[2] for arc in machine.arcs} | {""}))}
    for compact, arc_type in ((True, "compactlattice44"), (False, "lattice4")):
        whole = kaldi_binary("k", machine, words, compact)[2:]
        at = whole.index(b"lattice") + len(arc_type) - (7 if compact else 0) + 40
        head, body = whole[:at], whole[at:]
        start, states = struct.unpack_from("<qq", head, at - 24)
        for data in (body, *(mutated(body, dice) for _ in range(6))):
            check_binary(head + data, at, states, start, arc_type)


def check_binary(data: bytes, at: int, states: int, start: int, arc_type: str) -> None:
    found = fast("openfst", data)
    try:
        table, end = vector_states(data, at, states, start, arc_type)
    except (IndexError, struct.error):
        assert isinstance(found, str), data
        return
    if end < len(data):
        assert found == f"f: byte {end}: {len(data) - end} bytes are left over after the machine"
        return
    negative = sorted(int(arc[2]) for arc in table.arcs if arc[2].startswith("-"))
    expected = outcome(lambda: [("f", table.rows())])
    if negative:
        assert f"label {negative[0]} is negative" in found
    else:
        assert found == expected


SUBLATTICES = """# two cards and the main lattice
SUBLAT=digit
base=10
N=4 L=4
I=0
I=1 W=one
I=2 W=two
I=3
J=0 S=0 E=1 a=-1
J=1 S=0 E=2 l=-2
J=2 S=1 E=3
J=3 S=2 E=3
.
SUBLAT=pair dir=b
N=2 L=1
I=0 L=digit
I=1 L=digit
J=0 S=0 E=1 a=-0.5
.
VERSION=1.0 wdpenalty=-2
N=3 L=2
I=0 W=!ENTER
I=1 L=pair
I=2 W=stop
J=0 S=0 E=1 a=-3
J=1 S=1 E=2
"""


def test_sublattices() -> None:
    assert check("slf", SUBLATTICES.encode())
    (item,) = FORMATS["slf"].read(Source("f", SUBLATTICES.encode()), ReadOptions())
    network = item.value
    assert (network.root, list(network.cards)) == ("main lattice", ["main lattice", "digit", "pair"])
    words, cost, _ = network.best_path()
    # Three words at a penalty of 2 each; l and a to the base 10 in the digits, natural in the others.
    assert (words, cost) == (("one", "one", "stop"), pytest.approx(3 * 2 + 3.5 + 2 * math.log(10)))
    dice = random.Random(5)
    for _ in range(300):
        check_network(mutated(SUBLATTICES.encode(), dice))


def check_network(data: bytes) -> None:
    """As `check`, but for faults of networks, which the network itself finds."""
    expected, found = outcome(lambda: SLOW["slf"](data)), fast("slf", data)
    if isinstance(found, str) and "circle" in found:
        assert not isinstance(expected, str)
    else:
        assert found == expected, data
