"""k2's `.pt` files, `torch.save(fsa.as_dict(), path)`, of one machine; read only where PyTorch is installed.

Of the dictionary, `arcs` is an int32 tensor of shape [arcs, 4]: source, destination, label, and the bits of a float32
score; `aux_labels`, a tensor of shape [arcs], are output labels and then the words. Meaning of both as in text form
(k2_text.py). Loading is weights-only, so that nothing in a file is run as code. Vectors of machines and ragged output
labels are refused.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from fstmetrics.errors import InputError
from fstmetrics.readers.arcs import ArcTable, dense, words_of
from fstmetrics.readers.base import Format, Item, ReadOptions, Source, stem_of
from fstmetrics.readers.symbols_file import read_symbols

ZIP = b"PK\x03\x04"


def sniff(source: Source) -> bool:
    """Whether the content is a zip archive as PyTorch writes it."""
    return source.data.startswith(ZIP) and b"/data.pkl" in source.data[:4096]


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one machine of a file; its id is the file's stem.

    Raises:
        InputError: PyTorch is not installed, the file is damaged or holds something else, or an integer that the symbol
            table lacks.
    """
    saved = _loaded(source)
    arcs = _array(source, saved, "arcs", 2)
    if arcs is None or arcs.dtype != np.int32 or arcs.shape[1] != 4 or not len(arcs):
        raise source.error(
            '"arcs" is no int32 tensor of shape [arcs, 4]; vectors of machines are to be saved one by one'
        )
    outputs = _array(source, saved, "aux_labels", 1)
    labels = np.array(arcs[:, 2] if outputs is None else outputs, dtype=np.int32)
    if labels.shape != arcs.shape[:1]:
        raise source.error(f'"aux_labels" has {len(labels)} entries for {len(arcs)} arcs')
    into_final = arcs[:, 2] == -1
    labels[into_final] = 0
    scores = np.ascontiguousarray(arcs[:, 3]).view(np.float32).astype(np.float64)
    final = int(arcs[:, 1].max())
    if not (into_final == (arcs[:, 1] == final)).all():
        raise source.error(f"label -1 must stand on the arcs into the final state {final}, and only there")
    keys, labels = dense(labels)
    rows = np.arange(len(arcs))
    table = ArcTable(
        arcs[:, 0].astype(np.int64), arcs[:, 1].astype(np.int64), labels,
        np.stack([0.0 - scores, np.zeros(len(arcs))], axis=1), rows,
        np.array([final]), np.zeros((1, 2)), np.array([0]), 0, None,
    )  # fmt: skip

    def fail(message: str, arc: int) -> InputError:
        return source.error(f"arc {arc}: {message}")

    symbols = read_symbols(options.symbols) if options.symbols else None
    words = words_of(keys, labels, symbols, options.symbols or "", fail)
    yield Item(source.stem, table.lattice(source, words, id=source.stem))


def _loaded(source: Source) -> dict[str, Any]:
    try:
        import torch  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise source.error(
            "a .pt file needs PyTorch to be read (pip install torch); or save it as text, "
            "`open(path, 'w').write(k2.to_str(fsa))`, format k2"
        ) from None
    try:
        saved = torch.load(io.BytesIO(source.data), map_location="cpu", weights_only=True)
    except Exception as error:  # whatever a damaged archive makes PyTorch raise
        lines = str(error).splitlines() or [type(error).__name__]
        raise source.error(f"PyTorch cannot load it: {lines[0]}") from None
    if not isinstance(saved, dict):
        raise source.error("holds no dictionary; save it by torch.save(fsa.as_dict(), path)")
    return saved


def _array(source: Source, saved: dict[str, Any], name: str, dimensions: int) -> Any:
    """The tensor of a name as an array; None if there is none."""
    value = saved.get(name)
    if value is None:
        return None
    if not hasattr(value, "numpy") or value.dim() != dimensions:
        raise source.error(f'"{name}" is no tensor of {dimensions} dimension(s); ragged ones are not read')
    return value.numpy()


FORMAT = Format("k2-pt", "k2 machine saved by PyTorch (needs torch)", (".pt",), sniff, read, id_of=stem_of)
