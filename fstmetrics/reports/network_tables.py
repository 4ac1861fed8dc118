"""How networks, what was built of them and proposals for them are shown: lines for people. `acceptance_texts` shows
sentences that they are to accept or reject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from fstmetrics.data.cards import Card
from fstmetrics.data.network import Network
from fstmetrics.networks import NetworkInfo, network_info
from fstmetrics.networks.acceptance import Judged
from fstmetrics.networks.building import Built
from fstmetrics.networks.distances import HeldBack
from fstmetrics.networks.proposals import Proposal, side_by_side
from fstmetrics.reports.alignment import LEGEND, alignment_text
from fstmetrics.reports.summary import Table, table_lines
from fstmetrics.support.printable import counted, printable
from fstmetrics.support.styled import Styled

# Numbers from here on are shown a second time, rounded.
LARGE = 10**7
# Words of a phrase that are printed; of a longer one, as a whole sentence, what changes says all.
LONG = 12


def info_lines(info: NetworkInfo) -> Iterator[str]:
    """All that is known of a network, a line each."""
    unused = f"  ({info.unused_cards} more that are on no path)" if info.unused_cards else ""
    bound = f"not written out: at most {info.most_expanded_arcs}"
    are_counted = info.strings is not None or info.paths is None
    strings = _large(info.strings) if are_counted else "not counted: at most as many as paths"
    shared = [("as a lattice", f"{info.shared_states} states, {info.shared_arcs} arcs, each card once")]
    rows = [
        ("cards", f"{info.cards}{unused}"),
        ("states", info.states),
        ("arcs", info.arcs),
        ("nesting depth", info.depth),
        ("expanded states", "not written out" if info.expanded_states is None else info.expanded_states),
        ("expanded arcs", bound if info.expanded_arcs is None else info.expanded_arcs),
        *(shared if info.shared_arcs is not None else ()),
        ("paths", _large(info.paths)),
        ("strings", strings),
        ("shortest path", counted(info.shortest, "word")),
        ("longest path", "no limit" if info.longest is None else counted(info.longest, "word")),
        ("mean path", "no limit" if info.mean_length is None else f"{float(info.mean_length):.4f} words"),
        ("vocabulary", counted(info.vocabulary, "word")),
    ]
    yield info.id or "(no id)"
    yield from (f"  {line}" for line in table_lines([(name, str(value)) for name, value in rows], names=2))


COLUMNS = (
    "network", "cards", "states", "arcs", "depth", "paths", "strings", "shortest", "mean", "longest", "vocabulary",
)  # fmt: skip


def info_table(infos: Sequence[NetworkInfo]) -> Table:
    """The sizes of several networks, a row each."""
    rows = [
        (
            info.id or "(no id)",
            *map(str, (info.cards, info.states, info.arcs, info.depth)),
            _short(info.paths),
            "not counted" if info.strings is None and info.paths is not None else _short(info.strings),
            str(info.shortest),
            "no limit" if info.mean_length is None else f"{float(info.mean_length):.2f}",
            "no limit" if info.longest is None else str(info.longest),
            str(info.vocabulary),
        )
        for info in infos
    ]
    return Table([COLUMNS, *rows])


def _short(count: int | None) -> str:
    """A number of paths; a large one rounded."""
    return f"{Decimal(count):.2e}" if count is not None and count >= LARGE else count_text(count)


def _large(count: int | None) -> str:
    rounded = f"  (about {Decimal(count):.1e})" if count is not None and count >= LARGE else ""
    return count_text(count) + rounded


def size_lines(rows: Sequence[tuple[str, Network]]) -> Iterator[str]:
    """A table of networks side by side, under names."""
    table = [("", "cards", "states", "arcs", "expanded arcs", "paths")]
    for name, network in rows:
        info = network_info(network, max_states=0)
        expanded = f"<= {info.most_expanded_arcs}" if info.expanded_arcs is None else str(info.expanded_arcs)
        table.append(
            (name, str(info.cards), str(info.states), str(info.arcs), expanded, count_text(info.paths))
        )
    yield from table_lines(table)


def count_text(paths: int | None) -> str:
    """A number of paths, which may be infinite."""
    return "infinite" if paths is None else str(paths)


def built_lines(output: str, built: Sequence[Built], in_folder: bool) -> Iterator[str]:
    """The size of one network in a file, or how many a folder has."""
    if not in_folder:
        yield from size_lines([(output, built[0].network)])
        return
    references = sum(one.references for one in built)
    networks = f"{len(built)} network{'s' * (len(built) != 1)}"
    yield f"{output}: {networks} of {references} different reference{'s' * (references != 1)}"


def added_lines(built: Sequence[Built], found: Sequence[tuple[Built, list[str]]]) -> Iterator[str]:
    """How many sentences merging added, and some of them."""
    references, extra = sum(one.references for one in built), sum(one.extra for one in built)
    yield f"{counted(extra, 'sentence')} that nobody wrote, and the {counted(references, 'reference')}"
    for one, sentences in found:
        begin = f"  {one.network.id}: " if len(built) > 1 else "  "
        yield from (begin + sentence for sentence in sentences)
        yield from (f"{begin}choice {_choice(card)}" for card in one.joins())
    if (more := extra - sum(len(sentences) for _, sentences in found)) and found:
        yield f"  and {more} more (--added)"


def _choice(card: Card) -> str:
    """A card in which sentences change from one reference to another."""
    if card.phrases is None:
        return f"[{card.name}]: {counted(len(card.arcs), 'arc')}"
    return f"[{card.name}]: {'; '.join(phrase or '(no words)' for phrase in card.phrases)}"


def proposals_lines(proposals: Sequence[Proposal]) -> Iterator[str]:
    """Proposals for people, those that compete below one another."""
    for first, *others in side_by_side(proposals):
        yield from proposal_lines(first, LONG)
        for rival in others:
            yield from proposal_lines(rival, LONG, is_rival=True)


def proposal_lines(one: Proposal, longest: int | None = None, is_rival: bool = False) -> Iterator[str]:
    """A proposal for people: its id and phrase, where it comes from, what it saves.

    Args:
        one: the proposal.
        longest: of a phrase of more words, only what changes is shown.
        is_rival: whether it is shown below one with which it competes.
    """
    begin = "or " if is_rival else ""
    is_long = longest is not None and one.instead and len(one.phrase.phrase.split()) > longest
    phrase = "..." if is_long else one.phrase.phrase or "(no words)"
    by = f" by {one.by}" if one.by else ""
    source = f" ({' '.join(one.source)})" if one.source else ""
    where = f"{one.phrase.network} " if one.phrase.network else ""
    yield f"{begin}{one.id}  {where}[{one.phrase.card}]{source}: {phrase}{by}"
    if one.instead:
        change = f"{' '.join(one.removed) or 'ε'} -> {' '.join(one.added) or 'ε'}"
        yield f"    {' '.join((*one.left, '{' + change + '}', *one.right))}"
    if one.note:
        yield f"    {one.note}"
    outputs = ", ".join(f"{each.name} {each.before:g} -> {each.after:g}" for each in one.evidence)
    yield f"    saves {one.saved:g}{': ' if outputs else ''}{outputs}"


def held_back_line(name: str, one: HeldBack) -> str:
    """What proposals save on the outputs of a system that suggested nothing."""
    return (
        f"held back, {name}: {one.before:g} edits before, {one.after:g} after; "
        f"{one.closer} of {counted(one.outputs, 'output')} closer; "
        f"{one.used} of {counted(one.added, 'new phrase')} on a closest path"
    )


def acceptance_texts(
    sentences: Sequence[Judged], places: Sequence[str], width: int = 100
) -> Iterator[Styled]:
    """Each sentence that is not as wanted, with the closest path and what would have to change, and how many there are.

    Args:
        sentences: all of them.
        places: of each, the file and the line.
        width: of a line of an alignment.
    """
    missed = sum(one.accept and not one.as_wanted for one in sentences)
    passed = sum(not one.accept and not one.as_wanted for one in sentences)
    if missed:
        yield Styled(f"HYP: the sentence, REF: the closest path; {LEGEND}\n", "dim")
    for place, one in zip(places, sentences, strict=True):
        if one.as_wanted:
            continue
        named = f"  network {one.network}" if one.network else ""
        what = "not accepted" if one.accept else "accepted, and should be rejected"
        edits = f", {counted(one.result.edits, 'edit')} away" if one.accept else ""
        yield Styled(printable(f"{place}{named}  {what}{edits}"), "bold")
        if one.accept:
            yield alignment_text(one.result.alignment, width)
            for line in _missing(one):
                yield Styled(f"     {printable(line)}", "dim")
        else:
            yield Styled(f"     {printable(one.sentence)}")
            for card in one.taken:
                yield Styled(f"     {printable(f'[{card.card}]: {card.phrase or NOTHING}')}", "dim")
            yield Styled("     without one of these phrases this path is gone", "dim")
        yield Styled("")
    said = f"{counted(len(sentences), 'sentence')}, {len(sentences) - missed - passed} as wanted"
    said += f"; {missed} not accepted" if missed else ""
    yield Styled(said + (f"; {passed} not rejected" if passed else ""))


NOTHING = "(no words)"


def _missing(one: Judged) -> Iterator[str]:
    """Phrases that would bring the sentence closest."""
    if one.phrases:
        done = "would be accepted with" if one.completes else "would be closer with"
        which = " or ".join(f"[{each.card}]: {each.phrase or NOTHING}" for each in one.phrases)
        yield f"{done} {which}"
