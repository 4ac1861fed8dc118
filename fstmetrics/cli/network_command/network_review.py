"""`fstmetrics network review`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import click

from fstmetrics.cli.network_command.network_options import read_networks, writing_options
from fstmetrics.cli.network_command.network_propose import named, proposal_lines, rivalling
from fstmetrics.cli.network_command.proposal_files import (
    read_proposals,
    read_rejected,
    rejected_lines,
    rejected_path,
)
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import show
from fstmetrics.convert.network_files import write_networks
from fstmetrics.networks import network_info
from fstmetrics.networks.new_phrases import Phrase, accept, check
from fstmetrics.networks.proposals import Proposal
from fstmetrics.networks.rivals import side_by_side
from fstmetrics.readers.reading import check_paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.output import write_whole
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source
from fstmetrics.values.cards import parse_phrase, write_phrase
from fstmetrics.values.network import Network

KEYS = "a accept, r reject, e edit, Enter later, q quit"
NAMED = 5


@dataclass
class _Decisions:
    accepted: dict[Phrase, None] = field(default_factory=dict)
    rejected: dict[Phrase, None] = field(default_factory=dict)

    @property
    def of(self) -> dict[Phrase, None]:
        """All phrases that were decided."""
        return {**self.accepted, **self.rejected}


@command()
@click.argument("proposals", metavar="PROPOSALS")
@click.argument("networks", metavar="NETWORKS")
@click.option("--accept", "accepted", multiple=True, metavar="IDS",
              help="Accept these proposals: ids separated by commas. Repeatable.")  # fmt: skip
@click.option("--reject", "refused", multiple=True, metavar="IDS",
              help="Reject these proposals: they are not proposed again. Repeatable.")  # fmt: skip
@click.option("--accept-all", is_flag=True, help="Accept all that are not rejected, here or before.")
@click.option("--decisions", metavar="FILE", help="Lines `accept ID` or `reject ID`; # begins a comment.")
@click.option("--rejected", metavar="FILE",
              help="Where rejected phrases are remembered. Default: OUT.rejected.jsonl, with those of "
                   "NETWORKS.rejected.jsonl.")  # fmt: skip
@writing_options
def review(
    proposals: str, networks: str, accepted: Sequence[str], refused: Sequence[str], accept_all: bool,
    decisions: str | None, rejected: str | None, output: str, to: str | None, max_arcs: int,
) -> None:  # fmt: skip
    """Accept and reject proposed phrases, and write the networks with those that were accepted.

    \b
    Example:  fstmetrics network review proposals.json networks/ -o networks-2/
              fstmetrics network review proposals.json nets/ --accept-all -o new/

    PROPOSALS: what network propose wrote, or JSON of the same form (docs/proposals.md). Without --accept, --reject,
    --accept-all and --decisions, each proposal is shown, and a key decides. OUT is a new file or folder. Without -o,
    only rejections are remembered, for NETWORKS.
    """
    check_paths([proposals, networks, decisions], None if output == "-" else output)
    read = named(read_networks(networks))
    by_id = {one.id: one for one in read}
    offered = read_proposals(proposals, by_id)
    known = read_rejected(rejected_path(networks, rejected))
    if accepted or refused or accept_all or decisions:
        decided = _decisions(offered, accepted, refused, decisions)
        if accept_all:
            refused_once = {**known, **decided.rejected}
            decided.accepted |= {p: None for one in offered if (p := one.phrase) not in refused_once}
    else:
        decided = _asked(offered, by_id)
    if decided.accepted and output == "-":
        raise FstmetricsError("accepted phrases need networks to be in: -o OUT")
    wider = [_accepted(one, decided) for one in read]
    target = networks if output == "-" else output
    if output != "-":
        write_networks(wider, networks, output, to, max_arcs)
    path = rejected_path(target, rejected)
    together = {one: None for one in {**known, **decided.rejected} if one not in decided.accepted}
    if path is not None and (together or known):
        write_whole(path, rejected_lines(together))
    before = sum(one.phrase in known and one.phrase not in decided.of for one in offered)
    _print(read, wider, decided, len(offered) - before, before, output, path if together else None)


def _decisions(
    offered: Sequence[Proposal], accepted: Sequence[str], refused: Sequence[str], path: str | None
) -> _Decisions:
    by_id = {one.id: one.phrase for one in offered}
    accept_ids, reject_ids = _ids(accepted), _ids(refused)
    for verdict, id in _lines_of(path) if path else ():
        (accept_ids if verdict == "accept" else reject_ids).append(id)
    if unknown := [id for id in dict.fromkeys((*accept_ids, *reject_ids)) if id not in by_id]:
        raise FstmetricsError(
            f"there is no proposal {listed(unknown, NAMED)} among the {len(by_id)} proposals"
        )
    if both := [id for id in accept_ids if id in reject_ids]:
        raise FstmetricsError(f"the proposal {both[0]} is both accepted and rejected")
    return _Decisions({by_id[id]: None for id in accept_ids}, {by_id[id]: None for id in reject_ids})


def _ids(given: Sequence[str]) -> list[str]:
    return [id.strip() for some in given for id in some.split(",") if id.strip()]


def _lines_of(path: str) -> list[tuple[str, str]]:
    source = Source.open(path)
    found: list[tuple[str, str]] = []
    for number, line in source.lines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 2 or words[0] not in ("accept", "reject"):
            raise source.error(f"expected `accept ID` or `reject ID`, not {line.strip()!r:.60}", number)
        found.append((words[0], words[1]))
    return found


def _asked(offered: Sequence[Proposal], networks: dict[str, Network]) -> _Decisions:
    """What somebody decides, one proposal after the other."""
    if not is_terminal():
        raise FstmetricsError(
            "nothing is decided: give --accept, --reject, --accept-all or --decisions, or run it in a terminal"
        )
    found = _Decisions()
    groups = side_by_side(rivalling(offered, networks))
    in_turn = [(one, place > 0) for group in groups for place, one in enumerate(group)]
    for number, (one, is_rival) in enumerate(in_turn, 1):
        show("", *proposal_lines(one, is_rival=is_rival))
        verdict = _key(number, len(offered))
        if verdict == "q":
            break
        if verdict == "a":
            found.accepted[one.phrase] = None
        elif verdict == "r":
            found.rejected[one.phrase] = None
        elif verdict == "e":
            if (phrase := _edited(one, networks)) is None:
                break
            found.accepted[phrase] = None
    return found


def is_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def _key(number: int, count: int) -> str:
    while True:
        try:
            answer = str(click.prompt(f"{number}/{count} ({KEYS})", default="", show_default=False)).strip()
        except click.Abort:  # Ctrl-D, or Ctrl-C: what was decided is kept
            return "q"
        if answer in ("", "a", "r", "e", "q"):
            return answer
        show(f"expected one of: {KEYS}")


def _edited(one: Proposal, networks: dict[str, Network]) -> Phrase | None:
    """The phrase as somebody types it, until it is one that the card can have; None where they stop."""
    while True:
        try:
            text = str(click.prompt("phrase", default=one.phrase.phrase))
        except click.Abort:
            return None
        phrase = replace(one, phrase=one.phrase._replace(phrase=text)).phrase
        try:
            check(phrase, networks[phrase.network])
        except FstmetricsError as error:
            show(str(error))
            continue
        return phrase._replace(phrase=write_phrase(parse_phrase(text)))


def _accepted(network: Network, decided: _Decisions) -> Network:
    return accept(network, [one for one in decided.accepted if one.network == network.id])


def _print(
    before: Sequence[Network],
    after: Sequence[Network],
    decided: _Decisions,
    offered: int,
    rejected_before: int,
    output: str,
    path: str | None,
) -> None:
    left = offered - len(decided.accepted) - len(decided.rejected)
    said = f"{len(decided.accepted)} accepted, {len(decided.rejected)} rejected, {max(0, left)} undecided"
    lines = [f"{said}, {rejected_before} rejected before" if rejected_before else said]
    if output != "-":
        arcs = [sum(network_info(one, max_states=0).arcs for one in side) for side in (before, after)]
        lines.append(f"{output}: {counted(len(after), 'network')}, {arcs[0]} arcs before, {arcs[1]} now")
    if path:
        lines.append(f"{path}: what was rejected")
    show(*lines)
