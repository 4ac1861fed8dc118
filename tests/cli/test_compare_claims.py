"""What `compare` and `score` claim of numbers: axes of pictures, sacrebleu's signature, sclite's counts, few items."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written

import fstmetrics as fm
from fstmetrics.commands.compare import gain_title
from fstmetrics.metrics.bleu import BLEU
from fstmetrics.metrics.wer import WER
from fstmetrics.reports import plots

REFERENCES = "the cat sat on the mat\na dog barked at the moon\nwe are late again today\n"
BETTER = "the cat sat on the mat\na dog barked at the moon\nwe were late again today\n"
WORSE = "the cat sat on a mat\na dog barked to the moon\nwe were late again today\n"
MARK = b"\xef\xbb\xbf"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("ref.txt", REFERENCES), ("better.txt", BETTER), ("worse.txt", WORSE)):
        written(tmp_path / name, text)
    return tmp_path


@pytest.mark.parametrize("metric", ["wer", "bleu", "grr", "ter"])
def test_the_axis_of_a_picture_is_of_what_is_drawn(
    metric: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(plots, "null_plot", lambda found, path, title: drawn.append((found, title)))
    arguments = (
        "compare",
        "--ref",
        "ref.txt",
        "worse.txt",
        "better.txt",
        "--metric",
        metric,
        "--samples",
        50,
    )
    scores = {
        system: found[metric]["score"]
        for system, found in fstmetrics(*arguments, "--json").summary["systems"].items()
    }
    assert fstmetrics(*arguments, "--plot", "x.png").status == 0
    ((found, title),) = drawn
    minuend, subtrahend = title.partition(":")[0].removeprefix(f"{metric} of ").split(f" minus {metric} of ")
    assert title.endswith("where positive, better is better")
    for distribution in found[1:]:
        assert distribution.line == pytest.approx(scores[minuend] - scores[subtrahend])
        assert distribution.line > 0


def test_titles_of_both_directions() -> None:
    assert gain_title("wer", WER(), "a", "b") == "wer of a minus wer of b: where positive, b is better"
    assert gain_title("bleu", BLEU(), "a", "b") == "bleu of b minus bleu of a: where positive, b is better"


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize("marked", ["ref.txt", "better.txt"])
def test_a_dropped_byte_order_mark_is_told_and_nothing_claimed(metric: str, marked: str, here: Path) -> None:
    """sacrebleu reads the mark as a part of the first word."""
    scored = ("score", "ref.txt", "better.txt", "--metric", metric)
    compared = ("compare", "--ref", "ref.txt", "worse.txt", "better.txt", "--metric", metric, "--samples", 50)
    for arguments in (scored, compared):
        plain = fstmetrics(*arguments).out
        assert "sacrebleu: " in plain
        assert "byte order mark" not in plain
    written(here / marked, MARK + (here / marked).read_bytes())
    for arguments in (scored, compared):
        out = fstmetrics(*arguments).out
        assert "sacrebleu: " not in out
        assert f"{marked}: begins with a byte order mark, which is left out" in out
    summary = fstmetrics(*scored, "--json").summary
    assert "sacrebleu_signature" not in summary
    assert any("byte order mark" in remark for remark in summary["remarks"])
    summary = fstmetrics(*compared, "--json").summary
    assert summary["settings"]["sacrebleu_signatures"] == {}
    assert any("byte order mark" in remark for remark in summary["remarks"])


def test_shards_remember_a_byte_order_mark(here: Path) -> None:
    written(here / "ref.txt", MARK + REFERENCES.encode())
    for n in (1, 2):
        assert fstmetrics(
            "compare", "--ref", "ref.txt", "worse.txt", "better.txt", "--metric", "bleu", "--samples", 50, "--shard",
            f"{n}/2", "--output", f"{n}.sums", "--test", "poisson-bootstrap",
        ).status == 0  # fmt: skip
        assert fstmetrics(
            "score", "ref.txt", "better.txt", "--metric", "bleu", "--shard", f"{n}/2", "--output", f"{n}.jsonl"
        ).status == 0  # fmt: skip
    for out in (
        fstmetrics("merge", "1.sums", "2.sums").out,
        fstmetrics("merge", "1.jsonl", "2.jsonl", "--output", "all.jsonl").out,
    ):
        assert "bleu" in out
        assert "sacrebleu: " not in out


@pytest.mark.parametrize("metric", ["wer", "wrr", "bleu"])
@pytest.mark.parametrize("shards", [1, 2, 3])
def test_shards_of_few_items_give_the_same_poisson_resamples(metric: str, shards: int, here: Path) -> None:
    """Those without an item are left out in all shards alike; a shard may have none in one that is kept."""
    arguments = ("compare", "--ref", "ref.txt", "worse.txt", "better.txt", "--metric", metric, "--samples", 400,
                 "--test", "poisson-bootstrap")  # fmt: skip
    for n in range(1, shards + 1):
        fstmetrics(*arguments, "--shard", f"{n}/{shards}", "--output", f"{n}.sums")
    merged = fstmetrics("merge", *(f"{n}.sums" for n in range(1, shards + 1)), "--json").summary
    whole = fstmetrics(*arguments, "--json").summary
    assert merged["systems"] == whole["systems"]
    assert merged["tests"] == whole["tests"]
    best = whole["systems"]["better"][metric]
    items = fm.score(BETTER.splitlines(), REFERENCES.splitlines(), metric)
    if metric != "bleu":
        scores = [item.score for item in items]
        assert min(scores) <= best["low"] <= best["high"] <= max(scores)


OPTIONAL = EXAMPLES / "alternations" / "optional.trn"
HEARD = EXAMPLES / "alternations" / "optional-hyp.trn"


@pytest.mark.parametrize("how", ["word", "correct"])
@pytest.mark.parametrize("test", ["bootstrap", "mapsswe", "mcnemar"])
def test_optional_words_count_in_compare_as_in_score(how: str, test: str) -> None:
    arguments = ("--metric", "sclite", "--optional-words", how, "--json")
    scored = fstmetrics("score", OPTIONAL, HEARD, *arguments).summary
    found = fstmetrics(
        "compare", "--ref", OPTIONAL, HEARD, f"b={HEARD}", *arguments, "--samples", 50, "--test", test
    ).summary
    assert f"|optional-words:{how}|" in found["settings"]["signatures"][0]
    for system in found["systems"].values():
        own = system["sclite"]
        for name in ("score", "substitutions", "deletions", "insertions"):
            assert own[name] == scored[name], name


def test_optional_words_are_refused_where_sclite_has_no_such_number(tmp_path: Path) -> None:
    compared = ("compare", "--ref", OPTIONAL, HEARD, f"b={HEARD}", "--samples", 50)
    for metric in ("sclite", "mean-sclite", "wer,sclite"):
        outcome = fstmetrics(*compared, "--metric", metric)
        assert outcome.status == 2
        assert "in parentheses is not free to be left out under sclite" in outcome.err
        assert "--optional-words word counts as sclite does" in outcome.err
        assert "--optional-words correct as sclite -D" in outcome.err
    assert fstmetrics(*compared, "--metric", "wer").status == 0
    texts = [fm.Transcript.parse("we (uh) met", "sclite"), fm.Transcript.parse("so", "sclite")]
    systems = {"a": ["we met", "so"], "b": ["we uh met", "no"]}
    with pytest.raises(fm.FstmetricsError, match="in parentheses is not free"):
        fm.compare(systems, texts, "sclite", samples=50)
    with pytest.raises(fm.FstmetricsError, match="in parentheses is not free"):
        fm.compare(systems, [[text, "x"] for text in texts], "sclite", samples=50)
    words = fm.Normalisation(optional_words="correct")
    assert (
        fm.compare(systems, texts, "sclite", samples=50, normalisation=words).systems["a"]["sclite"].score
        == 0
    )


def test_missing_scores_are_told(here: Path) -> None:
    lines = [f"{system}\t{score}\n" for system in ("a", "b") for score in (1, "None", 3, 2)]
    written(here / "m.seg.score", "".join(lines))
    outcome = fstmetrics("compare", "--scores", "m=m.seg.score", "--samples", 50)
    assert "m: 1 of 4 items without a score of any system, and left out, of resamples too" in outcome.out
    remarks = fstmetrics("compare", "--scores", "m=m.seg.score", "--samples", 50, "--json").summary["remarks"]
    assert any(remark.startswith("m: 1 of 4 items without a score") for remark in remarks)


def test_a_silent_speaker_has_a_way_out(here: Path) -> None:
    """The advice of the refusal, followed, gives a p."""
    rows = [("ada", "a b c", "a x c"), ("ada", "d e", "d e"), ("bo", "", "um"), ("cy", "f g", "f h")]
    for system, place in (("one", 1), ("two", 2)):
        lines = [
            json.dumps({"id": str(n), "speaker": row[0], "ref": row[1], "hyp": row[place]})
            for n, row in enumerate(rows)
        ]
        written(here / f"{system}.jsonl", "\n".join(lines) + "\n")
    arguments = (
        "compare",
        "one.jsonl",
        "two.jsonl",
        "--fields",
        "ref=ref,hyp=hyp",
        "--metric",
        "wer",
        "--samples",
        200,
    )
    for blocks in ((), ("--blocks", "speaker")):
        refused = fstmetrics(*arguments, *blocks)
        assert refused.status == 2
        assert "without a word in the references" in refused.err
        assert "--test randomization" in refused.err
        for test in ("randomization", "mapsswe", "mcnemar"):
            found = fstmetrics(*arguments, *blocks, "--test", test, "--json").summary
            assert found["tests"][0]["p"] is not None or test == "mapsswe"
            assert found["systems"]["two"]["wer"]["low"] is None
            assert any("no interval" in remark for remark in found["remarks"])
    for test in ("sign", "wilcoxon"):
        assert (
            0
            < fstmetrics(*arguments, "--blocks", "speaker", "--test", test, "--json").summary["tests"][0]["p"]
            <= 1
        )


def test_means_over_different_items_are_told(here: Path) -> None:
    """Of an empty reference the one system says something, which no mean can have, and the other nothing."""
    written(here / "ref", "u1\nu2 a b\nu3 c d\nu4 e f\n")
    written(here / "says", "u1 thanks\nu2 a b\nu3 c x\nu4 e f\n")
    written(here / "silent", "u1\nu2 a b\nu3 c x\nu4 e f\n")
    command = ("compare", "--ref", "ref", "says", "silent", "--samples", 50, "--metric")
    told = [line for line in fstmetrics(*command, "mean-wer").out.splitlines() if "finite score" in line]
    assert len(told) == 1
    assert told[0].startswith("mean-wer: 1 item without a finite score of says")
    assert "finite score" not in fstmetrics(*command, "wer").out
    written(here / "says", "u1\nu2 a b\nu3 c d\nu4 e f\n")
    assert "finite score" not in fstmetrics(*command, "mean-wer").out
