"""Best paths of pairs, with their records and what they add to sums: `PathScoring`, which may be pickled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fstmetrics._native import LatticeColumn, PathWords
from fstmetrics.data.nbest import NBest
from fstmetrics.data.transcripts import TranscriptColumn
from fstmetrics.engine.batch import Batch
from fstmetrics.engine.oracle_results import OracleBatch, arcs_of, density
from fstmetrics.engine.reference_digests import UNKNOWN, digests_of
from fstmetrics.engine.results import Result
from fstmetrics.engine.search import DEFAULT, SearchOptions, changed_words, placed_at, search, workers
from fstmetrics.engine.sides import TEXTS, Alternatives, are_texts, text_lists
from fstmetrics.engine.signatures import rules_of_one
from fstmetrics.metrics import Metric
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.sums import BEST, OUTSCORED, SCRIPT, Series, Term, TermColumn, Terms, columns, terms
from fstmetrics.scoring.work import of_item
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import finite
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics.engine.reference_digests import Digests
    from fstmetrics.engine.word_classes import Biasing
    from fstmetrics.grammars.library import Grammars
    from fstmetrics.lattices.oracles import OracleSearch
    from fstmetrics.openfst.referee import Check
    from fstmetrics.scoring.native_records import NativeRecords
    from fstmetrics.scoring.request import LatticeOptions


@dataclass
class PathScoring:
    """Best paths of pairs under a finite-state metric.

    Attributes:
        metric: what is computed.
        nbest: how many paths an item.
        normalisation: what is done to words.
        options: how to search.
        grammars: what widens the references.
        oracles: what is asked of lattices, where the 1-best is scored beside the best path.
        lattices: what is done to them first, likewise.
        alignment: whether records have the operations.
        signature: all that the score of an item depends on.
        check: which items are solved again by OpenFst; None for none.
        biasing: the words that are counted apart; None for none.
        by_script: whether errors are counted by script as well.
        are_best: whether hypotheses are lattices or lists, whose best paths stand alone: records say so.

    >>> from fstmetrics.metrics.wer import WER
    >>> pairs = PairBlock.of([Pair("u1", "a cat", ("the cat",))])
    >>> scoring = PathScoring(WER(), signature="mine")
    >>> [result] = scoring.results(pairs)
    >>> scoring.record(result, pairs[0])["edits"], scoring.item_terms(result, pairs[0])[0].totals.substitutions
    (1, 1)
    """

    metric: Metric
    nbest: int = 1
    normalisation: Normalisation = PLAIN
    options: SearchOptions = DEFAULT
    grammars: Grammars = ()
    oracles: OracleSearch | None = None
    lattices: LatticeOptions | None = None
    alignment: bool = False
    signature: str = ""
    check: Check | None = None
    biasing: Biasing | None = None
    by_script: bool = False
    are_best: bool = False
    _records: NativeRecords | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_records": None}

    def results(self, pairs: PairBlock) -> Sequence[Result]:
        """All in one call of the engine, hope and fear aside."""
        hypotheses: Sequence[Any] = pairs.hypotheses
        found: Sequence[Result]
        if self.oracles:
            lattices = self._searched_column(pairs.hypotheses)
            if lattices is not None:
                hypotheses, scales = lattices, self.lattices.scales if self.lattices else {}
                found = self.oracles.of_columns(pairs.ids, lattices, pairs.reference, scales)
            else:
                hypotheses = [self._searched(pair) for pair in pairs]
                items = [(pair.id, h, pair.reference) for pair, h in zip(pairs, hypotheses, strict=True)]
                found = self.oracles.batch(items)
        else:
            with placed_at(pairs.places):
                found = search(
                    pairs.ids, pairs.hypotheses, pairs.reference, self.metric, self.nbest, self.normalisation,
                    self.options, self.grammars,
                )  # fmt: skip
        if self.check:
            self.check.results(
                found, pairs.places, pairs.ids, lambda item: (hypotheses[item], pairs.reference[item]), self.metric,
                self.normalisation, self.grammars,
            )  # fmt: skip
        return found

    def _searched_column(self, hypotheses: Sequence[Any]) -> LatticeColumn | None:
        """Lattices that are a column, pruned to the one beam; None: one by one, which says what is wrong with one."""
        if not isinstance(hypotheses, LatticeColumn):
            return None
        if self.lattices is None or self.lattices.beam is None:
            return hypotheses
        lm, acoustic, penalty = map(self.lattices.scales.get, ("lm", "acoustic", "word_penalty"))
        return hypotheses.pruned(self.lattices.beam, lm, acoustic, penalty, workers(self.options.threads))

    def _searched(self, pair: Pair) -> Any:
        """The hypothesis under the scales that were asked for, pruned to the one beam."""
        if self.lattices is None:
            return pair.hypothesis
        try:
            return self.lattices.pruned(pair.hypothesis)
        except FstmetricsError as error:
            raise of_item([pair], error) from None

    def record(self, result: Result, pair: Pair) -> dict[str, Any]:
        """The result, with the alternatives or cards of the reference that each of its paths uses."""
        found = result.as_dict(self.alignment)
        for path, fields in zip((result, *result.nbest), (found, *found.get("nbest", ())), strict=True):
            fields |= choices_taken(path.closest, pair.reference, self.normalisation)
        return found

    def signed(self, result: Result, pair: Pair) -> dict[str, Any]:
        """The same with the fields of the pair and the signature, as it is written."""
        found = self.record(result, pair)
        if self.biasing is not None:
            from fstmetrics.engine.word_classes import class_record

            found |= class_record(result, self.biasing.of(pair.id))
        if self.are_best:
            arcs = _arcs(pair.hypothesis, result)
            found |= {"arcs": arcs, "density": finite(density(arcs, result.path_length)), "one_best": None}
        found |= {"fields": dict(pair.fields)} if pair.fields else {}
        if (digests := self._digests([pair.reference])) is not None and digests[0] != UNKNOWN:
            found["reference_digest"] = int(digests[0])
        return found | {"signature": self.signature}

    def _digests(self, references: Sequence[Any]) -> Digests | None:
        """Of the references of items; None where records have the words of all, or they are no texts."""
        return None if rules_of_one(self.signature) else digests_of(references, TEXTS, self.normalisation)

    def item_terms(self, result: Result, pair: Pair) -> Terms:
        """What a result adds to sums, and what the words of the item's list add where these are counted apart."""
        found = list(terms(result))
        if self.oracles and isinstance(pair.hypothesis, NBest) and self._searched(pair).is_outscored:
            found.append(Term(OUTSCORED, numbers={"costs": pair.hypothesis.may_have_costs}))
        if self.biasing is not None:
            from fstmetrics.scoring.biasing_lists import class_terms

            found += class_terms(result, self.biasing.of(pair.id))
        if self.by_script:
            from fstmetrics.engine.word_classes import script_totals

            found += (
                Term(Series(SCRIPT, name), each) for name, each in script_totals(result.alignment).items()
            )
        return found

    def columns(self, results: Sequence[Result]) -> list[TermColumn] | None:
        """What results add to sums in columns; None where it is item by item."""
        if self.biasing is not None or self.by_script:
            return None
        if isinstance(results, Batch):
            return [TermColumn(BEST, results)]
        return columns(results) if isinstance(results, OracleBatch) and all(results.arcs) else None

    def written(self, results: Sequence[Result], pairs: PairBlock) -> tuple[bytes, bytes] | None:
        """Records and entries of a journal that the engine writes; None where it does not: item by item.

        It does for texts and for lattices, beside one text an item or several, and for texts beside texts with choices,
        under a metric without order, without grammars.
        """
        if not pairs.is_native:
            return None
        if self.grammars or self.metric.window > 1 or self.biasing is not None or self.by_script:
            return None
        reference, alternatives = pairs.reference, None
        if isinstance(reference, TranscriptColumn):
            alternatives = self._alternatives(results, reference)
            if alternatives is None:
                return None
        elif not are_texts(reference) and text_lists(reference, False) is None:
            return None
        if isinstance(results, OracleBatch):
            if not all(results.arcs):
                return None
        elif not isinstance(results, Batch) or results.is_credited:
            return None
        if self._records is None:
            from fstmetrics.scoring.native_records import NativeRecords

            self._records = NativeRecords(
                self.normalisation.unit, self.signature, self.alignment, self.options
            )
        arcs: list[int] | None = None
        if self.are_best and isinstance(column := pairs.hypotheses, LatticeColumn):
            arcs = [column.num_arcs(row) for row in range(len(column))]
        elif self.are_best:
            arcs = [_arcs(*each) for each in zip(pairs.hypotheses, results, strict=True)]
        digests = self._digests(reference)
        return self._records.written(results, pairs.ids, pairs.fields, alternatives, digests, arcs)

    def _alternatives(self, results: Sequence[Result], references: TranscriptColumn) -> list[bytes] | None:
        """What `choices_taken` says of best paths, as JSON; None where it is asked item by item."""
        changes = self.normalisation.of_references
        if not isinstance(results, Batch) or results.is_credited or results.nbest > 1:
            return None
        if changes.unit == "char" or changes.needs_sentences:
            return None
        lines = references.lines(changes.optional_words)
        return lines.alternatives(changed_words(lines.words, changes), PathWords(results.found, "closest"))


def _arcs(hypothesis: Any, result: Result) -> int:
    """How many arcs or entries, as of an oracle."""
    arcs = arcs_of(hypothesis)
    return result.totals.hypothesis_length if arcs is None else arcs


def choices_taken(closest: Sequence[str], reference: Any, normalisation: Normalisation) -> dict[str, Any]:
    """Which alternatives or cards of a reference a path uses, as records have it; nothing where it leaves no choice.

    Args:
        closest: the words of the path.
        reference: what the item was scored against.
        normalisation: what was done to the words.
    """
    from fstmetrics.data.network import Network
    from fstmetrics.data.transcripts import Transcript, alternatives_taken

    if isinstance(reference, Transcript):
        taken = alternatives_taken(reference, closest, normalisation.of_references)
        return {"alternatives": taken} if reference.choices else {}
    items = reference.items if isinstance(reference, Alternatives) else (reference,)
    if not any(isinstance(one, Network) for one in items):
        return {}
    from fstmetrics.networks.cards_used import taken_in  # scoring of texts starts without it

    return {"cards": [list(card) for card in taken_in(reference, closest, normalisation)]}
