"""Files of proposals: `read_proposals`; the file of rejected phrases beside networks: `read_rejected`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from fstmetrics.data.network import Network
from fstmetrics.networks.new_phrases import Phrase, check
from fstmetrics.networks.proposals import Proposal, phrases_of
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.json_text import parsed_json, written_json
from fstmetrics.support.source import Source


def read_proposals(path: str, networks: Mapping[str, Network]) -> list[Proposal]:
    """The proposals of a file, all of which can be added to the networks.

    Raises:
        InputError: a file in another form, or the first proposal for no network, or that its network cannot have.
    """
    source = Source.open(path)
    found: list[Proposal] = []
    try:
        for one in phrases_of(_parsed(source)):
            if one.phrase.network not in networks:
                raise FstmetricsError(f"there is no network {one.phrase.network!r}")
            try:
                check(one.phrase, networks[one.phrase.network])
            except FstmetricsError as error:
                raise FstmetricsError(f"proposal {len(found) + 1}: {error}") from None
            found.append(one)
    except InputError:
        raise
    except FstmetricsError as error:
        raise source.error(str(error)) from None
    return found


def _parsed(source: Source) -> Any:
    text = source.text.strip()
    if text.startswith("```"):  # as language models like to write it
        text = text.partition("\n")[2].removesuffix("```")
    try:
        return parsed_json(text)
    except ValueError as error:
        raise FstmetricsError(f"not JSON: {error}") from None


def rejected_path(networks: str, given: str | None) -> str | None:
    """Where rejected phrases are: as given, else beside the networks; None beside standard input."""
    return given or (None if networks == "-" else f"{networks.rstrip(os.sep) or networks}.rejected.jsonl")


def read_rejected(path: str | None, needed: bool = False) -> dict[Phrase, None]:
    """The rejected phrases of a file, an object a line; none where there is no such file, unless it is needed.

    Raises:
        InputError: it cannot be read, or a line is no phrase.
    """
    if path is None or not (needed or os.path.exists(path)):
        return {}
    source = Source.open(path)
    found: dict[Phrase, None] = {}
    for number, line in source.lines():
        if not line.strip():
            continue
        try:
            data = parsed_json(line)
            found[Phrase(*(_text(data, name) for name in Phrase._fields))] = None
        except (ValueError, FstmetricsError) as error:
            raise source.error(f"no rejected phrase: {error}", number) from None
    return found


def _text(data: Any, name: str) -> str:
    value = data.get(name) if isinstance(data, dict) else None
    if not isinstance(value, str):
        raise FstmetricsError('expected {"network": ..., "card": ..., "phrase": ...}')
    return value


def rejected_lines(phrases: Iterable[Phrase]) -> str:
    """The content of a file of rejected phrases."""
    return "".join(written_json(phrase._asdict()) + "\n" for phrase in phrases)
