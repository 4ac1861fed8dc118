"""`Task`: what is done with the items of a run, and what they add up to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from fstmetrics.runs.pair_blocks import Pair, PairBlock
from fstmetrics.runs.sums import Sums, Terms
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.cluster.batch_work import BatchWork
    from fstmetrics.runs.shards import MergedShards

Made = TypeVar("Made")


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

    def work(self) -> BatchWork[Made]:
        """What the workers of an engine do with a batch.

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
