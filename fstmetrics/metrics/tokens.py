"""Words with lemma, part of speech and synsets: `Token`, and `factored`, which reads them from `word|lemma|POS`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from fstmetrics.support.errors import FstmetricsError

# Tags of closed classes in the Penn Treebank and in Universal Dependencies.
FUNCTION_TAGS = frozenset(
    re.findall(
        r"\S+",
        "CC DT EX IN MD PDT POS PRP PRP$ RP TO WDT WP WP$ WRB ADP AUX CCONJ CONJ DET PART PRON PRT SCONJ",
    )
)


class Token(NamedTuple):
    """A word as TESLA-M and MaxSim see it.

    Attributes:
        lemma: words of equal lemmas are equal.
        pos: part of speech, any tag set; "" where it is not known, and then equal to no other.
        synsets: names of the sets of synonyms it belongs to.
        function: whether it is a function word, which weighs less.
    """

    lemma: str
    pos: str = ""
    synsets: frozenset[str] = frozenset()
    function: bool = False


def factored(words: Sequence[str]) -> list[Token]:
    """Tokens of `word|lemma|POS`; function words are those with a tag of a closed class (Penn or Universal).

    Raises:
        FstmetricsError: a word without two bars.

    >>> factored(["sat|sit|VBD"])[0][:2]
    ('sit', 'VBD')
    """
    return [_factored(word) for word in words]


def _factored(word: str) -> Token:
    parts = word.rsplit("|", 2)
    if len(parts) != 3 or not all(parts):
        raise FstmetricsError(f"{word!r} is not `word|lemma|POS`, which the factored analyser expects")
    _, lemma, pos = parts
    return Token(lemma, pos, function=pos in FUNCTION_TAGS)
