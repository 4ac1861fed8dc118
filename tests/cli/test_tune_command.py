"""`fstmetrics tune`: what it writes is read back, what it says, several metrics and files, and what it refuses."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, ORACLE, fstmetrics, written
from error_cases import error_cases, label, says
from fstmetrics.decoding import Candidates
from places import HGDECODE, SHARED, needs_data

import fstmetrics as fm
from fstmetrics.data.features import Features
from fstmetrics.data.nbest import NBest
from fstmetrics.io.weights_file import read_weights, weights_text

TUNING = EXAMPLES / "tuning"
NBEST, REF, START = TUNING / "nbest.txt", TUNING / "ref.txt", TUNING / "start.weights"
JOSHUA = SHARED / "mt-joshua"
CASES = error_cases("tuning")
# So many entries of a list of 300.
FIRST = 8
# What the totals of Joshua's list are the sums of.
OF_JOSHUA = "lm 1\npm_0 1.066893\npm_1 0.752247\npm_2 0.589793\nwordpenalty -2.844814\n"


@pytest.mark.parametrize("case", CASES["case"], ids=label)
def test_bad_input(case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in CASES["files"].items():
        written(tmp_path / name, text)
    if "file" in case:
        written(tmp_path / case["file"], case["content"])
    before = sorted(tmp_path.iterdir())
    outcome = fstmetrics(*case["command"].split())
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert says(outcome.err, case["message"]), outcome.err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("layout", ["moses", "moses-ini", "cdec", "joshua"])
def test_weights_are_read_back(layout: str, tmp_path: Path) -> None:
    weights = {"lm": 0.1, "tm_1": 1 / 3, "tm_2": -1e-9, "alone_1": 2.0, "PL_1,1": 0.0, "x_2": 1.0, "x_3": 5.0}
    path = tmp_path / "weights"
    path.write_text(weights_text(weights, layout), encoding="utf-8")
    assert read_weights(str(path)) == weights
    lines = path.read_text(encoding="utf-8").splitlines()
    assert f"tm= {1 / 3!r} -1e-09" in lines if layout.startswith("moses") else "lm 0.1" in lines
    tuned = tmp_path / "tuned"
    outcome = fstmetrics(
        "tune",
        NBEST,
        "--ref",
        REF,
        "--weights",
        START,
        "--starts",
        1,
        "-o",
        tuned,
        "--weights-format",
        layout,
    )
    assert outcome.status == 0, outcome.err
    assert list(read_weights(str(tuned))) == ["lm", "tm_1", "tm_2", "w"]
    again = fstmetrics("tune", NBEST, "--ref", REF, "--weights", tuned, "--starts", 1, "--json").summary
    assert again["tuned"][0]["start_score"] > 80


def test_moses_ini_keeps_its_other_sections(tmp_path: Path) -> None:
    ini = tmp_path / "moses.ini"
    written(
        ini,
        "# moses\n[input-factors]\n0\n\n[weight]\nlm= 0.5  # tuned\ntm= 0.2 0.2\nw= -0.1\n\n[ttable-limit]\n20\n",
    )
    outcome = fstmetrics("tune", NBEST, "--ref", REF, "--weights", ini, "-o", tmp_path / "new.ini")
    assert outcome.status == 0, outcome.err
    text = (tmp_path / "new.ini").read_text(encoding="utf-8")
    expected = (
        r"# moses\n\[input-factors\]\n0\n\n\[weight\]\nlm= \S+\ntm= \S+ \S+\nw= \S+\n\n\[ttable-limit\]\n20\n"
    )
    assert re.fullmatch(expected, text), text


def test_several_metrics(tmp_path: Path) -> None:
    given = ("tune", NBEST, "--ref", REF, "--weights", START, "--metric", "bleu,wer,mean-wer", "--starts", 3)
    found = fstmetrics(*given, "-o", tmp_path / "out", "--json").summary
    assert list(found["matrix"]) == ["start", "bleu", "wer", "mean-wer"]
    for tuned in found["tuned"]:
        assert found["matrix"][tuned["metric"]][tuned["metric"]] == tuned["score"]
        assert read_weights(str(tmp_path / "out" / f"{tuned['metric']}.weights")) == tuned["weights"]
        assert found["matrix"]["start"][tuned["metric"]] == tuned["start_score"]
    lines = fstmetrics(*given).out.splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["tuned", "start", "bleu", "wer", "mean-wer"]


def test_several_files_of_one_decoder(tmp_path: Path) -> None:
    lines = NBEST.read_text(encoding="utf-8").splitlines(keepends=True)
    halves = [tmp_path / "one.nbest", tmp_path / "two.nbest"]
    for at, path in enumerate(halves):
        written(path, "".join(lines[at::2]))
    options = ("--ref", REF, "--weights", START, "--json")
    whole, both = (fstmetrics("tune", *paths, *options) for paths in ([NBEST], halves))
    assert both.summary["tuned"][0]["start_score"] == whole.summary["tuned"][0]["start_score"]
    assert f"{halves[1]} brings {len(lines) // 2} new hypotheses" in both.err
    again = fstmetrics("tune", NBEST, halves[0], *options)
    assert f"{halves[0]} brings no new hypothesis: tuning has converged" in again.err
    assert again.summary["tuned"][0]["score"] == whole.summary["tuned"][0]["score"]


def test_held_out_lists_are_measured_and_not_tuned_on(tmp_path: Path) -> None:
    """Tuned on the first sentences, measured on the last, whose score the weights that are written have."""
    lines = NBEST.read_text(encoding="utf-8").splitlines(keepends=True)
    references = REF.read_text(encoding="utf-8").splitlines(keepends=True)
    written(tmp_path / "dev", "".join(line for line in lines if int(line[0]) < 5))
    written(
        tmp_path / "test", "".join(f"{int(line[0]) - 5}{line[1:]}" for line in lines if int(line[0]) >= 5)
    )
    written(tmp_path / "dev.ref", "".join(references[:5]))
    written(tmp_path / "test.ref", "".join(references[5:]))
    tuned = ("tune", tmp_path / "dev", "--ref", tmp_path / "dev.ref", "--weights", START, "--metric", "bleu")
    held_out = ("--held-out", tmp_path / "test", "--held-out-ref", tmp_path / "test.ref")
    alone, measured = fstmetrics(*tuned, "--json").summary, fstmetrics(*tuned, *held_out, "--json").summary
    assert measured["tuned"] == alone["tuned"]
    lists = fm.NBest.read_all(tmp_path / "test", features=True)
    candidates = fm.decoding.Candidates(lists, [line.strip() for line in references[5:]], "bleu")
    weights = {"start": alone["start"], "bleu": alone["tuned"][0]["weights"]}
    assert measured["matrix"] == {name: {"bleu": candidates.score(w)} for name, w in weights.items()}
    out = fstmetrics(*tuned, *held_out).out.splitlines()
    assert out[0] == f"measured on {tmp_path / 'test'}"
    assert [line.split()[0] for line in out[1:4]] == ["tuned", "start", "bleu"]


def test_weights_are_packed_where_their_name_says_so(tmp_path: Path) -> None:
    given = ("tune", NBEST, "--ref", REF, "--weights", START, "--starts", 1)
    plain, packed = tmp_path / "w", tmp_path / "w.gz"
    for path in (plain, packed):
        outcome = fstmetrics(*given, "-o", path)
        assert outcome.status == 0, outcome.err
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert read_weights(str(packed)) == read_weights(str(plain))


def test_remarks_on_weights(tmp_path: Path) -> None:
    other = tmp_path / "weights"
    written(other, "lm 0.5\ntm_1 0.7\nunused 3\n")
    outcome = fstmetrics("tune", NBEST, "--ref", REF, "--weights", other, "--default-weight", 0, "--json")
    assert "has weights of features that no hypothesis has, and they stay: unused" in outcome.err
    assert "its totals are not the weighted sums of features under" in outcome.err
    assert outcome.summary["start"] == {"lm": 0.5, "tm_1": 0.7, "unused": 3, "tm_2": 0, "w": 0}
    assert outcome.summary["tuned"][0]["weights"]["unused"] == 3
    assert "totals" not in fstmetrics("tune", NBEST, "--ref", REF, "--weights", START).err


def test_one_weight_for_all_features_needs_no_file(tmp_path: Path) -> None:
    empty = written(tmp_path / "empty", "")
    command = ("tune", NBEST, "--ref", REF, "--default-weight", 2, "--starts", 1)
    outcome = fstmetrics(*command, "--json")
    assert outcome.summary["start"] == dict.fromkeys(("lm", "tm_1", "tm_2", "w"), 2)
    assert "totals" not in outcome.err
    assert fstmetrics(*command, "--weights", empty, "--json") == outcome
    assert fstmetrics(*command, "--output", tmp_path / "tuned").status == 0
    tuned = outcome.summary["tuned"][0]["weights"]
    assert read_weights(str(tmp_path / "tuned")) == tuned
    found = fm.tune_files(hypotheses=NBEST, references=REF, default_weight=2, starts=1)
    assert [each.weights for each in found.tuned.values()] == [tuned]


def test_lattices(tmp_path: Path) -> None:
    """The scales of a recogniser's lattices, towards WER and 4-GRR, over all paths."""
    written(tmp_path / "scales", "lm 1\nacoustic 1\nword_penalty 0\n")
    given = ("tune", ORACLE[1], "--ref", ORACLE[0], "--weights", tmp_path / "scales", "--starts", 2, "--json")
    found = fstmetrics(*given, "--metric", "wer,grr").summary
    for tuned, better in zip(found["tuned"], (-1, 1), strict=True):
        assert better * tuned["score"] >= better * tuned["start_score"]
    one_best = fstmetrics("oracle", *ORACLE, "--json").summary["one_best"]
    assert found["tuned"][0]["start_score"] == pytest.approx(one_best["score"])
    assert found["tuned"][0]["weights"]["acoustic"] > 0


def test_weights_of_lattices_are_scales_of_other_commands(tmp_path: Path) -> None:
    """What tune says, and what a command says that is given the file, is typed as it stands, and gives tune's score."""
    weights = tmp_path / "weights"
    tune = ("tune", ORACLE[1], "--ref", ORACLE[0], "--default-weight", 1, "--starts", 2, "--metric", "wer")
    tuned = fstmetrics(*tune, "--output", weights)
    expected = fstmetrics(*tune, "--json").summary["tuned"][0]["score"]
    options = tuned.err.partition("wer: best and oracle take these weights as ")[2].split()
    assert options[::2] == ["--lm-scale", "--acoustic-scale", "--word-penalty"]
    best = tmp_path / "best.txt"
    for command in (("oracle", *ORACLE), ("score", *ORACLE), ("best", ORACLE[1], "--output", best)):
        refused = fstmetrics(*command, "--weights", weights)
        assert refused.status == 2
        assert refused.err.endswith(f"; as scales of lattices they are {' '.join(options)}\n")
    found = fstmetrics("oracle", *ORACLE, *options, "--json").summary
    assert found["one_best"]["score"] == pytest.approx(expected)
    assert fstmetrics("best", ORACLE[1], *options, "--output", best).status == 0
    assert fstmetrics("score", ORACLE[0], best, "--json").summary["score"] == pytest.approx(expected)
    packed = tmp_path / "packed.lat"
    refused = fstmetrics("convert", ORACLE[1], packed, "--to", "packed", "--weights", weights)
    scale = refused.err.partition("they are ")[2].split()
    assert scale[0] == "--scale"
    assert fstmetrics("convert", ORACLE[1], packed, "--to", "packed", "--lossy", *scale).status == 0
    assert fstmetrics("best", packed, "--output", best).status == 0
    assert fstmetrics("score", ORACLE[0], best, "--json").summary["score"] == pytest.approx(expected)


def test_weights_of_lists_are_no_scales(tmp_path: Path) -> None:
    """Features of lists are called as those of lattices; and weights of other features are of no lattice."""
    lists = written(
        tmp_path / "lists", "0 ||| a b ||| lm= -1 acoustic= -2 word_penalty= -2 ||| -5\n"
        "0 ||| a c ||| lm= -2 acoustic= -1 word_penalty= -2 ||| -5\n"
    )  # fmt: skip
    ref, weights = written(tmp_path / "ref", "a c\n"), tmp_path / "weights"
    tune = ("tune", lists, "--ref", ref, "--default-weight", 1, "--metric", "wer", "--output", weights)
    found = fstmetrics(*tune)
    assert found.status == 0
    assert "take these weights" not in found.err
    assert fstmetrics("best", lists, "--weights", weights).out == "lists-000001 a c\n"
    other = written(tmp_path / "other", "lm 1\ntm 2\n")
    assert "as scales" not in fstmetrics("oracle", *ORACLE, "--weights", other).err
    whole = written(tmp_path / "whole", "lm 1\nacoustic 2\nword_penalty 0\n")
    assert "as scales" not in fstmetrics("score", *ORACLE[:1], ORACLE[0], "--weights", whole).err


@needs_data
def test_procedure_of_liu_dahlmeier_and_ng(tmp_path: Path) -> None:
    """[L11 §3, table 4] on Joshua's lists: tuned by each metric, measured by each, four references."""
    written(tmp_path / "weights", OF_JOSHUA)
    names = ["bleu", "bleu-sbp", "wer", "grr", "tesla-m"]
    # TESLA-M without WordNet: words as word|lemma|POS.
    for name in ("example.nbest.out.srilm.gz", *(f"example.test.ref.{i}" for i in range(4))):
        data = (JOSHUA / name).read_bytes()
        text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
        # The first of 300 entries: TESLA-M's linear programmes take a while.
        lines = [line for n, line in enumerate(text.splitlines()) if n % 300 < FIRST]
        written(tmp_path / name.removesuffix(".gz"), "".join(map(factored, lines)))
    references = [part for i in range(4) for part in ("--ref", tmp_path / f"example.test.ref.{i}")]
    found = fstmetrics(
        "tune", tmp_path / "example.nbest.out.srilm", *references, "--weights", tmp_path / "weights",
        "--feature-names", "lm,pm_0,pm_1,pm_2,wordpenalty", "--metric", ",".join(names), "--analyser", "factored",
        "--starts", 2, "--json",
    )  # fmt: skip
    assert "totals" not in found.err
    matrix = found.summary["matrix"]
    assert list(matrix) == ["start", *names]
    for name in names:
        tuned, start = matrix[name][name], matrix["start"][name]
        assert tuned < start if name == "wer" else tuned > start
    assert matrix["start"]["bleu"] == pytest.approx(29.749142)


def factored(line: str) -> str:
    """The words of a line, or of a line's second field, as word|word|N."""
    first, bars, rest = line.partition(" ||| ")
    text, more, end = rest.partition(" ||| ") if bars else (first, "", "")
    words = " ".join(f"{word}|{word}|N" for word in text.split())
    return f"{first}{bars}{words}{more}{end}\n" if bars else f"{words}\n"


@needs_data
def test_features_of_a_hypergraph(tmp_path: Path) -> None:
    """Moses' own search graph under the weights of its own test, sparse features at 0."""
    written(tmp_path / "ref", "the EU matters , but also other national matters since mid September\n")
    given = ("tune", HGDECODE / "hg.gz", "--ref", tmp_path / "ref", "--weights", HGDECODE / "dense.weights")
    refused = fstmetrics(*given)
    assert re.search(
        r"hg\.gz:\d+: the feature 'WT_@-@~the' has no weight in \S+dense\.weights; add", refused.err
    )
    found = fstmetrics(
        *given, "--default-weight", 0, "--metric", "grr", "--tune", "LM0,Word*,Lex*", "--starts", 1, "--json"
    ).summary["tuned"][0]
    assert found["score"] > found["start_score"]
    before = read_weights(str(HGDECODE / "dense.weights"))
    assert {n for n in before if found["weights"][n] != before[n]} <= {
        "LM0",
        "WordPenalty0",
        *(f"LexicalReordering0_{i}" for i in range(1, 9)),
    }


def test_progress_is_shown_on_a_terminal() -> None:
    outcome = fstmetrics("tune", NBEST, "--ref", REF, "--weights", START, terminal=True)
    assert outcome.status == 0
    assert "bleu 95.90" in outcome.err
    assert "bleu 95.90" not in fstmetrics("tune", NBEST, "--ref", REF, "--weights", START).err


def test_features_are_kept_where_they_are_asked_for() -> None:
    with_features = fm.NBest.read_all(NBEST, features=True)
    assert [nbest.features for nbest in fm.NBest.read_all(NBEST)] == [None] * 8
    assert with_features == fm.NBest.read_all(NBEST)
    features = with_features[0].features
    assert features is not None
    assert features.row(0) == {"lm": -8.834, "tm_1": -5.55, "tm_2": -3.354, "w": -6.0}
    totals = features.dot(read_weights(str(START)))
    assert totals.tolist() == pytest.approx(list(with_features[0].scores or ()), abs=1e-3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--metric", "wer"), True),
        (("--metric", "wer", "--lowercase"), False),
        (("--metric", "bleu"), True),
        (("--metric", "bleu", "--lowercase"), False),
        (("--metric", "ter"), False),
        (("--metric", "ter,wer"), True),
    ],
)
def test_chosen_hypotheses_that_differ_in_case_alone(
    options: tuple[str, ...], said: bool, tmp_path: Path
) -> None:
    entries = [
        f"{n} ||| {words} ||| lm= {lm} ||| 0\n"
        for n in range(4)
        for words, lm in (("a cat sat", -1), ("a dog", -2))
    ]
    given = written(tmp_path / "nbest", "".join(entries)), "--weights", written(tmp_path / "w", "lm= 1\n")
    ref = written(tmp_path / "ref", "A CAT SAT\n" * 4)
    remark = "most substitutions are of case: 12, and 0 with --lowercase"
    assert (remark in fstmetrics("tune", *given, "--ref", ref, *options).err.splitlines()) == said
    alike = fstmetrics("tune", *given, "--ref", written(tmp_path / "alike", "a cat sat\n" * 4), *options)
    assert (alike.status, "of case" in alike.err) == (0, False)


@pytest.mark.parametrize("metric", ["wer", "bleu", "chrf", "wer,bleu"])
@pytest.mark.parametrize("algorithm", ["mert", "mira"])
def test_accents_and_lacking_spaces_are_remarked_on_with_options(
    metric: str, algorithm: str, tmp_path: Path
) -> None:
    whole = "le caf\xe9 est bon"
    nbest = written(
        tmp_path / "nbest", f"0 ||| {whole} ||| lm= -1 ||| 0\n0 ||| {whole[3:]} ||| lm= -2 ||| 0\n"
    )
    ref = written(tmp_path / "ref", f"{whole}\n".replace("\xe9", "e\u0301"))
    call = ("tune", "--metric", metric, "--algorithm", algorithm, "--default-weight", "1", nbest)
    remark = (
        f"{ref} has accents apart from their letters (NFD), and {nbest} has none: --normalise-unicode nfc"
    )
    found = fstmetrics(*call, "--ref", ref)
    assert (found.status, remark in found.err, "Warning" in found.err) == (0, True, False)
    again = fstmetrics(*call, "--ref", ref, "--normalise-unicode", "nfc")
    assert (again.status, "(NFD)" in again.err) == (0, False)
    right = written(tmp_path / "right", f"{whole}\n")
    held_out = fstmetrics(*call, "--ref", right, "--held-out", nbest, "--held-out-ref", ref)
    assert remark in held_out.err


def test_calls_warn_of_references_with_accents_apart() -> None:
    nbest = NBest(
        "0", (("caf\xe9",), ("cafe",)), ("caf\xe9", "cafe"), features=Features.from_rows([{"lm": 1.0}] * 2)
    )
    with pytest.warns(UserWarning, match=r"references have accents apart .*Normalisation\(unicode='nfc'\)"):
        Candidates([nbest], ["cafe\u0301"], "wer")
