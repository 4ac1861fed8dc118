"""Files of lattices and networks that are cut off, at every byte: an error, or items that are whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_files import (
    CDEC_TEXT,
    CICADA,
    CITY,
    GRAPH,
    MESH,
    PFSG,
    PLF_LINE,
    RAGGED,
    SPHINX,
    TARGET_GRAPH,
    WLAT,
)

import fstmetrics as fm
from fstmetrics.convert.files import WRITERS
from fstmetrics.io import FORMATS, Deferred, ReadOptions, Source, open_stream
from fstmetrics.io.items import Item
from fstmetrics.io.writing import WriteOptions
from fstmetrics.io.written_words import Numbering
from fstmetrics.support.errors import InputError

# Branches whose last arcs and words are part of the answer, costs of several digits, words that begin like others.
FIRST = fm.Lattice.from_arrays(
    [0, 0, 1, 1, 2, 3], [1, 2, 2, 3, 3, 4], ["the", "a", "cats", "cat", "sat", "down"], finals=[4, 3],
    costs=[(0.25, 10.5), (12.75, 0.125), (1.5, 2.25), (30, 4), (5.5, 66.5), (0.75, 0.5)],
    final_costs=[(0.25, 0), (12.5, 0)], id="u1",
)  # fmt: skip
SECOND = fm.Lattice.from_arcs([(0, 1, "no"), (0, 1, "none"), (1, 2, "one")], finals=[2], id="u22")
NETWORK = fm.Network.from_json(
    '{"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": ["the [X] sat", "a cat"]}, '
    '"X": {"phrases": ["cat", "cats and dogs"]}}}'
)
PLAIN = fm.Lattice.from_strings([["a", "cat"], ["a", "cats"]], id="u1")
MESHES = [
    fm.Lattice.from_arrays(
        [0, 0, 1, 1], [1, 1, 2, 2], ["the", "a", "cat", "cats"], finals=[2],
        costs=[(0.25, 0), (1.5, 0), (0.125, 0), (2.5, 0)], id=f"u{i}",
    )
    for i in (1, 2)
]  # fmt: skip


def made(name: str, *values: Any) -> bytes:
    """A file by one of our own writers."""
    numbered = name.startswith("kaldi-lattice") or name == "k2"
    options = WriteOptions(Numbering()) if numbered else WriteOptions()
    return b"".join(WRITERS[name].write(iter([Item(value.id or None, value) for value in values]), options))


# Format, name of the sample, content.
SAMPLES: list[tuple[str, str, bytes]] = [
    ("att", "weighted", made("att", fm.Lattice.from_arrays(
        [0, 0, 1, 1, 2, 3], [1, 2, 2, 3, 3, 4], ["the", "a", "cats", "cat", "sat", "down"], finals=[4, 3],
        costs=[(10.25, 0), (12.75, 0), (1.5, 0), (30, 0), (5.5, 0), (0.75, 0)], final_costs=[(0.25, 0), (12.5, 0)],
    ))),
    ("att", "plain", made("att", PLAIN)),
    ("att", "finals among arcs", b"0\t1\ta\n0\t2\tb\n1\t12.5\n1\t2\tc\n2\t1.25\n"),
    ("att-transducer", "outputs", b"0\t1\tx\tcat\t1.5\n1\t2\ty\tsat\n2\n"),
    ("kaldi-lattice", "compact", made("kaldi-lattice-text", FIRST, SECOND)),
    ("kaldi-lattice", "other", made("kaldi-lattice4-text", FIRST, SECOND)),
    ("kaldi-lattice", "binary", made("kaldi-lattice", FIRST, SECOND)),
    ("openfst", "binary", made("openfst", PLAIN)),
    ("far", "binary", made("far", PLAIN, SECOND)),
    ("slf", "lattice", made("slf", FIRST)),
    ("slf", "network", made("slf", NETWORK)),
    ("pfsg", "lattice", made("pfsg", PLAIN)),
    ("pfsg", "categories", (PFSG.replace("LONDON", "CITY") + CITY).encode()),
    ("k2", "text", made("k2", PLAIN)),
    ("k2", "lists", RAGGED.encode()),
    ("srilm-mesh", "manual", MESH.encode()),
    ("srilm-mesh", "made", made("srilm-mesh", MESHES[0])),
    ("srilm-lattice", "manual", WLAT.encode()),
    ("sphinx", "manual", SPHINX.encode()),
    ("plf", "lines", PLF_LINE.encode() * 2),
    ("plf", "made", made("plf", *MESHES)),
    ("moses-cn", "made", made("moses-cn", *MESHES)),
    ("moses-graph", "graph", GRAPH.encode()),
    ("network", "made", made("network", NETWORK)),
    ("cdec", "manual", CDEC_TEXT.encode()),
    ("cicada", "manual", json.dumps(CICADA).encode()),
    ("target-graph", "manual", TARGET_GRAPH.encode()),
]  # fmt: skip
# Cuts between two lines that no reader can tell, as what follows is not announced: arcs, final states, a hypothesis of
# the last stack, and the grammars of categories, which then are words.
UNTOLD = {
    ("att", "weighted"): 1,
    ("att", "plain"): 1,
    ("att", "finals among arcs"): 2,
    ("moses-graph", "graph"): 1,
    ("pfsg", "categories"): 2,
}
# Items follow one another, and nothing says how many there are: a cut between two leaves the first ones whole.
SEVERAL = {"kaldi-lattice", "plf", "moses-cn", "moses-graph"}


def seen(item: Item) -> Any:
    """All of an item that an answer may depend on."""
    value = item.value
    if isinstance(value, fm.Network):
        return item.id, value.to_dict(), [card.costs for card in value.cards.values()]
    machine, words = value.automaton, value.symbols.words
    arcs = zip(
        machine.sources.tolist(), machine.destinations.tolist(), [words[label] for label in machine.labels],
        machine.arc_costs.tolist(), strict=True,
    )  # fmt: skip
    return item.id, sorted(arcs), machine.start, machine.finals.tolist(), machine.final_costs.tolist()


def read(format: str, data: bytes) -> list[Any]:
    return [seen(item) for item in FORMATS[format].read(Source("f", data), ReadOptions())]


def streamed(format: str, data: bytes, folder: Path) -> list[Any]:
    """The same, item by item."""
    (folder / "f").write_bytes(data)
    stream = open_stream(str(folder / "f"), format)
    if stream is None or isinstance(stream, Source):
        return read(format, data)
    return [seen(item.given.item() if isinstance(item.given, Deferred) else item) for item in stream]


def wrong(whole: list[Any], found: list[Any], format: str) -> bool:
    return found != whole[: len(found)] or (len(found) < len(whole) and format not in SEVERAL)


@pytest.mark.parametrize(("format", "name", "data"), SAMPLES, ids=[f"{f}-{n}" for f, n, _ in SAMPLES])
def test_a_cut_at_any_byte_is_an_error_or_leaves_items_whole(format: str, name: str, data: bytes) -> None:
    whole = read(format, data)
    bad = []
    for end in range(len(data)):
        try:
            found = read(format, data[:end])
        except InputError:
            continue
        if wrong(whole, found, format):
            bad.append(data[:end][-30:])
    assert len(bad) == UNTOLD.get((format, name), 0), bad
    assert all(piece.endswith(b"\n") for piece in bad)


@pytest.mark.parametrize("format", sorted(SEVERAL))
def test_item_by_item_a_cut_is_an_error_too(format: str, tmp_path: Path) -> None:
    for _, name, data in (sample for sample in SAMPLES if sample[0] == format):
        whole, bad = streamed(format, data, tmp_path), 0
        assert whole == read(format, data)
        for end in range(0, len(data), 13):
            try:
                found = streamed(format, data[:end], tmp_path)
            except InputError:
                continue
            bad += wrong(whole, found, format)
        assert bad <= UNTOLD.get((format, name), 0)


@pytest.mark.parametrize(
    ("format", "text", "said"),
    [
        ("att", "0 1 a\n1 12.5", "f:2: no line end after the last line: is the file cut off? If it is whole, add one"),
        ("slf", "N=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a l=-1.2", "f:4: no line end"),
        ("slf", "N=2 L=1\nI=0\nI=1\nJ=0 S", "f:4: expected NAME=value, not 'S': is the file cut off?"),
        ("slf", "N=2 L=1\nI=0\nI=1\n", "f: found 0 links, but L=1 says 1: is the file cut off?"),
        ("kaldi-lattice", "u\n0 1 a\n0 2 b\n1\n", "f:1: no blank line ends lattice 'u'"),
        ("moses-cn", "a 0.5 b 0.5\n", "f:1: no blank line after the last item"),
        ("moses-graph", GRAPH.replace("4 hyp=7", "5 hyp=7"), "sentence 4 has no line of hypothesis '7'"),
    ],
)  # fmt: skip
def test_what_is_said_of_cuts(format: str, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(format, text.encode())
    assert said in str(caught.value)
