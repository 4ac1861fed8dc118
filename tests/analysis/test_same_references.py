"""Two runs beside each other: records of items with one reference tell whether it is the same in both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import fstmetrics, written

REF = ["the cat sat on the mat", "a dog ran", "it rains", "she sings"]
HYP = ["a cat sat on the mat", "the dog ran", "it rains", "she sang"]


def records(
    path: Path, references: list[str], hypotheses: list[str], *options: str, ids: bool = False
) -> str:
    """Records of a run."""
    sides = []
    for name, texts in (("r", references), ("h", hypotheses)):
        numbered = [f"u{i}\t{text}\n" if ids else f"{text}\n" for i, text in enumerate(texts)]
        sides.append(written(path.with_suffix(f".{name}.txt"), "".join(numbered)))
    format = "kaldi-text" if ids else "plain"
    formats = ["--format", format, "--ref-format", format]
    outcome = fstmetrics("score", *sides, *formats, "--alignment", "--output", path, *options)
    assert outcome.status == 0, outcome.err
    return str(path)


def beside(one: str, two: str, tmp_path: Path) -> list[str]:
    """What the commands say that put runs beside each other."""
    commands = (["errors", one, "--against", two], ["report", one, two, "-o", tmp_path / "page.html"])
    return [fstmetrics(*command).err for command in commands]


OTHERS = {
    "a word": (["the cat sat on the mat", "a dog slept", *REF[2:]], "a dog ran", "a dog slept"),
    "fewer words": (["the cat sat on the mat", "a dog", *REF[2:]], "a dog ran", "a dog"),
    "no word": (["the cat sat on the mat", "", *REF[2:]], "a dog ran", ""),
    "other words that begin alike": (
        [*REF[:1], "a dog ran it", "rains", REF[3]],
        "a dog ran",
        "a dog ran it",
    ),
}


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("ids", [True, False])
@pytest.mark.parametrize("options", [[], ["--metric", "cer"], ["--lowercase"]])
def test_other_references_are_refused(other: str, ids: bool, options: list[str], tmp_path: Path) -> None:
    references, ours, theirs = OTHERS[other]
    one = records(tmp_path / "one.jsonl", REF, HYP, *options, ids=ids)
    two = records(tmp_path / "two.jsonl", references, HYP, *options, ids=ids)
    for said in beside(one, two, tmp_path):
        assert f"the reference of {'u1' if ids else '2'} is " in said
        assert options == ["--metric", "cer"] or f"is {ours!r} in" in said
        assert options == ["--metric", "cer"] or f"and {theirs!r} in" in said


def test_rows_in_another_order_are_refused_where_order_pairs(tmp_path: Path) -> None:
    one = records(tmp_path / "one.jsonl", REF, HYP)
    two = records(tmp_path / "two.jsonl", REF[1:] + REF[:1], HYP[1:] + HYP[:1])
    assert all("the reference of 1 is " in said for said in beside(one, two, tmp_path))


def test_the_same_references_in_another_order_pair_by_id(tmp_path: Path) -> None:
    path = records(tmp_path / "one.jsonl", REF, HYP, ids=True)
    turned = written(
        tmp_path / "two.jsonl", "".join(sorted(Path(path).read_text().splitlines(True), reverse=True))
    )
    assert beside(path, turned, tmp_path) == ["", ""]


@pytest.mark.parametrize("options", [["--alternations", "sclite"], ["--ref"]])
def test_closest_paths_of_several_references_may_differ(options: list[str], tmp_path: Path) -> None:
    references = ["the { cat / dog } sat", "a dog ran", "it rains", "she sings"]
    if options == ["--ref"]:
        references, options = (
            REF,
            ["--ref", written(tmp_path / "other.txt", "the dog sat\na dog ran\nit\nshe\n")],
        )
    one = records(tmp_path / "one.jsonl", references, ["the cat sat", *HYP[1:]], *options)
    two = records(tmp_path / "two.jsonl", references, ["the dog sat", *HYP[1:]], *options)
    assert beside(one, two, tmp_path) == ["", ""]


@pytest.mark.parametrize("ids", [True, False])
@pytest.mark.parametrize("metric", ["wer", "wrr", "cer", "bleu", "chrf"])
def test_other_second_references_are_refused(metric: str, ids: bool, tmp_path: Path) -> None:
    def of(name: str, texts: list[str]) -> str:
        lines = [f"u{i}\t{text}\n" if ids else f"{text}\n" for i, text in enumerate(texts)]
        further = written(tmp_path / f"{name}.2.txt", "".join(lines))
        return records(tmp_path / name, REF, HYP, "--ref", further, "--metric", metric, ids=ids)

    one, two = of("one.jsonl", REF[::-1]), of("two.jsonl", [*REF[:0:-1], "the cats sat on the mat"])
    same = of("same.jsonl", REF[::-1])
    told = f"the references of {'u3' if ids else '4'} have other words in "
    commands = beside if metric in ("wer", "wrr", "cer") else lambda *given: beside(*given)[1:]
    assert all(told in said for said in commands(one, two, tmp_path))
    assert set(commands(one, same, tmp_path)) == {""}
    human = [f"{name}\t{'u' if ids else ''}{i + (not ids)}\t{i}\n" for name in "ab" for i in range(4)]
    table = written(tmp_path / "human.tsv", "".join(["system\tsegment\thuman\n", *human]))
    assert told.replace(" of ", " of segment ") in fstmetrics("correlate", table, f"a={one}", f"b={two}").err
    assert "references" not in fstmetrics("correlate", table, f"a={one}", f"b={same}").err
    # Records of before have no digests.
    for path in (one, two):
        lines = [json.loads(line) for line in Path(path).read_text().splitlines()]
        bare = [{name: value for name, value in line.items() if name != "reference_digest"} for line in lines]
        assert all(len(line) > len(other) for line, other in zip(lines, bare, strict=True))
        written(Path(path), "".join(json.dumps(line) + "\n" for line in bare))
    assert set(commands(one, two, tmp_path)) == {""}


def test_the_same_references_by_other_rules_are_no_other_references(tmp_path: Path) -> None:
    first, second = (tmp_path / f"{name}.jsonl" for name in "ab")
    refs = [
        written(tmp_path / f"r{n}.txt", text) for n, text in enumerate(["The cat\nA dog\n", "cats\nDogs\n"])
    ]
    hyp = written(tmp_path / "h.txt", "the cat\na dog\n")
    for output, more in ((first, ()), (second, ("--lowercase",))):
        fstmetrics("score", refs[0], hyp, "--ref", refs[1], "--alignment", "--output", output, *more)
    assert "not scored alike" in fstmetrics("errors", first, "--against", second).out
