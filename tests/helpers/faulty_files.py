"""Faulty files of every format, and what their errors say."""

from __future__ import annotations

import struct

from written import Drawn, kaldi_binary

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
