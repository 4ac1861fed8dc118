"""How the commands read, pair and change what they are given."""

from __future__ import annotations

import gzip
import json
import os
import re
import shlex
import subprocess
import threading
from itertools import product
from pathlib import Path
from typing import Literal
from unicodedata import normalize

import pytest
from command import EXAMPLES, HYTER, ORACLE, ORACLE_FIELDS, check_record, fstmetrics, written
from time_limits import joined

import fstmetrics as fm

NETWORK = '{"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": %s}}}'


def edits(*arguments: object, stdin: bytes = b"") -> int:
    """The errors of a corpus."""
    found: int = fstmetrics(*arguments, "--json", stdin=stdin).summary["edits"]
    return found


def test_pairs_by_id_in_the_order_of_the_references(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "u-1 a\nu-2 b\nu-3\n"), written(tmp_path / "h", "u-3\nu-2 b\nu-1 a\n")
    records = fstmetrics("score", ref, hyp, "--output", "-").records
    assert [(record["id"], record["edits"]) for record in records] == [("u-1", 0), ("u-2", 0), ("u-3", 0)]
    assert records[2]["hypothesis"] == records[2]["closest"] == []


def test_a_guess_is_visible(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "u-1 a\nu-2 b\n"), written(tmp_path / "h", "u-1 a\nu-2 c\n")
    said = "read as kaldi-text (the first word of each line is its id); "
    assert (
        f"{hyp}, {ref} {said}change this with --format plain --ref-format plain\n"
        in fstmetrics("score", ref, hyp).out
    )
    out = fstmetrics("score", ref, hyp, "--format", "kaldi-text").out
    assert f"{ref} {said}change this with --ref-format plain\n" in out
    for name in ("kaldi-text", "plain"):
        assert "read as" not in fstmetrics("score", ref, hyp, "--format", name, "--ref-format", name).out
    assert edits("score", ref, hyp, "--format", "plain", "--ref-format", "plain") == 1
    formats = fstmetrics("score", ref, hyp, "--json").summary["settings"]["formats"]
    assert formats == {str(ref): "kaldi-text", str(hyp): "kaldi-text"}


def test_names_of_networks_are_no_guess() -> None:
    out = fstmetrics("hyter", *HYTER).out
    assert "read as" not in out
    assert "paired by order" not in out


def test_that_lattices_are_scored_by_their_oracles_is_remarked(tmp_path: Path) -> None:
    best = "fstmetrics oracle shows the 1-best, too, and fstmetrics best writes it"
    said = f"of {ORACLE[1]} the best paths are scored (oracles); {best}\n"
    assert said in fstmetrics("score", *ORACLE).out
    assert said in fstmetrics("compare", "--ref", *ORACLE, f"x={ORACLE[0]}", "--metric", "wer").out
    assert "the best paths are scored" not in fstmetrics("oracle", *ORACLE).out
    assert "the best paths are scored" not in fstmetrics("score", ORACLE[0], ORACLE[0]).out


def test_ids_on_one_side_are_no_order_unless_that_is_said(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r.trn", "a (u-1)\nb (u-2)\n"), written(tmp_path / "h", "a\nb\n")
    outcome = fstmetrics("score", ref, hyp)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert f"{ref} has ids (u-1, u-2, ...) and {hyp} has none" in outcome.err
    for command, given in (
        ("score", (ref, hyp)),
        ("compare", ("--ref", ref, hyp, f"b={hyp}", "--metric", "wer", "--samples", "9")),
    ):
        found = fstmetrics(command, *given, "--fields", "id=", "--json").summary
        assert "paired by order, as --fields id= says" in found["remarks"]
        assert found["settings"]["pairing"]["by"] == "order"
    assert fstmetrics("score", ref, hyp, "--fields", "id=", "--json").summary["edits"] == 0
    one = written(tmp_path / "r1.trn", "a (u-1)\n"), written(tmp_path / "h1", "a\n")
    assert fstmetrics("score", *one, "--json").summary["edits"] == 0


def test_ids_of_one_text_settle_the_other(tmp_path: Path) -> None:
    """`odd` does not look like an id, so that somebody has to say that it is one."""
    ref, hyp = written(tmp_path / "r", "u-1 a\nodd b\nu-2 c\n"), written(tmp_path / "h", "u-2 c\nu-1 a\n")
    outcome = fstmetrics("score", ref, hyp)
    assert outcome.status == 2
    assert f"and the lines of {ref} begin otherwise; --format kaldi-text" in outcome.err
    outcome = fstmetrics("score", ref, hyp, "--format", "kaldi-text")
    assert "2 of its 3 lines begin with ids of the other files (u-1, u-2, ...)" in outcome.err
    told = ("--format", "kaldi-text", "--ref-format", "kaldi-text")
    assert f"no hypothesis for odd in {hyp} " in fstmetrics("score", ref, hyp, *told).err
    assert edits("score", ref, hyp, "--missing", "empty", *told) == 1


def test_numbers_of_nbest_lists_are_ids_if_the_references_have_them(tmp_path: Path) -> None:
    ref, hyp = (
        written(tmp_path / "r", "1 b\n0 a\n"),
        written(tmp_path / "h", "0 ||| a ||| 0\n1 ||| b ||| 0\n"),
    )
    assert edits("oracle", ref, hyp) == 0
    assert edits("oracle", written(tmp_path / "r", "a\nb\n"), hyp) == 0


def test_items_without_a_counterpart_are_named(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "u-1 a b\nu-2 c\n"), written(tmp_path / "h", "u-1 a b\nu-3 d\n")
    outcome = fstmetrics("score", ref, hyp)
    assert outcome.status == 2
    assert f"no hypothesis for u-2 in {hyp}; no reference for u-3 in {ref} (--missing skip" in outcome.err
    assert "--format plain --ref-format plain" in outcome.err
    assert (
        "plain"
        not in fstmetrics("score", ref, hyp, "--format", "kaldi-text", "--ref-format", "kaldi-text").err
    )
    skipping = fstmetrics("score", ref, hyp, "--missing", "skip")
    assert "%WER 0.00 [ 0 / 2, 0 ins, 0 del, 0 sub ] [PARTIAL]\n" in skipping.out
    lacking = "1 item; 2 left out: h has nothing for 1 of their ids, and r has nothing for 1 of their ids\n"
    assert lacking in skipping.out
    assert lacking in fstmetrics("score", ref, hyp, "--missing", "skip", "--metric", "chrf").out
    compared = fstmetrics(
        "compare", "--ref", ref, f"a={ref}", f"b={hyp}", "--missing", "skip", "--metric", "wer"
    ).out
    assert "\n1 item\n" in compared
    assert (
        "\n2 items left out: r has nothing for 1 of their ids, and h has nothing for 1 of their ids\n"
        in compared
    )
    found = fstmetrics("score", ref, hyp, "--missing", "skip", "--json").summary
    assert (found["items"], found["skipped"]) == (1, 2)
    found = fstmetrics("score", ref, hyp, "--missing", "empty", "--json").summary
    assert (found["items"], found["insertions"], found["deletions"], found["infinite_scores"]) == (3, 1, 1, 1)
    records = fstmetrics("score", ref, hyp, "--missing", "empty", "--output", "-").records
    assert [(record["id"], record["score"]) for record in records] == [("u-1", 0), ("u-2", 1), ("u-3", None)]


def test_missing_lattices_and_networks(tmp_path: Path) -> None:
    ref = written(tmp_path / "r", (EXAMPLES / "oracle" / "ref.txt").read_text() + "holmes99 a b\n")
    found = fstmetrics("oracle", ref, ORACLE[1], "--missing", "empty", "--json").summary
    assert (found["edits"], found["one_best"]["edits"], found["arcs"]) == (6 + 2, 34 + 2, 2607)
    hyp = written(tmp_path / "h", "station where is\nlost and found\n")
    told = ("--missing", "empty", "--format", "kaldi-text", "--json")
    found = fstmetrics("hyter", HYTER[0], hyp, *told).summary
    assert (found["items"], found["infinite_scores"]) == (4, 1)


def test_the_nearest_of_several_references_counts(tmp_path: Path) -> None:
    ref = written(tmp_path / "r", "the cat sat\none dog\n")
    other, third = (
        written(tmp_path / "s", "a cat sat\nthe dog\n"),
        written(tmp_path / "t", "x\nthe big dog\n"),
    )
    hyp = written(tmp_path / "h", "a cat sat\nthe big dog\n")
    assert edits("score", ref, hyp) == 3
    assert edits("score", ref, hyp, "--ref", other) == 1
    records = fstmetrics("score", ref, hyp, "--ref", other, "--ref", third, "--output", "-").records
    assert [record["edits"] for record in records] == [0, 0]
    assert records[1]["closest"] == ["the", "big", "dog"]
    assert edits("hyter", ref, hyp, "--ref", other) == 1
    assert edits("oracle", ref, hyp, "--format", "plain", "--ref", other) == 1


def test_a_further_reference_that_is_missing_is_no_empty_one(tmp_path: Path) -> None:
    """Against nothing, the one word would be one error; against the reference there is, it is two."""
    ref, other = written(tmp_path / "r", "u-1 a b c\nu-2 d\n"), written(tmp_path / "s", "u-2 d\n")
    hyp = written(tmp_path / "h", "u-1 a\nu-2 d\n")
    assert fstmetrics("score", ref, hyp, "--ref", other).err.startswith(
        f"fstmetrics: no reference for u-1 in {other} "
    )
    assert edits("score", ref, hyp, "--ref", other, "--missing", "empty") == 2


def test_either_side_may_be_standard_input(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "a b\nc\n"), b"a b\nd\n"
    assert edits("score", ref, "-", stdin=hyp) == edits("score", "-", ref, stdin=hyp) == 1
    assert edits("score", ref, ref, "--ref", "-", stdin=hyp) == 0
    assert edits("score", ref, "-", stdin=gzip.compress(hyp)) == 1
    assert "can be read only once" in fstmetrics("score", "-", "-").err


def test_several_references_are_said(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "a b\nc\n"), written(tmp_path / "h", "a b\nd\n")
    for metric in ("wer", "bleu"):
        assert "references per item" not in fstmetrics("score", ref, hyp, "--metric", metric).out
        assert (
            "\n2 references per item\n" in fstmetrics("score", ref, hyp, "--ref", hyp, "--metric", metric).out
        )
    sets = [["a b", "c"], ["a", "c"]]
    assert str(fm.score(["a b", "c"], sets)).endswith(", 2 references per item")


def test_several_files_in_place_of_a_folder_are_refused_with_advice() -> None:
    files = sorted(Path(ORACLE[1]).iterdir())
    outcome = fstmetrics("oracle", ORACLE[0], *files)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert f"3 unexpected arguments: {str(files[1])!r} ...; expected REF [LATTICES]; " in outcome.err
    assert "; for several files give a pattern in quotes, such as 'lat.*.gz', or the folder" in outcome.err
    assert "pattern in quotes" in fstmetrics("oracle", "--help").out
    assert "; expected GRAMMAR (see" in fstmetrics("grammar", "show", "en", "two.txt").err
    for command in ("score", "oracle", "hyter"):
        assert "; more references: --ref FILE for each; " in fstmetrics(command, "a", "b", "c").err
    systems = fstmetrics("speakers", "a", "b", "c").err
    assert "; several systems: fstmetrics compare --ref REF SYSTEM... --metric cpwer (" in systems
    assert "--ref FILE" not in systems
    three = fstmetrics("errors", "ref", "one", "two").err
    assert "of two systems: fstmetrics errors REF HYP --against HYP" in three


@pytest.mark.parametrize("option", ["--csv", "--tsv", "--json", "--markdown", "--latex"])
def test_forms_of_output_take_no_file(option: str, tmp_path: Path) -> None:
    text = written(tmp_path / "r", "a b\nc\n")
    said = f"; {option} takes no file, and prints: {option} > made.out"
    for command in (
        ("score", text, text),
        ("score", text),
        ("compare", "--ref", text, text),
        ("speakers", text, text),
    ):
        outcome = fstmetrics(*command, option, "made.out")
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert said in outcome.err
    for command in (("compare", "--ref", text, "made.out", option), ("score", text, "made.out", option)):
        assert "takes no file" not in fstmetrics(*command).err
    assert fstmetrics("compare", "--ref", text, option, text, "--metric", "wer").status == 0


def test_ids_on_standard_input() -> None:
    """The ids of these texts do not look like ids: the networks' names settle it, on a pipe as in a file."""
    by_file = fstmetrics("hyter", *HYTER, "--json").summary["edits"]
    assert edits("hyter", HYTER[0], "-", stdin=Path(HYTER[1]).read_bytes()) == by_file
    assert edits("oracle", "-", ORACLE[1], stdin=Path(ORACLE[0]).read_bytes()) == 6


def test_a_lattice_on_standard_input_has_no_id(tmp_path: Path) -> None:
    ref = written(tmp_path / "r", "its splendour was in such contrast\n")
    lattice = (EXAMPLES / "oracle" / "lattices" / "holmes01.slf.gz").read_bytes()
    records = fstmetrics("oracle", ref, "-", "--output", "-", stdin=lattice).records
    assert [record["id"] for record in records] == [None]


def test_named_pipes_are_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = Path(HYTER[1]).read_bytes()
    writer = threading.Thread(target=lambda: pipe.write_bytes(content), daemon=True)
    writer.start()
    found = edits("hyter", HYTER[0], pipe)
    joined(writer)
    assert found == edits("hyter", *HYTER)


def test_compressed_files_and_folders_are_read(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.txt.gz", gzip.compress(b"a b\nc\n"))
    assert edits("score", ref, written(tmp_path / "h.txt", "a b\nd\n")) == 1
    networks = tmp_path / "networks"
    networks.mkdir()
    written(networks / "n1.json.gz", gzip.compress((NETWORK % '["a b", "c"]').encode()))
    written(networks / "n2.json", NETWORK % '["d"]')
    written(networks / ".hidden", "not a network")
    records = fstmetrics("hyter", networks, written(tmp_path / "h", "n2 x\nn1 c\n"), "--output", "-").records
    assert [(record["id"], record["edits"]) for record in records] == [("n1", 0), ("n2", 1)]


def test_files_of_one_name_are_named_in_full_where_ids_are_lacking(tmp_path: Path) -> None:
    ref, hyp = (tmp_path / side / "t" for side in ("ref", "hyp"))
    for path, text in ((ref, "u1 a b\nu2 c\n"), (hyp, "u1 a b\n")):
        path.parent.mkdir()
        written(path, text)
    kaldi = ("--format", "kaldi-text", "--ref-format", "kaldi-text")
    assert f"{hyp} has nothing for its id" in fstmetrics("score", ref, hyp, "--missing", "skip", *kaldi).out


def test_lattices_against_networks(tmp_path: Path) -> None:
    """Both sides branch: the lattice says "its splendor (was | are)", the network allows more."""
    networks, lattices = tmp_path / "networks", tmp_path / "lattices"
    networks.mkdir()
    lattices.mkdir()
    written(networks / "u1.json", NETWORK % '["it s splendid", "its splendor is", "those are it"]')
    written(lattices / "u1.txt", "0 1 its\n1 2 splendor\n2 3 was\n2 3 are\n3\n")
    records = fstmetrics("oracle", networks, lattices, "--output", "-", "--alignment").records
    check_record(records[0], "wer", ORACLE_FIELDS - {"reference_digest"} | {"alignment", "cards"})
    assert (records[0]["id"], records[0]["edits"], records[0]["closest"]) == (
        "u1",
        1,
        ["its", "splendor", "is"],
    )
    assert records[0]["alignment"][:2] == [["=", "its", "its"], ["=", "splendor", "splendor"]]


def test_hyter_with_plain_references(tmp_path: Path) -> None:
    ref, hyp = (
        written(tmp_path / "r", "where is the station\n"),
        written(tmp_path / "h", "the station where is\n"),
    )
    assert edits("hyter", ref, hyp) == 4
    found = fstmetrics("hyter", ref, hyp, "--window", "4", "--json").summary
    assert (found["edits"], found["moves"], found["score"]) == (0, 1, 0.25)


def test_words_are_changed_only_on_request(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "The cat, uh sat\n"), written(tmp_path / "h", "<s> the cat sat </s>\n")
    assert edits("score", ref, hyp) == 3
    assert edits("score", ref, hyp, "--lowercase") == 2
    assert edits("score", ref, hyp, "--remove-punctuation") == 2
    assert edits("score", ref, hyp, "--ignore", "uh", "--ignore", "cat,") == 2
    every = fstmetrics(
        "score", ref, hyp, "--lowercase", "--remove-punctuation", "--ignore", "uh", "--json"
    ).summary
    assert every["edits"] == 0
    assert "case:lower|punctuation:removed|tok:none|ignore:uh" in every["signature"]
    assert every["settings"]["ignore"] == ["uh"]


def test_words_ignored_on_one_side(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "uh the cat um\n"), written(tmp_path / "h", "uh the cat um um\n")
    counts = {
        (): (1, 4),
        ("--ignore", "uh um"): (0, 2),
        ("--ignore-ref", "uh um"): (3, 2),
        ("--ignore-hyp", "um", "--ignore-hyp", "uh"): (2, 4),
        ("--ignore-hyp", "um", "--ignore-ref", "um"): (0, 3),
        ("--ignore", "uh", "--ignore-hyp", "um"): (1, 3),
    }
    for options, expected in counts.items():
        found = fstmetrics("score", ref, hyp, *options, "--json").summary
        assert (found["edits"], found["path_length"]) == expected, options
    signed = fstmetrics("score", ref, hyp, "--ignore-hyp", "um uh", "--ignore-ref", "er", "--json").summary
    assert "|ignore-hyp:uh,um|ignore-ref:er|" in signed["signature"]
    assert signed["settings"]["ignore_hypothesis"] == ["uh", "um"]
    # Metrics of strings, lattices and records go by the same rule.
    one = fstmetrics("score", ref, hyp, "--metric", "ter", "--ignore-ref", "uh um", "--json").summary
    assert (one["statistics"]["edits"], one["score"]) == (3.0, 150.0)
    lattice = fm.Lattice.from_arcs([(0, 1, "uh"), (1, 2, "a"), (1, 2, "b")], finals=[2])
    ignored = fm.Normalisation(ignore_hypothesis=frozenset({"uh"}))
    assert fm.align(lattice, "b", normalisation=ignored).edits == 0
    assert fm.align("b", lattice, normalisation=ignored).edits == 1
    folded = fm.Normalisation(lowercase=True, ignore_hypothesis=frozenset({"Uh"}))
    assert fm.align("UH b", "b", normalisation=folded).edits == 0


def test_characters(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "ab c\n"), written(tmp_path / "h", "abc\n")
    found = fstmetrics("score", ref, hyp, "--unit", "char", "--json").summary
    assert (found["edits"], found["path_length"]) == (1, 4)


def test_tokenizers_of_sacrebleu(tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    ref, hyp = written(tmp_path / "r", "a cat, sat.\n"), written(tmp_path / "h", "a cat , sat .\n")
    assert edits("score", ref, hyp) == 4
    assert edits("score", ref, hyp, "--tokenize", "13a") == 0


@pytest.mark.parametrize(("alpha", "beta"), [("1", "0"), ("0.1", "0"), ("-0.9", "1"), ("0", "-.3")])
def test_alpha_and_beta_are_decimals(alpha: str, beta: str, tmp_path: Path) -> None:
    """First item: a match and a deletion. Second: a substitution, or an insertion and a deletion."""
    ref, hyp = written(tmp_path / "r", "a b\nx\n"), written(tmp_path / "h", "a\ny\n")
    command = ("score", ref, hyp, "--metric", "grr", "--order", "1", "--alpha", alpha, "--beta", beta)
    records = fstmetrics(*command, "--output", "-").records
    expected = [1 - float(beta), max(0.0, -float(alpha) - float(beta))]
    assert [record["gain"] for record in records] == pytest.approx(expected, abs=1e-15)
    settings = fstmetrics(*command, "--json").summary["settings"]
    assert (settings["alpha"], settings["beta"]) == (float(alpha), float(beta))


def test_records_are_utf_8_and_may_follow_links(tmp_path: Path) -> None:
    text = written(tmp_path / "r", "天气 \u00e9\n")
    link = tmp_path / "link"
    link.symlink_to(written(tmp_path / "real", "old"))
    assert fstmetrics("score", text, text, "--output", link).status == 0
    assert link.is_symlink()
    assert json.loads(link.read_text(encoding="utf-8"))["closest"] == ["天气", "é"]
    assert "天气" in link.read_text(encoding="utf-8")


def test_output_to_a_device_leaves_it_a_device(tmp_path: Path) -> None:
    text, pipe = written(tmp_path / "r", "a\n"), tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert fstmetrics("score", text, text, "--output", pipe).status == 0
    joined(reader)
    assert json.loads(read[0])["edits"] == 0
    assert pipe.is_fifo()
    assert fstmetrics("score", text, text, "--output", "/dev/null").status == 0
    assert Path("/dev/null").is_char_device()


def test_kaldi_lattices_of_a_real_system(shared: Path) -> None:
    folder = shared / "asr-kaldi-weather"
    command = ("oracle", folder / "ref.txt", folder / "mono" / "lat.1.gz", "--symbols", folder / "words.txt")
    found = fstmetrics(*command, "--lm-scale", "10", "--missing", "skip", "--json").summary
    assert found["items"] + found["skipped"] == 142
    assert found["edits"] <= found["one_best"]["edits"]


@pytest.mark.parametrize("ending", [".txt", ".nbest", ""])
def test_a_folder_of_nbest_lists_is_read_whatever_its_files_are_called(ending: str, tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    for id, lines in (("u1", "a x\na b\n"), ("u2", "c\nd\n")):
        written(tmp_path / "lists" / f"{id}{ending}", lines)
    ref = written(tmp_path / "ref", "u1 a b\nu2 c\n")
    if ending != ".nbest":
        said = fstmetrics("oracle", ref, tmp_path / "lists").err
        assert "--format says what it is, such as nbest-lines, of which each file is one list" in said
    summary = fstmetrics("oracle", ref, tmp_path / "lists", "--format", "nbest-lines", "--json").summary
    assert (summary["items"], summary["score"]) == (2, 0)


def test_numbers_that_do_not_count_in_each_list_are_words(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "u1 1 a\nu2 2 b\nu3 1\n")
    for number, lines in enumerate(
        (
            "u1 1 a\nu1 2 a\nu2 2 b\nu3 1\n",
            "u1 1 a\nu2 2 b\nu2 1 b\nu3 1\n",
            "u1 1 a\nu1 2 a\nu2 1 b\nu2 2\nu2 2 b\nu3 1\n",
        )
    ):
        lists = written(tmp_path / f"{number}", lines)
        assert fstmetrics("oracle", ref, lists, "--format", "nbest-kaldi", "--json").summary["score"] == 0


def test_nbest_lists_of_a_real_system(shared: Path) -> None:
    folder = shared / "asr-pocketsphinx"
    found = fstmetrics("oracle", folder / "ref.txt", folder, "--format", "nbest-lines", "--json").summary
    assert [after["edits"] for after in found["after"]] == [313, 301, 289, 280, 266, 256, 252]


def test_a_pattern_in_advice_is_quoted_as_a_shell_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref", "u1 a b\nu2 c\n")
    written(tmp_path / "u1.fst.txt", "0 1 a\n1 2 b\n2\n")
    written(tmp_path / "u2.fst.txt", "0 1 c\n1\n")
    outcome = fstmetrics("oracle", "u*.fst.txt", "ref")
    (_, advised) = outcome.err.strip().split("LATTICES second: fstmetrics ")
    assert advised == "oracle ref 'u*.fst.txt'"
    assert fstmetrics(*shlex.split(advised), "--json").summary["edits"] == 0


def test_networks_and_hypotheses_swapped() -> None:
    networks, hypotheses = HYTER
    outcome = fstmetrics("hyter", hypotheses, networks)
    assert outcome.status == 2
    assert f"NETWORKS come first, HYP second: fstmetrics hyter {networks} {hypotheses}\n" in outcome.err
    assert fstmetrics("hyter", networks, hypotheses).status == 0


def test_sentences_that_begin_with_numbers_are_not_taken_to_have_ids(tmp_path: Path) -> None:
    """Networks that were built line by line have numbers as ids, and so may a sentence begin."""
    (tmp_path / "ref").write_text("two men walk\na cat\nno dog\n")
    (tmp_path / "hyp").write_text("2 men walk\na cat\nno dog\n")
    folder = str(tmp_path / "networks")
    assert fstmetrics("network", "build", str(tmp_path / "ref"), "-o", folder).status == 0
    outcome = fstmetrics("hyter", folder, str(tmp_path / "hyp"), "--json")
    assert (outcome.status, json.loads(outcome.out)["edits"]) == (0, 1)
    (tmp_path / "hyp").write_text("2 men walk\n1 cat\n0 dogs\n")
    assert "read as kaldi-text" in fstmetrics("hyter", folder, str(tmp_path / "hyp")).out


def test_forests_may_be_hypotheses_of_hyter() -> None:
    """A forest is a network, too, but none of references: it is not taken for swapped arguments."""
    forests = EXAMPLES / "forests"
    outcome = fstmetrics("hyter", str(forests / "ref.txt"), str(forests / "house.graph"), "--json")
    assert (outcome.status, json.loads(outcome.out)["edits"]) == (0, 0)


def test_script_files_by_pattern_and_by_list_are_one_set(tmp_path: Path) -> None:
    """Parts of a script file, as Kaldi's split_scp.pl makes them."""
    archive, outputs = tmp_path / "all.ark", []
    outcome = fstmetrics("convert", ORACLE[1], archive, "--to", "kaldi-lattice-text", "--lossy")
    assert outcome.status == 0, outcome.err
    rows = fstmetrics("index", archive).records
    lines = [f"{row['id']} {archive}:{row['offset'] + len(row['id'])}\n" for row in rows]
    for number in (1, 2):
        (tmp_path / f"lat.{number}.scp").write_text("".join(lines[2 * number - 2 : 2 * number]))
    (tmp_path / "list.txt").write_text(f"{tmp_path}/lat.1.scp\n{tmp_path}/lat.2.scp\n")
    ways = (
        [archive], [f"scp:{tmp_path}/lat.*.scp"], [f"scp:@{tmp_path}/list.txt"],
        [f"@{tmp_path}/list.txt", "--format", "scp"],
    )  # fmt: skip
    for number, way in enumerate(ways):
        out = tmp_path / f"{number}.jsonl"
        outcome = fstmetrics("oracle", ORACLE[0], *way, "--output", out)
        assert outcome.status == 0, outcome.err
        outputs.append(out.read_text())
    assert set(outputs) == {outputs[0]}
    outcome = fstmetrics("oracle", ORACLE[0], f"{tmp_path}/lat.*.scp")
    assert (outcome.status, "only a caller may have those read" in outcome.err) == (2, True)


def test_urls_are_one_file_each(tmp_path: Path) -> None:
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    text = written(tmp_path / "what?.txt", "u1 a b\n")
    found = fstmetrics("score", f"file://{text}", text, "--json").summary
    assert found["edits"] == 0


@pytest.mark.parametrize("names", [("x.1", "x.2"), ("x.1.gz", "x.2.gz"), ("x.old.de", "x.new.de")])
def test_patterns_of_whole_texts_are_told_by_where_they_stood(names: tuple[str, str], tmp_path: Path) -> None:
    """Of references, systems and runs of a system, whether or not the files' names are ids of their own."""
    text = written(tmp_path / "text", "a b\na c\n")
    for name in names:
        data = b"a b\na d\n"
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    pattern = str(tmp_path / "x.*")
    sets, systems = (
        "one --ref each",
        "each file is an argument, as of fstmetrics compare; several runs of one system:",
    )
    for said, other, *command in (
        (sets, systems, "score", text, text, "--ref", pattern),
        (sets, systems, "compare", text, "--ref", pattern),
        (systems, sets, "score", text, pattern),
        (systems, sets, "compare", pattern, "--ref", text),
        (systems, sets, "compare", f"a={pattern}", text, "--ref", text),
    ):
        outcome = fstmetrics(*command)
        assert (outcome.status, said in outcome.err, other in outcome.err) == (2, True, False), outcome.err
        assert ("--fields" in outcome.err, len(outcome.err.replace(str(tmp_path), "")) < 500) == (False, True)


LISTS = '{"id": "a", "ref": "a b c", "hyp": ["a x c", "a b c"]}\n{"id": "b", "ref": "d e", "hyp": ["d f", "d g"]}\n'


@pytest.mark.parametrize(
    ("command", "kind"),
    [("score", "table"), *product(["score", "hyter"], ["n-best lists", "lattices"])],
)
def test_best_paths_are_called_an_oracle(command: str, kind: str, tmp_path: Path) -> None:
    """As `oracle` calls them: what a decoder has not chosen itself is no error rate of it."""
    ref = written(tmp_path / "text", "a a b c\nb d e\n")
    paths: tuple[Path, ...]
    if kind == "table":
        paths = (written(tmp_path / "lists.jsonl", LISTS),)
    elif kind == "n-best lists":
        paths = (ref, written(tmp_path / "h.nbest", "a ||| a x c\na ||| a b c\nb ||| d f\nb ||| d g\n"))
    else:
        arcs = "a\n0 1 a 0,0,\n1 2 x 0,0,\n1 2 b 0,0,\n2 3 c 0,0,\n3\n\nb\n0 1 d 0,0,\n1 2 f 0,0,\n2\n\n"
        paths = (ref, written(tmp_path / "lats", arcs))
    run = fstmetrics(command, *paths)
    plain = written(tmp_path / "best", "a a b c\nb d f\n")
    if command == "score":
        assert run.out.startswith(
            "%WER 20.00 [ 1 / 5, 0 ins, 0 del, 1 sub ] oracle\n%SER 50.00 [ 1 / 2 ] oracle\n"
        )
    assert "\noracle  0.2000  " in run.out
    assert fstmetrics(command, *paths, "--json").summary["oracle"] is True
    text = fstmetrics(command, ref, plain)
    assert "oracle" not in text.out
    assert "oracle" not in fstmetrics(command, ref, plain, "--json").summary
    own = fstmetrics("oracle", *paths, "--json").summary
    assert own["oracle"] is True
    assert own["score"] == fstmetrics(command, *paths, "--json").summary["score"]


def test_files_of_different_names_are_named_without_their_folders(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "a b\nc\n"), written(tmp_path / "h", "a b\nd\n")
    assert "\npaired by order: no ids in h, r\n" in fstmetrics("score", ref, hyp).out
    (tmp_path / "other").mkdir()
    same = written(tmp_path / "other" / "r", "a b\nd\n")
    assert f"\npaired by order: no ids in {same}, {ref}\n" in fstmetrics("score", ref, same).out


@pytest.mark.parametrize("missing", ["error", "skip", "empty"])
@pytest.mark.parametrize("ending", ["", ".csv"])
def test_ids_of_another_form_of_unicode_are_the_same(ending: str, missing: str, tmp_path: Path) -> None:
    def holding(name: str, form: Literal["NFC", "NFD"], *others: str) -> Path:
        ids = [*(normalize(form, id) for id in ("\u00e91", "\u00fc2", "\u00d13")), *others]
        rows = [f"{id},the cat {n}\n" if ending else f"{id} the cat {n}\n" for n, id in enumerate(ids)]
        return written(tmp_path / f"{name}{ending}", "id,text\n" * bool(ending) + "".join(rows))

    format = "csv" if ending else "kaldi-text"
    options = ["--format", format, "--ref-format", format, "--missing", missing]
    ref, hyp = holding("r", "NFC"), holding("h", "NFD")
    found = fstmetrics("score", ref, hyp, *options, "--json").summary
    assert (found["items"], found["skipped"], found["edits"]) == (3, 0, 0)
    told = "3 ids differ in the form of Unicode (NFC, NFD) from those of the references ("
    assert any(remark.startswith(told) for remark in found["remarks"])
    compared = ["compare", "--ref", ref, f"a={ref}", f"b={hyp}", *options, "--metric", "wer", "--json"]
    if missing != "empty":
        systems = fstmetrics(*compared).summary["systems"]
        assert [each["wer"]["score"] for each in systems.values()] == [0, 0]
    streamed = fstmetrics("score", ref, "-", *options, "--json", stdin=hyp.read_bytes()).summary
    assert (streamed["items"], streamed["edits"]) == (3, 0)
    both = holding("both", "NFD", "\u00e91")  # one id in two forms is two ids
    assert fstmetrics("score", both, hyp, *options).status == (2 if missing == "error" else 0)


def test_python_says_that_ids_differ_in_the_form_of_unicode() -> None:
    with pytest.raises(fm.FstmetricsError, match="some differ in the form of Unicode alone"):
        fm.score({"\u00e91": "a"}, {"e\u03011": "a"})
    with pytest.raises(fm.FstmetricsError) as refused:
        fm.score({"\u00e91": "a"}, {"e1": "a"})
    assert "Unicode" not in str(refused.value)


LINES = ["a b", "c d", "e f", "g h", "i j", "k l"]


def folder_of(path: Path, *texts: str, ending: str = ".txt") -> Path:
    path.mkdir()
    for number, text in enumerate(texts, 8):
        written(path / f"part{number}{ending}", text)
    return path


def of_lines(*numbers: int) -> list[str]:
    lines = iter(LINES)
    return ["".join(f"{next(lines)}\n" for _ in range(number)) for number in numbers]


@pytest.mark.parametrize("form", ["{}", "{}/*", "@{}.list"])
@pytest.mark.parametrize("numbers", [(2, 2, 2), (1, 2, 3)])
def test_folders_of_files_with_as_many_lines_are_refused(
    numbers: tuple[int, ...], form: str, tmp_path: Path
) -> None:
    """`c d` of one and `b d` of the other are of other lines: joined, words of two lines would match."""
    texts = of_lines(*numbers)
    heard = [text.replace("a b", "a").replace("c d", "b d").replace("k l", "") for text in texts]
    ref, hyp = folder_of(tmp_path / "r", *texts), folder_of(tmp_path / "h", *heard, ending=".hyp")
    for side in (ref, hyp):
        written(
            tmp_path / f"{side.name}.list",
            "".join(f"{path}\n" for path in sorted(side.iterdir(), key=by_number)),
        )
    sides = [form.format(side) for side in (ref, hyp)]
    outcome = fstmetrics("score", *sides)
    assert outcome.status == 2
    assert f"{sides[1]}: its files have as many lines each as those of {sides[0]}" in outcome.err
    assert "--fields id= takes each line as one" in outcome.err
    found = fstmetrics("score", *sides, "--fields", "id=", "--json").summary
    assert (found["items"], found["edits"]) == (6, 4)
    whole = [written(tmp_path / name, "".join(each)) for name, each in (("ref", texts), ("hyp", heard))]
    assert edits("score", *whole) == 4
    systems = ("compare", "--ref", sides[0], f"a={sides[1]}", f"b={sides[1]}", "--metric", "wer")
    assert "as many lines each" in fstmetrics(*systems).err
    assert fstmetrics(*systems, "--fields", "id=").status == 0
    joined = fstmetrics("score", *sides, "--format", "plain", "--json").summary
    assert joined["items"] == 3
    assert f"the lines of each file are joined to one item: {sides[1]}, {sides[0]}" in joined["remarks"]


def by_number(path: Path) -> int:
    return int(path.stem.removeprefix("part"))


def test_lines_of_files_that_order_would_not_pair_are_written_as_one_file(tmp_path: Path) -> None:
    """A blank line in other places; names that the endings put in another order."""
    texts = of_lines(3, 3)
    ref, hyp = folder_of(tmp_path / "r", *texts), folder_of(tmp_path / "h", texts[0] + "\n", "\n" + texts[1])
    said = fstmetrics("score", ref, hyp).err
    assert "--fields" not in said
    assert "awk NF FILE1 FILE2 ..., the same files of both sides in one order" in said
    made = [
        subprocess.run(["awk", "NF", side / "part8.txt", side / "part9.txt"], capture_output=True, check=True)
        for side in (ref, hyp)
    ]
    whole = [written(tmp_path / str(place), one.stdout.decode()) for place, one in enumerate(made)]
    found = fstmetrics("score", *whole, "--json").summary
    assert (found["items"], found["edits"]) == (6, 0)
    other = folder_of(tmp_path / "o", *texts)
    (other / "part8.txt").rename(other / "part8.zz")
    (other / "part9.txt").rename(other / "part8.y.zz")
    same = folder_of(tmp_path / "s", *texts)
    (same / "part9.txt").rename(same / "part8.y.txt")
    assert "--fields" not in fstmetrics("score", other, same).err


@pytest.mark.parametrize(
    ("references", "hypotheses", "is_joined"),
    [
        (["a b\nc d\n", "e f\n"], ["a b c\nd\n\n", "e f\n"], True),  # one of two files has lines
        (["a b\nc d\n"], ["a b c d\n"], True),
        (["a b\nc d\n", "e\nf\n"], ["a\nb\nc\nd\n", "e\nf\n"], True),
        (["a b c d\n", "e f\n"], ["a b c d\n", "e f\n"], False),
        (["a b c d\n\n", "\ne f\n"], ["\na b c d\n", "e f\n\n"], False),
    ],
)
def test_lines_of_transcripts_are_joined(
    references: list[str], hypotheses: list[str], is_joined: bool, tmp_path: Path
) -> None:
    ref, hyp = folder_of(tmp_path / "r", *references), folder_of(tmp_path / "h", *hypotheses)
    found = fstmetrics("score", ref, hyp, "--json").summary
    assert (found["items"], found["edits"]) == (len(references), 0)
    remark = f"the lines of each file are joined to one item: {hyp}, {ref}"
    assert (remark in found.get("remarks", ())) == is_joined


@pytest.mark.parametrize(
    ("entries", "options", "is_told"),
    [
        (["a b x\na b\n", "c\nd c\n"], "", True),
        (["a b x\na b\n", "c\nd c\n"], "--format plain", False),
        (["a b x\na b\n", "c\n"], "", True),  # one has a single entry
        (["a b\n\n", "c\nd\n"], "", True),  # or an empty one
        (["a b\n", "c\n"], "", False),
    ],
)
@pytest.mark.parametrize("form", ["lines with ids", "folder"])
def test_lines_of_hypotheses_alone_may_be_entries_of_lists(
    form: str, entries: list[str], options: str, is_told: bool, tmp_path: Path
) -> None:
    ref = written(tmp_path / "ref", "part8 a b\npart9 c\n")
    ref = ref if form != "folder" else folder_of(tmp_path / "r", "a b\n", "c\n")
    hyp = folder_of(tmp_path / "h", *entries)
    outcome = fstmetrics("score", ref, hyp, *options.split())
    assert ("--format nbest-lines if they are the entries of n-best lists" in outcome.out) == is_told
    if is_told:
        assert "%WER 0.00" in fstmetrics("score", ref, hyp, "--format", "nbest-lines").out


def test_lines_of_transcripts_beside_other_formats_are_not_remarked_on(tmp_path: Path) -> None:
    ref = folder_of(tmp_path / "r", "a b\nc d\n", "e f\ng h\n")
    rows = ({"id": "part8", "text": "a b c d"}, {"id": "part9", "text": "e f g h"})
    hyp = written(tmp_path / "h.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    outcome = fstmetrics("score", ref, hyp)
    assert "%WER 0.00" in outcome.out
    assert "joined" not in outcome.out


def test_files_that_are_one_item_each_are_told_where_nothing_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A set of references, parts of texts, outputs of several weights; of a list of files, each by itself is read."""
    monkeypatch.chdir(tmp_path)
    for folder in ("refs", "out"):
        Path(folder).mkdir()
    one, two = (written(Path(f"refs/{name}.txt"), "the cat\na dog\n") for name in ("first", "second"))
    hyp = written(Path("hyp.txt"), "the cat\na dog\n")
    err = fstmetrics("score", "refs", hyp).err
    assert "is one item, called by its name" in err
    assert "several sets of references: one --ref each; parts of one text: join them (cat)" in err
    assert fstmetrics("score", one, hyp, "--ref", two).status == 0
    err = fstmetrics("score", one, hyp, "--ref", f"{one},{two}").err
    assert f"these are 2 files: give each by itself, as --ref {one} --ref {two}" in err
    assert "give each by itself" not in fstmetrics("score", one, f"{hyp},none.txt").err
    for weight in (16, 17):
        written(Path(f"out/{weight}.txt"), "u-1 the cat\nu-2 a dog\n")
    err = fstmetrics("score", "out", "out", "--format", "kaldi-text").err
    assert "several systems or weights: each file is an argument, as of fstmetrics compare" in err


def test_lines_with_times_are_said_to_be_one_recording(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.txt", "the cat\na dog\n")
    lines = "[00:01.000 --> 00:02.000]  the cat\n[00:02.000 --> 00:03.000]  a dog\n"
    hyp = written(tmp_path / "hyp.txt", lines)
    assert "is read as one recording with times: score --resegment" in fstmetrics("score", ref, hyp).err
    assert fstmetrics("score", ref, hyp, "--resegment", "--json").summary["score"] == 0


def test_a_symbol_table_is_no_weights(tmp_path: Path) -> None:
    lists = written(tmp_path / "a.nbest", "0 ||| the cat ||| lm= -1 ||| -1\n")
    symbols = written(tmp_path / "words.txt", "<eps> 0\nthe 1\n#0 2\ncat 3\n")
    err = fstmetrics("best", lists, "--weights", symbols).err
    assert "words.txt: looks like a symbol table" in err
    assert fstmetrics("best", lists, "--weights", written(tmp_path / "w.txt", "lm 0\ntm 1\n")).status == 0


@pytest.mark.parametrize("entries", [3, 7, 101])
@pytest.mark.parametrize("step", [1, -1])
def test_ranks_of_long_files_are_seen_in_their_beginning(entries: int, step: int, tmp_path: Path) -> None:
    """The list in which the beginning ends is cut off there."""
    ranks = range(1, entries + 1)[::step]
    lines = [f"utt-{n} {rank} the cat sat on mat {rank}-{n}\n" for n in range(500) for rank in ranks]
    lists = written(tmp_path / "lists", "".join(lines))
    ref = written(tmp_path / "ref", "".join(f"utt-{n} the cat sat\n" for n in range(500)))
    for command in (("oracle", ref, lists), ("mbr", lists)):
        refused = fstmetrics(*command, "--format", "nbest-kaldi")
        assert (refused.status, "in each id, like ranks: awk" in refused.err) == (2, True)


RANKED = [["1. the cat", "2. the cat sat"], ["1. a dog", "3. a dog ran"]]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("l.jsonl", [json.dumps({"id": f"s{n}", "nbest": each}) for n, each in enumerate(RANKED)]),
        (
            "l.jsonl",
            [
                json.dumps({"id": f"s{n}", "hyps": [{"text": f"{text} 7", "score": -1} for text in each]})
                for n, each in enumerate(RANKED)
            ],
        ),
        (
            "l.jsonl",
            [
                json.dumps({"id": f"s{n}", "nbest": [" ".join(text.split()[::-1]) for text in each[::-1]]})
                for n, each in enumerate(RANKED)
            ],
        ),
        ("l.nbest", [f"s{n} ||| {text} ||| f= 1 2 ||| -1" for n, each in enumerate(RANKED) for text in each]),
        ("l.nbest", [f"s{n} ||| {text}" for n, each in enumerate(RANKED) for text in each]),
        ("l.nbest", [f"s{n} ||| {text[3:]} {text[:1]}" for n, each in enumerate(RANKED) for text in each]),
    ],
)
def test_words_like_ranks_are_told_with_what_leaves_them_out(
    name: str, lines: list[str], tmp_path: Path
) -> None:
    path = written(tmp_path / name, "".join(f"{line}\n" for line in lines))
    told = fstmetrics("mbr", path, "--json").summary
    (remark,) = (each for each in told["remarks"] if "like ranks" in each)
    command = re.search("if they are ranks, (.*) leaves them out", remark)
    assert command
    done = subprocess.run(
        command[1].replace("FILE", str(path)), shell=True, capture_output=True, text=True, check=True
    )
    without = written(tmp_path / f"without-{name}", done.stdout)
    found = fstmetrics("best", without).out
    assert re.sub(" 7", "", found) in ("s0 the cat\ns1 a dog\n", "s0 cat the\ns1 dog a\n")
    assert "like ranks" not in fstmetrics("best", without).err


@pytest.mark.parametrize(
    "lists", [[["1 cat", "2 cats", "two cats"], ["a dog"]], [["3 cats", "4 cats"], ["a"]], [["1"], ["1 b"]]]
)
def test_numbers_in_some_texts_are_words(lists: list[list[str]], tmp_path: Path) -> None:
    rows = "".join(json.dumps({"id": f"s{n}", "nbest": each}) + "\n" for n, each in enumerate(lists))
    lines = "".join(f"s{n} ||| {text}\n" for n, each in enumerate(lists) for text in each)
    repeated = lines.replace(" |||", "")
    for name, text in (("l.jsonl", rows), ("l.nbest", lines), ("l.kaldi", repeated)):
        read = ("--format", "nbest-kaldi") if name == "l.kaldi" else ()
        found = fstmetrics("mbr", written(tmp_path / name, text), *read)
        assert (found.status, "like ranks" in found.err) == (0, False)


@pytest.mark.parametrize(
    ("ids", "is_told"),
    [
        (("u-1", "u-10", "u-2", "v-1"), True),
        (("u-0", "u-1", "v-0"), True),
        (("u-01", "u-02", "v-01"), True),
        (("u-2", "u-1"), True),
        (("u-1", "u-3"), True),
        (("u_1", "u_2", "v_1"), True),
        (("u-1", "u-2", "v-1"), False),  # ranks
        (("u-01", "u-01", "u-02"), False),  # ids
        (("u-01", "v-01"), False),
        (("u-0", "u"), False),
    ],
)
def test_numbers_behind_ids_that_are_no_ranks_are_told(
    ids: tuple[str, ...], is_told: bool, tmp_path: Path
) -> None:
    path = written(tmp_path / "lists", "".join(f"{id} a{n} b\n" for n, id in enumerate(ids)))
    said = "no id comes twice, and each is an item; if they end with ranks: in nbest-kaldi, numbers behind ids are"
    for command in (("mbr", path), ("best", path), ("convert", path, tmp_path / "out", "--to", "nbest")):
        found = fstmetrics(*command, "--format", "nbest-kaldi")
        assert (found.status, said in found.err) == (0, is_told), command


def test_numbers_behind_ids_that_the_references_have_are_not_told(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "spk_1 the cat sat\nspk_2 a dog ran\n")
    lists = written(tmp_path / "lists", "spk_1 the cat sit\nspk_2 a dog ran\n")
    for command in (
        ("oracle", ref, lists),
        ("score", ref, lists),
        ("compare", "--ref", ref, lists, "-m", "wer"),
    ):
        found = fstmetrics(*command, "--format", "nbest-kaldi")
        assert (found.status, "ranks" in found.out + found.err) == (0, False), found.out + found.err
    other = written(tmp_path / "other", "spk_1 the cat sat\nspk_3 a dog ran\n")
    found = fstmetrics("oracle", other, lists, "--format", "nbest-kaldi", "--missing", "skip")
    assert (found.status, "if they end with ranks" in found.out + found.err) == (0, True), found.err


def test_confidences_of_first_entries_alone_are_no_scores(tmp_path: Path) -> None:
    first, other = {"transcript": "the cat", "confidence": 0.9}, {"transcript": "the cat sat"}
    ref = written(tmp_path / "ref", "s1 the cat sat\ns2 so\n")
    for entries, status in (([first, other], 0), ([other, first], 2), ([first, {**first}, other], 2)):
        rows = [{"id": "s1", "alternatives": entries}, {"id": "s2", "alternatives": [{**first}]}]
        path = written(tmp_path / "google.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        for command in (("oracle", ref, path), ("mbr", path), ("best", path)):
            found = fstmetrics(*command)
            told = "the first entry alone has a confidence" in found.out + found.err
            assert (found.status, told) == (status, not status), found.err


def test_numbers_in_a_list_beside_the_texts_are_told(tmp_path: Path) -> None:
    """Following the command gives what objects with scores give."""
    numbers, other = [-1.5, -1.2], {"length": [3, 4], "times": [0.1, 0.2, 0.3]}
    row = {"id": "s1", "hyps": ["the hat sat", "the cat sat"], "scores": numbers}
    path = written(tmp_path / "a.jsonl", json.dumps(row) + "\n")
    found = fstmetrics("mbr", path)
    assert "the numbers of scores are not read as scores of hyps; if they are, jq -c" in found.err
    given = [{"text": text, "score": score} for text, score in zip(row["hyps"], numbers, strict=True)]
    path = written(tmp_path / "b.jsonl", json.dumps({**row, "hyps": given}) + "\n")
    assert "are not read as scores" not in fstmetrics("mbr", path).err
    path = written(tmp_path / "c.jsonl", json.dumps({"id": "s1", "hyps": row["hyps"], **other}) + "\n")
    assert "are not read as scores" not in fstmetrics("mbr", path).err
