"""HTK standard lattice format (SLF): HTK Book, chapter "HTK Standard Lattice Format".

What HTK's own reader does (HNet.c `ReadOneLattice`, HNet.h `LArcTotLike`) decides where the book is silent:
scales multiply, `wdpenalty` is added once a word, and one node without incoming (outgoing) links is the
start (end). A path's log probability is the sum of lmscale * l + acscale * a + prscale * r + wdpenalty.
Times of nodes (`t=`, times `tscale` seconds) are for a lattice's depth; posteriors (`p=`), variants (`v=`) and
alignments (`d=`) are not used.

Sub-lattices, each named by `SUBLAT=` and ended by a line with a period, come before the main lattice. One stands for
every node with its name, `I=3 L=name`, so such a file is a recursive transition network.

What is written has natural-log scores on links, one start and one end. A lattice has its words on links, and times on
nodes where they are known in seconds. A network has words and calls on nodes, as HTK's tools write grammars: a
sub-lattice a card, each before those that call it by `L=`, and the root as main lattice.

In order: `write`; `SlfDraft`, one lattice as it is written, checked and made a table of arcs; `read`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fstmetrics._native import LatticeColumn, SlfText, read_slf, read_slf_lattice
from fstmetrics.readers.arcs import (
    ArcTable,
    Labels,
    Numbers,
    cost_number,
    item_limits,
    note_errors,
    parsed,
    refuse_cut,
    refuse_empty,
    shown,
    state_number,
)
from fstmetrics.readers.bytes import File
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.readers.labels import check_words
from fstmetrics.readers.lattice_batches import column_of_files
from fstmetrics.readers.node_form import callees_first, node_form, written_names
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, encoded, number, only_item
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import Source, stem
from fstmetrics.values.cards import Call, Card, Token
from fstmetrics.values.lattice import EPSILON_WORDS, Lattice
from fstmetrics.values.network import Network
from fstmetrics.values.scales import Scales
from fstmetrics.values.shaping import check_path, one_final
from fstmetrics.values.symbols import SENTENCE_MARKERS
from fstmetrics.values.times import Times

EPSILON = "!NULL"
VERSION = "VERSION=1.0\n"


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one lattice or network of a file.

    Final states that are several, or have costs, get links without a word to an end of their own.

    Raises:
        FstmetricsError: no path, or a word that would be read as no word, or as two.
    """
    value = only_item(items).value
    return encoded(_network_lines(value) if isinstance(value, Network) else _lattice_lines(value))


def _lattice_lines(lattice: Lattice) -> Iterator[str]:
    check_words(lattice.symbols)
    check_path(lattice)
    times, scales, lattice = _times(lattice), lattice.scales, one_final(lattice)
    automaton = lattice.automaton
    yield VERSION
    yield from _scale_line(scales)
    yield f"start={automaton.start} end={automaton.finals[0]}\n"
    yield f"N={automaton.num_states} L={automaton.num_arcs}\n"
    for state in range(automaton.num_states):
        time = times[state] if times else math.nan
        yield f"I={state} t={number(time)}\n" if math.isfinite(time) else f"I={state}\n"
    names = [EPSILON, *map(escaped, lattice.symbols.words[1:])]
    columns = (
        automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist(),
        automaton.arc_costs.tolist(),
    )  # fmt: skip
    for index, (a, b, label, cost) in enumerate(zip(*columns, strict=True)):
        scores = _scores(cost) if automaton.has_costs else ""
        yield f"J={index} S={a} E={b} W={names[label]}{scores}\n"


def _times(lattice: Lattice) -> list[float]:
    """When the lattice is in each state, nan where that is not known; the last is for an end that may be added."""
    if not isinstance(lattice.times, Times) or lattice.times.unit != "seconds":
        return []
    of_state = lattice.times.of_state
    ends = set(of_state[lattice.automaton.finals].tolist())
    return [*of_state.tolist(), ends.pop() if len(ends) == 1 else math.nan]


def _scale_line(scales: Scales) -> Iterator[str]:
    if scales.lm != 1 or scales.word_penalty:
        # HTK's penalty is a log probability, and a cost the opposite.
        yield f"lmscale={number(scales.lm)} wdpenalty={number(0.0 - scales.word_penalty)}\n"


def _scores(cost: Sequence[float]) -> str:
    graph, acoustic = cost
    return f" a={number(0.0 - acoustic)} l={number(0.0 - graph)}"


def _network_lines(network: Network) -> Iterator[str]:
    check_words(network.symbols)
    *others, main = callees_first(network)
    written = written_names([card.name for card in others], _distinct)
    names = {name: escaped(text) for name, text in written.items()}
    for card in others:
        yield VERSION + f"SUBLAT={names[card.name]}\n"
        yield from _card_lines(card, names, network.scales)
        yield ".\n"
    yield VERSION
    yield from _card_lines(main, names, network.scales)


def _card_lines(card: Card, names: Mapping[str, str], scales: Scales) -> Iterator[str]:
    form = node_form(card)
    yield from _scale_line(scales)
    yield f"start={form.start} end={form.end}\n"
    yield f"N={len(form.tokens)} L={len(form.links)}\n"
    for node, token in enumerate(form.tokens):
        yield f"I={node} {_content(token, names)}\n"
    for index, (source, destination, cost) in enumerate(form.links):
        yield f"J={index} S={source} E={destination}{_scores(cost) if card.has_costs else ''}\n"


def _content(token: Token, names: Mapping[str, str]) -> str:
    """What a node holds: a sub-lattice, a word, or none."""
    if isinstance(token, Call):
        return f"L={names[token.name]}"
    return f"W={escaped(token) if token else EPSILON}"


def _distinct(name: str, used: AbstractSet[str]) -> str:
    while name in used:
        name += "_"
    return name


def escaped(word: str) -> str:
    r"""A word as HTK reads it back: a backslash, and a quote at the beginning, stand behind a backslash.

    >>> escaped("'tis"), escaped("don't")
    ("\\'tis", "don't")
    """
    word = word.replace("\\", "\\\\")
    return f"\\{word}" if word[0] in "\"'" else word


WRITER = Writer(
    "slf",
    (".slf", ".lat", ".htk"),
    Carries("lattice", costs="apart", scales=True, calls=True, times=True),
    write,
)


# Words that need no arc of their own where a start or end node carries them: none is ever counted.
SILENT = EPSILON_WORDS | SENTENCE_MARKERS | {""}
# What pocketsphinx writes first. The times of its nodes are those at which their words begin, not end as HTK has them.
POCKETSPHINX, HEAD = b"# Lattice generated by PocketSphinx", 1000
# Bases of natural logs: HTK's own default is written as base 1, which has no logarithm of its own.
NATURAL = (1.0, math.e)
# The label of a link that leaves its word to a node, and the call of a node for which no sub-lattice stands.
NO_WORD = -1


@dataclass(slots=True)
class SlfDraft:
    """A lattice as it is written; `complete` checks it and makes `table` what the file means.

    Attributes:
        header: the fields of the head.
        nodes: the numbers of the nodes; `node_labels` are their words, `node_times` when they are (seconds, nan where
            that is not said).
        words: the word of each label.
        calls: the labels that stand for a sub-lattice, and its name.
        table: the links.
        line: where the lattice begins.
    """

    source: Source
    header: dict[str, str]
    nodes: Numbers
    node_labels: Labels
    node_times: npt.NDArray[np.float64]
    pronunciation: npt.NDArray[np.float64]
    words: list[str]
    table: ArcTable
    line: int
    calls: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Source, slf: SlfText) -> SlfDraft:
        """What the parser found."""
        links = slf.links
        draft = cls(
            source, slf.header, slf.nodes, slf.node_labels, slf.times, slf.pronunciation,
            links.words, ArcTable.of(links), slf.line,
        )  # fmt: skip
        draft._take_calls(slf.node_calls)
        return draft

    def _take_calls(self, node_calls: Labels) -> None:
        """Give nodes for which sub-lattices stand labels of their own."""
        called = node_calls != NO_WORD
        if called.any():
            names = {name: self._label("") for name in np.unique(node_calls[called]).tolist()}
            self.calls = {label: self.words[name] for name, label in names.items()}
            labels = self.node_labels.copy()
            labels[called] = [names[name] for name in node_calls[called].tolist()]
            self.node_labels = labels

    def error(self, message: str) -> InputError:
        """An error of this lattice; of the first in the file it names no line."""
        return self.source.error(message, None if self.line == 1 else self.line)

    @property
    def name(self) -> str | None:
        """What other lattices call this one by."""
        return self.header.get("SUBLAT", self.header.get("S"))

    def number(self, name: str, default: float) -> float:
        """A number of the head, or the default."""
        if name not in self.header:
            return default
        try:
            value = cost_number(self.header[name])
        except ValueError:
            value = math.inf
        if math.isinf(value) or (name == "base" and value < 0):
            raise self.error(f"{name}={shown(self.header[name])} is not a usable number")
        return value

    def _count(self, short: str, long: str, what: str, found: int) -> int:
        declared = self.header.get(short, self.header.get(long))
        if declared is None:
            raise self.error(f"no {short}= field, the number of {what}; is this SLF?")
        if not (declared.isascii() and declared.isdigit() and len(declared) < 10):
            raise self.error(f"{short}={shown(declared)} is not a number of {what}")
        if int(declared) != found:
            raise self.error(
                f"found {found} {what}, but {short}={declared} says {int(declared)}: is the file cut off?"
            )
        return found

    def complete(self) -> SlfDraft:
        """Check the counts, and give the table its words, costs, start and final state."""
        table = self.table
        found = len(self.nodes) or self._nodes_of_links()
        table.num_states = self._count("N", "NODES", "nodes", found)
        self._count("L", "LINKS", "links", len(table.places))
        table.start, end = self._ends(found)
        words_on_nodes = self._take_words_of_nodes()
        table.costs = self._costs()
        end = self._keep_outer_word(end, words_on_nodes)
        table.finals, table.final_places = np.array([end]), np.array([1])
        table.final_costs = np.zeros((1, 2))
        return self

    @property
    def scales(self) -> Scales:
        """The weights that the head asks for."""
        # HTK's penalty is a log probability, so usually negative, and is never converted by `base`.
        return Scales(self.number("lmscale", 1.0), 1.0, -self.number("wdpenalty", 0.0) + 0.0)

    @property
    def times(self) -> Times | None:
        """When the lattice is in each state; None where no node says."""
        known = self.nodes < (states := self.table.num_states or 0)
        if np.isnan(self.node_times[known]).all():
            return None
        of_state = np.full(states, np.nan)
        of_state[self.nodes[known]] = self.node_times[known] * self.number("tscale", 1.0)
        return Times(of_state, "seconds")

    def _nodes_of_links(self) -> int:
        """How many nodes there are by the links alone: HTK lets all node lines be left out."""
        ends = np.concatenate([self.table.sources, self.table.destinations])
        highest = int(ends.max()) if ends.size else 0
        # The first comparison keeps a wild number from becoming a table of that size.
        if highest > 2 * ends.size or highest > 2 * np.count_nonzero(np.bincount(ends)):
            raise self.error(f"a link names node {highest}, but no node has a line (I=)")
        return 1 + highest

    def _ends(self, nodes: int) -> tuple[int, int]:
        """The start and end node: named in the header, or the only one without incoming (outgoing) links."""
        found = []
        for name, targets in (("start", self.table.destinations), ("end", self.table.sources)):
            if name in self.header:
                try:
                    candidates = [state_number(self.header[name])]
                except ValueError as error:
                    raise self.error(f"{name}={shown(self.header[name])}: {error}") from None
            else:
                self.table.check_states(self.source)  # a wrong number is why a node seems to have no links
                without = np.ones(nodes, dtype=bool)
                without[targets] = False
                candidates = np.flatnonzero(without).tolist()
            if len(candidates) != 1 or candidates[0] >= nodes:
                raise self.error(_no_end(name, candidates, nodes))
            found.append(candidates[0])
        return found[0], found[1]

    def _take_words_of_nodes(self) -> bool:
        """Give the links without a word that of their node; whether there are any (or no links at all)."""
        table = self.table
        absent = table.labels == NO_WORD
        if absent.any() or self.calls:
            # With dir=b the recogniser ran backwards in time, and a node's word belongs to the links out of it.
            ends = table.sources if self._backwards else table.destinations
            table.check_states(self.source)
            of_node = np.full(table.num_states or 0, self._label(""), dtype=np.int32)
            known = self.nodes < of_node.size
            of_node[self.nodes[known]] = self.node_labels[known]
            self._refuse_two_words(of_node[ends], absent)
            table.labels = np.where(absent, of_node[ends], table.labels)
        return bool(absent.any()) or not absent.size

    def _refuse_two_words(self, of_node: Labels, absent: npt.NDArray[np.bool_]) -> None:
        if self.calls and (twice := np.isin(of_node, list(self.calls)) & ~absent).any():
            raise self.source.error(
                "a link with a word of its own leads to a node that is a sub-lattice",
                int(self.table.places[np.argmax(twice)]),
            )

    def _label(self, word: str) -> int:
        """A label of a word, which may be a new one."""
        self.words.append(word)
        return len(self.words) - 1

    @property
    def _backwards(self) -> bool:
        """Whether a node's word belongs to the links out of it, which begin when the node is."""
        return self.header.get("dir", "f").startswith("b") or _is_of_pocketsphinx(self.source)

    def _costs(self) -> npt.NDArray[np.float64]:
        """Log scores (or probabilities) as costs: negative natural logs."""
        base = self.number("base", math.e)
        if base in NATURAL and self.number("acscale", 1.0) == 1 and not self.pronunciation.any():
            self.number("prscale", 1.0)  # which must be one all the same
            return 0.0 - self.table.costs
        scores = self._natural(self.table.costs, base)
        acoustic = scores[:, 1] * self.number("acscale", 1.0)
        pronunciation = self._natural(self.pronunciation, base) * self.number("prscale", 1.0)
        # Taking from zero turns the -0.0 of absent scores into 0.0.
        return np.stack([0.0 - scores[:, 0], 0.0 - (acoustic + pronunciation)], axis=1)

    def _natural(self, scores: npt.NDArray[np.float64], base: float) -> npt.NDArray[np.float64]:
        if base == 0:
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.log(scores)
        return scores if base in NATURAL else scores * math.log(base)

    def _keep_outer_word(self, end: int, words_on_nodes: bool) -> int:
        """Put the word, or the call, of the node that no link speaks for on an arc of its own, if it is one.

        Returns:
            The end state, which may be a new one, as may the table's start.
        """
        table, state = self.table, self.table.num_states or 0
        outer = end if self._backwards else table.start
        (lines,) = np.nonzero(self.nodes == outer)
        if not lines.size:
            return end
        label = int(self.node_labels[lines[0]])
        if label not in self.calls and (not words_on_nodes or self.words[label] in SILENT):
            return end
        table.num_states = state + 1
        # When the lattice is in that state, the file does not say.
        self.nodes = np.append(self.nodes, state)
        self.node_times = np.append(self.node_times, math.nan)
        source, destination = (end, state) if self._backwards else (state, table.start)
        table.sources = np.append(table.sources, source)
        table.destinations = np.append(table.destinations, destination)
        table.labels = np.append(table.labels, np.int32(label))
        table.costs = np.append(table.costs, np.zeros((1, 2)), axis=0)
        table.places = np.append(table.places, 1)
        if self._backwards:
            return state
        table.start = state
        return end


def _no_end(name: str, candidates: list[int], nodes: int) -> str:
    side = "incoming" if name == "start" else "outgoing"
    if len(candidates) == 1:
        return f"{name}={candidates[0]}, but the nodes are 0 to {nodes - 1}"
    some = ", ".join(map(str, candidates[:5])) + (", ..." if len(candidates) > 5 else "")
    number = f"{len(candidates)} nodes ({some})" if candidates else "no nodes"
    return f"no {name}= field, and {number} without {side} links; expected exactly one"


# What is not used, by the fields of nodes and links that hold it; of networks, times neither.
TIMES = {"times": re.compile(rb"^[ \t]*I=[^\n]*[ \t]t(?:ime)?=", re.M)}
UNREAD = {
    "posteriors": re.compile(rb"^[ \t]*J=[^\n]*[ \t]p=", re.M),
    "alignments": re.compile(rb"^[ \t]*[IJ]=[^\n]*[ \t]d(?:iv)?=", re.M),
    "variants": re.compile(rb"^[ \t]*[IJ]=[^\n]*[ \t]v(?:ar)?=", re.M),
}
# The scales that a Network has once for all cards, and what they are where a head does not say.
SCALES = {"lmscale": 1.0, "wdpenalty": 0.0}
MAIN = "main lattice"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one lattice of a file; its id is the file's stem, as UTTERANCE is often a path.

    Raises:
        InputError: a malformed line, other numbers of nodes or links than N= and L= say, no unique start
            or end, or sub-lattices that are not there or call each other in a circle.
    """
    refuse_empty(source)
    text = source.utf8
    column = LatticeColumn(options.vocabulary)
    if _add(source, column):
        note_errors(column, lambda _: source)
        yield Item(source.stem, column[0], left_out=_left_out(text, UNREAD, options))
        return
    lattices = parsed(source, lambda: read_slf(text))
    refuse_cut(source)
    drafts = [SlfDraft.of(source, slf) for slf in lattices]
    if drafts[-1].name is not None:
        raise source.error(
            f"the file ends with sub-lattice {shown(drafts[-1].name)}; expected a line with a period after it, and the "
            "main lattice, which has no SUBLAT=: is the file cut off?",
            drafts[-1].line,
        )
    is_network = any(draft.calls for draft in drafts)
    left_out = _left_out(text, TIMES | UNREAD if is_network else UNREAD, options)
    if is_network:
        yield Item(source.stem, _network(source, drafts), left_out=left_out)
        return
    main = drafts[-1].complete()
    lattice = main.table.lattice(
        source,
        main.words,
        id=source.stem,
        scales=main.scales,
        times=main.times,
        vocabulary=options.vocabulary,
    )
    yield Item(source.stem, lattice, left_out=left_out)


def _left_out(text: bytes, unread: Mapping[str, re.Pattern[bytes]], options: ReadOptions) -> tuple[str, ...]:
    return tuple(what for what, field in unread.items() if options.tell_left_out and field.search(text))


def _add(source: Source, column: LatticeColumn) -> bool:
    """Append the lattice of a file; false, and nothing, where something is wrong with it or rare."""
    return read_slf_lattice(source.utf8, _is_of_pocketsphinx(source), item_limits(), source.stem, column)


def read_files(files: Sequence[File], options: ReadOptions) -> LatticeColumn | None:
    """The lattices of files in one column; None where something is wrong with one, or rare."""
    return column_of_files(files, options, _add)


def _is_of_pocketsphinx(source: Source) -> bool:
    return POCKETSPHINX in source.data[:HEAD]


def _network(source: Source, drafts: Sequence[SlfDraft]) -> Network:
    """Sub-lattices as cards that the main lattice, the last one, and each other call."""
    *others, main = drafts
    names: dict[str, int] = {}
    for draft in others:
        if draft.name is None:
            raise source.error("no SUBLAT= field in this sub-lattice, so nothing can name it", draft.line)
        if names.setdefault(draft.name, draft.line) != draft.line:
            raise source.error(
                f"sub-lattice {shown(draft.name)} is already in line {names[draft.name]}", draft.line
            )
        for scale, default in SCALES.items():
            if scale in draft.header and draft.number(scale, default) != main.number(scale, default):
                raise source.error(
                    f"{scale}= of a sub-lattice differs from that of the main lattice", draft.line
                )
    root = MAIN
    while root in names:
        root += "'"
    cards = [_card(source, main, root), *(_card(source, draft, draft.name or "") for draft in others)]
    try:
        return Network(cards, root, id=source.stem, scales=main.scales)
    except FstmetricsError as error:
        raise source.error(str(error)) from None


def _card(source: Source, draft: SlfDraft, name: str) -> Card:
    table = draft.complete().table
    kept = table.checked(source)
    tokens: list[Token] = ["" if word in EPSILON_WORDS else word for word in draft.words]
    for label, called in draft.calls.items():
        tokens[label] = Call(called)
    columns = (column[kept].tolist() for column in (table.sources, table.destinations, table.labels))
    arcs = [(begin, end, tokens[label]) for begin, end, label in zip(*columns, strict=True)]
    costs = tuple((graph, acoustic) for graph, acoustic in table.costs[kept].tolist())
    return Card(
        name, tuple(arcs), frozenset(table.finals.tolist()), table.start,
        costs=costs if any(map(any, costs)) else (),
    )  # fmt: skip


FORMAT = Format(
    "slf", "HTK standard lattice format", read, extensions=WRITER.extensions, writers=(WRITER,),
    id_of=stem, files=read_files,
)  # fmt: skip
