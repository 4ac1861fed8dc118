"""TERp-style rates: TER with costs of its edits, stems, synonyms and paraphrases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from fstmetrics.metrics.analysers import synonyms_option
from fstmetrics.metrics.corpus_metric import TextMetric, Words, ratio
from fstmetrics.metrics.phrase_table import Phrase, kept_table
from fstmetrics.support.errors import FstmetricsError, need
from fstmetrics.support.options import PATH, one_of, option

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Floats = npt.NDArray[np.float64]

# Tercom's limits of moves, and how little no gain is.
MOST_WORDS_MOVED, FARTHEST, NOTHING = 10, 50, 1e-9


class Costs(NamedTuple):
    """What each edit costs; `phrase` has the four weights of a paraphrase."""

    deletion: float
    insertion: float
    substitution: float
    shift: float
    stem: float
    synonym: float
    phrase: tuple[float, float, float, float]
    capped: bool


# Of TERp's own parameter files, tuned towards adequacy (TERp-A) and HTER (TERp-H) by its authors.
COSTS: Mapping[str, Costs] = MappingProxyType(
    {
        "adequacy": Costs(
            1.4269364675533365, 0.2588527567630183, 1.5565478292505814, 0.5620538767397316, 0.0, 0.0,
            (-0.2306579294476191, -0.1469465037633749, -0.07843705907022736, 0.17708577297831574), True,
        ),
        "hter": Costs(
            0.8897481530721948, 0.5160029868027748, 1.6362908525843867, 0.686718582391978,
            0.9574806141940626, 0.16474604979800672,
            (1.0366410752548514, 0.6518645817002747, -0.008317921340980746, 1.1121928362344298), True,
        ),
        "unit": Costs(1.0, 1.0, 1.0, 1.0, 0.0, 0.0, (0.0, 0.0, 0.0, 0.0), False),
    }
)  # fmt: skip


@dataclass(frozen=True)
class TERp(TextMetric):
    """A rate of weighted edits in the style of TERp, 0 to 100, 0 is perfect (Snover, Madnani, Dorr, Schwartz 2009).

    Not TERp's: its paraphrase table (give your own), its tokenizer, its list of words that do not move alone (here
    function words), its beam, and moves of paraphrases. Words that are equal cost nothing; those of one Porter stem,
    synonyms, and other words have a cost each, as have insertions, deletions and moves of blocks. A phrase of the
    reference that the table pairs with
    one of the hypothesis with probability p costs w1 + w2 log10(p) e + w3 p e + w4 e, at least 0, where e is the cost
    of the edits between them. The move that saves most is made, until none saves any; a block moves whose words are
    equal, of one stem, or synonyms of those where it goes. Case is folded. The rate is the cost over the mean length of
    the references, of several the one with the least cost; except with `unit` it is at most 100 an item.

    Args:
        costs: `adequacy` (TERp-A) or `hter` (TERp-H), as its authors tuned them; `unit`: edits and moves cost 1, stems,
            synonyms and paraphrases nothing.
        synonyms: `wordnet`, or `none`.
        paraphrases: a phrase table of Moses, from phrases of references to those of hypotheses.
    """

    costs: Literal["adequacy", "hter", "unit"] = option(
        "adequacy", one_of("adequacy", "hter", "unit"), "terp: costs as TERp's authors tuned them, or 1 an edit.",
        name="terp_costs",
    )  # fmt: skip
    synonyms: Literal["wordnet", "none"] = synonyms_option()
    paraphrases: str | None = option(
        None, PATH, "terp: a phrase table of Moses, of references' phrases.", "FILE", name="terp_paraphrases",
    )  # fmt: skip

    name = "terp"
    percent = True
    recognition = False
    decomposable = "always"
    columns = ("cost", "reference_length")
    packages = ("nltk",)
    folds_case = True

    def __post_init__(self) -> None:
        if self.costs not in COSTS:
            raise FstmetricsError(f"costs is 'adequacy', 'hter' or 'unit', not {self.costs!r}")
        if self.synonyms not in ("wordnet", "none"):
            raise FstmetricsError(f"synonyms is 'wordnet' or 'none', not {self.synonyms!r}")

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The cost to the best reference, and the mean length of all."""
        costs = COSTS[self.costs]
        rows = np.empty((len(hypotheses), len(self.columns)))
        for row, words, refs in zip(rows, hypotheses, references, strict=True):
            folded = [word.lower() for word in words]
            length = sum(map(len, refs)) / len(refs)
            cost = min(self._cost(folded, [word.lower() for word in ref]) for ref in refs)
            row[:] = min(cost, length) if costs.capped and length else cost, length
        return rows

    def _cost(self, words: list[str], reference: list[str]) -> float:
        return TERpSearch(reference, COSTS[self.costs], self.synonyms == "wordnet", self.paraphrases).cost(
            words
        )

    def corpus_score(self, sums: Table) -> Table:
        """Cost over reference length; 100 for words where the references have none."""
        return 100 * np.nan_to_num(ratio(sums[..., 0], sums[..., 1], empty=0.0), posinf=1.0)


class TERpSearch:
    """Edits and moves from hypotheses to one reference."""

    def __init__(self, reference: list[str], costs: Costs, synonyms: bool, paraphrases: str | None) -> None:
        self.reference, self.costs, self.synonyms = reference, costs, synonyms
        self.by_end = self._phrases(paraphrases) if paraphrases is not None else {}
        self._of_word: dict[str, Floats] = {}
        self.steps: Floats = costs.deletion * np.arange(len(reference) + 1, dtype=np.float64)

    def _phrases(self, path: str) -> dict[Phrase, list[tuple[int, int, float]]]:
        """For phrases of hypotheses: begin, end and cost of phrases of the reference that they may stand for."""
        table = kept_table(path, shares=False)
        found: dict[Phrase, list[tuple[int, int, float]]] = {}
        for begin in range(len(self.reference)):
            for end in range(begin + 1, min(len(self.reference), begin + table.longest) + 1):
                phrase = tuple(self.reference[begin:end])
                for other, p in table.options.get(phrase, {}).items():
                    edits = TERpSearch(list(phrase), self.costs, self.synonyms, None).cost(list(other))
                    w1, w2, w3, w4 = self.costs.phrase
                    cost = max(0.0, w1 + (w2 * math.log10(p) + w3 * p + w4) * edits)
                    found.setdefault(other, []).append((begin, end, cost))
        return found

    def cost(self, words: list[str]) -> float:
        """The cost of all moves and edits."""
        moves = 0.0
        rows = self.rows(words)
        while True:
            best, best_words = rows[-1][-1] - NOTHING, None
            for candidate in self._moved(words, rows):
                cost = self.rows(candidate)[-1][-1] + self.costs.shift
                if cost < best:
                    best, best_words = cost, candidate
            if best_words is None:
                return float(moves + rows[-1][-1])
            words, moves = best_words, moves + self.costs.shift
            rows = self.rows(words)

    def substitutions(self, word: str) -> Floats:
        """What the word costs in the place of each word of the reference."""
        if word not in self._of_word:
            self._of_word[word] = np.array([self._substitution(word, other) for other in self.reference])
        return self._of_word[word]

    def _substitution(self, word: str, other: str) -> float:
        if word == other:
            return 0.0
        found = self.costs.substitution
        if stem(word) == stem(other):
            found = min(found, self.costs.stem)
        if self.synonyms and are_synonyms(word, other):
            found = min(found, self.costs.synonym)
        return found

    def rows(self, words: Sequence[str]) -> list[Floats]:
        """The least cost of each beginning of the hypothesis, a row, against each of the reference, a column."""
        rows: list[Floats] = [self.steps]
        for j, word in enumerate(words):
            row = rows[j] + self.costs.insertion
            row[1:] = np.minimum(row[1:], rows[j][:-1] + self.substitutions(word))
            for start, begin, end, cost in self._phrases_ending(words, j + 1):
                row[end] = min(row[end], rows[start][begin] + cost)
            least: Floats = np.minimum.accumulate(row - self.steps) + self.steps
            rows.append(least)
        return rows

    def _phrases_ending(self, words: Sequence[str], end: int) -> Iterator[tuple[int, int, int, float]]:
        if self.by_end:
            for start in range(max(0, end - max(map(len, self.by_end))), end):
                for place in self.by_end.get(tuple(words[start:end]), ()):
                    yield (start, *place)

    def _aligned(self, words: Sequence[str], rows: list[Floats]) -> tuple[list[int], list[bool], list[bool]]:
        """The word of the hypothesis at or before each of the reference, -1 before all; and which words have errors."""
        i, j = len(self.reference), len(words)
        places, wrong, wrong_there = [-1] * i, [True] * j, [True] * i
        while i or j:
            here = rows[j][i] + NOTHING
            if i and j and rows[j - 1][i - 1] + self.substitutions(words[j - 1])[i - 1] <= here:
                i, j = i - 1, j - 1
                places[i] = j
                wrong[j] = wrong_there[i] = words[j] != self.reference[i]
            elif j and rows[j - 1][i] + self.costs.insertion <= here:
                j -= 1
            elif i and rows[j][i - 1] + self.costs.deletion <= here:
                i -= 1
                places[i] = j - 1
            else:
                start, begin = next(
                    (start, begin)
                    for start, begin, end, cost in self._phrases_ending(words, j)
                    if end == i and rows[start][begin] + cost <= here
                )
                places[begin:i] = [start] * (i - begin)
                i, j = begin, start
        return places, wrong, wrong_there

    def _moved(self, words: list[str], rows: list[Floats]) -> Iterator[list[str]]:
        """The hypothesis after each move of a block to where words like its own are."""
        places, wrong, wrong_there = self._aligned(words, rows)
        seen = set()
        for start in range(len(words)):
            for place in range(max(0, start - FARTHEST), min(len(self.reference), start + FARTHEST + 1)):
                for length in range(1, MOST_WORDS_MOVED + 1):
                    end, last = start + length, place + length
                    if (
                        end > len(words)
                        or last > len(self.reference)
                        or not self._alike(words[end - 1], last - 1)
                    ):
                        break
                    if not any(wrong[start:end]) or not any(wrong_there[place:last]):
                        continue
                    if start <= places[place] < end or all(map(_never_moves_alone, words[start:end])):
                        continue
                    for target in {places[i] + 1 if i >= 0 else 0 for i in range(place - 1, last)}:
                        if (start, length, target) not in seen and not start <= target <= end:
                            seen.add((start, length, target))
                            yield _with_block_at(words, start, end, target)

    def _alike(self, word: str, place: int) -> bool:
        other = self.reference[place]
        return word == other or stem(word) == stem(other) or (self.synonyms and are_synonyms(word, other))


def _never_moves_alone(word: str) -> bool:
    from fstmetrics.metrics.wordnet import FUNCTION_WORDS

    return word in FUNCTION_WORDS or not any(map(str.isalnum, word))


def _with_block_at(words: list[str], start: int, end: int, target: int) -> list[str]:
    block = words[start:end]
    if target < start:
        return words[:target] + block + words[target:start] + words[end:]
    return words[:start] + words[end:target] + block + words[target:]


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    return need("nltk.stem.porter", "terp").PorterStemmer()


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Porter's stem, by nltk."""
    return str(_stemmer().stem(word))


@lru_cache(maxsize=200_000)
def are_synonyms(word: str, other: str) -> bool:
    """Whether WordNet has a synset with both, in any part of speech."""
    return not _synsets(word).isdisjoint(_synsets(other))


@lru_cache(maxsize=100_000)
def _synsets(word: str) -> frozenset[str]:
    from fstmetrics.metrics.wordnet import wordnet

    return frozenset(synset.name() for synset in wordnet().synsets(word))
