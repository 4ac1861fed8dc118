"""The cards that an annotator has for a sentence, and what a change makes of them.

`Cards` is a state: cards by id, among them the root, `S`, whose phrases are whole sentences. `changed` is the one way
from a state to the next: it reads a request, and answers with what it puts and drops (`Effect`), or refuses
(`ChangeRefusedError`). What is in an effect is what the log keeps, so that old logs mean for ever what they meant.

A card that is called and not there is made, empty and marked `asked`; it goes when nobody calls it any more. A card
without a phrase has no path: phrases that call it have none yet (`network_of`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from typing import Any, cast

from fstmetrics import FstmetricsError, Network, Normalisation
from fstmetrics.apps.annotate.typed_alternatives import (
    TypedPhrase,
    calls_in,
    calls_of,
    can_be_empty,
    card_of_phrases,
    expansions,
    has_joined,
    in_words,
    renamed_calls,
    typed_phrases,
    typed_text,
    typed_token,
    with_phrase,
    worded_phrases,
)
from fstmetrics.data.cards import Call, Card, circle_of
from fstmetrics.data.network import NetworkUnit
from fstmetrics.networks.building import card_name
from fstmetrics.networks.calls import callees_first
from fstmetrics.networks.short_forms import Joined, Joining, Row
from fstmetrics.networks.text_form import card_phrases
from fstmetrics.support.names import listed, unused
from fstmetrics.text.normalisation import PLAIN, Unit

ROOT_ID, ROOT_NAME = "root", "S"
# Characters of a card's text and name, cards of a sentence: more than anybody types.
MOST_TEXT, MOST_NAME, MOST_CARDS = 20_000, 100, 2_000
# Parentheses in a text: thousands of words that can be left out would keep the server busy for minutes.
MOST_CHOICES = 200

# Phrases of cards that are made because something is joined to a call: so many take half a second.
MOST_JOINED = 5_000

# What is wrong with whole sentences of which a path has no words.
NO_WORD = "a whole sentence has words"
MAYBE_NO_WORD = "a whole sentence has words, and here all of them can be left out"

# What a request to change cards may have; the log keeps nothing else of it.
FIELDS = frozenset({"op", "card", "span", "name", "text", "phrase"})

Span = tuple[int, int]


class ChangeRefusedError(FstmetricsError):
    """A change that cannot be made.

    Attributes:
        circle: names of cards that would call one another in a circle, the first also last; or none.
    """

    def __init__(self, message: str, circle: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.circle = tuple(circle)


@dataclass(frozen=True, slots=True)
class TypedCard:
    """A card as it was typed.

    Attributes:
        id: what changes call it by; it stays when the name changes.
        name: what other cards call it by.
        span: the source words that it translates, half-open, or None.
        text: its phrases, parted by `;`.
        named: whether somebody chose the name; else it follows the first phrase until another card calls it.
        asked: whether it was made because another card calls it, and is still empty.
        origin: where it was copied from: annotator, sentence and the card's name there; or None.
    """

    id: str
    name: str
    span: Span | None = None
    text: str = ""
    named: bool = False
    asked: bool = False
    origin: tuple[str, str, str] | None = None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "id": self.id,
            "name": self.name,
            "span": list(self.span) if self.span else None,
            "text": self.text,
            "named": self.named,
            "asked": self.asked,
            "origin": list(self.origin) if self.origin else None,
        }

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> TypedCard:
        """From what `as_dict` gave."""
        span, origin = data.get("span"), data.get("origin")
        return cls(
            data["id"], data["name"], None if span is None else (span[0], span[1]), data["text"],
            bool(data.get("named")), bool(data.get("asked")),
            None if origin is None else (origin[0], origin[1], origin[2]),
        )  # fmt: skip

    @property
    def calls(self) -> tuple[str, ...]:
        """Names of the cards that it calls, each once."""
        return tuple(dict.fromkeys(name for phrase in typed_phrases(self.text) for name in phrase.calls))


Cards = Mapping[str, TypedCard]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does to the cards.

    Attributes:
        put: cards that are new or other than before.
        drop: ids of cards that go.
        card: the id of the card that the request is about.
    """

    put: tuple[TypedCard, ...] = ()
    drop: tuple[str, ...] = ()
    card: str = ""

    def as_dict(self) -> dict[str, Any]:
        """For the log."""
        return {"put": [card.as_dict() for card in self.put], "drop": list(self.drop)}

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> Effect:
        """From the log."""
        return cls(tuple(map(TypedCard.of_dict, data["put"])), tuple(data["drop"]))

    def on(self, cards: Cards) -> dict[str, TypedCard]:
        """The cards after it."""
        after = {id: card for id, card in cards.items() if id not in self.drop}
        after.update((card.id, card) for card in self.put)
        return after


def first_cards(words: int) -> dict[str, TypedCard]:
    """The cards of a sentence where nothing was typed yet: an empty root over all its words."""
    return {ROOT_ID: TypedCard(ROOT_ID, ROOT_NAME, (0, words) if words else None, named=True)}


def cards_of(network: Network, target: Unit = "word") -> dict[str, TypedCard]:
    """The cards of a network as they would be typed; its root becomes `S`.

    Args:
        network: the network.
        target: what its words are cut into; the text of cards is as people write it.

    Raises:
        FstmetricsError: a card whose arcs have more phrases than can be typed.
    """
    names = {network.root: ROOT_NAME}
    used = {ROOT_NAME}
    for name in network.cards:
        if name != network.root:
            names[name] = unused(name.strip() or card_name([]), used)
            used.add(names[name])
    found: dict[str, TypedCard] = {}
    numbers = count(1)
    for name, card in network.cards.items():
        id = ROOT_ID if name == network.root else f"c{next(numbers)}"
        phrases = card_phrases(card)
        text = typed_text(phrases, target, names)
        if len(text) > MOST_TEXT:
            raise FstmetricsError(
                f"network {network.id!r}: card {name!r} has {len(text)} characters of phrases; the most that can be "
                f"typed is {MOST_TEXT}"
            )
        found[id] = TypedCard(id, names[name], card.span, text, named=True)
    return {ROOT_ID: found.pop(ROOT_ID), **found}


def changed(cards: Cards, request: Mapping[str, Any], words: int) -> Effect:
    """What a request does to the cards of a sentence.

    Args:
        cards: before.
        request: `op` and its fields (`README.md`): `create`, `text`, `add`, `rename`, `span`, `delete`.
        words: of the source sentence.

    Raises:
        ChangeRefusedError: fields that are missing or not of their kind; no such card; a name that another card has;
            a span beyond the sentence; cards that would call one another in a circle.

    >>> cards = first_cards(4)
    >>> made = changed(cards, {"op": "create", "span": [1, 3], "text": "prime minister; PM"}, 4)
    >>> made.put[0].name
    'PRIME-MINISTER'
    """
    operations = {
        "create": _create,
        "text": _text,
        "add": _add,
        "rename": _rename,
        "span": _span,
        "delete": _delete,
    }
    op = request.get("op")
    if not isinstance(op, str) or op not in operations:
        raise ChangeRefusedError(f'"op" is {op!r:.40}, expected one of {", ".join(operations)}')
    after = dict(cards)
    id = operations[op](after, request, words)
    return settled(cards, after, id)


def settled(before: Cards, after: dict[str, TypedCard], id: str = "") -> Effect:
    """The effect that leads to some cards, with cards that are called made, and those that nobody calls any more gone.

    Raises:
        ChangeRefusedError: a circle, two cards of one name, or too many cards.
    """
    called = dict.fromkeys(name for card in after.values() for name in card.calls)
    for card in list(after.values()):
        if card.asked and (card.text or card.span):
            after[card.id] = replace(card, asked=False)
        elif card.asked and card.name not in called:
            del after[card.id]
    there: set[str] = set()
    # What somebody wrote comes before what was only made because it is called.
    for card in sorted(after.values(), key=lambda card: card.asked):
        if card.name in there and card.asked:
            del after[card.id]
        elif card.name in there:
            raise ChangeRefusedError(f"two cards are called {card.name!r}; give one of them another name")
        there.add(card.name)
    for name in called:
        if name not in there:
            made = TypedCard(new_id(before, after), _checked_name(name), named=True, asked=True)
            after[made.id] = made
    if len(after) > MOST_CARDS:
        raise ChangeRefusedError(f"a sentence has at most {MOST_CARDS} cards")
    if circle := circle_of({card.name: card.calls for card in after.values()}):
        raise ChangeRefusedError(f"cards would call each other in a circle: {' -> '.join(circle)}", circle)
    put = tuple(card for key, card in after.items() if before.get(key) != card)
    return Effect(put, tuple(key for key in before if key not in after), id)


def _create(cards: dict[str, TypedCard], request: Mapping[str, Any], words: int) -> str:
    span, text = span_of(request, words), _text_of(request, "text", "")
    name = _checked_name(request["name"]) if request.get("name") is not None else ""
    wanted = name or _automatic(text)
    same = next((card for card in cards.values() if card.name == wanted), None)
    if same is not None and same.asked:
        cards[same.id] = replace(same, span=span, text=text, asked=False)
        return same.id
    if same is not None and name:
        raise ChangeRefusedError(f"there is a card {name!r} already")
    card = TypedCard(new_id(cards, cards), unused(wanted, _names(cards)), span, text, named=bool(name))
    cards[card.id] = card
    return card.id


def _text(cards: dict[str, TypedCard], request: Mapping[str, Any], words: int) -> str:
    card = replace(_card(cards, request), text=_text_of(request, "text"))
    cards[card.id] = card
    _name_again(cards, card)
    return card.id


def _add(cards: dict[str, TypedCard], request: Mapping[str, Any], words: int) -> str:
    card, phrase = _card(cards, request), _text_of(request, "phrase").strip()
    found = typed_phrases(phrase)
    if len(found) != 1 or found[0].row is None:
        raise ChangeRefusedError(
            f"{phrase!r} is no phrase" + (f": {found[0].error}" if len(found) == 1 else "")
        )
    try:
        text = with_phrase(card.text, phrase)
    except FstmetricsError as error:
        raise ChangeRefusedError(str(error)) from None
    cards[card.id] = card = replace(card, text=_text_of({"text": text}, "text"))
    _name_again(cards, card)
    return card.id


def _rename(cards: dict[str, TypedCard], request: Mapping[str, Any], words: int) -> str:
    card, name = _card(cards, request), _checked_name(request.get("name"))
    if card.id == ROOT_ID:
        raise ChangeRefusedError(f"the card of the whole sentence is called {ROOT_NAME}")
    same = next((other for other in cards.values() if other.name == name and other.id != card.id), None)
    if same is not None and not same.asked:
        raise ChangeRefusedError(f"there is a card {name!r} already")
    if same is not None:  # nobody has written it yet: those that call it call this one
        del cards[same.id]
    _give_name(cards, replace(card, named=True), name)
    return card.id


def _span(cards: dict[str, TypedCard], request: Mapping[str, Any], words: int) -> str:
    card = _card(cards, request)
    if card.id == ROOT_ID:
        raise ChangeRefusedError("the span of the whole sentence does not change")
    cards[card.id] = replace(card, span=span_of(request, words))
    return card.id


def _delete(cards: dict[str, TypedCard], request: Mapping[str, Any], words: int) -> str:
    card = _card(cards, request)
    if card.id == ROOT_ID:
        cards[card.id] = replace(card, text="")
    else:  # of a card that is called, what is left is empty
        cards[card.id] = replace(card, text="", span=None, asked=True, named=True, origin=None)
    return card.id


def _card(cards: Cards, request: Mapping[str, Any]) -> TypedCard:
    id = request.get("card")
    if not isinstance(id, str) or id not in cards:
        raise ChangeRefusedError(f"there is no card with the id {id!r:.60}")
    return cards[id]


def _text_of(request: Mapping[str, Any], field: str, default: str | None = None) -> str:
    text = request.get(field, default)
    if not isinstance(text, str):
        raise ChangeRefusedError(f'"{field}" is missing, or no string')
    if len(text) > MOST_TEXT:
        raise ChangeRefusedError(f"a text of {len(text)} characters; the most is {MOST_TEXT}")
    if text.count("(") > MOST_CHOICES:
        raise ChangeRefusedError(
            f"a text of more than {MOST_CHOICES} parentheses; make cards of some of them"
        )
    return storable(text)


def storable(text: str) -> str:
    """The text.

    Raises:
        ChangeRefusedError: half of a surrogate pair, or a zero, which no file of text has.
    """
    if "\0" in text or (not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)):
        raise ChangeRefusedError("a text with half of a surrogate pair, or with a zero character")
    return text


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or not name.strip():
        raise ChangeRefusedError("a card needs a name")
    if len(name) > MOST_NAME:
        raise ChangeRefusedError(f"a name of {len(name)} characters; the most is {MOST_NAME}")
    if not storable(name).isprintable():
        raise ChangeRefusedError(f"the name {name!r} has characters that cannot be printed")
    return name if name == name.strip() else name.strip()


def span_of(request: Mapping[str, Any], words: int) -> Span | None:
    """The span of a request, or None where it has none.

    Raises:
        ChangeRefusedError: it is beyond the sentence, or no span at all.
    """
    span = request.get("span")
    if span is None:
        return None
    fine = isinstance(span, list | tuple) and len(span) == 2 and all(type(end) is int for end in span)
    if not fine or not 0 <= span[0] < span[1] <= words:
        raise ChangeRefusedError(f'"span" is {span!r:.40}, expected [from, to] within 0 to {words}')
    return span[0], span[1]


def _names(cards: Cards) -> set[str]:
    return {card.name for card in cards.values()}


def new_id(*states: Cards) -> str:
    """An id that no card of some states has."""
    taken = {id for cards in states for id in cards}
    largest = max((int(id[1:]) for id in taken if id[1:].isdigit()), default=0)
    return f"c{largest + 1}"


def _automatic(text: str) -> str:
    """The name of a card, after its first phrase that can be read; a call gives the name of its card."""
    for phrase in typed_phrases(text):
        if phrase.row is not None:
            tokens = (expansions(phrase.row, 20) or [()])[0]
            return card_name([
                "".join(token) if isinstance(token, Joined) else token.name if isinstance(token, Call) else token
                for token in tokens
            ])  # fmt: skip
    return card_name([])


def _name_again(cards: dict[str, TypedCard], card: TypedCard) -> None:
    """Let the name follow the first phrase, of a card that nobody named and nobody calls yet."""
    if card.named or any(card.name in calls_in(other.text) for other in cards.values()):
        return
    wanted = _automatic(card.text)
    if card.name == wanted or card.name.startswith(f"{wanted}~"):
        return
    cards[card.id] = replace(card, name=unused(wanted, _names(cards) - {card.name}))


def _give_name(cards: dict[str, TypedCard], card: TypedCard, name: str) -> None:
    """The card under another name, which all that call it know."""
    old = card.name
    cards[card.id] = replace(card, name=name)
    for other in list(cards.values()):
        # Also in phrases that cannot be read yet: they are going to call it.
        if old in calls_in(other.text):
            cards[other.id] = replace(
                other, text=_text_of({"text": renamed_calls(other.text, {old: name}.get)}, "text")
            )


@dataclass(frozen=True, slots=True)
class Compiled:
    """The cards that have paths.

    Attributes:
        cards: by name, callees before callers.
        empty: names of cards without a path.
        wordless: names of cards that were written with a path without words.
        phrases: of all cards, those without a path, too, as in the network: words cut, and nothing joined to a call.
        joined: names of cards that were made of a call with what is joined to it, such as `[PM]'s`.
    """

    cards: Mapping[str, Card] = field(default_factory=dict)
    empty: tuple[str, ...] = ()
    wordless: frozenset[str] = frozenset()
    phrases: Mapping[str, tuple[TypedPhrase, ...]] = field(default_factory=dict)
    joined: Mapping[str, Joined] = field(default_factory=dict)

    def unread(self, name: str) -> list[str]:
        """The phrases of a card that cannot be read yet, and do not count, each with why."""
        return [f"{phrase.text}: {phrase.error}" for phrase in self.phrases[name] if phrase.row is None]

    def left_out(self, name: str) -> list[str]:
        """All phrases of a card that do not count, each with why; some wait for cards without a path."""
        found = []
        for phrase in self.phrases[name]:
            waits_for = [f"[{called}]" for called in phrase.calls if called not in self.cards]
            why = phrase.error or (f"waits for {listed(waits_for)}" if waits_for else "")
            if why := why or (self.without_words(phrase) if name == ROOT_NAME else ""):
                found.append(f"{phrase.text}: {why}")
        return found

    def without_words(self, phrase: TypedPhrase) -> str:
        """What is wrong with a whole sentence that has a path without words, or ""."""
        if phrase.row is None or not can_be_empty(phrase.row, self.wordless):
            return ""
        return MAYBE_NO_WORD if phrase.row else NO_WORD

    def typed_name(self, name: str) -> str:
        """The name under which somebody typed a card of the network."""
        return self.joined[name].name if name in self.joined else name


def compiled(cards: Cards, normalisation: Normalisation = PLAIN) -> Compiled:
    """The cards that have paths: phrases that call a card without a path, or cannot be read, are left out.

    Whole sentences have words: a phrase of the root that has a path without any is left out, too.

    Args:
        cards: of a sentence.
        normalisation: of the project, which says how their words are cut.
    """
    by_name = {card.name: card for card in cards.values()}
    made: dict[str, Card] = {}
    empty: list[str] = []
    wordless: set[str] = set()
    phrases: dict[str, tuple[TypedPhrase, ...]] = {}
    joining = _JoinedCards(by_name, normalisation, made, phrases)
    for name in callees_first(lambda name: [c for c in by_name[name].calls if c in by_name], list(by_name)):
        card = by_name[name]
        whole = card.id == ROOT_ID
        phrases[name] = tuple(
            joining.phrase(phrase, uncut, name)
            for phrase, uncut in zip(
                worded_phrases(card.text, normalisation), typed_phrases(card.text), strict=True
            )
        )
        rows = tuple(
            phrase.row
            for phrase in phrases[name]
            if phrase.row is not None and all(each in made for each in phrase.calls)
        )
        words = tuple(row for row in rows if not can_be_empty(row, wordless))
        if len(words) < len(rows):
            wordless.add(name)
        if whole:
            rows = words
        if rows:
            made[name] = _made(name, rows, card.span)
        else:
            empty.append(name)
    return Compiled(made, tuple(empty), frozenset(wordless), phrases, joining.joined)


class _JoinedCards:
    """Cards for calls that something is joined to, as the text form of networks has them.

    Texts are joined as they were typed, and cut then.
    """

    def __init__(
        self,
        cards: Mapping[str, TypedCard],
        normalisation: Normalisation,
        made: dict[str, Card],
        phrases: dict[str, tuple[TypedPhrase, ...]],
    ) -> None:
        self._cards, self._normalisation = cards, normalisation
        self._made, self._phrases = made, phrases
        self._joining = Joining(cards, self._rows, MOST_JOINED)
        self._known = 0
        self._errors: dict[str, str] = {}
        self.joined: dict[str, Joined] = {}

    def phrase(self, phrase: TypedPhrase, uncut: TypedPhrase, name: str) -> TypedPhrase:
        """A phrase of a card in which nothing is joined; what cannot be joined cannot be read.

        Args:
            phrase: with its words cut.
            uncut: the same as it was typed.
            name: of the card.
        """
        if phrase.row is None or uncut.row is None or not has_joined(uncut.row):
            return phrase
        if not all(each in self._made for each in phrase.calls):
            return phrase  # it waits for them
        try:
            row = self._joining.written(uncut.row, [name])
            self._take_new()
            for called in calls_of(row):
                if called in self._errors:
                    raise FstmetricsError(self._errors[called])
            return replace(phrase, row=in_words(row, self._normalisation))
        except FstmetricsError as error:
            return replace(phrase, row=None, error=str(error))

    def _rows(self, name: str) -> list[Row]:
        """The rows of a card that count, as they were typed."""
        pairs = zip(self._counting(name), typed_phrases(self._cards[name].text), strict=True)
        return [uncut.row for counts, uncut in pairs if counts and uncut.row is not None]

    def _counting(self, name: str) -> list[bool]:
        return [
            one.row is not None and all(each in self._made for each in one.calls)
            for one in self._phrases[name]
        ]

    def _take_new(self) -> None:
        """Make the cards of calls that have not been met before."""
        new = list(self._joining.made.items())[self._known :]
        self._known += len(new)
        for call, name in new:
            typed = [
                phrase
                for phrase, counts in zip(self._phrases[call.name], self._counting(call.name), strict=True)
                if counts
            ]
            try:
                rows = tuple(in_words(row, self._normalisation) for row in self._joining.rows[name])
                for called in (each for row in rows for each in calls_of(row)):
                    if called in self._errors:
                        raise FstmetricsError(self._errors[called])
            except FstmetricsError as error:
                self._errors[name] = f"{typed_token(call)}: {error}"
                continue
            self.joined[name] = call
            self._phrases[name] = tuple(
                replace(one, row=row, calls=tuple(dict.fromkeys(calls_of(row))))
                for one, row in zip(typed, rows, strict=True)
            )
            self._made[name] = _made(name, rows, self._cards[call.name].span)


_made = lru_cache(maxsize=4096)(card_of_phrases)


def network_of(
    cards: Cards, id: str = "", source: Sequence[str] | None = None, normalisation: Normalisation = PLAIN
) -> Network | None:
    """The network of a sentence, or None while no whole sentence has a path. Cards that nothing calls are in it: the
    source-phrase-level union joins them with those of others.

    >>> cards = first_cards(2)
    >>> cards = changed(cards, {"op": "text", "card": "root", "text": "the [PM] (Conte)"}, 2).on(cards)
    >>> network_of(cards) is None, [card.name for card in cards.values() if card.asked]
    (True, ['PM'])
    >>> cards = changed(cards, {"op": "create", "span": [0, 1], "name": "PM", "text": "premier"}, 2).on(cards)
    >>> network_of(cards).cards["S"].phrases
    ('the [PM] Conte', 'the [PM]')
    """
    made = compiled(cards, normalisation).cards
    if ROOT_NAME not in made:
        return None
    unit = None if normalisation.unit == "word" else cast(NetworkUnit, normalisation.unit)
    tokenize, lowercase = normalisation.tokenize, normalisation.lowercase
    return Network(
        made.values(), ROOT_NAME, id=id, source=source, unit=unit, tokenize=tokenize, lowercase=lowercase
    )
