"""HTK standard lattice format (SLF): HTK Book, chapter "HTK Standard Lattice Format".

What HTK's own reader does (HNet.c `ReadOneLattice`, HNet.h `LArcTotLike`) decides where the book is silent:
scales multiply, `wdpenalty` is added once a word, and one node without incoming (outgoing) links is the
start (end). A path's log probability is the sum of lmscale * l + acscale * a + prscale * r + wdpenalty.
Posteriors (`p=`), times, variants (`v=`) and alignments (`d=`) are not used.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fstmetrics.errors import InputError
from fstmetrics.lattice import EPSILON_WORDS, SENTENCE_MARKERS, Lattice, Scales
from fstmetrics.readers.arcs import ArcTable, cost_number, refuse_empty, shown, state_number
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.slf_fields import fields_of

# The header fields a file may begin with, after comments.
HEADER = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*"
    rb"(?:VERSION|V|UTTERANCE|U|SUBLAT|S|base|lmname|lmscale|wdpenalty|acscale|prscale|tscale|vocab|hmms|"
    rb"start|end|dir|NODES|N|LINKS|L)=[^\s]"
)
SUBLATTICES = "sub-lattices are not supported yet"
# Words that need no arc of their own where a start or end node carries them: none is ever counted.
SILENT = EPSILON_WORDS | SENTENCE_MARKERS | {""}


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
    draft = _Draft(source)
    for number, line in source.lines():
        try:
            draft.add(line, number)
        except InputError:
            raise
        except (ValueError, OverflowError) as error:
            raise source.error(str(error), number) from None
    yield Item(source.stem, draft.lattice())


@dataclass(slots=True)
class _Draft:
    """A lattice as far as it is read. Costs are as written until `lattice` is called."""

    source: Source
    header: dict[str, str] = field(default_factory=dict)
    nodes: dict[int, str] = field(default_factory=dict)
    link_lines: dict[str, int] = field(default_factory=dict)
    link_words: list[str | None] = field(default_factory=list)
    pronunciation: list[float] = field(default_factory=list)
    table: ArcTable = field(default_factory=ArcTable)
    # What an absent score stands for: log 1, or 1 itself where scores are plain probabilities.
    absent: str = "0"

    def add(self, line: str, number: int) -> None:
        fields = fields_of(line) if line.strip() != "." else {"SUBLAT": ""}
        if "J" in fields:
            self.add_link(fields, number)
        elif "I" in fields:
            self.add_node(fields)
        elif fields:
            self.add_header(fields)

    def add_header(self, fields: dict[str, str]) -> None:
        if "SUBLAT" in fields or "S" in fields:
            raise ValueError(SUBLATTICES)
        if (self.nodes or self.link_words) and not {"N", "L", "NODES", "LINKS"}.isdisjoint(fields):
            raise ValueError("a second lattice begins here; expected one a file")
        self.header.update(fields)
        self.absent = "1" if self.number("base", math.e) == 0 else "0"

    def add_node(self, fields: dict[str, str]) -> None:
        node = state_number(fields["I"])
        if "L" in fields or "SUBLAT" in fields:
            raise ValueError(SUBLATTICES)
        if node in self.nodes:
            raise ValueError(f"node I={node} was there before")
        self.nodes[node] = fields.get("W", fields.get("WORD", ""))

    def add_link(self, fields: dict[str, str], number: int) -> None:
        if len("".join(fields)) > len(fields):
            # HTK goes by the first letter of a name, so START= and END= are the same.
            fields = {"J": fields["J"]} | {name[0]: value for name, value in fields.items() if name != "J"}
        if "S" not in fields or "E" not in fields:
            raise ValueError(f"link J={shown(fields['J'])} needs both S= and E=")
        if self.link_lines.setdefault(fields["J"], number) != number:
            raise ValueError(f"link J={shown(fields['J'])} is already in line {self.link_lines[fields['J']]}")
        source, destination = state_number(fields["S"]), state_number(fields["E"])
        try:
            graph, acoustic = float(fields.get("l", self.absent)), float(fields.get("a", self.absent))
            self.pronunciation.append(float(fields.get("r", self.absent)))
        except ValueError:
            raise ValueError(f"a= l= and r= of link J={shown(fields['J'])} must be numbers") from None
        self.table.arc(source, destination, graph, acoustic, number)
        self.link_words.append(fields.get("W"))

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
        start, end = self.ends(found)
        words, words_on_nodes = self.words()
        self.weigh()
        table.start = start
        if words_on_nodes:
            start, end = self.keep_outer_word(words, start, end)
        table.final(end, 0.0, 0.0, 1)
        # HTK's penalty is a log probability, so usually negative, and is never converted by `base`.
        scales = Scales(self.number("lmscale", 1.0), 1.0, -self.number("wdpenalty", 0.0) + 0.0)
        table.start = start
        return table.lattice(self.source, words, id=self.source.stem, scales=scales)

    def nodes_of_links(self) -> int:
        """How many nodes there are by the links alone: HTK lets all node lines be left out."""
        named = {*self.table.sources, *self.table.destinations}
        highest = max(named, default=0)
        if highest > 2 * len(named):
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
                candidates = sorted(set(range(nodes)) - set(targets))
            if len(candidates) != 1 or candidates[0] >= nodes:
                raise self.source.error(_no_end(name, candidates, nodes))
            found.append(candidates[0])
        return found[0], found[1]

    def words(self) -> tuple[list[str], bool]:
        """The word of each link, and whether some come from nodes."""
        table = self.table
        # With dir=b the recogniser ran backwards in time, and a node's word belongs to the links out of it.
        ends = table.sources if self.backwards else table.destinations
        words = [
            self.nodes.get(end, "") if word is None else word
            for word, end in zip(self.link_words, ends, strict=True)
        ]
        return words, None in self.link_words or not words

    @property
    def backwards(self) -> bool:
        return self.header.get("dir", "f").startswith("b")

    def weigh(self) -> None:
        """Turn log scores (or probabilities) into costs: negative natural logs."""
        table, base = self.table, self.number("base", math.e)
        acoustic = self.natural(table.acoustic, base) * self.number("acscale", 1.0)
        pronunciation = self.natural(self.pronunciation, base) * self.number("prscale", 1.0)
        # Adding zero turns the -0.0 of absent scores into 0.0.
        table.graph = (0.0 - self.natural(table.graph, base)).tolist()
        table.acoustic = (0.0 - (acoustic + pronunciation)).tolist()

    def natural(self, scores: list[float], base: float) -> npt.NDArray[np.float64]:
        column = np.array(scores, dtype=np.float64)
        if base == 0:
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.log(column)
        # HTK's own default is written as base 1, which has no logarithm of its own.
        return column if base in (1.0, math.e) else column * math.log(base)

    def keep_outer_word(self, words: list[str], start: int, end: int) -> tuple[int, int]:
        """Put the word of the node that no link speaks for on an arc of its own, if it is a word."""
        table, outer = self.table, end if self.backwards else start
        word, state = self.nodes.get(outer, ""), table.num_states or 0
        if word in SILENT:
            return start, end
        words.append(word)
        table.num_states = state + 1
        if self.backwards:
            table.arc(end, state, 0.0, 0.0, 1)
            return start, state
        table.arc(state, start, 0.0, 0.0, 1)
        return state, end


def _no_end(name: str, candidates: list[int], nodes: int) -> str:
    side = "incoming" if name == "start" else "outgoing"
    if len(candidates) == 1:
        return f"{name}={candidates[0]}, but the nodes are 0 to {nodes - 1}"
    some = ", ".join(map(str, candidates[:5])) + (", ..." if len(candidates) > 5 else "")
    number = f"{len(candidates)} nodes ({some})" if candidates else "no nodes"
    return f"no {name}= field, and {number} without {side} links; expected exactly one"


FORMAT = Format("slf", "HTK standard lattice format", (".slf", ".lat", ".htk"), sniff, read)
