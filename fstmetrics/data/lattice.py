"""Lattices: what a decoder hands over, an acyclic word automaton with costs.

`Lattice` is the object, whose two costs `Scales` weighs; `BestPath` is the decoder's own first choice.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics import _native
from fstmetrics._native import Automaton
from fstmetrics.data.symbols import (
    EPSILON,
    EPSILON_WORDS,
    SENTENCE_MARKERS,
    SymbolTable,
    has_phrases,
    labelled_arcs,
    split_automaton,
)
from fstmetrics.data.times import Durations, Times
from fstmetrics.support.arguments import NUMBER, STRING, WHOLE, described, items_of, sentences_of, takes
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.limits import limits

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt
    import pynini

    from fstmetrics.data.depth import Depth


@dataclass(frozen=True, slots=True)
class Scales:
    """How a lattice's costs add up: lm * graph + acoustic * acoustic + word_penalty * words.

    Costs are negative natural logs, so a positive word penalty favours short outputs.
    """

    lm: float = 1.0
    acoustic: float = 1.0
    word_penalty: float = 0.0

    def __post_init__(self) -> None:
        for name in ("lm", "acoustic", "word_penalty"):
            number = getattr(self, name)
            # Of most the type tells all: asking an abstract class takes ten times as long.
            is_number = type(number) in (float, int) or (
                isinstance(number, Real) and not isinstance(number, bool)
            )
            if not is_number or not math.isfinite(number):
                raise FstmetricsError(f"{name} of Scales is a finite number, not {number!r}")


# Of a lattice or network that says none.
UNSCALED = Scales()


def scales_of(given: Scales | None, own: Scales = UNSCALED) -> Scales:
    """The scales that a caller gave, or else a lattice's or network's own.

    Raises:
        FstmetricsError: what was given is something else.
    """
    if given is not None and not isinstance(given, Scales):
        raise FstmetricsError(f"scales are a Scales, as in scales=Scales(lm=16, acoustic=1), not {given!r}")
    return own if given is None else given


INT32 = np.iinfo(np.int32)


class BestPath(NamedTuple):
    """The path of least cost: its words, its cost (a weighted negative natural log) and its arcs."""

    words: tuple[str, ...]
    cost: float
    arcs: tuple[int, ...]


class OneBest(NamedTuple):
    """The decoder's own choice: the words of the path of least cost under some scales.

    Attributes:
        words: sentence markers are none.
        text: the same with spaces between them; None where that would tell other words, as one has white space in it.
        scales: weights of the costs.
        graph_costs, acoustic_costs: whether the lattice has any such cost that is not zero.
    """

    words: tuple[str, ...]
    text: str | None
    scales: Scales
    graph_costs: bool
    acoustic_costs: bool


class BestWords(NamedTuple):
    """A word sequence and the least cost of a path that has it, a weighted negative natural log."""

    words: tuple[str, ...]
    cost: float


def word_automaton(
    arcs: Sequence[tuple[int, int, str]],
    num_states: int,
    start: int,
    finals: Sequence[int],
    final_costs: npt.ArrayLike | None = None,
) -> tuple[Automaton, SymbolTable]:
    """An automaton of (source, destination, word) triples, and its words; only "" is no word.

    Raises:
        ValueError: a state out of range.
    """
    sources, destinations = (np.array([arc[i] for arc in arcs], dtype=np.int32) for i in (0, 1))
    symbols, labels = SymbolTable.intern(word for *_, word in arcs)
    ends = np.array(finals, dtype=np.int32)
    return Automaton(
        num_states, start, sources, labels, destinations, ends, None, _pairs(final_costs)
    ), symbols


def word_arcs(lattice: Lattice) -> Iterator[tuple[int, int, str]]:
    """The arcs of a lattice, each from, to and word, "" for none, in their order."""
    return labelled_arcs(lattice.automaton, lattice.symbols.words)


class Lattice:
    """An immutable word automaton, acyclic when it stands on the hypothesis side.

    Args:
        automaton: the arcs; their labels go by `symbols`.
        symbols: the words; one with white space in it is a phrase, and its arcs become one for each of its words, of
            which the first has the costs.
        id: what references pair with; a file's stem, a Kaldi key.
        scales: weights the file itself asks for, used where a caller names none.
        times: when it is in which state, or how long its arcs take, where that is known.
        numbered: whether its words are the digits of integer labels that no symbol table named. Such a lattice is
            scored against numbers, and refused against words.

    >>> lattice = Lattice.from_arcs([(0, 1, "the"), (1, 2, "cat"), (1, 2, "hat")], finals=[2])
    >>> lattice.num_states, lattice.num_arcs
    (3, 3)
    """

    def __init__(
        self,
        automaton: Automaton,
        symbols: SymbolTable,
        *,
        id: str = "",
        scales: Scales | None = None,
        times: Times | Durations | None = None,
        numbered: bool = False,
    ) -> None:
        STRING.check(id, "id")
        if not isinstance(times, Times | Durations | None):
            raise FstmetricsError(
                f"times are Times or Durations (fstmetrics.data.lattice), not {described(times)}"
            )
        if isinstance(times, Times) and len(times.of_state) != automaton.num_states:
            raise FstmetricsError(
                f"lattice {id or '(no id)'}: {len(times.of_state)} times for {automaton.num_states} states"
            )
        if isinstance(times, Durations) and len(times.of_arc) != automaton.num_arcs:
            raise FstmetricsError(
                f"lattice {id or '(no id)'}: {len(times.of_arc)} durations for {automaton.num_arcs} arcs"
            )
        if automaton.min_label < 0 or automaton.max_label >= len(symbols):
            label = automaton.min_label or automaton.max_label
            raise FstmetricsError(
                f"lattice {id or '(no id)'}: an arc has label {label}, and there are words for labels 1 to "
                f"{len(symbols) - 1}"
            )
        if not symbols.is_of_row and has_phrases(symbols.words[1:]):  # readers have seen to it
            automaton, symbols, times = split_automaton(automaton, symbols, times)
        self.automaton = automaton
        self.symbols = symbols
        self.id = id
        self.scales = scales_of(scales)
        self.times = times
        self.numbered = numbered

    @classmethod
    @takes(id=STRING)
    def from_arrays(
        cls,
        sources: npt.ArrayLike,
        destinations: npt.ArrayLike,
        words: Iterable[str],
        *,
        finals: npt.ArrayLike,
        start: int = 0,
        num_states: int | None = None,
        costs: npt.ArrayLike | None = None,
        final_costs: npt.ArrayLike | None = None,
        id: str = "",
        scales: Scales | None = None,
        times: Times | Durations | None = None,
    ) -> Lattice:
        """Build a lattice from columns, one entry an arc.

        Args:
            sources: states the arcs leave, shape [arcs]; states are numbered from 0.
            destinations: states the arcs enter, shape [arcs].
            words: the words; "" and the epsilon words of lattice formats stand for no word. One with white space in
                it is a phrase, whose words come one after the other.
            finals: final states, shape [finals].
            start: the start state.
            num_states: how many states there are; by default as many as are named.
            costs: graph and acoustic cost of each arc (negative natural logs), shape [arcs, 2].
            final_costs: the same of each final state, shape [finals, 2].
            id: what references pair with.
            scales: weights of the costs.
            times: when the lattice is in which state, or how long its arcs take, sorted by the states that they leave.

        Raises:
            FstmetricsError: a state out of range, columns of different lengths or other kinds, a cost that is no finite
                number, neither an arc nor a final state, or more states than the limit.
        """
        words = items_of(words, "words")
        return cls.from_labels(
            sources, destinations, np.arange(len(words)), words, finals=finals, start=start,
            num_states=num_states, costs=costs, final_costs=final_costs, id=id, scales=scales, times=times,
        )  # fmt: skip

    @classmethod
    @takes(id=STRING, start=WHOLE, num_states=WHOLE.or_none())
    def from_labels(
        cls,
        sources: npt.ArrayLike,
        destinations: npt.ArrayLike,
        labels: npt.NDArray[np.integer],
        words: Sequence[str],
        *,
        finals: npt.ArrayLike,
        start: int = 0,
        num_states: int | None = None,
        costs: npt.ArrayLike | None = None,
        final_costs: npt.ArrayLike | None = None,
        id: str = "",
        scales: Scales | None = None,
        times: Times | Durations | None = None,
    ) -> Lattice:
        """Build a lattice from columns whose words are numbered already.

        Args:
            sources: as of `from_arrays`, as are the others but these two.
            labels: an index of `words` for each arc, shape [arcs].
            words: the words; one may have several labels, and "" and the epsilon words stand for no word.

        Raises:
            FstmetricsError: as of `from_arrays`.

        >>> import numpy as np
        >>> Lattice.from_labels([0, 1], [1, 2], np.array([1, 1]), ["the", "cat"], finals=[2]).best_path().words
        ('cat', 'cat')
        """
        words = words if isinstance(words, list | tuple) else items_of(words, "words")
        if others := [word for word in words if not isinstance(word, str)]:
            raise FstmetricsError(f"lattice {id or '(no id)'}: a word is a string, not {others[0]!r}")
        symbols, label_of = SymbolTable.intern("" if word in EPSILON_WORDS else word for word in words)
        try:
            from_states, to_states = _column(sources, "sources"), _column(destinations, "destinations")
            ends, numbers = _column(finals, "finals"), _column(labels, "labels")
            if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(words):
                raise ValueError(f"labels {numbers.min()} to {numbers.max()} for {len(words)} words")
            if num_states is None:
                if not (from_states.size or ends.size):
                    raise ValueError("there is neither an arc nor a final state")
                num_states = 1 + max(
                    [start, *(int(a.max()) for a in (from_states, to_states, ends) if a.size)]
                )
            limits().check(
                "states", num_states, f"lattice {id[:40]!r} has" if id else "lattice has", "states"
            )
            automaton = Automaton(
                num_states, start, from_states, label_of[numbers], to_states, ends,
                _pairs(costs), _pairs(final_costs),
            )  # fmt: skip
        except InputError:  # of the limit
            raise
        except (ValueError, TypeError) as error:
            said = str(error)
            if isinstance(error, TypeError):  # of the binding, for programmers
                said = f"start and num_states are integers of 32 bits, not {start!r} and {num_states!r}"
            raise FstmetricsError(f"lattice {id or '(no id)'}: {said}") from None
        return cls(automaton, symbols, id=id, scales=scales, times=times)

    @classmethod
    def of_column(cls, column: _native.LatticeColumn, row: int) -> Lattice:
        """A lattice of a batch as readers leave it; `column[row]` is the same.

        Raises:
            InputError: it is damaged.
        """
        if (error := column.errors.get(row)) is not None:
            raise error
        id, automaton, frames, of_state, scales, numbered = column.parts(row)
        times = None if frames is None else Durations(frames, "frames")
        return cls(
            automaton, SymbolTable.of_row(column, row), id=id,
            scales=None if scales is None else Scales(*scales),
            times=times if of_state is None else Times(*of_state), numbered=numbered,
        )  # fmt: skip

    @classmethod
    @takes(id=STRING, start=WHOLE)
    def from_arcs(
        cls, arcs: Sequence[tuple[int, int, str]], *, finals: Sequence[int], start: int = 0, id: str = ""
    ) -> Lattice:
        """Build a lattice without costs from (source, destination, word) triples; `from_arrays` takes costs, too.

        Raises:
            FstmetricsError: an arc that is no such triple, a state out of range, or neither an arc nor a final state.
        """
        arcs = items_of(arcs, "arcs")
        for number, arc in enumerate(arcs):
            if not _is_triple(arc):
                raise FstmetricsError(
                    f"lattice {id or '(no id)'}: arc {number} is {arc!r}; an arc is (source, destination, word), and "
                    "costs go to Lattice.from_arrays(..., costs=[(graph, acoustic), ...])"
                )
        sources, destinations, words = zip(*arcs, strict=True) if arcs else ((), (), ())
        return cls.from_arrays(sources, destinations, words, finals=finals, start=start, id=id)

    @classmethod
    @takes(id=STRING)
    def from_strings(
        cls, sentences: Iterable[str | Sequence[str]], *, costs: Iterable[float] | None = None, id: str = ""
    ) -> Lattice:
        """A lattice whose paths are these sentences, common beginnings shared.

        Args:
            sentences: strings, split at white space, or sequences of words; they may repeat. They are text: `<eps>` is
                a word here.
            costs: what each costs, as a graph cost; of equal sentences the least counts.
            id: what references pair with.

        Raises:
            FstmetricsError: what is no sentence, a cost that is no number, or another number of costs.

        >>> Lattice.from_strings(["the cat", ["the", "hat"]]).num_arcs
        3
        """
        words_of = sentences_of(sentences, "sentences")
        each = None if costs is None else items_of(costs, "costs")
        if each is not None and len(each) != len(words_of):
            raise FstmetricsError(f"{len(each)} costs for {len(words_of)} sentences")
        for cost in each or ():
            if not NUMBER.holds(cost) or not np.isfinite(cost):
                raise FstmetricsError(
                    f"a cost of a sentence is a finite number, not {cost!r:.80}: leave out what costs infinity"
                )
        children: dict[tuple[int, str], int] = {}
        arcs: list[tuple[int, int, str]] = []
        finals: dict[int, float] = {}
        for words, cost in zip(words_of, each or repeat(0.0), strict=False):
            state = 0
            for word in words:
                key = (state, word)
                if key not in children:
                    children[key] = len(children) + 1
                    arcs.append((state, children[key], word))
                state = children[key]
            finals[state] = min(cost, finals.get(state, cost))
        final_costs = [(cost, 0.0) for cost in finals.values()]
        automaton, symbols = word_automaton(arcs, len(children) + 1, 0, list(finals), final_costs)
        return cls(automaton, symbols, id=id)

    @classmethod
    def read(cls, path: str | Path, format: str | None = None, symbols: str | Path | None = None) -> Lattice:
        """Read the one lattice of a file.

        Args:
            path: the file; gzip is transparent.
            format: a name from `fstmetrics.io.FORMATS`; by default it is recognised.
            symbols: a symbol table file (`word integer` lines), for formats that hold numbers.

        Raises:
            InputError: the file cannot be read, or does not hold exactly one lattice.
        """
        from fstmetrics.io import read_one

        return read_one(path, cls, format=format, symbols=symbols)

    @classmethod
    def read_all(
        cls, path: str | Path, format: str | None = None, symbols: str | Path | None = None
    ) -> list[Lattice]:
        """Read every lattice of a file, an archive of many, or a folder; arguments and errors as of `read`."""
        from fstmetrics.io import read_all

        return read_all(path, cls, format=format, symbols=symbols)

    @classmethod
    def from_pynini(
        cls, fst: pynini.Fst, symbols: Any = None, id: str = "", *, numbers: bool = False
    ) -> Lattice:
        """Convert a `pynini.Fst` or `pywrapfst.Fst`; see `fstmetrics.openfst.pynini_objects.lattice_from_fst`."""
        from fstmetrics.openfst.pynini_objects import lattice_from_fst

        return lattice_from_fst(fst, symbols, id=id, numbers=numbers)

    @classmethod
    def from_pocketsphinx(cls, decoder: Any, id: str = "") -> Lattice:
        """The lattice of the utterance that a `pocketsphinx.Decoder` has decoded, or a `pocketsphinx.Lattice`.

        pocketsphinx writes lattices to named files only, so it goes through a temporary one, in HTK's format. Its
        scores are acoustic; pronunciation variants and fillers are no words, as in that format.

        Args:
            decoder: after `end_utt()`; or what its `get_lattice()` gave.
            id: what references pair with.

        Raises:
            FstmetricsError: there is no lattice, or something else was given.
        """
        from tempfile import TemporaryDirectory

        given = decoder.get_lattice() if hasattr(decoder, "get_lattice") else decoder
        if given is None:
            raise FstmetricsError(
                "the decoder has no lattice: nothing was decoded, or no path came to the end of the utterance"
            )
        if not hasattr(given, "write_htk"):
            raise FstmetricsError(f"expected a pocketsphinx.Decoder or Lattice, not {type(decoder).__name__}")
        with TemporaryDirectory() as folder:
            path = os.path.join(folder, "utterance.slf")
            given.write_htk(path)
            lattice = cls.read(path, format="slf")
        return cls(lattice.automaton, lattice.symbols, id=id, scales=lattice.scales)

    def to_pynini(self, scales: Scales | None = None) -> pynini.Fst:
        """Convert to a `pynini.Fst` acceptor; see `fstmetrics.openfst.pynini_objects.lattice_to_fst`."""
        from fstmetrics.openfst.pynini_objects import lattice_to_fst

        return lattice_to_fst(self, scales)

    def weighed(self, scales: Scales) -> Lattice:
        """The same lattice under other scales; what is prepared is shared."""
        lattice = copy(self)
        lattice.scales = scales_of(scales, self.scales)
        return lattice

    @classmethod
    def from_kaldifst(
        cls, fst: Any, symbols: Mapping[int, str] | None = None, id: str = "", *, numbers: bool = False
    ) -> Lattice:
        """Convert a `kaldifst.Lattice` or `StdVectorFst`; see `fstmetrics.openfst.kaldifst.lattice_from_kaldifst`."""
        from fstmetrics.openfst.kaldifst import lattice_from_kaldifst

        return lattice_from_kaldifst(fst, symbols, id, numbers=numbers)

    def to_kaldifst(self, symbols: Mapping[int, str] | None = None) -> Any:
        """Convert to a `kaldifst.Lattice`; see `fstmetrics.openfst.kaldifst.lattice_to_kaldifst`."""
        from fstmetrics.openfst.kaldifst import lattice_to_kaldifst

        return lattice_to_kaldifst(self, symbols)

    @classmethod
    def from_k2(
        cls, fsa: Any, symbols: Mapping[int, str] | None = None, id: str = "", *, numbers: bool = False
    ) -> Lattice:
        """Convert a `k2.Fsa`; see `fstmetrics.openfst.kaldifst.lattice_from_k2`."""
        from fstmetrics.openfst.kaldifst import lattice_from_k2

        return lattice_from_k2(fsa, symbols, id, numbers=numbers)

    def to_k2(self, symbols: Mapping[int, str] | None = None) -> Any:
        """Convert to a `k2.Fsa`; see `fstmetrics.openfst.kaldifst.lattice_to_k2`."""
        from fstmetrics.openfst.kaldifst import lattice_to_k2

        return lattice_to_k2(self, symbols)

    @property
    def num_states(self) -> int:
        """States as read, useless ones included."""
        return int(self.automaton.num_states)

    @property
    def num_arcs(self) -> int:
        """Arcs as read, epsilons and useless ones included."""
        return self.automaton.num_arcs

    @cached_property
    def prepared(self) -> Automaton:
        """The automaton in topological order and without useless states, as searches want it."""
        return self.automaton.prepared()

    @property
    def silent_labels(self) -> list[int]:
        """The labels that are no words: epsilon and sentence markers."""
        index = self.symbols.index
        return [EPSILON, *(index[word] for word in SENTENCE_MARKERS if word in index)]

    def best_path(self, scales: Scales | None = None) -> BestPath:
        """The decoder's own best path, by weighted costs; sentence markers count as no words.

        Raises:
            FstmetricsError: the lattice is cyclic or has no path.
        """
        return self.best_path_of_each([scales_of(scales, self.scales)])[0]

    def best_path_of_each(self, scales: Sequence[Scales]) -> list[BestPath]:
        """The decoder's own best path under each of several scales, in one pass over the lattice.

        Raises:
            FstmetricsError: the lattice is cyclic or has no path.

        >>> lattice = Lattice.from_arrays([0, 0], [1, 1], ["the", "a"], finals=[1], costs=[(1, 9), (2, 5)])
        >>> [path.words for path in lattice.best_path_of_each([Scales(lm=1), Scales(lm=10)])]
        [('a',), ('the',)]
        """
        weights = [(each.lm, each.acoustic, each.word_penalty) for each in scales]
        try:
            found = self.automaton.best_paths(self.prepared, weights, self.silent_labels)
        except ValueError as error:
            raise FstmetricsError(f"lattice {self.id or '(no id)'}: {error}") from None
        word_of = self.symbols.words.__getitem__
        return [BestPath(tuple(map(word_of, labels)), cost, tuple(arcs)) for cost, arcs, labels in found]

    def one_best(self, scales: Scales | None = None) -> OneBest:
        """The words of `best_path`, and what they were found with; the last found are kept with the lattice.

        Raises:
            FstmetricsError: the lattice is cyclic or has no path.
        """
        kept: OneBest | None = self.__dict__.get("_one_best")
        if kept is not None and scales is None and kept.scales is self.scales:
            return kept
        scales = scales_of(scales, self.scales)
        if kept is None or (kept.scales is not scales and kept.scales != scales):
            words = self.best_path(scales).words
            text = " ".join(words) if _native.are_words(words) else None
            kept = OneBest(words, text, scales, *self.automaton.kinds_of_costs)
            self.__dict__["_one_best"] = kept
        return kept

    def best_paths(self, n: int, scales: Scales | None = None) -> list[BestWords]:
        """The n distinct word sequences of least cost, best first; sentence markers count as no words.

        They are found with each arc's cost rounded to a unit of 2^-24; the costs told are not. Of equals the longer
        comes first.

        Raises:
            FstmetricsError: the lattice is cyclic or has no path, or a cost is not a number.

        >>> lattice = Lattice.from_arrays([0, 0], [1, 1], ["the", "a"], finals=[1], costs=[(2, 0), (1, 0)])
        >>> lattice.best_paths(5)
        [BestWords(words=('a',), cost=1.0), BestWords(words=('the',), cost=2.0)]
        """
        from fstmetrics.lattices.best_paths import best_paths

        return best_paths(self, n, scales)

    def pruned(self, beam: float, scales: Scales | None = None) -> Lattice:
        """The arcs on paths that cost no more than `beam` above the best; see `fstmetrics.lattices.pruning.pruned`."""
        from fstmetrics.lattices.pruning import pruned

        return pruned(self, beam, scales)

    @cached_property
    def depth(self) -> Depth:
        """How many arcs lie side by side, over time; see `fstmetrics.data.depth.depth_of`.

        Raises:
            FstmetricsError: the lattice has a cycle.
        """
        from fstmetrics.data.depth import depth_of  # few lattices are asked for it

        if not self.prepared.sorted:
            raise FstmetricsError(
                f"lattice {self.id or '(no id)'}: the lattice has a cycle, so it has no depth"
            )
        return depth_of(self.automaton, self.times)

    def __getstate__(self) -> dict[str, Any]:
        """What was given; all that is made of it is made again where it is needed."""
        kept = self.__dict__.copy()  # other threads may add to it meanwhile
        return {name: value for name, value in kept.items() if name in _GIVEN}

    def __copy__(self) -> Lattice:
        lattice = self.__class__.__new__(self.__class__)
        lattice.__dict__.update(self.__dict__)
        return lattice

    def __deepcopy__(self, memo: dict[int, Any]) -> Lattice:
        return copy(self)  # what it is made of cannot change

    def __repr__(self) -> str:
        return f"Lattice(id={self.id!r}, states={self.num_states}, arcs={self.num_arcs})"

    def _repr_svg_(self) -> str | None:
        from fstmetrics.networks.svg import lattice_svg

        return lattice_svg(self)


_GIVEN = frozenset({"automaton", "symbols", "id", "scales", "times", "numbered"})


def _column(values: npt.ArrayLike, name: str) -> npt.NDArray[np.int32]:
    """Integers as the engine wants them. Raises ValueError where a value would become another one."""
    given = np.asarray(values)
    if given.size == 0:
        given = np.zeros(0, dtype=np.int32)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise ValueError(f"{name} is a list of integers, not {given.dtype} of shape {list(given.shape)}")
    if given.size and not INT32.min <= int(given.min()) <= int(given.max()) <= INT32.max:
        raise ValueError(f"{name} goes from {given.min()} to {given.max()}, beyond 32 bits")
    return np.ascontiguousarray(given, dtype=np.int32)


def _is_triple(arc: object) -> bool:
    """Whether it is two states and a word."""
    if not isinstance(arc, tuple | list) or len(arc) != 3:
        return False
    return isinstance(arc[0], Integral) and isinstance(arc[1], Integral) and isinstance(arc[2], str)


def _pairs(costs: npt.ArrayLike | None) -> npt.NDArray[np.float64] | None:
    """Two costs a row; None where all are zero, which is what no costs mean."""
    if costs is None:
        return None
    pairs = np.ascontiguousarray(costs, dtype=np.float64)
    if pairs.size == 0:
        return None
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"costs are pairs, graph and acoustic, not an array of shape {list(pairs.shape)}")
    return pairs if pairs.any() else None
