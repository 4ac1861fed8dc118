"""A network from plain references: `from_references`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fstmetrics.errors import FstmetricsError
from fstmetrics.merging import Merged, merged
from fstmetrics.network import Card, Network
from fstmetrics.networks.combine import union
from fstmetrics.networks.convert import ROOT, from_lattice
from fstmetrics.phrases import write_phrase
from fstmetrics.transcripts import Transcript

Reference = str | Sequence[str] | Transcript


@dataclass(frozen=True, slots=True)
class Built:
    """A network and what it was built from.

    Attributes:
        network: the references as one network.
        references: how many different ones were given.
        merged: how they were merged, if they were.
    """

    network: Network
    references: int
    merged: Merged | None = None

    @property
    def extra(self) -> int:
        """Sentences that the network holds and nobody wrote: only merging makes any."""
        return self.merged.extra if self.merged else 0

    def added(self, limit: int) -> list[tuple[str, ...]]:
        """The sentences that nobody wrote, at most so many."""
        return self.merged.added(limit) if self.merged else []


def from_references(references: Sequence[Reference], id: str = "", merge: bool = False) -> Built:
    """A network whose one card holds the references of a sentence, side by side or merged where they agree.

    Args:
        references: sentences, or transcripts that leave choices.
        id: the network's id.
        merge: whether to share the places that references agree on (`fstmetrics.merging.merged`); then there are
            sentences nobody wrote.

    Raises:
        FstmetricsError: no reference at all; a wildcard, which no network holds; choices that are to be merged.

    >>> both = ["the prime minister spoke", "the head of government spoke", "a prime minister talked"]
    >>> from_references(both).network.cards["S"].phrases
    ('the prime minister spoke', 'the head of government spoke', 'a prime minister talked')
    >>> built = from_references(["they came to town by train", "we came to town on foot"], merge=True)
    >>> built.extra, [" ".join(words) for words in built.added(10)]
    (2, ['they came to town on foot', 'we came to town by train'])
    """
    distinct = tuple(dict.fromkeys(map(_sentence, references)))
    if not distinct:
        raise FstmetricsError("there is no reference to build a network from")
    sentences = [one for one in distinct if not isinstance(one, Transcript)]
    if merge:
        if len(sentences) < len(distinct):
            raise FstmetricsError("references that leave a choice cannot be merged; build without --merge")
        lattice = merged(sentences, id)
        return Built(from_lattice(lattice.lattice), len(distinct), lattice)
    parts = [from_lattice(one.lattice) for one in distinct if isinstance(one, Transcript)]
    if sentences:
        parts.insert(0, Network([Card.from_phrases(ROOT, list(map(write_phrase, sentences)))], ROOT))
    network = union(*parts) if len(parts) > 1 else parts[0]
    return Built(Network(network.cards.values(), network.root, id=id), len(distinct))


def _sentence(reference: Reference) -> tuple[str, ...] | Transcript:
    """Its words, or the transcript where it leaves a choice."""
    if not isinstance(reference, Transcript):
        return tuple(reference.split() if isinstance(reference, str) else reference)
    if reference.has_wildcards:
        raise FstmetricsError("a network holds no wildcard <*>; score against the text itself")
    return reference if reference.words is None else reference.words
