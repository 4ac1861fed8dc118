r"""The text form of networks that annotators type: `read_text_form`, `write_text_form`.

    # fstmetrics-cards/1
    source: el primer ministro italiano
    root: S
    [PRIME-MINISTER] 1-3: prime minister; PM; head of government
    [ITALIAN] 3-4: Italian
    [S] 0-4:
        the [ITALIAN] [PRIME-MINISTER]
        the [PRIME-MINISTER] of Italy

A card is its name in brackets, its span if it has one, a colon, and its phrases. Phrases are parted by `;` or by line
ends; lines that begin with white space go on with the card. `[NAME]` in a phrase calls a card; `\[ \] \; \\` are
literal; `""` is the empty phrase, and so is nothing before a `;`. `id`, `source`, `unit`, `tokenize`, `lowercase` and
`root` are optional; the root is the card that no other calls. A line that begins with `#` is a comment. `notation` has
what is written short: `[PM]'s`, a card `in any order`, and `agree: HE HIS`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fstmetrics.data.cards import Call, parse_phrase, write_label, write_phrase
from fstmetrics.data.network import FORMAT, Card, Network
from fstmetrics.networks.paths import Paths
from fstmetrics.networks.short_forms import Written, calls_of, tokens_of, written_out
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import unknown
from fstmetrics.text.tokenizers import KNOWN, OTHER

HEADER = "# fstmetrics-cards/1"
EMPTY = '""'
ORDER = "in any order"
CASES = {"yes": True, "no": False}
# A card given by arcs is written as the phrases on its paths. Nobody types as many as that.
MAX_PHRASES = 10_000
# Longer cards are written a phrase a line.
MAX_LINE = 100

_CARD = re.compile(
    r"(?P<name>\[(?:\\.|[^\[\]\\])*\])\s*(?:(?P<begin>\d{1,9})-(?P<end>\d{1,9})\s*)?(?P<order>in any order\s*)?:"
    r"(?P<phrases>.*)",
    re.S,
)
_SETTING = re.compile(r"(?P<key>id|source|unit|tokenize|lowercase|agree|root)\s*:(?P<value>.*)", re.S)
# Between a call and what is joined to it.
_JOINED = re.compile(r"(?<=[^\s\\])(?=\[)|(?<=\])(?=\S)")
_PHRASE = re.compile(r"((?:\\.|[^;\\]|\\$)*)(?:;|$)", re.S)


def read_text_form(text: str, id: str = "", path: object = None) -> Network:
    """Read the text form.

    Args:
        text: the content of a file.
        id: the network's id where the text gives none.
        path: the file, for messages.

    Raises:
        InputError: a line that is none of the above, with its number, cards that make no network, or words that are no
            tokens of the tokenizer that the text names.

    >>> network = read_text_form("[X] 0-1: cat; hat\\n[S]: the [X]\\n")
    >>> network.root, network.cards["X"].phrases, network.cards["X"].span
    ('S', ('cat', 'hat'), (0, 1))
    """
    data = parse_text_form(text, path)
    try:
        network = Network.from_dict(data, id)
        if KNOWN.get(network.tokenize, OTHER).by_words:
            from fstmetrics.engine.network_words import refuse_uncut  # most have no tokenizer

            refuse_uncut(network)
        return network
    except FstmetricsError as error:
        raise InputError(str(error), path) from None


def parse_text_form(text: str, path: object = None, faults: list[InputError] | None = None) -> dict[str, Any]:
    """The object that the JSON form would have; cards are not looked into.

    Args:
        text: the content of a file.
        path: the file, for messages.
        faults: where errors go instead of being raised.

    Raises:
        InputError: a line that cannot be read, a card or a setting given twice, or no way to tell the root.
    """
    kept: list[InputError] = [] if faults is None else faults
    data: dict[str, Any] = {"format": FORMAT}
    cards: dict[str, dict[str, Any]] = {}
    agree: dict[int, list[str]] = {}
    phrases: list[str] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r")
        if not line.strip() or line.startswith("#"):
            continue
        try:
            if line[0].isspace():
                if phrases is None:
                    raise FstmetricsError(
                        "a line that begins with white space goes on with a card, but there is none yet"
                    )
                phrases += _split(line)
            elif match := _SETTING.fullmatch(line):
                if match["key"] == "agree":
                    agree[number] = _names(match["value"])
                else:
                    _add_setting(data, match["key"], match["value"].strip())
            else:
                phrases = _add_card(cards, line)
        except FstmetricsError as error:
            kept.append(InputError(str(error), path, number))
    for number, names in list(agree.items()):
        if unordered := [name for name in names if cards.get(name, {}).get(ORDER)]:
            message = (
                f"agree: all parts of {unordered[0]!r}, a card in any order, are said, so none goes with a phrase of "
                "another card: take the card out of this line, or write each order as a phrase of it"
            )
            kept.append(InputError(message, path, number))
            del agree[number]
    data["cards"] = cards
    if "root" not in data:
        try:
            data["root"] = _root(cards, path)
        except InputError as error:
            kept.append(error)
    try:
        data["cards"] = _written_out(cards, data.get("root"), list(agree.values()))
    except FstmetricsError as error:
        kept.append(InputError(str(error), path))
        for card in cards.values():  # so that others do not complain of what is joined, too
            card["phrases"] = [_JOINED.sub(" ", phrase) for phrase in card["phrases"]]
    if kept and faults is None:
        raise kept[0]
    return data


def _names(value: str) -> list[str]:
    """Names of cards, in brackets where they have white space in them."""
    return [token.name if isinstance(token, Call) else token for token in parse_phrase(value)]


def _written_out(
    cards: Mapping[str, dict[str, Any]], root: str | None, agree: Sequence[Sequence[str]]
) -> dict[str, dict[str, Any]]:
    """The cards with all that the notation shortens written out."""
    given = {
        name: Written(
            tuple(card["phrases"]), tuple(card["span"]) if "span" in card else None, card.pop(ORDER, False)
        )
        for name, card in cards.items()
    }
    if root is None or root not in given:  # whoever makes the network says so
        root, agree = "", ()
    return {
        name: {**({} if card.span is None else {"span": list(card.span)}), "phrases": list(card.phrases)}
        for name, card in written_out(given, root, agree).items()
    }


def _add_setting(data: dict[str, Any], key: str, value: str) -> None:
    if key in data:
        raise FstmetricsError(f"{key} is given twice")
    if key == "lowercase" and value not in CASES:
        raise FstmetricsError(f"lowercase is yes or no, not {value[:40]!r}")
    data[key] = value.split() if key == "source" else CASES[value] if key == "lowercase" else value


def _add_card(cards: dict[str, dict[str, Any]], line: str) -> list[str]:
    match = _CARD.fullmatch(line)
    if match is None:
        raise FstmetricsError(
            f"expected a card, `[NAME]: phrase; phrase` or `[NAME] 0-2: ...`, not {line[:40]!r}; a line that goes on "
            "with a card begins with white space, a comment with #"
        )
    (call,) = parse_phrase(match["name"])
    assert isinstance(call, Call)
    if call.name in cards:
        raise FstmetricsError(f"a second card {call.name!r}")
    card: dict[str, Any] = (
        {} if match["begin"] is None else {"span": [int(match["begin"]), int(match["end"])]}
    )
    if match["order"]:
        card[ORDER] = True
    cards[call.name] = card
    card["phrases"] = _split(match["phrases"])
    return card["phrases"]  # type: ignore[no-any-return]


def _split(text: str) -> list[str]:
    """The phrases of a line: what a `;` ends, be it nothing, and what stands behind the last one, if anything does.

    >>> _split("; today;"), _split('""; a;; b')
    (['', 'today'], ['', 'a', '', 'b'])
    """
    pieces: list[str] = []
    at = 0
    while match := _PHRASE.match(text, at):
        pieces.append(match[1].strip())
        if (at := match.end()) == len(text) and not match[0].endswith(";"):
            break
    return ["" if piece == EMPTY else piece for piece in (pieces if pieces[-1:] != [""] else pieces[:-1])]


def _root(cards: dict[str, dict[str, Any]], path: object) -> str:
    """The one card that no other calls; what cannot be read is left to others to complain about."""
    if not cards:
        raise InputError("there is no card", path)
    called = {name for card in cards.values() for name in calls_of(card["phrases"])}
    roots = [name for name in cards if name not in called]
    if len(roots) == 1:
        return roots[0]
    for name, card in cards.items():
        for phrase in card["phrases"]:
            try:
                tokens_of(phrase)
            except FstmetricsError as error:
                raise InputError(f"card {name!r}: {error}", path) from None
    if strange := sorted(called - cards.keys()):
        raise InputError(
            f"a phrase calls a card that is not there: {unknown('card', strange[0], list(cards))}", path
        )
    which = f"the cards {', '.join(map(repr, roots))} are" if roots else "no card is"
    raise InputError(f"{which} called by no other: say which is the root with a line `root: NAME`", path)


def write_text_form(network: Network) -> str:
    """Write the text form; `read_text_form` gives a network with the same strings back, cards, spans and all.

    Raises:
        FstmetricsError: a card given by arcs that is cyclic or has more than `MAX_PHRASES` paths, or a phrase
            that the text form cannot hold.
    """
    lines = [HEADER]
    source = " ".join(network.source or ())
    if tuple(source.split()) != (network.source or ()):
        raise FstmetricsError(f"a word of the source {source!r} has white space in it or is empty; use JSON")
    for key, value in {
        "id": network.id,
        "source": source,
        "unit": network.unit or "",
        "tokenize": network.tokenize or "",
        "lowercase": "yes" * network.lowercase,
        "root": network.root,
    }.items():
        _check_line(key, value)
        lines += [f"{key}: {value}"] if value else []
    for card in network.cards.values():
        span = "" if card.span is None else f" {card.span[0]}-{card.span[1]}"
        _check_line("card's name", card.name)
        head = f"{write_phrase([Call(card.name)])}{span}:"
        phrases = [_written(card, phrase) for phrase in card_phrases(card)]
        line = f"{head} {'; '.join(phrases)}"
        lines += [line] if len(line) <= MAX_LINE else [head, *(f"    {phrase}" for phrase in phrases)]
    return "\n".join(lines) + "\n"


def card_phrases(card: Card) -> list[str]:
    """The phrases of a card; of one given by arcs, one a path.

    Raises:
        FstmetricsError: it is cyclic, or has more than `MAX_PHRASES` paths.
    """
    if card.phrases is not None:
        return list(card.phrases)
    # Its calls as words: a written call is no written word.
    arcs = tuple((a, b, write_label(token)) for a, b, token in card.arcs)
    try:
        paths = Paths(Network([Card(card.name, arcs, card.finals, card.start)], card.name))
    except FstmetricsError:
        raise FstmetricsError(
            f"card {card.name!r} is cyclic: its phrases have no end; JSON can hold it"
        ) from None
    if paths.count > MAX_PHRASES:
        raise FstmetricsError(
            f"card {card.name!r} has {paths.count} phrases, more than {MAX_PHRASES}; JSON holds it as arcs"
        )
    return [" ".join(words) for words in paths]


def _written(card: Card, phrase: str) -> str:
    text = write_phrase(parse_phrase(phrase))
    if text == EMPTY:
        raise FstmetricsError(
            f"card {card.name!r}: the text form takes the word {EMPTY} for the empty phrase; use JSON"
        )
    return text or EMPTY


def _check_line(what: str, value: str) -> None:
    if "\n" in value or value.strip() != value:
        raise FstmetricsError(f"the {what} {value!r} does not fit into a line of the text form; use JSON")
