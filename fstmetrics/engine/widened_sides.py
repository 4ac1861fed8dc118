"""References as the engine wants them, widened by grammars: `widened_side`.

Rules see words with their punctuation, before a normaliser has rewritten them. `seen` is a reference so, beside what it
is compared as; `spoken_words` is what a hypothesis says, as it is written.

Where punctuation is taken out, or a profile rewrites texts, rules come first: they see `$25.50`, `I'd` and `20%`. Each
word is seen as it is written, and without punctuation at its ends that does not count: not 20 in `20%`. What a rule
writes is then normalised: word by word; or, where a profile rewrites whole texts, in its sentence. There it is used
only where the profile keeps it apart from its neighbours, and makes no other numbers of it than of what was there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import accumulate, chain
from threading import RLock

import numpy as np

from fstmetrics._native import Automaton, Graph
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.segments import TimedWords
from fstmetrics.data.symbols import WILDCARD, SymbolTable
from fstmetrics.data.transcripts import Transcript
from fstmetrics.engine.renaming import built_of, renamed, spelled
from fstmetrics.engine.sides import (
    Input,
    Side,
    alternatives_of,
    as_side,
    is_sentence,
    is_sequence_of_strings,
    sentences_of,
    written_out,
)
from fstmetrics.grammars.widening import Placed, Seen, Spoken, Widened, Widening
from fstmetrics.grammars.written_numbers import DIGIT, Beside, same_number
from fstmetrics.support.arguments import column
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation, without_ends

# A reference as the engine wants it, and what was added to it, by which the rules used can be told; None where that is
# nothing, or where the side is over characters.
WidenedSide = tuple[Side, Widened | None]
# Whichever thread comes first widens a lattice or network, and the others wait for it.
_WIDENING = RLock()
# Words whose readings are kept, and words that rules have written.
KEPT = 2**16
# A sentence as it is given.
Sentence = str | Sequence[str]
Arc = tuple[int, int, str]


def widened_side(
    value: Input,
    normalisation: Normalisation,
    hypothesis: object,
    widening: Widening,
    scale: int,
    spoken: Spoken | None = None,
) -> WidenedSide:
    """A reference widened by grammars; lattices and networks keep it, but for compounds.

    Args:
        value: a reference.
        normalisation: changes to its words; punctuation is taken out, and texts are rewritten, after rules apply.
        hypothesis: what it is compared with; see `fstmetrics.engine.sides.is_sentence`.
        widening: the grammars.
        scale: units of the metric that make 1; what rewriting costs is a whole number of them.
        spoken: the hypothesis, where rules depend on it.

    Raises:
        FstmetricsError: as of `as_side`; a network that is too large to be written out.
    """
    if widening.compounds or not isinstance(value, (Lattice, Network)):
        return _widened(value, normalisation, hypothesis, widening, scale, spoken)
    key = (widening, normalisation, scale)
    with _WIDENING:
        kept: dict[object, WidenedSide] = value.__dict__.setdefault("_widened_sides", {})
        if key not in kept:
            kept[key] = _widened(value, normalisation, hypothesis, widening, scale, None)
        return kept[key]


def _widened(
    value: Input,
    normalisation: Normalisation,
    hypothesis: object,
    widening: Widening,
    scale: int,
    spoken: Spoken | None,
) -> WidenedSide:
    by_words = normalisation.unit == "word"
    if widening.has_costs and not by_words:
        raise FstmetricsError("rewriting at a cost works on words, not on characters; rewrite at no cost")
    parts = normalisation.unit == "mixed"
    of_words = normalisation if by_words else replace(normalisation, unit="word", parts_at_marks=parts)
    wider = widening(seen(value, of_words, hypothesis, widening.has_number_rules), spoken)
    if wider is None:
        return as_side(value, normalisation, hypothesis), None
    if not by_words:
        return spelled(wider.machine, wider.symbols, normalisation), None
    return Graph(wider.machine, wider.symbols.words, wider.arc_costs(scale), wider.only_hits), wider


def seen(value: Input, normalisation: Normalisation, hypothesis: object, ordinals: bool = False) -> Seen:
    """A reference as rules see it, under a normalisation of words.

    Args:
        value: a reference.
        normalisation: changes to its words.
        hypothesis: what it is compared with.
        ordinals: whether a number with a full stop before another word may be an ordinal: 3. Mai.

    Raises:
        FstmetricsError: as of `as_side`; a network that is too large to be written out.
    """
    if normalisation.written is normalisation or isinstance(value, Graph):
        return Seen.plain(*written_out(as_side(value, normalisation, hypothesis)))
    texts = _sentences(value, normalisation, hypothesis)
    if texts is not None and normalisation.normaliser is not None:
        return _of_sentences(texts, normalisation, ordinals)
    if texts is not None and len(texts) == 1:
        return _of_line(texts[0], normalisation, ordinals)
    return _of_graph(value, normalisation, hypothesis, ordinals)


def spoken_words(value: Input, normalisation: Normalisation) -> frozenset[str]:
    """The words of a hypothesis as they are written, with and without punctuation at their ends, in lower case."""
    side = as_side(value, normalisation.written)
    words = side.words if isinstance(side, Graph) else side.split() if isinstance(side, str) else side
    readings = chain.from_iterable((word, *_without_ends(word)) for word in words)
    return frozenset(reading.lower() for reading in readings)


def _without_ends(word: str) -> Iterator[str]:
    """A word without some of the punctuation at its ends, where it is the same number."""
    return (other for other in without_ends(word) if same_number(word, other))


def _sentences(
    value: object, normalisation: Normalisation, hypothesis: object = None
) -> list[Sentence] | None:
    """The sentences that a value is, one or several; None where one of them is a lattice or network."""
    if is_sentence(value, hypothesis):
        return [value]  # type: ignore[list-item]
    if isinstance(value, TimedWords):
        value = value.transcript()
    if isinstance(value, Transcript):
        value = value.with_optional_words(normalisation.optional_words)
        if value.words is not None:
            return [value.words]
        return (
            list(sentences_of(value)) if normalisation.needs_sentences and not value.has_wildcards else None
        )
    if isinstance(value, NBest):
        return list(value.entries)
    if isinstance(value, Lattice | Network | Graph):
        return None
    if (listed := column(value)) is not None:
        return _sentences(listed, normalisation, hypothesis)
    found: list[Sentence] = []
    for item in alternatives_of(value, hypothesis):
        inner = [item] if is_sequence_of_strings(item) else _sentences(item, normalisation)
        if inner is None:
            return None
        found += inner  # type: ignore[arg-type]
    return found


@lru_cache(maxsize=KEPT)
def _readings(word: str, normalisation: Normalisation) -> tuple[tuple[str, ...], bool]:
    """How rules read a word: as it is written, and without what does not count at its ends; and whether it vanishes."""
    if word == WILDCARD:
        return (word,), False
    then = normalisation.words([word])
    others = (other for other in _without_ends(word) if normalisation.words([other]) == then)
    return (word, *others), not then


@lru_cache(maxsize=KEPT)
def _finished(words: tuple[str, ...], normalisation: Normalisation) -> tuple[str, ...]:
    """Words that a rule has written, as they are compared."""
    return tuple(part for word in words for part in normalisation.arc_words(word))


def _of_line(text: Sentence, normalisation: Normalisation, ordinals: bool) -> Seen:
    """One sentence whose words are normalised one by one."""
    words, after = normalisation.written.words(text), normalisation.after_rules
    parts = [after.words([word]) for word in words]
    machine, symbols = _read(*_lines([words]), after, ordinals)
    compared, compared_words = written_out([part for each in parts for part in each])
    places = np.array([0, *accumulate(map(len, parts))], dtype=np.int32)
    return Seen(machine, symbols, compared, compared_words, partial(_finished, normalisation=after), places)


def _of_graph(value: Input, normalisation: Normalisation, hypothesis: object, ordinals: bool) -> Seen:
    """Anything whose words are normalised one by one."""
    after = normalisation.after_rules
    machine, symbols = written_out(as_side(value, normalisation.written, hypothesis))
    changed = renamed(machine, symbols, after)
    compared = (machine, symbols) if changed is None else (changed.automaton, SymbolTable(changed.words[1:]))
    read = _read(machine, symbols, after, ordinals)
    return Seen(*read, *compared, partial(_finished, normalisation=after))


def _of_sentences(texts: Sequence[Sentence], normalisation: Normalisation, ordinals: bool) -> Seen:
    """Sentences that are normalised as wholes, side by side."""
    written, after = normalisation.written, normalisation.after_rules
    lines = list(dict.fromkeys(tuple(written.words(text)) for text in texts))
    compared = [after.words(line) for line in lines]
    begins, begins_then = _begins(lines), _begins(compared)

    @cache
    def part(number: int, begin: int, end: int) -> list[str]:
        return after.words(lines[number][begin:end])

    def place(begin: int, end: int, words: tuple[str, ...]) -> Placed | None:
        number = bisect_right(begins, begin) - 1
        begin, end = begin - begins[number], end - begins[number]
        line, before = lines[number], compared[number]
        left, was, right = part(number, 0, begin), part(number, begin, end), part(number, end, len(line))
        written = after.words(words)
        alone = [part for word in words for part in after.words([word])]
        if left + was + right != before or not _same_numbers(was, written, alone):
            return None
        if after.words([*line[:begin], *words, *line[end:]]) != left + written + right:
            return None
        if (where := _difference(before, left + written + right)) is None:
            return None
        first, last, written_now = where
        return begins_then[number] + first, begins_then[number] + last, written_now

    machine, symbols = _read(*_lines(lines), after, ordinals)
    return Seen(machine, symbols, *_lines(compared), place=place)


def _same_numbers(was: Sequence[str], written: Sequence[str], alone: Sequence[str]) -> bool:
    """Whether a profile makes the same numbers of what a rule has written as of what was there, where it makes any.

    Others are right where it does not join words: 5:30 for what it reads as 530 is 5 30, as in a hypothesis.

    Args:
        was: what was there, as the profile has it.
        written: what a rule has written, as the profile has it.
        alone: each word of that by itself.

    >>> _same_numbers(["5", "30"], ["530"], ["5", "30"]), _same_numbers(["530"], ["5", "30"], ["5", "30"])
    (False, True)
    """
    before, now = ([word for word in side if DIGIT.search(word)] for side in (was, written))
    return not before or not now or before == now or alone == written


def _difference(before: Sequence[str], now: Sequence[str]) -> Placed | None:
    """Between which places two sentences differ, and by which words now; None where they do not, or nothing was there.

    >>> _difference(["at", "5", "30"], ["at", "530"]), _difference(["a", "c"], ["a", "b", "c"])
    ((1, 3, ('530',)), (0, 1, ('a', 'b')))
    """
    least = min(len(before), len(now))
    left = next((i for i in range(least) if before[i] != now[i]), least)
    right = next((i for i in range(least - left) if before[-1 - i] != now[-1 - i]), least - left)
    if left + right == len(before):  # something is added: beside a word, as every rewrite stands for words
        if len(now) == len(before) or not before:
            return None
        left, right = (left - 1, right) if left else (left, right - 1)
    return left, len(before) - right, tuple(now[left : len(now) - right])


def _begins(lines: Sequence[Sequence[str]]) -> list[int]:
    """The first state of each line in `_lines`."""
    return list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0 if len(lines) == 1 else 1))


def _lines(lines: Sequence[Sequence[str]]) -> tuple[Automaton, SymbolTable]:
    """Lines side by side as one automaton: one alone begins at its start; else epsilons lead to the first of each."""
    if len(lines) == 1:
        return written_out(lines[0])
    begins = _begins(lines)
    arcs: list[Arc] = [(0, begin, "") for begin in begins]
    for begin, line in zip(begins, lines, strict=True):
        arcs += ((begin + i, begin + i + 1, word) for i, word in enumerate(line))
    finals = [begin + len(line) for begin, line in zip(begins, lines, strict=True)]
    return built_of(arcs, finals[-1] + 1, 0, finals)[:2]


def _read(
    machine: Automaton, symbols: SymbolTable, normalisation: Normalisation, ordinals: bool
) -> tuple[Automaton, SymbolTable]:
    """An automaton with all readings of its words, and epsilons beside those that vanish."""
    readings = [_readings(word, normalisation) if word else (("",), False) for word in symbols.words]
    if all(len(forms) == 1 and not vanishes for forms, vanishes in readings):
        return machine, symbols
    columns = (each.tolist() for each in (machine.sources, machine.labels, machine.destinations))
    arcs: list[Arc] = []
    beside = Beside(machine, symbols.words)
    for source, label, destination in zip(*columns, strict=True):
        forms, vanishes = readings[label]
        if ordinals and DIGIT.search(forms[0]) and "." in forms[0][-2:] and beside.behind(destination):
            forms = forms[:1]
        arcs += ((source, destination, form) for form in (*forms, *[""] * vanishes))
    return built_of(arcs, machine.num_states, machine.start, machine.finals.tolist())[:2]
