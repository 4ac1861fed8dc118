"""Marks that are no part of words, of pieces of words, escapes, markup, choices: `MARKS`, the table, and `one_sided`.

Where one side has such a mark and another has none, words differ that were said alike, so nothing is scored. What all
sides have is words as they are: their numbers are of pieces then. A mark in few texts, as people's words may look, is
only remarked on, but for what is never a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import unescape
from itertools import islice
from typing import NamedTuple

from fstmetrics.io.detection.text_signs import sign_of_factors, without_factors

# What stands for them in networks.
CHOICE = "a choice is a phrase for each, or a card"
# So many texts of a side are looked at; where these have a mark, all of the other sides.
FIRST = 1000
# Fewer texts tell nothing of their ends.
FEWEST = 3
# Where there are fewer marks than one in so many texts, they are only remarked on; a text of many words, which may be a
# document, stands for one in so many words.
FEW, LONG = 50, 40
# Of marks and signs against them, one in so many may be an exception.
MOSTLY = 10
# What a file may begin with, and its lines where files were joined.
BYTE_ORDER = "\ufeff"
# Commands of advice begin so; some take ids for words, and some take out what a line begins with.
COMMANDS, WITHOUT_IDS = ("sed ", "tr ", "python3 ", "iconv "), " (without ids)"
FROM_BEGIN = re.compile(r"sed -E 's/\^([^/]*)/([^/]*)/")


class Mark(NamedTuple):
    """A mark.

    Attributes:
        called: what a text with it has.
        signs: one of these is in every text that has it.
        is_in: whether a text has it, or how often; None where it cannot tell.
        advice: what takes it out: a command for lines of text, or words.
        in_all: whether all texts have it that can tell; else one is enough.
        of_model: whether a model makes them of words, or beside these: all sides may have them, then.
        is_of_choices: whether references leave a choice by it, which an option reads; only hypotheses lack it then.
        is_no_word: whether nobody's words look so: one is enough, then, in however many texts. So it is of choices.
        is_remarked: whether a word may look so, and it is only remarked on.
        is_shown: whether a text shows that its side may have some of it, too; only texts are looked at then. None where
            `is_in` tells.
        is_lacked: whether a text shows that its side has none, likewise.
        is_left: whether what normalisation makes of a text with it has what is left of it; None where `is_in` tells.
        least: how many texts that can tell have it where all have: fewer may be words.
        against: how many signs of a text tell that its side writes as others do: a few are exceptions.
    """

    called: str
    signs: tuple[str, ...]
    is_in: Callable[[str], int | None]
    advice: str
    in_all: bool = False
    of_model: bool = False
    is_of_choices: bool = False
    is_no_word: bool = False
    is_remarked: bool = False
    is_shown: Callable[[str], bool | None] | None = None
    is_lacked: Callable[[str], bool] | None = None
    is_left: Callable[[str], bool | None] | None = None
    least: int = 1
    against: Callable[[str], int] | None = None

    def lacks(self, side: Texts) -> bool:
        """Whether a side has none."""
        if self.is_of_choices and side.is_reference:
            return False
        if self.is_shown is not None:
            return side.is_text and self.few_are_shown(side.all())
        if self.is_lacked is not None:
            has_sign = any(sign in text for text in side.all() for sign in self.signs)
            return not has_sign and any(map(self.is_lacked, side.all()))
        if self.against is not None:
            marks, against = self._weighed([*side.all()])
            return marks * MOSTLY <= against
        return not self.has(islice(side.all(), FIRST) if self.in_all else side.all())

    def few_are_shown(self, texts: Iterable[str]) -> bool:
        """Whether no text shows it, or at most one of `FEW`, as words may look so."""
        number, shown = 0, 0
        for text in texts:
            number += 1
            shown += bool(self.is_shown and self.is_shown(text))
        return shown * FEW <= number

    def is_in_few(self, texts: Sequence[str]) -> bool:
        """Whether there are so few in texts that words may look so, as in a file that people wrote."""
        if self.is_no_word or self.is_of_choices:
            return False
        marks, _ = self._weighed(texts)
        return marks * FEW < max(len(texts), sum(len(text.split()) for text in texts) // LONG)

    def is_outweighed(self, texts: Sequence[str]) -> bool:
        """Whether more than one in `MOSTLY` tells against it."""
        marks, against = self._weighed(texts)
        return against * MOSTLY > marks

    def _weighed(self, texts: Sequence[str]) -> tuple[int, int]:
        """How many marks texts have, and how many signs against them."""
        against = sum(map(self.against, texts)) if self.against else 0
        return sum(self.is_in(text) or 0 for text in self._shown(texts)), against

    def has(self, texts: Iterable[str]) -> bool:
        """Whether texts have it.

        >>> MARKS[0].has(["the cat", "a d@@ og"]), MARKS[0].has(["me @@ home"])
        (True, False)
        """
        if not self.in_all:
            return any(map(self.is_in, self._shown(texts)))
        told = (answer for answer in map(self.is_in, texts) if answer is not None)
        first = [*islice(told, self.least)]
        return len(first) == self.least and all(first) and all(told)

    def is_left_in(self, texts: Iterable[str]) -> bool:
        """Whether texts have it that normalisation has made."""
        is_left = self.is_left
        return self.has(texts) if is_left is None else self._replace(is_in=is_left, signs=("",)).has(texts)

    def _shown(self, texts: Iterable[str]) -> Iterator[str]:
        """Those with one of its signs."""
        if len(self.signs) == 1:
            return (text for text in texts if self.signs[0] in text)
        letters = frozenset(self.signs)
        if max(map(len, letters)) == 1:
            return (text for text in texts if not letters.isdisjoint(text))
        return (text for text in texts if any(map(text.__contains__, self.signs)))


def _found(expression: str) -> Callable[[str], int]:
    """How often a pattern is in a text."""
    compiled = re.compile(expression)
    return lambda text: sum(1 for _ in compiled.finditer(text))


def _whole(expression: str) -> Callable[[str], bool | None]:
    """A pattern of a text that is not blank."""
    compiled = re.compile(expression)
    return lambda text: compiled.fullmatch(text.strip()) is not None if text.strip() else None


def _is_of_gpt(text: str) -> bool | None:
    """Whether a word begins with a space as GPT-2 writes it, a letter of Maltese; of one word None, which has none."""
    words = text.split()
    return any(word.startswith("\u0120") for word in words) if len(words) > 1 else None


_SPACE = re.compile(r"\s")
# What ends a text in quotation marks, by what begins it: of English, German, Swedish, French, Hebrew, Japanese and
# Chinese.
_QUOTES = {
    '"': '"', "\u201c": "\u201d", "\u201e": "\u201c|\u201d", "\u201d": "\u201d", "\u201a": "\u2018",
    "\u2018": "\u2019", "\u00ab": "\u00bb", "\u00bb": "\u00ab|\u00bb", "\u2039": "\u203a", "\u203a": "\u2039",
    "\u05f4": "\u05f4", "\u300c": "\u300d", "\u300e": "\u300f", "\u300a": "\u300b",
}  # fmt: skip
_QUOTED = "|".join(
    [
        '"(?:[^"]|"")*"',
        *(f"{first}[^{first}]*(?:{last})" for first, last in _QUOTES.items() if first not in '"\u2018'),
    ]
)
# Apostrophes are some, too, but for those of an English sentence that begins with a shortened word ('tis ... goin').
_SHORTENED = r"(?!(?i:tis|twas|cause|cos|em|til|n|bout|round)\b)"
_QUOTED += f"|\u2018{_SHORTENED}[^\u2018]*\u2019"
_IN_APOSTROPHES = rf"'{_SHORTENED}(?:[^']|(?<=\w)'(?=\w))*'"
_STOPS = ".?!\u3002\uff01\uff1f\u2026"


def _unquote(firsts: Iterable[str], lasts: Iterable[str]) -> str:
    """What sed replaces, by alternatives, as with LC_ALL=C a class of signs is one of their bytes.

    What is doubled within quotation marks, as in CSV, is one.
    """
    stops = "|".join(_STOPS).replace(".", r"\.").replace("?", r"\?")
    first, last = ("|".join(dict.fromkeys("|".join(signs).split("|"))) for signs in (firsts, lasts))
    return f's/^ *({first})(.*)({last})(({stops})*)(,|\uff0c)?[[:space:]]*$/\\2\\4/; s/""/"/g'


_ESCAPE = re.compile(r"&(?:apos|quot|amp|lt|gt|#124|#9[13]);")
# What normalisation leaves of escapes: "& apos ;", "aposs", "quot" at an end; "amp" and "lt" are words, too.
_LEFT = re.compile(r"apos(?!t)|(?<!\w)quot(?!\w)|&\s*(?:amp|lt|gt)(?!\w)|&#\d")
# Characters that Moses escapes, and words of a decoder (<unk>, [UNK]), which are none.
_BARE = re.compile(r"(<[^<>\s]*>|\[[^\[\]\s]*\])|[\"'<>\[\]|]|&(?!\w+;|#\d+;)")
_BREAK = re.compile("<br */?>")
_TAGS = "b|i|u|em|font|span|strong|c"
_OPEN, _CLOSE = re.compile(f"<({_TAGS})(?:[. ][^<>]*)?>"), re.compile(f"</({_TAGS})>")


def _has_tags(text: str) -> int:
    """How many breaks of lines, and tags of kinds that are closed, too; `a <b> c` has none."""
    closed = {*_CLOSE.findall(text)}
    return len(_BREAK.findall(text)) + sum(kind in closed for kind in _OPEN.findall(text))


def _bare(text: str) -> int:
    """How many characters that Moses escapes are not escaped."""
    return sum(not found[1] for found in _BARE.finditer(text))


# What Moses writes, `_ESCAPE`, is a mark of its own.
_ENTITY = re.compile(r"&(?!apos;|quot;|amp;|lt;|gt;|#124;|#9[13];)(?:#\d{2,7}|#x[0-9a-fA-F]{2,6}|\w{2,31});")


def _has_entity(text: str) -> int:
    return sum(len(unescape(entity)) < len(entity) for entity in _ENTITY.findall(text))


# Bytes that windows-1252 has no character for.
_UNUSED = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
# What bytes 0x80 to 0xbf, which follow the first of a character of UTF-8, are in windows-1252 and in iso-8859-1.
_BYTES = {ord(bytes([byte]).decode("cp1252")): byte for byte in range(0x80, 0xA0) if byte not in _UNUSED}
_NEXT = f"[\u0080-\u00bf{''.join(map(chr, _BYTES))}]"
# Those of which no quotation mark or dash may stand behind a capital.
_LETTER = re.sub("[\u2013\u2014\u2018-\u201e\u2026]", "", _NEXT)
_MISREAD = re.compile(
    f"\u00c2[\u00a0-\u00bf]|\u00c3{_LETTER}|\u00e2[\u0080-\u0082\u20ac\u201a]{_NEXT}|(?:[\u00c4-\u00df]{_NEXT}){{2}}|"
    f"(?:[\u00e0-\u00ef]{_NEXT}{{2}}){{2}}"
)


def _is_misread(text: str) -> int:
    """How many words are UTF-8 that was read as windows-1252 or iso-8859-1: read back, their bytes are UTF-8.

    >>> _is_misread("un \u00c3\u00a9l\u00c3\u00a8ve"), _is_misread("un \u00e9l\u00e8ve")
    (1, 0)
    """
    return sum(_MISREAD.search(word) is not None and _is_utf8(word) for word in text.split(" "))


def _is_utf8(word: str) -> bool:
    try:
        return bool(word.translate(_BYTES).encode("iso-8859-1").decode("utf-8"))
    except UnicodeError:
        return False


def _is_composed(text: str) -> bool:
    """Whether a text has a character that is a letter and its accent in one, as of NFC."""
    return not unicodedata.is_normalized("NFD", text)


def _is_decomposed(text: str) -> bool:
    """Whether it has an accent of its own behind a letter, which a character of NFC would hold with it."""
    return not unicodedata.is_normalized("NFC", text)


def _is_of_numbers(text: str) -> bool | None:
    """Whether all words are whole numbers; None where there is none."""
    words = text.split()
    return all(map(str.isdecimal, words)) if words else None


def _joined_by(sign: str) -> Callable[[str], bool | None]:
    """Whether four words or more are joined by a sign and by no space; None of fewer words without a space."""
    word = rf"[^\s{re.escape(sign)}]+"
    whole = re.compile(rf"{word}(?:{re.escape(sign)}{word}){{3,}}{re.escape(sign)}?")
    return lambda text: whole.fullmatch(text.strip()) is not None or (False if " " in text.strip() else None)


def _spaced_by(sign: str) -> Callable[[str], bool | None]:
    """Whether a text has a sign and no space; None of a word without the sign, of letters that words are made of."""

    def is_in(text: str) -> bool | None:
        stripped = text.strip()
        if not stripped or _SPACE.search(stripped):
            return False if stripped else None
        if sign in stripped.strip(sign):
            return True
        return False if any(unicodedata.category(letter) == "Lo" for letter in stripped) else None

    return is_in


def _has_space(text: str) -> bool:
    return _SPACE.search(text.strip()) is not None


def _factored_by(sign: str) -> Callable[[str], bool | None]:
    """Whether all words have a factor or tag behind a sign; None of fewer than three words that all have the sign."""

    def is_in(text: str) -> bool | None:
        words = text.split()
        if [word for word in words if sign not in word]:
            return False
        return sign_of_factors(words) == sign if len(words) > 2 else None

    return is_in


# Two numbers before the words of a text, as the time when they begin and that when they end; a number of two decimals
# or more behind them, as a score from 0 to 1.
_TIMES = re.compile(r"\s*(\d+\.\d+)\s+(\d+\.\d+)(?!\S)")
_SCORE_BEHIND = re.compile(r"(?:.*\s)?(?:0\.\d{2,}|1\.00+)\s*", re.DOTALL)


def _has_times(text: str) -> bool | None:
    """Whether a text begins with two numbers with decimals, which rise."""
    found = _TIMES.match(text)
    return found is not None and float(found[1]) < float(found[2]) if text.strip() else None


def _has_score(text: str) -> bool | None:
    """Whether it ends with a number of two decimals or more from 0 to 1."""
    return _SCORE_BEHIND.fullmatch(text) is not None if text.strip() else None


def _has_digit(place: int) -> Callable[[str], bool | None]:
    """Whether the first, or the last, character of a text that is not blank is a digit."""
    return lambda text: text.strip()[place].isdigit() if text.strip() else None


def _has_number(text: str) -> bool:
    return any(map(str.isdecimal, text.split()))


# What a number with decimals has.
DECIMALS = tuple(f".{digit}" for digit in range(10))
# What NFD has behind a letter: accents of Latin, Greek and Cyrillic, voiced marks of kana, vowels of Hangul.
ACCENTS = tuple(
    map(chr, (*range(0x300, 0x30D), 0x31B, 0x323, 0x327, 0x328, 0x3099, 0x309A, *range(0x1161, 0x1176)))
)
# Of commands that do not read choices of plain text.
_ELSE = " (commands without that option read those of trn)"
MARKS: tuple[Mark, ...] = (
    Mark("pieces of words, marked @@", ("@@",), _found(r"\S@@(?:\s|$)"), "sed -E 's/@@( |$)//g'", of_model=True),
    Mark(
        "pieces of words, marked \u2581", ("\u2581",), _found("(?:^|\\s)\u2581"),
        "sed 's/ //g; s/\u2581/ /g; s/^ //'", of_model=True,
    ),
    Mark("pieces of words, marked ##", ("##",), _found(r"(?:^|\s)##\w"), "sed 's/ ##//g'", of_model=True),
    Mark(
        "pieces of words, marked </w>", ("</w>",), _found(r"\S</w>(?:\s|$)"),
        "sed 's/ //g; s/<.w>/ /g'" + WITHOUT_IDS, of_model=True,
    ),
    Mark(
        "pieces of words, marked \uffed", ("\uffed",), _found("(?:^|\\s)\uffed|\uffed(?:\\s|$)"),
        "sed -E 's/ ?\uffed ?//g'", of_model=True,
    ),
    Mark(
        "pieces of words, with <space> between words", ("<sp", "<SP"), _found(r"(?:^|\s)<(?:space|sp|SPACE)>(?:\s|$)"),
        "sed -E 's/ //g; s/<(space|sp|SPACE)>/ /g'" + WITHOUT_IDS, of_model=True,
    ),
    Mark(
        "pieces of words, marked \u0120", ("\u0120",), _is_of_gpt, "sed 's/ //g; s/\u0120/ /g'" + WITHOUT_IDS,
        in_all=True, of_model=True,
    ),
    Mark(
        "pieces of words, marked _", ("_",), _whole(r"_[^\W_].*"), "sed 's/ //g; s/_/ /g; s/^ //'" + WITHOUT_IDS,
        in_all=True, of_model=True,
    ),
    Mark("byte order marks", (BYTE_ORDER,), _found(BYTE_ORDER), "sed 's/\\xEF\\xBB\\xBF//g'", is_no_word=True),
    Mark(
        "escaped characters, as Moses writes them (&apos;, &quot;, &amp;)", ("&",),
        _found(_ESCAPE.pattern),
        "python3 -c 'import html, sys; sys.stdout.write(html.unescape(sys.stdin.read()))' (Moses' detokenizer.perl "
        "undoes its tokenization, too)", is_left=lambda text: _LEFT.search(text) is not None, against=_bare,
    ),
    Mark(
        "signs between words, as Moses writes them (@-@)", ("@-@", "@/@", "@.@", "@,@"), _found(r"(?:^|\s)@[-/.,]@\s"),
        r"sed -E 's/ ?@([-/.,])@ ?/\1/g'",
    ),
    Mark(
        "unknown words as Moses writes them (word|UNK|UNK|UNK)", ("|UNK",), _found(r"\S\|UNK\|UNK\|UNK(?:\s|$)"),
        "sed 's/|UNK|UNK|UNK//g'",
    ),
    Mark(
        "characters as HTML writes them (&nbsp;, &eacute;, &#233;)", ("&",), _has_entity,
        "python3 -c 'import html, sys; sys.stdout.write(html.unescape(sys.stdin.read()))'",
    ),
    Mark(
        "tags of HTML", ("</", "<br"), _has_tags,
        r"sed -E 's/<br *\/?>/ /g; s/<\/?(b|i|u|em|font|span|strong|c)([. ][^<>]*)?>//g'",
    ),
    Mark(
        "tokens of a decoder (<pad>, [CLS], </s> at a word)",
        ("</s>", "<pad>", "[PAD]", "[CLS]", "[SEP]", "<blk>", "<blank>", "<|endoftext|>"),
        _found(r"\S</s>|<pad>|\[(?:PAD|CLS|SEP)\]|<blk>|<blank>|<\|endoftext\|>"),
        r"sed -E 's/<\/?s([[:space:]][^<>]*)?>|<pad>|\[(PAD|CLS|SEP)\]|<blk>|<blank>|<\|endoftext\|>/ /g'",
        of_model=True,
    ),
    Mark(
        "UTF-8 that was read in another encoding (\u00c3\u00a9 for \u00e9)",
        (*"\u00c2\u00c3\u00e2", *map(chr, range(0xC4, 0xF0))), _is_misread,
        "iconv -f utf-8 -t windows-1252 (or -t iso-8859-1), which undoes it",
    ),
    Mark(
        "accents apart from their letters (NFD)", ACCENTS, _is_decomposed, "--normalise-unicode nfc writes all alike",
        is_no_word=True, is_remarked=True, is_lacked=_is_composed,
    ),
    Mark(
        "characters that were lost (\ufffd)", ("\ufffd",), _found("\ufffd"),
        "write the file again, in UTF-8, from where it has them",
    ),
    Mark(
        "bytes written as %C3%A9", ("%",), _found(r"(?:^|\s)[^\s/]*(?:%[89A-Fa-f][0-9A-Fa-f]){2}"),
        "python3 -c 'import sys, urllib.parse; sys.stdout.write(urllib.parse.unquote(sys.stdin.read()))'",
    ),
    Mark(
        "characters written as \\x and two digits", ("\\x",), _found(r"\\x[0-9a-fA-F]{2}"),
        r"""python3 -c 'import re, sys; sys.stdout.write(re.sub(r"(\\x[0-9a-fA-F]{2})+", """
        r"""lambda found: bytes.fromhex(found[0].replace("\\x", "")).decode("latin-1"), sys.stdin.read()))'""",
    ),
    Mark(
        "ends of lines written as \\n", ("\\n", "\\r"), _found(r"\\[nr](?:\s|$|\\|[A-Z])"),
        r"sed -E 's/(\\r)?\\n/ /g'",
    ),
    Mark(
        "characters written as \\u and four digits", ("\\u",), _found(r"\\u[0-9a-fA-F]{4}"),
        r"""python3 -c 'import json, re, sys; sys.stdout.write(re.sub(r"(\\u[0-9a-fA-F]{4})+", """
        r"""lambda found: json.loads("\x22%s\x22" % found[0]), sys.stdin.read()))'""",
    ),
    Mark(
        "numbers of pronunciations behind words, as in the(2)", tuple(f"({n})" for n in range(2, 10)),
        _found(r"[^\W\d_]['.]?\([2-9]\)(?:\s|$)"),
        'sed -E "s/([^[:space:][:digit:][:punct:]][.\']?)\\([2-9]\\)( |$)/\\1\\2/g"',
    ),
    Mark(
        "words in pairs, as align-text of Kaldi writes them", (" ; ",), _whole(r"\S+ \S+(?: ; \S+ \S+)* ?;?"),
        "score the two texts that it was given", in_all=True,
    ),
    Mark("words that stand for none", ("<eps>",), _found(r"(?:^|\s)<eps>(?:\s|$)"), "--ignore '<eps>' leaves them out"),
    Mark(
        "signs of a change of speakers (>>)", (">>",), _found(r"^(?!.*<<).*?(?:^|\s)>>+(?=\s|\w|$)"),
        "sed -E 's/>>+ ?//g'",
    ),
    Mark(
        "signs of music", tuple("\u2669\u266a\u266b\u266c"), _found("[\u2669-\u266c]"),
        "sed -E 's/\u2669|\u266a|\u266b|\u266c//g'",
    ),
    Mark(
        "names of speakers before lines", ("peaker", "PEAKER"),
        _found(r"^\W{0,3}(?:[Ss]peaker|SPEAKER)(?:[ _]?(?:\d+|[A-Z])[\]:)>]|_\d+\s)"),
        "sed -E 's/^[^[:alnum:]]*([Ss]peaker|SPEAKER)([ _]?([0-9]+|[A-Z])[]:)>]+|_[0-9]+[[:space:]]) *//'",
    ),
    *(
        Mark(f"{sign} in place of spaces", (sign,), _joined_by(sign), f"tr '{sign}' ' '", in_all=True)
        for sign in "|+,;"
    ),
    *(
        Mark(
            f"{sign} in place of spaces", (sign,), _spaced_by(sign), f"sed 's/{sign}/ /g'" + WITHOUT_IDS, in_all=True,
            is_lacked=_has_space,
        )
        for sign in ("_", "%20")
    ),
    *(
        Mark(
            f"factors or tags behind {sign!r}", (sign,), _factored_by(sign), without_factors(sign) + WITHOUT_IDS,
            in_all=True,
        )
        for sign in "|\uffe8/_"
    ),
    Mark(
        "markup around each line", ("<",), _whole(r"<(\w+)(?:\s[^<>]*)?>.*</\1>|<p>.*"),
        r"sed -E 's/^<[[:alnum:]_]+([[:space:]][^<>]*)?>//; s/<\/[[:alnum:]_]+>[[:space:]]*$//'",
        in_all=True,
    ),
    *(
        Mark("quotation marks around each line", signs, _whole(f"(?:{quoted})[{_STOPS}]*[,\uff0c]?"), sed, in_all=True)
        for signs, quoted, sed in (
            (tuple(_QUOTES), _QUOTED, f"sed -E '{_unquote(_QUOTES, _QUOTES.values())}'"),
            (("'",), _IN_APOSTROPHES, "sed -E '{}'".format(_unquote("'", "'").replace("'", r"'\''"))),
        )
    ),
    Mark(
        "signs of a list before each line", ("-", "*", ">", "<", "\u2022"), _whole(r"[-*<>\u2022]\s.*"),
        "sed -E 's/^([-*<>]|\u2022) //'", in_all=True,
    ),
    Mark(
        "numbers in place of words", tuple("0123456789"), _is_of_numbers,
        "make words of them, --symbols TABLE --format kaldi-text, where lines have ids", in_all=True,
        is_shown=_has_number,
    ),
    Mark(
        "times before texts", DECIMALS, _has_times,
        r"sed -E 's/^[[:space:]]*[0-9]+\.[0-9]+[[:space:]]+[0-9]+\.[0-9]+[[:space:]]*//'",
        in_all=True, is_shown=_has_times, is_left=_has_digit(0), least=FEWEST,
    ),
    Mark(
        "scores behind texts", DECIMALS, _has_score,
        r"sed -E 's/(^|[[:space:]]+)[01]\.[0-9]+[[:space:]]*$//'",
        in_all=True, is_shown=_has_score, is_left=_has_digit(-1), least=FEWEST,
    ),
    Mark(
        "choices as of sclite, { a / b }", ("{",), _found(r"\{[^{}]*/[^{}]*\}"),
        f"--alternations sclite reads them{_ELSE}", is_of_choices=True,
    ),
    Mark(
        "choices in braces, {a|b}", ("{",), _found(r"\{[^{}]*\|[^{}]*\}"), f"--alternations braces reads them{_ELSE}",
        is_of_choices=True,
    ),
    Mark(
        "choices in brackets, [a|b]", ("[",), _found(r"\[[^][]*\|[^][]*\]"),
        f"--alternations brackets reads them{_ELSE}", is_of_choices=True,
    ),
    Mark(
        "choices in parentheses, (a|b)", ("(",), _found(r"\([^()]*\|[^()]*\)"),
        "sed -E 's/\\(([^()]*[|][^()]*)\\)/[\\1]/g' puts them into brackets, which --alternations brackets reads"
        f"{_ELSE}", is_of_choices=True,
    ),
    Mark(
        "the word <*>", ("<*>",), _found(r"(?:^|\s)<\*>(?:\s|$)"),
        f"it stands for any words only with --alternations wildcards{_ELSE}", is_of_choices=True, is_remarked=True,
    ),
)  # fmt: skip


class Texts(NamedTuple):
    """The texts of one side.

    Attributes:
        path: where they are from.
        is_text: whether they are text; else they are of the first lattice or n-best list.
        advice: how its user says that its words are words as they are; empty where he has said so.
        is_reference: whether it is a reference.
        may_choose: whether an option would read the choices that it leaves.
        first: the first ones; none of networks whose words have no signs, as cards are made where they are asked for.
        all: all of them, from the first one on.
        is_by_words: whether its words are apart, as in lattices and with times; a text is all of those of a recording,
            or of a lattice, then.
        formats: how it is written.
        is_network: whether its texts are phrases of networks.
    """

    path: str
    is_text: bool
    advice: str
    is_reference: bool
    may_choose: bool
    first: Sequence[str]
    all: Callable[[], Iterator[str]]
    is_by_words: bool = False
    formats: Sequence[str] = ("plain",)
    is_network: bool = False

    @property
    def side(self) -> str:
        """What its texts are."""
        return "references" if self.is_reference else "hypotheses"

    def made_by(self, command: str) -> str:
        """The advice to make words of its texts by a command for lines of text, which spoils lines of other formats.

        >>> side = Texts("hyp", True, "", False, False, (), lambda: iter(()), formats=["csv"])
        >>> side.made_by("tr '|' ' '")
        "make words of them in each text (not in the lines of csv) as of a line: tr '|' ' '"
        """
        called = ", ".join(self.formats)
        if self.is_by_words:
            return f"make words of them where the {called} is written: its lines are no texts"
        bare = command.replace(WITHOUT_IDS, "")
        if self.is_network:
            return f"make words of them in each phrase, as of a line: {bare}"
        if self.formats == ("kaldi-text",):
            command = FROM_BEGIN.sub(_behind_id, command)
        if self.formats == ("plain",) or (self.formats == ("kaldi-text",) and WITHOUT_IDS not in command):
            return f"make words of them, {command}"
        return f"make words of them in each text (not in the lines of {called}) as of a line: {bare}"


def _behind_id(command: re.Match[str]) -> str:
    """A command for what a text begins with, of lines that begin with ids: groups are numbered from its own one on.

    >>> FROM_BEGIN.sub(_behind_id, r"sed -E 's/^(<)(.)/\\2/; s/a/b/'")
    "sed -E 's/^([^[:space:]]+[[:space:]]+)(<)(.)/\\\\1\\\\3/; s/a/b/'"
    """
    kept = re.sub(r"\\(\d)", lambda group: f"\\{int(group[1]) + 1}", command[2])
    return f"sed -E 's/^([^[:space:]]+[[:space:]]+){command[1]}/\\1{kept}/"


class Found(NamedTuple):
    """A mark that only some sides have: the first of those that have it, and of those that have none.

    `is_in_few`: whether it is in a few texts only, or more tells against it.
    """

    mark: Mark
    having: Texts
    lacking: Texts
    is_in_few: bool

    @property
    def few(self) -> str:
        """Where it is, if it may be words."""
        where = ", beside bare ones" if self.mark.is_outweighed(self.having.first) else ", in few texts"
        return where * self.is_in_few

    @property
    def lacked(self) -> str:
        """How many the other side has: none or, where words may look so, few."""
        is_shown = self.mark.is_in if self.mark.against else self.mark.is_shown
        return "few" if is_shown and any(map(is_shown, self.lacking.all())) else "none"

    @property
    def message(self) -> str:
        """What to say of it, and what to do, behind the path."""
        found = f"has {self.mark.called}{self.few}, and {self.lacking.path} has {self.lacked}"
        if self.having.path == self.lacking.path:
            having = f"{self.having.side}{self.few}"
            found = f"has {self.mark.called} in its {having}, and {self.lacked} in its {self.lacking.side}"
        if self.is_in_few:
            return f"{found}: they count as words"
        advice = self.mark.advice
        if self.mark.is_of_choices and self.having.is_network:
            advice = "it is a word like others" if self.mark.is_remarked else CHOICE
        elif advice.startswith(COMMANDS) and not self.mark.is_of_choices:
            advice = self.having.made_by(advice)
        return f"{found}: {advice}"


def one_sided(
    marks: Sequence[Mark], sides: Sequence[Texts], rewritten: Callable[[str], str]
) -> Iterator[Found]:
    """The marks that only some sides have.

    Args:
        marks: those that are shown.
        sides: two or more.
        rewritten: what normalisation makes of a text, which may take marks out.
    """
    beginnings = ["\n".join(side.first) for side in sides]
    for mark in marks:
        having = [
            side
            for side, beginning in zip(sides, beginnings, strict=True)
            if (side.is_text or mark.is_shown is None)
            and any(map(beginning.__contains__, mark.signs))
            and mark.has(side.first)
            and (side.may_choose if mark.is_of_choices else mark.is_left_in(map(rewritten, side.first)))
        ]
        if mark.against is not None:
            having = [side for side in having if not mark.is_outweighed(side.first)] or having
        for side in sides if having else ():
            if side not in having and mark.lacks(side):
                first = having[0]
                is_in_few = (first.is_text or first.is_network) and mark.is_in_few(first.first)
                is_outweighed = mark.is_outweighed(first.first)
                if not (is_in_few and is_outweighed):  # as a system may write them
                    yield Found(mark, first, side, is_in_few or is_outweighed)
                break


def shared(marks: Sequence[Mark], sides: Sequence[Texts]) -> list[str]:
    """Remarks on what models make of words, or beside them, which all sides have."""
    firsts = [side.first for side in sides]
    every = [mark for mark in marks if mark.of_model and all(map(mark.has, firsts))]
    return [f"all sides have {mark.called}, which count as words" for mark in every]
