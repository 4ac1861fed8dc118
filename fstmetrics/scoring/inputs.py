"""What a command reads: `read_inputs`, which opens every file once and pairs the items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain, repeat
from shlex import join
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from fstmetrics.data.network import Network
from fstmetrics.engine.sides import is_dropped
from fstmetrics.engine.signatures import cut_condition
from fstmetrics.io.items import has_mark
from fstmetrics.io.reading import resolve
from fstmetrics.scoring.opened_sides import by_overlap, open_sides, refuse_two_hypotheses
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.pairing import ADVICE, ADVICE_OF_SYSTEMS, Pairs
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.run_files import states_of
from fstmetrics.scoring.run_sides import Side
from fstmetrics.scoring.side_remarks import (
    choice_remarks,
    conditions_of,
    file_remarks,
    formats_of,
    hint_of,
    lacking_ids,
    pairing_of,
    pairing_remarks,
)
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.scoring.run_files import State
    from fstmetrics.scoring.shards import MergedShards


class PairSource(Protocol):
    """Pairs in order; values may be deferred, and pairs be made as they are asked for."""

    @property
    def skipped(self) -> int:
        """How many items had no partner and were left out, so far."""

    @property
    def lacking(self) -> Mapping[str, int]:
        """How many of their ids each file lacks, by its path, as far as it is known."""

    @property
    def expected(self) -> int | None:
        """About how many there are; None where nobody knows."""

    @property
    def known(self) -> PairBlock | None:
        """The pairs, if all are in memory."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the summary says of them."""

    def blocks(self) -> Iterator[PairBlock]:
        """All pairs, from the first one on, in blocks."""


@dataclass(frozen=True)
class Inputs:
    """Both sides, paired, and what summaries say of them.

    Attributes:
        source: what to score, in order.
        sides: what was read: the hypotheses, then sets of references; none of a run that is put together.
        assumed: what was guessed, for the summary.
        conditions: what scores depend on by the files, as signatures have it: how many references, whether ids were
            read.
        formats: how each path was read.
        pairing: how items were paired, and where the ids of each path are, for the JSON summary.
        hypotheses_are_text: whether the hypotheses are text, and there are any.
        are_oracles: whether they are lattices or n-best lists, of which the best paths are scored.
        references_are_text: whether all references are text.
        has_choices: whether a text leaves a choice, or a stretch open.
        references_choose: whether a text of the references does.
        without_networks: whether items are left out for want of a network, as sentences of a project are.
        network_words: the tokenizer that made the words of the first network of references, if there is one, and
            whether they are in lower case.
        given_fields: the fields that items get beside those of the files.
        states: what the files were before they were read, by name; None of a run that is put together.
    """

    source: PairSource
    sides: tuple[Side, ...] = ()
    assumed: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    formats: Mapping[str, str] = field(default_factory=dict)
    pairing: Mapping[str, Any] = field(default_factory=dict)
    hypotheses_are_text: bool = False
    are_oracles: bool = False
    references_are_text: bool = True
    has_choices: bool = False
    references_choose: bool = False
    without_networks: bool = False
    network_words: tuple[str | None, bool] = (None, False)
    given_fields: tuple[str, ...] = ()
    states: Mapping[str, State] | None = None

    @classmethod
    def of(
        cls,
        source: PairSource,
        sides: Sequence[Side],
        states: Mapping[str, State],
        assumed: Sequence[str] = (),
        conditions: tuple[str, ...] = (),
    ) -> Inputs:
        """Those of sides that have been read: the hypotheses first."""
        hypotheses, *references = sides
        choose = True in [side.has_choices for side in references]
        graphs = [side for side in references if not side.is_text]
        words: tuple[str | None, bool] = (None, False)
        for side in graphs:
            if isinstance(side.first, Network):
                words = (words[0] or side.first.tokenize, words[1] or side.first.lowercase)
        return cls(
            source,
            tuple(sides),
            tuple(assumed),
            conditions,
            formats_of(sides),
            pairing_of(sides),
            hypotheses_are_text=hypotheses.is_text and not hypotheses.is_empty,
            are_oracles=not hypotheses.is_text and not hypotheses.is_empty,
            references_are_text=not graphs,
            has_choices=choose or hypotheses.has_choices,
            references_choose=choose,
            without_networks=bool([side for side in sides if side.by_sentence]),
            network_words=words,
            states=states,
        )

    @property
    def fields(self) -> frozenset[str] | None:
        """The names of the fields of all items; None where that is not known before all items are read."""
        names = [side.fields for side in self.sides]
        if not names or None in names:
            return None
        return frozenset(chain(self.given_fields, *filter(None, names)))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was guessed, and what is odd about files as far as they have been read."""
        return (*self.assumed, *file_remarks(self.sides), *self.source.remarks)

    @property
    def has_mark(self) -> bool:
        """Whether a text begins with a byte order mark, which is left out, as far as they have been read."""
        return has_mark(remark for side in self.sides for remark in side.remarks)

    @property
    def skipped(self) -> int:
        """How many items had no partner and were left out on request, as far as is known."""
        return self.source.skipped

    def ids_of(self, path: str, files: Sequence[str]) -> Iterator[tuple[str, Sequence[str | None] | None]]:
        """The ids of the items in files of a path, file by file; None where only reading all files tells them."""
        side = next((side for side in self.sides if side.path == path), None)
        return zip(files, side.ids_of(files) if side else repeat(None), strict=False)

    @property
    def lacks(self) -> str:
        """Why items are left out, as far as is known; empty: a file lacks their ids."""
        return "no network yet" if self.without_networks else lacking_ids(self.skipped, self.source.lacking)

    @cached_property
    def pairs(self) -> list[Pair]:
        """All pairs, read."""
        return [pair.loaded() for pair in chain.from_iterable(self.source.blocks())]

    def refuse_for_text(self, given: Sequence[str], path: str) -> None:
        """Refuse options of lattices where the hypotheses are text, of which they would change nothing.

        Args:
            given: the options, as the command line calls them.
            path: of the hypotheses.

        Raises:
            InputError: there is one, and they are text.
        """
        if given and self.hypotheses_are_text:
            raise InputError(f"{given[0]} is for lattices, not for text", path)

    def told(self) -> dict[str, Any]:
        """What summaries say of them, after all pairs have been read, for `inputs_of_shards`."""
        return {name: getattr(self, name) for name in TOLD}


# What a shard of a run keeps of its inputs, and what all shards have to agree in.
TOLD = (
    "formats", "hypotheses_are_text", "are_oracles", "references_are_text", "has_choices", "references_choose",
    "remarks", "pairing", "skipped", "conditions", "network_words",
)  # fmt: skip


@dataclass
class NoPairs:
    """The source of a run whose items are not read again; what derives from it has items without partners."""

    skipped: int = 0
    expected: int | None = 0
    known = None
    lacking = MappingProxyType[str, int]({})
    remarks = ()

    def blocks(self) -> Iterator[PairBlock]:
        """None."""
        return iter(())


def inputs_of_shards(merged: MergedShards) -> Inputs:
    """What the shards have kept of their inputs, and no items.

    Raises:
        FstmetricsError: they were of different inputs.
    """
    found = {name: merged.common(name) for name in TOLD}
    remarks, conditions = tuple(found.pop("remarks")), tuple(found.pop("conditions"))
    tokenize, lowercase = found.pop("network_words") or (None, False)
    return Inputs(
        NoPairs(found.pop("skipped")),
        assumed=remarks,
        conditions=conditions,
        network_words=(tokenize, lowercase),
        **found,
    )


def read_inputs(
    request: Request,
    references: str,
    hypotheses: str | None,
    text: bool = True,
    networks_first: bool = False,
    one_best: bool = False,
    advice: str = ADVICE,
) -> Inputs:
    """Read and pair both sides.

    Args:
        request: how to read and pair.
        references: the path of the first references; the request has the others.
        hypotheses: the path of the hypotheses; None where the first references are a table that has them, too.
        text: whether hypotheses may be recognised as text; a damaged lattice looks like text, too.
        networks_first: whether networks are references and nothing else: then networks of hypotheses show that the
            order is wrong.
        one_best: whether the decoder's own choice is shown, so that no remark has to say that it is not.
        advice: what messages about items without a partner end in; empty for a command without --missing.

    Raises:
        FstmetricsError: a file that cannot be read, or items that do not pair.
    """
    if request.merged:
        return inputs_of_shards(request.merged)
    paths = [*filter(None, [hypotheses]), references, *request.more_references]
    states = states_of_paths(request, paths) if request.output else {}
    if request.resegment:
        from fstmetrics.scoring.resegmenting import resegmented

        sides = resegmented(request, paths, 1, hypotheses is None)
        cut = [cut_condition(request.criterion, request.normalisation.unit, request.bare_cuts)]
    else:
        cut = []
        sides = by_overlap(open_sides(request, paths, 1, streams=True, text=text, both=hypotheses is None), 1)
        if request.times:
            from fstmetrics.scoring.words_in_segments import with_times_of_words

            sides = with_times_of_words(sides)
    if networks_first and sides[0].holds_networks:
        raise InputError(
            "holds networks where hypotheses are expected; NETWORKS come first, HYP second: "
            f"fstmetrics hyter {join([paths[0], references])}",
            paths[0],
        )
    if not one_best and sides[0].items.remarks:
        refuse_two_hypotheses(sides[:1])
    remarks = pairing_remarks(sides)
    if sides[0].has_transcripts or not sides[0].is_text:
        remarks += choice_remarks(sides[:1], one_best)
    if advice == ADVICE and [side for side in sides if side.sentences]:
        advice = ADVICE_OF_SYSTEMS  # a network that nobody has written yet is no empty reference
    first, *others = [side.stream or side.items for side in sides]
    paired = partial(Spoken, request.normalisation) if request.normalisation.drops else Pairs
    pairs = paired(
        first,
        others,
        request.partnerless,
        partial(hint_of, sides),
        sides[0].is_empty,
        advice,
        sides[0].is_by_order,
        sides[1].left_out,
    )
    return Inputs.of(pairs, sides, states, remarks, (*conditions_of(sides[:1], sides[1:]), *cut))


def states_of_paths(request: Request, paths: Sequence[str]) -> dict[str, State]:
    """What files are before they are read, by the names that sides have; runs with records have to know."""
    return states_of(filter(None, [*(resolve(path, None)[0] for path in paths), *request.beside]))


class Spoken(Pairs):
    """Pairs without those that a profile leaves out for what their references become: nothing, as a rule.

    They are among those that are known.

    Args:
        normalisation: that of the profile.
        sides, options: as of `Pairs`.

    Attributes:
        dropped: how many those are, as far as pairs have been asked for.
    """

    def __init__(self, normalisation: Normalisation, *sides: Any, **options: Any) -> None:
        super().__init__(*sides, **options)
        self.dropped = 0
        self._normalisation = normalisation

    @property
    def remarks(self) -> tuple[str, ...]:
        """How many are left out, and what is said of the pairs, for the summary."""
        if not self.dropped:
            return super().remarks
        what = "item whose reference has" if self.dropped == 1 else "items whose references have"
        dropped = f"left out: {self.dropped} {what} no words under {self._normalisation.label}"
        return dropped, *super().remarks

    def blocks(self) -> Iterator[PairBlock]:
        """Each pair alone."""
        self.dropped = 0
        for pair in chain.from_iterable(super().blocks()):
            if self._is_dropped(pair):
                self.dropped += 1
            else:
                yield PairBlock.of([pair])

    def _is_dropped(self, pair: Pair) -> bool:
        """What cannot be read is kept: whoever loads it is told."""
        try:
            loaded = pair.loaded()
        except FstmetricsError:
            return False
        return is_dropped(loaded.reference, self._normalisation, loaded.hypothesis)
