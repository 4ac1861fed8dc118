"""What is done to words before they are compared: nothing, unless asked for; sentence markers never count."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Literal, get_args

from fstmetrics.data.symbols import SENTENCE_MARKERS, WILDCARD
from fstmetrics.support.arguments import FLAG, STRING, described, items_of, shortened
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import as_changed

if TYPE_CHECKING:
    from fstmetrics.text.text_normalisers import TextNormaliser

Unit = Literal["word", "char", "char-no-space", "mixed"]
UNITS: tuple[Unit, ...] = get_args(Unit)
Form = Literal["as-is", "nfc", "nfd", "nfkc", "nfkd"]
FORMS: tuple[Form, ...] = get_args(Form)
# Words in parentheses, in sclite's notation: free to be left out; ordinary words, as for sclite; or correct where they
# are left out, as for sclite -D.
OptionalWords = Literal["free", "word", "correct"]
OPTIONAL_WORDS: tuple[OptionalWords, ...] = get_args(OptionalWords)

TOKENIZER = STRING.or_none()
NO_WORDS = SENTENCE_MARKERS | {""}


@dataclass(frozen=True, slots=True)
class Normalisation:
    """Explicit changes to both sides, in this order, which is also sacrebleu's; all off by default.

    Attributes:
        unicode: a normal form of Unicode, `nfc`, `nfd`, `nfkc` or `nfkd`, before all else; `as-is`: none. Without one,
            two ways of writing a letter are two letters.
        lowercase: fold case (`str.lower`).
        tokenize: a sacrebleu tokenizer (`13a`, `zh`, `intl`, ...), or `none`; None, the default, is the metric's own:
            `13a` of strings for BLEU and its kin, as sacrebleu's default, and `none` for all other metrics and for
            texts that are given as lists of words. A string is tokenized whole, a lattice or network arc by arc,
            where a word that the tokenizer cuts by what stands beside it is refused.
        remove_punctuation: take out characters of Unicode category P; words left empty vanish. The unit `mixed` is cut
            before at those that part words without a space.
        ignore: words that do not count, beside sentence markers (docs/scores.md); compared before punctuation is taken
            out as well as after, and without regard to case where case does not count. Where characters are compared,
            those of scripts without spaces do not count within others, too.
        unit: `word`; `char`: characters are compared, and the space between two words is one of them;
            `char-no-space`: characters without spaces; `mixed`: Han characters one by one, and words of other scripts.
        ignore_hypothesis, ignore_reference: further words that do not count on one side; only `of_hypotheses` and
            `of_references` know them.
        allow_download: whether a tokenizer may fetch its model from the network (`flores200` and its like).
        normaliser: what rewrites a text before all but the form of Unicode.
        drops: items whose reference becomes one of these texts are left out.
        grammars: names or files of grammars that widen the references.
        optional_words: what words in parentheses of sclite's notation are, one of `OPTIONAL_WORDS`. They are `free` in
            references alone: of hypotheses they are ordinary words with their parentheses, as for sclite.
        keeps_marks: whether words stay as rules of grammars see them (`written`).
        parts_at_marks: whether words of the unit `word` are cut at marks as those of `mixed` are, which they become.
        label: what signatures call these rules: the name and version of a profile (`fstmetrics.profile`).
        is_plain: whether they stay as they are, but for sentence markers.

    >>> Normalisation(lowercase=True, ignore=frozenset({"uh"})).words("Uh , the Cat")
    [',', 'the', 'cat']
    """

    tokenize: str | None = None
    lowercase: bool = False
    remove_punctuation: bool = False
    ignore: frozenset[str] = frozenset()
    unit: Unit = "word"
    ignore_hypothesis: frozenset[str] = frozenset()
    ignore_reference: frozenset[str] = frozenset()
    unicode: Form = "as-is"
    allow_download: bool = field(default=False, compare=False, repr=False)
    normaliser: TextNormaliser | None = None
    drops: frozenset[str] = frozenset()
    grammars: tuple[str, ...] = ()
    label: str = ""
    optional_words: OptionalWords = "free"
    keeps_marks: bool = field(default=False, repr=False)
    parts_at_marks: bool = field(default=False, repr=False)
    _tokenizes: bool = field(init=False, repr=False, compare=False)
    _is_one_sided: bool = field(init=False, repr=False, compare=False)
    _parts: bool = field(init=False, repr=False, compare=False)
    _changes_only_case: bool = field(init=False, repr=False, compare=False)
    is_plain: bool = field(init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return as_changed(self)

    def __post_init__(self) -> None:
        TOKENIZER.check(self.tokenize, "tokenize")
        FLAG.check(self.lowercase, "lowercase")
        FLAG.check(self.remove_punctuation, "remove_punctuation")
        for name in ("ignore", "ignore_hypothesis", "ignore_reference"):
            words = getattr(self, name)
            words = words if isinstance(words, Set) else items_of(words, name)
            if [word for word in words if not isinstance(word, str) or word.split() != [word]]:
                raise FstmetricsError(
                    f"{name} is a set of words without white space, as in {name}={{'uh', 'um'}}, not {words!r:.80}"
                )
            object.__setattr__(self, name, frozenset(words))
        if self.normaliser is not None and not hasattr(self.normaliser, "of_text"):
            raise FstmetricsError(
                "normaliser is a TextNormaliser, as fstmetrics.text.text_normalisers.TextNormaliser('name', '', "
                f"function), not {described(self.normaliser)}"
            )
        if not isinstance(self.unit, str) or self.unit not in UNITS:
            raise FstmetricsError(f"unit is one of {', '.join(UNITS)}, not {self.unit!r}")
        if self.unit == "char" and self.tokenize not in (None, "none"):
            raise FstmetricsError(
                f"--tokenize {self.tokenize}, or that of networks, parts words by spaces, which cer and --unit char "
                "count as characters: give --unit char-no-space, or score characters in a call of their own, without it"
            )
        if not isinstance(self.unicode, str) or self.unicode not in FORMS:
            raise FstmetricsError(f"unicode is one of {', '.join(FORMS)}, not {self.unicode!r}")
        if self.optional_words not in OPTIONAL_WORDS:
            raise FstmetricsError(
                f"optional_words is one of {', '.join(OPTIONAL_WORDS)}, not {self.optional_words!r}"
            )
        parts = self.remove_punctuation and (self.unit == "mixed" or self.parts_at_marks)
        object.__setattr__(self, "_parts", parts)
        if self.unicode != "as-is":
            for name in ("ignore", "ignore_hypothesis", "ignore_reference"):
                object.__setattr__(
                    self, name, frozenset(self._normal(word).strip() for word in getattr(self, name))
                )
        tokenizes = self.tokenize not in (None, "none")
        is_one_sided = bool(self.ignore_hypothesis or self.ignore_reference)
        left_out = self.ignore or is_one_sided or self.remove_punctuation
        changes = self.unicode != "as-is" or tokenizes or self.normaliser is not None
        stays = self.unit == "word" and not (left_out or changes)
        object.__setattr__(self, "_tokenizes", tokenizes)
        object.__setattr__(self, "_is_one_sided", is_one_sided)
        object.__setattr__(self, "_changes_only_case", stays)
        object.__setattr__(self, "is_plain", stays and not self.lowercase)

    @property
    def needs_sentences(self) -> bool:
        """Whether what becomes of a word depends on the words beside it, whatever the words are."""
        return self._rewrites and self.normaliser is not None and self.normaliser.by_words is None

    @property
    def _rewrites(self) -> bool:
        return self.normaliser is not None and not self.keeps_marks

    @property
    def written(self) -> Normalisation:
        """What is done to words before rules of grammars see them: all that comes before a normaliser, or all but that
        punctuation is taken out. The same object where neither is asked for.
        """
        if self.normaliser is not None:
            return replace(self, tokenize="none", lowercase=False, unit="word", keeps_marks=True)
        return replace(self, unit="word", keeps_marks=True) if self.remove_punctuation else self

    @property
    def after_rules(self) -> Normalisation:
        """What is still to be done to words that are `written`."""
        if self.normaliser is not None:
            return replace(self, unit="word")
        return replace(self, unit="word", unicode="as-is", tokenize="none")

    @property
    def gives_texts(self) -> bool:
        """Whether what becomes of a text is a text whose words are what is compared."""
        return self.unit == "word" and not self._rewrites

    @property
    def of_hypotheses(self) -> Normalisation:
        """What is done to words of hypotheses, in which words in parentheses are words like others."""
        return _of_hypotheses(self)

    @property
    def of_references(self) -> Normalisation:
        """What is done to words of references."""
        return self._with(self.ignore_reference) if self._is_one_sided else self

    def refuse_optional_words(self) -> None:
        """Raise an FstmetricsError where optional words are to be more than free, for metrics that do not know that."""
        if self.optional_words != "free":
            raise FstmetricsError(
                f"optional words are {self.optional_words} (--optional-words) only under metrics that align one "
                "hypothesis with one reference: wer, sclite and the like"
            )

    def _with(self, ignored: frozenset[str]) -> Normalisation:
        none: frozenset[str] = frozenset()
        return replace(self, ignore=self.ignore | ignored, ignore_hypothesis=none, ignore_reference=none)

    @property
    def is_plain_but_for_unit(self) -> bool:
        """Whether words are cut into units as they are, but for sentence markers."""
        return replace(self, unit="word").is_plain

    def words(self, text: str | Sequence[str]) -> list[str]:
        """The words (or characters) of a sentence.

        Raises:
            FstmetricsError: an unknown tokenizer, or a package or model that it needs is not installed.
        """
        kept = self._kept(text)
        if self.unit == "word":
            return kept
        return list(" ".join(kept)) if self.unit == "char" else self._in_units(kept)

    def joined(self, text: str | Sequence[str]) -> str:
        """The words of a sentence with a space between them: what the unit `char` compares; errors as of `words`."""
        return " ".join(self._kept(text))

    def _kept(self, text: str | Sequence[str]) -> list[str]:
        """The words that count, before they are cut into units."""
        if self.unicode != "as-is" or self._parts:
            text = (
                self._in_form(text) if isinstance(text, str) else [p for w in text for p in self._pieces(w)]
            )
        if self.normaliser and self._rewrites:
            text = self.normaliser.of_text(self._without_ignored(text))
        if self._tokenizes:
            text = self._tokenized(text if isinstance(text, str) else " ".join(text))
        if self.ignore and self.unit != "word":  # where it does not matter how words are parted
            text = _unspaced(self.ignore).sub(_left, text if isinstance(text, str) else " ".join(text))
        if isinstance(text, str) and not self.ignore and not any(map(text.__contains__, SENTENCE_MARKERS)):
            return self._changed(text).split()
        words = text.split() if isinstance(text, str) else text
        if self.lowercase or self.remove_punctuation or self.ignore:
            return [changed for word in words if (changed := self._change(word))]
        if NO_WORDS.isdisjoint(words):
            return list(words)
        return [word for word in words if word not in NO_WORDS]

    def text(self, text: str) -> str:
        """A text for what counts white space, too: as it is written, where nothing but case is changed.

        Raises:
            FstmetricsError: as of `words`.
        """
        if self._changes_only_case and not any(map(text.__contains__, SENTENCE_MARKERS)):
            return text.lower() if self.lowercase else text
        return " ".join(self.words(text))

    def _in_units(self, words: list[str]) -> list[str]:
        """Words as what is compared, where that does not depend on the words beside them."""
        if self.unit == "char-no-space":
            return [character for word in words for character in word]
        if self.unit == "mixed":
            return [piece for word in words for piece in _han_or_other().findall(word)]
        return words

    def _without_ignored(self, text: str | Sequence[str]) -> str:
        """A text without the words that do not count, which a normaliser would not know."""
        words = text.split() if isinstance(text, str) else text
        if not self.ignore and SENTENCE_MARKERS.isdisjoint(words):
            return text if isinstance(text, str) else " ".join(words)
        kept = [word for word in words if not self._ignores(word)]
        return text if isinstance(text, str) and len(kept) == len(words) else " ".join(kept)

    def arc_words(self, word: str) -> list[str]:
        """What one arc's word becomes: none, one or several words. A wildcard stays.

        With the unit `char` characters are not split here, as spaces come between words.

        Raises:
            FstmetricsError: the normaliser cannot rewrite the word by itself, or the tokenizer cuts it by what stands
                beside it.
        """
        if word == WILDCARD:
            return [WILDCARD]
        if self.normaliser and self._rewrites:
            given = [] if self._ignores(word) else self.normaliser.of_word(self._in_form(word)).split()
            words = [w for one in given for w in (self._tokens_of_word(one) if self._tokenizes else [one])]
        elif self._tokenizes:
            words = self._tokens_of_word(self._in_form(word))
        else:
            words = self._pieces(word)
        return self._in_units([changed for word in words if (changed := self._change(word))])

    def _in_form(self, text: str) -> str:
        """A text in its normal form, and with a space behind marks that words are cut at, but those that do not
        count, which are left out."""
        if self._parts:
            if self.ignore:
                text = " ".join(word for word in text.split() if not self._ignores(self._normal(word)))
            text = _parting_marks().sub(r"\g<0> ", text)
        return self._normal(text)

    def _normal(self, text: str) -> str:
        """A text in the normal form of Unicode that is asked for."""
        return text if self.unicode == "as-is" else unicodedata.normalize(self.unicode.upper(), text)  # type: ignore[arg-type]

    def _pieces(self, word: str) -> list[str]:
        """A word in the normal form; it may fall apart: what NFKC makes of an accent alone begins with a space."""
        changed = self._in_form(word)
        return [word] if changed == word else changed.split()

    def _tokenized(self, text: str) -> str:
        """A text in its normal form, tokenized as sacrebleu does it: case is folded first, the end is stripped.

        Words that do not count are taken out before, as a tokenizer would cut them into pieces.
        """
        text = self._without_ignored(text)
        if self.lowercase:
            text = text.lower()
        from fstmetrics.text.tokenizers import tokenizer_of  # most words are not cut

        return tokenizer_of(str(self.tokenize), self.allow_download)(text.rstrip())

    def _tokens_of_word(self, word: str) -> list[str]:
        """What a word is cut into wherever it stands.

        Raises:
            FstmetricsError: that is not the same at an end of a sentence, or alone, and between other words.
        """
        alone = self._tokenized(word).split()
        if self.cuts_by_place and alone:
            other = self._tokenized("a").split()
            for before, behind in ((1, 1), (0, 1), (1, 0)):
                beside = self._tokenized(before * "a " + word + behind * " a").split()
                if beside != [*before * other, *alone, *behind * other]:
                    raise FstmetricsError(
                        f"the tokenizer {self.tokenize} cuts {word!r} otherwise beside other words than alone, and in "
                        "lattices, networks and choices words are cut one by one; --tokenize 13a does that alike "
                        "everywhere"
                    )
        return alone

    def _ignores(self, word: str) -> bool:
        """Whether a word does not count, in its case or, where case does not count, in another; where punctuation does
        not count, also with some of it before or behind.
        """
        if word in SENTENCE_MARKERS or word in self.ignore:
            return True
        if not self.ignore:
            return False
        ignored = self.ignore
        if self.folds_case:
            word, ignored = word.lower(), _lowered(ignored)
        if word in ignored or not (self.remove_punctuation or self.normaliser):
            return word in ignored
        return any(part in ignored for part in without_ends(word))

    @property
    def cuts_by_place(self) -> bool:
        """Whether a tokenizer may cut a word by what stands beside it."""
        if not self._tokenizes:
            return False
        from fstmetrics.text.tokenizers import KNOWN, OTHER

        return not KNOWN.get(self.tokenize, OTHER).by_words

    @property
    def folds_case(self) -> bool:
        """Whether case does not count."""
        return self.lowercase or (self.normaliser is not None and self.normaliser.folds_case)

    def _change(self, word: str) -> str:
        """The word as compared; empty if it does not count, as it is written or without punctuation."""
        if self._ignores(word):
            return ""
        word = self._changed(word)
        ignored = _lowered(self.ignore) if self.folds_case else self.ignore
        if word in ignored:
            return ""
        return _unspaced(ignored).sub("", word) if ignored and self.unit != "word" else word

    def _changed(self, text: str) -> str:
        """A text, or a word, without case and punctuation where these do not count."""
        if self.lowercase:
            text = text.lower()
        return (
            text.translate(_WITHOUT_PUNCTUATION) if self.remove_punctuation and not self.keeps_marks else text
        )

    def settings(self) -> dict[str, object]:
        """For the JSON summary."""
        return {
            "unit": self.unit,
            "lowercase": self.lowercase,
            "remove_punctuation": self.remove_punctuation,
            "tokenize": self.tokenize or "none",
            "ignore": sorted(self.ignore),
            "ignore_hypothesis": sorted(self.ignore_hypothesis),
            "ignore_reference": sorted(self.ignore_reference),
            **({"unicode": self.unicode} if self.unicode != "as-is" else {}),
            **({"profile": self.label} if self.label else {}),
            **({"optional_words": self.optional_words} if self.optional_words != "free" else {}),
        }

    def signature(self) -> str:
        """For the one-line signature."""
        changes = [
            f"case:{'lower' if self.lowercase else 'mixed'}" if self.lowercase or not self.normaliser else "",
            f"punctuation:{'removed' if self.remove_punctuation else 'kept'}"
            if self.remove_punctuation or not self.normaliser
            else "",
        ]
        parts = [f"unit:{self.unit}", *filter(None, changes), f"tok:{self.tokenize or 'none'}"]
        if self.unicode != "as-is":
            parts.insert(0, f"unicode:{self.unicode}")
        if self.label:
            parts.insert(0, f"profile:{self.label}")
        elif self.normaliser:
            parts.insert(0, f"normaliser:{self.normaliser.label}")
        ignored = {
            "drops": frozenset() if self.label else self.drops,
            "ignore": self.ignore,
            "ignore-hyp": self.ignore_hypothesis,
            "ignore-ref": self.ignore_reference,
        }
        parts += [
            f"{name}:{','.join(map(_quoted, sorted(words)))}" for name, words in ignored.items() if words
        ]
        if self.optional_words != "free":
            parts.append(f"optional-words:{self.optional_words}")
        return "|".join(parts)


# Han characters, one by one: those that Unicode calls ideographs, the mark that repeats one, and the zero.
HAN = (
    "\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002fa1f\U00030000-\U000323af"
)


@cache
def _han_or_other() -> re.Pattern[str]:
    """What cuts a word so; made where it is needed, as its ranges take long."""
    return re.compile(f"[{HAN}]|[^{HAN}]+")


@cache
def _parting_marks() -> re.Pattern[str]:
    """Punctuation that parts words with no space beside it; commas and colons do not between digits."""
    return re.compile(r"[;!?—“”…、。〈-】〔-〛！（），；？［］｛｝｡-､]|[,:：](?!(?<=\d.)\d)")


def _quoted(word: str) -> str:
    """A word in a signature, whose own marks are told apart from those of the signature."""
    return "".join(f"\\{c}" if c in ",|\\" else c for c in word)


def without_ends(word: str) -> Iterator[str]:
    """A word without some of the punctuation at its ends.

    >>> list(without_ends("[a],"))
    ['[a]', '[a', 'a],', 'a]', 'a']
    """
    before = len(list(takewhile(is_punctuation, word)))
    behind = len(list(takewhile(is_punctuation, reversed(word))))
    if before + behind > len(word):
        return
    for begin in range(before + 1):
        for end in range(0 if begin else 1, behind + 1):
            yield word[begin : len(word) - end]


def is_punctuation(character: str) -> bool:
    """Whether a character is one that `remove_punctuation` takes out: Unicode category P."""
    return unicodedata.category(character).startswith("P")


# Scripts that are written without spaces between words, as names of characters begin.
_UNSPACED = (
    "CJK UNIFIED", "CJK COMPAT", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"
)  # fmt: skip


def is_unspaced(character: str) -> bool:
    """Whether a character is of a script without spaces between words.

    >>> is_unspaced("总"), is_unspaced("a"), is_unspaced("。")
    (True, False, False)
    """
    return unicodedata.name(character, "").startswith(_UNSPACED)


def runs_on(text: str) -> bool:
    """Whether most of a text is in a script without spaces, and nobody has parted its words.

    >>> runs_on("意大利总理贝卢斯科尼"), runs_on("意大利 总理 贝卢斯科尼"), runs_on("el primer ministro")
    (True, False, False)
    """
    runs = [sum(map(is_unspaced, word)) for word in text.split()]
    unspaced = [count for count in runs if count]
    # Words of such a script that somebody has parted have two or three characters on average.
    run_on = sum(unspaced) > 5 * len(unspaced) or (len(runs) == 1 and sum(runs) > 1)
    return run_on and sum(unspaced) > other_words(text)


def other_words(text: str) -> int:
    """How many words of other scripts a text has."""
    return len(re.findall(r"\w+", "".join(" " if is_unspaced(c) else c for c in text)))


def unspaced_text(texts: Iterable[str]) -> str:
    """The first of texts that run on, if most do, as far as a message shows it; "" otherwise, as where all are short.

    >>> unspaced_text(["", "意大利总理到了"]), unspaced_text(["意大利总理到了", "a cat", "a dog"])
    ("'意大利总理到了'", '')
    """
    told = [text for text in texts if len(text.strip()) > 1]
    running = [] if all(map(str.isascii, told)) else [text for text in told if runs_on(text)]
    return shortened(running[0].strip()) if 2 * len(running) > len(told) else ""


class _WithoutPunctuation(dict[int, int | None]):
    """What becomes of each character, by its number; filled as characters come."""

    def __missing__(self, number: int) -> int | None:
        found = self[number] = None if is_punctuation(chr(number)) else number
        return found


_WITHOUT_PUNCTUATION = _WithoutPunctuation()


@lru_cache(maxsize=16)
def _lowered(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for word in words)


@lru_cache(maxsize=16)
def _unspaced(words: Iterable[str]) -> re.Pattern[str]:
    """Where words of scripts without spaces stand, within others or parted: units of characters know no words."""
    found = [word for word in sorted(words, key=len, reverse=True) if all(map(is_unspaced, word))]
    return re.compile("|".join(r"\s*".join(word) for word in found) or r"(?!)")


def _left(ignored: re.Match[str]) -> str:
    """What stands in place of ignored words: a space where there was one."""
    return " " if len(ignored[0].split()) > 1 else ""


@lru_cache(maxsize=64)
def _of_hypotheses(both: Normalisation) -> Normalisation:
    own = both._with(both.ignore_hypothesis) if both._is_one_sided else both
    return replace(own, optional_words="word") if own.optional_words == "free" else own


# What changes nothing but white space and sentence markers.
PLAIN = Normalisation()


def unheard(normalisation: Normalisation, words: Iterable[str], texts: Iterable[str]) -> list[str]:
    """Which of some words would, as words that do not count, be in none of these texts.

    >>> unheard(Normalisation(lowercase=True), {"uh", "um,uh"}, ["Uh yes"])
    ['um,uh']
    >>> unheard(Normalisation(unit="char"), {"嗯"}, ["嗯我们"])
    []
    """
    none: frozenset[str] = frozenset()
    of_each = {
        word: replace(normalisation, ignore=frozenset({word}), ignore_hypothesis=none, ignore_reference=none)
        for word in sorted(words)
    }
    for text in texts:
        if not of_each:
            break
        formed = normalisation._normal(text)
        whole = formed.lower() if normalisation.folds_case else formed
        for word in [
            word for word in of_each if (word.lower() if normalisation.folds_case else word) in whole
        ]:
            runs_on = normalisation.unit != "word" and all(map(is_unspaced, word))
            if runs_on or any(map(of_each[word]._ignores, formed.split())):
                del of_each[word]
    return [*of_each]
