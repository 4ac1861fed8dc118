"""Whether higher scores of other programs are better: `compare`, `correlate`, `report` and Python say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.apps.metaeval.table import ScoreTable

GOOD, BAD = [0.1, 0.3, 0.2, 0.0], [0.4, 0.3, 0.6, 0.2]
# Names of scores, what is done to them, options, and whether lower is better.
CASES = [
    ("wer", 1, [], True),
    ("TER", 1, [], True),
    ("mean-cer", 1, [], True),
    ("hyter", 1, [], True),
    ("ter", -1, [], False),  # turned round, as WMT's files have it
    ("bleu", 1, [], False),
    ("comet", 1, [], False),
    ("metricx", 1, [], True),
    ("MetricX-24", 1, [], True),
    ("metricx", -1, [], False),
    ("metricx", 1, ["--lower", "metricx"], True),
    ("metricx-23-qe-xxl-v2p0", 1, [], True),
    ("metricx_xl_DA_2019", 1, [], False),
    ("wer_ours", 1, ["--lower", "wer_ours"], True),
    ("ter-aware-comet", 1, ["--higher", "ter-aware-comet"], False),
    ("wer", 1, ["--higher", "wer"], False),
    *((name, 1, [], True) for name in ("rank", "edit_distance", "PED", "penalty", "pe_time", "severity")),
    *(
        (name, 1, [], True)
        for name in ("CharacTER", "CDER-refA", "EED.refB", "NTER", "nll", "LAAL", "PER", "case")
    ),
    *((name, 1, [], True) for name in ("Word Error Rate", "WER-2", "mean_rank", "TERp-A", "TER-13a")),
    *(
        (name, 1, [], False)
        for name in ("BLEU-case-insensitive", "BLEU_per_segment", "score_per_word", "chrF-2")
    ),
    *((name, 1, [], True) for name in ("word_mover_distance", "PER_nocase", "al_ca", "LongYAAL", "sentTER")),
    *((name, 1, [], True) for name in ("mWER", "CharacTER-mean", "delay_ms", "err_rate", "DER_collar")),
    *((name, -1, [], False) for name in ("sacreBLEU-TER", "WERScore")),  # turned round, whatever it is
    ("brevity_penalty", 1, [], False),
    ("reciprocal_rank", 1, [], False),
    ("pagerank", 1, [], False),
    ("rank", -1, [], False),
    ("gestalt", 1, [], False),
    ("gestalt", 1, ["--lower", "gestalt"], True),
]


@pytest.mark.parametrize(("name", "sign", "options", "is_lower"), CASES)
def test_error_rates_are_known_by_their_names(
    name: str, sign: int, options: list[str], is_lower: bool, tmp_path: Path
) -> None:
    rows = [("good", GOOD), ("bad", BAD)]
    lines = [f"{system}\t{i}\t{sign * x}\n" for system, values in rows for i, x in enumerate(values, 1)]
    table = written(tmp_path / "t.tsv", f"system\tsegment\t{name}\n" + "".join(lines))
    alone = [
        written(tmp_path / f"{system}.scores", "".join(f"{sign * x}\n" for x in v)) for system, v in rows
    ]
    words = [written(tmp_path / f"{system}.txt", "a b\nc d\ne f\ng h\n") for system, _ in rows]
    ref = written(tmp_path / "ref.txt", "a b\nc d\ne f\ng h\n")
    said = f"{name}, {'lower' if is_lower else 'higher'} is better"
    by_file = [f"--scores={name}:{system}={path}" for (system, _), path in zip(rows, alone, strict=True)]
    for command in (
        ["compare", "--scores", table],
        ["compare", *by_file],
        ["compare", "--ref", ref, *words, "-m", "wip", "--scores", table],
    ):
        assert said in fstmetrics(*command, *options).out
    given = {name: {system: [sign * x for x in values] for system, values in rows}}
    told = {options[0].removeprefix("--"): options[1:]} if options else {}
    assert said in str(fm.compare(scores=given, samples=100, **told))
    human = [[5, 4, 5, 6], [2, 3, 1, 4]]
    scored = ScoreTable.of(["good", "bad"], {name: [[sign * x for x in v] for _, v in rows]}, human, **told)
    assert scored.metrics[name].sign == (-1 if is_lower else 1)


UNCLEAR = {"ter-aware-comet": "ter", "WER-normalised": "wer", "no_error_rate": "error", "rank_score": "rank",
           "my-PER": "per", "PER_norm": "per", "WERScore": "wer", "distance_norm": "distance",
           "AP": "ap", "wer_ours": "wer"}  # fmt: skip


@pytest.mark.parametrize(("name", "part"), UNCLEAR.items())
def test_names_that_do_not_tell_are_refused(name: str, part: str, tmp_path: Path) -> None:
    rows = [f"{s}\t{i}\t{i + len(s)}\t{i * len(s)}\n" for s in ("a", "bb", "ccc") for i in (1, 2, 3)]
    table = written(tmp_path / "t.tsv", f"system\tsegment\thuman\t{name}\n" + "".join(rows))
    of_people = written(tmp_path / "p.tsv", f"system\tsegment\tm\t{name}\n" + "".join(rows))
    alone = written(tmp_path / f"{name}.seg.score", "".join(f"{s}\t{i}\n" for s in "ab" for i in (1, 2)))
    words = [written(tmp_path / f"{system}.txt", "a b\nc d\n") for system in "ab"]
    said = (
        f"{name}: its name has {part}, and does not tell whether higher or lower is better; --lower {name} or"
    )
    for command in (
        ["correlate", table, "--samples", 0],
        ["correlate", of_people, "--human", name, "--samples", 0],
        ["compare", "--scores", alone],
        ["report", "--ref", words[0], *words, "--scores", alone, "-o", tmp_path / "page"],
    ):
        done = fstmetrics(*command)
        assert (done.status, said in done.err) == (2, True)
    signs = []
    for option in ("--lower", "--higher"):
        asked = ("--level", "system", "--coefficients", "pearson", "--json")
        done = fstmetrics("correlate", table, "--samples", 0, option, name, *asked)
        signs.append(done.summary["correlations"][0]["value"] > 0)
        assert fstmetrics("compare", "--scores", alone, option, name).status == 0
    assert signs == [False, True]
    with pytest.raises(fm.FstmetricsError, match="does not tell"):
        fm.compare(scores={name: {"a": [1.0, 2.0], "b": [2.0, 1.0]}})


def test_columns_turned_round_by_their_names_are_said(tmp_path: Path) -> None:
    rows = [f"{s}\t{i}\t{i}\t{i * len(s)}\t{i}\n" for s in ("a", "bb", "ccc") for i in (1, 2, 3)]
    table = written(tmp_path / "t.tsv", "system\tsegment\thuman\tTER\tBLEU\n" + "".join(rows))
    said = "lower is better, by their names: TER; --higher NAMES says otherwise"
    assert said in fstmetrics("correlate", table, "--samples", 0).out
    for options in (["--higher", "TER"], ["--lower", "TER"]):
        assert "by their names" not in fstmetrics("correlate", table, "--samples", 0, *options).out
    turned = written(tmp_path / "n.tsv", re.sub(r"\t(\d)(?=\t\d$)", r"\t-\1", table.read_text(), flags=re.M))
    again = "--lower of scores that are all 0 or below, as if turned round already: TER"
    assert again in fstmetrics("correlate", turned, "--samples", 0, "--lower", "TER").out
    both = fstmetrics("correlate", table, "--lower", "TER", "--higher", "TER")
    assert (both.status, "--lower and --higher both name 'TER'" in both.err) == (2, True)


@pytest.mark.parametrize(
    ("name", "option", "said"),
    [
        ("rank", "--higher", "to be read with --higher rank, as the names tell otherwise"),
        ("wer_ours", "--lower", "turned round, so that higher is better: wer_ours"),
        (
            "ter-aware-comet",
            "--higher",
            "to be read with --higher ter-aware-comet, as the names tell otherwise",
        ),
    ],
)
def test_directions_of_written_tables_are_said(name: str, option: str, said: str, tmp_path: Path) -> None:
    rows = [f"{s}\t{i}\t{i}\t{i * len(s)}\n" for s in ("a", "bb", "ccc") for i in (1, 2, 3)]
    table = written(tmp_path / "t.tsv", f"system\tsegment\thuman\t{name}\n" + "".join(rows))
    asked = ("--samples", 0, "--level", "system", "--coefficients", "pearson")
    first = fstmetrics("correlate", table, *asked, option, name, "--output", tmp_path / "o.tsv")
    assert f"{tmp_path / 'o.tsv'}: {said}" in first.out
    told = (option, name) if option == "--higher" else ()
    assert fstmetrics("correlate", tmp_path / "o.tsv", *asked, *told).out.startswith(
        first.out.partition("\n\n")[0]
    )


def test_items_of_a_comparison_are_compared_alike(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.txt", "the cat sat\na dog ran\nit rains\nshe sings\n")
    good = written(tmp_path / "good.txt", "the cat sat\na dog ran\nit rained\nshe sings\n")
    bad = written(tmp_path / "bad.txt", "a cat\na dog\nit rained\nhe sang\n")
    items = tmp_path / "items.tsv"
    metrics = ["-m", "wer,ter,bleu,chrf", "--samples", "100"]
    first = fstmetrics("compare", "--ref", ref, good, bad, *metrics, "--items", items)
    heads = [line.partition("  ")[0] for line in first.out.splitlines() if " is better" in line]
    again = fstmetrics("compare", "--scores", items, "--samples", "100")
    assert heads == [line.partition("  ")[0] for line in again.out.splitlines() if " is better" in line]
    assert len(heads) == 4
