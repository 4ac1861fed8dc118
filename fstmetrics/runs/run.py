"""Runs over many items: `run_items` reads, scores and records them batch by batch.

`Task` says what is done with an item. A run with records continues where it was stopped: `run_settings` and
`input_states` are what has to stay the same. Of `Asked`, workers of an engine make what is `Worked`. `conditions` and
`shown_settings` are what signatures and summaries say of a run; `status` is its exit status.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TextIO, TypeVar

from fstmetrics.metrics import CorpusMetric
from fstmetrics.runs import on_request
from fstmetrics.runs.inputs import Inputs
from fstmetrics.runs.journal import Entry, Unfinished
from fstmetrics.runs.pair_blocks import Pair, PairBlock, numbered
from fstmetrics.runs.request import Request
from fstmetrics.runs.score import part
from fstmetrics.runs.sums import Sums, Terms
from fstmetrics.runs.work import Outcome, Outcomes, label, outcomes
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.output import is_plain, whole_file
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import listener
from fstmetrics.support.signals import Stopped
from fstmetrics.support.version import __version__

if TYPE_CHECKING:
    from fstmetrics.runs.input_states import InputStates
    from fstmetrics.runs.shards import MergedShards


Made = TypeVar("Made")


class Scoring(Protocol[Made]):
    """What is computed of pairs; it can be pickled. `PathScoring` of `path_scoring` is one."""

    def results(self, pairs: PairBlock) -> Sequence[Made]:
        """What pairs come to, in order."""

    def signed(self, result: Made, pair: Pair) -> dict[str, Any]:
        """The record of an item."""

    def item_terms(self, result: Made, pair: Pair) -> Terms:
        """What an item adds to sums."""

    def written(self, results: Sequence[Made], pairs: PairBlock) -> tuple[bytes, bytes] | None:
        """Records of all and entries of a journal, where columns tell all; None: item by item."""

    def summed(self, results: Sequence[Made]) -> Sums | None:
        """The sums of all, where columns tell all; None: item by item."""


@dataclass
class Worked(Generic[Made]):
    """What came of a batch.

    Attributes:
        pairs: of the batch, all of them.
        faults: what is wrong with some, by their place; the rest is of the others, in order.
        written, sums: records, entries of a journal and sums, where columns tell all.
        items: else the line of each record, empty where none is written, and its terms.
        results: where they were asked for.
    """

    pairs: PairBlock
    faults: Mapping[int, str] = field(default_factory=dict)
    written: tuple[bytes, bytes] | None = None
    sums: Sums | None = None
    items: Sequence[tuple[str, Terms]] = ()
    results: Sequence[Made] | None = None


class Asked(NamedTuple, Generic[Made]):
    """What is asked of the workers of an engine.

    Attributes:
        scoring: what is computed.
        keep_going: whether a fault is of its item; otherwise it is of the run.
        records: whether they are written.
        results: whether they are handed back, too, since they are printed.
        by_item: whether each item's terms are asked for, and not only their sum.
    """

    scoring: Scoring[Made]
    keep_going: bool = False
    records: bool = False
    results: bool = False
    by_item: bool = False


# What has blocks of pairs worked on by an engine: what came of them, batch by batch, in order.
Elsewhere = Callable[[Iterable[PairBlock], Asked[Any]], Generator[Worked[Any], None, None]]


class Task(ABC, Generic[Made]):
    """What becomes of items, and what they add up to.

    A run asks for the `results` of a batch, and of each item for its `terms` and, where records are written, its
    `record`; once they are written the terms are added to the `sums`, and the item is `shown`. Of items that were
    finished before the run was stopped it has the terms alone, and says `passed`.

    Attributes:
        title: of the progress bar.
        signature: all that the score of an item depends on.
        sums: what the items add up to.
        prints: whether items are printed as they come.
    """

    title: ClassVar[str] = "scoring"
    signature: str = ""
    prints: bool = False

    sums: Sums

    @property
    def shares_batches(self) -> bool:
        """Whether several threads may ask for `results` and for what is `written`, of a batch each."""
        return False

    @abstractmethod
    def results(self, pairs: PairBlock) -> Sequence[Made]:
        """What some items come to, in order; the same for an item whatever the others are."""

    @abstractmethod
    def record(self, result: Made, pair: Pair) -> dict[str, Any]:
        """An item as a JSON object."""

    def signed(self, result: Made, pair: Pair) -> dict[str, Any]:
        """The same with the signature, as it is written."""
        fields = {"fields": dict(pair.fields)} if pair.fields else {}
        return self.record(result, pair) | fields | {"signature": self.signature}

    @abstractmethod
    def terms(self, result: Made, pair: Pair) -> Terms:
        """What an item adds to the sums."""

    def add(self, pair: Pair, terms: Terms) -> None:
        """Add an item to the sums."""
        self.sums.add(terms)

    def passed(self, pair: Pair) -> None:
        """Hear of an item that was finished before, and is not among the results."""

    def shown(self, result: Made | None, pair: Pair) -> None:
        """Print an item, or keep it to be printed; None: nothing is printed, and workers have kept the result."""

    def written(self, results: Sequence[Made], pairs: PairBlock) -> tuple[bytes, bytes] | None:
        """The records of a batch and what the journal says of it, where columns tell all; None: item by item."""
        return None

    def state(self) -> dict[str, Any]:
        """What a shard keeps of its items for `restore`: with `sums` where these are all that is asked of items.

        Where they are not, an entry of each item is kept beside, and `restore` hears of the items one by one.
        """
        return {"sums": self.sums.as_json()}

    def restore(self, merged: MergedShards) -> None:
        """Take what all shards of a run have kept."""
        if "sums" in merged.files[0].state:
            for file in merged.files:
                self.sums.update(Sums.from_json(file.state["sums"]))
            return
        for entry in merged.entries():
            if entry.terms is not None:
                self.add(Pair(entry.id, None, (), entry.fields), entry.terms)

    def work(self) -> Asked[Made]:
        """What is asked of the workers of an engine.

        Raises:
            FstmetricsError: it is done on this machine only.
        """
        raise FstmetricsError("--on is for metrics of best paths (wer, hyter) and for mbr; leave it out")

    def take_sums(self, sums: Sums, pairs: PairBlock) -> None:
        """Add items of which workers made the sums."""
        self.sums.update(sums)

    def take(self, results: Sequence[Made], pairs: PairBlock) -> None:
        """Add items to the sums, and show them, all at once where nothing is to be kept of them."""
        for result, pair in zip(results, pairs, strict=True):
            self.add(pair, self.terms(result, pair))
            self.shown(result, pair)


def shard_remark(request: Request, inputs: Inputs, task: Task[Made], faults: int) -> str:
    """What is printed of a shard instead of a summary."""
    left_out = "".join(
        f", {n} {what}" for n, what in ((inputs.skipped, "skipped"), (faults, "with errors")) if n
    )
    return (
        f"shard {request.shard}: {counted(len(task.sums), 'item')}{left_out}; fstmetrics merge puts {request.output} "
        "and the other shards together"
    )


def run_items(
    request: Request,
    inputs: Inputs,
    task: Task[Made],
    settings: dict[str, Any],
    elsewhere: Elsewhere | None = None,
) -> Faults:
    """Work on all items, and write their records if they are asked for.

    Args:
        request: what was asked for.
        inputs: the items.
        task: what becomes of them; its sums are theirs afterwards.
        settings: what has to be the same for the run to go on later.
        elsewhere: the engine that works on them; None: they are worked on here.

    Returns:
        What was left out because something is wrong with it.

    Raises:
        FstmetricsError: something is wrong with an item or with the pairs, or the records cannot be written.
    """
    if request.merged:
        return Faults(_merge(request.merged, str(request.output), task))
    if request.output is None or not is_plain(request.output):
        with ExitStack() as stack:
            stream = stack.enter_context(whole_file(request.output)) if request.output else None
            done = _run(request, inputs, task, stream, elsewhere)
        return Faults(len(done.faults), tuple(done.said))
    states = input_states(request, inputs)
    with Unfinished(request.output, settings, request.resume, states) as unfinished:
        try:
            marks = states.marks(True) if request.shard else []  # before anything is scored
            done = _run(request, inputs, task, unfinished, elsewhere)
            if request.shard:
                _write_shard(request, inputs, task, settings, marks, done, unfinished)
            unfinished.complete()
        except FstmetricsError as error:
            remark = f"; {unfinished.remark_on_error(request.keep_going)}" if unfinished.finished else ""
            raise type(error)(f"{error}{remark}") from None
        except Stopped as stopped:
            stopped.remark = unfinished.remark
            raise
    return Faults(len(done.faults), tuple(done.said))


class Faults(NamedTuple):
    """Items that were left out because something is wrong with them.

    Attributes:
        number: how many there are.
        said: what is wrong with each; of a run that is put together, nothing.
    """

    number: int
    said: tuple[str, ...] = ()


@dataclass
class _Done:
    """How far a run has come.

    Attributes:
        items: how many are finished.
        faults: which of them were left out because something is wrong with them, from 0.
        said: what is wrong with them.
    """

    items: int = 0
    faults: list[int] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def add(self, items: int, faults: Mapping[int, str]) -> None:
        """Add so many more, of which some were left out, with what is wrong by their places."""
        for place in sorted(faults):
            self.faults.append(self.items + place)
            self.said.append(faults[place])
        self.items += items


def _run(
    request: Request,
    inputs: Inputs,
    task: Task[Made],
    to: TextIO | Unfinished | None,
    elsewhere: Elsewhere | None,
) -> _Done:
    done, expected = _Done(), inputs.expected
    if request.shard and expected is not None:
        expected = len(request.shard.places(expected))
    with listener.get().counter(task.title, expected, task.prints or request.output == "-") as progress:
        blocks = numbered(inputs.source.blocks())
        if request.shard:
            blocks = request.shard.blocks(blocks)
        if isinstance(to, Unfinished):
            pairs = _Pairs(blocks)
            _passed_over(to, pairs, task, done)
            blocks = pairs.rest()
            progress(to.finished)
        if elsewhere:
            _elsewhere(elsewhere, blocks, task, to, done, progress)
            blocks = iter(())
        written = None if to is None else task.written
        found = outcomes(blocks, task.results, request.jobs, request.keep_going, written, task.shares_batches)
        for some in found:
            if some.written:
                _write(some.written, len(some), to)
            if some.written or (to is None and not some.faults):
                task.take(some.results, some.pairs)
            else:
                _written(some, task, to)
            done.add(len(some), some.faults)
            progress(len(some))
    if not len(task.sums) and not request.shard:
        raise FstmetricsError("there is no item to score")
    return done


def _write_shard(
    request: Request,
    inputs: Inputs,
    task: Task[Made],
    settings: dict[str, Any],
    marks: Sequence[Sequence[Any]],
    done: _Done,
    unfinished: Unfinished,
) -> None:
    """Write what `fstmetrics merge` has to know of a shard, beside its records."""
    with open(unfinished.partial, "rb") as stream:
        size, checksum = on_request.checksum_of(stream)
    state = task.state()
    assert request.shard is not None
    same = dict(settings)
    for name in ("formats", "pairing"):
        same[name] = on_request.without_paths(same[name])
    speakers = request.speakers and ("FILE" if os.path.isfile(request.speakers) else request.speakers)
    own = {
        "speakers": speakers,
        "missing": request.missing,
        "keep_going": request.keep_going,
        "by": [[grouping.name, grouping.bins] for grouping in request.by],
    }
    file = on_request.ShardFile(
        str(request.output), request.shard, *request.called,
        json.loads(json.dumps({**same, **own})), list(marks), done.items, done.faults, size, checksum,
        inputs.told(), state, "sums" not in state,
    )  # fmt: skip
    file.write(unfinished.written_entries() if file.has_entries else ())


def _merge(merged: MergedShards, output: str, task: Task[Made]) -> int:
    """Put the records of shards together; returns how many items were left out."""
    task.restore(merged)
    if not len(task.sums):
        raise FstmetricsError("there is no item to score")
    with (
        whole_file(output) as stream,
        listener.get().counter("merging", merged.items, output == "-") as progress,
    ):
        stream.flush()
        for items, records in merged.records():
            stream.buffer.write(records)
            progress(items)
    return merged.faults


def _elsewhere(
    elsewhere: Elsewhere,
    blocks: Iterator[PairBlock],
    task: Task[Made],
    to: TextIO | Unfinished | None,
    done: _Done,
    progress: Callable[[int], None],
) -> None:
    """Work on items with an engine, and write their records."""
    with closing(elsewhere(blocks, task.work())) as batches:
        for some in batches:
            if some.written:
                _write(some.written, len(some.pairs), to)
            if some.sums is not None:
                task.take_sums(some.sums, some.pairs)
            else:
                _take(list(_items_of(some)), task, to)
            done.add(len(some.pairs), some.faults)
            progress(len(some.pairs))


def _items_of(some: Worked[Made]) -> Iterator[_Item[Made]]:
    """The items of a batch that workers have worked on."""
    items = iter(zip(some.items, some.results or repeat(None), strict=False))
    for place, pair in enumerate(some.pairs):
        if place in some.faults:
            yield _Item(pair, Entry(pair.id, fault=some.faults[place]))
        else:
            (line, terms), result = next(items)
            yield _Item(pair, Entry(pair.id, terms, fields=pair.fields), line, result)


def _write(written: tuple[bytes, bytes], items: int, to: TextIO | Unfinished | None) -> None:
    """Write records that are written already."""
    records, entries = written
    if isinstance(to, Unfinished):
        to.write_written(records, entries, items)
    elif to:
        to.write(str(records, "utf-8"))  # on engines a view of memory


def _written(some: Outcomes[Made], task: Task[Made], to: TextIO | Unfinished | None) -> None:
    """Write the records of a batch, and add it to the sums; of one that the memory does not suffice for, up to an item.

    Raises:
        FstmetricsError: names that item.
    """
    items: list[_Item[Made]] = []
    try:
        for outcome in some:
            items.append(_item(outcome, task, to is not None))
    except MemoryError:
        _take(items, task, to)
        it = label(some.pairs[len(items) : len(items) + 1])
        raise FstmetricsError(f"{it}: its record needs more memory than there is") from None
    _take(items, task, to)


class _Item(NamedTuple, Generic[Made]):
    """A pair, what the journal says of it, its record and its result; of some, workers keep the result."""

    pair: Pair
    entry: Entry
    line: str = ""
    result: Made | None = None


def _take(items: Sequence[_Item[Made]], task: Task[Made], to: TextIO | Unfinished | None) -> None:
    """Write the records of items, and add them to the sums."""
    if isinstance(to, Unfinished):
        to.write([(item.line, item.entry) for item in items])
    elif to:
        to.writelines(item.line for item in items)
    for item in items:
        if item.entry.terms is None:
            listener.get().say(item.entry.fault or "")
        else:
            task.add(item.pair, item.entry.terms)
            task.shown(item.result, item.pair)


class _Pairs:
    """The pairs of blocks one by one, and then what is left of them as blocks."""

    def __init__(self, blocks: Iterator[PairBlock]) -> None:
        self._blocks = blocks
        self._block: PairBlock | None = None
        self._at = 0

    def __next__(self) -> Pair:
        while self._block is None or self._at == len(self._block):
            self._block, self._at = next(self._blocks), 0
        self._at += 1
        return self._block[self._at - 1]

    def __iter__(self) -> Iterator[Pair]:
        return self

    def rest(self) -> Iterator[PairBlock]:
        """What has not been asked for."""
        if self._block is not None and self._at < len(self._block):
            yield self._block[self._at :]
        yield from self._blocks


def _passed_over(unfinished: Unfinished, pairs: Iterator[Pair], task: Task[Made], done: _Done) -> None:
    """Count the items that are finished."""
    for entry in unfinished.entries():
        pair = _next(entry, pairs, unfinished.anew)
        if entry.terms is None:
            done.faults.append(done.items)
            done.said.append(entry.fault or "")
        else:
            task.add(replace(pair, fields=entry.fields), entry.terms)
            task.passed(pair)
        done.items += 1


def _next(entry: Entry, pairs: Iterator[Pair], anew: str) -> Pair:
    """The pair of an item that is finished."""
    pair = next(pairs, None)
    if pair is None or pair.id != entry.id:
        found = "there is none" if pair is None else f"now it is {pair.id!r}"
        raise FstmetricsError(
            f"the inputs or --missing have changed since the run was stopped: item {entry.id!r} was next, {found}; "
            f"{anew}"
        )
    return pair


def _item(outcome: Outcome[Made], task: Task[Made], recorded: bool) -> _Item[Made]:
    """An item that was worked on here."""
    result, pair = outcome.result, outcome.pair
    if result is None:
        return _Item(pair, Entry(pair.id, fault=outcome.fault))
    line = written_json(task.signed(result, pair)) + "\n" if recorded else ""
    return _Item(pair, Entry(pair.id, task.terms(result, pair), fields=pair.fields), line, result)


# What commands set that changes numbers, by the names of their settings.
CONDITIONS = ("scales", "beam", "model_weight", "scale", "candidates", "evidence")


def conditions(request: Request, inputs: Inputs, settings: dict[str, Any]) -> tuple[str, ...]:
    """What scores depend on beside the metric and what was done to words, as signatures have it."""
    found = [part(name, settings[name]) for name in CONDITIONS if settings.get(name) is not None]
    missing = [f"missing:{request.missing}"] if request.missing != "error" else []
    files = {
        "symbols": request.symbols,
        "weights": request.weights,
        "tag-candidates": request.tag_candidates,
    }
    named = [part(name, os.path.basename(path)) for name, path in files.items() if path]
    return (*inputs.conditions, *missing, *named, *found)


def of_items(parts: Iterable[str]) -> tuple[str, ...]:
    """Those of them that the score of a single item depends on: whether others are skipped is all the same to it."""
    return tuple(part for part in parts if not part.startswith("missing:"))


def status(request: Request, inputs: Inputs, faults: int) -> int:
    """The exit status: 1 if items were left out because something is wrong with them."""
    return 1 if faults or (request.keep_going and inputs.skipped and request.missing == "error") else 0


def shown_settings(request: Request, metric: CorpusMetric, inputs: Inputs) -> dict[str, Any]:
    """What the summary says of what was computed, whatever the command."""
    return {
        **metric.settings(),
        **request.normalisation.settings(),
        **({"grammars": request.grammar_signature} if request.grammars else {}),
        "formats": inputs.formats,
        "pairing": inputs.pairing,
    }


def run_settings(
    request: Request, inputs: Inputs, metric: CorpusMetric, shown: dict[str, Any]
) -> dict[str, Any]:
    """What has to be the same for a run to go on: whatever a record depends on beside what is read.

    Which items there are (`--missing`) is seen from their ids.

    Args:
        request: what was asked for.
        inputs: what is read.
        metric: what is computed.
        shown: the settings that the summary shows.
    """
    found = {name: value for name, value in shown.items() if name not in ("route", "missing")}
    found |= {"metric": metric.signature(), "nbest": request.nbest, "alignment": request.alignment}
    found |= {"alternations": request.alternations, "speakers": request.speakers, "version": __version__}
    found |= {"fields": list(request.fields)} if request.fields else {}
    return found


def input_states(request: Request, inputs: Inputs) -> InputStates:
    """What a run reads, as it was before it was read."""
    names = [*inputs.formats, *request.beside]
    states = {**on_request.states_of(names), **(inputs.states or {})}
    return on_request.InputStates({name: states[name] for name in names}, files_read(request, inputs))


def files_read(request: Request, inputs: Inputs) -> list[str]:
    """The paths of all that a run reads, in order: which side each is on matters."""
    return [*(side.path for side in inputs.sides), *request.beside]
