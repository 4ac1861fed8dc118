"""Parts of a run that are scored apart, on several machines: `Shard` says which items, `ShardFile` what came of them.

Of n shards, shard i has every n-th item from the i-th on, in the order in which items pair. Beside its records, which
are a file as of any run, it writes what they do not tell: the settings of the run, how many items there were, which
could not be scored, and the sums. `MergedShards` puts the shards of one run together again: records and sums are those
of the run that was not cut.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice, pairwise, zip_longest
from typing import Any, NamedTuple

from fstmetrics.scoring.journal import Entry, differences
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.scoring.run_files import refuse_other_inputs
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.options import Kind, text
from fstmetrics.support.output import whole_file

FORMAT = "fstmetrics-shard/3"
DAMAGED = "is damaged; run the shard again"
# More shards than any queue has jobs are a slip of the keyboard.
MOST_SHARDS = 10**6
# Pairs of all shards that are in memory at once, where they come from stored texts.
TOGETHER = 1 << 14
# Records of a shard that are in memory at once.
RECORDS = 4096


class Shard(NamedTuple):
    """Every n-th item.

    Attributes:
        number: of the shard, from 1.
        of: how many shards there are.

    >>> shard = Shard.parsed("2/3")
    >>> [place for place in range(8) if place in shard.places(8)], str(shard)
    ([1, 4, 7], '2/3')
    """

    number: int
    of: int

    @classmethod
    def parsed(cls, text: str) -> Shard:
        """A shard as `i/n`. Raises ValueError for anything else."""
        found = re.fullmatch(r"([0-9]{1,7})/([0-9]{1,7})", text)
        number, of = map(int, found.groups()) if found else (0, 0)
        if not 1 <= number <= of <= MOST_SHARDS:
            raise ValueError(f"expected I/N, as 1/8: shard I of N, not {text!r}")
        return cls(number, of)

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def condition(self) -> str:
        """What signatures of its records have, where these have no ids: their numbers are not those of the items."""
        return f"shard:{self}"

    def places(self, items: int) -> range:
        """The places of its items among all, from 0."""
        return range(self.number - 1, items, self.of)

    def blocks(self, blocks: Iterable[PairBlock]) -> Iterator[PairBlock]:
        """Its pairs."""
        before = 0
        for block in chain.from_iterable(map(_pieces, blocks)):
            first = (self.number - 1 - before) % self.of
            before += len(block)
            if first < len(block):
                yield block[first :: self.of]


# `I/N`: shard I of N.
SHARD = Kind(lambda given: given if isinstance(given, Shard) else Shard.parsed(text(given)), "I/N", offers=())


def _pieces(block: PairBlock) -> Iterator[PairBlock]:
    """A block in parts that may be in memory, as those of stored texts are once they are looked at."""
    if len(block) <= TOGETHER:
        yield block
        return
    for begin in range(0, len(block), TOGETHER):
        yield block[begin : begin + TOGETHER]


def shard_path(records: str) -> str:
    """The file beside the records of a shard."""
    return f"{records}.shard"


@dataclass(frozen=True)
class ShardFile:
    """What a shard writes beside its records.

    Attributes:
        path: of the records.
        shard: which it is.
        command, arguments: what was run.
        settings: what is the same in all shards of a run.
        files: the fingerprints of the files that were read; the same in all shards, whatever they are called.
        items: how many there were.
        faults: which of them could not be scored, from 0.
        size, checksum: of the records, in bytes, and their CRC-32.
        inputs: what summaries say of the inputs.
        state: what a task keeps of its items.
        has_entries: whether an entry of each item follows.
    """

    path: str
    shard: Shard
    command: str
    arguments: list[str]
    settings: dict[str, Any]
    files: list[Any]
    items: int
    faults: list[int]
    size: int
    checksum: int
    inputs: dict[str, Any]
    state: dict[str, Any]
    has_entries: bool

    def write(self, entries: Iterable[bytes]) -> None:
        """Write it, with lines of a journal if it has entries.

        Raises:
            FstmetricsError: it cannot be written.
        """
        told = {name: value for name, value in asdict(self).items() if name != "path"}
        line = json.dumps({"format": FORMAT, **told}) + "\n"
        with whole_file(shard_path(self.path)) as stream:
            for written in chain([line.encode()], entries):
                stream.write(f"{zlib.crc32(written)} {written.decode()}")

    @classmethod
    def read(cls, path: str) -> ShardFile:
        """The file beside some records.

        Raises:
            InputError: it is missing, damaged or of another version.
        """
        if path == "-":
            raise FstmetricsError(
                "shards are files, beside each of which --shard wrote another, and standard input (-) has none: give "
                "the --output of each shard"
            )
        place = shard_path(path)
        if not os.path.isfile(place):
            raise InputError(
                f"is not there, which --shard writes beside the records {path}: give the --output of each shard",
                place,
            )
        with open(place, "rb") as stream:
            found = json.loads(as_written(stream.readline(), place))
        if found.pop("format") != FORMAT:
            raise InputError(f"is of another version of fstmetrics; expected format {FORMAT}", place)
        return cls(path, Shard(*found.pop("shard")), **found)

    def entries(self) -> Iterator[Entry]:
        """What the items add to sums, in order.

        Raises:
            InputError: the file is damaged.
        """
        place, items = shard_path(self.path), 0
        with open(place, "rb") as stream:
            for line in islice(stream, 1, None):
                found = json.loads(as_written(line, place))[2]
                items += len(found)
                yield from map(Entry.from_json, found)
        if items != self.items:
            raise InputError(DAMAGED, place)

    def records(self) -> Iterator[list[bytes]]:
        """The record of each item, in order, as of the whole run, many at a time; empty for what could not be scored.

        Raises:
            InputError: the records are not those that were written.
        """
        faults, checksum, size = set(self.faults), 0, 0
        condition = re.compile(rf'("signature": "[^"]*)\|{self.shard.condition}(?=\|)'.encode())
        with open(self.path, "rb") as stream:
            for begin in range(0, self.items, RECORDS):
                items = range(begin, min(begin + RECORDS, self.items))
                lost = faults.intersection(items) if faults else ()
                lines = list(islice(stream, len(items) - len(lost)))
                data = b"".join(lines)
                checksum, size = zlib.crc32(data, checksum), size + len(data)
                if len(lines) + len(lost) < len(items):
                    break
                lines = condition.sub(rb"\1", data).splitlines(keepends=True)
                rest = iter(lines)
                yield [b"" if item in lost else next(rest) for item in items] if lost else lines
            size += len(stream.read(1))
        if (size, checksum) != (self.size, self.checksum):
            raise InputError("has changed since the shard was written; run the shard again", self.path)


def as_written(line: bytes, place: str) -> bytes:
    """A line behind its CRC-32. Raises InputError where it is another."""
    checksum, _, told = line.partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%d" % zlib.crc32(told):
        raise InputError(DAMAGED, place)
    return told


def without_paths(value: Any) -> Any:
    """What a summary says of inputs, without their paths: copies elsewhere are the same.

    >>> without_paths({"by": "id", "ids": {"ref.trn": "file", "hyp.trn": "file"}})
    ['id', ['file', 'file']]
    """
    return [without_paths(each) for each in value.values()] if isinstance(value, dict) else value


def refuse_incomplete(shards: Sequence[tuple[str, Shard]]) -> None:
    """Raise an FstmetricsError for shards, in order and with their paths, of which one is there twice or missing."""
    for (path, shard), (other, its) in pairwise(shards):
        if shard == its:
            raise FstmetricsError(f"{path} and {other} are both shard {shard}")
    there, of = {shard.number for _, shard in shards}, shards[0][1].of
    if missing := [str(Shard(number, of)) for number in range(1, of + 1) if number not in there]:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise FstmetricsError(f"shard {missing[0]}{more} is missing; give the --output of every shard")


class MergedShards:
    """All shards of one run.

    Args:
        paths: of their records, in any order.

    Attributes:
        files: the shards in order.

    Raises:
        FstmetricsError: a shard is missing or there twice, or is of another run.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        files = sorted(map(ShardFile.read, paths), key=lambda file: file.shard.number)
        first = files[0]
        for file in files:
            if file.command != first.command:
                raise FstmetricsError(
                    f"{file.path} is of fstmetrics {file.command}, and {first.path} of fstmetrics {first.command}"
                )
            if differing := differences(first.settings, file.settings, first.path, file.path):
                raise FstmetricsError(f"shards of different runs: {differing[0]}")
            refuse_other_inputs(first.files, file.files, (first.shard, file.shard))
            if file.shard.of != first.shard.of:
                raise FstmetricsError(
                    f"{first.path} is shard {first.shard}, and {file.path} is shard {file.shard}: they are of "
                    "different runs"
                )
        refuse_incomplete([(file.path, file.shard) for file in files])
        self.files = files
        self.items = sum(file.items for file in files)
        for file in files:
            if file.items != len(file.shard.places(self.items)):
                raise FstmetricsError(
                    f"{file.path} has {file.items} items, and as shard {file.shard} of {self.items} it would have "
                    f"{len(file.shard.places(self.items))}: the shards are of different inputs"
                )

    @property
    def faults(self) -> int:
        """How many items could not be scored."""
        return sum(len(file.faults) for file in self.files)

    def common(self, name: str) -> Any:
        """What the inputs of all shards have under a name, with the paths of the first; None of shards without it.

        Raises:
            FstmetricsError: they differ.
        """
        first = self.files[0]
        said = first.inputs.get(name)
        for file in self.files:
            if name != "remarks" and without_paths(file.inputs.get(name)) != without_paths(said):
                raise FstmetricsError(
                    f"shards of different inputs: {name} is {json.dumps(said)} in {first.path} and "
                    f"{json.dumps(file.inputs.get(name))} in {file.path}"
                )
        return said

    def place(self, file: ShardFile, scored: int) -> int:
        """The place among all items of a shard's item that is the `scored`-th that could be scored, from 0."""
        for fault in file.faults:
            if fault > scored:
                break
            scored += 1
        return file.shard.places(self.items)[scored]

    def records(self) -> Iterator[tuple[int, bytes]]:
        """The records of all items, in order, and of how many items each part is; errors as of `ShardFile.records`."""
        for parts in zip_longest(*(file.records() for file in self.files), fillvalue=()):
            rows = zip_longest(*parts, fillvalue=b"")
            yield sum(map(len, parts)), b"".join(chain.from_iterable(rows))

    def entries(self) -> Iterator[Entry]:
        """What all items add to sums, in order; errors as of `ShardFile.entries`."""
        streams = [file.entries() for file in self.files]
        found: list[Entry] | None = None
        while found is None or len(found) == len(streams):
            found = [entry for stream in streams for entry in islice(stream, 1)]
            yield from found
        yield from chain.from_iterable(streams)  # at its end each may say that something is wrong with it
