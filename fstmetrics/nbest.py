"""N-best lists: a recogniser's or translator's ranked strings."""

from __future__ import annotations

from dataclasses import dataclass

from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import Lattice


@dataclass(frozen=True)
class NBest:
    """A ranked list of strings, the decoder's first choice first. Entries may repeat.

    Attributes:
        id: what references pair with.
        entries: the words of each entry.
        texts: each entry as it was written, for tokenizers; as many as `entries`.
        scores: the decoder's total score of each entry, where the file has one.
    """

    id: str
    entries: tuple[tuple[str, ...], ...]
    texts: tuple[str, ...]
    scores: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if not self.entries:
            raise FstmetricsError(f"n-best list {self.id!r} has no entry")

    def lattice(self, first: int | None = None) -> Lattice:
        """The first entries, or all, as a lattice whose paths are the distinct entries."""
        return Lattice.from_strings(self.entries[:first], id=self.id)
