"""Confusion networks: SRILM's word meshes, and those of Moses; only lattices that are one can be written so.

SRILM's are columns of words with posteriors. Source: wlat-format(5).

    name utterance                  optional
    numaligns 2
    posterior 0.95                  mass of all hypotheses; not used
    align 0 we 0.9 *DELETE* 0.05    column, then words and posteriors; *DELETE* is no word
    align 1 know 0.95

A posterior p is the graph cost -ln p. Columns need not come in order, but each must be there. What else SRILM writes
of a column (its own posterior, transposterior, reference, hyps, info, time) is left out; other lines are errors, as
for SRILM.

Moses has a column a line, `word probability word probability ...`; a blank line ends a sentence.

    das|ART 0.4 der|ART 0.6
    haus|NN 1.0

Words are factored, `surface|tag`: the surface, what stands before the first bar, is the word. `*EPS*` is no word. The
graph cost is the negative log of the probability, and a word of probability 0 is left out. Sentences have no ids:
order decides. Source: Moses' regression tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import numpy as np

from fstmetrics.data.lattice import Lattice
from fstmetrics.data.shaping import chained
from fstmetrics.io.arcs import NUMBER, ArcList, count, fields_of, log_cost, refuse_cut, shown
from fstmetrics.io.items import Format, Item, Listing, ReadOptions
from fstmetrics.io.window import PARAGRAPH, paragraphs, split
from fstmetrics.io.writing import Carries, WriteOptions, Writer, encoded, only_item
from fstmetrics.io.written_words import check_words, checked_id
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import File, Source, stem

# What is no word of Moses.
EPSILON = "*EPS*"
Column = list[tuple[str, float]]


def columns(lattice: Lattice, epsilon: str) -> list[Column]:
    """The words of every column, and exp(-cost), their posteriors.

    Raises:
        FstmetricsError: the lattice is no confusion network, or a cost is that of no posterior.
    """
    check_words(lattice.symbols)
    automaton = chained(lattice).automaton
    if (automaton.destinations != automaton.sources + 1).any():
        raise FstmetricsError(
            "the lattice is no confusion network: an arc leads past a column; plf and slf hold any lattice"
        )
    with np.errstate(over="ignore"):
        posteriors = np.exp(-automaton.arc_costs[:, 0])
    if (posteriors > 1).any() or (posteriors < np.finfo(np.float64).tiny).any():
        raise FstmetricsError(
            "a cost is not that of a posterior, which lies between 0 and 1 (0 to 708); --scale lm=0,acoustic=0 "
            "writes the words without costs"
        )
    names = [epsilon, *lattice.symbols.words[1:]]
    found: list[Column] = [[] for _ in range(automaton.num_states - 1)]
    rows = zip(automaton.sources.tolist(), automaton.labels.tolist(), posteriors.tolist(), strict=True)
    for column, label, posterior in rows:
        found[column].append((names[label], posterior))
    return found


def _pairs(column: Column) -> str:
    return " ".join(f"{word} {posterior!r}" for word, posterior in column)


def write_srilm(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one mesh of a file; errors as of `columns`."""
    item = only_item(items)
    found = columns(item.value, "*DELETE*")
    lines = [f"name {checked_id(item)}\n"] if item.id else []
    lines += [f"numaligns {len(found)}\n", "posterior 1\n"]
    lines += [f"align {index} {_pairs(column)}\n" for index, column in enumerate(found)]
    return encoded(iter(lines))


def write_moses(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line a column, a blank line after each network.

    Raises:
        FstmetricsError: as of `columns`; also no column at all, and a word that would not come back.
    """
    return encoded(line for item in items for line in _moses(item.value))


def _moses(lattice: Lattice) -> Iterator[str]:
    for word in lattice.symbols.words[1:]:
        if "|" in word or word == EPSILON:
            raise FstmetricsError(
                f"the word {word!r} would be read as another: a bar parts a word from its factors"
            )
    found = columns(lattice, EPSILON)
    if not found:
        raise FstmetricsError("there is no column, and a blank line ends a network")
    for column in found:
        yield f"{_pairs(column)}\n"
    yield "\n"


SRILM_WRITER = Writer("srilm-mesh", (".mesh",), Carries("lattice", costs="sum", acyclic=True), write_srilm)
MOSES_WRITER = Writer(
    "moses-cn", (".cn",), Carries("lattice", several=True, costs="sum", acyclic=True), write_moses
)


LEFT_OUT = re.compile(rb"^(?:reference|hyps|info|time) ", re.M)
IGNORED = frozenset({"name", "posterior", "transposterior", "reference", "hyps", "info", "time"})


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one mesh of a file; its id is the file's stem.

    Raises:
        InputError: a line of another kind, a column twice, without a word or missing, or a posterior that is none.
    """
    source.refuse_empty()
    arcs: ArcList | None = None
    columns: dict[int, int] = {}
    for number, line in source.lines():
        fields = fields_of(line)
        if not fields or fields[0] in IGNORED:
            continue
        try:
            if fields[0] == "numaligns" and arcs is None:
                arcs = ArcList(1 + count(" ".join(fields[1:]), "a number of columns"))
            elif fields[0] == "align" and arcs is not None:
                _add_to_mesh(arcs, fields, number, columns)
            else:
                again = " a second time" if fields[0] == "numaligns" else ""
                raise ValueError(
                    f"expected `numaligns N`, then `align COLUMN word posterior ...`, found {shown(line)}{again}"
                )
        except ValueError as error:
            raise source.error(str(error), number) from None
    if arcs is None:
        raise source.error("no `numaligns` line; is this a word mesh?")
    _refuse_gaps(source, columns, arcs.states - 1)
    refuse_cut(source)
    arcs.finals = {arcs.states - 1: 1}
    left_out = ("times, references and hypotheses of words",) if LEFT_OUT.search(source.data) else ()
    yield Item(source.stem, arcs.lattice(source, id=source.stem), left_out=left_out)


def _add_to_mesh(arcs: ArcList, fields: list[str], number: int, columns: dict[int, int]) -> None:
    column = count(fields[1] if len(fields) > 1 else "", "the number of a column")
    if column >= arcs.states - 1:
        raise ValueError(f"column {column} is out of range: numaligns says {arcs.states - 1}")
    if columns.setdefault(column, number) != number:
        raise ValueError(f"column {column} is already in line {columns[column]}")
    if len(fields) < 4 or len(fields) % 2:
        raise ValueError(f"expected words and posteriors in turn, found {shown(' '.join(fields[2:]))}")
    for word, posterior in zip(fields[2::2], fields[3::2], strict=True):
        arcs.add(column, column + 1, word, log_cost(posterior), number)


def _refuse_gaps(source: Source, columns: dict[int, int], expected: int) -> None:
    if len(columns) < expected:
        missing = next(column for column in range(expected) if column not in columns)
        raise source.error(
            f"numaligns says {expected} columns, but {len(columns)} are there; column {missing} is not: is it cut off?"
        )


FORMAT = Format(
    "srilm-mesh", "SRILM word mesh (confusion network)", read, writers=(SRILM_WRITER,), id_of=stem
)


FACTOR = re.compile(rb"\S\|\S")


def read_moses(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the networks of a file; they have no ids.

    Raises:
        InputError: a word without a probability, or a number that is none.
    """
    source.refuse_empty()
    left_out = ("factors",) if FACTOR.search(source.data) else ()
    arcs = ArcList(1)
    for number, line in source.lines():
        fields = fields_of(line)
        if fields:
            _add_column(source, arcs, fields, number)
        elif len(arcs):
            arcs.finals = {arcs.states - 1: arcs.places[-1]}
            yield Item(None, arcs.lattice(source, id=""), left_out=left_out)
            arcs = ArcList(1)
        else:
            raise source.error("a blank line ends a sentence, but there is none before it", number)
    refuse_cut(source, blank=True)


def _add_column(source: Source, arcs: ArcList, fields: list[str], number: int) -> None:
    column = arcs.states - 1
    arcs.states += 1
    if len(fields) % 2 or not all(map(NUMBER.fullmatch, fields[1::2])):
        raise source.error(
            f"expected words and probabilities in turn, found {shown(' '.join(fields))}", number
        )
    for word, probability in zip(fields[::2], fields[1::2], strict=True):
        try:
            cost = log_cost(probability)
        except ValueError as error:
            raise source.error(str(error), number) from None
        surface = word.partition("|")[0]
        arcs.add(column, column + 1, "" if surface == EPSILON else surface, cost, number)


def _find(file: File, options: ReadOptions) -> Listing | None:
    return split(file, options, read_moses, PARAGRAPH, partial(paragraphs, path=file.path))


MOSES_FORMAT = Format(
    "moses-cn", "Moses confusion networks, a column a line", read_moses, writers=(MOSES_WRITER,), find=_find
)
