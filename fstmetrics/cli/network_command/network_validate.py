"""`fstmetrics network validate`."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import show
from fstmetrics.networks.text_form import parse_text_form
from fstmetrics.networks.validation import Fault, card_remarks, network_faults, network_remarks
from fstmetrics.readers.formats import cards_text as cards
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.json_text import parsed_json
from fstmetrics.support.source import Source
from fstmetrics.values.cards import Card, card_from_json
from fstmetrics.values.network import Network

FAULTY = 2


@command()
@click.argument("networks", metavar="NETWORKS...", nargs=-1, required=True)
def validate(networks: Sequence[str]) -> int:
    """Check networks and print every fault, with its card.

    \b
    Example:  fstmetrics network validate networks/

    NETWORKS: files or folders, in JSON or in the text form. Remarks are about what is allowed but probably a mistake,
    for example a card that is never called. The exit status is 2 if there is a fault.
    """
    files = [file for path in networks for file in _files(path)]
    faulty = 0
    for file in files:
        faults, remarks = _look(Source.open(file))
        faulty += bool(faults)
        show(*faults, *remarks)
    show(f"{len(files)} network{'s' * (len(files) != 1)}, {faulty or 'none'} with faults")
    return FAULTY if faulty else 0


def _files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    found = sorted(str(file) for file in Path(path).iterdir() if file.is_file() and file.name[0] != ".")
    if not found:
        raise InputError("this folder has no file to read", path)
    return found


def _look(source: Source) -> tuple[list[str], list[str]]:
    """Faults and remarks, a line each."""
    unread: list[InputError] = []
    try:
        data = _data(source, unread)
    except InputError as error:
        return [str(error)], []
    faults = [*map(str, unread), *(f"{source.path}: {fault}" for fault in network_faults(data))]
    remarks = _sound_remarks(data) if faults else network_remarks(Network.from_dict(data))
    return faults, [f"{source.path}: remark: {remark}" for remark in remarks]


def _sound_remarks(data: Any) -> list[Fault]:
    """Remarks on those cards of a faulty network that are sound themselves."""
    given = data.get("cards") if isinstance(data, dict) else None
    cards: dict[str, Card] = {}
    for name, card in given.items() if isinstance(given, dict) else ():
        with suppress(FstmetricsError):
            cards[name] = card_from_json(name, card)
    source = data.get("source") if cards else None
    words = source if isinstance(source, list) else None
    return [remark for card in cards.values() for remark in card_remarks(card, cards, words)]


def _data(source: Source, unread: list[InputError]) -> Any:
    """The JSON form's object; what is wrong with the text itself goes into `unread`.

    Raises:
        InputError: there is no such object.
    """
    if cards.FORMAT.fits(source) or source.name.endswith(cards.FORMAT.extensions):
        data = parse_text_form(source.text, source.path, unread)
        data.setdefault(
            "root", next(iter(data["cards"]), None)
        )  # that there is no way to tell is said already
        return data

    if source.text.lstrip()[:1] not in ("{", ""):
        raise source.error(
            "no network: neither JSON (docs/hyter.md), which begins with {, nor the text form (docs/networks.md), "
            "whose files begin with # fstmetrics-cards/1 or end in .cards; plain references: fstmetrics network build"
        )

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = Counter(key for key, _ in pairs)
        twice = [key for key, count in keys.items() if count > 1]
        unread.extend(source.error(f"the key {key!r} is twice in one object") for key in twice)
        return dict(pairs)

    try:
        return parsed_json(source.text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise source.error(f"not JSON: {error.msg} (column {error.colno})", error.lineno) from None
    except FstmetricsError:
        raise
    except ValueError as error:
        raise source.error(f"not a network: {error}") from None
