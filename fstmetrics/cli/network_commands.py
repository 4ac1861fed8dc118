"""The commands of `fstmetrics network`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import click

from fstmetrics.cli.options import command, options_of, together
from fstmetrics.cli.terminal import say, show, show_json, tell
from fstmetrics.commands.networks import (
    DRAWINGS,
    Combined,
    build_networks,
    combine_networks,
    draw_networks,
    faults_of,
    files_of,
    normal_network,
)
from fstmetrics.commands.options import FIELDS, FORMATS_READ, HYTER, WORDS, Option, under
from fstmetrics.commands.proposals import Decisions, propose_phrases, review_proposals, rivalling
from fstmetrics.convert.network_files import ENDINGS, read_networks, write_networks
from fstmetrics.networks import Paths, network_info
from fstmetrics.networks import spu as spu_of
from fstmetrics.networks import union as union_of
from fstmetrics.networks.automata import MAX_ARCS
from fstmetrics.networks.drawing import MAX_ARCS as MAX_DRAWN_ARCS
from fstmetrics.networks.new_phrases import Phrase, check
from fstmetrics.networks.proposals import LONGEST, Proposal
from fstmetrics.networks.rivals import side_by_side
from fstmetrics.networks.sizes import MAX_EXPANDED_ARCS, MAX_STATES
from fstmetrics.readers.reading import check_paths
from fstmetrics.reports.network_tables import (
    added_lines,
    built_lines,
    held_back_line,
    info_lines,
    proposal_lines,
    proposals_lines,
    size_lines,
)
from fstmetrics.runs.option_values import (
    ARCS,
    FLAG,
    FORMAT,
    METRIC,
    PATH,
    ROWS,
    SEED,
    TEXT,
    many,
    one_of,
    whole,
    written_file,
)
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted
from fstmetrics.values.cards import parse_phrase, write_phrase
from fstmetrics.values.network import Network
from fstmetrics.values.transcripts import NOTATIONS

# Paths to list where nobody says.
LIMIT = 100
# Paths drawn of each network: some minutes.
MOST_DRAWN = 10_000_000
FAULTY = 2
# Proposals that are printed for people, where nobody says; JSON has all.
SHOWN = 20
KEYS = "a accept, r reject, e edit, Enter later, q quit"

# How networks are read.
reading_options = options_of(under(
    "",
    format=Option(FORMAT, "Format read. Default: recognised."),
    symbols=Option(
        PATH, "Symbol table (lines `word integer`) where machines hold numbers for words.", metavar="FILE",
    ),
    root=Option(
        TEXT, "The root of an archive (FAR) of cards. Default: the card that no other card calls.", metavar="NAME",
    ),
    item=Option(TEXT, "Only the network with this id, of a folder or an archive.", metavar="ID"),
))  # fmt: skip
# Where networks go, and in which format.
writing_options = options_of(under(
    "",
    output=Option(
        written_file(),
        "File to write; for several networks a new folder, which gets one file each; - is standard output. "
        "Default: -.", "-", metavar="OUT",
    ),
    to=Option(one_of(*ENDINGS), "Format written. Default: by the ending of OUT; JSON to standard output."),
    max_arcs=Option(ARCS, "Largest size of an expansion, which a single OpenFst machine holds.", MAX_ARCS),
))  # fmt: skip


@command()
@click.argument("references", metavar="REF...", nargs=-1, required=True)
@options_of(under(
    "",
    merge=Option(
        FLAG,
        "Join references where they have the same words before and after. The network then has more sentences than "
        "were written; they are counted and listed.",
    ),
    align=Option(
        many(PATH),
        "Word alignments of a REF with the source, lines of 0-0 1-2 (source word, word of REF; from 0). One for "
        "each REF, in the same order. Cards get the source words that they translate.",
        metavar="FILE", field="alignments",
    ),
    source=Option(PATH, "The source sentences, which networks then hold.", metavar="FILE"),
    added=Option(ROWS, "List at most N of the sentences that --merge added, over all networks.", 10),
    json=Option(
        FLAG, "Print one JSON object about what was built, with the sentences that --merge added.", field="as_json",
    ),
    format=Option(FORMAT, "Format read. Default: recognised."),
    alternations=Option(
        one_of(*NOTATIONS), "How plain and Kaldi text write choices; fstmetrics score --help explains them.",
    ),
))  # fmt: skip
@options_of(FIELDS)
@writing_options
def build(references: Sequence[str], added: int, as_json: bool, output: str, **options: Any) -> None:
    """Make networks of plain references, one network per sentence.

    \b
    Example:  fstmetrics network build ref1.txt ref2.txt -o networks/

    What references of a sentence have in common becomes cards that they share. Sentences pair by id where the files
    have ids, otherwise by order; then they are numbered from 0, as in n-best lists. OUT is a new folder, which gets one
    file per sentence; for a single sentence it can be a file with an ending such as .json or .cards, or standard
    output.
    """
    if as_json and output == "-":
        raise FstmetricsError(
            "--json and the network both want standard output; give the network a file: -o OUT"
        )
    built = build_networks(references, output, **options)
    found = built.added(added)
    if as_json:
        show_json(built.summary(found))
    elif output != "-":
        show(*built_lines(output, built.networks, built.in_folder))
    if options["merge"] and not as_json:
        (tell if output == "-" else show)(*added_lines(built.networks, found))
    for remark in built.remarks:
        say(remark)


@command()
@click.argument("networks", metavar="NETWORKS...", nargs=-1, required=True)
@options_of(under(
    "",
    json=Option(FLAG, "Print one JSON object per network.", field="as_json"),
    max_arcs=Option(ROWS, "Expansions of more arcs are not counted; an upper bound is printed.", MAX_EXPANDED_ARCS),
    max_states=Option(ROWS, "Distinct strings are counted where so many states suffice; 0 counts none.", MAX_STATES),
))  # fmt: skip
@reading_options
def info(networks: Sequence[str], as_json: bool, max_arcs: int, max_states: int, **reading: Any) -> None:
    """Print the size of networks: cards, states, arcs, the exact numbers of paths and strings, lengths, vocabulary.

    \b
    Example:  fstmetrics network info networks/

    NETWORKS: files or folders. No path is enumerated. Paths are accepting paths: a sentence that a network spells in
    two ways counts twice. Among strings it counts once.
    """
    for path in networks:
        for one in read_networks(path, **reading):
            found = network_info(one, max_arcs, max_states)
            if as_json:
                with whole_file("-") as stream:
                    stream.write(written_json(found.to_dict()) + "\n")
            else:
                show(*info_lines(found))


@command()
@click.argument("network", metavar="NETWORKS")
@options_of(under(
    "",
    list=Option(FLAG, "List the paths in the order of the network. This is the default.", field="listed"),
    limit=Option(ROWS, f"Paths to list of each network. Default: {LIMIT}."),
    sample=Option(
        whole(0, MOST_DRAWN), "Print N random paths of each network instead: equally likely, with replacement.",
    ),
    seed=Option(SEED, "Seed of --sample. The same seed gives the same paths.", metavar="S"),
))  # fmt: skip
@reading_options
def paths(
    network: str, listed: bool, limit: int | None, sample: int | None, seed: int | None, **reading: Any
) -> None:
    """Print paths of a network, one per line.

    \b
    Example:  fstmetrics network paths station.json --sample 10

    A sentence that the network spells in two ways comes twice. For a folder or an archive of several networks, each
    line begins with the id of its network.
    """
    if sample is not None and (listed or limit is not None):
        raise FstmetricsError("--sample draws paths, --list and --limit list them: give one or the other")
    if seed is not None and sample is None:
        raise FstmetricsError("--seed is for --sample N")
    networks = read_networks(network, **reading)
    count = LIMIT if limit is None else limit
    for one in networks:
        found = Paths(one)
        chosen = islice(found, count) if sample is None else found.sample(sample, seed)
        id = (one.id,) if len(networks) > 1 else ()
        with whole_file("-") as stream:
            stream.writelines(" ".join((*id, *words)) + "\n" for words in chosen)
        if sample is None and limit is None and found.count > count:
            say(f"{': '.join((*id, str(count)))} of {found.count} paths; --limit N lists more")


@command()
@click.argument("network", metavar="NETWORKS")
@options_of(under(
    "",
    card=Option(
        many(TEXT), "Draw this card with its calls instead of the whole network. Repeatable.",
        metavar="NAME", field="cards",
    ),
    all=Option(
        FLAG, "Draw every card with its calls, of every network. Several networks need -o FOLDER.", field="every",
    ),
    output=Option(written_file(), "File to write; - is standard output. Default: -.", "-", metavar="OUT"),
    to=Option(one_of(*DRAWINGS), "Format written. Default: by the ending of OUT; DOT to standard output."),
    max_arcs=Option(ARCS, "Largest size of a drawing.", MAX_DRAWN_ARCS),
))  # fmt: skip
@reading_options
def draw(
    network: str,
    cards: Sequence[str],
    every: bool,
    output: str,
    to: str | None,
    max_arcs: int,
    **reading: Any,
) -> None:
    """Draw a network, or cards of it.

    \b
    Example:  fstmetrics network draw station.json -o station.svg

    The whole network is drawn with every call replaced by the card that it calls. DOT is the language of Graphviz and
    needs no other program; pictures need Graphviz's program dot. --item ID draws one network of a folder or an archive,
    --all draws all of them, each into a file of OUT, which is then a new folder.
    """
    if drawn := draw_networks(network, cards, every, output, to, max_arcs, **reading):
        show(f"{output}: {counted(drawn, 'drawing')}")


@command()
@click.argument("networks", metavar="NETWORKS...", nargs=-1, required=True)
def validate(networks: Sequence[str]) -> int:
    """Check networks and print every fault, with its card.

    \b
    Example:  fstmetrics network validate networks/

    NETWORKS: files or folders, in JSON or in the text form. Remarks are about what is allowed but probably a mistake,
    for example a card that is never called. The exit status is 2 if there is a fault.
    """
    files, faulty = files_of(networks), 0
    for file in files:
        faults, remarks = faults_of(file)
        faulty += bool(faults)
        show(*faults, *remarks)
    show(f"{len(files)} network{'s' * (len(files) != 1)}, {faulty or 'none'} with faults")
    return FAULTY if faulty else 0


COMBINING = under(
    "", id=Option(TEXT, "Id of the result. Default: the id that all have in common.", metavar="ID")
)


@command()
@click.argument("networks", metavar="NETWORK...", nargs=-1, required=True)
@options_of(COMBINING)
@writing_options
def union(networks: Sequence[str], id: str | None, output: str, to: str | None, max_arcs: int) -> None:
    """Combine networks for one sentence: all paths of all of them (the standard union).

    \b
    Example:  fstmetrics network union anna.json ben.json -o both.json

    In folders and archives, the networks with the same id are combined; OUT is then a folder.
    """
    _show_combined(networks, combine_networks(union_of, networks, id, output, to, max_arcs), output)


@command()
@click.argument("networks", metavar="NETWORK...", nargs=-1, required=True)
@options_of(COMBINING)
@writing_options
def spu(networks: Sequence[str], id: str | None, output: str, to: str | None, max_arcs: int) -> None:
    """Combine networks for one sentence by the source-phrase-level union.

    \b
    Example:  fstmetrics network spu anna.json ben.json -o both.json

    Cards of different networks become one card if they translate the same source words and have a string in common. So
    a path can begin in one network and continue in another. In folders and archives, the networks with the same id are
    combined; OUT is then a folder.
    """
    found = combine_networks(spu_of, networks, id, output, to, max_arcs)
    _show_combined(networks, found, output)
    if not any(card.span for network in found.read for card in network.cards.values()):
        say("no card has a span, so this is the plain union")


def _show_combined(paths: Sequence[str], found: Combined, output: str) -> None:
    """The sizes, if the result is not what is printed."""
    if found.by_id:
        show(f"{output}: {len(found.made)} networks of {len(paths)} each")
    elif output != "-":
        show(*size_lines(list(zip([*paths, output], [*found.read, *found.made], strict=True))))


@command(
    usual=("--system", "--ref", "--held-back", "--window", "--json", "--output"),
)
@click.argument("networks", metavar="NETWORKS")
@together(
    options_of(under(
        "Input",
        system=Option(many(PATH), "Outputs of a system. Repeatable.", metavar="NAME=FILE", field="systems"),
        ref=Option(
            many(PATH), "Further references, which count as outputs do. Repeatable.",
            metavar="NAME=FILE", field="references",
        ),
        held_back=Option(
            many(PATH), "Outputs that suggest nothing: what do the proposals save on them? Repeatable.",
            metavar="NAME=FILE", field="held_back_files",
        ),
        answers=Option(
            many(PATH),
            "Proposals of people or programs as JSON (docs/proposals.md), to be ranked with the others. Repeatable.",
            metavar="FILE",
        ),
        rejected=Option(
            PATH, "Rejected phrases, which are not proposed. Default: NETWORKS.rejected.jsonl, if it is there.",
            metavar="FILE",
        ),
    )),
    options_of(under(
        "Metric",
        metric=Option(METRIC, "hyter, wer or sclite: what a distance is.", "hyter", field="metric_name"),
    )),
    options_of(HYTER),
    options_of(under(
        "Proposals",
        longest=Option(ROWS, "A phrase may replace at most N words, and by at most N words; 0 is no limit.", LONGEST),
        closer=Option(whole(1, 2**31 - 1), "Only proposals that bring at least N outputs closer.", 1),
        top=Option(ROWS, f"Only the first N proposals. Default: all; {SHOWN} are printed for people."),
    )),
    options_of(under(
        "Output",
        json=Option(FLAG, "Print one JSON object, which network review reads.", field="as_json"),
        output=Option(written_file("JSON", ".json"), "Write this JSON object to a file.", metavar="FILE"),
        prompt=Option(
            written_file(),
            "Write a prompt for each sentence, for a language model: JSON Lines; - is standard output.",
            metavar="FILE", field="prompts",
        ),
    )),
    options_of({**FORMATS_READ, **WORDS}),
)  # fmt: skip
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
    for remark in found.remarks:
        say(remark)


@command()
@click.argument("proposals", metavar="PROPOSALS")
@click.argument("networks", metavar="NETWORKS")
@options_of(under(
    "",
    accept=Option(
        many(TEXT), "Accept these proposals: ids separated by commas. Repeatable.", metavar="IDS", field="accepted",
    ),
    reject=Option(
        many(TEXT), "Reject these proposals: they are not proposed again. Repeatable.",
        metavar="IDS", field="refused",
    ),
    accept_all=Option(FLAG, "Accept all that are not rejected, here or before."),
    decisions=Option(PATH, "Lines `accept ID` or `reject ID`; # begins a comment.", metavar="FILE"),
    rejected=Option(
        PATH,
        "Where rejected phrases are remembered. Default: OUT.rejected.jsonl, with those of NETWORKS.rejected.jsonl.",
        metavar="FILE",
    ),
))  # fmt: skip
@writing_options
def review(
    proposals: str, networks: str, output: str, to: str | None, max_arcs: int, **decisions: Any
) -> None:
    """Accept and reject proposed phrases, and write the networks with those that were accepted.

    \b
    Example:  fstmetrics network review proposals.json networks/ -o networks-2/
              fstmetrics network review proposals.json nets/ --accept-all -o new/

    PROPOSALS: what network propose wrote, or JSON of the same form (docs/proposals.md). Without --accept, --reject,
    --accept-all and --decisions, each proposal is shown, and a key decides. OUT is a new file or folder. Without -o,
    only rejections are remembered, for NETWORKS.
    """
    found = review_proposals(proposals, networks, _asked, output, to, max_arcs, **decisions)
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
@writing_options
@reading_options
def normalise(network: str, output: str, to: str | None, max_arcs: int, **reading: Any) -> None:
    """Write networks with the same strings and fewer cards, states and arcs.

    \b
    Example:  fstmetrics network normalise station.json -o small.json

    NETWORKS: a file or a folder. Every card becomes deterministic and minimal, and equal cards become one. The
    sizes before and after are printed, unless the network itself is.
    """
    check_paths((network, reading["symbols"]), output)
    before = read_networks(network, **reading)
    after = [normal_network(one) for one in before]
    if write_networks(after, network, output, to, max_arcs):
        show(f"{output}: {len(after)} network{'s' * (len(after) != 1)}, {_arcs(before, after)}")
    elif output != "-":
        show(*size_lines([(network, before[0]), (output, after[0])]))


def _arcs(before: Sequence[Network], after: Sequence[Network]) -> str:
    arcs = [sum(network_info(one, max_states=0).arcs for one in side) for side in (before, after)]
    return f"{arcs[0]} arcs before, {arcs[1]} now"


@command()
@click.argument("network", metavar="NETWORKS")
@writing_options
@reading_options
def convert(network: str, output: str, to: str | None, max_arcs: int, **reading: Any) -> None:
    """Convert networks to another format.

    \b
    Example:  fstmetrics network convert networks/ -o station.cards

    NETWORKS: a file or a folder, in one of these formats or in any lattice format (without its costs). json and cards
    (the annotators' text form) hold networks as they are. openfst (binary) and att (text) hold one machine, the
    expansion. far holds one machine per card; calls are labels `[NAME]`.
    """
    check_paths((network, reading["symbols"]), output)
    networks = read_networks(network, **reading)
    if write_networks(networks, network, output, to, max_arcs):
        show(f"{output}: {len(networks)} network{'s' * (len(networks) != 1)}")
