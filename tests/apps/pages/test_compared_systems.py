"""The page of several systems under several metrics: scored in one command, from records, and in a browser."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browsers import cells, choose, opened, quiet, text
from command import HYTER, fstmetrics, written
from page_data import unpacked

import fstmetrics as fm

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "was", "late", "for", "tea", "today"]
ITEMS = 40


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts of three systems of growing error rate, a reference, a source, scores and domains of each item."""
    folder = tmp_path_factory.mktemp("systems")
    chance = random.Random(3)
    references = [chance.choices(WORDS, k=chance.randint(3, 25)) for _ in range(ITEMS)]
    for name, errors in (("base", 0.4), ("mid", 0.25), ("good", 0.05)):
        lines = [
            [chance.choice(WORDS) if chance.random() < errors else w for w in line] for line in references
        ]
        written(folder / f"{name}.txt", "".join(" ".join(line) + "\n" for line in lines))
    written(folder / "ref.txt", "".join(" ".join(line) + "\n" for line in references))
    written(folder / "src.txt", "".join(f"source sentence {n} <b>\n" for n in range(1, ITEMS + 1)))
    written(folder / "all.docs", "".join(f"{'news' if n % 2 else 'chat'}\td{n}\n" for n in range(ITEMS)))
    scores = "".join(f"{s}\t{chance.random():.4f}\n" for s in ("base", "mid", "good") for _ in range(ITEMS))
    written(folder / "neural.seg.score", scores)
    return folder


def report(runs: Path, page: Path, *more: object) -> tuple[dict[str, Any], dict[str, Any]]:
    systems = [runs / f"{name}.txt" for name in ("base", "mid", "good")]
    done = fstmetrics("report", "--ref", runs / "ref.txt", *systems, *more, "-o", page)
    assert (done.status, done.out) == (0, f"{page}: {ITEMS} items\n"), done.err
    return contents(page)


def contents(page: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    (block,) = re.findall(r'id="data">(.*?)</script>', page.read_text(), re.S)
    return unpacked(block)


@pytest.fixture(scope="module")
def page(runs: Path) -> Path:
    out = runs / "page.html"
    report(
        runs, out, "--metric", "wer,grr,sentence-bleu", "--tokenize", "none", "--source", runs / "src.txt",
        "--scores", f"neural={runs / 'neural.seg.score'}", "--documents", runs / "all.docs", "--by", "domain",
    )  # fmt: skip
    return out


def test_scores_and_p_are_those_of_compare(runs: Path, page: Path) -> None:
    data, columns = contents(page)
    systems = [runs / f"{name}.txt" for name in data["names"]]
    given = (
        "--metric",
        "wer,grr,sentence-bleu",
        "--tokenize",
        "none",
        "--scores",
        f"neural={runs / 'neural.seg.score'}",
    )
    found = fstmetrics(
        "compare", "--ref", runs / "ref.txt", *systems, *given, "--pairs", "all", "--json"
    ).summary
    assert [metric["name"] for metric in data["metrics"]] == list(found["systems"]["base"])
    p = {(t["baseline"], t["system"], t["metric"]): t["p"] for t in found["tests"]}
    changes = {
        (t["baseline"], t["system"], t["metric"]): [t["delta_low"], t["delta_high"]] for t in found["tests"]
    }
    for metric, standing in zip(data["metrics"], data["standings"], strict=True):
        rows = [found["systems"][name][metric["name"]] for name in data["names"]]
        assert standing["scores"] == [row["score"] for row in rows]
        assert standing["intervals"] == [[row["low"], row["high"]] for row in rows]
        pairs = [(data["names"][a], data["names"][b], metric["name"]) for a, b in data["pairs"]]
        assert standing["p"] == [p[pair] for pair in pairs]
        assert standing["changes"] == [changes[pair] for pair in pairs]
    outputs = (runs / "mid.txt").read_text().splitlines()
    own = fm.score(outputs, (runs / "ref.txt").read_text().splitlines(), "sentence-bleu",
                   normalisation=fm.Normalisation(tokenize="none"))  # fmt: skip
    assert columns["1.item2"].tolist() == pytest.approx(own.item_scores.tolist())


def test_scores_by_field_are_those_of_its_items(runs: Path, page: Path) -> None:
    data, _ = contents(page)
    assert [field["name"] for field in data["fields"]] == ["domain", "document", "length of the reference"]
    news = [n for n in range(ITEMS) if n % 2]
    for number, name in enumerate(data["names"]):
        sides = [(runs / f"{side}.txt").read_text().splitlines() for side in (name, "ref")]
        some = fm.score(*([side[n] for n in news] for side in sides))
        assert data["by"]["domain"][0][1]["scores"][number] == pytest.approx(some.score)


def test_tables_that_were_asked_for_are_those_of_compare(runs: Path, page: Path, tmp_path: Path) -> None:
    """Each system against the first; of classes of length, for which nobody asked, with fewer resamples."""
    data, _ = contents(page)
    systems = [runs / f"{name}.txt" for name in data["names"]]
    asked = (
        "--metric", "wer,grr,sentence-bleu", "--tokenize", "none", "--documents", runs / "all.docs", "--by", "domain"
    )  # fmt: skip
    groups = fstmetrics("compare", "--ref", runs / "ref.txt", *systems, *asked, "--json").summary["by"][
        "domain"
    ]
    assert data["fields"][0]["values"] == [group["value"] for group in groups]
    for m, metric in enumerate(("wer", "grr", "sentence-bleu")):
        for group, standing in zip(groups, data["by"]["domain"][m], strict=True):
            rows = [group["systems"][name][metric] for name in data["names"]]
            assert standing["intervals"] == [[row["low"], row["high"]] for row in rows]
            tests = [test for test in group["tests"] if test["metric"] == metric]
            assert [test["baseline"] for test in tests] == ["base", "base"]
            assert standing["p"] == [test["p"] for test in tests]
            assert standing["changes"] == [[test["delta_low"], test["delta_high"]] for test in tests]
            assert standing["samples"] == 10_000
    assert data["by"]["length of the reference"][0][0]["samples"] == 1000


def test_records_of_three_systems_make_the_same_page(runs: Path, tmp_path: Path) -> None:
    files = []
    for name in ("base", "mid", "good"):
        files.append(tmp_path / f"{name}.jsonl")
        score = ("score", runs / "ref.txt", runs / f"{name}.txt", "--alignment", "--output", files[-1])
        assert fstmetrics(*score).status == 0
    done = fstmetrics("report", *files, "-o", tmp_path / "page.html")
    assert done.status == 0, done.err
    data, columns = contents(tmp_path / "page.html")
    others, more = report(runs, tmp_path / "other.html", "--metric", "wer")
    for name in (
        "names",
        "standings",
        "only",
        "ngrams",
        "frequencies",
        "positions",
        "by_score",
        "by",
        "totals",
    ):
        assert data[name] == others[name]
    for name, column in columns.items():
        assert np.array_equal(column, more[name])


def test_closest_paths_are_each_systems_own(runs: Path, tmp_path: Path) -> None:
    """Of two references each system has its own, and networks are named by their cards."""
    reference = written(tmp_path / "a.txt", "a cat sat\n")
    second = written(tmp_path / "b.txt", "the dog ran off\n")
    outputs = [
        written(tmp_path / f"{n}.txt", f"{t}\n") for n, t in (("x", "a cat sits"), ("y", "the dog ran"))
    ]
    done = fstmetrics(
        "report", "--ref", reference, "--ref", second, *outputs, "--metric", "wer", "-o", tmp_path / "p"
    )
    assert done.status == 0, done.err
    data, columns = contents(tmp_path / "p")
    words = data["vocabulary"]
    assert [words[n] for n in columns["0.closest"]] == ["a", "cat", "sat"]
    assert [words[n] for n in columns["1.closest"]] == ["the", "dog", "ran", "off"]
    assert data["references"] == [["a cat sat", "the dog ran off"]]
    assert str(tmp_path) not in json.dumps(data)
    networks = ("--networks", HYTER[0], HYTER[1], "--metric", "hyter", "--window", "3")
    done = fstmetrics("report", *networks, "-o", tmp_path / "p")
    assert done.status == 0, done.err
    assert contents(tmp_path / "p")[0]["cards"]


def test_string_metrics_say_which_alignment_is_shown(runs: Path, tmp_path: Path) -> None:
    data, _ = report(runs, tmp_path / "p.html", "--metric", "sentence-bleu", "--tokenize", "none")
    assert data["note"].startswith("The alignments show the fewest word edits (WER)")
    assert data["note"].endswith("not what sentence-bleu counts.")
    assert (data["metric"], data["has_score"]) == ("wer", False)
    assert (data["aligned_by"], data["details"]) == ("", [["", "", ""]])
    data, _ = report(runs, tmp_path / "p.html", "--metric", "wer")
    assert (data["note"], data["aligned_by"]) == ("", "wer")
    data, _ = report(runs, tmp_path / "p.html", "--metric", "bleu,wer,chrf")
    assert data["note"] == (
        "The alignments are those of wer, to the reference. They are not what bleu, chrf counts."
    )


def test_details_of_bleu_are_sacrebleus(runs: Path, tmp_path: Path) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    data, _ = report(runs, tmp_path / "p.html", "--metric", "wer,bleu")
    references = (runs / "ref.txt").read_text().splitlines()
    for name, found in zip(data["names"], data["details"][1], strict=True):
        peer = sacrebleu.corpus_bleu((runs / f"{name}.txt").read_text().splitlines(), [references])
        shares = " / ".join(f"{share:.2f}" for share in peer.precisions)
        assert found == (
            f"precisions {shares}, brevity penalty {peer.bp:.4f}, {peer.sys_len} words, {peer.ref_len} in the "
            f"references, length ratio {peer.ratio:.4f}"
        )
    assert data["details"][0] == ["", "", ""]


def test_the_closest_reference_is_named_by_its_file(runs: Path, tmp_path: Path) -> None:
    """By number where names of files are alike; the first of equal ones; none where it is a network's path."""
    references = [
        written(tmp_path / "ref.A.txt", "a cat sat\nx y\nThe end\n"),
        written(tmp_path / "ref.C.txt", "the dog ran off\nx y\nno more\n"),
    ]
    outputs = [
        written(tmp_path / "one.txt", "a cat sits\nx y\nthe end\n"),
        written(tmp_path / "two.txt", "the dog ran\nx\nno\n"),
    ]
    given = [part for reference in references for part in ("--ref", reference)]
    for metric in ("bleu", "wer", "ter"):
        asked = ("--metric", metric, "--lowercase", "-o", tmp_path / "p")
        assert fstmetrics("report", *given, *outputs, *asked).status == 0
        data, columns = contents(tmp_path / "p")
        assert data["reference_names"] == ["ref.A", "ref.C"]
        assert [columns[f"{n}.reference"].tolist() for n in (0, 1)] == [[1, 1, 1], [2, 1, 2]]
    assert fstmetrics("report", "--ref", references[0], *outputs, "-o", tmp_path / "p").status == 0
    data, columns = contents(tmp_path / "p")
    assert data["references"] == []
    assert "0.reference" not in columns
    # Of references with choices, which are no plain text, the names would be those of others.
    choices = written(tmp_path / "ref.B.trn", "{ a / one } cat sat (1)\nx y (2)\nthe { end / rest } (3)\n")
    both = [part for reference in (choices, *references) for part in ("--ref", reference)]
    asked = ("--metric", "wer", "--lowercase", "-o", tmp_path / "p")
    done = fstmetrics("report", *both, *outputs, *asked)
    assert done.status == 0, done.err
    assert contents(tmp_path / "p")[0]["reference_names"] == []


def test_beside_networks_the_references_of_string_metrics_are_shown(tmp_path: Path) -> None:
    words = ("orejuela seemed calm", "the approval was zero", "where is the station")
    ids = [line.split()[0] for line in Path(HYTER[1]).read_text().splitlines()]
    reference = written(
        tmp_path / "r.txt", "".join(f"{id} {text}\n" for id, text in zip(ids, words, strict=True))
    )
    asked = ("--metric", "bleu,hyter", "--window", "2", "-o", tmp_path / "p")
    done = fstmetrics("report", "--networks", HYTER[0], "--ref", reference, HYTER[1], *asked)
    assert done.status == 0, done.err
    data, _ = contents(tmp_path / "p")
    assert data["references"] == [[text] for text in words]
    assert data["note"] == (
        "The alignments are those of hyter, to the closest path of the network. They are not what bleu counts."
    )


def test_numbers_of_bars_stand_over_their_own_bars(browser: Any, page: Path) -> None:
    opened(browser, page)
    bars = browser.execute_script(
        "const found = [];"
        "for (const t of document.querySelectorAll('svg.chart text.value')) {"
        "  const bar = t.previousElementSibling, [x, w] = ['x', 'width'].map(a => Number(bar.getAttribute(a)));"
        "  found.push([t.textContent, bar.textContent, Number(t.getAttribute('x')) - x - w / 2]);"
        "} return found;"
    )
    assert len(bars) >= 3
    for number, title, off in bars:
        assert title.endswith(f": {number}")
        assert abs(off) < 0.51  # half the gap between bars


def test_the_summary_has_moves_and_whom_the_best_beats(browser: Any, runs: Path, tmp_path: Path) -> None:
    """The best is better than the baseline, and a system that differs from it in a word is not far behind."""
    lines = (runs / "good.txt").read_text().splitlines()
    near = written(tmp_path / "near.txt", "\n".join([lines[0] + " x", *lines[1:]]) + "\n")
    moved = [" ".join([*line.split()[3:], *line.split()[:3]]) for line in lines]
    far = written(tmp_path / "far.txt", "\n".join(moved) + "\n")
    asked = ("--metric", "bleu,ter", "--tokenize", "none", "-o", tmp_path / "p.html")
    done = fstmetrics("report", "--ref", runs / "ref.txt", far, near, runs / "good.txt", *asked)
    assert done.status == 0, done.err
    data, _ = contents(tmp_path / "p.html")
    opened(browser, tmp_path / "p.html")
    assert text(browser, "ul.lead li:nth-child(2)") == (
        "ter: good is best, significantly better than far, but not than near."
    )
    assert text(browser, "#systems thead th:last-child") == "moves"
    assert cells(browser, "systems", 7)[0] == str(data["totals"][0]["moves"]) != "0"
    assert text(browser, "#edits-note").endswith("those of ter. Moves are counted beside them.")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_list_of_items_has_all_systems_in_view(
    browser: Any, runs: Path, tmp_path: Path, width: int
) -> None:
    names = {"base": "hyp.Facebook-AI", "mid": "hyp.UEdin", "good": "hyp.Online-W"}
    systems = [f"{name}={runs / file}.txt" for file, name in names.items()]
    done = fstmetrics("report", "--ref", runs / "ref.txt", *systems, "-o", tmp_path / "p.html")
    assert done.status == 0, done.err
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    opened(browser, tmp_path / "p.html")
    assert browser.execute_script(
        "const box = document.querySelector('#items').parentElement; return box.scrollWidth - box.clientWidth"
    ) <= 0  # fmt: skip
    # Rows fill the list.
    assert len(cells(browser, "items", 0)) * 32 >= 512
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_alignments_of_ter_have_its_edits_and_moves(runs: Path, tmp_path: Path) -> None:
    """Its words before the moves are those that were given; block by block they are moved and edited."""
    reference = written(tmp_path / "r.txt", "the cat went to the mat\na b c d\n")
    output = written(tmp_path / "h.txt", "To the mat the cat went\na x d e\n")
    done = fstmetrics("report", "--ref", reference, output, "--metric", "ter", "-o", tmp_path / "p")
    assert done.status == 0, done.err
    data, columns = contents(tmp_path / "p")
    edits = [
        columns[f"0.{name}"].astype(int) for name in ("substitutions", "insertions", "deletions", "moves")
    ]
    texts = [path.read_text().splitlines() for path in (output, reference)]
    assert sum(edits).tolist() == fm.score(*texts, "ter").values[:, 0].tolist() == [1, 3]
    assert columns["0.moves"].tolist() == [1, 1]
    assert data["special"][0]["0"]["given"] == [3, 4, 5, 0, 1, 2]
    assert data["special"][0]["0"]["moved"].count("<") == 1
    assert data["note"] == "The alignments are those of ter: edits of words, and moved blocks."


SGML = "<{0}set><doc docid='{3}'><p><seg id='1'>{1}</seg>\n<seg id='2'>{2}</seg></p></doc></{0}set>\n"
SOURCES = {
    "lines": ("Kočka\nPes\n", ""),
    "lines with ids": ("d:2 Pes\nd:1 Kočka\n", ""),
    "sgml": (SGML.format("src", "Kočka", "Pes", "d"), ""),
    "table": ("id,source\nd:2,Pes\nd:1,Kočka\n", ""),
    "objects": ('{"source": "Kočka"}\n{"source": "Pes"}\n', ""),
    "markup": ("<seg> Kočka\n<seg> Pes\n", ""),
    "other items": (
        SGML.format("src", "Kočka", "Pes", "e"),
        "src: nothing for d:1, d:2, which others have",
    ),
    "one item": ('{"id": "d:1", "source": "Pes"}\n', "src: nothing for d:2, which others have"),
    "no sources": (SGML.format("ref", "a cat", "a dog", "d"), "call one column source"),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_sources_are_lines_or_those_of_test_sets(kind: str, tmp_path: Path) -> None:
    """Of the SGML beside references and outputs, elements are no sentences."""
    reference = written(tmp_path / "ref.sgm", SGML.format("ref", "a cat", "a dog", "d"))
    output = written(tmp_path / "out.sgm", SGML.format("tst", "the cat", "a dog", "d"))
    content, said = SOURCES[kind]
    sources = written(tmp_path / "src", content)
    done = fstmetrics("report", "--ref", reference, output, "--source", sources, "-o", tmp_path / "p.html")
    assert (done.status == 2) == bool(said), done.err
    assert said in done.err
    if not said:
        texts = ["Kočka", "Pes"] if kind != "markup" else ["<seg> Kočka", "<seg> Pes"]
        assert contents(tmp_path / "p.html")[0]["sources"] == texts


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        ('{"id": "s1", "src": "Pes"}\n{"id": "s0", "src": "Kočka"}\n', "", "has ids (s1, s0, ...) and "),
        ("Pes (s1)\nKočka (s0)\n", "", "has ids (s1, s0, ...) and "),
        ("Má kočka\tmy cat\nPes\ta dog\n", "", "if it is text, use --ref-format plain"),
        ("Kočka\ta cat\nPes\ta dog\n", "--ref-format plain", ["Kočka\ta cat", "Pes\ta dog"]),
        ('{"id": "0", "src": "Kočka"}\n{"id": "1", "src": "Pes"}\n', "", ["Kočka", "Pes"]),
        ("Kočka\n\n", "", ["Kočka", ""]),
        ("1 Kočka\n2 Pes\n", "", ["Kočka", "Pes"]),
        # A table is one whatever references are; `id=` says that order pairs, also lines.
        ('{"id": 1, "src": "Kočka"}\n{"id": 2, "src": "Pes"}\n', "--ref-format plain", ["Kočka", "Pes"]),
        ("source\tx\nKočka\t1\nPes\t2\n", "--format plain --ref-format plain", ["Kočka", "Pes"]),
        ('{"id": "s1", "src": "Pes"}\n{"id": "s0", "src": "Kočka"}\n', "--fields id=", ["Pes", "Kočka"]),
        ("s1 Pes\ns0 Kočka\n", "", "also give --fields id=, which pairs by order"),
        ("s1 Pes\ns0 Kočka\n", "--fields id=", ["Pes", "Kočka"]),
    ],
)
@pytest.mark.parametrize("name", ["", "A="])
def test_sources_stand_in_the_order_of_items_without_ids(
    content: str, options: str, expected: str | list[str], name: str, tmp_path: Path
) -> None:
    texts = written(tmp_path / "ref", "a cat\na dog\n")
    sources = written(tmp_path / "src", content)
    given = "--ref", texts, f"{name}{texts}", "--source", sources, *options.split()
    done = fstmetrics("report", *given, "-o", tmp_path / "p.html")
    if isinstance(expected, str):
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert expected in done.err
    else:
        assert contents(tmp_path / "p.html")[0]["sources"] == expected


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--source", "ref2.txt"], "numbers of items differ: 40 in "),
        (["--scores", "neural=ref2.txt"], "ref2.txt"),
        (["--lower", "comet"], "--lower: 'comet': no scores were given"),
        (["--by", "age"], "no item has a field 'age'"),
        (["records.jsonl"], "has records and"),
    ],
)
def test_bad_input_is_named_in_a_line(runs: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    written(runs / "ref2.txt", "one line\n")
    written(runs / "records.jsonl", json.dumps({"id": "1", "metric": "wer"}) + "\n")
    some = [
        str(runs / a) if (runs / a).exists() else a.replace("=ref2", f"={runs / 'ref2'}") for a in arguments
    ]
    done = fstmetrics(
        "report", "--ref", runs / "ref.txt", runs / "base.txt", *some, "-o", tmp_path / "none.html"
    )
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert said in done.err
    assert not (tmp_path / "none.html").exists()


@pytest.mark.parametrize("rule", ["spu_id", "file", None])
def test_speakers_of_outputs_are_told_by_a_rule(rule: str | None, tmp_path: Path) -> None:
    """The advice where nothing tells who speaks is followed as it stands."""
    ids = [f"{who}_{n}" for who in ("ann", "bob") for n in range(3)]
    for name, word in (("ref", "cat"), ("old", "cap"), ("new", "cat")):
        written(tmp_path / name, "".join(f"{id} the {word} sat\n" for id in ids))
    who = written(tmp_path / "utt2spk", "".join(f"{id} {id[:3]}\n" for id in ids))
    texts = ("--ref", tmp_path / "ref", tmp_path / "old", tmp_path / "new", "--format", "kaldi-text")
    given = ("report", *texts, "--ref-format", "kaldi-text", "--metric", "wer", "-o", tmp_path / "p.html")
    if rule is None:
        refused = fstmetrics(*given, "--by", "speaker")
        assert refused.status == 2
        assert "give --speakers spu_id where ids are speaker-utterance" in refused.err
        assert "--blocks" not in refused.err
        return
    speakers = ("--speakers", who if rule == "file" else rule)
    assert fstmetrics(*given, *speakers, "--by", "speaker").status == 0
    data, _ = contents(tmp_path / "p.html")
    assert data["speakers"] == 2
    assert [row["scores"] for row in data["by"]["speaker"][0]] == [[1 / 3, 0], [1 / 3, 0]]
    records = written(tmp_path / "records.jsonl", json.dumps({"id": "1", "metric": "wer"}) + "\n")
    refused = fstmetrics("report", records, *speakers, "-o", tmp_path / "q.html")
    assert "--speakers is for outputs" in refused.err


def test_outputs_without_references_are_told_what_records_are(runs: Path, tmp_path: Path) -> None:
    done = fstmetrics("report", runs / "base.txt", runs / "mid.txt", "-o", tmp_path / "none.html")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert (
        "no references: all files are taken as systems; give --ref FILE, for bleu; records that score writes"
        in done.err
    )


def test_a_browser_shows_and_narrows_several_systems(browser: Any, page: Path) -> None:
    opened(browser, page)
    data, columns = contents(page)
    # The order is the one in which they were given, and the best is named.
    assert cells(browser, "systems", 0) == ["base", "mid", "good"]
    assert text(browser, "#systems .best").endswith(f"{data['standings'][0]['scores'][2]:.4f}")
    assert text(browser, "ul.lead li") == "wer: good is best, significantly better than all others."
    assert text(browser, "#item-source").startswith("source source sentence")
    assert (
        browser.execute_script("return document.querySelector('#item-source b + bdi').children.length") == 0
    )
    assert len(browser.find_elements("css selector", "#boards .alignment")) == 3
    # All outputs in one table, a row each above the reference; each has its words in their order.
    rows = browser.execute_script(
        "return [...document.querySelectorAll('.together tr')].map((row) => [...row.querySelectorAll('td')]"
        ".map((cell) => [cell.textContent, cell.className]))"
    )
    boards = browser.execute_script(
        "return [...document.querySelectorAll('#boards .alignment')]"
        ".map((board) => [...board.querySelectorAll('.pair')].map((pair) => pair.children[0].textContent)"
        ".filter((word) => word))"
    )
    assert len(rows) == 4
    assert len({len(row) for row in rows}) == 1
    assert [[word for word, _ in row if word] for row in rows[:-1]] == boards
    for row in rows[:-1]:
        for (word, kind), (wanted, _) in zip(row, rows[-1], strict=True):
            made = {(True, True): "I", (False, True): "", (True, False): "" if word == wanted else "S"}
            assert kind == made.get((bool(word), not wanted), "D")
    # The pair that is compared: the first with the best of the others, and then with another.
    title = "#items th:nth-child(5) button"
    for second in ("good", "mid"):
        choose(browser, "#pair-second", str(data["names"].index(second)))
        assert (
            browser.find_element("css selector", title).get_attribute("title") == f"wer: {second} minus base"
        )
    choose(browser, "#item-measure", "2")
    shown = [float(cell) for cell in cells(browser, "items", 2)]
    scores = columns["1.item2"]
    assert shown[0] == pytest.approx(scores[int(cells(browser, "items", 0)[0]) - 1], abs=0.051)
    # A bucket narrows the items.
    buckets = data["by_score"][0]
    full = next(n for n, count in enumerate(buckets["counts"][2]) if count)
    browser.execute_script(
        "document.querySelectorAll('#score-section tbody tr')[arguments[0]].querySelectorAll('button')[3].click()",
        full,
    )
    assert text(browser, "#item-number") == f"{buckets['counts'][2][full]} of 40 items"
    browser.find_element("css selector", "#narrowed button").click()
    assert text(browser, "#item-number") == "40 of 40 items"
    # Of many n-grams, the page says that there are more.
    every = data["ngrams"][0][0]
    assert len(every) == 100
    assert text(browser, "#ngram-number") == "100 n-grams of the 100 clearest"
    choose(browser, "#ngram-length", "1")
    of_one = sum(size == 1 for _, size, *_ in every)
    assert text(browser, "#ngram-number") == f"{of_one} n-gram{'s' * (of_one != 1)} of the 100 clearest"
    choose(browser, "#ngram-length", "")
    # An n-gram is looked for.
    gained = data["ngrams"][0][0][0]
    choose(browser, "#item-filter", gained[0])
    assert text(browser, "#item-number") != "40 of 40 items"
    assert cells(browser, "ngrams", 0)[0] == gained[0]
    choose(browser, "#item-filter", "source sentence 7 ")
    assert quiet(browser)


@pytest.fixture
def table(runs: Path, tmp_path: Path) -> Path:
    """Outputs of four systems in columns, and two fields."""
    names = ("base", "mid", "good")
    texts = [(runs / f"{name}.txt").read_text().splitlines() for name in ("ref", *names)]
    lines = [
        f"{n},{','.join(row)},{'mf'[n % 2]},s{n % 3},{row[1]}"
        for n, row in enumerate(zip(*texts, strict=True))
    ]
    return written(
        tmp_path / "t.csv", "\n".join([f"id,reference,{','.join(names)},gender,site,other", *lines]) + "\n"
    )


@pytest.mark.parametrize("systems", [1, 2, 3])
def test_all_fields_that_were_asked_for_are_below_the_summary(
    browser: Any, table: Path, tmp_path: Path, systems: int
) -> None:
    names = ["base", "mid", "good"][:systems]
    columns = ",".join(f"hyp={name}" for name in names)
    asked = (
        "--fields",
        f"ref=reference,{columns}",
        "--by",
        "site",
        "--by",
        "gender",
        "-o",
        tmp_path / "p.html",
    )
    done = fstmetrics("report", table, *asked)
    assert done.status == 0, done.err
    data, _ = contents(tmp_path / "p.html")
    opened(browser, tmp_path / "p.html")
    heads = [head.text for head in browser.find_elements("css selector", "h2")]
    assert heads[:4] == ["Summary", "By site", "By gender", "Items"]
    options = [option.text for option in browser.find_elements("css selector", "#by-field option")]
    assert not {"site", "gender"} & {*options}
    for n, (field, values) in enumerate((("site", ["s0", "s1", "s2"]), ("gender", ["f", "m"]))):
        assert cells(browser, f"asked{n}", 0) == values
        row = data["by"][field][0][0]
        low, high = row["intervals"][-1]
        shown = cells(browser, f"asked{n}", 3 if systems == 1 else 1 + 3 * (systems - 1))[0]
        assert shown == f"{row['scores'][-1]:.4f} {low:.4f} to {high:.4f}"
        titles = [head.text for head in browser.find_elements("css selector", f"#asked{n} th")]
        # Differences are of systems that are named, each from the first, with p behind it.
        wanted = {
            1: ["errors", "share"],
            2: ["mid", "change", "p"],
            3: ["mid", "mid − base", "p", "good", "good − base", "p"],
        }
        score = "wer" if systems == 1 else "base"
        assert [title.rstrip(" ▲▼") for title in titles] == [field, "items", "words", score, *wanted[systems]]
    # What is compared is no field of an item; other columns are.
    fields = [name.text for name in browser.find_elements("css selector", "#item-fields dt")]
    assert fields == [
        "site",
        "gender",
        *(["mid", "good"] if systems == 1 else ["good"] if systems == 2 else []),
        "other",
    ]
    assert quiet(browser)


def test_a_summary_of_three_has_counts_intervals_and_tests(browser: Any, runs: Path, tmp_path: Path) -> None:
    """As that of two; of metrics that count no errors of the alignments there are its edits alone."""
    data, _ = report(runs, tmp_path / "p.html", "--metric", "wer")
    for name, tests in zip(("mid", "good"), data["tests"], strict=True):
        systems = [runs / f"{each}.txt" for each in ("base", name)]
        for test, shown in zip(tests, ("mapsswe", "bootstrap", "mcnemar"), strict=True):
            compared = (
                "compare",
                "--ref",
                runs / "ref.txt",
                *systems,
                "--metric",
                "wer",
                "--test",
                shown,
                "--json",
            )
            assert fstmetrics(*compared).summary["tests"][0]["p"] == test["p"]
    opened(browser, tmp_path / "p.html")
    counts = ("edits", "substitutions", "insertions", "deletions")
    for k, name in enumerate(counts):
        assert cells(browser, "systems", 2 + k) == [str(total[name]) for total in data["totals"]]
    (standing,) = data["standings"]
    low, high = standing["intervals"][1]
    assert f"{low:.4f} to {high:.4f}" in cells(browser, "systems", 1)[1]
    low, high = (f"{end:+.4f}".replace("-", "−") for end in standing["changes"][0])
    assert f"{low} to {high}" in cells(browser, "systems", 1)[1]
    assert [line.text.split(":")[0] for line in browser.find_elements("css selector", ".tests li")] == [
        "mid against base", "good against base"
    ]  # fmt: skip
    report(runs, tmp_path / "p.html", "--metric", "sentence-bleu", "--tokenize", "none")
    opened(browser, tmp_path / "p.html")
    heads = [head.text for head in browser.find_elements("css selector", "#systems thead th")]
    assert heads == ["system", "sentence-bleu ↑", "edits"]
    assert quiet(browser)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_no_wider_than_the_screen(browser: Any, page: Path, width: int) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    opened(browser, page)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    charts = browser.execute_script(
        "return [...document.querySelectorAll('svg.chart')].map(s => s.children.length)"
    )
    assert len(charts) == 5
    assert all(charts)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_items_without_a_given_score_are_counted(runs: Path, tmp_path: Path) -> None:
    lines = [line.split("\t") for line in (runs / "neural.seg.score").read_text().splitlines()]
    some = [(name, "None" if n % ITEMS < 10 else score) for n, (name, score) in enumerate(lines)]
    given = written(tmp_path / "few.seg.score", "".join(f"{name}\t{score}\n" for name, score in some))
    systems = [runs / f"{name}.txt" for name in ("base", "mid", "good")]
    arguments = ("--ref", runs / "ref.txt", *systems, "--metric", "wer", "--scores", f"few={given}")
    done = fstmetrics("report", *arguments, "-o", tmp_path / "page.html")
    remark = f"few: 10 of {ITEMS} items without a score of any system, and left out, of resamples too"
    assert remark in done.err
    assert remark in contents(tmp_path / "page.html")[0]["remarks"]
    assert remark in fstmetrics("compare", *arguments, "--samples", 9).out


def test_a_page_says_that_errors_of_a_system_are_of_case(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "a cat sat\n" * 9)
    upper = written(tmp_path / "upper", "A CAT SAT\n" * 9)
    page = tmp_path / "page.html"
    outcome = fstmetrics("report", "--ref", ref, ref, upper, "--metric", "wer", "--output", page)
    said = "upper: most substitutions are of case: 27, and 0 with --lowercase"
    assert said in contents(page)[0]["remarks"]
    assert said in outcome.err.splitlines()
