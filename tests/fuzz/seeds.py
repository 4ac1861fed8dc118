"""Seeds for the fuzzers: small pieces of real files, a folder a target. `python tests/fuzz/seeds.py FOLDER`.

Files come from the examples, and from ../shared/data where that is there; nothing of them is kept in this repository.
Of a long text the first `PIECE` bytes are taken, and as many from the middle.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fstmetrics.data.lattice import Lattice
from fstmetrics.io import FORMATS, ReadOptions, Source
from fstmetrics.io.file_format import recognise
from fstmetrics.io.formats.openfst_binary import MAGIC, vector_bytes
from fstmetrics.support.errors import InputError

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "fstmetrics" / "examples", ROOT / "tests" / "samples", ROOT.parent / "shared" / "data")
PIECE = 3000
FILES_A_FORMAT = 40
LARGEST_FILE = 5_000_000
# Which target takes files of a format; every target of text takes some text, too.
TARGETS = {
    "att": "att", "kaldi-lattice": "kaldi_lattice", "slf": "slf", "k2": "k2", "sphinx": "sphinx",
    "plain": "text", "kaldi-text": "text", "nbest": "text", "trn": "text", "stm": "text",
    "jsonl": "table_rows", "csv": "table_rows", "tsv": "table_rows",
}  # fmt: skip


def sources() -> Iterator[Source]:
    """The files, without their gzip."""
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.is_file() and path.stat().st_size <= LARGEST_FILE:
                try:
                    yield Source.open(path)
                except InputError:
                    continue


def pieces(data: bytes) -> Iterator[bytes]:
    """The beginning of a text and a part of its middle, by whole lines."""
    if len(data) <= PIECE:
        yield data
        return
    yield data[: data.rfind(b"\n", 0, PIECE) + 1]
    middle = data.find(b"\n", len(data) // 2) + 1
    yield data[middle : middle + PIECE]


def cards(network: dict[str, Any]) -> bytes:
    """A network's cards, as cards.cc wants them."""
    lines: list[str] = []
    for name, card in network.get("cards", {}).items():
        lines.append(f"c{name}")
        lines += [f"p{phrase}" for phrase in card.get("phrases", ())[:10]]
        lines += [f"a{a} {b} {label}" for a, b, label in card.get("arcs", ())[:50]]
        lines += [f"f{state}" for state in card.get("final", ())] + [f"s{card.get('start', 0)}"]
    return "\n".join(lines).encode()[: 2 * PIECE]


def att(source: Source) -> Iterator[bytes]:
    """The lattices of a file as AT&T text, words and numbers in turn."""
    try:
        lattices = [item.value for item in recognise(source, ReadOptions()).read(source, ReadOptions())]
    except InputError:
        return
    for number, lattice in enumerate(lattices[:2]):
        a, words = lattice.automaton, lattice.symbols.words
        rows = zip(a.sources[:60].tolist(), a.destinations[:60].tolist(), a.labels[:60].tolist(), strict=True)
        arcs = [f"{s} {d} {label if number else words[label] or '<eps>'}" for s, d, label in rows]
        yield "\n".join([*arcs, *(f"{state} 0.5" for state in a.finals.tolist()), ""]).encode()


def seeds() -> Iterator[tuple[str, bytes]]:
    """Target and input, again and again."""
    taken: dict[str, int] = {}
    for source in sources():
        name = "words.txt" if source.name == "words.txt" else _format(source)
        if taken.setdefault(name, 0) >= FILES_A_FORMAT:
            continue
        taken[name] += 1
        if b'"path_length"' in source.data[:PIECE]:
            yield from (("record_columns", piece) for piece in pieces(source.data))
        elif name in ("openfst", "kaldi-lattice", "far") and MAGIC in source.data:
            yield "fst_archive", source.data[: 4 * PIECE]
        elif name in TARGETS:
            if name in ("slf", "kaldi-lattice") and len(source.data) < 50 * PIECE:
                yield from (("att", data) for data in att(source))
            yield from ((TARGETS[name], piece) for piece in pieces(source.data))
            if name in ("trn", "stm"):
                yield from (("choices", piece) for piece in pieces(source.data))
            if TARGETS[name] == "text":
                yield from (("lines", piece) for piece in pieces(source.data))
            if name == "jsonl":
                yield from (("json_document", line) for line in source.data[:PIECE].splitlines()[:3])
        elif name == "words.txt":
            yield from (("symbol_table", piece) for piece in pieces(source.data))
        elif name == "network":
            yield "cards", cards(json.loads(source.data))
    for path in sorted((ROOT / "tests" / "samples" / "crashers").iterdir()):
        yield from ((target.stem, path.read_bytes()) for target in (ROOT / "tests" / "fuzz").glob("*.cc"))
    yield "att", b"0 1 a b 0.5\n1 2 c\td\n2 Infinity\n"
    yield "k2", b"0 1 10 0.1\n0 2 0 -0.5\n1 3 -1 0.4\n2 3 -1 0\n3\n"
    yield "k2", b"0 1 10 7 0.25\n1 2 -1 -1 0\n2\n"
    yield "choices", "a {b/{c /@} } (é) <*> [x|y|] {z|} \\{ @;t \\ (u-1)\n;; c\nd {e|f} (g) (u-2)\n".encode()
    yield "symbol_table", b"<eps> 0\na 1\nb -2\n"
    yield "json_document", b'{"a": [1, -2.5e3, null, true], "\\u00e9\\ud800": "\\n\\ud83d\\ude00", "b": {}}'
    yield "lines", b"u1 1\n\nu2\ta b\r\n  c (u-3)\n;; d\n12.5 --> 13.0\nu1 [0.0s -> 1.5s]\n \n"
    yield "text", "a\u00a0b\u2003c\u3000d <s> e </s> 1e-5 .5 Infinity -nan".encode()
    named = Lattice.from_arcs([(0, 1, "a"), (1, 2, "\u00e9")], finals=[2])
    yield "fst_archive", b"u " + vector_bytes(named.automaton, symbols=named.symbols)


def _format(source: Source) -> str:
    try:
        return recognise(source, ReadOptions()).name
    except InputError:
        return ""


def main(folder: Path) -> None:
    """Write all seeds."""
    assert set(TARGETS) <= set(FORMATS)
    for target, data in seeds():
        (folder / target).mkdir(parents=True, exist_ok=True)
        (folder / target / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
