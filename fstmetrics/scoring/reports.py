"""What `--report` makes of the items of a run: `Report`, from which each derives; `REPORTS` has them by name.

They are made from counts by speaker, as sclite's are: `SpeakerCounts`, `CountsBySpeaker`. A package names a report as
an entry point of the group `fstmetrics.reports`, as fstmetrics does those of sclite.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from fstmetrics.data.fields import Fields
from fstmetrics.engine.results import AlignedPair
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.support.plugins import Registry
from fstmetrics.text.normalisation import Unit


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
        for name in vars(self).keys() - {"name", "subsets"}:
            setattr(self, name, getattr(self, name) + getattr(other, name))


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


class Report(ABC):
    """A report, made from the counts of a run.

    Args:
        references: the path of the references.
        format: how they were read.

    A report that needs something of the references looks whether they have it when it is made.

    Attributes:
        needs_speakers: whether items have to have speakers.
        needs_words: whether it shows words in error, and not only counts.

    Raises:
        FstmetricsError: it cannot be made of these references.
    """

    needs_speakers: ClassVar[bool] = False
    needs_words: ClassVar[bool] = False

    def __init__(self, references: str, format: str) -> None:
        self.references, self.format = references, format

    def labels(self, id: str | None, fields: Fields) -> Sequence[str]:
        """The subsets that an item is counted in, beside its speaker.

        Raises:
            FstmetricsError: fields that cannot be understood.
        """
        return ()

    @abstractmethod
    def files(self, counts: CountsBySpeaker, title: str, unit: Unit) -> Iterator[tuple[str, str]]:
        """The ending of each file, and its text.

        Args:
            counts: of all items, by speaker; without speakers, of one whose name is empty.
            title: what the hypotheses are called.
            unit: what was compared.

        Raises:
            FstmetricsError: a speaker who is no name of a file.
        """


def _fault(name: str, made: object) -> str:
    return "" if isinstance(made, type) and issubclass(made, Report) else "it is no class of Report"


REPORTS: Registry[type[Report]] = Registry("report", "fstmetrics.reports", dict, _fault)
