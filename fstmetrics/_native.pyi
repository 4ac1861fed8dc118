"""The compiled core of fstmetrics: automata, networks and searches."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


def instruction_set() -> str:
    """
    The instruction set that kernels use: x86-64-v4 (AVX-512), x86-64-v3 (AVX2) or plain; the widest that the machine has,
    but at most what the environment variable FSTMETRICS_INSTRUCTION_SET named when the engine was loaded.
    """

def compiler() -> str:
    """The compiler of the engine, and its version."""

class Automaton:
    """Immutable word automaton; arcs sorted by source state in flat arrays."""

    def __init__(self, num_states: int, start: int, sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], destinations: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], finals: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], arc_costs: Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None = None, final_costs: Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def __getstate__(self) -> tuple[object, ...]: ...

    def __setstate__(self, arg: tuple[int, int, Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)] | None, Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], /) -> None: ...

    @property
    def num_states(self) -> int: ...

    @property
    def num_arcs(self) -> int: ...

    @property
    def start(self) -> int: ...

    @property
    def min_label(self) -> int:
        """The smallest label, if it calls a card; otherwise 0."""

    @property
    def max_label(self) -> int:
        """The largest label, 0 if no arc has a word."""

    @property
    def sorted(self) -> bool:
        """Whether every arc leads to a higher state."""

    @property
    def has_path(self) -> bool:
        """False for a prepared automaton that accepts nothing."""

    @property
    def has_costs(self) -> bool: ...

    @property
    def sources(self) -> NDArray[numpy.int32]: ...

    @property
    def labels(self) -> NDArray[numpy.int32]: ...

    @property
    def destinations(self) -> NDArray[numpy.int32]: ...

    @property
    def origins(self) -> NDArray[numpy.int32]: ...

    @property
    def finals(self) -> NDArray[numpy.int32]: ...

    @property
    def arc_costs(self) -> NDArray[numpy.float64]: ...

    @property
    def final_costs(self) -> NDArray[numpy.float64]: ...

    def prepared(self) -> Automaton:
        """
        The same paths: useful states only, in topological order; freed of epsilons if cyclic.
        """

    def minimal(self, most_states: int) -> Automaton:
        """
        The least deterministic automaton with the same strings, costs left behind, states numbered breadth first by labels. None where the deterministic automaton has more than most_states states, before it is made minimal.
        """

    def best_paths(self, prepared: Automaton, scales: Sequence[tuple[float, float, float]], silent: Sequence[int]) -> list[tuple[float, list[int], list[int]]]:
        """
        Cost, arc numbers and words of the path of least weighted cost, by each (graph, acoustic, word penalty). `silent`: the labels that are no words.
        """

    def word_posteriors(self, prepared: Automaton, scales: tuple[float, float, float], silent: Sequence[int], scale: float, begins: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, ends: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> list[tuple[int, float]]:
        """
        The arcs of the words of the best path, each with the posterior of its word at the middle of its time; costs are multiplied by `scale` first. Arguments as of best_paths.
        """

    @property
    def kinds_of_costs(self) -> tuple[bool, bool]:
        """Whether any graph cost, and any acoustic cost is not zero."""

    def with_one_end(self) -> Automaton:
        """
        The paths as prepared, ending in the last state: final states lead there by an epsilon of origin num_arcs + state.
        """

    def least_costs_through(self, costs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]:
        """
        By origin, the least cost of a path through an arc of an automaton with one end; 2^63 - 1 on no path.
        """

    def least_costs(self, costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sequences: Sequence[Sequence[int]]) -> list[float]:
        """
        The least cost of a path with each sequence of labels, of an automaton with one end; inf without one.
        """

    def longest_before(self, lengths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]:
        """
        The longest way from the start to each state of a sorted automaton, arcs being as long as said by origin.
        """

    def log_mass(self, costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """
        log of the sum of exp(-cost) over the paths of an automaton with one end; costs go by origin.
        """

    def log_masses(self, costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sequences: Sequence[Sequence[int]]) -> list[float]:
        """The same over the paths with the words of each sequence of labels."""

class Rtn:
    """Cards that call one another: label -c - 1 on an arc calls card c."""

    def __init__(self, cards: Sequence[Automaton], root: int) -> None: ...

    def __getstate__(self) -> tuple[object, ...]: ...

    def __setstate__(self, arg: tuple[Sequence[Automaton], int], /) -> None: ...

    @property
    def root(self) -> int: ...

    @property
    def cards(self) -> list[Automaton]: ...

    @property
    def depth(self) -> int:
        """How deep cards call cards: 1 where the root calls none."""

    @property
    def num_states(self) -> int:
        """Useful states of all cards together."""

    @property
    def num_arcs(self) -> int:
        """Useful arcs of all cards together."""

    @property
    def expanded_arcs(self) -> int:
        """Upper bound of the arcs of the expansion."""

    def expanded(self, max_arcs: int) -> Automaton:
        """
        The expansion, prepared: a path for every path. None where it could have more than max_arcs arcs.
        """

    def unfolded(self, max_arcs: int) -> Automaton:
        """
        The same strings with equal parts once, as searches want it; None likewise.
        """

    @property
    def has_costs(self) -> bool:
        """Whether an arc or final state of some card carries costs."""

    def with_one_end(self) -> Rtn:
        """
        The same derivations, cards ending in one state; origins are numbers over all cards, of arcs, then of states.
        """

    def scaled_costs(self, graph_scale: float, acoustic_scale: float, word_penalty: float, counts_as_word: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """Weighted costs by the origins that arcs have after with_one_end()."""

    def largest_sum(self, costs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """
        The most that the arcs of a derivation cost, whatever their signs; costs go by origin.
        """

    def log_mass(self, costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """
        log of the sum of exp(-cost) over all derivations of cards with one end; costs go by origin.
        """

    def log_masses(self, costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sequences: Sequence[Sequence[int]]) -> list[float]:
        """The same over the derivations of each sequence of labels."""

    def least_costs(self, costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sequences: Sequence[Sequence[int]]) -> list[float]:
        """
        The least cost of a derivation of each sequence of labels; inf without one.
        """

    def best_path(self, graph_scale: float, acoustic_scale: float, word_penalty: float, counts_as_word: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]:
        """
        Cost, cards, arcs as given and labels of the derivation with the least weighted cost.
        """

    def share_string(self, first: int, second: int, max_pairs: int) -> bool | None:
        """
        Whether two cards have a string in common; None where more than max_pairs places or pairs of places would be looked at.
        """

class NgramSearch:
    """
    N-grams of a lattice or forest, whose states are split by more and more words before them.
    """

    def __init__(self, rtn: Rtn, costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Cards with one end each; costs go by the origins of their arcs."""

    @property
    def num_arcs(self) -> int: ...

    @property
    def prefixes(self) -> NDArray[numpy.int32]:
        """By n-gram, the one without its last word; the first is the empty one."""

    @property
    def words(self) -> NDArray[numpy.int32]:
        """By n-gram, the label of its last word."""

    def split(self, max_arcs: int) -> bool:
        """
        Splits states by one word more; False, and nothing is done, where that takes more arcs.
        """

    def find_probabilities(self) -> None:
        """Finds how likely a derivation has each n-gram that an arc ends."""

    def probabilities(self) -> NDArray[numpy.float64]:
        """By n-gram, how likely a derivation has it at least once."""

    def probability(self, labels: Sequence[int]) -> float:
        """The same of the n-gram of some words, whether it is there or not."""

    def expected_counts(self) -> NDArray[numpy.float64]:
        """By n-gram, how often a derivation is expected to have it."""

    def prune(self, thetas: Sequence[float], least: float) -> None:
        """
        Leaves out arcs on no derivation that could gain as much as the least; thetas: gains of a word, and of an n-gram by its length.
        """

    def best(self, thetas: Sequence[float]) -> list[int]:
        """The labels that could gain most."""

    def upper_bounds(self, thetas: Sequence[float]) -> tuple[Rtn, NDArray[numpy.float64]]:
        """
        What is left, cards with one end each, and the most that arcs can gain, by origin.
        """

def common_ngrams(systems: Sequence[tuple[tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]], tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)] | Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]]]], first: int, end: int, max_order: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]:
    """
    N-grams that references and outputs have in common, whose first word is one from `first` to `end`; of each system words of references and where items begin, and the same of hypotheses. Of n-grams in order the place of the one without its last word, or -1, the last word, and the matches of the systems, one after the other.
    """

def ngram_matches(hypotheses: list[str], references: list[str], of_hypothesis: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], of_reference: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], char_order: int, word_order: int, whitespace: bool, threads: int) -> NDArray[numpy.int64]:
    """
    The statistics of chrF for pairs of texts, which are lists of strings: pair i is of the hypothesis and the reference with the numbers at place i. Of each order of characters, then of words, the n-grams of the hypothesis, of the reference and of both.
    """

class Patterns:
    """Left sides of rewrite rules, as one acyclic automaton over symbols."""

    def __init__(self, arc_offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], end_offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def find(self, automaton: Automaton, symbol_offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], max_matches: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]:
        """
        Matches on the paths of a prepared automaton: rows of two states and what was found; for everything found, the pattern; and its labels, as offsets and values. `symbols` are those of each label.
        """

def widened(automaton: Automaton, matches: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], way_offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ways: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], word_offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Automaton, NDArray[numpy.int32], NDArray[numpy.uint8]]:
    """
    The automaton with further ways to say what matches cover; for each arc the way it is part of, or -1, and whether it is the first of it.
    """

def partings(wholes: object, parts: object, most: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]:
    """
    Ways to write each of some words as 2 to 16 of some parts, which are distinct: the number of the word, and the numbers of the parts as offsets and values.
    """

def cheapest_path(automaton: Automaton, words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int32]:
    """
    Origins of the arcs of the cheapest path of a prepared automaton that reads these words.
    """

class EditAutomaton:
    """A metric: memories and, for each, four edit operations."""

    def __init__(self, next: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], move_cost: int, longest: bool) -> None: ...

class WordCosts:
    """Costs that depend on the words, added to an EditAutomaton's."""

    def __init__(self, match: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], substitution: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], insertion: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], deletion: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def arrow_stream(rows: int, columns: Sequence[tuple[str, str, int, Sequence[numpy.typing.NDArray[Any] | None]]]) -> object:
    """
    A table as a capsule of Arrow's C stream: of each column its name, its format, how many values are missing, and its buffers as Arrow has them.
    """

class TextColumn(Sequence[str]):
    """
    Many texts in bytes that they share, in memory or in their file, which is read where they are looked at; a sequence of str, made then. Parts are in memory.
    """

    def __init__(self, texts: list[str] | tuple[str, ...]) -> None: ...

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, index: int, /) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> TextColumn: ...

    def __eq__(self, other: object, /) -> bool: ...

    def taken(self, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> TextColumn:
        """The texts with these numbers; of -1, an empty one."""

    @staticmethod
    def of_parts(columns: Sequence[TextColumn]) -> TextColumn:
        """The texts of several columns; their bytes stay where they are."""

    @overload
    @staticmethod
    def of_buffers(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> TextColumn: ...

    @overload
    @staticmethod
    def of_buffers(offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> TextColumn:
        """
        Texts in UTF-8 as Arrow has them, which are not copied: text i is from offsets[i] to offsets[i + 1].
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

    def joined(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint8]]:
        """Where each text begins and the last one ends, and the bytes of all."""

    def distinct(self) -> TextColumn:
        """Each text once, in the order in which they come."""

    def filled(self) -> int:
        """How many texts are not empty."""

    def longest(self) -> int:
        """No text has more bytes."""

    def digests(self) -> NDArray[numpy.int64]:
        """
        Of each text a number of 53 bits that is made of its words; sentence boundaries are none.
        """

    @property
    def survey(self) -> LineSurvey | None:
        """Of all lines of a file: what they have in common."""

class TextIndex:
    """
    The texts of a column, to be looked up many at a time. Those in a file are compared by numbers of 96 bits made of them.
    """

    def __init__(self, column: TextColumn) -> None: ...

    def __len__(self) -> int:
        """How many different texts there are."""

    def found(self, others: TextColumn) -> NDArray[numpy.int64]:
        """
        For every text of a column, the number of the first one here that is equal; -1: none.
        """

def text_lines(data: bytes) -> TextColumn:
    """The lines of UTF-8 text without the white space at their ends."""

def id_lines(data: bytes, are_different: bool = False) -> tuple[TextColumn, TextColumn] | None:
    """
    Ids and texts of `id word word ...` lines; None where one is blank before the end, or an id comes twice, unless all are known to be different.
    """

def first_words(data: bytes) -> tuple[TextColumn, TextColumn]:
    """
    The first and the second word of every line but blank ones at the end; empty where there is none.
    """

class IdLooks:
    """
    What words in ASCII, and names of files, have in common that may be ids.
    """

    @property
    def all_fit(self) -> bool:
        """Whether every word looks like an id; if not, nothing else is told."""

    @property
    def all_certain(self) -> bool:
        """
        Whether every word has _, two hyphens and a digit, or names a file (abc.wav).
        """

    @property
    def all_bare(self) -> bool:
        """Whether every word has a letter or digit at both ends."""

    @property
    def one_form(self) -> bool:
        """
        Whether all have a digit, and differ in nothing but which letters and digits they have.
        """

    @property
    def form(self) -> str:
        """
        Of the first word, with 0 for its runs of digits and a for those of letters; empty of none.
        """

    @property
    def all_decimal(self) -> bool:
        """Whether every word is a number."""

    @property
    def others(self) -> TextColumn:
        """The words with other characters, each once."""

class LineForm:
    """How a line of a text says its item."""

    @property
    def head_bytes(self) -> int:
        """How many bytes are before the first item."""

class TrnForm(LineForm):
    """Lines of sclite's form, `word word ... (id)`."""

    def __init__(self) -> None: ...

class LineSurvey:
    """What all lines of a text have in common, found piece by piece."""

    def __init__(self, content: object, begin: int = 0, form: LineForm | None = None, window: int = 262144) -> None:
        """
        Of bytes, or of an open file (`PlainBytes`), from a byte on; of a form, or of words. A file is read about `window` bytes at a time.
        """

    @property
    def is_text(self) -> bool:
        """Whether it is UTF-8 without characters that no text has."""

    @property
    def is_plain(self) -> bool:
        """Of a form: whether columns tell all of it."""

    @property
    def lines(self) -> int: ...

    @property
    def begin(self) -> int:
        """The byte where they begin."""

    @property
    def up_to_words(self) -> int:
        """How many lines there are up to the last one with a word."""

    @property
    def filled(self) -> int:
        """How many lines have a word."""

    @property
    def stray(self) -> tuple[int, object]:
        """
        The number of the first line that no sentence is, and what it is; 0 where there is none.
        """

    @property
    def has_mark(self) -> bool:
        """
        Whether a line begins with a byte order mark, other than that of the file.
        """

    @property
    def seconds(self) -> int:
        """How many lines have two."""

    @property
    def tabbed(self) -> int:
        """How many lines have one tab, which is behind the first word."""

    @property
    def longest(self) -> int:
        """Bytes of the longest line; of a table, of the longest id or text."""

    @property
    def repeated(self) -> int:
        """At least so many first words had come before."""

    @property
    def is_ascending(self) -> bool:
        """
        Whether every first word is behind the one before, in the order of bytes.
        """

    @property
    def looks(self) -> IdLooks:
        """Of first words in ASCII."""

    @property
    def has_digests(self) -> bool:
        """Whether the digests are told."""

    @property
    def fields(self) -> list[str]:
        """Of a table: the names of the fields that items have."""

    @property
    def empty(self) -> tuple[int, list[int], str]:
        """
        Of a table, empty texts: how many there are, the numbers of the first ones' lines, and the first text.
        """

    @property
    def missing(self) -> tuple[int, list[int], str]:
        """The same of texts that are the word for a missing number."""

    @property
    def has_others(self) -> bool:
        """Whether a first word has other characters; `looks` leaves it out."""

    @property
    def digest(self) -> int:
        """
        The same for the same first words in the same order, if they look like ids.
        """

    @property
    def set_digest(self) -> int:
        """
        The same for the same first words in any order, if they look like ids and none comes twice.
        """

    def shares(self, other: LineSurvey) -> bool:
        """Whether a first word of both is known; there may be one all the same."""

class StoredLines:
    """Lines of an open file, which are read again where they are looked at."""

    def __init__(self, file: object, survey: LineSurvey, form: LineForm | None, has_ids: bool, lines: int, ahead: int) -> None:
        """
        So many lines, as a survey of the form has found them; without a form, of words, of which the first are ids if `has_ids`. About `ahead` lines are read together.
        """

    def __len__(self) -> int: ...

    @property
    def ids(self) -> TextColumn: ...

    @property
    def texts(self) -> TextColumn: ...

    def fields(self, begin: int, end: int) -> FieldRows:
        """Of a table: the fields of some lines."""

    def taken(self, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> StoredLines:
        """The lines with these numbers; of -1, an empty one."""

def with_signs_apart(text: str) -> str:
    """
    A text with spaces around its signs, as sacrebleu's tokenizers 13a and zh put them.
    """

def id_looks(words: TextColumn) -> IdLooks: ...

def trn_lines(data: bytes, is_known: bool = False) -> tuple[TextColumn, TextColumn] | None:
    """
    Ids and texts of `word word ... (id)` lines; None where one is something else, or an id comes twice, unless it is known that there is no such line.
    """

def marked_trn_lines(data: bytes) -> tuple[TextColumn, TextColumn] | None:
    """
    The same of `word { word / word } ... (id)` lines, whose texts are as they are written; None where one has no id, or an id comes twice.
    """

class FieldRows(Sequence[dict[str, str | int | float | bool | None]]):
    """
    What files say of many items; a sequence of dicts, made when they are looked at.
    """

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, index: int, /) -> dict[str, str | int | float | bool | None]: ...

    @overload
    def __getitem__(self, index: slice) -> FieldRows: ...

    def __iter__(self) -> Iterator[dict[str, str | int | float | bool | None]]: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def taken(self, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> FieldRows:
        """The rows with these numbers; of -1, one without fields."""

    def names(self) -> list[str]:
        """The names that a row has, in the order in which they come."""

    def codes(self, name: str) -> tuple[numpy.typing.NDArray[numpy.int64], list[str | int | float | bool | None]]:
        """
        A field of all rows: the number of each one's value, and the values in the order in which they come; None where a row lacks it.
        """

    @staticmethod
    def merged(sides: Sequence[FieldRows]) -> FieldRows:
        """
        The fields of several sides of the same items, as fstmetrics.data.fields.merged has them.
        """

    @staticmethod
    def with_texts(rows: FieldRows | None, name: str, texts: TextColumn) -> FieldRows:
        """
        The rows with a text each as the field of this name; without rows, that field alone.
        """

class TableForm(LineForm):
    """Rows of a table, one a line."""

    def part(self, data: bytes) -> tuple[TextColumn | None, TextColumn, FieldRows | None] | None:
        """
        Ids (None where no column is one), texts, and fields (None where they are not wanted) of whole lines; None where one is something that only the reader in Python tells.
        """

class JsonRowForm(TableForm):
    """Objects of JSON, one a line."""

    def __init__(self, id: Sequence[str], text: str, left_out: Sequence[str], renamed: Sequence[tuple[str, str]], has_fields: bool) -> None:
        """
        The columns of the id, joined by _; of the text; those that are no fields; and names of others as fields.
        """

class DelimitedRowForm(TableForm):
    """Cells parted by a character, a row a line."""

    def __init__(self, id: Sequence[str], text: str, left_out: Sequence[str], renamed: Sequence[tuple[str, str]], has_fields: bool, head: Sequence[str], head_bytes: int, head_lines: int, delimiter: str, is_spaced: bool) -> None:
        """
        The same, and the names in the head, how long the head is, and whether spaces behind delimiters count for nothing.
        """

class HeadedRowForm(TableForm):
    """Cells parted by tabs or by white space, a row a line."""

    def __init__(self, id: Sequence[str], text: str, left_out: Sequence[str], renamed: Sequence[tuple[str, str]], has_fields: bool, head: Sequence[str], has_tabs: bool) -> None:
        """
        As of JsonRowForm, the names in the head, and whether tabs part the cells.
        """

class ScoreRows:
    """A table of scores as columns, read piece by piece."""

    def __init__(self, form: TableForm, names: Sequence[str], scores: Sequence[str]) -> None:
        """How a line is a row, and the columns of names and of scores."""

    def add(self, data: bytes, begin: int = 0) -> bool:
        """
        Reads whole lines from a byte on. False where one is something that only the reader in Python tells.
        """

    def names(self, column: int) -> tuple[numpy.typing.NDArray[numpy.int32], list[str]]:
        """
        The number of each row's name, and the names in the order in which they come; once only.
        """

    def scores(self, column: int) -> numpy.typing.NDArray[numpy.float64]:
        """The score of each row, nan where there is none; once only."""

class Stop:
    """
    Ends what the engine does on a thread, where nobody waits for it any more.
    """

    def __init__(self) -> None: ...

    def set(self) -> None:
        """
        Calls of the engine on the thread that heeds this raise RuntimeError soon.
        """

    def heed(self) -> None:
        """The engine looks at this in every call on the thread that asks."""

class Graph:
    """A lattice or network, prepared, with the words of its labels."""

    def __init__(self, machine: Automaton | Rtn, words: Sequence[str], arc_costs: numpy.typing.NDArray[numpy.int64] | None = None, only_hits: numpy.typing.NDArray[numpy.uint8] | None = None) -> None:
        """
        `arc_costs`: what taking an arc costs beside the operation, in units of the metric, by the arc's origin. `only_hits`: not 0 for the arcs of a reference that only a match can take.
        """

    @property
    def machine(self, /) -> Automaton | Rtn: ...

    @property
    def words(self, /) -> tuple[str, ...]:
        """By label; the first stands for epsilon."""

class CharacterColumn:
    """
    Many texts as sequences of characters, which are made when they are looked at.
    """

    def __init__(self, texts: TextColumn, as_they_are: bool) -> None:
        """
        Unless characters are taken as they are, they are those of the words without sentence markers, and a space between one word and the next.
        """

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> tuple[str, ...]: ...

class AlternativeTexts:
    """Several texts of each item as a side, of which the best counts."""

    def __init__(self, columns: Sequence[Sequence[Any]], begins: numpy.typing.NDArray[numpy.int64] | None = None) -> None:
        """
        Columns side by side, each a side of texts as of search(); or one column in which texts begins[i] to begins[i + 1] are those of item i.
        """

    def __len__(self) -> int: ...

def strings_of_lists(lists: Sequence[object], beside_strings: bool) -> tuple[list[str], NDArray[numpy.int64]] | None:
    """
    The strings of lists and tuples, one behind the other, and where those of each item begin and the last ones end. None where one is empty or holds something else, or may be the words or characters of one sentence.
    """

class Tally:
    """How many items have the same counts."""

    def __init__(self) -> None: ...

    def add(self, rows: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]:
        """
        Adds counts, a row an item; returns the number of each item's among the rows.
        """

    def rows(self) -> NDArray[numpy.int64]:
        """
        The different counts, as of Found.counts(), in the order in which they came.
        """

    def times(self) -> NDArray[numpy.int64]:
        """How often each of them came."""

class Found:
    """What the searches of a batch found, item by item."""

    def __len__(self) -> int: ...

    @property
    def failure(self) -> tuple[int, str] | None:
        """
        The first item whose search was refused, and why; None if there is none.
        """

    def all_counts(self) -> NDArray[numpy.int64]:
        """counts() of every item's best path, a row an item."""

    def add_to(self, tally: Tally) -> NDArray[numpy.int64]:
        """
        Adds counts() of every item's best path; returns the number of each item's among the rows.
        """

    def operations(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint8], NDArray[numpy.int32], NDArray[numpy.int32]]:
        """
        The alignments of the best paths, one behind the other: where each begins and the last one ends, letters, words of the hypothesis as given and of the closest path, from 0; -1: none.
        """

    def part(self, first: int, step: int) -> Found:
        """Every so many of the items, from one on."""

    def paths_apart(self) -> tuple[Found, NDArray[numpy.int64]]:
        """
        Every path of every item as an item, and where those of each item begin, with the end.
        """

    def sums(self) -> list[int] | None:
        """Sums of all_counts(); None where one does not fit 64 bits."""

    def lengths(self) -> dict[int, int]:
        """How many best paths have so many words of the reference."""

    def counts(self, item: int, path: int) -> list[int]:
        """
        Cost, matches, substitutions, insertions, deletions, moves, words of the reference.
        """

    def paths(self, item: int) -> int:
        """How many paths were found, best first."""

    def stats(self, item: int) -> tuple[str, int, int, int, int, int]:
        """
        Route, entries pushed and popped, states expanded, states of either side.
        """

    def written(self, item: int, path: int, type: type) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Any, ...]]:
        """
        Words chosen on either side, and the operations as instances of a subclass of tuple.
        """

class PairBounds:
    """How many edits part texts of two lists at least, pair by pair."""

    def __init__(self, hypotheses: object, references: object) -> None:
        """Sides as of search(), all of them texts."""

    @property
    def hypothesis_words(self) -> NDArray[numpy.int64]:
        """How many words each hypothesis has."""

    @property
    def reference_words(self) -> NDArray[numpy.int64]:
        """How many words each reference has."""

    def least(self, pairs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]:
        """
        Of rows of a hypothesis and a reference the edits that there are at least, at little cost.
        """

    def within(self, pairs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64]:
        """
        Of rows of a hypothesis, a reference and a limit: the edits, twice, where they are within the limit; otherwise edits beyond it that there are at least, and a guess.
        """

def search(hypotheses: object, references: object, metric: EditAutomaton, window: int, reordering: str, word_costs: Sequence[WordCosts] | None, route: str, nbest: int, alignment: bool, max_expanded_arcs: int, max_cells: int, max_nodes: int, threads: int, fear: bool = False, later: bool = False) -> Found:
    """
    Finds the best path of every item, the GIL released but for a look at signals now and then. Sides are a TextColumn, or a sequence of str, lists or tuples of words, and Graphs; a hypothesis may also be a tuple of tuples of words, of which the best counts. `later`: alignments may be left to be worked out when they are looked at.
    """

def best(hypothesis: str | Graph, reference: str | Graph, metric: EditAutomaton, window: int, reordering: str, max_expanded_arcs: int, max_cells: int, max_nodes: int) -> tuple[int, int] | None:
    """
    Cost and reference words of the best path that search() finds; None where that is for search() to say.
    """

def routes(hypothesis: object, reference: object, metric: EditAutomaton, window: int, reordering: str, word_costs: WordCosts | None, nbest: int, max_expanded_arcs: int, max_cells: int, max_nodes: int) -> list[tuple[str, str, float, float, list[float]]]:
    """
    The table of routes for one item: name, why it cannot be used (empty if it can), and what it is predicted to take: nanoseconds, bytes, and the sizes that the time is made of.
    """

def compound_items(hypotheses: object, references: object) -> NDArray[numpy.int32]:
    """
    Numbers of the items of which a word of one side may be words of the other put together; sides as of search().
    """

def pair_costs(hypotheses: object, references: object, metric: EditAutomaton, threads: int = 1) -> NDArray[numpy.int64] | None:
    """
    What each hypothesis costs against each reference, a row for each hypothesis, in units of the metric; where both are one object, each pair is compared once. Sides as of search(). None under other metrics than those that weigh edits alike, or of other sides than texts.
    """

def are_words(values: object) -> bool:
    """
    Whether all items of a list or tuple are strings, none of them empty or with white space in it.
    """

def are_strings(values: object) -> bool:
    """Whether a list or tuple has items, and all are of the type str."""

def wildcard() -> str:
    """The word on arcs of references that takes any word of the other side."""

def sentence_markers() -> list[str]:
    """The words that never count."""

def epsilon_names() -> list[str]:
    """The words that stand for no word in one lattice format or another."""

class KindTexts:
    """Texts of which each is of many rows."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def append(self, text: bytes) -> None: ...

class PathWords(Sequence[tuple[str, ...]]):
    """
    The words of the best paths of items on one side, a side of another search.
    """

    def __init__(self, found: Found, side: str, first: int = 0, last: int | None = None) -> None:
        """
        `side`: 'hypothesis' or 'closest'; of the items from `first` to before `last`.
        """

    def __len__(self) -> int: ...

    def texts(self) -> TextColumn:
        """The words of each with spaces between."""

    def __getitem__(self, index: Any, /) -> Any: ...

class RecordRows:
    """
    Rows of text, each put together from an entry of every column, in the order in which they are added.
    """

    def __init__(self, size: int) -> None: ...

    def text(self, text: bytes) -> None:
        """Adds what is the same in all rows."""

    def kinds(self, kinds: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], texts: KindTexts) -> None:
        """Adds the text of each row's kind."""

    def ids(self, ids: TextColumn, ascii: bool = False) -> None:
        """Adds a string of JSON; `ascii`: without other characters."""

    def fields(self, fields: FieldRows, before: bytes, ascii: bool = False) -> None:
        """
        Adds an object of JSON, and what stands before it; where that is something, empty objects are left out.
        """

    def integers(self, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds a number."""

    def numbers(self, numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds a number as Python writes it; null for what is not finite."""

    def integer_lists(self, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds an array of numbers, those between a row's offsets."""

    def number_lists(self, numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """The same of floats."""

    def words(self, found: Found, side: str) -> None:
        """
        Adds the words of a best path, an array of JSON; `side`: 'hypothesis' or 'closest'.
        """

    def alignments(self, found: Found) -> None:
        """Adds the operations of a best path, likewise."""

    def parts(self, found: Found) -> None:
        """
        Adds where 1-bests, the hypotheses, part from oracles, which they were aligned with.
        """

    def written(self, between: bytes = ..., threads: int = 1) -> bytes:
        """All rows."""

def time_constrained(references: Sequence[tuple[Automaton, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], hypotheses: Sequence[tuple[Automaton, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], max_cells: int) -> NDArray[numpy.int64]:
    """
    Edits, reference words, matches and deletions of each pair, words aligned only where their times overlap; shape [pairs, 4]. Each side is an automaton and when its arcs, by origin, begin and end.
    """

def combine(utterances: Sequence[Automaton], streams: Sequence[Automaton], utterances_are_references: bool, max_cells: int, how: str = 'auto') -> tuple[list[int], list[int]]:
    """
    Edits, reference words, matches and deletions of the best assignment of utterances, in order, to streams; and the stream of each utterance.
    """

def combine_in_time(utterances: Sequence[tuple[Automaton, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], streams: Sequence[tuple[Automaton, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], utterances_are_references: bool, max_cells: int) -> tuple[list[int], list[int]]:
    """
    The same where words are aligned only where their times overlap; each side as of `time_constrained`.
    """

def time_constrained_alignment(reference: tuple[Automaton, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], hypothesis: tuple[Automaton, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], max_cells: int) -> tuple[str, list[tuple[int, int]], list[tuple[int, int]]]:
    """
    A best alignment, words aligned only where their times overlap: its operations, = S I D, and of each word of the paths of both sides the origin of its arc and its label.
    """

def shift_edits(hypotheses: object, references: object, of_hypothesis: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], of_reference: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> NDArray[numpy.int64]:
    """
    Edits and moves of TER for pairs of sentences, which are lists or tuples of words: pair i is of the hypothesis and the reference with the numbers at place i.
    """

def shift_alignments(hypotheses: object, references: object, of_hypothesis: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], of_reference: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> list[tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64]]]:
    """
    Of the same pairs: moves as rows of start, length and new place; where each word of the moved hypothesis stood at first; and the steps of the alignment with it (0 match, 1 substitution, 2 insertion, 3 deletion).
    """

def soft_rows(reference_offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_characters: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_marks: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis_offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis_characters: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis_marks: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], alphabet: int, sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], steps: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')] | None) -> None:
    """
    Rows of the table of soft re-segmentation; sums becomes the last one, steps is filled unless it is None.
    """

def cuts_of_strings(references: object, hypothesis: object) -> tuple[NDArray[numpy.int64], int]:
    """
    Where the words of a document are cut so that the edits of its segments to their references are the fewest: K + 1 cuts from 0 to the number of words, and the edits. Of equally good cuts the earliest. References and the hypothesis, a list of one or several parts, are strings, or lists or tuples of words.
    """

def cuts_of_graphs(first_states: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], destinations: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hypothesis: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.int64], int]:
    """
    The same against graphs: states first_states[k] to first_states[k + 1] are of segment k, which begins in starts[k] and ends in the last of them. Label 0 is no word, -1 takes any word. Throws ValueError where a segment has a cycle of several states, or no path.
    """

def program_errors(hypotheses: object, references: object, rapidfuzz: bool) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], int]:
    """
    Where alignments have errors as sclite, or else rapidfuzz, shows them: the pair of each error, its place (2 i at word i of the reference, 2 i - 1 before it) and what it is (0 substitution, 1 insertion, 2 deletion); and the number of reference words. Sentences are strings, or lists or tuples of words.
    """

def similar_operations(reference: Sequence[str], hypothesis: Sequence[str], substitution_cost: int, gap_cost: int, max_cells: int) -> str:
    """
    The operations (= S I D) of the cheapest alignment with the most matches whose substituted words are spelled most alike.
    """

class Fault(ValueError):
    pass

def xxh64(data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
    """XXH64 of some bytes: a checksum."""

def read_symbol_table(text: bytes) -> dict[int, str]:
    """Words of the integers of a symbol table file."""

def looks_like_att(text: bytes) -> bool:
    """
    Whether all lines are arcs or final states of AT&T text, and the machine hangs together.
    """

class RecordColumns:
    """Records of JSON lines in columns; texts as arrays of JSON."""

    @property
    def ids(self) -> bytes: ...

    @property
    def fields(self) -> bytes: ...

    @property
    def metrics(self) -> bytes: ...

    @property
    def signatures(self) -> bytes: ...

    @property
    def words(self) -> bytes: ...

    @property
    def metric(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]: ...

    @property
    def signature(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]: ...

    @property
    def kinds(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]:
        """0 score, 1 statistics, 2 path, 3 risk."""

    @property
    def oracles(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]: ...

    @property
    def aligned(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]: ...

    @property
    def lines(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]: ...

    @property
    def begins(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]: ...

    @property
    def ends(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]: ...

    @property
    def counts(self) -> dict[str, numpy.typing.NDArray[numpy.int64]]: ...

    @property
    def measures(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]: ...

    @property
    def further(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]: ...

    @property
    def operations(self) -> Annotated[NDArray[numpy.int64], dict(writable=False)]: ...

    @property
    def letters(self) -> Annotated[NDArray[numpy.uint8], dict(writable=False)]: ...

    @property
    def hypothesis(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]: ...

    @property
    def reference(self) -> Annotated[NDArray[numpy.int32], dict(writable=False)]: ...

    @property
    def end(self) -> int: ...

    @property
    def last_line(self) -> int: ...

    @property
    def unknown(self) -> bytes | None:
        """JSON of the name of a metric of which there is no rule."""

    @property
    def fault(self) -> tuple[int, int, int, str, bytes] | None:
        """
        Of the line behind these: its number, its bytes, what is wrong, and a value that {} stands for.
        """

class RecordSchema:
    """Reads records, and checks all that docs/records.md says of them."""

    def __init__(self, with_paths: str) -> None: ...

    def add(self, name: bytes, metric: str, has_paths: bool, columns: Sequence[str] | None) -> None:
        """
        A metric, by what records call it, as JSON; columns of its statistics, if their number is known.
        """

    def read(self, text: bytes, at: int, line: int, most: int) -> RecordColumns:
        """The next records of a text of JSON lines, up to what is wrong."""

def noted(alignment: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """
    An alignment as records have it; of each operation its letter, its word of the hypothesis and its word of the reference, and more.
    """

def operation_columns(alignment: Iterable[Sequence[Any]]) -> tuple[str, tuple[str | None, ...], tuple[str | None, ...]]:
    """
    Of an alignment as a record has it, the letters, the words of the hypothesis and those of the reference.
    """

def paid_moves(order: Sequence[int], jumps: bool) -> list[bool]:
    """
    Of every word in the order in which they are taken, whether a reordering move is paid for it; `jumps`: for every word out of turn, not only the first of a block that moves.
    """

class OracleSides:
    """
    A side of a search: of each lattice of a column two items, itself and its own best path's words.
    """

    def __init__(self, column: LatticeColumn, lm: float | None = None, acoustic: float | None = None, word_penalty: float | None = None, threads: int = 1) -> None:
        """
        Weights of graph and acoustic costs and the penalty of a word; None: as each lattice's file says.
        """

    def __len__(self) -> int: ...

    @property
    def are_searchable(self) -> bool:
        """
        Whether all lattices have words and a path from the start to a final state; otherwise there is nothing else to be asked.
        """

    @property
    def failure(self) -> tuple[int, str] | None:
        """
        The first lattice that has no best path, and why; None if there is none.
        """

    def arcs(self) -> NDArray[numpy.int64]:
        """How many each lattice has."""

    def weights(self) -> NDArray[numpy.float64]:
        """
        What each lattice's best path was found with: weights of graph and acoustic costs, the penalty of a word, and whether any graph cost, and any acoustic cost is not zero.
        """

class Vocabulary:
    """
    The words of a run: each once, with a number by which every batch knows it. Only grows; thread-safe.
    """

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> str:
        """The first seven stand for no word."""

class Labels:
    """
    What the labels of files stand for: words as they are, numbers, or integers of a symbol table.
    """

    def __init__(self, vocabulary: Vocabulary, kind: str, symbols: dict[int, str] | None = None, table: str | None = None) -> None:
        """
        `kind`: 'words', 'numbers' or 'table'. `symbols`: the word of each integer of a table. `table`: the name of the symbol table, for messages; None where the caller gave none.
        """

    @property
    def vocabulary(self) -> Vocabulary: ...

class LatticeColumn(Sequence[Any]):
    """
    Many lattices over the words of one vocabulary: a sequence of Lattice, each made when it is looked at.
    """

    def __init__(self, vocabulary: Vocabulary) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: Any, /) -> Any:
        """The lattice, or the column of some. Raises what `errors` has of it."""

    def add_arrays(self, id: str, sources: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], destinations: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], finals: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], final_costs: Annotated[NDArray[numpy.float64], dict(shape=(None, 2), order='C', device='cpu', writable=False)], final_places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: int, num_states: int | None, frames: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, unit: str, words: object, limits: tuple[int, int, int], times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, time_unit: str = 'seconds') -> None:
        """
        Appends a lattice whose labels are indices of `words`; as of lattice_of of fstmetrics.io.arcs.
        """

    @staticmethod
    def joined(columns: Sequence[LatticeColumn]) -> LatticeColumn:
        """The lattices of several columns of one vocabulary."""

    @property
    def weight(self) -> int:
        """States and arcs of all lattices."""

    @property
    def vocabulary(self) -> Vocabulary: ...

    @property
    def ids(self) -> TextColumn:
        """Their ids; what is no UTF-8 in one is replaced."""

    @property
    def is_searchable(self) -> bool:
        """
        Whether all lattices have words and a path from the start to a final state.
        """

    def prepare(self, threads: int) -> bool:
        """Prepares all lattices to be searched; whether they are searchable."""

    def num_arcs(self, index: int) -> int: ...

    def kinds_of_costs(self, index: int) -> tuple[bool, bool]:
        """Whether any graph cost, and any acoustic cost is not zero."""

    @property
    def damaged(self) -> list[int]:
        """The numbers of lattices that could not be read."""

    @property
    def has_numbers(self) -> bool:
        """
        Whether the words of some lattice are the digits of numbers that no symbol table named.
        """

    @property
    def errors(self) -> dict[int, Exception]:
        """
        By number, what is raised where a damaged lattice is asked for; whoever reads fills it.
        """

    def fault(self, index: int) -> tuple[int | None, int | None, str, bytes] | None:
        """
        Line and byte from the item's beginning, message and piece of what is wrong; as of Fault.
        """

    def excess(self, index: int) -> tuple[str, int, str | None, bool] | None:
        """
        The limit that a lattice is beyond, what was found, the word that is too long and whether that is the id.
        """

    def place(self, index: int) -> tuple[int, int, int]:
        """Lines before a lattice in the file, and its bytes in the window."""

    def is_text_damaged(self, index: int) -> bool:
        """Whether its bytes are no UTF-8."""

    def left_out(self, index: int) -> list[str]:
        """What the file says of a lattice and is not kept."""

    @property
    def counts_left_out(self) -> dict[str, int]:
        """Of how many lattices each of that is."""

    def depths(self, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]] | None:
        """
        As of fstmetrics.data.depth, of each lattice: the unit (0 seconds, 1 frames, 2 words), where its times begin and end, all times, all arcs (one fewer of each lattice than times, if any), arcs without time. None where one has a cycle, or a time of -0.
        """

    def pruned(self, beam: float, lm: float | None = None, acoustic: float | None = None, word_penalty: float | None = None, threads: int = 1) -> LatticeColumn | None:
        """
        The lattices without what is on no path within a beam of the best, a negative natural log; None where one is pruned another way. Weights as of OracleSides.
        """

    def words(self, index: int) -> tuple[str, ...]:
        """By label; "" is epsilon."""

    def parts(self, index: int) -> tuple[str, Automaton, numpy.typing.NDArray[numpy.int64] | None, tuple[numpy.typing.NDArray[numpy.float64], Literal['seconds', 'frames']] | None, tuple[float, float, float] | None, bool]:
        """
        Id, automaton, frames of arcs, times of states and their unit, scales, and whether words are numbers without names.
        """

class KaldiTextReader:
    """Reads windows of a Kaldi text archive, one after the other."""

    def __init__(self, labels: Labels, limits: tuple[int, int, int]) -> None:
        """`limits`: of states, arcs and bytes of a word."""

    @property
    def line(self) -> int:
        """How many lines end before the byte where it stopped."""

    def read(self, data: bytes, at: int, ended: bool, line: int, column: LatticeColumn) -> int:
        """
        Appends the lattices from byte `at` to the last blank line, or to the end where the file `ended`; `line` lines come before. The byte up to which they go.
        """

class FstArchiveReader:
    """Reads binary OpenFst machines under keys, many in one call."""

    def __init__(self, labels: Labels, limits: tuple[int, int, int], keys: str) -> None:
        """
        `keys`: 'word' before a space, as in Kaldi's archives; 'script' for a machine of Kaldi's without one; 'counted', as in OpenFst's archives; 'none' for files of one machine.
        """

    def read(self, data: bytes, at: int, column: LatticeColumn, origin: int = 0, ended: bool = True, tail: int = 0) -> int:
        """
        Appends the machines from byte `at` on, up to and with one that is damaged; where the file has not `ended`, one that may be whole there is left. The byte where it stopped. `origin`: the place of the data in the file. `tail`: no machine begins in so many bytes at the end.
        """

    def read_one(self, data: bytes, at: int, id: str, column: LatticeColumn, origin: int = 0) -> int:
        """
        Appends the machine at a byte, damaged or not; its id where it has no key. The byte behind it.
        """

    def read_first(self, data: bytes, origin: int) -> None:
        """
        Takes the symbol table of the first entry of an archive, if it has one.
        """

    def read_entries(self, data: bytes, places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], column: LatticeColumn, origin: int) -> int:
        """
        Appends machines that lie from one place of a file to the next, up to one that does not or that is damaged; how many.
        """

def read_att(text: bytes, transducer: bool, integers: Labels, words: Labels, limits: tuple[int, int, int], id: str, column: LatticeColumn) -> None:
    """
    Appends the machine in AT&T text; a transducer if that is said, or seen. `integers` and `words`: what labels are, if they are integers or not.
    """

def read_k2(text: bytes, integers: Labels, limits: tuple[int, int, int], id: str, column: LatticeColumn) -> None:
    """Appends the machine in k2's text."""

def read_sphinx(text: bytes, limits: tuple[int, int, int], id: str, column: LatticeColumn) -> None:
    """Appends the lattice of a Sphinx file."""

class SlfCard:
    """A lattice of an SLF file in which lattices call each other."""

    @property
    def name(self) -> str: ...

    @property
    def words(self) -> list[str]: ...

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def arcs(self) -> list[tuple[int, int, int]]:
        """
        Source, destination and label: an index of the words, then of no word, then of calls by the same words.
        """

    @property
    def costs(self) -> list[tuple[float, float]]: ...

    @property
    def scales(self) -> tuple[float, float]:
        """
        Of the main lattice the weight of graph costs and the penalty of a word.
        """

def read_slf(text: bytes, backwards: bool, limits: tuple[int, int, int], id: str, column: LatticeColumn) -> list[SlfCard]:
    """
    Appends the lattice of an SLF file, or gives the lattices that call each other, the main one last. `backwards`: whether words of nodes belong to the links out of them even if the head does not say so.
    """

def kaldi_labels_are_integers(data: bytes, at: int, ended: bool, by_first: bool) -> bool | None:
    """
    Whether the labels of the whole lattices of a Kaldi text archive are integers; None where there are no labels.
    """

class WeightedSides:
    """
    Of each lattice of a column its paths with one cost an arc: a side of a search.
    """

    def __init__(self, column: LatticeColumn, lm: float | None, acoustic: float | None, word_penalty: float | None, per_nat: float, threads: int = 1) -> None:
        """Weights as of OracleSides; so many units of cost make a natural log."""

    def __len__(self) -> int: ...

    def least_costs(self, paths: PathWords, ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """
        The least cost of a path with each words, in natural logs; those of each lattice end before `ends`.
        """

    @property
    def failure(self) -> int | None:
        """
        The number of the first lattice that has no such paths here, as it is damaged, cyclic, has none, or is weighed another way; None if there is none.
        """

class BestPathSides(Sequence[tuple[str, ...]]):
    """
    Of each lattice of a column the words of its own best path, without sentence boundaries: a side of a search.
    """

    def __init__(self, column: LatticeColumn, lm: float | None = None, acoustic: float | None = None, word_penalty: float | None = None, posteriors: float | None = None, threads: int = 1) -> None:
        """
        Weights as of OracleSides. `posteriors`: a factor of costs, by which words have posteriors; None: they have none.
        """

    def __len__(self) -> int: ...

    def __getitem__(self, index: Any, /) -> Any: ...

    @property
    def failure(self) -> int | None:
        """
        The number of the first lattice that has no such words, which looked at alone says why; None if there is none.
        """

    def texts(self) -> TextColumn:
        """The words of each with spaces between."""

    def posteriors(self) -> NDArray[numpy.float64]:
        """Of all words, one lattice behind the other."""

def id_text_lines(ids: TextColumn, texts: TextColumn) -> bytes:
    """The bytes of `id word word ...` lines."""

def parse_choices(text: str, notation: str, tags: bool) -> tuple[Automaton, list[str], list[tuple[int, int, int, int]], tuple[tuple[int, int, int], ...], int]:
    """
    What Transcript.parse makes of a text: the automaton and its words, the choices (their characters, and the states where they begin and end), the words in parentheses, and how deep choices stand within choices. Raises a Fault whose byte is a character, and whose message is 'closes nothing', 'is not closed' or 'touches a word'.
    """

def depth_of_choices(text: str, notation: str, tags: bool) -> int:
    """The last of these alone; errors likewise."""

def survey_choices(texts: TextColumn, notation: str, tags: bool) -> tuple[numpy.typing.NDArray[numpy.uint8], int] | None:
    """
    Of each text 1 for a choice or an open stretch, and 2 more for words in parentheses; and how deep choices stand within choices. None where a text cannot be read, or has a word with white space in it.
    """

class ChoiceLines:
    """Texts that such a survey is of, parsed."""

    def __init__(self, texts: TextColumn, notation: str, tags: bool, are_words: bool) -> None:
        """
        `are_words`: whether words in parentheses are ordinary words with their parentheses; else they may be left out.
        """

    @property
    def leave_choices(self) -> NDArray[numpy.uint8]:
        """Of each text, whether it leaves a choice or a stretch open."""

    @property
    def texts(self) -> TextColumn:
        """The words of those that do not, with a space between one and the next."""

    @property
    def words(self, /) -> list[str]:
        """The words of those that do, each once."""

    def graphs(self, words: Sequence[Sequence[str]] | None) -> ChoiceGraphs:
        """
        Those that do, over what becomes of each of the words: none, one or several; None: itself, but that sentence boundaries become none.
        """

    def alternatives(self, words: Sequence[Sequence[str]] | None, paths: PathWords) -> list[bytes]:
        """
        What a path of each text takes at every choice, as an array of JSON: `written` and `taken`. Empty for texts without a choice.
        """

class ChoiceGraphs:
    """A side of a search: the graphs of texts that leave a choice."""

    def __len__(self) -> int: ...

class MixedSides:
    """
    A side of a search in which every item is the next one of either of two columns.
    """

    def __init__(self, of_first: numpy.typing.NDArray[numpy.uint8], first: Any, second: Any) -> None:
        """`of_first`: of each item, whether it is of the first column."""

    def __len__(self) -> int: ...

class PackedColumns:
    """
    Columns of packed lattices, filled batch by batch, and the words that they have in common.
    """

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    @property
    def size(self) -> int:
        """Arcs and states of all lattices of the batch."""

    def add_column(self, column: LatticeColumn, begin: int, end: int, ids: Sequence[str] | None, most_size: int, most_rows: int) -> int:
        """
        Appends lattices from `begin` on, none of them damaged, up to `end` or until the batch has so many arcs and states or lattices; returns the number of the first that is left. `ids`: of all these, None: their own.
        """

    def add(self, id: str, automaton: Automaton, words: object, scales: tuple[float, float, float], times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, durations: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, unit: str, numbered: bool) -> None:
        """Appends a lattice; `words` by label."""

    def take(self) -> dict[str, numpy.typing.NDArray[Any]]:
        """The columns of the batch, by path; the next batch begins empty."""

    def take_words(self) -> list[str]:
        """
        Words that are new in the dictionary since the last time; the first one is "", which is no word.
        """

class PackedReader:
    """Makes lattices of the columns of packed files, batch by batch."""

    def __init__(self, vocabulary: Vocabulary, most_states: int, labels: Labels | None = None) -> None:
        """
        `most_states`: of a lattice; one with more is damaged. `labels`: the words of lattices whose words are numbers, by a symbol table.
        """

    def add_words(self, offsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Further words of the dictionary, in UTF-8 that has been checked."""

    def read(self, columns: dict[str, Any], column: LatticeColumn) -> None:
        """
        Appends the lattices of a batch. Offsets never fall. What is not as it should be is a damaged lattice, as is what a column has no room for.
        """

def compile_cards(cards: dict[str, dict[str, object]], root: str) -> tuple[list[str], Rtn] | None:
    """
    Words and automata of the cards of a network's JSON form; None where anything is wrong with them.
    """

def draw_with_replacement(generator: Annotated[NDArray[numpy.uint64], dict(shape=(4), order='C', device='cpu', writable=False)], first: int, threads: int, weights: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """
    Fills each row with how often each item is drawn; rows are numbered from `first`.
    """

def toss_coins(generator: Annotated[NDArray[numpy.uint64], dict(shape=(4), order='C', device='cpu', writable=False)], first: int, threads: int, weights: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """Fills each row with 0 and 1; rows are numbered from `first`."""

def draw_poisson(key: int, first: int, first_item: int, step: int, threads: int, weights: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """
    Fills each row with Poisson numbers of mean 1; rows are numbered from `first`, items from
    `first_item` in steps.
    """

class Forests:
    """Forests one after the other, for envelopes."""

    def __init__(self, firsts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], edges: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tokens: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def envelopes(self, slopes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], intercepts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], with_words: bool) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.int64], NDArray[numpy.int64]]:
        """
        The best derivations along a line of weights: for each forest its segments, as offsets; where each begins; its edge of the goal; its words, and all of its edges, as offsets and values.
        """

def sweep(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], begins: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], statistics: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    Sums of the rows of statistics that segments have: the points where they change, and the sums between them, shape [points + 1, columns].
    """

def word_slots(words: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], begins: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], ends: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], by_time: bool, most_cells: int) -> tuple[NDArray[numpy.int32], int]:
    """
    The slots of SCTK's rover, shape [slots, systems]: the place of each system's word, or -1. Words are numbers from 0; begins and ends in seconds, of all systems or of none. And how many cells the last table had; where these are more than most_cells, the slots are not all.
    """

def median_string(graphs: Sequence[tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]]], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], candidates: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], most_steps: int) -> tuple[NDArray[numpy.int32], int, int, bool, int]:
    """
    The string with the least total edits to word graphs (sources, words and destinations of arcs in order, and ends), each counted so often: its words, its edits, what no string is below, whether it is the first of its equals, and how many steps were made.
    """

def tie_calibrations(metrics: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], human: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], columns: int, epsilons: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], as_rounded: bool, numbers: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, threads: int) -> NDArray[numpy.float64]:
    """
    Pairwise accuracy with tie calibration of each row of metrics, with the row of human, or the only one: accuracy, epsilon, and the share of pairs that are ties. Points of every `columns` are compared with each other; nan is a missing score. epsilons are given ones, or nan for the best; as_rounded: of equally good ones, mt-metrics-eval's, else the smallest. Points of a row with one number are copies, which make no pair; numbers may be None.
    """

def pair_counts(metric: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], human: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: int, threshold: float) -> NDArray[numpy.int64]:
    """
    Of each row of `columns` points that has a pair: pairs concordant, discordant, tied by the metric, by people, by both; points; and different scores of the side that has fewer. nan is a missing score. Pairs whose human scores differ by less than threshold, or by nothing, are not counted, unless it is nan.
    """

def sorted_pair_counts(metric: numpy.typing.NDArray[numpy.float64], human: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.int64]:
    """The first five of these of one long row, in O(n log n)."""

def mean_ranks(scores: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """Ranks from 1; equal scores share the mean of theirs."""

def exceeding_shares(sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], observed: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], slack: float) -> NDArray[numpy.float64]:
    """
    Of each pair of systems, rows of sums, the share of permutations, columns, whose difference is at least the observed one less slack; shape [pairs].
    """

def right_together(metrics: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], human: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: int, epsilons: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]]:
    """
    Of each row of `columns` points that has a pair: how many pairs each two metrics both have right, shape [rows, metrics * metrics], and how many pairs there are. Scores that differ by epsilon or less are ties of a metric.
    """

def exchange_tests(metrics: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], human: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], row_ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], units: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], of_means: bool, coefficient: str, pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], generator: Annotated[NDArray[numpy.uint64], dict(shape=(4), order='C', device='cpu', writable=False)], stopping: tuple[int, int, float, float], threads: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]:
    """
    Of pairs of metrics that exchange scores at random, unit by unit: both coefficients (pearson, spearman, kendall, of means accuracy, too); and permutations whose difference is at least the observed one, and all. Stopping: permutations, block, and p below and above which it stops after a block.
    """

def soft_accuracy_tests(metrics: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], row_ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], units: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], signs: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], confidences: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], pairs: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], generator: Annotated[NDArray[numpy.uint64], dict(shape=(4), order='C', device='cpu', writable=False)], stopping: tuple[int, int, float, float], threads: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]:
    """
    The same of soft pairwise accuracy: rows are systems; signs are bits of its own permutations, by permutation and 8 segments, lowest first; confidences are people's.
    """
