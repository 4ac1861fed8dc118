"""`fstmetrics compare`, and `fstmetrics score` with metrics of strings: what they print, and what they refuse."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written
from error_cases import error_cases, label

import fstmetrics as fm
from fstmetrics.significance import holm

EXAMPLE = Path(fm.__file__).parent / "examples" / "sign-test"
SYSTEMS = [EXAMPLE / "long.txt", EXAMPLE / "short.txt"]
REF = EXAMPLE / "ref.txt"
REFUSED = error_cases("comparisons")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    written(
        tmp_path / "ref.txt", "the cat sat on the mat\na dog barked at the moon\nwe are late again today\n"
    )
    written(
        tmp_path / "old.txt", "the cat sat on a mat\na dog barked to the moon\nwe were late again today\n"
    )
    written(
        tmp_path / "new.en.txt.gz",
        gzip.compress(b"the cat sat on the mat\na dog barked\nwe were late today\n"),
    )
    return tmp_path


def test_json_has_the_agreed_shape(here: Path) -> None:
    arguments = (
        "--metric",
        "bleu,bleu-sbp,grr,wer",
        "--test",
        "randomization",
        "--samples",
        500,
        "--seed",
        3,
    )
    found = fstmetrics(
        "compare", "--ref", "ref.txt", "old.txt", "new.en.txt.gz", *arguments, "--json"
    ).summary
    assert set(found) == {"systems", "tests", "settings", "remarks"}
    assert list(found["systems"]) == ["old", "new.en"]
    for scores in found["systems"].values():
        assert list(scores) == ["bleu", "bleu-sbp", "grr", "wer"]
        for name, score in scores.items():
            assert set(score) == {"score", "low", "high", *(["details"] if name.startswith("bleu") else [])}
            assert score["low"] <= score["score"] <= score["high"]
    assert [set(test) for test in found["tests"]] == [
        {
            "baseline",
            "system",
            "metric",
            "test",
            "delta",
            "delta_low",
            "delta_high",
            "relative",
            "p",
            "p_holm",
        }
    ] * 4
    for test in found["tests"]:
        assert (test["baseline"], test["system"], test["test"]) == ("old", "new.en", "randomization")
        scores = (found["systems"][name][test["metric"]]["score"] for name in ("new.en", "old"))
        assert test["delta"] == pytest.approx(next(scores) - next(scores))
        assert 1 / 501 <= test["p"] <= 1
    assert (found["settings"]["samples"], found["settings"]["seed"]) == (500, 3)
    again = fstmetrics(
        "compare", "--ref", "ref.txt", "old.txt", "new.en.txt.gz", *arguments, "--json"
    ).summary
    assert again == found


def test_several_references(here: Path) -> None:
    written(here / "other.txt", "the cat sat on a mat\na dog barked\nwe were late again today\n")
    found = fstmetrics(
        "compare", "--ref", "ref.txt", "--ref", "other.txt", "old.txt", "--metric", "wer,bleu", "--json"
    )
    systems, references = (here / "old.txt").read_text().splitlines(), ["ref.txt", "other.txt"]
    texts = [
        fm.Alternatives(r)
        for r in zip(*((here / n).read_text().splitlines() for n in references), strict=True)
    ]
    for metric in ("wer", "bleu"):
        assert found.summary["systems"]["old"][metric]["score"] == fm.score(systems, texts, metric).score
    assert found.summary["tests"] == []


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n")


@pytest.mark.parametrize("several", [("A",), ("A", "C", "D")])
def test_numbers_without_options_are_sacrebleu_s(
    several: tuple[str, ...], shared: Path, tmp_path: Path
) -> None:
    """Cased and raw text of WMT 2021, of one reference and of three."""
    peers = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")
    folder = shared / "mt-wmt" / "newstest2021.en-de"
    systems = {"fb": "hyp.Facebook-AI.de.gz", "edin": "hyp.UEdin.de.gz"}
    files = {**systems, **{name: f"ref.{name}.de.gz" for name in several}}
    texts = {name: lines(folder / file)[:250] for name, file in files.items()}
    for name, text in texts.items():
        written(tmp_path / name, "".join(f"{line}\n" for line in text))
    refs = [part for name in several for part in ("--ref", tmp_path / name)]
    given = [f"{name}={tmp_path / name}" for name in systems]
    found = fstmetrics("compare", *refs, *given, "--metric", "bleu,chrf", "--json").summary["systems"]
    streams = [texts[name] for name in several]
    for name in systems:
        outputs = texts[name]
        for metric, peer in (("bleu", peers.BLEU()), ("chrf", peers.CHRF())):
            expected = peer.corpus_score(outputs, streams).score
            assert found[name][metric]["score"] == pytest.approx(expected, rel=1e-12), (name, metric)


def test_text_markdown_and_latex_say_the_same(here: Path) -> None:
    arguments = (
        "compare",
        "--ref",
        "ref.txt",
        "old.txt",
        "new.en.txt.gz",
        "--metric",
        "bleu,wer",
        "--test",
        "randomization",
        "--samples",
        200,
    )
    found = fstmetrics(*arguments, "--json").summary
    text, markdown, latex = (
        fstmetrics(*arguments, *layout).out for layout in ((), ("--markdown",), ("--latex",))
    )
    for metric, digits in (("bleu", 2), ("wer", 4)):
        for system in ("old", "new.en"):
            score = f"{found['systems'][system][metric]['score']:.{digits}f}"
            assert all(score in page for page in (text, markdown, latex)), (metric, system)
            low, high = (f"{found['systems'][system][metric][end]:.{digits}f}" for end in ("low", "high"))
            assert rf"\[{low}, {high}\]" in markdown
            assert f"[{low}, {high}]" in latex
    for test in found["tests"]:
        assert all(f"{test['p']:.4f}" in page for page in (text, markdown, latex))
    for page in (markdown, latex):
        assert "(p of the difference from old)" in page
        assert all(signature in page for signature in found["settings"]["signatures"])
    assert "p = (c + 1) / (200 + 1)" in text
    assert len({line.count("|") for line in markdown.splitlines()[:4]}) == 1
    assert latex.count(r"\\") == 4
    for test in found["tests"]:
        digits = 2 if test["metric"] == "bleu" else 4
        ends = ", ".join(f"{test[end]:+.{digits}f}" for end in ("delta_low", "delta_high"))
        change = f"{100 * test['relative']:+.2f}%"
        assert rf"\[{ends}\], {change}" in markdown
        assert rf"[{ends}], {change[:-1]}\%" in latex
        assert ends.replace(",", " ") in re.sub(" +", " ", text).replace(" ", "  ")
        assert change.strip("%") in text
    assert re.search(r"^\\begin\{tabular\}\{lrr\}$", latex, flags=re.MULTILINE)


def test_names_are_escaped(here: Path) -> None:
    written(here / "a_b%c|d.txt", (here / "old.txt").read_text())
    arguments = ("compare", "--ref", "ref.txt", "a_b%c|d.txt", "--samples", 9)
    assert r"a\_b%c\|d" in fstmetrics(*arguments, "--markdown").out
    assert r"a\_b\%c\textbar{}d" in fstmetrics(*arguments, "--latex").out
    # After \\ a bracket would be taken for an option of it.
    assert "\n{[}a] & " in fstmetrics(*arguments, "[a]=old.txt", "--latex").out


def test_a_table_is_printed_in_one_form(here: Path) -> None:
    arguments = ("compare", "--ref", "ref.txt", "old.txt", "--samples", 9)
    for one, other in (("json", "latex"), ("latex", "json"), ("markdown", "json")):
        done = fstmetrics(*arguments, f"--{one}", f"--{other}")
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
        assert "a table is printed in one form" in done.err
        assert all(f"--{layout}" in done.err for layout in (one, other))
    assert fstmetrics(*arguments, "--json", "--json").summary["tests"] == []


def test_the_shipped_example_contradicts_itself() -> None:
    """[C08 §3.1]: BLEU's sign test, both ways; 4-GRR's does not."""
    found = fstmetrics(
        "compare",
        "--ref",
        REF,
        *SYSTEMS,
        "--metric",
        "bleu,bleu-sbp,grr",
        "--test",
        "sign",
        "--both-ways",
        "--json",
    ).summary
    counts = {(t["metric"], t["system"]): (t["better"], t["worse"], t["equal"]) for t in found["tests"]}
    assert counts["bleu", "short"] == counts["bleu", "long"] == (100, 0, 0)
    for metric in ("bleu-sbp", "grr"):
        assert (counts[metric, "short"], counts[metric, "long"]) == ((0, 100, 0), (100, 0, 0))
    assert {t["p"] for t in found["tests"]} == {2.0**-99}
    assert found["systems"]["long"]["bleu"]["score"] == pytest.approx(94.85, abs=0.005)
    assert found["systems"]["short"]["bleu"]["score"] == pytest.approx(89.48, abs=0.005)


def test_tables_have_the_tests_of_both_ways(here: Path) -> None:
    folder = EXAMPLES / "sign-test"
    arguments = ("compare", "--ref", folder / "ref.txt", folder / "long.txt", folder / "short.txt", "--metric",
                 "bleu,wer", "--test", "sign", "--samples", 9)  # fmt: skip
    markdown, latex = (
        fstmetrics(*arguments, "--both-ways", layout).out for layout in ("--markdown", "--latex")
    )
    p = "(p 1.6e-30)"
    won = "100 better, 0 worse"
    same = r"\[-0.0500, -0.0500\], -50.00%"
    (row,) = [line for line in markdown.splitlines() if line.startswith("| long against short ")]
    assert row.endswith(rf" {won} {p} | -0.0500\*\* {same} {won} {p} |")
    assert row.startswith(r"| long against short | +5.37\*\* \[")
    (row,) = [line for line in latex.splitlines() if line.startswith("long against short ")]
    assert row.endswith(rf" {won} {p} & $-0.0500^{{**}}$ [-0.0500, -0.0500], -50.00\% {won} {p} \\")
    assert "against short" not in fstmetrics(*arguments, "--markdown").out


def test_one_system_has_no_p(here: Path) -> None:
    arguments = ("compare", "--ref", "ref.txt", "old.txt", "--samples", 9)
    for layout in ((), ("--markdown",), ("--latex",)):
        out = fstmetrics(*arguments, *layout).out
        assert "intervals: 95% of 9 bootstrap resamples of items, seed 1" in out
        assert "p: " not in out
        assert "no p can be" not in out


def test_the_shipped_example_is_built_as_it_says() -> None:
    references, long, short = (path.read_text().splitlines() for path in (REF, *SYSTEMS))
    assert len(references) == 100
    for reference, longer, shorter in zip(references, long, short, strict=True):
        words = reference.split()
        assert len(set(words)) == len(words) == 20
        assert longer.split()[:-1] == words
        assert longer.split()[-1] not in words
        assert shorter.split() == words[:18]


@pytest.mark.parametrize(
    "metric", [name for name, kind in fm.metrics.METRICS.items() if issubclass(kind, fm.Metric)]
)
def test_networks_are_for_every_finite_state_metric(metric: str) -> None:
    """The score is that of the paths through the networks, as `score` finds it."""
    folder = EXAMPLE.parent / "hyter"
    arguments = ("--metric", metric, *(["--window", 2] if metric == "hyter" else []), "--json")
    found = fstmetrics(
        "compare", "--networks", folder / "networks", folder / "hyp.txt", *arguments, "--samples", 9
    ).summary
    alone = fstmetrics("score", folder / "networks", folder / "hyp.txt", *arguments).summary
    assert found["systems"]["hyp"][metric]["score"] == alone["score"]
    assert "|refs:network|" in found["settings"]["signatures"][0]


def test_networks_for_hyter() -> None:
    folder = EXAMPLE.parent / "hyter"
    found = fstmetrics(
        "compare", "--networks", folder / "networks", folder / "hyp.txt", "--metric", "hyter,mean-hyter", "--window", 3,
        "--samples", 100, "--json",
    )  # fmt: skip
    alone = fstmetrics("hyter", folder / "networks", folder / "hyp.txt", "--window", 3, "--json").summary
    scores = found.summary["systems"]["hyp"]
    assert scores["hyter"]["score"] == alone["score"]
    assert scores["mean-hyter"]["score"] == pytest.approx(alone["mean_score"])


def test_bleu_says_what_it_is_made_of(here: Path) -> None:
    """As sacrebleu's verbose score has it."""
    metrics = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")
    texts = [(here / name).read_text().splitlines() for name in ("old.txt", "ref.txt")]
    peer = metrics.BLEU().corpus_score(texts[0], [texts[1]])
    shares = " / ".join(f"{precision:.2f}" for precision in peer.precisions)
    said = fstmetrics("score", "ref.txt", "old.txt", "--metric", "bleu").out.splitlines()
    assert said[4] == (
        f"precisions {shares}, brevity penalty {peer.bp:.4f}, {peer.sys_len} words, {peer.ref_len} in the references, "
        f"length ratio {peer.ratio:.4f}"
    )
    both = fstmetrics(
        "compare",
        "--ref",
        "ref.txt",
        "old.txt",
        "new=new.en.txt.gz",
        "--metric",
        "bleu,wer",
        "--samples",
        100,
    ).out.splitlines()
    assert [line.split(":")[0] for line in both if "precisions" in line] == ["bleu of old", "bleu of new"]
    assert f"bleu of old: {said[4]}" in both


def test_score_with_metrics_of_strings(here: Path) -> None:
    summary = fstmetrics("score", "ref.txt", "old.txt", "--metric", "bleu-sbp", "--json").summary
    texts = [(here / name).read_text().splitlines() for name in ("old.txt", "ref.txt")]
    expected = fm.score(*texts, "bleu-sbp")
    assert (summary["metric"], summary["items"], summary["score"]) == ("bleu-sbp", 3, expected.score)
    assert summary["statistics"]["length"] == 17
    outcome = fstmetrics("score", "ref.txt", "old.txt", "--metric", "sentence-bleu", "--output", "-")
    records = outcome.records
    assert [record["score"] for record in records] == fm.score(*texts, "sentence-bleu").item_scores.tolist()
    shown = fstmetrics("score", "ref.txt", "old.txt", "--metric", "bleu", "--ref-length", "shortest").out
    assert "ref_length:shortest" in shown


def test_nist_is_tested_with_the_weights_of_all_references(here: Path) -> None:
    arguments = (
        "compare",
        "--ref",
        "ref.txt",
        "old.txt",
        "new.en.txt.gz",
        "--metric",
        "nist,wer",
        "--samples",
        50,
    )
    found = fstmetrics(*arguments, "--json").summary
    score = found["systems"]["old"]["nist"]
    assert 0 < score["low"] <= score["score"] <= score["high"]
    assert [test["metric"] for test in found["tests"]] == ["nist", "wer"]
    alone = fstmetrics("score", "ref.txt", "old.txt", "--metric", "nist", "--json").summary
    assert alone["score"] == found["systems"]["old"]["nist"]["score"]
    assert alone["mean_score"] is None
    assert fstmetrics("score", "ref.txt", "old.txt", "--metric", "nist").status == 0


@pytest.mark.parametrize("case", REFUSED["case"], ids=label)
def test_refusals_are_one_line(case: dict[str, str], here: Path) -> None:
    (here / "sub").mkdir()
    for name, text in REFUSED["files"].items():
        written(here / name, text)
    outcome = fstmetrics(*case["command"].split())
    assert outcome.status == 2, outcome
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert case["message"] in outcome.err


def test_a_missing_package_is_one_line(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "nltk.translate.meteor_score", None)
    outcome = fstmetrics("compare", "--ref", "ref.txt", "old.txt", "--metric", "meteor")
    assert outcome.status == 2
    assert (
        outcome.err == "fstmetrics: METEOR needs nltk, which is not installed: pip install 'fstmetrics[mt]'\n"
    )


def test_references_that_leave_a_choice(here: Path) -> None:
    written(here / "r.txt", "{ a / b } c\nd\n")
    written(here / "s.txt", "b c\nd\n")
    found = fstmetrics(
        "compare", "--ref", "r.txt", "s.txt", "--metric", "wer", "--alternations", "sclite", "--json"
    )
    assert found.summary["systems"]["s"]["wer"]["score"] == 0


def test_times_against_segments(here: Path) -> None:
    """Two systems in ctm, cut by the segments of an stm."""
    written(here / "r.stm", "f 1 x 0.0 1.0 a b\nf 1 x 1.0 2.0 c\n")
    written(here / "s.ctm", "f 1 0.1 0.2 a\nf 1 0.4 0.2 b\nf 1 1.2 0.2 c\n")
    written(here / "t.ctm", "f 1 0.1 0.2 a\nf 1 0.4 0.2 x\nf 1 1.2 0.2 c\n")
    found = fstmetrics(
        "compare", "--ref", "r.stm", "s.ctm", "t.ctm", "--metric", "wer", "--samples", 9, "--json"
    )
    scores = [found.summary["systems"][name]["wer"]["score"] for name in "st"]
    assert scores == [0, pytest.approx(1 / 3)]


def test_ids_pair_systems_that_are_in_another_order(here: Path) -> None:
    written(here / "r.txt", "u-1 a b c d\nu-2 e f g h\n")
    written(here / "s.txt", "u-2 e f g h\nu-1 a b c d\n")
    written(here / "t.txt", "u-1 a b c x\nu-2 e f g h\n")
    found = fstmetrics(
        "compare", "--ref", "r.txt", "s.txt", "t.txt", "--metric", "wer,bleu", "--samples", 9, "--json"
    )
    assert found.summary["systems"]["s"]["wer"]["score"] == 0
    assert found.summary["systems"]["s"]["bleu"]["score"] == pytest.approx(100)
    assert found.summary["systems"]["t"]["wer"]["score"] == 1 / 8
    lonely = written(here / "t.txt", "u-1 a b c x\nu-3 e f g h\n")
    outcome = fstmetrics("compare", "--ref", "r.txt", "s.txt", lonely, "--metric", "wer")
    assert outcome.status == 2
    assert "u-2" in outcome.err
    assert "u-3" in outcome.err


def test_systems_are_named(here: Path) -> None:
    """Files of one stem get names of their own; a file whose name holds an equals sign is still a file."""
    (here / "sub").mkdir()
    written(here / "sub" / "old.txt", (here / "ref.txt").read_text())
    written(here / "a=b.txt", (here / "ref.txt").read_text())
    found = fstmetrics(
        "compare", "--ref", "ref.txt", "old.txt", "best=sub/old.txt", "a=b.txt", "--json"
    ).summary
    assert list(found["systems"]) == ["old", "best", "a=b"]
    assert [test["system"] for test in found["tests"]] == ["best", "a=b"]
    assert found["systems"]["best"] == found["systems"]["a=b"] != found["systems"]["old"]


def test_grammars_widen_the_references_of_best_paths_only(here: Path) -> None:
    written(here / "r.txt", "the colour is grey\na dog\n")
    written(here / "s.txt", "the color is gray\na dog\n")
    arguments = ("compare", "--ref", "r.txt", "s.txt", "--metric", "wer,mean-wer,bleu", "--samples", 9)
    plain = fstmetrics(*arguments, "--json").summary["systems"]["s"]
    wider = fstmetrics(*arguments, "--grammar", "en.spelling", "--json").summary
    assert [plain[name]["score"] for name in ("wer", "mean-wer")] == [2 / 6, 0.25]
    assert [wider["systems"]["s"][name]["score"] for name in ("wer", "mean-wer")] == [0, 0]
    assert wider["systems"]["s"]["bleu"] == plain["bleu"]
    assert "en.spelling" in wider["settings"]["grammars"]
    assert ["grammars:en.spelling" in line for line in wider["settings"]["signatures"]] == [True, True, False]


def test_few_resamples_are_warned_about(here: Path) -> None:
    arguments = (
        "compare",
        "--ref",
        "ref.txt",
        "old.txt",
        "new.en.txt.gz",
        "--test",
        "randomization",
        "--samples",
    )
    warning = (
        "few resamples: no p can be below 0.01, and intervals are rough; --samples 1000 or more are usual"
    )
    for layout, line in (("", warning), ("--markdown", warning), ("--latex", f"% {warning}")):
        shown = [layout] if layout else []
        assert line in fstmetrics(*arguments, 99, *shown).out.splitlines()
        assert "few resamples" not in fstmetrics(*arguments, 1000, *shown).out
    exact = fstmetrics(*arguments[:-3], "--samples", 99, "--test", "sign").out
    assert "few resamples: intervals are rough" in exact
    assert "no p can" not in exact


def test_the_sides_of_a_test_are_said_once(here: Path) -> None:
    written(here / "long.txt", (here / "ref.txt").read_text() * 2)
    out = fstmetrics(
        "compare", "--ref", "long.txt", "long.txt", "--test", "sacrebleu-bootstrap", "a=long.txt"
    ).out
    assert "p: sacrebleu's rule, one-sided, p = (c + 1)" in out
    assert out.count("one-sided") == 1


@pytest.mark.parametrize("items", [29, 30])
def test_few_items_are_warned_about(items: int, here: Path) -> None:
    written(here / "r.txt", "a b c d\n" * items)
    written(here / "s.txt", "a b c x\n" * items)
    arguments = ("compare", "--ref", "r.txt", "s.txt", "r.txt", "--metric", "wer", "--samples", 1000)
    for test, what in (("bootstrap", "p values and intervals take"), ("sign", "intervals take")):
        for layout in ([], ["--markdown"], ["--latex"]):
            told = f"few items: {what} {items} as a sample of all there could be; 30 or more are usual"
            assert (told in fstmetrics(*arguments, "--test", test, *layout).out) == (items < 30)


@pytest.mark.parametrize(
    ("test", "p"),
    [("bootstrap", None), ("paired-bootstrap", None), ("sacrebleu-bootstrap", None), ("poisson-bootstrap", None),
     ("randomization", 1.0), ("sign", 1.0)],
)  # fmt: skip
def test_a_single_item_has_no_interval_and_no_p_of_resamples(test: str, p: float | None, here: Path) -> None:
    """All resamples are that item: their spread of 0 would make any difference certain."""
    written(here / "r.txt", "a b c d\n")
    written(here / "s.txt", "a b c x\n")
    arguments = ("compare", "--ref", "r.txt", "s.txt", "r.txt", "--metric", "wer,bleu", "--test", test)
    found = json.loads(fstmetrics(*arguments, "--json").out)
    scores = [by_metric[name] for by_metric in found["systems"].values() for name in ("wer", "bleu")]
    assert all(each["low"] is None and each["high"] is None for each in scores)
    for each in found["tests"]:
        assert (each["p"], each["delta_low"], each["delta_high"]) == (p, None, None)
    remark = "one item: all its resamples are that item, so there are no intervals and no p of them"
    for form in ([], ["--markdown"], ["--latex"]):
        out = fstmetrics(*arguments, *form).out
        assert remark in out
        assert ("intervals:" in out, "resamples" in out.replace(remark, ""), "interval]" in out) == (
            False,
            False,
            False,
        )
        assert ("p = (c + 1)" in out or "p is exact" in out) == (p is not None)
    assert "few resamples" not in fstmetrics(*arguments, "--samples", "10").out


def test_signatures_say_what_each_metric_did_to_the_words(here: Path) -> None:
    """chrF takes the text as written, TER folds case: neither says anything of the other metrics."""
    out = fstmetrics(
        "compare", "--ref", "ref.txt", "old.txt", "--metric", "chrf,ter,bleu", "--tokenize", "13a"
    ).out
    chrf, ter, bleu = out.splitlines()[-3:]
    assert ("metric:chrf|" in chrf, "tok:none" in chrf, "case:mixed" in chrf) == (True, True, True)
    assert ("metric:ter|" in ter, "tok:13a" in ter, "case:lower" in ter) == (True, True, True)
    assert ("metric:bleu|" in bleu, "tok:13a" in bleu, "case:mixed" in bleu) == (True, True, True)


def test_help_says_what_is_decomposable() -> None:
    for command in ("score", "compare"):
        shown = [line.split() for line in fstmetrics(command, "--help", "all").out.splitlines()]
        assert ["bleu", "higher", "never"] in shown
        assert ["ter", "lower", "always"] in shown
        assert ["wer", "lower", "with", "one", "reference", "an", "item"] in shown


def test_the_option_that_is_advised_for_missing_items_goes_on(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("ref", "one", "two")]
    for path, second in zip(paths, ("u-2", "u-2", "u-3"), strict=True):
        path.write_text(f"u-1 a\n{second} b\n")
    outcome = fstmetrics("compare", "--ref", *map(str, paths), "--metric", "wer")
    assert (outcome.status, "u-3" in outcome.err, "--missing skip" in outcome.err) == (2, True, True)
    assert (
        fstmetrics("compare", "--ref", *map(str, paths), "--metric", "wer", "--missing", "skip").status == 0
    )


@pytest.mark.parametrize("field", ["", ",speaker"])
def test_systems_without_ids_have_as_many_items_as_the_others(field: str, tmp_path: Path) -> None:
    references, plain, trn = (tmp_path / name for name in ("ref.csv", "p.txt", "m.trn"))
    references.write_text(f"id,text{field}\nb-1,y z{field}\na-1,x w{field}\n")
    plain.write_text("x\ny\n")
    trn.write_text("x w (a-1)\n")
    asked = ("compare", "--ref", references, plain, trn, "--metric", "wer", "--missing", "skip")
    outcome = fstmetrics(*asked)
    assert outcome.status == 2
    assert f"{references} has ids (b-1, a-1, ...) and {plain} has none" in outcome.err
    outcome = fstmetrics(*asked, "--fields", "id=")
    assert outcome.status == 2
    assert "numbers of items differ: " in outcome.err


MEANS = ["sentence-bleu", "mean-bleu", "bleu"]


@pytest.fixture
def short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Short sentences, of which item scores are not 0."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref.txt", "a b c d\ne f g\n")
    written(tmp_path / "one.txt", "a b c\ne f g\n")
    written(tmp_path / "two.txt", "a b x d\ne f\n")
    return tmp_path


def test_two_means_of_bleu_have_two_names(short: Path) -> None:
    """One number by default, that of sacrebleu's sentence BLEU, and two metrics: neither is shown as the other."""
    arguments = (
        "compare",
        "--ref",
        "ref.txt",
        "one.txt",
        "two.txt",
        "--metric",
        ",".join(MEANS),
        "--samples",
        20,
    )
    text = fstmetrics(*arguments).out
    for layout in ("--markdown", "--latex"):
        text += fstmetrics(*arguments, layout).out
    assert all(text.count(f"|metric:{name}|") == 3 and f"\n{name}, higher" in f"\n{text}" for name in MEANS)
    found = fstmetrics(*arguments, "--json").summary
    scores = {name: found["systems"]["two"][name]["score"] for name in MEANS}
    assert list(scores) == MEANS == list(dict.fromkeys(test["metric"] for test in found["tests"]))
    assert scores["sentence-bleu"] == scores["mean-bleu"] != scores["bleu"]
    for name in ("sentence-bleu", "bleu"):
        alone = fstmetrics("score", "ref.txt", "two.txt", "--metric", name, "--json").summary
        assert (alone["metric"], alone["score"]) == (name, scores[name])
        assert f"|metric:{name}|" in alone["signature"]


def test_correlate_knows_two_means_of_bleu(short: Path) -> None:
    rows = [f"{system} {i} {score}" for system, score in (("one", 2), ("two", 1)) for i in (1, 2)]
    written(short / "human.txt", "\n".join(["system segment human", *rows]) + "\n")
    found = fstmetrics(
        "correlate", "human.txt", "one.txt", "two.txt", "--ref", "ref.txt", "--metric", ",".join(MEANS),
        "--samples", 0, "--output", "table.tsv", "--json",
    ).summary  # fmt: skip
    assert list(dict.fromkeys(c["metric"] for c in found["correlations"])) == MEANS
    assert (short / "table.tsv").read_text().splitlines()[0].split("\t")[3:] == MEANS


@pytest.mark.parametrize(("metric", "name"), [("wer", "cer"), ("grr", "char-grr"), ("mean-wer", "mean-cer")])
def test_scores_of_characters_have_names_of_their_own(short: Path, metric: str, name: str) -> None:
    """In every table, record, picture's title and signature: a WER of characters is a CER."""
    if not metric.startswith("mean"):
        arguments = ("score", "ref.txt", "one.txt", "--metric", metric, "--unit", "char", "--alignment")
        text = fstmetrics(*arguments).out
        assert f"item 1  {name} " in text
        assert f"\n{name} " in text
        assert f"|metric:{name}|" in text
        assert ("%CER" in text, "wer" in text.lower()) == (metric == "wer", False)
        summary = fstmetrics(*arguments, "--json").summary
        assert [summary["metric"], *(record["metric"] for record in summary["records"])] == [name] * 3
        characters = fm.Normalisation(unit="char")
        corpus = fm.score(["a b"], ["a c"], metric, normalisation=characters)
        assert isinstance(corpus, fm.CorpusResult)
        assert (corpus.name, corpus[0].name, str(corpus[0]).split()[2]) == (name, name, name)
    compared = fstmetrics(
        "compare", "--ref", "ref.txt", "one.txt", "two.txt", "--metric", metric, "--unit", "char", "--samples", 9,
        "--json",
    ).summary  # fmt: skip
    assert list(compared["systems"]["one"]) == [name] == [test["metric"] for test in compared["tests"]]
    assert f"|metric:{name}|" in compared["settings"]["signatures"][0]


def test_error_rates_of_words_and_of_characters_do_not_mix(short: Path) -> None:
    rows = [f"{system} {i} {score}" for system, score in (("one", 2), ("two", 1)) for i in (1, 2)]
    written(short / "human.txt", "\n".join(["system segment human", *rows]) + "\n")
    for system in ("one", "two"):
        for unit in ("word", "char"):
            fstmetrics(
                "score", "ref.txt", f"{system}.txt", "--unit", unit, "--output", f"{unit}.{system}.jsonl"
            )
    files = [f"{unit}.{system}.jsonl" for unit in ("word", "char") for system in ("one", "two")]
    found = fstmetrics("correlate", "human.txt", *files, "--samples", 0, "--json").summary
    assert {c["metric"] for c in found["correlations"]} == {"wer", "cer"}
    assert all(
        c["value"] > 0 for c in found["correlations"] if c["coefficient"] == "pearson"
    )  # both are error rates
    one, two = (fm.align("a", "a", normalisation=fm.Normalisation(unit=unit)) for unit in ("word", "char"))  # type: ignore[arg-type]
    with pytest.raises(fm.FstmetricsError, match="words and of characters"):
        one + two


def test_a_name_of_characters_says_how_to_ask_for_it(short: Path) -> None:
    outcome = fstmetrics("compare", "--ref", "ref.txt", "one.txt", "--metric", "char-mer")
    assert (outcome.status, "--unit char" in outcome.err) == (2, True)
    with pytest.raises(fm.FstmetricsError, match="unit="):
        fm.score(["a"], ["a"], "char-mer")


def test_holm_stands_beside_the_plain_p(here: Path) -> None:
    """Where it was asked for, and there are several tests."""
    written(here / "third", "the cat\na dog barked at a moon\nwe are too late today\n")
    arguments = (
        "compare",
        "--ref",
        "ref.txt",
        "old.txt",
        "new.en.txt.gz",
        "third",
        "--metric",
        "wer",
        "--test",
        "sign",
    )
    for correction in ("none", "holm"):
        tests = fstmetrics(*arguments, "--correction", correction, "--json").summary["tests"]
        assert [test["p_holm"] for test in tests] == holm([test["p"] for test in tests])
        assert any(test["p"] != test["p_holm"] for test in tests) or correction == "none"
        lines = fstmetrics(*arguments, "--correction", correction).out.splitlines()
        assert ("p Holm" in lines[0]) == (correction == "holm")
        shown = lines[2].split()[-2:] if correction == "holm" else lines[2].split()[-1:]
        assert [float(cell) for cell in shown] == pytest.approx(
            [tests[0]["p"], tests[0]["p_holm"]][: len(shown)], abs=1e-4
        )
    markdown = fstmetrics(*arguments, "--correction", "holm", "--markdown").out
    assert f"(p {tests[0]['p']:.4f}, p Holm {tests[0]['p_holm']:.4f})" in markdown


def test_two_metrics_of_one_name_are_refused() -> None:
    with pytest.raises(fm.FstmetricsError, match="two metrics are called bleu"):
        fm.compare({"a": ["x"]}, ["x"], ["bleu", fm.BLEU(smoothing="none")])


def test_details_of_bleu_are_in_every_layout(tmp_path: Path) -> None:
    """What the text says of a system is in Markdown and LaTeX, and in numbers in JSON."""
    ref, one = written(tmp_path / "ref", "a b c d e\n"), written(tmp_path / "one", "a b c x\n")
    given = ("compare", "--ref", ref, one, "--metric", "bleu,wer", "--samples", 20)
    said = "bleu of one: precisions 75.00 / 66.67 / 50.00 / 0.00, brevity penalty 0.7788"
    for layout in ((), ("--markdown",), ("--latex",)):
        assert said in fstmetrics(*given, *layout).out
    scores = fstmetrics(*given, "--json").summary["systems"]["one"]
    assert "details" not in scores["wer"]
    details = scores["bleu"]["details"]
    assert details["precisions"] == pytest.approx([75, 200 / 3, 50, 0])
    assert details["brevity_penalty"] == pytest.approx(0.7788, abs=1e-4)
    assert (details["hypothesis_length"], details["reference_length"], details["length_ratio"]) == (4, 5, 0.8)


def test_an_empty_name_among_runs_is_told(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "a\n")
    outcome = fstmetrics("compare", "--ref", ref, f"a={ref},", "--metric", "bleu")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert (
        f"a={ref},: commas separate the files of several runs of a system, and one of the names is empty"
        in outcome.err
    )


def test_systems_with_and_without_ids_are_refused(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.trn", "a b (u-1)\nc d (u-2)\n")
    one = written(tmp_path / "one.trn", "c d (U-2)\na (U-1)\n")
    two = written(tmp_path / "two.txt", "a b\nc\n")
    asked = ("compare", "--ref", ref, "--metric", "wer", "--samples", "9")
    assert f"{ref} has ids (u-1, u-2, ...) and {two} has none" in fstmetrics(*asked, one, two).err
    out = fstmetrics(*asked, one, f"two={one}").out
    assert "2 ids differ in case from those of the references (" in out
    assert out.split("\none ")[1].split()[0] == "0.2500"


def test_systems_of_numbers_are_refused_unless_they_are_said_to_be_words(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "u-1 a b\nu-2 c d\n")
    one, two = written(tmp_path / "one", "u-1 1 2\nu-2 3\n"), written(tmp_path / "two", "u-1 a\nu-2 c d\n")
    asked = ("compare", "--ref", ref, "--metric", "wer", "--samples", "9")
    for systems in ((two, one), (one, two)):
        outcome = fstmetrics(*asked, *systems)
        assert (outcome.status, outcome.out) == (2, "")
        assert outcome.err.startswith(f"fstmetrics: {one}: has numbers in place of words")
        assert "--symbols" in outcome.err
        said = fstmetrics(*asked, *systems, "--format", "kaldi-text")
        assert said.status == 0
        assert f"all words of {one} are numbers: does it need --symbols?\n" in said.out
        partly = fstmetrics(
            "score", ref, written(tmp_path / "partly", "u-1 1 2\nu-2 c\n"), "--format", "kaldi-text"
        )
        assert "are numbers" not in partly.out
    other = written(tmp_path / "other", "u-1 1 2\nu-2 4\n")
    alike = fstmetrics("compare", "--ref", one, one, other, "--metric", "wer", "--samples", "9")
    assert alike.status == 0
    assert "are numbers" not in alike.out


def test_a_system_of_which_hardly_a_word_matches_is_told(tmp_path: Path) -> None:
    lines = [" ".join(f"w{item}-{place}" for place in range(9)) + "\n" for item in range(4)]
    ref, good = written(tmp_path / "ref", "".join(lines)), written(tmp_path / "good", "".join(lines))
    shifted = written(tmp_path / "shifted", "".join([*lines[1:], lines[0]]))
    given = (
        "compare",
        "--ref",
        ref,
        good,
        shifted,
        "--metric",
        "wer,hyter",
        "--window",
        "2",
        "--samples",
        "9",
    )
    found = [
        remark
        for remark in fstmetrics(*given, "--format", "plain", "--ref-format", "plain", "--json").summary[
            "remarks"
        ]
        if "words match" in remark
    ]
    assert len(found) == 1
    assert found[0].startswith("shifted: only 0 of 36 words match: do both sides have the same items")


def test_only_endings_of_files_are_no_part_of_the_names_of_systems(here: Path) -> None:
    names = ["blank", "hyp.UEdin", "v1.2", "new.txt"]
    for name in names:
        written(here / name, (here / "old.txt").read_text())
    found = fstmetrics("compare", "--ref", "ref.txt", *names, "--samples", 9, "--json").summary
    assert list(found["systems"]) == ["blank", "hyp.UEdin", "v1.2", "new"]


def test_a_prefix_of_all_names_is_left_out_of_tables_for_people(here: Path) -> None:
    for name in ("news.en-de.a", "news.en-de.b", "news.en-de.c"):
        written(here / f"{name}.txt", (here / "old.txt").read_text())
    command = ("compare", "--ref", "ref.txt", *sorted(map(str, here.glob("news.*.txt"))), "--samples", 9)
    text = fstmetrics(*command).out
    assert re.search(r"^a +\d", text, re.MULTILINE)
    assert "the names of the systems begin with news.en-de., which is left out" in text
    assert re.search(r"^bleu, details +precisions 1", text, re.MULTILINE)
    assert list(fstmetrics(*command, "--json").summary["systems"]) == [f"news.en-de.{n}" for n in "abc"]
    assert "news.en-de.a" in fstmetrics(*command, "--csv").out
    assert "| a |" in fstmetrics(*command, "--markdown").out
    alone = fstmetrics("compare", "--ref", "ref.txt", "a.b=old.txt", "a.c=old.txt", "--samples", 9).out
    assert re.search(r"^a.b +\d", alone, re.MULTILINE)
    for one, other in (("set1.out.0", "set1.out.1"), ("out_v2", "out_1"), ("run.1", "run.1.b")):
        text = fstmetrics(
            "compare", "--ref", "ref.txt", f"{one}=old.txt", f"{other}=old.txt", "--samples", 9
        ).out
        assert ("left out" in text, f"\n{one} " in text, f"\n{other} " in text) == (False, True, True), text


def test_the_default_metric_of_transcripts_says_why_it_is_one(here: Path) -> None:
    for name in ("ref.txt", "old.txt"):
        lines = (here / name).read_text().splitlines()
        written(here / f"{name}.trn", "".join(f"{line} (u_{n})\n" for n, line in enumerate(lines)))
    arguments = ("compare", "--ref", "ref.txt.trn", "old.txt.trn")
    said = "\nwer is the default, as old.txt.trn is no plain text; --metric names others\n"
    assert said in fstmetrics(*arguments).out
    assert "is the default" not in fstmetrics(*arguments, "--metric", "wer").out
    assert "is the default" not in fstmetrics(*arguments, "--test", "mapsswe").out
    plain = fstmetrics("compare", "--ref", "ref.txt", "old.txt").out
    assert ("is the default" in plain, "metric:bleu" in plain) == (False, True)


SAID = "a cat sat on the mat here\n" * 20
SPELLED = SAID.replace("a cat", "A cat").replace("here", "here.")
OF_SPELLING = "most errors are of case and punctuation: 40, and 0 with --lowercase --remove-punctuation"


@pytest.mark.parametrize(
    ("other", "options", "said"),
    [
        (SPELLED, (), OF_SPELLING),
        (SPELLED, ("--lowercase", "--remove-punctuation"), ""),
        (SPELLED, ("--metric", "bleu"), OF_SPELLING),
        (
            SPELLED,
            ("--metric", "bleu", "--lowercase"),
            OF_SPELLING.replace("case and ", "").replace("40", "20").replace("--lowercase ", ""),
        ),
        (SPELLED, ("--metric", "chrf,sclite,wer"), OF_SPELLING),
        (SAID.upper(), ("--metric", "cer"), "most substitutions are of case: 380, and 0 with --lowercase"),
        (
            SAID.replace("cat", "cafe\u0301"),
            (),
            "most substitutions are of forms of Unicode: 20, and 0 with --normalise-unicode nfc",
        ),
        (SAID.replace("cat", "dog"), (), ""),
        (
            SAID[:-1] + " thank you" * 60 + "\n",
            (),
            "1 of 20 item has 100 % of the insertions; errors --loops lists loops and long runs",
        ),
        (
            "z y x w v u t s r q\n" + SAID[26:],
            (),
            "1 of 20 item has 100 % of the errors; show lists the worst",
        ),
        (SAID[:-1] + " thank you" * 60 + "\n", ("--metric", "bleu"), ""),
    ],
)
def test_systems_whose_errors_are_owed_to_spelling_or_loops(
    other: str, options: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    """What `score` says of the file, and of no other one."""
    of = SAID.replace("cat", "caf\u00e9") if "cafe" in other else SAID
    ref, good = written(tmp_path / "ref", of), written(tmp_path / "good", of)
    given = ("compare", "--ref", ref, good, written(tmp_path / "other", other), "--samples", "9")
    given += options if "--metric" in options else ("--metric", "wer", *options)
    remarks = fstmetrics(*given, "--json").summary["remarks"]
    starts = ("good: ", "other: ")
    assert [each for each in remarks if each.startswith(starts)] == ([f"other: {said}"] if said else [])
    assert not said or f"other: {said}\n" in fstmetrics(*given).out
    if options[:1] != ("--metric",):
        alone = fstmetrics("score", ref, tmp_path / "other", *options, "--json").summary["remarks"]
        assert not said or said in alone


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "options", [["--metric", "wer", "--samples", "9"], ["--profiles", "none,whisper-basic"]]
)
def test_texts_that_are_said_to_be_plain_are_looked_at_once(options: list[str], tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{name}.txt", f"u1 the {name}@@ at\nu2 a dog\n") for name in "abr"]
    plain = ("--format", "plain", "--ref-format", "plain")
    written(paths[1], "u1 the cat\nu2 a dog\n")
    outcome = fstmetrics("compare", "--ref", paths[2], *paths[:2], *plain, *options)
    assert "a.txt has pieces of words, marked @@, and " in outcome.out
