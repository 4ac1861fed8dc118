"""`fstmetrics network propose`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from fstmetrics.cli.network_command.network_options import read_networks, with_id
from fstmetrics.cli.network_command.proposal_files import read_proposals, read_rejected, rejected_path
from fstmetrics.cli.option_types import METRIC, ROWS, Output, OutputFile, Whole
from fstmetrics.cli.options import (
    HYTER_PARAMETERS,
    command,
    format_options,
    group,
    option,
    together,
    word_options,
)
from fstmetrics.cli.terminal import bar, say, show, show_json
from fstmetrics.evaluation.systems import named_path, names_of, read_columns
from fstmetrics.metrics import Metric
from fstmetrics.networks.automata import from_lattice
from fstmetrics.networks.distances import distance_metric
from fstmetrics.networks.held_back_outputs import HeldBack, held_back
from fstmetrics.networks.new_phrases import Phrase, accept
from fstmetrics.networks.proposal_prompts import ANSWER_SCHEMA
from fstmetrics.networks.proposal_prompts import prompt as prompt_of
from fstmetrics.networks.proposals import FORMAT, LONGEST, Proposal, ranked
from fstmetrics.networks.proposals import propose as proposals_of
from fstmetrics.networks.rivals import side_by_side, with_rivals
from fstmetrics.readers.reading import check_paths
from fstmetrics.runs.request import MetricParameters, Request, fields_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.output import write_whole
from fstmetrics.support.printable import counted
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.network import Network

# Proposals that are printed for people, where nobody says; JSON has all.
SHOWN = 20
# Words of a phrase that are printed; of a longer one, as a whole sentence, what changes says all.
LONG = 12


@command(usual=("--system", "--ref", "--held-back", "--window", "--json", "--output"))
@click.argument("networks", metavar="NETWORKS")
@together(
    group(
        "Input",
        option("--system", "systems", multiple=True, metavar="NAME=FILE",
               help="Outputs of a system. Repeatable."),
        option("--ref", "references", multiple=True, metavar="NAME=FILE",
               help="Further references, which count as outputs do. Repeatable."),
        option("--held-back", "held_back_files", multiple=True, metavar="NAME=FILE",
               help="Outputs that suggest nothing: what do the proposals save on them? Repeatable."),
        option("--answers", multiple=True, metavar="FILE",
               help="Proposals of people or programs as JSON (docs/proposals.md), to be ranked with the others. "
                    "Repeatable."),
        option("--rejected", metavar="FILE",
               help="Rejected phrases, which are not proposed. Default: NETWORKS.rejected.jsonl, if it is there."),
    ),
    group(
        "Metric",
        option("--metric", "metric_name", type=METRIC, default="hyter", show_default=True,
               help="hyter, wer or sclite: what a distance is."),
        *HYTER_PARAMETERS,
    ),
    group(
        "Proposals",
        option("--longest", type=ROWS, default=LONGEST, show_default=True, metavar="N",
               help="A phrase may replace at most N words, and by at most N words; 0 is no limit."),
        option("--closer", type=Whole(1, 2**31 - 1), default=1, show_default=True, metavar="N",
               help="Only proposals that bring at least N outputs closer."),
        option("--top", type=ROWS, metavar="N",
               help=f"Only the first N proposals. Default: all; {SHOWN} are printed for people."),
    ),
    group(
        "Output",
        option("--json", "as_json", is_flag=True, help="Print one JSON object, which network review reads."),
        option("-o", "--output", type=OutputFile("JSON", ".json"), metavar="FILE",
               help="Write this JSON object to a file."),
        option("--prompt", "prompts", type=Output(), metavar="FILE",
               help="Write a prompt for each sentence, for a language model: JSON Lines; - is standard output."),
    ),
    format_options,
    word_options,
)  # fmt: skip
def propose(
    networks: str, systems: tuple[str, ...], references: tuple[str, ...], held_back_files: tuple[str, ...],
    answers: tuple[str, ...], rejected: str | None, metric_name: str, longest: int, closer: int,
    top: int | None, as_json: bool, output: str | None, prompts: str | None, **options: Any,
) -> None:  # fmt: skip
    """Propose phrases that cards lack, from the outputs of systems and from further references.

    \b
    Example:  fstmetrics network propose nets/ --system a=a.txt --system b=b.txt

    Where an output differs from its closest path, the output's words could be a phrase of a card. Each such phrase is
    tried: it is added, and all distances are computed again. Those that save most edits over all outputs come first.
    Systems make errors, so somebody has to look: network review takes what is accepted and what is rejected.
    """
    if as_json and prompts == "-":
        raise FstmetricsError("--json and --prompt - both want standard output; give one of them a file")
    files = [named_path(one)[1] for one in (*systems, *references, *held_back_files)]
    check_paths([networks, *files, *answers, rejected], output, prompts)
    (chosen,) = fields_of(MetricParameters, options).metrics([metric_name])
    metric = distance_metric(chosen)
    asked = Request(**options)
    sentences, remarks = _sentences(networks, asked, systems, references, held_back_files)
    by_id = {one.network.id: one.network for one in sentences}
    given: dict[str, dict[Phrase, Proposal]] = {}
    for path in answers:
        for answer in read_proposals(path, by_id):
            given.setdefault(answer.phrase.network, {})[answer.phrase] = answer
    remembered = rejected_path(networks, rejected)
    refused = read_rejected(remembered, needed=rejected is not None)
    if refused:
        remarks = (*remarks, f"{remembered}: {counted(len(refused), 'rejected phrase')}, not proposed again")
    for one in bar(sentences, len(sentences), "proposing"):
        try:
            found = proposals_of(
                one.network, one.systems, one.references, metric=metric, normalisation=asked.normalisation,
                longest=longest, rejected=refused, given=list(given.get(one.network.id, {}).values()),
            )  # fmt: skip
        except FstmetricsError as error:
            raise _of_network(one.network, error) from None
        one.found = [each for each in found if each.closer >= closer or each.by or each.note]
    best = ranked(each for one in sentences for each in one.found)
    kept = rivalling(best if top is None else best[:top], by_id)
    sums = _held_back(sentences, kept, metric, asked) if held_back_files else {}
    if prompts:
        _write_prompts(prompts, sentences)
    document = _document(metric, sentences, kept, len(best), sums)
    if output:
        write_whole(output, written_json(document) + "\n")
    if as_json:
        show_json(document)
    elif prompts != "-":
        _print(kept, top, len(best), sums, output)
    for remark in remarks:
        say(remark)


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


def _sentences(
    networks: str, asked: Request, systems: Sequence[str], references: Sequence[str], others: Sequence[str]
) -> tuple[list[_Sentence], tuple[str, ...]]:
    """The sentences, and remarks on how files were read."""
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
    named = [one if one.id or alone else with_id(one, str(number)) for number, one in enumerate(networks, 1)]
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
    for sentence in bar(sentences, len(sentences), "held back"):
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
        text = prompt_of(one.network, {**one.systems, **one.references}, ranked(one.found))
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


def _print(
    kept: Sequence[Proposal], top: int | None, count: int, sums: dict[str, HeldBack], output: str | None
) -> None:
    shown = kept if top is not None else kept[:SHOWN]
    for first, *others in side_by_side(shown):
        show(*proposal_lines(first, LONG))
        for rival in others:
            show(*proposal_lines(rival, LONG, is_rival=True))
    rest = f"; {len(shown)} of them above" if len(shown) < count else ""
    if output and len(kept) < count:
        rest += f"; only these are in {output}, as --top {top} asks for"
    elif output:
        rest += f"; all are in {output}"
    show(f"{counted(count, 'proposal')}{rest}")
    for name, one_sum in sums.items():
        show(*_sum_lines(name, one_sum))


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


def _sum_lines(name: str, one: HeldBack) -> Iterator[str]:
    yield (
        f"held back, {name}: {one.before:g} edits before, {one.after:g} after; "
        f"{one.closer} of {counted(one.outputs, 'output')} closer; "
        f"{one.used} of {counted(one.added, 'new phrase')} on a closest path"
    )
