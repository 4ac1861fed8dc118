"""`Task`: what is done with the items of a run, and what they add up to.

Of `Asked`, workers of an engine make what is `Worked`; `Elsewhere` is the engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from fstmetrics.runs.pair_blocks import Pair, PairBlock
from fstmetrics.runs.sums import Sums, Terms
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from fstmetrics.runs.shards import MergedShards

Made = TypeVar("Made")


class Scoring(Protocol[Made]):
    """What is computed of pairs; it can be pickled. `PathScoring` of `path_scoring` is one."""

    def results(self, pairs: PairBlock) -> Sequence[Made]:
        """What pairs come to, in order."""

    def signed(self, result: Made, pair: Pair) -> dict[str, Any]:
        """The record of an item."""

    def item_terms(self, result: Made, pair: Pair) -> Terms:
        """What an item adds to sums."""

    def written(self, results: Sequence[Made], pairs: PairBlock) -> tuple[bytes, bytes] | None:
        """Records of all and entries of a journal, where columns tell all; None: item by item."""

    def summed(self, results: Sequence[Made]) -> Sums | None:
        """The sums of all, where columns tell all; None: item by item."""


@dataclass
class Worked(Generic[Made]):
    """What came of a batch.

    Attributes:
        pairs: of the batch, all of them.
        faults: what is wrong with some, by their place; the rest is of the others, in order.
        written, sums: records, entries of a journal and sums, where columns tell all.
        items: else the line of each record, empty where none is written, and its terms.
        results: where they were asked for.
    """

    pairs: PairBlock
    faults: Mapping[int, str] = field(default_factory=dict)
    written: tuple[bytes, bytes] | None = None
    sums: Sums | None = None
    items: Sequence[tuple[str, Terms]] = ()
    results: Sequence[Made] | None = None


class Asked(NamedTuple, Generic[Made]):
    """What is asked of the workers of an engine.

    Attributes:
        scoring: what is computed.
        keep_going: whether a fault is of its item; otherwise it is of the run.
        records: whether they are written.
        results: whether they are handed back, too, since they are printed.
        by_item: whether each item's terms are asked for, and not only their sum.
    """

    scoring: Scoring[Made]
    keep_going: bool = False
    records: bool = False
    results: bool = False
    by_item: bool = False


# What has blocks of pairs worked on by an engine: what came of them, batch by batch, in order.
Elsewhere = Callable[[Iterable[PairBlock], Asked[Any]], Generator[Worked[Any], None, None]]


class Task(ABC, Generic[Made]):
    """What becomes of items, and what they add up to.

    A run asks for the `results` of a batch, and of each item for its `terms` and, where records are written, its
    `record`; once they are written the terms are added to the `sums`, and the item is `shown`. Of items that were
    finished before the run was stopped it has the terms alone, and says `passed`.

    Attributes:
        title: of the progress bar.
        signature: all that the score of an item depends on.
        sums: what the items add up to.
        prints: whether items are printed as they come.
    """

    title: ClassVar[str] = "scoring"
    signature: str = ""
    prints: bool = False

    def __init__(self) -> None:
        self.sums = Sums()

    @property
    def shares_batches(self) -> bool:
        """Whether several threads may ask for `results` and for what is `written`, of a batch each."""
        return False

    @abstractmethod
    def results(self, pairs: PairBlock) -> Sequence[Made]:
        """What some items come to, in order; the same for an item whatever the others are."""

    @abstractmethod
    def record(self, result: Made, pair: Pair) -> dict[str, Any]:
        """An item as a JSON object."""

    def signed(self, result: Made, pair: Pair) -> dict[str, Any]:
        """The same with the signature, as it is written."""
        fields = {"fields": dict(pair.fields)} if pair.fields else {}
        return self.record(result, pair) | fields | {"signature": self.signature}

    @abstractmethod
    def terms(self, result: Made, pair: Pair) -> Terms:
        """What an item adds to the sums."""

    def add(self, pair: Pair, terms: Terms) -> None:
        """Add an item to the sums."""
        self.sums.add(terms)

    def passed(self, pair: Pair) -> None:
        """Hear of an item that was finished before, and is not among the results."""

    def shown(self, result: Made | None, pair: Pair) -> None:
        """Print an item, or keep it to be printed; None: nothing is printed, and workers have kept the result."""

    def written(self, results: Sequence[Made], pairs: PairBlock) -> tuple[bytes, bytes] | None:
        """The records of a batch and what the journal says of it, where columns tell all; None: item by item."""
        return None

    def state(self) -> dict[str, Any]:
        """What a shard keeps of its items for `restore`: with `sums` where these are all that is asked of items.

        Where they are not, an entry of each item is kept beside, and `restore` hears of the items one by one.
        """
        return {"sums": self.sums.as_json()}

    def restore(self, merged: MergedShards) -> None:
        """Take what all shards of a run have kept."""
        if "sums" in merged.files[0].state:
            for file in merged.files:
                self.sums.update(Sums.from_json(file.state["sums"]))
            return
        for entry in merged.entries():
            if entry.terms is not None:
                self.add(Pair(entry.id, None, (), entry.fields), entry.terms)

    def work(self) -> Asked[Made]:
        """What is asked of the workers of an engine.

        Raises:
            FstmetricsError: it is done on this machine only.
        """
        raise FstmetricsError("--on is for metrics of best paths (wer, hyter) and for mbr; leave it out")

    def take_sums(self, sums: Sums, pairs: PairBlock) -> None:
        """Add items of which workers made the sums."""
        self.sums.update(sums)

    def take(self, results: Sequence[Made], pairs: PairBlock) -> None:
        """Add items to the sums, and show them, all at once where nothing is to be kept of them."""
        for result, pair in zip(results, pairs, strict=True):
            self.add(pair, self.terms(result, pair))
            self.shown(result, pair)
