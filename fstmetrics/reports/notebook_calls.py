"""What one asks of texts, or of scored corpora, in a notebook: `errors`, `show` and `report`.

They take what `score` takes, or what it returned, and give objects that a notebook shows.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal, overload

from fstmetrics.analysis.error_counts import Errors, total
from fstmetrics.analysis.record_table import Vocabulary
from fstmetrics.analysis.result_table import table_of_results
from fstmetrics.engine.api import Table, score
from fstmetrics.engine.results import CorpusResult, Result
from fstmetrics.engine.several import Scores
from fstmetrics.engine.sides import Corpus
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics import CorpusMetric, Metric, as_corpus_metric
from fstmetrics.reports.alignment import alignment_text
from fstmetrics.reports.alignment import title as heading
from fstmetrics.reports.notebook import items_html
from fstmetrics.reports.page import Shown, System, write_page
from fstmetrics.reports.scored_systems import written_references
from fstmetrics.significance.scored_corpora import SCORED, Corpora
from fstmetrics.support.arguments import whole_number
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted

# Pixels of a page in a notebook.
HEIGHT = 900


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
    return total(_table(_corpus("errors", hypotheses, references, metric, options)))


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
        chosen = [place for place in chosen if _has(corpus[place], op, word)]
    if sort == "worst":
        sign = 1 if corpus.metric.recognition else -1
        chosen.sort(
            key=lambda place: (sign * corpus[place].score, -corpus[place].edits - corpus[place].moves)
        )
    kept = chosen if limit is None else chosen[:limit]
    return ShownItems([corpus[place] for place in kept], [place + 1 for place in kept], len(chosen))


def _has(result: Result, op: str | None, word: str | None) -> bool:
    return any(
        pair.op in "SID" and op in (None, pair.op) and word in (None, pair.hypothesis, pair.reference)
        for pair in result.alignment
    )


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


def report(
    systems: Mapping[str, Any] | Corpus | Corpora | Scores[Any],
    references: Corpus | None = None,
    metrics: str | CorpusMetric | Sequence[str | CorpusMetric] | None = None,
    *,
    title: str | None = None,
    **options: Any,
) -> HtmlPage:
    """Make the page of `systems` scored against `references`, or of what `score` returned for each.

    Args:
        systems: the outputs of each, by its name, as `score` takes them, or what it returned; or those of one alone.
            The first is the baseline.
        references: as of `score`; None where the systems are scored.
        metrics: names or metric objects; by default `wer`. The alignments are those of the first finite-state one.
        title: of the page; by default the systems' names.
        options: as of `score`: `normalisation`, `fields`, ...

    Returns:
        The page, which a notebook shows, and which `save("page.html")` writes.

    Raises:
        FstmetricsError: as of `score`; systems of other items; or metrics of which none has alignments.

    >>> report({"old": ["a cat"], "new": ["the cat"]}, ["the cat"])
    HtmlPage(old and new: 1 item)
    """
    given = (
        systems
        if isinstance(systems, Mapping) and not isinstance(systems, Scores)
        else {"hypotheses": systems}
    )
    if not given or any(isinstance(each, str) for each in given.values()):
        raise FstmetricsError(
            "systems are a dict of outputs by name: {'new': ['a text', ...]}; texts of one, a list"
        )
    wanted = [metrics] if isinstance(metrics, str | CorpusMetric) else list(metrics or ["wer"])
    are_scored = any(isinstance(each, SCORED) for each in given.values())
    if not are_scored and not any(isinstance(as_corpus_metric(each), Metric) for each in wanted):
        wanted.append("wer")
    words = Vocabulary()
    runs: dict[str, System] = {}
    aligned = ""
    for name, each in given.items():
        scored = _scored(each, references, wanted, options)
        corpus = next((each for each in scored.values() if isinstance(each, CorpusResult)), None)
        if corpus is None:
            raise FstmetricsError(
                f"{name} has no alignments to show under {', '.join(scored)}: score under wer, too"
            )
        aligned = corpus.name
        statistics = {n: Statistics.of(s) if isinstance(s, CorpusResult) else s for n, s in scored.items()}
        signatures = {n: found.signature for n, found in scored.items()}
        runs[str(name)] = System(_table(corpus, words), statistics, signatures)
    names = list(runs)
    others = [name for name in next(iter(runs.values())).scores if name != aligned]
    note = (
        f"The alignments are those of {aligned}. They are not what {', '.join(others)} counts."
        if others
        else ""
    )
    written = (
        [] if references is None or isinstance(references, Mapping) else written_references(list(references))
    )
    shown = Shown(
        title or (f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]),
        references=written, note=note, aligned_by=aligned,
    )  # fmt: skip
    stream = io.StringIO()
    write_page(runs, stream, shown)
    return HtmlPage(stream.getvalue(), shown.title, len(next(iter(runs.values())).table))


@dataclass(frozen=True, repr=False)
class HtmlPage:
    """A page of a report.

    Attributes:
        html: all of it; it needs nothing else.
        title: its title.
        items: how many it shows.
    """

    html: str
    title: str
    items: int

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file.

        Raises:
            FstmetricsError: it cannot be written.
        """
        with whole_file(os.fspath(path)) as stream:
            stream.write(self.html)

    def __repr__(self) -> str:
        return f"HtmlPage({self.title}: {counted(self.items, 'item')})"

    def _repr_html_(self) -> str:
        """A frame of its own, as the page has scripts and styles that a notebook is not to have."""
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" srcdoc="{escape(self.html)}" '
            f'style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
        )


def _scored(
    given: Any, references: Corpus | None, metrics: Sequence[str | CorpusMetric], options: dict[str, Any]
) -> Mapping[str, Corpora]:
    """The scores of a system by metric."""
    if isinstance(given, SCORED):
        _refuse_further("report", references, options)
        return given if isinstance(given, Scores) else {given.name: given}
    found: Mapping[str, Corpora] = score(given, references, list(metrics), **options)
    return found


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
        _refuse_further(call, references, options | ({} if metric is None else {"metric": metric}))
        found: Any = given
    else:
        found = score(given, references, "wer" if metric is None else metric, **options)
    if not isinstance(found, CorpusResult):
        raise FstmetricsError(f"{call}() is of alignments, and {found.name} has none: score under wer")
    return found


def _refuse_further(call: str, references: object, options: Mapping[str, Any]) -> None:
    if references is not None or options:
        what = ["references"] * (references is not None) + list(options)
        raise FstmetricsError(f"{call}() of what is scored already takes no {', '.join(what)}")


def _table(corpus: CorpusResult, words: Vocabulary | None = None) -> Any:
    ids = [str(number) if id is None else id for number, id in enumerate(corpus.ids, 1)]
    more = ({"fields": dict(fields)} if fields else {} for fields in corpus.fields)
    return table_of_results(corpus, words, ids, more, corpus.signature)
