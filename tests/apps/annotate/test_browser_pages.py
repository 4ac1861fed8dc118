"""The pages of the annotation tool in a real browser (headless Chromium, where it is installed)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from annotation_pages import Page, asked, becomes, served, until
from places import ROOT

from fstmetrics.apps.annotate.sentence_cards import TypedCard, network_of
from fstmetrics.data.network import Network

# The example of [H12 §2.1], once for the mouse and once for the keyboard; then sentences for one test each.
EXAMPLE = "el primer ministro italiano Silvio Berlusconi"
SENTENCES = {
    "mouse": EXAMPLE, "keys": EXAMPLE, "drag": "a b c", "find": "a b c", "undo": "a b c", "two": "a b c",
    "circle": "a b c", "unread": "a b c",
    "phone": "la reunión del consejo de ministros se celebró ayer por la tarde en Madrid",
    "arabic": "دخل رئيس الوزراء", "chinese": "意大利总理", "hostile": "<img/src=x/onerror=alert(1)> b", "near": "x y",
    "shared": EXAMPLE, "propose": "x y", "judge": "x y", "names": "a b c", "finger": "a b c",
    "hidden": "a b c", "offline": "a b c", "wide": EXAMPLE, "narrow": EXAMPLE, "many": "x",
    "left": "a b c", "gone": "a b c", "away": "a b c", "reload": "a b c", "stuck": "a b c", "named": "a b c",
    "name": "a b c", "overtaken": "a b c", "edited": "x y", "unsent": "x y",
    "steps": "a b c", "long": "x",
}  # fmt: skip
NUMBER = {name: number for number, name in enumerate(SENTENCES, 1)}
REFERENCE = {
    "near": "the red house",
    "propose": "the red house",
    "judge": "the house",
    "edited": "the red house",
    "unsent": "the house",
    "many": "a B c D e F g H i J k L",
    "long": "a b c d e f g X i j k l m",
    "shared": "the Italian prime minister Silvio Berlusconi",
}
OUTPUT = {
    "near": "a red home",
    "propose": "a red home",
    "judge": "a red house",
    "shared": "the Italian premier Silvio Berlusconi",
    "long": "a b c d e f g X i j k l m",
}
STRANGE = "<b>output</b>"
HERE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("annotation")
    texts = {"source": SENTENCES, "ref": REFERENCE, "out": OUTPUT}
    for name, lines in texts.items():
        (folder / name).write_text(
            "".join(f"{lines.get(each, 'none')}\n" for each in SENTENCES), encoding="utf-8"
        )
    options = [
        "--import",
        folder / "source",
        "--ref",
        folder / "ref",
        "--system",
        f"{STRANGE}={folder / 'out'}",
    ]
    people = ["--annotator", "anna", "--annotator", "ben", "--annotator", "cleo=source"]
    with served(folder / "project", *map(str, options), *people) as found:
        yield found


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Page]:
    browser.get_log("browser")
    found = Page(browser, address)
    yield found
    assert found.messages() == []


def network(page: Page, sentence: int) -> Network:
    """The network that the server has of a sentence."""
    state = asked(page.address, f"sentences/{sentence}")
    cards = {card["id"]: TypedCard.of_dict(card) for card in state["cards"]}
    found = network_of(cards, "", state["source"])
    assert found is not None
    return found


def documented() -> Network:
    """The network of the example in the documentation."""
    (text,) = re.findall(
        r"```json\n(.*?)```", (ROOT / "docs" / "annotation.md").read_text(encoding="utf-8"), re.S
    )
    return Network.from_json(text)


# The docs' example, as another window writes it.
WIDE = [
    {"op": "create", "span": [1, 3], "text": "prime minister; PM; head of government"},
    {"op": "create", "span": [3, 4], "text": "Italian"},
    {"op": "create", "span": [4, 6], "text": "(Silvio) Berlusconi"},
    {"op": "text", "card": "root", "text": "the [ITALIAN] [PRIME-MINISTER] [SILVIO-BERLUSCONI]; "
     "the [PRIME-MINISTER] of Italy, [SILVIO-BERLUSCONI]"},
]  # fmt: skip
CARDS = {
    "S": "the [ITALIAN] [PRIME-MINISTER] [SILVIO-BERLUSCONI]; the [PRIME-MINISTER] of Italy, [SILVIO-BERLUSCONI]",
    "PRIME-MINISTER": "prime minister; PM; head of government",
    "ITALIAN": "Italian",
    "SILVIO-BERLUSCONI": "(Silvio) Berlusconi",
}


def test_the_papers_example_is_built_by_mouse(page: Page) -> None:
    number = NUMBER["mouse"]
    page.open(number)
    for first, last, text in (
        (1, 2, CARDS["PRIME-MINISTER"]),
        (3, 3, "Italian"),
        (4, 5, CARDS["SILVIO-BERLUSCONI"]),
    ):
        page.select(first, last)
        page.focused("text")
        page.type(text)
    page.one("button.card.whole").click()
    page.focused("text")
    page.type("the ")
    for name, text in (("ITALIAN", ""), ("PRIME-MINISTER", ""), ("SILVIO-BERLUSCONI", "; the "),
                       ("PRIME-MINISTER", " of Italy, "), ("SILVIO-BERLUSCONI", "")):  # fmt: skip
        at_end(page, name)
        page.type(text)
    page.saved(number, CARDS)
    assert network(page, number) == documented()
    assert until(lambda: page.text(".numbers").startswith("12 strings"))


def at_end(page: Page, name: str) -> None:
    """Drag a card to the end of the text."""
    box = page.one("#text")
    before = box.get_attribute("value")
    area = box.rect
    page.drag(
        f".row .card[aria-label^='Card {name},']",
        area["x"] + area["width"] - 6,
        area["y"] + area["height"] - 6,
    )
    becomes(lambda: page.one("#text").get_attribute("value"), f"{before.rstrip()} [{name}]")


def test_the_papers_example_is_built_by_keyboard_alone(page: Page) -> None:
    number = NUMBER["keys"]
    page.open(number)
    page.press("ARROW_RIGHT", "SHIFT+ARROW_RIGHT")
    page.type(CARDS["PRIME-MINISTER"])
    page.press("ENTER")
    page.type("Italian")
    page.press("ENTER", "SHIFT+ARROW_RIGHT")
    page.type(CARDS["SILVIO-BERLUSCONI"])
    page.press("F4")
    for text in ("the [ITAL", " [PRIME", " [SILV", "; the [prime m", " of Italy, [Berl"):
        page.type(text)
        if "[" in text:
            page.press("ENTER")
    page.saved(number, CARDS)
    assert network(page, number) == documented()
    page.press("ESCAPE")
    page.focused("words")


def test_a_card_is_dragged_between_words(page: Page) -> None:
    number = NUMBER["drag"]
    page.open(number)
    page.type("bright; light")
    page.press("F4")
    page.type("the house; a home")
    page.saved(number, {"BRIGHT": "bright; light", "S": "the house; a home"})
    # The gap before "house", where the page itself draws it.
    x, y = page.run(
        "const mirror = document.querySelector('.mirror'), range = document.createRange();"
        "range.setStart(mirror.childNodes[2].firstChild, 0); range.collapse(true);"
        "const rect = range.getBoundingClientRect(); return [rect.left - 2, rect.top + 8]"
    )
    page.drag(".row .card", x, y)
    page.saved(number, {"BRIGHT": "bright; light", "S": "the [BRIGHT] house; a home"})
    # Let go elsewhere, it goes nowhere; a press without a drag opens it.
    page.drag(".row .card", 5, 900)
    page.one(".row .card").click()
    becomes(lambda: page.one("#text").get_attribute("value"), "bright; light")
    assert page.cards(number)["S"] == "the [BRIGHT] house; a home"


def test_a_card_is_dragged_with_a_finger(page: Page) -> None:
    number = NUMBER["finger"]
    send = page.browser.execute_cdp_cmd
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    send("Emulation.setDeviceMetricsOverride", size)
    try:
        page.open(number)
        page.type("light")
        page.one("button.card.whole").click()
        page.focused("text")
        page.type("the ")
        until(lambda: page.texts(".row .card .count") == ["1"])
        grip, box = page.one(".row .card .grip").rect, page.one("#text").rect
        start, end = (grip["x"] + 6, grip["y"] + 8), (box["x"] + 150, box["y"] + 20)
        send("Input.dispatchTouchEvent", touch("touchStart", start))
        for part in range(1, 6):
            between = tuple(a + (b - a) * part / 5 for a, b in zip(start, end, strict=True))
            send("Input.dispatchTouchEvent", touch("touchMove", between))
        send("Input.dispatchTouchEvent", touch("touchEnd"))
        page.saved(number, {"S": "the [LIGHT]", "LIGHT": "light"})
    finally:
        send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        send("Emulation.clearDeviceMetricsOverride", {})


def touch(kind: str, *places: tuple[float, ...]) -> dict[str, Any]:
    """A touch, for Chromium."""
    return {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in places]}


def test_brackets_find_cards_and_make_new_ones(page: Page) -> None:
    number = NUMBER["find"]
    page.open(number)
    page.type("one")
    page.press("ENTER")
    page.type("two")
    page.press("F4")
    page.type("a [")
    becomes(lambda: page.texts("#cards-found [role=option] .name")[:2], ["ONE", "TWO"])
    page.press("ARROW_DOWN")
    becomes(lambda: page.text("#cards-found [aria-selected=true] .name"), "TWO")
    page.type("NEW")
    becomes(lambda: page.texts("#cards-found .name"), ["NEW"])
    page.press("TAB")
    page.saved(number, {"S": "a [NEW]", "ONE": "one", "TWO": "two", "NEW": ""})
    becomes(lambda: page.text("#box-problems"), "Waits for the empty card NEW")
    assert "empty" in page.one(".loose .card.empty").get_attribute("aria-label")
    # A card that is named after what is typed takes its place.
    page.press("ESCAPE", "END")
    page.type("new; fresh")
    page.press("ENTER")
    page.saved(number, {"S": "a [NEW]", "ONE": "one", "TWO": "two", "NEW": "new; fresh"})
    assert [card["span"] for card in asked(page.address, f"sentences/{number}")["cards"]][-1] == [2, 3]
    # A name in another case is another card, which is told.
    page.press("F4")
    page.type("; [New] ")
    becomes(lambda: page.text("#box-problems"), "Waits for the empty card New: is [NEW] meant?")
    # The list closes with Escape, and letters go on.
    page.press("F4")
    page.type(" [")
    until(lambda: page.texts("#cards-found .name"))
    page.press("ESCAPE")
    until(lambda: not page.texts("#cards-found"))
    page.focused("text")


def test_a_circle_is_shown_while_it_is_typed(page: Page) -> None:
    number = NUMBER["circle"]
    page.open(number)
    page.type("day [NIGHT]")
    page.saved(number, {"S": "", "DAY-NIGHT": "day [NIGHT]", "NIGHT": ""})
    page.one(".loose .card:not(.whole)").click()
    page.focused("text")
    page.type("night")
    page.saved(number, {"S": "", "DAY-NIGHT": "day [NIGHT]", "NIGHT": "night"})
    page.type("; no [DAY-NIGHT]")
    assert until(lambda: page.text(".circle")) in (
        "NIGHT → DAY-NIGHT → NIGHT",
        "DAY-NIGHT → NIGHT → DAY-NIGHT",
    )
    assert page.cards(number)["NIGHT"].startswith("night")  # what is typed from here on is not saved
    page.press("BACKSPACE")
    becomes(lambda: page.text(".circle"), "")
    page.messages()  # a refusal is a 422, which browsers write to the console


def test_undo_and_redo_after_the_page_is_loaded_again(page: Page) -> None:
    number = NUMBER["undo"]
    page.open(number)
    page.type("first")
    page.press("ENTER")
    page.type("second")
    page.saved(number, {"S": "", "FIRST": "first", "SECOND": "second"})
    page.open(number)
    page.press("CONTROL+z")
    page.saved(number, {"S": "", "FIRST": "first"})
    page.press("CONTROL+z")
    page.saved(number, {"S": ""})
    page.open(number)
    page.press("CONTROL+SHIFT+z", "CONTROL+y")
    page.saved(number, {"S": "", "FIRST": "first", "SECOND": "second"})


def test_names_places_and_deletion_with_keys_alone(page: Page) -> None:
    number = NUMBER["names"]
    page.open(number)
    page.type("head of state")
    page.press("F4")
    page.type("the [HEAD-OF-STATE]")
    page.saved(number, {"S": "the [HEAD-OF-STATE]", "HEAD-OF-STATE": "head of state"})
    page.press("ESCAPE", "HOME", "ENTER")
    page.focused("text")
    page.press("F2")
    page.focused("name")
    page.type("HEAD")
    page.press("ENTER")
    page.saved(number, {"S": "the [HEAD]", "HEAD": "head of state"})
    page.focused("text")
    # Other source words: Tab goes to the button.
    page.press("SHIFT+TAB", "SHIFT+TAB", "ENTER")
    page.focused("words")
    page.press("ARROW_RIGHT", "SHIFT+ARROW_RIGHT", "ENTER")
    becomes(lambda: asked(page.address, f"sentences/{number}")["cards"][1]["span"], [1, 3])
    becomes(lambda: page.text(".box-head .span"), "b c")
    page.press("CONTROL+DELETE")
    page.saved(number, {"S": "the [HEAD]", "HEAD": ""})
    page.press("CONTROL+z")
    page.saved(number, {"S": "the [HEAD]", "HEAD": "head of state"})


def test_what_cannot_be_saved_is_kept(page: Page) -> None:
    number = NUMBER["offline"]
    page.open(number)
    page.type("one")
    page.saved(number, {"S": "", "ONE": "one"})
    page.run("window.real = window.fetch; window.fetch = () => Promise.reject(new TypeError('no network'))")
    page.type("; two")
    until(lambda: "does not answer" in page.text("[role=alert]"))
    page.type("; three")
    page.run("window.fetch = window.real")
    page.saved(number, {"S": "", "ONE": "one; two; three"})
    becomes(lambda: page.texts("[role=alert]"), [])
    # What is refused stays in the card when another one was open.
    page.type("; [ONE]")
    until(lambda: page.text(".circle") == "ONE → ONE")
    page.press("F4", "ESCAPE", "HOME", "ENTER")
    becomes(lambda: page.one("#text").get_attribute("value"), "one; two; three; [ONE]")
    becomes(lambda: page.text(".circle"), "ONE → ONE")
    page.press("CONTROL+z")
    becomes(lambda: page.one("#text").get_attribute("value"), page.cards(number)["ONE"])
    assert not page.text(".circle")
    page.messages()  # refusals are written to the console


def test_two_windows_see_each_other_and_lose_nothing(page: Page, second: Any) -> None:
    number = NUMBER["two"]
    other = Page(second, page.address).open(number)
    page.open(number)
    page.type("house")
    becomes(lambda: other.texts(".row .name"), ["HOUSE"])
    other.one(".row .card").click()
    other.focused("text")
    page.type("; home")
    becomes(lambda: other.one("#text").get_attribute("value"), "house; home")
    # This window does not hear of what the other one saves before it saves its own.
    state = asked(page.address, f"sentences/{number}")
    card = state["cards"][1]["id"]
    page.run(
        "const real = window.fetch; window.fetch = (...all) => !all[0].includes('/changes') ? real(...all) :"
        " new Promise((go) => { window.release = () => { window.fetch = real; go(real(...all)); }; });"
    )
    page.type("; hut")
    until(lambda: page.run("return Boolean(window.release)"))
    change = {"op": "text", "card": card, "text": "house; home; villa"}
    asked(page.address, f"sentences/{number}/changes", {"revision": state["revision"], "change": change})
    page.run("window.release()")
    becomes(lambda: page.texts(".conflict dd"), ["house; home; villa", "house; home; hut"])
    page.one(".conflict button").click()
    page.saved(number, {"S": "", "HOUSE": "house; home; villa; hut"})
    becomes(lambda: other.one("#text").get_attribute("value"), "house; home; villa; hut")
    assert other.messages() == []
    page.messages()  # a conflict is a 409, which browsers write to the console


# The next request of a kind waits until it is released, or fails.
HOLD = """
const [route] = arguments, real = window.fetch;
Object.assign(window, { real, held: false });
window.fetch = (...all) => (window.held || !all[0].includes(route) ? real(...all) : new Promise((go, fail) => {
  window.held = true;
  window.release = () => { window.fetch = real; go(real(...all)); };
  window.fail = () => { window.fetch = real; fail(new TypeError("no network")); };
}));
"""


def hold(page: Page, route: str = "/changes") -> None:
    """Let the next request of a kind wait until it is released."""
    page.run(HOLD, route)


def held(page: Page) -> None:
    until(lambda: page.run("return window.held"))


def would_ask(page: Page) -> bool:
    """Whether the browser asks before it leaves the page."""
    return bool(
        page.run(
            "const leaves = new Event('beforeunload', { cancelable: true });"
            "dispatchEvent(leaves); return leaves.defaultPrevented"
        )
    )


def shown(page: Page) -> list[str]:
    """Of the texts that were left before they were saved, the one here and the one there."""
    return page.texts("#left .conflict dd")


def made_card(page: Page, number: int, text: str) -> dict[str, str]:
    """A card of the first source word, which this page shows too."""
    write(page, number, [{"op": "create", "span": [0, 1], "text": text}])
    return asked(page.address, f"sentences/{number}")["cards"][1]


LEFT = {
    "Keep all phrases of both": "house; villa; hut",
    "Keep what is here": "house; hut",
    "Keep what is there": "house; villa",
}


@pytest.mark.parametrize("answer", LEFT)
@pytest.mark.parametrize("key", ["ENTER", "ESCAPE"])
def test_a_text_that_is_left_before_it_is_saved_asks(page: Page, second: Any, key: str, answer: str) -> None:
    number = NUMBER["left"]
    for each in asked(page.address, f"sentences/{number}")["cards"][1:]:
        write(page, number, [{"op": "delete", "card": each["id"]}])
    made_card(page, number, "house")
    other = Page(second, page.address).open(number)
    page.open(number)
    page.press("HOME", "ENTER")
    hold(page)
    page.type("; hut")
    held(page)
    page.press(key)
    page.focused("words")
    # The other window hears nothing of it, and writes to the same card.
    other.press("HOME", "ENTER")
    other.type("; villa")
    other.saved(number, {"S": "", "HOUSE": "house; villa"})
    assert would_ask(page)
    page.run("window.release()")
    becomes(lambda: shown(page), ["house; villa", "house; hut"])
    assert page.cards(number)["HOUSE"] == "house; villa"
    assert would_ask(page)
    until(lambda: [each for each in buttons(page, "#left") if each.text == answer])[0].click()
    page.saved(number, {"S": "", "HOUSE": LEFT[answer]})
    becomes(lambda: page.texts("#left"), [])
    becomes(lambda: other.one("#text").get_attribute("value"), LEFT[answer])
    assert not would_ask(page)
    other.browser.get("about:blank")
    page.messages()  # a conflict is a 409, which browsers write to the console


def buttons(page: Page, where: str) -> Any:
    return page.browser.find_elements("css selector", f"{where} button")


@pytest.mark.parametrize("heard", [False, True])
@pytest.mark.parametrize("left", [False, True])
def test_a_text_of_a_card_that_another_window_deletes_asks(page: Page, left: bool, heard: bool) -> None:
    number = NUMBER["gone"]
    for each in asked(page.address, f"sentences/{number}")["cards"][1:]:
        write(page, number, [{"op": "delete", "card": each["id"]}])
    card = made_card(page, number, "house")
    page.open(number)
    page.press("HOME", "ENTER")
    hold(page)
    page.type("; hut")
    held(page)
    if left:
        page.press("ESCAPE")
    write(page, number, [{"op": "delete", "card": card["id"]}])
    if heard:  # the first request never arrives, and the next one is made when the page knows
        page.run("window.fail()")
    else:
        page.run("window.release()")
    where = "#left" if left else "#box-problems"
    becomes(lambda: page.texts(f"{where} .conflict dd"), ["house; hut"])
    assert would_ask(page)
    assert "deleted this card" in page.text(f"{where} .conflict")
    buttons(page, f"{where} .conflict")[0].click()
    page.saved(number, {"S": "", "HOUSE": "house; hut"})
    becomes(lambda: page.texts(".conflict"), [])
    until(lambda: not would_ask(page))
    page.messages()  # refusals are written to the console


def test_a_text_of_a_sentence_that_is_left_asks(page: Page, second: Any) -> None:
    number = NUMBER["away"]
    card = made_card(page, number, "house")
    other = Page(second, page.address).open(number)
    for leave in (["ALT+PAGE_DOWN"], ["F6"]):
        page.open(number)
        page.press("HOME", "ENTER")
        hold(page)
        page.type("; hut")
        held(page)
        if leave == ["F6"]:
            page.one("#to-list").click()
            until(lambda: page.texts(".sentences"))
        else:
            page.press(*leave)
            becomes(lambda: page.text("header .key"), str(number))
        becomes(lambda: page.text("#left .typed"), "house; hut")
        assert page.text("#left a").split() == ["Sentence", str(number - 1)]
        assert would_ask(page)
        other.press("HOME", "ENTER")
        other.type("; villa")
        other.saved(number, {"S": "", "HOUSE": "house; villa"})
        page.run("window.release()")
        becomes(lambda: shown(page), ["house; villa", "house; hut"])
        # The sentence that is opened again has it, too.
        page.one("#left a").click()
        becomes(lambda: page.text("header .key"), str(number - 1))
        page.press("HOME", "ENTER")
        becomes(lambda: page.texts("#box-problems .conflict dd"), ["house; villa", "house; hut"])
        assert not page.texts("#left")
        buttons(page, "#box-problems .conflict")[0].click()
        page.saved(number, {"S": "", "HOUSE": "house; villa; hut"})
        other.press("ESCAPE")
        write(page, number, [{"op": "text", "card": card["id"], "text": "house"}])
        becomes(lambda: other.one(".row .card").get_attribute("title"), "HOUSE: house")
    other.browser.get("about:blank")
    page.messages()  # a conflict is a 409, which browsers write to the console


def test_the_page_shows_a_text_that_is_being_sent_and_does_not_go(page: Page) -> None:
    number = NUMBER["reload"]
    page.open(number)
    assert not would_ask(page)
    hold(page)
    page.type("house")
    held(page)
    page.press("ENTER")
    becomes(lambda: page.text("#left .typed"), "house")
    assert would_ask(page)
    # Its source words opened again have it, and what is typed behind it.
    page.press("HOME", "ENTER")
    becomes(lambda: page.one("#text").get_attribute("value"), "house")
    assert not page.texts("#left")
    page.type("; hut")
    page.press("ENTER")
    page.run("window.release()")
    page.saved(number, {"S": "", "HOUSE": "house; hut"})
    becomes(lambda: page.texts("#left"), [])
    until(lambda: not would_ask(page))
    # The same of what is no text: a card that is deleted, a sentence that is marked.
    page.press("HOME", "ENTER")
    hold(page)
    page.press("CONTROL+DELETE")
    held(page)
    assert would_ask(page)
    page.run("window.release()")
    until(lambda: not would_ask(page))
    hold(page, "/done")
    page.one("#done").click()
    held(page)
    assert would_ask(page)
    page.run("window.release()")
    until(lambda: not would_ask(page))


def test_a_text_that_is_refused_after_it_was_left_is_shown(page: Page) -> None:
    number = NUMBER["stuck"]
    page.open(number)
    page.type("one")
    page.saved(number, {"S": "", "ONE": "one"})
    hold(page)
    page.type("; [ONE]")
    held(page)
    page.run("window.release()")
    page.press("ESCAPE", "ALT+PAGE_DOWN")
    becomes(lambda: page.text("#left .typed"), "one; [ONE]")
    until(lambda: "circle: ONE → ONE" in page.text("#left .problem"))
    assert would_ask(page)
    buttons(page, "#left")[0].click()
    becomes(lambda: page.text("header .key"), str(number - 1))
    becomes(lambda: page.one("#text").get_attribute("value"), "one; [ONE]")
    page.press("ESCAPE")
    until(lambda: len(buttons(page, "#left")) == 2)
    buttons(page, "#left")[1].click()
    becomes(lambda: page.texts("#left"), [])
    assert not would_ask(page)
    assert page.cards(number)["ONE"] in ("one", "one;", "one; [", "one; [ONE")  # what was typed until then
    page.messages()  # refusals are written to the console


def test_a_name_that_is_typed_is_kept_however_it_is_left(page: Page) -> None:
    number = NUMBER["named"]
    made_card(page, number, "house")
    write(page, number, [{"op": "text", "card": "root", "text": "the [HOUSE]"}])
    names = iter(["ONE", "TWO", "THREE", "FOUR", "FIVE"])
    page.open(number)

    def naming() -> str:
        page.press("HOME", "ENTER", "F2")
        page.focused("name")
        page.type(name := next(names))
        return name

    # The text that calls it follows, also what is typed into it at once.
    name = naming()
    page.press("F4")
    page.type(" here")
    page.saved(number, {"S": f"the [{name}] here", name: "house"})
    page.press("ESCAPE")
    name = naming()
    page.one(".loose .card.whole").click()
    page.saved(number, {"S": f"the [{name}] here", name: "house"})
    page.press("ESCAPE")
    name = naming()
    page.press("ALT+PAGE_DOWN")
    page.saved(number, {"S": f"the [{name}] here", name: "house"})
    page.open(number)
    name = naming()
    assert would_ask(page)
    page.saved(number, {"S": f"the [{name}] here", name: "house"})
    until(lambda: not would_ask(page))
    # Escape leaves the name as it was.
    page.open(number)
    naming()
    page.press("ESCAPE")
    page.focused("text")
    becomes(lambda: page.one("#name").get_attribute("value"), name)
    assert not would_ask(page)
    # The name goes with a page that is loaded again, whatever the browser asks.
    page.press("F2")
    page.type("SIX")
    page.run("location.reload()")
    with suppress(Exception):
        page.browser.switch_to.alert.accept()
    page.saved(number, {"S": "the [SIX] here", "SIX": "house"})


def test_a_name_that_is_refused_or_taken_is_asked_about(page: Page) -> None:
    number = NUMBER["name"]
    card = made_card(page, number, "house")
    page.open(number)
    page.press("HOME", "ENTER", "F2")
    page.focused("name")
    page.type("BAD]NAME" * 20)
    page.press("F4")
    until(lambda: "Not saved" in page.text("#left .problem"))
    page.press("ESCAPE", "HOME", "ENTER", "F2")
    until(lambda: "Not named BAD]NAME" in page.text("#box-problems .problem"))
    page.press("ESCAPE")
    becomes(lambda: page.one("#name").get_attribute("value"), "HOUSE")
    hold(page)
    page.press("F2")
    page.type("MINE")
    page.press("F4")
    held(page)
    write(page, number, [{"op": "rename", "card": card["id"], "name": "THEIRS"}])
    page.run("window.release()")
    becomes(lambda: shown(page), ["THEIRS", "MINE"])
    assert page.cards(number) == {"S": "", "THEIRS": "house"}
    buttons(page, "#left")[0].click()
    page.saved(number, {"S": "", "MINE": "house"})
    becomes(lambda: page.texts("#left"), [])
    page.messages()  # refusals are written to the console


@pytest.mark.parametrize("what", ["CONTROL+z", "CONTROL+DELETE"])
def test_what_another_window_did_is_not_undone_or_deleted_unseen(page: Page, what: str) -> None:
    number = NUMBER["overtaken"]
    for each in asked(page.address, f"sentences/{number}")["cards"][1:]:
        write(page, number, [{"op": "delete", "card": each["id"]}])
    card = made_card(page, number, "house")
    page.open(number)
    page.press("HOME", "ENTER")
    hold(page, "/undo" if what == "CONTROL+z" else "/changes")
    page.press(what)
    held(page)
    write(page, number, [{"op": "text", "card": card["id"], "text": "house; villa"}])
    page.run("window.release()")
    until(lambda: "Another window has changed this" in page.text("[aria-label=Card]"))
    assert page.cards(number) == {"S": "", "HOUSE": "house; villa"}
    page.messages()  # a conflict is a 409, which browsers write to the console


def test_a_proposal_that_is_edited_is_kept_where_it_is_refused(page: Page) -> None:
    number = NUMBER["edited"]
    write(page, number, [{"op": "text", "card": "root", "text": "the house"}])
    page.open(number)
    page.press("F6", "F6")
    until(lambda: page.texts("#proposals li"))
    page.one("#proposals li").click()
    page.press("e")
    page.focused("proposed")
    page.press("CONTROL+a")
    page.type("the [S] house")
    assert would_ask(page)
    page.press("ENTER")
    until(lambda: "circle" in page.text("[aria-label=Card] .problem"))
    becomes(lambda: page.one("#proposed").get_attribute("value"), "the [S] house")
    page.press("ESCAPE")
    until(lambda: not would_ask(page))
    page.messages()  # a refusal is written to the console


def test_a_judgement_is_sent_again_until_the_tool_answers(page: Page) -> None:
    number = NUMBER["unsent"]
    write(page, number, [{"op": "text", "card": "root", "text": "the house"}])
    page.open(number)
    page.one("#paths button").click()
    becomes(lambda: page.run("return document.activeElement.dataset.row"), "0")
    page.run("window.real = window.fetch; window.fetch = () => Promise.reject(new TypeError('no network'))")
    page.press("w")
    until(lambda: "does not answer" in page.text("[role=alert]"))
    assert would_ask(page)
    page.run("window.fetch = window.real")
    becomes(lambda: asked(page.address, f"sentences/{number}/paths")["paths"][0]["verdict"], "wrong")
    until(lambda: not would_ask(page))


def test_a_window_that_was_hidden_catches_up(page: Page) -> None:
    number = NUMBER["hidden"]
    page.open(number)
    hide = (
        "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    page.run(hide, True)
    change = {"op": "create", "span": [0, 1], "text": "late"}
    asked(page.address, f"sentences/{number}/changes", {"revision": 0, "change": change})
    page.run(hide, False)
    becomes(lambda: page.texts(".row .name"), ["LATE"])
    change = {"op": "create", "span": [1, 2], "text": "soon"}
    asked(page.address, f"sentences/{number}/changes", {"revision": 1, "change": change})
    becomes(lambda: page.texts(".row .name"), ["LATE", "SOON"])


def test_distances_follow_what_is_typed(page: Page) -> None:
    page.open(NUMBER["near"])
    page.press("F4")
    page.type("the red house")
    rows = ["ref reference 0 edits the red house", f"{STRANGE} output 2 edits the a red house home"]
    becomes(lambda: [" ".join(each.split()) for each in page.texts(".distances li")], rows)
    assert sorted(page.texts(".unknown bdi")) == ["a", "home"]
    page.type("; (a) red (house|home)")
    becomes(lambda: page.texts(".distances b"), ["0 edits", "0 edits"])
    assert until(lambda: page.text(".numbers").startswith("5 strings, 5 paths, 2 to 3 words"))
    assert len(page.one("svg[role=img]").find_elements("css selector", ".curve")) > 3
    before = page.texts(".samples li")
    for _ in range(20):
        page.press("F8")
    assert until(lambda: page.texts(".samples li") != before)


def test_proposals_are_answered_with_one_key(page: Page) -> None:
    number = NUMBER["propose"]
    page.open(number)
    page.press("F4")
    page.type("the red house")
    page.press("ESCAPE")
    becomes(lambda: page.texts("#proposals .count"), ["1 of 2 closer, 1 edit less"] * 2)
    page.press("F6")
    becomes(lambda: page.run("return document.activeElement.dataset.row"), "0")
    first = page.run("return document.activeElement.ariaLabel")
    page.press("r")
    becomes(lambda: len(page.texts("#proposals li")), 1)
    assert page.run("return document.activeElement.dataset.row") == "0"
    second = page.run("return document.activeElement.ariaLabel")
    assert second != first
    page.press("CONTROL+z")
    becomes(
        lambda: page.text(".told"), f"Undone: rejection of {first.removeprefix('add ').partition(' to S')[0]}"
    )
    becomes(lambda: len(page.texts("#proposals li")), 2)
    page.saved(number, {"S": "the red house"})
    page.press("CONTROL+SHIFT+z")
    becomes(lambda: page.text(".told").partition(":")[0], "Made again")
    becomes(lambda: len(page.texts("#proposals li")), 1)
    page.press("a")
    added = second.removeprefix("add ").partition(" to S")[0]
    page.saved(number, {"S": f"the red house; {added}"})
    # What was rejected is not proposed again, nor after undo; what was accepted is.
    until(lambda: "left" in page.text("#spoken"))
    page.press("CONTROL+z")
    page.saved(number, {"S": "the red house"})
    becomes(lambda: len(page.texts("#proposals li")), 1)
    page.open(number)
    becomes(lambda: len(page.texts("#proposals li")), 1)
    page.press("F6", "e")
    page.focused("proposed")
    assert page.text("#proposals label") == "add to S"
    page.press("CONTROL+a")
    page.type("a (red) home")
    page.press("ENTER")
    page.saved(number, {"S": "the red house; a (red) home"})
    becomes(lambda: page.texts(".distances b"), ["0 edits", "0 edits"])
    page.focused("no-proposals")
    page.press("CONTROL+z")
    page.saved(number, {"S": "the red house"})
    becomes(lambda: len(page.texts("#proposals li")), 1)
    assert page.run("return document.activeElement.dataset.row") == "0"


def test_a_card_shows_that_a_phrase_of_it_does_not_count(page: Page) -> None:
    page.open(NUMBER["unread"])
    page.type("fighter; warrior; (big|great")
    becomes(lambda: page.texts("#box-problems bdi"), ["(big|great"])
    assert not page.texts("#unread"), "the box says it"
    page.press("ENTER")
    becomes(lambda: page.texts(".row .card .count"), ["2 +?"])
    inside = (
        "const [card, count] = ['.row .card', '.row .card .count'].map((each) =>"
        "document.querySelector(each).getBoundingClientRect());"
        "return card.left <= count.left && count.right <= card.right"
    )
    assert page.run(inside), "the number is seen, also where the name is cut"
    assert "1 phrase not counted" in page.one(".row .card").get_attribute("title")
    page.one("#unread button").click()
    page.focused("text")
    page.type(") cat")
    page.press("ENTER")
    becomes(lambda: page.texts(".row .card .count"), ["4"])
    assert not page.texts("#unread")


def test_paths_are_judged_with_one_key(page: Page) -> None:
    number = NUMBER["judge"]
    page.open(number)
    page.press("F4")
    page.type("the [HOUSE]; a red house")
    page.one("#box-problems .link").click()
    page.type("house; red")
    page.press("ESCAPE")
    until(lambda: page.text(".numbers").startswith("3 strings"))
    page.one("#paths button").click()
    becomes(lambda: page.texts("#paths li .what"), ["the house", "a red house", "the red"])
    becomes(lambda: page.run("return document.activeElement.dataset.row"), "0")
    page.press("g", "o", "w")
    verdicts = ["Grammatical", "Odd", "Wrong"]
    becomes(lambda: page.texts("#paths li [aria-pressed=true]"), verdicts)
    # A wrong path leads to the phrase that made it, and to no other one that fine paths have.
    becomes(lambda: page.texts("#paths .problem .link")[:1], ["HOUSE: red"])
    page.press("ENTER")
    page.focused("text")
    area = (
        "const area = document.activeElement; return area.value.slice(area.selectionStart, area.selectionEnd)"
    )
    assert page.run(area) == "red"
    paths = asked(page.address, f"sentences/{number}/paths")["paths"]
    assert [path["verdict"] for path in paths] == [each.lower() for each in verdicts]
    page.press("ESCAPE", "CONTROL+z")
    becomes(lambda: page.text(".told"), "Undone: judgement of the red")
    becomes(lambda: page.texts("#paths li [aria-pressed=true]"), verdicts[:2])


def test_the_list_shows_progress_order_and_systems(page: Page) -> None:
    write(page, NUMBER["near"], [{"op": "text", "card": "root", "text": "the red house"}])
    page.open(NUMBER["near"])
    page.press("CONTROL+ENTER")
    becomes(lambda: page.run("return location.hash"), f"#{NUMBER['near'] + 1}")
    page.one("#to-list").click()
    until(lambda: page.texts(".tables td"))
    rows = dict(zip(page.texts(".sentences .key"), page.texts(".sentences .state"), strict=True))
    assert rows[str(NUMBER["near"] - 1)] == "✓ done"
    assert page.text(".tables td") == STRANGE
    page.press("F1")
    until(lambda: page.run("return document.querySelector('#help').open"))
    page.press("ESCAPE")
    until(lambda: not page.run("return document.querySelector('#help').open"))


def test_sentences_are_ordered_by_what_annotation_could_change(browser: Any, tmp_path: Path) -> None:
    texts = {
        "source": "a\nb c\nd\n",
        "ref": "one\ntwo words here\nsix\n",
        "x": "one\nno\nx\n",
        "y": "1\ny y\nsix\n",
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text(lines, encoding="utf-8")
    systems = [f"--system={name}={tmp_path / name}" for name in ("x", "y")]
    imported = ["--import", str(tmp_path / "source"), "--ref", str(tmp_path / "ref"), *systems]
    with served(tmp_path / "project", *imported) as address:
        page = Page(browser, address).open()
        assert until(lambda: page.texts(".tables td"))[:4] == ["x", "4", "y", "4"]
        page.one("#order").send_keys("where")
        weights = [one["id"] for one in asked(address, "order")["sentences"]]
        ids = "return [...document.querySelectorAll('[data-sentence]')].map(one => Number(one.dataset.sentence))"
        becomes(lambda: page.run(ids), weights)
        assert weights != sorted(weights)
        # The next sentence is the next in this order.
        page.one(f"[data-sentence='{weights[0]}']").click()
        page.focused("words")
        page.press("ALT+PAGE_DOWN")
        becomes(lambda: page.run("return location.hash"), f"#{weights[1]}")
        assert page.messages() == []
        browser.get("about:blank")  # before the server ends


def test_a_narrow_window_shows_all_without_scrolling_sideways(page: Page) -> None:
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        for where in ("", NUMBER["phone"]):
            page.open(where)
            if where:
                page.press("SHIFT+ARROW_RIGHT", "SHIFT+ARROW_RIGHT")
                page.type("the meeting of [COUNCIL]; a meeting")
                until(lambda: page.texts(".row .card"))
            assert page.run("return document.documentElement.scrollWidth") <= 390
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def write(page: Page, number: int, changes: list[dict[str, Any]]) -> None:
    """Make changes as another window does."""
    for change in changes:
        revision = asked(page.address, f"sentences/{number}")["revision"]
        asked(page.address, f"sentences/{number}/changes", {"revision": revision, "change": change})


def test_a_narrow_window_shows_what_made_a_wrong_path(page: Page) -> None:
    number = NUMBER["narrow"]
    write(page, number, WIDE)
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page.open(number)
        page.one("#paths button").click()
        until(lambda: page.run("return document.activeElement.dataset.row") == "0")
        page.press("w")
        until(lambda: page.texts("#paths .made"))
        assert page.run("return document.documentElement.scrollWidth") <= 390
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_drawing_of_the_example_is_shown_whole(page: Page) -> None:
    number = NUMBER["wide"]
    write(page, number, WIDE)
    size = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        page.open(number)
        until(lambda: page.texts("svg text"))
        shown, whole = page.run(
            "const { clientWidth, scrollWidth } = document.querySelector('.wide'); return [clientWidth, scrollWidth]"
        )
        assert shown == whole
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_many_proposals_are_folded(page: Page) -> None:
    number = NUMBER["many"]
    change = {"op": "text", "card": "root", "text": "a b c d e f g h i j k l"}
    asked(page.address, f"sentences/{number}/changes", {"revision": 0, "change": change})
    page.open(number)
    becomes(lambda: len(page.texts("#proposals li")), 5)
    assert page.text("#proposals > button") == "1 more"
    page.one("#proposals > button").click()
    becomes(lambda: len(page.texts("#proposals li")), 6)
    becomes(lambda: page.run("return document.activeElement.dataset.row"), "5")


def test_a_target_language_without_spaces_is_written_and_compared_without(
    browser: Any, tmp_path: Path
) -> None:
    for name, text in (("source", "the Italian premier"), ("ref", "意大利总理"), ("out", "意大利首相")):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    given = ["--import", str(tmp_path / "source"), "--ref", str(tmp_path / "ref")]
    with served(tmp_path / "p", *given, "--system", f"A={tmp_path / 'out'}") as address:
        page = Page(browser, address).open(1)
        page.press("END")
        # As an input method writes: a key that is its own, what may come of it, and what was chosen.
        send = browser.execute_cdp_cmd
        key = {"type": "rawKeyDown", "windowsVirtualKeyCode": 229, "key": "Process", "code": "KeyZ"}
        send("Input.dispatchKeyEvent", key)
        page.focused("text")
        for text in ("z", "zong", "zong li"):
            ends = {"selectionStart": len(text), "selectionEnd": len(text)}
            send("Input.imeSetComposition", {"text": text, **ends})
        send("Input.insertText", {"text": "总理"})
        page.saved(1, {"S": "", "总理": "总理"})
        page.press("F4")
        page.type("意大利[总理]")
        page.saved(1, {"S": "意大利[总理]", "总理": "总理"})
        becomes(lambda: page.texts(".samples li"), ["意大利总理"])
        becomes(lambda: page.texts(".distances b"), ["0 edits", "2 edits"])
        assert page.texts(".distances p") == ["意大利总理", "意大利总 首理 相"]
        becomes(lambda: page.texts("#proposals .what b"), ["首相"])
        browser.get("about:blank")  # before the server ends


def test_of_a_long_phrase_without_a_place_the_difference_is_shown(page: Page) -> None:
    number = NUMBER["long"]
    change = {"op": "text", "card": "root", "text": "a b c (d e f g h i j k l|y) m"}
    asked(page.address, f"sentences/{number}/changes", {"revision": 0, "change": change})
    page.open(number)
    becomes(lambda: page.texts("#proposals .what")[:1], ["add a phrase of 13 words to S\n… f g h X i j …"])
    page.one("#proposals li").click()
    page.press("e")
    page.focused("proposed")
    assert page.run("return document.getElementById('proposed').value") == REFERENCE["long"]


def test_what_cannot_be_undone_is_said_alone(page: Page) -> None:
    number = NUMBER["steps"]
    page.open(number)
    page.type("a")
    page.saved(number, {"S": "", "A": "a"})
    page.press("CONTROL+z")
    becomes(lambda: page.texts(".told"), ["Undone: new card A"])
    page.press("CONTROL+z")
    becomes(lambda: page.texts("[aria-label=Card] > .problem"), ["There is nothing to undo"])
    assert page.texts(".told") == []
    page.messages()  # a refusal is a 422, which browsers write to the console


def test_what_stands_right_at_a_call_is_joined_to_it(browser: Any, tmp_path: Path) -> None:
    for name, text in (
        ("source", "el premier a b"),
        ("ref", "The premier's ex-premier, of Rome."),
        ("out", "The PM's ex-premier, of Rome."),
    ):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    given = ["--import", str(tmp_path / "source"), "--ref", str(tmp_path / "ref")]
    given += ["--system", f"A={tmp_path / 'out'}", "--tokenize", "13a"]
    with served(tmp_path / "p", *given) as address:
        page = Page(browser, address).open(1)
        page.press("F4")
        page.type("The [PM]'s ex-[PM], of Rome.")
        becomes(lambda: page.texts("#box-problems .link"), ["PM"])
        page.one("#box-problems .link").click()
        page.type("premier")
        becomes(lambda: page.texts(".distances b"), ["0 edits", "1 edit"])
        becomes(lambda: page.texts("#proposals .what b"), ["PM"])
        page.press("F4")
        becomes(lambda: page.texts(".samples li"), ["The premier's ex-premier , of Rome ."])
        calls = "return [...document.querySelectorAll('svg tspan.call')].map(each => each.textContent)"
        becomes(lambda: page.run(calls), ["[PM]'s", "ex-[PM],"])
        told = "S: 1 string. Whole sentence: 1 string. Edits: ref 0, A 1."
        until(lambda: told in [text.strip() for text in page.texts("[role=status]")])
        # What the list puts in stays joined to signs, and stands apart from words.
        page.press("CONTROL+a")
        page.type("The 's ex-, of.")
        for place in (4, 14, 22):
            page.run("document.activeElement.setSelectionRange(arguments[0], arguments[0])", place)
            page.type("[pm")
            becomes(lambda: page.texts("#cards-found .name")[:1], ["PM"])
            page.press("ENTER")
        page.saved(1, {"S": "The [PM]'s ex-[PM], of [PM].", "PM": "premier"})
        page.one("#paths button").click()
        becomes(lambda: page.texts("#paths li .what"), ["The premier's ex-premier , of premier ."])
        page.press("w")
        wanted = "made by S: The [PM]'s ex-[PM], of [PM]. [PM]'s: premier's ex-[PM],: ex-premier , [PM].: premier ."
        becomes(lambda: " ".join(page.text("#paths .made").split()), wanted)


def test_raw_text_is_typed_and_compared_as_tokens(browser: Any, tmp_path: Path) -> None:
    for name, text in (
        ("source", "el premier, en Roma"),
        ("ref", "In Rome, the Premier."),
        ("out", "In Rome the PM."),
    ):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    given = ["--import", str(tmp_path / "source"), "--ref", str(tmp_path / "ref")]
    given += ["--system", f"A={tmp_path / 'out'}", "--tokenize", "13a", "--lowercase"]
    with served(tmp_path / "p", *given) as address:
        page = Page(browser, address).open(1)
        assert page.texts(".texts p") == ["in rome , the premier .", "in rome the pm ."]
        page.press("F4")
        page.type("In Rome, the Premier.; the Premier, in Rome")
        page.saved(1, {"S": "In Rome, the Premier.; the Premier, in Rome"})
        becomes(lambda: page.texts(".distances b"), ["0 edits", "2 edits"])
        assert page.text("#cut") == "Words are cut by 13a, and in lower case."
        becomes(
            lambda: sorted(page.texts(".samples li")), ["in rome , the premier .", "the premier , in rome"]
        )
        # A path that is wrong leads to what was typed for it.
        page.one("#paths button").click()
        becomes(lambda: page.texts("#paths li .what")[:1], ["in rome , the premier ."])
        page.press("w", "ENTER")
        page.focused("text")
        chosen = "const t = document.getElementById('text'); return t.value.slice(t.selectionStart, t.selectionEnd)"
        becomes(lambda: page.run(chosen), "In Rome, the Premier.")
        browser.get("about:blank")  # before the server ends


def test_the_accessibility_tree_has_roles_and_names(page: Page) -> None:
    page.open(NUMBER["phone"])
    page.press("END")
    page.type("Madrid")
    becomes(lambda: page.text(".right h2"), "MADRID")
    becomes(lambda: page.texts(".samples li"), ["Madrid"])
    nodes = page.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = {
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    }
    assert {
        ("main", "Sentence"), ("listbox", "Source words"), ("option", "Madrid"), ("region", "Card"),
        ("textbox", "Equivalents of Madrid, parted by semicolons"), ("textbox", "Name of the card"),
        ("button", "Undo"), ("button", "Redo"), ("checkbox", "Done"), ("link", "Next sentence"),
        ("searchbox", "Find a card"), ("region", "What the card holds"), ("list", "Sample sentences"),
        ("button", "Card MADRID, 1 string: Madrid"),
    } <= named  # fmt: skip
    listbox = next(node for node in nodes if node["role"]["value"] == "listbox")
    words = [node["name"]["value"] for node in nodes if node["role"]["value"] == "option"]
    assert words == SENTENCES["phone"].split()
    assert len(listbox["childIds"]) == len(words)
    unnamed = [
        role
        for role, name in named
        if role in ("button", "textbox", "checkbox", "link", "listbox") and not name
    ]
    assert not unnamed
    becomes(lambda: page.text("#spoken")[:6], "MADRID")


def test_right_to_left_and_signs_without_spaces(page: Page) -> None:
    page.open(NUMBER["arabic"])
    page.press("ARROW_LEFT", "SHIFT+ARROW_LEFT")
    page.type("prime minister")
    page.saved(NUMBER["arabic"], {"S": "", "PRIME-MINISTER": "prime minister"})
    left, right = (page.one(f"#w{n}").rect["x"] for n in (2, 0))
    assert left < right
    page.open(NUMBER["chinese"])
    page.select(3, 4)
    page.focused("text")
    page.type("premier")
    page.saved(NUMBER["chinese"], {"S": "", "PREMIER": "premier"})
    (card,) = [
        card
        for card in asked(page.address, f"sentences/{NUMBER['chinese']}")["cards"]
        if card["id"] != "root"
    ]
    assert card["span"] == [3, 5]
    assert page.text(".box-head .span") == "总理"


def test_texts_are_shown_as_they_are_and_run_nothing(page: Page) -> None:
    number = NUMBER["hostile"]
    page.open(number)
    page.type(f"{HERE}; <b>x</b>")
    page.press("F4")
    page.type("<i>y</i>")
    becomes(lambda: page.texts(".samples li"), ["<i>y</i>"])
    assert page.text("#w0") == SENTENCES["hostile"].split()[0]
    assert (
        page.run("return document.querySelectorAll('#app b > b, #app img, #app script, #app i').length") == 0
    )
    page.open()
    assert SENTENCES["hostile"] in page.texts(".sentences .words")


def test_an_annotator_sees_what_the_protocol_shows(page: Page) -> None:
    number = NUMBER["shared"]
    change = {"op": "create", "span": [1, 3], "text": CARDS["PRIME-MINISTER"]}
    asked(page.address, f"sentences/{number}/changes", {"revision": 0, "change": change})
    page.open(number)
    assert page.texts(".row .name") == ["PRIME-MINISTER"]
    page.open(number, "?as=cleo")
    assert page.text("header .who") == "cleo"
    assert not page.texts(".texts li, .distances li, .row .card")
    page.open(number, "?as=ben")
    assert not page.texts(".row .card")
    page.type("head")
    page.press("ENTER")
    # Others' cards are found, and copied with what they call.
    page.one("#find").click()
    page.type("no such card")
    becomes(lambda: page.texts("#finder .hint"), ["None has this in its name or text."])
    page.press("CONTROL+a")
    page.type("head of")
    becomes(lambda: page.texts("#finder .name")[:1], ["PRIME-MINISTER"])
    copied = "#finder .card[aria-label^='Copy card PRIME-MINISTER']"
    page.one(copied).click()
    becomes(lambda: page.one("#text").get_attribute("value"), CARDS["PRIME-MINISTER"])
    assert "anna" in page.text(".box .note")
    # Dragged, they are copied as well; what is there already is not copied again.
    page.one("button.card.whole").click()
    page.focused("text")
    area = page.one("#text").rect
    page.drag(copied, area["x"] + 20, area["y"] + 15)
    becomes(lambda: page.one("#text").get_attribute("value"), "[PRIME-MINISTER]")
    assert [card["origin"] for card in asked(page.address, f"sentences/{number}?as=ben")["cards"]][1:] == [
        None, ["anna", str(number - 1), "PRIME-MINISTER"],
    ]  # fmt: skip
    page.open(number, "?as=cleo")
    page.press("F4")
    page.type("yes")
    becomes(lambda: page.text("#paths .hint").strip(), "some drawn from all")


def test_another_page_cannot_write(page: Page, browser: Any, tmp_path: Path) -> None:
    """A page of another origin: what it sends changes nothing, and it reads nothing."""
    import http.server
    import threading

    (tmp_path / "index.html").write_text("<!doctype html><title>elsewhere</title>", encoding="utf-8")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given, directory=str(tmp_path))

        def log_message(self, format: str, *args: Any) -> None:
            pass

    route = f"sentences/{NUMBER['undo']}"
    before = asked(page.address, route)
    body = json.dumps(
        {"revision": before["revision"], "change": {"op": "create", "span": [0, 1], "text": "stolen"}}
    )
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        browser.get(f"http://127.0.0.1:{elsewhere.server_port}/index.html")
        browser.set_script_timeout(20)
        outcomes = browser.execute_async_script(
            """const [address, route, body, done] = arguments;
            const tries = ["cors", "no-cors"].flatMap((mode) => ["application/json", "text/plain"].map((type) =>
              fetch(`${address}api/${route}/changes`, { method: "POST", mode, body, headers: { "Content-Type": type } })
                .then((answer) => answer.text()).catch(() => "refused")));
            tries.push(fetch(`${address}api/${route}`).then((answer) => answer.text()).catch(() => "refused"));
            const frame = document.createElement("iframe");
            frame.name = "frame";
            document.body.append(frame);
            const form = document.createElement("form");
            Object.assign(form, { method: "post", enctype: "text/plain", target: "frame" });
            form.action = `${address}api/${route}/changes`;
            const input = document.createElement("input");
            [input.name, input.value] = [body.slice(0, -1) + ',"x":"', '"}'];
            form.append(input);
            document.body.append(form);
            tries.push(new Promise((go) => { frame.onload = () => go(""); }));
            form.submit();
            Promise.all(tries).then(done);""",
            page.address, route, body,
        )  # fmt: skip
        elsewhere.shutdown()
    assert set(outcomes) <= {"", "refused"}
    assert asked(page.address, route) == before
    browser.get_log("browser")  # refusals


def test_the_vendored_programs_are_those_that_are_named() -> None:
    from hashlib import sha256

    import fstmetrics

    vendor = Path(fstmetrics.__file__).parent / "apps" / "annotate" / "pages" / "vendor"
    rows = re.findall(r"^\| `(\S+)` .*`([0-9a-f]{64})` \|$", (vendor / "README.md").read_text(), re.M)
    assert {name: sha256((vendor / name).read_bytes()).hexdigest() for name, _ in rows} == dict(rows)
    assert {path.name for path in vendor.glob("*.js")} == {name for name, _ in rows}
