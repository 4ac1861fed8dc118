"""Moses' confusion networks: a column a line, `word probability word probability ...`; a blank line ends a sentence.

    das|ART 0.4 der|ART 0.6
    haus|NN 1.0

Words are factored, `surface|tag`: the surface, what stands before the first bar, is the word. `*EPS*` is no word. The
graph cost is the negative log of the probability, and a word of probability 0 is left out. Sentences have no ids:
order decides. Source: Moses' regression tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from fstmetrics.io.arcs import NUMBER, ArcList, fields_of, log_cost, refuse_cut, shown
from fstmetrics.io.formats.srilm_mesh import MOSES_WRITER
from fstmetrics.io.items import Format, Item, Listing, ReadOptions
from fstmetrics.io.splitting import PARAGRAPH, paragraphs, split
from fstmetrics.support.source import File, Source

EPSILON = "*EPS*"
FACTOR = re.compile(rb"\S\|\S")


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the networks of a file; they have no ids.

    Raises:
        InputError: a word without a probability, or a number that is none.
    """
    source.refuse_empty()
    arcs = ArcList(1)
    for number, line in source.lines():
        fields = fields_of(line)
        if fields:
            _add_column(source, arcs, fields, number)
        elif len(arcs):
            yield _item(source, arcs)
            arcs = ArcList(1)
        else:
            raise source.error("a blank line ends a sentence, but there is none before it", number)
    refuse_cut(source, blank=True)


def _add_column(source: Source, arcs: ArcList, fields: list[str], number: int) -> None:
    column = arcs.states - 1
    arcs.states += 1
    if len(fields) % 2 or not all(map(NUMBER.fullmatch, fields[1::2])):
        raise source.error(
            f"expected words and probabilities in turn, found {shown(' '.join(fields))}", number
        )
    for word, probability in zip(fields[::2], fields[1::2], strict=True):
        try:
            cost = log_cost(probability)
        except ValueError as error:
            raise source.error(str(error), number) from None
        surface = word.partition("|")[0]
        arcs.add(column, column + 1, "" if surface == EPSILON else surface, cost, number)


def _item(source: Source, arcs: ArcList) -> Item:
    arcs.finals = {arcs.states - 1: arcs.places[-1]}
    left_out = ("factors",) if FACTOR.search(source.data) else ()
    return Item(None, arcs.lattice(source, id=""), left_out=left_out)


def _find(file: File, options: ReadOptions) -> Listing | None:
    return split(file, options, read, PARAGRAPH, partial(paragraphs, path=file.path))


FORMAT = Format(
    "moses-cn",
    "Moses confusion networks, a column a line",
    read,
    writers=(MOSES_WRITER,),
    find=_find,
)
