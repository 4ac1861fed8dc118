"""A headless Chromium for tests of pages, and what they ask of it."""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from time_limits import LIMIT


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser; a test is skipped where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install selenium")
    driver, program = shutil.which("chromedriver"), shutil.which("chromium")
    if not driver or not program:
        pytest.skip("needs Chromium: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1300,1400",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(
        LIMIT
    )  # selenium keeps it for all that it asks; by itself it would wait for ever
    try:
        found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    except pytest.importorskip("selenium.common").WebDriverException:  # as where another took its port first
        found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    finally:
        socket.setdefaulttimeout(before)
    try:
        yield found
    finally:
        found.quit()


def cells(browser: Any, table: str, column: int) -> list[str]:
    """The texts of a column, of the rows that are drawn."""
    return browser.execute_script(
        "const rows = document.querySelectorAll(`#${arguments[0]} tbody:not(.space) tr`);"
        "return [...rows].map(row => row.cells[arguments[1]].textContent)",
        table, column,
    )  # fmt: skip


def opened(browser: Any, page: Path) -> None:
    """Open a page and wait until it is drawn."""
    browser.get_log("browser")
    browser.get(page.as_uri())
    for _ in range(1000):
        if state := browser.execute_script("return document.body.dataset.state"):
            break
        time.sleep(0.01)
    assert state == "ready"


def choose(browser: Any, control: str, value: str) -> None:
    """Give a control of the page a value, as somebody who types or selects it."""
    browser.execute_script(
        "const c = document.querySelector(arguments[0]); c.value = arguments[1];"
        "c.dispatchEvent(new Event('input'))",
        control, value,
    )  # fmt: skip


def text(browser: Any, element: str) -> str:
    """The text of an element that is shown."""
    return str(browser.find_element("css selector", element).text)


def quiet(browser: Any) -> bool:
    """Whether the page wrote nothing to the console."""
    return browser.get_log("browser") == []
