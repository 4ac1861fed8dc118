"""Phrases that cards of a network lack, proposed, checked, accepted: `propose`, `check`, `accept`, `held_back`.

A `Phrase` is one for one card. `propose` finds phrases in the differences between outputs and their closest paths
(`fstmetrics.networks.differences`), or is given some, adds each to its card, and computes all distances again: what a
`Proposal` says is saved is exact. The distance to a network with one more phrase is never larger, as no path goes.

`as_dict` and `phrases_of` are the JSON form, which people and programs can write, too (docs/proposals.md).
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from fstmetrics.metrics import HyTER, Metric
from fstmetrics.networks.calls import refuse_costs
from fstmetrics.networks.cards_used import CardTaken, cards_taken
from fstmetrics.networks.differences import Change, changes
from fstmetrics.scoring.results import Result
from fstmetrics.scoring.search import DEFAULT, SearchOptions, search_items
from fstmetrics.support.arguments import instance
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import did_you_mean
from fstmetrics.values.cards import Call, Token, parse_phrase, write_phrase
from fstmetrics.values.network import Card, CardArc, Network
from fstmetrics.values.normalisation import PLAIN, Normalisation

FORMAT = "fstmetrics-proposals/1"
# Words that a phrase may remove or add, where nobody says.
LONGEST = 5
# Words of the closest path that a proposal shows on either side.
AROUND = 6
# Words and calls of a phrase: more than any sentence has.
MOST_TOKENS = 1000
# A difference that is not tried as a whole is that of one output.
ONE = ("",)

Kind = Literal["system", "reference"]
Outputs = Mapping[str, str | Sequence[str]]


class Phrase(NamedTuple):
    """A phrase for a card.

    Attributes:
        network: the id of the network.
        card: the card's name.
        phrase: words, and calls in brackets, as annotators write them.
    """

    network: str
    card: str
    phrase: str

    @property
    def id(self) -> str:
        """Ten digits and letters that are the same for the same phrase of the same card, in every run.

        >>> Phrase("station", "TS", "railway station").id
        '8bfbd9f55e'
        """
        text = "\0".join(self).encode("utf-8", "surrogatepass")
        return hashlib.sha256(text).hexdigest()[:10]


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
        found["evidence"] = [
            {"name": one.name, "kind": one.kind, "before": one.before, "after": one.after}
            for one in self.evidence
        ]
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
    outputs = _outputs(systems, references or {})
    before = _aligned(network, outputs, metric, normalisation, options)
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


def distance_metric(metric: object) -> Metric:
    """The metric of distances, by default HyTER; raises FstmetricsError for one that is no error rate."""
    if metric is None:
        return HyTER()
    if not isinstance(metric, Metric) or metric.recognition:
        raise FstmetricsError(
            f"{getattr(metric, 'name', metric)} counts no edits to a closest path: hyter, wer and sclite do"
        )
    return metric


def _refuse_units(normalisation: Normalisation) -> None:
    if normalisation.unit != "word" or normalisation.needs_sentences:
        raise FstmetricsError("phrases of cards are words: no --unit, and no rules that need whole sentences")


class _Output(NamedTuple):
    name: str
    kind: Kind
    text: str | Sequence[str]


def _outputs(systems: Outputs, references: Outputs) -> list[_Output]:
    if twice := [name for name in references if name in systems]:
        raise FstmetricsError(f"a system and a reference are both called {twice[0]!r}")
    return [
        *(_Output(name, "system", text) for name, text in systems.items()),
        *(_Output(name, "reference", text) for name, text in references.items()),
    ]


def _aligned(
    network: Network,
    outputs: Sequence[_Output],
    metric: Metric,
    normalisation: Normalisation,
    options: SearchOptions,
) -> list[Result]:
    if not outputs:
        return []
    items = [(network.id or None, output.text, network) for output in outputs]
    return list(search_items(items, metric, 1, normalisation, options))


def distance(result: Result) -> float:
    """Edits and moves to the closest path, by the metric's costs; a whole number where they are."""
    found = result.metric.numerator(result.totals)
    return found.numerator if found.denominator == 1 else float(found)


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
    outputs: Sequence[_Output],
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
        in_order = _aligned(network, [output for output, _ in open_ones], HyTER(), normalisation, options)
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
    if normalisation.is_plain or not isinstance(text, str | list | tuple):
        return ()
    words = text.split() if isinstance(text, str) else list(text)
    rules = normalisation.of_hypotheses
    return words if all(len(rules.arc_words(word)) == 1 for word in words) else ()


class _Trial:
    """Distances of outputs to a network with phrases added."""

    def __init__(
        self,
        network: Network,
        outputs: Sequence[_Output],
        before: Sequence[Result],
        metric: Metric,
        normalisation: Normalisation,
        options: SearchOptions,
    ) -> None:
        self._network, self._outputs, self._before = network, outputs, before
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
            name = self._outputs[i].name
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
        rows = [self._outputs[i] for i in outputs]
        after = _aligned(wider, rows, self._metric, self._normalisation, self._options)
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


def check(phrase: Phrase, network: Network) -> tuple[Token, ...]:
    """The words and calls of a phrase that a card of a network could have.

    Raises:
        FstmetricsError: no such card; what cannot be read; a call of a card that is not there, or that would run in a
            circle; a phrase that is too long, or the empty one for the root.
    """
    where = f"network {network.id or '(no id)'}"
    if phrase.card not in network.cards:
        meant = did_you_mean(phrase.card, list(network.cards))
        raise FstmetricsError(f"{where}: there is no card {phrase.card!r}{'; ' * bool(meant)}{meant}")
    where += f", card {phrase.card!r}"
    try:
        tokens = parse_phrase(phrase.phrase)
    except FstmetricsError as error:
        raise FstmetricsError(f"{where}: {error}") from None
    if len(tokens) > MOST_TOKENS:
        raise FstmetricsError(f"{where}: a phrase of {len(tokens)} words; the most is {MOST_TOKENS}")
    if not tokens and phrase.card == network.root:
        raise FstmetricsError(f"{where}: the phrase of a whole sentence is empty")
    for name in dict.fromkeys(token.name for token in tokens if isinstance(token, Call)):
        if name not in network.cards:
            raise FstmetricsError(
                f"{where}: the phrase {phrase.phrase!r} calls {name!r}, which is not among the cards; a bracket that "
                r"is a word is written \["
            )
        if chain := _chain(network, name, phrase.card):
            circle = " -> ".join([phrase.card, *chain])
            raise FstmetricsError(f"{where}: the phrase {phrase.phrase!r} would make a circle: {circle}")
    return tokens


def _chain(network: Network, first: str, last: str) -> list[str]:
    """Cards that call one another from the first to the last; empty where there is no such chain."""
    before: dict[str, str] = {first: ""}
    pending = [first]
    for name in pending:  # which grows meanwhile
        if name == last:
            chain = [name]
            while before[chain[-1]]:
                chain.append(before[chain[-1]])
            return chain[::-1]
        for called in network.cards[name].calls():
            if called not in before:
                before[called] = name
                pending.append(called)
    return []


def accept(network: Network, phrases: Iterable[Phrase]) -> Network:
    """The network with phrases added to its cards; those that a card has are not added again.

    Raises:
        FstmetricsError: as of `check`; or phrases that make a circle together, or a network with costs.

    >>> from fstmetrics import Card, Network
    >>> cards = [Card.from_phrases("S", ["the [PM] spoke"]), Card.from_phrases("PM", ["prime minister"])]
    >>> accept(Network(cards, "S"), [Phrase("", "PM", "premier")]).cards["PM"].phrases
    ('prime minister', 'premier')
    """
    refuse_costs([network], "a new phrase")
    for phrase in phrases:
        if not has(network.cards.get(phrase.card), check(phrase, network)):
            network = with_phrases(network, [phrase])
    return network


def with_phrases(network: Network, phrases: Iterable[Phrase]) -> Network:
    """The network with phrases that were checked."""
    cards = dict(network.cards)
    for _, name, phrase in phrases:
        cards[name] = _wider(cards[name], parse_phrase(phrase))
    return Network(cards.values(), network.root, id=network.id, source=network.source)


def _wider(card: Card, tokens: Sequence[Token]) -> Card:
    """The card with one more path."""
    if card.phrases is not None:
        return Card.from_phrases(card.name, [*card.phrases, write_phrase(tokens)], card.span)
    # A start that nothing comes back to, and an end that nothing leaves: the path is all that is new.
    count = card.num_states
    start, end = card.start, count
    arcs: list[CardArc] = list(card.arcs)
    if any(destination == start for _, destination, _ in arcs):
        start, end = count, count + 1
        arcs.append((start, card.start, ""))
    inner = [start, *range(end + 1, end + len(tokens)), end]
    arcs += zip(inner, inner[1:], tokens or ("",), strict=False)
    return Card(card.name, tuple(arcs), card.finals | {end}, start, card.span)


def has(card: Card | None, tokens: Sequence[Token]) -> bool:
    """Whether a card has these words and calls as a path."""
    if card is None:
        return False
    leaving: dict[int, list[tuple[Token, int]]] = {}
    for source, destination, token in card.arcs:
        leaving.setdefault(source, []).append((token, destination))

    def closed(states: set[int]) -> set[int]:
        pending = list(states)
        while pending:
            for token, destination in leaving.get(pending.pop(), ()):
                if token == "" and destination not in states:
                    states.add(destination)
                    pending.append(destination)
        return states

    states = closed({card.start})
    for token in tokens:
        states = closed({d for s in states for t, d in leaving.get(s, ()) if t == token and t != ""})
    return not states.isdisjoint(card.finals)


@dataclass(frozen=True, slots=True)
class HeldBack:
    """What accepted phrases do for outputs that did not suggest them; sums over sentences add up.

    Attributes:
        outputs: how many there are.
        words: of these outputs.
        before, after: their distances, added up.
        closer: how many come closer.
        through: how many closest paths take a phrase that was added.
        used: phrases that were added and are on the closest path of at least one output.
        added: phrases that were added.
    """

    outputs: int = 0
    words: int = 0
    before: float = 0
    after: float = 0
    closer: int = 0
    through: int = 0
    used: int = 0
    added: int = 0

    def __add__(self, other: HeldBack) -> HeldBack:
        return HeldBack(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def as_dict(self) -> dict[str, float]:
        """For JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


def held_back(
    network: Network,
    wider: Network,
    phrases: Collection[Phrase],
    outputs: Outputs,
    *,
    metric: Metric | None = None,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
) -> dict[str, HeldBack]:
    """Of every output, its distance to a network before and after phrases were accepted, and what it takes of them.

    Args:
        network: before.
        wider: after, as `accept` made it.
        phrases: those that were accepted.
        outputs: by name; they should not be among those that `propose` saw.
        metric, normalisation, options: as of `propose`.

    >>> from fstmetrics import Card, Network
    >>> cards = [Card.from_phrases("S", ["the [PM] spoke"]), Card.from_phrases("PM", ["prime minister"])]
    >>> network, phrase = Network(cards, "S"), Phrase("", "PM", "premier")
    >>> found = held_back(network, accept(network, [phrase]), [phrase], {"c": "a premier spoke"})["c"]
    >>> found.before, found.after, found.used
    (3, 1, 1)
    """
    metric = distance_metric(metric)
    rows = _outputs(outputs, {})
    before, after = (_aligned(one, rows, metric, normalisation, options) for one in (network, wider))
    new = {(phrase.card, write_phrase(parse_phrase(phrase.phrase))) for phrase in phrases}
    found: dict[str, HeldBack] = {}
    for row, one, other in zip(rows, before, after, strict=True):
        taken = {(each.card, each.phrase) for each in cards_taken(wider, other.closest, normalisation)} & new
        closer = int(other.totals.units < one.totals.units)
        words = one.totals.hypothesis_length
        found[row.name] = HeldBack(
            1, words, distance(one), distance(other), closer, int(bool(taken)), len(taken), len(new)
        )
    return found


# What a proposal of somebody else may say; the rest is ours, and computed again.
THEIRS = ("network", "card", "phrase")
REMARKS = ("by", "note")
OURS = ("id", "span", "source", "saved", "closer", "instead", "removed", "added", "left", "right", "evidence")


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
