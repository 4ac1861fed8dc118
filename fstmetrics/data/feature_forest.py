"""Forests with the features of a decoder's model: `FeatureForest`, one shape for n-best lists, lattices and forests.

A forest, or hypergraph, has vertices and edges. An edge derives its head vertex from words and from other vertices,
its tails, which come before the head. A derivation takes one edge for each vertex that it needs, from the goal down;
its features are the sums over its edges. A lattice is a forest whose edges have at most one tail, an n-best list one
whose only vertex has an edge an entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.data.features import Features
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.symbols import SENTENCE_MARKERS, labelled_arcs
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import in_a_line

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.data.nbest import NBest

    Ints = npt.NDArray[np.int32]
    Longs = npt.NDArray[np.int64]

# The features that the costs of a lattice are.
LATTICE_FEATURES = ("lm", "acoustic", "word_penalty")
# An edge as it is given: its head, its tokens (words, and tails by their numbers).
Tokens = Sequence[str | int]


@dataclass(frozen=True, eq=False)
class FeatureForest:
    """An acyclic forest; its last vertex is the goal.

    Attributes:
        id: what references pair with.
        words: the vocabulary, each word once.
        edges: where the edges of each vertex begin, and where the last ones end; shape [vertices + 1]. Edges are in the
            order of their heads.
        offsets: where the tokens of each edge begin, and where the last ones end; shape [edges + 1].
        tokens: words by their numbers, and tails as -1 - vertex; shape [tokens].
        features: a row an edge.
    """

    id: str
    words: tuple[str, ...]
    edges: Longs
    offsets: Longs
    tokens: Ints
    features: Features

    def __repr__(self) -> str:
        return in_a_line(self, id=self.id, vertices=self.num_vertices, edges=self.num_edges)

    @property
    def num_vertices(self) -> int:
        """How many vertices there are."""
        return len(self.edges) - 1

    @property
    def num_edges(self) -> int:
        """How many edges there are."""
        return len(self.offsets) - 1

    @property
    def is_list(self) -> bool:
        """Whether it is a list of strings: one vertex."""
        return self.num_vertices == 1

    @classmethod
    def from_edges(
        cls,
        vertices: Sequence[Sequence[Tokens]],
        features: Features,
        goal: int | None = None,
        id: str = "",
    ) -> FeatureForest:
        """A forest of the edges into each vertex, vertices in any order; those that the goal does not need are left
        out. Sentence markers and empty words are no words.

        Args:
            vertices: for each vertex, the tokens of each of its edges: words or phrases, and tails by their numbers.
            features: a row an edge, in the same order.
            goal: the vertex of whole sentences; by default the last.
            id: what references pair with.

        Raises:
            FstmetricsError: vertices that derive one another in a circle, or nothing derives the goal.
        """
        goal = len(vertices) - 1 if goal is None else goal
        order = _bottom_up(vertices, goal, f"forest {id or '(no id)'}")
        number = {vertex: at for at, vertex in enumerate(order)}
        firsts = np.concatenate([[0], np.cumsum([len(edges) for edges in vertices])])
        labels: dict[str, int] = {}
        tokens, lengths = list[int](), list[int]()
        for vertex in order:
            for edge in vertices[vertex]:
                before = len(tokens)
                for token in edge:
                    if isinstance(token, int):
                        tokens.append(-1 - number[token])
                        continue
                    words = (word for word in token.split() if word not in SENTENCE_MARKERS)
                    tokens += [labels.setdefault(word, len(labels)) for word in words]
                lengths.append(len(tokens) - before)
        rows = np.concatenate([np.arange(firsts[v], firsts[v + 1]) for v in order])
        return cls(
            id,
            tuple(labels),
            np.concatenate([[0], np.cumsum([len(vertices[v]) for v in order])]),
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            np.array(tokens, dtype=np.int32),
            features.taken(rows),
        )

    @classmethod
    def of_list(cls, nbest: NBest) -> FeatureForest:
        """An n-best list: edge i is entry i.

        Raises:
            FstmetricsError: the list has no features.
        """
        if nbest.features is None:
            raise FstmetricsError(f"n-best list {nbest.id!r} has no features; read it with features=True")
        return cls.from_edges([nbest.entries], nbest.features, id=nbest.id)

    @classmethod
    def of_lattice(cls, lattice: Lattice) -> FeatureForest:
        """A lattice, whose costs are the features `lm`, `acoustic` and `word_penalty`.

        They are minus the graph cost, minus the acoustic cost, and minus the number of words, so that their weights are
        what `--lm-scale`, `--acoustic-scale` and `--word-penalty` are elsewhere.

        Raises:
            FstmetricsError: a cycle, no path, or a cost that is no finite number.
        """
        what = f"lattice {lattice.id or '(no id)'}"
        automaton, words = lattice.automaton, lattice.symbols.words
        counted = np.array([bool(word) and word not in SENTENCE_MARKERS for word in words], dtype=np.float64)
        columns = np.column_stack([-automaton.arc_costs, -counted[automaton.labels]])
        ends = np.column_stack([-automaton.final_costs, np.zeros(len(automaton.finals))])
        if not (np.isfinite(columns).all() and np.isfinite(ends).all()):
            raise FstmetricsError(f"{what}: a cost is no finite number")
        goal = automaton.num_states
        vertices: list[list[Tokens]] = [[] for _ in range(goal + 1)]
        rows: list[list[npt.NDArray[np.float64]]] = [[] for _ in range(goal + 1)]
        vertices[automaton.start].append(())
        rows[automaton.start].append(np.zeros(3))
        for (source, destination, word), row in zip(labelled_arcs(automaton, words), columns, strict=True):
            vertices[destination].append((source, word))
            rows[destination].append(row)
        for state, row in zip(automaton.finals.tolist(), ends, strict=True):
            vertices[goal].append((state,))
            rows[goal].append(row)
        table = np.array([row for of_vertex in rows for row in of_vertex]).reshape(-1, 3)
        features = Features(
            LATTICE_FEATURES,
            np.arange(0, table.size + 1, 3),
            np.tile(np.arange(3), len(table)),
            table.ravel() + 0.0,
        )
        return cls.from_edges(vertices, features, id=lattice.id)

    def edge_tokens(self) -> list[tuple[str | int, ...]]:
        """The tokens of each edge: words, and tails by their numbers."""
        tokens = self.tokens.tolist()
        return [
            tuple(self.words[t] if t >= 0 else -1 - t for t in tokens[begin:end])
            for begin, end in pairwise(self.offsets.tolist())
        ]

    def texts(self) -> list[tuple[str, ...]]:
        """The words of each edge, of a list."""
        return [
            tuple(self.words[t] for t in self.tokens[begin:end].tolist())
            for begin, end in pairwise(self.offsets)
        ]


def _bottom_up(vertices: Sequence[Sequence[Tokens]], goal: int, what: str) -> list[int]:
    """The vertices that the goal needs, each behind its tails, the goal last.

    Raises:
        FstmetricsError: a circle, or nothing derives the goal.
    """
    order, state = list[int](), dict[int, bool]()  # False: begun, True: done
    stack = [goal]
    while stack:
        vertex = stack[-1]
        if vertex not in state:
            state[vertex] = False
            for edge in vertices[vertex]:
                for token in edge:
                    if isinstance(token, int) and not state.get(token, False):
                        if token in state:
                            raise FstmetricsError(f"{what}: vertex {token} derives itself in a circle")
                        stack.append(token)
        else:
            stack.pop()
            if not state[vertex]:
                state[vertex] = True
                order.append(vertex)
    derived = set[int]()
    for vertex in order:
        if any(all(isinstance(t, str) or t in derived for t in edge) for edge in vertices[vertex]):
            derived.add(vertex)
    if goal not in derived:
        raise FstmetricsError(f"{what}: nothing derives its goal, so it has no path")
    return order
