"""What a format's writers are made of, and what they share.

- `Writer`: a name, what it carries, and a function from items to the pieces of a file.
- `Carries`: what a format has room for; `fstmetrics.conversion` names what it has no room for.
- `WriteOptions`, `Numbering`: how words become numbers in formats that hold numbers.
- `arc_lines`, `label_names`, `number`, `one_final`, `chained`, `in_order`, `check_path`: lattices as lines of text.
- `checked_line`, `checked_id`, `check_characters`: words and ids that come back as they are.
"""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fstmetrics._native import Automaton
from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import EPSILON_WORDS, Lattice
from fstmetrics.readers.base import Item
from fstmetrics.symbols import SymbolTable

EPSILON_NAME = "<eps>"
# What a text file's labels all look like if they are numbers.
LABEL = re.compile(r"-?[0-9]{1,10}")
HAS_CYCLE = "the automaton has a cycle, and the format has room for none; slf, openfst, att or k2 hold it"
Content = Literal["text", "n-best", "lattice", "network"]
# Arcs and final states with their two costs become lines of text.
ArcLine = Callable[[int, int, str, float, float], str]
FinalLine = Callable[[int, float, float], str]


@dataclass(frozen=True)
class Carries:
    """What a format has room for.

    Attributes:
        content: sentences, ranked sentences, automata, or networks of cards.
        several: whether a file may hold more than one item.
        ids: whether items have ids, where a file may hold several.
        choices: whether a sentence may leave a choice.
        scores: whether ranked sentences have scores.
        costs: whether arcs have no cost, one, or a graph and an acoustic cost.
        scales: whether the file says how the two add up.
        single: whether costs are kept as 32-bit floats, so with some seven digits.
        numbers: whether labels are numbers, of which only a symbol table makes words.
        acyclic: whether an automaton must not have cycles.
        spans: whether cards have source spans, and networks a source sentence.
        calls: whether there is room for networks beside automata, their cards and calls kept.
        times: whether the states of an automaton have times, in seconds.
    """

    content: Content
    several: bool = False
    ids: bool = False
    choices: bool = False
    scores: bool = False
    costs: Literal["none", "sum", "apart"] = "none"
    scales: bool = False
    single: bool = False
    numbers: Literal["never", "if asked", "always"] = "never"
    acyclic: bool = False
    spans: bool = False
    calls: bool = False
    times: bool = False


@dataclass(frozen=True)
class WriteOptions:
    """What a caller may say about a file to be written.

    Attributes:
        numbering: numbers to write instead of words; None: words, where the format has room for them.
        max_arcs: how large an automaton may become where it has to be spelled out.
    """

    numbering: Numbering | None = None
    max_arcs: int = 5_000_000


class ByteOrderMark(FstmetricsError):
    """A file would begin with what is read as a byte order mark."""


@dataclass(frozen=True)
class Writer:
    """One way of writing a format.

    Attributes:
        name: what `--to` takes.
        extensions: endings of file names that mean it, with the dot, without `.gz`.
        carries: what there is room for.
        write: the pieces of a file that holds these items, whose values are of the kind of `carries.content`:
            words or a Transcript, an NBest, a Lattice, a Network. Raises FstmetricsError for what cannot be written.
    """

    name: str
    extensions: tuple[str, ...]
    carries: Carries
    write: Callable[[Iterator[Item], WriteOptions], Iterator[bytes]]

    def pieces(self, items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
        """What `write` gives.

        Raises:
            FstmetricsError: as `write` does.
            ByteOrderMark: the first word would be taken for one.
        """
        pieces = self.write(items, options)
        first = next(pieces, b"")
        if first.startswith(BOM_UTF8):
            raise ByteOrderMark(
                "the file would begin with U+FEFF, which is read as a byte order mark and no word"
            )
        yield first
        yield from pieces


@dataclass
class Numbering:
    """Numbers of words; epsilon is 0.

    Attributes:
        numbers: the number of each word.
        grows: whether a new word gets the next number, or is an error.
        place: where the numbers come from, for messages.
    """

    numbers: dict[str, int] = field(default_factory=lambda: {EPSILON_NAME: 0})
    grows: bool = True
    place: str = ""

    @classmethod
    def of_table(cls, table: Mapping[int, str], place: str) -> Numbering:
        """The numbers of a symbol table; of several numbers of a word, the first."""
        numbers: dict[str, int] = {}
        for key, word in table.items():
            numbers.setdefault(word, key)
        return cls(numbers, False, place)

    def of(self, word: str) -> int:
        """The number of a word.

        Raises:
            FstmetricsError: a word that the table lacks.
        """
        if self.grows:
            return self.numbers.setdefault(word, len(self.numbers))
        number = self.numbers.get(word)
        if number is None or number <= 0:
            raise FstmetricsError(
                f"the word {word!r} is not in the symbol table {self.place}; --write-symbols FILE makes one of all"
            )
        return number

    def text(self) -> str:
        """A symbol table file, `word number` lines."""
        return "".join(f"{word}\t{number}\n" for word, number in self.numbers.items())


def label_numbers(symbols: SymbolTable, numbering: Numbering | None) -> npt.NDArray[np.int32]:
    """The number to write for every label; without a numbering, words that are numbers stand for themselves.

    Raises:
        FstmetricsError: a word without a number.
    """
    check_words(symbols)
    words = symbols.words[1:]
    if numbering is not None:
        return np.array([0, *map(numbering.of, words)], dtype=np.int32)
    for word in words:
        if not is_number(word):
            raise FstmetricsError(
                f"the format holds numbers, and {word!r} is none: --write-symbols FILE numbers the words and writes "
                "the table, --symbols FILE takes one that is there"
            )
    return np.array([0, *map(int, words)], dtype=np.int32)


def is_number(word: str) -> bool:
    """Whether a word is how a positive label is written, and no other way."""
    return word.isascii() and word.isdigit() and word[0] != "0" and int(word) < 2**31


def check_words(symbols: SymbolTable, *epsilons: str) -> None:
    """Refuse what would not come back from lattice formats.

    Args:
        symbols: the words.
        epsilons: what stands for no word in this format alone.

    Raises:
        FstmetricsError: a word that stands for no word in some lattice format, has white space in it, or cannot be
            written in UTF-8.
    """
    for word in symbols.words[1:]:
        if word in EPSILON_WORDS:
            raise FstmetricsError(
                f"the word {word!r} stands for no word in OpenFst's or a like format; give it another name"
            )
        if word in epsilons:
            raise FstmetricsError(f"the word {word!r} stands for no word in the format; give it another name")
        check_word(word)


def check_word(word: str) -> None:
    """Refuse a word that would be read as none or several, or cannot be written in UTF-8; FstmetricsError."""
    if word.split() != [word]:
        raise FstmetricsError(
            f"the word {word!r} has white space in it, which the format cannot hold; join its parts, say by _"
        )
    check_characters("word", word)


def check_characters(what: str, text: str) -> None:
    """Refuse what no UTF-8 text holds, a zero byte or half of a surrogate pair; FstmetricsError that names it."""
    try:
        held = b"\0" not in text.encode()
    except UnicodeEncodeError:
        held = False
    if not held:
        raise FstmetricsError(f"the {what} {text!r} has a character in it that no text file holds")


def checked_line(words: Sequence[str], text: str | None = None) -> str:
    """A sentence as a line: as it was written, or its words with spaces between.

    Raises:
        FstmetricsError: a word that would be read as none or several, or cannot be written in UTF-8.
    """
    if text is not None and "\n" not in text and "\r" not in text and tuple(text.split()) == tuple(words):
        check_characters("words", text)
        return text
    for word in words:
        check_word(word)
    return " ".join(words)


def checked_id(item: Item) -> str:
    """The id of an item, which must be one word.

    Raises:
        FstmetricsError: there is none, it is not one word, or cannot be written in UTF-8.
    """
    if item.id is None or item.id.split() != [item.id]:
        raise FstmetricsError(
            f"the id {item.id!r} is not one word, as the format wants it; a folder, a file an item, has room for it"
        )
    check_characters("id", item.id)
    return item.id


def number(value: float) -> str:
    """A cost in a text format, with all its digits."""
    return repr(value) if math.isfinite(value) else "Infinity"


def arc_lines(lattice: Lattice, names: Sequence[str], arc: ArcLine, final: FinalLine) -> Iterator[str]:
    """A line for each arc and final state, those of the start state first: it is the first state named.

    Args:
        lattice: what to write.
        names: of its labels.
        arc: the line of source, destination, name and two costs.
        final: the line of a final state and its two costs.

    Raises:
        FstmetricsError: there is no path.
    """
    check_path(lattice)
    automaton = lattice.automaton
    columns = (
        automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist(),
        automaton.arc_costs.tolist(),
    )  # fmt: skip
    lines = [(a, arc(a, b, names[label], g, c)) for a, b, label, (g, c) in zip(*columns, strict=True)]
    ends = zip(automaton.finals.tolist(), automaton.final_costs.tolist(), strict=True)
    lines += [(state, final(state, g, c)) for state, (g, c) in ends]
    yield from (line for state, line in lines if state == automaton.start)
    yield from (line for state, line in lines if state != automaton.start)


def check_path(lattice: Lattice) -> None:
    """Refuse a lattice without a path, which text formats cannot tell from one that is cut off; FstmetricsError."""
    if not lattice.prepared.has_path:
        raise FstmetricsError(
            "there is no path from the start to a final state; such a lattice has room in openfst, far and binary "
            "Kaldi archives alone"
        )


def label_names(lattice: Lattice, numbering: Numbering | None) -> list[str]:
    """Names of a lattice's labels in a text format that takes nothing but numbers for labels without words.

    Raises:
        FstmetricsError: a word that would come back as another one, or as none.
    """
    if numbering is not None:
        return [str(label) for label in label_numbers(lattice.symbols, numbering).tolist()]
    check_words(lattice.symbols)
    used = [lattice.symbols.words[label] for label in np.unique(lattice.automaton.labels).tolist()]
    if all(map(LABEL.fullmatch, used)):
        for word in used:
            if word[0] in "0-":
                raise FstmetricsError(
                    f"all words are numbers, and 0 would be read as no word, 01 as 1, -1 as no label (here "
                    f"{word!r}); --write-symbols FILE numbers the words, and binary OpenFst machines hold any word"
                )
    return [EPSILON_NAME, *lattice.symbols.words[1:]]


def one_final(lattice: Lattice) -> Lattice:
    """The same paths and costs with one final state, which costs nothing and has no arcs.

    For formats that have a single end: other ends get an arc without a word to it.
    """
    automaton = lattice.automaton
    last = automaton.num_states
    only = automaton.finals.tolist()
    if len(only) == 1 and not automaton.final_costs.any() and not (automaton.sources == only[0]).any():
        return lattice
    ends = len(only)
    return Lattice.from_labels(
        np.append(automaton.sources, automaton.finals),
        np.append(automaton.destinations, np.full(ends, last)),
        np.append(automaton.labels, np.zeros(ends, dtype=np.int32)),
        lattice.symbols.words,
        finals=[last],
        start=automaton.start,
        num_states=last + 1,
        costs=np.concatenate([automaton.arc_costs, automaton.final_costs]),
        id=lattice.id,
        scales=lattice.scales,
    )


def chained(lattice: Lattice) -> Lattice:
    """The same paths in topological order, from state 0 to the last state, the only final one, which costs nothing.

    Raises:
        FstmetricsError: there is no path.
    """
    check_path(lattice)
    return one_final(in_order(lattice))


def in_order(lattice: Lattice) -> Lattice:
    """An acyclic lattice's useful states in topological order, with costs, which `Lattice.prepared` does without.

    Raises:
        FstmetricsError: there are costs and a cycle.
    """
    automaton, ordered = lattice.automaton, lattice.prepared
    if automaton.has_costs and not ordered.sorted:
        raise FstmetricsError(HAS_CYCLE)
    if not automaton.has_costs:
        return Lattice(ordered, lattice.symbols, id=lattice.id)
    before = np.zeros(ordered.num_states, dtype=np.int32)  # what number a state had
    before[ordered.start] = automaton.start
    before[ordered.sources] = automaton.sources[ordered.origins]
    before[ordered.destinations] = automaton.destinations[ordered.origins]
    ends = np.zeros((automaton.num_states, 2))
    ends[automaton.finals] = automaton.final_costs
    with_costs = Automaton(
        ordered.num_states, ordered.start, ordered.sources, ordered.labels, ordered.destinations, ordered.finals,
        automaton.arc_costs[ordered.origins], ends[before[ordered.finals]],
    )  # fmt: skip
    return Lattice(with_costs, lattice.symbols, id=lattice.id)


def encoded(lines: Iterator[str]) -> Iterator[bytes]:
    """Lines as UTF-8, in pieces that are worth a system call."""
    batch: list[str] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line)
        if size > 1 << 16:
            yield "".join(batch).encode()
            batch, size = [], 0
    yield "".join(batch).encode()


def only_item(items: Iterator[Item]) -> Any:
    """The one item of a file that holds one."""
    (item,) = items
    return item
