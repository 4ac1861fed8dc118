"""Systems under several profiles: which ranks the rules change, and which words are responsible.

`compare_profiles` scores every system under every profile. Its `ProfileComparison` has the scores and ranks, the gaps
between systems with the part of them that the rules make (`Gap`), and the words whose errors differ between two
profiles (`WordChange`), which add up to the difference in edits.

How those are found: `fstmetrics.significance.word_changes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, compress
from typing import TYPE_CHECKING, Any, NamedTuple

from fstmetrics.engine.api import scored
from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.search import all_grammars
from fstmetrics.engine.sides import Corpus, Input, is_dropped, references_of
from fstmetrics.engine.statistics import BATCH
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.metrics.wer import WER
from fstmetrics.significance.compare_texts import same_items
from fstmetrics.significance.comparison import Progress
from fstmetrics.significance.word_changes import Key, Stretch, stretches, word_changes
from fstmetrics.support.arguments import described_columns, expect, items_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import in_a_line
from fstmetrics.text.normalisation import Normalisation, is_punctuation
from fstmetrics.text.profiles import profile

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars


class ProfileScore(NamedTuple):
    """A system under a profile.

    Attributes:
        score: edits divided by the words of the references.
        rank: 1 for the best; systems with the same score have the same rank.
        edits, words, items: sums; items that a profile leaves out are in none.
    """

    score: float
    rank: int
    edits: int
    words: int
    items: int


class Gap(NamedTuple):
    """The difference of two systems' scores under two profiles.

    Attributes:
        first, second: the systems; a gap is the second's score minus the first's.
        base, other: the gaps under the base profile and under the other.
        by_errors, by_length: what the rules add: other - base = by_errors + by_length. By errors: the further edits,
            each as much as it is under the base; by length: the rest, as references have other lengths.
    """

    first: str
    second: str
    base: float
    other: float
    by_errors: float
    by_length: float

    @property
    def owed(self) -> float:
        """What the rules alone add to the gap."""
        return self.other - self.base


def _without_marks(text: str) -> str:
    return "".join(character for character in text if not is_punctuation(character))


# How words of both sides may differ: what makes them the same. What is not here is `one side only` or `other words`.
KINDS: Mapping[str, Callable[[str], str]] = {
    "case": str.lower,
    "punctuation": _without_marks,
    "case and punctuation": lambda text: _without_marks(text).lower(),
    "spaces": lambda text: "".join(_without_marks(text).lower().split()),
}


class WordChange(NamedTuple):
    """Words whose errors differ between two profiles.

    Attributes:
        reference, hypothesis: the words as the profile `under` has them; empty for none.
        under: the profile whose errors these are.
        times: how often they come, in all systems.
        edits: by system, what the words add to the edits under the other profile compared with the base; negative
            where the base has the errors.
    """

    reference: str
    hypothesis: str
    under: str
    times: int
    edits: Mapping[str, int]

    @property
    def total(self) -> int:
        """Over all systems."""
        return sum(self.edits.values())

    @property
    def kind(self) -> str:
        """How the words differ, one of `KINDS`.

        >>> [WordChange(*words, "none", 1, {}).kind for words in (("The", "the"), ("Mr.", "mr"), ("wi fi", "wifi"))]
        ['case', 'case and punctuation', 'spaces']
        >>> [WordChange(*words, "none", 1, {}).kind for words in (("uh", ""), ("colour", "color"))]
        ['one side only', 'other words']
        """
        if not (self.reference and self.hypothesis):
            return "one side only"
        for kind, same in KINDS.items():
            if same(self.reference) == same(self.hypothesis):
                return kind
        return "other words"


@dataclass(frozen=True)
class ProfileComparison:
    """Several systems under several profiles; the first profile is the base that the others are compared with.

    Attributes:
        systems: their names, the best under the base first.
        profiles: as they were asked for.
        normalisations: their rules.
        scores: by system and profile.
        changes: by profile, the words whose errors differ from the base's, the most frequent first. For each system
            they add up to the difference in edits.
        grammars: what widened the references beside the profiles' own.
        conditions: what else the scores depend on, as signatures have it: how many references an item has.
    """

    systems: tuple[str, ...]
    profiles: tuple[str, ...]
    normalisations: Mapping[str, Normalisation]
    scores: Mapping[tuple[str, str], ProfileScore]
    changes: Mapping[str, tuple[WordChange, ...]]
    grammars: Grammars = ()
    conditions: tuple[str, ...] = ()

    def __str__(self) -> str:
        from fstmetrics.reports.profile_tables import profile_text

        return profile_text(self)

    def __repr__(self) -> str:
        return in_a_line(self, systems=list(self.systems), profiles=list(self.profiles))

    @property
    def base(self) -> str:
        """The profile that the others are compared with."""
        return self.profiles[0]

    def grammars_of(self, profile: str) -> Grammars:
        """What widened the references under a profile."""
        return all_grammars(self.grammars, self.normalisations[profile])

    def metric_name(self, profile: str) -> str:
        """What the score under a profile is called: `wer`, or `cer` where characters are compared."""
        return name_of("wer", self.normalisations[profile].unit)

    def rank_changes(self, profile: str) -> dict[str, tuple[int, int]]:
        """The systems whose rank under a profile is not that under the base: both ranks, the base's first."""
        ranks = {s: (self.scores[s, self.base].rank, self.scores[s, profile].rank) for s in self.systems}
        return {system: both for system, both in ranks.items() if both[0] != both[1]}

    def gaps(self, profile: str) -> list[Gap]:
        """The gap of every two systems under the base and a profile."""
        return [self._gap(first, second, profile) for first, second in combinations(self.systems, 2)]

    def _gap(self, first: str, second: str, profile: str) -> Gap:
        (a, b), (x, y) = (
            (self.scores[first, name], self.scores[second, name]) for name in (self.base, profile)
        )
        errors = (y.edits - b.edits) / b.words - (x.edits - a.edits) / a.words
        base, other = b.score - a.score, y.score - x.score
        return Gap(first, second, base, other, errors, other - base - errors)

    def as_dict(self) -> dict[str, Any]:
        """All of it, for programs."""
        others = self.profiles[1:]
        return {
            "profiles": [
                {
                    "name": name,
                    "metric": self.metric_name(name),
                    "normalisation": self.normalisations[name].signature(),
                    "grammars": list(map(str, self.normalisations[name].grammars)),
                }
                for name in self.profiles
            ],
            "systems": [
                {"name": s, "scores": {p: self.scores[s, p]._asdict() for p in self.profiles}}
                for s in self.systems
            ],
            "rank_changes": {p: {s: list(r) for s, r in self.rank_changes(p).items()} for p in others},
            "gaps": {p: [gap._asdict() | {"owed": gap.owed} for gap in self.gaps(p)] for p in others},
            "words": {
                p: [c._asdict() | {"kind": c.kind, "total": c.total} for c in self.changes[p]] for p in others
            },
        }


def compare_profiles(
    systems: Mapping[str, Corpus],
    references: Corpus,
    profiles: str | Iterable[str] | Mapping[str, Normalisation],
    *,
    grammars: Grammars = (),
    progress: Progress = lambda what, done, of: None,
) -> ProfileComparison:
    """Score `systems` against `references` by word error rate under several profiles.

    Says what the rules alone change.

    Args:
        systems: the outputs of each, by name, as `score` takes them.
        references: one or several an item, in the same order; or a dict by id, and so then are all outputs.
        profiles: names of profiles (`fstmetrics.profile`), the base first, or such names in one string with commas; or
            a dict of rules by names of your own.
        grammars: what widens the references under every profile.
        progress: told what is being done, and how far it is.

    Raises:
        FstmetricsError: fewer than two profiles or no system, items that do not pair, or something that cannot be
            scored.

    >>> found = compare_profiles({"a": ["it's 5"], "b": ["it is five"]}, ["It's five."], "whisper-en,none")
    >>> [(found.scores["a", name].edits, found.scores["b", name].edits) for name in found.profiles]
    [(0, 0), (2, 3)]
    >>> [(change.reference, change.hypothesis, change.total) for change in found.changes["none"]]
    [("It's five.", 'it is five', 3), ("It's", "it's", 1), ('five.', '5', 1)]
    """
    rules = _rules(profiles)
    if not isinstance(systems, Mapping) or not systems:
        raise FstmetricsError(f"systems are a dict of outputs by name, not {described_columns(systems)}")
    outputs, refs, _ = same_items(systems, references, [WER()])
    names = tuple(rules)
    scores: dict[tuple[str, str], ProfileScore] = {}
    changes: dict[str, dict[Key, list[tuple[str, int]]]] = {name: {} for name in names[1:]}
    steps, done = len(outputs) * len(names), 0
    for system, texts in outputs.items():
        found: dict[str, list[list[Stretch]]] = {}
        for name, normalisation in rules.items():
            progress(f"{system} under {name}", done, steps)
            done += 1
            scores[system, name], found[name] = _scored(texts, refs, normalisation, grammars)
        for name in names[1:]:
            sides = (names[0], rules[names[0]]), (name, rules[name])
            for words, edits in word_changes(*sides, found[names[0]], found[name], grammars):
                changes[name].setdefault(words, []).append((system, edits))
    scores = _ranked(scores, list(outputs), names)
    order = sorted(outputs, key=lambda system: scores[system, names[0]].score)
    frequent = {name: _by_frequency(changes[name], order) for name in names[1:]}
    conditions = (f"refs:{references_of(refs, next(iter(outputs.values())))}",)
    return ProfileComparison(tuple(order), names, rules, scores, frequent, grammars, conditions)


def names_of(profiles: str | Iterable[str]) -> list[str]:
    """The names of profiles, which may stand in one string with commas.

    Raises:
        FstmetricsError: a name that comes twice.
    """
    given = profiles.split(",") if isinstance(profiles, str) else items_of(profiles, "profiles")
    names = [name.strip() if isinstance(name, str) else name for name in given]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise FstmetricsError(f"the profile {twice!r} comes twice")
    return names


def _rules(profiles: str | Iterable[str] | Mapping[str, Normalisation]) -> dict[str, Normalisation]:
    """The rules by the names of their profiles."""
    if isinstance(profiles, Mapping):
        rules = {str(name): one for name, one in profiles.items()}
        for one in rules.values():
            expect(one, Normalisation, "profiles")
    else:
        rules = {name: profile(name) for name in names_of(profiles)}
    if len(rules) < 2:
        raise FstmetricsError(f"profiles are compared with one another: give two or more, not {len(rules)}")
    return rules


def _scored(
    texts: Sequence[Input], references: Sequence[Input], normalisation: Normalisation, grammars: Grammars
) -> tuple[ProfileScore, list[list[Stretch]]]:
    """A system's score, without a rank yet, and the stretches of errors of each item."""
    kept = [
        not is_dropped(reference, normalisation, text)
        for reference, text in zip(references, texts, strict=True)
    ]
    some, against = list(compress(texts, kept)), list(compress(references, kept))
    edits = words = 0
    found: list[list[Stretch]] = []
    for first in range(0, len(some), BATCH):
        part = slice(first, first + BATCH)
        corpus = scored(some[part], against[part], WER(), None, 1, normalisation, grammars=grammars)
        assert isinstance(corpus, CorpusResult)
        if corpus.path_length and round(corpus.score * corpus.path_length) != corpus.edits:
            raise FstmetricsError("rewriting at a cost adds up to no whole edits; rewrite at no cost")
        edits, words = edits + corpus.edits, words + corpus.path_length
        each_edits = corpus.columns()["edits"].tolist()
        found += [stretches(corpus[n].alignment) if cost else [] for n, cost in enumerate(each_edits)]
    if not words:
        raise FstmetricsError(f"no reference has words under {normalisation.label or 'these rules'}")
    by_item = iter(found)
    every = [next(by_item) if one else [] for one in kept]
    return ProfileScore(edits / words, 0, edits, words, len(some)), every


def _ranked(
    scores: Mapping[tuple[str, str], ProfileScore], systems: Sequence[str], profiles: Sequence[str]
) -> dict[tuple[str, str], ProfileScore]:
    """The same with ranks: one more than the number of systems that are better."""
    ranked = {}
    for name in profiles:
        column = [scores[system, name].score for system in systems]
        for system in systems:
            own = scores[system, name]
            ranked[system, name] = own._replace(rank=1 + sum(score < own.score for score in column))
    return ranked


def _by_frequency(
    changes: Mapping[Key, Sequence[tuple[str, int]]], systems: Sequence[str]
) -> tuple[WordChange, ...]:
    """Those that come most often first; of these, those with the most edits."""
    rows = []
    for key, came in changes.items():
        edits = dict.fromkeys(systems, 0)
        for system, number in came:
            edits[system] += number
        rows.append(WordChange(*key, len(came), edits))
    return tuple(sorted(rows, key=lambda row: (-row.times, -sum(map(abs, row.edits.values())), row[:3])))
