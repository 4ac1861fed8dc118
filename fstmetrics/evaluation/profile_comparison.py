"""Systems under several profiles: which ranks the rules change, and which words are responsible.

`compare_profiles` scores every system under every profile. Its `ProfileComparison` has the scores and ranks, the gaps
between systems with the part of them that the rules make (`Gap`), and the words whose errors differ between two
profiles (`WordChange`), which add up to the difference in edits.

How errors are told from rules: `word_changes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, compress, groupby, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from fstmetrics.metrics import WER
from fstmetrics.metrics.corpus import name_of
from fstmetrics.scoring.api import scored
from fstmetrics.scoring.results import AlignedPair, CorpusResult
from fstmetrics.scoring.search import DEFAULT, all_grammars, search
from fstmetrics.scoring.sides import Corpus, Input, is_dropped, references_of
from fstmetrics.scoring.statistics import BATCH
from fstmetrics.support.arguments import by_id, described, expect, items_of, paired_by_id
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.normalisation import Normalisation, is_punctuation
from fstmetrics.values.profiles import profile

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars

Progress = Callable[[str, int, int], None]


# A word of the reference and one of the hypothesis; None where one is deleted or inserted.
Edit = tuple[str | None, str | None]
# Edits with no hit between them.
Stretch = tuple[Edit, ...]
Words = tuple[str, str]
# Words of both sides, and the profile under which they are written so.
Key = tuple[str, str, str]


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
    """Score systems by word error rate under several profiles, and say what the rules alone change.

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
        raise FstmetricsError(f"systems are a dict of outputs by name, not {described(systems)}")
    outputs, refs = _same_items(systems, references)
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


def _same_items(
    systems: Mapping[str, Corpus], references: Corpus
) -> tuple[dict[str, list[Input]], list[Input]]:
    """Every system's outputs and the references, item by item."""
    given = {f"the outputs of {name}": outputs for name, outputs in systems.items()}
    if any(isinstance(side, Mapping) for side in (references, *given.values())):
        ids, refs = by_id(references, "references")
        lists = [paired_by_id(side, name, ids) for name, side in given.items()]
    else:
        refs = items_of(references, "references")
        lists = [items_of(side, name) for name, side in given.items()]
        for name, items in zip(given, lists, strict=True):
            if len(items) != len(refs):
                raise FstmetricsError(f"{len(items)} items in {name}, but {len(refs)} references")
    if not refs:
        raise FstmetricsError("there is no item to score")
    return dict(zip(map(str, systems), lists, strict=True)), refs


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
        if round(corpus.score * corpus.path_length) != corpus.edits:
            raise FstmetricsError("rewriting at a cost adds up to no whole edits; rewrite at no cost")
        edits, words = edits + corpus.edits, words + corpus.path_length
        found += [
            stretches(corpus[number].alignment) if cost else [] for number, cost in enumerate(_edits(corpus))
        ]
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


def _edits(corpus: CorpusResult) -> list[int]:
    """Of each item."""
    return [int(edits) for edits in corpus.columns()["edits"]]


def stretches(alignment: Iterable[AlignedPair]) -> list[Stretch]:
    """The edits of an alignment, in stretches without a hit between them.

    >>> import fstmetrics as fm
    >>> stretches(fm.align("a x c", "a b c d").alignment)
    [(('b', 'x'),), (('d', None),)]
    """
    pairs = list(alignment)
    found = [(pair.reference, pair.hypothesis) for pair in pairs]
    return _runs(found, [pair.op in "SID" for pair in pairs])


def in_order(run: Stretch) -> Stretch:
    """The edits of a stretch with its words paired in order, of which equally good alignments have one alone.

    >>> in_order((("a", None), ("b", "x"))), in_order(((None, "x"), (None, "y")))
    ((('a', 'x'), ('b', None)), ((None, 'x'), (None, 'y')))
    """
    references, hypotheses = _sides(run)
    if max(len(references), len(hypotheses)) < len(run):
        return run  # no best alignment
    return tuple(zip_longest(references, hypotheses))


def _errors(runs: Iterable[Stretch]) -> Counter[Edit]:
    """All edits of stretches, their words paired in order."""
    return Counter(chain(*map(in_order, runs)))


def _runs(edits: Sequence[Edit], chosen: Iterable[bool]) -> list[Stretch]:
    """The longest stretches of those that are chosen."""
    rows = groupby(zip(edits, chosen, strict=True), itemgetter(1))
    return [tuple(edit for edit, _ in run) for is_chosen, run in rows if is_chosen]


def word_changes(
    base: tuple[str, Normalisation],
    other: tuple[str, Normalisation],
    of_base: Sequence[Sequence[Stretch]],
    of_other: Sequence[Sequence[Stretch]],
    grammars: Grammars = (),
) -> Iterator[tuple[Key, int]]:
    """The words whose errors differ between two profiles, each time with the edits that they add under the other.

    Every edit under the other profile counts 1 and every edit under the base -1, each once, so that the sum is the
    difference in edits. What remains of an error when its words are rewritten by the base's rules, and is an error
    under the base, too, is the same error: both are taken off. So item by item:

    1. The edits under the other profile make stretches, between hits. An edit whose two words are the same under the
       base is a stretch of its own.
    2. The words of a stretch are rewritten by the base's rules and aligned. If all edits of that alignment are among
       the base's errors of the item, those are taken off: the stretch counts its edits less these. To tell so, the
       words of each stretch are paired in order, as equally good alignments pair them in several ways.
    3. What remains under the base is looked at in the same way by the other's rules.
    4. What remains then counts as it is; of a stretch that begins or ends with one that remains on the other side, the
       rest is shown, with the difference of both.

    Args:
        base, other: names and rules.
        of_base, of_other: the stretches of errors of each item under them.
        grammars: what widened the references.
    """
    items = [
        _Item(under, over)
        for over, under in zip(of_base, of_other, strict=True)
        if _errors(over) != _errors(under)
    ]
    for rules, mine, its, sign in ((base[1], other, 0, 1), (other[1], base, 1, -1)):
        look = _Look(rules, _space(mine[1]), grammars)
        look.at({(edit,) for item in items for run in item.left[its] for edit in run})
        cut = [[piece for run in item.left[its] for piece in look.cut(run)] for item in items]
        look.at(set(chain(*cut)))
        for item, pieces in zip(items, cut, strict=True):
            for piece, taken in item.settle(its, pieces, look):
                if len(piece) != taken:
                    yield (*_words(piece, _space(mine[1])), mine[0]), sign * (len(piece) - taken)
    for its, piece, edits in chain.from_iterable(item.rest() for item in items):
        name, rules = base if its else other
        yield (*_words(piece, _space(rules)), name), -edits if its else edits


def _space(normalisation: Normalisation) -> str:
    """What is between two of the units that are compared."""
    return "" if normalisation.unit.startswith("char") else " "


def _words(piece: Stretch, space: str) -> Words:
    """The words of both sides of a stretch."""
    reference, hypothesis = map(space.join, _sides(piece))
    return reference, hypothesis


class _Item:
    """The errors of an item under two profiles that are not explained yet.

    Attributes:
        left: stretches under the other profile, and under the base.
    """

    def __init__(self, other: Sequence[Stretch], base: Sequence[Stretch]) -> None:
        self.left = [list(other), list(base)]

    def settle(self, side: int, pieces: Sequence[Stretch], look: _Look) -> Iterator[tuple[Stretch, int]]:
        """The pieces of a side whose edits are explained by the opposite side, and how many edits that takes off."""
        errors = _errors(self.left[1 - side])
        taken: Counter[Edit] = Counter()
        self.left[side] = []
        for piece in pieces:
            expected = Counter(look.expected[piece])
            if all(errors[edit] >= count for edit, count in expected.items()):
                errors -= expected
                taken += expected
                yield piece, expected.total()
            else:
                self.left[side].append(piece)
        if taken:
            self.left[1 - side] = [part for run in self.left[1 - side] for part in _without(run, taken)]

    def rest(self) -> Iterator[tuple[int, Stretch, int]]:
        """What is left: the side, words and edits. Of a stretch that begins or ends with one of the opposite side, it
        is the rest, with the difference of both."""
        for side in (0, 1):
            whole, self.left[side] = self.left[side], []
            for piece in whole:
                inner = next((one for one in self.left[1 - side] if _outside(piece, one)), None)
                if inner is None:
                    self.left[side].append(piece)
                    continue
                self.left[1 - side].remove(inner)
                yield side, _outside(piece, inner), len(piece) - len(inner)
        yield from ((side, piece, len(piece)) for side in (0, 1) for piece in self.left[side])


def _outside(piece: Stretch, inner: Stretch) -> Stretch:
    """What a stretch has before or behind another; empty where that is neither its beginning nor its end.

    >>> _outside((("u", "us"), ("s", "sat"), ("said", None)), (("said", "sat"),))
    (('u', 'us'), ('s', None))
    """
    (reference, hypothesis), (r, h) = _sides(piece), _sides(inner)
    if len(inner) >= len(piece):
        return ()
    if reference[: len(r)] == r and hypothesis[: len(h)] == h:
        return tuple(zip_longest(reference[len(r) :], hypothesis[len(h) :]))
    if reference[len(reference) - len(r) :] == r and hypothesis[len(hypothesis) - len(h) :] == h:
        return tuple(
            zip_longest(reference[: len(reference) - len(r)], hypothesis[: len(hypothesis) - len(h)])
        )
    return ()


def _sides(run: Stretch) -> tuple[list[str], list[str]]:
    """The words of the reference and of the hypothesis."""
    references, hypotheses = ([word for word in side if word is not None] for side in zip(*run, strict=True))
    return references, hypotheses


def _without(run: Stretch, taken: Counter[Edit]) -> list[Stretch]:
    """What is left of a stretch without the edits that are taken, which are counted off."""
    stays = []
    for edit in in_order(run):
        stays.append(not taken[edit])
        taken[edit] -= bool(taken[edit])
    return _runs(in_order(run), stays) if not all(stays) else [run]


class _Look:
    """What rules make of stretches of words that other rules left.

    Args:
        rules: which rewrite them.
        space: what was between the words.
        grammars: what widened the references.

    Attributes:
        expected: by stretch, the edits that remain.
    """

    def __init__(self, rules: Normalisation, space: str, grammars: Grammars) -> None:
        self.expected: dict[Stretch, tuple[Edit, ...]] = {}
        self._rules, self._space, self._grammars = rules, space, all_grammars(grammars, rules)

    def at(self, pieces: Iterable[Stretch]) -> None:
        """Align the words of some stretches, all at once."""
        new = [piece for piece in pieces if piece not in self.expected]
        for first in range(0, len(new), BATCH):
            some = new[first : first + BATCH]
            references, hypotheses = zip(*(_words(piece, self._space) for piece in some), strict=True)
            results = search(None, hypotheses, references, WER(), 1, self._rules, DEFAULT, self._grammars)
            for piece, result in zip(some, results, strict=True):
                self.expected[piece] = tuple(_errors(stretches(result.alignment)).elements())

    def cut(self, run: Stretch) -> list[Stretch]:
        """A stretch in pieces: an edit of which nothing remains is one."""
        found: list[Stretch] = []
        for alone, part in groupby(run, lambda edit: not self.expected[edit,]):
            edits = tuple(part)
            found += [(edit,) for edit in edits] if alone else [edits]
        return found
