"""SRILM's n-best lists, one file an utterance, in the three layouts of nbest-format(5).

    NBestList1.0                                        first line
    (-3190) we know                                     score in bytelogs, words

    NBestList2.0                                        first line
    (-3190) we ( st: 0 et: 0.2 g: -10 a: -1500 ) know ( st: 0.21 et: 0.5 g: -8 a: -1672 )

    -310.5 -12.25 2 we know                             acoustic and language model log10 score, number of words, words

In the second, phones and states stand among the words; as for SRILM, they are what begins before the word before them
ended, and what ends in a hyphen and a digit. A bytelog is 1024 / 10000.5 of a natural log, which the scores are here.
The third may count the sentence markers `<s>` and `</s>` as words or not. It keeps its two scores apart and the weights
are whoever reads it to choose, so its lists have ranks and no scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstmetrics.data.nbest import NBest
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.io.arcs import count, real, shown
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source, stem

NAT = 1024 / 10000.5  # a bytelog in natural logs
STATE = re.compile(r".*-\d", re.ASCII | re.DOTALL)
# ( st: 0.21 et: 0.5 g: -8 a: -1672 ), after each word
LAYOUT = ("(", "st:", None, "et:", None, "g:", None, "a:", None, ")")
FIELDS_A_WORD = 1 + len(LAYOUT)

Entry = tuple[list[str], float | None]


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one list of a file; its id is the file's stem.

    Raises:
        InputError: a line without scores, another number of words than the line says, or no hypothesis.
    """
    source.refuse_empty()
    parse = _plain
    entries: list[Entry] = []
    for number, line in source.lines():
        fields = line.split()
        if number == 1 and line.startswith("NBestList"):
            parse = _timed if fields[0] == "NBestList2.0" else _scored
        elif fields:
            try:
                entries.append(parse(fields))
            except ValueError as error:
                raise source.error(str(error), number) from None
    if not entries:
        raise source.error("holds no hypothesis")
    words, scores = zip(*entries, strict=True)
    texts = tuple(map(" ".join, words))
    nbest = NBest(source.stem, tuple(map(tuple, words)), texts, None if None in scores else scores)
    left_out = {_timed: ("times", "scores of words"), _plain: ("feature scores",)}
    yield Item(source.stem, nbest, left_out=left_out.get(parse, ()))


def _scored(fields: list[str]) -> Entry:
    return fields[1:], _bytelogs(fields[0])


def _bytelogs(field: str) -> float:
    if not (field.startswith("(") and field.endswith(")")):
        raise ValueError(f"expected `(SCORE)` before the words, found {shown(field)}")
    return real(field[1:-1]) * NAT


def _timed(fields: list[str]) -> Entry:
    words: list[str] = []
    end_of_last = -1.0
    for at in range(1, len(fields), FIELDS_A_WORD):
        word, *rest = fields[at : at + FIELDS_A_WORD]
        if len(rest) < len(LAYOUT) or any(
            mark not in (None, field) for mark, field in zip(LAYOUT, rest, strict=True)
        ):
            raise ValueError(f"expected `( st: .. et: .. g: .. a: .. )` after the word {shown(word)}")
        begin, end = real(rest[2]), real(rest[4])
        if begin > end_of_last and STATE.fullmatch(word) is None:
            words.append(word)
            end_of_last = end
    return words, _bytelogs(fields[0])


def _plain(fields: list[str]) -> Entry:
    if len(fields) < 3:
        raise ValueError(f"expected `acoustic lm number-of-words words`, found {shown(' '.join(fields))}")
    real(fields[0]), real(fields[1])
    words, found = count(fields[2], "a number of words"), fields[3:]
    if words not in (len(found), len([word for word in found if word not in SENTENCE_MARKERS])):
        raise ValueError(f"the third field says {words} words, but {len(found)} follow")
    return found, None


FORMAT = Format("nbest-srilm", "SRILM n-best list, NBestList1.0, 2.0 or with scores first", read, id_of=stem)
