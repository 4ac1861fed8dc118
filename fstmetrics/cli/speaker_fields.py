"""Speakers of a run's items where files do not say: `with_speakers` gives items the field `speaker`; `told_by`
is who speaks by what `--speakers` is given.

They come from ids by one of the rules of sclite, or from a file of lines `id speaker`, as Kaldi's utt2spk.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from fstmetrics.cli.inputs import Inputs, PairSource
from fstmetrics.runs.pair_blocks import Pair, PairBlock
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import Source
from fstmetrics.values.fields import SPEAKER
from fstmetrics.values.speaker_ids import SPEAKER_RULES, refuse_rule, speakers_of

ADVICE = (
    "--speakers spu_id where ids are speaker-utterance or speaker_utterance, or --speakers FILE with lines "
    "`id speaker`"
)
Speaker = Callable[[str | None], str]


class WithSpeakers:
    """Pairs with the speaker of each among its fields.

    Args:
        pairs: the pairs.
        speaker: of an id.
    """

    def __init__(self, pairs: PairSource, speaker: Speaker) -> None:
        self._pairs = pairs
        self._speaker = speaker

    @property
    def expected(self) -> int | None:
        """About how many there are."""
        return self._pairs.expected

    @property
    def skipped(self) -> int:
        """How many items had no partner."""
        return self._pairs.skipped

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the summary says of them."""
        return self._pairs.remarks

    @property
    def known(self) -> Sequence[Pair] | None:
        """The pairs, if all are in memory."""
        pairs = self._pairs.known
        return None if pairs is None else list(map(self._spoken, pairs))

    def __iter__(self) -> Iterator[Pair]:
        return map(self._spoken, self._pairs)

    def blocks(self) -> Iterator[PairBlock]:
        """Each pair alone."""
        return (PairBlock.of([pair]) for pair in self)

    def _spoken(self, pair: Pair) -> Pair:
        return replace(pair, fields={**pair.fields, SPEAKER: self._speaker(pair.id)})


def with_speakers(inputs: Inputs, rule: str | None, asker: str | None) -> Inputs:
    """The inputs with speakers by a rule; without a rule those of trn by its ids, where somebody asks for speakers.

    Args:
        inputs: what was read.
        rule: as `--speakers` is given.
        asker: the option that asks for speakers; None: nothing does.

    Raises:
        FstmetricsError: an id that tells no speaker, with the option that helps.
    """
    if rule is not None:
        return replace(inputs, source=WithSpeakers(inputs.source, told_by(rule)))
    pairs = inputs.source.known if asker else None
    if pairs is None or any(SPEAKER in pair.fields or pair.is_deferred for pair in pairs):
        return inputs
    said = f"{asker} needs speakers, and the files do not say who speaks"
    if "trn" not in inputs.formats.values():
        raise FstmetricsError(f"{said}; give {ADVICE}")
    ids = [pair.id for pair in pairs]
    try:
        told = dict(zip(ids, speakers_of(ids), strict=True))
    except FstmetricsError as error:
        raise FstmetricsError(f"{said}: {error}; give {ADVICE}") from None
    remark = "speakers by the ids: what stands before the first - or _"
    return replace(
        inputs, source=WithSpeakers(inputs.source, told.__getitem__), assumed=(*inputs.assumed, remark)
    )


def told_by(rule: str) -> Speaker:
    """The speaker of an id, by a rule or a file of lines `id speaker`.

    Raises:
        FstmetricsError: no such rule and no such file; or, when it is asked, an id that tells no speaker.
    """
    is_file = rule not in SPEAKER_RULES and os.path.exists(rule)
    table = _speakers_in(rule) if is_file else None
    if table is None:
        refuse_rule(rule)

    def speaker(id: str | None) -> str:
        if id is None:
            raise FstmetricsError(f"an item has no id, so that --speakers {rule} cannot tell its speaker")
        if table is None:
            return speakers_of([id], rule)[0]
        if id not in table:
            raise InputError(f"has no speaker for {id}", rule)
        return table[id]

    return speaker


def _speakers_in(path: str) -> dict[str, str]:
    source = Source.open(path)
    found: dict[str, str] = {}
    for number, line in source.lines_of_items():
        words = line.split()
        if len(words) != 2:
            raise source.error(f"expected `id speaker`, found {len(words)} words", number)
        found[words[0]] = words[1]
    return found
