"""`errors`, `show`, `report` and `read_text`: what commands of files have, from texts and scored corpora."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsers import opened, quiet, text
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.reports.error_tables import errors_dict
from fstmetrics.support.errors import FstmetricsError

REFERENCES = ["the cat sat down", "a dog barked", "so it is", "yes"]
HYPOTHESES = ["a cat sat", "a dog barked", "so is it", "yes yes no"]


@pytest.fixture
def records(tmp_path: Path) -> Path:
    paths = [
        written(tmp_path / name, "".join(f"{line}\n" for line in lines))
        for name, lines in (("ref.txt", REFERENCES), ("hyp.txt", HYPOTHESES))
    ]
    output = tmp_path / "run.jsonl"
    fm.score_files(references=paths[0], hypotheses=paths[1], alignment=True, output=output)
    return output


def test_errors_are_those_of_the_command(records: Path) -> None:
    expected = fstmetrics("errors", records, "--json").summary
    for found in (fm.errors(HYPOTHESES, REFERENCES), fm.errors(fm.score(HYPOTHESES, REFERENCES))):
        told = json.loads(json.dumps(errors_dict(found, None, None, 1)))
        assert told["errors"] == expected["errors"]
        assert told["by_position"] == expected["by_position"]
        assert str(found).splitlines()[:8] == fstmetrics("errors", records).out.splitlines()[:8]
        for row in expected["errors"]:
            assert all(word in found._repr_html_() for word in (row["reference"], row["hypothesis"]) if word)


@pytest.mark.parametrize(
    "given",
    [{}, {"op": "S"}, {"word": "yes"}, {"sort": "file"}, {"limit": 2}, {"op": "D", "word": "down"}],
    ids=str,
)
def test_items_are_those_that_the_command_shows(given: dict[str, Any], records: Path) -> None:
    expected = fm.show_files(records, **given)
    found = fm.show(HYPOTHESES, REFERENCES, **given)
    assert [result.hypothesis for result in found] == [tuple(each.hypothesis) for each in expected]
    assert found._repr_html_().count("line-height") == len(found) == len(expected)


def test_items_by_id() -> None:
    named = fm.score(HYPOTHESES, REFERENCES, ids=["a", "b", "c", "d"])
    assert [result.id for result in fm.show(named, id=["d", "b"], sort="file")] == ["b", "d"]
    assert repr(fm.show(named, id="d")).startswith("d  wer 2.0000")
    assert repr(fm.show(named, limit=1)).endswith("... and 3 more items")


def test_pages_are_those_of_the_command(records: Path, browser: Any, tmp_path: Path) -> None:
    texts = {"old": HYPOTHESES, "new": REFERENCES}
    scored = {name: fm.score(each, REFERENCES, ["wer", "bleu"]) for name, each in texts.items()}
    pages = [
        fm.report(scored, title="<both>"),
        fm.report(texts, REFERENCES, ["wer", "bleu"], title="<both>"),
    ]
    for number, page in enumerate(pages):
        page.save(tmp_path / f"{number}.html")
        opened(browser, tmp_path / f"{number}.html")
        assert text(browser, "h1") == "<both>"
        assert re.search(r"old\s+0\.5455", text(browser, "#systems"))
        assert quiet(browser)
    frame = tmp_path / "frame.html"
    frame.write_text(f"<!doctype html><body>{pages[0]._repr_html_()}", encoding="utf-8")
    browser.get(frame.as_uri())
    browser.switch_to.frame(0)
    for _ in range(1000):
        if browser.execute_script("return document.body.dataset.state") == "ready":
            break
    assert text(browser, "h1") == "<both>"


def test_texts_of_files(tmp_path: Path) -> None:
    plain = written(tmp_path / "a.txt", "the cat\na dog\n")
    assert fm.read_text(plain) == ["the cat", "a dog"]
    kaldi = written(tmp_path / "text", "u1 the cat\nu2 a dog\n")
    assert fm.read_text(kaldi, format="kaldi-text") == {"u1": "the cat", "u2": "a dog"}
    ref = written(tmp_path / "ref.trn", "the { cat / hat } (u1)\na dog (u2)\n")
    hyp = written(tmp_path / "hyp.trn", "a dog (u2)\nthe hat (u1)\n")
    found = fm.score(fm.read_text(hyp), fm.read_text(ref))
    assert found.score == fm.score_files(references=ref, hypotheses=hyp).score == 0
    assert found.ids == ("u1", "u2")


SCORED = fm.score(HYPOTHESES, REFERENCES)
WRONG: list[tuple[Callable[[Path], Any], str]] = [
    (lambda _: fm.errors(HYPOTHESES, REFERENCES, "bleu"), "errors() is of alignments, and bleu has none"),
    (lambda _: fm.errors(SCORED, REFERENCES), "errors() of what is scored already takes no references"),
    (lambda _: fm.show(SCORED, metric="cer"), "show() of what is scored already takes no metric"),
    (lambda _: fm.show(HYPOTHESES, REFERENCES, sort="best"), "sort is one of worst, file, not 'best'"),  # type: ignore[arg-type]
    (lambda _: fm.show(HYPOTHESES, REFERENCES, id="u9"), "there is no item 'u9'"),
    (lambda _: fm.show(HYPOTHESES, REFERENCES, limit=0), "limit must be at least 1"),
    (lambda _: fm.report({"u1": "a", "u2": "b"}, REFERENCES), "systems are a dict of outputs by name"),
    (lambda _: fm.report({"a": fm.score(HYPOTHESES, REFERENCES, "bleu")}), "a has no alignments to show under bleu"),
    (lambda folder: fm.read_text(written(folder / "a.ctm", "t 1 0 1 good\nt 1 1 1 day\n")), "is ctm, which has times"),
    (lambda folder: fm.read_text(written(folder / "a.stm", "t 1 ann 0 1 good\n")), "is stm, which has times"),
    (lambda folder: fm.read_text(written(folder / "a.jsonl", '{"text": "a", "pred_text": "b"}\n')), "is a table"),
    (lambda folder: fm.read_text(folder / "nowhere.txt"), "cannot be read"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_cannot_be_is_refused(call: Callable[[Path], Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(FstmetricsError, match=re.escape(message)) as refused:
        call(tmp_path)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("call", [fm.errors, fm.show])
def test_of_several_metrics_one_is_to_be_chosen(call: Callable[[Any], object]) -> None:
    several = fm.score(HYPOTHESES, REFERENCES, ["bleu", "wer", "cer"])
    with pytest.raises(FstmetricsError, match=r"scored under bleu, wer, cer: choose one, scores\['wer'\]"):
        call(several)
    assert str(call(several["wer"])) == str(call(fm.score(HYPOTHESES, REFERENCES)))
    with pytest.raises(FstmetricsError, match="none of them has alignments"):
        call(fm.score(HYPOTHESES, REFERENCES, ["bleu"]))
