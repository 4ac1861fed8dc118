"""Tokenizers of sacrebleu by their names: `tokenizer_of`; what is known of some of them: `KNOWN`."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache, partial
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from fstmetrics._native import with_signs_apart
from fstmetrics.support.errors import FstmetricsError


class Known(NamedTuple):
    """What is known of a tokenizer; of others it is as the defaults say.

    Attributes:
        by_words: whether it cuts a word alike wherever it stands; intl and zh leave a sign at the end of a sentence, as
            of "1998.".
        by_signs: whether it looks at signs alone: words of any case are cut alike, and tokens are not cut again.
        unit: what texts are cut into before, where it cuts words where there is no space.
        package, extra: what is imported beside sacrebleu, and the extra that installs it.
    """

    by_words: bool = False
    by_signs: bool = False
    unit: Literal["mixed", "char-no-space"] | None = None
    package: str = ""
    extra: str = ""


_OF_PIECES = Known(unit="char-no-space", package="sentencepiece", extra="spm")
KNOWN: dict[str | None, Known] = {
    "none": Known(by_words=True),
    "13a": Known(by_words=True, by_signs=True),
    "char": Known(by_words=True, by_signs=True, unit="char-no-space"),
    "intl": Known(by_signs=True),
    "zh": Known(by_signs=True, unit="mixed"),
    "ja-mecab": Known(unit="char-no-space", package="MeCab", extra="ja"),
    "ko-mecab": Known(package="mecab_ko", extra="ko"),
    **dict.fromkeys(("spm", "flores101", "flores200", "spBLEU-1K"), _OF_PIECES),
}
# What is known of all others.
OTHER = Known()


@lru_cache(maxsize=8)
def tokenizer_of(name: str, allow_download: bool) -> Callable[[str], str]:
    """A sacrebleu tokenizer by name, which keeps the lines that it cut last.

    Raises:
        FstmetricsError: no tokenizer of that name, or a package or model that it needs is not there.
    """
    tokenizer = sacrebleu_tokenizer(name, allow_download)
    # Some have an inner one that keeps the same lines again.
    if inner := getattr(tokenizer, "_post_tokenizer", None):
        rules = [(rule.pattern, put) for rule, put in getattr(inner, "_re", ())]
        tokenizer._post_tokenizer = _signs_apart if rules == SIGNS_APART else _uncached(inner)
    return lru_cache(maxsize=KEPT)(_uncached(tokenizer))


def _signs_apart(text: str) -> str:
    """A text as `SIGNS_APART` leave it, with one space between words, eight times as quick."""
    return " ".join(with_signs_apart(text).split())


@lru_cache(maxsize=8)
def sacrebleu_tokenizer(name: str, allow_download: bool) -> Any:
    """sacrebleu's own object; errors as of `tokenizer_of`."""
    from fstmetrics.support.errors import need

    what = f"the tokenizer {name!r}"
    try:
        BLEU = need("sacrebleu.metrics.bleu", what).BLEU
    except FstmetricsError as error:
        raise FstmetricsError(f"{error}; --tokenize none does without (tokenize='none' in Python)") from None
    if name not in BLEU.TOKENIZERS:
        raise FstmetricsError(
            f"unknown tokenizer {name!r}; sacrebleu has {', '.join(sorted(BLEU.TOKENIZERS))}"
        )
    *_, package, extra = KNOWN.get(name, OTHER)
    if package and find_spec(package) is None:
        raise FstmetricsError(
            f"{what} needs {package}, which is not installed: pip install 'fstmetrics[{extra}]'"
        )
    if package == "sentencepiece" and not allow_download and (model := _missing_model(name)):
        raise FstmetricsError(
            f"{what} needs the model {model}, which is not there: --allow-download (allow_download=True in Python) "
            "lets sacrebleu fetch it"
        )
    try:
        return BLEU(tokenize=name).tokenizer
    except Exception as error:  # of any kind: packages, dictionaries and the network fail in their own ways
        said = " ".join(str(error).split())[:SHOWN_OF_ERROR]
        raise FstmetricsError(f"{what} of sacrebleu cannot be used: {said or type(error).__name__}") from None


def _uncached(tokenizer: Callable[[str], str]) -> Callable[[str], str]:
    """A tokenizer that does not keep what it cut; most of sacrebleu's keep 65,536 lines, some 30 MB."""
    function = getattr(type(tokenizer).__call__, "__wrapped__", None)
    return tokenizer if function is None else partial(function, tokenizer)


# The regular expressions of sacrebleu's `TokenizerRegexp`, from mteval-v13a, and what they put, one after the other.
SIGNS_APART = [
    (r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 "),
    (r"([^0-9])([\.,])", r"\1 \2 "),
    (r"([\.,])([^0-9])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "),
]
# How much of another package's error is shown.
SHOWN_OF_ERROR = 300
# So many lines are kept as they were cut: those of several metrics and systems in a few thousand items.
KEPT = 1 << 13


def _missing_model(name: str) -> str:
    """The file of a sentencepiece model, if it is not there; empty if it is, or if sacrebleu has no such table."""
    from fstmetrics.support.errors import need

    spm = need("sacrebleu.tokenizers.tokenizer_spm", f"the tokenizer {name!r}")
    found = getattr(spm, "SPM_MODELS", {}).get(name)
    path = os.path.join(spm.SACREBLEU_DIR, "models", os.path.basename(found["url"])) if found else ""
    return "" if os.path.exists(path) else path
