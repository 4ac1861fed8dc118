"""Lattices straight from decoders' Python objects: `lattice_from_pocketsphinx`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fstmetrics.data.lattice import Lattice
from fstmetrics.support.errors import FstmetricsError


def lattice_from_pocketsphinx(decoder: Any, id: str = "") -> Lattice:
    """The lattice of the utterance that a `pocketsphinx.Decoder` has decoded, or a `pocketsphinx.Lattice`.

    pocketsphinx writes lattices to named files only, so it goes through a temporary one, in HTK's format. Its scores
    are acoustic; pronunciation variants and fillers are no words, as in that format.

    Args:
        decoder: after `end_utt()`; or what its `get_lattice()` gave.
        id: what references pair with.

    Raises:
        FstmetricsError: there is no lattice, or something else was given.
    """
    given = decoder.get_lattice() if hasattr(decoder, "get_lattice") else decoder
    if given is None:
        raise FstmetricsError(
            "the decoder has no lattice: nothing was decoded, or no path came to the end of the utterance"
        )
    if not hasattr(given, "write_htk"):
        raise FstmetricsError(f"expected a pocketsphinx.Decoder or Lattice, not {type(decoder).__name__}")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "utterance.slf"
        given.write_htk(str(path))
        lattice = Lattice.read(path, format="slf")
    return Lattice(lattice.automaton, lattice.symbols, id=id, scales=lattice.scales)
