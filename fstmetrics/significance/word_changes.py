"""Which words have errors under one profile and not under another: `word_changes`.

`stretches` has the errors of an alignment as it wants them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING

from fstmetrics.engine.results import AlignedPair
from fstmetrics.engine.search import DEFAULT, all_grammars, search
from fstmetrics.engine.statistics import BATCH
from fstmetrics.metrics.wer import WER
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars

# A word of the reference and one of the hypothesis; None where one is deleted or inserted.
Edit = tuple[str | None, str | None]
# Edits with no hit between them.
Stretch = tuple[Edit, ...]
Words = tuple[str, str]
Side = tuple[str, ...]
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
    5. Where neighbours differ, so do alignments, and a word may be an error beside others. So a word that is left under
       both profiles, as one of the rules has it, is taken off on both sides, and the rest of the words beside it shown
       with the difference of both.

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
                    item.changes.append(
                        ((*_words(piece, _space(mine[1])), mine[0]), sign * (len(piece) - taken))
                    )
    for item in items:
        for its, piece, edits in item.rest():
            name, rules = base if its else other
            item.changes.append(((*_words(piece, _space(rules)), name), -edits if its else edits))
        yield from _seen_once(item.changes, base, other)


# Words of an item whose errors differ, and the edits that they add under the other profile.
Change = tuple[Key, int]
# The words of both sides as they are shown, each with what rules make of it.
Marked = tuple[list[tuple[Side, str]], list[tuple[Side, str]]]


def _seen_once(
    changes: Sequence[Change], base: tuple[str, Normalisation], other: tuple[str, Normalisation]
) -> Sequence[Change]:
    """The changes of an item, in which no word that rules make the same is an error under both profiles."""
    own = dict((base, other))
    for rules in own.values():
        marked = [_marked(key, own[key[2]], rules) for key, _ in changes]
        groups = _sharing(changes, marked)
        changes = [
            change
            for group in groups
            for change in _joined([changes[n] for n in group], [marked[n] for n in group], base, other)
        ]
    return changes


def _marked(key: Key, own: Normalisation, rules: Normalisation) -> Marked:
    """The words of a change, as its own profile has them, and what rules make of each."""
    reference, hypothesis = (text.split() if _space(own) else list(text) for text in key[:2])
    return (
        [(tuple(rules.of_references.words(word)), word) for word in reference],
        [(tuple(rules.of_hypotheses.words(word)), word) for word in hypothesis],
    )


def _sharing(changes: Sequence[Change], marked: Sequence[Marked]) -> list[list[int]]:
    """The numbers of changes in groups: those under one profile with those under the other that have a word of them."""
    having: dict[tuple[int, Side], list[int]] = {}
    for number, sides in enumerate(marked):
        for key in {(side, made) for side, tokens in enumerate(sides) for made, _ in tokens if made}:
            having.setdefault(key, []).append(number)
    group = {number: [number] for number in range(len(changes))}
    for numbers in having.values():
        if len({changes[number][0][2] for number in numbers}) > 1:
            for number in numbers[1:]:
                one, more = group[numbers[0]], group[number]
                if one is not more:
                    one += more
                    group.update(dict.fromkeys(more, one))
    return [sorted(some) for some in {id(some): some for some in group.values()}.values()]


def _joined(
    changes: Sequence[Change],
    marked: Sequence[Marked],
    base: tuple[str, Normalisation],
    other: tuple[str, Normalisation],
) -> Iterator[Change]:
    """Changes without the words that both profiles have, with the difference of their edits."""
    if len({key[2] for key, _ in changes}) < 2:
        yield from changes
        return
    net = sum(edits for _, edits in changes)
    tokens = {
        name: tuple(
            [
                token
                for (key, _), sides in zip(changes, marked, strict=True)
                if key[2] == name
                for token in sides[side]
            ]
            for side in (0, 1)
        )
        for name, _ in (base, other)
    }
    common = [
        Counter(made for made, _ in tokens[base[0]][side])
        & Counter(made for made, _ in tokens[other[0]][side])
        for side in (0, 1)
    ]
    left = {
        name: tuple(_words_left(some, shared) for some, shared in zip(sides, common, strict=True))
        for name, sides in tokens.items()
    }
    # The base's own words count as many edits as it takes to pair them in order, the rest is the other's.
    of_base = max(map(len, left[base[0]]))
    if not any(left[other[0]]):
        of_base = -net if net < 0 or of_base else 0
    found = ((base, -of_base), (other, net + of_base))
    for (name, rules), edits in found:
        if edits:
            sides = (
                left[name] if any(left[name]) else tuple([word for _, word in some] for some in tokens[name])
            )
            reference, hypothesis = map(_space(rules).join, sides)
            yield (reference, hypothesis, name), edits


def _words_left(tokens: Sequence[tuple[Side, str]], shared: Counter[Side]) -> list[str]:
    """The words that are not shared; each of those is taken out as often as it is."""
    shared, left = Counter(shared), []
    for made, word in tokens:
        if made and shared[made]:
            shared[made] -= 1
        else:
            left.append(word)
    return left


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
        changes: the words that were found, with the edits that they add under the other.
    """

    def __init__(self, other: Sequence[Stretch], base: Sequence[Stretch]) -> None:
        self.left = [list(other), list(base)]
        self.changes: list[tuple[Key, int]] = []

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
