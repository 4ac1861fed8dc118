"""What the hypergraph readers share: vertices with incoming edges become the cards of a network.

A hypergraph, or shared forest, is a recursive transition network [C08 §4.3]: a vertex is a card, an edge into it one of
the card's paths, a tail a call. Derivations are the network's paths, one for one.

- `Edge`: words and tails of one edge, and its features.
- `forest_of`: what is made of vertices: `network_of`, the network below the goal, costs by feature weights; or, where
  features are asked for, a `FeatureForest`. `unread`: what a network says nothing of.
- `rule_tokens`: the target side of a synchronous rule.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fstmetrics.data.cards import Call, Card, CardArc, CostPair, Token, reached, some_costs
from fstmetrics.data.feature_forest import FeatureForest
from fstmetrics.data.network import Network
from fstmetrics.io.arcs import shown
from fstmetrics.io.feature_columns import FeatureColumns
from fstmetrics.io.items import ReadOptions
from fstmetrics.io.weights_file import tell_misnamed
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

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
