"""`oracle`, `hyter` and `score`: one set of options, and the same numbers on the same input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from command import HYTER, ORACLE, all_params, fstmetrics, written

from fstmetrics.cli import cli
from fstmetrics.cli.option_tables import RESEGMENT

THREE = ("oracle", "hyter", "score")
TEXT = ("--format", "plain", "--ref-format", "plain")
# What is read, and options that make sense for it; {} is a folder.
SAME = [
    *(
        (ORACLE, options)
        for options in (
            "--metric wer", "--metric wer --lowercase --ignore the", "--metric wrr --unit char",
            "--metric grr --order 2 --beta -0.5", "--metric sclite --nbest 2 --alignment", "--metric hyter",
            "--metric wer --beam 8", "--metric wer --beam 2,8 --lm-scale 2", "--metric wer --word-penalty 1",
            "--metric grr --model-weight 0.01", "--metric wer --depth", "--metric wer --jobs 2 --route topological",
            "--metric wer --keep-going --grammar en.contractions",
        )
    ),
    *(
        (("{}/ref", "{}/hyp"), options)
        for options in (
            "--metric wer", "--metric hyter --window 3", "--metric hyter --window 3 --reordering jumps",
            "--metric wer --ref {}/ref2 --nbest 2", "--metric bleu --smoothing none --ref-length shortest",
            "--metric chrf", "--metric sentence-bleu --tokenize none",
        )
    ),
    (("{}/ref", "{}/nbest"), "--metric hyter --window 2"),
    (("{}/ref", "{}/nbest"), "--metric wer --nbest 2"),
]  # fmt: skip


def options_of(name: str) -> dict[str, tuple[Any, ...]]:
    """What each option takes and does, but for the default of --metric."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    found = {param.name: param for param in all_params(command) if isinstance(param, click.Option)}
    return {
        str(name): (param.opts, repr(param.type), param.help, param.multiple, name == "metric_name" or param.default)
        for name, param in found.items()
    }  # fmt: skip


def test_the_three_commands_have_the_same_options() -> None:
    every = options_of("score")
    assert options_of("hyter") == every
    cuts = {option.field for option in RESEGMENT.values()}  # oracle compares no texts to be cut
    assert options_of("oracle") == {name: one for name, one in every.items() if name not in cuts}


def numbers(summary: dict[str, Any]) -> dict[str, Any]:
    """What was found, and not what is shown beside it."""
    names = ("metric", "items", "score", "mean_score", "edits", "moves", "path_length", "gain", "statistics")
    return {name: summary.get(name) for name in names}


@pytest.mark.parametrize(("files", "options"), SAME)
def test_the_same_numbers_whatever_the_command(files: tuple[str, str], options: str, tmp_path: Path) -> None:
    written(tmp_path / "ref", "the cat sat down\na b c\n")
    written(tmp_path / "ref2", "the cat was sitting\na c b\n")
    written(tmp_path / "hyp", "cat the sat\na c b\n")
    written(
        tmp_path / "nbest", "0 ||| cat the ||| f ||| -1\n0 ||| the cat ||| f ||| -2\n1 ||| c ||| f ||| 0\n"
    )
    arguments = [part.replace("{}", str(tmp_path)) for part in (*files, *options.split())]
    text = TEXT if files[1] == "{}/hyp" else ()
    one, *others = (fstmetrics(name, *arguments, *text, "--json").summary for name in THREE)
    assert one["items"] > 1
    for other in others:
        assert numbers(other) == numbers(one)
        assert other["settings"]["formats"] == one["settings"]["formats"]


def test_networks_are_scored_alike_by_score_and_hyter() -> None:
    found = [
        fstmetrics(name, *HYTER, "--metric", "hyter", "--window", 3, "--json").summary for name in THREE[1:]
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("options", ["--beam 2,8", "--lm-scale 2", "--depth", "--model-weight 0.01"])
def test_options_of_lattices_show_the_one_best(name: str, options: str) -> None:
    shown = fstmetrics(name, *ORACLE, "--metric", "wer", *options.split())
    expected = fstmetrics("oracle", *ORACLE, *options.split())
    assert (shown.status, shown.err) == (0, "")
    assert "\n1-best  " in shown.out
    assert shown.out == expected.out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("score {} --metric wer --window 3", "--window is for the metric hyter, not for wer"),
        ("oracle {} --window 3", "--window is for the metric hyter, not for wer"),
        ("hyter {} --alpha 0.5", "--alpha is for the metric grr, not for hyter"),
        ("oracle {} --metric bleu --nbest 2", "bleu has no alignments and no n-best paths"),
        ("oracle {} --metric bleu", "bleu"),
        ("score {} --metric bleu --beam 3", "--beam is for best paths; bleu takes none"),
    ],
)  # fmt: skip
def test_an_option_without_sense_is_refused(command: str, message: str) -> None:
    outcome = fstmetrics(*command.replace("{}", " ".join(ORACLE)).split())
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err
