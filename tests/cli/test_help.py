"""Help pages: an example that can be run, the usual options first, lines that fit, nothing heavy loaded."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from command import all_params, fstmetrics, written

from fstmetrics.cli import cli
from fstmetrics.cli.click_options import Command
from fstmetrics.cli.other_programs import COMMANDS, OPTIONS, OURS

MOST_USUAL = 6
# More options than these need headings.
FEW = 13


def commands(group: click.Group = cli, *names: str) -> Iterator[tuple[str, click.Command]]:
    """Every command and group by its names."""
    yield " ".join(names), group
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)
        else:
            yield " ".join((*names, name)), command


ALL = dict(commands())


@pytest.fixture(params=ALL)
def page(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.setenv("COLUMNS", "100")
    outcome = fstmetrics(*request.param.split(), "--help", "all")
    assert (outcome.status, outcome.err) == (0, "")
    return request.param, outcome.out


def test_lines_fit_a_hundred_columns(page: tuple[str, str]) -> None:
    assert [line for line in page[1].splitlines() if len(line) > 100] == []


def test_texts_of_options_line_up(page: tuple[str, str]) -> None:
    """The text of every option begins in the same column."""
    lines = page[1].partition("\n  -h, --help")[0].splitlines()
    found = (re.match(r"  (?:-\S.{,29}  +|  {20,})(?=\S)", line) for line in lines)
    starts = {match.end() for match in found if match}
    assert len(starts) <= 1


def test_the_example_is_a_command_line_that_is_understood(page: tuple[str, str]) -> None:
    """It comes before the explanation; every example names options that there are."""
    name, text = page
    examples = re.findall(r"^  (?:Example:|        )  fstmetrics (.*)$", text, re.MULTILINE)
    assert examples, name
    assert text.index("Example:") < 400
    for example in examples:
        words = shlex.split(example)
        found = max((each for each in ALL if words[: len(each.split())] == each.split()), key=len)
        command = ALL[found]
        if not isinstance(command, click.Group):
            rest = words[len(found.split()) :]
            command.make_context(found, rest, resilient_parsing=False).close()


def test_usual_options_come_first_and_the_others_under_headings(page: tuple[str, str]) -> None:
    name, text = page
    command = ALL[name]
    if isinstance(command, click.Group):
        return
    headings = re.findall(r"^([A-Z][\w ]+):$", text, re.MULTILINE)
    options = [param for param in all_params(command) if isinstance(param, click.Option)]
    if len(options) <= FEW and not (isinstance(command, Command) and command.usual):
        assert headings == ["Options"]
        return
    assert isinstance(command, Command)
    assert 4 <= len(command.usual) <= MOST_USUAL
    assert (headings[0], headings[-1]) == ("Usual options", "Other options")
    section = text.partition("Usual options:\n")[2].partition("\n\n")[0]
    shown = re.findall(r"^  (?:-\w, )?(--[\w-]+)", section, re.MULTILINE)
    assert shown == list(command.usual)
    options_part = text.partition("\n  -h, --help")[0]
    for option in options:
        assert len(re.findall(rf"^  (?:-\w, )?{option.opts[-1]}\b(?!-)", options_part, re.MULTILINE)) == 1, (
            option.opts
        )


@pytest.mark.parametrize(
    ("arguments", "without"),
    [
        ("--help", ("numpy", "fstmetrics._native", "fstmetrics.metrics", "rich")),
        ("--version", ("numpy", "fstmetrics._native", "rich")),
        ("network --help", ("numpy", "fstmetrics._native", "rich")),
        ("score --help", ("rich", "sacrebleu", "pynini", "matplotlib", "fstmetrics.networks", "fstmetrics.lattices")),
        ("compare --help", ("rich", "sacrebleu", "pynini", "matplotlib.pyplot")),
    ],
)  # fmt: skip
def test_help_loads_nothing_heavy(arguments: str, without: tuple[str, ...]) -> None:
    code = (
        "import sys, runpy\nsys.argv = ['fstmetrics', *sys.argv[1:]]\n"
        "try:\n    runpy.run_module('fstmetrics', run_name='__main__')\n"
        "except SystemExit:\n    print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments.split()], capture_output=True, text=True)
    assert done.returncode == 0
    loaded = set(done.stderr.split())
    assert "click" in loaded
    assert [name for name in without if name in loaded] == []


LONG = ["score", "oracle", "hyter", "compare", "report", "mbr", "correlate"]


@pytest.mark.parametrize("name", LONG)
def test_the_page_fits_a_screen_and_names_its_parts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = fstmetrics(name, "--help").out
    assert text.count("\n") <= 60
    command = ALL[name]
    assert isinstance(command, Command)
    for option in command.usual:
        assert re.search(rf"^  (?:-\w, )?{option}\b", text, re.MULTILINE)
    parts = re.findall(r"^  ([a-z][a-z-]*)  ", text.partition("Parts, which")[2], re.MULTILINE)
    whole = fstmetrics(name, "--help", "all").out
    found = [*command.usual, "--verbose", "--help"]
    for part in parts:
        page = fstmetrics(name, "--help", part).out
        found += re.findall(r"^  (?:-\w, )?(--[\w-]+)", page.partition("Other options:")[0], re.MULTILINE)
    every = re.findall(r"^  (?:-\w, )?(--[\w-]+)", whole, re.MULTILINE)
    assert sorted(found) == sorted(every)


def test_options_of_a_metric_stand_with_it() -> None:
    text = fstmetrics("score", "--metric", "chrF++", "--help").out
    section = text.partition("Options of chrf++:")[2].partition("\n\n")[0]
    assert {*re.findall(r"--[\w-]+", section)} == {
        "--chrf-char-order", "--chrf-word-order", "--chrf-beta", "--chrf-whitespace", "--chrf-eps-smoothing",
    }  # fmt: skip
    assert "tesla-f" in fstmetrics("score", "--help", "metric").out.partition("decomposable")[2]


def test_anything_else_behind_help_is_no_part() -> None:
    assert fstmetrics("score", "--help", "ref.txt").out == fstmetrics("score", "--help").out


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("score --normalizer x a b", "here it is --profile"),
        ("score --norm a b", "here it is --profile"),
        ("score -r a -h b", "references are the first argument: REF HYP"),
        ("score --hyp a", "hypotheses are the second argument: REF HYP"),
        ("compare -r ref a", "here it is --ref"),
        ("compare --hyp a --ref b", "outputs of systems are arguments: --ref REF A B"),
        ("-r a -h b", "a command comes first: fstmetrics score REF HYP"),
        ("score -g a b", "here it is --resegment"),
        ("score -i spu_id a b", "-i of sclite is --speakers; -i of sacrebleu is an argument, HYP"),
        ("score -l en-de a b", "-l of sacrebleu is the language pair"),
        ("compare -l en-de a b", "-l of sacrebleu is the language pair"),
        ("score -lc a b", "here it is --lowercase"),
        ("compare --ignore-case a", "here it is --lowercase"),
        ("score -t wmt21 a b", "test sets are not downloaded"),
        ("compare -t wmt21 a b", "-t of sc_stats is --test; -t of sacrebleu has nothing here"),
        ("score -tok 13a a b", "here it is --tokenize"),
        ("compare --paired-bs --ref r a b", "here it is --test sacrebleu-bootstrap"),
        ("compare --paired-ar --ref r a b", "here it is --test randomization"),
        ("score --paired-bs a b", "fstmetrics compare --ref REF A B --test sacrebleu-bootstrap has it"),
        ("compare -n 1000 --ref r a b", "here it is --samples"),
        ("score -sl a b", "fstmetrics score REF HYP --output FILE.jsonl"),
        ("score --num-refs 2 a b", "here it is --ref FILE, once for each further reference"),
        ("score -w 4 a b", "here it is --json"),
        ("score -f json a b", "here it is --json"),
        ("score -e utf-8 a b", "files are read as UTF-8"),
        ("score -s a b", "-s of sclite has nothing here: case counts without --lowercase"),
        ("speakers -s a b", "'-s'; case counts without --lowercase"),
        ("score -D a b", "here it is --metric sclite --optional-words correct"),
        (
            "score -c a b",
            "-c of sclite is --unit char-no-space; -c of jiwer is --metric cer",
        ),
        ("speakers -c 0.25 a b", "here it is --der-collar"),
        ("speakers --normalizer lower a b", "here it is --profile; lower of MeetEval is --lowercase"),
        ("score --wip a b", "here it is --metric wip of jiwer; --word-penalty for lattices"),
        ("compare --wip a b", "here it is --metric wip"),
        ("best --word-ins-penalty 0.5 a", "here it is --word-penalty, Kaldi's times --lm-scale"),
        ("oracle --wip 0.5 a b", "--word-penalty for lattices, Kaldi's times --lm-scale"),
        ("mbr --inv-acoustic-scale 10 a", "here it is --lm-scale X --scale 1/X"),
        ("confidence --lmwt 10 a b", "here it is --lm-scale X --scale 1/X"),
        ("score -O out a b", "here it is --output FILE"),
        ("score --glm en.glm a b", "here it is --grammar FILE.glm"),
        ("hyter --cer a b", "here it is --metric cer"),
        ("score --chars a b", "here it is --metric cer"),
        ("score --use-cer a b", "here it is --metric cer"),
        ("score --no-punc a b", "here it is --remove-punctuation"),
        ("score --lang de a b", "nothing depends on a language but --tokenize and --profile"),
        ("report --src_file a b", "here it is --source"),
        ("oracle --num-workers 2 a b", "here it is --jobs"),
        ("oracle --inv-acoustic-scale 16 a b", "here it is --lm-scale, with the same weight"),
        ("oracle --lmwt 16 a b", "here it is --lm-scale, with the same weight"),
        ("compare --lmwt 16 a b", "fstmetrics best --lm-scale X LATTICES -o FILE writes"),
        ("oracle --words words.txt a b", "here it is --symbols"),
        ("oracle --word-symbol-table words.txt a b", "here it is --symbols"),
        ("score --utt2spk file a b", "here it is --by speaker"),
        ("score --text a b", "Kaldi's files of text are recognised"),
        (
            "score --mode=present a b",
            "here it is --missing: skip for present, empty for all once HYP has ids of REF",
        ),
        ("speakers --partial a b", "here it is --missing empty, once HYP has sessions of REF alone"),
        ("wer a b", "here it is fstmetrics score REF HYP --metric wer"),
        ("cer a b", "here it is fstmetrics score REF HYP --metric cer"),
        ("bleu a b", "here it is fstmetrics score REF HYP --metric bleu"),
        ("sclite -r a -h b", "here it is fstmetrics score REF HYP --metric sclite"),
        ("cpwer a b", "here it is fstmetrics speakers REF HYP --metric cpwer"),
        ("compute-wer a b", "here it is fstmetrics score REF HYP"),
        ("network check a", "here it is fstmetrics network validate"),
        ("score a b -m spBLEU", "--metric bleu --tokenize flores200"),
    ],
)
def test_options_of_other_programs_have_names_here(line: str, advice: str) -> None:
    outcome = fstmetrics(*line.split())
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert advice in outcome.err
    assert "did you mean" not in outcome.err


@pytest.mark.parametrize(
    "line",
    [
        "score -n 3 a b",
        "score -M a b",
        "score --tags a b",
        "score --charts a b",
        "score --punct a b",
        "grammar wer",
    ],
)
def test_no_other_option_is_guessed_from_a_few_letters(line: str) -> None:
    outcome = fstmetrics(*line.split())
    assert (outcome.status, "did you mean" in outcome.err) == (2, False)


def test_what_is_said_of_options_of_other_programs_leads_to_their_numbers(tmp_path: Path) -> None:
    arcs = "0 1 1 1,100,\n1 3 2 0,0,\n0 2 3 1,102,\n2 3 4 0,0,\n0 4 3 1,103,\n4 3 5 0,0,\n3 0,0,\n"
    lattice = written(tmp_path / "m.lat", f"u1\n{arcs}\n")
    symbols = written(tmp_path / "w", "<eps> 0\nx 1\ny 2\nthe 3\ncat 4\nhat 5\n")
    for weights in (("--lm-scale", "10", "--scale", "0.1"), ("--acoustic-scale", "0.1")):
        assert fstmetrics("mbr", lattice, "--symbols", symbols, *weights).out == "u1 the cat\n"
    ref = written(tmp_path / "r.trn", "the cat sat (u-1)\na dog (u-2)\n")
    hyp = written(tmp_path / "h.trn", "the cats at (u-1)\na dg (u-2)\n")
    found = fstmetrics("score", ref, hyp, "--unit", "char-no-space", "--json").summary
    assert (found["edits"], found["path_length"]) == (1, 13)  # sclite -c
    found = fstmetrics("score", ref, hyp, "--metric", "sclite", "--optional-words", "correct")
    assert found.status == 0


def test_hints_name_commands_and_options_that_there_are() -> None:
    known = {name for command in ALL.values() for param in all_params(command) for name in param.opts}
    named = {name for hints in OPTIONS.values() for hint in hints for name in OURS.findall(hint)}
    assert named - {"--echo"} <= known
    assert {line.split()[0] for line in COMMANDS.values()} <= {*ALL, "network"}


@pytest.mark.parametrize("name", ALL)
def test_help_speaks_of_options_of_the_command(name: str) -> None:
    """`With --resegment: ...` is no help in a command that has no such option."""
    options = [each for each in all_params(ALL[name]) if isinstance(each, click.Option)]
    known = {form for option in options for form in (*option.opts, *option.secondary_opts)}
    told = [other for option in options for other in re.findall(r"\bWith (--[a-z-]+)", option.help or "")]
    assert set(told) <= known
