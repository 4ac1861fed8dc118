"""Faulty files of every format, and what their errors say."""

from __future__ import annotations

import struct

from error_cases import Message, content, error_cases
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


# Bytes that a text in a table would not show well.
COMPUTED: list[tuple[str, bytes | str, Message]] = [
    ("plain", b"caf\xe9\n", "f: byte 3: not UTF-8 text"),
    ("network", '{"a":' + "[" * 100000, "f: not a network: brackets are nested too deeply"),
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
    ("openfst", b"\xd6\xfd\xb2\x7e\xff\xff\xff\x7fvector", "the machine type would take 2147483647 bytes"),
    ("openfst", LATTICE4[2:] + b"more", "4 bytes are left over after the machine"),
    ("openfst", patched(LATTICE4[2:], HEADER - 10 + 4, "i", 1), "expected a symbol table"),
    ("openfst", LATTICE4[2:].replace(b"vector", b"const\0"), "machines of type"),
    ("seglst", "[" * 100_000, "f: no list of segments: brackets are nested too deeply"),
]
# The format they are read as, their content, and what is said.
CASES: list[tuple[str, bytes, Message]] = [
    (format, content(case), case["message"])
    for format, cases in error_cases("damaged_files").items()
    for case in cases
] + [(format, data.encode() if isinstance(data, str) else data, said) for format, data, said in COMPUTED]
