"""What finds lemmas, parts of speech and synonyms of words, for the metrics that compare them: by name, or given."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from fstmetrics.metrics.corpus_metric import ItemMean, Words
from fstmetrics.metrics.tokens import Token, factored
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import one_of, option

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table

AnalyserName = Literal["wordnet", "factored", "factored-wordnet"]
Analyser = Callable[[Words], Sequence[Token]]
# Options that several metrics have. Who asks for factors, words like `house|NN`, says that such texts are plain.
analyser_option = partial(
    option, "wordnet", one_of(*get_args(AnalyserName)),
    "tesla-m, tesla-f, maxsim: lemmas from WordNet, or from words written as word|lemma|POS.",
    plain=("factored", "factored-wordnet"),
)  # fmt: skip
discount_option = partial(
    option, "subtract", one_of("subtract", "factor"),
    "tesla-m, tesla-f: the weight of a function word: 0.1 less for each, or times 0.1 for each.",
)  # fmt: skip
synonyms_option = partial(
    option, "wordnet", one_of("wordnet", "none"), "meteor, terp: where synonyms come from."
)


class Analysed(ItemMean):
    """A metric that sees analysed words; its field `analyser` says what finds them."""

    analyser: AnalyserName | Analyser

    @property
    def packages(self) -> tuple[str, ...]:  # type: ignore[override]
        """nltk where WordNet is read."""
        return ("nltk",) if self.analyser in ("wordnet", "factored-wordnet") else ()

    def __post_init__(self) -> None:
        if not callable(self.analyser) and self.analyser not in get_args(AnalyserName):
            raise FstmetricsError(
                f"analyser is 'wordnet', 'factored', 'factored-wordnet' or a function, not {self.analyser!r}"
            )


class OfTokens(Analysed):
    """A metric of the tokens of two sentences; of several references the best counts."""

    @property
    def folds_case(self) -> bool:  # type: ignore[override]
        """As WordNet's lemmas do."""
        return self.analyser == "wordnet"

    @abstractmethod
    def _score_of(self, hypothesis: Sequence[Token], reference: Sequence[Token]) -> float:
        """The score of a sentence with one reference."""

    def item_scores(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The best reference's score of each item."""
        analyse = as_analyser(self.analyser)
        scores = []
        for words, refs in zip(hypotheses, references, strict=True):
            hypothesis = analyse(words)
            scores.append(max(self._score_of(hypothesis, analyse(ref)) for ref in refs))
        return np.array(scores)


def as_analyser(analyser: AnalyserName | Analyser) -> Analyser:
    """The function, by name or itself.

    >>> as_analyser("factored")(["cats|cat|NNS"])[0].lemma
    'cat'
    """
    if callable(analyser):
        return analyser
    if analyser == "factored":
        return factored
    from fstmetrics.metrics.wordnet import analyse, factored_with_synonyms

    return analyse if analyser == "wordnet" else factored_with_synonyms
