"""What soft re-segmentation compares: `soft_tokens`, the pieces of a word, cut as the Moses tokenizer cuts them.

A word is brought into Unicode's form NFKC and into small letters. Then punctuation is cut off it, words are parted at
hyphens, and in English at the apostrophe. Source: tokenizer.perl of Moses, version 1.1, with the options -a and
-no-escape, as OmniSTEval calls it, a word at a time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.optional import need

# Whose rules are those of this module; other languages have theirs, and lists of abbreviations, in sacremoses.
BUILT_IN = "en"
# Languages whose words nothing is cut off, as in OmniSTEval; and what is said of others that want the same.
UNCUT = ("none", "zh", "ja")
# English abbreviations whose full stop belongs to them, of those in small letters; `i.e` and such have one inside.
ABBREVIATIONS = frozenset({"v", "vs", "rev"})
# A hyphen between letters or digits.
HYPHEN = "@-@"

_DOTS = re.compile(r"\.{2,}")
_ALNUM, _ALPHA, _OTHER = r"[^\W_]", r"[^\W\d_]", r"[\W\d_]"
_HYPHEN = re.compile(rf"({_ALNUM})-(?={_ALNUM})")
_COMMA = re.compile(r"(?<=\D),|,(?=\D)")
# Where an apostrophe is cut off on both sides, and where it goes with what follows it.
_APART = re.compile(rf"(?<={_OTHER})'(?={_OTHER})|(?<=[\W_])'(?={_ALPHA})|(?<={_ALPHA})'(?={_OTHER})")
_CLITIC = re.compile(rf"(?<={_ALPHA})'(?={_ALPHA})|(?<=\d)'(?=s)")
Tokens = Callable[[str], Sequence[str]]


def soft_tokens(language: str = BUILT_IN) -> Tokens:
    """The function from a word, as it is written, to its pieces.

    Args:
        language: whose rules cut: `en`, which is built in; another one of Moses, which needs the package sacremoses;
            or `none`, `zh` or `ja`, under which a word is one piece.

    Raises:
        FstmetricsError: Moses has no rules for the language, or sacremoses is not installed.

    >>> soft_tokens()("Crowd-Funding,"), soft_tokens()("don't"), soft_tokens("zh")("Ｗort.")
    (['crowd', '@-@', 'funding', ','], ['don', "'t"], ['wort.'])
    """
    if language in UNCUT:
        cut: Tokens = _whole
    elif language == BUILT_IN:
        cut = _english
    else:
        cut = _moses(language)
    return lru_cache(maxsize=1 << 16)(lambda word: cut(unicodedata.normalize("NFKC", word).lower()))


def _whole(word: str) -> Sequence[str]:
    return [word]


def _moses(language: str) -> Tokens:
    corpus = need("sacremoses.corpus", f"the language {language!r}", "moses")
    known = set(corpus.NonbreakingPrefixes().available_langs.values())
    if language not in known:
        raise FstmetricsError(
            f"Moses has no rules for the language {language!r}; there are {', '.join(sorted({*known, *UNCUT}))}"
        )
    tokenizer = need("sacremoses", f"the language {language!r}", "moses").MosesTokenizer(lang=language)

    def cut(word: str) -> Sequence[str]:
        found: Sequence[str] = tokenizer.tokenize(word, aggressive_dash_splits=True, escape=False)
        return found

    return cut


def _english(word: str) -> Sequence[str]:
    """Pieces of a word in small letters, by the rules for English.

    >>> _english("(usw.)"), _english("3,5%,"), _english("z.b."), _english("und..."), _english("'s")
    (['(', 'usw', '.', ')'], ['3,5', '%', ','], ['z.b.'], ['und', '...'], ["'s"])
    """
    text = "".join(c if c.isalnum() or c in ".'`,-" or _is_mark(c) else f" {c} " for c in word if c >= " ")
    text = _HYPHEN.sub(rf"\1 {HYPHEN} ", text.strip())
    text = _DOTS.sub(lambda dots: f" {dots[0]} ", text)
    text = _COMMA.sub(" , ", text)
    pieces = _CLITIC.sub(" '", _APART.sub(" ' ", text)).split()
    found: list[str] = []
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        stem = piece[:-1]
        if stem and piece.endswith(".") and not stem.endswith(".") and not _keeps_stop(stem, after):
            found += [stem, "."]
        else:
            found.append(piece)
    return found


def _keeps_stop(stem: str, after: str) -> bool:
    """Whether the full stop behind belongs to the piece: of an abbreviation, or where a small letter follows."""
    has_dots = "." in stem and any(map(str.isalpha, stem))
    return has_dots or stem in ABBREVIATIONS or after[:1].islower()


def _is_mark(character: str) -> bool:
    """Whether it belongs to the letter before it, as an accent or the sign of a vowel."""
    return unicodedata.category(character).startswith("M")
