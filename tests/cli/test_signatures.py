"""Two numbers that differ by an option have two signatures: tables of all options, so that none can be forgotten."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, all_params, fstmetrics, with_options, written

import fstmetrics as fm
from fstmetrics.cli import cli
from fstmetrics.metrics import METRICS
from fstmetrics.support.options import PATH, Kind, option, whole

FILES = {
    "ref": "u1 The cat sat, on the mat uh .\nu2 ÉTÉ déjà (une) la fois\nu3 a b c d\nu4 it's don't stop 漢字、\n"
    "u5 e f g h\n",
    "hyp": "u1 the cat on mat sat .\nu2 été déjà la fois\nu3 b a d c x\nu4 it 's do not stop, 漢字\nu5 g h e f\n",
    "ref2": "u1 a cat sat on the mat\nu2 é te\u0301 la fois\nu3 b a\nu4 it is\nu5 e g h f\n",
    "fewer": "u1 the cat on mat sat .\nu2 été déjà la fois\n",
}
# Three likely paths, of which neither the first nor a short one is expected to lose least.
LATTICE = """VERSION=1.0
N=7 L=9
I=0
I=1
I=2
I=3
I=4
I=5
I=6
J=0 S=0 E=1 W=x a=-5 l=-5
J=1 S=1 E=5 W=y a=0 l=0
J=2 S=0 E=2 W=a a=-9.2 l=-1
J=3 S=2 E=5 W=b a=0 l=0
J=4 S=0 E=3 W=a a=-9.3 l=-1
J=5 S=3 E=6 W=c a=0 l=0
J=8 S=6 E=5 W=d a=0 l=0
J=6 S=0 E=4 W=a a=-11 l=-1.5
J=7 S=4 E=5 W=!NULL a=0 l=0
"""
# Options that change no number of a score, and why; all others change one, and so the signature.
HARMLESS = {
    "json": "how it is printed", "alignment": "what is shown", "output": "where to", "nbest": "further paths",
    "check": "the same answers, or an error",
    "route": "the same answers", "jobs": "the same answers", "resume": "the same answers", "limits": "what is refused",
    "on": "the same answers", "shard": "a part of the items, of which merge makes the whole",
    "keep_going": "[PARTIAL] stands on the numbers", "allow_download": "what is refused", "depth": "another number",
    "format": "what is read: its ids stand in the signature", "ref_format": "the same", "text": "how it is printed",
    "verbose": "how it is printed", "form": "how it is printed", "percent": "how it is printed", "items": "where to",
    "plot": "a picture", "as_json": "how it is printed",
    "by": "further tables", "speakers": "further tables", "reports": "further tables",
    "fields": "what is read, as the name of a file",
    "biasing": "further rates of the same errors", "times": "further numbers of the same path",
}  # fmt: skip
WORDS = {
    "normalise_unicode": ["--normalise-unicode", "nfkd", "--unit", "char"],
    "lowercase": ["--lowercase"], "remove_punctuation": ["--remove-punctuation"], "ignore": ["--ignore", "the . uh"],
    "ignore_reference": ["--ignore-ref", "uh the"], "ignore_hypothesis": ["--ignore-hyp", "cat"],
    "unit": ["--unit", "char"], "tokenize": ["--tokenize", "13a"], "profile": ["--profile", "chinese-cer"],
}  # fmt: skip
GRR = {
    "order": ["--metric", "grr", "--order", "1"], "alpha": ["--metric", "grr", "--alpha", "-0.9"],
    "beta": ["--metric", "grr", "--beta", "0.5"],
}  # fmt: skip
TEXT = {
    "ref_length": ["--metric", "bleu-sbp", "--ref", "ref2", "--ref-length", "average"],
    "smoothing": ["--metric", "sentence-bleu", "--smoothing", "plus-one"],
    "chrf_char_order": ["--metric", "chrf", "--chrf-char-order", "3"],
    "chrf_word_order": ["--metric", "chrf", "--chrf-word-order", "2"],
    "chrf_beta": ["--metric", "chrf++", "--chrf-beta", "3"],
    "chrf_whitespace": ["--metric", "chrf", "--chrf-whitespace"],
    "chrf_eps_smoothing": ["--metric", "chrf", "--chrf-eps-smoothing"],
    "ter_case_sensitive": ["--metric", "ter", "--ter-case-sensitive"],
    "ter_normalized": ["--metric", "ter", "--ter-normalized"],
    "ter_no_punct": ["--metric", "ter", "--ter-no-punct"],
    "ter_asian_support": ["--metric", "ter", "--ter-normalized", "--ter-asian-support"],
    "terp_costs": ["--metric", "terp", "--synonyms", "none", "--terp-costs", "unit"], "terp_paraphrases": None,
    "marks": ["--metric", "per", "--marks", ",;"],
    "gtm_exponent": ["--metric", "gtm", "--gtm-exponent", "2"],
    "synonyms": None, "analyser": None, "maxsim_recall_weight": None,
    "pivot_table": None, "language_model": None, "tesla_f_weights": None, "discount": None,  # below, without WordNet
}  # fmt: skip
READ = {
    "more_references": ["--ref", "ref2"], "alternations": ["--alternations", "sclite"],
    "missing": ["--missing", "empty"],
    "resegment": None, "criterion": None, "documents": None,  # test_segment_command
    "symbols": None, "weights": None, "tag_candidates": None,  # below
    "optional_words": None,  # of files with words in parentheses: test_optional_words
    "grammars": ["--grammar", "en.contractions"],
}  # fmt: skip
SCALES = {
    "lm_scale": ["--lm-scale", "3"], "acoustic_scale": ["--acoustic-scale", "0.5"],
    "word_penalty": ["--word-penalty", "5"],
}  # fmt: skip
HYTER = {
    "window": ["--metric", "hyter", "--window", "3"],
    "reordering": ["--metric", "hyter", "--window", "4", "--reordering", "jumps"],
}  # fmt: skip
# What text has no use for: `oracle` has a case of each.
OF_LATTICES = dict.fromkeys(["beams", "model_weight", *SCALES])
# For each command its arguments and options; None: looked at elsewhere in this file.
COMMANDS: Mapping[str, tuple[list[str], dict[str, list[str] | None]]] = {
    "score": (
        ["ref", "hyp"],
        {"metric_name": ["--metric", "wrr"], **GRR, **HYTER, **TEXT, **READ, **WORDS, **OF_LATTICES},
    ),
    "hyter": (
        ["ref", "hyp"],
        {"metric_name": ["--metric", "wrr"], **GRR, **HYTER, **TEXT, **READ, **WORDS, **OF_LATTICES},
    ),
    "oracle": (
        ["said", "lattice.slf"],
        {"metric_name": ["--metric", "wrr"], **GRR, **SCALES, "beams": ["--beam", "0.1"],
         "model_weight": ["--model-weight", "2"],
         **dict.fromkeys([*HYTER, *TEXT, *READ, *WORDS])},
    ),
    "mbr": (
        ["lattice.slf"],
        {"metric_name": ["--metric", "wrr"], **GRR, "beta": ["--metric", "grr", "--beta", "-3"], **SCALES,
         "scale": ["--scale", "0.1"],
         "candidates": ["--candidates", "1"], "evidence": ["--evidence", "2"],
         "unigram_precision": ["--metric", "linear-bleu", "--unigram-precision", "0.3"],
         "precision_ratio": ["--metric", "linear-bleu", "--precision-ratio", "0.05"],
         "utilities": None,  # in tests/lattices/test_mbr.py
         **dict.fromkeys([*TEXT, *READ, *WORDS])},
    ),
    "compare": (
        ["--ref", "ref", "hyp", "--metric", "wer"],
        {"references": ["--ref", "ref2"], "metric_names": ["--metric", "wrr"], **GRR, **TEXT, **WORDS,
         **HYTER, "networks": None, "missing": None,  # of files that lack ids: test_projects_as_networks
         "alternations": ["--alternations", "sclite"], "grammars": ["--grammar", "en.contractions"],
         "optional_words": None,  # of files with words in parentheses: test_compare_claims
         "collar": None,  # of sessions, which have it in their signatures: test_speakers_command
         "resegment": None, "criterion": None,  # test_segment_command
         # of p values and intervals, which JSON's settings and the line under the table describe
         **dict.fromkeys(["test", "samples", "seed", "one_sided", "both_ways", "correction", "confidence",
                          "blocks", "speakers", "profiles", "top", "are_systems", "pairs", "labels"]), "symbols": None,
         # scores of other programs, which no signature describes
         **dict.fromkeys(["scores", "lower", "higher", "documents"])},
    ),
    "correlate": (
        ["human", "hyp", "fewer=ref2", "--ref", "ref", "--metric", "wer", "--samples", "0"],
        {"references": ["--ref", "ref2"], "metric_names": ["--metric", "wrr"], **GRR, **TEXT, **WORDS,
         **HYTER, "networks": None, "missing": None, "grammars": ["--grammar", "en.contractions"],
         # of coefficients, which JSON's settings describe
         **dict.fromkeys(["human", "fluency", "pair", "metric_references", "raw", "lower", "higher", "levels", "sizes",
                          "coefficients", "by_field", "tasks", "renamed",
                          "per_size", "threshold", "people", "test",
                          "p_level", "samples", "seed", "resample", "confidence", "plot_level", "grid", "bars"])},
    ),
    "variants": (
        ["hyp", "--ref", "ref", "--tokenize", "none"],
        {"references": ["--ref", "ref2"], "lowercase": ["--lowercase"], "tokenize": ["--tokenize", "char"],
         "seed": ["--seed", "7"]},
    ),
}  # fmt: skip
PAIRS = [
    (name, option) for name, (_, options) in COMMANDS.items() for option, extra in options.items() if extra
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        written(tmp_path / name, text)
    rows = [f"{s} u{i} {i % 3 + len(s)}" for s in ("hyp", "fewer") for i in range(1, 6)]
    written(tmp_path / "lattice.slf", LATTICE)
    written(tmp_path / "said", "lattice a b d\n")
    written(tmp_path / "human", "\n".join(["system segment human", *rows]) + "\n")
    return tmp_path


def options_of(name: str) -> list[str]:
    command = cli.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    return [param.name or "" for param in all_params(command) if param.param_type_name == "option"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_the_tables(name: str) -> None:
    known = {*COMMANDS[name][1], *HARMLESS, "help"}
    assert [option for option in options_of(name) if option not in known] == []


def found(name: str, *extra: str) -> tuple[Any, Any]:
    """The numbers of a command, and its signatures."""
    output = [] if name != "correlate" else ["--output", "table"]
    outcome = fstmetrics(name, *with_options(COMMANDS[name][0], extra), *output, "--json")
    summary = outcome.summary
    if name == "compare":
        return summary["systems"], summary["settings"]["signatures"]
    if name == "correlate":
        return Path("table").read_text(), summary["settings"]["signatures"]
    if name == "variants":
        return summary["items"], summary["signature"]
    parts = ("score", "one_best", "hope", "expected_loss", "numerator", "edits", "mean_score", "mean_mass")
    return [summary.get(part) for part in parts], summary["signature"]


@pytest.mark.parametrize(("name", "option"), PAIRS)
def test_an_option_that_changes_numbers_changes_the_signature(name: str, option: str, here: Path) -> None:
    if option == "terp_costs":
        pytest.importorskip("nltk")
    extra = COMMANDS[name][1][option]
    assert extra is not None
    before: list[str] = []  # the same without the option
    if option == "missing":
        written(here / "hyp", FILES["fewer"])
        before = ["--missing", "skip"]
    elif option == "window" and "--metric" in extra:
        before = ["--metric", "hyter", "--window", "2"]
    elif option == "normalise_unicode":
        before = extra[2:]
    elif len(extra) > 2 and option not in ("metric_name", "metric_names"):
        before = extra[: max(i for i, part in enumerate(extra) if part.startswith("--"))]
    numbers, signature = found(name, *before)
    others, another = found(name, *extra)
    assert numbers != others, "the table needs a case where the option matters"
    assert signature != another


def test_notations_are_named_also_where_nothing_is_a_choice(here: Path) -> None:
    """They read backslashes."""
    written(here / "r", "a\\b c\n")
    written(here / "h", "ab c\n")
    plain = fstmetrics("score", "r", "h", "--json").summary
    found = fstmetrics("score", "r", "h", "--alternations", "wildcards", "--json").summary
    assert (plain["edits"], found["edits"]) == (1, 0)
    assert "|alternations:wildcards|" in found["signature"]


def test_candidates_of_tags_are_named(here: Path) -> None:
    written(here / "r.nlp", "token|speaker|tags\n$10|1|['0:MONEY']\n")
    written(here / "norm.json", '{"0": {"candidates": [{"verbalization": ["ten"]}]}}')
    written(here / "said", "ten\n")
    plain = fstmetrics("score", "r.nlp", "said", "--json").summary
    found = fstmetrics("score", "r.nlp", "said", "--tag-candidates", "norm.json", "--json").summary
    assert (plain["edits"], found["edits"]) == (1, 0)
    assert "|tag-candidates:norm.json|" in found["signature"]
    assert "tag-candidates" not in plain["signature"]


def test_files_of_words_and_weights_are_named(here: Path) -> None:
    written(here / "numbers", "u1 1 2 3\nu2 4\nu3 1\nu4 2\nu5 4\n")
    written(here / "a.syms", "<eps> 0\nThe 1\ncat 2\nsat, 3\nc 4\n")
    summary = fstmetrics("score", "ref", "numbers", "--symbols", "a.syms", "--json").summary
    assert "|symbols:a.syms|" in summary["signature"]
    compared = fstmetrics("compare", "--ref", "ref", "numbers", "--metric", "wer", "--symbols", "a.syms")
    assert summary["signature"] in compared.out
    weights = written(here / "w", "lm 2\n")
    written(here / "lists", "u1 ||| a b ||| lm= 1 ||| 1\n")
    summary = fstmetrics("mbr", "lists", "--weights", weights, "--json").summary
    assert "|weights:w|" in summary["signature"]


def test_networks_are_in_the_signature() -> None:
    folder = EXAMPLES / "hyter"
    arguments = (folder / "networks", folder / "hyp.txt")
    assert "|refs:network|" in fstmetrics("hyter", *arguments, "--json").summary["signature"]
    compared = fstmetrics(
        "compare", "--networks", arguments[0], arguments[1], "--metric", "hyter", "--json"
    ).summary
    assert "|refs:network|" in compared["settings"]["signatures"][0]
    network = fm.Network.read(folder / "networks" / "station.json")
    found = fm.score(["a b"], [network], "hyter")
    assert isinstance(found, fm.CorpusResult)
    assert found.conditions == ("refs:network",)
    both = fm.score(["a", "b"], [["a", "b"], "c"])
    assert isinstance(both, fm.CorpusResult)
    assert both.conditions == ("refs:var",)


TESLA_F = EXAMPLES / "tesla-f"
OTHERS: dict[str, list[Any]] = {
    "order": [3, 4], "alpha": [0.5, "0.500000000000000001"], "beta": [1, 2], "window": [2, 3],
    "reordering": ["jumps", "moves"], "ref_length": ["average", "shortest"], "smoothing": ["none", "plus-one"],
    "lowercase": [True], "eps_smoothing": [True],
    "case_sensitive": [True], "normalized": [True], "no_punct": [True], "asian_support": [True], "char_order": [5],
    "word_order": [1], "whitespace": [True], "synonyms": ["none"], "analyser": ["factored", "factored-wordnet", len],
    "discount": ["factor"], "exponent": [2, 3], "recall_weight": [0.5],
    "costs": ["hter", "unit"], "paraphrases": [str(TESLA_F / "phrase-table")],
    "pivot_table": [str(TESLA_F / "phrase-table")], "language_model": [str(TESLA_F / "lm.arpa")],
    "weights": [str(TESLA_F / "weights")],
    "marks": [",;"],
    "match": [-1, -2], "substitution": [2, "0.3"],
    "insertion": [2], "deletion": [2],
    "cost": [lambda op, hyp, ref: 0.0], "label": ["mine"],
    "memory": [[[(0, 0), (0, 1), (0, 1), (0, 1)]], [[(0, 0), (0, 1), (0, 1), (0, 0.5)]]],
}  # fmt: skip


@pytest.mark.parametrize("metric", [*METRICS.values(), fm.EditMetric], ids=lambda metric: metric.name)
def test_every_parameter_of_a_metric_is_in_its_signature(metric: Any) -> None:
    signatures = [metric().signature()]
    fields = [field.name for field in dataclasses.fields(metric)]
    if metric is fm.SentenceBLEU:
        fields = ["ref_length", "smoothing"]
    for field in fields:
        values = [value for value in OTHERS[field] if value != getattr(metric(), field, None)]
        if field == "beta" and issubclass(metric, fm.ChrF):
            values = [1, 3]
        if metric is fm.SentenceBLEU and field == "smoothing":
            values = ["none", "plus-one"]
        signatures += [metric(**{field: value}).signature() for value in values]
    assert len(set(signatures)) == len(signatures) > len(fields)


BASES = [fm.WER, fm.WIP, fm.GRR, fm.HyTER, fm.EditMetric, fm.BLEU, fm.ChrF, fm.GTM, fm.TeslaF, fm.TERp]


@pytest.mark.parametrize("base", BASES, ids=lambda metric: metric.name)
def test_options_of_a_metric_of_another_package_are_in_its_signature(base: Any, tmp_path: Path) -> None:
    """Declared, and nothing else: beside those of the metric that it is made of."""

    @dataclasses.dataclass(frozen=True)
    class Own(base):  # type: ignore[misc]
        gap: int = option(50, whole(0, 100), "own: what a gap costs.", name="own_gap")
        share: Any = option(Fraction(1, 2), Kind(Fraction, "X"), "own: a share.")
        of: Any = option("words", Kind(str), "own: what is compared.")
        file: str | None = option(None, PATH, "own: a file.")

    one, other = written(tmp_path / "one", "a\n"), written(tmp_path / "other", "a\n")
    values: dict[str, list[Any]] = {
        "gap": [0, 49, 100], "share": [Fraction(1, 3), Fraction(2, 3)], "of": ["letters", len, sorted],
        "file": [one, other],
    }  # fmt: skip
    made = [Own(), *(Own(**{name: value}) for name, each in values.items() for value in each)]
    signatures = [metric.signature() for metric in made]
    assert len({*signatures}) == len(signatures)
    plain = base().signature()
    assert signatures[0] == f"{plain}|gap:50|share:1/2|of:words|file:none"
    assert fm.Mean(made[1]).signature() == signatures[1].replace("metric:", "metric:mean-", 1)
    assert all(json.loads(json.dumps(metric.settings())) == metric.settings() for metric in made)
    before = Own(file=one).signature()
    written(tmp_path / "one", "b\n")
    assert Own(file=one).signature() != before


def test_every_change_of_words_is_in_the_signature() -> None:
    others: dict[str, list[Any]] = {
        "tokenize": ["13a", "char"], "lowercase": [True], "remove_punctuation": [True],
        "unit": ["char", "char-no-space", "mixed"],
        "ignore": [frozenset({"a,b"}), frozenset({"a", "b"}), frozenset({"a|ignore-hyp:b"})],
        "ignore_hypothesis": [frozenset({"a"})], "ignore_reference": [frozenset({"a"})], "unicode": ["nfc", "nfkc"],
        "allow_download": [], "grammars": [],  # these are a part of their own in the signature of a corpus
        "normaliser": [fm.profile("nemo").normaliser], "drops": [frozenset({""}), frozenset({"", "x"})],
        "label": ["nemo@1"], "optional_words": ["word", "correct"],
        "keeps_marks": [], "parts_at_marks": [],  # only while rules of grammars are applied
    }  # fmt: skip
    assert (
        list(others.keys() ^ {field.name for field in dataclasses.fields(fm.Normalisation) if field.init})
        == []
    )
    changed = [fm.Normalisation(**{name: value}) for name, values in others.items() for value in values]
    changed.append(fm.Normalisation(ignore=frozenset({"a"}), ignore_hypothesis=frozenset({"b"})))
    signatures = [each.signature() for each in (fm.Normalisation(), *changed)]
    assert len(set(signatures)) == len(signatures)


@pytest.mark.parametrize("metric", ["wer", "bleu"])
def test_items_skipped_to_keep_going_are_in_the_signature(metric: str, tmp_path: Path) -> None:
    whole, part = (
        written(tmp_path / name, "u1 a\nu2 b\n" + "u3 c\n" * (name == "ref")) for name in ("ref", "hyp")
    )

    def signature(*call: object) -> str:
        outcome = fstmetrics("score", *call, "--metric", metric, "--json")
        found: str = json.loads(outcome.out)["signature"]
        return found

    skipped = signature(whole, part, "--keep-going")
    assert skipped == signature(whole, part, "--missing", "skip")
    assert "|missing:skip|" in skipped
    assert "missing" not in signature(part, part, "--keep-going")
