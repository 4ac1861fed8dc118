"""The page of two systems: its numbers are those of the other commands, and it finds, sorts, filters and plays."""

from __future__ import annotations

import csv
import json
import random
import re
import time
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsers import cells, choose, opened, quiet, text
from command import fstmetrics, written
from page_data import unpacked

from fstmetrics.apps.pages.item_fields import item_fields
from fstmetrics.apps.pages.packed import packed_pieces
from fstmetrics.apps.pages.shown import sounds

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "was", "late", "for", "tea", "today"]
SPEAKERS = ("ann", "bob", "cyd")


def noisy(words: list[str], errors: float, chance: random.Random) -> list[str]:
    """What a recogniser makes of some words."""
    found = []
    for word in words:
        draw = chance.random() / errors
        found += [] if draw < 0.3 else [chance.choice(WORDS)] if draw < 0.8 else [word]
        found += [chance.choice(WORDS)] if draw > 0.8 and chance.random() < errors / 5 else []
    return found


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of two systems with fields, `ref`, `old` and `new` as text; the second in another order."""
    folder = tmp_path_factory.mktemp("two")
    chance = random.Random(5)
    references = {f"u{i:02d}": chance.choices(WORDS, k=chance.randint(3, 12)) for i in range(60)}
    written(folder / "ref.txt", lines_of(references))
    for name, errors in (("old", 0.4), ("new", 0.2)):
        found = {id: noisy(words, errors, chance) for id, words in references.items()}
        written(folder / f"{name}.txt", lines_of(found))
        out = folder / f"{name}.jsonl"
        score = ("score", folder / "ref.txt", folder / f"{name}.txt", "--alignment", "--output", out)
        assert fstmetrics(*score).status == 0
        records = [json.loads(line) for line in out.read_text().splitlines()]
        for number, record in enumerate(records):
            speaker = SPEAKERS[number % len(SPEAKERS)]
            record["fields"] = {"speaker": speaker, "duration": 1.5 * number, "note": f"note {number}"}
        if name == "new":
            records.reverse()
        written(out, "".join(json.dumps(record) + "\n" for record in records))
    return folder


def lines_of(texts: dict[str, list[str]]) -> str:
    return "".join(f"{id} {' '.join(words)}\n" for id, words in texts.items())


@pytest.fixture(scope="module")
def page(runs: Path) -> Path:
    out = runs / "page.html"
    done = fstmetrics("report", runs / "old.jsonl", runs / "new.jsonl", "-o", out)
    assert (done.status, done.out) == (0, f"{out}: 60 items\n"), done.err
    return out


def contents(page: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    (block,) = re.findall(r'id="data">(.*?)</script>', page.read_text(), re.S)
    return unpacked(block)


def test_scores_and_tests_are_those_of_compare(runs: Path, page: Path) -> None:
    data, _ = contents(page)
    tests = {test["name"]: test["p"] for test in data["tests"][0]}
    for name, shown in (("mapsswe", "MAPSSWE"), ("bootstrap", "bootstrap"), ("mcnemar", "McNemar")):
        systems = (runs / "old.txt", runs / "new.txt", "--metric", "wer", "--test", name, "--json")
        found = fstmetrics("compare", "--ref", runs / "ref.txt", *systems).summary
        assert found["tests"][0]["p"] == tests[shown]
        (standing,) = data["standings"]
        for n, system in enumerate(("old", "new")):
            row = found["systems"][system]["wer"]
            assert row["score"] == standing["scores"][n]
            assert [row["low"], row["high"]] == standing["intervals"][n]
        test = found["tests"][0]
        assert [[test["delta_low"], test["delta_high"]]] == standing["changes"]
    assert data["scores"] == data["standings"][0]["scores"]


def test_the_tests_of_rows_are_those_of_their_items(runs: Path, page: Path, tmp_path: Path) -> None:
    (found,) = contents(page)[0]["by"]["speaker"]
    for number, standing in enumerate(found):
        some = [f"u{i:02d}" for i in range(60) if i % 3 == number]
        for name in ("ref", "old", "new"):
            lines = (runs / f"{name}.txt").read_text().splitlines(keepends=True)
            written(tmp_path / f"{name}.txt", "".join(line for line in lines if line.split()[0] in some))
        systems = (
            tmp_path / "old.txt",
            tmp_path / "new.txt",
            "--metric",
            "wer",
            "--samples",
            "1000",
            "--json",
        )
        summary = fstmetrics(
            "compare", "--ref", tmp_path / "ref.txt", *systems, "--test", "bootstrap"
        ).summary
        assert [summary["tests"][0]["p"]] == standing["p"]


def test_errors_and_words_are_those_of_errors(runs: Path, page: Path) -> None:
    data, columns = contents(page)
    vocabulary = [None, *data["vocabulary"]]
    kinds = [
        (vocabulary[r], vocabulary[h])
        for r, h in zip(columns["errors.reference"], columns["errors.hypothesis"], strict=True)
    ]
    for number, system in enumerate(("old", "new")):
        rows = fstmetrics("errors", runs / f"{system}.jsonl", "--json").summary["errors"]
        expected = {(row["reference"], row["hypothesis"]): (row["count"], row["of"]) for row in rows}
        numbers = zip(columns[f"errors.count{number}"], columns[f"errors.of{number}"], strict=True)
        found = {kind: pair for kind, pair in zip(kinds, numbers, strict=True) if pair[0]}
        assert found == expected
        assert sum(
            columns[f"{number}.{name}"].sum() for name in ("substitutions", "insertions", "deletions")
        ) == sum(count for count, _ in expected.values())
    both = fstmetrics("errors", runs / "old.jsonl", "--against", runs / "new.jsonl", "--json").summary
    names = ("word", "first", "second", "instead", "instead_count")
    assert data["only"] == [[[row[name] for name in names] for row in both["words"]]]
    gained = {(row["reference"], row["hypothesis"]): (row["first"], row["second"]) for row in both["kinds"]}
    counts = zip(columns["errors.count0"], columns["errors.count1"], strict=True)
    assert gained == {k: (a, b) for k, (a, b) in zip(kinds, counts, strict=True) if a != b}


@pytest.mark.parametrize("metric", ["wer", "sclite", "mer", "wil", "wip", "wrr", "grr"])
def test_scores_of_every_metric(browser: Any, runs: Path, tmp_path: Path, metric: str) -> None:
    """Of all items, as the page was given them, and of a row with all of them, as the browser adds them up."""
    expected = []
    for name in ("old", "new"):
        out = tmp_path / f"{name}.jsonl"
        score = ("score", runs / "ref.txt", runs / f"{name}.txt", "--metric", metric, "--alignment", "--json")
        expected.append(fstmetrics(*score, "--output", out).summary["score"])
        records = [json.loads(line) | {"fields": {"all": "yes"}} for line in out.read_text().splitlines()]
        written(out, "".join(json.dumps(record) + "\n" for record in records))
    page = tmp_path / "page.html"
    assert fstmetrics("report", tmp_path / "old.jsonl", tmp_path / "new.jsonl", "-o", page).status == 0
    data = contents(page)[0]
    assert data["scores"] == pytest.approx(expected, abs=1e-12)
    assert data["standings"][0]["scores"] == data["scores"]
    opened(browser, page)
    shown = [cells(browser, "fields", column) for column in (3, 4)]
    assert shown == [[f"{score:.4f}"] for score in expected]
    assert text(browser, "#verdict .lead").startswith("new ")
    assert quiet(browser)


def test_two_signatures_stand_by_the_names_of_their_systems(browser: Any, runs: Path, tmp_path: Path) -> None:
    folded = tmp_path / "folded.jsonl"
    score = ("score", runs / "ref.txt", runs / "new.txt", "--lowercase", "--alignment", "--output", folded)
    assert fstmetrics(*score).status == 0
    page = tmp_path / "page.html"
    assert fstmetrics("report", runs / "old.jsonl", f"new={folded}", "-o", page).status == 0
    opened(browser, page)
    head, old, new = text(browser, "#signature").splitlines()
    assert head == "The two were not scored alike:"
    assert old.startswith("old: fstmetrics|metric:wer|unit:word|case:mixed")
    assert new.startswith("new: fstmetrics|metric:wer|unit:word|case:lower")


def test_the_page_shows_what_differs_first(browser: Any, runs: Path, page: Path) -> None:
    opened(browser, page)
    both = fstmetrics("errors", runs / "old.jsonl", "--against", runs / "new.jsonl", "--json").summary
    by_gain = sorted((row["second"] - row["first"] for row in both["items"]), reverse=True)
    shown = [int(cell.replace("−", "-")) for cell in cells(browser, "items", 3)]
    assert shown[:3] == by_gain[:3]
    assert cells(browser, "systems", 1)[:2] == [f"{score:.4f}" for score in contents(page)[0]["scores"]]
    low, high = (f"{end:+.4f}".replace("-", "−") for end in contents(page)[0]["standings"][0]["changes"][0])
    assert cells(browser, "systems", 2)[2] == f"{low} to {high}"
    assert text(browser, "#verdict .lead") == "new is better; the difference is significant at 0.05."
    resampled = "Intervals: 95% of 10,000 bootstrap resamples of items"
    assert resampled in text(browser, "#verdict")
    assert "resamples the 3 speakers" in text(browser, "#verdict")
    assert "No p: fewer than 6 items" in text(browser, "#by-note")
    assert len(browser.find_elements("css selector", "#boards .alignment")) == 2
    choose(browser, "#item-better", "second")
    assert text(browser, "#item-number") == f"{both['worse']} of 60 items"
    words = [row for row in both["words"] if row["first"] > row["second"]]
    assert len([n for n in cells(browser, "words", 3) if n.startswith("−")]) == len(words)
    choose(browser, "#error-side", "first")
    assert (
        text(browser, "#error-number")
        == f"{sum(k['first'] > k['second'] for k in both['kinds'])} kinds of errors"
    )
    assert quiet(browser)


@pytest.mark.parametrize(("items", "metric"), [(5, "wer"), (5, "wrr"), (5, "wer,bleu"), (6, "wer")])
def test_few_items_have_no_p_of_the_bootstrap(browser: Any, tmp_path: Path, items: int, metric: str) -> None:
    """The tests of speech stay; where the bootstrap is the only one, nothing is tested."""
    words = [
        "the cat sat on a mat",
        "he was late",
        "tea for a cat",
        "on a mat",
        "late for tea",
        "the mat sat",
    ]
    for name, cut in (("ref", 0), ("old", 2), ("new", 1)):
        words[0] = "the cat" if name == "new" else words[0]
        texts = {f"u{n}": words[n].split()[: -cut if cut else None] for n in range(items)}
        written(tmp_path / f"{name}.txt", lines_of(texts))
    ref, *systems = (tmp_path / f"{name}.txt" for name in ("ref", "old", "new"))
    made = fstmetrics("report", "--ref", ref, *systems, "--metric", metric, "-o", tmp_path / "page.html")
    assert made.status == 0, made.err
    data = contents(tmp_path / "page.html")[0]
    is_few = items < 6
    assert [standing["p"][0] is None for standing in data["standings"]] == [is_few] * len(data["standings"])
    named = {"wer": ["MAPSSWE", *["bootstrap"] * (not is_few), "McNemar"]}
    assert [test["name"] for tests in data["tests"] for test in tests] == named.get(metric, [])
    opened(browser, tmp_path / "page.html")
    shown = text(browser, "#verdict")
    assert ("No p of the bootstrap: of fewer than 6 items there is none." in shown) == is_few
    assert ("not tested" in shown) == (metric != "wer")
    assert quiet(browser)


def test_fields_filter_sort_and_add_up(browser: Any, runs: Path, page: Path) -> None:
    opened(browser, page)
    records = [
        {r["id"]: r for r in map(json.loads, (runs / f"{name}.jsonl").read_text().splitlines())}
        for name in ("old", "new")
    ]
    assert text(browser, "#fields th").rstrip(" ▲▼") == "speaker"
    rows = zip(*(cells(browser, "fields", column) for column in range(5)), strict=True)
    for speaker, items, words, *scores in rows:
        some = [id for id, record in records[0].items() if record["fields"]["speaker"] == speaker]
        assert (int(items), int(words)) == (len(some), sum(records[0][id]["path_length"] for id in some))
        for system, score in zip(records, scores, strict=True):
            edits = sum(system[id]["edits"] for id in some)
            assert score == f"{edits / int(words):.4f}"
    browser.find_element("css selector", "#fields tbody button").click()
    chosen = cells(browser, "fields", 0)[0]
    assert text(browser, "#item-number") == "20 of 60 items"
    assert text(browser, "#item-scores").split()[1].rstrip(",") == cells(browser, "fields", 3)[0]
    ids = cells(browser, "items", 0)
    assert {records[0][id]["fields"]["speaker"] for id in ids} == {chosen}
    choose(browser, "#filter-fields input[placeholder=from]", "30")
    choose(browser, "#filter-fields input[placeholder=to]", "60")
    choose(browser, "#item-column", "1")
    seconds = [float(cell) for cell in cells(browser, "items", 5)]
    assert sorted(seconds) == [1.5 * n for n in range(20, 41) if SPEAKERS[n % 3] == chosen]
    browser.find_elements("css selector", "#items th button")[5].click()
    assert [float(cell) for cell in cells(browser, "items", 5)] == sorted(seconds, reverse=True)
    choose(browser, "#filter-fields input[type=search]", "note 2")
    assert {int(float(cell) / 1.5) // 10 for cell in cells(browser, "items", 5)} == {2}
    assert quiet(browser)


def test_names_and_refusals(runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    old, new = runs / "old.jsonl", runs / "new.jsonl"
    assert fstmetrics("report", f"before={old}", "--against", f"after={new}", "-o", out).status == 0
    data = contents(out)[0]
    assert (data["names"], data["title"]) == (["before", "after"], "before and after")
    for arguments, said in (
        ((old, runs / "new.txt"), "old.jsonl has records and "),
        ((old, "--metric", "bleu"), "--metric is for outputs, and "),
        ((old, "--by", "age"), "no item has a field 'age'"),
        ((old, old), "two systems are called 'old'"),
        ((old, f"b={runs / 'grr.jsonl'}"), "old was scored by wer and b by grr"),
        ((old, f"b={runs / 'few.jsonl'}"), "b has no record for u00"),
        ((old, "--audio=sound"), "the records have no field 'sound' for --audio; they have: "),
        (("--audio", old, new), "; write --audio after the records"),
    ):
        score = ("score", runs / "ref.txt", runs / "old.txt", "--metric", "grr", "--alignment")
        fstmetrics(*score, "--output", runs / "grr.jsonl")
        written(runs / "few.jsonl", "".join(old.read_text().splitlines(keepends=True)[1:]))
        done = fstmetrics("report", *arguments, "-o", tmp_path / "none.html")
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert said in done.err
        assert not (tmp_path / "none.html").exists()


def test_sounds_are_played_by_relative_links(browser: Any, runs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    (folder / "wav").mkdir(parents=True)
    records = [json.loads(line) for line in (runs / "old.jsonl").read_text().splitlines()[:3]]
    for number, record in enumerate(records):
        path = folder / "wav" / f"a #{number}.wav"
        record["id"] = str(path)
        record["fields"]["audio_filepath"] = str(path)
        if number < 2:
            with wave.open(str(path), "wb") as sound:
                sound.setparams((1, 2, 8000, 0, "NONE", ""))
                sound.writeframes(bytes(8000))
    source = written(folder / "a.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    page = folder / "page.html"
    done = fstmetrics("report", source, "--audio", "-o", page)
    assert (done.status, done.err) == (0, "--audio: 1 sound file cannot be read\n")
    data = contents(page)[0]
    assert data["sounds"] == ["wav/a%20%230.wav", "wav/a%20%231.wav", ""]
    assert data["ids"] == ["a #0.wav", "a #1.wav", "a #2.wav"]
    assert str(tmp_path) not in json.dumps(data)
    opened(browser, page)
    row = cells(browser, "items", 0).index("a #1.wav")
    browser.find_elements("css selector", "#items tbody.items button")[row].click()
    seconds = browser.execute_async_script(
        "const done = arguments[0]; const player = document.querySelector('audio');"
        "player.onloadedmetadata = () => done(player.duration); player.onerror = () => done('error'); player.load();"
        "player.preload = 'auto'"
    )
    assert seconds == 0.5
    assert quiet(browser)
    assert fstmetrics("report", source, "--audio", "--full-paths", "-o", page).status == 0
    assert contents(page)[0]["sounds"][0] == (folder / "wav" / "a #0.wav").as_uri()


def test_links_never_have_a_scheme_or_all_of_a_path(tmp_path: Path) -> None:
    odd = written(tmp_path / "javascript:alert(1)", "")
    found = sounds(
        [odd.name, "none", None, 7, "\0", "\ud800", "/dev/null", "/etc/hostname"],
        tmp_path / "p.html",
        [tmp_path],
    )
    assert found.links == ["javascript%3Aalert%281%29", "", "", "", "", "", "", ""]
    assert found.missing + found.far == 5


# True is 1 and 1.0 for Python, and a text of either is none of them.
ODD = [True, 1, 1.0, False, 0, "1", "true", None, "", "\0", "\ud800", "/x/../y", "//", 1e308, -1e-300]
HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "<!--",
    "\"'&amp;`${1}",
    "‮evil",
    "constructor",
    "__proto__",
]


def test_hostile_fields_and_names_do_nothing(browser: Any, runs: Path, tmp_path: Path) -> None:
    records = [json.loads(line) for line in (runs / "old.jsonl").read_text().splitlines()]
    for number, record in enumerate(records):
        evil = HOSTILE[number % len(HOSTILE)]
        record["fields"] = {evil: evil, "speaker": evil, "__proto__": evil, "seconds": number}
        record["fields"] |= {"": ODD[number % len(ODD)], "huge": (-1) ** number * 1e308 / (number + 1)}
    source = written(tmp_path / "r.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    page = tmp_path / "page.html"
    evil = HOSTILE[0].replace("=", "")
    done = fstmetrics("report", f"{evil}={source}", f"b={source}", "-o", page)
    assert done.status == 0, done.err
    assert (page.read_text().count("<script"), "<img" in page.read_text()) == (2, False)
    opened(browser, page)
    assert len(cells(browser, "fields", 0)) == len(HOSTILE)
    assert cells(browser, "systems", 1)[0] == cells(browser, "systems", 1)[1]
    assert text(browser, "#verdict .lead") == "The scores are equal."
    assert not browser.find_elements("css selector", "img")
    assert quiet(browser)


def test_two_systems_on_a_narrow_screen(browser: Any, page: Path) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True},
    )
    try:
        opened(browser, page)
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide == 390
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_arrow_keys_bring_rows_into_view(browser: Any, page: Path) -> None:
    keys = pytest.importorskip("selenium.webdriver").Keys
    opened(browser, page)
    order = []
    browser.find_element("css selector", "#items tbody.items button").send_keys("")
    for _ in range(5):
        browser.switch_to.active_element.send_keys(keys.PAGE_DOWN)
        order.append(text(browser, "#item-title"))
        assert browser.switch_to.active_element.text == order[-1]
    assert len(set(order)) == 5


def test_packed_columns_come_back() -> None:
    columns = {
        "small": np.array([0, 255]), "wide": np.array([65535]), "wider": np.array([2**32 - 1]),
        "negative": np.array([-1, 7]), "real": np.array([0.1, np.nan, np.inf]), "none": np.zeros(0, dtype=int),
        "huge": np.array([2**53]),
    }  # fmt: skip
    data, found = unpacked("".join(packed_pieces({"word": "\ud800é</script>"}, columns)))
    assert data == {"word": "\ud800é</script>"}
    for name, column in columns.items():
        np.testing.assert_array_equal(found[name], column)
    assert [found[name].dtype.itemsize for name in columns] == [1, 2, 4, 4, 8, 1, 8]


def test_kinds_of_fields() -> None:
    found = item_fields({
        "few": [2, None, 1, 2] * 10, "many": [float(i) for i in range(40)], "texts": [f"t{i}" for i in range(40)],
        "names": ["ann", None, True, "bob"] * 10, "empty": [None] * 40,
        "hashes": [2**64 + i for i in range(40)], "huge": [10**400, *range(39)],
    })  # fmt: skip
    assert [(field.name, field.kind) for field in found] == [
        ("few", "choice"), ("many", "number"), ("texts", "text"), ("names", "choice"),
        ("hashes", "text"), ("huge", "text"),
    ]  # fmt: skip
    few, many, _, names, hashes, _ = found
    assert hashes.values[:2] == [str(2**64), str(2**64 + 1)]
    assert (few.values, few.groups[:4].tolist()) == (["1", "2"], [2, 0, 1, 2])
    assert (names.values, names.groups[:4].tolist()) == (["ann", "bob", "true"], [1, 0, 3, 2])
    assert many.values == ["< 7", "7 to < 15", "15 to < 23", "23 to < 31", ">= 31"]
    for value, group in enumerate(many.groups.tolist()):
        assert sum(value >= edge for edge in (7, 15, 23, 31)) == group - 1


def listed(browser: Any) -> list[str]:
    return cells(browser, "items", 0)


def test_links_open_items(browser: Any, page: Path) -> None:
    """The address follows what is opened; a link opens its item, also past filters that leave it out."""
    opened(browser, page)
    data, _ = contents(page)
    assert browser.execute_script("return location.hash") == ""
    last = listed(browser)[3]
    browser.find_elements("css selector", "#items tbody.items button")[3].click()
    assert browser.execute_script("return decodeURIComponent(location.hash)") == f"#item={last}"
    assert browser.find_element("css selector", "#item-link").get_attribute("href").endswith(f"#item={last}")
    wanted = data["ids"][41]
    browser.get("about:blank")
    browser.get(f"{page.as_uri()}#item={wanted}")
    opened_again(browser)
    assert text(browser, "#item-title") == wanted
    assert listed(browser).index(wanted) >= 0
    choose(browser, "#item-filter", data["ids"][7])
    assert text(browser, "#item-title") == data["ids"][7]
    browser.execute_script("location.hash = arguments[0]", f"#item={wanted}")
    assert waits(lambda: text(browser, "#item-title") == wanted)
    assert browser.execute_script("return document.querySelector('#item-filter').value") == ""
    browser.execute_script("location.hash = '#item=%'")  # no id of any item
    assert text(browser, "#item-title") == wanted
    assert quiet(browser)


def opened_again(browser: Any) -> None:
    assert waits(lambda: browser.execute_script("return document.body?.dataset.state") == "ready")


def waits(holds: Callable[[], bool]) -> bool:
    return any(holds() or time.sleep(0.01) for _ in range(500))


def test_the_item_shown_is_one_of_those_listed(browser: Any, page: Path) -> None:
    opened(browser, page)
    for wanted in ("u1", "u2", "u33"):
        choose(browser, "#item-filter", wanted)
        assert text(browser, "#item-title") in listed(browser)
    choose(browser, "#item-filter", "no such item")
    assert listed(browser) == ["no item fits"]
    assert not browser.find_element("css selector", "#item").is_displayed()
    choose(browser, "#item-filter", "")
    assert browser.find_element("css selector", "#item").is_displayed()
    assert text(browser, "#item-title") in listed(browser)


def test_filters_hear_the_end_of_a_change_too(browser: Any, page: Path) -> None:
    """Programs and some browsers send `change` alone; after `input` it does nothing more."""
    opened(browser, page)
    every = text(browser, "#item-number")
    for control, value in (("#item-better", "first"), ("#item-filter", "zzz")):
        for event in ("change", "input"):
            browser.execute_script(
                "const c = document.querySelector(arguments[0]); c.value = arguments[1];"
                "c.dispatchEvent(new Event(arguments[2]))",
                control, value, event,
            )  # fmt: skip
            assert text(browser, "#item-number") != every
            choose(browser, control, "")
            browser.execute_script(
                "document.querySelector(arguments[0]).dispatchEvent(new Event('change'))", control
            )
            assert text(browser, "#item-number") == every


def test_scores_of_items_are_saved(browser: Any, page: Path, tmp_path: Path) -> None:
    """Those that are listed, with the numbers of the page's data; what a file of commas cannot have is quoted."""
    opened(browser, page)
    data, columns = contents(page)
    browser.execute_cdp_cmd("Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    browser.find_element("css selector", "#save-scores").click()
    assert waits(lambda: bool([*tmp_path.glob("*.csv")]))
    (saved,) = tmp_path.glob("*.csv")
    rows = [*csv.DictReader(saved.read_text(encoding="utf-8").splitlines())]
    assert [row["id"] for row in rows] == data["ids"]
    for number, name in enumerate(data["names"]):
        counts = [
            columns[f"{number}.{kind}"] for kind in ("substitutions", "insertions", "deletions", "moves")
        ]
        errors = [int(sum(values)) for values in zip(*counts, strict=True)]
        words = [int(row["words"]) for row in rows]
        assert [int(row[f"{name} errors"]) for row in rows] == errors
        for row, edits, size in zip(rows, errors, words, strict=True):
            assert float(row[f"{name} {data['metric']}"]) == (
                edits / size if size else edits and float("inf")
            )
    saved.unlink()
    choose(browser, "#item-filter", data["ids"][5])
    browser.find_element("css selector", "#save-scores").click()
    assert waits(lambda: bool([*tmp_path.glob("*.csv")]))
    (saved,) = tmp_path.glob("*.csv")
    assert len(saved.read_text(encoding="utf-8").splitlines()) == 1 + len(listed(browser))


def test_the_reference_stands_once_above_all_systems(browser: Any, page: Path) -> None:
    opened(browser, page)
    rows = browser.execute_script(
        "return [...document.querySelectorAll('#boards .together tr')]"
        ".filter((row) => row.textContent.startsWith('REF')).length"
    )
    assert rows == 1
    repeated = browser.execute_script(
        "return [...document.querySelectorAll('#boards .pair:not(.S, .I, .D)')]"
        ".filter((pair) => pair.children[1].textContent).length"
    )
    assert repeated == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_bars_have_their_values(browser: Any, page: Path, width: int) -> None:
    browser.set_window_size(width, 1400)
    try:
        opened(browser, page)
        bars, values = (
            browser.execute_script(f"return document.querySelectorAll('#position-section svg {part}').length")
            for part in ("rect", "text.value")
        )
        assert bars == values > 10
    finally:
        browser.set_window_size(1300, 1400)
