"""The annotation tool as people use it: a server of a project, and a browser that has its page open."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

# Seconds within which what somebody waits for is there, on a machine that does much else.
PATIENCE = 20.0


@contextmanager
def served(project: Path, *options: str) -> Iterator[str]:
    """The address of a running tool, which is interrupted in the end."""
    command = [sys.executable, "-m", "fstmetrics", "annotate", str(project), "--port", "0", "--no-browser"]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line.startswith("http"), line
            yield line.split()[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)


def until(what: Callable[[], Any]) -> Any:
    """What a function gives, as soon as that is something; an error that it raises last is raised."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if found := what():
                return found
            error: Exception | None = None
        except Exception as raised:  # as of an element that is being replaced
            error = raised
        if time.monotonic() > end:
            raise error or AssertionError("it has not come")
        time.sleep(0.02)


def becomes(what: Callable[[], Any], wanted: Any) -> None:
    """Wait until a function gives what is wanted."""
    last: list[Any] = []

    def same() -> bool:
        last[:] = [what()]
        return bool(last[0] == wanted)

    with suppress(AssertionError):
        until(same)
    assert last == [wanted], f"{last!r} is not {[wanted]!r}"


def asked(address: str, route: str, body: Any = None) -> Any:
    """What the server answers to a route of its interface, beside the page."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}api/{route}", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


class Page:
    """A window with the tool, and what somebody does there."""

    def __init__(self, browser: Any, address: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        self.browser, self.address, self.keys = browser, address, Keys
        self._chains = ActionChains

    def open(self, sentence: int | str = "", query: str = "") -> Page:
        """Open a sentence, in a page that is loaded anew."""
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}{query}#{sentence}")
        until(lambda: self.run("return document.body.dataset.state === 'ready'"))
        return self

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script in the page returns."""
        return self.browser.execute_script(script, *arguments)

    def one(self, selector: str) -> Any:
        """The first element of a CSS selector, once it is there."""
        return until(lambda: self.browser.find_element("css selector", selector))

    def text(self, selector: str) -> str:
        """What an element shows."""
        return str(self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector))

    def texts(self, selector: str) -> list[str]:
        """What elements show."""
        script = "return [...document.querySelectorAll(arguments[0])].map(each => each.innerText)"
        return list(self.run(script, selector))

    def press(self, *keys: str) -> None:
        """Press keys, whatever has the focus; `+` parts those that are held from the last, as `SHIFT+ARROW_RIGHT`."""
        for each in keys:
            *held, last = each.split("+") if len(each) > 1 else [each]
            chain = self._chains(self.browser, duration=0)
            for key in held:
                chain.key_down(getattr(self.keys, key))
            chain.send_keys(getattr(self.keys, last, last))
            for key in held:
                chain.key_up(getattr(self.keys, key))
            chain.perform()

    def type(self, text: str) -> None:
        """Type text, whatever has the focus."""
        self._chains(self.browser, duration=0).send_keys(text).perform()

    def select(self, first: int, last: int) -> None:
        """Select source words with the mouse, both included."""
        chain = self._chains(self.browser, duration=20)
        chain.click_and_hold(self.one(f"#w{first}")).move_to_element(
            self.one(f"#w{last}")
        ).release().perform()

    def drag(self, selector: str, x: float, y: float) -> None:
        """Drag an element to a place of the window."""
        chain = self._chains(self.browser, duration=20)
        chain.click_and_hold(self.one(selector)).move_by_offset(12, 12)
        chain.w3c_actions.pointer_action.move_to_location(int(x), int(y))
        chain.release().perform()

    def focused(self, id: str) -> None:
        """Wait until an element has the focus."""
        becomes(lambda: self.run("return document.activeElement?.id"), id)

    def cards(self, sentence: int) -> dict[str, str]:
        """What the server has of a sentence: the text of each card by its name."""
        return {card["name"]: card["text"] for card in asked(self.address, f"sentences/{sentence}")["cards"]}

    def saved(self, sentence: int, cards: dict[str, str]) -> None:
        """Wait until the server has some cards."""
        becomes(lambda: self.cards(sentence), cards)

    def messages(self) -> list[str]:
        """What the page wrote to the console since it was asked last."""
        return [entry["message"] for entry in self.browser.get_log("browser")]
