"""A grammar ready to be applied: `Compiled`, its left sides as one automaton for the engine, and its right sides.

The engine finds where a left side lies and which words it covers; what else can be said there is worked out here,
once for each sequence of words that is found. `compiled` keeps what it made.

From words to the symbols of a grammar's patterns: `Vocabulary`.

The left sides of a grammar's rules as one automaton over symbols: `Trie`.

Sides with open words: `bindings`, what they stand for in a text; `spelt`, how such a side is written then.

Upper and lower case: what a rule writes follows the text it was found in.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, product
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from fstmetrics._native import Patterns
from fstmetrics.grammars.expansion import MARKED_NUMBER, PlainRule, is_homograph, plain_rules
from fstmetrics.grammars.model import BEGIN, MAX_SIDES, REFERENCE, Grammar, Rule, Side
from fstmetrics.grammars.numerals import WORD_CLASSES
from fstmetrics.grammars.open_words import Open
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.data.symbols import Labels

Opens = Mapping[str, Open]
# The values of open words, by name.
Bound = dict[str, Hashable]
# Of a word: a literal piece, or the name and column of an open word.
Piece = tuple[str, str, int]
_Ways = Iterator[tuple[int, Bound, tuple[str, ...]]]

# Sequences of words whose rewritings are kept.
MAX_KEPT = 200_000

_kept: WeakKeyDictionary[Grammar, dict[Normalisation, Compiled]] = WeakKeyDictionary()


class Way(NamedTuple):
    """Another way to say something.

    Attributes:
        rule: which rule.
        words: those that it writes, as they are written.
        said: of these, in lower case, those that say something else once their punctuation is taken out: they are
            written only for a hypothesis that has them as they are.
    """

    rule: Rule
    words: tuple[str, ...]
    said: tuple[str, ...] = ()


def compiled(grammar: Grammar, normalisation: Normalisation) -> Compiled:
    """A grammar compiled for words under a normalisation; made once and kept as long as the grammar."""
    made = _kept.setdefault(grammar, {})
    if normalisation not in made:
        made[normalisation] = Compiled(grammar, normalisation)
    return made[normalisation]


class Compiled:
    """A grammar's plain rules, and where in the patterns of the engine they are.

    A pattern is a side of a plain rule: number of the rule times `MAX_SIDES`, plus number of the side.
    """

    def __init__(self, grammar: Grammar, normalisation: Normalisation) -> None:
        self.grammar = grammar
        self._written = normalisation.written
        takes_out = normalisation.remove_punctuation and normalisation.normaliser is None
        self._after = normalisation.after_rules if takes_out else None
        self.rules: tuple[PlainRule, ...] = tuple(plain_rules(grammar, normalisation))
        self._ways: dict[tuple[int, tuple[str, ...]], tuple[Way, ...]] = {}

    @property
    def vocabulary(self) -> Vocabulary:
        """The symbols of words."""
        return self._made[0]

    @property
    def patterns(self) -> Patterns:
        """The sides that are looked for."""
        return self._made[1]

    @cached_property
    def _made(self) -> tuple[Vocabulary, Patterns]:
        # Both are made together: a vocabulary that was stopped half way would lack symbols for ever.
        vocabulary = Vocabulary(self.grammar.opens)
        trie = Trie(vocabulary, self.grammar.opens)
        for number, (rule, sides, bare, _) in enumerate(self.rules):
            for i, side in enumerate(sides):
                if rule.matches(i):
                    for form in filter(None, (side, bare[i])):
                        trie.add(form, number * MAX_SIDES + i, rule.exact_case)
        return vocabulary, trie.patterns()

    def ways(self, pattern: int, words: tuple[str, ...]) -> tuple[Way, ...]:
        """What else can be said for words that a pattern was found to cover; the cheapest rule for each."""
        key = (pattern, words)
        ways = self._ways.get(key)
        if ways is None:
            if len(self._ways) >= MAX_KEPT:
                self._ways.clear()
            cheapest: dict[tuple[str, ...], Way] = {}
            for way in self._outputs(pattern, words):
                if way.words != words and way.words not in cheapest:
                    cheapest[way.words] = way
            ways = self._ways[key] = tuple(cheapest.values())
        return ways

    def _outputs(self, pattern: int, words: tuple[str, ...]) -> Iterator[Way]:
        (rule, sides, _, joins), side = self.rules[pattern // MAX_SIDES], pattern % MAX_SIDES
        opens = self.grammar.opens
        for bound, written in bindings(sides[side], words, opens):
            for output in rule.outputs(side):
                for spelling in spelt(sides[output], bound, opens) if bound else (sides[output],):
                    if bound and not self._written.is_plain:
                        spelling = tuple(w for word in spelling for w in self._written.arc_words(word))
                    said = self._said(spelling, joins[output], rule.matches(output)) if self._after else ()
                    words_then = spelling if rule.exact_case else as_found(words, written, spelling)
                    yield Way(rule, words_then, said)

    def _said(self, spelling: tuple[str, ...], joins: bool, is_told: bool) -> tuple[str, ...]:
        """The words that say something else without their punctuation: also marks that a side is told by."""
        assert self._after is not None
        bare = [tuple(self._after.arc_words(word)) for word in spelling]
        if len(spelling) == 1 and is_homograph(spelling, bare[0], self.grammar.homographs):
            return (spelling[0].lower(),)
        return tuple(
            word.lower()
            for word, without in zip(spelling, bare, strict=True)
            if MARKED_NUMBER.search(word) or (without != (word,) and (joins if without else is_told))
        )


# Words whose symbols are kept; a corpus has more only if it is very large, and then they are worked out again.
MAX_WORDS_KEPT = 200_000


class Vocabulary:
    """Numbers for the words, word classes and words with open parts that patterns are made of.

    A word of a text has as many symbols as it fits: itself whatever its case, itself in its case, and every class.
    """

    def __init__(self, opens: Opens) -> None:
        self._opens = opens
        self._size = 0
        self._free: dict[str, int] = {}  # words in lower case
        self._exact: dict[str, int] = {}
        self._classes: dict[str, tuple[int, ...]] = {}  # by member
        self._class_symbols: dict[str, int] = {}
        self._open: dict[tuple[str, bool], int] = {}
        self._tests: list[tuple[str, tuple[str, bool], int]] = []
        self._compiled: dict[tuple[str, bool], re.Pattern[str]] = {}
        self._known: dict[str, tuple[int, ...]] = {}

    def word(self, word: str, exact_case: bool = False) -> int:
        """The symbol of a word, or of a word with open words in it."""
        if BEGIN in word:
            return self._open_word(word, exact_case)
        table, key = (self._exact, word) if exact_case else (self._free, word.lower())
        symbol = table.get(key)
        if symbol is None:
            symbol = table[key] = self._new()
        return symbol

    def class_or_word(self, name: str) -> int:
        """The symbol of a word class of numbers, or else of a word."""
        if name not in WORD_CLASSES:
            return self.word(name)
        symbol = self._class_symbols.get(name)
        if symbol is None:
            symbol = self._class_symbols[name] = self._new()
            for member in WORD_CLASSES[name]:
                self._classes[member] = (*self._classes.get(member, ()), symbol)
        return symbol

    def of(self, word: str) -> tuple[int, ...]:
        """The symbols of a word of a text."""
        symbols = self._known.get(word)
        if symbols is None:
            if len(self._known) >= MAX_WORDS_KEPT:
                self._known.clear()
            symbols = self._known[word] = self._symbols(word)
        return symbols

    def _symbols(self, word: str) -> tuple[int, ...]:
        folded = word.lower()
        plain = [table[key] for table, key in ((self._free, folded), (self._exact, word)) if key in table]
        fitting = [
            symbol for needle, key, symbol in self._tests if needle in folded and self._fits(word, key)
        ]
        return (*plain, *self._classes.get(folded, ()), *fitting)

    def _open_word(self, word: str, exact_case: bool) -> int:
        key = (word, exact_case)
        if key not in self._open:
            self._open[key] = self._new()
            # A literal piece that has to be there: most words lack it, which is quickly seen.
            needle = max(REFERENCE.sub("\n", word).split("\n"), key=len).lower()
            self._tests.append((needle, key, self._open[key]))
        return self._open[key]

    def _fits(self, word: str, key: tuple[str, bool]) -> bool:
        """Whether a word is one that an open word stands for; expressions are compiled when first needed."""
        pattern = self._compiled.get(key)
        if pattern is None:
            text, exact_case = key
            flags = 0 if exact_case else re.IGNORECASE
            pattern = self._compiled[key] = re.compile(word_pattern(text, self._opens), flags)
        return pattern.fullmatch(word) is not None

    def _new(self) -> int:
        self._size += 1
        return self._size - 1


class Trie:
    """A tree of words, into which the automata of numbers in words are spliced. Nodes only lead to later ones."""

    def __init__(self, vocabulary: Vocabulary, opens: Opens) -> None:
        self._vocabulary = vocabulary
        self._opens = opens
        self._children: list[dict[int, int]] = [{}]
        self._ends: dict[int, list[int]] = {}
        self._phrase_arcs: dict[int, list[tuple[int, int]]] = {}
        self._phrases: dict[tuple[int, str], int] = {}

    def add(self, side: Side, pattern: int, exact_case: bool) -> None:
        """Add a side; `pattern` is what is found where it ends."""
        node = 0
        for word in side:
            if number := self._number(word):
                node = self._phrase(node, number)
            else:
                node = self._child(node, self._vocabulary.word(word, exact_case))
        self._ends.setdefault(node, []).append(pattern)

    def _number(self, word: str) -> str | None:
        """The open word that stands for a number in words here, if one does."""
        found = REFERENCE.fullmatch(word) if BEGIN in word else None
        return found[1] if found and self._opens[found[1]].in_words(int(found[2])) else None

    def _node(self) -> int:
        self._children.append({})
        return len(self._children) - 1

    def _child(self, node: int, symbol: int) -> int:
        children = self._children[node]
        child = children.get(symbol)
        if child is None:
            child = children[symbol] = self._node()
        return child

    def _phrase(self, node: int, name: str) -> int:
        """The end of the automaton of a number in words that begins at a node."""
        if (node, name) not in self._phrases:
            arcs = self._opens[name].words
            assert arcs is not None
            nodes = [node, *(self._node() for _ in range(max(target for *_, target in arcs)))]
            for source, word, target in arcs:
                symbol = self._vocabulary.class_or_word(word)
                self._phrase_arcs.setdefault(nodes[source], []).append((symbol, nodes[target]))
            self._phrases[node, name] = nodes[-1]
        return self._phrases[node, name]

    def patterns(self) -> Patterns:
        """The automaton as the engine has it."""
        arcs = [
            [*children.items(), *self._phrase_arcs.get(node, ())]
            for node, children in enumerate(self._children)
        ]
        return patterns_of(arcs, self._ends)


def patterns_of(arcs: Iterable[Iterable[tuple[int, int]]], ends: Mapping[int, Sequence[int]]) -> Patterns:
    """The automaton as the engine has it: of each node its arcs, and of some the patterns that end there."""
    rows = [sorted(row) for row in arcs]
    _, symbols = flat([symbol for symbol, _ in row] for row in rows)
    offsets, targets = flat([target for _, target in row] for row in rows)
    return Patterns(offsets, symbols, targets, *flat(ends.get(node, ()) for node in range(len(rows))))


def flat(lists: Iterable[Sequence[int]]) -> tuple[Labels, Labels]:
    """Lists in one array, and where each begins and ends."""
    offsets, values = [0], list[int]()
    for numbers in lists:
        values += numbers
        offsets.append(len(values))
    return np.array(offsets, dtype=np.int32), np.array(values, dtype=np.int32)


def word_pattern(word: str, opens: Opens) -> str:
    """A regular expression that matches every word that a word with open words in it stands for."""
    return "".join(
        f"(?:{opens[name].beside_others[column - 1]})" if name else re.escape(literal)
        for literal, name, column in _pieces(word)
    )


@lru_cache(maxsize=4096)
def _pattern_of(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def bindings(side: Side, words: Sequence[str], opens: Opens) -> Iterator[tuple[Bound, tuple[str, ...]]]:
    """What the open words of a side stand for, given words that the engine has found to fit the side.

    Yields:
        The values, and the words as the rule has them.
    """
    if not side:
        if not words:
            yield {}, ()
        return
    written: list[tuple[str, ...]] = []
    stack: list[tuple[_Ways, int, Bound]] = [(_ways(side[0], words, 0, opens), 0, {})]
    while stack:
        ways, at, known = stack[-1]
        del written[len(stack) - 1 :]
        if (way := next(ways, None)) is None:
            stack.pop()
            continue
        taken, bound, found = way
        if any(known.get(name, value) != value for name, value in bound.items()):
            continue
        written.append(found)
        at, known = at + taken, known | bound
        if len(stack) < len(side):
            stack.append((_ways(side[len(stack)], words, at, opens), at, known))
        elif at == len(words):
            yield known, tuple(chain.from_iterable(written))


def _ways(word: str, words: Sequence[str], at: int, opens: Opens) -> _Ways:
    """The ways to read one word of a side: how many words it takes, what is bound, the words as the rule has them."""
    references = REFERENCE.findall(word)
    if references and opens[references[0][0]].in_words(int(references[0][1])):
        return _phrases(references[0][0], words[at:], opens)
    if at == len(words):
        return iter(())
    return _word(word, words[at], opens) if references else iter([(1, {}, (word,))])


def _phrases(name: str, words: Sequence[str], opens: Opens) -> Iterator[tuple[int, Bound, tuple[str, ...]]]:
    """Beginnings of the words that are a number."""
    read = opens[name].read_words
    assert read is not None
    lowered = tuple(word.lower() for word in words)
    for taken in range(1, len(words) + 1):
        value = read(lowered[:taken])
        if value is not None:
            yield taken, {name: value}, lowered[:taken]


def _word(word: str, found: str, opens: Opens) -> Iterator[tuple[int, Bound, tuple[str, ...]]]:
    """A word with open words in it, taken apart in every way."""
    for bound, written in _parts(_pieces(word), found, opens):
        yield 1, bound, (written,)


def _parts(pieces: Sequence[Piece], found: str, opens: Opens) -> Iterator[tuple[Bound, str]]:
    """What the open words stand for in what is left of a word, and that as the rule has it."""
    if not pieces:
        if not found:
            yield {}, ""
        return
    literal, name, column = pieces[0]
    if name:
        ends = range(len(found) + 1) if len(pieces) > 1 else (len(found),)
        first = ((end, _value(opens[name], column, found[:end]), found[:end]) for end in ends)
    else:
        fits = found[: len(literal)].lower() == literal.lower()
        first = (whole for whole in [(len(literal), None, literal)] if fits)
    for end, value, written in first:
        if name and value is None:
            continue
        for others, rest in _parts(pieces[1:], found[end:], opens):
            if not name or others.get(name, value) == value:
                yield (others | {name: value} if name else others), written + rest


def _value(kind: Open, column: int, found: str) -> Hashable | None:
    return kind.read(found, column) if _pattern_of(kind.patterns[column - 1]).fullmatch(found) else None


@lru_cache(maxsize=4096)
def _pieces(word: str) -> tuple[Piece, ...]:
    """A word as literal pieces and references: (literal, "", 0) or ("", name, column)."""
    pieces: list[Piece] = []
    last = 0
    for found in REFERENCE.finditer(word):
        pieces += [(word[last : found.start()], "", 0), ("", found[1], int(found[2]))]
        last = found.end()
    return tuple(piece for piece in (*pieces, (word[last:], "", 0)) if any(piece))


def spelt(side: Side, bound: Bound, opens: Opens) -> Iterator[tuple[str, ...]]:
    """The ways to write a side, given what its open words stand for."""
    for words in product(*(_written(word, bound, opens) for word in side)):
        yield tuple(part for word in words for part in word.split())


def _written(word: str, bound: Bound, opens: Opens) -> list[str]:
    forms = [""]
    for literal, name, column in _pieces(word):
        texts = opens[name].write(bound[name], column) if name else (literal,)
        forms = [form + text for form in forms for text in texts]
    return forms


def as_found(found: Sequence[str], written: Sequence[str], output: Sequence[str]) -> tuple[str, ...]:
    """The output of a rule in the case of the text.

    Args:
        found: the words of the text.
        written: the same words as the rule has them.
        output: what the rule writes.

    >>> as_found(["It's"], ["it's"], ["it", "is"]), as_found(["IT'S"], ["it's"], ["it", "is"])
    (('It', 'is'), ('IT', 'IS'))
    >>> as_found(["july", "8"], ["July", "8"], ["8", "July"]), as_found(["July", "8"], ["July", "8"], ["8", "July"])
    (('8', 'july'), ('8', 'July'))
    """
    if tuple(found) == tuple(written) or not output:
        return tuple(output)
    text = "".join(found)
    if text.islower():
        return tuple(word.lower() for word in output)
    if text.isupper() and sum(map(str.isalpha, text)) > 1 and not "".join(written).isupper():
        return tuple(word.upper() for word in output)
    if found[0][:1].isupper() and not written[0][:1].isupper():
        return (output[0][:1].upper() + output[0][1:], *output[1:])
    return tuple(output)
