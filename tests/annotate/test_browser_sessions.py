"""What somebody needs who annotates for an hour: pages of the tool in a real browser (headless Chromium)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from annotation_pages import Page, asked, becomes, served, until
from browsers import chromium

# Sentences by what is tried with them; some words are in several of them.
SENTENCES = {
    "first": "el ministro llegó ayer", "second": "el ministro italiano habló", "third": "la jornada fue larga",
    "undo": "a b c", "keys": "a b c d", "signs": "a b c", "find": "la jornada", "note": "x y", "done": "x y z",
    "few": "la casa roja", "same": "el ministro dijo", "last": "fin",
}  # fmt: skip
NUMBER = {name: number for number, name in enumerate(SENTENCES, 1)}
REFERENCE = {"few": "the red house", "keys": "the red house"}
OUTPUTS = {
    "A": {"few": "a red home", "keys": "the red home"}, "B": {"few": "a crimson house", "keys": "the red house"},
}  # fmt: skip
# Of these words each text has others than a network.
LONG = " ".join(f"w{n}" for n in range(40))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("session")
    for name, lines in {"source": SENTENCES, "ref": REFERENCE, **OUTPUTS}.items():
        text = "".join(f"{lines.get(each, 'none')}\n" for each in SENTENCES)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "other").write_text("otro documento\n", encoding="utf-8")
    options = ["--import", folder / "source", "--ref", folder / "ref"]
    options += [each for name in OUTPUTS for each in ("--system", f"{name}={folder / name}")]
    people = ["--annotator", "anna", "--annotator", "ben"]
    with served(folder / "project", *map(str, options), *people) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Page]:
    browser.get_log("browser")
    found = Page(browser, address)
    yield found
    assert found.messages() == []


def test_the_sentences_around_are_shown_and_more_of_them(page: Page) -> None:
    page.open(NUMBER["third"])
    sources = list(SENTENCES.values())
    at = NUMBER["third"] - 1
    becomes(lambda: page.texts(".context p"), [f"{n} {sources[n]}" for n in (at - 1, at + 1)])
    page.one(".context .link").click()
    becomes(lambda: page.texts(".context p"), [f"{n} {sources[n]}" for n in (0, 1, 3, 4, 5, 6)])
    # It stays so for the next sentence; the first has none before it.
    page.press("ALT+PAGE_UP", "ALT+PAGE_UP")
    becomes(lambda: page.text("header .key"), "0")
    becomes(lambda: page.texts("[aria-label='Sentences before'] p"), [])
    assert len(page.texts(".context p")) == 4
