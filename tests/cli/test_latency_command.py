"""The command `latency`: the numbers of OmniSTEval's example, logs of all kinds, and what is refused."""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, fstmetrics, written
from error_cases import content, error_cases, label
from long_form import FOLDER, OMNISTEVAL, resegmented, scores

import fstmetrics as fm
from fstmetrics.support.errors import FstmetricsError

CASES = error_cases("streaming")
TALKS = EXAMPLES / "streaming"
# What OmniSTEval calls its measures, and their names here.
NAMES = {
    f"Long{measure.upper()} ({kind.upper()})": measure + ending
    for measure in ("yaal", "al", "laal", "ap", "dal")
    for kind, ending in (("cu", ""), ("ca", "_ca"))
} | {"BLEU": "bleu", "chrF": "chrf"}
LONG = ("--segments", "talks.yaml", "--ref", "ref.txt")


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
    before = sorted(here.iterdir())
    outcome = fstmetrics(*case["command"].split())
    assert outcome.err.startswith("fstmetrics: "), outcome.err
    assert case["message"] in outcome.err
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert sorted(here.iterdir()) == before


def summary(*arguments: object) -> dict[str, Any]:
    """What the command prints with --json."""
    outcome = fstmetrics("latency", *map(str, arguments), "--json")
    assert outcome.status == 0, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    return found


@OMNISTEVAL
def test_numbers_of_a_resegmented_file() -> None:
    found = summary(FOLDER / "speech.expected.resegmented.jsonl.gz")
    assert {name: round(found[NAMES[name]], 4) for name in NAMES} == scores("speech")
    assert (found["form"], found["segments"], found["documents"]) == ("long", 468, 5)
    for name in NAMES.values():
        low, high = found["intervals"][name]
        assert low < found[name] < high


@OMNISTEVAL
def test_numbers_after_our_own_segments() -> None:
    found = summary(
        FOLDER / "speech.instances.log.gz", "--segments", FOLDER / "speech.ref_segments.yaml.gz",
        "--ref", FOLDER / "speech.references.txt.gz", "--samples", 0,
    )  # fmt: skip
    for name, value in scores("speech").items():
        assert math.isclose(found[NAMES[name]], value, rel_tol=0.0005), name


@OMNISTEVAL
@pytest.mark.skipif(find_spec("sacremoses") is None, reason="needs sacremoses")
def test_numbers_and_segments_after_german_rules(tmp_path: Path) -> None:
    found = fm.latency_files(
        FOLDER / "speech.instances.log.gz", segments=FOLDER / "speech.ref_segments.yaml.gz",
        ref=FOLDER / "speech.references.txt.gz", samples=0, language="de", output=tmp_path / "cut.jsonl",
    ).summary()  # fmt: skip
    assert {name: round(found[NAMES[name]], 4) for name in NAMES} == scores("speech")
    ours = [json.loads(line) for line in (tmp_path / "cut.jsonl").read_text(encoding="utf-8").splitlines()]
    for one, other in zip(ours, resegmented("speech"), strict=True):
        same = (
            "prediction",
            "reference",
            "source_length",
            "emission_cu",
            "emission_ca",
            "time_to_recording_end",
        )
        assert [one.get(name) for name in same] == [other.get(name) for name in same]


def test_segments_that_are_written_have_the_same_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(TALKS)
    cut = tmp_path / "cut.jsonl"
    one, other = summary("a.log", *LONG, "--output", cut), summary(cut)
    assert {name: one[name] for name in NAMES.values()} == {name: other[name] for name in NAMES.values()}
    assert one["intervals"] == other["intervals"]


def test_elapsed_counts_the_time_of_a_word_alone(here: Path) -> None:
    """Of long recordings of SimulEval; as it stands if that is asked for, and of segments."""
    options = ("--segments", "one.yaml", "--ref", "one.txt", "--metric", "none")
    written(here / "one.yaml", "- {duration: 3.0, offset: 0, wav: x.wav}\n")
    total, own = summary("good.log", *options), summary("good.log", *options, "--elapsed", "own")
    assert (own["ap_ca"], total["ap_ca"]) == (8400 / 6000, (1100 + 1500 + 2500 + 3000) / 6000)
    short = summary("good.log", "--metric", "none")
    assert (short["ap_ca"], short["form"]) == (8400 / 12000, "short")


@pytest.mark.parametrize("tokens", ["pieces", "words"])
def test_the_log_of_simulstream(tokens: str, here: Path) -> None:
    """What is deleted is gone; a word came with its last piece, or when it lost one."""
    steps = {
        "pieces": [
            (1, 0.5, ["▁a", "▁b"], []),
            (2, 0.25, ["c", "▁x", "y"], []),
            (3, 0.0, ["▁d"], ["y"]),
            (3, 0.5, [], []),
        ],
        "words": [
            (1, 0.5, ["a"], []),
            (2, 0.25, ["bc", "z"], []),
            (3, 0.0, ["x", "d"], ["z"]),
            (3, 0.5, [], []),
        ],
    }[tokens]
    lines = [{"model_loading_time": 3.5}, {"id": 7, "metadata": {"wav_name": "x.wav"}}]
    fields = ("total_audio_processed", "computation_time", "generated_tokens", "deleted_tokens")
    lines += [{"id": 7, **dict(zip(fields, step, strict=True))} for step in steps]
    written(here / "stream.log", "".join(json.dumps(line) + "\n" for line in lines))
    written(here / "x.yaml", "- wav: '/data/x.wav'\n  offset: 0.5\n  duration: 2 # seconds\n")
    written(here / "x.txt", "a bc x d\n")
    fm.latency_files("stream.log", segments="x.yaml", ref="x.txt", metric="none", output="x.jsonl")
    found = json.loads(Path("x.jsonl").read_text())
    assert found["prediction"] == "a bc x d"
    assert found["emission_cu"] == [500, 1500, 2500, 2500]
    assert found["emission_ca"] == [1000, 1750, 2500, 2500]
    assert (found["source_length"], found["time_to_recording_end"]) == (2000, 2500)


@pytest.mark.parametrize(
    "text",
    [
        "# talks\n---\n- {wav: sea.wav, offset: 0.5, duration: 3.0}\n\n"
        "- {duration: 3.5, offset: 4.0,\n   wav: 'sea.wav'}\r\n",
        '- wav: "sea.wav"\n  offset: 0.5\n  duration: 3\n  speaker_id: NA\n'
        "-   wav: sea.wav\n    offset: 4\n    duration: 3.5\n",
        '[{"wav": "sea.wav", "offset": 0.5, "duration": 3},\n {"wav": "sea.wav", "offset": 4, "duration": 3.5}]',
    ],
)
def test_forms_of_segments(text: str, here: Path) -> None:
    from fstmetrics.io.stream_logs import read_segments

    path = here / "s.yaml"
    path.write_text(text, newline="")
    found = [(segment.recording, segment.offset, segment.duration) for segment in read_segments(str(path))]
    assert found == [("sea", 500, 3000), ("sea", 4000, 3500)]


def test_characters_have_delays(here: Path) -> None:
    written(
        here / "zh.log",
        '{"prediction": "你好 吗", "delays": [1, 2, 3], "source_length": 3, "reference": "你好吗"}',
    )
    found = summary("zh.log", "--unit", "char", "--metric", "chrf")
    assert (found["al"], found["chrf"]) == (1.0, 100.0)


def test_words_of_characters_need_a_tokenizer(here: Path) -> None:
    row = '{"prediction": "今天天气", "delays": [1, 2, 3, 3], "source_length": 3, "reference": "今天天气好"}'
    written(here / "zh.log", row)
    said = "--unit char does not say what the words are that bleu counts: --tokenize zh, "
    bare = fstmetrics("latency", "zh.log", "--unit", "char")
    assert (bare.status, f"no bleu: {said}" in bare.out) == (0, True)
    found = summary("zh.log", "--unit", "char")
    assert ("bleu" in found, found["chrf"] > 50) == (False, True)
    asked = fstmetrics("latency", "zh.log", "--unit", "char", "--metric", "chrf,bleu")
    assert (asked.status, said in asked.err) == (2, True)
    cut = summary("zh.log", "--unit", "char", "--tokenize", "zh")
    assert cut["bleu"] == pytest.approx(77.88, abs=0.01)
    for metric in ("wer", "ter", "mean-ter", "mer", "cer,wer"):
        refused = fstmetrics("latency", "zh.log", "--unit", "char", "--metric", metric)
        assert (refused.status, "what the words are that" in refused.err, "; cer" in refused.err) == (
            2,
            True,
            True,
        )
    found = summary("zh.log", "--unit", "char", "--metric", "wer,ter,chrf", "--tokenize", "char")
    assert [found[name] for name in ("wer", "ter")] == [0.2, 20.0]
    assert summary("zh.log", "--unit", "char", "--metric", "cer,chrf++")["cer"] == 0.2


def test_spaces_that_outputs_of_characters_have_not_do_not_count(here: Path) -> None:
    row = {"prediction": "so it is", "delays": [1] * 6, "source_length": 3, "reference": "so it is"}
    written(here / "spaced.log", json.dumps(row))
    for metric in ("cer", "chrf++", "wer"):
        assert fstmetrics("latency", "spaced.log", "--unit", "char", "--metric", metric).status == 2
    assert summary("spaced.log", "--unit", "char", "--metric", "chrf")["chrf"] == 100
    written(here / "bare.log", json.dumps({**row, "reference": "soitis"}))
    assert summary("bare.log", "--unit", "char", "--metric", "cer")["cer"] == 0


def test_several_systems(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(TALKS)
    found = summary("one=a.log", "b.log", *LONG, "--plot", tmp_path / "p.svg", "--metric", "wer,bleu")
    alone = summary("b.log", *LONG, "--metric", "wer,bleu")
    assert [system["system"] for system in found["systems"]] == ["one", "b"]
    assert found["systems"][1] == {name: alone[name] for name in found["systems"][1]}
    assert (
        "YAAL" in (tmp_path / "p.svg").read_text(encoding="utf-8")
        or (tmp_path / "p.svg").stat().st_size > 1000
    )
    assert alone["wer"] > 0


def test_standard_input_and_gzip(here: Path) -> None:
    text = (here / "good.log").read_bytes()
    (here / "good.log.gz").write_bytes(gzip.compress(text))
    known = summary("good.log")
    assert summary("good.log.gz") == known
    outcome = fstmetrics("latency", "-", "--json", stdin=text)
    assert json.loads(outcome.out) | {"system": "good"} == known


def test_a_log_whose_elapsed_are_all_zero_has_no_time_of_computing(here: Path) -> None:
    """As SimulEval writes of a source that is text."""
    lines = [json.loads((here / "good.log").read_text()) | {"index": n, "elapsed": [0] * 4} for n in range(2)]
    written(here / "zero.log", "".join(json.dumps(line) + "\n" for line in lines))
    found = summary("zero.log")
    assert (found["al"], found["al_ca"]) == (summary("good.log")["al"], None)


def test_a_segment_without_words_has_no_latency(here: Path) -> None:
    lines = [
        json.loads((here / "good.log").read_text()),
        {"index": 1, "prediction": "", "delays": [], "elapsed": []},
    ]
    lines[1] |= {"source_length": 500, "reference": "e"}
    written(here / "two.log", "".join(json.dumps(line) + "\n" for line in lines))
    one, two = summary("good.log"), summary("two.log")
    assert [two[name] for name in ("al", "dal", "ap_ca")] == [one[name] for name in ("al", "dal", "ap_ca")]
    assert "1 segment has no word, and no latency" in two["remarks"][0]


def test_python_refuses_what_the_command_refuses(here: Path) -> None:
    with pytest.raises(FstmetricsError, match="cannot be read"):
        fm.latency_files("nothing.log")
    with pytest.raises(TypeError, match="no option 'segment'; did you mean segments"):
        fm.latency_files("good.log", segment="two.yaml")


@pytest.mark.parametrize("kind", ["instances", "segments"])
def test_instances_are_taken_in_the_order_of_their_index(kind: str, here: Path) -> None:
    words = ["a b c d", "e f g h", "i j k l", "m n"]
    lines = []
    for index, text in enumerate(words):
        delays = [100 * (index + 1) * (n + 1) for n in range(len(text.split()))]
        line: dict[str, Any] = {"index": index, "prediction": text, "source_length": 900 + index}
        if kind == "instances":
            lines.append(line | {"delays": delays})
        else:
            more = {"docid": index, "reference": text, "emission_cu": delays, "time_to_recording_end": 2000}
            lines.append(line | more)
    written(here / "r.txt", "\n".join(words) + "\n")
    options = ("--ref", "r.txt") if kind == "instances" else ()
    found = []
    for order in (lines, [lines[number] for number in (3, 1, 0, 2)]):
        written(here / "x.log", "".join(json.dumps(line) + "\n" for line in order))
        found.append(summary("x.log", *options, "--samples", 0, "--output", "x.jsonl"))
        found[-1]["lines"] = (here / "x.jsonl").read_text()
    assert found[0] == found[1]
    assert found[0]["bleu"] > 99
    # Without an index they stand in their order.
    written(here / "x.log", "".join(json.dumps(line) + "\n" for line in order if line.pop("index") >= 0))
    bare = summary("x.log", *options, "--samples", 0)
    assert (bare["bleu"] < 50) == (kind == "instances")


def test_first_words_that_look_like_ids_are_words_if_that_is_said(here: Path) -> None:
    written(here / "ids.txt", "1st a\n2nd c\n")
    outcome = fstmetrics("latency", "good.log", "--segments", "two.yaml", "--ref", "ids.txt")
    assert (outcome.status, "--ref-format plain" in outcome.err) == (2, True), outcome
    assert (
        summary("good.log", "--segments", "two.yaml", "--ref", "ids.txt", "--ref-format", "plain")["bleu"]
        >= 0
    )


def without_sacrebleu(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command where it is not installed."""
    hidden = "import sys; sys.modules |= dict.fromkeys(['sacrebleu', 'sacrebleu.metrics.bleu']); "
    code = f"{hidden}from fstmetrics.__main__ import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def test_without_sacrebleu_there_is_no_bleu_but_a_remark(here: Path) -> None:
    text = "the cat sat on the mat"
    line = {
        "prediction": text,
        "delays": [1, 2, 3, 4, 5, 6],
        "source_length": 6,
        "reference": f"{text} today",
    }
    written(here / "x.log", json.dumps(line) + "\n")
    wanted = fstmetrics("latency", "x.log", "--json").summary
    found = json.loads(without_sacrebleu("latency", "x.log", "--json").stdout)
    (remark,) = [each for each in found["remarks"] if each not in wanted["remarks"]]
    assert "needs sacrebleu, which is not installed: pip install 'fstmetrics[mt]'" in remark
    assert wanted.pop("bleu") > 0
    others = ("remarks", "signature")
    assert {name: found[name] for name in found if name not in others} == {
        name: wanted[name] for name in wanted if name not in others
    }
    for asked in (("--metric", "bleu,chrf"), ("--tokenize", "13a")):
        outcome = without_sacrebleu("latency", "x.log", *asked)
        lines = outcome.stderr.splitlines()
        assert (outcome.returncode, outcome.stdout, len(lines)) == (2, "", 1), outcome
        assert "needs sacrebleu" in lines[0]


def test_delays_in_another_unit_are_remarked_on(tmp_path: Path) -> None:
    said = "all words of every segment come in the first 10th of its source"
    for delays, is_said in (
        ("[0.5, 1]", True),
        ("[500, 1000]", False),
        ("[50, 100]", False),
        ("[50, 99]", True),
    ):
        log = tmp_path / "o.log"
        log.write_text(
            f'{{"prediction": "a b", "delays": {delays}, "source_length": 1000, "reference": "a b"}}\n'
        )
        assert (said in fstmetrics("latency", str(log)).out) == is_said


def test_references_beside_those_of_the_log_may_be_others_in_its_order(here: Path) -> None:
    instances = [
        {"prediction": text, "delays": [1, 2], "source_length": 3, "reference": text}
        for text in ("a b", "c d")
    ]
    written(here / "x.log", "".join(json.dumps(each) + "\n" for each in instances))
    assert summary("x.log")["chrf"] == summary("x.log", "--ref", "ref.txt")["chrf"] == 100
    written(here / "other.txt", "a b\nd c\n")
    assert summary("x.log", "--ref", "other.txt")["chrf"] < 100


@pytest.mark.parametrize("unit", ["word", "char"])
@pytest.mark.parametrize(("lines", "is_refused"), [
    ([1, 0, 2], True), ([2, 1, 0], True), ([0, 2, 1], True), ([0, 1, 2], False),
])  # fmt: skip
def test_lines_of_references_in_another_order_than_the_segments_are_refused(
    lines: list[int], is_refused: bool, unit: str, here: Path
) -> None:
    texts = ["A b, c!", "d e f", "g h"]
    own = {"x.wav": "a b c d e f", "y.wav": "g h"}
    instances = [
        {
            "prediction": text, "delays": [100 * n for n in range(len(text.split()))], "source_length": 2000,
            "reference": text, "source": [name], "index": number,
        }
        for number, (name, text) in enumerate(own.items())
    ]  # fmt: skip
    written(here / "x.log", "".join(json.dumps(each) + "\n" for each in instances))
    places = [("x.wav", 0), ("x.wav", 1), ("y.wav", 0)]
    written(here / "x.yaml", "".join(f"- {{wav: {w}, offset: {at}, duration: 1}}\n" for w, at in places))
    written(here / "x.txt", "".join(f"{texts[line]}\n" for line in lines))
    outcome = fstmetrics("latency", "x.log", "--segments", "x.yaml", "--ref", "x.txt", "--unit", unit)
    assert outcome.status == (2 if is_refused else 0), outcome.err
    assert ("put the lines of --ref in the order of --segments" in outcome.err) == is_refused
    written(here / "x.txt", "c b a\nf e\nh g\n")  # another translator's
    assert fstmetrics("latency", "x.log", "--segments", "x.yaml", "--ref", "x.txt").status == 0


@pytest.mark.parametrize(("source", "said"), [(3000, False), (3, True), (2900, False), (3e6, True)])
def test_delays_and_lengths_in_unlike_units_are_remarked_on(
    source: float, said: bool, tmp_path: Path
) -> None:
    row = {"prediction": "a b c", "delays": [1000, 2000, 3000], "source_length": source, "reference": "a b c"}
    log = written(tmp_path / "i.log", json.dumps(row) + "\n")
    outcome = fstmetrics("latency", log, "--metric", "chrf")
    assert ("are the delays and source_length in one unit, milliseconds?" in outcome.out) is said


def test_references_without_a_word_are_remarked_on(tmp_path: Path) -> None:
    row = {"prediction": "a b c", "delays": [1, 2, 3], "source_length": 3, "reference": ""}
    for reference, said in (("", True), ("a", False)):
        log = written(
            tmp_path / "i.log", "".join(json.dumps({**row, "reference": r}) + "\n" for r in ("", reference))
        )
        out = fstmetrics("latency", log, "--metric", "chrf").out
        assert ("no segment has a word in its reference" in out) is said


def test_references_in_another_order_than_segments_are_remarked_on(here: Path) -> None:
    rows = (TALKS / "talks.yaml").read_text().splitlines()
    lines = (TALKS / "ref.txt").read_text().splitlines()
    said = "have the words of the references of"
    for segments, references, is_said in (
        (rows, lines, False), (sorted(rows, key=lambda row: "sea" in row), lines, True), (rows, lines[::-1], True),
        (rows, ["", *lines[1:]], False), (rows, ["x y z"] * len(lines), False),
    ):  # fmt: skip
        written(here / "own.yaml", "\n".join(segments) + "\n")
        written(here / "own.txt", "\n".join(references) + "\n")
        for log in ("a.log", "b.log"):
            found = fstmetrics("latency", TALKS / log, "--segments", "own.yaml", "--ref", "own.txt")
            assert found.status == 0, found.err
            assert (said in found.out) == is_said, found.out
            assert ("are the lines of --ref in the order of --segments?" in found.out) == is_said


@pytest.mark.parametrize(("times", "is_said"), [(1000, True), (1, False), (1.5, False), (0, False)])
def test_logs_of_the_same_segments_in_unlike_units_are_remarked_on(
    times: float, is_said: bool, tmp_path: Path
) -> None:
    row: dict[str, Any] = {"prediction": "a b", "reference": "a b"}
    logs = []
    for name, factor in (("s", 1), ("ms", times)):
        rows = ({**row, "delays": [factor, 2 * factor], "source_length": n * factor} for n in (2, 3))
        logs.append(written(tmp_path / f"{name}.log", "".join(json.dumps(each) + "\n" for each in rows)))
    for order in (logs, logs[::-1]):
        out = fstmetrics("latency", *order, "--metric", "chrf").out
        assert ("the sources of ms are 1000 times as long as those of s" in out) is is_said
        assert ("are both logs in one unit" in out) is is_said


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [([1, 2, 3], 3), ([500, 1500], 2000), ([900, 1000], 1000)],
            "source_length of 1 a word, and others 500",
        ),
        ([([500, 1500], 2000), ([1000, 2000, 3000], 3)], "source_length of 1 a word, and others 1000"),
        (
            [([1, 2, 3], 3000), ([500, 1500], 2000)],
            "a last delay of 0.001 of their source_length, and others 0.75",
        ),
        ([([3000], 30000), ([500, 1500], 2000), ([10, 20, 30, 40], 50)], ""),
        ([([0], 3000), ([500, 1500], 2000)], ""),
        ([([1, 2], 2), ([1], 90)], ""),
        ([([1, 2, 3], 3000)], ""),
    ],
)
def test_lines_in_unlike_units_are_remarked_on(
    rows: list[tuple[list[float], float]], said: str, tmp_path: Path
) -> None:
    texts = [" ".join("abcd"[: len(delays)]) for delays, _ in rows]
    instances = [
        {"prediction": text, "reference": text, "delays": delays, "source_length": length}
        for text, (delays, length) in zip(texts, rows, strict=True)
    ]
    log = written(tmp_path / "i.log", "".join(json.dumps(each) + "\n" for each in instances))
    out = fstmetrics("latency", log, "--metric", "none").out
    assert ("are all lines in one unit, milliseconds?" in out) is bool(said)
    assert (said or "i") in out


@pytest.mark.filterwarnings("error")
def test_texts_that_look_like_no_sentences_have_a_remark(here: Path) -> None:
    line = {"index": 0, "prediction": "the caf&eacute; was closed", "reference": "the café was closed"}
    line |= {
        "delays": [1000.0, 2000.0, 3000.0, 4000.0],
        "elapsed": [1100.0, 2100.0, 3100.0, 4100.0],
        "source_length": 4000.0,
    }
    written(here / "html.log", "".join(json.dumps({**line, "index": n}) + "\n" for n in range(3)))
    (remark,) = [r for r in summary("html.log")["remarks"] if "as HTML writes them" in r]
    assert remark.startswith("html: hypotheses have characters as HTML writes them")


@pytest.mark.parametrize("reference", ["我们今天讨论天气", "我们 今天 讨论 天气"])
def test_references_without_spaces_beside_words_are_remarked_on(reference: str, here: Path) -> None:
    """AL takes each for one word, and the source for its length."""
    line = {"prediction": "我们 今天 讨论 天气", "delays": [900, 1800, 2700, 3600], "source_length": 4000}
    written(here / "zh.log", json.dumps({**line, "reference": reference}))
    found = summary("zh.log", "--metric", "none")
    said = [remark for remark in found["remarks"] if "references: no spaces part the words" in remark]
    assert (bool(said), found["al"] < 0) == ((True, True) if " " not in reference else (False, False))
    assert all(remark.endswith("for YAAL, LAAL, AL, AP and metrics of words") for remark in said)


def test_sentence_markers_are_left_out_with_their_delays(here: Path) -> None:
    row = {
        "prediction": "the cat sat",
        "reference": "the cat sat down",
        "source_length": 3000,
        "source": ["a.wav"],
    }
    row |= {"delays": [1000, 2000, 3000], "elapsed": [1100, 2200, 3300]}
    marked = row | {"prediction": "<s> the cat sat </s>", "reference": "the cat sat down </s>"}
    for name in ("delays", "elapsed"):
        marked[name] = [0, *row[name], row[name][-1]]
    for name, each in (("bare.log", row), ("marked.log", marked)):
        written(here / name, "".join(json.dumps({**each, "index": n}) + "\n" for n in range(2)))
    bare, found = (summary(name) for name in ("bare.log", "marked.log"))
    (remark,) = [each for each in found["remarks"] if "sentence markers" in each]
    assert remark == "marked.log: sentence markers (</s> <s>) are left out, with their delays"
    assert {**found, "remarks": 0, "system": 0} == {**bare, "remarks": 0, "system": 0}
    written(here / "ref", "the cat\nsat down\nthe cat sat\n")
    for name in ("bare.log", "marked.log"):
        told = fstmetrics("segment", "ref", name, "-o", f"{name}.jsonl").out
        assert (remark in told) == (name == "marked.log")
    assert Path("bare.log.jsonl").read_text() == Path("marked.log.jsonl").read_text()


@pytest.mark.parametrize(
    ("offset", "duration", "said"),
    [
        (2, 1, ""),
        (2.9, 1, ""),
        (2000, 1000, "segment 2 of --segments begins at 2000 s of the recording 'a', which ends at 3 s here"),
        (2, 20.5, "a segment goes on for 19.5 s when its recording has ended by the log"),
    ],
)
def test_segments_behind_the_end_of_their_recording(
    offset: float, duration: float, said: str, here: Path
) -> None:
    row = {
        "prediction": "the cat sat",
        "delays": [1000, 2000, 3000],
        "source": ["a.wav"],
        "source_length": 3000,
    }
    written(here / "a.log", json.dumps(row) + "\n")
    written(here / "ref", "the cat\nsat\n")
    segments = [{"wav": "a.wav", "offset": at, "duration": n} for at, n in ((0, 2), (offset, duration))]
    written(here / "a.json", json.dumps(segments))
    call = ("latency", "a.log", "--segments", "a.json", "--ref", "ref", "--metric", "none")
    found = fstmetrics(*call)
    assert found.status == (2 if offset > 3 else 0)
    assert said in found.out + found.err
    assert ("ended by the log" in found.out) == ("ended by" in said)
