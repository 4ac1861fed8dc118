"""Phrase tables of Moses: `read_phrase_table`; which phrases a sentence is cut into, and what they become."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType

from fstmetrics.metrics.corpus_metric import Words
from fstmetrics.support.file_bytes import FileState, state_of
from fstmetrics.support.source import Source

Phrase = tuple[str, ...]

# Fields of a line: phrase, other phrase, scores, alignment, counts, sparse scores, properties.
FEWEST_FIELDS, MOST_FIELDS = 3, 7
COUNTS = 4
# Where Moses has the probability of the second phrase given the first, among four scores or more.
DIRECT = 2


@dataclass(frozen=True)
class PhraseTable:
    """Phrases, and what each is in the other language.

    Attributes:
        options: of each phrase its other phrases and their weights, which add up to 1.
        counts: how often each phrase was seen; empty where the table has no counts.
    """

    options: Mapping[Phrase, Mapping[Phrase, float]]
    counts: Mapping[Phrase, float]

    @cached_property
    def longest(self) -> int:
        """The most words of a phrase."""
        return max(map(len, self.options), default=1)

    @cached_property
    def _total(self) -> float:
        return sum(self.counts.values())

    def cost(self, phrase: Phrase) -> float:
        """-log of a phrase's share of all counts; without counts all phrases are equally probable."""
        if not self.counts:
            return math.log(len(self.options)) or 1.0
        return math.log(self._total / self.counts[phrase])

    def phrases(self, words: Words) -> list[Phrase]:
        """The phrases into which a sentence is most probably cut.

        The product of their probabilities is largest. Words that no phrase can have stand alone; there are as few of
        them as can be. Of equally probable cuts the one of fewest phrases counts.

        >>> table = PhraseTable({("a",): {}, ("a", "b"): {}, ("b",): {}}, {})
        >>> table.phrases("a b x".split())
        [('a', 'b'), ('x',)]
        """
        best: list[tuple[int, float, int]] = [(0, 0.0, 0)]
        starts = [0]
        for end in range(1, len(words) + 1):
            unknown, cost, number = best[end - 1]
            here, start = (unknown + 1, cost, number + 1), end - 1
            for begin in range(max(0, end - self.longest), end):
                phrase = tuple(words[begin:end])
                if phrase in self.options:
                    unknown, cost, number = best[begin]
                    other = (unknown, cost + self.cost(phrase), number + 1)
                    if other < here:
                        here, start = other, begin
            best.append(here)
            starts.append(start)
        found, end = [], len(words)
        while end:
            found.append(tuple(words[starts[end] : end]))
            end = starts[end]
        return found[::-1]

    def network(self, words: Words) -> list[Mapping[Phrase, float]]:
        """The confusion network of a sentence: for each of its phrases the other phrases with their weights.

        Words that no phrase has stand for themselves.
        """
        return [self.options.get(phrase) or {phrase: 1.0} for phrase in self.phrases(words)]


def ngram_weights(network: Sequence[Mapping[Phrase, float]], n: int) -> dict[Phrase, float]:
    """How often each n-gram is expected to occur in a path of a confusion network.

    >>> found = ngram_weights([{("Bonjour", ","): 0.9, ("Salut", ","): 0.1}, {("Querrien",): 1.0}], 2)
    >>> {" ".join(ngram): round(weight, 6) for ngram, weight in found.items()}
    {'Bonjour ,': 0.9, 'Salut ,': 0.1, ', Querrien': 1.0}
    """
    weights: dict[Phrase, float] = {}
    endings: dict[Phrase, float] = {(): 1.0}  # the last n - 1 words, and how probable they are
    for options in network:
        after: dict[Phrase, float] = {}
        for ending, before in endings.items():
            for phrase, share in options.items():
                text, weight = ending + phrase, before * share
                for i in range(max(0, len(ending) - n + 1), len(text) - n + 1):
                    ngram = text[i : i + n]
                    weights[ngram] = weights.get(ngram, 0.0) + weight
                kept = text[len(text) - n + 1 :] if len(text) >= n else text
                after[kept] = after.get(kept, 0.0) + weight
        endings = after
    return weights


def read_phrase_table(path: str, shares: bool = True) -> PhraseTable:
    """Read a phrase table; gzip is transparent.

    A line is `phrase ||| other phrase ||| scores`, then perhaps alignment, counts, sparse scores and properties. The
    weight of the other phrase is the one score, or the third of three or more, which is Moses' probability of the
    second phrase given the first. The second of the counts is how often the phrase was seen.

    Args:
        path: the file.
        shares: whether the weights of a phrase's others are made to add up to 1.

    Raises:
        InputError: the file cannot be read, or a line that is none.
    """
    source = Source.open(path)
    options: dict[Phrase, dict[Phrase, float]] = {}
    counts: dict[Phrase, float] = {}
    scores_of_first, counts_of_first = 0, False
    for number, line in source.lines():
        fields = [field.strip() for field in line.split("|||")]
        if not FEWEST_FIELDS <= len(fields) <= MOST_FIELDS:
            raise source.error(
                f"expected `phrase ||| other phrase ||| scores`, {FEWEST_FIELDS} to {MOST_FIELDS} fields between |||, "
                f"found {len(fields)}",
                number,
            )
        phrase, other = (tuple(field.split()) for field in fields[:2])
        if not phrase or not other:
            raise source.error("expected words in both phrases, found none", number)
        scores = [_number(source, number, text) for text in fields[2].split()]
        has_counts = len(fields) > COUNTS and bool(fields[COUNTS])
        if not options:
            scores_of_first, counts_of_first = len(scores), has_counts
            if len(scores) in (0, 2):
                raise source.error(f"expected one score, or three and more, found {len(scores)}", number)
        if len(scores) != scores_of_first:
            raise source.error(f"expected {scores_of_first} scores as before, found {len(scores)}", number)
        if has_counts != counts_of_first:
            raise source.error(f"expected {'counts' if counts_of_first else 'no counts'} as before", number)
        weight = scores[DIRECT if len(scores) > DIRECT else 0]
        if not 0 <= weight <= 1:
            raise source.error(f"expected a probability, 0 to 1, found {weight:g}", number)
        if other in options.setdefault(phrase, {}):
            raise source.error("these two phrases have a line already", number)
        options[phrase][other] = weight
        if has_counts:
            counted = [_number(source, number, text) for text in fields[COUNTS].split()]
            if len(counted) < 2 or counted[1] <= 0:
                raise source.error(
                    f"expected the counts of both phrases, more than 0, found {fields[COUNTS]!r}", number
                )
            counts[phrase] = counted[1]
    if not options:
        raise source.error("expected a phrase table, found no line")
    found = {phrase: _positive(others, shares) for phrase, others in options.items()}
    return PhraseTable(MappingProxyType(found), MappingProxyType(counts))


def _positive(weights: Mapping[Phrase, float], shares: bool) -> Mapping[Phrase, float]:
    """Weights above 0, where asked for as parts of their sum."""
    total = math.fsum(weights.values()) if shares else 1.0
    return {phrase: weight / total for phrase, weight in weights.items() if weight} if total else {}


def _number(source: Source, line: int, text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise source.error(f"expected a number, found {text!r}", line)
    return found


def kept_table(path: str, shares: bool = True) -> PhraseTable:
    """As `read_phrase_table`, of a file that was read before what it had."""
    return _table(path, state_of(path), shares)


# A changed file is another.
@lru_cache(maxsize=2)
def _table(path: str, _state: FileState | None, shares: bool) -> PhraseTable:
    return read_phrase_table(path, shares)
