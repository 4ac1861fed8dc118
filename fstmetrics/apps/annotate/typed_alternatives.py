r"""What annotators type into a card: equivalents parted by `;`, with calls, choices and optional words.

    the [ITALIAN] (prime minister|premier); the (very) [PRIME-MINISTER] of Italy

`[NAME]` calls a card, `(a|b)` is a choice, `(very)` can be left out, `""` is no word. `\` before one of
`[ ] ( ) | ; \` makes it a sign as others. What stands right at a call is joined to it, `[PM]'s`, as in the text form of
networks (`fstmetrics.networks.short_forms`). Parentheses stand between white space. Letters of a script without white
space between words stand beside calls and parentheses as beside other words, but not where spaces part words.

`typed_phrases` reads a text, phrase by phrase: of a text that is still being typed, what can be read counts.
`worded_phrases` cuts its words as those of references are cut.
`card_of_phrases` makes the card of it. `typed_text` writes phrases as they would be typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, product

from fstmetrics import FstmetricsError, Normalisation
from fstmetrics.apps.annotate.target_units import (
    UNSPACED_ADVICE,
    are_parted_by_spaces,
    target_words,
    written_together,
)
from fstmetrics.data.cards import Call, Card, CardArc, Token, parse_phrase, write_phrase
from fstmetrics.networks.short_forms import Choice, Joined, Row
from fstmetrics.text.normalisation import Unit, is_unspaced

EMPTY = '""'
# A card whose choices make more phrases than this is written as arcs.
MOST_PHRASES = 100
# Choices within choices.
MOST_DEPTH = 50
_PIECE = re.compile(r"(?:\\.|[^\\;]|\\$)*", re.S)
_MARK = re.compile(
    r"\s+|\[(?P<call>(?:\\.|[^\[\]\\;])*)\]|(?P<sign>[()|])|(?P<word>(?:\\.|[^\s\[\]()|\\])+)", re.S
)
_ESCAPE = re.compile(r"\\(.)", re.S)
# A backslash at the end that escapes nothing.
_UNFINISHED = re.compile(r"(?<!\\)(?:\\\\)*\\$")
_SPECIAL = re.compile(r"[\[\]();|\\]")


@dataclass(frozen=True, slots=True)
class TypedPhrase:
    """One phrase of a text.

    Attributes:
        text: as it was typed, without white space around.
        row: what it means; None where it cannot be read.
        calls: names of the cards called, each once.
        error: why it cannot be read, or "".
        joint: where a call or parenthesis stands in a word of a script without spaces, or "".
    """

    text: str
    row: Row | None
    calls: tuple[str, ...] = ()
    error: str = ""
    joint: str = ""


@lru_cache(maxsize=4096)
def typed_phrases(text: str) -> tuple[TypedPhrase, ...]:
    r"""The phrases of a text; empty ones, as behind a `;` at the end, are none.

    >>> [(phrase.row, phrase.error) for phrase in typed_phrases("the [PM] (of Italy);")]
    [(('the', Call(name='PM'), Choice(rows=(('of', 'Italy'), ()))), '')]
    >>> typed_phrases("[PM]'s, ex-[PM]")[0].row
    (Joined(before='', name='PM', behind="'s,"), Joined(before='ex-', name='PM', behind=''))
    >>> typed_phrases("PM; the (prime")[1].error
    '( has no )'
    """
    found = (_typed_phrase(piece.strip()) for piece in _pieces(text))
    return tuple(phrase for phrase in found if phrase.text)


def _pieces(text: str) -> Iterator[str]:
    at = 0
    while at <= len(text):
        match = _PIECE.match(text, at)
        assert match is not None
        yield match[0]
        at = match.end() + 1


def _typed_phrase(text: str) -> TypedPhrase:
    try:
        row, joint = _read_row(text)
    except FstmetricsError as error:
        return TypedPhrase(text, None, error=str(error))
    return TypedPhrase(text, row, tuple(dict.fromkeys(calls_of(row))), joint=joint)


def _read_row(text: str) -> tuple[Row, str]:
    """What a phrase means, and its first part that is joined to a word without a space, in such a script."""
    # Rows that are open: of each parenthesis, those before the last |, and the one that is being read.
    open_rows: list[tuple[list[Row], list[str | Call | Joined | Choice]]] = [([], [])]
    # What stands right before: a word, a call, a call with a word behind it, another sign, or nothing.
    at, before, joint = 0, "", ""
    while at < len(text):
        match = _MARK.match(text, at)
        if match is None:
            raise FstmetricsError(f"cannot read {text[at:]!r:.40}; a bracket that is a sign is written \\[")
        at = match.end()
        call, sign, word = match["call"], match["sign"], match["word"]
        rows, row = open_rows[-1]
        if call is None and not sign and not word:
            before = ""
            continue
        kind = "sign" if sign else "word" if call is None else "call"
        if before and sign not in (")", "|") and _runs_on(text, match.start()):
            before, joint = "", joint or text[: match.end()]
        if before and sign not in (")", "|") and (before, kind) not in (("word", "call"), ("call", "word")):
            if before == kind == "call":
                raise FstmetricsError(f"two calls cannot be joined: put a space before {match[0]}")
            raise FstmetricsError(f"{match[0]!r} needs white space before it")
        if call is not None:
            if not (name := _name(call)):
                raise FstmetricsError("a call needs the name of a card: [NAME]")
            row.append(Joined(str(row.pop()), name, "") if before == "word" else Call(name))
        elif sign == "(":
            if len(open_rows) > MOST_DEPTH:
                raise FstmetricsError(f"more than {MOST_DEPTH} parentheses in one another")
            open_rows.append(([], []))
        elif sign and len(open_rows) == 1:
            raise FstmetricsError(f"{sign} without ( before it; the sign itself is written \\{sign}")
        elif sign == "|":
            rows.append(tuple(row))
            row.clear()
        elif sign == ")":
            open_rows.pop()
            # A parenthesis without a choice can be left out.
            kept = [*rows, tuple(row)] if rows else [tuple(row), ()]
            open_rows[-1][1].append(Choice(tuple(dict.fromkeys(kept))))
        elif before == "call":
            called = row.pop()
            assert isinstance(called, Call | Joined)
            row.append(Joined(getattr(called, "before", ""), called.name, _literal(word)))
        elif word != EMPTY or text.startswith("[", at):
            row.append(_literal(word))
        before = "" if sign in ("(", "|") else "joined" if before == "call" and kind == "word" else kind
    if len(open_rows) > 1:
        raise FstmetricsError("( has no )")
    return tuple(open_rows[0][1]), joint


def _runs_on(text: str, place: int) -> bool:
    """Whether one of the letters around a place is of a script that has no white space there."""
    before, after = text[:place].rstrip("[]()|"), text[place:].lstrip("[]()|")
    return any(map(is_unspaced, before[-1:] + after[:1]))


def _literal(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


def _name(call: str) -> str:
    """The name that is between brackets; names of cards have no white space around them."""
    return _literal(call).strip()


def calls_of(row: Row) -> Iterator[str]:
    """The names that a row calls, in order."""
    pending = list(reversed(row))
    while pending:
        item = pending.pop()
        if isinstance(item, Call | Joined):
            yield item.name
        elif isinstance(item, Choice):
            pending += [each for inner in reversed(item.rows) for each in reversed(inner)]


def has_joined(row: Row) -> bool:
    """Whether something is joined to a call of a row."""
    return any(
        any(map(has_joined, item.rows)) if isinstance(item, Choice) else isinstance(item, Joined)
        for item in row
    )


def expansions(row: Row, most: int) -> list[tuple[str | Call | Joined, ...]] | None:
    """The phrases that a row means, without choices; None where they are more than `most`.

    >>> expansions(typed_phrases("a (very) big (cat|dog)")[0].row, 10)[:2]
    [('a', 'very', 'big', 'cat'), ('a', 'very', 'big', 'dog')]
    """
    parts: list[list[tuple[str | Call | Joined, ...]]] = []
    count = 1
    for item in row:
        if not isinstance(item, Choice):
            parts.append([(item,)])
            continue
        inner: list[tuple[str | Call | Joined, ...]] = []
        for each in item.rows:
            found = expansions(each, most)
            if found is None:
                return None
            inner += found
        inner = list(dict.fromkeys(inner))
        count *= len(inner)
        if count > most:
            return None
        parts.append(inner)
    return list(dict.fromkeys(tuple(t for part in parts for t in part) for parts in product(*parts)))


def can_be_empty(row: Row, empty: Collection[str] = ()) -> bool:
    """Whether a row has a path without words.

    Args:
        row: of a phrase.
        empty: names of cards that have such a path.

    >>> [can_be_empty(typed_phrases(text)[0].row, {"PM"}) for text in ("(a cat)", "[PM] (a|)", "[PM] a", '""')]
    [True, True, False, True]
    """
    return all(
        item.name in empty
        if isinstance(item, Call)
        else isinstance(item, Choice) and any(can_be_empty(each, empty) for each in item.rows)
        for item in row
    )


@lru_cache(maxsize=4096)
def worded_phrases(text: str, normalisation: Normalisation) -> tuple[TypedPhrase, ...]:
    """The phrases of a text with their words cut.

    Args:
        text: of a card.
        normalisation: of the project.

    >>> worded_phrases("Rome, [PM]", Normalisation(tokenize="13a"))[0].row
    ('Rome', ',', Call(name='PM'))
    """
    phrases = typed_phrases(text)
    if are_parted_by_spaces(normalisation):
        said = f"has no space before what it ends in, and spaces part words; {UNSPACED_ADVICE}"
        phrases = tuple(
            replace(one, row=None, error=f"{one.joint!r} {said}") if one.joint else one for one in phrases
        )
    if normalisation.is_plain:
        return phrases
    return tuple(
        one if one.row is None else replace(one, row=in_words(one.row, normalisation)) for one in phrases
    )


def in_words(row: Row, normalisation: Normalisation) -> Row:
    """A row with its words cut, those between calls and choices together.

    Args:
        row: of a phrase.
        normalisation: of the project.

    >>> in_words(typed_phrases("意大利 [PM] (的)")[0].row, Normalisation(unit="mixed"))
    ('意', '大', '利', Call(name='PM'), Choice(rows=(('的',), ())))
    """
    found: list[str | Call | Joined | Choice] = []
    for is_word, group in groupby(row, lambda item: isinstance(item, str)):
        if is_word:
            found += target_words(" ".join(map(str, group)), normalisation)
        else:
            found += (
                _choice_in_words(item, normalisation) if isinstance(item, Choice) else item for item in group
            )
    return tuple(found)


def _choice_in_words(choice: Choice, normalisation: Normalisation) -> Choice:
    return Choice(tuple(dict.fromkeys(in_words(each, normalisation) for each in choice.rows)))


def card_of_phrases(name: str, rows: Sequence[Row], span: tuple[int, int] | None = None) -> Card:
    """The card of some rows: phrases where these are few, otherwise arcs, a choice side by side.

    Raises:
        FstmetricsError: no row at all.

    >>> card_of_phrases("X", [typed_phrases("a (very) big cat")[0].row]).phrases
    ('a very big cat', 'a big cat')
    """
    phrases: dict[tuple[Token, ...], None] = {}
    for row in rows:
        found = expansions(row, MOST_PHRASES)
        if found is None or len(phrases) + len(found) > max(MOST_PHRASES, len(rows)):
            return _card_of_arcs(name, rows, span)
        phrases |= dict.fromkeys(tuple(map(_token, row)) for row in found)
    return Card.from_phrases(name, [write_phrase(tokens) for tokens in phrases], span)


def _card_of_arcs(name: str, rows: Sequence[Row], span: tuple[int, int] | None) -> Card:
    arcs: list[CardArc] = []
    states = 2
    pending: list[tuple[Row, int, int]] = [(row, 0, 1) for row in reversed(rows)]
    while pending:
        row, before, end = pending.pop()
        inner = [before, *range(states, states + len(row) - 1), end]
        states += max(len(row) - 1, 0)
        if not row:
            arcs.append((before, end, ""))
        for item, source, destination in zip(row, inner, inner[1:], strict=False):
            if isinstance(item, Choice):
                pending += [(each, source, destination) for each in reversed(item.rows)]
            else:
                arcs.append((source, destination, _token(item)))
    return Card(name, tuple(dict.fromkeys(arcs)), frozenset({1}), 0, span)


def _token(item: str | Call | Joined | Choice) -> Token:
    assert isinstance(item, str | Call)  # nothing is joined any more
    return item


def typed_text(
    phrases: Iterable[str], target: Unit = "word", names: Mapping[str, str | Joined] | None = None
) -> str:
    r"""The phrases of a card as somebody would type them.

    Args:
        phrases: as networks have them.
        target: what words are cut into; those that are cut again where nothing parts them are written together.
        names: other names for cards that are called, or the calls that they stand for.

    >>> typed_text(["the [PM]", "", "(sic)"])
    'the [PM]; ""; \\(sic\\)'
    >>> typed_text(["意 大 利 [总 理] GPS"], "mixed", {"总 理": "PM"})
    '意大利 [PM] GPS'
    """
    return "; ".join(_typed(parse_phrase(phrase), target, names or {}) or EMPTY for phrase in phrases)


def _typed(tokens: Sequence[Token], target: Unit, names: Mapping[str, str | Joined]) -> str:
    text, before = "", ""
    for token in tokens:
        word = token if isinstance(token, str) else ""
        if text and not (word and before and written_together(before, word, target)):
            text += " "
        text, before = text + typed_token(_under(token, names)), word
    return text


def _under(token: Token, names: Mapping[str, str | Joined]) -> Token | Joined:
    """A word, or a call under another name, or what it stands for."""
    if isinstance(token, str):
        return token
    named = names.get(token.name, token.name)
    return named if isinstance(named, Joined) else Call(named)


def tokens_as_typed(phrase: str, names: Mapping[str, Joined]) -> tuple[Token | Joined, ...]:
    """The tokens of a phrase of a network, with calls that something is joined to as they are typed.

    >>> tokens_as_typed("the [PM's] plan", {"PM's": Joined("", "PM", "'s")})
    ('the', Joined(before='', name='PM', behind="'s"), 'plan')
    """
    return tuple(_under(token, names) for token in parse_phrase(phrase))


def typed_token(token: Token | Joined) -> str:
    """A word or call as it is typed.

    >>> print(typed_token("(sic)"), typed_token(Joined("ex-", "PM", ",")))
    \\(sic\\) ex-[PM],
    """
    if isinstance(token, Joined):
        before, behind = (_SPECIAL.sub(_escaped, side) for side in (token.before, token.behind))
        return f"{before}{typed_token(Call(token.name))}{behind}"
    if isinstance(token, Call):
        return f"[{_SPECIAL.sub(_escaped, token.name)}]"
    return _SPECIAL.sub(_escaped, token) if token != EMPTY else r"\"\""


def typed_row(row: Row) -> str:
    """What a row means, as it is typed.

    >>> typed_row(typed_phrases("the [PM] (very|) (a|b [C]) \\\\(sic\\\\)")[0].row)
    'the [PM] (very) (a|b [C]) \\\\(sic\\\\)'
    """
    return " ".join(_typed_item(item) for item in row)


def _typed_item(item: str | Call | Joined | Choice) -> str:
    if not isinstance(item, Choice):
        return typed_token(item)
    if len(item.rows) == 2 and not item.rows[1]:
        return f"({typed_row(item.rows[0])})"
    return f"({'|'.join(map(typed_row, item.rows))})"


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}"


def calls_in(text: str) -> frozenset[str]:
    """Names of the cards that a text calls, also in phrases that cannot be read yet.

    >>> sorted(calls_in("the [PM] (of; [ A ]; [B"))
    ['A', 'PM']
    """
    return frozenset(_name(match["call"]) for match in _MARK.finditer(text) if match["call"] is not None)


def with_phrase(text: str, phrase: str) -> str:
    r"""The text with one more phrase at its end.

    Raises:
        FstmetricsError: the text ends in a `\` that escapes nothing yet.

    >>> print(with_phrase("a; b;", "c"), with_phrase(r"a \;", "c"), sep=" and ")
    a; b; c and a \;; c
    """
    *before, last = _pieces(text)
    if _UNFINISHED.search(last.rstrip()):
        raise FstmetricsError(
            f"the text of the card ends in \\, with nothing behind it: {last.strip()!r:.60}"
        )
    if last.strip():
        return f"{text.rstrip()}; {phrase}"
    return f"{text.rstrip()} {phrase}" if before else phrase


def renamed_calls(text: str, rename: Callable[[str], str | None]) -> str:
    """The text with other names in its calls; all else is as it was typed.

    >>> renamed_calls("the [PM]; [PM", {"PM": "PREMIER"}.get)
    'the [PREMIER]; [PM'
    """

    def again(match: re.Match[str]) -> str:
        call = match["call"]
        if call is None:
            return match[0]
        old = _name(call)
        new = rename(old)
        return match[0] if new is None or new == old else typed_token(Call(new))

    return _MARK.sub(again, text)
