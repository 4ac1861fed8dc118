"""What finds lemmas, parts of speech and synonyms of words, for the metrics that compare them: by name, or given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from fstmetrics.metrics.corpus import Words, name_of_function
from fstmetrics.metrics.tokens import Token, factored
from fstmetrics.support.errors import FstmetricsError

AnalyserName = Literal["wordnet", "factored", "factored-wordnet"]
Analyser = Callable[[Words], Sequence[Token]]


def check_analyser(analyser: object) -> None:
    """Raise an FstmetricsError if it is neither a function nor the name of an analyser."""
    if not callable(analyser) and analyser not in get_args(AnalyserName):
        raise FstmetricsError(
            f"analyser is 'wordnet', 'factored', 'factored-wordnet' or a function, not {analyser!r}"
        )


def analyser_setting(analyser: AnalyserName | Analyser) -> str:
    """An analyser in settings and signatures."""
    return name_of_function(analyser) if callable(analyser) else analyser


def packages_of(analyser: AnalyserName | Analyser) -> tuple[str, ...]:
    """nltk where WordNet is read."""
    return ("nltk",) if analyser in ("wordnet", "factored-wordnet") else ()


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
