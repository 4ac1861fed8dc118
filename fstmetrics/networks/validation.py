"""Everything that is wrong with a network, not only the first thing: `network_faults`.

`Network` itself stops at the first fault. What it takes has no fault here, and the other way round; a test holds the
two together.

What is allowed in a network but seldom meant: `network_remarks`, `card_remarks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fstmetrics.data.cards import (
    Call,
    Card,
    CardArc,
    Token,
    is_arc,
    is_final_with_costs,
    is_list_of,
    parse_phrase,
    reached,
    reached_states,
    write_phrase,
)
from fstmetrics.data.network import FORMAT, SETTINGS, UNITS, Network
from fstmetrics.networks.calls import chain_of_calls, useful_cards
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation
from fstmetrics.text.tokenizers import KNOWN, OTHER

ROOT_KEYS = {"format", "cards", *SETTINGS}
CARD_KEYS = {"span", "phrases", "start", "arcs", "final"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and the card it is in, or None for the whole network."""

    card: str | None
    message: str

    def __str__(self) -> str:
        return self.message if self.card is None else f"card {self.card!r}: {self.message}"


def network_faults(data: Any) -> list[Fault]:
    """Every fault of a network in the JSON form's object; an empty list means that `Network.from_dict` takes it.

    >>> for fault in network_faults({"format": "fstmetrics-network/1", "root": "S", "cards": {
    ...     "S": {"phrases": ["the [X]", "a [Y]"], "spam": 0}, "X": {"phrases": []}}}):
    ...     print(fault)
    card 'S': unknown key 'spam'
    card 'X': there is no phrase; an empty phrase is written ""
    card 'S': calls 'Y', which is not among the cards
    """
    if not isinstance(data, dict):
        return [Fault(None, "a network is a JSON object")]
    faults = [Fault(None, message) for message in _outside(data)]
    cards: dict[str, Card] = {}
    given = data.get("cards")
    for name, card in given.items() if isinstance(given, dict) else ():
        problems: list[str] = []
        cards[name] = _card(name, card, problems.append)
        faults += [Fault(name, problem) for problem in problems]
    faults += _calls(cards)
    # Paths through what could not be read would be guesses.
    unread = {fault.card for fault in faults}
    faults += [Fault(n, message) for n, card in cards.items() if n not in unread for message in _paths(card)]
    return faults + _circles(cards)


def _outside(data: Mapping[str, Any]) -> Iterator[str]:
    if data.get("format") != FORMAT:
        yield f'"format" is {data.get("format")!r}, expected "{FORMAT}"'
    for key in sorted(set(data) - ROOT_KEYS):
        yield f"unknown key {key!r}"
    if not isinstance(data.get("cards"), dict):
        yield '"cards" must be an object, a card a name'
    elif not isinstance(data.get("root"), str):
        yield '"root" must be the name of a card'
    elif data["root"] not in data["cards"]:
        yield f"the root {data['root']!r} is not among the cards"
    source = data.get("source")
    if source is not None and not (
        isinstance(source, list) and all(isinstance(word, str) for word in source)
    ):
        yield '"source" must be a list of words'
    if data.get("unit") not in (None, *UNITS):
        yield f'"unit" must be one of {", ".join(UNITS)}'
    tokenize = data.get("tokenize")
    if tokenize is not None and (not isinstance(tokenize, str) or tokenize.split() != [tokenize]):
        yield '"tokenize" must be the name of a tokenizer'
    if not isinstance(data.get("lowercase", False), bool):
        yield '"lowercase" must be true or false'


def _card(name: str, data: Any, complain: Callable[[str], None]) -> Card:
    """As much of a card as can be read."""
    nothing = Card(name, (), frozenset())
    if not isinstance(data, dict):
        complain('must be an object with "phrases" or "arcs"')
        return nothing
    for key in sorted(set(data) - CARD_KEYS):
        complain(f"unknown key {key!r}")
    span = data.get("span")
    if span is not None and not (is_list_of(span, int) and len(span) == 2 and 0 <= span[0] <= span[1]):
        complain(f'"span" must be [from, to] with 0 <= from <= to, not {span!r}')
    if ("phrases" in data) == ("arcs" in data):
        complain('needs either "phrases" or "arcs"')
        return nothing
    return _from_phrases(name, data, complain) if "phrases" in data else _from_arcs(name, data, complain)


def _from_phrases(name: str, data: Mapping[str, Any], complain: Callable[[str], None]) -> Card:
    phrases = data["phrases"]
    if not isinstance(phrases, list):
        complain('"phrases" must be a list of strings')
        phrases = []
    elif not phrases:
        complain('there is no phrase; an empty phrase is written ""')
    arcs: list[CardArc] = []
    for phrase in phrases:
        if not isinstance(phrase, str):
            complain(f'"phrases" must be a list of strings; {phrase!r} is none')
            continue
        # Only calls and the path matter, so all words of a phrase may share one arc each between the same states.
        arcs += [(0, 1, token) for token in _tokens(phrase, complain) or ("",)]
    return Card(name, tuple(arcs), frozenset({1}))


def _tokens(text: str, complain: Callable[[str], None]) -> tuple[Token, ...]:
    try:
        return parse_phrase(text)
    except FstmetricsError as error:
        complain(str(error))
        return ()


def _from_arcs(name: str, data: Mapping[str, Any], complain: Callable[[str], None]) -> Card:
    start = data.get("start", 0)
    if not is_list_of([start], int):
        complain(f'"start" must be a state, not {start!r}')
        start = 0
    finals = _finals(data.get("final"), complain)
    given = data["arcs"]
    if not isinstance(given, list):
        complain('"arcs" must be a list of [from, to, label]')
        given = []
    arcs = [arc for number, value in enumerate(given) for arc in _arcs(number, value, complain)]
    limit = 10 * (len(arcs) + len(finals) + 1) + 1_000_000
    for state in dict.fromkeys((start, *finals, *(s for arc in arcs for s in arc[:2]))):
        if not 0 <= state <= limit:
            complain(f"state {state} is out of range")
    return Card(name, tuple(arcs), frozenset(finals), start)


def _finals(given: Any, complain: Callable[[str], None]) -> list[int]:
    if not isinstance(given, list) or not all(is_list_of([v], int) or is_final_with_costs(v) for v in given):
        complain('"final" must be a list of states, or of [state, [graph cost, acoustic cost]]')
        return []
    costs: dict[int, Any] = {}
    for value in given:
        state, cost = (value, [0.0, 0.0]) if isinstance(value, int) else value
        if costs.setdefault(state, cost) != cost:
            complain(f"final state {state} has two different costs")
    return list(costs)


def _arcs(number: int, arc: Any, complain: Callable[[str], None]) -> list[CardArc]:
    """The arc, as one for each of its words and calls: only calls and the states matter here."""
    if not is_arc(arc):
        complain(
            f"arc {number} must be [from, to, label], or with [graph cost, acoustic cost] after the label, not {arc!r}"
        )
        return []
    tokens = _tokens(arc[2], lambda message: complain(f"arc {number}: {message}"))
    return [(arc[0], arc[1], token) for token in tokens or ("",)]


def _calls(cards: Mapping[str, Card]) -> list[Fault]:
    return [
        Fault(name, f"calls {called!r}, which is not among the cards")
        for name, card in cards.items()
        for called in dict.fromkeys(card.calls())
        if called not in cards
    ]


def _paths(card: Card) -> Iterator[str]:
    found = reached_states(card)
    if not card.finals & found:
        yield "has no path from its start to a final state"
        return
    for state in sorted(card.finals - found):
        yield f"final state {state} cannot be reached"


def _circles(cards: Mapping[str, Card]) -> list[Fault]:
    """A fault for every group of cards that call one another in circles, at the first of them."""
    left = _around_circles(cards)
    faults, known = [], set[str]()
    for name in left:
        chain = [] if name in known else chain_of_calls(left.__getitem__, left[name], name)
        if chain:
            known |= {n for n in reached(left, left[name]) if name in reached(left, left[n])}
            faults.append(Fault(name, f"cards call each other in a circle: {' -> '.join([name, *chain])}"))
    return faults


def _around_circles(cards: Mapping[str, Card]) -> dict[str, list[str]]:
    """The cards that are in a circle or call one that is, through others or not, and those of them that they call."""
    calls = {name: [c for c in dict.fromkeys(card.calls()) if c in cards] for name, card in cards.items()}
    callers: dict[str, list[str]] = {}
    for name, called in calls.items():
        for other in called:
            callers.setdefault(other, []).append(name)
    open_calls = {name: len(called) for name, called in calls.items()}
    done = [name for name, count in open_calls.items() if count == 0]
    for name in done:  # which grows meanwhile
        for caller in callers.get(name, ()):
            open_calls[caller] -= 1
            if open_calls[caller] == 0:
                done.append(caller)
    left = set(cards).difference(done)
    return {name: [c for c in called if c in left] for name, called in calls.items() if name in left}


def network_remarks(network: Network) -> list[Fault]:
    """Cards that are on no path, phrases given twice, spans that do not fit one another or the source, doubled words.

    >>> cards = [Card.from_phrases("S", ["a", "a"], (0, 1)), Card.from_phrases("X", ["x"])]
    >>> for remark in network_remarks(Network(cards, "S")):
    ...     print(remark)
    card 'S': the phrase 'a' is there twice
    card 'X': is on no path from the root
    """
    useful = useful_cards(network)
    found = []
    for name, card in network.cards.items():
        found += card_remarks(card, network.cards, network.source)
        if name not in useful:
            found.append(Fault(name, "is on no path from the root"))
    return found + _doubled_words(useful) + _cut_words(network, useful)


def _cut_words(network: Network, cards: Mapping[str, Card]) -> list[Fault]:
    """Words that are no tokens of the network's tokenizer, so that hardly a hypothesis has them; case is folded."""
    own = Normalisation(
        network.tokenize if KNOWN.get(network.tokenize, OTHER).by_signs else None, network.lowercase
    )
    found: list[Fault] = []
    for name, card in cards.items() if own.tokenize else ():
        for word in dict.fromkeys(token for *_, token in card.arcs if isinstance(token, str) and token):
            if (tokens := own.words(word)) != [word.lower() if own.lowercase else word]:
                what = f"is {' '.join(tokens)!r}" if tokens else "is nothing"
                said = f"the word {word!r} {what} when tokenized by {own.tokenize}, so hardly a hypothesis has it"
                found.append(Fault(name, said))
            elif own.cuts_by_place and len(tokens := own.words(f"a {word} a")[1:-1]) > 1:
                what = f"is {' '.join(tokens)!r} between words when tokenized by {own.tokenize}"
                found.append(Fault(name, f"the word {word!r} {what}, so only ends of hypotheses have it"))
    return found


def _doubled_words(cards: Mapping[str, Card]) -> list[Fault]:
    """Words that come twice in a row where a card is called, as of `the [PM]` where a phrase of PM begins with "the".

    Args:
        cards: those on some path, callees first.
    """
    firsts: dict[str, set[str]] = {}
    lasts: dict[str, set[str]] = {}
    found: list[Fault] = []
    for name, card in cards.items():
        leaving: dict[int, list[tuple[Token, int]]] = {}
        entering: dict[int, list[tuple[Token, int]]] = {}
        for source, destination, token in card.arcs:
            leaving.setdefault(source, []).append((token, destination))
            entering.setdefault(destination, []).append((token, source))
        firsts[name] = set().union(*(_words_of(token, firsts) for token, _ in leaving.get(card.start, ())))
        lasts[name] = set().union(
            *(_words_of(t, lasts) for end in card.finals for t, _ in entering.get(end, ()))
        )
        doubled: dict[tuple[str, Token, Token], None] = {}
        for _, state, before in card.arcs:
            for after, _ in leaving.get(state, ()):
                if isinstance(before, Call) or isinstance(after, Call):
                    both = _words_of(before, lasts) & _words_of(after, firsts)
                    doubled |= dict.fromkeys((word, before, after) for word in sorted(both))
        for word, before, after in doubled:
            place = write_phrase([before, after])
            found.append(Fault(name, f"the word {word!r} comes twice in a row on a path through {place!r}"))
    return found


def _words_of(token: Token, cards: Mapping[str, set[str]]) -> set[str]:
    """The words that a token can begin, or end, with; of a call those of the card."""
    return cards.get(token.name, set()) if isinstance(token, Call) else {token} - {""}


def card_remarks(card: Card, cards: Mapping[str, Card], source: Sequence[str] | None) -> list[Fault]:
    """What can be said of one card, though others be faulty.

    Args:
        card: which is sound.
        cards: those that are sound, by name.
        source: the words that spans are of, if they are known.
    """
    return [Fault(card.name, message) for message in (*_spans(card, cards, source), *_phrases(card))]


def _spans(card: Card, cards: Mapping[str, Card], source: Sequence[str] | None) -> Iterator[str]:
    if card.span is None:
        return
    begin, end = card.span
    if source is not None and end > len(source):
        yield f"the span {begin}-{end} goes beyond the source, which has {len(source)} words"
    for called in dict.fromkeys(card.calls()):
        inner = cards[called].span if called in cards else None
        if inner is not None and not begin <= inner[0] <= inner[1] <= end:
            yield f"calls {called!r}, whose span {inner[0]}-{inner[1]} is not within its own, {begin}-{end}"


def _phrases(card: Card) -> Iterator[str]:
    seen = set()
    for phrase in card.phrases or ():
        if phrase in seen:
            yield f"the phrase {phrase!r} is there twice"
        seen.add(phrase)
    yield from sign_remarks(card)


# What Chinese and Japanese input methods write for `; ( ) [ ] |`.
WIDE = "\uff1b\uff08\uff09\uff3b\uff3d\uff5c"


def sign_remarks(card: Card) -> Iterator[str]:
    """Signs in phrases that mean nothing there, and may have been meant to part alternatives.

    >>> for phrase in ("the PM\uff1bhead", "a, b / c", "cat, dog", "the (very) big", "a (cat|dog)",
    ...                "a {cat|dog}", "cat|dog", "yes, of course"):
    ...     print(*sign_remarks(Card.from_phrases("X", [phrase])))
    the phrase 'the PM；head' has a full-width '；', a sign like others; phrases are parted by ';'
    the phrase 'a, b / c' has '/', a sign like others; phrases are parted by ';'
    the phrase 'cat, dog' has ',', a sign like others; phrases are parted by ';'
    the phrase 'the (very) big' has '(', a sign like others; an optional word is a phrase with it and one without
    the phrase 'a (cat|dog)' has '(', a sign like others; a choice is a phrase for each, or a card
    the phrase 'a {cat|dog}' has '{', a sign like others; a choice is a phrase for each, or a card
    the phrase 'cat|dog' has '|', a sign like others; a choice is a phrase for each, or a card
    <BLANKLINE>
    >>> print(*sign_remarks(Card.from_phrases("X", ["the cat # a note"])))
    the phrase 'the cat # a note' has '#', a sign like others; a comment is a line of its own that begins with #
    """
    for phrase in card.phrases or ():
        tokens = [token for token in parse_phrase(phrase) if isinstance(token, str)]
        if wide := next((sign for sign in WIDE if any(sign in token for token in tokens)), None):
            meant = "phrases are parted by ';'" if wide == WIDE[0] else "it is part of a word"
            yield f"the phrase {phrase!r} has a full-width {wide!r}, a sign like others; {meant}"
        elif sign := _parting_sign(tokens):
            yield f"the phrase {phrase!r} has {sign!r}, a sign like others; phrases are parted by ';'"
        elif "#" in tokens:
            yield (
                f"the phrase {phrase!r} has '#', a sign like others; a comment is a line of its own that begins with #"
            )
        elif sign := next((token[0] for token in tokens if len(token) > 1 and token[0] in "({"), ""):
            meant = "a choice is a phrase for each, or a card"
            if sign == "(" and not any("|" in token for token in tokens):
                meant = "an optional word is a phrase with it and one without"
            yield f"the phrase {phrase!r} has {sign!r}, a sign like others; {meant}"
        elif any("|" in token.strip("|") for token in tokens):
            yield f"the phrase {phrase!r} has '|', a sign like others; a choice is a phrase for each, or a card"


def _parting_sign(tokens: Sequence[str]) -> str:
    """What seems to part alternatives: a slash or bar by itself, or commas between single words; else nothing."""
    if alone := next((token for token in tokens if token in ("/", "|", "//", "||")), None):
        return alone
    parted = len(tokens) > 1 and all(token.endswith(",") and token != "," for token in tokens[:-1])
    return "," if parted else ""
