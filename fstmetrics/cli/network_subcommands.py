"""The commands of `fstmetrics network`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.terminal import Console, say, show, show_json, show_report, tell
from fstmetrics.commands.network_checks import (
    ACCEPTING,
    COUNTING,
    LIMIT,
    LISTING,
    accepted,
    infos,
    paths_of,
    validated,
)
from fstmetrics.commands.networks import (
    BUILDING,
    COMBINING,
    CONVERTING,
    DRAWING,
    Combined,
    build_networks,
    combine_networks,
    draw_networks,
    normal_network,
    rewrite_networks,
)
from fstmetrics.commands.proposals import (
    PROPOSING,
    REVIEWING,
    Decisions,
    propose_phrases,
    review_proposals,
    rivalling,
)
from fstmetrics.convert.network_files import Missing
from fstmetrics.data.cards import parse_phrase, write_phrase
from fstmetrics.data.network import Network
from fstmetrics.networks import network_info
from fstmetrics.networks import spu as spu_of
from fstmetrics.networks import union as union_of
from fstmetrics.networks.new_phrases import Phrase, check
from fstmetrics.networks.proposals import Proposal, side_by_side
from fstmetrics.reports.network_tables import (
    acceptance_texts,
    added_lines,
    built_lines,
    held_back_line,
    info_lines,
    info_table,
    proposal_lines,
    proposals_lines,
    size_lines,
)
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted

FAULTY = 2
# Proposals that are printed for people, where nobody says; JSON has all.
SHOWN = 20
KEYS = "a accept, r reject, e edit, Enter later, q quit"


@command(usual=("--output", "--merge", "--tokenize", "--lowercase", "--align", "--source"))
@click.argument("references", metavar="REF...", nargs=-1, required=True)
@options_of(BUILDING)
def build(references: Sequence[str], added: int, as_json: bool, output: str | None, **options: Any) -> None:
    """Make networks of plain references, one network per sentence.

    \b
    Example:  fstmetrics network build ref1.txt ref2.txt -o networks/

    What references of a sentence have in common becomes cards that they share. Sentences pair by id where the files
    have ids, otherwise by order; then they are numbered from 0, as in n-best lists. OUT is a new folder, which gets one
    file per sentence; for a single sentence it can be a file with an ending such as .json or .cards, or standard
    output.
    """
    output = output or "-"
    if as_json and output == "-":
        raise FstmetricsError(
            "--json and the network both want standard output; give the network a file: -o OUT"
        )
    built = build_networks(references, output, **options)
    if as_json:
        show_json(built.summary(added))
    elif output != "-":
        show(*built_lines(output, built.networks, built.in_folder))
    if options["merge"] and not as_json:
        (tell if output == "-" else show)(*added_lines(built.networks, built.added(added)))
    say(*built.remarks)


@command()
@click.argument("networks", metavar="NETWORKS...", nargs=-1, required=True)
@options_of(COUNTING)
def info(networks: Sequence[str], form: FormOfTables, **options: Any) -> None:
    """Print the size of networks: cards, states, arcs, the exact numbers of paths and strings, lengths, vocabulary.

    \b
    Example:  fstmetrics network info networks/

    NETWORKS: files or folders; of several networks each has a row. No path is enumerated. Paths are accepting paths: a
    sentence that a network spells in two ways counts twice. Among strings it counts once.
    """
    found = infos(networks, **options)
    if form == "json":
        for one in found:
            show_json(one.to_dict())
        return
    every = list(found)
    if len(every) == 1 and form is None:
        show(*info_lines(every[0]))
    else:
        show_report([info_table(every)], lambda: {"networks": [one.to_dict() for one in every]}, form)


@command()
@click.argument("network", metavar="NETWORKS")
@options_of(LISTING)
def paths(network: str, **options: Any) -> None:
    """Print paths of a network, one per line.

    \b
    Example:  fstmetrics network paths station.json --sample 10

    A sentence that the network spells in two ways comes twice. For a folder or an archive of several networks, each
    line begins with the id of its network.
    """
    for one in paths_of(network, **options):
        id = (one.id,) if one.id else ()
        with whole_file("-") as stream:
            stream.writelines(" ".join((*id, *words)) + "\n" for words in one.paths)
        if options["limit"] is None and (one.total or 0) > LIMIT:
            say(f"{': '.join((*id, str(LIMIT)))} of {one.total} paths; --limit N lists more")


@command()
@click.argument("network", metavar="NETWORKS")
@options_of(DRAWING)
def draw(network: str, output: str | None, **options: Any) -> None:
    """Draw a network, or cards of it.

    \b
    Example:  fstmetrics network draw station.json -o station.svg

    The whole network is drawn with every call replaced by the card that it calls. SVG and DOT, the language of
    Graphviz, need no other program; PNG and PDF need Graphviz's program dot. --item ID draws one network of a folder or
    an archive, --all draws all of them, each into a file of OUT, which is then a new folder.
    """
    if drawn := draw_networks(network, output=output or "-", **options):
        show(f"{output}: {counted(drawn, 'drawing')}")


@command()
@click.argument("networks", metavar="NETWORKS...", nargs=-1, required=True)
def validate(networks: Sequence[str]) -> int:
    """Check networks and print every fault, with its card.

    \b
    Example:  fstmetrics network validate networks/

    NETWORKS: files or folders, in JSON or in the text form, or a project of annotate. Remarks are about what is allowed
    but probably a mistake, for example a card that is never called. The exit status is 2 if there is a fault.
    """
    found = validated(networks)
    for file in found.files:
        show(*found.faults[file], *found.remarks[file])
    show(f"{counted(len(found.files), 'network')}, {found.faulty or 'none'} with faults")
    return FAULTY if found.faulty else 0


@command(usual=("--reject", "--tokenize", "--lowercase", "--item", "--json"))
@click.argument("network", metavar="NETWORKS")
@click.argument("sentences", metavar="SENTENCES")
@options_of(ACCEPTING)
def accepts(network: str, sentences: str, as_json: bool, **options: Any) -> int:
    """Test networks with sentences that they should accept, and sentences that they should reject.

    \b
    Example:  fstmetrics network accepts station.json good.txt --reject bad.txt

    SENTENCES: a sentence a line, or a file of both kinds (docs/networks.md). Lines of several networks begin with their
    ids. What is not as wanted is shown with what would have to change. The status is 0 if all is as wanted, else 1.
    """
    found = accepted(network, sentences, **options)
    say(*found.remarks)
    if as_json:
        show_json(found.summary())
        return found.status
    console = Console()
    for text in acceptance_texts(found.sentences, found.places, console.width):
        console.print(text)
    return found.status


@command()
@click.argument("networks", metavar="NETWORK...", nargs=-1, required=True)
@options_of(COMBINING)
def union(networks: Sequence[str], output: str | None, **options: Any) -> None:
    """Combine networks for one sentence: all paths of all of them (the standard union).

    \b
    Example:  fstmetrics network union anna.json ben.json -o both.json

    In folders and archives, the networks with the same id are combined; OUT is then a folder.
    """
    output = output or "-"
    found = combine_networks(union_of, networks, output=output, **options)
    _show_combined(networks, found, output, options["missing"])


@command()
@click.argument("networks", metavar="NETWORK...", nargs=-1, required=True)
@options_of(COMBINING)
def spu(networks: Sequence[str], output: str | None, **options: Any) -> None:
    """Combine networks for one sentence by the source-phrase-level union.

    \b
    Example:  fstmetrics network spu anna.json ben.json -o both.json

    Cards of different networks become one card if they translate the same source words and have a string in common. So
    a path can begin in one network and continue in another. In folders and archives, the networks with the same id are
    combined; OUT is then a folder.
    """
    output = output or "-"
    found = combine_networks(spu_of, networks, output=output, **options)
    _show_combined(networks, found, output, options["missing"])
    if not any(card.span for network in found.read for card in network.cards.values()):
        say("no card has a span, so this is the plain union")


def _show_combined(paths: Sequence[str], found: Combined, output: str, missing: Missing) -> None:
    """The sizes, if the result is not what is printed."""
    if found.by_id:
        each = f"up to {len(paths)}" if missing == "without" and found.lacking else len(paths)
        show(f"{output}: {counted(len(found.made), 'network')} of {each} each")
    elif output != "-":
        show(*size_lines(list(zip([*paths, output], [*found.read, *found.made], strict=True))))
    say(*found.remarks(missing))


@command(usual=("--system", "--ref", "--held-back", "--window", "--json", "--output"))
@click.argument("networks", metavar="NETWORKS")
@options_of(PROPOSING)
def propose(networks: str, as_json: bool, **options: Any) -> None:
    """Propose phrases that cards lack, from the outputs of systems and from further references.

    \b
    Example:  fstmetrics network propose nets/ --system a=a.txt --system b=b.txt

    Where an output differs from its closest path, the output's words could be a phrase of a card. Each such phrase is
    tried: it is added, and all distances are computed again. Those that save most edits over all outputs come first.
    Systems make errors, so somebody has to look: network review takes what is accepted and what is rejected.
    """
    output, prompts, top = options["output"], options["prompts"], options["top"]
    if as_json and prompts == "-":
        raise FstmetricsError("--json and --prompt - both want standard output; give one of them a file")
    found = propose_phrases(networks, options)
    if as_json:
        show_json(found.document)
    elif prompts != "-":
        shown = found.proposals if top is not None else found.proposals[:SHOWN]
        show(*proposals_lines(shown))
        rest = f"; {len(shown)} of them above" if len(shown) < found.found else ""
        if output and len(found.proposals) < found.found:
            rest += f"; only these are in {output}, as --top {top} asks for"
        elif output:
            rest += f"; all are in {output}"
        show(f"{counted(found.found, 'proposal')}{rest}")
        show(*(held_back_line(name, one) for name, one in found.held_back.items()))
    say(*found.remarks)


@command()
@click.argument("proposals", metavar="PROPOSALS")
@click.argument("networks", metavar="NETWORKS")
@options_of(REVIEWING)
def review(proposals: str, networks: str, output: str | None, **options: Any) -> None:
    """Accept and reject proposed phrases, and write the networks with those that were accepted.

    \b
    Example:  fstmetrics network review proposals.json networks/ -o networks-2/
              fstmetrics network review proposals.json nets/ --accept-all -o new/

    PROPOSALS: what network propose wrote, or JSON of the same form (docs/proposals.md). Without --accept, --reject,
    --accept-all and --decisions, each proposal is shown, and a key decides. OUT is a new file or folder. Without -o,
    only rejections are remembered, for NETWORKS.
    """
    output = output or "-"
    found = review_proposals(proposals, networks, _asked, output, **options)
    decided = found.decided
    left = found.offered - len(decided.accepted) - len(decided.rejected)
    said = f"{len(decided.accepted)} accepted, {len(decided.rejected)} rejected, {max(0, left)} undecided"
    show(f"{said}, {found.rejected_before} rejected before" if found.rejected_before else said)
    if output != "-":
        show(f"{output}: {counted(len(found.after), 'network')}, {_arcs(found.before, found.after)}")
    if found.rejections:
        show(f"{found.rejections}: what was rejected")


def _asked(offered: Sequence[Proposal], networks: Mapping[str, Network]) -> Decisions:
    """What somebody decides, one proposal after the other."""
    if not is_terminal():
        raise FstmetricsError(
            "nothing is decided: give --accept, --reject, --accept-all or --decisions, or run it in a terminal"
        )
    found = Decisions()
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


def _edited(one: Proposal, networks: Mapping[str, Network]) -> Phrase | None:
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


@command()
@click.argument("network", metavar="NETWORKS")
@options_of(CONVERTING)
def normalise(network: str, output: str | None, **options: Any) -> None:
    """Write networks with the same strings and fewer cards, states and arcs.

    \b
    Example:  fstmetrics network normalise station.json -o small.json

    NETWORKS: a file or a folder. Every card becomes deterministic and minimal, and equal cards become one. The
    sizes before and after are printed, unless the network itself is.
    """
    output = output or "-"
    found = rewrite_networks(network, normal_network, output, **options)
    if found.in_folder:
        show(f"{output}: {counted(len(found.after), 'network')}, {_arcs(found.before, found.after)}")
    elif output != "-":
        show(*size_lines([(network, found.before[0]), (output, found.after[0])]))
    say(*found.remarks)


def _arcs(before: Sequence[Network], after: Sequence[Network]) -> str:
    arcs = [sum(network_info(one, max_states=0).arcs for one in side) for side in (before, after)]
    return f"{counted(arcs[0], 'arc')} before, {arcs[1]} now"


@command()
@click.argument("network", metavar="NETWORKS")
@options_of(CONVERTING)
def convert(network: str, output: str | None, **options: Any) -> None:
    """Convert networks to another format.

    \b
    Example:  fstmetrics network convert networks/ -o station.cards

    NETWORKS: a file or a folder, in one of these formats or in any lattice format (without its costs). json and cards
    (the annotators' text form) hold networks as they are. openfst (binary) and att (text) hold one machine, the
    expansion. far holds one machine per card; calls are labels `[NAME]`.
    """
    output = output or "-"
    found = rewrite_networks(network, lambda one: one, output, **options)
    if found.in_folder:
        show(f"{output}: {counted(len(found.after), 'network')}")
    say(*found.remarks)
