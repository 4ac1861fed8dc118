"""What somebody needs who annotates for an hour: pages of the tool in a real browser (headless Chromium)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from annotation_pages import Page, asked, becomes, served, until

# Sentences by what is tried with them; some words are in several of them.
SENTENCES = {
    "first": "el ministro llegó ayer", "second": "el ministro italiano habló", "third": "la jornada fue larga",
    "undo": "a b c", "keys": "a b c d", "signs": "a b c", "find": "la jornada", "note": "x y", "done": "x y z",
    "few": "la casa roja", "same": "el ministro dijo", "last": "fin",
}  # fmt: skip
NUMBER = {name: number for number, name in enumerate(SENTENCES, 1)}
LONG = "the home team scored again five minutes before the end of the match"
REFERENCE = {"few": LONG, "keys": "the red house"}
OUTPUTS = {
    "A": {"few": LONG.replace("five", "5"), "keys": "the red home"},
    "B": {"few": LONG.replace("five", "5").replace("team", "side"), "keys": "the red house"},
}  # fmt: skip


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


def value(page: Page, selector: str = "#text") -> str:
    """What a field holds."""
    return str(page.run("return document.querySelector(arguments[0])?.value ?? ''", selector))


def test_undo_goes_back_by_steps_and_opens_the_card(page: Page) -> None:
    number = NUMBER["undo"]
    page.open(number)
    page.type("house; hut; villa")
    page.press("BACK_SPACE", "BACK_SPACE", "ENTER")
    page.type("tree")
    page.saved(number, {"S": "", "HOUSE": "house; hut; vil", "TREE": "tree"})
    page.press("F4")
    # A card that is gone leaves the focus on its source words.
    page.press("CONTROL+z")
    page.saved(number, {"S": "", "HOUSE": "house; hut; vil"})
    page.focused("words")
    becomes(lambda: page.texts(".word.chosen"), ["b"])
    # What was erased is a step for itself, and each equivalent is one; the card is open, the caret where it changed.
    for text in ("house; hut; villa", "house; hut", "house"):
        page.press("CONTROL+z")
        page.focused("text")
        becomes(lambda: value(page), text)
        assert page.run("return document.activeElement.selectionStart") == len(text)
    page.press("CONTROL+z")
    page.saved(number, {"S": ""})
    page.focused("words")
    becomes(lambda: page.texts(".word.chosen"), ["a"])
    for text in ("house", "house; hut", "house; hut; villa", "house; hut; vil"):
        page.press("CONTROL+SHIFT+z")
        becomes(lambda: value(page), text)
    # Letters go on where the caret is.
    page.type("lage")
    page.saved(number, {"S": "", "HOUSE": "house; hut; village"})


def test_steps_of_undo_do_not_depend_on_how_fast_the_tool_answers(page: Page) -> None:
    number = NUMBER["undo"]
    page.open(number)
    page.press("END")
    page.type("one")
    becomes(lambda: page.cards(number).get("ONE"), "one")
    slow = (
        "const real = window.fetch; window.fetch = (...all) => !all[0].includes('/changes') ? real(...all) :"
        " new Promise((go) => setTimeout(() => go(real(...all)), 300)); window.real = real;"
    )
    page.run(slow)
    page.type("; two; thre")
    page.press("BACK_SPACE", "BACK_SPACE")
    becomes(lambda: page.cards(number).get("ONE"), "one; two; th")
    page.run("window.fetch = window.real")
    for text in ("one; two; thre", "one; two", "one"):
        page.press("CONTROL+z")
        becomes(lambda: value(page), text)


def test_the_focus_is_always_somewhere(page: Page) -> None:
    number = NUMBER["keys"]
    page.open(number)
    page.press("F4")
    page.type("the red house")
    becomes(lambda: len(page.texts("#proposals li")), 1)
    # What had the focus goes: a proposal that is answered with the mouse, a card that is deleted.
    page.one("#proposals .tools button").click()
    until(lambda: page.texts("#no-proposals"))
    page.focused("words")
    # A click on what takes no focus; the words of a reference can still be marked.
    page.one("h2").click()
    page.focused("words")
    page.run("getSelection().removeAllRanges()")
    chain = page._chains(page.browser, duration=20)
    chain.double_click(page.one(".distances p span")).perform()
    assert page.run("return getSelection().toString().trim()") == "the"
    page.focused("words")
    page.type("a")
    page.focused("text")
    page.press("CONTROL+DELETE")
    page.focused("words")
    page.one("#to-list").click()
    becomes(lambda: page.run("return document.activeElement.dataset.sentence"), str(number))


def test_enter_and_control_a_mean_the_same_wherever_the_focus_is(page: Page) -> None:
    number = NUMBER["keys"]
    page.open(number)
    page.press("F4")
    page.press("CONTROL+a", "DELETE")
    page.type("the red house")
    until(lambda: page.texts("#proposals li"))
    # Everywhere but in a text, Ctrl+A selects all source words.
    for where in ("#proposals [data-row='0']", "#done", "#find", "#to-list"):
        page.run("document.querySelector(arguments[0]).focus()", where)
        page.press("CONTROL+a")
        page.focused("words")
        becomes(lambda: page.texts(".word.chosen"), list("abcd"))
        page.press("HOME")
    # So it does in a text that is empty, as after a click on a source word.
    page.one("#w1").click()
    page.focused("text")
    page.press("CONTROL+a")
    page.focused("words")
    becomes(lambda: page.texts(".word.chosen"), list("abcd"))
    page.press("F4")
    page.press("CONTROL+a")
    area = "const { selectionStart, selectionEnd } = document.activeElement; return selectionEnd - selectionStart"
    assert page.run(area) == len("the red house")
    # Enter takes: a row, what was found, the words.
    page.run("document.querySelector('#proposals [data-row]').focus()")
    page.press("ENTER")
    becomes(lambda: page.cards(number)["S"], "the red house; the red home")
    write(page, NUMBER["last"], [{"op": "create", "span": [0, 1], "text": "the very end"}])
    page.one("#find").click()
    page.type("very e")
    page.press("ENTER")
    becomes(lambda: page.cards(number).get("THE-VERY-END"), "the very end")
    page.focused("text")
    page.press("ESCAPE", "END", "ENTER")
    page.focused("text")
    # Ctrl+Enter is done, also where Enter would take something.
    page.run("document.querySelector('#find').focus()")
    page.press("CONTROL+ENTER")
    becomes(lambda: page.run("return location.hash"), f"#{number + 1}")


def write(page: Page, number: int, changes: list[dict[str, Any]]) -> None:
    """Make changes as another window does."""
    for change in changes:
        revision = asked(page.address, f"sentences/{number}")["revision"]
        asked(page.address, f"sentences/{number}/changes", {"revision": revision, "change": change})


def test_signs_that_part_nothing_are_asked_about_while_they_are_typed(page: Page) -> None:
    number = NUMBER["signs"]
    page.open(number)
    page.type("he/she said")
    becomes(lambda: page.texts(".instead bdi"), ["he; she said", "(he|she) said"])
    buttons(page, ".instead")[1].click()
    becomes(lambda: value(page), "(he|she) said")
    page.focused("text")
    assert not page.texts(".instead")
    page.press("CONTROL+a")
    page.type("premier, PM（総理）；head (of state, of Italy)")
    becomes(lambda: len(page.texts(".instead")), 2)
    asked_for = [(sign, page.texts(".instead kbd")[2 * at]) for at, sign in enumerate("；,")]
    assert all(sign == shown for sign, shown in asked_for)
    buttons(page, ".instead")[0].click()
    becomes(lambda: value(page), "premier, PM（総理）; head (of state, of Italy)")
    buttons(page, ".instead")[0].click()
    becomes(lambda: value(page), "premier; PM（総理）; head (of state| of Italy)")
    becomes(lambda: list(page.cards(number).values()), ["", value(page)])
    # What is meant as it is is not asked about again; numbers and escaped signs are not asked about.
    page.press("CONTROL+a")
    page.type("Paris, France")
    buttons(page, ".instead")[1].click()
    becomes(lambda: page.texts(".instead"), [])
    page.type("; Rome, Italy")
    assert not page.texts(".instead")
    page.press("ESCAPE", "END")
    page.type("1,000; 24/7; and\\/or")
    until(lambda: "1,000" in str(page.cards(number).values()))
    assert not page.texts(".instead")
    # Whole sentences have commas.
    page.press("F4")
    page.type("yes, no")
    until(lambda: page.cards(number)["S"] == "yes, no")
    assert not page.texts(".instead")
    page.type("/maybe")
    becomes(lambda: page.texts(".instead bdi"), ["yes, no; maybe", "yes, (no|maybe)"])


def choose(page: Page, selector: str, option: str) -> None:
    """Choose an option of a list."""
    page.run(
        "const list = document.querySelector(arguments[0]); list.value = arguments[1];"
        "list.dispatchEvent(new Event('change', { bubbles: true }))",
        selector, option,
    )  # fmt: skip


def buttons(page: Page, where: str) -> Any:
    return page.browser.find_elements("css selector", f"{where} button")


def test_a_bracket_finds_the_card_of_source_words_or_says_that_there_is_none(page: Page) -> None:
    number = NUMBER["find"]
    page.open(number)
    page.press("ARROW_RIGHT")
    page.type("day; working day")
    page.press("F4")
    page.type("the [jornáda")
    becomes(lambda: page.texts("#cards-found .name"), ["DAY", "jornáda"])
    page.press("ENTER")
    page.saved(number, {"S": "the [DAY]", "DAY": "day; working day"})
    # However fast somebody types, no card is made that nobody has chosen.
    page.type(" [zzz")
    page.press("ENTER")
    until(lambda: "No card has zzz" in page.text("#spoken"))
    assert "No card has zzz" in page.text("#cards-found .none")
    page.press("ENTER")
    page.focused("text")
    assert list(page.cards(number)) == ["S", "DAY"]
    page.press("TAB")
    becomes(lambda: list(page.cards(number)), ["S", "DAY", "zzz"])
    page.type(" [yyy")
    becomes(lambda: page.texts("#cards-found .name"), ["yyy"])
    page.press("ARROW_DOWN", "ENTER")
    becomes(lambda: list(page.cards(number)), ["S", "DAY", "zzz", "yyy"])
    # Who presses Tab before any card is found stays in the text.
    page.type(" [xxx")
    page.press("TAB")
    page.type(" and more")
    page.saved(
        number,
        {
            "S": "the [DAY] [zzz] [yyy] [xxx] and more",
            "DAY": "day; working day",
            "zzz": "",
            "yyy": "",
            "xxx": "",
        },
    )


def test_the_list_of_sentences_is_searched(page: Page) -> None:
    page.open()
    assert len(page.texts("[data-sentence]")) == len(SENTENCES)
    page.one("#search").click()
    page.type("MINISTRÓ ital")
    becomes(lambda: page.texts(".sentences .words"), [SENTENCES["second"]])
    assert page.text(".filter .hint") == f"1 of {len(SENTENCES)} shown"
    page.press("ENTER")
    becomes(lambda: page.run("return location.hash"), f"#{NUMBER['second']}")
    # The list is as it was left, and the sentence has the focus.
    page.one("#to-list").click()
    becomes(lambda: page.run("return document.activeElement.dataset.sentence"), str(NUMBER["second"]))
    assert value(page, "#search") == "MINISTRÓ ital"
    page.one("#search").click()
    page.type("x")
    becomes(lambda: page.texts(".sentences .words"), [])
    assert "No sentence is like this." in page.text("main")


def test_an_empty_sentence_is_not_marked_as_done(page: Page) -> None:
    number = NUMBER["done"]
    page.open(number)
    page.press("CONTROL+ENTER")
    until(lambda: "has no string yet" in page.text("[aria-label=Card] .problem"))
    assert page.run("return location.hash") == f"#{number}"
    page.one("#done").click()
    until(lambda: not page.run("return document.querySelector('#done').checked"))
    page.press("F4")
    page.type("yes")
    page.saved(number, {"S": "yes"})
    page.one("#done").click()
    becomes(lambda: asked(page.address, f"sentences/{number}")["done"], True)
    # It is not done any more when it becomes empty, and is again when that is undone.
    page.press("F4", "CONTROL+a", "DELETE")
    until(lambda: not page.run("return document.querySelector('#done').checked"))
    page.press("CONTROL+z")
    until(lambda: page.run("return document.querySelector('#done').checked"))


def test_notes_and_sentences_that_cannot_be_translated(page: Page) -> None:
    number = NUMBER["note"]
    page.open(number)
    page.press("F9")
    page.focused("note")
    page.type("which x?")
    assert page.run(WOULD_ASK)
    # What is typed is saved when the sentence is left.
    page.press("ALT+PAGE_DOWN")
    becomes(lambda: asked(page.address, f"sentences/{number}")["note"], "which x?")
    page.open(number)
    assert value(page, "#note") == "which x?"
    page.one("#cannot").click()
    becomes(lambda: asked(page.address, f"sentences/{number}")["cannot_translate"], True)
    # Nothing more is asked of it.
    page.press("CONTROL+ENTER")
    becomes(lambda: page.run("return location.hash"), f"#{number + 1}")
    # Another annotator, who sees all, has the note in the list.
    page.open("", "?as=ben")
    becomes(lambda: page.texts(".notes li"), [f"source {number - 1}, anna: cannot translate which x?"])
    page.open()
    choose(page, "#which", "noted")
    becomes(lambda: page.texts(".sentences .note"), ["which x?"])
    assert page.texts(".sentences .state") == ["✗ cannot translate"]
    choose(page, "#which", "open")
    until(lambda: len(page.texts(".sentences .state")) > 1)
    assert "✗ cannot translate" not in page.texts(".sentences .state")


def test_a_note_is_said_again_until_the_tool_answers(page: Page) -> None:
    number = NUMBER["last"]
    page.open(number)
    page.run("window.real = window.fetch; window.fetch = () => Promise.reject(new TypeError('no network'))")
    page.one("#cannot").click()
    until(lambda: "does not answer" in page.text("[role=alert]"))
    assert page.run(WOULD_ASK)
    page.run("window.fetch = window.real")
    becomes(lambda: asked(page.address, f"sentences/{number}")["cannot_translate"], True)
    until(lambda: not page.run(WOULD_ASK))


# Whether the browser asks before it leaves the page.
WOULD_ASK = (
    "const leaves = new Event('beforeunload', { cancelable: true });"
    "dispatchEvent(leaves); return leaves.defaultPrevented"
)


def test_proposals_are_short_and_those_of_several_systems_are_chosen(page: Page) -> None:
    number = NUMBER["few"]
    write(page, number, [{"op": "text", "card": "root", "text": LONG}])
    page.open(number)
    becomes(lambda: page.texts("#proposals .what b")[:2], ["five", "5"])
    assert "side" in page.texts("#proposals .what b")
    assert max(len(text.split()) for text in page.texts("#proposals .what")) < 20
    choose(page, "#least", "2")
    becomes(lambda: page.texts("#proposals .what b"), ["five", "5"])
    page.press("F6", "a")
    text = LONG.replace("five", "(five|5)")
    page.saved(number, {"S": text})
    becomes(lambda: page.text("#no-proposals"), "No proposal is left in at least 2 systems.")
    # The choice holds for the next sentences, too, and is taken back where it finds nothing.
    choose(page, "#least", "0")
    becomes(lambda: page.texts("#proposals .what b"), ["team", "side"])
    page.one("#proposals li").click()
    page.press("e")
    page.focused("proposed")
    assert value(page, "#proposed") == "side"
    page.press("CONTROL+a")
    page.type("eleven")
    page.press("ENTER")
    page.saved(number, {"S": text.replace("team", "(team|eleven)")})


def test_cards_of_the_same_source_words_are_offered(page: Page) -> None:
    write(page, NUMBER["first"], [{"op": "create", "span": [0, 2], "text": "the minister; the [HEAD]"}])
    head = asked(page.address, f"sentences/{NUMBER['first']}")["cards"][-1]["id"]
    write(page, NUMBER["first"], [{"op": "text", "card": head, "text": "head"}])
    number = NUMBER["same"]
    page.open(number)
    page.press("SHIFT+ARROW_RIGHT", "ENTER")
    becomes(lambda: page.texts("#offers .what"), ["the minister; the [HEAD]"])
    page.press("ARROW_DOWN", "ENTER")
    page.saved(number, {"S": "", "HEAD": "head", "THE-MINISTER": "the minister; the [HEAD]"})
    page.focused("text")
    assert asked(page.address, f"sentences/{number}")["cards"][-1]["span"] == [0, 2]
    # It is a card as others: it is changed, undone, and not offered again here.
    page.type("; PM")
    page.saved(number, {"S": "", "HEAD": "head", "THE-MINISTER": "the minister; the [HEAD]; PM"})
    page.press("CONTROL+z", "CONTROL+z")
    page.saved(number, {"S": ""})
    becomes(lambda: page.run("return document.activeElement?.id === 'text'"), False)  # the card's box is gone
    # Who types something else is not held up.
    page.press("HOME", "SHIFT+ARROW_RIGHT")
    page.type("he")
    page.saved(number, {"S": "", "HE": "he"})
    assert not page.texts("#offers")


def test_a_window_that_is_only_open_does_no_work(page: Page) -> None:
    page.open(NUMBER["third"])
    page.run(
        "window.seen = []; const real = window.fetch;"
        "window.fetch = (...all) => { seen.push([all[0], all[1]?.body ?? '']); return real(...all); }"
    )
    change = {"op": "create", "span": [1, 2], "text": "day"}
    write(page, NUMBER["third"], [change])
    becomes(lambda: page.texts(".row .name"), ["DAY"])
    until(lambda: page.run("return seen.some(([where]) => where.endsWith('/look'))"))
    asked_for = [(where, body) for where, body in page.run("return seen") if "proposals" not in where]
    assert all("quiet=1" in where or '"quiet":true' in body for where, body in asked_for)
    # What somebody does there is told once in ten seconds.
    page.press("ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT")
    until(lambda: page.run("return seen.some(([where]) => where.endsWith('/work'))"))
    assert page.run("return seen.filter(([where]) => where.endsWith('/work')).length") == 1
