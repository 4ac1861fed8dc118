"""`-` is standard input, for any one file that a command reads, and standard output where it writes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written

# A file of each command as {}: what the command says with its name it says of standard input, too.
READ = [
    "score {ref.txt} hyp.txt", "score ref.txt {hyp.txt}", "score ref.txt hyp.txt --ref {more.txt}",
    "oracle {oracle/ref.txt} oracle/lattices", "oracle one.txt {lattice.slf}",
    "hyter hyter/networks {hyter/hyp.txt}", "hyter {agreement.cards} sentence.txt",
    "compare --ref {ref.txt} hyp.txt other.txt", "compare --ref ref.txt {hyp.txt} other.txt",
    "errors {ref.txt} hyp.txt", "errors ref.txt {hyp.txt}", "errors {run.jsonl}",
    "errors run.jsonl --against {more.jsonl}", "errors {run.jsonl} --prefer-similar",
    "errors run.jsonl --terms {terms.txt}",
    "show {ref.txt} hyp.txt", "show ref.txt {hyp.txt}", "show {run.jsonl}", "show {run.jsonl} --prefer-similar",
    "verify {run.jsonl} ref.txt hyp.txt", "verify run.jsonl {ref.txt} hyp.txt", "verify run.jsonl ref.txt {hyp.txt}",
    "segment {ref.txt} hyp.txt", "segment ref.txt {hyp.txt}", "segment ref.txt hyp.txt --documents {docs.txt}",
    "combine {hyp.txt} other.txt", "variants {hyp.txt} --ref ref.txt", "variants hyp.txt --ref {ref.txt}",
    "convert {hyp.txt} - --to trn", "grammar savings {ref.txt} hyp.txt", "grammar savings ref.txt {hyp.txt}",
    "speakers {speakers/ref.stm} speakers/hyp.stm", "speakers speakers/ref.stm {speakers/hyp.stm}",
    "partials {streaming/partials.jsonl}", "partials streaming/partials.jsonl --ref {streaming/words.ctm}",
    "mbr {tuning/nbest.txt}", "best {tuning/nbest.txt} --to plain",
    "tune {tuning/nbest.txt} --ref tuning/ref.txt --weights tuning/start.weights",
    "tune tuning/nbest.txt --ref {tuning/ref.txt} --weights tuning/start.weights",
    "tune tuning/nbest.txt --ref tuning/ref.txt --weights {tuning/start.weights}",
    "correlate {correlate/scores.tsv} --samples 20", "rankings {correlate/scores.tsv} --ranks human --higher",
    "network info {agreement.cards}", "network paths {agreement.cards}", "network draw {agreement.cards}",
    "network validate {agreement.cards}", "network normalise {agreement.cards}",
    "network convert {agreement.cards} --to att",
    "network accepts {agreement.cards} sentence.txt", "network accepts agreement.cards {sentence.txt}",
    "features {agreement.cards} sentence.txt", "features agreement.cards {sentence.txt}",
    "latency streaming/a.log --segments {streaming/talks.yaml} --ref streaming/ref.txt",
    "latency streaming/a.log --segments streaming/talks.yaml --ref {streaming/ref.txt}",
    "latency {streaming/a.log} --segments streaming/talks.yaml --ref streaming/ref.txt",
]  # fmt: skip
# Two of them; `-` twice has nothing to read the second time.
TWICE = [
    "score - -", "oracle - -", "hyter - -", "compare --ref ref.txt - -", "compare --ref - - hyp.txt", "errors - -",
    "errors ref.txt - --against -", "errors - --against -", "errors run.jsonl --against - --terms -", "show - -",
    "report - -", "verify - - hyp.txt", "verify run.jsonl - -", "segment - -", "segment ref.txt - --documents -",
    "combine - -", "mbr - -", "variants - --ref -", "grammar savings - -", "speakers - -", "confidence - -",
    "partials - --ref -", "latency - -", "latency streaming/a.log --segments - --ref -", "correlate - -",
    "tune - --ref - --weights tuning/start.weights", "tune - --ref ref.txt --weights -", "network info - -",
    "network validate - -", "network union - -", "network accepts - -", "features - -",
]  # fmt: skip
# What cannot come that way.
NEVER = {
    "index -": "an index is of files, whose items are read later; standard input (-) is gone then",
    "merge - --output x.jsonl": "shards are files, beside each of which --shard wrote another",
    "score ref.txt hyp.txt --grammar -": "a grammar is a name or a file, and is not read from standard input (-)",
}
# Data on standard output; a table in a form is refused there, and the report stands on standard error.
PRINTED = {
    "latency streaming/a.log --segments streaming/talks.yaml --ref streaming/ref.txt": "csv",
    "tune tuning/nbest.txt --ref tuning/ref.txt --weights tuning/start.weights": "json",
    "segment ref.txt hyp.txt": "json", "combine hyp.txt other.txt": "json",
    "correlate correlate/scores.tsv --samples 20": "markdown",
    "score ref.txt hyp.txt": "json", "speakers speakers/ref.stm speakers/hyp.stm": "csv",
}  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a file of each kind."""
    monkeypatch.chdir(tmp_path)
    for folder in ("oracle", "hyter", "speakers", "streaming", "tuning", "correlate"):
        shutil.copytree(EXAMPLES / folder, tmp_path / folder)
    shutil.copy(EXAMPLES / "notation" / "agreement.cards", tmp_path)
    texts = {
        "ref": "the cat sat\na dog ran",
        "hyp": "the cat sit\ndog ran off",
        "other": "the cat\ndog ran off",
    }
    texts |= {"more": "a cat sat\nthe dog ran", "sentence": "the two sides agree", "terms": "cat\ndog"}
    texts |= {
        "docs": "a\na",
        "one": (EXAMPLES / "oracle" / "ref.txt").read_text().split("\n")[0].partition(" ")[2],
    }
    for name, text in texts.items():
        written(tmp_path / f"{name}.txt", f"{text}\n")
    lattice = next((EXAMPLES / "oracle" / "lattices").iterdir())
    shutil.copy(lattice, tmp_path / "lattice.slf")
    for name, hypotheses in (("run", "hyp.txt"), ("more", "other.txt")):
        assert not fstmetrics("score", "ref.txt", hypotheses, "--alignment", "-o", f"{name}.jsonl").status
    return tmp_path


@pytest.mark.parametrize("call", READ)
def test_any_file_may_be_standard_input(call: str, here: Path) -> None:
    place = re.search(r"\{(.+?)\}", call)
    assert place
    told = fstmetrics(*call.replace(place[0], "-").split(), stdin=Path(place[1]).read_bytes())
    named = fstmetrics(*call.replace(place[0], place[1]).split())
    expected = 1 if call.startswith("network accepts") else 0  # this sentence is not accepted
    assert (told.status, named.status) == (expected, expected), (told.err, named.err)
    numbers = [re.findall(r"(?<![\w.])\d+\.\d+", outcome.out) for outcome in (told, named)]
    assert numbers[0] == numbers[1]
    assert bool(told.out) == bool(named.out)


@pytest.mark.parametrize("call", TWICE)
def test_it_is_read_once(call: str, here: Path) -> None:
    outcome = fstmetrics(*call.split(), stdin=b"u1 a b\nu2 c\n")
    said = "fstmetrics: standard input (-) can be read only once\n"
    assert (outcome.status, outcome.out, outcome.err) == (2, "", said)


@pytest.mark.parametrize("call", NEVER)
def test_what_is_more_than_a_file(call: str, here: Path) -> None:
    outcome = fstmetrics(*call.split(), stdin=b"u1 a b\nu2 c\n")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"fstmetrics: {NEVER[call]}")


@pytest.mark.parametrize("call", PRINTED)
def test_standard_output_has_one_thing(call: str, here: Path) -> None:
    assert not fstmetrics(*call.split(), "-o", "file").status
    printed = fstmetrics(*call.split(), "-o", "-")
    assert (printed.status, printed.out) == (0, Path("file").read_text(encoding="utf-8"))
    both = fstmetrics(*call.split(), "-o", "-", f"--{PRINTED[call]}")
    assert (both.status, both.out) == (2, "")
    assert "standard output" in both.err or "give one of them" in both.err


def test_items_and_tables_of_compare(here: Path) -> None:
    outcome = fstmetrics("compare", "--ref", "ref.txt", "hyp.txt", "other.txt", "--items", "-")
    said = "fstmetrics: --items and the tables both want standard output; give --items a file\n"
    assert (outcome.status, outcome.out, outcome.err) == (2, "", said)


def test_weights_of_several_metrics_are_files(here: Path) -> None:
    call = "tune tuning/nbest.txt --ref tuning/ref.txt --weights tuning/start.weights --metric wer,bleu -o -"
    outcome = fstmetrics(*call.split())
    said = "fstmetrics: --output - takes the weights of one metric; of several give a folder\n"
    assert (outcome.status, outcome.out, outcome.err) == (2, "", said)
