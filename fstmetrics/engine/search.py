"""What the engine is asked: sides made of inputs, one call for many items, results in order.

All scoring goes through `search`; `fstmetrics.engine.api` has what users call. `batches` cuts many items into calls of
about a tenth of a second, so that a progress bar moves and Ctrl-C is heard; `workers` says how many threads are of use.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from itertools import islice, product, repeat
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from fstmetrics import _native
from fstmetrics.data.segments import optional_word
from fstmetrics.data.symbols import SENTENCE_MARKERS, WILDCARD
from fstmetrics.data.transcripts import TranscriptColumn
from fstmetrics.engine.batch import Batch
from fstmetrics.engine.sides import (
    Alternatives,
    Input,
    Side,
    Strings,
    are_named,
    are_texts,
    as_side,
    check_numbers,
    hypothesis_side,
    labelled_words,
    refuse_listed_hypothesis,
    refuse_single_characters,
    simple_sides,
    strings_of,
    text_lists,
)
from fstmetrics.metrics import Metric
from fstmetrics.metrics.corpus_metric import CorpusMetric, name_of
from fstmetrics.metrics.path_metric import EditTable, Op, whole_units
from fstmetrics.support.arguments import FLAG, described, expect, whole_number
from fstmetrics.support.equal_rows import TextRows
from fstmetrics.support.errors import FstmetricsError, SearchError
from fstmetrics.support.limits import MOST_PATHS, limits
from fstmetrics.support.names import unknown
from fstmetrics.support.printable import as_changed
from fstmetrics.text.normalisation import PLAIN, Normalisation, Unit

if TYPE_CHECKING:
    from fstmetrics.engine.widened_sides import WidenedSide
    from fstmetrics.grammars.library import Grammars
    from fstmetrics.grammars.widening import Spoken, Widened, Widening


Made = TypeVar("Made")
# Limits from here up are all the same; the engine multiplies them by the bytes that each counted thing takes.
BEYOND_MEMORY = 2**48
# More threads than any machine has processors are a slip of the keyboard.
MOST_THREADS = 1024
ROUTES = (
    "auto", "bit-parallel", "string-pair", "unit-rows", "rows", "graphs", "chart", "topological", "best-first",
    "dijkstra",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search; none of it changes an answer.

    Attributes:
        route: `auto`, `bit-parallel`, `string-pair`, `unit-rows`, `rows`, `graphs`, `chart`, `topological`,
            `best-first` or `dijkstra`; docs/routes.md says what each is and has the rule that auto follows.
        alignment: whether to write out words and alignment, or counts only.
        threads: problems searched at the same time, at most 1,024.
        max_expanded_arcs: arcs a network or the permutations of a string are written out to at most; None: the limit
            `expansion` (`fstmetrics.support.limits`).
        max_cells: cells of the topological or chart route's tables at most, 8 or 16 bytes each; None: `cells`.
        max_nodes: product states the best-first route may meet, about 100 bytes each; None: `nodes`.
    """

    route: str = "auto"
    alignment: bool = True
    threads: int = 1
    max_expanded_arcs: int | None = None
    max_cells: int | None = None
    max_nodes: int | None = None

    def __repr__(self) -> str:
        return as_changed(self)

    def __post_init__(self) -> None:
        if not isinstance(self.route, str) or self.route not in ROUTES:
            raise FstmetricsError(unknown("route", str(self.route), ROUTES))
        FLAG.check(self.alignment, "alignment")
        object.__setattr__(self, "threads", whole_number(self.threads, "threads", 1, MOST_THREADS))
        for name in ("max_expanded_arcs", "max_cells", "max_nodes"):
            if (most := getattr(self, name)) is not None:
                object.__setattr__(self, name, whole_number(most, name, 0))

    @property
    def most(self) -> tuple[int, int, int]:
        """The arcs, cells and nodes that hold."""
        now = limits()
        arcs = now.expansion if self.max_expanded_arcs is None else self.max_expanded_arcs
        cells = now.cells if self.max_cells is None else self.max_cells
        nodes = now.nodes if self.max_nodes is None else self.max_nodes
        if arcs < BEYOND_MEMORY and cells < BEYOND_MEMORY and nodes < BEYOND_MEMORY:
            return arcs, cells, nodes  # in each call of two strings
        return min(arcs, BEYOND_MEMORY), min(cells, BEYOND_MEMORY), min(nodes, BEYOND_MEMORY)


DEFAULT = SearchOptions()
COUNTS_ONLY = SearchOptions(alignment=False)
# Settings that somebody may take for arguments of the functions that score, and how they are given.
SETTINGS = {
    setting.name: "normalisation=Normalisation({})" for setting in fields(Normalisation) if setting.init
}
SETTINGS |= {setting.name: "options=SearchOptions({})" for setting in fields(SearchOptions)}
SETTINGS["profile"] = "normalisation=fstmetrics.profile(NAME)"


def search_items(
    items: Sequence[tuple[str | None, Input, Input]],
    metric: Metric,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
) -> Batch:
    """Results of (id, hypothesis, reference), all at once; errors as of `search`."""
    ids, hypotheses, references = zip(*items, strict=True)
    return search(ids, hypotheses, references, metric, nbest, normalisation, options, grammars)


def search(
    ids: Sequence[str | None] | None,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    metric: Metric,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
    fear: bool = False,
    later: bool = False,
) -> Batch:
    """Results of equally many hypotheses and references in one call of the engine; what all scoring is made of.

    `fear`: not best paths but what `lattices.hope_and_fear` asks for. `later`: alignments may wait to be looked at.

    Raises:
        SearchError, FstmetricsError: as `align`, with the item's id.
    """
    whole_number(nbest, "nbest", 1, MOST_PATHS)
    expect(options, SearchOptions, "options")
    sides = prepared(ids, hypotheses, references, metric, normalisation, grammars)
    found: _native.Found = searched(
        ids, sides.hypotheses, sides.references, sides.searched, nbest, options, fear, later
    )
    if sides.searched is not sides.metric:
        from fstmetrics.engine.left_out_words import Credited

        found = Credited(found)  # type: ignore[assignment]
    widened = sides.widened if options.alignment else None
    return Batch(found, sides.metric, ids, nbest, widened, normalisation.unit)


class Prepared(NamedTuple):
    """Sides of items as the engine wants them, and under which metric.

    Attributes:
        hypotheses, references: of each item.
        widened: what grammars added to each reference; None without grammars.
        metric: that of the results.
        searched: that of the search, which differs where words that are left out are counted as sclite -D counts them:
            what is found is then counted anew; see `fstmetrics.engine.left_out_words.Credited`.
    """

    hypotheses: Sequence[Side | Strings]
    references: Sequence[Side]
    widened: list[Widened | None] | None
    metric: Metric
    searched: Metric


def _one_by_one(given: Sequence[Input]) -> Sequence[Input]:
    """What is given, where each item's side has to be looked at."""
    return list(given) if isinstance(given, TranscriptColumn | _native.LatticeColumn) else given


def refuse_other_unit(metric: CorpusMetric, unit: Unit) -> None:
    """Raise an FstmetricsError for a metric that compares something else than is compared."""
    if metric.unit is not None and metric.unit_beside(unit) != unit:
        inner = metric.underlying.name
        raise FstmetricsError(
            f"{name_of(metric.name, metric.unit)} compares characters, and here words are compared: ask for {inner} "
            'with --unit char, in Python with normalisation=Normalisation(unit="char")'
        )


def prepared(
    ids: Sequence[str | None] | None,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    metric: Metric,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    apart: bool = False,
) -> Prepared:
    """Hypotheses and references as sides.

    Args:
        ids, hypotheses, references, metric, normalisation, grammars: as of `search`.
        apart: whether each reference has to be a side that can be looked at, rather than a row of texts.

    Raises:
        FstmetricsError: as `align`, with the item's id.
    """
    expect(normalisation, Normalisation, "normalisation")
    if metric.unit is not None:
        refuse_other_unit(metric, normalisation.unit)
    if normalisation.unit != "word":
        _refuse_single_characters(ids, hypotheses, references, normalisation.unit)
    check_grammars(grammars)
    reorders = metric.window > 1 and metric.table.word_cost is None
    if apart or grammars or reorders or metric.table.word_cost or normalisation.optional_words == "correct":
        hypotheses, references = map(_one_by_one, (hypotheses, references))
    h_sides: Sequence[Side | Strings]
    r_sides: Any
    widened: list[Widened | None] | None = None
    stay = normalisation.is_plain and not (grammars or reorders)
    if stay and are_plain(hypotheses) and are_plain(references):
        h_sides, r_sides = hypotheses, references  # type: ignore[assignment]
    else:
        of_hypotheses, of_references = normalisation.of_hypotheses, normalisation.of_references
        h_sides = _hypothesis_sides(ids, hypotheses, of_hypotheses, reorders)
        r_sides = None
        if grammars:
            r_sides, widened, metric = _widened_sides(
                ids, references, of_references, hypotheses, h_sides, metric, grammars
            )
        elif not apart and metric.table.word_cost is None and normalisation.optional_words != "correct":
            r_sides = _alternative_texts(references, of_references, hypotheses)
        told = [hypotheses] if isinstance(r_sides, _native.AlternativeTexts) else [hypotheses, references]
        if r_sides is None:
            r_sides = _sides(ids, references, of_references, hypotheses)
        if not all(are_plain(given) or are_named(given) for given in told):
            _each(ids, lambda h, r: check_numbers(h, r, normalisation), hypotheses, references)
        if normalisation.optional_words == "free" and not metric.has_free_words:
            _each(ids, lambda value, _: _refuse_free_words(value), references, repeat(None), "reference")
    searched = metric
    if normalisation.optional_words == "correct":
        from fstmetrics.engine.left_out_words import refuse_skips, refuse_written_skips, skipping

        for side in h_sides:
            refuse_skips(labelled_words(side))  # type: ignore[arg-type]  # no Strings without reordering
        _each(ids, lambda value, _: refuse_written_skips(value), references, repeat(None), "reference")
        searched = skipping(metric, normalisation)
    return Prepared(h_sides, r_sides, widened, metric, searched)


def _refuse_free_words(reference: Input) -> None:
    """Raise an FstmetricsError for words in parentheses that are free to be left out, which sclite does not have."""
    if word := optional_word(reference):
        raise FstmetricsError(
            f"the word {word} in parentheses is not free to be left out under sclite: --optional-words word counts as "
            "sclite does, --optional-words correct as sclite -D (Normalisation(optional_words=...) in Python); under "
            "wer it is free"
        )
    if isinstance(reference, Alternatives):
        reference = reference.items
    for one in reference if isinstance(reference, list | tuple) else ():
        _refuse_free_words(one)


def _refuse_single_characters(
    ids: Sequence[str | None] | None, hypotheses: Sequence[Input], references: Sequence[Input], unit: Unit
) -> None:
    """Refuse lists of single characters where they would be alternatives, or words with spaces between them."""

    def look(value: Input, beside: Input | None) -> None:
        if unit == "char" or isinstance(beside, str):
            refuse_single_characters(value)

    for given, others, side in (
        (hypotheses, repeat(None), "hypothesis"),
        (references, hypotheses, "reference"),
    ):
        if isinstance(given, list | tuple) and not are_texts(given):
            _each(ids, look, given, others, side)


def searched(
    ids: Sequence[str | None] | None,
    hypotheses: Sequence[Side | Strings],
    references: Sequence[Side],
    metric: Metric,
    nbest: int = 1,
    options: SearchOptions = DEFAULT,
    fear: bool = False,
    later: bool = False,
) -> _native.Found:
    """What the engine finds for sides that are as it wants them.

    Raises:
        SearchError: as `align`, with the item's id.
    """
    table = metric.table
    found = _native.search(
        hypotheses, references, table.native, metric.window, metric.reordering,
        _word_costs(table, hypotheses, references) if table.word_cost else None,
        options.route, nbest, options.alignment, *options.most, options.threads, fear, later,
    )  # fmt: skip
    if failure := found.failure:
        item, message = failure
        raise SearchError(named(ids, item, len(hypotheses)) + message)
    return found


class RouteView(NamedTuple):
    """A route as the engine's table has it for one item.

    Attributes:
        route: its name.
        why_not: why it cannot be used; empty if it can.
        nanoseconds, bytes: what it is predicted to take.
        terms: the sizes that the time is made of.
    """

    route: str
    why_not: str
    nanoseconds: float
    bytes: float
    terms: list[float]


def routes_of(hypothesis: Input, reference: Input, metric: Metric, nbest: int = 1) -> list[RouteView]:
    """The engine's table of routes for one item, of which `auto` takes the fastest that can be used.

    Two short texts are aligned before the table is looked at, which the counters call bit-parallel.

    Raises:
        SearchError: no route can be used.
    """
    sides = hypothesis_side(hypothesis, PLAIN), as_side(reference, PLAIN, hypothesis)
    costs = _word_costs(metric.table, [sides[0]], [sides[1]])
    rows = _native.routes(
        *sides,
        metric.table.native,
        metric.window,
        metric.reordering,
        costs[0] if costs else None,
        nbest,
        *DEFAULT.most,
    )
    return [RouteView(*row) for row in rows]


def check_grammars(grammars: object) -> None:
    """Refuse what stands for no grammars.

    Raises:
        FstmetricsError: neither a name, a path, a Grammar nor a list of them.
    """
    if grammars is None or isinstance(grammars, str | list | tuple):
        return
    from fstmetrics.grammars.model import Grammar

    if not isinstance(grammars, Grammar):
        raise FstmetricsError(f"grammars are names, paths or Grammar objects, not {described(grammars)}")


def grammar_signature(grammars: Grammars) -> str:
    """Names and costs of grammars; empty where there are none, whose module is not loaded then."""
    if not grammars:
        return ""
    from fstmetrics.grammars.library import signature

    return signature(grammars)


def all_grammars(grammars: Grammars, normalisation: Normalisation) -> Grammars:
    """The grammars that are asked for, behind those of a profile; errors as of `check_grammars`."""
    check_grammars(grammars)
    if isinstance(normalisation, str):
        raise FstmetricsError(
            f"normalisation is a Normalisation, as in normalisation=fstmetrics.profile(NAME), not {normalisation!r:.80}"
        )
    if not isinstance(normalisation, Normalisation) or not normalisation.grammars:
        return grammars
    asked = grammars if isinstance(grammars, list | tuple) else [grammars] if grammars else []
    return (*normalisation.grammars, *asked)


# The places of the items that are searched among those of a run, and the system that they are of.
_PLACES: ContextVar[tuple[Sequence[int] | None, str]] = ContextVar("places", default=(None, ""))


@contextmanager
def placed_at(places: Sequence[int], system: str = "") -> Iterator[None]:
    """Where items are searched that have these places among those of a run, and of a system; errors name both."""
    before = _PLACES.set((places, system))
    try:
        yield
    finally:
        _PLACES.reset(before)


def named(ids: Sequence[str | None] | None, item: int, items: int, side: str = "") -> str:
    """What an error begins with: the system; the item by its id or, where there are several, its number; the side."""
    id = ids[item] if ids else None
    places, system = _PLACES.get()
    place = item if places is None or len(places) != items else places[item]
    number = f"item {place} (from 0)" if items > 1 or place else ""
    parts = [part for part in (system, f"item {id}" if id else number, side) if part]
    return f"{', '.join(parts)}: " if parts else ""


def are_plain(given: Sequence[Input]) -> bool:
    """Whether all inputs are texts, or native columns that the engine searches as they are."""
    if type(given) is list:
        return _native.are_strings(given)
    if isinstance(given, TextRows | _native.BestPathSides):
        return True
    return given.is_searchable if isinstance(given, _native.LatticeColumn) else are_texts(given)


def _hypothesis_sides(
    ids: Sequence[str | None] | None, given: Sequence[Input], normalisation: Normalisation, reorders: bool
) -> Sequence[Side | Strings]:
    """The hypothesis of every item; where words are reordered, sentences stay apart."""
    if not reorders or are_texts(given):
        return _sides(ids, given, normalisation, None)

    def convert(value: Input, beside: None) -> Side | Strings:
        strings = strings_of(value, normalisation)
        refuse_listed_hypothesis(value)
        return strings or as_side(value, normalisation)

    return _each(ids, convert, given, repeat(None), "hypothesis")


def _sides(
    ids: Sequence[str | None] | None,
    given: Sequence[Input],
    normalisation: Normalisation,
    hypotheses: Sequence[Input] | None,
) -> Sequence[Side]:
    """One side of every item; `hypotheses` are what references stand beside."""
    if isinstance(given, TranscriptColumn) and (mixed := _choice_sides(given, normalisation)) is not None:
        return mixed  # type: ignore[return-value]  # nobody looks at one
    if normalisation.is_plain and are_plain(given):
        return given  # type: ignore[return-value]
    if normalisation.is_plain and (made := simple_sides(given)) is not None:
        return made

    side = "hypothesis" if hypotheses is None else "reference"
    if normalisation.unit == "char" and are_texts(given):
        return _characters(ids, given, normalisation, side)  # type: ignore[return-value]  # made when looked at
    if normalisation.gives_texts and are_texts(given):
        texts = _each(ids, lambda text, _: normalisation.joined(text), given, repeat(None), side)  # type: ignore[arg-type]
        together = "\n".join(texts)
        if not any(map(together.__contains__, SENTENCE_MARKERS)):  # <S> that has become <s> counts
            return texts

    def convert(value: Input, beside: Input | None) -> Side:
        if hypotheses is None:
            return hypothesis_side(value, normalisation)
        return as_side(value, normalisation, beside)

    return _each(ids, convert, given, hypotheses or repeat(None), side)


@lru_cache(maxsize=4)
def _words_known(normalisation: Normalisation) -> dict[str, list[str]]:
    """What is known of what words become."""
    return {}


# So many words are known: more than most runs have.
MOST_KNOWN = 1 << 17


def changed_words(words: Sequence[str], normalisation: Normalisation) -> list[list[str]] | None:
    """What words of arcs become; None: none is changed, but that sentence boundaries are no words.

    Raises:
        FstmetricsError: as of `Normalisation.arc_words`.
    """
    if normalisation.is_plain:
        return None
    known = _words_known(normalisation)
    if len(known) > MOST_KNOWN:
        known.clear()
    made = []
    for word in words:
        if (changed := known.get(word)) is None:  # other threads may clear what is known
            changed = known[word] = normalisation.arc_words(word)
        made.append(changed)
    return made


def _choice_sides(column: TranscriptColumn, normalisation: Normalisation) -> _native.MixedSides | None:
    """Texts of which some leave a choice; None where they are converted one by one, which says what is wrong."""
    if normalisation.unit == "char" or normalisation.needs_sentences:
        return None
    try:
        lines = column.lines(normalisation.optional_words)
        graphs = lines.graphs(changed_words(lines.words, normalisation))
        return _native.MixedSides(lines.leave_choices, graphs, _sides(None, lines.texts, normalisation, None))
    except FstmetricsError:
        return None


def _alternative_texts(
    references: Sequence[Input], normalisation: Normalisation, hypotheses: Sequence[Input]
) -> _native.AlternativeTexts | None:
    """References of several texts each, which the engine takes apart; None where there are others, or one is wrong."""
    lists = text_lists(references, are_texts(hypotheses))
    if lists is None:
        return None
    try:
        columns = [_sides(None, column, normalisation, None) for column in lists.columns]
    except FstmetricsError:
        return None
    return _native.AlternativeTexts(columns, lists.begins)


def _characters(
    ids: Sequence[str | None] | None, texts: Sequence[Input], normalisation: Normalisation, side: str
) -> _native.CharacterColumn:
    """The characters of texts, which the engine finds."""
    as_they_are = not normalisation.is_plain_but_for_unit
    if as_they_are:
        texts = _each(ids, lambda text, _: normalisation.joined(text), texts, repeat(None), side)  # type: ignore[arg-type]
    column = texts if isinstance(texts, _native.TextColumn) else _native.TextColumn(list(texts))  # type: ignore[arg-type]
    return _native.CharacterColumn(column, as_they_are)


def _widened_sides(
    ids: Sequence[str | None] | None,
    references: Sequence[Input],
    normalisation: Normalisation,
    hypotheses: Sequence[Input],
    h_sides: Sequence[Side | Strings],
    metric: Metric,
    grammars: Grammars,
) -> tuple[list[Side], list[Widened | None], Metric]:
    """References widened by grammars, what was added to each, and the metric in units that rewriting costs are whole
    numbers of."""
    from fstmetrics.engine.widened_sides import spoken_words, widened_side
    from fstmetrics.grammars.library import widening_of
    from fstmetrics.metrics.cost_units import in_units_of

    widening = widening_of(grammars, normalisation)
    kind = type(metric)
    if widening.has_costs and vars(kind).get("quotient") and kind.numerator is not Metric.numerator:
        raise FstmetricsError(
            f"{metric.name} counts words alone and has no room for what rewrites cost; rewrite at no cost "
            "(NAME instead of NAME@COST), or ask for another metric, as wer"
        )
    finer = in_units_of(metric, widening.scale)
    scale = finer.table.scale
    if widening.of_hits and normalisation.unit != "word":
        raise FstmetricsError(
            f"grammar {widening.of_hits} has rules of hits alone, which are of words, not of characters; leave it out"
        )
    plain: Sequence[Side] | None = None
    spoken: Iterable[Spoken | None] = repeat(None)
    if widening.of_hits:
        plain = _sides(ids, references, normalisation, hypotheses)
        spoken = _spoken(h_sides, plain, finer, widening)
    if normalisation.written is not normalisation:
        said = spoken
        spoken = (
            None
            if one is None and widening.of_hits
            else _beside(one, partial(spoken_words, value, normalisation))
            for one, value in zip(said, hypotheses, strict=False)
        )

    def widen(value: Input, given: tuple[Input, Spoken | None, Side | None]) -> WidenedSide:
        beside, said, side = given
        if side is not None and said is None:
            return side, None
        return widened_side(value, normalisation, beside, widening, scale, said)

    given = zip(hypotheses, spoken, plain or repeat(None), strict=False)
    pairs = _each(ids, widen, references, given, "reference")
    return [side for side, _ in pairs], [widened for _, widened in pairs], finer


def _has_hyphen(side: Side | Strings) -> bool:
    """Whether a side may have a fragment."""
    if isinstance(side, Sequence) and not isinstance(side, str):
        return any(map(_has_hyphen, side))
    return not isinstance(side, str) or "-" in side


def _spoken(
    hypotheses: Sequence[Side | Strings], references: Sequence[Side], metric: Metric, widening: Widening
) -> Iterator[Spoken | None]:
    """What each hypothesis says, for rules that depend on it; None where no rule can make anything better."""
    from fstmetrics.grammars.widening import Spoken

    compounds: set[int] = set()
    if widening.compounds:
        compounds.update(_native.compound_items(hypotheses, references).tolist())
    if widening.has_fragments:
        sides = enumerate(zip(hypotheses, references, strict=True))
        compounds.update(item for item, pair in sides if any(map(_has_hyphen, pair)))
    # Of equal texts the alignment of hits alone is the best, where anything else costs more.
    table, all_hits = metric.table, widening.all_hits
    equal_is_best = (
        all_hits and table.word_cost is None and all(0 == m < min(others) for m, *others in table.cost)
    )
    for item, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        if (widening.only_compounds and item not in compounds) or (equal_is_best and hypothesis == reference):
            yield None
        elif isinstance(hypothesis, tuple) and hypothesis and isinstance(hypothesis[0], tuple):
            yield Spoken([word for text in hypothesis for word in text], item in compounds)
        else:
            yield Spoken(labelled_words(hypothesis), item in compounds)  # type: ignore[arg-type]  # no Strings


def _beside(spoken: Spoken | None, written: Callable[[], Set[str]]) -> Spoken:
    """What a hypothesis says, and how it is written."""
    from fstmetrics.grammars.widening import Spoken

    return Spoken((), False, written) if spoken is None else spoken._replace(written=written)


def _each(
    ids: Sequence[str | None] | None,
    convert: Callable[[Input, Any], Made],
    values: Sequence[Input],
    beside: Iterable[Any],
    side: str = "",
) -> list[Made]:
    """Every item converted; an error has the item's id or number, and the side."""
    made = []
    for item, pair in enumerate(zip(values, beside, strict=False)):
        try:
            made.append(convert(*pair))
        except FstmetricsError as error:
            raise type(error)(named(ids, item, len(values), side) + str(error)) from None
        except RecursionError:
            raise FstmetricsError(
                named(ids, item, len(values), side) + "lists within lists, too deep to be read"
            ) from None
    return made


def _word_costs(
    table: EditTable, hypotheses: Sequence[Side | Strings], references: Sequence[Side]
) -> list[_native.WordCosts] | None:
    """The metric's function on every word and pair of words of an item, each once; None without a function."""
    function = table.word_cost
    if function is None:
        return None
    pairs = zip(map(labelled_words, hypotheses), map(labelled_words, references), strict=True)  # type: ignore[arg-type]  # strings stay apart only without a function
    return [_costs_of_words(function, hyps, refs) for hyps, refs in pairs]


def _costs_of_words(
    function: Callable[[Op, str | None, str | None], int], hyps: Sequence[str], refs: Sequence[str]
) -> _native.WordCosts:
    """By the labels of both sides. No cost of a wildcard is ever paid: another word stands in for it, as the cheapest
    costs are looked at, too."""
    if WILDCARD in refs:
        others = [word for word in (*refs, *hyps) if word not in ("", WILDCARD)]
        if not others:
            return _costs_of_words(lambda *_: 0, hyps, ["", *(str(j) for j in range(1, len(refs)))])
        refs = [others[0] if word == WILDCARD else word for word in refs]

    def column(costs: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array([0, *map(whole_units, costs)], dtype=np.int64)  # label 0 is epsilon

    substitution = np.zeros((len(hyps), len(refs)), dtype=np.int64)
    for i, j in product(range(1, len(hyps)), range(1, len(refs))):
        if hyps[i] != refs[j]:
            substitution[i, j] = whole_units(function(Op.SUBSTITUTION, hyps[i], refs[j]))
    return _native.WordCosts(
        column(function(Op.MATCH, word, word) for word in refs[1:]),
        substitution,
        column(function(Op.INSERTION, word, None) for word in hyps[1:]),
        column(function(Op.DELETION, None, word) for word in refs[1:]),
    )


Kind = TypeVar("Kind")

# So many items at first; then as many as take about this long, so that results come, and memory is let go, steadily.
# What stops a run loses the batch that is worked on: with items that take long, no more than keeps the threads busy.
FIRST_BATCH = 1
BATCH_SECONDS = 0.1
LARGEST_BATCH = 4096


def batches(items: Iterable[Kind], threads: int = 1) -> Iterator[list[Kind]]:
    """The items, in lists; the time that reading a list and working on it takes decides how long the next one is.

    Raises:
        FstmetricsError: the items raised it, and what they gave before has been worked on.
    """
    pace, rest, failure = Pace(workers(threads)), iter(items), None
    while failure is None:
        batch: list[Kind] = []
        try:
            for item in islice(rest, pace.size):
                batch.append(item)
        except FstmetricsError as error:
            failure = error
        if not batch:
            break
        yield batch
        pace.took(len(batch))
    if failure:
        raise failure


def workers(threads: int) -> int:
    """How many of so many threads are of use: beyond twice the processors, they and their items only cost memory."""
    is_told = hasattr(os, "sched_getaffinity")  # not on every system
    processors = len(os.sched_getaffinity(0)) if is_told else os.cpu_count() or 1
    return min(threads, 2 * processors)


class Pace:
    """How many items to take at a time: enough for all threads, and not much longer than `BATCH_SECONDS`.

    Attributes:
        size: how many to take next.
    """

    def __init__(self, threads: int) -> None:
        # Several items a thread, as one may take longer than the others together; one thread is always busy.
        self._least = 1 if threads == 1 else 4 * threads
        self.size = min(FIRST_BATCH * self._least, LARGEST_BATCH)
        self._begin = monotonic()

    def took(self, items: int) -> None:
        """Learn that so many have been read and worked on since it was asked before."""
        end = monotonic()
        seconds, self._begin, self.size = end - self._begin, end, items
        if seconds < BATCH_SECONDS / 2:
            self.size = min((8 if seconds < BATCH_SECONDS / 16 else 2) * items, LARGEST_BATCH)
        elif seconds > 2 * BATCH_SECONDS:
            self.size = max(items // 2, self._least)
