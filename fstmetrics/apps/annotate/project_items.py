"""Projects of the annotation tool as inputs, where a command takes networks: `read_project`."""

from __future__ import annotations

from fstmetrics.apps.annotate.project_export import networks_of
from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.io.folders import ProjectNetworks
from fstmetrics.io.items import Item, Items
from fstmetrics.support.errors import InputError
from fstmetrics.support.printable import counted, have


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
