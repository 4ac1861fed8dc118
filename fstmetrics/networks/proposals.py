"""Phrases that cards of a network lack, proposed from outputs: `propose`, `Proposal`.

`propose` finds phrases in the differences between outputs and their closest paths (`fstmetrics.networks.differences`),
or is given some, adds each to its card, and computes all distances again: what a `Proposal` says is saved is exact. The
distance to a network with one more phrase is never larger, as no path goes.

`as_dict` and `phrases_of` are the JSON form, which people and programs can write, too (docs/proposals.md);
`read_proposals` reads files of it, `read_rejected` that of rejected phrases beside networks. `with_rivals` finds those
that compete for one place of a network, `side_by_side` puts them together.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations
from typing import Any

from fstmetrics.data.cards import Token, parse_phrase, write_phrase
from fstmetrics.data.network import Card, Network
from fstmetrics.engine.results import Result
from fstmetrics.engine.search import DEFAULT, SearchOptions
from fstmetrics.metrics import Metric
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.networks.calls import refuse_costs
from fstmetrics.networks.cards_used import CardTaken, cards_taken
from fstmetrics.networks.differences import Change, changes
from fstmetrics.networks.distances import (
    Kind,
    Output,
    Outputs,
    aligned,
    by_words,
    distance,
    distance_metric,
    outputs_of,
)
from fstmetrics.networks.new_phrases import Phrase, check, with_phrases
from fstmetrics.support.arguments import instance
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.json_text import parsed_json, written_json
from fstmetrics.support.source import Source
from fstmetrics.text.normalisation import PLAIN, Normalisation

FORMAT = "fstmetrics-proposals/1"
# Words that a phrase may remove or add, where nobody says.
LONGEST = 5
# Words of the closest path that a proposal shows on either side.
AROUND = 6
# A difference that is not tried as a whole is that of one output.
ONE = ("",)


@dataclass(frozen=True, slots=True)
class Evidence:
    """An output that a proposal brings closer.

    Attributes:
        name: of the system or reference.
        kind: which of the two it is.
        before, after: its distance to the network, without the phrase and with it: edits and moves.
    """

    name: str
    kind: Kind
    before: float
    after: float

    @property
    def saved(self) -> float:
        """By how much it comes closer."""
        return self.before - self.after


@dataclass(frozen=True, slots=True)
class Proposal:
    """A phrase for a card, what it saves, and where it comes from.

    Attributes:
        phrase: the phrase, its card and network.
        evidence: the outputs that it brings closer.
        span: source words that the card translates, half-open, if known.
        source: these words, if known.
        instead: the phrase of the card on the closest path of the first output that suggests it.
        removed, added: the words of that path that differ, and those of the output in their place.
        left, right: words around on that path.
        by: who proposed it, where that was not `propose` itself.
        note: what they said about it.
        rivals: ids of proposals for the same place, as `with_rivals` of `fstmetrics.networks.proposals` finds them.
    """

    phrase: Phrase
    evidence: tuple[Evidence, ...] = ()
    span: tuple[int, int] | None = None
    source: tuple[str, ...] = ()
    instead: str = ""
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    by: str = ""
    note: str = ""
    rivals: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The phrase's."""
        return self.phrase.id

    @property
    def saved(self) -> float:
        """Edits and moves saved over all outputs."""
        return sum(one.saved for one in self.evidence)

    @property
    def closer(self) -> int:
        """How many outputs come closer."""
        return len(self.evidence)

    def as_dict(self) -> dict[str, Any]:
        """For JSON (docs/proposals.md)."""
        found: dict[str, Any] = {"id": self.id, **self.phrase._asdict()}
        found |= {"span": list(self.span)} if self.span else {}
        found |= {"source": " ".join(self.source)} if self.source else {}
        found |= {"saved": self.saved, "closer": self.closer}
        if self.instead:
            found["instead"] = self.instead
            found |= {name: " ".join(getattr(self, name)) for name in ("removed", "added", "left", "right")}
        found |= {name: value for name in ("by", "note") if (value := getattr(self, name))}
        found |= {"rivals": list(self.rivals)} if self.rivals else {}
        found["evidence"] = list(map(asdict, self.evidence))
        return found


def propose(
    network: Network,
    systems: Outputs,
    references: Outputs | None = None,
    *,
    metric: Metric | None = None,
    normalisation: Normalisation = PLAIN,
    longest: int = LONGEST,
    rejected: Collection[Phrase] = (),
    given: Sequence[Proposal] = (),
    options: SearchOptions = DEFAULT,
) -> list[Proposal]:
    """The phrases that would bring outputs closer to a network, those that save most first.

    A run of words in which an output and its closest path differ is one proposal. A part of a run is one, too, where it
    brings more outputs closer than the whole. Under a reordering window, differences are also looked for without it.

    Args:
        network: of one sentence, without costs.
        systems: outputs by the names of their systems.
        references: further translations by name, which count as outputs do.
        metric: what a distance is: `HyTER(...)` or another error rate; by default HyTER without reordering.
        normalisation: changes to the words of both sides.
        longest: words that a phrase may remove or add; 0 is no limit.
        rejected: phrases that are not proposed.
        given: phrases that others propose, which are ranked with the rest, even where they save nothing.
        options: route and limits of the search.

    Raises:
        FstmetricsError: a network with costs; a metric that is no error rate, or a unit that is not the word; a given
            phrase that cannot be added, as of `check`; two outputs of the same name.

    >>> from fstmetrics import Card, Network
    >>> cards = [Card.from_phrases("S", ["the [PM] spoke"]), Card.from_phrases("PM", ["prime minister", "PM"])]
    >>> found = propose(Network(cards, "S"), {"a": "the premier spoke", "b": "the premier talked"})
    >>> [(one.phrase.card, one.phrase.phrase, one.saved) for one in found]
    [('PM', 'premier', 2), ('S', 'the [PM] talked', 1)]
    """
    instance(Network).check(network, "network")
    refuse_costs([network], "a proposal")
    metric = distance_metric(metric)
    _refuse_units(normalisation)
    for one in given:
        check(one.phrase, network)
    outputs = outputs_of(systems, references or {}, network)
    network, normalisation = by_words(network, normalisation)
    before = aligned(network, outputs, metric, normalisation, options)
    found = _candidates(network, outputs, before, metric, normalisation, longest, options)
    refused = set(rejected)
    theirs = {one.phrase: one for one in given if one.phrase not in refused}
    asked = {phrase: one for phrase, one in found.items() if phrase not in theirs and one.is_worth_trying}
    trial = _Trial(network, outputs, before, metric, normalisation, options)
    saved = trial.evidence(asked, theirs)
    proposals = [_proposal(network, one, saved[phrase], found.get(phrase)) for phrase, one in theirs.items()]
    for phrase, candidate in asked.items():
        if phrase not in refused and candidate.is_of_use(saved[phrase], saved):
            proposals.append(_proposal(network, Proposal(phrase), saved[phrase], candidate))
    return ranked(proposals)


def ranked(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Those that save most first; of equals, those that bring more outputs closer; then by network, card and phrase."""
    return sorted(proposals, key=lambda one: (-one.saved, -one.closer, one.phrase))


def _refuse_units(normalisation: Normalisation) -> None:
    if normalisation.unit != "word" or normalisation.needs_sentences:
        raise FstmetricsError("phrases of cards are words: no --unit, and no rules that need whole sentences")


@dataclass(slots=True)
class _Candidate:
    """A phrase on trial.

    Attributes:
        change: the first change that suggests it.
        closest: the path that this is of.
        names: the outputs that suggest it.
        is_whole: whether some output differs in just this.
        wholes: else, what the outputs differ in.
        parts: phrases that do the same one by one, if there are such.
    """

    change: Change
    closest: tuple[str, ...]
    names: set[str]
    wholes: set[Phrase]
    parts: tuple[Phrase, ...]
    is_whole: bool = False

    @property
    def is_worth_trying(self) -> bool:
        """A part of what differs is only of use where several outputs have it."""
        return self.is_whole or len(self.names) > 1

    def is_of_use(self, own: Sequence[Evidence], saved: Mapping[Phrase, tuple[Evidence, ...]]) -> bool:
        """Whether it does more than others: than all that differs, or than its parts together."""
        if not self.is_whole and any(len(own) <= len(saved.get(whole, ONE)) for whole in self.wholes):
            return False
        together: dict[str, float] = defaultdict(float)
        for part in self.parts:
            for one in saved.get(part, ()):
                together[one.name] += one.saved
        return any(one.saved > together[one.name] for one in own)


def _candidates(
    network: Network,
    outputs: Sequence[Output],
    results: Sequence[Result],
    metric: Metric,
    normalisation: Normalisation,
    longest: int,
    options: SearchOptions,
) -> dict[Phrase, _Candidate]:
    """What the differences suggest; under a reordering window also those without it."""
    open_ones = [
        (output, result) for output, result in zip(outputs, results, strict=True) if result.totals.units
    ]
    if isinstance(metric, HyTER) and metric.window > 1 and open_ones:
        in_order = aligned(network, [output for output, _ in open_ones], HyTER(), normalisation, options)
        open_ones += [(output, result) for (output, _), result in zip(open_ones, in_order, strict=True)]
    found: dict[Phrase, _Candidate] = {}
    taken_by: dict[tuple[str, ...], tuple[CardTaken, ...]] = {}
    for output, result in open_ones:
        closest = result.closest
        if closest not in taken_by:
            taken_by[closest] = cards_taken(network, closest, normalisation)
        words = _as_written(output.text, result, normalisation)
        for change in changes(taken_by[closest], result.alignment, words, closest, normalisation, longest):
            if not change.phrase and change.card == network.root:
                continue  # a sentence without words
            phrase = Phrase(network.id, change.card, change.phrase)
            parts = tuple(Phrase(network.id, *part) for part in change.parts)
            one = found.setdefault(phrase, _Candidate(change, closest, set(), set(), parts))
            one.names.add(output.name)
            one.wholes.add(Phrase(network.id, change.card, change.whole))
            one.is_whole = one.is_whole or change.whole == change.phrase
    return found


def _as_written(text: str | Sequence[str], result: Result, normalisation: Normalisation) -> Sequence[str]:
    """The output's words as it has them, where each became one word; else none."""
    if normalisation.is_plain or normalisation.cuts_by_place or not isinstance(text, str | list | tuple):
        return ()
    words = text.split() if isinstance(text, str) else list(text)
    rules = normalisation.of_hypotheses
    return words if all(len(rules.arc_words(word)) == 1 for word in words) else ()


class _Trial:
    """Distances of outputs to a network with phrases added."""

    def __init__(
        self,
        network: Network,
        outputs: Sequence[Output],
        before: Sequence[Result],
        metric: Metric,
        normalisation: Normalisation,
        options: SearchOptions,
    ) -> None:
        self._network, self.outputs_of, self._before = network, outputs, before
        self._metric, self._normalisation = metric, normalisation
        self._options = replace(options, alignment=False)

    def evidence(
        self, found: Mapping[Phrase, _Candidate], given: Iterable[Phrase]
    ) -> dict[Phrase, tuple[Evidence, ...]]:
        """Of every phrase alone, the outputs that it brings closer; their distances are computed again.

        Where all of some phrases together bring an output no closer, none of them does. So those that an output does
        not suggest are tried on it together, and, where that helps, by halves.
        """
        open_ones = [i for i, result in enumerate(self._before) if result.totals.units]
        tried: dict[Phrase, list[int]] = dict.fromkeys(given, open_ones)
        for phrase in found:
            tried[phrase] = []
        for i in open_ones:
            name = self.outputs_of[i].name
            useful = {*self._useful(i, [phrase for phrase, one in found.items() if name not in one.names])}
            for phrase, one in found.items():
                if phrase in useful or name in one.names:
                    tried[phrase].append(i)
        return {phrase: tuple(self._closer([phrase], outputs)) for phrase, outputs in tried.items()}

    def _useful(self, output: int, phrases: Sequence[Phrase]) -> list[Phrase]:
        """Those of the phrases that may bring an output closer."""
        if not phrases or not list(self._closer(phrases, [output])):
            return []
        half = len(phrases) // 2
        if not half:
            return list(phrases)
        return self._useful(output, phrases[:half]) + self._useful(output, phrases[half:])

    def _closer(self, phrases: Sequence[Phrase], outputs: Sequence[int]) -> Iterator[Evidence]:
        """Which outputs are closer to the network with these phrases."""
        wider = with_phrases(self._network, phrases)
        rows = [self.outputs_of[i] for i in outputs]
        after = aligned(wider, rows, self._metric, self._normalisation, self._options)
        for i, row, result in zip(outputs, rows, after, strict=True):
            if result.totals.units < self._before[i].totals.units:
                yield Evidence(row.name, row.kind, distance(self._before[i]), distance(result))


def _proposal(
    network: Network, proposal: Proposal, evidence: tuple[Evidence, ...], candidate: _Candidate | None
) -> Proposal:
    """The proposal with all that is known of it."""
    span = network.cards[proposal.phrase.card].span
    source = (network.source or ())[slice(*span)] if span else ()
    proposal = replace(proposal, evidence=evidence, span=span, source=source)
    if candidate is None:
        return proposal
    change, closest = candidate.change, candidate.closest
    return replace(
        proposal,
        instead=change.taken,
        removed=change.removed,
        added=change.added,
        left=closest[max(0, change.start - AROUND) : change.start],
        right=closest[change.end : change.end + AROUND],
    )


# What a proposal of somebody else may say; the rest is ours, and computed again.
THEIRS = ("network", "card", "phrase")
REMARKS = ("by", "note")
OURS = ("id", "saved", "closer", *(each.name for each in fields(Proposal) if each.name != "phrase"))


def phrases_of(data: Any) -> Iterator[Proposal]:
    """The proposals of the JSON form; of each, only the phrase, `by` and `note` are read.

    Raises:
        FstmetricsError: another form; the message has the number of the proposal, from 1.

    >>> answer = {"format": FORMAT, "proposals": [{"network": "n", "card": "PM", "phrase": "premier", "by": "Ann"}]}
    >>> [(one.phrase.phrase, one.by) for one in phrases_of(answer)]
    [('premier', 'Ann')]
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise FstmetricsError(f'no proposals: expected an object with "format": "{FORMAT}"')
    proposals = data.get("proposals")
    if not isinstance(proposals, list):
        raise FstmetricsError('"proposals" must be a list of objects')
    for number, one in enumerate(proposals, 1):
        if not isinstance(one, dict):
            raise FstmetricsError(f"proposal {number} must be an object, not {one!r:.40}")
        if missing := [name for name in THEIRS if name not in one]:
            raise FstmetricsError(f"proposal {number} has no {missing[0]!r}")
        for name in (*THEIRS, *REMARKS):
            if not isinstance(one.get(name, ""), str):
                raise FstmetricsError(f"proposal {number}: {name!r} must be a string, not {one[name]!r:.40}")
        if unknown := sorted(set(one) - {*THEIRS, *REMARKS, *OURS}):
            raise FstmetricsError(f"proposal {number}: unknown key {unknown[0]!r}")
        try:
            phrase = write_phrase(parse_phrase(one["phrase"]))
        except FstmetricsError as error:
            raise FstmetricsError(f"proposal {number}: {error}") from None
        yield Proposal(
            Phrase(one["network"], one["card"], phrase), by=one.get("by", ""), note=one.get("note", "")
        )


def read_proposals(path: str, networks: Mapping[str, Network]) -> list[Proposal]:
    """The proposals of a file, all of which can be added to the networks.

    Raises:
        InputError: a file in another form, or the first proposal for no network, or that its network cannot have.
    """
    source = Source.open(path)
    found: list[Proposal] = []
    try:
        for one in phrases_of(_parsed(source)):
            if one.phrase.network not in networks:
                raise FstmetricsError(f"there is no network {one.phrase.network!r}")
            try:
                check(one.phrase, networks[one.phrase.network])
            except FstmetricsError as error:
                raise FstmetricsError(f"proposal {len(found) + 1}: {error}") from None
            found.append(one)
    except InputError:
        raise
    except FstmetricsError as error:
        raise source.error(str(error)) from None
    return found


def _parsed(source: Source) -> Any:
    text = source.text.strip()
    if text.startswith("```"):  # as language models like to write it
        text = text.partition("\n")[2].removesuffix("```")
    try:
        return parsed_json(text)
    except ValueError as error:
        raise FstmetricsError(f"not JSON: {error}") from None


def rejected_path(networks: str, given: str | None) -> str | None:
    """Where rejected phrases are: as given, else beside the networks; None beside standard input."""
    return given or (None if networks == "-" else f"{networks.rstrip(os.sep) or networks}.rejected.jsonl")


def read_rejected(path: str | None, needed: bool = False) -> dict[Phrase, None]:
    """The rejected phrases of a file, an object a line; none where there is no such file, unless it is needed.

    Raises:
        InputError: it cannot be read, or a line is no phrase.
    """
    if path is None or not (needed or os.path.exists(path)):
        return {}
    source = Source.open(path)
    found: dict[Phrase, None] = {}
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            data = parsed_json(line)
            found[Phrase(*(_text(data, name) for name in Phrase._fields))] = None
        except (ValueError, FstmetricsError) as error:
            raise source.error(f"no rejected phrase: {error}", number) from None
    return found


def _text(data: Any, name: str) -> str:
    value = data.get(name) if isinstance(data, dict) else None
    if not isinstance(value, str):
        raise FstmetricsError('expected {"network": ..., "card": ..., "phrase": ...}')
    return value


def rejected_lines(phrases: Iterable[Phrase]) -> str:
    """The content of a file of rejected phrases."""
    return "".join(written_json(phrase._asdict()) + "\n" for phrase in phrases)


@dataclass(frozen=True)
class _Place:
    """What a proposal changes: words and calls from `start` to `end`, half-open, of a phrase that its card has."""

    card: Card
    instead: tuple[Token, ...]
    start: int
    end: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the phrase stays."""
        return (self.start, self.end) == (0, len(self.instead))

    def is_of(self, other: _Place) -> bool:
        """Whether two proposals compete."""
        if self.card is not other.card:
            return self.card.span is not None and self.card.span == other.card.span
        if self.instead != other.instead:
            return self.is_whole or other.is_whole
        if self.start == self.end or other.start == other.end:
            same = (self.start, self.end) == (other.start, other.end)
            return same or other.start < self.start < other.end or self.start < other.start < self.end
        return self.start < other.end and other.start < self.end


def with_rivals(network: Network, proposals: Iterable[Proposal]) -> list[Proposal]:
    """The same proposals, each with the ids of those that compete with it, in the same order.

    Two phrases compete if they are for one card, or for two cards of the same source span, and change the same words:
    of one phrase of the card words that overlap, or of two phrases one as a whole. Accepted together they save less
    than the sum of both, or mean two things at one place.

    Args:
        network: which they are for.
        proposals: as of `propose`.

    >>> from fstmetrics import Card, Network
    >>> from fstmetrics.networks import propose
    >>> network = Network([Card.from_phrases("S", ["the dog ran home"])], "S")
    >>> found = propose(network, {"a": "the cat ran home", "b": "the cow ran home", "c": "the dog ran away"})
    >>> [(one.phrase.phrase, len(one.rivals)) for one in with_rivals(network, found)]
    [('the cat ran home', 1), ('the cow ran home', 1), ('the dog ran away', 0)]
    """
    given = list(proposals)
    places = [_place(network, one) for one in given]
    rivals: list[list[str]] = [[] for _ in given]
    for i, j in combinations(range(len(given)), 2):
        if places[i].is_of(places[j]):
            rivals[i].append(given[j].id)
            rivals[j].append(given[i].id)
    return [replace(one, rivals=tuple(ids)) for one, ids in zip(given, rivals, strict=True)]


def side_by_side(proposals: Sequence[Proposal]) -> list[list[Proposal]]:
    """Proposals in groups: the first one that is in none yet, and its rivals that are in none yet, in their order."""
    left = {one.id: one for one in proposals}
    groups: list[list[Proposal]] = []
    for one in proposals:
        if left.pop(one.id, None) is not None:
            groups.append([one, *(left.pop(id) for id in one.rivals if id in left)])
    return groups


def _place(network: Network, one: Proposal) -> _Place:
    """Where a proposal differs from the phrase in whose place it is, or from the most similar one of its card."""
    card = network.cards[one.phrase.card]
    tokens = parse_phrase(one.phrase.phrase)
    known = [one.instead] if one.instead else card.phrases or ()
    places = [_Place(card, each, *_stretch(each, tokens)) for each in map(parse_phrase, known)]
    return min(places, key=lambda place: place.end - place.start, default=_Place(card, (), 0, 0))


def _stretch(instead: Sequence[Token], tokens: Sequence[Token]) -> tuple[int, int]:
    """Between what two phrases begin and end with alike, in the first."""
    shorter = min(len(instead), len(tokens))
    start = next((i for i in range(shorter) if instead[i] != tokens[i]), shorter)
    rest = shorter - start
    after = next((i for i in range(rest) if instead[-1 - i] != tokens[-1 - i]), rest)
    return start, len(instead) - after
