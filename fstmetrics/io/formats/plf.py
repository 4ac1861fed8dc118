r"""Python lattice format (PLF) of Moses, cdec and Joshua: one lattice a line, in the order of the sentences.

    ((('a',-0.5,1),('ab',-1.2,2),),(('b',0,1),),)

is a tuple of nodes, each a tuple of arcs (word, score, how many nodes ahead it leads); the last node is not written.
Words are in single quotes, or in double ones, as Python writes those with an apostrophe; in a word, `\` keeps the next
character. `*EPS*` is no word, words keep their factors, and a word with spaces in it is a phrase: one arc a word. A
line is never evaluated as Python. An empty line is a lattice that holds nothing but the empty string.

No file says what its scores are, and both kinds are common, so all scores of a file decide: if some are below 0 (or
none above) and none above 0.001, a rounding error, they are natural logs (cdec's compound splitter, speech
recognisers), and if all are from 0 to 1 they are probabilities (Moses). Other files, and those with several scores or
named features, `('a',{'name':0.1},1)` (cdec), need a file of weights: the cost is then the negative of the weighted
sum, in which a score without a name is cdec's feature LatticeCost_0. The format "plf-unscored" reads the lattices
without scores. An arc without a score (cdec) costs nothing.

Scores are written as natural logs, the negatives of costs; none may be above 0.

Sources: Moses' PCNTools.cpp, cdec's test files.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import pairwise
from operator import eq
from typing import NamedTuple

import numpy as np

from fstmetrics.data.lattice import Lattice
from fstmetrics.data.shaping import chained
from fstmetrics.io.arcs import NUMBER, ArcList, shown
from fstmetrics.io.items import Format, Item, Listing, ReadOptions
from fstmetrics.io.weights_file import read_weights, tell_misnamed
from fstmetrics.io.window import BLOCK, LINE, Piece, lines, split
from fstmetrics.io.writing import Carries, WriteOptions, Writer, encoded
from fstmetrics.io.written_words import check_words
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import File, Source

EPSILON = "*EPS*"


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line a lattice.

    Raises:
        FstmetricsError: no path, a cycle, a cost below 0, or a word that would not come back.
    """
    return encoded(f"{_line(item.value)}\n" for item in items)


def _line(lattice: Lattice) -> str:
    check_words(lattice.symbols, EPSILON)
    automaton = chained(lattice).automaton
    costs = automaton.arc_costs[:, 0]
    if (costs < 0).any():
        raise FstmetricsError(
            f"a cost of {costs.min():g}, and the format has logs of probabilities, up to 0, for scores; "
            "--scale lm=0,acoustic=0 writes the words without costs"
        )
    names = [f"'{EPSILON}'", *(f"'{escaped(word)}'" for word in lattice.symbols.words[1:])]
    lengths = automaton.destinations - automaton.sources
    arcs = [
        f"({names[label]},{0.0 - cost!r},{length}),"
        for label, cost, length in zip(
            automaton.labels.tolist(), costs.tolist(), lengths.tolist(), strict=True
        )
    ]
    ends = np.searchsorted(automaton.sources, np.arange(automaton.num_states)).tolist()
    nodes = [f"({''.join(arcs[a:b])})," for a, b in pairwise(ends)]
    # A file of nothing but an empty line would be no file of lattices.
    return f"({''.join(nodes)})" if nodes else f"((('{EPSILON}',0.0,1),),)"


def escaped(word: str) -> str:
    r"""A word between single quotes.

    >>> escaped("D'") == "D" + chr(92) + "'"
    True
    """
    return word.replace("\\", "\\\\").replace("'", "\\'")


WRITER = Writer("plf", (".plf",), Carries("lattice", several=True, costs="sum", acyclic=True), write)


# How far above 0 a log may be by rounding.
ROUNDING = 0.001
_NUMBER = NUMBER.pattern
_WORD = r"""(?:'([^'\\]*+(?>(?:\\.[^'\\]*+)*))'|"([^"\\]*+(?>(?:\\.[^"\\]*+)*))")"""
# One arc and the comma after it: word, score, or what else stands between the word and the last number, distance; and
# whether another node begins after it, to save matches for its brackets. All
# repetitions are possessive, so a damaged line takes no longer than a good one.
ARC = re.compile(
    rf" *+\( *+{_WORD} *+,"
    rf"(?: *+({_NUMBER}) *+,| *+(\{{[^{{}}]*+\}}|{_NUMBER}(?>(?: *+, *+{_NUMBER}(?= *+,))+)) *+,|)"
    r" *+(\d{1,9}) *+\) *+,?( *+\) *+,? *+\((?= *+\())?",
    re.ASCII | re.DOTALL,
)
TOO_FAR = re.compile(rf" *+\( *+{_WORD} *+,(?:[^()]*,)? *+(\d{{10,}}) *+\)", re.ASCII | re.DOTALL)
OPEN = re.compile(r" *+\(")
CLOSE = re.compile(r" *+\) *+,?")
FEATURE = re.compile(rf" *+'([^']++)' *+: *+({_NUMBER}) *+,?", re.ASCII)
FEATURES = re.compile(rf"\{{(?>(?:{FEATURE.pattern})*) *+\}}", re.ASCII)
# What cdec calls the score that stands without a name.
UNNAMED = "LatticeCost_0"
ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices of a file, one a line; they have no ids.

    Raises:
        InputError: brackets or fields that are wrong (with line and column), an arc that leads behind the last node, or
            scores that are neither logs nor probabilities.
    """
    source.refuse_empty()
    if options.weights is not None:
        yield from _weighted(source, read_weights(options.weights), options.remark)
        return
    lattices = [_parsed(source, number, line, _single) for number, line in source.lines()]
    settled = options.settled if isinstance(options.settled, ScoreRange) else None
    found = _scores(source, lattices, settled or ScoreRange())
    probabilities = found.are_probabilities(source)
    if settled and probabilities != settled.are_probabilities(source):
        raise _no_scale(source, 1, f"the score {found.low:g} after scores up to {found.high:g}")
    for arcs in lattices:
        yield Item(None, _scored(source, arcs, probabilities))


def read_unscored(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the lattices of a file without their scores; errors as of `read`, scores aside."""
    source.refuse_empty()
    for number, line in source.lines():
        arcs = _parsed(source, number, line, _single)
        left_out = ("scores",) if any(arcs.costs) else ()
        arcs.costs = [0.0] * len(arcs)
        yield Item(None, arcs.lattice(source, id=""), left_out=left_out)


def _single(score: str | None, several: str | None) -> float:
    """The score of an arc; NaN where there are several, 0 where there is none."""
    return float(score) if score else math.nan if several else 0.0


def _weighted(source: Source, weights: Mapping[str, float], remark: Callable[[str], None]) -> Iterator[Item]:
    """The lattices, with the weighted sums of features as scores."""
    names: set[str] = set()

    def weigh(score: str | None, several: str | None) -> float:
        if score:
            names.add(UNNAMED)
            return weights.get(UNNAMED, 0.0) * float(score)
        if not several:
            return 0.0
        if FEATURES.fullmatch(several) is None:
            return math.nan
        features = FEATURE.findall(several)
        names.update(name for name, _ in features)
        return sum(weights.get(name, 0.0) * float(value) for name, value in features)

    for number, line in source.lines():
        arcs = _parsed(source, number, line, weigh)
        if not all(map(math.isfinite, arcs.costs)):
            raise source.error(
                f"expected one score ({UNNAMED}) an arc, or named features: {{'name': value, ...}}", number
            )
        yield Item(None, _scored(source, arcs, False))
    tell_misnamed(weights, names, remark)


def _parsed(
    source: Source, number: int, line: str, weigh: Callable[[str | None, str | None], float]
) -> ArcList:
    """The arcs of a line, by `weigh` with scores in place of costs."""
    arcs = ArcList(1)
    arcs.finals = {0: number}
    if not line.strip():
        return arcs
    at, nodes = _after(source, number, line, 0, OPEN, "`(` before the nodes"), 0
    while CLOSE.match(line, at) is None:
        at = _after(source, number, line, at, OPEN, "`(` before the arcs of a node")
        while match := ARC.match(line, at):
            single, double, score, several, length, another = match.groups()
            word = double if single is None else single
            if "\\" in word or word == EPSILON:
                word = "" if word == EPSILON else ESCAPE.sub(r"\1", word)
            arcs.add(nodes, nodes + int(length), word, weigh(score, several), number)
            if another:
                nodes += 1
            at = match.end()
        if CLOSE.match(line, at) is None:
            raise _no_arc(source, number, line, at)
        at = _after(source, number, line, at, CLOSE, "`)`")
        nodes += 1
    at = _after(source, number, line, at, CLOSE, "`)`")
    if line[at:].strip():
        raise _fault(source, number, line, at, "the end of the line")
    _check_ends(source, number, arcs, nodes)
    arcs.states, arcs.finals = nodes + 1, {nodes: number}
    return arcs


def _after(source: Source, number: int, line: str, at: int, expected: re.Pattern[str], what: str) -> int:
    match = expected.match(line, at)
    if match is None:
        raise _fault(source, number, line, at, what)
    return match.end()


def _no_arc(source: Source, number: int, line: str, at: int) -> Exception:
    """What is wrong with an arc: a distance of too many digits, or anything else."""
    if far := TOO_FAR.match(line, at):
        return source.error(
            f"column {far.start(3) + 1}: the distance {shown(far[3])} is too large: a lattice has fewer nodes",
            number,
        )
    return _fault(source, number, line, at, "an arc ('word', score, distance), or `)` after the last")


def _fault(source: Source, number: int, line: str, at: int, what: str) -> Exception:
    found = shown(line[at:].strip()) if line[at:].strip() else "the end of the line"
    return source.error(f"column {at + 1}: expected {what}, found {found}", number)


def _check_ends(source: Source, number: int, arcs: ArcList, nodes: int) -> None:
    if any(map(eq, arcs.sources, arcs.destinations)):
        raise source.error("an arc of distance 0 leads back to its own node; distances are 1 or more", number)
    if arcs.destinations and (last := max(arcs.destinations)) > nodes:
        raise source.error(f"an arc leads to node {last}, but the last node is {nodes}", number)


class ScoreRange(NamedTuple):
    """The lowest and the highest score found so far, where they are beyond 0, and the line of the latter."""

    low: float = 0.0
    high: float = 0.0
    line: int = 1

    def are_probabilities(self, source: Source) -> bool:
        """Whether the scores of a file are probabilities; False: they are logs. InputError: they are neither."""
        if self.high > 1 or (self.low < 0 and self.high > ROUNDING):
            below = f" and, elsewhere, {self.low:g}" if self.low < 0 else ""
            raise _no_scale(source, self.line, f"the score {self.high:g}{below}")
        return self.low == 0 and self.high > 0


def _scores(source: Source, lattices: list[ArcList], before: ScoreRange) -> ScoreRange:
    low, high, line = before.low, before.high, 1
    for arcs in lattices:
        for score in arcs.costs:
            if math.isnan(score) or math.isinf(score):
                raise _no_scale(source, arcs.places[0], "several scores, named ones or an infinite one")
            low = min(low, score)
            if score > high:
                high, line = score, arcs.places[0]
    return ScoreRange(low, high, line)


def _settle(path: str, pieces: Iterator[Piece]) -> ScoreRange:
    """The scores of the first block of a file, and of as much more as it takes to know what they are."""
    found = ScoreRange()
    for piece in pieces:
        with suppress(InputError):  # raised again where the lattice is asked for
            scores = _scores(piece, [_parsed(piece, n, line, _single) for n, line in piece.lines()], found)
            found = ScoreRange(
                scores.low, scores.high, scores.line + piece.line if scores.high > found.high else found.line
            )
        if piece.byte > BLOCK and (found.low, found.high) != (0, 0):
            break
    found.are_probabilities(Source(path, b""))
    return found


def _find(file: File, options: ReadOptions) -> Listing | None:
    settle = None if options.weights else partial(_settle, file.path)
    return split(file, options, read, LINE, lines, settle=settle)


def _no_scale(source: Source, line: int, found: str) -> Exception:
    return source.error(
        f"found {found}, so the scores are neither natural logs (up to 0) nor probabilities (0 to 1); "
        "the format plf-unscored (--format, --ref-format) reads the lattices without them, and --weights FILE, of "
        "oracle, mbr and convert, says what they weigh",
        line,
    )


def _scored(source: Source, arcs: ArcList, probabilities: bool) -> Lattice:
    if probabilities:
        arcs.costs = [0.0 - math.log(p) if p else math.inf for p in arcs.costs]
    else:
        arcs.costs = [0.0 - score for score in arcs.costs]
    return arcs.lattice(source, id="")


# Before lists, as a word may be |||.
FORMAT = Format(
    "plf", "Python lattice format, a lattice a line", read, writers=(WRITER,), find=_find, has_features=True
)
FIND_UNSCORED = partial(split, read=read_unscored, pattern=LINE, join=lines)
UNSCORED_FORMAT = Format("plf-unscored", "the same, scores left out", read_unscored, find=FIND_UNSCORED)
