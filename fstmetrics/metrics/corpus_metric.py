"""What every metric can do, so that one test fits all: `CorpusMetric`, a score from sums of statistics.

The statistics of an item are a row of numbers that add up; the score of any set of items, a resample among them, is a
function of their sum. `TextMetric` is a metric that finds them by itself; those of the finite-state metrics (`Metric`)
are found by the engine. `Mean` makes a metric of the mean of another's item scores.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import starmap
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fstmetrics.support.arguments import instance
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.text.normalisation import Normalisation, Unit

    Table = npt.NDArray[np.float64]

Words = Sequence[str]
# What the name of a mean of item scores begins with.
MEAN = "mean-"
# What the name of a metric begins with where characters are compared; word error rates are then `cer`, `cpcer` etc.
CHARACTERS = "char-"
# Error rates of sessions with several speakers (`speakers`).
SESSION_RATES = frozenset({"cpwer", "tcpwer", "orcwer", "tcorcwer", "dicpwer"})
# Error rates of characters, and what they are of words.
_OF_WORDS = {name.replace("wer", "cer"): name for name in ("wer", *SESSION_RATES)}
_OF_CHARACTERS = {name: called for called, name in _OF_WORDS.items()}
# Of words of several speakers under time constraints, in seconds: what MeetEval's users and the CHiME challenges have.
COLLAR = 5.0
# A day: a longer collar is in other units than seconds.
MOST_COLLAR = 86_400
# Values of options that JSON has, too.
WRITTEN = (str, int, float, list, type(None))
# When a better score of an item, the others unchanged, can never worsen the score of the corpus.
Decomposable = Literal["always", "with one reference an item", "never"]


def name_of(metric: str, unit: Unit) -> str:
    """What a score is called: every table, record, picture and signature has this name.

    Args:
        metric: the metric's name, which may begin with `mean-`.
        unit: what was compared.

    >>> name_of("wer", "word"), name_of("cpwer", "char"), name_of("mean-wer", "char"), name_of("grr", "char")
    ('wer', 'cpcer', 'mean-cer', 'char-grr')
    """
    if unit in ("word", "mixed"):
        return metric
    if metric.startswith(MEAN):
        return MEAN + name_of(metric.removeprefix(MEAN), unit)
    return _OF_CHARACTERS.get(metric, CHARACTERS + metric)


def reference_columns(columns: Sequence[str]) -> list[int]:
    """Which columns of statistics say something of the references alone, where each item has one.

    >>> reference_columns(("edits", "reference_length"))
    [1]
    """
    return [place for place, name in enumerate(columns) if name.startswith("reference")]


def metric_of(name: str) -> str:
    """The name of the metric whose scores are called so: the inverse of `name_of`, without `mean-`.

    >>> metric_of("mean-cer"), metric_of("char-grr"), metric_of("bleu")
    ('wer', 'grr', 'bleu')
    """
    bare = name.removeprefix(MEAN).removeprefix(CHARACTERS)
    return _OF_WORDS.get(bare, bare)


def _as_text(value: object) -> str:
    return name_of_function(value) if callable(value) else str(value)


def name_of_function(function: object) -> str:
    """A function in settings and signatures, which cannot hold what it does."""
    return f"function-{getattr(function, '__qualname__', type(function).__qualname__)}"


@cache
def _option_fields(metric: type) -> tuple[list[str], dict[str, Callable[[str | None], str]]]:
    """The fields of a metric that are options, and how settings have those of them that are files."""
    from fstmetrics.support.file_bytes import stamp_of_file
    from fstmetrics.support.options import PATH, options_of_fields  # most scores have no options

    found = options_of_fields(metric).values()
    return [each.field for each in found], {each.field: stamp_of_file for each in found if each.kind is PATH}


class CorpusMetric(ABC):
    """A score of a corpus.

    Attributes:
        name: what the command line calls it.
        recognition: whether higher is better.
        percent: whether scores are 0 to 100, as is customary for some, rather than 0 to 1; None where nobody knows.
        decomposable: when the corpus score is a mean of item scores whose weights do not depend on the system
            [C08 §4.3], so that no item can improve and the corpus get worse.
        columns: names of an item's statistics; empty for a metric of whole corpora only.
        unit: what is compared, whatever else is asked for; None: what is asked for.
    """

    name: ClassVar[str]
    unit: ClassVar[Unit | None] = None
    recognition: ClassVar[bool] = False
    percent: ClassVar[bool | None] = False
    decomposable: ClassVar[Decomposable] = "never"
    columns: ClassVar[tuple[str, ...]] = ()

    @property
    def underlying(self) -> CorpusMetric:
        """What is computed of an item: this, or the metric that a mean is of."""
        return self

    def unit_beside(self, unit: Unit) -> Unit:
        """What is compared where this unit is asked for: of `cer` characters, without spaces if these are left out."""
        return unit if self.unit is None or unit.startswith(self.unit) else self.unit

    def normalisation(self, asked: Normalisation, as_words: bool = False) -> Normalisation:
        """What is done to words for this metric, which may have its own way with them, its own tokenizer among it.

        Args:
            asked: what a caller asks for.
            as_words: whether texts are lists of words already, which nothing but a tokenizer that is asked for cuts.

        Raises:
            FstmetricsError: what is asked for takes out what the metric counts.
        """
        unit = asked.unit if self.unit is None else self.unit_beside(asked.unit)
        return asked if unit == asked.unit else replace(asked, unit=unit)

    @abstractmethod
    def corpus_score(self, sums: Table) -> Table:
        """Scores of sums of statistics, shape [..., columns] to [...]."""

    def scores_of_items(self, rows: Table) -> Table:
        """Scores of single items from their statistics, shape [..., columns] to [...].

        That of a corpus of this one item, unless the metric has another rule for items, as BLEU has.
        """
        return self.corpus_score(rows)

    def details(self, sums: Table) -> str:
        """What a summary says of the corpus beside its score, from the sum of its statistics; by default nothing."""
        return ""

    def detail_values(self, sums: Table) -> dict[str, object]:
        """The same for programs; by default nothing."""
        return {}

    def settings(self) -> dict[str, object]:
        """The values of its options, by their fields, for summaries and signatures: two values are two scores.

        A file stands there by its name and a stamp of its content, a function by its name.
        """
        fields, files = _option_fields(type(self))
        found: dict[str, object] = {
            name: value if isinstance(value := getattr(self, name), WRITTEN) else _as_text(value)
            for name in fields
        }
        return found | {name: stamp(getattr(self, name)) for name, stamp in files.items()}

    def signature(self, unit: Unit = "word") -> str:
        """Name and parameters in one line."""
        settings = starmap("{}:{}".format, self.settings().items())
        return "|".join([f"metric:{name_of(self.name, unit)}", *settings])


class TextMetric(CorpusMetric):
    """A metric of strings that finds its own statistics.

    Attributes:
        packages: what computes it beside fstmetrics; their versions stand in signatures.
        tokenizer: what strings are tokenized by where nobody says otherwise: sacrebleu's default for the metric.
        untokenized: whether it wants the text as it is written, whatever tokenizer the others are given.
        folds_case: whether case never counts, whatever the others are given.
        as_written: whether white space counts: a text that is a string is then one word, the text as it is written.
        needs: what of texts it counts, `punctuation` or `case`: nothing may take that out.
        only_marks: the marks of texts that count, where others count for nothing; "" where marks mean nothing.
    """

    recognition = True
    tokenizer: ClassVar[str] = "none"
    packages: ClassVar[tuple[str, ...]] = ()
    untokenized: ClassVar[bool] = False
    folds_case: ClassVar[bool] = False
    as_written: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()
    only_marks: ClassVar[str] = ""

    def of_sacrebleu(
        self, lowercase: bool, tokenizer: str, one_reference: bool
    ) -> tuple[str, dict[str, object]] | None:
        """sacrebleu's name of the metric, and its settings as sacrebleu's signature has them.

        Args:
            lowercase: whether case is folded.
            tokenizer: what cuts the texts.
            one_reference: whether every item has one reference.

        Returns:
            None where sacrebleu has no metric that gives the same numbers.
        """
        return None

    @property
    def ways_to_cut(self) -> str:
        """Options that part words where no spaces do; "" of a metric that compares no words, or parts them itself."""
        return "" if self.untokenized or self.needs else "--tokenize zh, ja-mecab, ko-mecab or char"

    @property
    def source(self) -> object:
        """Equal for metrics whose statistics are the same, so that they are found only once."""
        return self

    def normalisation(self, asked: Normalisation, as_words: bool = False) -> Normalisation:
        """As of `CorpusMetric.normalisation`."""
        asked = super().normalisation(asked)
        if self.needs:
            self._refuse_lost(asked)
        tokenize = asked.tokenize
        if tokenize is None:
            tokenize = "none" if as_words or asked.unit != "word" else self.tokenizer
        if self.untokenized:
            tokenize = "none"
        return replace(asked, tokenize=tokenize, lowercase=asked.lowercase or self.folds_case)

    def _refuse_lost(self, asked: Normalisation) -> None:
        """Raise an FstmetricsError where what is counted is taken out of the texts, or may be, with ignored words."""
        lost = {
            "--remove-punctuation": asked.remove_punctuation and "punctuation",
            "--lowercase": asked.lowercase and "case",
            f"the profile {asked.label}": asked.normaliser is not None and self.needs[-1],
            "--unit": asked.unit != "word" and self.needs[-1],
        }
        for what, part in lost.items():
            if part in self.needs:
                raise FstmetricsError(
                    f"{self.name} counts {part}, and {what} takes that out or cuts it up: leave it out"
                )
        if asked.ignore or asked.ignore_hypothesis or asked.ignore_reference:
            profile = f" or the profile {asked.label}" if asked.label else ""
            raise FstmetricsError(
                f"{self.name} cuts texts into words and marks, and words are ignored before, with the marks at them "
                f"or not: leave --ignore, --ignore-ref, --ignore-hyp{profile} out"
            )

    @abstractmethod
    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The statistics of some items, shape [items, columns].

        Args:
            hypotheses: words of each item.
            references: words of each item's references, at least one an item.

        Raises:
            FstmetricsError: something it needs is not installed, or an input that it cannot score.
        """

    def whole_score(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> float | None:
        """The score of a corpus under a metric without columns; None where sums of statistics have it."""
        return None

    def pair_statistics(self, hypotheses: Sequence[Words], references: Sequence[Words]) -> Table:
        """The statistics of every hypothesis against every reference alone, shape [hypotheses, references, columns].

        As minimum Bayes risk wants them. Metrics that can share work between the pairs do.

        Raises:
            FstmetricsError: as of `statistics`.
        """
        pairs = [(words, [ref]) for words in hypotheses for ref in references]
        table = self.statistics([words for words, _ in pairs], [refs for _, refs in pairs])
        return table.reshape(len(hypotheses), len(references), len(self.columns))


class ItemMean(TextMetric):
    """A mean of item scores: always decomposable, all items weigh the same."""

    decomposable = "always"
    columns = ("scores", "items")

    @abstractmethod
    def item_scores(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The score of each item."""

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """Scores and ones."""
        return summands(self.item_scores(hypotheses, references))

    def corpus_score(self, sums: Table) -> Table:
        """Sum of scores over number of items; nan where there is none."""
        return ratio(sums[..., 0], sums[..., 1], empty=np.nan)


def of_other(name: str, otherwise: object = None) -> Any:
    """A property that is that of the `metric` which a metric is made of, or `otherwise` where that has none."""
    return property(lambda self: getattr(self.metric, name, otherwise))


@dataclass(frozen=True)
class Mean(ItemMean):
    """The mean of item scores under another metric, of the engine's too; infinite scores are left out."""

    metric: CorpusMetric

    def __post_init__(self) -> None:
        instance(CorpusMetric).check(self.metric, "metric")

    @property
    def name(self) -> str:  # type: ignore[override]
        """`mean-` and the other's name."""
        return f"{MEAN}{self.metric.name}"

    underlying, unit, recognition, percent = map(of_other, ("underlying", "unit", "recognition", "percent"))
    # Those that only metrics of texts have.
    tokenizer, needs = of_other("tokenizer", "none"), of_other("needs", ())
    ways_to_cut = of_other("ways_to_cut", "")
    untokenized, folds_case, as_written = (
        of_other(name, False) for name in ("untokenized", "folds_case", "as_written")
    )

    def settings(self) -> dict[str, object]:
        """Those of the other."""
        return self.metric.settings()

    def item_scores(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The other's scores of each item by itself."""
        assert isinstance(self.metric, TextMetric), "the engine finds the statistics of its metrics"
        return self.metric.scores_of_items(self.metric.statistics(hypotheses, references))


def units_of(metrics: Sequence[CorpusMetric], unit: Unit) -> list[Unit]:
    """What each of some metrics compares where a unit is asked for.

    Raises:
        FstmetricsError: none of them compares that.
    """
    units = [unit if metric.unit is None else metric.unit_beside(unit) for metric in metrics]
    if units and unit != "word" and unit not in units:
        names = " and ".join(name_of(metric.name, own) for metric, own in zip(metrics, units, strict=True))
        raise FstmetricsError(f"the unit {unit} does not fit {names}: characters are compared")
    return units


def yes_or_no(value: bool) -> str:
    """A flag as sacrebleu's signatures have it."""
    return "yes" if value else "no"


def best_of_each(rows: Table, scores: Table, counts: Sequence[int]) -> Table:
    """Of the rows of each item, of which there are so many, that of the highest score; of equals the first."""
    ends = np.cumsum(counts)
    return rows[[a + int(scores[a:b].argmax()) for a, b in zip(ends - counts, ends, strict=True)]]


def summands(scores: Table) -> Table:
    """Item scores and ones, which add up to a mean; zeros where a score is infinite."""
    finite = np.isfinite(scores)
    return np.stack([np.where(finite, scores, 0.0), finite], axis=-1)


def ratio(numerators: Table, denominators: Table, empty: float) -> Table:
    """Quotients; `empty` for 0/0, inf or -inf for another zero divisor."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients: Table = np.where(
            (denominators == 0) & (numerators == 0), empty, np.divide(numerators, denominators)
        )
    return quotients
