"""Reading lattices: a file's bytes to an object that can be searched, against OpenFst reading the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import fstmetrics as fm
from bench import peers, probe
from bench.inputs import Inputs
from bench.measure import Line, agree, cpu_ms, missing, ratio_line
from fstmetrics import _native
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.items import ReadOptions
from fstmetrics.io.lattice_batches import text_labels
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import Source

WORDS = 25

# The states of what a peer reads, as a call; made with all that it needs beforehand.
Reader = Callable[[], int]


def reading(inputs: Inputs) -> Iterator[Line]:
    """Each format at one size; peers where they read it."""
    arcs = 10_000 if inputs.tiny else 200_000
    texts = _texts(inputs.folder, arcs)
    for format, data in texts.items():
        work = f"reading, {format}, {arcs} arcs"
        path = inputs.folder / f"reading.{format}"
        path.write_bytes(data)
        ours = cpu_ms(partial(fm.Lattice.read, path, format=format))
        lattice = fm.Lattice.read(path, format=format)
        yield Line(work, "the file's size", ours, note=f"{len(data) / 1e3 / ours:.0f} MB/s")
        yield from _against_peers(work, format, data, ours, lattice.num_states)


def _against_peers(
    work: str, format: str, data: bytes, ours: float, states: int, goal: float | None = None
) -> Iterator[Line]:
    """Each peer that reads the format, on the same bytes."""
    for name, make in PEERS.get(format, {}).items():
        try:
            read = make(data)
        except peers.MissingError as hint:
            yield missing(work, name, str(hint), goal)
            continue
        agree(work, states, read(), name)
        yield ratio_line(work, name, [ours], [cpu_ms(read)], goal)


def batches(inputs: Inputs) -> Iterator[Line]:
    """Bytes in memory to batches ready to search: every format's reader, lattices prepared; OpenFst's beside it.

    Each rate is of one core. Kaldi's archive has many lattices, the others are one machine each, as their formats are.
    """
    arcs = 2_000 if inputs.tiny else 50_000
    texts = _texts(inputs.folder, arcs)
    one = texts["kaldi-lattice"].removeprefix(b"utt-1\n")
    texts["kaldi-lattice"] = b"".join(
        b"utt-%d\n%s" % (number, one) for number in range(2 if inputs.tiny else 40)
    )
    for format, data in texts.items():
        if format == "openfst":
            continue
        work = f"bytes to batches, {format}"
        batch = partial(_batch, format, data)
        ours = cpu_ms(batch)
        states = batch()
        yield Line(work, "MB a second of one core", ours, value=len(data) / 1e3 / ours, goal=400)
        yield from _against_peers(work, format, data, ours, states, 3)


def _batch(format: str, data: bytes) -> int:
    """The states of a file's lattices, all ready to search."""
    options = ReadOptions()
    if format == "kaldi-lattice":
        reader = _native.KaldiTextReader(text_labels(options, integers=False), item_limits())
        column = _native.LatticeColumn(options.vocabulary)
        reader.read(data, 0, True, 0, column)
        ready = column.is_searchable
    elif format == "att":
        labels = text_labels(options, integers=True), text_labels(options, integers=False)
        column = _native.LatticeColumn(options.vocabulary)
        _native.read_att(data, False, *labels, item_limits(), "att", column)
        ready = column.is_searchable
    else:
        (item,) = FORMATS[format].read(Source(format, data), options)
        ready = item.value.prepared.has_path
        return int(item.value.num_states) if ready else 0
    return int(column[0].num_states) if ready else 0


def _texts(folder: Path, arcs: int) -> dict[str, bytes]:
    """One lattice, with a cost an arc, in every format."""
    path = folder / "reading.txt"
    probe.write_wide(path, arcs, WORDS)
    rows = [line.split() for line in path.read_text().splitlines()]
    final = rows.pop()[0]
    costs = [(i * 7919 % 100_000) / 8 for i in range(len(rows))]
    att = [f"{a}\t{b}\t{word}\t{cost}" for (a, b, word), cost in zip(rows, costs, strict=True)]
    kaldi = [
        f"{a}\t{b}\t{word}\t{cost},{cost / 2},3_4" for (a, b, word), cost in zip(rows, costs, strict=True)
    ]
    links = [
        f"J={i} S={a} E={b} W={word} a=-{cost} l=-{cost / 2}"
        for i, ((a, b, word), cost) in enumerate(zip(rows, costs, strict=True))
    ]
    # Labels are integers, and an arc into the final state of its own has none.
    end = int(final) + 1
    k2 = [f"{a} {b} {int(word[1:]) + 1} {-cost}" for (a, b, word), cost in zip(rows, costs, strict=True)]
    k2.append(f"{final} {end} -1 0")
    nodes = [f"I={i}" for i in range(int(final) + 1)]
    frames = [f"{i} w{i * 7919 % probe.VOCABULARY} {i} {i} {i + 9} ; 0" for i in range(len(nodes))]
    edges = [f"{a} {b} {-int(cost)}" for (a, b, _), cost in zip(rows, costs, strict=True)]
    texts = {
        "att": [*att, final],
        "kaldi-lattice": ["utt-1", *kaldi, final, ""],
        "k2": [*k2, str(end)],
        "slf": ["VERSION=1.0", f"N={len(nodes)} L={len(links)} start=0 end={final}", *nodes, *links],
        "sphinx": [
            "# -logbase 1.0001",
            f"Frames {len(nodes)}",
            f"Nodes {len(nodes)}",
            *frames,
            "Initial 0",
            f"Final {final}",
            "BestSegAscr 0",
            "Edges (FROM-NODEID TO-NODEID ASCORE)",
            *edges,
            "End",
        ],
    }
    data = {format: ("\n".join(lines) + "\n").encode() for format, lines in texts.items()}
    try:
        return data | {"openfst": _compiled(peers.package("pywrapfst"), data["att"]).write_to_string()}
    except peers.MissingError:
        return data


def _symbols(module: Any) -> Any:
    symbols = module.SymbolTable()
    symbols.add_symbol("<eps>", 0)
    for word in range(probe.VOCABULARY):
        symbols.add_symbol(f"w{word}", word + 1)
    return symbols


def _compiled(pywrapfst: Any, data: bytes, symbols: Any = None) -> Any:
    symbols = symbols or _symbols(pywrapfst)
    compiler = pywrapfst.Compiler(
        acceptor=True, isymbols=symbols, osymbols=symbols, keep_state_numbering=True
    )
    compiler.write(data.decode())
    return compiler.compile()


def _pywrapfst_text(data: bytes) -> Reader:
    pywrapfst = peers.package("pywrapfst")
    symbols = _symbols(pywrapfst)
    return lambda: int(_compiled(pywrapfst, data, symbols).num_states())


def _kaldifst_text(data: bytes) -> Reader:
    kaldifst = peers.package("kaldifst")
    symbols, text = _symbols(kaldifst), data.decode()
    return lambda: int(kaldifst.compile(text, acceptor=True, isymbols=symbols, osymbols=symbols).num_states)


def _pywrapfst_binary(data: bytes) -> Reader:
    pywrapfst = peers.package("pywrapfst")
    return lambda: int(pywrapfst.Fst.read_from_string(data).num_states())


PEERS: dict[str, dict[str, Callable[[bytes], Reader]]] = {
    "att": {"pywrapfst, compile": _pywrapfst_text, "kaldifst, compile": _kaldifst_text},
    "openfst": {"pywrapfst, read": _pywrapfst_binary},
}
