"""Test sets of WMT: what sacrebleu and the standard library make of the same files."""

from __future__ import annotations

import json
import random
import re
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.support.errors import FstmetricsError

WORDS = ["Guten", "Tag", "R&D", "<b>", '"so"', "5", "über", "nicht"]
NAMES = {"src": "lang", "ref": "translator", "hyp": "system"}


def drawn(folder: Path) -> tuple[str, dict[tuple[str, str], list[str]]]:
    """A data set of two documents, and its texts by element and name, as a parser of XML reads them."""
    draw = random.Random(6)
    parts = ["<?xml version='1.0' encoding='utf-8'?>\n<dataset id=\"x\">\n<!-- <seg id='9'>no</seg> -->\n"]
    for document, domain in (("talk.1", "news"), ("b&amp;b", "social")):
        parts.append(f'<doc origlang="en" id="{document}" domain="{domain}">\n')
        for kind, name in (
            ("src", "en"),
            ("ref", "A"),
            ("ref", "B"),
            ("hyp", "Online-A"),
            ("hyp", "Online-B"),
        ):
            parts.append(f'<{kind} xml:lang="x" {NAMES[kind]}="{name}"><p>\n')
            for number in (1, 2, 3):
                text = " ".join(draw.choices(WORDS, k=draw.randrange(1, 6)))
                parts.append(f'<seg id="{number}"> {escape(text)}\n</seg>\n')
            parts.append(f"</p></{kind}>\n")
        parts.append("</doc>\n")
    path = written(folder / "set.xml", "".join([*parts, "</dataset>\n"]))
    texts: dict[tuple[str, str], list[str]] = {}
    for kind, named_by in NAMES.items():
        for part in ElementTree.parse(path).getroot().iter(kind):
            own = texts.setdefault((kind, part.get(named_by, "")), [])
            own += ((segment.text or "").strip() for segment in part.iter("seg"))
    return path, texts


@pytest.mark.parametrize("references", [["A"], ["B"], ["A", "B"]])
def test_references_and_outputs_are_chosen_by_name(tmp_path: Path, references: list[str]) -> None:
    path, texts = drawn(tmp_path)
    for system in ("Online-A", "Online-B"):
        fields = ",".join([*(f"ref=ref-{name}" for name in references), f"hyp=hyp-{system}"])
        score = fm.score_files(references=path, hypotheses=path, fields=fields, metric="chrf")
        hypotheses = texts["hyp", system]
        against = zip(*(texts["ref", name] for name in references), strict=True)
        expected = fm.score(hypotheses, [list(each) for each in against], metric="chrf").score
        assert score.score == pytest.approx(expected, rel=1e-12)
    shown = fstmetrics("score", path, "--fields", "ref=ref-A,hyp=hyp-Online-A", "--by", "domain").out
    assert "\nnews        3 " in shown
    assert "\nsocial      3 " in shown
    compared = fstmetrics(
        "compare",
        "--ref",
        path,
        path,
        "--fields",
        "ref=ref-A,hyp=hyp-Online-A,hyp=hyp-Online-B",
        "--samples",
        9,
    )
    assert compared.status == 0
    out = tmp_path / "out.jsonl"
    assert fstmetrics("score", path, "--fields", "ref=ref-A,hyp=hyp-Online-A", "--output", out).status == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [record["id"] for record in records][2:4] == ["talk.1:3", "b&b:1"]


def test_what_is_not_named_is_refused_with_the_names(tmp_path: Path) -> None:
    path, _ = drawn(tmp_path)
    outcome = fstmetrics("score", path, "--fields", "ref=ref-A")
    assert outcome.status == 2
    assert "--fields hyp=COLUMN" in outcome.err
    assert "ref-A, ref-B, hyp-Online-A, hyp-Online-B" in outcome.err


def sgml(kind: str, name: str, lines: list[str]) -> str:
    segments = "".join(f'<seg id="{number}">{line}</seg>\n' for number, line in enumerate(lines, 1))
    doc = f'<DOC sysid="{name}" docid="d1" genre="news">\n<p>\n{segments}</p>\n</DOC>\n'
    return f'<!DOCTYPE mteval>\n<{kind} setid="s" srclang="any" trglang="de">\n{doc}</{kind}>\n'


def test_sgml_is_read_as_sacrebleu_reads_it(tmp_path: Path) -> None:
    base = pytest.importorskip("sacrebleu.dataset.base")
    draw = random.Random(9)
    sides = [[" ".join(draw.choices(["a", "b", "c", "d", "ü"], k=5)) for _ in range(20)] for _ in range(2)]
    paths = []
    for kind, name, lines in zip(("refset", "tstset"), ("ref", "Online-A"), sides, strict=True):
        paths.append(written(tmp_path / f"{kind}.sgm", sgml(kind, name, lines)))
        plain = [base.Dataset._clean(line) for line in lines]
        assert plain == lines
    score = fm.score_files(references=paths[0], hypotheses=paths[1], metric="bleu")
    assert score.score == pytest.approx(fm.score(sides[1], sides[0], metric="bleu").score, rel=1e-12)
    assert fstmetrics("score", *paths, "--fields", "ref=ref-ref").status == 0
    by_order = written(tmp_path / "hyp.txt", "\n".join(sides[1]) + "\n")
    assert (
        fm.score_files(references=paths[0], hypotheses=by_order, metric="bleu", fields="id=").score
        == score.score
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "<refset>\n<doc docid='d'>\n<seg id='1'>a\n</doc>",
            ":4: <seg> in line 3 is not closed before </doc>",
        ),
        ("<refset>\n<doc docid='d'>\n<seg>a</seg>", ":3: a <seg> has to have an id"),
        ("<refset>\n<seg id='1'>a</seg>", ":2: a <seg> has to have an id, and to be in a <doc>"),
        ("<dataset>\n<doc id='d'>\n<seg id='1'>a</seg>", "and in <src>, <ref>, <hyp>"),
        ("<refset>\n<doc>\n<seg id='1'>a</seg>", ":3: a <doc> without an id"),
        (
            "<refset>\n<doc docid='d'>\n<seg id='1'>a</seg><seg id='1'>b</seg>",
            "segment 1 of d is there twice in ref",
        ),
        (
            "<refset>\n<doc docid='d'>\n<seg id='1'>a</seg>",
            "<doc> is not closed at the end: is the file cut off?",
        ),
        ("<refset>\n<doc docid='d'></refset>", ":2: </refset> closes nothing that is open: expected </doc>"),
        ("<refset></refset>", "holds no segment"),
        ("<refset>\n<!-- </refset>", ":2: a comment is not closed"),
        ("<refset>" * 60, "elements nest 51 deep; the limit is 50"),
        ("<dataset><![CDATA[a]]></dataset>", "has CDATA or entities of its own"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path / "a.xml", content)
    outcome = fstmetrics("score", path, path)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    with pytest.raises(FstmetricsError):
        fm.score_files(references=path, hypotheses=path)


def test_a_segment_that_closes_itself_is_empty(tmp_path: Path) -> None:
    path = written(
        tmp_path / "set.xml",
        '<dataset><doc id="d"><ref lang="de"><seg id="1">a b</seg><seg id="2">c</seg></ref>'
        '<hyp system="S"><seg id="1">a b</seg><seg id="2"/></hyp><hyp system="none"/></doc></dataset>\n',
    )
    found = fstmetrics("score", path, "--json").summary
    assert (found["items"], found["deletions"], found["path_length"]) == (2, 1, 3)


@pytest.mark.parametrize("markup", ["<b>", "</b>", "<br/>", "<?pi x?>", '<hi rend="x">'])
def test_elements_within_a_segment_are_refused(tmp_path: Path, markup: str) -> None:
    lines = ["<dataset><doc id='d'><ref>", f"<seg id='1'>a\n{markup} b", "</seg></ref></doc></dataset>\n"]
    path = written(tmp_path / "set.xml", "\n".join(lines))
    outcome = fstmetrics("score", path, path)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert f":3: {markup} is an element within segment 1 of d" in outcome.err


@pytest.mark.parametrize("is_upper", [False, True])
@pytest.mark.parametrize("quotes", ['"', "'", ""])
def test_older_sgml_has_capitals_and_no_quotes(is_upper: bool, quotes: str, tmp_path: Path) -> None:
    def side(kind: str, name: str, lines: list[str]) -> str:
        text = sgml(kind, name, lines).replace('"', quotes)
        if not is_upper:
            return text
        tags = re.compile(r"<[^<>]*>")
        upper = tags.sub(
            lambda tag: re.sub(r"(\w+)(?==)|^<[/!]?\w+", lambda name: name[0].upper(), tag[0]), text
        )
        assert "<SEG ID=" in upper
        return upper

    ref = written(tmp_path / "r.sgm", side("refset", "ref", ["the cat sat", "a dog"]))
    hyp = written(tmp_path / "h.sgm", side("tstset", "sys", ["the cat", "a dog"]))
    found = fstmetrics("score", ref, hyp, "--json").summary
    assert (found["items"], found["edits"], found["path_length"]) == (2, 1, 5)
    assert found["settings"]["pairing"]["ids"] == {str(ref): "file", str(hyp): "file"}
    assert fstmetrics("score", ref, hyp, "--output", "-").records[0]["id"] == "d1:1"


@pytest.mark.parametrize("name", ["a.sgm", "a.txt"])
@pytest.mark.parametrize("quote", ['"', ""])
def test_documents_of_no_set_are_refused(name: str, quote: str, tmp_path: Path) -> None:
    lines = [
        "<DOC docid=@d1@ sysid=@ref@>",
        "<SEG id=@1@>the cat sat</SEG>",
        "<SEG id=@2@>a dog</SEG>",
        "</DOC>",
    ]
    path = written(tmp_path / name, "".join(f"{line}\n" for line in lines).replace("@", quote))
    outcome = fstmetrics("score", path, path)
    assert outcome.status == 2
    assert "XML" in outcome.err
