"""The picture of the README: `python docs/pictures/overview.py` writes overview.png. Needs Chromium and selenium.

A terminal with what a command prints, and the page that `report` writes, both made by the program from its examples.
In the tree it has 256 colours, a third of the bytes: Pillow's `quantize(256)` makes them.
"""

from __future__ import annotations

import subprocess
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from selenium import webdriver

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EXAMPLES = ROOT / "fstmetrics" / "examples"
OUTPUTS = ("translations/ref.txt", "translations/first.txt", "translations/second.txt")
ORACLE = ("oracle", "oracle/ref.txt", "oracle/lattices")
HYTER = ("hyter", "hyter/networks", "hyter/hyp.txt", "--window", "3")
COMPARE = ("compare", "--ref", *OUTPUTS, "--metric", "bleu,wer")
REPORT = ("report", "--ref", *OUTPUTS, "--source", "translations/src.txt", "--metric", "bleu,wer", "-o")
# Lines of the outputs that are shown, and the item that is open on the page.
LINES, ITEM = (8, 2, 7), "6"
OPEN = f"""
const row = [...document.querySelectorAll("tr")].find(row => row.cells[0].textContent === "{ITEM}");
row.querySelector("a, button").click();
[...document.querySelectorAll("h2")].find(head => head.textContent === "Items").scrollIntoView();
"""
STYLE = """
body { margin: 0; background: #eef1f5; font-family: sans-serif; display: flex; gap: 24px; padding: 24px; }
body { box-sizing: border-box; height: 640px }
.window { border-radius: 10px; overflow: hidden; box-shadow: 0 6px 24px #0004; display: flex; flex-direction: column }
.bar { background: #d5dae1; color: #444; padding: 8px 14px; font-size: 15px }
pre { margin: 0; padding: 14px; background: #1b2028; color: #d7dde5; font: 13px/1.42 "DejaVu Sans Mono", monospace }
pre { flex: 1 }
b { color: #7fd48a; font-weight: normal }
"""


def printed(*arguments: str) -> str:
    """What a command prints, in the folder of the examples."""
    run = [sys.executable, "-m", "fstmetrics", *arguments]
    return subprocess.run(run, cwd=EXAMPLES, check=True, capture_output=True, text=True).stdout


def typed(command: tuple[str, ...]) -> str:
    """A command as it is typed, long ones in two lines."""
    line = f"$ fstmetrics {' '.join(command)}"
    cut = line.rfind(" ", 0, 80) if len(line) > 90 else len(line)
    rest = f" \\\n   {line[cut:]}" if line[cut:] else ""
    return f"<b>{escape(line[:cut] + rest)}</b>"


def session(command: tuple[str, ...], lines: int) -> str:
    """A command and the first lines that it prints."""
    return f"{typed(command)}\n" + escape("\n".join(printed(*command).splitlines()[:lines]))


def photograph(page: Path, picture: Path, width: int, height: int, script: str = "") -> None:
    """A page as a browser shows it, after a script."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options)
    try:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get(page.as_uri())
        browser.execute_script(script)
        browser.save_screenshot(str(picture))
    finally:
        browser.quit()


def main() -> None:
    """Write the picture."""
    with TemporaryDirectory() as folder:
        page, picture, both = (Path(folder) / name for name in ("page.html", "page.png", "both.html"))
        printed(*REPORT, str(page))
        photograph(page, picture, 1120, 770, OPEN)
        shown = [*map(session, (ORACLE, HYTER, COMPARE), LINES), typed((*REPORT, "page.html"))]
        terminal = "\n\n".join(shown)
        windows = [
            ("terminal", f"<pre>{terminal}</pre>"),
            ("page.html", f'<img src="{picture.as_uri()}" width="860">'),
        ]
        parts = [f'<div class="window"><div class="bar">{bar}</div>{inside}</div>' for bar, inside in windows]
        html = f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>{"".join(parts)}'
        both.write_text(html, encoding="utf-8")
        photograph(both, HERE / "overview.png", 1640, 640)


if __name__ == "__main__":
    main()
