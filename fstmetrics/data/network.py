"""Networks: recursive transition networks of cards [H12 §2.1], and their JSON form (design §2).

`Network` is a set of `Card`s that call one another; a card's arcs carry words or calls. A network
holds references, or, as a shared forest, hypotheses; then its arcs carry costs, too. `BestDerivation` is the cheapest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args

import numpy as np

from fstmetrics._native import Automaton, Rtn, compile_cards
from fstmetrics.data.cards import (
    Call,
    Card,
    CardArc,
    card_from_json,
    card_to_json,
    check_states,
    circle_of,
    is_list_of,
    kind_of,
    reached_states,
    write_label,
)
from fstmetrics.data.lattice import UNSCALED, BestWords, Scales, scales_of
from fstmetrics.data.symbols import SENTENCE_MARKERS, SymbolTable
from fstmetrics.support.arguments import STRING, STRINGS, instance, items_of
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.json_text import parsed_json
from fstmetrics.support.limits import limits

if TYPE_CHECKING:
    from pathlib import Path

    import pynini

__all__ = ["FORMAT", "BestDerivation", "Card", "CardArc", "Network"]

FORMAT = "fstmetrics-network/1"
# What the words of a network may say that they were cut into, of the units of `Normalisation`.
NetworkUnit = Literal["word", "mixed", "char-no-space"]
UNITS: tuple[NetworkUnit, ...] = get_args(NetworkUnit)
# What a network is beside its cards and scales.
SETTINGS = ("root", "id", "source", "unit", "tokenize", "lowercase")


class BestDerivation(NamedTuple):
    """The derivation of least cost: its words, its cost (a weighted negative natural log), and its arcs.

    An arc is the name of its card and its number in `Card.arcs`. They stand in the order in which they are taken, what
    is called right after the arc that calls it.
    """

    words: tuple[str, ...]
    cost: float
    arcs: tuple[tuple[str, int], ...]


class Network:
    """An immutable network. Scoring prepares it once and keeps what it prepared.

    Args:
        cards: by name.
        root: the card that stands for the whole sentence.
        id: what hypotheses pair with.
        source: the source sentence's words, or None.
        scales: weights of the costs that cards carry, used where a caller names none; the JSON form has none.
        unit: what its words were cut into, `word`, `mixed` or `char-no-space`, with which alone it is scored; None
            where nobody says it.
        tokenize: the tokenizer of sacrebleu that made its words, with which alone it is scored; None for no tokenizer.
        lowercase: whether its words are in lower case; then it is scored without case.

    Raises:
        FstmetricsError: a card that calls itself, through others or not; a call to a missing card; a card
            without a path; a final state that cannot be reached. The message names the card. Or an unknown unit.

    >>> network = Network([Card.from_phrases("S", ["a [X]", "[X]"]), Card.from_phrases("X", ["b", "c"])], "S")
    >>> sorted(network.cards)
    ['S', 'X']
    """

    def __init__(
        self,
        cards: Iterable[Card],
        root: str,
        *,
        id: str = "",
        source: Sequence[str] | None = None,
        scales: Scales | None = None,
        unit: NetworkUnit | None = None,
        tokenize: str | None = None,
        lowercase: bool = False,
    ) -> None:
        STRING.check(id, "id")
        STRING.check(root, "root")
        STRINGS.or_none().check(source, "source")
        by_name: dict[str, Card] = {}
        for card in cards.values() if isinstance(cards, Mapping) else items_of(cards, "cards"):
            instance(Card).check(card, "a card")
            if card.name in by_name:
                raise FstmetricsError(f"network {id or '(no id)'}: two cards are called {card.name!r}")
            by_name[card.name] = card
        self.__dict__["cards"] = MappingProxyType(by_name)
        self.root = root
        self.id = id
        self.source = None if source is None else tuple(source)
        self.scales = scales_of(scales)
        self.unit = _checked_unit(unit)
        self.tokenize = _checked_tokenizer(tokenize)
        self.lowercase = _checked_case(lowercase)
        try:
            _check(self)
        except FstmetricsError as error:
            raise FstmetricsError(f"network {id or '(no id)'}: {error}") from None

    @classmethod
    def read(cls, path: str | Path, format: str | None = None, weights: str | Path | None = None) -> Network:
        """Read the one network or hypergraph of a file; gzip is transparent.

        Args:
            path: the file.
            format: a name from `fstmetrics.io.FORMATS`; by default it is recognised.
            weights: a file of feature weights, by which a hypergraph has costs; by default it has none.

        Raises:
            InputError: the file cannot be read, or does not hold exactly one network.
        """
        from fstmetrics.io import read_one

        return read_one(path, cls, format=format, weights=weights)

    @classmethod
    def read_all(
        cls, path: str | Path, format: str | None = None, weights: str | Path | None = None
    ) -> list[Network]:
        """Read every network or hypergraph of a file or folder; arguments and errors as of `read`."""
        from fstmetrics.io import read_all

        return read_all(path, cls, format=format, weights=weights)

    @classmethod
    def from_json(cls, text: str, id: str = "") -> Network:
        """Read the JSON form; `id` is used where the text gives none.

        Raises:
            InputError: not JSON; it has the line.
            FstmetricsError: not this JSON form, or not a valid network.
        """
        STRING.check(text, "text")
        STRING.check(id, "id")
        try:
            return cls.of_text(text, id)
        except FstmetricsError:
            raise
        except ValueError as error:
            message, line = getattr(error, "msg", str(error)), getattr(error, "lineno", None)
            raise InputError(f"not JSON: {message}", line=line) from None

    @classmethod
    def from_text(cls, text: str, id: str = "") -> Network:
        """Read the text form that annotators type; `id` is used where the text gives none.

        Raises:
            InputError: a line that cannot be read, with its number, or cards that make no network.

        >>> network = Network.from_text("[CAT]: cat; hat\\n[S]: the [CAT] sat\\n")
        >>> "the hat sat" in network, "the dog sat" in network
        (True, False)
        """
        from fstmetrics.networks.text_form import read_text_form

        STRING.check(text, "text")
        STRING.check(id, "id")
        return read_text_form(text, id)

    @classmethod
    def of_text(cls, text: str, id: str) -> Network:
        """As `from_json`, for readers, who know the file.

        Raises:
            json.JSONDecodeError: not JSON at all; it has the line.
            ValueError: JSON that is nested too deep, or with endless integers.
            FstmetricsError: as of `from_json`.
        """
        data = parsed_json(text, object_pairs_hook=_no_duplicates)
        if isinstance(data, list) and data and all(isinstance(each, str) for each in data):
            raise FstmetricsError("a list of strings, not a network; write sentences as text, one a line")
        if not isinstance(data, dict):
            raise FstmetricsError(f"a network is a JSON object, not {kind_of(data)}")
        cards, settings = _members(data, id)
        compiled = compile_cards(cards, settings["root"])
        if compiled is None:  # one by one, to say what is wrong
            return cls._of_members(cards, settings)
        network = cls.__new__(cls)
        words, rtn = compiled
        own = {"scales": UNSCALED, "_json": cards, "symbols": SymbolTable(words), "rtn": rtn}
        network.__dict__ |= {**settings, **own}
        return network

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], id: str = "") -> Network:
        """Build from the JSON form's object; raises FstmetricsError as `from_json` does."""
        instance(Mapping).check(data, "data")
        STRING.check(id, "id")
        return cls._of_members(*_members(data, id))

    @classmethod
    def _of_members(cls, cards: Mapping[str, Any], settings: Mapping[str, Any]) -> Network:
        return cls([card_from_json(name, card) for name, card in cards.items()], **settings)

    def changed(self, cards: Iterable[Card] | None = None, **settings: Any) -> Network:
        """The same network with other cards, or with another `root`, `id` or `source`; its scales go.

        >>> Network([Card.from_phrases("S", ["a"])], "S", tokenize="13a").changed(id="one").tokenize
        '13a'
        """
        own = {name: getattr(self, name) for name in SETTINGS}
        return Network(self.cards.values() if cards is None else cards, **{**own, **settings})

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """The cards by name; of a network that was read, they are made when first asked for."""
        cards: Mapping[str, Any] = self.__dict__["_json"]
        return MappingProxyType({name: card_from_json(name, card) for name, card in cards.items()})

    @property
    def card_names(self) -> tuple[str, ...]:
        """The names of the cards in the order of `cards`, which need not be made for it."""
        return tuple(self.__dict__.get("_json") or self.cards)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form's object; `from_dict` gives an equal network back."""
        data: dict[str, Any] = {"format": FORMAT} | ({"id": self.id} if self.id else {}) | {"root": self.root}
        if self.source is not None:
            data["source"] = list(self.source)
        for name in ("unit", "tokenize", "lowercase"):
            if value := getattr(self, name):
                data[name] = value
        data["cards"] = {name: card_to_json(card) for name, card in self.cards.items()}
        return data

    def to_json(self) -> str:
        """The JSON form, a card a line.

        Raises:
            FstmetricsError: a word with white space in it.
        """
        import json

        for word in self.symbols.words:
            write_label(word)  # or refuse it
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
        states = sum(card.num_states for card in self.cards.values())
        limits().check("states", states, f"network {self.id or '(no id)'} has", "states")
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
                    np.array(card.costs) if card.costs else None,
                    np.array(card.final_costs) if card.final_costs else None,
                )
            )
        return Rtn(automata, number[self.root])

    @property
    def has_costs(self) -> bool:
        """Whether an arc or final state of some card carries costs."""
        return bool(self.rtn.has_costs)

    def without_costs(self) -> Network:
        """The same network, in which nothing costs anything."""
        if not self.has_costs:
            return self
        return self.changed(card.without_costs() for card in self.cards.values())

    def to_pynini(self, max_arcs: int = 5_000_000) -> pynini.Fst:
        """The expansion as a `pynini.Fst` acceptor, costs added up by the network's scales.

        Raises:
            FstmetricsError: pynini is not installed, or the expansion could have more than `max_arcs` arcs.
        """
        from fstmetrics.networks.automata import expanded

        return expanded(self, max_arcs).to_pynini(self.scales)

    def weighed(self, scales: Scales) -> Network:
        """The same network under other scales; what is prepared is shared."""
        network = copy(self)
        network.scales = scales_of(scales, self.scales)
        return network

    def best_path(self, scales: Scales | None = None) -> BestDerivation:
        """The derivation of least weighted cost; every card is looked at once, whatever the number of derivations.

        Costs of calls and of final states count wherever they are passed; sentence markers count as no words.

        Args:
            scales: weights of the costs; by default the network's own.

        Raises:
            FstmetricsError: a card is cyclic, or the derivation has more than 10 million arcs.

        >>> cards = [Card("S", ((0, 1, "a"), (1, 2, Call("X"))), frozenset({2})),
        ...          Card("X", ((0, 1, "b"), (0, 1, "c")), frozenset({1}), costs=((2.0, 0.0), (0.5, 0.25)))]
        >>> Network(cards, "S").best_path()
        BestDerivation(words=('a', 'c'), cost=0.75, arcs=(('S', 0), ('S', 1), ('X', 1)))
        """
        scales = scales_of(scales, self.scales)
        counts = np.array(
            [word != "" and word not in SENTENCE_MARKERS for word in self.symbols.words], dtype=np.uint8
        )
        try:
            cost, cards, arcs, labels = self.rtn.best_path(
                scales.lm, scales.acoustic, scales.word_penalty, counts
            )
        except ValueError as error:
            raise FstmetricsError(f"network {self.id or '(no id)'}: {error}") from None
        names = list(self.cards)
        words = tuple(self.symbols.words[label] for label in labels.tolist() if label > 0 and counts[label])
        taken = zip(cards.tolist(), arcs.tolist(), strict=True)
        return BestDerivation(words, cost, tuple((names[card], arc) for card, arc in taken))

    def best_paths(self, n: int, scales: Scales | None = None) -> list[BestWords]:
        """The n distinct word sequences of least weighted cost, best first, each by its cheapest derivation.

        They are found from left to right over a chart of the cards, with costs rounded to multiples of 2^-24; nothing
        is written out. The costs told are not rounded so.

        Raises:
            FstmetricsError: n is less than 1, a card is cyclic, or costs are too large for exact sums.
            SearchError: the chart takes more cells than the limit.

        >>> cards = [Card("S", ((0, 1, Call("X")), (0, 1, "a"), (1, 2, Call("X"))), frozenset({2})),
        ...          Card("X", ((0, 1, "a"), (0, 1, "b")), frozenset({1}), costs=((2.0, 0.0), (0.5, 0.0)))]
        >>> [(" ".join(best.words), best.cost) for best in Network(cards, "S").best_paths(3)]
        [('a b', 0.5), ('b b', 1.0), ('a a', 2.0)]
        """
        from fstmetrics.lattices.best_paths import best_paths

        return best_paths(self, n, scales)

    def __contains__(self, sentence: str | Sequence[str]) -> bool:
        """Whether a sentence is a path: a string, split at white space, or its words; as written, without changes."""
        from fstmetrics.networks.cards_used import has_path

        return has_path(self, sentence)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Network) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.id, self.root, tuple(self.cards)))

    def __getstate__(self) -> dict[str, Any]:
        """What was given; all that is made of it is made again where it is needed."""
        state = {name: getattr(self, name) for name in ("scales", *SETTINGS)}
        kept = self.__dict__
        if "_json" in kept:
            return state | {name: kept[name] for name in ("_json", "symbols", "rtn")}
        return state | {"cards": dict(self.cards)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "cards" in state:
            self.__dict__["cards"] = MappingProxyType(state["cards"])

    def __copy__(self) -> Network:
        network = self.__class__.__new__(self.__class__)
        network.__dict__.update(self.__dict__)
        return network

    def __deepcopy__(self, memo: dict[int, Any]) -> Network:
        return copy(self)  # what it is made of cannot change

    def __repr__(self) -> str:
        return f"Network(id={self.id!r}, root={self.root!r}, cards={len(self.cards)})"

    def _repr_svg_(self) -> str | None:
        from fstmetrics.networks.svg import network_svg

        return network_svg(self)


def _expect(data: Mapping[str, Any], key: str, kind: type) -> Any:
    if not isinstance(data.get(key), kind):
        found = "missing" if key not in data else kind_of(data[key])
        raise FstmetricsError(f'"{key}" is {found}, expected {kind_of(kind())}')
    return data[key]


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise FstmetricsError(f"the key {twice!r} is twice in one object")
    return found


def _checked_unit(unit: Any) -> NetworkUnit | None:
    if unit is not None and unit not in UNITS:
        raise FstmetricsError(f'"unit" is {unit!r:.60}, expected one of {", ".join(UNITS)}')
    return cast("NetworkUnit | None", unit)


def _checked_tokenizer(tokenize: Any) -> str | None:
    if tokenize is not None and (not isinstance(tokenize, str) or tokenize.split() != [tokenize]):
        raise FstmetricsError(f'"tokenize" is {tokenize!r:.60}, expected the name of a tokenizer, as 13a')
    return None if tokenize == "none" else tokenize


def _checked_case(lowercase: Any) -> bool:
    if not isinstance(lowercase, bool):
        raise FstmetricsError(f'"lowercase" is {lowercase!r:.60}, expected true or false')
    return lowercase


def _members(data: Mapping[str, Any], id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The cards and the settings of the JSON form; what the cards hold is not looked at."""
    if data.get("format") != FORMAT:
        raise FstmetricsError(f'"format" is {data.get("format")!r}, expected "{FORMAT}"')
    unknown = set(data).difference(("format", "cards"), SETTINGS)
    if unknown:
        raise FstmetricsError(f"unknown key {sorted(unknown)[0]!r}")
    cards, source, own_id = _expect(data, "cards", dict), data.get("source"), data.get("id", id)
    if source is not None and not is_list_of(source, str):
        raise FstmetricsError('"source" must be a list of words')
    return cards, {
        "root": _expect(data, "root", str),
        "id": str(own_id),
        "source": None if source is None else tuple(source),
        "unit": _checked_unit(data["unit"]) if "unit" in data else None,
        "tokenize": _checked_tokenizer(data["tokenize"]) if "tokenize" in data else None,
        "lowercase": "lowercase" in data and _checked_case(data["lowercase"]),
    }


def _check(network: Network) -> None:
    if network.root not in network.cards:
        raise FstmetricsError(f"the root {network.root!r} is not among the cards")
    for card in network.cards.values():
        for called in card.calls():
            if called not in network.cards:
                raise FstmetricsError(f"card {card.name!r} calls {called!r}, which is not among the cards")
        check_states(card)
        reached = reached_states(card)
        if not card.finals & reached:
            raise FstmetricsError(f"card {card.name!r} has no path from its start to a final state")
        if stray := card.finals - reached:
            raise FstmetricsError(f"card {card.name!r}: final state {min(stray)} cannot be reached")
    if circle := circle_of({name: card.calls() for name, card in network.cards.items()}):
        raise FstmetricsError(f"cards call each other in a circle: {' -> '.join(circle)}")
