"""`SlfDraft`: one lattice of an SLF file as it is written, checked and made a table of arcs; slf.py has the sources."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fstmetrics import _native
from fstmetrics.errors import InputError
from fstmetrics.lattice import EPSILON_WORDS, SENTENCE_MARKERS, Scales
from fstmetrics.readers.arcs import ArcTable, Labels, Numbers, cost_number, shown, state_number
from fstmetrics.readers.base import Source
from fstmetrics.times import Times

# Words that need no arc of their own where a start or end node carries them: none is ever counted.
SILENT = EPSILON_WORDS | SENTENCE_MARKERS | {""}
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
    def of(cls, source: Source, slf: _native.SlfText) -> SlfDraft:
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
                "a link with a word of its own stands for a node that a sub-lattice stands for",
                int(self.table.places[np.argmax(twice)]),
            )

    def _label(self, word: str) -> int:
        """A label of a word, which may be a new one."""
        self.words.append(word)
        return len(self.words) - 1

    @property
    def _backwards(self) -> bool:
        return self.header.get("dir", "f").startswith("b")

    def _costs(self) -> npt.NDArray[np.float64]:
        """Log scores (or probabilities) as costs: negative natural logs."""
        base = self.number("base", math.e)
        scores = self._natural(self.table.costs, base)
        acoustic = scores[:, 1] * self.number("acscale", 1.0)
        pronunciation = self._natural(self.pronunciation, base) * self.number("prscale", 1.0)
        # Taking from zero turns the -0.0 of absent scores into 0.0.
        return np.stack([0.0 - scores[:, 0], 0.0 - (acoustic + pronunciation)], axis=1)

    def _natural(self, scores: npt.NDArray[np.float64], base: float) -> npt.NDArray[np.float64]:
        if base == 0:
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.log(scores)
        # HTK's own default is written as base 1, which has no logarithm of its own.
        return scores if base in (1.0, math.e) else scores * math.log(base)

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
        # It takes no time that the file knows of.
        self.nodes = np.append(self.nodes, state)
        self.node_times = np.append(self.node_times, self.node_times[lines[0]])
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
