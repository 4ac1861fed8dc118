"""Options that the files of a command have nothing for are refused, and no number is shown."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

import pytest
from command import fstmetrics, written
from long_runs import archive, references

from fstmetrics.io import FORMATS, formats
from fstmetrics.io.register import SHIPPED

IDS = ["ann_1", "ann_2", "bob_1"]


def test_a_symbol_table_beside_packed_lattices(tmp_path: Path) -> None:
    ref, text = written(tmp_path / "ref", references(IDS, 1)), written(tmp_path / "lat.ark", archive(IDS, 1))
    packed, words = tmp_path / "lat.packed", written(tmp_path / "words.txt", "<eps> 0\nhat 1\n")
    assert fstmetrics("pack", text, packed).status == 0
    refused = fstmetrics("oracle", ref, packed, "--symbols", words)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == (
        f"fstmetrics: {words}: names words by numbers, and the format packed has its words in the file; "
        "leave --symbols out\n"
    )
    # Where words are in the file, the table has to have them.
    assert "is not in the symbol table" in fstmetrics("oracle", ref, text, "--symbols", words).err
    names = dict.fromkeys(word for line in text.read_text().splitlines() for word in line.split()[2:3])
    written(words, "<eps> 0\n" + "".join(f"{name} {n}\n" for n, name in enumerate(names, 1)))
    assert fstmetrics("oracle", ref, text, "--symbols", words).status == 0


NETWORK = '{"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": ["hat"]}}}'


@pytest.mark.parametrize(
    ("name", "content", "format", "told"),
    [
        ("u.slf", "N=2 L=1\nJ=0 S=0 E=1 W=hat\n", "slf", True),
        ("u.json", NETWORK, "network", True),
        ("u.nbest", "hat\ncat\n", "nbest-lines", True),
        ("u.plf", "((('hat',-1,1),),)\n", "plf", True),
        ("u.txt", "hat\n", "plain", True),
        ("u.fst.txt", "0 1 1\n1\n", "att", False),
        ("u", "u 1\n", "kaldi-text", False),
        ("u.k2", "0 1 1 0\n1 2 -1 0\n2\n", "k2", False),
    ],
)
def test_a_symbol_table_beside_files_with_words(
    name: str, content: str, format: str, told: bool, tmp_path: Path
) -> None:
    hyp, words = written(tmp_path / name, content), written(tmp_path / "words.txt", "<eps> 0\nhat 1\n")
    outcome = fstmetrics(
        "score",
        written(tmp_path / "r", "hat\n"),
        hyp,
        "--format",
        format,
        "--symbols",
        words,
        "--ref-format",
        "plain",
    )
    told_of = (
        f"names words by numbers, and the format {format} has its words in the file; leave --symbols out\n"
    )
    assert outcome.err == (f"fstmetrics: {words}: {told_of}" if told else "")
    assert outcome.status == (2 if told else 0)
    assert ("%WER 0.00" in outcome.out) is not told


def test_formats_take_symbols_whose_modules_look_at_them() -> None:
    through_others = {"kaldi-data", "espnet-nbest", "webdataset-lattices", "k2", "scp"}
    looking = {
        name
        for name, shipped in SHIPPED.items()
        if "options.symbols" in inspect.getsource(import_module(f"{formats.__name__}.{shipped.module}"))
    }
    assert {name for name in FORMATS if FORMATS[name].takes_symbols} == looking | through_others


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--ignore", "uh,um"],
         ["--ignore: no reference or hypothesis has 'uh,um'; white space, no comma, parts words"]),
        (["--ignore", "uh um", "--ignore", "zzz yyy"], ["--ignore: no reference or hypothesis has 'yyy', 'zzz'"]),
        (["--ignore-hyp", "Uh"], ["--ignore-hyp: no hypothesis has 'Uh'"]),
        (["--ignore-hyp", "uh"], ["--ignore-hyp: no hypothesis has 'uh'"]),
        (["--ignore-ref", "<noise>"], ["--ignore-ref: no reference has '<noise>'"]),
        (["--ignore-ref", "only"], ["--ignore-ref: no reference has 'only'"]),
        (["--ignore", "x", "--ignore-ref", "y", "--ignore-hyp", "z"],
         ["--ignore: no reference or hypothesis has 'x'", "--ignore-ref: no reference has 'y'",
          "--ignore-hyp: no hypothesis has 'z'"]),
        (["--ignore", "Uh", "--lowercase"], []),
        (["--ignore-ref", "uh"], []),
        (["--ignore-hyp", "only"], []),
        (["--profile", "kaldi"], []),
    ],
    ids=str,
)  # fmt: skip
def test_words_to_ignore_that_no_side_has_are_remarked_on(
    options: list[str], said: list[str], tmp_path: Path
) -> None:
    ref, hyp = written(tmp_path / "ref", "a uh b\nc um d\n"), written(tmp_path / "hyp", "a only b\nc d\n")
    remarks = [
        remark
        for remark in fstmetrics("score", ref, hyp, *options, "--json").summary["remarks"]
        if remark.startswith("--ignore")
    ]
    assert remarks == said
    outcome = fstmetrics("compare", "--ref", ref, hyp, f"other={hyp}", "--metric", "wer", *options)
    assert [line for line in outcome.out.splitlines() if line.startswith("--ignore")] == said


@pytest.mark.parametrize("command", ["score", "compare --ref", "report -o page.html --ref", "oracle"])
@pytest.mark.parametrize(
    ("options", "names"),
    [
        ("--metric chrf --tokenize zh", "chrf"),
        ("--metric chrf,chrf++ --tokenize 13a", "chrf, chrf++"),
        ("--metric chrf,bleu --tokenize 13a", ""),
        ("--metric chrf --tokenize none", ""),
        ("--metric chrf --resegment --tokenize 13a", ""),
        ("--metric wer --tokenize 13a", ""),
    ],
)
def test_a_tokenizer_beside_metrics_of_texts_as_written(
    command: str, options: str, names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref", "a b, c\nd e f\n"), written(tmp_path / "hyp", "a b c\nd e f g\n")
    outcome = fstmetrics(*command.split(), "ref", "hyp", *options.split())
    if names:
        tokenizer = options.split()[-1]
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        said = f"--tokenize {tokenizer} does not fit {names}, which takes texts as they are written"
        assert said in outcome.err or command == "oracle"
    else:
        assert "does not fit" not in outcome.err


@pytest.mark.parametrize(
    ("lists", "option", "said"),
    [
        (False, "--lm-scale", "--lm-scale would change nothing of texts, which have no scores"),
        (False, "--acoustic-scale", "--acoustic-scale would change nothing of texts"),
        (False, "--scale", "--scale would change nothing of texts, which have no scores"),
        (False, "--word-penalty", ""),
        (True, "--scale", ""),
        (
            True,
            "--acoustic-scale",
            "--acoustic-scale would change nothing of n-best lists, whose scores --lm-scale",
        ),
        (True, "--lm-scale", ""),
    ],
)
def test_scales_of_what_has_no_such_scores(lists: bool, option: str, said: str, tmp_path: Path) -> None:
    texts = [written(tmp_path / name, f"a {name}\nc\n") for name in ("b", "d")]
    ranked = written(tmp_path / "nb", "u1 ||| the hat ||| ||| -3\nu1 ||| the cat ||| ||| -4\n")
    found = fstmetrics("mbr", *([ranked] if lists else texts), option, "5")
    assert (found.status, said in found.err) == (2 if said else 0, True)


@pytest.mark.parametrize("option", ["--scale", "--lm-scale", "--acoustic-scale", "--word-penalty"])
def test_confidences_that_are_given_have_no_scales(option: str, tmp_path: Path) -> None:
    stm = written(tmp_path / "s.stm", "f 1 s 0 4 a b\n")
    ctm = written(tmp_path / "s.ctm", "f 1 0.1 0.5 a 0.9\nf 1 1.8 0.5 x 0.6\n")
    found = fstmetrics("confidence", stm, ctm, option, "3")
    assert (found.status, found.out) == (2, "")
    assert found.err == f"fstmetrics: {ctm}: {option} is for lattices, not for text\n"
    assert fstmetrics("confidence", stm, ctm).status == 0
