"""Lattices in text, a file each, read line by line: the referee of native parsers for all that an item has.

Each reader gives the item of a file, or raises InputError with the message that the format's own reader gives.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import slow_readers
from slow_arcs import MAX_STATES, ArcTable, table_of
from slow_readers import state_of as state_number

from fstmetrics.data.lattice import Scales
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.data.times import Times
from fstmetrics.io.arcs import ArcList, count, fields_of, real, refuse_cut, shown
from fstmetrics.io.items import Item, ReadOptions
from fstmetrics.io.written_words import read_symbols
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

# A list in brackets, or what blanks part.
FIELD = re.compile(r"\[[^\[\]]*\]|[^ \t\[\]]+|[^ \t]")
LABEL = re.compile(r"-?\d{1,10}", re.ASCII)
FINAL_LABEL = "-1"


def read_k2(source: Source, options: ReadOptions) -> Item:
    """k2's text, as k2_machines.py describes it."""
    source.refuse_empty()
    rows = [(number, fields) for number, line in source.lines() if (fields := k2_fields(line))]
    last, final = rows.pop()
    if len(final) != 1 or not rows:
        raise source.error(
            f"expected the final state alone on the last line, found {shown(' '.join(final))}", last
        )
    form = [k2_is_list(field) for field in rows[0][1]]
    symbols = read_symbols(options.symbols) if options.symbols else None
    arcs, lists, highest = ArcList(), [], 0
    for number, fields in rows:
        try:
            k2_check_form(fields, form)
            begin, end, words, cost = k2_arc(fields, final[0], symbols)
        except ValueError as error:
            raise source.error(str(error), number) from None
        highest = max(highest, begin, end)
        if len(words) > 1:
            lists.append((begin, end, words, cost, number))
        else:
            arcs.add(begin, end, "".join(words), cost, number)
    try:
        arcs.finals = {state_number(final[0]): last}
    except ValueError as error:
        raise source.error(str(error), last) from None
    states = 1 + max(highest, *arcs.finals)  # from where states between the words of a list are numbered
    for begin, end, words, cost, number in lists:
        path = [begin, *range(states, states + len(words) - 1), end]
        states += len(words) - 1
        for source_state, next_state, word in zip(path, path[1:], words, strict=False):
            arcs.add(source_state, next_state, word, cost, number)
            cost = 0.0
    refuse_cut(source)
    told = options.tell_left_out and any(k2_has_other_output(fields) for _, fields in rows)
    numbered = symbols is None and any(arcs.words)
    lattice = arcs.lattice(source, id=source.stem, numbered=numbered)
    return Item(source.stem, lattice, left_out=("input labels",) if told else ())


def k2_fields(line: str) -> list[str]:
    return FIELD.findall(line) if "[" in line else fields_of(line)


def k2_check_form(fields: list[str], form: list[bool]) -> None:
    """Refuse fields of another form than the first line's, or of none that is read; ValueError."""
    if form.count(True) > 1 or (True in form and form.index(True) > 3):
        raise ValueError(
            f"an arc with several labels or lists of labels, {shown(' '.join(fields))}, which the text does not name; "
            "take off all but the words before k2.to_str, say by `del fsa.other_labels`"
        )
    if [k2_is_list(field) for field in fields] != form or not 3 <= len(fields) <= 5:
        raise ValueError(
            "expected `source destination label [output] [score]`, all lines with as many fields as the first "
            f"({len(form)}), found {shown(' '.join(fields))}"
        )


def k2_arc(
    fields: list[str], final: str, symbols: Mapping[int, str] | None
) -> tuple[int, int, list[str], float]:
    """Source, destination, words and cost of an arc."""
    begin, end, label = state_number(fields[0]), state_number(fields[1]), fields[2]
    if (highest := max(begin, end)) >= MAX_STATES:
        raise ValueError(f"state {highest} is out of range: there are {MAX_STATES} states at most")
    into_final = fields[1] == final
    if (label == FINAL_LABEL) != into_final:
        raise ValueError(
            f"label {shown(label)} into state {end}: -1 must be on the arcs into the final state {final} only"
        )
    outputs = k2_outputs(fields)
    if into_final:  # of a list, words may stand there, too
        outputs = [output for output in outputs if output != FINAL_LABEL] if k2_has_list(fields) else []
    words = [word for output in outputs if (word := k2_word(output, symbols))]
    has_score = len(fields) > (4 if k2_has_list(fields) else 3)
    return begin, end, words, 0.0 - real(fields[-1]) if has_score else 0.0


def k2_is_list(field: str) -> bool:
    return field.startswith("[") and field.endswith("]")


def k2_has_list(fields: list[str]) -> bool:
    return len(fields) > 3 and k2_is_list(fields[3])


def k2_outputs(fields: list[str]) -> list[str]:
    """The labels that are words."""
    if k2_has_list(fields):
        return fields_of(fields[3].strip("[]"))
    return [fields[3] if len(fields) == 5 else fields[2]]


def k2_has_other_output(fields: list[str]) -> bool:
    outputs = [output for output in k2_outputs(fields) if output not in (FINAL_LABEL, "0")]
    return outputs != [label for label in fields[2:3] if label not in (FINAL_LABEL, "0")]


def k2_word(label: str, symbols: Mapping[int, str] | None) -> str:
    if LABEL.fullmatch(label) is None or int(label) < 0:
        raise ValueError(f"a label is a non-negative integer here, not {shown(label)}")
    if int(label) == 0:
        return ""
    if symbols is None:
        return str(int(label))
    if int(label) not in symbols:
        raise ValueError(f"label {int(label)} is not in the symbol table")
    return symbols[int(label)]


FILLER = re.compile(r"<sil>|\[[^\]]*+\]|\+\+.*\+\+")
PRONUNCIATION = re.compile(r"(.+)\(\d+\)", re.ASCII | re.DOTALL)
# Words of which the one on the final node needs no arc of its own: none is ever counted.
SILENT = SENTENCE_MARKERS | {""}
Edges = npt.NDArray[np.int64]
EDGE = re.compile(r"[ \t]*(\d{1,18})[ \t]+(\d{1,18})[ \t]+(-?\d{1,18})[ \t\r]*", re.ASCII)
EDGES = "Edges (FROM-NODEID TO-NODEID ASCORE)"


@dataclass(slots=True)
class _Head:
    """What stands before the edges."""

    base: float | None = None
    declared: int = -1
    ends: dict[str, int] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)  # in which each word starts
    place: int = 0  # the line of `Nodes`


def read_sphinx(source: Source, options: ReadOptions) -> Item:
    """Sphinx's lattices, as sphinx.py describes them."""
    source.refuse_empty()
    text = source.utf8
    at = text.find(b"\n" + EDGES.encode())
    head = _sphinx_head(source, (text if at < 0 else text[: at + 1]).decode())
    if at < 0:
        raise source.error(f"no line `{EDGES}`: is the file cut off?")
    begin = text.find(b"\n", at + 1) + 1 or len(text)
    edges = _sphinx_edges(source, text, begin)
    base = head.base
    if base is None:
        raise source.error("no remark `# -logbase BASE`, without which the scores mean nothing")
    for name in ("Initial", "Final"):
        if head.ends.get(name, head.declared) >= head.declared:
            raise source.error(f"{name} must name one of the {head.declared} nodes")
    table = _sphinx_table(head, base, edges, text.count(b"\n", 0, begin) + 1)
    table.check_states(source)
    table = _sphinx_with_last_word(table, head)
    # When a state is that was added for the last word, the file does not say.
    frames = [*head.frames, math.nan][: table.num_states]
    times = Times(np.array(frames, dtype=np.float64), "frames")
    lattice = table.lattice(source, head.words, id=source.stem, times=times, vocabulary=options.vocabulary)
    return Item(source.stem, lattice, left_out=("end frames",))


def _sphinx_head(source: Source, text: str) -> _Head:
    head = _Head()
    skipped = 0
    for number, line in enumerate(text.split("\n"), 1):
        fields = fields_of(line.removesuffix("\r"))
        try:
            if len(head.words) < head.declared and not line.startswith("#"):
                _sphinx_add_node(head, fields)
            elif line.startswith("#"):
                if fields[1:2] == ["-logbase"] and len(fields) == 3:
                    head.base = _sphinx_base(fields[2])
            elif skipped:
                skipped -= 1
            elif fields[:1] == ["Nodes"]:
                head.declared, head.place = (
                    count(fields[1] if len(fields) > 1 else "", "a number of nodes"),
                    number,
                )
            elif len(fields) == 2 and fields[0] in ("Initial", "Final"):
                head.ends[fields[0]] = count(fields[1], "the number of a node")
            elif fields[:1] == ["BestSegAscr"] and len(fields) > 1:
                skipped = count(fields[1], "a number of scores")  # of words, which the edges have, too
            elif fields and fields[0] != "Frames":
                found = shown(line.removesuffix("\r"))
                raise ValueError(
                    f"expected Frames, Nodes, Initial, Final, BestSegAscr or `{EDGES}`, found {found}"
                )
        except ValueError as error:
            raise source.error(str(error), number) from None
    if len(head.words) < head.declared:
        raise source.error(
            f"found {len(head.words)} nodes, but `Nodes` says {head.declared}: is the file cut off?"
        )
    return head


def _sphinx_base(text: str) -> float:
    base = real(text)
    if base <= 0 or base == 1:
        raise ValueError(f"a base of logarithms is positive and not 1, as {shown(text)} is not")
    return base


def _sphinx_add_node(head: _Head, fields: list[str]) -> None:
    expected = len(head.words)
    if len(fields) < 5 or count(fields[0], "the number of a node") != expected:
        raise ValueError(
            f"expected node {expected}, `{expected} WORD STARTFRAME FIRST-ENDFRAME LAST-ENDFRAME`"
        )
    word = fields[1]
    if FILLER.fullmatch(word):
        word = ""
    elif match := PRONUNCIATION.fullmatch(word):
        word = match[1]
    head.words.append(word)
    head.frames.append(count(fields[2], "the frame in which a word starts"))


def _sphinx_edges(source: Source, text: bytes, begin: int) -> Edges:
    lines = text[begin:].decode().split("\n")
    edges: list[list[int]] = []
    while len(lines) > len(edges) + 1 and (edge := EDGE.fullmatch(lines[len(edges)])):
        edges.append(list(map(int, edge.groups())))
    rest = lines[len(edges)].strip()
    if rest != "End":
        line = 1 + text.count(b"\n", 0, begin) + len(edges)
        raise source.error(
            f"expected an edge `FROM TO ASCORE`, or `End`, found {shown(rest)}: is the file cut off?", line
        )
    return np.array(edges, dtype=np.int64).reshape(-1, 3)


def _sphinx_table(head: _Head, base: float, edges: Edges, line: int) -> ArcTable:
    """An arc an edge, labelled by the node that it leaves; `line` is that of the first."""
    acoustic = 0.0 - edges[:, 2] * math.log(base)
    return ArcTable(
        edges[:, 0], edges[:, 1], edges[:, 0].astype(np.int32),
        np.stack([np.zeros(len(edges)), acoustic], axis=1), np.arange(line, line + len(edges)),
        np.array([head.ends["Final"]]), np.zeros((1, 2)), np.array([head.place]),
        head.ends["Initial"], head.declared,
    )  # fmt: skip


def _sphinx_with_last_word(table: ArcTable, head: _Head) -> ArcTable:
    """The same table with an arc for the word of the final node, which no edge leaves, if it is a word."""
    final = head.ends["Final"]
    if head.words[final] in SILENT:
        return table
    return replace(
        table, sources=np.append(table.sources, final), destinations=np.append(table.destinations, head.declared),
        labels=np.append(table.labels, np.int32(final)), costs=np.append(table.costs, np.zeros((1, 2)), axis=0),
        places=np.append(table.places, head.place), finals=np.array([head.declared]), num_states=head.declared + 1,
    )  # fmt: skip


def read_slf(source: Source, options: ReadOptions) -> Item:
    """A lattice of HTK's, with its times and weights, of what `slow_readers` reads."""
    try:
        draft = slow_readers.slf_drafts(source.data)[-1]
        if any(isinstance(word, slow_readers.SlfCall) for word in draft.nodes.values()):
            raise slow_readers.Fault("network f: it calls sub-lattices")
        draft.rows()
        times = draft.times()
    except ValueError as error:
        raise FstmetricsError(f"{source.path}{str(error)[1:]}") from None
    table, arcs = draft.table, ArcList(draft.table.states or 0)
    for begin, end, word, cost, _, line in table.arcs:
        arcs.add(begin, end, word, cost, line)
    arcs.finals = {state: line for state, *_, line in table.finals}
    found = table_of(arcs, table.start or 0)
    found.costs[:, 1] = [arc[4] for arc in table.arcs]
    scales = Scales(draft.number("lmscale", 1.0), 1.0, 0.0 - draft.number("wdpenalty", 0.0))
    lattice = found.lattice(
        source, arcs.words, id=source.stem, scales=scales,
        times=None if times is None else Times(np.array(times), "seconds"),
    )  # fmt: skip
    lines = [slow_readers.slf_fields(line) for _, line in slow_readers.lines_of(source.data) if line != "."]
    left_out = (what for what, fits in UNREAD.items() if any(map(fits, lines)))
    return Item(source.stem, lattice, left_out=tuple(left_out) if options.tell_left_out else ())


# What is told of a file that is not read, by the fields of a line.
UNREAD: dict[str, Callable[[Mapping[str, str]], bool]] = {
    "posteriors": lambda fields: next(iter(fields), "") == "J" and "p" in fields,
    "alignments": lambda fields: next(iter(fields), "") in {"I", "J"} and not {"d", "div"}.isdisjoint(fields),
    "variants": lambda fields: next(iter(fields), "") in {"I", "J"} and not {"v", "var"}.isdisjoint(fields),
}


SLOW_LATTICES: dict[str, Callable[[Source, ReadOptions], Item]] = {
    "k2": read_k2, "sphinx": read_sphinx, "slf": read_slf
}  # fmt: skip
