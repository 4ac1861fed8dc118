"""Moses' search graph (`-output-search-graph`), a hypothesis that decoding kept a line. Source: Moses' Manager.cpp.

    0 hyp=0 stack=0
    0 hyp=3 stack=1 back=0 score=-1.2 transition=-1.2 forward=7 fscore=-2.1 covered=0-0 out=this
    0 hyp=5 stack=2 back=3 score=-2.1 transition=-0.9 recombined=7 forward=-1 fscore=-2.1 covered=1-2 out=is it

A line is an arc from hypothesis `back` to hypothesis `hyp`, or to the one it was recombined with, and carries the
words of `out`, which runs to the end of the line, and the model score `transition`, a log: the graph cost is its
negative. Older versions add the phrase's own scores to its words, `out=is it , pC=-0.5, c=-1`; they are left out.
Hypothesis 0 is the start. Hypotheses of the last stack, those with `forward=-1`, are final. A file holds
the graphs of many sentences by number.

The extended form (`-output-search-graph-extended`) is refused, as is the word graph (`-output-word-graph`), which
does not say which hypotheses are final.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from fstmetrics.io.arcs import ArcList, real, refuse_cut, shown
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.window import lists, sentence_numbers, split
from fstmetrics.support.source import Source

START = re.compile(r"(\d{1,18}) hyp=0 stack=0(?: forward=-?\d++ fscore=\S++)? *+", re.ASCII)
ARC = re.compile(
    r"(\d{1,18}) hyp=(\d{1,18}) stack=\d++ back=(\d{1,18}) score=\S++ transition=(\S++)(?: recombined=(\d{1,18}))?"
    r" forward=(-?\d++) fscore=\S++ covered=\d++-\d++ (scores=|out=)(.*)",
    re.ASCII,
)

# What older versions write after the words: scores of the phrase, and what it is expected to cost.
SCORES = re.compile(r" ?, pC=[-+.\deEinf]++, c=[-+.\deEinf]++ *+\Z", re.ASCII)

# Lines of one sentence, or a line of another kind.
GRAPHS = re.compile(
    rb"((?:\xef\xbb\xbf)?\d{1,18} )hyp=[^\n]*+(?:\n|\Z)(?>(?:\1hyp=[^\n]*+(?:\n|\Z))*)|[^\n]*+(?:\n|\Z)"
)


@dataclass(slots=True)
class _Graph:
    """One sentence; hypotheses are numbered as they come, 0 first."""

    line: int
    arcs: ArcList = field(default_factory=ArcList)
    states: dict[str, int] = field(default_factory=lambda: {"0": 0})
    written: set[str] = field(default_factory=lambda: {"0"})
    named: dict[str, int] = field(default_factory=dict)  # each with a line that names it

    def state(self, hypothesis: str) -> int:
        return self.states.setdefault(hypothesis, len(self.states))


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the graphs of a file.

    Sentences come in the order in which the file names them first. If they are 0, 1, 2, ..., in any order, and no such
    id is known, they come by number and have no ids; otherwise the numbers are the ids.

    Raises:
        InputError: a line of another kind, or a sentence without a final hypothesis.
    """
    source.refuse_empty()
    graphs: dict[str, _Graph] = {}
    for number, line in source.lines():
        match = ARC.fullmatch(line)
        if match is not None and match[7] == "out=":
            _add(source, graphs.setdefault(match[1], _Graph(number)), match, number)
        elif start := START.fullmatch(line):
            graphs.setdefault(start[1], _Graph(number))
        else:
            raise source.error(_other(line, match is not None), number)
    refuse_cut(source)
    numbers = sentence_numbers(graphs, options.known_ids)
    for id in numbers or list(graphs):
        lattice = _lattice(source, graphs.pop(id), id)
        yield Item(None if numbers else id, lattice, left_out=("source words covered",))


def _add(source: Source, graph: _Graph, match: re.Match[str], number: int) -> None:
    _, hypothesis, back, transition, recombined, forward, _, out = match.groups()
    try:
        cost = 0.0 - real(transition)
    except ValueError as error:
        raise source.error(f"transition: {error}", number) from None
    graph.written.add(hypothesis)
    for name in (back, recombined, forward):
        if name and name != "-1":
            graph.named.setdefault(name, number)
    destination = graph.state(recombined or hypothesis)
    graph.arcs.add(graph.state(back), destination, SCORES.sub("", out), cost, number)
    if forward == "-1":
        graph.arcs.finals.setdefault(destination, number)


def _lattice(source: Source, graph: _Graph, id: str) -> object:
    whole = graph.arcs
    if not whole.finals:
        raise source.error(
            f"sentence {id} has no hypothesis with forward=-1, so no end: is the file cut off?", graph.line
        )
    for name, line in graph.named.items():
        if name not in graph.written:
            raise source.error(
                f"sentence {id} has no line of hypothesis {shown(name)}, which this one names: is the file cut off?",
                line,
            )
    whole.states = len(graph.states)
    return whole.lattice(source, id=id)


def _other(line: str, extended: bool) -> str:
    if extended:
        return "this is the extended search graph, which is not read; have Moses write -output-search-graph"
    return (
        f"expected `N hyp=N stack=N back=N score=S transition=S forward=N ... out=words`, found {shown(line)}"
    )


JOIN = partial(lists, key_of=str.strip)
FIND = partial(split, read=read, pattern=GRAPHS, join=JOIN, keyed=True, order=sentence_numbers)
FORMAT = Format("moses-graph", "Moses search graph (-osg)", read, find=FIND)
