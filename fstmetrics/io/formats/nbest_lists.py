"""N-best lists (`NBest`), in the three layouts they come in.

- "nbest": `id ||| hypothesis ||| features ||| total` lines of Moses, cdec and Joshua.
- "nbest-kaldi": `id word word ...` lines that repeat the id; only where a caller names it.
- "nbest-lines": one file an utterance, one hypothesis a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, product, takewhile
from typing import NamedTuple

from fstmetrics.data.nbest import NBest, NBestColumn
from fstmetrics.io.arcs import real, shown
from fstmetrics.io.blocks import Block
from fstmetrics.io.detection.head import Head
from fstmetrics.io.ids import RANKED, RANKS_ADVICE, without_rank
from fstmetrics.io.items import FeatureOptions, Format, Item, Listing, Place, ReadOptions
from fstmetrics.io.weights_file import FeatureColumns, features_of_field, read_weights, tell_misnamed
from fstmetrics.io.window import lists, places, sentence_numbers, split
from fstmetrics.io.writing import Carries, WriteOptions, Writer, encoded, only_item
from fstmetrics.io.written_words import checked_id, checked_line
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import File, Source, stem

SEPARATOR = "|||"
# Sentence numbers as decoders count them: no leading zeros, which are the mark of an id.
SENTENCE_NUMBER = re.compile(r"0|[1-9][0-9]{0,11}")
# Lines of one list; what a line is without an id.
# Atomic groups, as in all readers: before Python 3.11.5 a possessive repetition of a group may match something else.
LISTS = re.compile(
    rb"([^\n|]*+(?>(?:\|(?!\|\|)[^\n|]*+)*)\|\|\|)[^\n]*+(?:\n|\Z)(?>(?:\1[^\n]*+(?:\n|\Z))*)|[^\n]*+(?:\n|\Z)"
)
REPEATED_IDS = re.compile(
    rb"([^\S\n]*+\S++)[^\n]*+(?:\n|\Z)(?>(?:\1(?!\S)[^\n]*+(?:\n|\Z))*)|[^\n]*+(?:\n|\Z)"
)
# Ranks: 1, 1., (1), [1], 1:, #1
RANK = re.compile(r"[(\[#]?(\d+)[])]?[.:-]?")
# Numbers behind ranks, of which one at least is no word: it has a minus or a point.
NUMBER, SCORE = re.compile(r"-?\d+(?:\.\d+)?"), re.compile(r"-\d+(?:\.\d+)?|\d+\.\d+")
EXTENSION = ".nbest"
FEATURES = "feature scores"


@dataclass(slots=True)
class _List:
    texts: list[str] = field(default_factory=list)
    scores: list[float | None] = field(default_factory=list)
    features: FeatureColumns | None = None
    weights: Mapping[str, float] | None = None

    def nbest(self, id: str) -> NBest:
        """The list; with weights, its scores are the weighted sums of its features, and the best comes first."""
        scores = tuple(score for score in self.scores if score is not None)
        features = None if self.features is None else self.features.features()
        if features is not None and self.weights is not None:
            scores, features = tuple(features.dot(self.weights).tolist()), None
            order = sorted(range(len(scores)), key=lambda entry: -scores[entry])
            self.texts, scores = [self.texts[i] for i in order], tuple(scores[i] for i in order)
        return NBest(
            id,
            tuple(tuple(text.split()) for text in self.texts),
            tuple(self.texts),
            scores if len(scores) == len(self.texts) else None,
            features,
        )


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read `id ||| hypothesis ||| ... ||| total` lines. All hypotheses of a list have a total, or none has.

    With weights, the total of a hypothesis is the weighted sum of its features, and lists are in the order of these.
    If ids are 0, 1, 2, ... and none is a known id, order decides: items come by number, without id.

    Raises:
        InputError: a line without `|||` or id, a total that is no finite number, or that other hypotheses of the list
            have and one has not; where features are wanted, a hypothesis without any, or a feature that is no finite
            number or has no weight.
    """
    _tell_ranks(source, options)
    yield from _read_lists(source, options)


def _read_lists(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The same of a part of a file."""
    source.refuse_empty()
    found: dict[str, _List] = {}
    left_out: dict[str, None] = {}
    wanted, weights = options.features, None
    if wanted is None and options.weights is not None:
        weights = read_weights(options.weights)
        wanted = FeatureOptions(frozenset(weights), options.weights)
    for number, line in source.lines_of_items():
        parts = [part.strip() for part in line.split(SEPARATOR)]
        if len(parts) < 2 or not parts[0]:
            raise source.error(f"expected `id ||| hypothesis ||| ...`, not {shown(line)}", number)
        if parts[0] not in found:
            columns = None if wanted is None else FeatureColumns(source, wanted)
            found[parts[0]] = _List(features=columns, weights=weights)
        entry = found[parts[0]]
        try:
            entry.scores.append(_total(parts, entry.scores))
            if entry.features and wanted:
                entry.features.add(
                    features_of_field(parts[2] if len(parts) > 2 else "", wanted.names), number
                )
        except InputError:
            raise
        except ValueError as error:
            raise source.error(str(error), number) from None
        entry.texts.append(parts[1])
        if options.tell_left_out:
            left_out |= dict.fromkeys(name for name in _unread(parts) if not (wanted and name == FEATURES))
    for entry in found.values():
        if weights and entry.features:
            tell_misnamed(weights, entry.features.names, options.remark)
    if (numbers := sentence_numbers(found, options.known_ids)) is not None:
        items = (Item(None, found[number].nbest(number)) for number in numbers)
    else:
        items = (Item(id, entry.nbest(id)) for id, entry in found.items())
    yield from (replace(item, left_out=tuple(left_out)) for item in items)


def _unread(parts: list[str]) -> Iterator[str]:
    if len(parts) > 2 and parts[2]:
        yield FEATURES
    if any(parts[4:]):
        yield "word alignments"


def _total(parts: list[str], others: list[float | None]) -> float | None:
    """A hypothesis's total, given those of the list's others. Raises ValueError with a message."""
    # Word alignments may follow the total, so it is the fourth field and not the last.
    total = real(parts[3]) if len(parts) > 3 and parts[3] else None
    if others and (others[0] is None) != (total is None):
        has, do = ("no total", "do") if total is None else ("a total", "do not")
        raise ValueError(
            f"this hypothesis of {shown(parts[0])} has {has}, and those before it {do}: expected a number in the "
            "fourth field of every line of a list, or of none"
        )
    return total


def refuse_gaps(path: str, ids: Iterable[str | None]) -> None:
    """Refuse sentence numbers of which some are left out, where lists are to be paired by order.

    Raises:
        InputError: the first number that is left out.
    """
    found = {id for id in ids if id is not None}
    if found and all(map(SENTENCE_NUMBER.fullmatch, found)):
        missing = next(number for number in map(str, count()) if number not in found)
        if int(missing) < len(found):
            raise InputError(
                f"sentence {missing} has no hypothesis: ids that are integers count from 0 without gaps "
                f"(here up to {max(map(int, found))}), unless the other side has them as ids",
                path,
            )


def _tell_ranks(head: Source, options: ReadOptions) -> None:
    """Say that the first or last words of hypotheses in the first lines count in each list, as they do for words."""
    lists: dict[str, list[list[str]]] = {}
    for line in Head(head).lines:
        id, _, rest = line.partition(SEPARATOR)
        lists.setdefault(id.strip(), []).append(rest.partition(SEPARATOR)[0].split())
    if ranks := ranks_of([*lists.values()]):
        sed = r"s/(\|\|\|) *[^ ]+ /\1 /" if ranks.place == 0 else r"s/ [^ ]+ *(\|\|\||$)/ \1/"
        options.remark(ranks.remark(head.path, f"sed -E '{sed}' FILE{' | tac' * (ranks.step < 0)}"))


def _find(file: File, options: ReadOptions) -> Listing | None:
    _tell_ranks(file.head(), options)
    return split(file, options, _read_lists, LISTS, _joined, keyed=True, order=sentence_numbers)


_joined = partial(lists, key_of=lambda mark: mark.removesuffix(SEPARATOR).strip())


def read_repeated_ids(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read `id word word ...` lines; those of one id are its hypotheses, best first.

    Where no id repeats and all are `id-1`, `id-2`, ... in order, as Kaldi's `nbest-to-linear` writes them, the numbers
    are ranks.

    Raises:
        InputError: a blank line before the end; ranks behind the ids, apart from these.
    """
    _refuse_ranks(source)
    found = _lists_by_id(source)
    if (by_rank := _by_rank(found)) is None:
        _tell_ranked_ids(source, [id for id, entry in found.items() for _ in entry.texts], options)
    for id, entry in (by_rank or found).items():
        yield Item(id, entry.nbest(id))


def _read_piece(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The same of the lines of one id of a file whose ids have no ranks."""
    for id, entry in _lists_by_id(source).items():
        yield Item(id, entry.nbest(id))


def _may_have_ranks(ids: Sequence[str]) -> bool:
    """Whether no id comes twice, and all have numbers behind them."""
    return len({*ids}) == len(ids) and all(map(without_rank, ids))


def _tell_ranked_ids(source: Source, ids: Sequence[str], options: ReadOptions) -> None:
    """Say that no id comes twice, where some differ in the numbers behind them alone, which are no ranks."""
    if _may_have_ranks(ids) and len({*map(without_rank, ids)}) < len(ids):
        options.remark(
            f"{source.path}: no id comes twice, and each is an item; if they end with ranks: {RANKS_ADVICE}"
        )


def _are_scores(column: tuple[str, ...]) -> bool:
    return all(map(NUMBER.fullmatch, column)) and any(map(SCORE.fullmatch, column))


def _refuse_ranks(head: Source) -> None:
    """Raise an InputError where words of the first lines behind their ids count in each id; see `_refuse_counted`."""
    lines = [line.split() for line in Head(head).lines]
    for first in (0, 1):  # the first line may have names of columns
        lists: dict[str, list[list[str]]] = {}
        for row in lines[first:]:
            lists.setdefault(row[0], []).append(row[1:])
        _refuse_counted(head, lists, 1, [word for line in lines[:first] for word in line])


def _refuse_counted(
    source: Source, lists: Mapping[str, Sequence[Sequence[str]]], ids: int, before: Sequence[str] = ()
) -> None:
    """Raise an InputError where words of the entries of every list are ranks.

    Args:
        source: their file.
        lists: the words of entries, by id.
        ids: how many words stand before them in a line.
        before: the words of the first line, which may have names of columns, where no list has it.
    """
    if not (ranks := ranks_of([*lists.values()])):
        return
    rows = [row[1:] for each in lists.values() for row in each]
    scores = 0 if ranks.place else len([*takewhile(_are_scores, zip(*rows, strict=False))])
    fields = ["NF"] if ranks.place else [*map(str, range(ids + 1, ids + 2 + scores))]
    taken = "; ".join(f'${field} = ""' for field in fields)
    is_head = bool(before) and not any(map(RANK.fullmatch, before[ids:][ranks.place :][:1]))
    raise source.error(
        f"the {'last' if ranks.place else ('first', 'second')[ids]} words of its lines count {ranks.example}"
        f"{' in each id' * ids}, like ranks{', and those behind them like scores' * bool(scores)}: "
        f"awk '{'NR > 1 ' * is_head}{{{taken}; print}}' FILE{' | tac' * (ranks.step < 0)} leaves them out; "
        "if they are words, write `id ||| words` lines (format nbest)"
    )


class Ranks(NamedTuple):
    """Words of entries that count: where they stand, 0 or -1; 1 or -1 for up or down; two of them."""

    place: int
    step: int
    example: str

    def remark(self, path: str, command: str) -> str:
        """What is said of those that count as words, with what leaves them out."""
        place = "last" if self.place else "first"
        return (
            f"{path}: the {place} words of hypotheses count {self.example} in each list, like ranks, and are words of "
            f"them; if they are ranks, {command} leaves them out"
        )


def ranks_of(lists: Sequence[Sequence[Sequence[str]]]) -> Ranks | None:
    """The first or last words of entries, where in every list they are ranks: 1, 2, ... or 0, 1, ..., also with gaps,
    or these downwards.

    Two lists of two entries that count so are no chance, nor is one of three.

    >>> ranks_of([[["1.", "so"], ["2.", "so", "so"]], [["1.", "no"], ["2.", "know"]]])
    Ranks(place=0, step=1, example='1., 2., ...')
    """
    counts = [*map(len, lists)]
    if max(counts, default=0) >= 3 or counts.count(2) >= 2:
        for place in (0, -1) if any(row[1:] for each in lists for row in each) else ():
            words = [["".join(row[place:][:1]) for row in each] for each in lists]
            if step := _step_of_ranks(words):
                return Ranks(place, step, f"{', '.join(max(words, key=len)[:2])}, ...")
    return None


def _step_of_ranks(lists: Sequence[Sequence[str]]) -> int:
    """1 or -1 where words of every list count up, most from 0 or 1, or down to it, also with gaps; else 0."""
    numbers = [[int(rank[1]) if (rank := RANK.fullmatch(word)) else -1 for word in each] for each in lists]
    for step, first in product((1, -1), (0, 1)):
        whole = numbers
        if step < 0:  # the last list may be cut off before its end, also one alone, which then has no gaps
            whole = numbers[:-1] or [each for each in numbers if each[0] - each[-1] >= len(each)]
        are_in_order = all(min(each) >= first and sorted({*each})[::step] == each for each in numbers)
        # The beginning of a list may be cut off, or left out.
        if are_in_order and 2 * sum(each[::step][0] == first for each in whole) >= len(whole):
            return step
    return 0


def _lists_by_id(source: Source) -> dict[str, _List]:
    source.refuse_empty()
    found: dict[str, _List] = {}
    for number, line in source.lines_of_items():
        fields = line.split(None, 1)
        if not fields:
            raise source.error("blank line; expected `id word word ...`", number)
        entry = found.setdefault(fields[0], _List())
        entry.texts.append(fields[1].rstrip() if len(fields) > 1 else "")
        entry.scores.append(None)
    return found


def _by_rank(found: Mapping[str, _List]) -> dict[str, _List] | None:
    """Lists of one hypothesis each, put together by the ids before their ranks; None where some id has no rank."""
    lists: dict[str, _List] = {}
    for key, entry in found.items():
        match = RANKED.fullmatch(key)
        if len(entry.texts) > 1 or match is None:
            return None
        together = lists.setdefault(match[1], _List())
        if int(match[2]) != len(together.texts) + 1:
            return None
        together.texts += entry.texts
        together.scores += entry.scores
    return lists


def _find_repeated_ids(file: File, options: ReadOptions) -> Listing | None:
    head = file.head()
    _refuse_ranks(head)
    if _may_have_ranks([line.split(None, 1)[0] for line in Head(head).lines]):  # the whole file tells
        return None
    return split(file, options, _read_piece, REPEATED_IDS, _joined_by_id, keyed=True)


def _places_of_repeated_ids(file: File, options: ReadOptions) -> Iterator[Place]:
    _refuse_ranks(file.head())
    return places(file, options, _read_piece, REPEATED_IDS, _joined_by_id)


_joined_by_id = partial(lists, key_of=lambda mark: "".join(mark.split()[:1]))


def read_lines(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one list of a file, one hypothesis a line; the id is the file's stem.

    Raises:
        InputError: the file is empty, or not UTF-8; ranks before or behind the words.
    """
    texts = [line.strip() for _, line in source.lines()]
    if not texts:  # which a byte order mark alone is, too
        raise source.error("is empty")
    _refuse_counted(source, {source.stem: [text.split() for text in texts]}, 0)
    yield Item(source.stem, _List(texts, [None] * len(texts)).nbest(source.stem))


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The lines that `read` reads, with an empty field of features where there are scores.

    Raises:
        FstmetricsError: an id or a word that the format cannot hold.
    """
    return encoded(line for item in items for line in _lines(item.value, checked_id(item)))


def _lines(nbest: NBest, id: str) -> Iterator[str]:
    for index, text in enumerate(_texts(nbest)):
        if SEPARATOR in text or SEPARATOR in id:
            raise FstmetricsError(
                f"{text!r} has {SEPARATOR} in it, which parts the fields of a line; nbest-kaldi has room for it"
            )
        total = "" if nbest.scores is None else f" ||| ||| {nbest.scores[index]!r}"
        yield f"{id} ||| {text}{total}\n"


def _texts(nbest: NBest) -> Iterator[str]:
    for words, text in zip(nbest.entries, nbest.texts, strict=True):
        yield checked_line(words, text).strip()


def write_repeated_ids(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The lines that `read_repeated_ids` reads; errors as of `write`."""
    return encoded(
        f"{checked_id(item)} {text}".rstrip() + "\n" for item in items for text in _texts(item.value)
    )


def write_blocks(blocks: Iterator[Block]) -> Iterator[bytes]:
    """The same of blocks. Of a column of lists ids and words are known to be writable."""
    for block in blocks:
        lists = block.values
        if not isinstance(lists, NBestColumn):
            yield from write(iter(block), WriteOptions())
            continue
        lines = (
            f"{id} ||| {text} ||| ||| {score!r}\n"
            for id, texts, scores in lists.rows()
            for text, score in zip(texts, scores, strict=True)
        )
        yield "".join(lines).encode()


def write_lines(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The lines of one list; errors as of `write`."""
    return encoded(f"{text}\n" for text in _texts(only_item(items).value))


FORMAT = Format(
    "nbest", "`id ||| hypothesis ||| ...` lists of Moses, cdec and Joshua", read,
    writers=(Writer("nbest", (), Carries("n-best", several=True, ids=True, scores=True), write, write_blocks),),
    find=_find, places=partial(places, read=_read_lists, pattern=LISTS, join=_joined), by_lines=True,
    has_features=True,
)  # fmt: skip
KALDI_FORMAT = Format(
    "nbest-kaldi", "`id word word ...` lines that repeat the id", read_repeated_ids,
    writers=(Writer("nbest-kaldi", (), Carries("n-best", several=True, ids=True), write_repeated_ids),),
    find=_find_repeated_ids, places=_places_of_repeated_ids, by_lines=True,
)  # fmt: skip
LINES_FORMAT = Format(
    "nbest-lines", "one file an utterance, one hypothesis a line", read_lines,
    writers=(Writer("nbest-lines", (EXTENSION,), Carries("n-best"), write_lines),), id_of=stem, by_lines=True,
)  # fmt: skip
