"""Hypergraphs of Moses and cdec as target graphs, bottom-up text; the last vertex is the goal.

    # target ||| features ||| source-covered
    VERTICES EDGES
    number of edges into vertex 0
    word [child] word ||| name=value name=value ||| source words covered
    ...

Lines that begin with `#` are comments, but not among the edges of a vertex. Sentence markers are no words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from fstmetrics.io.arcs import shown
from fstmetrics.io.hypergraph import Edge, forest_of, numbers, unread
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.weights_file import read_weights
from fstmetrics.support.source import Source, stem

HEAD = "# target ||| features ||| source-covered"
# An integer of more digits is a damaged file.
MAX_DIGITS = 9


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
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
                edges.append(_edge(line, vertex, number))
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


def _edge(line: str, vertex: int, number: int) -> Edge:
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


FORMAT = Format("target-graph", "Moses or cdec target-graph hypergraph", read, id_of=stem, has_features=True)
