r"""What the text form writes short, written out: `written_out`.

- `[PM]'s`, `[CITY]-based`, `[PM],`, `ex-[PM]`: what stands right at a call is joined to the last, or the first, word of
  what it calls. It becomes a card of its own, `PM's`.
- A card `in any order`: its phrases are parts, and it has all of them, in every order.
- `agree: HE HIS`: where the first phrase of HE is taken, so is the first of HIS, and so on, in all of the sentence.
  Cards that lead to them become a card a choice, `HE~1`.

All of it is exact: the same strings as if everything were written, and within `MAX_PHRASES` phrases.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, permutations, product
from typing import NamedTuple

from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.cards import Call, parse_phrase, write_phrase

# Phrases of all cards, written out: of this many a network is read in less than a second.
MAX_PHRASES = 50_000
# Parts of a card in any order: 720 phrases.
MAX_PARTS = 6
# Cards that call one another in a chain, where something is joined to them or they are to agree.
MAX_DEPTH = 100

_PIECE = r"(?:\\.|[^\s\[\]\\])*"
_TOKEN = re.compile(rf"\s*(?P<before>{_PIECE})(?P<call>\[(?:\\.|[^\[\]\\])*\])(?P<behind>{_PIECE})(?=\s|$)")
_WORD = re.compile(r"\s*(?P<word>(?:\\.|[^\s\[\]\\])+)(?=\s|$)")


class Joined(NamedTuple):
    """A call with what is joined to it."""

    before: str
    name: str
    behind: str


Token = str | Joined


@dataclass(frozen=True)
class Written:
    """A card as it is written.

    Attributes:
        phrases: in the text form's notation.
        span: the source words, or None.
        any_order: whether the phrases are parts, all of which it has.
    """

    phrases: tuple[str, ...]
    span: tuple[int, int] | None = None
    any_order: bool = False


def tokens_of(phrase: str) -> list[Token]:
    r"""The words and calls of a phrase.

    Raises:
        FstmetricsError: it cannot be read.

    >>> tokens_of("the [PM]'s \\[sic\\] ex-[PM]")
    ['the', Joined(before='', name='PM', behind="'s"), '[sic]', Joined(before='ex-', name='PM', behind='')]
    """
    tokens: list[Token] = []
    position, end = 0, len(phrase.rstrip())
    while position < end:
        if match := _WORD.match(phrase, position):
            tokens += _words(match["word"])
        elif match := _TOKEN.match(phrase, position):
            (call,) = parse_phrase(match["call"])
            assert isinstance(call, Call)
            before, behind = ("".join(_words(match[side])) for side in ("before", "behind"))
            tokens.append(Joined(before, call.name, behind))
        else:
            parse_phrase(phrase)  # which says what is wrong
            raise FstmetricsError(f"phrase {phrase!r}: cannot be read")
        position = match.end()
    return tokens


def _words(text: str) -> list[str]:
    return [str(token) for token in parse_phrase(text)]


def calls_of(phrases: Iterable[str]) -> Iterator[str]:
    """The names that phrases call; those of phrases that cannot be read are left out."""
    for phrase in phrases:
        try:
            yield from (token.name for token in tokens_of(phrase) if isinstance(token, Joined))
        except FstmetricsError:
            continue


def written_out(
    cards: Mapping[str, Written], root: str, agree: Sequence[Sequence[str]]
) -> dict[str, Written]:
    """Cards in which nothing is joined, in any order, or to agree.

    Args:
        cards: those that are written, by name.
        root: the name of the root.
        agree: names of cards whose phrases go together.

    Raises:
        FstmetricsError: what cannot be joined or made to agree, or is more than the limits.

    >>> cards = {"PM": Written(("premier", "head of government")), "S": Written(("the [PM]'s plan",))}
    >>> {name: card.phrases for name, card in written_out(cards, "S", []).items()}["PM's"]
    ("premier's", "head of government's")
    >>> cards = {"HE": Written(("he", "she")), "HIS": Written(("his", "her")), "S": Written(("[HE] and [HIS] dog",))}
    >>> written_out(cards, "S", [["HE", "HIS"]])["S"].phrases
    ('[HE~1] and [HIS~1] dog', '[HE~2] and [HIS~2] dog')
    """
    given = {name: _in_any_order(name, card) if card.any_order else card for name, card in cards.items()}
    written = _Joining(_Agreement(given, root, agree).written() if agree else given).written()
    _check_size(sum(len(card.phrases) for card in written.values()))
    if written == given:
        return written
    # Cards of which only others that were made of them are on a path now.
    calls = _calls(written)
    replaced = _reached(_calls(given), [root]) - _reached(calls, [root])
    kept = _reached(calls, written.keys() - replaced)
    return {name: card for name, card in written.items() if name in kept}


def _calls(cards: Mapping[str, Written]) -> dict[str, list[str]]:
    """The cards that each card calls."""
    return {name: list(dict.fromkeys(calls_of(card.phrases))) for name, card in cards.items()}


def _reached(calls: Mapping[str, Sequence[str]], names: Iterable[str]) -> set[str]:
    """Cards and all that are called from them."""
    reached = set(names)
    pending = list(reached)
    while pending:
        for called in calls.get(pending.pop(), ()):
            if called not in reached:
                reached.add(called)
                pending.append(called)
    return reached


def _in_any_order(name: str, card: Written) -> Written:
    if len(card.phrases) > MAX_PARTS:
        raise FstmetricsError(
            f"card {name!r}: {len(card.phrases)} parts in any order; the most is {MAX_PARTS}. Join some that stay "
            "together into one part"
        )
    orders = (" ".join(filter(None, order)) for order in permutations(card.phrases))
    return replace(card, phrases=tuple(dict.fromkeys(orders)), any_order=False)


class _Names:
    """Names that no card has yet."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def of(self, wanted: str) -> str:
        candidates = (wanted if i == 1 else f"{wanted}~{i}" for i in count(1))
        name = next(name for name in candidates if name not in self._taken)
        self._taken.add(name)
        return name


def _with_calls(phrase: str, call: Callable[[Joined], Joined]) -> str:
    """A phrase with other calls."""
    parts = []
    for token in tokens_of(phrase):
        if isinstance(token, Joined):
            before, name, behind = call(token)
            parts.append(f"{write_phrase([before])}{write_phrase([Call(name)])}{write_phrase([behind])}")
        else:
            parts.append(write_phrase([token]))
    return " ".join(parts)


def _check_size(phrases: int) -> None:
    if phrases > MAX_PHRASES:
        raise FstmetricsError(
            f"the cards have {phrases} phrases or more when all is written out; the most is {MAX_PHRASES}"
        )


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise FstmetricsError(
            f"more than {MAX_DEPTH} cards call one another in a chain, and they are joined or to agree; write these out"
        )


Choices = tuple[tuple[int, int], ...]  # a group, and which of its phrases


class _Agreement:
    """Cards, one for each choice of the groups that they lead to."""

    def __init__(self, cards: Mapping[str, Written], root: str, agree: Sequence[Sequence[str]]) -> None:
        self._cards, self._root = cards, root
        self._calls = _calls(cards)
        self._group = self._groups(agree)
        self._sizes = [len(cards[names[0]].phrases) for names in agree]
        self._leads: dict[str, frozenset[int]] = {}
        self._names = _Names(cards)
        self._made: dict[tuple[str, Choices], str] = {}
        self._written: dict[str, Written] = {}
        self._phrases = self._depth = 0

    def _groups(self, agree: Sequence[Sequence[str]]) -> dict[str, int]:
        group: dict[str, int] = {}
        for number, names in enumerate(agree):
            if len(names) < 2:
                raise FstmetricsError("agree: expected two or more names of cards")
            for name in names:
                if name not in self._cards:
                    raise FstmetricsError(f"agree: there is no card {name!r}")
                if name in group:
                    raise FstmetricsError(f"agree: the card {name!r} is named twice")
                if name == self._root:
                    raise FstmetricsError(f"agree: {name!r} is the root, which has no other cards beside it")
                one, other = (len(self._cards[each].phrases) for each in (names[0], name))
                if one != other:
                    raise FstmetricsError(
                        f"agree: {names[0]!r} has {one} phrases and {name!r} has {other}; the first goes with the "
                        "first and so on, so they need as many"
                    )
                group[name] = number
        return group

    def written(self) -> dict[str, Written]:
        root = self._cards[self._root]
        phrases = [made for phrase in root.phrases for made in self._of_root(phrase)]
        own = {**self._cards, self._root: replace(root, phrases=tuple(dict.fromkeys(phrases)))}
        return {**self._written, **own}

    def _of_root(self, phrase: str) -> Iterator[str]:
        groups = sorted({group for name in calls_of([phrase]) for group in self._groups_of(name)})
        self._phrases += math.prod(self._sizes[group] for group in groups)
        _check_size(self._phrases)
        for chosen in product(*(range(self._sizes[group]) for group in groups)):
            yield self._phrase(phrase, tuple(zip(groups, chosen, strict=True)))

    def _phrase(self, phrase: str, choices: Choices) -> str:
        if not choices:
            return phrase
        return _with_calls(phrase, lambda call: call._replace(name=self._card(call.name, choices)))

    def _card(self, name: str, choices: Choices) -> str:
        """The name of a card under choices."""
        groups = self._groups_of(name)
        own = tuple(choice for choice in choices if choice[0] in groups)
        if not own:
            return name
        if (name, own) not in self._made:
            suffix = ".".join(str(number + 1) for _, number in own)
            made = self._made[name, own] = self._names.of(f"{name}~{suffix}")
            card, group = self._cards[name], self._group.get(name)
            phrases = card.phrases if group is None else [card.phrases[dict(own)[group]]]
            self._phrases += len(phrases)
            _check_size(self._phrases)
            self._depth += 1
            _check_depth(self._depth)
            self._written[made] = replace(card, phrases=tuple(self._phrase(each, own) for each in phrases))
            self._depth -= 1
        return self._made[name, own]

    def _groups_of(self, name: str) -> frozenset[int]:
        """The groups that a card leads to."""
        if name not in self._leads:
            reached = _reached(self._calls, [name])
            self._leads[name] = frozenset(self._group[each] for each in reached if each in self._group)
        return self._leads[name]


class _Joining:
    """Cards for calls that something is joined to."""

    def __init__(self, cards: Mapping[str, Written]) -> None:
        self._cards = cards
        self._names = _Names(cards)
        self._made: dict[Joined, str] = {}
        self._written: dict[str, Written] = {}

    def written(self) -> dict[str, Written]:
        own = {name: self._plain(card, [name]) for name, card in self._cards.items()}
        return {**self._written, **own}

    def _plain(self, card: Written, chain: list[str]) -> Written:
        return replace(card, phrases=tuple(self._phrase(phrase, chain) for phrase in card.phrases))

    def _phrase(self, phrase: str, chain: list[str]) -> str:
        if "[" not in phrase:
            return phrase
        try:
            tokens = tokens_of(phrase)
        except FstmetricsError:
            return phrase  # whoever reads the card says what is wrong, and where
        if not any(isinstance(token, Joined) and (token.before or token.behind) for token in tokens):
            return phrase
        return self._from(tokens, chain)

    def _from(self, tokens: Sequence[Token], chain: list[str]) -> str:
        return write_phrase(
            token if isinstance(token, str) else Call(self._card(token, chain)) for token in tokens
        )

    def _card(self, call: Joined, chain: list[str]) -> str:
        if call.name not in self._cards or not (call.before or call.behind):
            return call.name  # of a card that is not there, whoever reads the network complains
        if call not in self._made:
            what = f"{call.before}[{call.name}]{call.behind}"
            if call.name in chain:
                circle = " -> ".join([*chain[chain.index(call.name) :], call.name])
                raise FstmetricsError(f"cards call each other in a circle: {circle}")
            _check_depth(len(chain))
            name = self._names.of(f"{call.before}{call.name}{call.behind}")
            card = self._cards[call.name]
            phrases = [self._joined(phrase, call, what, [*chain, call.name]) for phrase in card.phrases]
            self._made[call] = name
            self._written[name] = replace(card, phrases=tuple(dict.fromkeys(phrases)))
        return self._made[call]

    def _joined(self, phrase: str, call: Joined, what: str, chain: list[str]) -> str:
        try:
            tokens = tokens_of(phrase)
        except FstmetricsError:
            return phrase
        if not tokens:
            raise FstmetricsError(
                f"{what}: the card {call.name!r} has an empty phrase, which nothing can be joined to"
            )
        for place, join in ((0, call.before), (-1, call.behind)):
            token, at_front = tokens[place], place == 0
            if isinstance(token, str):
                tokens[place] = join + token if at_front else token + join
            elif at_front:
                tokens[place] = token._replace(before=join + token.before)
            else:
                tokens[place] = token._replace(behind=token.behind + join)
        return self._from(tokens, chain)
