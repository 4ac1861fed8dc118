"""Runs of `mbr` and of metrics of strings: killed, resumed, on threads, with bad items; and signals at any time."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from command import EXAMPLES, ORACLE, Outcome, fstmetrics, with_options, written
from long_runs import WORDS, archive, is_killed, peak, references
from page_data import unpacked
from time_limits import ended, ran, ready

import fstmetrics as fm
from fstmetrics.engine import item_tables
from fstmetrics.scoring import text_scoring

LATTICES = EXAMPLES / "oracle" / "lattices"


@pytest.fixture
def mbr(tmp_path: Path) -> list[str]:
    """A run over an archive, some of whose lattices have no path."""
    ids = [f"utt-{i:03}" for i in range(60)]
    lattices = written(tmp_path / "lat.ark", archive(ids, 3, {"utt-011", "utt-040"}))
    return ["mbr", str(lattices), "--keep-going", "--candidates", "9", "--evidence", "9", "--nbest", "2"]


def killed_until_done(command: Sequence[str], output: Path, kills: int, seed: int) -> Outcome:
    """Start a command again and again, killed so often at random byte counts, and then to its end."""
    numbers = random.Random(seed)
    size = output.stat().st_size
    output.unlink()
    while kills:
        kills -= is_killed([*command, "--resume"], numbers.randrange(1, size // 3))
        if output.exists():
            output.unlink()
    assert sorted(p.suffix for p in output.parent.glob(f"{output.name}.*")) == [".journal", ".partial"]
    return fstmetrics(*command, "--resume")


@pytest.mark.parametrize("options", [[], ["--json"], ["--jobs", "3"]])
def test_mbr_goes_on_where_it_was_killed(options: list[str], mbr: list[str], tmp_path: Path) -> None:
    """The text on standard output, too, is that of a run that was never stopped."""
    output = tmp_path / "o.jsonl"
    command = [*mbr, *options, "--output", str(output)]
    whole = fstmetrics(*command)
    assert whole.status == 1
    expected = output.read_bytes()
    found = killed_until_done(command, output, 7, 5)
    assert (found.status, found.out) == (1, whole.out)
    assert output.read_bytes() == expected
    assert sorted(os.listdir(tmp_path)) == ["lat.ark", "o.jsonl"]


def test_mbr_goes_on_under_its_own_settings_only(mbr: list[str], tmp_path: Path) -> None:
    command = [*mbr, "--output", str(tmp_path / "o")]
    assert is_killed(command, 9000)
    for option, said in (
        (["--evidence", "5"], "evidence was 9 and is 5"),
        (["--scale", "0.5"], "scale was 1.0 and is 0.5"),
        (["--lm-scale", "2"], 'scales was "as the files say" and is {"lm": 2.0}'),
        (["--metric", "grr"], 'metric was "metric:wer"'),
    ):
        outcome = fstmetrics(*with_options(command, option), "--resume")
        assert outcome.status == 2
        assert said in outcome.err, outcome.err
    assert fstmetrics(*command, "--jobs", "2", "--text", "trn", "--resume").status == 1


@pytest.mark.parametrize("metric", ["wer", "grr"])
def test_mbr_is_the_same_for_any_number_of_jobs(metric: str, mbr: list[str], tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2, 5):
        outcome = fstmetrics(*mbr, "--metric", metric, "--jobs", jobs, "--output", tmp_path / "o")
        found.append((outcome, (tmp_path / "o").read_bytes()))
    assert found == [found[0]] * 3
    assert found[0][0].out.count("\n") > 60


def test_bad_items_of_mbr(mbr: list[str], tmp_path: Path) -> None:
    outcome = fstmetrics(*mbr)
    assert outcome.status == 1
    lines = [line.removeprefix(f"fstmetrics: {mbr[1]}:") for line in outcome.err.splitlines()[:2]]
    assert [line.split(" ")[1] for line in lines] == ["lattice", "lattice"]
    assert "'utt-011' has no final state" in outcome.err
    assert "\n58 items\n2 left out: not readable, or not scored because of an error\n" in outcome.err
    assert outcome.err.splitlines()[4].endswith("per item) [PARTIAL]")
    mbr.remove("--keep-going")
    stopped = fstmetrics(*mbr, "--output", tmp_path / "o")
    assert (stopped.status, stopped.out) == (2, "")
    assert not (tmp_path / "o").exists()
    mixed = written(tmp_path / "mixed", "a b c\nd e f\n")
    assert "expected lattices, forests or n-best lists" in fstmetrics("mbr", mixed, "--keep-going").err
    cyclic = "N=3 L=2 start=0 end=2\nI=0\nI=1\nI=2\nJ=0 S=0 E=1 W=a\nJ=1 S=1 E=0 W=b\n"
    folder = tmp_path / "folder"
    folder.mkdir()
    for id in ("u-1", "u-2"):
        written(folder / f"{id}.slf", cyclic)
    outcome = fstmetrics("mbr", folder, "--keep-going")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.splitlines()[-1] == "fstmetrics: there is no item to score"


def test_the_json_of_mbr(mbr: list[str], tmp_path: Path) -> None:
    """All that the text and the lines behind it say; with all records where they are not in a file."""
    outcome = fstmetrics(*mbr, "--json")
    found = json.loads(outcome.out)
    assert (found["items"], found["faults"], len(found["records"])) == (58, 2, 58)
    losses = [each["expected_loss"] for each in found["records"]]
    assert found["expected_loss"] == pytest.approx(sum(losses))
    assert found["least_mass"] == min(each["mass"] for each in found["records"])
    said = f"sum of expected wer losses {sum(losses):.4f} ({sum(losses) / 58:.4f} per item)"
    assert said in outcome.err
    filed = fstmetrics(*mbr, "--json", "--output", tmp_path / "o")
    records = [json.loads(line) for line in (tmp_path / "o").read_text().splitlines()]
    assert records == found.pop("records")
    assert json.loads(filed.out) == found


def test_evidence_that_holds_little_is_said(tmp_path: Path) -> None:
    outcome = fstmetrics("mbr", LATTICES, "--scale", "0.001")
    assert "in 4 lattices it has less than 0.5" in outcome.err
    assert "for more of the probability give more --evidence and --candidates\n" in outcome.err
    least = float(outcome.err.split(" on average, ")[1].split(" ")[0])
    assert 0 < least < 1e-6
    assert "less than 0.5" not in fstmetrics("mbr", LATTICES).err


def test_numbers_below_zero_are_refused() -> None:
    for command in (["mbr", LATTICES, "--scale"], ["oracle", *ORACLE, "--model-weight"]):
        outcome = fstmetrics(*command, "-1")
        assert (outcome.status, outcome.out) == (2, "")
        assert f"'{command[-1]}': -1.0 is not in the range 0 to 1e9" in outcome.err
        assert outcome.err.count("\n") == 1


def test_memory_of_mbr_does_not_grow_with_the_run(tmp_path: Path) -> None:
    arcs = "".join(f"{i} {i + 1} {WORDS[i % 10]} 1.25,2.5,1_2_3\n" * 3 for i in range(300)) + "300 0,0,\n\n"
    peaks = []
    for items in (100, 500):
        text = "".join(f"utt-{i:04}\n{arcs}" for i in range(items))
        lattices = written(tmp_path / f"lat{items}", text)
        few = ("--candidates", 2, "--evidence", 2)
        peaks.append(peak("mbr", lattices, *few, "--output", tmp_path / "o"))
    assert peaks[1] - peaks[0] < 20e6, peaks


@pytest.mark.parametrize("metric", ["bleu", "nist", "sentence-bleu"])
def test_metrics_of_strings_go_on_where_they_were_killed(metric: str, tmp_path: Path) -> None:
    ids = [f"u-{i:03}" for i in range(100)]
    ref, hyp = (written(tmp_path / name, references(ids, seed)) for name, seed in (("r", 1), ("h", 2)))
    output = tmp_path / "o.jsonl"
    command = ["score", str(ref), str(hyp), "--metric", metric, "--output", str(output), "--json"]
    whole = fstmetrics(*command)
    assert whole.summary["items"] == 100
    expected = output.read_bytes()
    assert expected.count(b"\n") == 100
    found = killed_until_done(command, output, 3, 11)
    assert found == whole
    assert output.read_bytes() == expected


def test_bad_items_of_metrics_of_strings(tmp_path: Path) -> None:
    ref = written(tmp_path / "r", "u-1 a b c d\nu-2 { a / b } c\nu-3 a b c d\n")
    hyp = written(tmp_path / "h", "u-1 a b c d\nu-2 a c\nu-3 a b c d\n")
    command = ["score", ref, hyp, "--metric", "bleu", "--alternations", "sclite"]
    stopped = fstmetrics(*command)
    assert (stopped.status, stopped.out) == (2, "")
    outcome = fstmetrics(*command, "--keep-going")
    assert outcome.status == 1
    assert outcome.err.startswith("fstmetrics: item u-2, reference: bleu compares strings")
    assert outcome.out.startswith("[PARTIAL]    bleu    mean\n")
    assert "\n2 items\n1 left out: not readable, or not scored because of an error\n" in outcome.out


def test_the_remark_on_the_1_best_is_the_same_after_a_stop(tmp_path: Path) -> None:
    """What is finished has graph costs only, what is left acoustic costs only."""
    texts = []
    for i in range(60):
        costs = "3.5,0" if i < 30 else "0,2.5"
        arcs = f"0 1 a {costs},1\n0 1 b 0,0,1\n1 2 c {costs},2\n2 3 d 0,0,2\n3 0,0,\n\n"
        texts.append(f"u-{i:02}\n{arcs}")
    lattices = written(tmp_path / "lat.ark", "".join(texts))
    ref = written(tmp_path / "ref", "".join(f"u-{i:02} a c\n" for i in range(60)))
    output = tmp_path / "o"
    command = ["oracle", str(ref), str(lattices), "--output", str(output)]
    whole = fstmetrics(*command)
    line = "\n1-best with lm 1, acoustic 1, word penalty 0; the files name no other weights: --lm-scale 7:17 "
    assert line in whole.out
    size = output.stat().st_size
    output.unlink()
    assert is_killed(command, size)
    assert (tmp_path / "o.partial").read_bytes().count(b"\n") > 30
    assert fstmetrics(*command, "--resume") == whole


def test_partial_stands_on_every_line_of_a_partial_result(tmp_path: Path) -> None:
    ref = written(tmp_path / "r", "u-1 a\nu-2 b\n")
    lattices = written(tmp_path / "l.ark", "u-1\n0 1 a 1,2,\n1\n\n")
    for lacking in ("--missing", "skip"), ("--keep-going",):
        out = fstmetrics("oracle", ref, lattices, *lacking).out
        marked = [line for line in out.splitlines() if "[PARTIAL]" in line]
        assert [line.split(" ")[0] for line in marked] == ["%WER", "%SER"] * 2 + ["[PARTIAL]", "density"]
    assert "[PARTIAL]" not in fstmetrics("oracle", ref, lattices, "--missing", "empty").out


@pytest.mark.parametrize("options", [["--nbest", "2"], ["--alignment"], ["--nbest", "2", "--alignment"]])
def test_json_has_the_records_that_are_not_in_a_file(options: list[str], tmp_path: Path) -> None:
    found = fstmetrics("oracle", *ORACLE, *options, "--json").summary
    filed = fstmetrics("oracle", *ORACLE, *options, "--json", "--output", tmp_path / "o").summary
    records = [json.loads(line) for line in (tmp_path / "o").read_text().splitlines()]
    assert found.pop("records") == records
    assert found == filed
    if "--nbest" in options:
        assert all(len(record["nbest"]) == 2 for record in records)


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf"])
def test_records_of_strings_have_word_edits_beside_their_scores(tmp_path: Path, metric: str) -> None:
    reference = written(tmp_path / "r", "the cat sat on the mat\na dog barks\n")
    hypothesis = written(tmp_path / "h", "the cat sat on a mat\na big dog barked\n")
    plain, both = tmp_path / "plain", tmp_path / "both"
    score = ("score", reference, hypothesis, "--metric", metric, "--tokenize", "none")
    assert fstmetrics(*score, "--output", plain).status == 0
    done = fstmetrics(*score, "--alignment", "--output", both)
    assert done.status == 0, done.err
    records = [json.loads(line) for line in both.read_text().splitlines()]
    edits = tmp_path / "edits"
    fstmetrics("score", reference, hypothesis, "--alignment", "--output", edits)
    for line, record, own in zip(plain.open(), records, edits.open(), strict=True):
        assert json.loads(line).items() <= record.items()
        scored = {"metric", "score", "signature", "gain", "max_gain"}
        assert {k: v for k, v in json.loads(own).items() if k not in scored}.items() <= record.items()
    counts = fstmetrics("errors", both, "--json").summary
    assert counts["errors"] == fstmetrics("errors", edits, "--json").summary["errors"]
    shown = fstmetrics("show", both).out
    assert f"not what {metric} counts." in shown
    worst = max(records, key=lambda r: r["score"] if metric == "ter" else -r["score"])
    assert shown.splitlines()[3].startswith(f"{records.index(worst) + 1}  {metric} {worst['score']:.4f}")
    assert f"not what {metric} counts." in fstmetrics("errors", both).out
    page = tmp_path / "page.html"
    assert fstmetrics("report", both, f"other={both}", "-o", page).status == 0
    (block,) = re.findall(r'id="data">(.*?)</script>', page.read_text(), re.S)
    data, columns = unpacked(block)
    assert data["note"].endswith(f"not what {metric} counts.")
    (standing,) = data["standings"]
    whole = fstmetrics(*score, "--json").summary["score"]
    assert standing["scores"] == pytest.approx([whole, whole])
    assert columns["0.item0"].tolist() == pytest.approx([record["score"] for record in records])
    broken = dict(records[0], edits=7)
    written(both, json.dumps(broken) + "\n")
    assert "edits is 7" in fstmetrics("errors", both).err


def test_records_without_alignments_say_why(tmp_path: Path) -> None:
    records = tmp_path / "o"
    fstmetrics("mbr", LATTICES, "--output", records)
    shown = fstmetrics("show", records)
    assert shown.status == 2
    assert "a record of mbr has no alignment, as there was no reference" in shown.err
    text = written(tmp_path / "t", "a b\n")
    fstmetrics("score", text, text, "--metric", "bleu", "--output", records)
    assert "bleu aligns no words" in fstmetrics("show", records).err
    fstmetrics("score", text, text, "--output", records)
    assert "records with --alignment --output FILE" in fstmetrics("show", records).err


# Tells that Python itself is ready, before anything of the package is imported but what reacts to signals.
SCRIPT = (
    "import os; from fstmetrics.__main__ import main; from fstmetrics.support.signals import listen\n"
    "listen(); os.write(1, b'.'); main()"
)


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize("command", ["score", "mbr", "compare"])
def test_signals_in_the_first_second(command: str, number: int, status: int, tmp_path: Path) -> None:
    """While modules are imported, and while something is read that does not come."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    arguments = {"score": [fifo, "-"], "mbr": [fifo], "compare": [fifo, "a", "--ref", "b"]}
    line = [sys.executable, "-c", SCRIPT, command, *map(str, arguments[command])]

    for delay in (0, 0.02, 0.06, 0.1, 0.2, 0.8):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(line, **pipes, cwd=tmp_path)
        assert ready(process) == b"."
        time.sleep(delay)
        process.send_signal(number)
        _, err = ended(process)
        assert (process.returncode, err) == (status, b"fstmetrics: stopped\n"), delay


def test_signals_are_heard_before_anything_large_is_imported() -> None:
    """What is imported until then takes a fraction of what Python itself takes to start."""
    root = str(Path(fm.__file__).parents[1])
    script = f"import sys; sys.path.insert(0, {root!r}); import fstmetrics.__main__; print(*sys.modules)"
    line = [sys.executable, "-S", "-I", "-c", script]
    loaded = ran(line, capture_output=True, text=True).stdout.split()
    assert "fstmetrics.__main__" in loaded
    assert {"click", "numpy", "importlib.util"}.isdisjoint(loaded)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_behind_the_last_line_changes_nothing(number: int) -> None:
    """Python has its own handlers again by then."""
    script = (
        "import os; from fstmetrics.__main__ import main\n"
        "class Late:\n"
        "    def __del__(self, kill=os.kill, process=os.getpid()):\n"
        f"        kill(process, {int(number)})\n"
        "late = Late()\n"
        "main()"
    )
    done = ran([sys.executable, "-c", script, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("fstmetrics, version")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_that_is_ignored_stays_ignored(number: signal.Signals, tmp_path: Path) -> None:
    """As under nohup."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)

    ignoring = ["sh", "-c", f"trap '' {number.name.removeprefix('SIG')}; exec \"$@\"", "sh"]
    line = [*ignoring, sys.executable, "-c", SCRIPT, "score", str(fifo), str(fifo)]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ready(process)
    process.send_signal(number)
    time.sleep(0.1)
    assert process.poll() is None
    process.terminate()
    assert ended(process)[1] == b"fstmetrics: stopped\n"
    assert process.returncode == 143


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "nist"])
@pytest.mark.parametrize("by", [[], ["--by", "speaker"]])
def test_statistics_are_kept_in_tables(
    by: list[str], metric: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many items wait to become rows of one, and also where there is no room for it in memory."""
    if by and metric == "nist":
        pytest.skip("nist is of all texts at once")
    rng = random.Random(1)
    rows = [
        {"id": f"u{n}", "ref": " ".join(rng.choices(WORDS, k=7)), "hyp": " ".join(rng.choices(WORDS, k=n % 9)),
         "speaker": rng.choice(["ann", "bob"])}
        for n in range(50)
    ]  # fmt: skip
    path = written(tmp_path / "rows.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    command = ["score", path, "--metric", metric, *by, "--json"]
    expected = fstmetrics(*command)
    assert expected.summary["items"] == 50
    monkeypatch.setattr(text_scoring, "TOGETHER", 7)
    assert fstmetrics(*command) == expected
    monkeypatch.setattr(item_tables, "SHARE", 1 << 60)
    assert fstmetrics(*command) == expected
