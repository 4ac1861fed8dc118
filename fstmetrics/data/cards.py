r"""Cards: the named choices that a network is made of, and their JSON form (design §2).

- `Card`: a small automaton over words and calls, with costs where a decoder gave some.
- `card_from_json`, `card_to_json`: one card of the JSON form; `kind_of`, `is_list_of` help with its checks.

The phrases annotators type: words and calls, `the [PRIME-MINISTER] of Italy` (design §2).

`parse_phrase` reads one, `write_phrase` writes it back, `write_label` what a single arc says. `[NAME]` calls a card;
`\[`, `\]`, `\;` and `\\` are literal; the empty phrase is legal. Both kinds of token stand between white space.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from fstmetrics.data.symbols import has_phrases, split_arcs
from fstmetrics.support.arguments import NUMBER, SPAN, STRING, STRINGS, Kind, described, items_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import in_a_line

_TOKEN = re.compile(r"\s*(?:\[(?P<call>(?:\\.|[^\[\]\\])*)\](?=\s|$)|(?P<word>(?:\\.|[^\s\[\]\\])+)(?=\s|$))")
_JOINED = re.compile(r"\s*(\[(?:\\.|[^\[\]\\])+\])(\[(?:\\.|[^\[\]\\])+\])")
_ESCAPE = re.compile(r"\\(.)")
_SPECIAL = re.compile(r"[\[\];\\]")


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the card of this name, as an arc of another card has it.

    Attributes:
        name: that of the card.

    >>> import fstmetrics as fm
    >>> arcs = ((0, 1, "the"), (1, 2, fm.Call("X")))
    >>> fm.hyter("the cat", fm.Network([fm.Card("S", arcs, {2}), fm.Card.from_phrases("X", ["cat", "hat"])], "S"))
    0.0
    """

    name: str


Token = str | Call
Name = TypeVar("Name", int, str)


def parse_phrase(text: str) -> tuple[Token, ...]:
    r"""Split a phrase into words and calls.

    >>> parse_phrase("the [ITALIAN] \\[sic\\]")
    ('the', Call(name='ITALIAN'), '[sic]')

    Raises:
        FstmetricsError: a bracket without its partner or inside a word, or an unknown escape.
    """
    tokens: list[Token] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            if joined := _JOINED.match(text, position):
                raise FstmetricsError(
                    f"phrase {text!r}: two calls cannot be joined, {joined[1]}{joined[2]}: put a space between them, "
                    f"{joined[1]} {joined[2]}"
                )
            raise FstmetricsError(
                f"phrase {text!r}: cannot read {text[position:].strip()!r}; a call is written [NAME] with white "
                r"space around it, a literal bracket \[ or \]"
            )
        call = match["call"]
        tokens.append(_unescape(match["word"], text) if call is None else Call(_unescape(call, text)))
        position = match.end()
    return tuple(tokens)


def _unescape(token: str, text: str) -> str:
    def literal(match: re.Match[str]) -> str:
        if match[1] not in "[];\\":
            raise FstmetricsError(f"phrase {text!r}: unknown escape {match[0]!r}; known are \\[ \\] \\; \\\\")
        return match[1]

    return _ESCAPE.sub(literal, token)


def write_phrase(tokens: Iterable[Token]) -> str:
    r"""The phrase as text; `parse_phrase` gives the same tokens back.

    >>> write_phrase(["the", Call("ITALIAN"), "[sic]"])
    'the [ITALIAN] \\[sic\\]'
    """
    return " ".join(
        f"[{_escape(token.name)}]" if isinstance(token, Call) else _escape(token) for token in tokens
    )


def write_label(token: Token) -> str:
    r"""What one arc says, "" for nothing; as a phrase it gives the same back.

    Raises:
        FstmetricsError: a word with white space in it, which would come back as several or none.

    >>> write_label("[sic]"), write_label("")
    ('\\[sic\\]', '')
    """
    if isinstance(token, str) and token and token.split() != [token]:
        raise FstmetricsError(
            f"the word {token!r} has white space in it, which parts words; join its parts, say by _"
        )
    return write_phrase([token]) if token else ""


def _escape(token: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", token)


# An arc of a card: source state, destination state, and a word, a call, or "" for no word.
CardArc = tuple[int, int, Token]
# Graph (or translation model) cost and acoustic cost, negative natural logs, as a lattice has them.
CostPair = tuple[float, float]
NO_COST: CostPair = (0.0, 0.0)
# The engine counts states in an int32, and keeps one offset more than there are states.
MAX_STATE = 2**31 - 3


STATE = Kind("a state, a whole number", lambda value: type(value) is int)
# What fields are, and how messages call that.
_KINDS: Mapping[str, tuple[Any, str]] = {
    "arcs": (list | tuple, "tuple"),
    "finals": (Set, "frozenset"),
    "costs": (list | tuple, "tuple of pairs"),
    "final_costs": (list | tuple, "tuple of pairs"),
}


@dataclass(frozen=True, slots=True)
class Card:
    """One named choice of a network: a small automaton over words and calls.

    Attributes:
        name: what other cards call it by.
        arcs: (source, destination, token) triples; states are numbered from 0. A token is a word, a `Call`, or "" for
            no word: "[X]" is a word here, and Call("X") calls a card. A word with white space in it is a phrase,
            which becomes an arc for each of its words; the first has the cost.
        finals: the final states.
        start: the start state.
        span: the source words it translates, half-open, or None.
        phrases: the phrases it was written as, or None for a card written as arcs.
        costs: (graph, acoustic) cost of each arc, negative natural logs; empty where arcs cost nothing.
        final_costs: the same of each final state, in ascending order of the states; empty likewise.

    >>> Card("X", ((0, 1, "cat"), (0, 1, "hat")), frozenset({1}), costs=((0.5, 0.0), (1.5, 0.0))).has_costs
    True
    """

    name: str
    arcs: tuple[CardArc, ...]
    finals: frozenset[int]
    start: int = 0
    span: tuple[int, int] | None = None
    phrases: tuple[str, ...] | None = None
    costs: tuple[CostPair, ...] = ()
    final_costs: tuple[CostPair, ...] = ()

    def __post_init__(self) -> None:
        self._check()
        for what, costs, number in (
            ("arcs", self.costs, len(self.arcs)),
            ("final states", self.final_costs, len(self.finals)),
        ):
            if costs and len(costs) != number:
                raise FstmetricsError(f"card {self.name!r}: {len(costs)} costs for {number} {what}")
            pairs = all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in costs)
            if not (
                pairs and all(NUMBER.holds(cost) and math.isfinite(cost) for pair in costs for cost in pair)
            ):
                raise FstmetricsError(
                    f"card {self.name!r}: a cost is not a finite number, or not a pair of them"
                )
        if has_phrases([token for _, _, token in self.arcs if token and isinstance(token, str)]):
            arcs, came_from = split_arcs(self.arcs, self.num_states)
            costs = tuple(self.costs[place] if place >= 0 else NO_COST for place in came_from if self.costs)
            object.__setattr__(self, "arcs", tuple(arcs))
            object.__setattr__(self, "costs", costs)

    def __repr__(self) -> str:
        return in_a_line(self, name=self.name, arcs=len(self.arcs), span=self.span)

    def _check(self) -> None:
        """Refuse fields of other kinds."""
        STRING.check(self.name, "the name of a card")
        for name, kind in (("start", STATE), ("span", SPAN.or_none()), ("phrases", STRINGS.or_none())):
            kind.check(getattr(self, name), f"card {self.name!r}: {name}")
        for name, (kinds, called) in _KINDS.items():
            if not isinstance(value := getattr(self, name), kinds):
                raise FstmetricsError(f"card {self.name!r}: {name} are a {called}, not {described(value)}")
        for number, arc in enumerate(self.arcs):
            fine = isinstance(arc, list | tuple) and len(arc) == 3 and isinstance(arc[2], str | Call)
            if not (fine and STATE.holds(arc[0]) and STATE.holds(arc[1])):
                raise FstmetricsError(
                    f"card {self.name!r}: arc {number} is (from, to, word or Call), not {described(arc)}"
                )
        if not all(map(STATE.holds, self.finals)):
            raise FstmetricsError(f"card {self.name!r}: final states are whole numbers")

    @classmethod
    def from_phrases(cls, name: str, phrases: Sequence[str], span: tuple[int, int] | None = None) -> Card:
        """A card with one path a phrase.

        Raises:
            FstmetricsError: a phrase that cannot be read, or no phrase at all.
        """
        STRING.check(name, "the name of a card")
        SPAN.or_none().check(span, f"card {name!r}: span")
        phrases = items_of(phrases, f"card {name!r}: phrases")
        for phrase in phrases:
            STRING.check(phrase, f"card {name!r}: a phrase")
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

    @property
    def has_costs(self) -> bool:
        """Whether an arc or final state carries costs."""
        return bool(self.costs or self.final_costs)

    def calls(self) -> Iterable[str]:
        """Names of the cards called, one an arc."""
        return (token.name for _, _, token in self.arcs if isinstance(token, Call))

    def without_costs(self) -> Card:
        """The same card, whose arcs and final states cost nothing."""
        return replace(self, costs=(), final_costs=()) if self.has_costs else self


def kind_of(value: object) -> str:
    """What a JSON value is, for messages."""
    names: dict[type, str] = {dict: "an object", list: "a list", str: "a string"}
    return names.get(type(value), type(value).__name__)


def is_list_of(value: object, kind: type) -> bool:
    """Whether a value is a list of that kind; True and False are no integers."""
    return isinstance(value, list) and all(isinstance(v, kind) and not isinstance(v, bool) for v in value)


def is_cost_pair(value: object) -> bool:
    """Whether a JSON value is [graph, acoustic], two finite numbers."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    try:
        return all(type(v) in (int, float) and math.isfinite(v) for v in value)
    except OverflowError:  # an integer beyond all floats
        return False


def is_final_with_costs(value: object) -> bool:
    """Whether a JSON value is [state, [graph, acoustic]]."""
    return (
        isinstance(value, list) and len(value) == 2 and is_list_of(value[:1], int) and is_cost_pair(value[1])
    )


def is_arc(value: object) -> bool:
    """Whether a JSON value is [from, to, label] or [from, to, label, [graph, acoustic]]."""
    if not isinstance(value, list) or len(value) not in (3, 4):
        return False
    return is_list_of(value[:2], int) and isinstance(value[2], str) and all(map(is_cost_pair, value[3:]))


def card_from_json(name: str, data: Any) -> Card:
    """One card of the JSON form.

    Raises:
        FstmetricsError: what is wrong with it; calls and paths are not looked at.
    """
    if not isinstance(data, dict):
        raise FstmetricsError(
            f'card {name!r} must be an object with "phrases" or "arcs", not {kind_of(data)}'
        )
    unknown = set(data) - {"span", "phrases", "start", "arcs", "final"}
    if unknown:
        raise FstmetricsError(f"card {name!r}: unknown key {sorted(unknown)[0]!r}")
    span = data.get("span")
    if span is not None and not (is_list_of(span, int) and len(span) == 2 and 0 <= span[0] <= span[1]):
        raise FstmetricsError(f'card {name!r}: "span" must be [from, to] with 0 <= from <= to, not {span!r}')
    span = None if span is None else (span[0], span[1])
    if ("phrases" in data) == ("arcs" in data):
        raise FstmetricsError(f'card {name!r} needs either "phrases" or "arcs"')
    if "phrases" in data:
        if not is_list_of(data["phrases"], str):
            raise FstmetricsError(f'card {name!r}: "phrases" must be a list of strings')
        return Card.from_phrases(name, data["phrases"], span)
    return _card_from_arcs(name, data, span)


def _card_from_arcs(name: str, data: Mapping[str, Any], span: tuple[int, int] | None) -> Card:
    start = data.get("start", 0)
    if not is_list_of([start], int) or not isinstance(data["arcs"], list):
        raise FstmetricsError(f'card {name!r}: "start" is a state, "final" a list of states, "arcs" a list')
    finals, final_costs = _finals(name, data.get("final"))
    arcs, costs = [], []
    for number, arc in enumerate(data["arcs"]):
        arcs.append(_arc(name, number, arc))
        costs.append(_pair(arc[3]) if len(arc) == 4 else NO_COST)
    named = [start, *finals, *(state for arc in arcs for state in arc[:2])]
    check_states(Card(name, tuple(arcs), frozenset(finals), start))
    if max(named) >= 2 * len(named):
        # A state number is also the size of a table: with wild ones, those that are there are counted.
        dense = {state: i for i, state in enumerate(sorted(set(named)))}
        start, finals = dense[start], [dense[state] for state in finals]
        arcs = [(dense[source], dense[destination], token) for source, destination, token in arcs]
    return Card(
        name, tuple(arcs), frozenset(finals), start, span,
        costs=some_costs(costs), final_costs=some_costs(final_costs),
    )  # fmt: skip


def check_states(card: Card) -> None:
    """Refuse a state that the engine cannot number.

    Raises:
        FstmetricsError: it is negative, or beyond `MAX_STATE`.
    """
    for state in (card.start, *card.finals, *(s for arc in card.arcs for s in arc[:2])):
        if not 0 <= state <= MAX_STATE:
            raise FstmetricsError(
                f"card {card.name!r}: state {state} is out of range: states are 0 to {MAX_STATE}"
            )


def reached(calls: Mapping[Name, Iterable[Name]], starts: Iterable[Name]) -> set[Name]:
    """Some cards, or states of one, and all that they lead to."""
    found = set(starts)
    pending = list(found)
    while pending:
        for each in calls.get(pending.pop(), ()):
            if each not in found:
                found.add(each)
                pending.append(each)
    return found


def reached_states(card: Card) -> set[int]:
    """The states that the start leads to."""
    following: dict[int, list[int]] = {}
    for source, destination, _ in card.arcs:
        following.setdefault(source, []).append(destination)
    return reached(following, [card.start])


def circle_of(calls: Mapping[str, Iterable[str]]) -> list[str]:
    """The names of cards that call one another in a circle, the first also last; empty where there are none."""
    done: set[str] = set()
    for first in calls:
        path: dict[str, Iterator[str]] = {first: iter(calls[first])} if first not in done else {}
        while path:
            name = next(reversed(path))
            called = next(path[name], None)
            if called is None:
                done.add(name)
                del path[name]
            elif called in path:
                names = list(path)
                return [*names[names.index(called) :], called]
            elif called not in done:
                path[called] = iter(calls.get(called, ()))
    return []


def some_costs(costs: Sequence[CostPair]) -> tuple[CostPair, ...]:
    """The costs, or none at all where all are zero, which is what no costs mean."""
    return tuple(costs) if any(pair != NO_COST for pair in costs) else ()


def _pair(values: Sequence[float]) -> CostPair:
    return float(values[0]), float(values[1])


def _finals(name: str, data: Any) -> tuple[list[int], list[CostPair]]:
    """Final states in ascending order, and their costs."""
    if not isinstance(data, list) or not all(is_list_of([v], int) or is_final_with_costs(v) for v in data):
        raise FstmetricsError(
            f'card {name!r}: "start" is a state, "final" a list of states, or of [state, [graph cost, acoustic cost]]'
        )
    cost_of: dict[int, CostPair] = {}
    for value in data:
        state, cost = (value, NO_COST) if isinstance(value, int) else (value[0], _pair(value[1]))
        if cost_of.setdefault(state, cost) != cost:
            raise FstmetricsError(f"card {name!r}: final state {state} has two different costs")
    return sorted(cost_of), [cost_of[state] for state in sorted(cost_of)]


def _arc(name: str, number: int, arc: Any) -> CardArc:
    if not is_arc(arc):
        raise FstmetricsError(
            f"card {name!r}: arc {number} must be [from, to, label], or with [graph cost, acoustic cost] "
            f"after the label, not {arc!r}"
        )
    try:
        tokens = parse_phrase(arc[2])
    except FstmetricsError as error:
        raise FstmetricsError(f"card {name!r}: arc {number}: {error}") from None
    words = [token for token in tokens if isinstance(token, str)]
    if len(tokens) > 1 and len(words) < len(tokens):
        raise FstmetricsError(
            f"card {name!r}: arc {number} has a call beside {len(tokens) - 1} others; one arc, one call"
        )
    return arc[0], arc[1], " ".join(words) if words or not tokens else tokens[0]


def card_to_json(card: Card) -> dict[str, Any]:
    """The card in the JSON form; what costs nothing is written without costs."""
    data: dict[str, Any] = {} if card.span is None else {"span": list(card.span)}
    if card.phrases is not None and not card.has_costs:
        return data | {"phrases": list(card.phrases)}
    arcs: list[list[Any]] = [[s, d, write_phrase([token]) if token else ""] for s, d, token in card.arcs]
    for arc, cost in zip(arcs, card.costs, strict=False):
        arc.extend([list(cost)] if cost != NO_COST else [])
    finals: list[Any] = sorted(card.finals)
    for i, cost in enumerate(card.final_costs):
        finals[i] = [finals[i], list(cost)] if cost != NO_COST else finals[i]
    return data | {"start": card.start, "arcs": arcs, "final": finals}
