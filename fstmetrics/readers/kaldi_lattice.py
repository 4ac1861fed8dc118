"""Kaldi lattice archives: the format and its text form; `kaldi_binary` reads the binary form.

A text archive is, for each lattice, a line with its key, then a line for each arc and final state, then a
blank line (Kaldi, lat/kaldi-lattice.cc `ReadText`). A lattice is compact or not:

    compact: `source destination word graph,acoustic,ids` and `state graph,acoustic,ids`
    other:   `source destination id word graph,acoustic`  and `state graph,acoustic`

where a missing weight is 0 and the ids (transition ids, joined by `_`) may be empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from fstmetrics.readers import kaldi_binary
from fstmetrics.readers.arcs import (
    ArcTable,
    cost_number,
    is_label_number,
    refuse_empty,
    shown,
    state_number,
    text_words,
)
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.symbols_file import read_symbols


def sniff(source: Source) -> bool:
    """Whether there is a key and an OpenFst machine, or a key and soon an arc with a weight."""
    if kaldi_binary.sniff(source):
        return True
    first, *lines = source.data[:65536].lstrip().split(b"\n")
    return not _is_weighted_arc(first) and any(map(_is_weighted_arc, lines))


def _is_weighted_arc(line: bytes) -> bool:
    # Nothing but Kaldi's lattices has two costs joined by a comma after two states and a word.
    fields = line.split()
    if len(fields) not in (4, 5) or not (fields[0].isdigit() and fields[1].isdigit()):
        return False
    parts = fields[-1].split(b",")
    try:
        return len(parts) in (2, 3) and not math.isnan(float(parts[0]) + float(parts[1]))
    except ValueError:
        return False


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices of an archive; ids are the keys.

    Words are looked up in `options.symbols` if all labels of the file are integers; without a symbol
    table the words are the digits, and 0 is epsilon.

    Raises:
        InputError: damaged or cut off, a key twice, or an integer that the symbol table lacks.
    """
    refuse_empty(source)
    if kaldi_binary.sniff(source):
        yield from kaldi_binary.read(source, options)
        return
    drafts = list(_drafts(source))
    integers = all(is_label_number(label) for draft in drafts for label in draft.labels)
    symbols = read_symbols(options.symbols) if options.symbols and integers else None
    for draft in drafts:
        fail = draft.table.fail(source)
        words = text_words(draft.labels, integers, symbols, options.symbols or "", fail)
        yield Item(draft.key, draft.table.lattice(source, words, id=draft.key))


@dataclass(slots=True)
class _Draft:
    key: str
    line: int
    table: ArcTable = field(default_factory=ArcTable)
    labels: list[str] = field(default_factory=list)
    # Whether it is a compact lattice; None until a line tells.
    compact: bool | None = None

    def add(self, line: str, number: int) -> None:
        fields = line.split()
        if len(fields) <= 2:
            weight = fields[1] if len(fields) == 2 else None
            self.table.final(state_number(fields[0]), *self.costs(weight), number)
            return
        if len(fields) > 5:
            raise ValueError(f"expected 1 to 5 fields, found {len(fields)}: {shown(line)}")
        # Four fields are a compact arc with its weight, or another arc without: only a weight has commas.
        compact = len(fields) == 3 or (len(fields) == 4 and fields[3].count(",") == 2)
        self.settle(compact, line)
        if not compact and not fields[2].isdigit():
            raise ValueError(f"expected an integer (a transition id) as third of these fields: {shown(line)}")
        label = fields[2] if compact else fields[3]
        weight = fields[-1] if len(fields) == (4 if compact else 5) else None
        self.table.arc(state_number(fields[0]), state_number(fields[1]), *self.costs(weight), number)
        self.labels.append(label)

    def costs(self, weight: str | None) -> tuple[float, float]:
        if weight is None:
            return 0.0, 0.0
        parts = weight.split(",")
        if len(parts) not in (2, 3):
            raise ValueError(f"expected a weight `graph,acoustic[,ids]`, not {shown(weight)}")
        self.settle(len(parts) == 3, weight)
        return cost_number(parts[0]), cost_number(parts[1])

    def settle(self, compact: bool, where: str) -> None:
        if self.compact not in (None, compact):
            expected = "compact lattice (graph,acoustic,ids)" if self.compact else "lattice (graph,acoustic)"
            raise ValueError(f"{shown(where)} does not fit in a {expected}")
        self.compact = compact


def _drafts(source: Source) -> Iterator[_Draft]:
    lines: dict[str, int] = {}
    draft: _Draft | None = None
    for number, line in source.lines():
        if not line.strip():
            if draft is not None:
                yield _complete(source, draft)
            draft = None
        elif draft is None:
            draft = _Draft(line.strip(), number)
            if lines.setdefault(draft.key, number) != number:
                raise source.error(f"key {shown(draft.key)} is already in line {lines[draft.key]}", number)
        else:
            try:
                draft.add(line, number)
            except ValueError as error:
                raise source.error(str(error), number) from None
    if draft is not None:
        yield _complete(source, draft, at_end=True)


def _complete(source: Source, draft: _Draft, at_end: bool = False) -> _Draft:
    # A lattice without arcs is a key and a blank line; a key at the end of the file is cut off.
    if not draft.table.finals and (draft.labels or at_end):
        raise source.error(f"lattice {shown(draft.key)} has no final state: is it cut off?", draft.line)
    return draft


FORMAT = Format("kaldi-lattice", "Kaldi lattice archive, text or binary", (".ark", ".lats"), sniff, read)
