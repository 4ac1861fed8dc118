r"""sclite's trn, written: `word { other / @ } <*> (id)` lines; what means something stands behind a backslash."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import Lattice
from fstmetrics.notations import OPEN_STRETCH
from fstmetrics.readers.base import Item
from fstmetrics.readers.checks import check_word, checked_id
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, encoded
from fstmetrics.symbols import WILDCARD
from fstmetrics.transcripts import Transcript

# Alternatives of one choice, written out; sclite reads a line into 100 kilobytes at most.
MAX_ALTERNATIVES = 1000
_SPECIAL = str.maketrans({c: f"\\{c}" for c in "{};/\\"})


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line an item.

    Raises:
        FstmetricsError: a word or an id that the format cannot hold, or a choice of more than `MAX_ALTERNATIVES`.
    """
    return encoded(f"{_text(item)} ({_id(item)})\n".lstrip() for item in items)


def _id(item: Item) -> str:
    id = checked_id(item)
    if "(" in id or ")" in id:
        raise FstmetricsError(
            f"the id {id!r} has parentheses in it, and trn has ids in parentheses; kaldi-text has room for it"
        )
    return id


def _text(item: Item) -> str:
    if isinstance(item.value, Transcript):
        return " ".join(_pieces(item.value))
    return " ".join(map(written, item.value))


def written(word: str) -> str:
    r"""A word in sclite's notation, as the reader of trn takes it back.

    Raises:
        FstmetricsError: a word with white space in it, or with what no text file holds.

    >>> written("{a}"), written("and/or"), written("@"), written("(uh)")
    ('\\{a\\}', 'and\\/or', '\\@', '\\(uh)')
    """
    check_word(word)
    text = word.translate(_SPECIAL)
    if word[0] not in "@(<":
        return text
    # As a whole, `@` is no word, `(uh)` one that may be left out, and `<*>` an open stretch.
    is_plain = Transcript.parse(text, "sclite", tags=True).words == (word,)
    return text if is_plain else f"\\{text}"


def _pieces(transcript: Transcript) -> Iterator[str]:
    """Words and choices, in order."""
    lattice = transcript.lattice
    leaving = _leaving(lattice)
    ends = {choice.start: choice.end for choice in transcript.choices}
    state, last = lattice.automaton.start, int(lattice.automaton.finals[0])
    while state != last:
        if state in ends:
            yield _choice(leaving, state, ends[state])
            state = ends[state]
        else:
            ((state, word),) = leaving[state]
            if word:
                yield _spelled(word)


def _leaving(lattice: Lattice) -> dict[int, list[tuple[int, str]]]:
    """Of each state, the destinations and words of its arcs; an open stretch, which is a loop, is the way to it."""
    automaton, words = lattice.automaton, lattice.symbols.words
    leaving: dict[int, list[tuple[int, str]]] = {}
    columns = (automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist())
    arcs = [(a, b, words[label]) for a, b, label in zip(*columns, strict=True)]
    loops = {source for source, _, word in arcs if word == WILDCARD}
    for source, destination, word in arcs:
        if word != WILDCARD:
            leaving.setdefault(source, []).append((destination, WILDCARD if destination in loops else word))
    return leaving


def _spelled(word: str) -> str:
    return OPEN_STRETCH if word == WILDCARD else written(word)


def _choice(leaving: dict[int, list[tuple[int, str]]], start: int, end: int) -> str:
    """The paths between two states as alternatives, nested choices written out."""
    paths = dict.fromkeys(islice(_paths(leaving, start, end), MAX_ALTERNATIVES + 1))
    if len(paths) > MAX_ALTERNATIVES:
        raise FstmetricsError(
            f"a choice has more than {MAX_ALTERNATIVES} alternatives; a lattice format holds them"
        )
    return f"{{ {' / '.join(' '.join(map(_spelled, path)) or '@' for path in paths)} }}"


def _paths(leaving: dict[int, list[tuple[int, str]]], start: int, end: int) -> Iterator[tuple[str, ...]]:
    pending: list[tuple[int, tuple[str, ...]]] = [(start, ())]
    while pending:
        state, said = pending.pop()
        if state == end:
            yield said
        else:
            arcs = reversed(leaving[state])
            pending += [(after, (*said, word) if word else said) for after, word in arcs]


WRITER = Writer("trn", (".trn",), Carries("text", several=True, ids=True, choices=True), write)
