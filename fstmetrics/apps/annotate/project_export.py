"""What comes out of a project: `networks_of` (in memory), `write_networks` and `write_combined` (a folder of files);
`read_project`, where a command takes networks.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from fstmetrics import FstmetricsError, InputError, Network
from fstmetrics.apps.annotate.progress_tables import annotator_rows, as_csv, progress_rows
from fstmetrics.apps.annotate.project_store import Annotator, Project, SourceSentence, sentence_marks
from fstmetrics.apps.annotate.sentence_cards import compiled, network_of
from fstmetrics.io.folders import ProjectNetworks
from fstmetrics.io.items import Item, Items
from fstmetrics.networks.text_form import write_text_form
from fstmetrics.networks.unions import spu, union
from fstmetrics.support.output import whole_folder, write_whole
from fstmetrics.support.printable import counted, have

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


def networks_of(project: Project, combination: Combination = "spu") -> list[Network]:
    """One network a sentence, of all annotators together; sentences without any are left out."""
    combine = spu if combination == "spu" else union
    by_sentence: dict[int, list[Network]] = {}
    for one in annotated_networks(project):
        by_sentence.setdefault(one.sentence.id, []).append(one.network)
    return [combine(*networks) for networks in by_sentence.values()]


class Lacking(NamedTuple):
    """What an export of a project lacks.

    Attributes:
        sentences: how many have no network yet.
        untranslatable: of these, how many somebody cannot translate.
        phrases: that cannot be read yet, each with where it is, for people.
    """

    sentences: int
    untranslatable: int
    phrases: list[str]


def lacking(project: Project) -> Lacking:
    """What the networks of a project do not have."""
    there = {one.sentence.id for one in annotated_networks(project)}
    sentences = project.sentences()
    phrases = [
        f"sentence {sentence.key}, card {card.name} of {annotator.name}: {phrase}"
        for sentence in sentences
        for annotator, cards in project.annotated(sentence.id).items()
        for made in [compiled(cards, project.normalisation)]
        for card in cards.values()
        for phrase in made.unread(card.name)
    ]
    without = {sentence.id for sentence in sentences} - there
    given_up = {id for (_, id), said in sentence_marks(project).items() if said.cannot_translate}
    return Lacking(len(without), len(without & given_up), phrases)


def write_networks(project: Project, path: str, to: Literal["json", "cards"] = "json") -> int:
    """Write a new folder with a folder for each annotator, in which every sentence is a file, and what was done as
    `progress.csv` and `annotators.csv`; returns how many networks.

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
    return len(found)


def write_combined(
    project: Project, path: str, combination: Combination, to: Literal["json", "cards"] = "json"
) -> int:
    """Write a new folder with a file for each sentence: the networks of all annotators as one; returns how many files.

    Raises:
        FstmetricsError: nobody has a network yet, or the folder cannot be written.
    """
    found = networks_of(project, combination)
    _refuse_nothing(project, found)
    with whole_folder(path) as folder:
        for network in found:
            _write(network, folder, to)
    return len(found)


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
        networks = networks_of(project)
        sentences = tuple(sentence.key for sentence in project.sentences())
        people = len({who for who, _, _ in project.all_cards()})
    if not networks:
        raise InputError("no sentence of this project has a network yet", path)
    remarks = []
    if lacking := len(sentences) - len(networks):
        remarks.append(
            f"{path}: {lacking} of {counted(len(sentences), 'sentence')} {have(lacking)} no network yet"
        )
    if people > 1:
        remarks.append(f"{path}: networks of {people} annotators, combined by the source-phrase-level union")
    items = tuple(Item(network.id, network) for network in networks)
    return ProjectNetworks(Items(items, ("network",), path, tuple(remarks)), sentences)
