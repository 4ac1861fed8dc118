"""Projects of the annotation tool as inputs, where a command takes networks: `project_items`."""

from __future__ import annotations

from fstmetrics.annotate.project_export import networks_of
from fstmetrics.annotate.project_store import Project
from fstmetrics.readers.items import Item, Items
from fstmetrics.support.errors import InputError
from fstmetrics.support.printable import counted


def project_items(path: str) -> Items:
    """The networks of a project, one a sentence, of all annotators together by the source-phrase-level union.

    Raises:
        InputError: no sentence has a network yet, or the project cannot be read.
    """
    with Project.read(path) as project:
        networks = networks_of(project)
        sentences, people = len(project.sentences()), len({who for who, _, _ in project.all_cards()})
    if not networks:
        raise InputError("no sentence of this project has a network yet", path)
    remarks = []
    if len(networks) < sentences:
        remarks.append(
            f"{path}: {sentences - len(networks)} of {counted(sentences, 'sentence')} have no network yet"
        )
    if people > 1:
        remarks.append(f"{path}: networks of {people} annotators, combined by the source-phrase-level union")
    return Items(tuple(Item(network.id, network) for network in networks), ("network",), path, tuple(remarks))
