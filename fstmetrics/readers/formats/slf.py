"""HTK standard lattice format (SLF): HTK Book, chapter "HTK Standard Lattice Format".

What HTK's own reader does (HNet.c `ReadOneLattice`, HNet.h `LArcTotLike`) decides where the book is silent:
scales multiply, `wdpenalty` is added once a word, and one node without incoming (outgoing) links is the
start (end). A path's log probability is the sum of lmscale * l + acscale * a + prscale * r + wdpenalty.
Times of nodes (`t=`, times `tscale` seconds) are for a lattice's depth; posteriors (`p=`), variants (`v=`) and
alignments (`d=`) are not used.

Sub-lattices, each named by `SUBLAT=` and ended by a line with a period, come before the main lattice. One stands for
every node with its name, `I=3 L=name`, so such a file is a recursive transition network. `slf_draft` has what a
lattice in it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fstmetrics import _native
from fstmetrics.cards import Card
from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import EPSILON_WORDS
from fstmetrics.network import Network
from fstmetrics.phrases import Call, Token
from fstmetrics.readers.arcs import parsed, refuse_cut, refuse_empty, shown
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.formats.slf_draft import SlfDraft
from fstmetrics.readers.formats.slf_writing import WRITER
from fstmetrics.readers.names import stem

# The header fields a file may begin with, after comments.
HEADER = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*"
    rb"(?:VERSION|V|UTTERANCE|U|SUBLAT|S|base|lmname|lmscale|wdpenalty|acscale|prscale|tscale|vocab|hmms|"
    rb"start|end|dir|NODES|N|LINKS|L)=[^\s]"
)
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


def sniff(source: Source) -> bool:
    """Whether the first line that is no comment is an SLF header field."""
    return HEADER.match(source.data[:65536]) is not None


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one lattice of a file; its id is the file's stem, as UTTERANCE is often a path.

    Raises:
        InputError: a malformed line, other numbers of nodes or links than N= and L= say, no unique start
            or end, or sub-lattices that are not there or call each other in a circle.
    """
    refuse_empty(source)
    text = source.utf8
    lattices = parsed(source, lambda: _native.read_slf(text))
    refuse_cut(source)
    drafts = [SlfDraft.of(source, slf) for slf in lattices]
    if drafts[-1].name is not None:
        raise source.error(
            f"the file ends with sub-lattice {shown(drafts[-1].name)}; expected a line with a period after it, and the "
            "main lattice, which has no SUBLAT=: is the file cut off?",
            drafts[-1].line,
        )
    is_network = any(draft.calls for draft in drafts)
    unread = TIMES | UNREAD if is_network else UNREAD
    left_out = tuple(what for what, field in unread.items() if options.tell_left_out and field.search(text))
    if is_network:
        yield Item(source.stem, _network(source, drafts), left_out=left_out)
        return
    main = drafts[-1].complete()
    lattice = main.table.lattice(source, main.words, id=source.stem, scales=main.scales, times=main.times)
    yield Item(source.stem, lattice, left_out=left_out)


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


FORMAT = Format("slf", "HTK standard lattice format", WRITER.extensions, sniff, read, (WRITER,), id_of=stem)
