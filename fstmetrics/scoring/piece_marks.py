"""Marks of pieces, escapes, markup and choices that only some inputs of a command have: `unmarked`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from fstmetrics.data.cards import Call, Token, parse_phrase
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.segments import Segment, TimedWords, cut
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.data.transcripts import Texts as References
from fstmetrics.data.transcripts import TranscriptColumn
from fstmetrics.io.detection.formats_and_refusals import SIGNS, TEXT, look_of, look_remark
from fstmetrics.io.ids import MANY, end_of_own_ids
from fstmetrics.io.items import Item
from fstmetrics.io.marks import BYTE_ORDER, FEWEST, FIRST, MARKS, Texts, one_sided, shared
from fstmetrics.support.errors import InputError
from fstmetrics.support.names import listed
from fstmetrics.support.source import Source
from fstmetrics.text.normalisation import Normalisation, unheard

if TYPE_CHECKING:
    from fstmetrics.scoring.request import Request
    from fstmetrics.scoring.run_sides import Side


# Words of networks that have a mark, or are ids, have one of these.
SIGNED = re.compile(r"[^\w\s,.?!'-]|[\d_]|^['-]", re.MULTILINE)
# Behind or around a name there is one of them.
NAMING = frozenset(":\uff1a])")


def unmarked(sides: Sequence[Side], request: Request) -> list[Side]:
    """The sides, with remarks on pieces of words that all of them have, on words at an end of all texts of one side, on
    words of `--ignore` that none has, and on choices that are asked for and not there.

    Raises:
        InputError: words of one side have a mark that those of another lack, or look like no text, and nobody has said
            what its format is.
    """
    if request.ignore or request.ignore_hypothesis or request.ignore_reference:
        sides = _heard(sides, request)
    texts, shown = [], []
    found = list(sides)
    remarks: list[str] = []
    are_timed = [side for side in sides if side.has_transcripts and TimedWords in side.items.types]
    segments = _segments(sides) if are_timed else ()
    for each in sides:
        if each.is_empty or (side := _texts(each, segments)) is None:
            continue
        texts.append(side)
        shown.append(each)
        is_known = side.formats == ("plain",) or (side.is_by_words and not side.is_text)
        if not is_known and SIGNS.search("\n".join(side.first)):
            remarks += _looks(each, side, request.normalisation)
    if len(texts) < 2:
        return remarked_first(found, remarks) if remarks else found
    # A mark of which no sign is in the first texts of a side has none in any.
    beginning = "\n".join([text for side in texts for text in side.first])
    if left_out := [marker for marker in sorted(SENTENCE_MARKERS) if marker in beginning]:
        marked = [s.path for s in texts if s.is_text and {*left_out} & {*"\n".join(s.first).split()}]
        if marked:
            remarks.append(
                f"{listed(marked)}: sentence markers ({' '.join(left_out)}) are left out; sacrebleu and others count "
                "them as words"
            )
    if marks := [mark for mark in MARKS if any(map(beginning.__contains__, mark.signs))]:
        for one in one_sided(marks, texts, request.normalisation.joined):
            if one.having.advice and not (one.is_in_few or one.mark.is_remarked):
                raise InputError(f"{one.message}; {one.having.advice}", one.having.path)
            remarks.append(f"{one.having.path} {one.message}")
        if models := [mark for mark in marks if mark.of_model]:
            remarks += shared(models, texts)
    if not NAMING.isdisjoint(beginning):
        remarks += _names_before(list(map(_by_pieces, shown, texts)), request.normalisation)
    many = [side for side in texts if side.is_text and not side.is_by_words and len(side.first) >= FEWEST]
    if len(many) > 1:
        from fstmetrics.io.text_ends import constant_ends, headings  # two short files need none

        asked = request.normalisation
        words = replace(asked, ignore=asked.ignore | asked.ignore_hypothesis | asked.ignore_reference)
        for remarked in (constant_ends, headings):
            remarks += remarked(many, words.joined)
    if request.alternations is not None:
        remarks += _without_choices(sides)
    return remarked_first(found, remarks) if remarks else found


def phrase_remarks(network: Network) -> Iterator[str]:
    """What the phrases of a network have that is no part of words, but for choices, which are told as signs."""
    if network.tokenize is not None:
        return
    phrases = list(islice(shown_by(network), FIRST))
    if verb := end_of_own_ids(2 * [([network.id], phrases)], str):
        yield f"its phrases {verb} with its own id: take it out of them"
    elif look := look_of(phrases) if len(phrases) > 1 else "":
        yield f"its phrases {look_remark(look)}"
    beginning = "\n".join(phrases)
    for mark in MARKS:
        has_sign = any(map(beginning.__contains__, mark.signs))
        if has_sign and not (mark.is_of_choices or mark.is_shown) and mark.has(phrases):
            yield f"its phrases have {mark.called}, which count as words"


def choices_unread(references: Sequence[Side]) -> list[str]:
    """Remarks on choices and wildcards of references without hypotheses, of which nobody has said how they are written.

    Raises:
        InputError: choices, and nobody has said what the format is.
    """
    remarks = []
    for side in references:
        texts = _texts(side)
        for mark in MARKS if texts and texts.may_choose else ():
            if texts and mark.is_of_choices and mark.has(texts.all()):
                message = f"has {mark.called}: {mark.advice}"
                if texts.advice and not mark.is_remarked:
                    raise InputError(f"{message}; {texts.advice}", side.path)
                remarks.append(f"{side.path} {message}")
    return remarks


def _names_before(sides: Sequence[Texts], normalisation: Normalisation) -> list[str]:
    """Remarks on names of speakers that may be before the texts of one side.

    Raises:
        InputError: they are, those of another have none, and nobody has said what the format is.
    """
    from fstmetrics.io.text_ends import names_before  # few texts have colons and brackets

    remarks = []
    for side, message, are_certain in names_before(
        [each for each in sides if each.is_text], normalisation.joined
    ):
        if are_certain and side.advice:
            raise InputError(f"{message}; {side.advice}", side.path)
        remarks.append(f"{side.path} {message}")
    return remarks


def _by_pieces(side: Side, texts: Texts) -> Texts:
    """The texts of a side; of recordings with subtitles or segments, these."""
    if not side.is_text or side.stream is not None or side.items.native is not None:
        return texts
    timed = [item.given if isinstance(item.given, TimedWords) else item.timed for item in side.items]
    pieces = [piece for each in timed if isinstance(each, TimedWords) for piece in each.pieces]
    if not pieces:
        return texts
    return texts._replace(first=pieces[:FIRST], all=lambda: iter(pieces), is_by_words=True)


def _looks(side: Side, texts: Texts, normalisation: Normalisation) -> list[str]:
    """A remark on texts of another format that are not read as lines of text, if the format is asked for.

    Raises:
        InputError: nobody has asked for it. What a normaliser takes out is none of it.
    """
    if side.has_own_ids and (verb := end_of_own_ids(_with_names(side), normalisation.joined)):
        message = f"its {texts.side} {verb} with their own ids: take these out of the texts"
    else:
        first = texts.first
        if isinstance(side.first, NBest):  # a text is a list's first entry: the others say the same again
            first = [entry for _, (entry, *_) in _with_names(side)]
        look = look_of(first)
        if isinstance(side.first, Network) and not look:  # of one network each
            looks = {look_of(phrases) for _, phrases in _with_names(side) if len(phrases) > 1}
            look = looks.pop() if len(looks) == 1 else ""
        if not look or (normalisation.normaliser and not look_of(map(normalisation.joined, first))):
            return []
        message = f"its {texts.side} {look_remark(look)}"
    if texts.advice:
        raise InputError(f"{message}; {texts.advice}", texts.path)
    return [f"{texts.path}: {message}"]


def _with_names(side: Side) -> Iterator[tuple[Sequence[str | None], Sequence[str]]]:
    """What items are called, and their texts; of networks, and n-best lists read one by one, the first ones."""
    if (native := side.items.native) is not None and side.is_text:
        written = native.values.texts if isinstance(native.values, TranscriptColumn) else native.values
        yield from zip(zip(native.ids or ()), zip(written), strict=True)
    elif side.is_text:
        for item in side.items:
            file = item.segment.file if item.segment else None
            yield [item.id, file], [item.text] if item.text is not None else list(shown_by(item.given))
    elif isinstance(side.first, NBest | Network):
        for item in _read(islice(side.stream or side.items, MANY)):
            yield [item.id], list(shown_by(item.value))


def remarked_first(sides: Sequence[Side], remarks: Sequence[str]) -> list[Side]:
    """The sides, the first one with these remarks."""
    first, *others = sides
    return [replace(first, items=replace(first.items, remarks=(*first.items.remarks, *remarks))), *others]


def _without_choices(sides: Sequence[Side]) -> list[str]:
    """A remark on references in which nothing is a choice, though somebody says how choices are written."""
    told = [side for side in sides if side.options.alternations is not None and side.is_in_notation]
    if not told or any(side.has_choices for side in told):
        return []
    paths = ", ".join(dict.fromkeys(side.path for side in told))
    return [f"--alternations {told[0].options.alternations} finds no choice in {paths}"]


def _heard(sides: Sequence[Side], request: Request) -> Sequence[Side]:
    """The sides, with remarks on words of `--ignore` and its kin that are on none of the sides that it is of."""
    references = [side for side in sides if side.options.table.side == "reference"]
    hypotheses = [side for side in sides if side.options.table.side != "reference"]
    remarks = [
        remark
        for option, words, of, what in (
            ("--ignore", request.ignore, sides, "reference or hypothesis"),
            ("--ignore-ref", request.ignore_reference, references, "reference"),
            ("--ignore-hyp", request.ignore_hypothesis, hypotheses, "hypothesis"),
        )
        if (remark := _unheard(words, of, request, f"{option}: no {what} has "))
    ]
    return remarked_first(sides, remarks) if remarks else sides


def _unheard(ignored: Sequence[str], sides: Sequence[Side], request: Request, begin: str) -> str:
    """The remark on words that are not to count and are on no side; empty where all are, or sides are no texts."""
    shown = [_all_texts(side) for side in sides if not side.is_empty]
    texts = [each for each in shown if each is not None]
    if not ignored or not shown or len(texts) < len(shown):
        return ""
    words = unheard(request.normalisation, {*" ".join(ignored).split()}, chain.from_iterable(texts))
    if not words:
        return ""
    hint = "; white space, no comma, parts words" if any("," in word.strip(",") for word in words) else ""
    return f"{begin}{listed(list(map(repr, words)))}{hint}"


def _all_texts(side: Side) -> Iterable[str] | None:
    """The texts of a side as they are written; None where it holds something else, or texts that leave choices."""
    if not side.is_text or side.stream is not None or side.has_choices:
        return None
    if (native := side.items.native) is not None:
        return None if isinstance(native.values, TranscriptColumn) else native.values
    texts = []
    for item in side.items:
        if item.text is None and not isinstance(item.given, tuple):
            return None
        texts.append(" ".join(item.given) if item.text is None else item.text)
    return texts


def _segments(sides: Sequence[Side]) -> Sequence[Segment]:
    """Those of the first side whose items all are some; none where there is no such side."""
    for side in sides:
        segments = [] if side.items.native or side.stream else [item.segment for item in side.items]
        if found := [segment for segment in segments if segment]:
            return found if len(found) == len(segments) else ()
    return ()


def _cut(side: Side, segments: Sequence[Segment]) -> Side:
    """A side of words with times, as texts of the segments that they fall into."""
    channels = [item.given for item in side.items if isinstance(item.given, TimedWords)]
    homes = {channel.home for channel in channels} & {segment.home for segment in segments}
    if not homes or len(channels) < len(side.items.items):
        return side
    kept = [segment for segment in segments if segment.home in homes]
    texts = [" ".join(said.words or said.lattice.symbols.words) for said in cut(channels, kept)]
    items = tuple([Item(None, None, text) for text in texts if text])
    return replace(side, items=replace(side.items, items=items))


def _texts(side: Side, segments: Sequence[Segment] = ()) -> Texts | None:
    """What a side shows of its words, those with times by segments, if there are some; None of networks whose tokenizer
    may have made other words of marks.
    """
    is_network = not side.is_text and isinstance(side.first, Network)
    if is_network and side.first.tokenize is not None:
        return None
    advice = ""
    if side.format is None:
        advice = f"if they are words, {side.options.format_option} {side.formats[0]} says so"
    is_timed = side.has_transcripts and TimedWords in side.items.types
    each = partial(texts_of, _cut(side, segments) if is_timed and segments else side)
    is_reference = side.options.table.side == "reference"
    known = [side.first, *[item.given for item in side.items.items]] if is_network and is_reference else []
    words = [word for network in known if isinstance(network, Network) for word in network.symbols.words]
    # Cards are made where they are asked for.
    first = [] if is_network and not SIGNED.search("\n".join(words)) else list(islice(each(), FIRST))
    if {*TEXT} & {*side.formats} and isinstance(side.source, Source) and side.source.line_survey.has_mark:
        first.append(BYTE_ORDER)  # before an id, or far behind
    may_choose = is_network or (side.is_in_notation and side.options.alternations is None)
    by_words = is_timed or (not (side.is_text or is_network) and isinstance(side.first, Lattice))
    return Texts(
        side.path,
        side.is_text,
        advice,
        is_reference,
        may_choose,
        first,
        each,
        by_words,
        side.formats,
        is_network,
    )


def texts_of(side: Side) -> Iterator[str]:
    """The texts of a side; of lattices, and n-best lists that are read one by one, those of the first."""
    if not side.is_text:
        is_here = isinstance(side.first, NBest) and not (side.stream or side.items.listings)
        are_all = is_here or isinstance(side.first, Network)
        for value in (item.value for item in _read(side.stream or side.items)) if are_all else [side.first]:
            yield from shown_by(value)
    elif (native := side.items.native) is not None:
        yield from native.values.plain() if isinstance(native.values, TranscriptColumn) else native.values
    else:
        for item in side.items:
            yield from [item.text] if item.text is not None else shown_by(item.given)


def _read(items: Iterable[Item]) -> Iterator[Item]:
    """Items with what was deferred, but for those that cannot be read, of which is told where they are scored."""
    for item in items:
        with suppress(InputError):
            yield item.loaded()


def shown_by(value: Any) -> Iterator[str]:
    """The texts of a value, as far as it shows some."""
    if isinstance(value, Lattice):
        yield " ".join(value.symbols.words)
    elif isinstance(value, Network):
        yield from _phrases(value)
    elif isinstance(value, NBest | References):
        yield from value.texts
    elif isinstance(value, TimedWords):
        said = value.transcript()
        yield " ".join(said.words or said.lattice.symbols.words)
    elif isinstance(value, tuple):
        yield " ".join(map(str, value))


def _phrases(network: Network) -> Iterator[str]:
    """The phrases of a network's root, and in the first one with a call what all other cards say; of a root of arcs,
    what it begins and ends with, and in the first place all that is between.

    >>> list(_phrases(Network.from_text("[S]: the [X] sat; a [X]\\n[X]: cat; hat", "")))
    ['the cat hat sat', 'a']
    """
    root = network.cards[network.root]
    others = [token for card in network.cards.values() if card is not root for *_, token in card.arcs]
    if root.phrases is not None:
        phrases = [parse_phrase(phrase) for phrase in root.phrases]
    else:
        begins = [token for start, _, token in root.arcs if start == root.start]
        ends = [token for _, end, token in root.arcs if end in root.finals]
        others += [token for start, end, token in root.arcs if start != root.start and end not in root.finals]
        count = max(len(begins), len(ends)) if begins and ends else 0
        between = Call("")  # stands for them
        phrases = [(begins[n % len(begins)], between, ends[n % len(ends)]) for n in range(count)]
    for phrase in phrases:
        tokens: list[Token] = []
        for token in phrase:
            if isinstance(token, Call):
                tokens, others = [*tokens, *others], []
            else:
                tokens.append(token)
        yield " ".join([token for token in tokens if isinstance(token, str)])
