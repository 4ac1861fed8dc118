"""The commands `network propose` and `network review`, and their calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import click

from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.option_tables import (
    REQUEST,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    of_metrics,
    path_of,
    under,
)
from fstmetrics.cli.terminal import say, show, show_json
from fstmetrics.commands.networks import (
    WRITING,
    arcs_before_and_after,
)
from fstmetrics.convert.network_files import read_networks, write_networks
from fstmetrics.data.cards import parse_phrase, write_phrase
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.network import Network
from fstmetrics.io.reading import check_paths
from fstmetrics.metrics import Metric
from fstmetrics.metrics.registry import METRIC
from fstmetrics.networks.automata import from_lattice
from fstmetrics.networks.distances import HeldBack, distance_metric, held_back
from fstmetrics.networks.new_phrases import Phrase, accept, check
from fstmetrics.networks.proposal_prompts import ANSWER_SCHEMA, prompt
from fstmetrics.networks.proposals import (
    FORMAT,
    LONGEST,
    Proposal,
    propose,
    ranked,
    read_proposals,
    read_rejected,
    rejected_lines,
    rejected_path,
    side_by_side,
    with_rivals,
)
from fstmetrics.reports.network_tables import (
    held_back_line,
    proposal_lines,
    proposals_lines,
)
from fstmetrics.scoring.request import Request, fields_of
from fstmetrics.significance.system_outputs import names_of, read_columns
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.names import listed
from fstmetrics.support.options import (
    FLAG,
    PATH,
    ROWS,
    TEXT,
    Option,
    many,
    option,
    options_of_fields,
    whole,
    written_file,
)
from fstmetrics.support.output import write_whole
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import ticks
from fstmetrics.support.source import Source, named_path

# How many ids a message names before it only counts.
NAMED = 5
# Proposals that are printed for people, where nobody says; JSON has all.
SHOWN = 20


@dataclass(frozen=True)
class ProposeOptions:
    """Options of `network propose` beside those of every run."""

    systems: Sequence[str] = option(
        (), many(PATH), "Outputs of a system. Repeatable.", "NAME=FILE", name="system"
    )
    references: Sequence[str] = option(
        (), many(PATH), "Further references, which count as outputs do. Repeatable.", "NAME=FILE", name="ref"
    )
    held_back_files: Sequence[str] = option(
        (),
        many(PATH),
        "Outputs that suggest nothing: what do the proposals save on them? Repeatable.",
        "NAME=FILE",
        name="held_back",
    )
    answers: Sequence[str] = option(
        (),
        many(PATH),
        "Proposals of people or programs as JSON (docs/proposals.md), to be ranked with the others. Repeatable.",
        "FILE",
    )
    rejected: str | None = option(
        None,
        PATH,
        "Rejected phrases, which are not proposed. Default: NETWORKS.rejected.jsonl, if it is there.",
        "FILE",
    )
    metric_name: str = option("hyter", METRIC, "hyter, wer or sclite: what a distance is.", name="metric")
    longest: int = option(
        LONGEST, ROWS, "A phrase may replace at most N words, and by at most N words; 0 is no limit."
    )
    closer: int = option(1, whole(1, 2**31 - 1), "Only proposals that bring at least N outputs closer.")
    top: int | None = option(
        None, ROWS, f"Only the first N proposals. Default: all; {SHOWN} are printed for people."
    )
    output: str | None = option(
        None, written_file("JSON", ".json"), "Write this JSON object to a file.", "FILE"
    )
    prompts: str | None = option(
        None,
        written_file(),
        "Write a prompt for each sentence, for a language model: JSON Lines; - is standard output.",
        "FILE",
        name="prompt",
    )


ASKED = options_of_fields(ProposeOptions)
PROPOSING: Options = {
    **under("Input", ASKED, "system", "ref", "held_back", "answers", "rejected"),
    **under("Metric", ASKED, "metric"),
    **of_metrics("hyter"),
    **under("Proposals", ASKED, "longest", "closer", "top"),
    **under(
        "Output", json=REQUEST["json"]._replace(help="Print one JSON object, which network review reads.")
    ),
    **under("Output", ASKED, "output", "prompt"),
    **under("Input", REQUEST, "format", "ref_format"),
    **WORDS,
}
REVIEWING: Options = {
    **under(
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
            "Where rejected phrases are remembered. Default: OUT.rejected.jsonl, with those of "
            "NETWORKS.rejected.jsonl.",
            metavar="FILE",
        ),
    ),
    **WRITING,
}  # fmt: skip


class Proposed(NamedTuple):
    """Phrases that are proposed.

    Attributes:
        proposals: the best ones.
        found: how many there are.
        held_back: what they save on outputs that suggested nothing, by system.
        document: all that as JSON, which `network review` reads.
        remarks: how files were read, and what is not proposed again.
    """

    proposals: Sequence[Proposal]
    found: int
    held_back: Mapping[str, HeldBack]
    document: dict[str, Any]
    remarks: Sequence[str]


def network_propose_files(networks: PathLike, **options: Any) -> Proposed:
    """Propose phrases that cards lack, as `fstmetrics network propose` does.

    Args:
        networks: a file or folder.
        options: those of the command: `system=["a=a.txt"]`, `top=10`. With `output`, the proposals are written, too.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.
    """
    name = "network_propose_files"
    return propose_phrases(path_of(name, networks), fields_of_options(name, PROPOSING, options))


def propose_phrases(networks: str, options: dict[str, Any]) -> Proposed:
    """The same by the fields of `PROPOSING`.

    Raises:
        FstmetricsError: files that cannot be read or do not pair, or as of `propose`.
    """
    options = dict(options)
    own = fields_of(ProposeOptions, options)
    files = [named_path(one)[1] for one in (*own.systems, *own.references, *own.held_back_files)]
    check_paths([networks, *files, *own.answers, own.rejected], own.output, own.prompts)
    (chosen,) = options.pop("parameters").metrics([own.metric_name])
    metric = distance_metric(chosen)
    asked = Request(**options)
    sentences, remarks = _sentences(networks, asked, own)
    by_id = {one.network.id: one.network for one in sentences}
    given: dict[str, dict[Phrase, Proposal]] = {}
    for path in own.answers:
        for answer in read_proposals(path, by_id):
            given.setdefault(answer.phrase.network, {})[answer.phrase] = answer
    remembered = rejected_path(networks, own.rejected)
    refused = read_rejected(remembered, needed=own.rejected is not None)
    if refused:
        remarks = (*remarks, f"{remembered}: {counted(len(refused), 'rejected phrase')}, not proposed again")
    for one in ticks(sentences, "proposing", len(sentences)):
        try:
            found = propose(
                one.network, one.systems, one.references, metric=metric, normalisation=asked.normalisation,
                longest=own.longest, rejected=refused, given=list(given.get(one.network.id, {}).values()),
            )  # fmt: skip
        except FstmetricsError as error:
            raise _of_network(one.network, error) from None
        one.found = [each for each in found if each.closer >= own.closer or each.by or each.note]
    best = ranked(each for one in sentences for each in one.found)
    kept = rivalling(best if own.top is None else best[: own.top], by_id)
    sums = _held_back(sentences, kept, metric, asked) if own.held_back_files else {}
    if own.prompts:
        _write_prompts(own.prompts, sentences)
    document = _document(metric, sentences, kept, len(best), sums)
    if own.output:
        write_whole(own.output, written_json(document) + "\n")
    return Proposed(kept, len(best), sums, document, remarks)


def rivalling(proposals: Sequence[Proposal], networks: Mapping[str, Network]) -> list[Proposal]:
    """Proposals for any networks with their rivals, in the same order."""
    by_network: dict[str, list[Proposal]] = {}
    for one in proposals:
        by_network.setdefault(one.phrase.network, []).append(one)
    found = {each.phrase: each for id, some in by_network.items() for each in with_rivals(networks[id], some)}
    return [found[one.phrase] for one in proposals]


def _of_network(network: Network, error: FstmetricsError) -> FstmetricsError:
    begin = "" if not network.id or repr(network.id) in str(error) else f"network {network.id!r}: "
    return FstmetricsError(f"{begin}{error}")


@dataclass
class _Sentence:
    """A network, the outputs for it, and what is proposed."""

    network: Network
    systems: dict[str, Any] = field(default_factory=dict)
    references: dict[str, Any] = field(default_factory=dict)
    held_back: dict[str, Any] = field(default_factory=dict)
    found: list[Proposal] = field(default_factory=list)


def _sentences(networks: str, asked: Request, own: ProposeOptions) -> tuple[list[_Sentence], tuple[str, ...]]:
    """The sentences, and remarks on how files were read."""
    systems, references, others = own.systems, own.references, own.held_back_files
    files = (*systems, *references, *others)
    if not files:
        return [_Sentence(one) for one in named(read_networks(networks))], ()
    names = names_of(files)
    columns = read_columns(asked, files, (), networks)
    assert columns.networks is not None
    kinds = ("systems",) * len(systems) + ("references",) * len(references) + ("held_back",) * len(others)
    for name in names:
        if not all(isinstance(text, str | list | tuple) for text in columns.systems[name]):
            raise FstmetricsError(f"{name}: expected one sentence an item, without choices")
    made: list[_Sentence] = []
    for number, network in enumerate(named([_network(one) for one in columns.networks])):
        sentence = _Sentence(network)
        for name, kind in zip(names, kinds, strict=True):
            getattr(sentence, kind)[name] = columns.systems[name][number]
        made.append(sentence)
    return made, columns.remarks


def _network(value: Any) -> Network:
    if isinstance(value, Network):
        return value
    if isinstance(value, Lattice):
        return from_lattice(value)
    raise FstmetricsError("NETWORKS holds plain references; network build makes networks of them")


def named(networks: Sequence[Network]) -> list[Network]:
    """Networks that all have ids, by which proposals name them."""
    alone = len(networks) == 1
    named = [
        one if one.id or alone else one.changed(id=str(number)) for number, one in enumerate(networks, 1)
    ]
    ids = [one.id for one in named]
    if twice := next((id for id in ids if ids.count(id) > 1), None) if len(set(ids)) < len(ids) else None:
        raise FstmetricsError(f"two networks have the id {twice!r}, so a proposal could be for either")
    return named


def _held_back(
    sentences: Sequence[_Sentence], kept: Sequence[Proposal], metric: Metric, asked: Request
) -> dict[str, HeldBack]:
    """What all proposals save on outputs that did not suggest them, when all are accepted."""
    sums: dict[str, HeldBack] = {}
    phrases: dict[str, list[Phrase]] = {}
    for one in kept:
        phrases.setdefault(one.phrase.network, []).append(one.phrase)
    for sentence in ticks(sentences, "held back", len(sentences)):
        theirs = phrases.get(sentence.network.id, [])
        try:
            wider = accept(sentence.network, theirs)
            found = held_back(
                sentence.network, wider, theirs, sentence.held_back,
                metric=metric, normalisation=asked.normalisation,
            )  # fmt: skip
        except FstmetricsError as error:
            raise _of_network(sentence.network, error) from None
        for name, saved in found.items():
            sums[name] = sums.get(name, HeldBack()) + saved
    return sums


def _write_prompts(path: str, sentences: Sequence[_Sentence]) -> None:
    lines = []
    for one in sentences:
        text = prompt(one.network, {**one.systems, **one.references}, ranked(one.found))
        line = {"network": one.network.id, "prompt": text, "schema": ANSWER_SCHEMA}
        lines.append(written_json(line) + "\n")
    write_whole(path, "".join(lines))


def _document(
    metric: Metric,
    sentences: Sequence[_Sentence],
    kept: Sequence[Proposal],
    count: int,
    sums: dict[str, HeldBack],
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "format": FORMAT,
        "metric": {"name": metric.name, **metric.settings()},
        "networks": len(sentences),
        "systems": list(sentences[0].systems),
        "references": list(sentences[0].references),
        "left_out": count - len(kept),
    }
    if sums:
        found["held_back"] = {name: one.as_dict() for name, one in sums.items()}
    return found | {"proposals": [one.as_dict() for one in kept]}


@dataclass
class Decisions:
    """What is decided of proposals."""

    accepted: dict[Phrase, None] = field(default_factory=dict)
    rejected: dict[Phrase, None] = field(default_factory=dict)


class Reviewed(NamedTuple):
    """What came of a review.

    Attributes:
        decided: what was accepted and rejected.
        offered: how many proposals there were, without those that had been rejected before.
        rejected_before: how many had been.
        before, after: the networks.
        rejections: the file that remembers rejected phrases; None where there are none.
    """

    decided: Decisions
    offered: int
    rejected_before: int
    before: Sequence[Network]
    after: Sequence[Network]
    rejections: str | None


def network_review_files(proposals: PathLike, networks: PathLike, **options: Any) -> Reviewed:
    """Accept and reject proposed phrases, as `fstmetrics network review` does; nobody is asked.

    Args:
        proposals, networks: files, or a folder of networks.
        options: those of the command: `accept="ID,ID"`, `accept_all=True`, `output="wider.json"`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses, or nothing is decided.
    """
    name = "network_review_files"
    given = fields_of_options(name, REVIEWING, options)
    return review_proposals(path_of(name, proposals), path_of(name, networks), _nobody, **given)


def _nobody(offered: Sequence[Proposal], networks: Mapping[str, Network]) -> Decisions:
    raise FstmetricsError("nothing is decided: give accept, reject, accept_all or decisions")


def review_proposals(
    proposals: str,
    networks: str,
    ask: Callable[[Sequence[Proposal], Mapping[str, Network]], Decisions],
    output: str | None,
    to: str | None,
    max_arcs: int,
    *,
    accepted: Sequence[str] = (),
    refused: Sequence[str] = (),
    accept_all: bool = False,
    decisions: str | None = None,
    rejected: str | None = None,
) -> Reviewed:
    """The same by the fields of `REVIEWING`; `ask` decides where nothing else does.

    Raises:
        FstmetricsError: a proposal that there is not, or phrases that networks cannot have.
    """
    output = None if output == "-" else output  # networks are not printed
    check_paths([proposals, networks, decisions], output)
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
        decided = ask(offered, by_id)
    if decided.accepted and output is None:
        raise FstmetricsError("accepted phrases need networks to be in: -o OUT")
    wider = [accept(one, [each for each in decided.accepted if each.network == one.id]) for one in read]
    target = networks if output is None else output
    if output is not None:
        write_networks(wider, networks, output, to, max_arcs)
    path = rejected_path(target, rejected)
    together = {one: None for one in {**known, **decided.rejected} if one not in decided.accepted}
    if path is not None and (together or known):
        write_whole(path, rejected_lines(together))
    asked = {**decided.accepted, **decided.rejected}
    before = sum(one.phrase in known and one.phrase not in asked for one in offered)
    remembered = path if together else None
    return Reviewed(decided, len(offered) - before, before, read, wider, remembered)


def _decisions(
    offered: Sequence[Proposal], accepted: Sequence[str], refused: Sequence[str], path: str | None
) -> Decisions:
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
    return Decisions({by_id[id]: None for id in accept_ids}, {by_id[id]: None for id in reject_ids})


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


# Proposals that are printed for people, where nobody says; JSON has all.
SHOWN = 20


KEYS = "a accept, r reject, e edit, Enter later, q quit"


@command(usual=("--system", "--ref", "--held-back", "--window", "--json", "--output"))
@click.argument("networks", metavar="NETWORKS")
@options_of(PROPOSING)
def propose_command(networks: str, as_json: bool, **options: Any) -> None:
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
def review_command(proposals: str, networks: str, output: str | None, **options: Any) -> None:
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
        show(
            f"{output}: {counted(len(found.after), 'network')}, {arcs_before_and_after(found.before, found.after)}"
        )
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
