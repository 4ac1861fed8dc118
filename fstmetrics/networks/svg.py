"""Networks, lattices and other machines as SVG, without Graphviz: `draw_svg`; small ones: `network_svg`, `lattice_svg`.

For DOT see `drawing`.

The drawing is layered [Sugiyama, Tagawa and Toda 1981], from left to right. A state is in the layer of the longest path
to it. Between two layers of states is one of labels: an arc has a place in every layer that it passes, and its label
in the middle one, so that neither states nor labels can lie on one another. Places in a layer are ordered by the mean
of their neighbours, a few times from the left and from the right, and then moved towards that mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import count, pairwise
from typing import NamedTuple

from fstmetrics.data.cards import Card, Token, write_label
from fstmetrics.data.lattice import Lattice, word_arcs
from fstmetrics.data.network import Network
from fstmetrics.networks.drawing import MAX_ARCS, chosen_cards, expanded_card, title
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import cells_of, printable

# What is larger is not drawn: nobody could read it.
MOST_ARCS = 250
# Nor is what has more places in layers, as with many arcs that pass many layers.
MOST_PLACES = 2500
# The same of drawings that are asked for.
MAX_PLACES = 50_000
# Labels of parallel arcs that are shown, and letters of a label.
MOST_LABELS, MOST_LETTERS = 5, 24
# Passes over all layers, in turn from the left and from the right.
SWEEPS = 12
# In pixels: the radius of a state, a letter, a line of a label, space around a place.
RADIUS, LETTER, LEADING, SPACE = 6, 6.6, 15, 9

# Of the titles of frames, in pixels: a letter, and the room over what is in the frame.
TITLE, HEAD = 7.6, 26

# The colours of the page that `report` writes, on white whatever is around it.
GREY, BLACK = "#5b6470", "#1c1e21"
CALL = ' fill="#1f5fa8" font-weight="bold"'
STROKE = f'fill="none" stroke="{GREY}" marker-end="url(#fst-arrow)"'

Place = int  # a state, or where an arc passes a layer
Point = tuple[float, float]


class Edge(NamedTuple):
    """All arcs between two states, drawn as one."""

    source: int
    destination: int
    labels: Sequence[str]


class Drawing(NamedTuple):
    """Where everything of a drawing is, in pixels, for programs that draw themselves.

    Attributes:
        box: left, top, width and height.
        states: x, y, whether it is the start, and whether it is final.
        curves: the arcs, as the `d` of an SVG path; arrows are at their ends.
        labels: x and y of the middle, and the labels, one over the other.
    """

    box: tuple[float, float, float, float]
    states: list[tuple[float, float, bool, bool]]
    curves: list[str]
    labels: list[tuple[float, float, tuple[str, ...]]]


def card_drawing(card: Card) -> Drawing | None:
    """A card with its calls; None where it is too large to be drawn.

    >>> from fstmetrics import Card
    >>> drawing = card_drawing(Card.from_phrases("X", ["the [PM]"]))
    >>> [labels for _, _, labels in drawing.labels], len(drawing.states)
    ([('the',), ('[PM]',)], 3)
    """
    if len(card.arcs) > MOST_ARCS:
        return None
    layers = _layers(((a, b, write_label(token)) for a, b, token in card.arcs), card.start)
    return None if layers is None else layers.drawing(card.finals)


def network_svg(network: Network) -> str | None:
    """The network with every call replaced by what it calls; None where it is too large to be drawn."""
    if sum(len(card.arcs) for card in network.cards.values()) > MOST_ARCS:
        return None
    try:
        card = expanded_card(network, MOST_ARCS)
    except FstmetricsError:
        return None
    arcs = ((source, destination, str(token)) for source, destination, token in card.arcs)
    return arcs_svg(arcs, card.start, card.finals) if len(card.arcs) <= MOST_ARCS else None


def draw_svg(network: Network, cards: Sequence[str] = (), max_arcs: int = MAX_ARCS) -> str:
    """The drawing of `draw` as SVG: the whole network, or cards with their calls, one below the other in frames.

    Args:
        network, cards, max_arcs: as of `draw`.

    Raises:
        FstmetricsError: as of `draw`, or arcs that pass so many others that nobody could follow them.

    >>> from fstmetrics import Card, Network
    >>> network = Network([Card.from_phrases("S", ["a [X]"]), Card.from_phrases("X", ["x", "y"])], "S")
    >>> draw_svg(network, ["S"]).count("<circle"), "[X]" in draw_svg(network), "[X]" in draw_svg(network, ["S"])
    (4, False, True)
    """
    label: Callable[[Token], str] = write_label if cards else str
    pictures = []
    for card in chosen_cards(network, cards, max_arcs):
        arcs = ((source, destination, label(token)) for source, destination, token in card.arcs)
        layers = _layers(arcs, card.start, MAX_ARCS, MAX_PLACES, letters=None)
        if layers is None:
            raise FstmetricsError(
                f"the drawing of {card.name!r} is too wide and too high to be read; --card NAME draws a single card, "
                "and a file that ends in .dot has all of it"
            )
        pictures.append((title(card, network) if cards else "", layers.picture(card.finals, bool(cards))))
    return _framed(pictures) if cards else pictures[0][1].svg()


def lattice_svg(lattice: Lattice) -> str | None:
    """The lattice's words; None where it is too large to be drawn."""
    if lattice.num_arcs > MOST_ARCS:
        return None
    return arcs_svg(word_arcs(lattice), lattice.automaton.start, lattice.automaton.finals.tolist())


def arcs_svg(
    arcs: Iterable[tuple[int, int, str]], start: int, finals: Iterable[int], most_labels: int = MOST_LABELS
) -> str | None:
    """A machine of at most `MOST_ARCS` arcs, each from, to and label; None where it has too many places.

    Of parallel arcs `most_labels` labels are shown.
    """
    layers = _layers(arcs, start, most_labels)
    return None if layers is None else layers.picture(frozenset(finals)).svg()


def _layers(
    arcs: Iterable[tuple[int, int, str]],
    start: int,
    most_labels: int = MOST_LABELS,
    most_places: int = MOST_PLACES,
    letters: int | None = MOST_LETTERS,
) -> _Layers | None:
    labels: dict[tuple[int, int], list[str]] = {}
    for source, destination, label in arcs:
        labels.setdefault((source, destination), []).append(shown_label(label, letters))
    edges = [Edge(*ends, _fewer(list(dict.fromkeys(found)), most_labels)) for ends, found in labels.items()]
    level = _levels(edges, start)
    if sum(2 * abs(level[edge.destination] - level[edge.source]) for edge in edges) > most_places:
        return None
    return _Layers(edges, start, level)


class _Picture(NamedTuple):
    """Elements of SVG, and the box that they are in: left, top, width and height."""

    box: tuple[float, float, float, float]
    lines: list[str]

    def svg(self) -> str:
        """A document of them."""
        left, top, width, height = self.box
        area = f'width="{width:.0f}" height="{height:.0f}"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {area} viewBox="{left:g} {top:.0f} {width:.0f} '
                f'{height:.0f}" font-family="Helvetica,Arial,sans-serif" font-size="12">',
                '<defs><marker id="fst-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
                f'orient="auto"><path d="M0 1L8 4L0 7z" fill="{GREY}"/></marker></defs>',
                f'<rect x="{left:g}" y="{top:.0f}" {area} rx="6" fill="#fff"/>',
                *self.lines,
                "</svg>",
            ]
        )


def _framed(pictures: Sequence[tuple[str, _Picture]]) -> str:
    """Pictures in frames, one below the other, each with its title."""
    lines: list[str] = []
    widest = max(
        max(picture.box[2], cells_of(printable(name)) * TITLE + 2 * SPACE) for name, picture in pictures
    )
    y = 0.0
    for name, ((left, top, _, height), inner) in pictures:
        lines += [
            f'<rect x="0" y="{y:.0f}" width="{widest:.0f}" height="{height + HEAD:.0f}" rx="6" fill="none" '
            f'stroke="{GREY}" stroke-opacity="0.5"/>',
            f'<text x="{SPACE}" y="{y + 2 * SPACE:.0f}" fill="{BLACK}" font-size="13" font-weight="bold">'
            f"{escape(printable(name))}</text>",
            f'<g transform="translate({-left:g} {y + HEAD - top:.0f})">',
            *inner,
            "</g>",
        ]
        y += height + HEAD + SPACE
    return _Picture((-SPACE, -SPACE, widest + 2 * SPACE, y + SPACE), lines).svg()


class _Layers:
    """Places in layers, from the left; layers of states have even numbers."""

    def __init__(self, edges: Sequence[Edge], start: int, level: Mapping[int, int]) -> None:
        self.start = start
        self.loops = [edge for edge in edges if edge.source == edge.destination]
        self.edges = [edge for edge in edges if edge.source != edge.destination]
        self.states = list(level)
        self.layers: list[list[Place]] = [[] for _ in range(2 * max(level.values()) + 1)]
        self.label: dict[Place, Sequence[str]] = {}
        self.around: tuple[dict[Place, list[Place]], dict[Place, list[Place]]] = ({}, {})
        for state, number in level.items():
            self.layers[2 * number].append(state)
        further = count(1 + max(self.states))
        self.ways = [self._way(edge, level, further) for edge in self.edges]
        self.around_state = {edge.source: edge.labels for edge in self.loops}
        self.x, self.y = self._columns(), self._rows()

    def _way(self, edge: Edge, level: Mapping[int, int], further: Iterator[Place]) -> list[Place]:
        """The places of an edge, from the left, its own ones made."""
        left, right = sorted((edge.source, edge.destination), key=level.__getitem__)
        passed = range(2 * level[left] + 1, 2 * level[right])
        made = [next(further) for _ in passed]
        way = [left, *made, right]
        for number, place in zip(passed, made, strict=True):
            self.layers[number].append(place)
        middle = made[(level[right] - level[left] - 1) // 2 * 2]
        self.label[middle] = edge.labels
        for before, after in pairwise(way):
            self.around[0].setdefault(after, []).append(before)
            self.around[1].setdefault(before, []).append(after)
        return way

    def _columns(self) -> list[float]:
        """Where the middle of each layer is."""
        x, at = [], 0.0
        for number, layer in enumerate(self.layers):
            half = max((self._width(place) for place in layer), default=0.0) / 2 + (number % 2) * SPACE
            x.append(at + half)
            at += 2 * half
        return x

    def _rows(self) -> dict[Place, float]:
        """Where each place is in its layer."""
        y = {place: float(row) for layer in self.layers for row, place in enumerate(layer)}
        for sweep in range(SWEEPS):
            side = sweep % 2
            for layer in self.layers if side == 0 else reversed(self.layers):
                layer.sort(
                    key=lambda place: _mean([y[near] for near in self.around[side].get(place, [])], y[place])
                )
                y.update((place, float(row)) for row, place in enumerate(layer))
        for layer in self.layers:
            self._spread(layer, y, lambda place: 0.0)
        both = {place: [*self.around[0].get(place, []), *self.around[1].get(place, [])] for place in y}
        for sweep in range(SWEEPS):
            for layer in self.layers if sweep % 2 == 0 else reversed(self.layers):
                self._spread(layer, y, lambda place: _mean([y[near] for near in both[place]], 0.0))
        return y

    def _spread(
        self, layer: Sequence[Place], y: dict[Place, float], wanted: Callable[[Place], float]
    ) -> None:
        """Put the places of a layer near where they want to be, in order and without overlap."""
        groups: list[_Group] = []
        for place in layer:
            height = self._height(place)
            groups.append(_Group([place], wanted(place) - height / 2, height))
            while len(groups) > 1 and groups[-2].begin + groups[-2].height > groups[-1].begin:
                below = groups.pop()
                groups[-1].join(below)
        for group in groups:
            begin = group.begin
            for place in group.places:
                y[place] = begin + self._height(place) / 2
                begin += self._height(place)

    def _height(self, place: Place) -> float:
        """What a place takes of its layer, space around it included."""
        return max(len(self.label.get(place, ())) * LEADING, 2 * RADIUS) + SPACE

    def _width(self, place: Place) -> float:
        labels = self.label.get(place, self.around_state.get(place, ()))
        return max(map(cells_of, labels), default=0) * LETTER + 2 * RADIUS

    def _box(self) -> tuple[dict[Place, float], float, float, float]:
        """Of each place, where it is from left to right; the top, the width and the height of all."""
        column = {place: x for x, layer in zip(self.x, self.layers, strict=True) for place in layer}
        top = min(self.y[place] - self._height(place) / 2 for place in self.y)
        # Labels of a loop lie over it.
        above = [self.y[edge.source] - 3 * SPACE - len(edge.labels) * LEADING for edge in self.loops]
        top = min([top, *above])
        bottom = max(self.y[place] + self._height(place) / 2 for place in self.y)
        right = self.x[-1] + max(self._width(place) for place in self.layers[-1]) / 2
        return column, top, right + 2 * SPACE, bottom - top + SPACE

    def _curves(self, x: Mapping[Place, float]) -> list[str]:
        """The line of each edge, given where places are from left to right."""
        return [
            _path([(x[place], self.y[place]) for place in way], edge.source != way[0])
            for edge, way in zip(self.edges, self.ways, strict=True)
        ]

    def drawing(self, finals: frozenset[int]) -> Drawing:
        """Where everything is. There are no loops: cards have none that were typed."""
        x, top, width, height = self._box()
        labels = [(x[place], self.y[place], tuple(found)) for place, found in self.label.items()]
        states = [(x[state], self.y[state], state == self.start, state in finals) for state in self.states]
        return Drawing((-SPACE, top - SPACE / 2, width, height), states, self._curves(x), labels)

    def picture(self, finals: frozenset[int], calls: bool = False) -> _Picture:
        """The drawing; where there are `calls`, labels in brackets are blue."""
        column, top, width, height = self._box()
        lines = [f'<path d="{curve}" {STROKE}/>' for curve in self._curves(column)]
        for edge in self.loops:
            x, y = column[edge.source], self.y[edge.source] - RADIUS
            ends = f"M{x - 3:.0f} {y:.0f}C{x - 14:.0f} {y - 20:.0f} {x + 14:.0f} {y - 20:.0f} {x + 3:.0f} {y:.0f}"
            lines.append(f'<path d="{ends}" {STROKE}/>')
            lines.append(_text(edge.labels, x, y - 18 - (len(edge.labels) - 1) * LEADING / 2))
        lines += [_text(found, column[place], self.y[place], calls) for place, found in self.label.items()]
        for state in self.states:
            fill = BLACK if state == self.start else "#fff"
            at = f'cx="{column[state]:.0f}" cy="{self.y[state]:.0f}"'
            lines.append(f'<circle {at} r="{RADIUS}" fill="{fill}" stroke="{BLACK}"/>')
            if state in finals:
                lines.append(
                    f'<circle {at} r="{RADIUS - 3}" fill="{fill}" stroke="{"#fff" if fill == BLACK else BLACK}"/>'
                )
        return _Picture((-SPACE, top - SPACE / 2, width, height), lines)


@dataclass
class _Group:
    """Places of a layer that stand close together.

    Attributes:
        places: from above.
        wishes: where each wants the group to begin, added up.
        height: of all together.
    """

    places: list[Place]
    wishes: float
    height: float

    @property
    def begin(self) -> float:
        """Where it is."""
        return self.wishes / len(self.places)

    def join(self, below: _Group) -> None:
        """Take in the group below."""
        self.wishes += below.wishes - len(below.places) * self.height
        self.places += below.places
        self.height += below.height


def _levels(edges: Sequence[Edge], start: int) -> dict[int, int]:
    """The layer of each state: the longest path to it, arcs that close a circle left out."""
    leaving: dict[int, list[int]] = {start: []}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge.destination)
        leaving.setdefault(edge.destination, [])
    done: list[int] = []
    forward: list[tuple[int, int]] = []
    open_states, seen = set[int](), set[int]()
    for root in leaving:
        if root in seen:
            continue
        stack = [(root, iter(leaving[root]))]
        seen.add(root)
        open_states.add(root)
        while stack:
            state, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                open_states.discard(state)
                done.append(state)
                continue
            if following not in open_states:
                forward.append((state, following))
            if following not in seen:
                seen.add(following)
                open_states.add(following)
                stack.append((following, iter(leaving[following])))
    order = {state: number for number, state in enumerate(reversed(done))}
    level = dict.fromkeys(order, 0)
    for source, destination in sorted(forward, key=lambda ends: order[ends[0]]):
        level[destination] = max(level[destination], level[source] + 1)
    return level


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _path(points: Sequence[Point], backwards: bool) -> str:
    """A smooth line through points."""
    ends = [(points[0][0] + RADIUS, points[0][1]), *points[1:-1], (points[-1][0] - RADIUS, points[-1][1])]
    if backwards:
        ends.reverse()
    path = f"M{ends[0][0]:.0f} {ends[0][1]:.0f}"
    for (x, y), (to_x, to_y) in pairwise(ends):
        middle = (x + to_x) / 2
        path += f"C{middle:.0f} {y:.0f} {middle:.0f} {to_y:.0f} {to_x:.0f} {to_y:.0f}"
    return path


def _text(labels: Sequence[str], x: float, y: float, calls: bool = False) -> str:
    """Labels, one over the other, on a white ground that keeps lines away from them."""
    first = y - (len(labels) - 1) * LEADING / 2 + 4
    rows = "".join(
        f'<tspan x="{x:.0f}" y="{first + row * LEADING:.0f}"{CALL * (calls and label.startswith("["))}>'
        f"{escape(label)}</tspan>"
        for row, label in enumerate(labels)
    )
    return (
        f'<text text-anchor="middle" fill="{BLACK}" stroke="#fff" stroke-width="4" stroke-linejoin="round" '
        f'paint-order="stroke">{rows}</text>'
    )


def shown_label(label: str, letters: int | None = MOST_LETTERS) -> str:
    """A label, no word as ε, cut where it has more letters; XML lacks some characters of Python's strings."""
    text = re.sub("[\ufffe\uffff]", "\ufffd", printable(label)) or "ε"
    return text if letters is None or len(text) <= letters else f"{text[:letters]}…"


def _fewer(labels: list[str], most: int) -> list[str]:
    more = len(labels) - most
    return [*labels[:most], f"… {more} more"] if more > 1 else labels
