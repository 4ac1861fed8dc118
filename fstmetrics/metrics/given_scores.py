"""Scores that come from elsewhere, as those of neural metrics and of people: `GivenScores`; and `Directions`, which are
better."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.corpus_metric import CorpusMetric, metric_of, ratio
from fstmetrics.metrics.registry import METRICS
from fstmetrics.support.arguments import items_of
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table


# Names of scores where lower is better: their words without what parts them, in small letters.
LOWER = frozenset((
    "wer", "cer", "per", "mer", "ter", "terp", "wil", "hyter", "sclite", "case", "hter", "nter", "cder",
    "eed", "character", "extendededitdistance", "der", "jer", "wder", "ser", "cpwer", "cpcer", "orcwer",
    "tcpwer", "tcorcwer", "dicpwer", "mimower", "metricx", "nll", "negativeloglikelihood", "ppl",
    "perplexity", "loss", "crossentropy", "mae", "mse", "rmse", "error", "errors", "errorrate",
    "worderrorrate", "charactererrorrate", "matcherrorrate", "sentenceerrorrate", "diarizationerrorrate",
    "translationeditrate", "translationerrorrate", "errorcount", "errorscount", "numberoferrors", "edits",
    "editrate", "distance", "editdistance", "levenshtein", "levenshteindistance", "ped", "rank",
    "severity", "severities", "penalty", "mqmpenalty", "petime", "editingtime", "edittime",
    "posteditingtime", "postedittime", "latency", "delay", "lag", "al", "laal", "longlaal", "streamlaal",
    "yaal", "longyaal", "dal", "atd", "err", "errs", "errrate", "numerrors", "mwer", "mper", "ler", "ranks",
    "ranking", "rankings", "ber", "wmd", "wordmoverdistance", "wordmoversdistance", "cosinedistance",
    "hammingdistance",
))  # fmt: skip
# Those where higher is better, though they have a word of these.
HIGHER = frozenset({"brevitypenalty", "reciprocalrank", "inverserank", "percentilerank", "rankpercentile"})
# MetricX of WMT22, by what it was trained on.
FIRST_METRICX = re.compile("metricx_xx?l_(da|mqm)_20[0-9]{2}", re.ASCII)
# `per` is a word of other names, too, but for the first or the last one; so are these anywhere. `ap` may be average
# precision, or average proportion.
OTHER_WORDS = frozenset({"case", "character", "per"})
UNCLEAR = LOWER - OTHER_WORDS | {"ap"}
# What a name may have before and behind it: means, and references, sizes, versions, tokenizers and units.
BEFORE = frozenset(
    {"mean", "average", "avg", "m", "char", "corpus", "segment", "sentence", "sent", "system", "doc"}
)
BEHIND = re.compile(
    "[0-9]+|[a-z]|ref[a-z]?|src|srcref|qe|hybrid|xx?l|large|intl|zh|char|spm|flores|mean|average|avg|ca|ms|sec|"
    "seconds|nocase|cased|uncased|lc|collar"
)
# Words of names: MetricX-23, word_error_rate, sentTER.
WORDS = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def direction(name: str) -> bool | str:
    """As `higher_is_better`; a word that makes it unclear, where the name does not tell."""
    bare = metric_of(name.lower())
    if bare in METRICS:
        return bool(METRICS[bare].recognition)
    if FIRST_METRICX.fullmatch(name.lower()):
        return True
    words = [word.lower() for word in WORDS.findall(name)]
    first = 1 if words[:1] and words[0] in BEFORE else 0
    for last in range(len(words), first, -1):
        whole = "".join(words[first:last])
        if whole in LOWER or whole in HIGHER:
            return whole in HIGHER
        if not BEHIND.fullmatch(words[last - 1]):
            break
    runs = ["".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
    return next(
        (run for run in runs if run in UNCLEAR), "per" if "per" in (*words[:1], *words[-1:]) else True
    )


def higher_is_better(name: str) -> bool:
    """Of scores by their whole name, in any case and with any parting; True for names that are not known.

    Raises:
        FstmetricsError: only a part of the name is known as one of which lower is better.

    >>> higher_is_better("ter"), higher_is_better("mean-WER"), higher_is_better("comet")
    (False, False, True)
    >>> higher_is_better("MetricX-24"), higher_is_better("word_error_rate"), higher_is_better("TER-refA")
    (False, False, False)
    >>> higher_is_better("mqm_penalty"), higher_is_better("brevity_penalty"), higher_is_better("mqm")
    (False, True, True)
    >>> higher_is_better("edit_distance"), higher_is_better("mean_rank"), higher_is_better("reciprocal-rank")
    (False, False, True)
    >>> higher_is_better("ter-aware-comet")
    Traceback (most recent call last):
        ...
    fstmetrics.support.errors.FstmetricsError: ter-aware-comet: its name has ter, and does not tell whether higher or \
lower is better; --lower ter-aware-comet or --higher ter-aware-comet does (in Python lower= or higher=)
    """
    if isinstance(unclear := direction(name), bool):
        return unclear
    told = shlex.quote(name)
    raise FstmetricsError(
        f"{name}: its name has {unclear}, and does not tell whether higher or lower is better; --lower {told} or "
        f"--higher {told} does (in Python lower= or higher=)"
    )


def is_higher_better(name: str, scores: Iterable[Table]) -> bool:
    """Whether higher scores are better, by their name.

    What may be an error rate and is below 0 somewhere, and nowhere above, was turned round, as WMT's files have it.

    Args:
        name: what the scores are called.
        scores: of any shape; nan where there is none.

    Raises:
        FstmetricsError: the name does not tell.

    >>> is_higher_better("TER", [np.array([0.5, 0.0])]), is_higher_better("TER", [np.array([-0.5, 0.0])])
    (False, True)
    """
    return direction(name) is True or are_turned(scores) or higher_is_better(name)


def are_turned(scores: Iterable[Table]) -> bool:
    """Whether scores are below 0 somewhere, and nowhere above."""
    every = list(scores)
    return any((values < 0).any() for values in every) and not any((values > 0).any() for values in every)


@dataclass(frozen=True)
class Directions:
    """What somebody says of given scores.

    Args:
        lower: names of those of which lower is better.
        higher: names of those of which higher is better.
    """

    lower: Sequence[str] = ()
    higher: Sequence[str] = ()

    @classmethod
    def of(cls, lower: str, higher: str) -> Directions:
        """Of names that are separated by commas."""
        return cls(
            *([name.strip() for name in names.split(",") if name.strip()] for names in (lower, higher))
        )

    @classmethod
    def given(cls, lower: str | Iterable[str], higher: str | Iterable[str]) -> Directions:
        """Of what is given in Python: one name or several.

        Raises:
            FstmetricsError: neither.
        """
        both = (lower, "lower"), (higher, "higher")
        return cls(*([each] if isinstance(each, str) else items_of(each, name) for each, name in both))

    def told(self, *names: str) -> bool | None:
        """Whether higher is better, of scores with any of these names; None where nothing is said."""
        return False if {*names} & {*self.lower} else True if {*names} & {*self.higher} else None

    def higher_is_better(self, name: str, scores: Iterable[Table], *others: str) -> bool:
        """The same by the name where nothing is said; arguments as of `is_higher_better`, and other names."""
        told = self.told(name, *others)
        return is_higher_better(name, scores) if told is None else told

    def check(self, known: Sequence[str], option: str = "--") -> None:
        """Raise an FstmetricsError for a name that is not known, or that both options have."""
        for called, names in (("lower", self.lower), ("higher", self.higher)):
            if unknown := [name for name in names if name not in known]:
                there = f"the scores are {', '.join(map(str, known))}" if known else "no scores were given"
                raise FstmetricsError(f"{option}{called}: {unknown[0]!r:.80}: {there}")
        if both := [name for name in self.lower if name in self.higher]:
            raise FstmetricsError(f"{option}lower and {option}higher both name {both[0]!r:.80}")


@dataclass(frozen=True)
class GivenScores(CorpusMetric):
    """Scores that are given; of several items their mean.

    Args:
        name: what they are called.
        recognition: whether higher is better.
        of_items: whether items have scores; if not, only whole systems have.
        standardised: whether they are people's ratings, standardised by assessor: 0 is the mean of all.
    """

    name: str  # type: ignore[misc]
    recognition: bool = True  # type: ignore[misc]
    of_items: bool = True
    standardised: bool = False

    decomposable = "always"
    percent = None

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """Scores and ones; none where only systems have scores."""
        return ("scores", "items") if self.of_items else ()

    def corpus_score(self, sums: Table) -> Table:
        """Means; nan of nothing."""
        return ratio(sums[..., 0], sums[..., 1], empty=np.nan)

    def settings(self) -> dict[str, object]:
        """That they are given, which ones are better, and whether they are standardised."""
        found: dict[str, object] = {"scores": "given", "better": "higher" if self.recognition else "lower"}
        return found | ({"standardised": "assessor"} if self.standardised else {})
