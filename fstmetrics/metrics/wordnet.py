"""English words analysed with WordNet, read by nltk from its own data or from Debian's package `wordnet-base`."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from threading import RLock
from typing import Any

from fstmetrics.metrics.tokens import Token, factored
from fstmetrics.support.errors import FstmetricsError, need
from fstmetrics.support.installation import WORDNET_VARIABLE, wordnet_folder

# Files of lexicographers, which the reader wants named, and nothing here uses.
LEXICOGRAPHER_FILES = 45

# English words of closed classes, a word a line, as TESLA-M discounts them.
FUNCTION_WORDS = frozenset(
    files("fstmetrics.metrics").joinpath("function_words.txt").read_text("utf-8").split()
)
# First letters of the tags of open classes, and WordNet's letters for them.
WORDNET_POS = {"N": "n", "V": "v", "J": "a", "ADJ": "a", "RB": "r", "ADV": "r"}


# A reader seeks in files that all threads have in common.
_READING = RLock()


class WordNet:
    """nltk's reader, which one thread uses at a time."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def synsets(self, lemma: str, pos: str | None = None) -> list[Any]:
        """nltk's synsets of a lemma; `pos` is n, v, a or r, None for all."""
        with _READING:
            found: list[Any] = self._reader.synsets(lemma, pos)
        return found

    def morphy(self, form: str, pos: str) -> str | None:
        """The lemma of a form; None where there is none."""
        with _READING:
            found: str | None = self._reader.morphy(form, pos)
        return found


@lru_cache(maxsize=1)
def wordnet() -> WordNet:
    """WordNet in nltk's own data if installed, otherwise in Debian's or in the folder in WNSEARCHDIR.

    Raises:
        FstmetricsError: neither is installed.
    """
    nltk = need("nltk", "WordNet")
    need("nltk.corpus", "WordNet")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about languages other than English
        try:
            nltk.data.find("corpora/wordnet")
            return WordNet(nltk.corpus.wordnet)
        except LookupError:
            return WordNet(_plain_reader(wordnet_folder()))


def _plain_reader(folder: Path) -> Any:
    """A reader of WordNet's own files, without nltk's additions."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    if not (folder / "data.noun").is_file():
        raise FstmetricsError(
            f"no WordNet in {folder}: apt-get install wordnet-base, or nltk.download('wordnet'), or set "
            f"{WORDNET_VARIABLE} to its folder; METEOR does without it by --synonyms none, TESLA-M and MaxSim by "
            "--analyser factored"
        )

    class Reader(WordNetCorpusReader):  # type: ignore[misc, no-any-unimported, unused-ignore]
        def open(self, file: str) -> Any:
            if file == "lexnames":  # a list of names that Debian leaves out
                return io.StringIO("".join(f"{i:02}\tfile{i}\t0\n" for i in range(LEXICOGRAPHER_FILES)))
            return super().open(file)

        def map_wn(self, version: str = "wordnet") -> None:
            """Nothing to map: there is one version."""

    if str(folder) not in nltk.data.path:
        nltk.data.path.append(str(folder))  # nltk opens files in its data folders only
    return Reader(str(folder), None)


def analyse(words: Sequence[str]) -> list[Token]:
    """Lemma, part of speech and synsets of English words, each word by itself.

    The part of speech is the one under which WordNet has most senses of the word; function words and words that it
    does not have get none.

    Raises:
        FstmetricsError: nltk or WordNet is not installed.
    """
    return [_analyse(word.lower()) for word in words]


def factored_with_synonyms(words: Sequence[str]) -> list[Token]:
    """As `factored`, with WordNet's synsets of the lemmas.

    Raises:
        FstmetricsError: a word without two bars, or nltk or WordNet is not installed.
    """
    tokens = []
    for token in factored(words):
        pos = next((letter for tag, letter in WORDNET_POS.items() if token.pos.startswith(tag)), None)
        tokens.append(
            token if pos is None or token.function else token._replace(synsets=synsets(token.lemma, pos))
        )
    return tokens


@lru_cache(maxsize=200_000)
def _analyse(word: str) -> Token:
    if word in FUNCTION_WORDS:
        return Token(word, "", function=True)
    found = []
    for pos in "nvar":
        if lemma := wordnet().morphy(word, pos):
            found.append((lemma, pos, synsets(lemma, pos)))
    if not found:
        return Token(word, "")
    lemma, pos, senses = max(found, key=lambda entry: len(entry[2]))
    return Token(lemma, pos, senses)


@lru_cache(maxsize=200_000)
def synsets(lemma: str, pos: str) -> frozenset[str]:
    """Names of the synsets of a lemma; `pos` is n, v, a or r.

    Raises:
        FstmetricsError: nltk or WordNet is not installed.
    """
    return frozenset(synset.name() for synset in wordnet().synsets(lemma, pos))
