"""What one asks of texts, or of scored corpora, in a notebook: `errors` and `show`.

They take what `score` takes, or what it returned, and give objects that a notebook shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

from fstmetrics.analysis.error_counts import Errors, total
from fstmetrics.analysis.record_table import Vocabulary
from fstmetrics.analysis.result_table import table_of_results
from fstmetrics.engine.api import Table, score
from fstmetrics.engine.results import CorpusResult, Result
from fstmetrics.engine.search import SETTINGS
from fstmetrics.engine.several import Scores
from fstmetrics.engine.sides import Corpus
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics import CorpusMetric
from fstmetrics.reports.alignment import alignment_text, has_error
from fstmetrics.reports.alignment import title as heading
from fstmetrics.reports.notebook import items_html
from fstmetrics.support.arguments import by_name, whole_number
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted


@by_name(SETTINGS, score)
def errors(
    hypotheses: Corpus | Table | CorpusResult,
    references: Corpus | None = None,
    metric: str | CorpusMetric | None = None,
    **options: Any,
) -> Errors:
    """Count the errors of `hypotheses` against `references`, or of what `score` returned, by words.

    Args:
        hypotheses, references: as of `score`; or a scored corpus and None.
        metric: a finite-state metric, whose alignments have the errors; by default `wer`.
        options: as of `score`: `normalisation`, `ids`, ...

    Returns:
        Tables by kind of error, position, length; its `rows()` has the kinds, the most frequent first.

    Raises:
        FstmetricsError: as of `score`; or a metric without alignments.

    >>> found = errors(["a cat sat", "a dog"], ["the cat sat", "the dog sat"])
    >>> [(row.op, row.reference, row.hypothesis, row.count) for row in found.rows()]
    [('S', 'the', 'a', 2), ('D', 'sat', None, 1)]
    """
    return total(corpus_table(_corpus("errors", hypotheses, references, metric, options)))


@by_name(SETTINGS, score)
def show(
    hypotheses: Corpus | Table | CorpusResult,
    references: Corpus | None = None,
    metric: str | CorpusMetric | None = None,
    *,
    id: str | Sequence[str] | None = None,
    op: Literal["S", "I", "D"] | None = None,
    word: str | None = None,
    sort: Literal["worst", "file"] = "worst",
    limit: int | None = 10,
    **options: Any,
) -> ShownItems:
    """Show items of `hypotheses` against `references`, or of what `score` returned, with their alignments.

    Args:
        hypotheses, references, metric, options: as of `errors`.
        id: only items of these ids.
        op: only items with a substitution, an insertion or a deletion.
        word: only items with an error that has this word.
        sort: the worst scores first, or in the order given.
        limit: how many; None: all.

    Raises:
        FstmetricsError: as of `errors`; an id that there is not.

    >>> show(["a cat", "a dog"], ["the cat", "a dog"], op="S")
    item 1  wer 0.5000  (1 sub, 0 ins, 0 del; 2 reference words)
    HYP a   cat
    REF the cat
        S
    """
    if sort not in ("worst", "file"):
        raise FstmetricsError(f"sort is one of worst, file, not {sort!r:.80}")
    if op not in (None, "S", "I", "D"):
        raise FstmetricsError(f"op is one of S, I, D, not {op!r:.80}")
    if limit is not None:
        whole_number(limit, "limit", 1)
    corpus = _corpus("show", hypotheses, references, metric, options)
    names = [str(number) if name is None else name for number, name in enumerate(corpus.ids, 1)]
    wanted = None if id is None else [id] if isinstance(id, str) else list(id)
    for name in wanted or ():
        if name not in names:
            raise FstmetricsError(f"there is no item {name!r}; ids are {', '.join(names[:3])}, ...")
    chosen = [place for place, name in enumerate(names) if wanted is None or name in wanted]
    if op is not None or word is not None:
        chosen = [place for place in chosen if has_error(corpus[place].alignment, op, word)]
    if sort == "worst":
        sign = 1 if corpus.metric.recognition else -1
        chosen.sort(
            key=lambda place: (sign * corpus[place].score, -corpus[place].edits - corpus[place].moves)
        )
    kept = chosen if limit is None else chosen[:limit]
    return ShownItems([corpus[place] for place in kept], [place + 1 for place in kept], len(chosen))


@dataclass(frozen=True, eq=False, repr=False)
class ShownItems(Sequence[Result]):
    """Some items of a corpus, which are shown with their alignments.

    Attributes:
        results: theirs.
        places: of each in the corpus, from 1.
        found: how many there were to choose from.
    """

    results: Sequence[Result]
    places: Sequence[int]
    found: int

    def __len__(self) -> int:
        return len(self.results)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | Sequence[Result]:
        return self.results[index]

    def __repr__(self) -> str:
        more = self.found - len(self)
        texts = [
            f"{heading(result, place)}\n{alignment_text(result.alignment).plain}".rstrip()
            for result, place in zip(self.results, self.places, strict=True)
        ]
        return "\n\n".join([*texts, *([f"... and {counted(more, 'more item')}"] if more else [])])

    def _repr_html_(self) -> str:
        return items_html(self.results, self.places, self.found)


def _corpus(
    call: str,
    given: Any,
    references: Corpus | None,
    metric: str | CorpusMetric | None,
    options: dict[str, Any],
) -> CorpusResult:
    """The scored corpus of a call.

    Raises:
        FstmetricsError: a metric without alignments; or references and options of a corpus that is scored.
    """
    if isinstance(given, Scores):
        names = [name for name, each in given.items() if isinstance(each, CorpusResult)]
        advice = (
            f"choose one, scores[{names[0]!r}]" if names else "none of them has alignments: score under wer"
        )
        raise FstmetricsError(
            f"{call}() is of one metric, and these are scored under {listed([*given])}: {advice}"
        )
    if isinstance(given, CorpusResult | Statistics):
        refuse_further(call, references, options | ({} if metric is None else {"metric": metric}))
        found: Any = given
    else:
        found = score(given, references, "wer" if metric is None else metric, **options)
    if not isinstance(found, CorpusResult):
        raise FstmetricsError(f"{call}() is of alignments, and {found.name} has none: score under wer")
    return found


def refuse_further(call: str, references: object, options: Mapping[str, Any]) -> None:
    """Raise an FstmetricsError where what is scored already comes with references or options of scoring."""
    if references is not None or options:
        what = ["references"] * (references is not None) + list(options)
        raise FstmetricsError(f"{call}() of what is scored already takes no {', '.join(what)}")


def corpus_table(corpus: CorpusResult, words: Vocabulary | None = None) -> Any:
    """The results of a corpus as records in columns, their words numbered by `words` or a vocabulary of their own."""
    ids = [str(number) if id is None else id for number, id in enumerate(corpus.ids, 1)]
    more = ({"fields": dict(fields)} if fields else {} for fields in corpus.fields)
    return table_of_results(corpus, words, ids, more, corpus.signature)
