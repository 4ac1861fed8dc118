"""Reference networks: recursive transition networks of cards [H12 §2.1], and their JSON form (design §2).

`Network` is a set of `Card`s that call one another; a card's arcs carry words or calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import Automaton, Rtn, compile_cards
from fstmetrics.errors import FstmetricsError
from fstmetrics.json_text import parsed_json
from fstmetrics.phrases import Call, Token, parse_phrase, write_phrase
from fstmetrics.symbols import SymbolTable

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "fstmetrics-network/1"

# An arc of a card: source state, destination state, and a word, a call, or "" for no word.
CardArc = tuple[int, int, Token]


@dataclass(frozen=True, slots=True)
class Card:
    """One named choice of a network: a small automaton over words and calls.

    Attributes:
        name: what other cards call it by.
        arcs: (source, destination, token) triples; states are numbered from 0.
        finals: the final states.
        start: the start state.
        span: the source words it translates, half-open, or None.
        phrases: the phrases it was written as, or None for a card written as arcs.
    """

    name: str
    arcs: tuple[CardArc, ...]
    finals: frozenset[int]
    start: int = 0
    span: tuple[int, int] | None = None
    phrases: tuple[str, ...] | None = None

    @classmethod
    def from_phrases(cls, name: str, phrases: Sequence[str], span: tuple[int, int] | None = None) -> Card:
        """A card with one path a phrase.

        Raises:
            FstmetricsError: a phrase that cannot be read, or no phrase at all.
        """
        if not phrases:
            raise FstmetricsError(f'card {name!r} has no phrase, so no path; an empty phrase is written ""')
        arcs: list[CardArc] = []
        states = 2  # 0 is the start, 1 the end of every phrase
        for phrase in phrases:
            try:
                tokens = parse_phrase(phrase) or ("",)
            except FstmetricsError as error:
                raise FstmetricsError(f"card {name!r}: {error}") from None
            inner = [0, *range(states, states + len(tokens) - 1), 1]
            states += len(tokens) - 1
            arcs.extend(zip(inner, inner[1:], tokens, strict=False))
        return cls(name, tuple(arcs), frozenset({1}), 0, span, tuple(phrases))

    @property
    def num_states(self) -> int:
        """One more than the largest state named."""
        named = {self.start, *self.finals}
        return 1 + max(named.union(*((s, d) for s, d, _ in self.arcs)))

    def calls(self) -> Iterable[str]:
        """Names of the cards called, one an arc."""
        return (token.name for _, _, token in self.arcs if isinstance(token, Call))


class Network:
    """An immutable network. Scoring prepares it once and keeps what it prepared.

    Args:
        cards: by name.
        root: the card that stands for the whole sentence.
        id: what hypotheses pair with.
        source: the source sentence's words, or None.

    Raises:
        FstmetricsError: a card that calls itself, through others or not; a call to a missing card; a card
            without a path; a final state that cannot be reached. The message names the card.

    >>> network = Network([Card.from_phrases("S", ["a [X]", "[X]"]), Card.from_phrases("X", ["b", "c"])], "S")
    >>> sorted(network.cards)
    ['S', 'X']
    """

    def __init__(
        self, cards: Iterable[Card], root: str, *, id: str = "", source: Sequence[str] | None = None
    ) -> None:
        by_name: dict[str, Card] = {}
        for card in cards:
            if card.name in by_name:
                raise FstmetricsError(f"network {id or '(no id)'}: two cards are called {card.name!r}")
            by_name[card.name] = card
        self.__dict__["cards"] = MappingProxyType(by_name)
        self.root = root
        self.id = id
        self.source = None if source is None else tuple(source)
        try:
            _check(self)
        except FstmetricsError as error:
            raise FstmetricsError(f"network {id or '(no id)'}: {error}") from None

    @classmethod
    def read(cls, path: str | Path, format: str | None = None) -> Network:
        """Read the one network of a file; gzip is transparent.

        Raises:
            InputError: the file cannot be read, or does not hold exactly one network.
        """
        from fstmetrics.readers import read_one

        return read_one(path, cls, format=format)

    @classmethod
    def read_all(cls, path: str | Path, format: str | None = None) -> list[Network]:
        """Read every network of a file or folder; errors as of `read`."""
        from fstmetrics.readers import read_all

        return read_all(path, cls, format=format)

    @classmethod
    def from_json(cls, text: str, id: str = "") -> Network:
        """Read the JSON form; `id` is used where the text gives none.

        Raises:
            FstmetricsError: not this JSON form, or not a valid network.
            json.JSONDecodeError: not JSON at all; it has the line.
        """
        data = parsed_json(text, object_pairs_hook=_no_duplicates)
        if not isinstance(data, dict):
            raise FstmetricsError(f"a network is a JSON object, not {_kind(data)}")
        cards, root, id, source = _members(data, id)
        compiled = compile_cards(cards, root)
        if compiled is None:  # one by one, to say what is wrong
            return cls._of_members(cards, root, id, source)
        network = cls.__new__(cls)
        network.root, network.id, network.source = root, id, source
        words, rtn = compiled
        network.__dict__ |= {"_json": cards, "symbols": SymbolTable(words), "rtn": rtn}
        return network

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], id: str = "") -> Network:
        """Build from the JSON form's object; raises FstmetricsError as `from_json` does."""
        return cls._of_members(*_members(data, id))

    @classmethod
    def _of_members(
        cls, cards: Mapping[str, Any], root: str, id: str, source: Sequence[str] | None
    ) -> Network:
        return cls([_card_from_json(name, card) for name, card in cards.items()], root, id=id, source=source)

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """The cards by name; of a network that was read, they are made when first asked for."""
        cards: Mapping[str, Any] = self.__dict__["_json"]
        return MappingProxyType({name: _card_from_json(name, card) for name, card in cards.items()})

    def to_dict(self) -> dict[str, Any]:
        """The JSON form's object; `from_dict` gives an equal network back."""
        data: dict[str, Any] = {"format": FORMAT} | ({"id": self.id} if self.id else {}) | {"root": self.root}
        if self.source is not None:
            data["source"] = list(self.source)
        data["cards"] = {name: _card_to_json(card) for name, card in self.cards.items()}
        return data

    def to_json(self) -> str:
        """The JSON form, a card a line."""
        import json

        data = self.to_dict()
        cards = data.pop("cards")
        head = json.dumps(data, ensure_ascii=False)[:-1]
        lines = ",\n  ".join(
            f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(card, ensure_ascii=False)}"
            for name, card in cards.items()
        )
        return f'{head}, "cards": {{\n  {lines}}}}}\n'

    @cached_property
    def symbols(self) -> SymbolTable:
        """The words of all cards."""
        words = {t: None for card in self.cards.values() for *_, t in card.arcs if isinstance(t, str) and t}
        return SymbolTable(words)

    @cached_property
    def rtn(self) -> Rtn:
        """The cards as the engine has them; labels go by `symbols`, calls by the order of `cards`."""
        number = {name: i for i, name in enumerate(self.cards)}
        index = self.symbols.index
        automata = []
        for card in self.cards.values():
            labels = [-number[t.name] - 1 if isinstance(t, Call) else index[t] for *_, t in card.arcs]
            automata.append(
                Automaton(
                    card.num_states,
                    card.start,
                    np.array([source for source, _, _ in card.arcs], dtype=np.int32),
                    np.array(labels, dtype=np.int32),
                    np.array([destination for _, destination, _ in card.arcs], dtype=np.int32),
                    np.array(sorted(card.finals), dtype=np.int32),
                )
            )
        return Rtn(automata, number[self.root])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Network) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.id, self.root, tuple(self.cards)))

    def __repr__(self) -> str:
        return f"Network(id={self.id!r}, root={self.root!r}, cards={len(self.cards)})"


def _kind(value: object) -> str:
    names: dict[type, str] = {dict: "an object", list: "a list", str: "a string"}
    return names.get(type(value), type(value).__name__)


def _is_list_of(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(v, kind) and not isinstance(v, bool) for v in value)


def _expect(data: Mapping[str, Any], key: str, kind: type) -> Any:
    if not isinstance(data.get(key), kind):
        found = "missing" if key not in data else _kind(data[key])
        raise FstmetricsError(f'"{key}" is {found}, expected {_kind(kind())}')
    return data[key]


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise FstmetricsError(f"the key {twice!r} stands twice in one object")
    return found


def _members(data: Mapping[str, Any], id: str) -> tuple[dict[str, Any], str, str, tuple[str, ...] | None]:
    """The cards, the root, the id and the source of the JSON form; what the cards hold is not looked at."""
    if data.get("format") != FORMAT:
        raise FstmetricsError(f'"format" is {data.get("format")!r}, expected "{FORMAT}"')
    unknown = set(data) - {"format", "id", "root", "source", "cards"}
    if unknown:
        raise FstmetricsError(f"unknown key {sorted(unknown)[0]!r}")
    cards, source, own_id = _expect(data, "cards", dict), data.get("source"), data.get("id", id)
    if source is not None and not _is_list_of(source, str):
        raise FstmetricsError('"source" must be a list of words')
    return cards, _expect(data, "root", str), str(own_id), None if source is None else tuple(source)


def _card_from_json(name: str, data: Any) -> Card:
    if not isinstance(data, dict):
        raise FstmetricsError(f'card {name!r} must be an object with "phrases" or "arcs", not {_kind(data)}')
    unknown = set(data) - {"span", "phrases", "start", "arcs", "final"}
    if unknown:
        raise FstmetricsError(f"card {name!r}: unknown key {sorted(unknown)[0]!r}")
    span = data.get("span")
    if span is not None and not (_is_list_of(span, int) and len(span) == 2 and 0 <= span[0] <= span[1]):
        raise FstmetricsError(f'card {name!r}: "span" must be [from, to] with 0 <= from <= to, not {span!r}')
    span = None if span is None else (span[0], span[1])
    if ("phrases" in data) == ("arcs" in data):
        raise FstmetricsError(f'card {name!r} needs either "phrases" or "arcs"')
    if "phrases" in data:
        if not _is_list_of(data["phrases"], str):
            raise FstmetricsError(f'card {name!r}: "phrases" must be a list of strings')
        return Card.from_phrases(name, data["phrases"], span)
    return _card_from_arcs(name, data, span)


def _card_from_arcs(name: str, data: Mapping[str, Any], span: tuple[int, int] | None) -> Card:
    start, finals = data.get("start", 0), data.get("final")
    if not _is_list_of(finals, int) or not _is_list_of([start], int) or not isinstance(data["arcs"], list):
        raise FstmetricsError(f'card {name!r}: "start" is a state, "final" a list of states, "arcs" a list')
    arcs: list[CardArc] = []
    for number, arc in enumerate(data["arcs"]):
        good = (
            isinstance(arc, list) and len(arc) == 3 and _is_list_of(arc[:2], int) and isinstance(arc[2], str)
        )
        if not good:
            raise FstmetricsError(f"card {name!r}: arc {number} must be [from, to, label], not {arc!r}")
        try:
            tokens = parse_phrase(arc[2])
        except FstmetricsError as error:
            raise FstmetricsError(f"card {name!r}: arc {number}: {error}") from None
        if len(tokens) > 1:
            raise FstmetricsError(
                f"card {name!r}: arc {number} carries {len(tokens)} words; one arc, one word"
            )
        arcs.append((arc[0], arc[1], tokens[0] if tokens else ""))
    assert finals is not None
    for state in (start, *finals, *(s for arc in arcs for s in arc[:2])):
        # A state number is also the size of a table: a wild one must not become gigabytes.
        if not 0 <= state <= 10 * (len(arcs) + len(finals) + 1) + 1_000_000:
            raise FstmetricsError(f"card {name!r}: state {state} is out of range")
    return Card(name, tuple(arcs), frozenset(finals), start, span)


def _card_to_json(card: Card) -> dict[str, Any]:
    data: dict[str, Any] = {} if card.span is None else {"span": list(card.span)}
    if card.phrases is not None:
        return data | {"phrases": list(card.phrases)}
    arcs = [[s, d, write_phrase([token]) if token else ""] for s, d, token in card.arcs]
    return data | {"start": card.start, "arcs": arcs, "final": sorted(card.finals)}


def _check(network: Network) -> None:
    if network.root not in network.cards:
        raise FstmetricsError(f"the root {network.root!r} is not among the cards")
    for card in network.cards.values():
        for called in card.calls():
            if called not in network.cards:
                raise FstmetricsError(f"card {card.name!r} calls {called!r}, which is not among the cards")
        _check_paths(card)
    _check_recursion(network)


def _check_paths(card: Card) -> None:
    following: dict[int, list[int]] = {}
    for source, destination, _ in card.arcs:
        following.setdefault(source, []).append(destination)
    reached = {card.start}
    pending = [card.start]
    while pending:
        for state in following.get(pending.pop(), ()):
            if state not in reached:
                reached.add(state)
                pending.append(state)
    if not card.finals & reached:
        raise FstmetricsError(f"card {card.name!r} has no path from its start to a final state")
    if stray := card.finals - reached:
        raise FstmetricsError(f"card {card.name!r}: final state {min(stray)} cannot be reached")


def _check_recursion(network: Network) -> None:
    done: set[str] = set()
    for first in network.cards:
        stack, open_cards = [(first, iter(network.cards[first].calls()))], {first: None}
        while stack and first not in done:
            name, calls = stack[-1]
            called = next((c for c in calls if c not in done), None)
            if called is None:
                done.add(name)
                stack.pop()
                open_cards.pop(name)
            elif called in open_cards:
                circle = [*list(open_cards)[list(open_cards).index(called) :], called]
                raise FstmetricsError(f"cards call each other in a circle: {' -> '.join(circle)}")
            else:
                open_cards[called] = None
                stack.append((called, iter(network.cards[called].calls())))
