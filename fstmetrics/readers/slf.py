"""HTK standard lattice format (SLF): HTK Book, chapter "HTK Standard Lattice Format".

What HTK's own reader does (HNet.c `ReadOneLattice`, HNet.h `LArcTotLike`) decides where the book is silent:
scales multiply, `wdpenalty` is added once a word, and one node without incoming (outgoing) links is the
start (end). A path's log probability is the sum of lmscale * l + acscale * a + prscale * r + wdpenalty.
Times of nodes (`t=`, seconds) are for a lattice's depth; posteriors (`p=`), variants (`v=`) and alignments (`d=`)
are not used.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fstmetrics import _native
from fstmetrics.lattice import EPSILON_WORDS, SENTENCE_MARKERS, Lattice, Scales, Times
from fstmetrics.readers.arcs import (
    ArcTable,
    Labels,
    Numbers,
    cost_number,
    parsed,
    refuse_empty,
    shown,
    state_number,
)
from fstmetrics.readers.base import Format, Item, ReadOptions, Source

# The header fields a file may begin with, after comments.
HEADER = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*"
    rb"(?:VERSION|V|UTTERANCE|U|SUBLAT|S|base|lmname|lmscale|wdpenalty|acscale|prscale|tscale|vocab|hmms|"
    rb"start|end|dir|NODES|N|LINKS|L)=[^\s]"
)
# Words that need no arc of their own where a start or end node carries them: none is ever counted.
SILENT = EPSILON_WORDS | SENTENCE_MARKERS | {""}
# The label of a link that leaves its word to a node.
NO_WORD = -1


def sniff(source: Source) -> bool:
    """Whether the first line that is no comment is an SLF header field."""
    return HEADER.match(source.data[:65536]) is not None


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one lattice of a file; its id is the file's stem, as UTTERANCE is often a path.

    Raises:
        InputError: a malformed line, other numbers of nodes or links than N= and L= say, no unique start
            or end, or sub-lattices.
    """
    refuse_empty(source)
    text = source.utf8
    yield Item(source.stem, _Draft.of(source, parsed(source, lambda: _native.read_slf(text))).lattice())


@dataclass(slots=True)
class _Draft:
    """A lattice as it is written. Costs are scores until `lattice` is called."""

    source: Source
    header: dict[str, str]
    nodes: Numbers
    node_labels: Labels
    node_times: npt.NDArray[np.float64]
    pronunciation: npt.NDArray[np.float64]
    words: list[str]
    table: ArcTable

    @classmethod
    def of(cls, source: Source, slf: _native.SlfText) -> _Draft:
        links = slf.links
        return cls(
            source,
            slf.header,
            slf.nodes,
            slf.node_labels,
            slf.times,
            slf.pronunciation,
            links.words,
            ArcTable.of(links),
        )

    def number(self, name: str, default: float) -> float:
        if name not in self.header:
            return default
        try:
            value = cost_number(self.header[name])
        except ValueError:
            value = math.inf
        if math.isinf(value) or (name == "base" and value < 0):
            raise self.source.error(f"{name}={shown(self.header[name])} is not a usable number")
        return value

    def count(self, short: str, long: str, what: str, found: int) -> int:
        declared = self.header.get(short, self.header.get(long))
        if declared is None:
            raise self.source.error(f"no {short}= field, the number of {what}; is this SLF?")
        if not (declared.isascii() and declared.isdigit() and len(declared) < 10):
            raise self.source.error(f"{short}={shown(declared)} is not a number of {what}")
        if int(declared) != found:
            raise self.source.error(
                f"found {found} {what}, but {short}={declared} says {int(declared)}: is the file cut off?"
            )
        return found

    def lattice(self) -> Lattice:
        """Check the counts and build the lattice."""
        table = self.table
        found = len(self.nodes) or self.nodes_of_links()
        table.num_states = self.count("N", "NODES", "nodes", found)
        self.count("L", "LINKS", "links", len(table.places))
        table.start, end = self.ends(found)
        words_on_nodes = self.take_words_of_nodes()
        table.costs = self.costs()
        if words_on_nodes:
            end = self.keep_outer_word(end)
        table.finals, table.final_places = np.array([end]), np.array([1])
        table.final_costs = np.zeros((1, 2))
        # HTK's penalty is a log probability, so usually negative, and is never converted by `base`.
        scales = Scales(self.number("lmscale", 1.0), 1.0, -self.number("wdpenalty", 0.0) + 0.0)
        times = self.times()
        return table.lattice(self.source, self.words, id=self.source.stem, scales=scales, times=times)

    def times(self) -> Times | None:
        """When the lattice is in each state; None where no node says."""
        known = self.nodes < (states := self.table.num_states or 0)
        if np.isnan(self.node_times[known]).all():
            return None
        of_state = np.full(states, np.nan)
        of_state[self.nodes[known]] = self.node_times[known]
        return Times(of_state, "seconds")

    def nodes_of_links(self) -> int:
        """How many nodes there are by the links alone: HTK lets all node lines be left out."""
        ends = np.concatenate([self.table.sources, self.table.destinations])
        highest = int(ends.max()) if ends.size else 0
        # The first comparison keeps a wild number from becoming a table of that size.
        if highest > 2 * ends.size or highest > 2 * np.count_nonzero(np.bincount(ends)):
            raise self.source.error(f"a link names node {highest}, but no node has a line (I=)")
        return 1 + highest

    def ends(self, nodes: int) -> tuple[int, int]:
        """The start and end node: named in the header, or the only one without incoming (outgoing) links."""
        found = []
        for name, targets in (("start", self.table.destinations), ("end", self.table.sources)):
            if name in self.header:
                try:
                    candidates = [state_number(self.header[name])]
                except ValueError as error:
                    raise self.source.error(f"{name}={shown(self.header[name])}: {error}") from None
            else:
                self.table.check_states(self.source)  # a wrong number is why a node seems to have no links
                without = np.ones(nodes, dtype=bool)
                without[targets] = False
                candidates = np.flatnonzero(without).tolist()
            if len(candidates) != 1 or candidates[0] >= nodes:
                raise self.source.error(_no_end(name, candidates, nodes))
            found.append(candidates[0])
        return found[0], found[1]

    def take_words_of_nodes(self) -> bool:
        """Give the links without a word that of their node; whether there are any (or no links at all)."""
        table = self.table
        absent = table.labels == NO_WORD
        if absent.any():
            # With dir=b the recogniser ran backwards in time, and a node's word belongs to the links out of it.
            ends = table.sources if self.backwards else table.destinations
            table.check_states(self.source)
            of_node = np.full(table.num_states or 0, self.label(""), dtype=np.int32)
            known = self.nodes < of_node.size
            of_node[self.nodes[known]] = self.node_labels[known]
            table.labels = np.where(absent, of_node[ends], table.labels)
        return bool(absent.any()) or not absent.size

    def label(self, word: str) -> int:
        """A label of a word, which may be a new one."""
        self.words.append(word)
        return len(self.words) - 1

    @property
    def backwards(self) -> bool:
        return self.header.get("dir", "f").startswith("b")

    def costs(self) -> npt.NDArray[np.float64]:
        """Log scores (or probabilities) as costs: negative natural logs."""
        base = self.number("base", math.e)
        scores = self.natural(self.table.costs, base)
        acoustic = scores[:, 1] * self.number("acscale", 1.0)
        pronunciation = self.natural(self.pronunciation, base) * self.number("prscale", 1.0)
        # Taking from zero turns the -0.0 of absent scores into 0.0.
        return np.stack([0.0 - scores[:, 0], 0.0 - (acoustic + pronunciation)], axis=1)

    def natural(self, scores: npt.NDArray[np.float64], base: float) -> npt.NDArray[np.float64]:
        if base == 0:
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.log(scores)
        # HTK's own default is written as base 1, which has no logarithm of its own.
        return scores if base in (1.0, math.e) else scores * math.log(base)

    def keep_outer_word(self, end: int) -> int:
        """Put the word of the node that no link speaks for on an arc of its own, if it is a word.

        Returns:
            The end state, which may be a new one, as may the table's start.
        """
        table, state = self.table, self.table.num_states or 0
        outer = end if self.backwards else table.start
        (lines,) = np.nonzero(self.nodes == outer)
        if not lines.size or self.words[label := int(self.node_labels[lines[0]])] in SILENT:
            return end
        table.num_states = state + 1
        # It takes no time that the file knows of.
        self.nodes = np.append(self.nodes, state)
        self.node_times = np.append(self.node_times, self.node_times[lines[0]])
        source, destination = (end, state) if self.backwards else (state, table.start)
        table.sources = np.append(table.sources, source)
        table.destinations = np.append(table.destinations, destination)
        table.labels = np.append(table.labels, np.int32(label))
        table.costs = np.append(table.costs, np.zeros((1, 2)), axis=0)
        table.places = np.append(table.places, 1)
        if self.backwards:
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


FORMAT = Format("slf", "HTK standard lattice format", (".slf", ".lat", ".htk"), sniff, read)
