"""Minimum Bayes risk decoding of many items: `Decoding`, and what choices add to the sums of a run: `risk_terms`."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.engine.search import workers
from fstmetrics.io.formats import kaldi_text, plain
from fstmetrics.io.formats import trn as trn_writing
from fstmetrics.io.items import Item
from fstmetrics.io.utility_matrices import read_utilities
from fstmetrics.io.writing import WriteOptions, Writer
from fstmetrics.lattices.expected_losses import Utilities
from fstmetrics.lattices.minimum_risk import MBR, Candidate, are_unlogged, decode
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.request import LatticeOptions, Request, check_run_paths
from fstmetrics.scoring.run import Task
from fstmetrics.scoring.sums import Series, Sums, Term, Terms
from fstmetrics.scoring.work import Scoring, Work, of_item
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed

Text = Literal["kaldi", "trn", "plain"]
WRITERS: Mapping[Text, Writer] = {
    "kaldi": kaldi_text.WRITER,
    "trn": trn_writing.WRITER,
    "plain": plain.WRITER,
}
# What hears lines of words.
Show = Callable[[Iterable[str]], None]
RISK = Series("risk")
# Evidence that holds less than this share of a lattice's probability says little of the lattice.
MOST = 0.5


def risk_terms(result: MBR, value: Any, weighed: Any) -> Terms:
    """What one choice adds.

    Args:
        result: the choice.
        value: the list, lattice or forest that it is of.
        weighed: the same under the scales.

    The numbers are `loss` and `one_best_loss`, expected of the choice and of the decoder's first; `differs`, whether
    these are not the same; `forest`, `unscored` and `unscored_forest`; `outscored`, whether another entry of a list has
    a better score than the first, and `costs`, whether its scores may be such that nobody has turned; `unlogged`,
    whether its scores lie between 0 and 1; where the evidence is a part of what there is, its `mass`, and whether that
    is `little`.
    """
    forest, scored = isinstance(value, Network), _has_scores(value)
    scores = (value.scores or ()) if isinstance(value, NBest) else ()
    numbers = {
        "loss": float(result.best[0].expected_loss),
        "one_best_loss": float(result.one_best.expected_loss),
        "differs": result.words != result.one_best.words,
        "forest": forest,
        "unscored": not scored,
        "unscored_forest": forest and not scored,
        "outscored": (is_outscored := bool(scores) and weighed.is_outscored),
        "costs": is_outscored and value.may_have_costs and weighed.may_have_costs,
        "unlogged": isinstance(value, NBest) and are_unlogged(value),
    }
    if not result.exact:
        numbers |= {"mass": float(result.mass), "little": result.mass < MOST}
    return [Term(RISK, numbers=numbers)]


class GivenUtilities:
    """Choices by utilities that a file has: those of each n-best list by its id.

    Attributes:
        metric: names the file and what is in it, for signatures and for runs that go on.
    """

    def __init__(self, request: Request, scale: float, path: str) -> None:
        check_run_paths(request, [path])
        self._by_id, self._path = read_utilities(path), path
        self._asked: dict[str, Any] = {
            "nbest": request.nbest, "normalisation": request.normalisation, "scale": scale
        }  # fmt: skip
        self._used: set[str] = set()
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
        self.metric = Utilities([[0.0]], f"{Path(path).name}:{digest}")

    def remarks(self) -> list[str]:
        """What is said of utilities that no list asked for."""
        unused = [id for id in self._by_id if id not in self._used]
        return (
            [f"{self._path} has utilities of ids that no n-best list has: {listed(unused)}"] if unused else []
        )

    def __call__(self, hypotheses: Any) -> MBR:
        """The choice of one list."""
        if hypotheses.id not in self._by_id:
            raise FstmetricsError(f"{self._path} has no utilities of the n-best list {hypotheses.id!r}")
        self._used.add(hypotheses.id)
        return decode(hypotheses, utilities=self._by_id[hypotheses.id], **self._asked)


def layout_of(text: Text | None, has_ids: bool) -> Text:
    """How words are written: as is asked for, else with ids where there are any.

    Raises:
        FstmetricsError: an item without an id, which the layout needs.
    """
    if text in ("kaldi", "trn") and not has_ids:
        raise FstmetricsError(f"not every item has an id, which --text {text} needs; use --text plain")
    return text or ("kaldi" if has_ids else "plain")


@dataclass
class RiskScoring(Scoring[MBR]):
    """What is decoded of lists, lattices and forests; it can be pickled.

    Attributes:
        decode: what is asked of one, as of `mbr`.
        lattices: the scales of lattices.
        text: how words are printed, which is tried where a fault is the item's own; None: they are not.
        unit: what is compared.
        nbest: how many candidates an item.
        signature: all that the choice depends on.
        pool: threads that decode an item each; None: one after the other. It stays where it is.
    """

    decode: Callable[[Any], MBR]
    lattices: LatticeOptions
    text: Text | None
    unit: Any
    nbest: int
    signature: str = ""
    pool: ThreadPoolExecutor | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "pool": None}

    def results(self, pairs: PairBlock) -> Sequence[MBR]:
        """One by one, as many at the same time as there are threads; the engine works without Python's lock."""
        return list((self.pool.map if self.pool else map)(self.result, pairs))

    def result(self, pair: Pair) -> MBR:
        """Of one item."""
        try:
            if message := refusal(pair.hypothesis):
                raise FstmetricsError(message)
            if isinstance(pair.hypothesis, NBest) and -math.inf in (pair.hypothesis.scores or ()):
                raise FstmetricsError(
                    f"n-best list {pair.hypothesis.id!r}: an entry has probability 0, which some write where it is not "
                    "known; leave the entry out, or leave out the probabilities: then every entry counts the same"
                )
            result = self.decode(self.lattices.scaled(pair.hypothesis))
            if self.text:
                for candidate in result.best:
                    line_of(self.text, pair.id, candidate.words)
            return result
        except FstmetricsError as error:
            raise of_item([pair], error) from None

    def record(self, result: MBR, pair: Pair) -> dict[str, Any]:
        """One item as a JSON object."""
        return {
            "id": pair.id,
            "metric": name_of(result.metric.name, self.unit),
            **_candidate(result.best[0]),
            "one_best": _candidate(result.one_best),
            "candidates": result.candidates,
            "evidence": result.evidence,
            "mass": result.mass,
            "exact": result.exact,
            **({"nbest": [_candidate(each) for each in result.best]} if self.nbest > 1 else {}),
        }

    def signed(self, result: MBR, pair: Pair) -> dict[str, Any]:
        """The same with the fields of the pair and the signature, as it is written."""
        fields = {"fields": dict(pair.fields)} if pair.fields else {}
        return self.record(result, pair) | fields | {"signature": self.signature}

    def item_terms(self, result: MBR, pair: Pair) -> Terms:
        """Its losses, and what share of the probability they are of."""
        return risk_terms(result, pair.hypothesis, self.lattices.scaled(pair.hypothesis))


class Decoding(Task[MBR], AbstractContextManager["Decoding"]):
    """The hypotheses of least expected loss; a context, behind which no thread of it works any more.

    Args:
        request: what was asked for.
        decode: what is asked of a list, lattice or forest, as of `mbr`.
        lattices: the scales of lattices.
        text: how to write the words of items; None: records are wanted.
        show: hears the lines of each item as it is done; None: nobody does.

    Attributes:
        kept: records, where they are to be handed back at the end.
    """

    title = "decoding"
    scoring: RiskScoring

    def __init__(
        self,
        request: Request,
        decode: Callable[[Any], MBR],
        lattices: LatticeOptions,
        text: Text | None,
        show: Show | None = None,
    ) -> None:
        self.sums = Sums()
        self._request = request
        self.scoring = RiskScoring(decode, lattices, text, request.normalisation.unit, request.nbest)
        self._text, self._show, self.prints = text, show, show is not None
        self.scoring.pool = ThreadPoolExecutor(workers(request.jobs)) if request.jobs > 1 else None
        self.kept: list[dict[str, Any]] = []

    def __exit__(self, *_: object) -> None:
        if self.scoring.pool:
            self.scoring.pool.shutdown(cancel_futures=True)

    def work(self, elsewhere: bool) -> Work[MBR]:
        """Of lists, lattices and forests; utilities of a file are looked up here."""
        if elsewhere and isinstance(self.scoring.decode, GivenUtilities):
            raise FstmetricsError("--utilities are for runs on this machine: leave --on out")
        request = self._request
        shows = self.prints or (request.as_json and request.output is None)
        return Work(self.scoring, request.keep_going, request.output is not None, True, shows)

    def shown(self, result: MBR | None, pair: Pair) -> None:
        """Its words, or its record for the end."""
        if result is None:
            return
        if self._text and self._show:
            self._show(lines_of(self._text, self.scoring.record(result, pair)))
        elif self._request.as_json and self._request.output is None:
            self.kept.append(self.scoring.signed(result, pair))


def refusal(value: Any) -> str:
    """What to say of a value that has no distribution to decode; nothing of others."""
    if isinstance(value, Lattice | NBest | Network):
        return ""
    return "expected lattices, forests or n-best lists; if it is one of these, give --format"


def _has_scores(value: Any) -> bool:
    """Whether anything says how likely the entries of a list or the derivations of a forest are."""
    if isinstance(value, NBest):
        return value.scores is not None
    return not isinstance(value, Network) or value.has_costs


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "hypothesis": list(candidate.words),
        "expected_loss": candidate.expected_loss,
        "posterior": candidate.posterior,
    }


def lines_of(text: Text, record: Mapping[str, Any]) -> Iterator[str]:
    """The words of a record, as other programs read them; a line for each candidate."""
    for path in record.get("nbest", (record,)):
        yield line_of(text, record["id"], path["hypothesis"])


def line_of(text: Text, id: str | None, words: Sequence[str]) -> str:
    """What the format's own writer makes of it, which refuses what would be read as something else."""
    item = Item(None if text == "plain" else id, tuple(words))
    return b"".join(WRITERS[text].pieces(iter([item]), WriteOptions())).decode()
