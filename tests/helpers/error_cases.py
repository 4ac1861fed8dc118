"""Cases of errors from tests/cases/errors: what stands in a file, and what is said of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from places import CASE_FILES, DATA

Message = str | list[str]


def error_cases(name: str) -> dict[str, Any]:
    """The tables of one file of cases."""
    return tomllib.loads((CASE_FILES / "errors" / f"{name}.toml").read_text(encoding="utf-8"))


def content(case: Mapping[str, str]) -> bytes:
    """The bytes of a case's file: text in an encoding, hexadecimal, or one of tests/samples with a change."""
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    if "old" in case:
        text = (DATA / case["file"]).read_text(encoding="utf-8")
        assert case["old"] in text
        return text.replace(case["old"], case["new"]).encode()
    return case["content"].encode(case.get("encoding", "utf-8"))


def says(text: str, message: Message) -> bool:
    """Whether a text has the message, or all its parts, one after the other."""
    at = 0
    for part in [message] if isinstance(message, str) else message:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def label(case: Any) -> str | None:
    """What a test is called after."""
    if not isinstance(case, dict):
        return None
    message = case["message"]
    return (
        f"{case.get('command', case.get('file', ''))} {message if isinstance(message, str) else message[0]}"[
            :60
        ].strip()
    )
