"""Networks from files and to files: `read_networks`, `write_networks`, and `rows_by_id`, several files side by side.

A single OpenFst machine holds a network expanded, an archive (FAR) holds a machine a card: labels `[NAME]` are calls
of the machine under the key NAME. Neither has a place for spans, sources or costs.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Literal, TypeVar

from fstmetrics.data.lattice import Lattice
from fstmetrics.data.network import Network
from fstmetrics.io import read_items
from fstmetrics.io.file_format import project_reader
from fstmetrics.io.formats.att import att_text
from fstmetrics.io.formats.far import archive
from fstmetrics.io.formats.openfst_binary import vector_bytes
from fstmetrics.io.ids import count_in_order
from fstmetrics.io.written_words import check_words
from fstmetrics.networks.automata import MAX_ARCS, expanded, from_lattice, from_machines
from fstmetrics.networks.calls import refuse_costs
from fstmetrics.networks.text_form import write_text_form
from fstmetrics.scoring.why_unpaired import half_with_ids
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import listed
from fstmetrics.support.output import whole_folder, write_whole
from fstmetrics.support.progress import listener
from fstmetrics.support.source import stem

Value = TypeVar("Value")
# What is done with an id that a file lacks.
Missing = Literal["error", "skip", "without"]

# How many ids a message names before it only counts.
NAMED = 5
# What `network convert --to` takes, and the endings of file names that mean it.
ENDINGS = {
    "json": (".json",),
    "cards": (".cards",),
    "openfst": (".fst",),
    "far": (".far",),
    "att": (".fst.txt", ".att", ".txt.fst", ".fsm"),
}


def file_content(network: Network, format: str, max_arcs: int = MAX_ARCS) -> str | bytes:
    """The network as a file's content.

    Args:
        network: what to write.
        format: a name of `ENDINGS`: json, cards (text form), openfst (binary) and att (text), which hold the
            expansion, or far, which holds a machine a card.
        max_arcs: how large an expansion may be.

    Raises:
        FstmetricsError: the format cannot hold the network.
    """
    if format == "json":
        return network.to_json()
    refuse_costs([network], f"the format {format}")
    if format == "cards":
        return write_text_form(network)
    if format == "far":
        return b"".join(archive(network))
    lattice = expanded(network, max_arcs)
    if format == "att":
        return "".join(att_text(lattice))
    check_words(lattice.symbols)
    return vector_bytes(lattice.automaton, symbols=lattice.symbols)


def read_networks(
    path: str,
    format: str | None = None,
    symbols: str | None = None,
    root: str | None = None,
    item: str | None = None,
) -> list[Network]:
    """Every network of a file or folder, or the one of an id.

    Lattices count as networks of one card, an archive of machines (FAR) as one network.

    Raises:
        FstmetricsError: the path cannot be read, holds something else, or nothing of that id.
    """
    networks = _networks(path, format, symbols, root)
    if item is None:
        return networks
    if not (found := [network for network in networks if network.id == item]):
        raise InputError(f"there is no network {item!r}; there are {_named_ids(networks)}", path)
    return found


def _named_ids(networks: Sequence[Network]) -> str:
    """Ids for a message, the first few of many."""
    ids = [network.id or "(no id)" for network in networks]
    return listed(ids, NAMED)


def _networks(path: str, format: str | None, symbols: str | None, root: str | None) -> list[Network]:
    if format is None and (read_project := project_reader(path)):
        items = read_project(path).items
        for remark in items.remarks:
            listener.get().say(remark)
    else:
        items = read_items(path, format=format, symbols=symbols)
    if not items.items:
        raise InputError("holds no network", path)
    values = [item.value for item in items.items]
    if not all(isinstance(value, Network | Lattice) for value in values):
        raise InputError(f"expected a network, found format {', '.join(items.formats)}", path)
    if root is not None and items.formats != ("far",):
        raise InputError(f"--root is for archives (far); this is {', '.join(items.formats)}", path)
    try:
        if items.formats == ("far",):
            id = "" if path == "-" else stem(path)
            return [from_machines({value.id: value for value in values}, root, id)]
        networks = [value if isinstance(value, Network) else from_lattice(value) for value in values]
        if len(networks) > 1:  # as everywhere, items without ids have their numbers
            return [
                network if network.id else network.changed(id=str(n)) for n, network in enumerate(networks, 1)
            ]
        is_unnamed = path == "-" and networks[0].id == "-"  # standard input has no name that could be an id
        return [networks[0].changed(id="")] if is_unnamed else networks
    except InputError:
        raise
    except FstmetricsError as error:
        raise InputError(str(error), path) from None


def read_network(path: str, **reading: Any) -> Network:
    """The one network of a file; errors as of `read_networks`, or if there are several."""
    networks = read_networks(path, **reading)
    if len(networks) != 1:
        raise InputError(
            f"expected one network, found {len(networks)}: {_named_ids(networks)}; choose one with --item ID",
            path,
        )
    return networks[0]


def write_network(network: Network, path: str, to: str | None, max_arcs: int) -> None:
    """Write a network in the format asked for.

    Raises:
        FstmetricsError: no format that the path's ending names, a network that the format cannot hold, or a file
            that cannot be written.
    """
    write_whole(path, file_content(network, to or _format_of(path), max_arcs))


def named_format(path: str) -> str | None:
    """The format that a path's ending names, or None."""
    return next((name for name, endings in ENDINGS.items() if path.endswith(endings)), None)


def _format_of(path: str) -> str:
    if path == "-":
        return "json"
    if named := named_format(path):
        return named
    known = ", ".join(f"{ending} ({name})" for name, endings in ENDINGS.items() for ending in endings[:1])
    raise FstmetricsError(
        f"{path}: the ending names no format that is written, which are {known}; or give --to"
    )


def rows_by_id(
    paths: Sequence[str],
    sides: Sequence[Sequence[tuple[str | None, Value]]],
    missing: Missing = "error",
    by_order: str = "",
) -> list[tuple[str, list[Value]]]:
    """The items of several files that belong together: by id where all have ids, by order otherwise.

    Args:
        paths: the files, for messages.
        sides: of each file, ids and items.
        missing: what is done with an id that some file lacks: refused, left out (`skip`), or kept `without` that file.
        by_order: how to say that order pairs, where the command takes that.

    Returns:
        Ids in the order of the first file, and the items of every file that has them. Where there are no ids they are
        numbers from 0, as decoders count sentences, or "" for a single item.

    Raises:
        FstmetricsError: an id, or a number of items, that some file lacks; or ids in some files only, unless they count
            the items in their order, or there is one item.
    """
    if not all(id is not None for side in sides for id, _ in side):
        _refuse_half_with_ids(paths, [[id for id, _ in side] for side in sides], by_order)
        if len({len(side) for side in sides}) > 1:
            counts = ", ".join(f"{len(side)} in {path}" for path, side in zip(paths, sides, strict=True))
            raise FstmetricsError(f"numbers of items differ: {counts}; not all have ids to pair them by")
        alone = len(sides[0]) == 1  # the file it is written to names it
        rows = enumerate(zip(*sides, strict=True))
        return [("" if alone else str(n), [value for _, value in row]) for n, row in rows]
    tables = [{str(id): value for id, value in side} for side in sides]
    ids = list(dict.fromkeys(id for table in tables for id in table))
    for path, table in zip(paths, tables, strict=True):
        if missing == "error" and (lacking := [id for id in ids if id not in table]):
            raise FstmetricsError(f"{path}: nothing for {listed(lacking)}, which others have")
    by_id = {id: [table[id] for table in tables if id in table] for id in ids}
    kept = [(id, row) for id, row in by_id.items() if missing != "skip" or len(row) == len(tables)]
    if not kept:
        raise FstmetricsError(f"no id is in all of {listed(list(paths))}: nothing is left")
    return kept


def _refuse_half_with_ids(paths: Sequence[str], sides: Sequence[Sequence[str | None]], by_order: str) -> None:
    without = next(path for path, ids in zip(paths, sides, strict=True) if None in ids)
    for path, ids in zip(paths, sides, strict=True):
        if None not in ids and len(ids) > 1 and count_in_order(ids) is None:
            raise half_with_ids(path, ids, without, by_order=by_order)


def wants_folder(path: str, endings: Collection[str] = ()) -> bool:
    """Whether a path to write to is a folder's: its ending names no format, and no file or device is there.

    Args:
        path: where to write.
        endings: further endings of files, without a dot.
    """
    named = named_format(path) is not None or path.rpartition(".")[2] in endings
    return path != "-" and not named and (os.path.isdir(path) or not os.path.exists(path))


def write_networks(networks: Sequence[Network], given: str, path: str, to: str | None, max_arcs: int) -> bool:
    """Write what was made of a file or folder: one network to a file, several, or those of a folder, to a folder.

    Args:
        networks: what to write.
        given: the path that they were read from.
        path: where to write them.
        to: the format, or None for what the path says.
        max_arcs: how large an expansion may be.

    Returns:
        Whether they went to a folder.

    Raises:
        FstmetricsError: as of `write_network` and `write_folder`.
    """
    if len(networks) > 1 or (os.path.isdir(given) and wants_folder(path)):
        write_folder(networks, path, to, max_arcs)
        return True
    write_network(networks[0], path, to, max_arcs)
    return False


def write_folder(networks: Sequence[Network], path: str, to: str | None, max_arcs: int) -> None:
    """Write networks into a new folder, a file each, which has the network's id as its name.

    Raises:
        FstmetricsError: standard output or a file's name, a folder that holds something, an id that comes twice or can
            be no file's name, or as of `write_network`.
    """
    if path == "-":
        raise FstmetricsError(f"{len(networks)} networks need a folder: -o FOLDER")
    if named := named_format(path):
        form = "cards, json or openfst" if named == "far" else named  # a folder of archives is no networks
        raise FstmetricsError(
            f"{path}: {len(networks)} networks need a folder, and this names a file; -o FOLDER --to {form} writes a "
            "file each into one"
        )
    names = file_names(networks)
    ending = ENDINGS[to or "json"][0]
    with whole_folder(path) as folder:
        for name, network in names.items():
            write_network(network, str(folder / f"{name}{ending}"), to or "json", max_arcs)


def file_names(networks: Sequence[Network]) -> dict[str, Network]:
    """Networks by their ids, which are to be names of files.

    Raises:
        FstmetricsError: an id that comes twice or can be no file's name.
    """
    ids = Counter(network.id for network in networks)
    if twice := [id for id, count in ids.items() if id and count > 1]:
        raise FstmetricsError(f"two networks have the id {twice[0]!r}, so they would be one file")
    for network in networks:
        if not network.id or network.id.startswith(".") or set("/\0") & set(network.id):
            raise FstmetricsError(f"the id {network.id!r} cannot be a file's name")
    return {network.id: network for network in networks}
