"""Normalisers of whole texts, which profiles use: those of packages, and rules of our own.

`TextNormaliser` is one; `whisper_english`, `whisper_basic`, `open_asr`, `open_asr_multilingual` and `nemo` make them.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fstmetrics.support.errors import FstmetricsError, need

if TYPE_CHECKING:
    from pathlib import Path

# How many texts are kept with what they became: those of a test set, so that references are normalised once for all
# systems.
KEPT = 2**17
# The version of the rules here; other rules under one of these names would have another number.
RULES = 1
PACKAGE = "whisper-normalizer"
EXTRA = "profiles"


@dataclass(frozen=True)
class TextNormaliser:
    """What rewrites a text before it is split into words.

    Attributes:
        name: of the rules.
        package: name and version of the package that does the work; empty where there is none.
        rewrite: the text as it is compared; only its white space is open to change afterwards.
        by_words: whether a word alone becomes what it becomes in any sentence; None: one cannot tell of any word. Only
            such words may be normalised one by one, as those of a lattice are.
        clone: the folder that the rules come from, if there is one.

    Those that are made here can be pickled: they are made again, from the same version of the package.

    >>> shout = TextNormaliser("shout", "", str.upper, lambda word: True)
    >>> shout.of_text("a b"), shout.of_word("a"), shout.label
    ('A B', 'A', 'shout@1')
    """

    name: str
    package: str
    rewrite: Callable[[str], str] = field(compare=False, repr=False)
    by_words: Callable[[str], bool] | None = field(default=None, compare=False, repr=False)
    clone: str = field(default="", compare=False, repr=False)

    def __reduce__(self) -> tuple[Callable[..., TextNormaliser], tuple[str, str, str]]:
        if self.name not in MAKERS:
            raise FstmetricsError(f"{self.label} is a normaliser of your own, which cannot be pickled")
        return _made_again, (self.name, self.package, self.clone)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rewrite", lru_cache(maxsize=KEPT)(self.rewrite))

    @property
    def label(self) -> str:
        """Name and versions, as signatures have them."""
        return f"{self.name}@{RULES}" + (f"+{self.package}" if self.package else "")

    @property
    def folds_case(self) -> bool:
        """Whether case does not count."""
        return self.rewrite("X") == "x"

    def of_text(self, text: str) -> str:
        """A text rewritten; that of the same text is kept."""
        return self.rewrite(text)

    def of_word(self, word: str) -> str:
        """A word of a lattice, network, choice or rule, rewritten by itself.

        Raises:
            FstmetricsError: what becomes of the word may depend on the words beside it.
        """
        if self.by_words is None:
            raise FstmetricsError(
                f"{self.label} rewrites whole sentences, and the words of lattices, networks and rewrite rules are "
                "changed one by one: normalise text or n-best lists with it, or use a profile that works word by word, "
                "such as whisper-basic"
            )
        if not self.by_words(word):
            raise FstmetricsError(
                f"{self.label} removes what is between brackets, and the word {word!r} opens one that it does not "
                "close: what becomes of it depends on the words beside it, which a lattice or network leaves open"
            )
        return self.rewrite(word)


@lru_cache(maxsize=8)
def whisper_english() -> TextNormaliser:
    """`EnglishTextNormalizer` of the package whisper-normalizer.

    Raises:
        FstmetricsError: the package is not installed.
    """
    return TextNormaliser("whisper-en", *_whisper("english", "whisper-en"))


@lru_cache(maxsize=8)
def whisper_basic() -> TextNormaliser:
    """`BasicTextNormalizer` of the package whisper-normalizer, with its defaults: diacritics stay.

    Raises:
        FstmetricsError: the package is not installed.
    """
    return TextNormaliser("whisper-basic", *_whisper("basic", "whisper-basic"), closes_brackets)


# What whisper-normalizer adds to the words of OpenAI's Whisper, which the leaderboard does not have.
PACKAGE_ADDS = (r"\bkinda\b", r"\bsorta\b", r"\bdunno\b", r"\bcause\b")
TRAILING_DOTS, DOTS = re.compile(r"\.{3,}\s*$"), re.compile(r"\s*\.{3,}\s*")


@lru_cache(maxsize=8)
def open_asr(clone: str = "") -> TextNormaliser:
    """The English rules of the Open ASR Leaderboard.

    Without a clone: Whisper's normaliser with what the leaderboard first added to it, dots of an ellipsis and of
    abbreviations. The leaderboard has changed its rules many times since, in its repository only; with a clone of that
    the rules are those of the clone.

    Args:
        clone: a folder with a clone of github.com/huggingface/open_asr_leaderboard; empty for none.

    Raises:
        FstmetricsError: whisper-normalizer is not installed, or the folder is no clone.
    """
    if clone:
        package, module = _leaderboard(clone)
        return TextNormaliser("open-asr", package, module.EnglishTextNormalizer(), clone=clone)
    package, english = _whisper("english", "open-asr")
    # The package applies its table in order, at the place where the leaderboard joins abbreviations.
    own = {pattern: text for pattern, text in english.replacers.items() if pattern not in PACKAGE_ADDS}
    english.replacers = {**abbreviations(), **own}

    def rewrite(text: str) -> str:
        return str(english(DOTS.sub(" ", TRAILING_DOTS.sub("", text.lower()))))

    return TextNormaliser("open-asr", package, rewrite)


@lru_cache(maxsize=8)
def open_asr_multilingual(clone: str = "") -> TextNormaliser:
    """The rules of the Open ASR Leaderboard for other languages: Whisper's without diacritics, and no symbol at all.

    Args:
        clone: as of `open_asr`.

    Raises:
        FstmetricsError: as of `open_asr`.
    """
    if clone:
        package, module = _leaderboard(clone)
        made = module.BasicMultilingualTextNormalizer()
        return TextNormaliser("open-asr-multilingual", package, made, closes_brackets, clone)
    package, basic = _whisper("basic", "open-asr-multilingual", remove_diacritics=True)
    symbol = re.compile(r"[^\w\s]")
    return TextNormaliser(
        "open-asr-multilingual", package, lambda text: symbol.sub("", basic(text)), closes_brackets
    )


def abbreviations() -> dict[str, str]:
    """Patterns of letters with dots between them, and what joins them: `u.s.a.` is `usa`, `a. b. c.` is `abc`.

    >>> text = "the u.s.a. and the u. k. and p.h.d.s"
    >>> for pattern, joined in abbreviations().items():
    ...     text = re.sub(pattern, joined, text)
    >>> text
    'the usa. and the u. k. and phds'
    """

    def letters(count: int, between: str) -> str:
        return r"\b" + between.join(["([a-z])"] * count)

    def joined(count: int) -> str:
        return "".join(rf"\{group}" for group in range(1, count + 1))

    plural = {letters(3, r"\.") + r"\.s\b": joined(3) + "s"}
    close = {letters(count, r"\.") + r"\.?\b": joined(count) for count in (4, 3, 2)}
    spaced = {letters(count, r"\.\s+") + r"\.\b": joined(count) for count in (4, 3, 2)}
    possessive = {letters(3, r"\.") + r"\.'s\b": joined(3) + "s"}
    return plural | close | spaced | possessive


# The marks that NVIDIA NeMo's scoring of manifests removes by default.
NEMO_MARKS = re.compile(r"[.,?]")


@lru_cache(maxsize=8)
def nemo() -> TextNormaliser:
    """NeMo's `speech_to_text_eval.py` with `do_lowercase` and `rm_punctuation`: `. , ?` become spaces.

    >>> nemo().of_text("Well, it's 3.5.").split()
    ['well', "it's", '3', '5']
    """
    return TextNormaliser("nemo", "", lambda text: NEMO_MARKS.sub(" ", text.lower()), lambda word: True)


# What Whisper's normalisers remove, in this order.
BRACKETED, PARENTHESISED = re.compile(r"[<\[][^>\]]*[>\]]"), re.compile(r"\([^)]+?\)")


def closes_brackets(word: str) -> bool:
    """Whether every bracket that a word opens is closed in it, so that none reaches into another word.

    >>> [closes_brackets(word) for word in ("a", "<unk>", "[laughter]", "(uh", "a<b")]
    [True, True, True, False, False]
    """
    return not any(mark in PARENTHESISED.sub("", BRACKETED.sub("", word)) for mark in "<[(")


def _whisper(name: str, profile: str, **options: bool) -> tuple[str, Any]:
    """The package, and its normaliser `english` or, of any language, `basic`."""
    from importlib.metadata import version  # takes 20 ms, and only these profiles need it

    module = need(f"whisper_normalizer.{name}", f"the profile {profile}", EXTRA)
    return f"{PACKAGE}-{version(PACKAGE)}", getattr(module, f"{name.capitalize()}TextNormalizer")(**options)


def _leaderboard(clone: str) -> tuple[str, Any]:
    """A clone of the leaderboard by a stamp of its rules, and its module with them."""
    from pathlib import Path  # takes milliseconds to import, and is for this normaliser alone

    folder = Path(clone) / "normalizer"
    if not (folder / "normalizer.py").is_file():
        raise FstmetricsError(
            f"{clone} is no clone of the Open ASR Leaderboard: there is no normalizer/normalizer.py in it; get one by "
            "git clone https://github.com/huggingface/open_asr_leaderboard"
        )
    from hashlib import sha256  # OpenSSL takes longer to load than all rules here

    stamp = sha256()
    for name in ("normalizer.py", "english_abbreviations.py"):
        stamp.update((folder / name).read_bytes() if (folder / name).is_file() else b"")
    found = stamp.hexdigest()[:12]
    return f"open_asr_leaderboard-{found}", _imported(folder, found)


@lru_cache(maxsize=8)
def _imported(folder: Path, stamp: str) -> Any:
    """The leaderboard's module; its package's own start is left out, which loads what scoring does not need."""
    package = f"fstmetrics_open_asr_{stamp}"
    spec = importlib.util.spec_from_loader(package, None, is_package=True)
    assert spec is not None
    spec.submodule_search_locations = [str(folder)]
    sys.modules[package] = importlib.util.module_from_spec(spec)
    try:
        return importlib.import_module(f"{package}.normalizer")
    except Exception as error:  # of any kind: it is another's code
        raise FstmetricsError(
            f"{folder / 'normalizer.py'} of the Open ASR Leaderboard cannot be used: {error or type(error).__name__}"
        ) from None


MAKERS: dict[str, Callable[..., TextNormaliser]] = {
    "whisper-en": whisper_english,
    "whisper-basic": whisper_basic,
    "open-asr": open_asr,
    "open-asr-multilingual": open_asr_multilingual,
    "nemo": nemo,
}


def _made_again(name: str, package: str, clone: str) -> TextNormaliser:
    """A normaliser that was pickled; where its package is another or missing now, one that refuses every text."""
    try:
        made = MAKERS[name](*([clone] if clone else []))
        found = made.package
    except FstmetricsError as error:
        found = str(error)
    if found == package:
        return made

    def refuse(text: str) -> str:
        raise FstmetricsError(f"these rules are of {package}, which is not here now: {found}")

    return TextNormaliser(name, package, refuse, clone=clone)
