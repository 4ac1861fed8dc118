"""JSON hypergraphs of cdec and cicada: one object with rules, edges and nodes.

cdec's repeats the keys `edges` and `node`. A node's edges come before it; the last node is the goal.

    {"rules": [1, "[X] ||| a ||| b", ...], "features": ["f1", ...],
     "edges": [{"tail": [], "feats": [0, -0.2], "rule": 1}], "node": {"in_edges": [0]}, "edges": ..., "node": ...}

A node without incoming edges derives the empty string, as cdec's inside algorithm has it.

cicada numbers rules from 1, and has nodes as lists of edges in any order, and a goal: rules are
`["[PRP] ||| I", "[S] ||| [PRP] am"]`, nodes `[[{"rule": 1}], [{"tail": [0], "feature": {"f": -1.5}, "rule": 2}]]`, the
goal 1. `<epsilon>` is no word.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from fstmetrics.io.arcs import shown
from fstmetrics.io.hypergraph import Edge, forest_of, numbers, rule_tokens, unread
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.weights_file import read_weights
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source, stem

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
    try:
        return json.loads(source.text, object_pairs_hook=list)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise source.error(f"not JSON: {error.msg} (column {error.colno})", error.lineno) from None
    except RecursionError:
        raise source.error("not a hypergraph: brackets are nested too deeply") from None
    except ValueError as error:  # an integer of too many digits
        raise source.error(str(error)) from None


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
