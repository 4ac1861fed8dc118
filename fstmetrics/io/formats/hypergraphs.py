"""Hypergraphs, or shared forests: JSON of cdec and cicada, and target graphs of Moses and cdec.

A hypergraph is a recursive transition network [C08 §4.3]: a vertex is a card, an edge into it one of the card's paths,
a tail a call. Derivations are the network's paths, one for one. `Edge` and `forest_of` are of all three formats.

cdec's JSON is one object with rules, edges and nodes, which repeats the keys `edges` and `node`. A node's edges come
before it; the last node is the goal.

    {"rules": [1, "[X] ||| a ||| b", ...], "features": ["f1", ...],
     "edges": [{"tail": [], "feats": [0, -0.2], "rule": 1}], "node": {"in_edges": [0]}, "edges": ..., "node": ...}

A node without incoming edges derives the empty string, as cdec's inside algorithm has it.

cicada numbers rules from 1, and has nodes as lists of edges in any order, and a goal: rules are
`["[PRP] ||| I", "[S] ||| [PRP] am"]`, nodes `[[{"rule": 1}], [{"tail": [0], "feature": {"f": -1.5}, "rule": 2}]]`, the
goal 1. `<epsilon>` is no word.

A target graph is bottom-up text; the last vertex is the goal.

    # target ||| features ||| source-covered
    VERTICES EDGES
    number of edges into vertex 0
    word [child] word ||| name=value name=value ||| source words covered
    ...

Lines that begin with `#` are comments, but not among the edges of a vertex. Sentence markers are no words.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from fstmetrics.data.cards import Call, Card, CardArc, CostPair, Token, reached, some_costs
from fstmetrics.data.feature_forest import FeatureForest
from fstmetrics.data.network import Network
from fstmetrics.io.arcs import shown
from fstmetrics.io.formats.json_rows import json_fault
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.weights_file import FeatureColumns, read_weights, tell_misnamed
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source, stem

# A tail in a rule: `[1]`, or `[X,1]` with its category. `[2005]` is a word.
_TAIL = re.compile(r"\[(?:[^\[\],]+,)?(\d{1,2})\]")


@dataclass(frozen=True, slots=True)
class Edge:
    """One way to derive a vertex.

    Attributes:
        tokens: words, and vertices by their numbers.
        features: (name, value) pairs.
        line: of the file, where it has one, for messages.
    """

    tokens: tuple[str | int, ...]
    features: tuple[tuple[str, float], ...] = ()
    line: int | None = None

    def cost(self, weights: Mapping[str, float]) -> float:
        """Its score turned round: a hypergraph's scores are logs, and more is better."""
        return 0.0 - math.fsum(weights[name] * value for name, value in self.features if name in weights)


def forest_of(
    vertices: Sequence[Sequence[Edge]],
    goal: int,
    weights: Mapping[str, float],
    source: Source,
    options: ReadOptions,
) -> Network | FeatureForest:
    """A network, arguments and errors as of `network_of`; or, if `options` ask for features, a forest with them.

    Raises:
        InputError: a feature that is no finite number, or has no weight.
    """
    if options.features is None:
        if weights:
            names = {name for edges in vertices for edge in edges for name, _ in edge.features}
            tell_misnamed(weights, names, options.remark)
        return network_of(vertices, goal, weights, source)
    columns = FeatureColumns(source, options.features)
    # As cdec has it, a vertex without an edge derives the empty string.
    filled = [edges or [Edge(())] for edges in vertices]
    for vertex, edges in enumerate(filled):
        for number, edge in enumerate(edges):
            where = "" if edge.line else f"node {vertex}, edge {number}: "
            columns.add(edge.features, edge.line, where)
    try:
        tokens = [[edge.tokens for edge in edges] for edges in filled]
        return FeatureForest.from_edges(tokens, columns.features(), goal, source.stem)
    except FstmetricsError as error:
        raise source.error(str(error)) from None


def network_of(
    vertices: Sequence[Sequence[Edge]], goal: int, weights: Mapping[str, float], source: Source
) -> Network:
    """The network of a hypergraph: cards `0`, `1`, ... for the vertices below the goal.

    Args:
        vertices: the edges into each vertex; a vertex without an edge derives the empty string at no cost.
        goal: the vertex of whole sentences.
        weights: of features; one that is not named weighs nothing.
        source: the file, for its stem and for messages.

    Raises:
        InputError: vertices that derive one another in a circle, or a weighted sum that is no finite number.
    """
    tails = {
        vertex: [token for edge in edges for token in edge.tokens if isinstance(token, int)]
        for vertex, edges in enumerate(vertices)
    }
    try:
        cards = [_card(vertex, vertices[vertex], weights) for vertex in sorted(reached(tails, [goal]))]
        return Network(cards, str(goal), id=source.stem)
    except FstmetricsError as error:
        raise source.error(str(error)) from None


def _card(vertex: int, edges: Sequence[Edge], weights: Mapping[str, float]) -> Card:
    arcs: list[CardArc] = []
    costs: list[CostPair] = []
    states = 2  # 0 is the start, 1 the end of every edge
    for edge in edges or [Edge(())]:
        tokens: list[Token] = [Call(str(t)) if isinstance(t, int) else t for t in edge.tokens] or [""]
        path = [0, *range(states, states + len(tokens) - 1), 1]
        states += len(tokens) - 1
        arcs += zip(path, path[1:], tokens, strict=False)
        costs += [(edge.cost(weights), 0.0), *[(0.0, 0.0)] * (len(tokens) - 1)]
    return Card(str(vertex), tuple(arcs), frozenset({1}), costs=some_costs(costs))


def unread(
    vertices: Iterable[Iterable[Edge]], weights: Mapping[str, float], options: ReadOptions, *others: str
) -> tuple[str, ...]:
    """What a network says nothing of, if asked: features without a weight, and what else the format has."""
    if not options.tell_left_out:
        return ()
    found = any(name not in weights for edges in vertices for edge in edges for name, _ in edge.features)
    advice = (
        "features to which --weights gives no weight"
        if weights
        else "features (--weights FILE makes costs of them)"
    )
    return (*((advice,) if found else ()), *others)


def rule_tokens(target: str, tails: Sequence[int], categories: Collection[str] = ()) -> tuple[str | int, ...]:
    """The words and vertices of a rule's target side.

    Args:
        target: words, and tails as `[1]`, `[X,1]` (by number, from 1), or all as `[X]` (in order). Other words in
            brackets are words.
        tails: the vertices that the edge names.
        categories: those that rules derive, `[X]`.

    Raises:
        ValueError: the rule and the tails do not fit.

    >>> rule_tokens("[1] of [X,2]", [7, 4])
    (7, 'of', 4)
    >>> rule_tokens("[laughter] [X] in [2005]", [7], {"[X]"})
    ('[laughter]', 7, 'in', '[2005]')
    """
    words = target.split()
    are_numbered = any(map(_TAIL.fullmatch, words))
    tokens: list[str | int] = []
    used: list[int] = []
    for word in words:
        numbered = _TAIL.fullmatch(word)
        if not numbered and (are_numbered or word not in categories):
            tokens.append(word)
            continue
        used.append(int(numbered[1]) if numbered else len(used) + 1)
        if not 1 <= used[-1] <= len(tails):
            raise ValueError(f"{shown(word)} is tail {used[-1]}, but the edge has {len(tails)}")
        tokens.append(tails[used[-1] - 1])
    if sorted(used) != list(range(1, len(tails) + 1)):
        raise ValueError(f"the rule {shown(target)} does not use each of the edge's {len(tails)} tails once")
    return tuple(tokens)


def numbers(values: Iterable[Any]) -> list[float]:
    """Finite numbers of a JSON file. Raises ValueError with a message."""
    found = []
    for value in values:
        try:
            good = type(value) in (int, float) and math.isfinite(value)
        except OverflowError:
            good = False
        if not good:
            raise ValueError(f"a feature's value is a finite number, not {shown(str(value))}")
        found.append(float(value))
    return found


# The edges into each vertex, and the goal.
Hypergraph = tuple[list[list[Edge]], int]
# What cicada calls no word.
EPSILON = "<epsilon>"


def read_cdec(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one hypergraph of a file, as a Network; its id is the file's stem.

    Raises:
        InputError: not JSON (with the line), or not a hypergraph (with the edge or node).
    """
    return _read(source, options, lambda data: _CdecParser(data).hypergraph(), "source sides of rules")


def read_cicada(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The same of cicada's."""
    return _read(source, options, _of_cicada)


def _read(
    source: Source, options: ReadOptions, parse: Callable[[Any], Hypergraph], *others: str
) -> Iterator[Item]:
    source.refuse_empty()
    weights = read_weights(options.weights)
    members = json_objects(source)
    try:
        vertices, goal = parse(members)
    except ValueError as error:
        raise source.error(str(error)) from None
    forest = forest_of(vertices, goal, weights, source, options)
    yield Item(forest.id, forest, left_out=unread(vertices, weights, options, *others))


def json_objects(source: Source) -> Any:
    """A JSON file, its objects as lists of (key, value) pairs, as a key may stand in one more than once.

    Raises:
        InputError: not JSON, with the line.
    """
    text = source.text
    try:
        return json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError) as error:
        raise json_fault(source, error, what="not a hypergraph: ") from None


def is_object(value: Any) -> TypeGuard[list[tuple[str, Any]]]:
    """Whether a value is an object as `json_objects` gives them."""
    return isinstance(value, list) and all(isinstance(v, tuple) for v in value)


def is_integers(value: Any) -> TypeGuard[list[int]]:
    """Whether a value is a list of integers."""
    return isinstance(value, list) and all(type(v) is int for v in value)


class _CdecParser:
    """The members of the outer object, in the order in which they stand. Methods raise ValueError with a message."""

    def __init__(self, members: Any) -> None:
        if not is_object(members):
            raise ValueError("a hypergraph is a JSON object")
        self._members: list[tuple[str, Any]] = members
        self._rules: Mapping[int, str] = {}
        self._categories: set[str] = set()
        self._features: Sequence[str] = []
        self._edges: list[Edge] = []
        self._vertices: list[list[Edge]] = []

    def hypergraph(self) -> Hypergraph:
        read = {
            "rules": self._read_rules,
            "features": self._read_features,
            "edges": self._read_edges,
            "node": self._read_node,
        }
        for key, value in self._members:
            if key not in read:
                raise ValueError(f"unknown key {shown(key)}; expected rules, features, edges or node")
            read[key](value)
        if not self._vertices:
            raise ValueError("there is no node, so no goal")
        return self._vertices, len(self._vertices) - 1

    def _read_rules(self, value: Any) -> None:
        ids, texts = (value[::2], value[1::2]) if isinstance(value, list) else ([], [None])
        if not is_integers(ids) or not all(isinstance(t, str) for t in texts) or len(ids) != len(texts):
            raise ValueError('"rules" must be a list of numbers and rules, [1, "[X] ||| a ||| b", ...]')
        self._rules = dict(zip(ids, texts, strict=True))
        self._categories = {text.partition(" ||| ")[0] for text in texts}

    def _read_features(self, value: Any) -> None:
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise ValueError('"features" must be a list of names')
        self._features = value

    def _read_edges(self, value: Any) -> None:
        if not isinstance(value, list):
            raise ValueError('"edges" must be a list')
        for data in value:
            try:
                self._edges.append(self._edge(data))
            except ValueError as error:
                raise ValueError(f"edge {len(self._edges)}: {error}") from None

    def _edge(self, data: Any) -> Edge:
        if not is_object(data):
            raise ValueError("it must be an object with tail, feats and rule")
        members = dict(data)
        tails, feats, rule = members.get("tail"), members.get("feats", []), members.get("rule")
        if not is_integers(tails):
            raise ValueError('"tail" must be a list of nodes')
        for tail in tails:
            if not 0 <= tail < len(self._vertices):
                raise ValueError(f"tail {tail} is none of the {len(self._vertices)} nodes before it")
        if type(rule) is not int or rule not in self._rules:
            raise ValueError(f"there is no rule {shown(str(rule))}")
        parts = self._rules[rule].split(" ||| ")
        if len(parts) < 3:
            raise ValueError(f"the rule {shown(self._rules[rule])} is not `[X] ||| source ||| target`")
        if not isinstance(feats, list) or len(feats) % 2 or not is_integers(feats[::2]):
            raise ValueError('"feats" must be a list of feature numbers and values')
        if any(not 0 <= number < len(self._features) for number in feats[::2]):
            raise ValueError(f"there are {len(self._features)} features, numbered from 0")
        names = (self._features[number] for number in feats[::2])
        return Edge(
            rule_tokens(parts[2], tails, self._categories),
            tuple(zip(names, numbers(feats[1::2]), strict=True)),
        )

    def _read_node(self, value: Any) -> None:
        numbers_in = dict(value).get("in_edges") if is_object(value) else None
        if not is_integers(numbers_in) or any(not 0 <= n < len(self._edges) for n in numbers_in or ()):
            raise ValueError(
                f'node {len(self._vertices)}: "in_edges" must be a list of edges that come before it'
            )
        self._vertices.append([self._edges[number] for number in numbers_in or ()])


def _of_cicada(data: Any) -> Hypergraph:
    members = dict(data) if is_object(data) else {}
    rules, nodes, goal = members.get("rules"), members.get("nodes"), members.get("goal")
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise ValueError('"rules" must be a list of rules, ["[X] ||| a b", ...]')
    if not isinstance(nodes, list) or not all(isinstance(node, list) for node in nodes):
        raise ValueError('"nodes" must be a list of lists of edges')
    if type(goal) is not int or not 0 <= goal < len(nodes):
        raise ValueError(f'"goal" must be one of the {len(nodes)} nodes, not {shown(str(goal))}')
    categories = {rule.partition(" ||| ")[0] for rule in rules}
    vertices = []
    for number, node in enumerate(nodes):
        if not node:
            raise ValueError(f"node {number} has no edge: what it derives is not known")
        try:
            vertices.append([_cicada_edge(edge, rules, categories, len(nodes)) for edge in node])
        except ValueError as error:
            raise ValueError(f"node {number}: {error}") from None
    return vertices, goal


def _cicada_edge(data: Any, rules: Sequence[str], categories: set[str], nodes: int) -> Edge:
    if not is_object(data):
        raise ValueError("an edge must be an object with tail, feature and rule")
    members = dict(data)
    tails, features, rule = members.get("tail", []), members.get("feature", []), members.get("rule")
    if not is_integers(tails) or any(not 0 <= tail < nodes for tail in tails):
        raise ValueError(f'"tail" must be a list of the {nodes} nodes')
    if type(rule) is not int or not 1 <= rule <= len(rules):
        raise ValueError(f"there are {len(rules)} rules, numbered from 1; there is no {shown(str(rule))}")
    head, bars, target = rules[rule - 1].partition(" ||| ")
    if not bars:
        raise ValueError(f"the rule {shown(head)} is not `[X] ||| target`")
    if not is_object(features):
        raise ValueError('"feature" must be an object of names and values')
    tokens = tuple(token for token in rule_tokens(target, tails, categories) if token != EPSILON)
    names = (name for name, _ in features)
    values = numbers(value for _, value in features)
    return Edge(tokens, tuple(zip(names, values, strict=True)))


CDEC = Format("cdec", "cdec hypergraph (JSON)", read_cdec, id_of=stem, has_features=True)
CICADA = Format("cicada", "cicada hypergraph (JSON)", read_cicada, id_of=stem, has_features=True)


HEAD = "# target ||| features ||| source-covered"
# An integer of more digits is a damaged file.
MAX_DIGITS = 9


def read_target_graph(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one hypergraph of a file, as a Network; its id is the file's stem.

    Raises:
        InputError: a line that is not as it should be, with its number, or not as many lines as its head says.
    """
    weights = read_weights(options.weights)
    vertices = _vertices(source)
    forest = forest_of(vertices, len(vertices) - 1, weights, source, options)
    yield Item(forest.id, forest, left_out=unread(vertices, weights, options, "source words covered"))


def _vertices(source: Source) -> list[list[Edge]]:
    lines = source.lines()
    if next(lines, (0, ""))[1].rstrip() != HEAD:
        raise source.error(f"a target graph begins with the line `{HEAD}`", 1)
    number, line = _next(source, lines, "the numbers of vertices and edges", comments=True)
    sizes, head = line.split(), number
    if len(sizes) != 2 or not all(_is_number(size) for size in sizes) or sizes[0] == "0":
        raise source.error(f"expected the numbers of vertices and edges, found {shown(line)}", number)
    vertices: list[list[Edge]] = []
    for vertex in range(int(sizes[0])):
        number, line = _next(source, lines, f"vertex {vertex}", comments=True)
        if not _is_number(line.strip()):
            raise source.error(f"vertex {vertex}: expected its number of edges, found {shown(line)}", number)
        edges: list[Edge] = []
        for _ in range(int(line)):
            number, line = _next(source, lines, f"an edge of vertex {vertex}", comments=False)
            try:
                edges.append(_edge_of_line(line, vertex, number))
            except ValueError as error:
                raise source.error(f"vertex {vertex}: {error}", number) from None
        vertices.append(edges)
    for number, line in lines:
        if line.strip() and not line.startswith("#"):
            raise source.error(f"there is {shown(line)} after the last of {sizes[0]} vertices", number)
    if (there := sum(map(len, vertices))) != int(sizes[1]):
        raise source.error(
            f"{sizes[1]} edges are announced, and {sizes[0]} vertices have {there}: is the file damaged?",
            head,
        )
    return vertices


def _next(source: Source, lines: Iterator[tuple[int, str]], what: str, comments: bool) -> tuple[int, str]:
    for number, line in lines:
        if not (comments and line.startswith("#")):
            return number, line
    raise source.error(f"ends where {what} should be")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS


def _edge_of_line(line: str, vertex: int, number: int) -> Edge:
    """One line. Raises ValueError with a message."""
    fields = line.split(" ||| ")
    if len(fields) != 3:
        raise ValueError(f"an edge has 3 fields parted by |||, not {len(fields)}: {shown(line)}")
    tokens: list[str | int] = []
    for word in fields[0].split():
        if not (word.startswith("[") and word.endswith("]")):
            tokens.append(word)
        elif _is_number(word[1:-1]) and int(word[1:-1]) < vertex:
            tokens.append(int(word[1:-1]))
        else:
            raise ValueError(f"{shown(word)} is no vertex before this one")
    return Edge(tuple(tokens), tuple(_feature(field) for field in fields[1].split()), number)


def _feature(field: str) -> tuple[str, float]:
    name, _, value = field.rpartition("=")
    try:
        return name, numbers([float(value) if name else math.nan])[0]
    except ValueError:
        raise ValueError(f"a feature is name=value, not {shown(field)}") from None


TARGET_GRAPH = Format(
    "target-graph", "Moses or cdec target-graph hypergraph", read_target_graph, id_of=stem, has_features=True
)
