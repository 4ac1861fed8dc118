"""cicada's JSON hypergraphs: rules numbered from 1, nodes as lists of edges in any order, and a goal.

Rules are `["[PRP] ||| I", "[S] ||| [PRP] am"]`, nodes
`[[{"rule": 1}], [{"tail": [0], "feature": {"f": -1.5}, "rule": 2}]]`, the goal 1. `<epsilon>` is no word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

EPSILON = "<epsilon>"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one hypergraph of a file, as a Network; its id is the file's stem.

    Raises:
        InputError: not JSON (with the line), or not a hypergraph (with the node).
    """
    source.refuse_empty()
    weights = read_weights(options.weights)
    members = json_objects(source)
    try:
        vertices, goal = _hypergraph(members)
    except ValueError as error:
        raise source.error(str(error)) from None
    forest = forest_of(vertices, goal, weights, source, options)
    yield Item(forest.id, forest, left_out=unread(vertices, weights, options))


def _hypergraph(data: Any) -> tuple[list[list[Edge]], int]:
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
            vertices.append([_edge(edge, rules, categories, len(nodes)) for edge in node])
        except ValueError as error:
            raise ValueError(f"node {number}: {error}") from None
    return vertices, goal


def _edge(data: Any, rules: Sequence[str], categories: set[str], nodes: int) -> Edge:
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


FORMAT = Format("cicada", "cicada hypergraph (JSON)", read, id_of=stem, has_features=True)
