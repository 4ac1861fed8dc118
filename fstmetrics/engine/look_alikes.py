"""Characters that cannot be told apart on a screen: `Fold`s, which make them the same, and `FOLDS`, all there are."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

# How many characters a remark names.
SHOWN = 3


@dataclass(frozen=True)
class Fold:
    """What makes look-alike characters the same.

    Attributes:
        what: the characters, as remarks call them.
        to: what each becomes; empty where it is taken out.
        done: how remarks say that it was done.
        advice: what to do where no option does it.
    """

    what: str
    to: Mapping[str, str]
    done: str
    advice: str

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(f"[{''.join(map(re.escape, self.to))}]")

    @cached_property
    def _table(self) -> dict[int, str]:
        return {ord(character): plain for character, plain in self.to.items()}

    def of(self, text: str) -> str:
        """A text whose look-alikes are the same.

        >>> [fold.of("don\\u2019t") for fold in FOLDS]
        ['don’t', "don't", 'don’t']
        """
        return text.translate(self._table) if self._pattern.search(text) else text

    def found(self, texts: Iterable[str]) -> str:
        """The characters that some texts have, the most frequent first, by number and name."""
        counts = Counter(character for text in texts for character in self._pattern.findall(text))
        names = [
            f"U+{ord(one):04X} {unicodedata.name(one, '')}".rstrip() for one, _ in counts.most_common(SHOWN)
        ]
        return ", ".join(names) + (", ..." if len(counts) > SHOWN else "")


def _alike(rows: Mapping[str, str]) -> dict[str, str]:
    """By character what it looks like, of rows of those that look like one."""
    return {character: plain for plain, row in rows.items() for character in row}


# Of the category Cf these are seen: signs around Arabic and Syriac numbers, and the like.
_SEEN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
# Outside it these are not seen: a joiner, fillers of Hangul and Braille, and selectors of variants.
_UNSEEN = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0",
    "".join(map(chr, range(0xFE00, 0xFE10))),
    "".join(map(chr, range(0xE0100, 0xE01F0))),
)


def _invisible() -> str:
    """What takes no ink and separates no words: format and control characters, joiners, fillers, selectors."""
    candidates = (*range(0x3000), *range(0xFE00, 0x10000), *range(0x13430, 0x13440), *range(0xE0000, 0xE0080))
    found = (
        character
        for character in map(chr, candidates)
        if unicodedata.category(character) in ("Cf", "Cc") and not character.isspace()
    )
    return "".join(sorted({*found, *"".join(_UNSEEN)} - _SEEN))


FOLDS = (
    Fold(
        "invisible characters",
        dict.fromkeys(_invisible(), ""),
        "without them",
        "no option takes them out: delete them in the files",
    ),
    Fold(
        "apostrophes, quotation marks, hyphens or dots that look alike",
        _alike(
            {
                "'": "\u2018\u2019\u201b\u2032\u02b9\u02bb\u02bc\u02bd\u02c8\u055a\u05f3\ua78c\uff07`\u00b4",
                '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u05f4\u301d\u301e\uff02",
                "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u02d7\u05be\ufe63\uff0d",
                "...": "\u2026",
            }
        ),
        "where they are the same",
        "no option does that: write them alike in both files",
    ),
    Fold(
        "letters of different alphabets that look alike",
        _alike(
            {
                # Cyrillic, then Greek, then others.
                "a": "\u0430\u03b1\u0251", "c": "\u0441\u03f2", "d": "\u0501", "e": "\u0435",
                "g": "\u0261", "h": "\u04bb", "i": "\u0456\u03b9\u0131", "j": "\u0458\u03f3", "l": "\u04cf",
                "o": "\u043e\u03bf\u0585", "p": "\u0440\u03c1", "q": "\u051b", "s": "\u0455",
                "u": "\u03c5\u057d", "v": "\u03bd\u0475", "w": "\u051d", "x": "\u0445\u03c7", "y": "\u0443\u03b3",
                "n": "\u0578", "k": "\u043a\u03ba",
                "A": "\u0410\u0391", "B": "\u0412\u0392", "C": "\u0421\u03f9", "E": "\u0415\u0395", "H": "\u041d\u0397",
                "I": "\u0406\u0399\u04c0", "J": "\u0408", "K": "\u041a\u039a", "M": "\u041c\u039c", "N": "\u039d",
                "O": "\u041e\u039f", "P": "\u0420\u03a1", "Q": "\u051a", "S": "\u0405", "T": "\u0422\u03a4",
                "V": "\u0474", "W": "\u051c", "X": "\u0425\u03a7", "Y": "\u0423\u03a5\u04ae", "Z": "\u0396",
                "\u00ef": "\u0457", "\u00cf": "\u0407", "\u00eb": "\u0451", "\u00cb": "\u0401",
                # Arabic and Persian yeh and kaf; Hiragana and Katakana; Han and Katakana.
                "\u06cc": "\u064a\u0649", "\u06a9": "\u0643",
                "\u30d8": "\u3078", "\u30d9": "\u3079", "\u30da": "\u307a", "\u30cb": "\u4e8c", "\u30ed": "\u53e3",
                "\u30ab": "\u529b", "\u30a8": "\u5de5", "\u30c8": "\u535c", "\u30bf": "\u5915", "\u30cf": "\u516b",
            }
        ),
        "where they are the same",
        "no option does that: write them in one alphabet in both files",
    ),
)  # fmt: skip
