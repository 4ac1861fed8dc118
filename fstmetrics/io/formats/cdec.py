"""cdec's JSON hypergraphs: one object that repeats the keys `edges` and `node`.

A node's edges come before it; the last node is the goal.

    {"rules": [1, "[X] ||| a ||| b", ...], "features": ["f1", ...],
     "edges": [{"tail": [], "feats": [0, -0.2], "rule": 1}], "node": {"in_edges": [0]}, "edges": ..., "node": ...}

A node without incoming edges derives the empty string, as cdec's inside algorithm has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fstmetrics.io.arcs import shown
from fstmetrics.io.hypergraph import (
    Edge,
    forest_of,
    is_integers,
    is_object,
    json_objects,
    numbers,
    rule_tokens,
    unread,
)
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.weights_file import read_weights
from fstmetrics.support.source import Source, stem


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one hypergraph of a file, as a Network; its id is the file's stem.

    Raises:
        InputError: not JSON (with the line), or not a hypergraph (with the edge or node).
    """
    source.refuse_empty()
    weights = read_weights(options.weights)
    members = json_objects(source)
    try:
        vertices = _Parser(members).vertices()
    except ValueError as error:
        raise source.error(str(error)) from None
    forest = forest_of(vertices, len(vertices) - 1, weights, source, options)
    yield Item(forest.id, forest, left_out=unread(vertices, weights, options, "source sides of rules"))


class _Parser:
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

    def vertices(self) -> list[list[Edge]]:
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
        return self._vertices

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


FORMAT = Format("cdec", "cdec hypergraph (JSON)", read, id_of=stem, has_features=True)
