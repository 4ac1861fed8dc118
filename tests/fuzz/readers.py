"""Readers, by atheris (`pip install atheris`): python tests/fuzz/readers.py [options of libFuzzer] CORPUS.

The first byte chooses the format read, the second the one written. What can be read is converted, with losses; what is
written must be read again. Only an FstmetricsError may come out.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import FunctionType

import atheris  # type: ignore[import-not-found, unused-ignore]

from fstmetrics.convert.fitting import Fitting
from fstmetrics.io import FORMATS, ReadOptions, Source
from fstmetrics.io.writing import WriteOptions
from fstmetrics.io.written_words import Numbering
from fstmetrics.support.errors import FstmetricsError

# What only names other files, or needs a library that is not fuzzed here.
READ = [format for format in FORMATS.values() if format.name not in ("scp", "k2-pt")]
WRITTEN = [(format, writer) for format in FORMATS.values() for writer in format.writers]
MAX_ARCS = 2000
TOLD = ReadOptions(tell_left_out=True)


def try_one(data: bytes) -> None:
    """Read, convert, read again."""
    if len(data) < 2:
        return
    source = Source("a.x", data[2:])
    format, writer = WRITTEN[data[1] % len(WRITTEN)]
    options = WriteOptions(Numbering() if writer.carries.numbers == "always" else None, MAX_ARCS)
    fitting = Fitting(writer.carries, options, lossy=True, frame_length=0.01)
    try:
        items = list(READ[data[0] % len(READ)].read(source, TOLD))
        named = [replace(item, id=item.id or f"u-{number}") for number, item in enumerate(items)]
        fitted = [fitting.fit(item, writer.name)[0] for item in named]
        if not fitted or (len(fitted) > 1 and not writer.carries.several):
            return
        made = b"".join(writer.pieces(iter(fitted), options))
    except FstmetricsError:
        return
    ids = frozenset(item.id for item in fitted if item.id is not None)
    list(format.read(Source("b.x", made), ReadOptions(known_ids=ids)))


def instrument() -> None:
    """Count the branches of all readers and of conversion; the import hook of atheris misses editable installations."""
    for name, module in list(sys.modules.items()):
        if not name.startswith(("fstmetrics.io.", "fstmetrics.convert.")):
            continue
        for value in list(vars(module).values()):
            members = list(vars(value).values()) if isinstance(value, type) else [value]
            for member in members:
                if isinstance(member, FunctionType) and member.__module__ == name:
                    atheris.instrument_func(member)


def seeds(folder: Path) -> None:
    """What the tests have for every format, as a corpus."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))
    from hostile import samples

    folder.mkdir(parents=True, exist_ok=True)
    pools = samples()
    for number, format in enumerate(READ):
        for i, data in enumerate(pools[format.name][:12]):
            head = bytes([number, (number + 5 * i) % len(WRITTEN)])
            (folder / f"{format.name}-{i}").write_bytes(head + data)


if __name__ == "__main__":
    corpus = next((argument for argument in sys.argv[1:] if not argument.startswith("-")), None)
    if corpus is not None and not Path(corpus).is_dir():
        seeds(Path(corpus))
    instrument()
    atheris.Setup(sys.argv, try_one)
    atheris.Fuzz()
