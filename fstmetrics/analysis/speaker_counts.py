"""What the items of each speaker add up to, as sclite's reports need it: `SpeakerCounts`, `CountsBySpeaker`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fstmetrics.engine.results import AlignedPair
from fstmetrics.metrics.base import Totals


@dataclass
class SpeakerCounts:
    """The items of one speaker, or of several.

    Attributes:
        name: of the speaker.
        sentences, wrong: items, and those with an error.
        with_substitutions, with_deletions, with_insertions: items that have one.
        totals: the counts of words.
        confusions: how often a reference word has another word of the hypothesis, as (reference, hypothesis).
        insertions, deletions: how often a word is inserted, or deleted.
        subsets: words of the references and errors, by label.
    """

    name: str
    sentences: int = 0
    wrong: int = 0
    with_substitutions: int = 0
    with_deletions: int = 0
    with_insertions: int = 0
    totals: Totals = Totals()  # noqa: RUF009 (frozen)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    insertions: Counter[str] = field(default_factory=Counter)
    deletions: Counter[str] = field(default_factory=Counter)
    subsets: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, totals: Totals, labels: Iterable[str] = ()) -> None:
        """Add one more item."""
        self.sentences += 1
        self.wrong += totals.edits > 0
        self.with_substitutions += totals.substitutions > 0
        self.with_deletions += totals.deletions > 0
        self.with_insertions += totals.insertions > 0
        self.totals = self.totals + totals
        for label in labels:
            words, errors = self.subsets.get(label, (0, 0))
            self.subsets[label] = words + totals.path_length, errors + totals.edits

    def add_words(self, alignment: Iterable[AlignedPair]) -> None:
        """Add the words in error of an item."""
        for op, hypothesis, reference, *_ in alignment:
            if op == "S":
                self.confusions[str(reference), str(hypothesis)] += 1
            elif op == "I":
                self.insertions[str(hypothesis)] += 1
            elif op == "D":
                self.deletions[str(reference)] += 1

    def update(self, other: SpeakerCounts) -> None:
        """Add those of another speaker."""
        for name in (
            "sentences",
            "wrong",
            "with_substitutions",
            "with_deletions",
            "with_insertions",
            "totals",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("confusions", "insertions", "deletions"):
            getattr(self, name).update(getattr(other, name))


class CountsBySpeaker:
    """The counts of each speaker, in the order in which the speakers come.

    >>> counts = CountsBySpeaker()
    >>> counts.add("ann", Totals(matches=2, insertions=1))
    >>> counts.add("bob", Totals(substitutions=1))
    >>> counts.add_words("bob", [AlignedPair("S", "a", "the")])
    >>> [speaker.name for speaker in counts.speakers], counts.whole("all").confusions
    (['ann', 'bob'], Counter({('the', 'a'): 1}))
    """

    def __init__(self) -> None:
        self._found: dict[str, SpeakerCounts] = {}

    def add(self, name: str, totals: Totals, labels: Iterable[str] = ()) -> None:
        """Add an item of a speaker."""
        if name not in self._found:
            self._found[name] = SpeakerCounts(name)
        self._found[name].add(totals, labels)

    def add_words(self, name: str, alignment: Iterable[AlignedPair]) -> None:
        """Add the words in error of an item that was added."""
        self._found[name].add_words(alignment)

    @property
    def speakers(self) -> Sequence[SpeakerCounts]:
        """All of them."""
        return list(self._found.values())

    def whole(self, name: str) -> SpeakerCounts:
        """All of them together, under a name."""
        found = SpeakerCounts(name)
        for speaker in self._found.values():
            found.update(speaker)
        return found
