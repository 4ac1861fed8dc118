"""Networks of several annotators as one: `union` and `spu`, the source-phrase-level union [H12 §2.3] (design §2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from fstmetrics._native import Rtn
from fstmetrics.data.network import Network
from fstmetrics.networks.calls import callees_first, refuse_costs
from fstmetrics.networks.pool import CardPool
from fstmetrics.support.arguments import instance, whole_number
from fstmetrics.support.errors import FstmetricsError, SearchError

# Two cards are compared by walking through both at once. This many pairs of places take four seconds and 0.8 GB;
# annotators' cards need some hundreds.
MAX_PAIRS = 10_000_000

# A span that is longer than any other: that of a root without one.
WHOLE = math.inf


def union(*networks: Network) -> Network:
    """The standard union U: every path of every network.

    Cards keep their names; where two differ under one name, the later becomes `NAME~2`. Cards and phrases that are
    equal are kept once, cards that the root does not reach are left out.

    Returns:
        A network with the id that all have in common, or none.

    Raises:
        FstmetricsError: no network, networks of different source sentences, or cards with costs.

    >>> from fstmetrics import Card, Network
    >>> a = Network([Card.from_phrases("S", ["the [X]"]), Card.from_phrases("X", ["cat", "hat"])], "S")
    >>> b = Network([Card.from_phrases("S", ["a [X]"]), Card.from_phrases("X", ["dog"])], "S")
    >>> {name: card.phrases for name, card in union(a, b).cards.items()}
    {'X': ('cat', 'hat'), 'X~2': ('dog',), 'S': ('the [X]', 'a [X~2]')}
    """
    source = _common_source(networks)
    pool = CardPool()
    roots = []
    for network in networks:
        part = _Part(network)
        roots.append(part.versions(pool, [network.root], 0, {})[network.root])
    return _finished(pool, roots, networks, source)


def spu(*networks: Network, max_pairs: int = MAX_PAIRS) -> Network:
    """The source-phrase-level union: cards that translate the same source words are merged, too [H12 §2.3].

    Spans are taken from short to long. Within a span, cards of different networks are connected if they have a
    string in common, smaller spans already merged; all cards that are connected, directly or through others, become
    one. A call of a card with a shorter span than the caller's goes to the merged card; any other call keeps the
    caller's own version, so no circle arises. A card without a span is part of whoever calls it. Without
    spans this is `union`. The order of the networks does not matter.

    Args:
        networks: the networks of one sentence.
        max_pairs: how far the comparison of two cards may go.

    Returns:
        A network with every string of `union(*networks)`.

    Raises:
        FstmetricsError: no network, networks of different source sentences, or cards with costs.
        SearchError: two cards are so ambiguous that `max_pairs` does not suffice to compare them.

    >>> from fstmetrics import Card, Network
    >>> def annotated(*phrases):
    ...     return Network([Card.from_phrases("S", ["the [X] sat"]), Card.from_phrases("X", phrases, (1, 2))], "S")
    >>> spu(annotated("cat", "hat"), annotated("cat", "dog")).cards["X"].phrases
    ('cat', 'hat', 'dog')
    """
    whole_number(max_pairs, "max_pairs", 1)
    source = _common_source(networks)
    pool = CardPool()
    parts = [_Part(network) for network in networks]
    joined: list[dict[str, int]] = [
        {} for _ in parts
    ]  # of each network, the merged cards of the spans done so far
    for length in sorted({length for part in parts for length in part.lengths.values() if length < WHOLE}):
        versions = [
            part.versions(pool, part.of_length(length), length, known)
            for part, known in zip(parts, joined, strict=True)
        ]
        _join(pool, parts, versions, joined, length, max_pairs)
    roots = []
    for part, known in zip(parts, joined, strict=True):
        root = part.network.root
        roots.append(part.versions(pool, [root], part.lengths[root], known)[root])
    return _finished(pool, roots, networks, source)


def joined_apart(networks: Sequence[Network]) -> list[tuple[str, str]]:
    """Cards that were made of calls with something joined to them, as `PM,` of `[PM],`, where another network has the
    card itself for the same source words: `spu` does not merge the two. Pairs of their names."""
    return list(
        dict.fromkeys(
            (name, other)
            for mine in networks
            for name, card in mine.cards.items()
            for theirs in networks
            if theirs is not mine and name not in theirs.cards
            for other, its in theirs.cards.items()
            if card.span is not None and card.span == its.span and _is_joined(name, other, card.phrases or ())
        )
    )


def _is_joined(name: str, base: str, phrases: Sequence[str]) -> bool:
    before, found, behind = name.partition(base)
    if not found or not (before or behind) or before[-1:].isalnum() or behind[:1].isalnum():
        return False
    return bool(phrases) and all(each.startswith(before) and each.endswith(behind) for each in phrases)


class _Part:
    """One of the networks: its cards' span lengths and an order of its cards."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.lengths: dict[str, float] = {
            name: WHOLE if card.span is None else card.span[1] - card.span[0]
            for name, card in network.cards.items()
        }
        self._order = callees_first(lambda name: network.cards[name].calls(), network.cards)

    def of_length(self, length: float) -> list[str]:
        return [name for name, own in self.lengths.items() if own == length]

    def versions(
        self, pool: CardPool, names: Iterable[str], length: float, joined: Mapping[str, int]
    ) -> dict[str, int]:
        """Put cards into the pool, as they are within a span of this length, with what they call as parts of theirs.

        A call of a card of a shorter span goes to `joined`.
        """
        cards = self.network.cards
        needed, pending = set(names), list(names)
        while pending:
            for called in cards[pending.pop()].calls():
                if self.lengths[called] >= length and called not in needed:
                    needed.add(called)
                    pending.append(called)
        numbers = dict(joined)
        own = {}
        for name in self._order:
            if name in needed:
                own[name] = numbers[name] = pool.add(cards[name], numbers)
        return own


def _join(
    pool: CardPool,
    parts: Sequence[_Part],
    versions: Sequence[Mapping[str, int]],
    joined: Sequence[dict[str, int]],
    length: float,
    max_pairs: int,
) -> None:
    """Merge the cards of all spans of a length, and note in `joined` what each has become."""
    by_span: dict[object, dict[int, set[int]]] = {}  # of each span, its cards and the networks that have them
    for i, part in enumerate(parts):
        for name in part.of_length(length):
            homes = by_span.setdefault(part.network.cards[name].span, {})
            homes.setdefault(versions[i][name], set()).add(i)
    rtn = pool.rtn() if any(len(homes) > 1 for homes in by_span.values()) else None
    became: dict[int, int] = {}
    for homes in by_span.values():
        for component in _components(pool, rtn, homes, max_pairs):
            became |= dict.fromkeys(component, pool.merge(component))
    for i, part in enumerate(parts):
        joined[i].update((name, became[versions[i][name]]) for name in part.of_length(length))


def _components(
    pool: CardPool, rtn: Rtn | None, homes: Mapping[int, set[int]], max_pairs: int
) -> Iterator[list[int]]:
    """Cards of one span in groups that hang together by common strings between networks."""
    group = {number: [number] for number in homes}
    for a, b in combinations(homes, 2):
        if group[a] is group[b] or (homes[a] == homes[b] and len(homes[a]) == 1):
            continue
        if _share_string(pool, rtn, a, b, max_pairs):
            group[a].extend(group[b])
            group |= dict.fromkeys(group[b], group[a])
    yield from {id(members): members for members in group.values()}.values()


def _share_string(pool: CardPool, rtn: Rtn | None, a: int, b: int, max_pairs: int) -> bool:
    if not set(pool[a].phrases or ()).isdisjoint(pool[b].phrases or ()):
        return True  # the same phrase calls the same cards, and every card has a string
    assert rtn is not None
    shared = rtn.share_string(a, b, max_pairs)
    if shared is None:
        raise SearchError(
            f"the cards {pool[a].name!r} and {pool[b].name!r} of span {pool[a].span} cannot be compared within "
            f"{max_pairs} pairs of places: give spans to the cards they call, or simplify them"
        )
    return shared


def _common_source(networks: Sequence[Network]) -> tuple[str, ...] | None:
    if not networks:
        raise FstmetricsError("there is no network to combine")
    for number, network in enumerate(networks):
        instance(Network).check(network, f"network {number} (from 0)")
    refuse_costs(networks, "a union")
    given = [network for network in networks if network.source is not None]
    for network in given[1:]:
        if network.source != given[0].source:
            one, other = (" ".join(n.source or ()) for n in (given[0], network))
            raise FstmetricsError(
                f"networks of different sentences: the source of {given[0].id or 'one'!r} is {one!r}, "
                f"of {network.id or 'another'!r} {other!r}"
            )
    return given[0].source if given else None


def _finished(
    pool: CardPool, roots: Sequence[int], networks: Sequence[Network], source: tuple[str, ...] | None
) -> Network:
    spans = {network.cards[network.root].span for network in networks}
    root = replace(pool[pool.merge(roots)], span=spans.pop() if len(spans) == 1 else None)
    ids = {network.id for network in networks}
    units = sorted({network.unit for network in networks if network.unit is not None})
    if len(units) > 1:
        raise FstmetricsError(f"networks whose words were cut by different units: {' and '.join(units)}")
    return pool.network(
        pool.put(root),
        id=ids.pop() if len(ids) == 1 else "",
        source=source,
        unit=units[0] if units else None,
        **_common_words(networks),
    )


def _common_words(networks: Sequence[Network]) -> dict[str, Any]:
    """The tokenizer and the case that networks say of their words.

    Raises:
        FstmetricsError: two say different things, or one says nothing.
    """
    first = networks[0]
    for other in networks[1:]:
        pair = (first, other)
        if first.tokenize != other.tokenize:
            said = " and ".join(each.tokenize or "none" for each in pair)
            raise FstmetricsError(
                f"networks whose words were made by different tokenizers: {said}; build all with one --tokenize"
            )
        if first.lowercase != other.lowercase:
            raise FstmetricsError(
                "networks of which one is in lower case: build all with --lowercase, or none"
            )
    return {"tokenize": first.tokenize, "lowercase": first.lowercase}
