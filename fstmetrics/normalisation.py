"""What is done to words before they are compared: nothing, unless asked for; sentence markers never count."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import SENTENCE_MARKERS
from fstmetrics.optional import need

Unit = Literal["word", "char"]

NO_WORDS = SENTENCE_MARKERS | {""}


@dataclass(frozen=True, slots=True)
class Normalisation:
    """Explicit changes to both sides, in this order; all off by default.

    Attributes:
        tokenize: a sacrebleu tokenizer (`13a`, `zh`, `intl`, ...), or `none`. A string is tokenized whole, a
            lattice or network arc by arc.
        lowercase: fold case (`str.lower`).
        remove_punctuation: take out characters of Unicode category P; words left empty vanish.
        ignore: words that do not count, beside `<s>`, `</s>`, `!SENT_START` and `!SENT_END`; compared after
            the steps above as well as before.
        unit: `word`, or `char`: characters are compared, and the space between two words is one of them.

    >>> Normalisation(lowercase=True, ignore=frozenset({"uh"})).words("Uh , the Cat")
    [',', 'the', 'cat']
    """

    tokenize: str = "none"
    lowercase: bool = False
    remove_punctuation: bool = False
    ignore: frozenset[str] = frozenset()
    unit: Unit = "word"

    def __post_init__(self) -> None:
        if self.unit not in ("word", "char"):
            raise FstmetricsError(f"unit is 'word' or 'char', not {self.unit!r}")

    @property
    def is_plain(self) -> bool:
        """Whether words stay as they are, but for sentence markers."""
        changes = self.lowercase or self.remove_punctuation or self.ignore
        return not changes and self.tokenize == "none" and self.unit == "word"

    def words(self, text: str | Sequence[str]) -> list[str]:
        """The words (or characters) of a sentence.

        Raises:
            FstmetricsError: an unknown tokenizer, or sacrebleu is not installed.
        """
        if self.tokenize != "none":
            text = _tokenizer(self.tokenize)(text if isinstance(text, str) else " ".join(text))
        words = text.split() if isinstance(text, str) else text
        if self.is_plain:
            if NO_WORDS.isdisjoint(words):
                return list(words)
            return [word for word in words if word not in NO_WORDS]
        kept = [changed for word in words if (changed := self._change(word))]
        return kept if self.unit == "word" else list(" ".join(kept))

    def arc_words(self, word: str) -> list[str]:
        """What one arc's word becomes: none, one or several words; characters are not split here."""
        words = [word] if self.tokenize == "none" else _tokenizer(self.tokenize)(word).split()
        return [changed for word in words if (changed := self._change(word))]

    def _change(self, word: str) -> str:
        """The word as compared; empty if it does not count."""
        if word in SENTENCE_MARKERS or word in self.ignore:
            return ""
        if self.lowercase:
            word = word.lower()
        if self.remove_punctuation:
            word = "".join(c for c in word if not unicodedata.category(c).startswith("P"))
        return "" if word in (_lowered(self.ignore) if self.lowercase else self.ignore) else word

    def settings(self) -> dict[str, object]:
        """For the JSON summary."""
        return {
            "unit": self.unit,
            "lowercase": self.lowercase,
            "remove_punctuation": self.remove_punctuation,
            "tokenize": self.tokenize,
            "ignore": sorted(self.ignore),
        }

    def signature(self) -> str:
        """For the one-line signature."""
        parts = [
            f"unit:{self.unit}",
            f"case:{'lower' if self.lowercase else 'mixed'}",
            f"punctuation:{'removed' if self.remove_punctuation else 'kept'}",
            f"tok:{self.tokenize}",
        ]
        if self.ignore:
            parts.append("ignore:" + ",".join(sorted(self.ignore)))
        return "|".join(parts)


@lru_cache(maxsize=16)
def _lowered(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for word in words)


@lru_cache(maxsize=8)
def _tokenizer(name: str) -> Callable[[str], str]:
    """A sacrebleu tokenizer by name."""
    BLEU = need("sacrebleu.metrics.bleu", f"the tokenizer {name!r}").BLEU
    if name not in BLEU.TOKENIZERS:
        raise FstmetricsError(
            f"unknown tokenizer {name!r}; sacrebleu has {', '.join(sorted(BLEU.TOKENIZERS))}"
        )
    tokenizer: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    return tokenizer
