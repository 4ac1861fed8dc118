"""SRILM's word posterior lattices and n-best lists. Sources: wlat-format(5), nbest-format(5).

Of lattices, words are on nodes, posteriors on transitions.

    version 2
    name utterance                        optional
    initial 0
    final 1
    node 0 NULL 0 1 2 0.7 3 0.3           number, word, column, posterior, then successors and their posteriors

The posteriors of a node's transitions add up to its own, so the probability of taking one of them is its posterior
divided by the sum over the node; the negative log of that is the graph cost. The cost of a path is then the negative
log of a probability, and those of all paths add up to 1.

N-best lists, one file an utterance, have three layouts.

    NBestList1.0                                        first line
    (-3190) we know                                     score in bytelogs, words

    NBestList2.0                                        first line
    (-3190) we ( st: 0 et: 0.2 g: -10 a: -1500 ) know ( st: 0.21 et: 0.5 g: -8 a: -1672 )

    -310.5 -12.25 2 we know                             acoustic and language model log10 score, number of words, words

In the second, phones and states stand among the words; as for SRILM, they are what begins before the word before them
ended, and what ends in a hyphen and a digit. A bytelog is 1024 / 10000.5 of a natural log, which the scores are here.
The third may count the sentence markers `<s>` and `</s>` as words or not. It keeps its two scores apart and the weights
are whoever reads it to choose, so its lists have ranks and no scores.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fstmetrics.data.nbest import NBest
from fstmetrics.data.symbols import SENTENCE_MARKERS
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


def read_lattice(source: Source, options: ReadOptions) -> Iterator[Item]:
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


LATTICE_FORMAT = Format("srilm-lattice", "SRILM word posterior lattice, version 2", read_lattice, id_of=stem)


NAT = 1024 / 10000.5  # a bytelog in natural logs
STATE = re.compile(r".*-\d", re.ASCII | re.DOTALL)
# ( st: 0.21 et: 0.5 g: -8 a: -1672 ), after each word
LAYOUT = ("(", "st:", None, "et:", None, "g:", None, "a:", None, ")")
FIELDS_A_WORD = 1 + len(LAYOUT)

Entry = tuple[list[str], float | None]


def read_list(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one list of a file; its id is the file's stem.

    Raises:
        InputError: a line without scores, another number of words than the line says, or no hypothesis.
    """
    source.refuse_empty()
    parse = _plain
    entries: list[Entry] = []
    for number, line in source.lines():
        fields = line.split()
        if number == 1 and line.startswith("NBestList"):
            parse = _timed if fields[0] == "NBestList2.0" else _scored
        elif fields:
            try:
                entries.append(parse(fields))
            except ValueError as error:
                raise source.error(str(error), number) from None
    if not entries:
        raise source.error("holds no hypothesis")
    words, scores = zip(*entries, strict=True)
    texts = tuple(map(" ".join, words))
    nbest = NBest(source.stem, tuple(map(tuple, words)), texts, None if None in scores else scores)
    left_out = {_timed: ("times", "scores of words"), _plain: ("feature scores",)}
    yield Item(source.stem, nbest, left_out=left_out.get(parse, ()))


def _scored(fields: list[str]) -> Entry:
    return fields[1:], _bytelogs(fields[0])


def _bytelogs(field: str) -> float:
    if not (field.startswith("(") and field.endswith(")")):
        raise ValueError(f"expected `(SCORE)` before the words, found {shown(field)}")
    return real(field[1:-1]) * NAT


def _timed(fields: list[str]) -> Entry:
    words: list[str] = []
    end_of_last = -1.0
    for at in range(1, len(fields), FIELDS_A_WORD):
        word, *rest = fields[at : at + FIELDS_A_WORD]
        if len(rest) < len(LAYOUT) or any(
            mark not in (None, field) for mark, field in zip(LAYOUT, rest, strict=True)
        ):
            raise ValueError(f"expected `( st: .. et: .. g: .. a: .. )` after the word {shown(word)}")
        begin, end = real(rest[2]), real(rest[4])
        if begin > end_of_last and STATE.fullmatch(word) is None:
            words.append(word)
            end_of_last = end
    return words, _bytelogs(fields[0])


def _plain(fields: list[str]) -> Entry:
    if len(fields) < 3:
        raise ValueError(f"expected `acoustic lm number-of-words words`, found {shown(' '.join(fields))}")
    real(fields[0]), real(fields[1])
    words, found = count(fields[2], "a number of words"), fields[3:]
    if words not in (len(found), len([word for word in found if word not in SENTENCE_MARKERS])):
        raise ValueError(f"the third field says {words} words, but {len(found)} follow")
    return found, None


LIST_FORMAT = Format(
    "nbest-srilm", "SRILM n-best list, NBestList1.0, 2.0 or with scores first", read_list, id_of=stem
)
