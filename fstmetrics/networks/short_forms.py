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
from itertools import permutations, product
from typing import NamedTuple

from fstmetrics.data.cards import Call, parse_phrase, reached, write_phrase
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import unused

# Phrases of all cards, written out: of this many a network is read in less than a second.
MAX_PHRASES = 50_000
# Parts of a card in any order: 720 phrases.
MAX_PARTS = 6
# Cards that call one another in a chain, where something is joined to them or they are to agree.
MAX_DEPTH = 100

_PIECE = r"(?:\\.|[^\s\[\]\\])*"
_TOKEN = re.compile(rf"\s*(?P<before>{_PIECE})(?P<call>\[(?:\\.|[^\[\]\\])*\])(?P<behind>{_PIECE})(?=\s|$)")
_TWO_CALLS = re.compile(rf"\s*(?:{_PIECE}\[(?:\\.|[^\[\]\\])*\]){{2,}}{_PIECE}")
_WORD = re.compile(r"\s*(?P<word>(?:\\.|[^\s\[\]\\])+)(?=\s|$)")


class Joined(NamedTuple):
    """A call with what is joined to it."""

    before: str
    name: str
    behind: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Rows of which a path takes one."""

    rows: tuple[Row, ...]


Token = str | Joined
Row = tuple["str | Call | Joined | Choice", ...]


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
            if joined := _TWO_CALLS.match(phrase, position):
                raise FstmetricsError(
                    f"phrase {phrase!r}: two calls are joined in {joined[0].strip()!r}: put a space between them, or "
                    "make a card of what one is joined to"
                )
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
    written = _joined_out(_Agreement(given, root, agree).written() if agree else given)
    _check_size(sum(len(card.phrases) for card in written.values()))
    if written == given:
        return written
    # Cards of which only others that were made of them are on a path now.
    calls = _calls(written)
    replaced = reached(_calls(given), [root]) - reached(calls, [root])
    # What cannot be read stays, for whoever reads the cards to say what is wrong, and where.
    faulty = {name for name in replaced if None in map(_row, written[name].phrases)}
    kept = reached(calls, (written.keys() - replaced) | faulty)
    return {name: card for name, card in written.items() if name in kept}


def _calls(cards: Mapping[str, Written]) -> dict[str, list[str]]:
    """The cards that each card calls."""
    return {name: list(dict.fromkeys(calls_of(card.phrases))) for name, card in cards.items()}


def _in_any_order(name: str, card: Written) -> Written:
    if len(card.phrases) > MAX_PARTS:
        raise FstmetricsError(
            f"card {name!r}: {len(card.phrases)} parts in any order; the most is {MAX_PARTS}. Join some that stay "
            "together into one part"
        )
    orders = (" ".join(filter(None, order)) for order in permutations(card.phrases))
    return replace(card, phrases=tuple(dict.fromkeys(orders)), any_order=False)


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


def _check_size(phrases: int, most: int = MAX_PHRASES) -> None:
    if phrases > most:
        raise FstmetricsError(
            f"the cards have {phrases} phrases or more when all is written out; the most is {most}"
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
        self._taken = set(cards)
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
            made = self._made[name, own] = unused(f"{name}~{suffix}", self._taken)
            self._taken.add(made)
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
            below = reached(self._calls, [name])
            self._leads[name] = frozenset(self._group[each] for each in below if each in self._group)
        return self._leads[name]


def _joined_out(cards: Mapping[str, Written]) -> dict[str, Written]:
    """Cards in which nothing is joined to a call, and those that say it instead."""

    def rows(name: str) -> list[Row]:
        return [row for row in map(_row, cards[name].phrases) if row is not None]

    joining = Joining(cards, rows)

    def joined(phrase: str, name: str) -> str:
        row = _row(phrase) if "[" in phrase else None
        if row is None or not any(isinstance(each, Joined) and (each.before or each.behind) for each in row):
            return phrase
        return _phrase_of(joining.written(row, [name]))

    own = {
        name: replace(card, phrases=tuple(joined(phrase, name) for phrase in card.phrases))
        for name, card in cards.items()
    }
    made = {
        name: replace(cards[call.name], phrases=tuple(dict.fromkeys(map(_phrase_of, joining.rows[name]))))
        for call, name in joining.made.items()
    }
    return {**made, **own}


def _row(phrase: str) -> Row | None:
    """The tokens of a phrase; None where it cannot be read."""
    try:
        return tuple(tokens_of(phrase))
    except FstmetricsError:
        return None


def _phrase_of(row: Row) -> str:
    return write_phrase(token for token in row if isinstance(token, str | Call))


class Joining:
    """Cards for calls that something is joined to.

    Args:
        names: of the cards that are there.
        rows: the rows of a card, by its name.
        most: how many rows the new cards may have together.

    Attributes:
        made: the names of the new cards, by what they stand for, callees first.
        rows: what they have, by name: for each row of the card that is called, one in which nothing is joined.

    >>> joining = Joining(["PM"], {"PM": [("prime", "minister"), ("premier", Choice((("Conte",), ())))]}.get)
    >>> joining.written(("the", Joined("", "PM", "'s"), "plan"), ["S"])
    ('the', Call(name="PM's"), 'plan')
    >>> joining.rows["PM's"][1]
    (Choice(rows=(('premier', "Conte's"), ("premier's",))),)
    """

    def __init__(
        self, names: Iterable[str], rows: Callable[[str], Sequence[Row] | None], most: int = MAX_PHRASES
    ) -> None:
        self._there = frozenset(names)
        self._taken = set(self._there)
        self._rows_of, self._most = rows, most
        self._number = 0
        self.made: dict[Joined, str] = {}
        self.rows: dict[str, tuple[Row, ...]] = {}

    def written(self, row: Row, chain: Sequence[str]) -> Row:
        """A row with calls of the new cards for what is joined.

        Args:
            row: of a card.
            chain: names of cards that call one another, the last of which has the row.

        Raises:
            FstmetricsError: a card that can be without words, where something is to be joined; a circle; or more rows,
                or a longer chain, than the limits.
        """
        return tuple(self._written(item, chain) for item in row)

    def _written(self, item: str | Call | Joined | Choice, chain: Sequence[str]) -> str | Call | Choice:
        if isinstance(item, Choice):
            return Choice(tuple(dict.fromkeys(self.written(row, chain) for row in item.rows)))
        return Call(self._card(item, chain)) if isinstance(item, Joined) else item

    def _card(self, call: Joined, chain: Sequence[str]) -> str:
        if call.name not in self._there or not (call.before or call.behind):
            return call.name  # of a card that is not there, whoever reads the network complains
        if call not in self.made:
            if call.name in chain:
                circle = " -> ".join([*chain[chain.index(call.name) :], call.name])
                raise FstmetricsError(f"cards call each other in a circle: {circle}")
            _check_depth(len(chain))
            name = unused(f"{call.before}{call.name}{call.behind}", self._taken)
            self._taken.add(name)
            rows = [
                self.written(_with_joined(row, call), [*chain, call.name])
                for row in self._rows_of(call.name) or ()
            ]
            self._number += len(rows)
            _check_size(self._number, self._most)
            self.made[call] = name
            self.rows[name] = tuple(rows)
        return self.made[call]


def _with_joined(row: Row, call: Joined) -> Row:
    """A row with what is joined to a call of its card."""
    if _can_be_empty(row):
        raise FstmetricsError(
            f"{call.before}[{call.name}]{call.behind}: the card {call.name!r} has an empty phrase, which nothing can "
            "be joined to"
        )
    for text, front in ((call.before, True), (call.behind, False)):
        rows = _joined_at(row, text, front) if text else (row,)
        row = rows[0] if len(rows) == 1 else (Choice(rows),)
    return row


def _can_be_empty(row: Row) -> bool:
    """Whether a row can be without words; what calls are of is looked at where something is joined to them."""
    return all(isinstance(item, Choice) and any(map(_can_be_empty, item.rows)) for item in row)


def _joined_at(row: Row, text: str, front: bool) -> tuple[Row, ...]:
    """The rows that a row becomes with a text joined to its first or last word, where it has any.

    >>> _joined_at(("a", Choice((("b",), ()))), "'s", False)
    (('a', "b's"), ("a's",))
    """

    def alone(rows: Sequence[Row]) -> Row:
        """Some rows as one, which is a choice where they are several."""
        return rows[0] if len(rows) == 1 else (Choice(tuple(map(ordered, rows))),)

    def ordered(row: Row) -> Row:
        return row if front else row[::-1]

    # From the side on which the text is.
    items = ordered(row)
    # What can be left out, before the first item that always has a word.
    optional = next((n for n, item in enumerate(items) if not _can_be_empty((item,))), len(items))
    found = [
        (*begin, *items[n + 1 : optional])
        for n, item in enumerate(items[:optional])
        for begin in map(ordered, _item_joined(item, text, front))
    ]
    if optional < len(items):
        first, others = items[optional], items[optional + 1 :]
        with_first = map(ordered, _item_joined(first, text, front))
        found = [*([(*alone(found), first)] if found else []), *with_first]
        found = [(*alone(found), *others)] if others else found
    return tuple(dict.fromkeys(map(ordered, found)))


def _item_joined(item: str | Call | Joined | Choice, text: str, front: bool) -> tuple[Row, ...]:
    """What an item becomes, as a row; none where it has no word."""
    if isinstance(item, Choice):
        rows = tuple(dict.fromkeys(one for row in item.rows for one in _joined_at(row, text, front)))
        return ((Choice(rows),),) if len(rows) > 1 else rows
    if isinstance(item, str):
        return ((text + item if front else item + text,),)
    called = Joined("", item.name, "") if isinstance(item, Call) else item
    before, behind = (text, "") if front else ("", text)
    return ((Joined(before + called.before, called.name, called.behind + behind),),)
