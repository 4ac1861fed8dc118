"""Networks to and from files of other kinds: `from_lattice`, `from_machines`, `expanded`, `file_content`.

A single OpenFst machine holds a network expanded, an archive (FAR) holds a machine a card: labels `[NAME]` are calls
of the machine under the key NAME. Neither has a place for spans, sources or costs.
"""

from __future__ import annotations

from fstmetrics.networks.automata import MAX_ARCS, expanded
from fstmetrics.networks.calls import refuse_costs
from fstmetrics.networks.text_form import write_text_form
from fstmetrics.readers.formats.att import att_text
from fstmetrics.readers.formats.far import archive
from fstmetrics.readers.fst_binary import vector_bytes
from fstmetrics.readers.labels import check_words
from fstmetrics.values.network import Network

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
