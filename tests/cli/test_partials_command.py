"""The command `partials`: the same numbers as the call, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written
from error_cases import content, error_cases, label

import fstmetrics as fm

CASES = error_cases("partials")
FOLDER = EXAMPLES / "streaming"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in CASES["files"].items():
        written(tmp_path / name, text)
    return tmp_path


@pytest.mark.parametrize("case", CASES["case"], ids=label)
def test_what_is_refused(case: dict[str, str], here: Path) -> None:
    if "file" in case:
        written(here / case["file"], content(case))
    outcome = fstmetrics(*case["command"].split())
    assert case["message"] in outcome.err
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)


def test_numbers_of_the_example() -> None:
    """Five of 15 words that were shown did not stay, `their` for a while among them."""
    arguments = (FOLDER / "partials.jsonl", FOLDER / "words.ctm")
    outcome = fstmetrics("partials", str(arguments[0]), "--ref", str(arguments[1]), "--json")
    found = json.loads(outcome.out)
    assert found == fm.partials_files(arguments[0], ref=arguments[1]).summary()
    changed = ["there", "see", "writing", "fine", "their"]
    assert found["unstable_word_ratio"] == len(changed) / (10 + len(changed))
    assert (found["utterances"], found["words"], found["matched_words"]) == (2, 10, 10)
    # They stay from the final result on.
    assert found["items"][1]["delays"][2] == pytest.approx(2.6 - 1.05)
    assert found["latency_p50"] <= found["latency_p90"]


def test_utterances_may_alternate_and_come_through_a_pipe(here: Path) -> None:
    lines = [
        {"id": "u", "time": 1, "text": "a"},
        {"id": 2, "time": 0.5, "text": "b", "final": False},
        {"id": "u", "time": 1, "text": "a b", "final": True},
        {"id": 2, "time": 3, "text": "b", "final": True},
    ]
    text = "\ufeff" + "\r\n\r\n".join(map(json.dumps, lines))
    found = json.loads(fstmetrics("partials", "-", "--json", stdin=text.encode()).out)
    assert [item["id"] for item in found["items"]] == ["u", "2"]
    assert (found["edit_overhead"], found["unneeded_edits"]) == (1 / 3, 0)


def test_times_in_another_unit_are_remarked_on(here: Path) -> None:
    lines = [
        json.dumps({"id": "u", "time": time, "text": "a b", "final": time in (1.5, 1500)})
        for time in (0.9, 1.5)
    ]
    seconds = written(here / "p.jsonl", "\n".join(lines))
    later = written(here / "m.jsonl", "\n".join(lines).replace("0.9", "900").replace("1.5", "1500"))
    words = written(here / "r.ctm", "u 1 0 0.5 a\nu 1 0.5 0.6 b\n")
    remark = "the last results come at 1500 seconds on average, and the words of the references end at 1.1; are the"
    assert remark in fstmetrics("partials", later, "--ref", words).out
    assert fm.partials_files(later, ref=words).summary()["remarks"][0].startswith(remark)
    assert "are the times" not in fstmetrics("partials", seconds, "--ref", words).out
    assert "are the times" not in fstmetrics("partials", later).out


def test_an_utterance_with_several_channels(here: Path) -> None:
    """What the message advises is done."""
    lines = [json.dumps({"id": "u", "time": 1.0, "text": "the sea", "final": True})]
    results = written(here / "p.jsonl", "\n".join(lines))
    words = "".join(f"u {channel} 0.1 0.2 the\nu {channel} 0.4 0.2 sea\n" for channel in (1, 2))
    refused = fstmetrics("partials", results, "--ref", written(here / "r.ctm", words))
    assert "r.ctm: 'u' has several channels there, and the partial results do not say which" in refused.err
    assert "call the utterance 'u_1' there, or keep the words of one channel" in refused.err
    first = "".join(words.splitlines(keepends=True)[:2])
    for channel in ("1", "2", "A", "B"):  # of one channel alone nothing is asked, whatever it is called
        one = written(here / "one.ctm", first.replace("u 1 ", f"u {channel} "))
        assert fstmetrics("partials", results, "--ref", one).status == 0
        assert "1 utterance" in fstmetrics("partials", results, "--ref", one).out


@pytest.mark.parametrize(("text", "unit"), [("我们今天去看海", "mixed"), ("วันนี้เราไป", "char-no-space")])
def test_texts_without_spaces_are_remarked_on_and_cut_by_a_unit(text: str, unit: str, here: Path) -> None:
    """Each result is the one before and one character more: nothing that was shown changes."""
    shown = [
        {"id": "u", "time": place / 2, "text": text[:place], "final": place == len(text)}
        for place in range(1, len(text) + 1)
    ]
    results = written(here / "p.jsonl", "".join(f"{json.dumps(each)}\n" for each in shown))
    words = written(
        here / "r.ctm", "".join(f"u 1 {place / 2} 0.25 {sign}\n" for place, sign in enumerate(text))
    )
    said = "no spaces part the words of most texts"
    found = fstmetrics("partials", results, "--ref", words, "--json").summary
    assert said in "".join(found["remarks"])
    assert "--unit char-no-space, or mixed for Han" in "".join(found["remarks"])
    alone = fstmetrics("partials", results, "--json").summary["remarks"]
    assert any(said in remark for remark in alone)
    asked = fstmetrics("partials", results, "--ref", words, "--unit", unit, "--json").summary
    assert (asked["unstable_word_ratio"], asked["unneeded_edits"], asked["latency"]) == (0, 0, 0.25)
    assert (asked["words"], asked["matched_words"], "remarks" in asked) == (len(text), len(text), False)
    assert f"|unit:{unit}|" in asked["signature"]
    spaced = written(
        here / "s.jsonl",
        "".join(f"{json.dumps({**each, 'text': ' '.join(each['text'])})}\n" for each in shown),
    )
    assert said not in fstmetrics("partials", spaced).out


def streamed(here: Path, text: str, said: str, end: str = "") -> tuple[Path, Path]:
    """The results of an utterance, a word more each, and a ctm of what was said."""
    words = text.split()
    rows = [
        {"id": "u", "time": n + 0.9, "text": " ".join(words[: n + 1]) + end, "final": n + 1 == len(words)}
        for n in range(len(words))
    ]
    times = [f"u 1 {n} 0.4 {word}\n" for n, word in enumerate(said.split())]
    return (
        written(here / "p.jsonl", "".join(json.dumps(row) + "\n" for row in rows)),
        written(here / "r.ctm", "".join(times)),
    )


SAID = "so good morning everybody we are going to talk about the letters today"
# What results and references say, the remark, and the options that are right.
UNLIKE = {
    "case": (SAID.upper(), SAID, "", "most substitutions are of case: 13, and 0 with {}", "--lowercase"),
    "punctuation": (
        SAID.replace(" ", ", "), SAID, ".", "most errors are of punctuation: 13, and 0 with {}",
        "--remove-punctuation",
    ),
    "both": (
        SAID.upper().replace(" ", ", "), SAID, ".", "most errors are of case and punctuation: 13, and 0 with {}",
        "--lowercase --remove-punctuation",
    ),
    "accents": (
        "caf\xe9 noir", "cafe\u0301 noir", "",
        "r.ctm has accents apart from their letters (NFD), and p.jsonl has none: {} writes all alike",
        "--normalise-unicode nfc",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNLIKE)
def test_words_that_are_written_otherwise_are_remarked_on_as_by_score(name: str, here: Path) -> None:
    text, said, end, remark, options = UNLIKE[name]
    streamed(here, text, said, end)
    call = ("partials", "p.jsonl", "--ref", "r.ctm")
    found = fstmetrics(*call)
    assert remark.format(options) in found.out
    assert fstmetrics(*call, "--json").summary["remarks"][0].endswith(remark.format(options))
    right = fstmetrics(*call, *options.split(), "--json").summary
    assert ("remarks" in right, right["matched_words"], right["latency"]) == (
        False,
        right["words"],
        pytest.approx(0.5),
    )
    assert remark[:20] not in fstmetrics("partials", "p.jsonl").out


def test_words_that_are_others_are_not_remarked_on(here: Path) -> None:
    streamed(here, SAID, " ".join(f"w{n}" for n in range(13)))
    assert "remarks" not in fstmetrics("partials", "p.jsonl", "--ref", "r.ctm", "--json").summary
    streamed(here, f"{SAID}.", SAID)  # a sentence that ends
    assert "remarks" not in fstmetrics("partials", "p.jsonl", "--ref", "r.ctm", "--json").summary
