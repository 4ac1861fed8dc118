"""A network from plain references: `from_references`. What they have in common becomes cards.

Without merging the network has the references and no other sentence: a stretch of words that two of them share is a
card that both call (`shared_stretches`). Merged references are a lattice (`fstmetrics.networks.merging`), which is cut
into cards by what is in series and what is parallel (`cards_of_lattice`). Word alignments give the cards' spans.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from fstmetrics.data.cards import Call, Token, write_phrase
from fstmetrics.data.lattice import Lattice, word_arcs
from fstmetrics.data.network import Card, CardArc, Network
from fstmetrics.data.transcripts import Transcript
from fstmetrics.engine.api import align
from fstmetrics.engine.renaming import changed_card
from fstmetrics.networks.automata import ROOT, from_lattice
from fstmetrics.networks.calls import callees_first
from fstmetrics.networks.cards_used import cards_taken
from fstmetrics.networks.merging import Merged, matched_runs, merged
from fstmetrics.networks.short_forms import Choice, Row
from fstmetrics.networks.unions import union
from fstmetrics.support.arguments import items_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import unused
from fstmetrics.text.normalisation import PLAIN, Normalisation

Reference = str | Sequence[str] | Transcript
Words = tuple[str, ...]
# Pairs of a source word and a word of the reference, both from 0.
Links = Collection[tuple[int, int]]
# A single word that references share, such as a comma, is no card; two words in a row are.
SHORTEST = 2
# Words and letters of a card's name.
NAME_WORDS, NAME_LETTERS = 3, 30


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

    def added(self, limit: int) -> list[Words]:
        """The sentences that nobody wrote, at most so many."""
        return self.merged.added(limit) if self.merged else []

    def joins(self) -> list[Card]:
        """The cards at which merging lets sentences change from one reference to another: those with a choice."""
        cards = self.network.cards.values() if self.merged and self.extra else ()
        return [card for card in cards if card.phrases is None or len(card.phrases) > 1]


def from_references(
    references: Sequence[Reference],
    id: str = "",
    merge: bool = False,
    alignments: Sequence[Links] | None = None,
    source: Sequence[str] | None = None,
    tokenize: str | None = None,
    lowercase: bool = False,
    allow_download: bool = False,
) -> Built:
    """A network of the references of a sentence; what they share becomes cards.

    Args:
        references: sentences, or transcripts that leave choices.
        id: the network's id.
        merge: whether to share the places that references agree on (`merged`); then there are sentences
            nobody wrote.
        alignments: of every reference, which word translates which source word, (source, reference) from 0. Then words
            are shared only where they translate the same source words, and cards have spans.
        source: the words of the source sentence.
        tokenize: a tokenizer of sacrebleu, which cuts the references; the network says so, and hypotheses are cut
            alike. Word alignments are of what it makes.
        lowercase: whether the references become lower case; the network says this, too.
        allow_download: whether the tokenizer may load a model from the network.

    Raises:
        FstmetricsError: no reference at all; an unknown tokenizer; a wildcard, which no network holds; choices that are
            to be merged or aligned; a link of a word that is not there.

    >>> both = ["the prime minister spoke", "then the prime minister talked"]
    >>> for card in from_references(both).network.cards.values():
    ...     print(card.name, card.phrases)
    THE-PRIME-MINISTER ('the prime minister',)
    S ('[THE-PRIME-MINISTER] spoke', 'then [THE-PRIME-MINISTER] talked')
    >>> built = from_references(["they came to town by train", "we came to town on foot"], merge=True)
    >>> built.extra, [" ".join(words) for words in built.added(10)]
    (2, ['they came to town on foot', 'we came to town by train'])
    >>> [(card.name, card.phrases) for card in built.joins()]
    [('THEY', ('they', 'we')), ('BY-TRAIN', ('by train', 'on foot'))]
    """
    references = items_of(references, "references")
    if not references:
        raise FstmetricsError("there is no reference to build a network from")
    source = None if source is None else items_of(source, "the words of source")
    words = Normalisation(tokenize, lowercase, allow_download=allow_download)
    given = [_sentence(one, words) for one in references]
    links = _checked_links(given, alignments, source)
    distinct = dict(reversed(list(zip(given, links, strict=True))))  # of equal references, the first counts
    distinct = {one: distinct[one] for one in dict.fromkeys(given)}
    sentences = [one for one in distinct if not isinstance(one, Transcript)]
    if merge:
        if len(sentences) < len(distinct):
            raise FstmetricsError("references that leave a choice cannot be merged; build without --merge")
        lattice = merged(sentences, id)
        network = cards_of_lattice(lattice.lattice)
        built = Built(network, len(distinct), lattice)
    else:
        parts = [_with_choices(one, words) for one in distinct if isinstance(one, Transcript)]
        if sentences:
            aligned = [distinct[one] for one in sentences] if alignments is not None else None
            parts.insert(0, shared_stretches(sentences, aligned))
        built = Built(union(*parts) if len(parts) > 1 else parts[0], len(distinct))
    cards: Iterable[Card] = built.network.cards.values()
    if alignments is not None:
        spans = _spans(built.network, {one: distinct[one] for one in sentences})
        linked = [one for links in distinct.values() for one, _ in links]
        if source or linked:
            spans[built.network.root] = (0, len(source) if source else max(linked) + 1)
        cards = [replace(card, span=spans.get(card.name)) for card in cards]
    network = Network(cards, built.network.root, id=id, source=source, tokenize=tokenize, lowercase=lowercase)
    return replace(built, network=network)


def _sentence(reference: Reference, normalisation: Normalisation) -> Words | Transcript:
    """Its words, or the transcript where it leaves a choice."""
    if not isinstance(reference, Transcript):
        if normalisation != PLAIN:
            return tuple(normalisation.words(reference))
        return tuple(reference.split() if isinstance(reference, str) else reference)
    if reference.has_wildcards:
        raise FstmetricsError("a network holds no wildcard <*>; score against the text itself")
    return reference if reference.words is None else _sentence(reference.words, normalisation)


def _with_choices(transcript: Transcript, normalisation: Normalisation) -> Network:
    """A transcript as a network; each of its words is cut by itself, as in scoring."""
    network = from_lattice(transcript.lattice)
    if normalisation == PLAIN:
        return network
    return network.changed(changed_card(card, normalisation) for card in network.cards.values())


def _checked_links(
    given: Sequence[Words | Transcript], alignments: Sequence[Links] | None, source: Sequence[str] | None
) -> list[Links]:
    if alignments is None:
        return [()] * len(given)
    if len(alignments) != len(given):
        raise FstmetricsError(f"{len(alignments)} word alignments for {len(given)} references")
    for words, links in zip(given, alignments, strict=True):
        if isinstance(words, Transcript):
            raise FstmetricsError("references that leave a choice cannot be aligned; build without --align")
        for one, other in links:
            if other >= len(words):
                raise FstmetricsError(
                    f"the word alignment has {one}-{other}, and the reference has {len(words)} words (from 0)"
                )
            if source is not None and one >= len(source):
                raise FstmetricsError(
                    f"the word alignment has {one}-{other}, and the source has {len(source)} words (from 0)"
                )
    return list(alignments)


def shared_stretches(sentences: Sequence[Words], alignments: Sequence[Links] | None = None) -> Network:
    """A network of these sentences, in which stretches of at least two words that some share are cards.

    Every two are aligned by fewest edits, and share what matches in runs. With word alignments, words that translate
    different source words do not match; and the smallest stretches that translate a span of the source by themselves
    are cards, too, of which the larger ones are made.
    """
    group = _groups(sentences, alignments)
    writer = _Stretches(sentences, alignments)
    for number, words in enumerate(sentences):
        tokens: list[Token] = []
        for stretch in _stretches(number, words, group):
            places = group[number, stretch[0]]
            if len(places) < 2 or len(stretch) < SHORTEST or len(stretch) == len(words):
                tokens += writer.written(number, stretch[0], stretch[-1] + 1)
            else:
                tokens.append(writer.shared(sorted(places), len(stretch)))
        writer.add(tokens)
    return writer.network()


class _Stretches:
    """Cards for stretches of sentences: `shared` ones, and those that translate a span of the source."""

    def __init__(self, sentences: Sequence[Words], alignments: Sequence[Links] | None) -> None:
        self._sentences, self._alignments = sentences, alignments
        self._cards = _Cards()
        self._known: dict[object, str] = {}
        self._phrases: list[str] = []

    def add(self, tokens: Sequence[Token]) -> None:
        """A sentence."""
        self._phrases.append(write_phrase(tokens))

    def network(self) -> Network:
        """The network of the sentences."""
        return Network([*self._cards.made, Card.from_phrases(ROOT, self._phrases)], ROOT)

    def shared(self, places: Sequence[Place], length: int) -> Token:
        """A call of the card for a stretch that begins at these places."""
        number, first = places[0]
        words = self._sentences[number][first : first + length]
        cuts = [self._segments(n, i, i + length) for n, i in places]
        agreed = all(cut == cuts[0] for cut in cuts)
        tokens = self.written(number, first, first + length) if agreed else list(words)
        if len(tokens) == 1:
            return tokens[0]
        return self._call(tuple(places), words, tokens)

    def written(self, number: int, start: int, end: int) -> list[Token]:
        """The words of a stretch, with calls for what translates a span of the source by itself."""
        words = self._sentences[number][start:end]
        tokens: list[Token] = []
        at = 0
        for first, last, span in self._segments(number, start, end):
            part = words[first:last]
            tokens += [*words[at:first], self._call((span, part), part, part)]
            at = last
        return [*tokens, *words[at:]]

    def _call(self, key: object, words: Sequence[str], tokens: Sequence[Token]) -> Call:
        if key not in self._known:
            self._known[key] = self._cards.add(words, [write_phrase(tokens)])
        return Call(self._known[key])

    def _segments(self, number: int, start: int, end: int) -> list[tuple[int, int, tuple[int, int]]]:
        """The smallest stretches with spans in a stretch, from left to right; punctuation and whole sentences are none.

        Their words are counted from the beginning of the stretch.
        """
        if self._alignments is None:
            return []
        words, links = self._sentences[number], self._alignments[number]
        linked = {word for _, word in links}
        found: list[tuple[int, int, tuple[int, int]]] = []
        at = start
        while at < end:
            ends = range(at + 1, end + 1) if at in linked else ()
            spans = ((last, span) for last in ends if (span := _span(links, at, last)))
            last, span = next(spans, (at + 1, None))
            has_letters = any(c.isalnum() for word in words[at:last] for c in word)
            if span is not None and has_letters and last - at < len(words):
                found.append((at - start, last - start, span))
            at = last
        return found


Place = tuple[int, int]  # the number of a sentence, and of a word of it


def _groups(sentences: Sequence[Words], alignments: Sequence[Links] | None) -> dict[Place, set[Place]]:
    """Of every word, the words of all sentences that are the same one; no two of one sentence."""
    sources = [_linked(links) for links in alignments] if alignments is not None else None
    group: dict[Place, set[Place]] = {
        (number, i): {(number, i)} for number, words in enumerate(sentences) for i in range(len(words))
    }
    for one, other in combinations(range(len(sentences)), 2):
        for first, last, at in matched_runs(align(list(sentences[one]), list(sentences[other])).alignment):
            run = [(i, at + i - first) for i in range(first, last + 1)]
            if sources is not None:
                run = [(i, j) for i, j in run if sources[one][i] == sources[other][j]]
            for i, j in run if len(run) >= SHORTEST else ():
                together = group[one, i] | group[other, j]
                if len({number for number, _ in together}) == len(together):
                    group |= dict.fromkeys(together, together)
    return group


def _linked(links: Links) -> dict[int, frozenset[int]]:
    """Of every word of a reference, the source words that it translates."""
    found: dict[int, set[int]] = defaultdict(set)
    for source, word in links:
        found[word].add(source)
    return defaultdict(frozenset, {word: frozenset(sources) for word, sources in found.items()})


def _stretches(number: int, words: Words, group: dict[Place, set[Place]]) -> Iterator[list[int]]:
    """A sentence's words, cut where they stop being in a row in the same sentences."""
    stretch: list[int] = []
    for i in range(len(words)):
        follows = stretch and {(n, at + 1) for n, at in group[number, i - 1]} == group[number, i]
        if stretch and not follows:
            yield stretch
            stretch = []
        stretch.append(i)
    if stretch:
        yield stretch


def card_name(words: Sequence[str]) -> str:
    """The name of a card with a phrase of these words, after what it means: the first of them, in capitals.

    >>> card_name(["the", "prime", "minister"]), card_name(["..."])
    ('THE-PRIME-MINISTER', 'CARD')
    """
    letters = ("".join(c for c in word if c.isalnum()).upper() for word in words)
    return "-".join([word for word in letters if word][:NAME_WORDS])[:NAME_LETTERS].strip("-") or "CARD"


class _Cards:
    """Cards on their way into a network, named after their words; no name is given twice."""

    def __init__(self) -> None:
        self.made: list[Card] = []
        self._names = {ROOT}

    def add(self, words: Sequence[str], phrases: Sequence[str]) -> str:
        """The name of a new card, one with a phrase of these words."""
        name = unused(card_name(words), self._names)
        self._names.add(name)
        self.made.append(Card.from_phrases(name, phrases))
        return name


def cards_of_lattice(lattice: Lattice) -> Network:
    """The sentences of an acyclic lattice as cards: what is parallel is a choice, and choices can be nested.

    Arcs in series become one, then parallel arcs, until there are none [Valdes, Tarjan and Lawler 1982]. Where a
    lattice is not made of series and parallel parts, the smallest part with one way in and one way out becomes a choice
    of its paths, and so on. Where such a part has more than `MAX_ROWS` paths, all that is left is a card given by arcs.
    """
    automaton = lattice.automaton
    arcs: dict[int, tuple[int, int, Row]] = {}
    for number, (source, destination, word) in enumerate(word_arcs(lattice)):
        arcs[number] = (source, destination, (word,) if word else ())
    (end,) = automaton.finals.tolist()
    _leave_dead_ends_out(arcs, automaton.start, end)
    _reduce(arcs, automaton.start, end)
    while len(arcs) > 1 and _written_out_part(arcs, automaton.start):
        _reduce(arcs, automaton.start, end)
    writer = _Writer()
    if len(arcs) == 1:
        ((_, _, row),) = arcs.values()
        return writer.network(row, id=lattice.id)
    return writer.irreducible([*arcs.values()], automaton.start, end, id=lattice.id)


def _leave_dead_ends_out(arcs: dict[int, tuple[int, int, Row]], start: int, end: int) -> None:
    """Leave out arcs that are on no path from the start to the end."""
    for side, (here, there) in enumerate(((start, end), (end, start))):
        following: dict[int, list[int]] = defaultdict(list)
        for source, destination, _ in arcs.values():
            ends = (source, destination)
            following[ends[side]].append(ends[1 - side])
        reached = {here, there, *callees_first(following.__getitem__, [here])}
        for number in [number for number, arc in arcs.items() if not set(arc[:2]) <= reached]:
            del arcs[number]


def _reduce(arcs: dict[int, tuple[int, int, Row]], start: int, end: int) -> None:
    """Join arcs in series and parallel arcs until neither is left."""
    changed = True
    while changed:
        changed = _in_series(arcs, start, end)
        between: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number, (source, destination, _) in arcs.items():
            between[source, destination].append(number)
        for (source, destination), numbers in between.items():
            if len(numbers) > 1:
                rows = [arcs.pop(number)[2] for number in numbers]
                arcs[numbers[0]] = (source, destination, _side_by_side(rows))
                changed = True


def _in_series(arcs: dict[int, tuple[int, int, Row]], start: int, end: int) -> bool:
    """Join the two arcs at every state that has one arc in and one out; whether there were any."""
    into: dict[int, set[int]] = defaultdict(set)
    out: dict[int, set[int]] = defaultdict(set)
    for number, (source, destination, _) in arcs.items():
        out[source].add(number)
        into[destination].add(number)
    states = [
        state for state in out if state not in (start, end) and len(into[state]) == len(out[state]) == 1
    ]
    for state in states:
        (one,), (other,) = into[state], out[state]
        (source, _, before), (_, destination, after) = arcs[one], arcs.pop(other)
        arcs[one] = (source, destination, before + after)
        into[destination].remove(other)
        into[destination].add(one)
    return bool(states)


# Paths of a part of a lattice that become phrases of a card: more nobody reads.
MAX_ROWS = 1000


def _written_out_part(arcs: dict[int, tuple[int, int, Row]], start: int) -> bool:
    """Make one arc of the smallest part with one way in and one way out; whether there was one that is not too large.

    Args:
        arcs: of an acyclic lattice, all on paths from the start to the end.
        start: its first state.
    """
    leaving: dict[int, list[int]] = defaultdict(list)
    entering: dict[int, list[int]] = defaultdict(list)
    for number, (source, destination, _) in arcs.items():
        leaving[source].append(number)
        entering[destination].append(number)
    order = callees_first(lambda state: [arcs[number][1] for number in leaving[state]], [start])[::-1]
    before = _passed_always(order, {s: [arcs[n][0] for n in entering[s]] for s in order})
    behind = _passed_always(order[::-1], {s: [arcs[n][1] for n in leaving[s]] for s in order})
    place = {state: number for number, state in enumerate(order)}
    parts = [
        (first, last)
        for first in order
        if len(leaving[first]) > 1
        for last in behind[first]
        if last != first and first in before[last]
    ]
    inside = {
        (first, last): [
            number
            for number, (source, destination, _) in arcs.items()
            if first in before[source] and last in behind[destination]
            and place[source] < place[last] and place[destination] > place[first]
        ]
        for first, last in parts
    }  # fmt: skip
    (first, last), numbers = min(inside.items(), key=lambda one: len(one[1]))
    rows: dict[int, list[Row]] = {last: [()]}
    for state in reversed(order[place[first] : place[last]]):
        ways = [number for number in leaving[state] if number in set(numbers)]
        if ways:
            rows[state] = [(*arcs[number][2], *rest) for number in ways for rest in rows[arcs[number][1]]]
            if len(rows[state]) > MAX_ROWS:
                return False
    for number in numbers:
        del arcs[number]
    arcs[numbers[0]] = (first, last, _side_by_side(rows[first]))
    return True


def _passed_always(order: Sequence[int], from_states: Mapping[int, Sequence[int]]) -> dict[int, set[int]]:
    """Of every state, those that all paths to it pass, itself too; `order` has states behind those before them."""
    passed: dict[int, set[int]] = {}
    for state in order:
        passed[state] = {state}
        if earlier := from_states[state]:
            passed[state] |= set.intersection(*(passed[each] for each in earlier))
    return passed


def _side_by_side(rows: Iterable[Row]) -> Row:
    """A choice of rows between what all of them begin and end with; those that are a choice themselves give theirs."""
    flat: dict[Row, None] = {}
    for row in rows:
        inner = row[0] if len(row) == 1 else None
        flat |= dict.fromkeys(inner.rows if isinstance(inner, Choice) else (row,))
    kept = list(flat)
    if len(kept) == 1:
        return kept[0]
    before = _common(kept)
    kept = [row[before:] for row in kept]
    after = _common([row[::-1] for row in kept])
    choice = Choice(tuple(row[: len(row) - after] for row in kept))
    first = next(iter(flat))
    return (*first[:before], choice, *first[len(first) - after :])


def _common(rows: Sequence[Row]) -> int:
    """How many parts all rows begin with."""
    count = 0
    while all(len(row) > count and row[count] == rows[0][count] for row in rows):
        count += 1
    return count


class _Writer:
    """Cards of rows, callees first."""

    def __init__(self) -> None:
        self._cards = _Cards()
        self._known: dict[Choice, str] = {}

    def network(self, row: Row, id: str) -> Network:
        """The network of one row; a choice that is the whole sentence is the root."""
        if len(row) == 1 and isinstance(row[0], Choice):
            phrases = [write_phrase(self._tokens(each)) for each in row[0].rows]
        else:
            phrases = [write_phrase(self._tokens(row, common=True))]
        return Network([*self._cards.made, Card.from_phrases(ROOT, phrases)], ROOT, id=id)

    def irreducible(self, arcs: Sequence[tuple[int, int, Row]], start: int, end: int, id: str) -> Network:
        """A network whose root is given by arcs."""
        number = {start: 0, end: 1}
        rows: list[CardArc] = []
        states = 2 + len({s for a, b, _ in arcs for s in (a, b)} - {start, end})
        for source, destination, row in arcs:
            a, b = (number.setdefault(state, len(number)) for state in (source, destination))
            tokens = self._tokens(row) or [""]
            inner = [a, *range(states, states + len(tokens) - 1), b]
            states += len(tokens) - 1
            rows += zip(inner, inner[1:], tokens, strict=False)
        return Network([*self._cards.made, Card(ROOT, tuple(rows), frozenset({1}))], ROOT, id=id)

    def _tokens(self, row: Row, common: bool = False) -> list[Token]:
        """The row with calls for choices; of what all references have in common, stretches are cards, too."""
        tokens: list[Token] = []
        words: list[str] = []

        def flush() -> None:
            if common and len(words) >= SHORTEST and len(words) < len(row):
                tokens.append(Call(self._cards.add(words, [write_phrase(words)])))
            else:
                tokens.extend(words)
            words.clear()

        for part in row:
            if isinstance(part, Choice):
                flush()
                tokens.append(Call(self._choice(part)))
            else:
                words.append(str(part))
        flush()
        return tokens

    def _choice(self, choice: Choice) -> str:
        if choice not in self._known:
            phrases = [write_phrase(self._tokens(row)) for row in choice.rows]
            named = next(
                (w for row in choice.rows if (w := [p for p in row if isinstance(p, str)])), ["CHOICE"]
            )
            self._known[choice] = self._cards.add(named, phrases)
        return self._known[choice]


def _spans(network: Network, sentences: dict[Words, Links]) -> dict[str, tuple[int, int]]:
    """Of every card, the source words that it translates, where all references that take it agree.

    The source words linked to a stretch are a span if none of those in it is linked to a word outside, as phrase pairs
    are extracted [Och and Ney 2004].
    """
    found: dict[str, set[tuple[int, int] | None]] = defaultdict(set)
    for words, links in sentences.items():
        for card, _, start, end in cards_taken(network, words):
            found[card].add(_span(links, start, end))
    spans = {card: one for card, each in found.items() if len(each) == 1 and (one := next(iter(each)))}
    return spans


def _span(links: Links, start: int, end: int) -> tuple[int, int] | None:
    inside = {source for source, word in links if start <= word < end}
    if not inside:
        return None
    first, last = min(inside), max(inside) + 1
    fits = all(start <= word < end for source, word in links if first <= source < last)
    return (first, last) if fits else None
