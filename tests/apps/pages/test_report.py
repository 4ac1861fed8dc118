"""The report page: what is in it, and that it works in a browser (headless Chromium, where it is installed)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsers import cells, choose, opened, quiet
from command import EXAMPLES, HYTER, ORACLE, fstmetrics, written
from page_data import unpacked

from fstmetrics.apps.pages.packed import packed_pieces

# Names of elements, quotes, what ends a script block, marks that turn the direction of text, and no width at all.
HOSTILE = [
    "<script>document.title='owned'</script>",
    "</script><img/src=x/onerror=document.title='owned'>",
    "\"'&amp;`${1}",
    "<!--",
    "‮evil",
    "a​b",
]


def record(id: str, pairs: list[tuple[str, str | None, str | None]], metric: str = "wer") -> dict[str, Any]:
    """A record as scoring writes it."""
    ops = "".join(op for op, _, _ in pairs)
    words = sum(r is not None for _, _, r in pairs)
    edits = len(ops) - ops.count("=") - ops.count("*")
    counts = {"matches": "=", "substitutions": "S", "insertions": "I", "deletions": "D"}
    hypothesis, closest = ([pair[i] for pair in pairs if pair[i] is not None] for i in (1, 2))
    return {
        "id": id, "metric": metric, "hypothesis": hypothesis, "closest": closest,
        "score": edits / words if words else None, "edits": edits, "moves": 0,
        **{name: ops.count(op) for name, op in counts.items()}, "path_length": words, "gain": None, "max_gain": None,
        "alignment": [list(pair) for pair in pairs],
    }  # fmt: skip


def page_of(folder: Path, records: list[dict[str, Any]], *more: str) -> Path:
    source, page = folder / "records.jsonl", folder / "page.html"
    source.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records))
    done = fstmetrics("report", str(source), "-o", str(page), *more)
    assert done.status == 0, done.err
    return page


def contents(page: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Data and columns of a page."""
    (block,) = re.findall(r'<script type="text/plain" id="data">(.*?)</script>', page.read_text(), re.S)
    return unpacked(block)


def data_of(page: Path) -> dict[str, Any]:
    """The data of a page without its columns."""
    return contents(page)[0]


def drawings_of(page: Path) -> dict[str, list[Any]]:
    """What is drawn of each item: branches, whether they leave the hypothesis, and why there are none."""
    data = data_of(page)
    return {id: data["special"][0].get(str(i), {}).get("drawing", []) for i, id in enumerate(data["ids"])}


def edits_of(page: Path) -> dict[str, int]:
    data, columns = contents(page)
    parts = (columns[f"0.{name}"].astype(int) for name in ("substitutions", "insertions", "deletions"))
    return dict(zip(data["ids"], sum(parts).tolist(), strict=True))


def test_words_are_data_and_never_markup(tmp_path: Path) -> None:
    page = page_of(tmp_path, [record(word, [("S", word, "x")]) for word in HOSTILE], "--title", HOSTILE[1])
    data = data_of(page)
    assert data["ids"] == HOSTILE
    assert set(HOSTILE) < set(data["vocabulary"])
    assert data["title"] == HOSTILE[1]
    assert page.read_text().count("<script") == 2
    assert "<img" not in page.read_text()


def test_nothing_is_fetched(tmp_path: Path) -> None:
    text = page_of(tmp_path, [record("a", [("=", "x", "x")])]).read_text()
    assert "default-src 'none'" in text
    # The one address is the name of a namespace.
    assert set(re.findall(r"https?://[^\s\"']+", text)) == {"http://www.w3.org/2000/svg"}


def test_branches_beside_the_closest_path(tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    fstmetrics("hyter", *HYTER, "--window", "3", "--alignment", "--output", str(out))
    page = tmp_path / "page.html"
    assert fstmetrics("report", str(out), "--references", HYTER[0], "-o", str(page)).status == 0
    items = {id: branches for id, (branches, *_) in drawings_of(page).items()}
    records = {r["id"]: r for r in map(json.loads, out.read_text().splitlines())}
    assert any(items.values())
    for id, branches in items.items():
        closest = records[id]["closest"]
        for start, end, text in branches:
            assert 0 <= start <= end <= len(closest)
            assert text.split() != closest[start:end]
    other = fstmetrics(
        "report", str(out), "--references", str(EXAMPLES / "oracle" / "ref.txt"), "-o", str(page)
    )
    assert (other.status, "look like ids (holmes" in other.err.replace("looks", "look")) == (2, True)


def test_lattices_are_drawn_around_the_hypothesis(tmp_path: Path) -> None:
    """An oracle's hypothesis is a path of the lattice; its reference seldom is."""
    out, page = tmp_path / "records.jsonl", tmp_path / "page.html"
    fstmetrics("oracle", *ORACLE, "--alignment", "--output", str(out))
    assert fstmetrics("report", str(out), "--references", ORACLE[1], "-o", str(page)).status == 0
    edits = edits_of(page)
    for id, (branches, of_hypothesis, why) in drawings_of(page).items():
        assert (of_hypothesis, bool(branches), why) == (edits[id] > 0, True, "")
    changed = written(tmp_path / "ref.txt", Path(ORACLE[0]).read_text().upper().replace("HOLMES", "holmes"))
    fstmetrics("oracle", changed, ORACLE[1], "--tokenize", "char", "--alignment", "--output", str(out))
    assert fstmetrics("report", str(out), "--references", ORACLE[1], "-o", str(page)).status == 0
    assert all(
        "neither the closest path nor the hypothesis" in why for _, _, why in drawings_of(page).values()
    )


def test_lattices_of_numbers_and_folders_of_several_formats_are_drawn(tmp_path: Path) -> None:
    symbols, out, page = tmp_path / "words", tmp_path / "records.jsonl", tmp_path / "page.html"
    folder = tmp_path / "lattices"
    folder.mkdir()
    options = ("--lossy", "--write-symbols", symbols)
    assert fstmetrics("convert", ORACLE[1], folder / "all.ark", *options).status == 0
    written(folder / "holmes01.nbest", "its splendour\n")
    written(folder / "all.slf", "")
    read = ("--format", "kaldi-lattice", "--symbols", symbols)
    fstmetrics("oracle", ORACLE[0], folder, *read, "--alignment", "--output", out)
    assert fstmetrics("report", out, "--references", folder, *read, "-o", page).status == 0
    assert [bool(branches) for branches, *_ in drawings_of(page).values()] == [True] * 4


def test_why_an_item_has_no_drawing(tmp_path: Path) -> None:
    source = tmp_path / "records.jsonl"
    items = [record("a", [("=", "x", "x")]), record("b", [("=", "y", "y")])]
    source.write_text("".join(json.dumps(item) + "\n" for item in items))
    references, page = written(tmp_path / "r.txt", "a x\n"), tmp_path / "page.html"
    done = fstmetrics("report", str(source), "--references", str(references), "-o", str(page))
    assert done.status == 0, done.err
    said = [why for _, _, why in drawings_of(page).values()]
    assert said == [
        "There is no other path near this one.",
        f"Not drawn: {references} has no item of this id.",
    ]
    assert list(drawings_of(page_of(tmp_path, items)).values()) == [[], []]


def test_default_name_and_empty_records(tmp_path: Path) -> None:
    source = tmp_path / "r.jsonl"
    source.write_text(json.dumps(record("a", [("=", "x", "x")])) + "\n")
    assert "r.html: 1 item\n" in fstmetrics("report", str(source)).out
    assert len(data_of(tmp_path / "r.html")["ids"]) == 1
    source.write_text("")
    assert "is empty" in fstmetrics("report", str(source)).err


def test_page_sorts_filters_and_shows_alignments(browser: Any, tmp_path: Path) -> None:
    records = [
        record("u1", [("=", "the", "the"), ("S", "hat", "cat"), ("D", None, "sat")]),
        record("u2", [("=", "a", "a"), ("I", "b", None)]),
        record("u3", [("I", "noise", None)]),
    ]
    opened(browser, page_of(tmp_path, records))
    assert cells(browser, "items", 0) == ["u3", "u2", "u1"]  # the worst first
    assert browser.find_element("css selector", "#item-title").text == "u3"
    browser.find_element("css selector", "#items th button").click()  # by id
    assert cells(browser, "items", 0) == ["u1", "u2", "u3"]
    browser.find_element("css selector", "#items tbody.items button").click()
    columns = browser.find_elements("css selector", "#boards .pair")
    assert [column.get_attribute("class") for column in columns] == ["pair match", "pair S", "pair D"]
    assert [column.text.split() for column in columns] == [
        ["the", "the"],
        ["hat", "cat", "S"],
        ["sat", "D"],
    ]
    browser.find_element("css selector", "#error-filter").send_keys("cat")
    assert cells(browser, "errors", 1) == ["cat"]
    browser.find_element("css selector", "#item-filter").send_keys("noise")
    assert cells(browser, "items", 0) == ["u3"]
    assert quiet(browser)


def test_page_by_keyboard(browser: Any, tmp_path: Path) -> None:
    keys = pytest.importorskip("selenium.webdriver").Keys
    opened(browser, page_of(tmp_path, [record(f"u{i}", [("S", "a", "b")]) for i in range(3)]))
    first = browser.find_element("css selector", "#items tbody.items button")
    first.send_keys(keys.ARROW_DOWN)
    assert browser.find_element("css selector", "#item-title").text == cells(browser, "items", 0)[1]
    assert browser.switch_to.active_element.text == cells(browser, "items", 0)[1]


def test_hostile_words_do_nothing(browser: Any, tmp_path: Path) -> None:
    opened(
        browser,
        page_of(tmp_path, [record(w, [("S", w, "x"), ("=", w, w)]) for w in HOSTILE], "--title", HOSTILE[0]),
    )
    assert browser.title == HOSTILE[0]
    shown = cells(browser, "items", 0)
    assert {w for w in HOSTILE if "‮" not in w and "​" not in w} < set(shown)
    assert "U+202Eevil" in shown
    assert "aU+200Bb" in shown
    assert quiet(browser)


def test_right_to_left_and_wide_scripts(browser: Any, tmp_path: Path) -> None:
    records = [
        record("he", [("=", "שלום", "שלום"), ("S", "עולם", "לך")]),
        record("zh", [("=", "你", "你"), ("I", "好", None)]),
    ]
    opened(browser, page_of(tmp_path, records))
    for id, direction in (("he", "rtl"), ("zh", "ltr")):
        row = cells(browser, "items", 0).index(id)
        browser.find_elements("css selector", "#items tbody.items button")[row].click()
        assert browser.find_element("css selector", "#boards .alignment").get_attribute("dir") == direction
    assert quiet(browser)


def test_many_items_are_drawn_as_they_come_into_view(browser: Any, tmp_path: Path) -> None:
    sentence = [("=", f"w{i}", f"w{i}") for i in range(20)]
    records = [record(f"u{i}", [*sentence, ("S", f"a{i}", f"b{i}")] * (1 + i % 3)) for i in range(5000)]
    opened(browser, page_of(tmp_path, records))
    first = cells(browser, "items", 0)
    assert 10 < len(first) < 100
    rows = "document.querySelector('#items')"
    high, last = browser.execute_script(
        f"const box = {rows}.parentElement; box.scrollTop = box.scrollHeight; return new Promise(done => "
        f"requestAnimationFrame(() => done([box.scrollHeight, {rows}.getAttribute('aria-rowcount')])))"
    )
    assert (high > 5000 * 32, last) == (True, "5001")
    assert cells(browser, "items", 0)[-1] not in first
    choose(browser, "#item-filter", "a4999")
    assert cells(browser, "items", 0) == ["u4999"]
    choose(browser, "#item-filter", "w19 b77 w0")  # words in a row of the reference
    assert cells(browser, "items", 0) == ["u77"]
    assert quiet(browser)


def test_drawing_of_the_network(browser: Any, tmp_path: Path) -> None:
    out, page = tmp_path / "records.jsonl", tmp_path / "page.html"
    fstmetrics("hyter", *HYTER, "--alignment", "--output", str(out))
    fstmetrics("report", str(out), "--references", HYTER[0], "-o", str(page))
    opened(browser, page)
    drawings = drawings_of(page)
    row, id = next((i, id) for i, id in enumerate(cells(browser, "items", 0)) if drawings[id][0])
    browser.find_elements("css selector", "#items tbody.items button")[row].click()
    drawn = [e.text for e in browser.find_elements("css selector", ".drawing text.branch")]
    assert sorted(drawn) == sorted(text or "ε" for _, _, text in drawings[id][0])
    assert (
        browser.find_element("css selector", ".drawing p").text
        == "The closest path, and what lies beside it:"
    )
    assert quiet(browser)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_screens(browser: Any, tmp_path: Path, scheme: str) -> None:
    """On 400 pixels the page does not scroll sideways, numbers keep their line, and the histogram's can be read."""
    page = page_of(tmp_path, [record("a", [("S", "splendor", "splendour"), ("D", None, "homely")])])
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": True},
    )
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        opened(browser, page)
        wide, row, letters, back = browser.execute_script(
            "return [document.documentElement.scrollWidth,"
            "document.querySelector('#errors tbody.items tr').offsetHeight,"
            "document.querySelector('#histogram text').getBoundingClientRect().height,"
            "getComputedStyle(document.body).backgroundColor]"
        )
        assert (wide, row < 40, letters > 9) == (400, True, True)
        assert back == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}[scheme]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_moves_wildcards_and_cards(browser: Any, tmp_path: Path) -> None:
    moved = record("u1", [("=", "c", "c"), ("=", "a", "a"), ("=", "b", "b")], "hyter")
    rule = {
        "grammar": "g",
        "rule": "colour = color",
        "line": 1,
        "before": ["a"],
        "after": ["b"],
        "position": 0,
    }
    moved |= {
        "rules": [rule | {"cost": 0.0}] * 2,
        "moves": 1,
        "score": 1 / 3,
        "order": [1, 2, 0],
        "cards": [["S", "c [AB]", 0, 3], ["AB", "a b", 1, 3], ["E", "", 3, 3]],
    }
    free = record("u2", [("=", "a", "a"), ("*", "x", None), ("D", None, "b")], "hyter")
    opened(browser, page_of(tmp_path, [moved, free]))
    assert cells(browser, "items", 0) == ["u2", "u1"]
    columns = browser.find_elements("css selector", "#boards .pair")
    assert [column.get_attribute("class") for column in columns] == ["pair match", "pair free", "pair D"]
    assert columns[1].text.split() == ["x", "<*>"]
    assert not browser.find_elements("css selector", ".item-cards")
    browser.find_elements("css selector", "#items tbody.items button")[1].click()
    columns = browser.find_elements("css selector", "#boards .pair")
    assert [column.get_attribute("class") for column in columns] == [
        "pair match moved",
        "pair match moved",
        "pair match",
    ]
    assert [column.text.split() for column in columns] == [["c", "c", "<"], ["a", "a"], ["b", "b"]]
    assert browser.find_element("css selector", "#boards .given").text.split() == ["HYP", "b", "c", "a"]
    assert browser.find_element("css selector", "#boards .rows").text.split() == ["ORD", "REF"]
    legend = browser.find_element("css selector", "#legend")
    assert (
        legend.text
        == "S substitution I insertion D deletion ORD the hypothesis as reordered < reordering move <*> wildcard"
    )
    cards = [cell.text for cell in browser.find_elements("css selector", ".item-cards td")]
    assert cards == ["S", "c [AB]", "1–3", "AB", "a b", "2–3", "E", "(nothing)", "–"]
    assert cells(browser, "cards", 0) == ["S", "AB", "E"]
    assert (cells(browser, "rules", 0), cells(browser, "rules", 1)) == (["colour = color"], ["2"])
    assert (cells(browser, "moved", 0), cells(browser, "moved", 1)) == (["c a"], ["b"])
    assert quiet(browser)


def test_oracles_are_called_that_beside_the_one_best(browser: Any, tmp_path: Path) -> None:
    best = record("weather001_002", [("=", "a", "a")]) | {
        "arcs": 9,
        "density": 9.0,
        "one_best": record("", [("S", "b", "a")]),
    }
    unfit = record("weather001_003", [("D", None, "a")]) | {"arcs": 9, "density": 9.0, "one_best": None}
    numbers = written(tmp_path / "l.ark", "weather001_003\n0 1 5 0,0,\n1\n\n")
    opened(
        browser, page_of(tmp_path, [best, unfit], "--references", str(numbers), "--format", "kaldi-lattice")
    )
    assert browser.find_element("css selector", "h1").text == "records.jsonl – oracle"
    summary = browser.find_element("css selector", "#summary").text.split()
    assert (summary[:2], "1-best" in summary) == (["oracle", "0.5000"], False)  # one item has none
    assert (cells(browser, "items", 0), cells(browser, "items", 2)) == (
        [unfit["id"], best["id"]],
        ["–", "1.0000"],
    )
    assert browser.find_element("css selector", "#legend").text == "S substitution I insertion D deletion"
    # Neither ids nor options are broken where there is room.
    lines = browser.execute_script(
        "const all = document.querySelectorAll('#items tbody.items bdi, .option');"
        "return [...all].map(some => some.getClientRects().length)"
    )
    assert lines == [1] * 7
    said = browser.find_element("css selector", ".drawing").text
    assert "--symbols FILE, as for oracle, says which words they are" in said
    opened(browser, page_of(tmp_path, [best]))
    assert browser.find_element("css selector", "#summary").text.split()[:4] == [
        "oracle",
        "0.0000",
        "1-best",
        "1.0000",
    ]
    assert browser.find_element("css selector", "#item-number").text == "1 of 1 item"
    assert quiet(browser)


def test_the_one_best_is_beside_the_oracle(browser: Any, tmp_path: Path) -> None:
    """With what it has of its own struck out, and the oracle's words behind; hostile words are text."""
    own = record("", [("=", "a", "a"), ("S", "<b>", "c"), ("I", "d", None), ("=", "e", "e")])
    parts = [{"at": 1, "oracle": ["c"], "one_best": ["<b>", "d"]}]
    best = record("u1", [("=", "a", "a"), ("=", "c", "c"), ("=", "e", "e")]) | {
        "arcs": 9,
        "density": 3.0,
        "one_best": own | {"parts": parts},
    }
    same = record("u2", [("=", "a", "a")]) | {
        "arcs": 1,
        "density": 1.0,
        "one_best": record("", [("=", "a", "a")]) | {"parts": []},
    }
    opened(browser, page_of(tmp_path, [best]))
    line = browser.find_element("css selector", ".one-best")
    assert line.text == "1-best, struck out where the oracle has other words: a <b> d c e"
    assert [each.text for each in line.find_elements("css selector", "del, ins")] == ["<b> d", "c"]
    opened(browser, page_of(tmp_path, [same]))
    assert browser.find_element("css selector", ".one-best").text == "1-best, the same words: a"
    assert quiet(browser)


def test_all_best_paths_are_shown(browser: Any, tmp_path: Path) -> None:
    paths = [record("u1", [("S", f"w{i}", "a")]) for i in range(14)]
    opened(browser, page_of(tmp_path, [paths[0] | {"nbest": paths}, record("u2", [("=", "a", "a")])]))
    counts = browser.find_element("css selector", ".item-counts").text
    assert counts == "best of 14 paths: wer 1.0000, 1 edit, 1 reference word"
    boards = browser.find_elements("css selector", ".alignment .pair")
    assert [board.text.split()[0] for board in boards] == [f"w{i}" for i in range(10)]
    browser.find_element("css selector", ".paths button").click()
    boards = browser.find_elements("css selector", ".alignment .pair")
    assert [board.text.split()[0] for board in boards] == [f"w{i}" for i in range(14)]
    heads = [head.text for head in browser.find_elements("css selector", ".paths h4")]
    assert heads[-1] == "14. wer 1.0000, 1 edit, 1 reference word"
    browser.find_elements("css selector", "#items tbody.items button")[1].click()
    assert not browser.find_elements("css selector", ".paths *")
    assert quiet(browser)


def test_one_outlier_does_not_crush_the_histogram(browser: Any, tmp_path: Path) -> None:
    """Twenty items between 0 and 0.5, one at 30, and one with nothing to divide by."""
    records = [
        record(f"u{i}", [("S", "x", "y")] * (i % 6) + [("=", "z", "z")] * (10 - i % 6)) for i in range(20)
    ]
    records += [
        record("far", [("I", "x", None)] * 29 + [("S", "x", "y")]),
        record("none", [("I", "x", None)]),
    ]
    opened(browser, page_of(tmp_path, records))
    bars = browser.execute_script(
        "return [...document.querySelectorAll('#histogram rect')].map("
        "bar => [bar.getAttribute('class'), bar.textContent, bar.getBBox().height])"
    )
    assert bars[-1][0] == "rest"
    assert bars[-1][1].startswith("more than ")
    assert bars[-1][1].endswith(": 1")
    assert sum(int(name.rpartition(": ")[2]) for _, name, _ in bars) == 21
    assert sum(height > 10 for _, _, height in bars) >= 6
    caption = browser.find_element("css selector", "#histogram-caption").text
    assert caption.startswith("Items by score; 1 with more than ")
    assert caption.endswith("; 1 with nothing to divide by, not shown")
    assert quiet(browser)


@pytest.mark.parametrize(
    "scores", [[0.0], [0.0] * 9, [1.0], [0.5, 0.5], [0.0, 1.0], [0.001, 0.002], [1e-9, 3.0, 1e6]], ids=str
)
def test_histograms_count_every_item(browser: Any, tmp_path: Path, scores: list[float]) -> None:
    """Whatever the scores, some bars hold them all, and the first and last have ends."""
    page = page_of(tmp_path, [record(f"u{i}", [("=", "x", "x")]) for i in range(len(scores))])
    data, columns = contents(page)
    changed = "".join(packed_pieces(data, {**columns, "0.score": np.array(scores)}))
    source = re.sub(
        r'(id="data">).*?(</script>)', lambda m: m[1] + changed + m[2], page.read_text(), flags=re.S
    )
    opened(browser, written(tmp_path / "changed.html", source))
    names = browser.execute_script(
        "return [...document.querySelectorAll('#histogram rect title')].map(title => title.textContent)"
    )
    assert 0 < len(names) <= 18
    assert sum(int(name.rpartition(": ")[2]) for name in names) == len(scores)
    assert quiet(browser)
