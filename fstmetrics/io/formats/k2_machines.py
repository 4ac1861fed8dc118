"""k2's text form, `Fsa.from_str` and `k2.to_str`: an arc a line, and the final state alone on the last.

    0 1 10 0.1                  source destination label score
    1 3 -1 0.4                  -1 leads to the final state and is no word
    3

    0 1 10 7 0.1                the same with an output label before the score
    0 1 10 [7 8] 0.1            or with a list of them, ragged labels: no word, one, or several

Scores are logs, so costs are their negatives; a file may leave them out of all lines. The start is state 0, the final
state the highest. All arcs into it have label -1, and no others. Output labels, where there are some, are the words;
`--symbols` gives the words of integers, and 0 is no word, nor is -1 in a list on an arc into the final state. Lines do
not name their labels: those with more than one label, or list, behind the first are refused. The form with
`openfst=True`, whose scores are costs, is AT&T text, format "att". Source: k2/csrc/fsa_utils.cu, `K2FsaFromStream`.

k2's `.pt` files, `torch.save(fsa.as_dict(), path)`, hold a machine or a vector of them; read where PyTorch is there.

Of the dictionary, `arcs` is an int32 tensor. Of one machine its shape is [arcs, 4]: source, destination, label, and the
bits of a float32 score. Of a vector of n machines (k2/csrc/fsa.h, `FsaVecFromTensor`) it has one axis:

    n  0                        then n + 1 sums of states, from 0, and n + 1 sums of arcs, and four integers an arc

`aux_labels`, a tensor of shape [arcs], are output labels and then the words. Meaning of both as in text
form. Loading is weights-only, so that nothing in a file is run as code, and only by a PyTorch that keeps that
promise (before 2.6 it could be got round, CVE-2025-32434); ragged output labels, which are objects of k2, are refused
with all other objects. What PyTorch before 1.6 wrote is no zip archive, and is not loaded.
"""

from __future__ import annotations

import io
import pickle
import re
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from fstmetrics._native import read_k2
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.shaping import check_path
from fstmetrics.io.arcs import Labels, lattice_of, shown, words_of
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.lattice_batches import Add, readers, text_labels
from fstmetrics.io.writing import Carries, WriteOptions, Writer, encoded, only_item
from fstmetrics.io.written_words import label_numbers, read_symbols
from fstmetrics.support.errors import InputError
from fstmetrics.support.limits import item_limits, limits
from fstmetrics.support.source import Source, stem

FINAL_LABEL = "-1"


def _add(options: ReadOptions) -> Add:
    """What adds the one machine of a file; wrong are a line of another kind, lines of different forms, a label -1
    elsewhere than into the final state, or an integer that the symbol table lacks."""
    labels = text_labels(options, True)
    return lambda source, column: read_k2(source.utf8, labels, item_limits(), source.stem, column)


read, _files = readers(_add)


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one machine of a file: start 0, a final state of its own, arcs in the order of states.

    Raises:
        FstmetricsError: no path, or a word without a number.
    """
    return encoded(_lines(only_item(items).value, options))


def _lines(lattice: Lattice, options: WriteOptions) -> Iterator[str]:
    check_path(lattice)
    automaton, names = lattice.automaton, label_numbers(lattice.symbols, options.numbering).tolist()
    start, last = automaton.start, automaton.num_states
    # k2 begins in state 0: the start changes places with it.
    number = list(range(last))
    number[0], number[start] = number[start], number[0]
    columns = (
        automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist(),
        automaton.arc_costs[:, 0].tolist(),
    )  # fmt: skip
    rows = [(number[a], number[b], names[label], cost) for a, b, label, cost in zip(*columns, strict=True)]
    ends = zip(automaton.finals.tolist(), automaton.final_costs[:, 0].tolist(), strict=True)
    rows += [(number[state], last, int(FINAL_LABEL), cost) for state, cost in ends]
    yield from (f"{a} {b} {label} {0.0 - cost!r}\n" for a, b, label, cost in sorted(rows))
    yield f"{last}\n"


WRITER = Writer("k2", (".k2", ".k2.txt"), Carries("lattice", costs="sum", numbers="always"), write)
FORMAT = Format(
    "k2", "k2 text, as Fsa.from_str reads it", read, writers=(WRITER,), id_of=stem,
    files=_files, takes_symbols=True,
)  # fmt: skip


ZIP = b"PK\x03\x04"
SCRIPT = "/constants.pkl"  # is in archives of programs only
SAFE = (2, 6)
READ = ("arcs", "aux_labels")
INT32 = np.iinfo(np.int32)


def read_tensor(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read a machine, whose id is the file's stem, or those of a vector, in its order and without ids.

    Raises:
        InputError: PyTorch is not installed, the file is damaged or holds something else, or an integer that the symbol
            table lacks.
    """
    saved = _loaded(source)
    machines = list(_machines(source, _array(source, saved, "arcs")))
    outputs = _array(source, saved, "aux_labels") if "aux_labels" in saved else None
    total = sum(len(arcs) for arcs, _ in machines)
    if outputs is not None and outputs.shape != (total,):
        raise source.error(f'"aux_labels" has shape {list(outputs.shape)} for {total} arcs')
    symbols = read_symbols(options.symbols) if options.symbols else None
    left_out = tuple(_unread(saved, machines, outputs)) if options.tell_left_out else ()
    begin, id = 0, source.stem if len(machines) == 1 else None
    for arcs, states in machines:
        labels = np.array(arcs[:, 2] if outputs is None else outputs[begin : begin + len(arcs)])
        yield Item(id, _lattice(source, arcs, labels, states, symbols, options.symbols), left_out=left_out)
        begin += len(arcs)


def _machines(source: Source, arcs: npt.NDArray[Any]) -> Iterator[tuple[Labels, int]]:
    """The arcs and the number of states of each machine."""
    if arcs.dtype != np.int32 or not arcs.size or (arcs.ndim != 1 and arcs.shape[1:] != (4,)):
        raise source.error(
            f'"arcs" is no int32 tensor of shape [arcs, 4], nor a vector of machines, but {arcs.dtype} of shape '
            f"{list(arcs.shape)}"
        )
    if arcs.ndim == 2:
        yield arcs, 1 + max(int(arcs[:, 1].max()), 0)
        return
    count = int(arcs[0])
    head = 2 + 2 * (count + 1)
    if count < 0 or head > len(arcs) or (len(arcs) - head) % 4 or arcs[1]:
        raise source.error(
            f'"arcs" is no vector of {count} machines: {len(arcs)} integers, the second {arcs[:2][-1]}'
        )
    rows = arcs[head:].reshape(-1, 4)
    states, ends = arcs[2:head].reshape(2, -1)
    if states[0] or ends[0] or ends[-1] != len(rows) or (np.diff(arcs[2:head].reshape(2, -1)) < 0).any():
        raise source.error('"arcs" is a vector of machines whose sums of states or arcs are out of order')
    for i in range(count):
        yield rows[ends[i] : ends[i + 1]], int(states[i + 1] - states[i])


def _lattice(
    source: Source,
    arcs: Labels,
    labels: Labels,
    states: int,
    symbols: dict[int, str] | None,
    table_path: str | None,
) -> Lattice:
    limits().check("arcs", len(arcs), "a machine has", "arcs", source.path)
    final = states - 1
    scores = np.ascontiguousarray(arcs[:, 3]).view(np.float32).astype(np.float64)
    # A machine without states has no final one.
    finals = np.arange(max(final, 0), final + 1)
    sources, destinations = (np.ascontiguousarray(arcs[:, column], dtype=np.int64) for column in (0, 1))

    def fail(message: str, index: int) -> InputError:
        return source.error(f"arc {index}: {message}")

    for column in (sources, destinations):
        if (wrong := (column < 0) | (column >= states)).any():
            index = int(np.argmax(wrong))
            raise fail(f"state {column[index]} is out of range: there are {states} states at most", index)
    into_final = arcs[:, 2] == -1
    if not (into_final == (arcs[:, 1] == final)).all():
        raise source.error(f"label -1 must be on the arcs into the final state {final}, and only there")
    labels[into_final] = 0
    keys, labels = dense(labels)
    words = words_of(keys, labels, symbols, table_path or "", fail)
    return lattice_of(
        source, source.stem, words, sources, destinations, labels,
        np.stack([0.0 - scores, np.zeros(len(arcs))], axis=1), np.arange(len(arcs)), finals,
        np.zeros(len(finals), dtype=np.int64), 0, states, "arc", symbols is None and any(words),
    )  # fmt: skip


# Up to this many integers, or four times as many as there are labels, a table by integer beats sorting them.
SMALL_TABLE = 1 << 16


def dense(labels: Labels) -> tuple[list[int], Labels]:
    """The distinct integers among labels, in order, and the labels as indices of those."""
    low, high = (int(labels.min()), int(labels.max())) if labels.size else (0, 0)
    if low < 0 or high > max(SMALL_TABLE, 4 * labels.size):
        keys, indices = np.unique(labels, return_inverse=True)
        return keys.tolist(), indices.astype(np.int32)
    named = np.zeros(high + 1, dtype=bool)
    named[labels] = True
    return np.flatnonzero(named).tolist(), (np.cumsum(named, dtype=np.int32) - 1)[labels]


def _unread(
    saved: dict[str, Any], machines: list[tuple[Labels, int]], outputs: npt.NDArray[Any] | None
) -> Iterator[str]:
    if outputs is not None and (np.concatenate([arcs[:, 2] for arcs, _ in machines]) != outputs).any():
        yield "input labels"
    others = [str(name) for name in saved if name not in READ]
    if others:
        yield f"attributes ({', '.join(shown(name) for name in others[:3])}{', ...' if others[3:] else ''})"


def _loaded(source: Source) -> dict[str, Any]:
    try:
        import torch  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise source.error(
            "a .pt file needs PyTorch to be read (pip install torch); or save it as text, "
            "`open(path, 'w').write(k2.to_str(fsa))`, format k2"
        ) from None
    if (version := re.match(r"(\d+)\.(\d+)", torch.__version__)) is None or tuple(
        map(int, version.groups())
    ) < SAFE:
        raise source.error(
            f"PyTorch {torch.__version__} can be made to run what a file holds (CVE-2025-32434); "
            "pip install 'torch>=2.6'"
        )
    _check_archive(source)
    try:
        saved = torch.load(io.BytesIO(source.data), map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise source.error(_about_objects(str(error))) from None
    except Exception as error:  # whatever a damaged archive makes PyTorch raise
        lines = str(error).splitlines() or [type(error).__name__]
        said = (
            type(error).__name__ if "weights_only" in lines[0] else lines[0]
        )  # it may advise to run what is there
        raise source.error(f"PyTorch cannot load it: {said}") from None
    if not isinstance(saved, dict) or "arcs" not in saved:
        raise source.error(
            'holds no dictionary with the tensor "arcs"; save it by torch.save(fsa.as_dict(), path)'
        )
    return saved


def _about_objects(error: str) -> str:
    """A message in place of PyTorch's own, which advises to run what the file holds."""
    name = re.search(r"GLOBAL ([\w.]+)", error)
    what = f", here {shown(name[1])}" if name else ""
    if name and "Ragged" in name[1]:
        return (
            f"holds ragged labels, several an arc, which are objects of k2{what}; no object is loaded, as that could "
            "run code. Text holds them: `open(path, 'w').write(k2.to_str(fsa))`, format k2"
        )
    return (
        f"holds Python objects that are not tensors{what}, or is damaged; no object is loaded, as that could run code. "
        "Save what is read: d = fsa.as_dict(); torch.save({k: d[k] for k in ('arcs', 'aux_labels') if k in d}, path)"
    )


def _check_archive(source: Source) -> None:
    """Whether this is what PyTorch writes: files that are not packed, so that they become no larger than they are."""
    if not source.data.startswith(ZIP):
        raise source.error("no zip archive, as PyTorch has written since 1.6; save it again with a newer one")
    try:
        entries = zipfile.ZipFile(io.BytesIO(source.data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise source.error(f"a damaged zip archive: {error}") from None
    if any(entry.filename.endswith(SCRIPT) for entry in entries):
        raise source.error("holds a program (TorchScript), which is not run; save a dictionary of tensors")
    if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
        raise source.error("a zip archive with packed files in it, which PyTorch does not write")
    if (size := sum(entry.file_size for entry in entries)) > len(source.data):
        raise source.error(f"a zip archive of {len(source.data)} bytes that says its files have {size}")


def _array(source: Source, saved: dict[str, Any], name: str) -> npt.NDArray[Any]:
    """The tensor of a name as an array of integers."""
    try:
        array: npt.NDArray[Any] = saved[name].numpy()
    except (AttributeError, TypeError, RuntimeError) as error:
        if "Numpy is not available" in str(error):
            raise source.error(
                "this PyTorch does not go with this numpy; pip install --upgrade torch"
            ) from None
        array = np.zeros(0)
    if array.dtype.kind != "i" or array.ndim not in (1, 2):
        raise source.error(
            f'"{name}" is no tensor of integers with one or two axes; ragged ones are read from text, which '
            "k2.to_str writes (format k2)"
        )
    if array.nbytes > len(source.data):  # a view that repeats what is there
        raise source.error(f'"{name}" says it has {array.size} numbers, which the file does not hold')
    if array.dtype != np.int32 and name == "aux_labels":
        if array.size and not (array.min() >= INT32.min and array.max() <= INT32.max):
            raise source.error(f'"{name}" has numbers beyond 32 bits')
        array = array.astype(np.int32)
    return array


TENSOR_FORMAT = Format("k2-pt", "k2 machines saved by PyTorch (needs torch)", read_tensor, takes_symbols=True)
