"""Damaged and wrong files: every one of them gives an InputError that names the place."""

from __future__ import annotations

import gzip
import random
import re
import struct
from pathlib import Path

import pytest
from command import written
from written import Drawn, kaldi_binary

from fstmetrics.readers import FORMATS, ReadOptions, Source, Stream, open_stream, read_items
from fstmetrics.readers.numbering import read_symbols
from fstmetrics.readers.recognise import recognise
from fstmetrics.support.errors import InputError

SMALL = Drawn([(0, 1, "a", 1.0, 2.0), (0, 1, "", 1.0, 2.0)], {1: (0.0, 0.0)})
BINARY = kaldi_binary("k", SMALL, {"a": 7, "": 0})
LATTICE4 = kaldi_binary("k", SMALL, {"a": 7, "": 0}, compact=False)
HEADER = (
    len(b"k ") + 4 + len(struct.pack("<i", 0) + b"vector") + len(struct.pack("<i", 0) + b"compactlattice44")
)
LINKS = "J=0 S=0 E=1 W=a\n"
SUBLATTICE = "SUBLAT=x\nN=2 L=1\n" + LINKS + ".\n"
CALLING = "N=2 L=1\nI=1 L=x\nI=0\nJ=0 S=0 E=1\n"
NAN = struct.pack("<f", float("nan"))


def patched(data: bytes, at: int, code: str, value: float) -> bytes:
    piece = struct.pack("<" + code, value)
    return data[:at] + piece + data[at + len(piece) :]


CASES = [
    ("plain", b"caf\xe9\n", "f: byte 3: not UTF-8 text"),
    ("kaldi-text", "u1 a\n\nu2 b\n", "f:2: blank line"),
    ("kaldi-text", "u1 a\nu2\nu1 b\n", "f:3: id 'u1' is already in line 1"),
    ("nbest", "", "f: is empty"),
    ("nbest", "0 ||| a\nb c\n", "f:2: expected `id ||| hypothesis ||| ...`, not 'b c'"),
    ("nbest", "0 ||| a\n ||| a\n", "f:2: expected `id"),
    ("nbest", "a ||| q ||| s: 1 ||| nan\n", "f:1: expected a number, not 'nan'"),
    ("nbest", "a ||| q ||| s: 1 ||| -2\na ||| r ||| s: 1 ||| -inf\n", "f:2: expected a number, not '-inf'"),
    ("nbest", "a ||| q ||| s: 1 ||| 0-0\n", "f:1: expected a number, not '0-0'"),
    (
        "nbest",
        "a ||| q ||| s: 1 ||| -2\na ||| r ||| s: 1\n",
        "f:2: this hypothesis of 'a' has no total, and those",
    ),
    (
        "nbest",
        "a ||| q\nb ||| x\na ||| r ||| ||| -1\n",
        "f:3: this hypothesis of 'a' has a total, and those before",
    ),
    ("nbest-srilm", "NBestList1.0\n(-1) a\n(nan) b\n", "f:3: expected a number, not 'nan'"),
    ("nbest-kaldi", "u a\n\nu b\n", "f:2: blank line"),
    ("nbest-lines", "", "f: is empty"),
    ("network", '{"format":\n"fstmetrics-network/1",}', "f:2: not JSON"),
    ("network", '{"format": "fstmetrics-network/9"}', "f: "),
    ("network", '{"a":' + "[" * 100000, "f: not a network: brackets are nested too deeply"),
    ("slf", " \n", "f: is empty"),
    ("slf", "N=2 L=2\nI=0\nI=1\n" + LINKS, "f: found 1 links, but L=2 says 2: is the file cut off?"),
    ("slf", "N=3 L=1\nI=0\nI=1\n" + LINKS, "f: found 2 nodes, but N=3 says 3: is the file cut off?"),
    ("slf", "VERSION=1.0\n" + LINKS, "f: no N= field"),
    ("slf", "N=two L=1\n" + LINKS, "f: N='two' is not a number of nodes"),
    ("slf", "N=2 L=1\nI=0\nI=0\n", "f:3: node I=0 was there before"),
    ("slf", "N=2 L=1\nI=0\nI=00\n", "f:3: node I=0 was there before"),
    ("slf", "N=2 L=1\nI=7\nI=07\n", "f:3: node I=7 was there before"),
    ("slf", "N=2 L=1\nI=zero\n", "f:2: a state is a non-negative integer, not 'zero'"),
    ("slf", "N=2 L=2\n" + LINKS + LINKS, "f:3: link J='0' is already in line 2"),
    ("slf", "N=2 L=1\nJ=0 S=0 W=a\n", "f:2: link J='0' needs both S= and E="),
    ("slf", "N=2 L=1\nJ=0 S=0 E=1 W=a stray\n", "f:2: expected NAME=value, not 'stray'"),
    ("slf", "N=2 L=1\nJ=0 S=0 E=1 a=loud\n", "f:2: a= l= and r= of link J='0' must be numbers"),
    ("slf", "N=2 L=1\nJ=0 S=0 E=1 a=nan\n", "f:2: a cost is a number or Infinity"),
    ("slf", "N=2 L=1 start=0\nI=0\nI=1\nJ=0 S=0 E=5\n", "f:4: state 5 is out of range"),
    ("slf", "base=0\nN=2 L=1\nJ=0 S=0 E=1 a=-1\n", "f:3: a cost is a number"),
    ("slf", "base=-2\nN=2 L=1\n" + LINKS, "f: base='-2' is not a usable number"),
    ("slf", "lmscale=x\nN=2 L=1\n" + LINKS, "f: lmscale='x' is not a usable number"),
    ("slf", "N=2 L=2\nJ=0 S=0 E=1\nJ=1 S=1 E=0\n", "f: no start= field, and no nodes without incoming links"),
    ("slf", "N=3 L=2\nJ=0 S=0 E=2\nJ=1 S=1 E=2\n", "f: no start= field, and 2 nodes (0, 1) without incoming"),
    ("slf", "N=3 L=2\nJ=0 S=0 E=2\nJ=1 S=0 E=1\n", "f: no end= field, and 2 nodes (1, 2) without outgoing"),
    ("slf", "start=9\nN=2 L=1\n" + LINKS, "f: start=9, but the nodes are 0 to 1"),
    ("slf", "start=x\nN=2 L=1\n" + LINKS, "f: start='x': a state is"),
    ("slf", SUBLATTICE + "N=2 L=1\nI=1 L=x\nI=0\n" + LINKS, "f:8: a link with a word of its own stands for"),
    ("slf", SUBLATTICE + CALLING.replace("L=x", "L=y"), "f: network f: card 'main lattice' calls 'y'"),
    ("slf", SUBLATTICE.replace("SUBLAT=x\n", "") + CALLING, "f:1: no SUBLAT= field in this sub-lattice"),
    ("slf", SUBLATTICE + SUBLATTICE + CALLING, "f:5: sub-lattice 'x' is already in line 1"),
    ("slf", "lmscale=2\n" + SUBLATTICE + CALLING, "f:1: lmscale= of a sub-lattice differs"),
    (
        "slf",
        SUBLATTICE + CALLING.replace("L=x", "L=x W=a"),
        "f:6: node I=1 has both a word and a sub-lattice",
    ),
    ("slf", CALLING + ".\n", "f:1: no SUBLAT= field in this"),
    ("slf", SUBLATTICE.replace("L=1", "L=2") + CALLING, "f: found 1 links, but L=2"),
    ("slf", SUBLATTICE + CALLING.replace("L=1", "L=2"), "f:5: found 1 links, but L=2"),
    ("slf", SUBLATTICE, "f:5: no N= field"),
    ("slf", "N=2 L=1\n" + LINKS + "N=2 L=1\n", "f:3: a second lattice begins here"),
    (
        "slf",
        "N=999999999 L=1\nJ=0 S=0 E=999999998\n",
        "f: a link names node 999999998, but no node has a line",
    ),
    ("kaldi-lattice", "", "f: is empty"),
    ("kaldi-lattice", "k\n0 1 a 1,2,\n", "f:1: lattice 'k' has no final state: is it cut off?"),
    ("kaldi-lattice", "k\n1\n\nk2", "f:4: no blank line ends lattice 'k2': is the file cut off?"),
    ("kaldi-lattice", "k\n0 1 a 1,2,\n1\n\nk\n0\n", "f:5: key 'k' is already in line 1"),
    ("kaldi-lattice", "k\n0 1 a 1;2\n1\n", "f:2: expected an integer (a transition id)"),
    ("kaldi-lattice", "k\n0 1 a x,2,\n1\n", "f:2: a cost is a number, not 'x'"),
    ("kaldi-lattice", "k\n0 1 a nan,2,\n1\n", "f:2: a cost is a number or Infinity"),
    ("kaldi-lattice", "k\n0 1 a 1,2,\n1 5\n", "f:3: expected a weight"),
    ("kaldi-lattice", "k\n0 1 a 1,2,\n1 5,6\n", "f:3: '5,6' does not fit in a compact lattice"),
    (
        "kaldi-lattice",
        "k\n0 1 9 a 1,2\n0 1 a\n1\n",
        "f:3: '0 1 a' does not fit in a lattice (graph,acoustic)",
    ),
    ("kaldi-lattice", "k\n0 -1 a 1,2,\n1\n", "f:2: a state is a non-negative integer, not '-1'"),
    ("kaldi-lattice", "k\n0 99999999999999 a\n1\n\n", "f:2: state 99999999999999 is out of range"),
    ("kaldi-lattice", "k\n0 1 2 3 4 5\n", "f:2: expected 1 to 5 fields, found 6"),
    ("kaldi-lattice", BINARY[:-3], f"f: byte {len(BINARY) - 8}: the number of arcs of state 1"),
    ("kaldi-lattice", LATTICE4[:-3], f"f: byte {len(LATTICE4) - 16}: state 1 would take 16 bytes"),
    ("kaldi-lattice", BINARY + b"rest", f"f: byte {len(BINARY)}: expected a key"),
    (
        "kaldi-lattice",
        BINARY + b"x y" + BINARY[2:],
        f"f: byte {len(BINARY) + 2}: expected an OpenFst machine",
    ),
    ("kaldi-lattice", BINARY + BINARY, f"f: byte {len(BINARY)}: key 'k' is already at byte 0"),
    ("kaldi-lattice", BINARY + b"\xff\xff" + BINARY[1:], "the key is not UTF-8"),
    (
        "kaldi-lattice",
        BINARY.replace(b"lattice44", b"lattice45"),
        "f: byte 2: arcs of type 'compactlattice45'",
    ),
    ("kaldi-lattice", BINARY.replace(b"vector", b"vectro"), "f: byte 2: machines of type 'vectro'"),
    ("kaldi-lattice", patched(BINARY, HEADER + 16, "q", 5), "the start is state 5, but there are 2 states"),
    ("kaldi-lattice", patched(BINARY, HEADER + 24, "q", 1 << 50), "the header says 1125899906842624 states"),
    ("kaldi-lattice", patched(BINARY, HEADER + 24, "q", -1), "the header says -1 states"),
    ("kaldi-lattice", patched(BINARY, HEADER + 40 + 12, "q", 1 << 60), "an arc of state 0"),
    ("kaldi-lattice", patched(BINARY, HEADER + 40 + 12, "q", -1), "state 0 has -1 arcs"),
    ("kaldi-lattice", patched(LATTICE4, HEADER - 8 + 40 + 8, "q", 1 << 60), "arcs of state 0 would take"),
    ("kaldi-lattice", patched(LATTICE4, HEADER - 8 + 40 + 8, "q", -1), "arcs of state 0 would take"),
    (
        "kaldi-lattice",
        patched(LATTICE4, HEADER - 8 + 40 + 16 + 16, "i", 2),
        "state 2 is out of range: there are 2",
    ),
    ("kaldi-lattice", patched(LATTICE4, HEADER - 8 + 40 + 16 + 4, "i", -7), "label -7 is negative"),
    ("kaldi-lattice", patched(LATTICE4, HEADER - 8 + 40 + 16 + 8, "f", float("nan")), "a cost is a number"),
    ("openfst", b"", "f: is empty"),
    ("openfst", b"\xd6\xfd\xb2\x7e\xff\xff\xff\x7fvector", "the machine type would take 2147483647 bytes"),
    ("openfst", LATTICE4[2:] + b"more", "4 bytes are left over after the machine"),
    ("openfst", patched(LATTICE4[2:], HEADER - 10 + 4, "i", 1), "expected a symbol table"),
    ("openfst", LATTICE4[2:].replace(b"vector", b"const\0"), "machines of type"),
    ("att", "\n", "f: is empty"),
    ("att", "\x1c\n", "f: is empty"),
    ("att", "\u0085\u2003", "f: is empty"),
    ("kaldi-lattice", b"\xef\xbb\xbf\n", "f: is empty"),
    ("att", "0 1 a\n", "f:1: no final state"),
    ("att", "0 1 a x y z\n", "f:1: expected 1 to 5 fields, found 6"),
    (
        "att",
        "0 1 a b 0.5\n0 1 a\n1\n",
        "f:2: three fields, and this is a transducer, whose arcs have four or five",
    ),
    ("att", "0 1 a b x\n1\n", "f:1: a cost is a number, not 'x'"),
    ("att", "0 one a\n1\n", "f:1: a state is a non-negative integer, not 'one'"),
    ("att", "0 1 a\n1 x\n", "f:2: a cost is a number, not 'x'"),
    ("att", "0 1 a -Infinity\n1\n", "f:1: a cost is a number or Infinity"),
]


@pytest.mark.parametrize(("format", "data", "message"), CASES)
def test_errors(format: str, data: bytes | str, message: str) -> None:
    raw = data.encode() if isinstance(data, str) else data
    with pytest.raises(InputError) as caught:
        list(FORMATS[format].read(Source("f", raw), ReadOptions()))
    assert message in str(caught.value)
    assert str(caught.value).startswith("f:")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("kaldi-lattice", "k\n0 1 8\n1\n\n"),
        ("kaldi-lattice", BINARY),
        ("att", "0 1 8\n1\n"),
        ("openfst", LATTICE4[2:]),
    ],
)
def test_label_without_word(format: str, data: bytes | str, tmp_path: Path) -> None:
    table = tmp_path / "words.txt"
    table.write_text("<eps> 0\nx 1\n")
    raw = data.encode() if isinstance(data, str) else data
    with pytest.raises(InputError, match=r"f:.*label [78] is not in the symbol table .*words\.txt"):
        list(FORMATS[format].read(Source("f", raw), ReadOptions(symbols=str(table))))


@pytest.mark.parametrize(
    ("format", "data", "message"),
    [
        ("att", "0 1 1\n1 2 -5\n2\n", "f:2: label -5 is negative"),
        ("att", "0 1 1\n1 2 x\n2\n", "f:2: label 'x' is a word, but the first of the file is an integer"),
        ("att", "0 1 x\n1 2 1\n2\n", "f:2: label '1' is an integer, but the first of the file is a word"),
        ("kaldi-lattice", "k\n0 1 1\n1 2 -5\n2\n\n", "f:3: label -5 is negative"),
        ("kaldi-lattice", "k\n0 1 1\n1 2 foo 1,2,\n2\n\n", "f:3: label 'foo' is a word"),
        ("kaldi-lattice", "e\n\nk\n0 1 1\n1\n\nm\n0 1 foo\n1\n\n", "f:8: label 'foo' is a word"),
        ("kaldi-lattice", "k\n0 1 x\n1\n\nm\n0 1 -1\n1\n\n", "f:6: label '-1' is an integer"),
        ("kaldi-text", "u1\nu2 1\nu3 1 -5\n", "f:3: label -5 is negative"),
        ("kaldi-text", "u1 1 x\n", "f:1: label 'x' is a word"),
        ("kaldi-text", "u1 x\nu2 1\n", "f:2: label '1' is an integer"),
    ],
)
def test_integers_are_looked_up_or_refused(format: str, data: str, message: str, tmp_path: Path) -> None:
    """No label is a word by the way, because another one is; the same where lattices are read one by one."""
    table = written(tmp_path / "words.txt", "<eps> 0\nx 1\n")
    with pytest.raises(InputError) as caught:
        list(FORMATS[format].read(Source("f", data.encode()), ReadOptions(symbols=str(table))))
    assert str(caught.value).startswith(message)
    path = written(tmp_path / "f", data)
    stream = open_stream(str(path), format, str(table))
    assert isinstance(stream, Stream) == (format == "kaldi-lattice")
    if isinstance(stream, Stream):
        with pytest.raises(InputError, match=re.escape(message)):
            _ = [item.value.item() for item in stream]


@pytest.mark.parametrize(
    ("format", "data"), [("att", "0 1 5\n1 2 -5\n2\n"), ("kaldi-lattice", "k\n0 1 5\n1 2 -5\n2\n\n")]
)
def test_negative_integers_without_a_table(format: str, data: str) -> None:
    with pytest.raises(InputError, match=r"f:[23]: label -5 is negative"):
        list(FORMATS[format].read(Source("f", data.encode()), ReadOptions()))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<eps> 0\na one\n", ":2: 'one' is not an integer"),
        ("<eps> 0\na 1\nb 1\n", ":3: integer 1 is given twice, first in line 2"),
        ("<eps> 0\na b 1\n", ":2: a symbol table line is `word integer`"),
    ],
)
def test_symbol_tables(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_symbols(path)
    assert message in str(caught.value)
    path.write_text("<eps> 0\r\na 1\n\nb 2\n")
    assert read_symbols(path) == {0: "<eps>", 1: "a", 2: "b"}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (
            "a.bin",
            bytes(range(256)),
            "byte 0: neither text (byte 0x00) nor a format that is recognised; convert it, or say with",
        ),
        ("a.txt", b"caf\xe9\n", "byte 3: not UTF-8"),
        ("a.slf", b"", "is empty"),
        ("a.ark", b"", "is empty"),
        ("a.json", b"", "is empty"),
        ("a.fst", b"", "is empty"),
        (
            "a.lat",
            b"# getcwd: .\n# -logbase 1.0001e+00\n#\nFrames 195\n#\n",
            "no line `Edges",
        ),
        ("lat.scp", b"u1 /data/lat.1.ark:12\n", "Kaldi script file: it names other files"),
        ("a.gz", b"\x1f\x8b\x08\x00", "damaged gzip"),
    ],
)
def test_files(name: str, data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_items(tmp_path / name)
    assert message in str(caught.value)
    assert name in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_items(tmp_path / "none")
    (tmp_path / "a.att").write_text("0 1 1\n1\n")
    with pytest.raises(InputError, match="none: cannot be read"):
        read_items(tmp_path, symbols="none")
    with pytest.raises(InputError, match="unknown format 'fst'; did you mean openfst"):
        read_items(tmp_path, format="fst")


def small_files(shared: Path) -> list[tuple[str, bytes]]:
    """Real files, the long ones cut to a size that can be read a thousand times."""

    def content(path: str, size: int | None = None) -> bytes:
        data = (shared / path).read_bytes()
        return (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data)[:size]

    binary = content("asr-kaldi-weather/mono/lat.1.gz")
    text = content("asr-kaldi-weather/mono/lat.txt.gz").split(b"\n\n")
    return [
        ("slf", content("asr-theanolm/lattice.slf")),
        ("slf", content("asr-pocketsphinx/cards-005.slf.gz")),
        ("kaldi-lattice", content("asr-theanolm/lattice.lat") + b"\n"),
        ("kaldi-lattice", b"\n\n".join(text[:2]) + b"\n\n"),
        ("kaldi-lattice", binary[: binary.index(b"weather001_003")]),
        ("openfst", content("expected-fstalign/oracle_1.hyp.fst")),
        ("openfst", LATTICE4[2:]),
        ("att", b"0 1 a 1\n0 1 b 2.5\n1 2 1 3e2\n2 0.5\n"),
        ("nbest", content("mt-moses/mert.extractor-txt/nbest.1.gz", 3000)),
        ("network", content("synthetic-networks/networks/single-000.json.gz", 20000)),
        ("kaldi-text", content("asr-pocketsphinx/ref.txt")),
    ]


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Some bytes changed, cut out, doubled or replaced by numbers that are likely to hurt."""
    changed = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 5])):
        at = dice.randrange(len(changed) + 1)
        end = min(len(changed), at + dice.choice([1, 2, 8, 40]))
        kind = dice.randrange(5)
        if kind == 0:
            changed[at:end] = bytes(dice.randrange(256) for _ in range(end - at))
        elif kind == 1:
            changed[at:] = b""
        elif kind == 2:
            changed[at:end] = changed[at:end] * 2
        elif kind == 3:
            changed[at:end] = dice.choice(
                [b"", b" ", b"\n", b"99999999999", b"-1", b"nan", b"=", b"\xff\xff\xff\x7f"]
            )
        elif at < len(changed):
            changed[at] ^= 1 << dice.randrange(8)
    return bytes(changed)


def test_mutations(shared: Path) -> None:
    dice = random.Random(20)
    options = ReadOptions()
    read = failed = 0
    for format, data in small_files(shared):
        for _ in range(1000):
            source = Source("f", mutated(data, dice))
            for chosen in (FORMATS[format], None):
                try:
                    read += sum(1 for _ in (chosen or recognise(source, options)).read(source, options))
                except InputError:
                    failed += 1
    # Both must happen often, or the loop tests nothing.
    assert read > 1000
    assert failed > 1000
