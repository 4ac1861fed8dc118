"""Lattice formats read slowly and obviously, a line or a number at a time: the referee of the native parsers.

`SLOW[format](data)` gives a list of (key, rows), rows as of `written.rows`, or raises ValueError with the message that
the reader should give, place included. Labels are words or digits; there is no symbol table here.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from fstmetrics.support.source import encoding_advice  # what a fault advises is no part of reading

Rows = tuple[int, list[tuple[int, int, str, float, float]], dict[int, tuple[float, float]]]

EPSILONS = {
    "<eps>", "<EPS>", "<epsilon>", "<EPSILON>", "*EPS*", "@0@", "@_EPSILON_SYMBOL_@", "!NULL", "*DELETE*",
    "SENT-START", "SENT-END",
}  # fmt: skip
SILENT = EPSILONS | {"", "<s>", "</s>", "!SENT_START", "!SENT_END", "!ENTER", "!EXIT"}
NUMBER = re.compile(
    r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf|infinity|nan)", re.ASCII | re.IGNORECASE
)
WEIGHT = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|Infinity)", re.ASCII)
NO_INTEGER = re.compile(rf"(?![0-9]+$)(?:{WEIGHT.pattern})", re.ASCII)
MAX_STATES = 2**31 - 2


class Fault(ValueError):
    def __init__(self, message: str, line: int | None = None, byte: int | None = None) -> None:
        place = f":{line}" if line else f": byte {byte}" if byte is not None else ""
        super().__init__(f"f{place}: {message}")


def shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")


def state_of(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise ValueError(f"a state is a non-negative integer, not {shown(text)}")
    return int(text)


def number_of(text: str) -> float:
    if not NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text)


def cost_of(text: str) -> float:
    try:
        cost = number_of(text)
    except ValueError:
        raise ValueError(f"a cost is a number, not {shown(text)}") from None
    if math.isnan(cost) or cost == -math.inf:
        raise ValueError(f"a cost is a number or Infinity, not {shown(text)}")
    return cost


def text_of(data: bytes) -> str:
    if (zero := data.find(b"\0")) >= 0:
        raise Fault(f"not UTF-8 text (a zero byte); {encoding_advice(data, zero)}", byte=zero)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = f"({error.reason}, byte 0x{data[error.start]:02x})"
        raise Fault(f"not UTF-8 text {at}; {encoding_advice(data, error.start)}", byte=error.start) from None


def lines_of(data: bytes) -> Iterator[tuple[int, str]]:
    if not data.strip():
        raise Fault("is empty")
    lines = text_of(data).split("\n")
    if lines[-1] == "":
        lines.pop()
    for number, line in enumerate(lines, 1):
        yield number, line.removesuffix("\r")


def whole(data: bytes) -> None:
    if not data.endswith(b"\n"):
        said = "no line end after the last line: is the file cut off? If it is whole, add one"
        raise Fault(said, len(data.split(b"\n")))


def bracketed(word: str) -> str:
    """A word, "" where it is none, and a call in brackets."""
    return f"[{word}]" if isinstance(word, SlfCall) else "" if word in EPSILONS else word


@dataclass
class Table:
    """Arcs as (source, destination, word, graph, acoustic, place), finals as (state, graph, acoustic, place)."""

    arcs: list[tuple[int, int, str, float, float, int]] = field(default_factory=list)
    finals: list[tuple[int, float, float, int]] = field(default_factory=list)
    start: int | None = None
    states: int | None = None
    unit: str = "line"

    def named(self, state: int) -> None:
        self.start = state if self.start is None else self.start

    def rows(self) -> Rows:
        for graph, acoustic, place in [(g, a, p) for *_, g, a, p in [*self.arcs, *self.finals]]:
            if any(math.isnan(cost) or cost == -math.inf for cost in (graph, acoustic)):
                message = f"a cost is a number or Infinity, not {[graph, acoustic]}"
                raise Fault(message, **{self.unit: place})
        limit = MAX_STATES if self.states is None else self.states
        columns = [[(arc[0], arc[5]) for arc in self.arcs], [(arc[1], arc[5]) for arc in self.arcs]]
        for state, place in [*columns[0], *columns[1], *((f[0], f[3]) for f in self.finals)]:
            if not 0 <= state < limit:
                message = f"state {state} is out of range: there are {limit} states at most"
                raise Fault(message, **{self.unit: place})
        new = self.numbers()
        arcs = []
        states = max(1, 1 + max(new.values()) if self.states is None else self.states)
        for source, destination, word, graph, acoustic, _ in self.arcs:
            if not (math.isfinite(graph) and math.isfinite(acoustic)):
                continue
            # A phrase is as many arcs, of which the first has the costs.
            words = [word] if isinstance(word, SlfCall) else word.split() or [""]
            path = [new[source], *range(states, states + len(words) - 1), new[destination]]
            states += len(words) - 1
            costs = [(graph, acoustic), *[(0.0, 0.0)] * (len(words) - 1)]
            arcs += [
                (a, b, bracketed(each), *cost)
                for a, b, each, cost in zip(path, path[1:], words, costs, strict=False)
            ]
        finals = {
            new[s]: (graph, acoustic)
            for s, graph, acoustic, _ in self.finals
            if math.isfinite(graph) and math.isfinite(acoustic)
        }
        return new[self.start or 0], sorted(arcs), finals

    def numbers(self) -> dict[int, int]:
        """The states as they are, or without gaps where the gaps are most of them."""
        all_named = [
            self.start or 0,
            *(s for arc in self.arcs for s in arc[:2]),
            *(f[0] for f in self.finals),
        ]
        used = sorted(set(all_named))
        sparse = self.states is None and used[-1] >= 2 * len(all_named)
        return {state: i if sparse else state for i, state in enumerate(used)}


def digits_if_all(tables: list[Table]) -> None:
    """Where all labels of a file are integers, 0 is no word and 07 is 7."""
    words = [arc[2] for table in tables for arc in table.arcs]
    if not all(re.fullmatch(r"[0-9]{1,10}", word) for word in words):
        return
    for table in tables:
        table.arcs = [(*arc[:2], str(int(arc[2])) if int(arc[2]) else "", *arc[3:]) for arc in table.arcs]


def are_two_costs(text: str) -> bool:
    """Whether this is `graph,acoustic[,ids]`."""
    parts = text.split(",")
    try:
        return len(parts) in (2, 3) and not math.isnan(cost_of(parts[0]) + cost_of(parts[1]))
    except ValueError:
        return False


def check_tabs(line: str, labels: bool) -> None:
    """Refuse a field between tabs that is empty, or a label with a space."""
    are_states = True
    for place, part in enumerate(line.split("\t") if "\t" in line else ()):
        text = part.strip(" ")
        if not text:
            raise ValueError(
                f"an empty field between tabs in {shown(line)}: a label that is no word is written <eps>"
            )
        are_states = are_states and (place > 1 or re.fullmatch("[0-9]+", text) is not None)
        is_last = place == line.count("\t")
        if is_last and re.fullmatch(r"[^ ]* ([-+.0-9]|[-+.0-9][^ ]*[.,0-9])", text):
            continue  # a label and a cost
        if labels and place > 1 and are_states and " " in text:
            raise ValueError(
                f"a space in {shown(text)}, which stands between tabs: a space parts fields, too, as in OpenFst; join "
                "words by _"
            )


def check_label(line: str, fields: list[str], label: int, is_weight: Callable[[str], object]) -> None:
    """Refuse a weight behind several blanks where the last field is the label."""
    if len(fields) == label + 1 and is_weight(fields[label]) and re.search("[ \t]{2,}[^ \t]+[ \t]*$", line):
        raise ValueError(
            f"{shown(fields[label])} where a label is due: a label that is no word is written <eps>"
        )


def read_att(data: bytes) -> list[tuple[str, Rows]]:
    rows = []
    for number, line in lines_of(data):
        fields = re.findall("[^ \t]+", line)
        try:
            check_tabs(line if fields else "", labels=True)
        except ValueError as error:
            raise Fault(str(error), number) from None
        if len(fields) > 5:
            raise Fault(f"expected 1 to 5 fields, found {len(fields)}: {shown(line)}", number)
        if fields:
            rows.append((number, line, fields))
    transducer = any(len(f) == 5 or (len(f) == 4 and not NUMBER.fullmatch(f[3])) for _, _, f in rows)
    weighted = 5 if transducer else 4
    table = Table()
    doubt: Fault | None = None
    for number, line, fields in rows:
        try:
            check_label(line, fields, weighted - 2, NO_INTEGER.fullmatch)
            final = len(fields) <= 2
            if not final and len(fields) < weighted - 1:
                said = shown(" ".join(fields))
                raise ValueError(
                    f"three fields, and this is a transducer, whose arcs have four or five: {said}"
                )
            if len(fields) == 4 and not transducer and not WEIGHT.fullmatch(fields[3]):
                said = (
                    f"{shown(fields[3])} may be a cost or an output: write Infinity for a cost, as fstprint does, or "
                    "leave the arc out; the format att-transducer reads outputs"
                )
                doubt, fields = doubt or Fault(said, number), fields[:3]
            cost = cost_of(fields[-1]) if len(fields) == (2 if final else weighted) else 0.0
            source = state_of(fields[0])
            if final:
                table.finals.append((source, cost, 0.0, number))
            else:
                table.arcs.append((source, state_of(fields[1]), fields[weighted - 2], cost, 0.0, number))
            table.named(source)
        except ValueError as error:
            raise Fault(str(error), number) from None
    if doubt:
        raise doubt
    if not table.finals:
        last = rows[-1][0] if rows else None
        raise Fault("no final state (a line with a state alone): is the file cut off?", last)
    whole(data)
    digits_if_all([table])
    return [("f", table.rows())]


@dataclass
class KaldiDraft:
    key: str
    line: int
    table: Table = field(default_factory=Table)
    compact: bool | None = None

    def add(self, line: str, number: int) -> None:
        fields = re.findall("[^ \t]+", line)
        check_tabs(line, labels=False)
        if len(fields) <= 2:
            state = state_of(fields[0])
            self.table.finals.append((state, *self.costs(fields[1] if len(fields) == 2 else None), number))
            self.table.named(state)
            return
        if len(fields) > 5:
            raise ValueError(f"expected 1 to 5 fields, found {len(fields)}: {shown(line)}")
        compact = len(fields) == 3 or (len(fields) == 4 and fields[3].count(",") == 2)
        self.settle(compact, line)
        check_label(line, fields, 2 if compact else 3, are_two_costs)
        if not compact and not re.fullmatch("[0-9]+", fields[2]):
            raise ValueError(f"expected an integer (a transition id) as third of these fields: {shown(line)}")
        source, destination = state_of(fields[0]), state_of(fields[1])
        costs = self.costs(fields[-1] if len(fields) == (4 if compact else 5) else None)
        self.table.arcs.append((source, destination, fields[2 if compact else 3], *costs, number))
        self.table.named(source)

    def costs(self, weight: str | None) -> tuple[float, float]:
        if weight is None:
            return 0.0, 0.0
        parts = weight.split(",")
        if len(parts) not in (2, 3):
            raise ValueError(f"expected a weight `graph,acoustic[,ids]`, not {shown(weight)}")
        self.settle(len(parts) == 3, weight)
        return cost_of(parts[0]), cost_of(parts[1])

    def settle(self, compact: bool, where: str) -> None:
        if self.compact not in (None, compact):
            expected = "compact lattice (graph,acoustic,ids)" if self.compact else "lattice (graph,acoustic)"
            raise ValueError(f"{shown(where)} does not fit in a {expected}")
        self.compact = compact


def read_kaldi(data: bytes) -> list[tuple[str, Rows]]:
    drafts: list[KaldiDraft] = []
    draft: KaldiDraft | None = None
    keys: dict[str, int] = {}

    def complete() -> None:
        assert draft is not None
        if not draft.table.finals and draft.table.arcs:
            raise Fault(f"lattice {shown(draft.key)} has no final state: is it cut off?", draft.line)
        drafts.append(draft)

    for number, line in lines_of(data):
        if not line.strip(" \t\r"):
            if draft is not None:
                complete()
            draft = None
        elif draft is None:
            draft = KaldiDraft(line.strip(" \t"), number)
            if re.fullmatch(r"[0-9]+[ \t]+[0-9]+[ \t]+([^ \t]+[ \t]+){1,2}[^ \t]*,[^ \t]*", draft.key):
                said = f"expected a key, not an arc, {shown(draft.key)}: is there a blank line in a lattice?"
                raise Fault(said, number)
            if keys.setdefault(draft.key, number) != number:
                raise Fault(f"key {shown(draft.key)} is already in line {keys[draft.key]}", number)
        else:
            try:
                draft.add(line, number)
            except ValueError as error:
                raise Fault(str(error), number) from None
    if draft is not None:
        complete()
        alive = {state for state, *_ in draft.table.finals} | {source for source, *_ in draft.table.arcs}
        ends = draft.table.finals and all(destination in alive for _, destination, *_ in draft.table.arcs)
        said = f"no blank line ends lattice {shown(draft.key)}: is the file cut off? If it is whole, add one"
        if not (ends and data.endswith(b"\n")):
            raise Fault(said, draft.line)
    digits_if_all([draft.table for draft in drafts])
    return [(draft.key, draft.table.rows()) for draft in drafts]


FIELD = re.compile(
    r"""[ \t]*([^ \t=]+)=(?:"((?:[^"\\]|\\.)*)"(?=[ \t]|$)|'((?:[^'\\]|\\.)*)'(?=[ \t]|$)|((?:[^ \t\\]|\\.)*))"""
)
ESCAPE = re.compile(r"\\([0-7]{3}|.)")


def unescaped(value: str) -> str:
    parts = ESCAPE.split(value)
    raw = b"".join(
        bytes([int(part, 8) & 255]) if odd and len(part) == 3 else part.encode()
        for part, odd in zip(parts, [False, True] * len(parts), strict=False)
    )
    return raw.decode("utf-8", "replace")


def slf_fields(line: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    at, end = 0, len(line.rstrip(" \t"))
    while at < end and not line[at:].lstrip(" \t").startswith("#"):
        match = FIELD.match(line, at)
        if match is None or (match.end() < end and line[match.end()] not in " \t"):
            raise ValueError(f"expected NAME=value, not {shown(line[at:].strip())}")
        name, *values = match.groups()
        fields[name] = unescaped(next((value for value in values if value is not None), ""))
        at = match.end()
    return fields


# Scores of nodes, which are not read, and what their scales begin with.
NODE_SCORES = {"a": "ac", "acoustic": "ac", "l": "lm", "language": "lm", "r": "pr"}


def as_number(text: str) -> float:
    """Not a number where it is none."""
    try:
        return number_of(text)
    except ValueError:
        return math.nan


class SlfCall(str):
    """The name of a sub-lattice, where a word would stand."""


class SlfDraft:
    def __init__(self, line: int = 1, words_begin: bool = False) -> None:
        self.words_begin = words_begin  # when their nodes are, not end
        self.header: dict[str, str] = {}
        self.nodes: dict[int, str] = {}
        self.seconds: dict[int, float] = {}
        self.links: dict[str, int] = {}
        self.line = line
        self.words: list[str | None] = []
        self.scores: list[tuple[float, float, float]] = []
        self.table = Table()

    def fault(self, message: str) -> Fault:
        return Fault(message, None if self.line == 1 else self.line)

    def add(self, line: str, number: int) -> None:
        fields = slf_fields(line)
        if "J" in fields or "I" in fields:
            self.refuse_other_scores(fields)
        if "J" in fields:
            self.add_link(fields, number)
        elif "I" in fields:
            node = state_of(fields["I"])
            if node in self.nodes:
                raise ValueError(f"node I={node} was there before")
            called, word = fields.get("L", fields.get("SUBLAT")), fields.get("W", fields.get("WORD"))
            if called is not None and word is not None:
                raise ValueError(f"node I={node} has both a word and a sub-lattice")
            self.nodes[node] = word or "" if called is None else SlfCall(called)
            with suppress(ValueError):
                self.seconds[node] = number_of(fields.get("t", fields.get("time", "")))
        elif fields:
            if (self.nodes or self.words) and not {"N", "L", "NODES", "LINKS"}.isdisjoint(fields):
                raise ValueError("a second lattice begins here; expected one a file")
            self.header.update(fields)
            self.number("base", math.e)

    def refuse_other_scores(self, fields: dict[str, str]) -> None:
        scales = {"n": ("ngscale", "1"), "ngram": ("ngscale", "1"), "ds": ("duscale", "0")}
        scales |= {f"x{n}": (f"x{n}scale", "0") for n in range(1, 10)}
        what = (
            "of SRILM, and of scores only a=, l= and r= are read: {}=0 in the head leaves it out, which does for an "
            "oracle"
        )
        if "J" not in fields:
            scales |= {name: (f"{kind}scale", "1") for name, kind in NODE_SCORES.items()}
            what = (
                "of a node, and only those of links are read: lattice-tool writes it there without "
                "-htk-scores-on-nodes"
            )
        absent = 1.0 if self.number("base", math.e) == 0 else 0.0
        for name, value in fields.items():
            if name not in scales:
                continue
            scale, default = scales[name]
            if as_number(self.header.get(scale, default)) == 0 or as_number(value) == absent:
                continue
            raise ValueError(f"{name}={shown(value)} is a score {what.format(scale)}")

    def add_link(self, fields: dict[str, str], number: int) -> None:
        id = fields["J"]
        by_letter = {name[0]: value for name, value in fields.items() if name != "J"}
        if "S" not in by_letter or "E" not in by_letter:
            raise ValueError(f"link J={shown(id)} needs both S= and E=")
        if self.links.setdefault(id, number) != number:
            raise ValueError(f"link J={shown(id)} is already in line {self.links[id]}")
        source, destination = state_of(by_letter["S"]), state_of(by_letter["E"])
        absent = "1" if self.number("base", math.e) == 0 else "0"
        try:
            graph, acoustic, more = (number_of(by_letter.get(letter, absent)) for letter in "lar")
        except ValueError:
            raise ValueError(f"a= l= and r= of link J={shown(id)} must be numbers") from None
        self.scores.append((graph, acoustic, more))
        self.words.append(by_letter.get("W"))
        self.table.arcs.append((source, destination, "", 0.0, 0.0, number))

    def number(self, name: str, default: float) -> float:
        if name not in self.header:
            return default
        try:
            value = cost_of(self.header[name])
        except ValueError:
            value = math.inf
        if math.isinf(value) or (name == "base" and value < 0):
            raise self.fault(f"{name}={shown(self.header[name])} is not a usable number")
        return value

    def count(self, short: str, long: str, what: str, found: int) -> None:
        declared = self.header.get(short, self.header.get(long))
        if declared is None:
            raise self.fault(f"no {short}= field, the number of {what}; is this SLF?")
        if not re.fullmatch("[0-9]{1,9}", declared):
            raise self.fault(f"{short}={shown(declared)} is not a number of {what}")
        if int(declared) != found:
            said = f"{short}={declared} says {int(declared)}"
            raise self.fault(f"found {found} {what}, but {said}: is the file cut off?")

    def rows(self) -> Rows:
        table = self.table
        table.states = self.found = len(self.nodes) or self.nodes_of_links()
        self.count("N", "NODES", "nodes", table.states)
        self.count("L", "LINKS", "links", len(table.arcs))
        start, end = self.end("start", 1), self.end("end", 0)
        backwards = self.backwards()
        if None in self.words or any(isinstance(word, SlfCall) for word in self.nodes.values()):
            self.check_states()  # a node has the word
        of_nodes = self.of_nodes()
        words = [
            of_node if word is None else word for word, of_node in zip(self.words, of_nodes, strict=True)
        ]
        for own, word, arc in zip(self.words, self.of_nodes(), table.arcs, strict=True):
            if own is not None and isinstance(word, SlfCall):
                message = "a link with a word of its own leads to a node that is a sub-lattice"
                raise Fault(message, arc[5])
        costs = self.costs()
        table.arcs = [
            (arc[0], arc[1], word, *cost, arc[5])
            for arc, word, cost in zip(table.arcs, words, costs, strict=True)
        ]
        outer = self.nodes.get(end if backwards else start, "")
        on_nodes = None in self.words or not words
        if isinstance(outer, SlfCall) or (on_nodes and outer not in SILENT):
            new, table.states = table.states, table.states + 1
            table.arcs.append(
                (end, new, outer, 0.0, 0.0, 1) if backwards else (new, start, outer, 0.0, 0.0, 1)
            )
            start, end = (start, new) if backwards else (new, end)
        table.start = start
        table.finals = [(end, 0.0, 0.0, 1)]
        return table.rows()

    def times(self) -> list[float] | None:
        """When the lattice is in each state, nan where that is not said; None where no node says."""
        states = self.table.states or 0
        if all(math.isnan(time) for node, time in self.seconds.items() if node < states):
            return None
        scale, added = self.number("tscale", 1.0), None if states == self.found else self.found
        return [math.nan if s == added else self.seconds.get(s, math.nan) * scale for s in range(states)]

    def of_nodes(self) -> list[str]:
        """For each link the word, or the sub-lattice, of the node that it speaks for."""
        side = 0 if self.backwards() else 1
        return [self.nodes.get(arc[side], "") for arc in self.table.arcs]

    def backwards(self) -> bool:
        return self.words_begin or self.header.get("dir", "f").startswith("b")

    def nodes_of_links(self) -> int:
        named = {state for arc in self.table.arcs for state in arc[:2]}
        highest = max(named, default=0)
        if highest > 2 * len(named):
            raise self.fault(f"a link names node {highest}, but no node has a line (I=)")
        return 1 + highest

    def check_states(self) -> None:
        for place in (0, 1):
            for arc in self.table.arcs:
                if arc[place] >= (states := self.table.states or 0):
                    message = f"state {arc[place]} is out of range: there are {states} states at most"
                    raise Fault(message, arc[5])

    def end(self, name: str, side: int) -> int:
        nodes = self.table.states or 0
        if name in self.header:
            try:
                candidates = [state_of(self.header[name])]
            except ValueError as error:
                raise self.fault(f"{name}={shown(self.header[name])}: {error}") from None
        else:
            self.check_states()
            candidates = sorted(set(range(nodes)) - {arc[side] for arc in self.table.arcs})
        if len(candidates) == 1 and candidates[0] < nodes:
            return candidates[0]
        if len(candidates) == 1:
            raise self.fault(f"{name}={candidates[0]}, but the nodes are 0 to {nodes - 1}")
        some = ", ".join(map(str, candidates[:5])) + (", ..." if len(candidates) > 5 else "")
        found = f"{len(candidates)} nodes ({some})" if candidates else "no nodes"
        links = "incoming" if name == "start" else "outgoing"
        raise self.fault(f"no {name}= field, and {found} without {links} links; expected exactly one")

    def costs(self) -> list[tuple[float, float]]:
        base = self.number("base", math.e)
        acoustic_scale, more_scale = self.number("acscale", 1.0), self.number("prscale", 1.0)
        if self.number("wdpenalty", 0.0) and base not in (1.0, math.e):
            raise self.fault(
                f"wdpenalty={shown(self.header['wdpenalty'])} beside base={self.header['base']} is a natural logarithm "
                "in HTK and one to this base in SRILM: write wdpenalty=0, and give --word-penalty, a cost"
            )
        self.number("lmscale", 1.0)

        def natural(score: float) -> float:
            if base == 0:
                return math.nan if not score >= 0 else math.log(score) if score else -math.inf
            return score if base in (1.0, math.e) else score * math.log(base)

        return [
            (0.0 - natural(graph), 0.0 - (natural(acoustic) * acoustic_scale + natural(more) * more_scale))
            for graph, acoustic, more in self.scores
        ]


def slf_drafts(data: bytes) -> list[SlfDraft]:
    """The lattices of a file, the main one last."""
    words_begin = b"# Lattice generated by PocketSphinx" in data[:1000]
    drafts = [SlfDraft(words_begin=words_begin)]
    cut = None if data.endswith(b"\n") else data.count(b"\n") + 1
    for number, line in lines_of(data):
        try:
            if line.strip(" \t") == ".":
                drafts.append(SlfDraft(number + 1, words_begin))
            else:
                drafts[-1].add(line, number)
        except Fault:
            raise
        except ValueError as error:
            raise Fault(str(error) + ": is the file cut off?" * (number == cut), number) from None
    whole(data)
    if (name := drafts[-1].header.get("SUBLAT", drafts[-1].header.get("S"))) is not None:
        said = (
            f"the file ends with sub-lattice {shown(name)}; expected a line with a period after it, and the main "
            "lattice, which has no SUBLAT=: is the file cut off?"
        )
        raise Fault(said, drafts[-1].line)
    return drafts


def read_slf(data: bytes) -> list[tuple[str, Rows]]:
    drafts = slf_drafts(data)
    if not any(isinstance(word, SlfCall) for draft in drafts for word in draft.nodes.values()):
        return [("f", drafts[-1].rows())]
    return slf_cards(drafts)


def slf_cards(drafts: list[SlfDraft]) -> list[tuple[str, Rows]]:
    """The cards of the network, by name, the main one first; words that are calls stand in brackets."""
    *others, main = drafts
    names: dict[str, int] = {}
    for draft in others:
        name = draft.header.get("SUBLAT", draft.header.get("S"))
        if name is None:
            raise Fault("no SUBLAT= field in this sub-lattice, so nothing can name it", draft.line)
        if name in names:
            raise Fault(f"sub-lattice {shown(name)} is already in line {names[name]}", draft.line)
        names[name] = draft.line
        for scale, default in (("lmscale", 1.0), ("wdpenalty", 0.0)):
            if scale in draft.header and draft.number(scale, default) != main.number(scale, default):
                raise Fault(f"{scale}= of a sub-lattice differs from that of the main lattice", draft.line)
    cards = dict(zip(["main lattice", *names], [draft.rows() for draft in (main, *others)], strict=True))
    for (name, (start, arcs, finals)), draft in zip(cards.items(), (main, *others), strict=True):
        for *_, word, graph, acoustic, _ in draft.table.arcs:
            if isinstance(word, SlfCall) and word not in cards and math.isfinite(graph + acoustic):
                raise Fault(f"network f: card {name!r} calls {word!r}, which is not among the cards")
        reached = {start}
        for _ in arcs:
            reached |= {arc[1] for arc in arcs if arc[0] in reached}
        if not reached & set(finals):
            raise Fault(f"network f: card {name!r} has no path from its start to a final state")
    return list(cards.items())


def vector_states(data: bytes, at: int, states: int, start: int, arc_type: str) -> tuple[Table, int]:
    """States of a vector machine after its header, with labels as digits; IndexError or struct.error if damaged."""
    compact = arc_type == "compactlattice44"
    weight = struct.Struct({"standard": "<f", "log": "<f", "log64": "<d"}.get(arc_type, "<ff"))
    table = Table(start=start, states=states, unit="byte")

    def take(layout: struct.Struct) -> tuple[float, ...]:
        nonlocal at
        at += layout.size
        return layout.unpack_from(data, at - layout.size)

    def weighed() -> tuple[float, float]:
        nonlocal at
        costs = take(weight)
        if compact:
            (ids,) = take(struct.Struct("<i"))
            at += 4 * int(ids)
            if ids < 0 or at > len(data):
                raise IndexError(at)
        return costs[0], costs[1] if len(costs) > 1 else 0.0

    for state in range(states):
        place = at
        final = weighed()
        # One number that is +inf, or two, mean "not final".
        if final != (math.inf, math.inf if weight.size == 8 and arc_type != "log64" else 0.0):
            table.finals.append((state, *final, place))
        (count,) = take(struct.Struct("<q"))
        if not 0 <= count <= len(data):
            raise IndexError(count)
        for _ in range(int(count)):
            place = at
            _, label = take(struct.Struct("<ii"))
            costs = weighed()
            (destination,) = take(struct.Struct("<i"))
            table.arcs.append((state, int(destination), str(int(label)) if label else "", *costs, place))
    return table, at


SLOW: dict[str, Callable[[bytes], list[tuple[str, Rows]]]] = {
    "att": read_att, "kaldi-lattice": read_kaldi, "slf": read_slf
}  # fmt: skip
