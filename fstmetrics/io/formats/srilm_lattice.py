"""SRILM's word posterior lattices: words on nodes, posteriors on transitions. Source: wlat-format(5).

    version 2
    name utterance                        optional
    initial 0
    final 1
    node 0 NULL 0 1 2 0.7 3 0.3           number, word, column, posterior, then successors and their posteriors

The posteriors of a node's transitions add up to its own, so the probability of taking one of them is its posterior
divided by the sum over the node; the negative log of that is the graph cost. The cost of a path is then the negative
log of a probability, and those of all paths add up to 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from fstmetrics.io.arcs import ArcList, count, fields_of, real, refuse_cut, shown
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source, stem

NULL = "NULL"


@dataclass(slots=True)
class _Node:
    word: str
    line: int
    successors: list[int] = field(default_factory=list)
    posteriors: list[float] = field(default_factory=list)


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one lattice of a file; its id is the file's stem.

    Raises:
        InputError: a line of another kind, a node twice, no such node, or a posterior that is none.
    """
    source.refuse_empty()
    ends: dict[str, int] = {}
    nodes: dict[int, _Node] = {}
    for number, line in source.lines():
        fields = fields_of(line)
        try:
            if not fields or fields[0] == "name":
                continue
            if fields[0] == "node":
                _add_node(nodes, fields, number)
            elif fields[0] in ("initial", "final") and fields[0] not in ends:
                ends[fields[0]] = count(" ".join(fields[1:]), "the number of a node")
            elif fields != ["version", "2"]:
                raise ValueError(
                    f"expected `version 2`, `initial`, `final` and `node` lines, found {shown(line)}"
                )
        except ValueError as error:
            raise source.error(str(error), number) from None
    arcs = _arcs(source, nodes, ends)
    refuse_cut(source)
    yield Item(source.stem, arcs.lattice(source, id=source.stem, start=arcs.states - 1))


def _add_node(nodes: dict[int, _Node], fields: list[str], number: int) -> None:
    if len(fields) < 5 or len(fields) % 2 == 0:
        raise ValueError(
            "expected `node NUMBER word column posterior` and then pairs `NODE posterior`, "
            f"found {len(fields)} fields: {shown(' '.join(fields))}"
        )
    index = count(fields[1], "the number of a node")
    if index in nodes:
        raise ValueError(f"node {index} is already in line {nodes[index].line}")
    nodes[index] = node = _Node("" if fields[2] == NULL else fields[2], number)
    for successor, posterior in zip(fields[5::2], fields[6::2], strict=True):
        node.successors.append(count(successor, "the number of a node"))
        node.posteriors.append(real(posterior))
        if node.posteriors[-1] < 0:
            raise ValueError(f"a posterior is not negative, as {shown(posterior)} is")


def _arcs(source: Source, nodes: dict[int, _Node], ends: dict[str, int]) -> ArcList:
    """An arc a transition, with the word of the node that it enters; one more before the initial node, for its word."""
    state = {node: i for i, node in enumerate(nodes)}
    arcs = ArcList(1 + len(state))
    for name in ("initial", "final"):
        if ends.get(name) not in state:
            found = (
                f"`{name} {ends[name]}`, but there is no such node" if name in ends else f"no `{name}` line"
            )
            raise source.error(f"{found}: is the file cut off?")
    for index, node in nodes.items():
        total = sum(node.posteriors)
        for successor, posterior in zip(node.successors, node.posteriors, strict=True):
            if successor not in state:
                raise source.error(f"there is no node {successor}, to which this one leads", node.line)
            cost = math.log(total) - math.log(posterior) if posterior else math.inf
            arcs.add(state[index], state[successor], nodes[successor].word, cost, node.line)
    first = nodes[ends["initial"]]
    arcs.add(arcs.states - 1, state[ends["initial"]], first.word, 0.0, first.line)
    arcs.finals = {state[ends["final"]]: nodes[ends["final"]].line}
    return arcs


FORMAT = Format("srilm-lattice", "SRILM word posterior lattice, version 2", read, id_of=stem)
