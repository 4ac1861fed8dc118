"""Sentences that papers print."""

from __future__ import annotations

# [CB06] table 1, four references, and table 2, the hypothesis; words matched without regard to case.
REFERENCES = [
    "Orejuela appeared calm as he was led to the American plane which will take him to Miami , Florida .",
    "Orejuela appeared calm while being escorted to the plane that would take him to Miami , Florida .",
    "Orejuela appeared calm as he was being led to the American plane that was to carry him to Miami in Florida .",
    "Orejuela seemed quite calm as he was being led to the American plane that would take him to Miami in Florida .",
]


def lowered(texts: list[str]) -> list[str]:
    return [text.lower() for text in texts]
