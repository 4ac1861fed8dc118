"""The decoder's best word sequences as files of text, words with times or n-best lists: `write_best`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, Protocol

import numpy as np

from fstmetrics._native import BestPathSides, LatticeColumn, TextColumn
from fstmetrics.convert.accounts import Conversion, Told
from fstmetrics.convert.files import READ_AS, WRITERS, Progress, convert, unseen
from fstmetrics.data.lattice import BestWords, Lattice
from fstmetrics.data.nbest import NBest, NBestColumn, order_remark, outscored_remark
from fstmetrics.data.network import Network
from fstmetrics.io.blocks import Block
from fstmetrics.io.detection.formats_and_refusals import look_of, look_remark
from fstmetrics.io.formats.nbest_lists import SEPARATOR
from fstmetrics.io.items import Item
from fstmetrics.io.register import MACHINES
from fstmetrics.io.writing import Writer
from fstmetrics.io.written_words import WordsSoFar, are_writable_ids, is_writable_word
from fstmetrics.lattices.best_paths import RankedPaths, best_of_column, best_paths
from fstmetrics.lattices.costs import FIRST, weights_remark
from fstmetrics.lattices.weighted import weighed
from fstmetrics.support.errors import FstmetricsError

# The formats that hold a word sequence or a list of them.
TARGETS = {name: w for name, w in WRITERS.items() if w.carries.content in ("text", "timed", "n-best")}
DEFAULT = "kaldi-text"
# Formats of many ranked lists that are written from columns, too.
LISTS = frozenset({"nbest", "nbest-kaldi"})


def write_best(
    source: str,
    target: str,
    *,
    nbest: int = 1,
    to: str | None = None,
    scales: GivenScales | None = None,
    format: str | None = None,
    symbols: str | None = None,
    weights: str | None = None,
    fields: Sequence[str] = (),
    frame_length: float | None = None,
    progress: Progress = unseen,
    faulty: Told | None = None,
) -> Conversion:
    """Write the best words of lattices, forests or n-best lists, as `lattice-best-path` and `lattice-to-nbest` do.

    Args:
        source: a file, a folder, or "-" for standard input.
        target: as of `convert`.
        nbest: how many distinct sequences an item. Where a format holds one an item, the items of `utt` are called
            `utt-1`, `utt-2`, ..., as Kaldi has them.
        to: a name of `TARGETS`; by default what the target's ending says, or `kaldi-text`.
        scales: weights of costs; by default as each file says.
        format, symbols, weights, frame_length, progress, faulty, fields: as of `convert`.

    Returns:
        What was done. Where it raises, nothing is written.

    Raises:
        FstmetricsError: something that cannot be read or written, or is no lattice, forest or n-best list.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "lat.txt").write_text("u\\n0 1 the 1,0,\\n0 1 a 2,0,\\n1\\n\\n")
    >>> write_best(f"{folder}/lat.txt", f"{folder}/hyp", nbest=5).items
    2
    >>> (folder / "hyp").read_text()
    'u-1 the\\nu-2 a\\n'
    """
    writer = _writer(target, to)
    carries = writer.carries
    if nbest > 1 and carries.content != "n-best" and not (carries.content == "text" and carries.ids):
        holds = "one sequence of words an item" if carries.content == "timed" else "sentences without ids"
        raise FstmetricsError(
            f"{writer.name} holds {holds}, so several of an item cannot be told apart; nbest and kaldi-text can"
        )
    choice = Choice(writer, nbest, scales)
    done = convert(
        source, target, to=writer.name, each=choice, lossy=True, format=format, symbols=symbols, weights=weights,
        frame_length=frame_length, progress=progress, faulty=faulty, fields=fields,
    )  # fmt: skip
    if choice.outscored:
        remark = order_remark if scales and scales.scales else outscored_remark
        done.remarks = [*done.remarks, remark(choice.outscored, choice.may_have_costs)]
    first = list(islice(choice.first, FIRST))
    if MACHINES.issuperset(done.formats):
        lm_scale = scales.scales.get("lm", 1.0) if scales else 1.0
        lattices = (each for each in first if isinstance(each, Lattice))
        done.remarks = [*done.remarks, *filter(None, [weights_remark(lattices, lm_scale)])]
    texts = [each.texts[0] for each in first if isinstance(each, NBest) and each.texts]
    if format is None and (look := look_of(texts)):
        done.remarks = [*done.remarks, f"{source}: its hypotheses {look_remark(look)}"]
    done.lost.clear()  # that only the best is written was asked for
    return done


def _writer(target: str, to: str | None) -> Writer:
    if to is None:
        name = target.removesuffix(".gz")
        ends = {end: w for w in TARGETS.values() if READ_AS[w.name].name != "plain" for end in w.extensions}
        return next((w for end, w in ends.items() if name.endswith(end)), TARGETS[DEFAULT])
    if to not in TARGETS:
        raise FstmetricsError(f"format {to!r} holds no best words; those that do: {', '.join(TARGETS)}")
    return TARGETS[to]


class GivenScales(Protocol):
    """Weights of costs that a caller gives."""

    @property
    def scales(self) -> Mapping[str, float]:
        """By their names in `Scales`; others are as each file says."""

    def scaled(self, hypothesis: Any, /) -> Any:
        """A lattice, forest or n-best list under these."""


@dataclass
class Choice:
    """What is written of an item.

    Attributes:
        writer: what it is written by.
        nbest: how many distinct word sequences.
        scales: weights of costs; None: as each file says.
        outscored: of how many lists the first entry was taken and another has a better score; under scales, of how many
            with scores that may be costs another than the first was taken.
        may_have_costs: whether one of these may, as of `NBest`, and the scales have not turned them.
        first: the first lattices or n-best lists.
    """

    writer: Writer
    nbest: int
    scales: GivenScales | None = None
    outscored: int = 0
    may_have_costs: bool = False
    first: Sequence[Lattice | NBest] = field(default_factory=list, repr=False)
    _writable: WordsSoFar = field(
        default_factory=lambda: WordsSoFar(partial(is_writable_word, unlike=SEPARATOR)), repr=False
    )

    def of(self, item: Item) -> Sequence[Item]:
        """The item with its best words, or several items."""
        if not isinstance(item.value, Lattice | NBest | Network):
            raise FstmetricsError(
                "expected lattices, forests or n-best lists, and found text; if it is one of these, give its format"
            )
        if not isinstance(item.value, Network) and isinstance(self.first, list) and len(self.first) < FIRST:
            self.first.append(item.value)
        content = self.writer.carries.content
        value = item.value if self.scales is None else self.scales.scaled(item.value)
        if content == "timed" and isinstance(value, Lattice):
            return [replace(item, given=value)]  # its times are those of its best path
        if isinstance(value, NBest):
            if value.is_outscored and (value is item.value or value.may_have_costs):
                self.outscored += 1
                have_costs = (
                    isinstance(item.value, NBest) and item.value.may_have_costs and value.may_have_costs
                )
                self.may_have_costs = self.may_have_costs or have_costs
            best = _of_list(value, self.nbest, by_score=value is not item.value)
        else:
            best = _of_paths(value, self.nbest, content == "n-best")
        if content == "n-best":
            words, costs = zip(*best, strict=True)
            if math.inf in costs:
                raise FstmetricsError(
                    "an entry has probability 0, whose logarithm no list can hold; leave it out"
                )
            scores = (
                None if isinstance(value, NBest) and value.scores is None else tuple(-cost for cost in costs)
            )
            return [replace(item, given=NBest(item.id or "", words, tuple(map(" ".join, words)), scores))]
        if self.nbest == 1:
            return [replace(item, given=best[0].words)]
        return [replace(item, id=f"{item.id}-{rank}", given=path.words) for rank, path in enumerate(best, 1)]

    def of_block(self, block: Block) -> Block | None:
        """The best words of lattices in a column, where each has one sentence and all are known to be writable."""
        lattices, ids = block.values, block.ids
        is_list = self.writer.name in LISTS
        if not (is_list and self.nbest > 1) and self.writer.name != DEFAULT:
            return None
        if not (isinstance(lattices, LatticeColumn) and isinstance(ids, TextColumn)):
            return None
        names = list(ids)
        if not (are_writable_ids(names) and self._writable.are_such(lattices.vocabulary)):
            return None
        if is_list and SEPARATOR in " ".join(names):
            return None
        scales = {} if self.scales is None else self.scales.scales
        lm, acoustic, word_penalty = map(scales.get, ("lm", "acoustic", "word_penalty"))
        self.first = self.first or lattices
        best = BestPathSides(lattices, lm, acoustic, word_penalty)
        if best.failure is not None:
            return None
        if self.nbest == 1:
            return Block(ids, best.texts())
        paths = best_of_column(lattices, self.nbest, scales)
        if paths is None:
            return None
        paths = _own_first(paths, best.texts())
        if is_list:
            return Block(ids, NBestColumn(names, paths.texts, -paths.costs, paths.begins))
        sizes = np.diff(paths.begins).tolist()
        ranked = [
            f"{id}-{rank}" for id, size in zip(names, sizes, strict=True) for rank in range(1, size + 1)
        ]
        return Block(TextColumn(ranked), paths.texts)


def _own_first(paths: RankedPaths, own: TextColumn) -> RankedPaths:
    """Of equals the decoder's own 1-best comes first, as it does elsewhere."""
    texts, costs, begins = paths
    tied = np.flatnonzero(costs[1:] == costs[:-1])
    order = np.arange(len(costs))
    for item in np.unique(np.searchsorted(begins, tied, side="right") - 1).tolist():
        rows = range(begins[item], begins[item + 1])
        place = next((row for row in rows if texts[row] == own[item]), None)
        if place is not None:
            first = next(row for row in rows if costs[row] == costs[place])
            order[first : place + 1] = np.roll(order[first : place + 1], 1)
    return RankedPaths(texts.taken(order), costs, begins)


def _of_paths(value: Lattice | Network, n: int, with_costs: bool) -> list[BestWords]:
    """Of equals the decoder's own 1-best comes first, as it does elsewhere."""
    if isinstance(value, Network) and not value.has_costs:
        raise FstmetricsError(
            "the forest has no scores, so there is no best path; --weights FILE gives hypergraphs the weights of their "
            "features"
        )
    first = value.best_path()
    if n == 1:
        is_exact = not with_costs or math.isinf(first.cost)
        cost = first.cost if is_exact else weighed(value).model_costs([first.words])[0]
        return [BestWords(first.words, cost)]
    return sorted(best_paths(value, n), key=lambda path: (path.cost, path.words != first.words))


def _of_list(nbest: NBest, n: int, by_score: bool) -> list[BestWords]:
    """The first distinct entries: in the decoder's order, or by their scores."""
    scores = nbest.scores or (0.0,) * len(nbest.entries)
    ranked = list(zip(nbest.entries, scores, strict=True))
    if by_score:
        ranked.sort(key=lambda entry: -entry[1])
    best: dict[tuple[str, ...], float] = {}
    for words, score in ranked:
        best.setdefault(words, -score)
    return [BestWords(words, cost) for words, cost in list(best.items())[:n]]
