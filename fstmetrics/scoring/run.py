"""Runs over many items: `run_items` reads, scores and records them batch by batch.

A run is a map of `Work` over batches; `Task` takes what came of them. A run with records continues where it was
stopped: `run_settings` and `run_files` are what has to stay the same. `conditions` and `shown_settings` are what
signatures and summaries say of a run; `status` is its exit status.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TextIO, TypeVar

from fstmetrics.data.nbest import NBest
from fstmetrics.engine.sides import Alternatives
from fstmetrics.engine.unlike_sides import MOST_LOOKED_AT, SAMPLE, WITH_TEXT, as_texts
from fstmetrics.metrics import CorpusMetric
from fstmetrics.scoring.inputs import Inputs
from fstmetrics.scoring.journal import Entry, Unfinished
from fstmetrics.scoring.pair_blocks import Pair, PairBlock, in_batches, numbered
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.run_files import Fingerprint, RunFiles, states_of
from fstmetrics.scoring.score import part
from fstmetrics.scoring.shards import ShardFile, without_paths
from fstmetrics.scoring.sums import Sums, Terms
from fstmetrics.scoring.work import Scoring, Work, Worked, in_order
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import is_plain, whole_file
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import listener
from fstmetrics.support.signals import Stopped
from fstmetrics.support.version import __version__

if TYPE_CHECKING:
    from fstmetrics.scoring.shards import MergedShards


Made = TypeVar("Made")
# What has blocks of pairs worked on by an engine: what came of them, batch by batch, in order.
Elsewhere = Callable[[Iterable[PairBlock], Work[Any]], Generator[Worked[Any], None, None]]


class Task(ABC, Generic[Made]):
    """What items add up to, and what is shown of them.

    A run maps the `work` over batches. Once records are written what came of a batch is `take`n: the terms of items are
    added to the `sums`, and each is `shown`. Of items that were finished before the run was stopped it has the terms
    alone, and says `passed`.

    Attributes:
        title: of the progress bar.
        scoring: what is computed.
        sums: what the items add up to.
        prints: whether items are printed as they come.
        shares_batches: whether several threads may work on a batch each.
        texts: the first ones, of both sides.
        numbers: how many items were scored before each of these.
    """

    title: ClassVar[str] = "scoring"
    prints: bool = False
    shares_batches: bool = False

    scoring: Scoring[Made]
    sums: Sums
    texts: list[tuple[Any, Any]]
    numbers: list[int]

    @abstractmethod
    def work(self, elsewhere: bool) -> Work[Made]:
        """What is done with a batch; `elsewhere`: by workers of an engine.

        Raises:
            FstmetricsError: it is done on this machine only.
        """

    def take(self, some: Worked[Made]) -> None:
        """Add what came of a batch to the sums, and show it."""
        if some.columns is not None:
            self.sums.add_all(some.columns)
        elif some.sums is not None:
            self.sums.update(some.sums)
        else:
            for pair, fault, _, terms, result in some:
                if fault:
                    listener.get().say(fault)
                else:
                    self.add(pair, terms)
                    self.shown(result, pair)

    def add(self, pair: Pair, terms: Terms) -> None:
        """Add an item to the sums."""
        self.sums.add(terms)

    def passed(self, pair: Pair) -> None:
        """Hear of an item that was finished before, and is not among the results."""

    def shown(self, result: Made | None, pair: Pair) -> None:
        """Print an item, or keep it to be printed; None: nothing is printed, and workers have kept the result."""

    def state(self) -> dict[str, Any]:
        """What a shard keeps of its items for `restore`: with `sums` where these are all that is asked of items.

        Where they are not, an entry of each item is kept beside, and `restore` hears of the items one by one.
        """
        return {"sums": self.sums.as_json()}

    def keep_texts(self, number: int, hypothesis: Any, reference: Any) -> None:
        """Keep the texts of an item, if they are among the first; of an n-best list the first entry."""
        if len(self.texts) >= SAMPLE:
            return
        if isinstance(hypothesis, NBest) and hypothesis.texts:
            hypothesis = hypothesis.texts[0]
        if type(hypothesis) in WITH_TEXT and len(self.texts) < MOST_LOOKED_AT.get(type(reference), 0):
            self.texts.append((hypothesis, reference))
            self.numbers.append(number)

    def texts_as_json(self) -> list[tuple[int, str, Any]]:
        """The first texts, but for those that leave a choice."""
        found = []
        for number, pair in zip(self.numbers, self.texts, strict=True):
            text, given = as_texts(*pair)
            references = [*given.items] if isinstance(given, Alternatives) else given
            if {str}.issuperset(
                map(type, (text, *(references if isinstance(references, list) else [given])))
            ):
                found.append((number, text, references))
        return found

    def restore_texts(self, merged: MergedShards) -> None:
        """Take the first texts of all items that shards have kept."""
        texts = [
            (merged.place(file, number), text, Alternatives(one) if isinstance(one, list) else one)
            for file in merged.files
            for number, text, one in file.state.get("texts", ())
        ]
        first = sorted(texts, key=itemgetter(0))[:SAMPLE]
        self.numbers, self.texts = [n for n, *_ in first], [(text, one) for _, text, one in first]

    def restore(self, merged: MergedShards) -> None:
        """Take what all shards of a run have kept."""
        if "sums" in merged.files[0].state:
            for file in merged.files:
                self.sums.update(Sums.from_json(file.state["sums"]))
            return
        for entry in merged.entries():
            if entry.terms is not None:
                self.add(Pair(entry.id, None, (), entry.fields), entry.terms)


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
    metric: CorpusMetric,
    shown: dict[str, Any],
    elsewhere: Elsewhere | None = None,
) -> Faults:
    """Work on all items, and write their records if they are asked for.

    Args:
        request: what was asked for.
        inputs: the items.
        task: what becomes of them; its sums are theirs afterwards.
        metric: what is computed.
        shown: the settings that the summary shows.
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
    states, settings = run_files(request, inputs), run_settings(request, inputs, metric, shown)
    with Unfinished(request.output, settings, request.resume, states) as unfinished:
        try:
            marks = states.fingerprints() if request.shard else []  # before anything is scored
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


def _run(
    request: Request,
    inputs: Inputs,
    task: Task[Made],
    to: TextIO | Unfinished | None,
    elsewhere: Elsewhere | None,
) -> _Done:
    done, expected = _Done(), inputs.source.expected
    if request.shard and expected is not None:
        expected = len(request.shard.places(expected))
    with listener.get().counter(task.title, expected, task.prints or request.output == "-") as progress:
        blocks = numbered(inputs.source.blocks())
        if request.shard:
            blocks = request.shard.blocks(blocks)
        if isinstance(to, Unfinished):
            blocks = _passed_over(to, blocks, task, done)
            progress(done.items)
        work = task.work(elsewhere is not None)
        with closing(_mapped(work, blocks, request.jobs, task.shares_batches, elsewhere)) as batches:
            for some in batches:
                if to is not None:
                    _write(some, to)
                task.take(some)
                for place in sorted(some.faults):
                    done.faults.append(done.items + place)
                    done.said.append(some.faults[place])
                done.items += len(some.pairs)
                progress(len(some.pairs))
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
    _, size, checksum = Fingerprint.of(unfinished.partial)
    state = task.state()
    assert request.shard is not None
    same = dict(settings)
    for name in ("formats", "pairing"):
        same[name] = without_paths(same[name])
    speakers = request.speakers and ("FILE" if os.path.isfile(request.speakers) else request.speakers)
    own = {
        "speakers": speakers,
        "missing": request.missing,
        "keep_going": request.keep_going,
        "by": [[grouping.name, grouping.bins] for grouping in request.by],
    }
    file = ShardFile(
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


def _mapped(
    work: Work[Made], blocks: Iterable[PairBlock], threads: int, shared: bool, elsewhere: Elsewhere | None
) -> Generator[Worked[Made], None, None]:
    """What came of the pairs of blocks in order, batch by batch: on an engine, by threads that share batches, or here.

    Raises:
        FstmetricsError: what is wrong with an item, or with the pairs as a whole.
    """
    if elsewhere:
        yield from elsewhere(blocks, work)
    elif shared and threads > 1:
        yield from in_order(in_batches(blocks, threads), work, threads)
    else:
        for batch in in_batches(blocks, threads):
            yield from work(batch)


def _write(some: Worked[Made], to: TextIO | Unfinished) -> None:
    """Write the records of a batch."""
    if some.written:
        records, entries = some.written
        if isinstance(to, Unfinished):
            to.write_written(records, entries, len(some.pairs) - len(some.faults))
        else:
            to.write(str(records, "utf-8"))  # on engines a view of memory
    elif isinstance(to, Unfinished):
        to.write(
            [
                (line, Entry(pair.id, fault=fault) if fault else Entry(pair.id, terms, fields=pair.fields))
                for pair, fault, line, terms, _ in some
            ]
        )
    else:
        to.writelines(line for _, _, line, _, _ in some)


def _passed_over(
    unfinished: Unfinished, blocks: Iterator[PairBlock], task: Task[Made], done: _Done
) -> Iterator[PairBlock]:
    """Count the items that are finished; what is left of the blocks.

    Raises:
        FstmetricsError: the next pair is not that of a finished item.
    """
    block: PairBlock | None = PairBlock([], [], ())
    at = 0
    for entry in unfinished.entries():
        while block is not None and at == len(block):
            block, at = next(blocks, None), 0
        pair = None if block is None else block[at]
        if pair is None or pair.id != entry.id:
            found = "there is none" if pair is None else f"now it is {pair.id!r}"
            raise FstmetricsError(
                f"the inputs or --missing have changed since the run was stopped: item {entry.id!r} was next, {found}; "
                f"{unfinished.anew}"
            )
        at += 1
        if entry.terms is None:
            done.faults.append(done.items)
            done.said.append(entry.fault or "")
        else:
            task.add(replace(pair, fields=entry.fields), entry.terms)
            task.passed(pair)
        done.items += 1
    return chain([block[at:]], blocks) if block is not None and at < len(block) else blocks


# What commands set that changes numbers, by the names of their settings.
CONDITIONS = ("scales", "beam", "model_weight", "scale", "candidates", "evidence", "biasing")


def conditions(
    request: Request, inputs: Inputs, settings: dict[str, Any], of_items: bool = False
) -> tuple[str, ...]:
    """What scores depend on beside the metric and what was done to words, as signatures have it.

    `of_items`: those of single items, to which it is all the same whether others are skipped. Of all items they are
    known after the run: with --keep-going items without a partner are skipped.
    """
    found = [part(name, settings[name]) for name in CONDITIONS if settings.get(name) is not None]
    skips = request.missing == "error" and request.keep_going and inputs.skipped
    how = "skip" if skips else request.missing
    if of_items:
        which = [request.shard.condition] if request.shard and "ids:no" in inputs.conditions else []
    else:
        which = [f"missing:{how}"] if how != "error" else []
    return (*inputs.conditions, *which, *request.named_files, *found)


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
        **({"resegmented": request.criterion} if request.resegment else {}),
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
    found |= {"conditions": list(inputs.conditions)} if request.resegment else {}
    return found


def run_files(request: Request, inputs: Inputs) -> RunFiles:
    """What a run reads, as it was before it was read."""
    names = [*inputs.formats, *request.beside]
    known = inputs.states or {}
    states = {**states_of(name for name in names if name not in known), **known}
    paths = [*(side.path for side in inputs.sides), *request.beside]  # which side each is on matters
    return RunFiles({name: states[name] for name in names}, paths, inputs.ids_of)
