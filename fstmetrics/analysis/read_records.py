"""Records as scoring wrote them (docs/records.md): `read_records`, `Record`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fstmetrics.engine.results import AlignedPair
from fstmetrics.io.formats.records import Aligned, aligned_batches
from fstmetrics.support.source import open_text


@dataclass(frozen=True, slots=True)
class Record:
    """One item as it was scored, or one of its best paths.

    Attributes:
        id: the item's id; its number in the file where it has none, from 1.
        fields: all of the record, as JSON.
        aligned: the alignment by columns.
    """

    id: str
    fields: Mapping[str, Any]
    aligned: Aligned

    @property
    def metric(self) -> str:
        """What was computed."""
        return str(self.fields["metric"])

    @property
    def score(self) -> float | None:
        """The score; None where it is infinite."""
        score: float | None = self.fields["score"]
        return score

    @property
    def edits(self) -> int:
        """Substitutions, insertions and deletions."""
        return int(self.fields["edits"])

    @property
    def substitutions(self) -> int:
        """Words that stand for other words."""
        return int(self.fields["substitutions"])

    @property
    def insertions(self) -> int:
        """Hypothesis words that the reference lacks."""
        return int(self.fields["insertions"])

    @property
    def deletions(self) -> int:
        """Reference words that the hypothesis lacks."""
        return int(self.fields["deletions"])

    @property
    def moves(self) -> int:
        """Reordering moves."""
        return int(self.fields["moves"])

    @property
    def path_length(self) -> int:
        """Words of the closest path."""
        return int(self.fields["path_length"])

    @property
    def spoken(self) -> Sequence[str]:
        """All words of the hypothesis, in the order in which they were given."""
        words: Sequence[str] = self.fields["hypothesis"]
        if not self.aligned.positions:
            return words
        return [word for _, word in sorted(zip(self.fields["order"], words, strict=True))]

    @property
    def hypothesis(self) -> Sequence[str]:
        """Those of them that count: not those under wildcards."""
        if "*" not in self.aligned.operations:
            return self.spoken
        pairs = [p for p in self.alignment if p.hypothesis is not None and p.op != "*"]
        if self.aligned.positions:
            pairs.sort(key=lambda pair: pair.position or 0)
        return [str(pair.hypothesis) for pair in pairs]

    @property
    def alignment(self) -> tuple[AlignedPair, ...]:
        """The operations."""
        operations, hypothesis, reference, positions, paid, _ = self.aligned
        if not positions:
            return tuple(map(AlignedPair, operations, hypothesis, reference))
        return tuple(map(AlignedPair, operations, hypothesis, reference, positions, map(int, paid)))

    @property
    def nbest(self) -> tuple[Record, ...]:
        """The k best paths, the first included; empty where one was asked for."""
        paths = zip(self.fields.get("nbest", ()), self.aligned.nbest, strict=True)
        return tuple(Record(self.id, *path) for path in paths)


def read_records(path: str | Path) -> Iterator[Record]:
    """The records of a JSON Lines file, one after the other; gzip is transparent, "-" is standard input.

    Raises:
        InputError: a line that is no record, a record without an alignment (`--alignment` writes them), one of another
            metric than those before it, an id that comes twice, or no record.
    """
    for batch in aligned_batches(open_text(path)):
        yield from map(Record, batch.ids, batch.objects, batch.aligned())
