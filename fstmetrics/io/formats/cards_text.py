"""Reference networks in the text form that annotators type; the work is done by `fstmetrics.networks.text_form`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fstmetrics.data.cards import Card
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.writing import Carries, WriteOptions, Writer, only_item
from fstmetrics.io.written_words import check_characters
from fstmetrics.support.source import Source


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one network of a file; its id is its own, or the file's stem.

    Raises:
        InputError: a line that cannot be read, or cards that make no network.
    """
    from fstmetrics.networks.text_form import read_text_form

    source.refuse_empty()
    network = read_text_form(source.text, source.stem, source.path)
    tell_signs(network.cards, source, options)
    yield Item(network.id, network)


def tell_signs(cards: Mapping[str, Card], source: Source, options: ReadOptions, only: str = "") -> None:
    """Tell of signs in phrases that may have been meant to part alternatives; or of some, by what is said."""
    from fstmetrics.networks.validation import sign_remarks

    for name, card in cards.items():
        for remark in filter(lambda remark: only in remark, sign_remarks(card)):
            options.remark(f"{source.path}: card {name!r}: {remark}")


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one network of a file; errors as of `networks.text_form.write_text_form`, and what UTF-8 text cannot hold."""
    from fstmetrics.networks.text_form import write_text_form

    text = write_text_form(only_item(items).value)
    for line in text.split("\n"):
        check_characters("line", line)
    yield text.encode()


WRITER = Writer("cards", (".cards",), Carries("network", spans=True, cutting=True), write)
FORMAT = Format(
    "cards", "reference network as annotators type it", read, writers=(WRITER,),
    says_id=True,
)  # fmt: skip
