"""What comes out of a project: `write_networks` and `write_combined` (a folder of files); `read_project`, where a
command takes networks; `lacking`, what these do not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import Literal, NamedTuple

from fstmetrics import FstmetricsError, InputError, Network
from fstmetrics.apps.annotate.progress_tables import annotator_rows, as_csv, progress_rows
from fstmetrics.apps.annotate.project_store import Annotator, Project, SourceSentence, sentence_marks
from fstmetrics.apps.annotate.sentence_cards import ROOT_ID, compiled, network_of
from fstmetrics.apps.annotate.target_units import UNSPACED_ADVICE, are_parted_by_spaces
from fstmetrics.apps.annotate.typed_alternatives import worded_phrases
from fstmetrics.io.file_format import ProjectNetworks
from fstmetrics.io.items import Item, Items
from fstmetrics.networks.text_form import write_text_form
from fstmetrics.networks.unions import spu, union
from fstmetrics.support.names import listed
from fstmetrics.support.output import whole_folder, write_whole
from fstmetrics.support.printable import counted, have
from fstmetrics.text.normalisation import runs_on

Combination = Literal["spu", "union"]


class WrittenNetwork(NamedTuple):
    """The network of an annotator for a sentence."""

    sentence: SourceSentence
    annotator: Annotator
    network: Network


def annotated_networks(project: Project) -> Iterator[WrittenNetwork]:
    """The networks of all annotators, sentence by sentence; where no whole sentence has a path, there is none."""
    for sentence in project.sentences():
        for annotator, cards in project.annotated(sentence.id).items():
            network = network_of(cards, sentence.key, sentence.source, project.normalisation)
            if network is not None:
                yield WrittenNetwork(sentence, annotator, network)


def networks_of(found: Sequence[WrittenNetwork], combination: Combination = "spu") -> list[Network]:
    """One network a sentence, of all annotators together; sentences without any are left out."""
    combine = spu if combination == "spu" else union
    by_sentence: dict[int, list[Network]] = {}
    for one in found:
        by_sentence.setdefault(one.sentence.id, []).append(one.network)
    return [combine(*networks) for networks in by_sentence.values()]


def lacking(project: Project, there: Set[int]) -> list[str]:
    """What networks of a project do not have, in lines for people: sentences, cards that are called and not written,
    phrases that do not count yet; and which of them are of sentences that somebody cannot translate.

    Args:
        project: the project.
        there: the ids of the sentences that have a network.
    """
    sentences = project.sentences()
    left_out = [
        f"sentence {sentence.key}, card {card.name} of {annotator.name}: {phrase}"
        for sentence in sentences
        for annotator, cards in project.annotated(sentence.id).items()
        for made in [compiled(cards, project.normalisation)]
        for card in cards.values()
        for phrase in made.left_out(card.name)
    ]
    unwritten = dict.fromkeys(
        f"[{card.name}] in sentence {sentence.key}"
        for sentence in sentences
        for cards in project.annotated(sentence.id).values()
        for card in cards.values()
        if not card.text.strip() and any(card.name in other.calls for other in cards.values())
    )
    run_on = [
        phrase.text
        for sentence in sentences
        for cards in project.annotated(sentence.id).values()
        for phrase in worded_phrases(cards[ROOT_ID].text, project.normalisation)
        if phrase.row and runs_on(phrase.text) and are_parted_by_spaces(project.normalisation)
    ]
    without = {sentence.id for sentence in sentences} - there
    marked = {id for (_, id), said in sentence_marks(project).items() if said.cannot_translate}
    given_up, half_done = without & marked, [each.key for each in sentences if each.id in there & marked]
    said = []
    if without:
        why = f"; {len(given_up)} cannot be translated, as annotators say" if given_up else ""
        total = counted(len(sentences), "sentence")
        said.append(f"{len(without)} of {total} {have(len(without))} no network yet{why}")
    if unwritten:
        said.append(f"cards that are called and not written yet: {listed([*unwritten], 3)}")
    if left_out:
        first = "" if len(left_out) == 1 else "the first is "
        said.append(f"{counted(len(left_out), 'unfinished phrase')} left out; {first}{left_out[0]}")
    if run_on:
        said.append(
            f"{counted(len(run_on), 'phrase')} without spaces, as {run_on[0]!r}, and spaces part words; "
            f"{UNSPACED_ADVICE}"
        )
    if half_done:
        what = counted(len(half_done), "sentence")
        said.append(
            f"{what} that cannot be translated, as annotators say, with a network: {listed(half_done, 3)}"
        )
    return [f"{project.path}: {each}" for each in said]


def write_networks(
    project: Project, path: str, to: Literal["json", "cards"] = "json"
) -> tuple[int, list[str]]:
    """Write a new folder with a folder for each annotator, in which every sentence is a file, and what was done as
    `progress.csv` and `annotators.csv`; returns how many networks, and what they lack.

    Raises:
        FstmetricsError: nobody has a network yet, or the folder cannot be written.
    """
    found = list(annotated_networks(project))
    _refuse_nothing(project, found)
    with whole_folder(path) as folder:
        for one in found:
            place = folder / one.annotator.name
            place.mkdir(exist_ok=True)
            _write(one.network, place, to)
        rows = progress_rows(project)
        write_whole(str(folder / "progress.csv"), as_csv(rows))
        write_whole(str(folder / "annotators.csv"), as_csv(annotator_rows(rows)))
    return len(found), lacking(project, {one.sentence.id for one in found})


def write_combined(
    project: Project, path: str, combination: Combination, to: Literal["json", "cards"] = "json"
) -> tuple[int, list[str]]:
    """Write a new folder with a file for each sentence: the networks of all annotators as one; returns how many files,
    and what they lack.

    Raises:
        FstmetricsError: nobody has a network yet, or the folder cannot be written.
    """
    found = list(annotated_networks(project))
    networks = networks_of(found, combination)
    _refuse_nothing(project, networks)
    with whole_folder(path) as folder:
        for network in networks:
            _write(network, folder, to)
    return len(networks), lacking(project, {one.sentence.id for one in found})


def _write(network: Network, folder: Path, to: str) -> None:
    content = network.to_json() if to == "json" else write_text_form(network)
    write_whole(str(folder / f"{network.id}.{to}"), content)


def _refuse_nothing(project: Project, found: object) -> None:
    if not found:
        raise FstmetricsError(
            f"{project.path}: no sentence has a network yet: card S of a sentence needs a phrase"
        )


def read_project(path: str) -> ProjectNetworks:
    """The networks of a project, one a sentence, of all annotators together by the source-phrase-level union.

    Raises:
        InputError: no sentence has a network yet, or the project cannot be read.
    """
    with Project.read(path) as project:
        found = list(annotated_networks(project))
        networks = networks_of(found)
        remarks = lacking(project, {one.sentence.id for one in found})
        sentences = tuple(sentence.key for sentence in project.sentences())
        people = len({who for who, _, _ in project.all_cards()})
    if not networks:
        why = "; ".join(remark.removeprefix(f"{path}: ") for remark in remarks[1:])
        raise InputError(f"no sentence of this project has a network yet{why and f'; {why}'}", path)
    if people > 1:
        remarks.append(f"{path}: networks of {people} annotators, combined by the source-phrase-level union")
    items = tuple(Item(network.id, network) for network in networks)
    return ProjectNetworks(Items(items, ("network",), path, tuple(remarks)), sentences)
