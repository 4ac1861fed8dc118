"""The page of a report as a Python call: `report`, which a notebook shows."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from fstmetrics import CorpusMetric, CorpusResult, FstmetricsError, Metric, Scores, Statistics, score
from fstmetrics.analysis.record_table import Vocabulary
from fstmetrics.apps.pages import Shown, System, write_page
from fstmetrics.apps.pages.scored_systems import written_references
from fstmetrics.apps.pages.shown import listed_names
from fstmetrics.engine.search import SETTINGS
from fstmetrics.engine.sides import Corpus
from fstmetrics.metrics import as_corpus_metric
from fstmetrics.reports.notebook_calls import corpus_table, refuse_further
from fstmetrics.significance.scored_corpora import SCORED, Corpora
from fstmetrics.support.arguments import by_name
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted

# Pixels of a page in a notebook.
HEIGHT = 900


@by_name(SETTINGS, score)
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
        runs[str(name)] = System(corpus_table(corpus, words), statistics, signatures)
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
    shown = Shown(title or listed_names(names), references=written, note=note, aligned_by=aligned)
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
        refuse_further("report", references, options)
        return given if isinstance(given, Scores) else {given.name: given}
    found: Mapping[str, Corpora] = score(given, references, list(metrics), **options)
    return found
