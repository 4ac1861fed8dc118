"""Reference networks: in the text form that annotators type, and in the project's JSON.

The work is done by `fstmetrics.networks.text_form` and `fstmetrics.data.network`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from fstmetrics.data.cards import Card
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.writing import Carries, WriteOptions, Writer, only_item
from fstmetrics.io.written_words import check_characters
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import Source
from fstmetrics.text.tokenizers import KNOWN, OTHER


def read_cards(source: Source, options: ReadOptions) -> Iterator[Item]:
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


def write_cards(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one network of a file; errors as of `networks.text_form.write_text_form`, and what UTF-8 text cannot hold."""
    from fstmetrics.networks.text_form import write_text_form

    text = write_text_form(only_item(items).value)
    for line in text.split("\n"):
        check_characters("line", line)
    yield text.encode()


CARDS_WRITER = Writer("cards", (".cards",), Carries("network", spans=True, cutting=True), write_cards)
CARDS = Format(
    "cards", "reference network as annotators type it", read_cards, writers=(CARDS_WRITER,), says_id=True,
)  # fmt: skip


# Words have one of these where their phrases may have signs of which is told.
SIGNS = re.compile("[/|#({\uff1b\uff08\uff09\uff3b\uff3d\uff5c]|.,")


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one network of a file; its id is its own, or the file's stem.

    Raises:
        InputError: not JSON (with the line), not a network, or words that are no tokens of the tokenizer that it names.
    """
    from fstmetrics.data.network import Network

    source.refuse_empty()
    try:
        network = Network.of_text(source.text, source.stem)
        if KNOWN.get(network.tokenize, OTHER).by_words:
            from fstmetrics.engine.network_words import refuse_uncut  # most have no tokenizer

            refuse_uncut(network)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise source.error(f"not JSON: {error.msg} (column {error.colno})", error.lineno) from None
    except FstmetricsError as error:
        raise source.error(str(error)) from None
    except ValueError as error:
        raise source.error(f"not a network: {error}") from None
    if SIGNS.search("\n".join(network.symbols.words)):
        tell_signs(network.cards, source, options, "a choice is")  # phrases are parted by JSON
    yield Item(network.id, network)


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one network of a file."""
    # Halves of surrogate pairs as JSON has them.
    yield only_item(items).value.to_json().encode(errors="backslashreplace")


WRITER = Writer("network", (".json",), Carries("network", costs="apart", spans=True, cutting=True), write)
FORMAT = Format("network", "reference network in fstmetrics JSON", read, writers=(WRITER,), says_id=True)
