"""What a caller gives, as a side of H ∘ T ∘ R: text, or the engine's graph.

`as_side` converts, and `hypothesis_side` where a list must not stand for alternatives. `Alternatives` says that several
things are alternatives of one another, `AlternativeColumn` of many items, and `text_lists` finds those that are all
texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, overload

import numpy as np

from fstmetrics._native import Automaton, Graph, Rtn, are_strings, are_words, strings_of_lists
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.segments import TimedWords
from fstmetrics.data.symbols import EPSILON, WILDCARD, SymbolTable
from fstmetrics.data.transcripts import Transcript, TranscriptColumn
from fstmetrics.engine.signatures import references_named
from fstmetrics.support.arguments import (
    OF_ITEMS,
    are_characters,
    are_single,
    beginning,
    column,
    described,
    items_of,
    refuse_record,
    shortened,
    taken_apart,
)
from fstmetrics.support.equal_rows import EqualRows, TextRows
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limits
from fstmetrics.support.printable import in_a_line
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.data.symbols import Labels


# How the integer label of a word is written; 0 stands for no word.
LABEL = re.compile(r"[1-9][0-9]{0,9}")
# Whichever thread comes first prepares a lattice or network, and the others wait for it.
_PREPARING = RLock()
# What to do where a list that is no sentence is given as one hypothesis.
LISTED = (
    f"of many items, {OF_ITEMS}; of an n-best list give its first entry, list[0], or NBest(id, list), whose "
    "best entry counts, as that of Alternatives([...])"
)
# The same where one item is asked for.
LISTED_ITEMS = "if they are of many items, call once for each item"
# Hypotheses that are all texts.
TEXTS = ("",)


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Several hypotheses or references for one item, of any kinds; the best of them counts."""

    items: tuple[Alternative, ...]

    def __init__(self, items: Iterable[Alternative]) -> None:
        object.__setattr__(self, "items", tuple(items_of(items, "alternatives")))
        if not self.items:
            raise FstmetricsError("a list of alternatives is empty")

    def __repr__(self) -> str:
        return in_a_line(self, items=self.items)


class AlternativeColumn(EqualRows[Alternatives]):
    """The alternatives of many items, as many for each, which are made when they are looked at.

    Args:
        sets: the first alternative of each item, the second, and so on.

    >>> column = AlternativeColumn((["a cat", "a dog"], ["the cat", "the dog"]))
    >>> column[1], len(column[:1])
    (Alternatives(items=('a dog', 'the dog')), 1)
    """

    __slots__ = ("sets",)

    def __init__(self, sets: tuple[Sequence[Any], ...]) -> None:
        self.sets = sets

    def __len__(self) -> int:
        return len(self.sets[0])

    @overload
    def __getitem__(self, index: int) -> Alternatives: ...
    @overload
    def __getitem__(self, index: slice) -> AlternativeColumn: ...
    def __getitem__(self, index: int | slice) -> Alternatives | AlternativeColumn:
        if isinstance(index, slice):
            return AlternativeColumn(tuple(column[index] for column in self.sets))
        return Alternatives(column[index] for column in self.sets)


# Written as texts, as kinds of input are imported when there is one.
Alternative: TypeAlias = (
    "str | Sequence[str] | Transcript | TimedWords | Lattice | NBest | Network | Alternatives | Graph"
)
Input: TypeAlias = "Alternative | Sequence[Alternative]"
# One input an item: a list, an iterator, a column of a table; or by id.
Corpus: TypeAlias = "Iterable[Input] | Mapping[str, Input]"


# A side as the engine wants it: a string, which it splits at white space and frees of sentence markers; words; or a
# graph with its words.
Side = str | Sequence[str] | Graph
# Several hypotheses, where each is reordered by itself.
Strings = tuple[tuple[str, ...], ...]


class TextLists(NamedTuple):
    """Several texts of each item.

    Attributes:
        columns: of texts, each with one of every item; or one, in which the texts of an item are together.
        begins: where, in the one column, the texts of each item begin, and those of the last end; else None.
    """

    columns: tuple[Sequence[str], ...]
    begins: npt.NDArray[np.int64] | None

    @property
    def numbers(self) -> set[int]:
        """How many texts items have."""
        return {len(self.columns)} if self.begins is None else set(np.unique(np.diff(self.begins)).tolist())


def are_texts(given: Sequence[Any]) -> bool:
    """Whether all are plain texts."""
    if isinstance(given, AlternativeColumn | TranscriptColumn):
        return False
    if isinstance(given, list | tuple):
        return are_strings(given)
    return isinstance(given, TextRows) or set(map(type, given)) == {str}


def text_lists(given: Sequence[Any], beside_texts: bool) -> TextLists | None:
    """The texts, where every item is a list of texts; None where one is, or may be, something else.

    Args:
        given: hypotheses or references.
        beside_texts: whether they are compared with texts, beside which a list of words is a list of texts.
    """
    if isinstance(given, AlternativeColumn):
        return TextLists(given.sets, None) if all(map(are_texts, given.sets)) else None
    if not isinstance(given, list | tuple) or not given or type(given[0]) not in (list, tuple):
        return None
    found = strings_of_lists(given, beside_texts)
    if found is None or (not beside_texts and any(map(are_unclear, given))):
        return None  # `alternatives_of` says what is wrong
    return TextLists((found[0],), found[1])


def is_sentence(value: object, hypothesis: object = None) -> bool:
    """Whether a value is one sentence: a string, or a sequence of words.

    A reference that is a list of strings beside a hypothesis that is a string is a list of alternatives. Any other list
    of strings is a sequence of words, unless a string in it is empty or holds white space; see `alternatives_of`.
    `Alternatives` leaves no doubt.
    """
    if isinstance(value, str):
        return True
    if not isinstance(value, Sequence) or isinstance(hypothesis, str):
        return False
    return are_words(value if isinstance(value, list | tuple) else tuple(value))


def references_of(references: Sequence[Input], hypotheses: Sequence[Input]) -> str:
    """How many references the items have, for signatures: a number, `var`, `network`, `lattice`, `choices`, or
    several of these.

    >>> references_of(["a", ["b", "c"]], ["x", "y"]), references_of([["a", "b"]], ["x"])
    ('var', '2')
    """
    if are_texts(references):
        return "1"
    if (lists := text_lists(references, are_texts(hypotheses))) is not None:
        return str(lists.numbers.pop()) if len(lists.numbers) == 1 else "var"
    types = set(map(type, references))
    if types == {Lattice}:
        return "lattice"
    if types == {Network}:
        return "network"
    kinds: set[str] = set()
    numbers: set[int] = set()
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        sentences = 0
        for one in [reference] if is_sentence(reference, hypothesis) else _one_by_one(reference):
            if isinstance(one, (Lattice, NBest, Network, Graph)):
                kinds.add("network" if isinstance(one, Network) else "lattice")
            elif isinstance(one, Transcript) and one.words is None:
                kinds.add("choices")
            else:
                sentences += 1
        numbers.add(sentences)
    return references_named(map(str, numbers), kinds)


def are_oracles(hypotheses: Sequence[Input]) -> bool:
    """Whether some are lattices, n-best lists or alternatives, whose best paths are scored.

    >>> are_oracles(["a", NBest("u1", ["b", "c"])]), are_oracles([["a", "b"]])
    (True, False)
    """
    if isinstance(hypotheses, AlternativeColumn | TranscriptColumn) or are_texts(hypotheses):
        return isinstance(hypotheses, AlternativeColumn)
    return any(isinstance(each, Lattice | NBest | Network | Alternatives) for each in hypotheses)


def _one_by_one(reference: object) -> Sequence[object]:
    if isinstance(reference, Alternatives):
        return [each for item in reference.items for each in _one_by_one(item)]
    return reference if isinstance(reference, list | tuple) else [reference]


def snapshot(references: Sequence[Input], hypotheses: Sequence[Input]) -> tuple[Sequence[Any], Sequence[Any]]:
    """References as they are now, and what they stand beside, which is not kept where it is texts; lists may change."""
    beside = TEXTS if isinstance(hypotheses[0], str) else hypotheses
    kept, other = [list(side) if isinstance(side, list) else side for side in (references, beside)]
    if are_texts(kept) or not isinstance(kept, list):
        return kept, other
    found = strings_of_lists(kept, True)
    return _fixed(kept) if found is None else StringLists(*found), other


class StringLists(NamedTuple):
    """Lists of strings.

    Attributes:
        strings: of all lists, one behind the other.
        begins: where those of each list begin, and those of the last end.
    """

    strings: list[str]
    begins: npt.NDArray[np.int64]

    def lists(self) -> list[list[str]]:
        """The lists."""
        return [self.strings[begin:end] for begin, end in pairwise(self.begins.tolist())]


def _fixed(value: Any) -> Any:
    """A reference, or several, whose lists are tuples."""
    if isinstance(value, Alternatives):
        return Alternatives(map(_fixed, value.items))
    if not isinstance(value, list | tuple):
        return value
    has_lists = any(issubclass(kind, Alternatives | list | tuple) for kind in set(map(type, value)))
    return tuple(map(_fixed, value)) if has_lists else tuple(value)


def as_side(value: Input, normalisation: Normalisation, hypothesis: object = None) -> Side:
    """Convert what a caller gave. Lattices and networks keep what is prepared for them.

    Args:
        value: a hypothesis or reference.
        normalisation: changes to its words.
        hypothesis: of a reference, what it is compared with; see `is_sentence`.

    Raises:
        FstmetricsError: not something that can be scored, or no alternative at all.
    """
    if isinstance(value, Graph) or (isinstance(value, str) and normalisation.is_plain):
        return value  # a graph's words are as they should be
    if is_sentence(value, hypothesis):
        return normalisation.words(value)  # type: ignore[arg-type]
    if isinstance(value, (Lattice, Network)):
        return graph_of(value, normalisation)
    if isinstance(value, Transcript):
        value = value.with_optional_words(normalisation.optional_words)
        if value.words is not None:
            return normalisation.words(value.words)
        if normalisation.needs_sentences and not value.has_wildcards:
            return _union(sentences_of(value), normalisation)
        return graph_of(value.lattice, normalisation)
    if isinstance(value, TimedWords):
        return as_side(value.transcript(), normalisation)
    if isinstance(value, NBest):
        if normalisation.needs_sentences:
            return _union(value.entries, normalisation)
        return as_side(value.lattice(), normalisation)
    if (listed := column(value)) is not None:
        return as_side(listed, normalisation, hypothesis)
    return _union(alternatives_of(value, hypothesis), normalisation)


def hypothesis_side(value: Input, normalisation: Normalisation) -> Side:
    """As `as_side`, of a hypothesis; see `refuse_listed_hypothesis`."""
    side = as_side(value, normalisation)
    refuse_listed_hypothesis(value)
    return side


def refuse_listed_hypothesis(value: object, otherwise: str = LISTED) -> None:
    """Refuse a list that is no sentence: its entries may be parts of one, or items, as well as alternatives.

    Args:
        value: what is one hypothesis.
        otherwise: what to do where the list is of items or of alternatives.

    Raises:
        FstmetricsError: it has more than one entry, and not all are empty.

    >>> refuse_listed_hypothesis(["the cat"]), refuse_listed_hypothesis(["", ""]), refuse_listed_hypothesis(["a", "b"])
    (None, None, None)
    """
    items = value if isinstance(value, list | tuple) else column(value) or ()
    if len(items) > 1 and not (
        is_sentence(items) or all(isinstance(one, str) and not one.split() for one in items)
    ):
        raise FstmetricsError(
            f"a list as one hypothesis, {beginning(items)}: if these are parts of one text, give ' '.join(list); "
            f"{otherwise}"
        )


def is_dropped(reference: Input, normalisation: Normalisation, hypothesis: object = None) -> bool:
    """Whether a profile leaves an item out for what its reference becomes: nothing at all, as a rule.

    Args:
        reference: of the item; of several, all have to become that.
        normalisation: which may have such texts. Networks and lattices are never left out.
        hypothesis: what the reference is compared with; see `is_sentence`.
    """
    if not normalisation.drops:
        return False
    if isinstance(reference, Transcript):
        return reference.words is not None and is_dropped(reference.words, normalisation)
    if is_sentence(reference, hypothesis):
        return " ".join(normalisation.of_references.words(reference)) in normalisation.drops  # type: ignore[arg-type]
    if isinstance(reference, Alternatives | list | tuple):
        return all(is_dropped(one, normalisation) for one in alternatives_of(reference, hypothesis))
    return False


# Sentences that the choices of a transcript may leave where they are normalised one by one.
MOST_SENTENCES = 4096


def sentences_of(transcript: Transcript) -> list[tuple[str, ...]]:
    """All sentences that a transcript's choices leave, each once, for a normaliser that needs whole sentences.

    Raises:
        FstmetricsError: there are too many.
    """
    lattice = transcript.lattice
    arcs: dict[int, list[tuple[int, str]]] = {}
    ends = (lattice.automaton.sources, lattice.automaton.destinations, lattice.automaton.labels)
    for source, destination, label in zip(*(each.tolist() for each in ends), strict=True):
        arcs.setdefault(source, []).append((destination, lattice.symbols.words[label]))
    # Arcs lead from lower to higher states.
    found: dict[int, dict[tuple[str, ...], None]] = {lattice.automaton.start: {(): None}}
    for state in range(lattice.automaton.num_states):
        for destination, word in arcs.get(state, ()):
            more = found.setdefault(destination, {})
            more |= {(*words, word) if word else words: None for words in found.get(state, ())}
            if len(more) > MOST_SENTENCES:
                raise FstmetricsError(
                    f"the choices of this transcript leave more than {MOST_SENTENCES} sentences, too many for a "
                    "profile that rewrites whole sentences; use one that works word by word, such as whisper-basic"
                )
    finals = lattice.automaton.finals.tolist()
    return list(dict.fromkeys(words for final in finals for words in found.get(final, ())))


def strings_of(value: Input, normalisation: Normalisation) -> Strings | None:
    """The distinct sentences of an n-best list or a list of alternatives, each to be reordered by itself; None where a
    value is one sentence, or something else is among them.

    Raises:
        FstmetricsError: as of `as_side`.
    """
    if isinstance(value, NBest):
        sentences: Iterable[str | Sequence[str]] = value.entries
    elif isinstance(value, Alternatives) or (isinstance(value, list | tuple) and not is_sentence(value)):
        sentences = alternatives_of(value)  # type: ignore[assignment]
        if not all(isinstance(item, str) or is_sequence_of_strings(item) for item in sentences):
            return None
    else:
        return None
    return tuple(dict.fromkeys(tuple(normalisation.words(sentence)) for sentence in sentences))


def as_alternatives(value: Any, hypothesis: object) -> Any:
    """A reference as it is given; of a list that is no sentence the alternatives. Errors as of `alternatives_of`."""
    if not isinstance(value, list | tuple) or is_sentence(value, hypothesis):
        return value
    return Alternatives(alternatives_of(value, hypothesis))


def alternatives_of(value: object, hypothesis: object = None) -> tuple[Alternative, ...]:
    """What a list holds that is no sentence.

    Args:
        value: `Alternatives`, or a list.
        hypothesis: of a reference, what it is compared with; see `is_sentence`.

    Raises:
        FstmetricsError: no list; nothing in it; a string taken apart; words that are empty or have white space around
            them; or a list in it that is no sequence of words.
    """
    items = value.items if isinstance(value, Alternatives) else value
    if not isinstance(items, Sequence) or isinstance(items, bytes | bytearray | memoryview):
        raise FstmetricsError(
            "expected a string, a sequence of words, a Lattice, an NBest, a Network or a list of those, "
            f"not {described(items)}"
        )
    if items and isinstance(items[0], str):
        refuse_record(items[0], "the first alternative")
    if are_characters(items):
        raise FstmetricsError(
            "a list of characters, white space among them; give the string, and Normalisation(unit='char') to compare "
            "characters"
        )
    if items is value and not isinstance(hypothesis, str) and are_unclear(items):
        faulty = next(item for item in items if item.split() != [item])
        wrong = f"{shortened(faulty)} has white space" if faulty else "'' is empty"
        raise FstmetricsError(
            f"a list of words, {beginning(items)}, of which {wrong}: give the sentence as one string, or its words, "
            "none of them empty or with white space; if they are alternatives, say Alternatives([...])"
        )
    for item in filter(is_sequence_of_strings, items):
        if spaced := next((word for word in item if word.split() not in ([], [word])), None):
            raise FstmetricsError(
                f"a list within a list of alternatives is a sequence of words, but {shortened(spaced)} has white "
                "space; give the sentence as a string, or one list less"
            )
    return value.items if isinstance(value, Alternatives) else Alternatives(items).items


def are_unclear(items: Sequence[object]) -> bool:
    """Whether several strings may be the words of one sentence as well as alternatives: none has several words.

    >>> are_unclear(["the ", ""]), are_unclear(["the cat", "dog"]), are_unclear(["", ""]), are_unclear(["the "])
    (True, False, False, False)
    """
    if len(items) < 2 or not all(isinstance(item, str) for item in items):
        return False
    return max(len(item.split()) for item in items) == 1  # type: ignore[attr-defined]


def refuse_single_characters(value: object) -> None:
    """Refuse a list of single characters where characters are compared: as words they would have spaces between them.

    Args:
        value: a hypothesis or reference; in alternatives, too, such a list is a sequence of words.

    Raises:
        FstmetricsError: it is one.

    >>> refuse_single_characters(["ab", "c"])
    """
    items = value.items if isinstance(value, Alternatives) else value
    if not isinstance(items, list | tuple):
        items = column(items) or ()
    if len(items) > 1 and items is not getattr(value, "items", None) and are_single(items):
        raise FstmetricsError(f"characters are compared, and this is {taken_apart(items)}")
    for item in items:
        if not isinstance(item, str):
            refuse_single_characters(item)


def is_sequence_of_strings(item: object) -> bool:
    """Whether something in a list of alternatives is a sequence of words."""
    return (
        isinstance(item, Sequence)
        and not isinstance(item, str)
        and all(isinstance(word, str) for word in item)
    )


def check_numbers(hypothesis: Input, reference: Input, normalisation: Normalisation) -> None:
    """Refuse a lattice of integer labels that no symbol table named, unless the other side is numbers too.

    Args:
        hypothesis: what the system said.
        reference: what it should have said.
        normalisation: changes to the words of both sides.

    Raises:
        FstmetricsError: it would be compared with words; the message names the first of them.
    """
    for value, other in ((hypothesis, reference), (reference, hypothesis)):
        try:
            lattice = _numbered(value)
        except RecursionError:
            raise FstmetricsError("lists within lists, too deep to be read") from None
        if lattice is None:
            continue
        beside = hypothesis if other is reference else None
        side = as_side(other, replace(normalisation, unit="word"), beside)
        word = next((w for w in labelled_words(side) if w and w != WILDCARD and not LABEL.fullmatch(w)), None)
        if word is not None:
            said = "the word '0', which has no label" if word == "0" else f"the word {word[:40]!r}"
            advice = "give the table of its words, --symbols FILE or symbols="
            if value is reference:
                advice = (
                    "--symbols is of hypotheses; fstmetrics convert REF FOLDER/ --to slf --symbols FILE --lossy makes "
                    "words of it, as symbols= does where it is read in Python"
                )
            raise FstmetricsError(
                f"lattice {lattice.id or '(no id)'} holds integer labels without a symbol table, and the other side "
                f"has {said}: {advice}"
            )


def _numbered(value: Input) -> Lattice | None:
    """A lattice of integers without words, if there is one."""
    if isinstance(value, Lattice):
        return value if value.numbered else None
    items = value.items if isinstance(value, Alternatives) else value
    if isinstance(items, str) or not isinstance(items, Sequence) or is_sentence(items):
        return None
    return next((lattice for lattice in map(_numbered, items) if lattice), None)


def _stand_for_sides(given: Sequence[Input]) -> bool:
    """Whether all stand for one side as they are: texts, lattices and networks."""
    if isinstance(given, AlternativeColumn | TranscriptColumn):
        return False
    types = set(map(type, given))
    return types == {str} or types <= {str, Lattice, Network}


def simple_sides(given: Sequence[Input]) -> list[Side] | None:
    """Texts, lattices and networks as the engine wants them, of many items at once; None where something is another
    kind of input, or cannot be searched."""
    if not _stand_for_sides(given):
        return None
    with suppress(AttributeError, KeyError):  # of networks that are prepared a call each takes longer
        return [value.__dict__["_graphs"][None] for value in given]
    try:
        return [value if type(value) is str else graph_of(value) for value in given]  # type: ignore[arg-type]
    except FstmetricsError:
        return None


def are_named(given: Sequence[Input]) -> bool:
    """Whether all are texts, transcripts, networks, or lattices whose labels are words; see `check_numbers`."""
    if isinstance(given, TranscriptColumn):
        return True
    if not _stand_for_sides(given):
        return False
    return not any(value.numbered for value in given if type(value) is Lattice)


def as_graph(value: Input, normalisation: Normalisation) -> Graph:
    """The same as a graph, even where it is one string; errors as of `as_side`."""
    side = as_side(value, normalisation)
    return side if isinstance(side, Graph) else line(side)


def written_out(side: Side) -> tuple[Automaton, SymbolTable]:
    """A side as one automaton, prepared, and the words of its labels.

    Raises:
        FstmetricsError: a network that is too large.
    """
    graph = side if isinstance(side, Graph) else line(side)
    machine = graph.machine
    if isinstance(machine, Rtn):
        unfolded = machine.unfolded(limits().expansion)
        if unfolded is None:
            size = machine.expanded_arcs
            raise limits().error("expansion", f"references for grammars could have {size} arcs written out")
        machine = unfolded
    return machine, SymbolTable(graph.words[1:])


def labelled_words(side: Side) -> tuple[str, ...]:
    """The words by the engine's labels, the first for epsilon; those of a text in the order in which they come."""
    if isinstance(side, Graph):
        return side.words
    return ("", *dict.fromkeys(PLAIN.words(side) if isinstance(side, str) else side))


def graph_of(value: Lattice | Network, normalisation: Normalisation = PLAIN) -> Graph:
    """A lattice or network as a graph, made once and kept with it.

    Raises:
        FstmetricsError: a lattice without a path, or a network too large to be scored by characters.
    """
    kept: dict[Normalisation | None, Graph] = value.__dict__.setdefault("_graphs", {})
    # No key is quicker than a normalisation that changes nothing.
    key = None if normalisation is PLAIN or normalisation.is_plain else normalisation
    graph = kept.get(key)
    if graph is None:
        with _PREPARING:
            graph = kept.get(key)
            if graph is None:
                make = _lattice_graph if isinstance(value, Lattice) else _network_graph
                graph = kept[key] = make(value, normalisation)  # type: ignore[arg-type]
    return graph


def _lattice_graph(lattice: Lattice, normalisation: Normalisation) -> Graph:
    from fstmetrics.engine.renaming import renamed  # texts do without it

    changed = renamed(lattice.automaton, lattice.symbols, normalisation)
    graph = Graph(lattice.prepared, lattice.symbols.words) if changed is None else changed.graph()
    if not graph.machine.has_path:  # type: ignore[union-attr]
        raise FstmetricsError(
            f"lattice {lattice.id or '(no id)'}: no path leads from its start to a final state"
        )
    return graph


def _network_graph(network: Network, normalisation: Normalisation) -> Graph:
    from fstmetrics.engine.renaming import changed_card, keeps_words, renamed

    if network.unit not in (None, normalisation.unit):
        raise FstmetricsError(
            f"network {network.id or '(no id)'}: its words were cut by the unit {network.unit}, and the unit here is "
            f"{normalisation.unit}; give --unit {network.unit}"
        )
    if network.tokenize is not None or network.lowercase:
        from fstmetrics.engine.network_words import left_for

        normalisation = left_for(network, normalisation)
    if normalisation.unit == "char":
        # Whether a space comes before a word depends on all that came before: cards do not know.
        automaton = network.rtn.unfolded(limits().expansion)
        if automaton is None:
            size = network.rtn.expanded_arcs
            what = f"network {network.id or '(no id)'}, to be scored by characters, could have {size} arcs written out"
            raise limits().error("expansion", what)
        by_characters = renamed(automaton, network.symbols, normalisation)
        return Graph(automaton, network.symbols.words) if by_characters is None else by_characters.graph()
    if keeps_words(network.symbols, normalisation):
        return Graph(network.rtn, network.symbols.words)
    cards = (changed_card(card, normalisation) for card in network.cards.values())
    other = Network(cards, network.root, id=network.id)
    return Graph(other.rtn, other.symbols.words)


def _union(items: Sequence[Alternative], normalisation: Normalisation) -> Side:
    """All alternatives as one graph: an RTN whose root calls each."""
    # Inside a list of alternatives a sequence of strings is one of them: a sequence of words.
    sides = [
        normalisation.words(item) if is_sequence_of_strings(item) else as_side(item, normalisation)  # type: ignore[arg-type]
        for item in items
    ]
    if len(sides) == 1:
        return sides[0]
    zeros, ones = np.zeros(len(sides), dtype=np.int32), np.ones(len(sides), dtype=np.int32)
    return _calling(sides, zeros, ones)


def _calling(sides: Sequence[Side], sources: Labels, destinations: Labels) -> Graph:
    """An RTN whose root calls each of some sides, from a state to another one; from 0 to the last one."""
    graphs = [side if isinstance(side, Graph) else line(side) for side in sides]
    symbols, _ = SymbolTable.intern(word for graph in graphs for word in graph.words)
    cards: list[Automaton] = []
    roots: list[int] = []
    for graph in graphs:
        new_label = np.array([symbols.index[word] for word in graph.words], dtype=np.int32)
        machine = graph.machine
        parts, root = ([machine], 0) if isinstance(machine, Automaton) else (machine.cards, machine.root)
        roots.append(len(cards) + root)
        cards += [_relabelled(part, new_label, len(cards)) for part in parts]
    calls = np.array([-root - 1 for root in roots], dtype=np.int32)
    last = int(destinations[-1])
    finals = np.array([last], dtype=np.int32)
    cards.append(Automaton(last + 1, 0, sources, calls, destinations, finals))
    return Graph(Rtn(cards, len(cards) - 1), symbols.words)


def concatenated(sides: Sequence[Side]) -> Side:
    """Sides in a row as one: words where all are, otherwise an RTN whose root calls one after the other."""
    pieces: list[Graph | list[str]] = []
    for side in sides:
        last = pieces[-1] if pieces else None
        if isinstance(side, Graph):
            pieces.append(side)
        elif isinstance(last, list):
            last += PLAIN.words(side)
        else:
            pieces.append(PLAIN.words(side))
    if not any(isinstance(piece, Graph) for piece in pieces):
        return pieces[0] if pieces else []
    states = np.arange(len(pieces) + 1, dtype=np.int32)
    return _calling(pieces, states[:-1], states[1:])


def line(text: str | Sequence[str]) -> Graph:
    """A text as a graph with one path."""
    symbols, labels = SymbolTable.intern(PLAIN.words(text) if isinstance(text, str) else text)
    n = len(labels)
    states = np.arange(n + 1, dtype=np.int32)
    automaton = Automaton(n + 1, 0, states[:-1], labels, states[1:], states[-1:])
    return Graph(automaton.prepared(), symbols.words)


def _relabelled(card: Automaton, new_label: Labels, shift: int) -> Automaton:
    """A card over other labels, its calls moved on by `shift` cards."""
    labels = card.labels
    moved = np.where(labels < 0, labels - shift, new_label[np.maximum(labels, EPSILON)]).astype(np.int32)
    return Automaton(card.num_states, card.start, card.sources, moved, card.destinations, card.finals)
