"""What goes into a project: `new_sentence` puts together what files say of a sentence, `cut` cuts its source, and
`project_text` the words of a reference or output."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Literal

from fstmetrics import FstmetricsError, Network, Normalisation
from fstmetrics.apps.annotate.project_store import NewSentence, ProjectText, TextKind, Unit
from fstmetrics.apps.annotate.sentence_cards import ROOT_NAME, Cards, Compiled, cards_of, compiled, storable
from fstmetrics.apps.annotate.target_units import units
from fstmetrics.engine.network_words import left_for
from fstmetrics.support.limits import limits
from fstmetrics.support.names import may_name_file
from fstmetrics.text.normalisation import PLAIN, is_unspaced, runs_on

# Words of a source sentence: a page is drawn with all of them.
MOST_WORDS = 2_000

Links = Collection[tuple[int, int]]


def unit_of(text: str) -> Unit:
    """What a source is cut into: characters where most of it is in a script without spaces, and runs on.

    >>> unit_of("意大利总理贝卢斯科尼"), unit_of("意大利 总理 贝卢斯科尼")
    ('character', 'word')
    """
    return "character" if runs_on(text) else "word"


def cut(text: str, unit: Unit) -> tuple[str, ...]:
    """The words of a source, or its characters; words of other scripts stay whole among characters.

    >>> cut("意大利总理 Silvio B.", "character")
    ('意', '大', '利', '总', '理', 'Silvio', 'B.')
    """
    if unit == "word":
        return tuple(text.split())
    found: list[str] = []
    for word in text.split():
        apart = True
        for character in word:
            marks = unicodedata.category(character).startswith("M")
            single = is_unspaced(character) or not (character.isascii() or character.isalnum() or marks)
            if found and not apart and (marks or not single):
                found[-1] += character
            else:
                found.append(character)
            apart = single and not marks
    return tuple(found)


def new_sentence(
    key: str,
    source: str,
    unit: Literal["word", "character", "auto"] = "auto",
    references: Mapping[str, Sequence[str]] | None = None,
    systems: Mapping[str, Sequence[str]] | None = None,
    links: Mapping[str, Links] | None = None,
    networks: Mapping[str, Network] | None = None,
    normalisation: Normalisation = PLAIN,
) -> NewSentence:
    """A sentence and all that files say of it.

    Args:
        key: its id, which becomes the name of a file when it is written.
        source: the sentence.
        unit: what to cut it into; `auto`: characters where it is in a script without spaces, and runs on.
        references: words by name.
        systems: likewise, outputs of systems.
        links: word alignments by the name of a reference or system.
        networks: by the name of an annotator, what they have already.
        normalisation: what is done to references, outputs and networks; sources stay as they are.

    Raises:
        FstmetricsError: an id that can be no file's name; a sentence that is empty, or too long; a link of a word that
            there is not; a network of another source.
    """
    if not may_name_file(key):
        raise FstmetricsError(f"the id {key!r:.80} cannot be a file's name")
    try:
        chosen = unit_of(source) if unit == "auto" else unit
        words = cut(storable(source), chosen)
        if not words:
            raise FstmetricsError("the source is empty")
        if len(words) > MOST_WORDS:
            raise FstmetricsError(
                f"the source has {len(words)} words or characters; the most is {MOST_WORDS}"
            )
        given: dict[TextKind, Mapping[str, Sequence[str]] | None]
        given = {"reference": references, "system": systems}
        texts = [
            project_text(kind, name, text, words, (links or {}).get(name), normalisation)
            for kind, of_kind in given.items()
            for name, text in (of_kind or {}).items()
        ]
        cards = {name: _cards(network, words, normalisation) for name, network in (networks or {}).items()}
    except FstmetricsError as error:
        raise FstmetricsError(f"sentence {key!r}: {error}") from None
    return NewSentence(key, words, chosen, tuple(texts), cards)


def project_text(
    kind: TextKind,
    name: str,
    text: Sequence[str],
    source: Sequence[str],
    own: Links | None,
    normalisation: Normalisation,
) -> ProjectText:
    """A reference or output with its words cut, and its links to the source, where there are any.

    Links are of words as a tokenizer makes them, before these are cut into units.

    Raises:
        FstmetricsError: a link of a word that there is not.
    """
    text = [storable(word) for word in text]
    if not normalisation.is_plain_but_for_unit:
        text = replace(normalisation, unit="word").words(text)
    limits().check("arcs", len(text), f"{name} has", "words")
    for one, other in sorted(own or ()):
        for what, held, place in (("source", source, one), (name, text, other)):
            if place >= len(held):
                raise FstmetricsError(
                    f"the word alignment of {name} has {one}-{other}, and the {what} has {len(held)} words (from 0)"
                )
    cut_words = [units(word, normalisation.unit) for word in text]
    starts = list(accumulate(map(len, cut_words), initial=0))
    words = tuple(unit for pieces in cut_words for unit in pieces)
    linked = (
        None
        if own is None
        else tuple(sorted((one, at) for one, other in own for at in range(starts[other], starts[other + 1])))
    )
    return ProjectText(kind, name, words, linked)


def _cards(network: Network, source: Sequence[str], normalisation: Normalisation) -> Cards:
    if network.source is not None and "".join(network.source) != "".join(source):
        raise FstmetricsError(
            f"the network {network.id!r} is of another source: {' '.join(network.source)!r:.80}"
        )
    if network.unit not in (None, normalisation.unit):
        raise FstmetricsError(
            f"the words of the network {network.id!r} were cut by the unit {network.unit}, and those of the project by "
            f"{normalisation.unit}: give --target-unit {network.unit}"
        )
    left_for(network, normalisation)
    cards = cards_of(network, normalisation.unit)
    made = compiled(cards, normalisation)
    _check_words(network, made)
    if ROOT_NAME in made.wordless:
        raise FstmetricsError(
            f"the network {network.id!r} has a path without words, which no whole sentence is; take it out"
        )
    for card in cards.values():
        storable(card.text + card.name)
        if card.span is not None and not 0 <= card.span[0] < card.span[1] <= len(source):
            raise FstmetricsError(
                f"card {card.name!r} has the span {card.span}, and the source has {len(source)} words"
            )
    return cards


def _check_words(network: Network, made: Compiled) -> None:
    """Refuse a network whose words would be others, or none, when they are typed."""
    for name, phrases in made.phrases.items():
        if unread := next((one for one in phrases if one.row is None), None):
            raise FstmetricsError(
                f"the network {network.id!r}, card {name!r}: {unread.text!r:.80} cannot be read: {unread.error}"
            )
    if network.tokenize is None and not network.lowercase:
        return
    own = Normalisation(network.tokenize, network.lowercase)
    for word in filter(None, network.symbols.words):
        if (tokens := own.words(word)) != [word]:
            how = f"tokenized by {own.tokenize}" if own.tokenize else "in lower case"
            raise FstmetricsError(
                f"the network {network.id!r} has the word {word!r}, which is {' '.join(tokens)!r} when {how}, as it "
                "says of its words; `fstmetrics network validate` shows all of these"
            )
