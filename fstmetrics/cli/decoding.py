"""What `mbr` does with items: `Decoding`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, Literal

from fstmetrics.cli.lattice_options import scaled
from fstmetrics.cli.options import Request
from fstmetrics.cli.run import Work, of_item
from fstmetrics.decoding.minimum_risk import MBR, Candidate
from fstmetrics.metrics.corpus import name_of
from fstmetrics.readers.formats import kaldi_text, plain
from fstmetrics.readers.formats import trn as trn_writing
from fstmetrics.readers.items import Item
from fstmetrics.readers.writing import WriteOptions, Writer
from fstmetrics.runs.pairing import Pair
from fstmetrics.runs.risk_tally import RiskCounts, RiskTally
from fstmetrics.scoring.search import workers
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import whole_file
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.nbest import NBest
from fstmetrics.values.network import Network

Text = Literal["kaldi", "trn", "plain"]
WRITERS: Mapping[Text, Writer] = {
    "kaldi": kaldi_text.WRITER,
    "trn": trn_writing.WRITER,
    "plain": plain.WRITER,
}


class Decoding(Work[MBR, RiskCounts], AbstractContextManager["Decoding"]):
    """The hypotheses of least expected loss; a context, behind which no thread of it works any more.

    Args:
        request: what was asked for.
        decode: what is asked of a list, lattice or forest, as of `mbr`.
        asked: scales that the user named.
        text: how to print the words of items; None: records are wanted.
        at_once: whether to print each item as it is done, and not all of them at the end.

    Attributes:
        kept: records, where they are to be printed at the end.
    """

    title = "decoding"
    tally: RiskTally

    def __init__(
        self,
        request: Request,
        decode: Callable[[Any], MBR],
        asked: dict[str, float],
        text: Text | None,
        at_once: bool = True,
    ) -> None:
        self._request, self._decode, self._asked = request, decode, asked
        self._text, self.prints = text, text is not None and at_once
        self._pool = ThreadPoolExecutor(workers(request.jobs)) if request.jobs > 1 else None
        self.tally = RiskTally()
        self.kept: list[dict[str, Any]] = []

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def results(self, pairs: Sequence[Pair]) -> Sequence[MBR]:
        """One by one, as many at the same time as there are jobs; the engine works without Python's lock."""
        return list(self._pool.map(self._result, pairs) if self._pool else map(self._result, pairs))

    def _result(self, pair: Pair) -> MBR:
        try:
            if message := refusal(pair.hypothesis):
                raise FstmetricsError(message)
            result = self._decode(scaled(pair.hypothesis, self._asked))
            if self._text:  # that it can be read back is asked here, where a fault is the item's own
                for candidate in result.best:
                    _line(self._text, pair.id, candidate.words)
            return result
        except FstmetricsError as error:
            raise of_item([pair], error) from None

    def record(self, result: MBR, pair: Pair) -> dict[str, Any]:
        """One item as a JSON object."""
        return {
            "id": pair.id,
            "metric": name_of(result.metric.name, self._request.unit),
            **_candidate(result.best[0]),
            "one_best": _candidate(result.one_best),
            "candidates": result.candidates,
            "evidence": result.evidence,
            "mass": result.mass,
            "exact": result.exact,
            **({"nbest": [_candidate(each) for each in result.best]} if self._request.nbest > 1 else {}),
        }

    def counts(self, result: MBR, pair: Pair) -> RiskCounts:
        """Its losses, and what share of the probability they are of."""
        return RiskCounts.of(result, _has_scores(pair.hypothesis), isinstance(pair.hypothesis, Network))

    def restored(self, value: list[Any]) -> RiskCounts:
        """Counts."""
        return RiskCounts.from_json(value)

    def shown(self, result: MBR, pair: Pair) -> None:
        """Its words, or its record for the end."""
        if self._text and self.prints:
            write_text(self._text, [self.record(result, pair)])
        elif self._request.as_json and self._request.output is None:
            self.kept.append(self.signed(result, pair))


def refusal(value: Any) -> str:
    """What to say of a value that has no distribution to decode; nothing of others."""
    if isinstance(value, Lattice | NBest | Network):
        return ""
    return "holds other things than the lattices, forests or n-best lists that mbr is for; --format says what it is"


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


def write_text(text: Text, records: Iterable[dict[str, Any]]) -> None:
    """Print the words of records, as other programs read them."""
    with whole_file("-") as stream:
        for record in records:
            paths = record.get("nbest", (record,))
            stream.writelines(_line(text, record["id"], path["hypothesis"]) for path in paths)


def records_of(path: str) -> Iterator[dict[str, Any]]:
    """The records of a file that a run has finished."""
    with open(path, encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def _line(text: Text, id: str | None, words: Sequence[str]) -> str:
    """What the format's own writer makes of it, which refuses what would be read as something else."""
    item = Item(None if text == "plain" else id, tuple(words))
    return b"".join(WRITERS[text].pieces(iter([item]), WriteOptions())).decode()
