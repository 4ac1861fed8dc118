"""Which words have errors under one profile and not under another: `word_changes`.

`stretches` has the errors of an alignment as it wants them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING

from fstmetrics.metrics import WER
from fstmetrics.scoring.results import AlignedPair
from fstmetrics.scoring.search import DEFAULT, all_grammars, search
from fstmetrics.scoring.statistics import BATCH
from fstmetrics.values.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars

# A word of the reference and one of the hypothesis; None where one is deleted or inserted.
Edit = tuple[str | None, str | None]
# Edits with no hit between them.
Stretch = tuple[Edit, ...]
Words = tuple[str, str]
# Words of both sides, and the profile under which they are written so.
Key = tuple[str, str, str]


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
        _Unexplained(others, own)
        for own, others in zip(of_base, of_other, strict=True)
        if _errors(own) != _errors(others)
    ]
    for rules, mine, its, sign in ((base[1], other, 0, 1), (other[1], base, 1, -1)):
        rewriting = _Rewriting(rules, _space(mine[1]), grammars)
        rewriting.at({(edit,) for item in items for run in item.left[its] for edit in run})
        cut = [[piece for run in item.left[its] for piece in rewriting.cut(run)] for item in items]
        rewriting.at(set(chain(*cut)))
        for item, pieces in zip(items, cut, strict=True):
            for piece, taken in item.settle(its, pieces, rewriting):
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


class _Unexplained:
    """The errors of an item under two profiles that are not explained yet.

    Attributes:
        left: stretches under the other profile, and under the base.
    """

    def __init__(self, other: Sequence[Stretch], base: Sequence[Stretch]) -> None:
        self.left = [list(other), list(base)]

    def settle(
        self, side: int, pieces: Sequence[Stretch], rewriting: _Rewriting
    ) -> Iterator[tuple[Stretch, int]]:
        """The pieces of a side whose edits are explained by the opposite side, and how many edits that takes off."""
        errors = _errors(self.left[1 - side])
        taken: Counter[Edit] = Counter()
        self.left[side] = []
        for piece in pieces:
            expected = Counter(rewriting.expected[piece])
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


class _Rewriting:
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
