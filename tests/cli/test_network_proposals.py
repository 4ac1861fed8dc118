"""`network propose` and `network review`: from outputs to wider networks, with nothing lost or half-written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from unittest import mock

import click
import pytest
from command import HYTER, fstmetrics, written

import fstmetrics as fm
from fstmetrics.networks.new_phrases import Phrase
from fstmetrics.networks.proposals import FORMAT

NETWORKS, OUTPUTS = HYTER


def proposed(*further: object) -> list[dict[str, object]]:
    found = fstmetrics("network", "propose", NETWORKS, "--system", f"a={OUTPUTS}", "--json", *further).summary
    assert found["format"] == FORMAT
    proposals: list[dict[str, object]] = found["proposals"]
    return proposals


def two_networks(folder: Path) -> Path:
    """Two sentences of one card each, in the text form."""
    (folder / "nets").mkdir()
    written(folder / "nets" / "0.cards", "[S]: the [PM] spoke\n[PM]: prime minister\n")
    written(folder / "nets" / "1.cards", "[S]: a [X]\n[X]: dog\n")
    return folder / "nets"


def test_distances_before_and_after_are_those_of_hyter() -> None:
    for window in (1, 3):
        before = {
            r["id"]: r for r in fstmetrics("hyter", *HYTER, "--window", window, "--output", "-").records[:]
        }
        for one in proposed("--window", window):
            record = before[one["network"]]
            (each,) = one["evidence"]  # type: ignore[misc]
            assert each["before"] == record["edits"] + record["moves"]
            network = fm.Network.read(Path(NETWORKS) / f"{one['network']}.json")
            wider = fm.networks.accept(network, [Phrase(one["network"], one["card"], one["phrase"])])  # type: ignore[arg-type]
            after = fm.align(
                next(line.split(" ", 1)[1] for line in Path(OUTPUTS).read_text().splitlines()
                     if line.startswith(str(one["network"]))),
                wider, fm.HyTER(window=window),
            )  # fmt: skip
            assert each["after"] == after.edits + after.moves
            assert one["saved"] == each["before"] - each["after"] > 0


def test_from_proposals_to_networks_and_what_is_remembered(tmp_path: Path) -> None:
    nets = two_networks(tmp_path)
    a, b = (
        written(tmp_path / f"{n}.txt", t)
        for n, t in (("a", "the premier spoke\na cat\n"), ("b", "the premier spoke\na hat\n"))
    )
    file, out = tmp_path / "p.json", tmp_path / "out"
    propose = ("network", "propose", nets, "--system", a, "--system", f"B={b}")
    shown = fstmetrics(*propose, "-o", file)
    assert shown.status == 0
    assert "0 [PM]: premier" in shown.out
    assert "the {prime minister -> premier} spoke" in shown.out
    assert "saves 4: a 2 -> 0, B 2 -> 0" in shown.out
    found = {one["phrase"]: one["id"] for one in json.loads(file.read_text())["proposals"]}
    assert list(found) == ["premier", "cat", "hat"]
    done = fstmetrics(
        "network", "review", file, nets, "--accept", f"{found['premier']},{found['cat']}", "--reject", found["hat"],
        "-o", out, "--to", "cards",
    )  # fmt: skip
    assert done.status == 0, done.err
    assert "2 accepted, 1 rejected, 0 undecided" in done.out
    assert {n.id: n.cards[c].phrases for n, c in zip(fm.Network.read_all(out), ("PM", "X"), strict=True)} == {
        "0": ("prime minister", "premier"), "1": ("dog", "cat"),
    }  # fmt: skip
    assert (tmp_path / "out.rejected.jsonl").read_text() == '{"network": "1", "card": "X", "phrase": "hat"}\n'
    again = fstmetrics("network", "propose", out, "--system", a, "--system", b, "--json")
    assert again.summary["proposals"] == []
    assert "out.rejected.jsonl: 1 rejected phrase, not proposed again" in again.err
    elsewhere = fstmetrics(*propose, "--rejected", tmp_path / "out.rejected.jsonl", "--json").summary[
        "proposals"
    ]
    assert [one["phrase"] for one in elsewhere] == ["premier", "cat"]


def test_proposals_for_the_same_words_are_together(tmp_path: Path) -> None:
    """In text below the first of them, in JSON by their ids, in review one after the other."""
    (tmp_path / "nets").mkdir()
    written(tmp_path / "nets" / "0.cards", "[S]: the [PM] spoke loudly\n[PM]: prime minister\n")
    systems = {
        "a": "the premier spoke",
        "b": "the premier talked loudly",
        "c": "the chief spoke loudly",
        "d": "the chief talked",
    }
    given = [
        part
        for name, text in systems.items()
        for part in ("--system", f"{name}={written(tmp_path / name, text + chr(10))}")
    ]
    file = tmp_path / "p.json"
    out = fstmetrics("network", "propose", tmp_path / "nets", *given, "-o", file).out
    found = {one["phrase"]: one for one in json.loads(file.read_text())["proposals"]}
    ids = {phrase: one["id"] for phrase, one in found.items()}
    assert ids["premier"] in found["chief"]["rivals"]
    assert ids["chief"] in found["premier"]["rivals"]
    assert ids["the [PM] talked loudly"] not in found["premier"]["rivals"]
    heads = [line for line in out.splitlines() if "  0 [" in line]
    assert heads[:2] == [f"{ids['chief']}  0 [PM]: chief", f"or {ids['premier']}  0 [PM]: premier"]
    assert len(heads) == len(found)
    read = fstmetrics("network", "review", file, tmp_path / "nets", "--accept-all", "-o", tmp_path / "out")
    assert read.status == 0, read.err


def test_the_last_line_says_what_the_file_has(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    propose = ("network", "propose", NETWORKS, "--system", f"a={OUTPUTS}", "--window", 3, "-o", file)
    for options, said, written_to_it in (
        ((), f"6 proposals; all are in {file}", 6),
        (("--top", 2), f"6 proposals; 2 of them above; only these are in {file}, as --top 2 asks for", 2),
        (("--top", 6), f"6 proposals; all are in {file}", 6),
    ):
        assert fstmetrics(*propose, *options).out.splitlines()[-1] == said
        assert len(json.loads(file.read_text())["proposals"]) == written_to_it


def test_of_a_long_phrase_only_the_change_is_printed(tmp_path: Path) -> None:
    sentence = "the old man went to the small house near the river and sat down to rest"
    (tmp_path / "nets").mkdir()
    nets = tmp_path / "nets"
    written(nets / "0.cards", f"[S]: {sentence}\n")
    output = written(tmp_path / "a.txt", sentence.replace("river", "sea") + "\n")
    lines = fstmetrics("network", "propose", nets, "--system", output).out.splitlines()
    assert lines[0].endswith("[S]: ...")
    assert "the {river -> sea} and" in lines[1]
    (one,) = fstmetrics("network", "propose", nets, "--system", output, "--json").summary["proposals"]
    assert one["phrase"] == sentence.replace("river", "sea")


def test_rejections_are_carried_from_folder_to_folder(tmp_path: Path) -> None:
    nets = two_networks(tmp_path)
    outputs = written(tmp_path / "a.txt", "the premier spoke\na cat\n")
    file = tmp_path / "p.json"
    fstmetrics("network", "propose", nets, "--system", outputs, "-o", file)
    ids = {one["phrase"]: one["id"] for one in json.loads(file.read_text())["proposals"]}
    assert fstmetrics("network", "review", file, nets, "--reject", ids["cat"]).status == 0
    assert (tmp_path / "nets.rejected.jsonl").exists()
    decisions = written(tmp_path / "d.txt", f"# mine\naccept {ids['premier']}  # yes\n")
    out = tmp_path / "out"
    assert fstmetrics("network", "review", file, nets, "--decisions", decisions, "-o", out).status == 0
    assert (tmp_path / "out.rejected.jsonl").read_text() == (tmp_path / "nets.rejected.jsonl").read_text()
    assert fstmetrics("network", "propose", out, "--system", outputs, "--json").summary["proposals"] == []


def test_all_are_accepted_but_those_that_are_rejected(tmp_path: Path) -> None:
    nets = two_networks(tmp_path)
    outputs = written(tmp_path / "a.txt", "the premier spoke\na cat\n")
    file = tmp_path / "p.json"
    fstmetrics("network", "propose", nets, "--system", outputs, "-o", file)
    cat = json.loads(file.read_text())["proposals"][1]["id"]
    done = fstmetrics(
        "network", "review", file, nets, "--accept-all", "--reject", cat, "-o", tmp_path / "out"
    )
    assert "1 accepted, 1 rejected, 0 undecided" in done.out


def test_what_was_rejected_before_is_not_accepted_with_all(tmp_path: Path) -> None:
    """A file of proposals may be older than a rejection, or from a program that knows of none; --accept takes it."""
    nets = two_networks(tmp_path)
    outputs = written(tmp_path / "a.txt", "the premier spoke\na cat\n")
    file = tmp_path / "p.json"
    fstmetrics("network", "propose", nets, "--system", outputs, "-o", file)
    cat = json.loads(file.read_text())["proposals"][1]["id"]
    review = ("network", "review", file, nets)
    assert fstmetrics(*review, "--reject", cat).status == 0
    done = fstmetrics(*review, "--accept-all", "-o", tmp_path / "out")
    assert "1 accepted, 0 rejected, 0 undecided, 1 rejected before" in done.out
    assert [n.cards[c].phrases for n, c in zip(fm.Network.read_all(tmp_path / "out"), ("PM", "X"), strict=True)] == [
        ("prime minister", "premier"), ("dog",),
    ]  # fmt: skip
    assert (tmp_path / "out.rejected.jsonl").read_text() == (tmp_path / "nets.rejected.jsonl").read_text()
    done = fstmetrics(*review, "--accept-all", "--accept", cat, "-o", tmp_path / "all")
    assert "2 accepted, 0 rejected, 0 undecided" in done.out
    assert (tmp_path / "all.rejected.jsonl").read_text() == ""


def test_keys_decide(tmp_path: Path) -> None:
    nets = two_networks(tmp_path)
    outputs = written(tmp_path / "a.txt", "the premier spoke\na cat\n")
    file, out = tmp_path / "p.json", tmp_path / "out"
    fstmetrics("network", "propose", nets, "--system", outputs, "-o", file)
    with mock.patch("click.prompt") as prompt:
        prompt.side_effect = ["x", "e", "the [NONE]", "the premier", "r"]
        with mock.patch("fstmetrics.commands.proposals.is_terminal", return_value=True):
            done = fstmetrics("network", "review", file, nets, "-o", out)
    assert done.status == 0, done.err
    assert "calls 'NONE', which is not among the cards" in done.out
    assert fm.Network.read(out / "0.json").cards["PM"].phrases == ("prime minister", "the premier")
    assert "1 accepted, 1 rejected" in done.out


def test_what_was_decided_before_the_input_ends_is_kept(tmp_path: Path) -> None:
    nets = two_networks(tmp_path)
    outputs = written(tmp_path / "a.txt", "the premier spoke\na cat\n")
    file, out = tmp_path / "p.json", tmp_path / "out"
    fstmetrics("network", "propose", nets, "--system", outputs, "-o", file)
    for answers in (["a", click.Abort()], ["a", "e", click.Abort()]):
        with (
            mock.patch("click.prompt", side_effect=answers),
            mock.patch("fstmetrics.commands.proposals.is_terminal", return_value=True),
        ):
            done = fstmetrics("network", "review", file, nets, "-o", out)
        assert (done.status, "1 accepted, 0 rejected, 1 undecided" in done.out) == (0, True)
        assert fm.Network.read(out / "0.json").cards["PM"].phrases == ("prime minister", "premier")
        shutil.rmtree(out)


def test_held_back_outputs_are_measured(tmp_path: Path) -> None:
    nets = two_networks(tmp_path)
    files = {"a": "the premier spoke\na cat\n", "h": "the premier talked\na horse\n"}
    paths = {name: written(tmp_path / f"{name}.txt", text) for name, text in files.items()}
    arguments = ("network", "propose", nets, "--system", paths["a"], "--held-back", f"H={paths['h']}")
    found = fstmetrics(*arguments, "--json").summary
    assert found["held_back"] == {
        "H": {
            "outputs": 2,
            "words": 5,
            "before": 4,
            "after": 2,
            "closer": 1,
            "through": 1,
            "used": 1,
            "added": 2,
        }
    }
    line = fstmetrics(*arguments).out.splitlines()[-1]
    assert line == (
        "held back, H: 4 edits before, 2 after; 1 of 2 outputs closer; 1 of 2 new phrases on a closest path"
    )
    scores = [fstmetrics("hyter", n, paths["h"], "--json").summary["edits"] for n in (nets,)]
    assert scores == [4]


def test_a_prompt_and_its_answers(tmp_path: Path) -> None:
    nets = two_networks(tmp_path)
    outputs = written(tmp_path / "a.txt", "the premier spoke\na cat\n")
    done = fstmetrics("network", "propose", nets, "--system", outputs, "--prompt", "-")
    prompts = [json.loads(line) for line in done.out.splitlines()]
    assert [one["network"] for one in prompts] == ["0", "1"]
    for part in ('{"card": "PM", "phrases": ["prime minister"]}', '"text": "the premier spoke"', FORMAT):
        assert part in prompts[0]["prompt"]
    answer = {
        "network": "0",
        "card": "PM",
        "phrase": "head of government",
        "by": "model",
        "note": "a synonym",
    }
    text = "```json\n" + json.dumps({"format": FORMAT, "proposals": [answer]}) + "\n```\n"
    answers = written(tmp_path / "answers.json", text)
    found = fstmetrics(
        "network", "propose", nets, "--system", outputs, "--answers", answers, "--json"
    ).summary
    (theirs,) = [one for one in found["proposals"] if one.get("by") == "model"]
    assert (theirs["phrase"], theirs["saved"], theirs["note"]) == ("head of government", 0, "a synonym")
    alone = fstmetrics("network", "review", answers, nets, "--accept-all", "-o", tmp_path / "out")
    assert alone.status == 0, alone.err
    assert fm.Network.read(tmp_path / "out" / "0.json").cards["PM"].phrases[1] == "head of government"


@pytest.mark.parametrize(
    ("proposal", "message"),
    [
        ({"card": "PN"}, "proposal 1: network 0: there is no card 'PN'; did you mean PM?"),
        ({"network": "7"}, "there is no network '7'"),
        ({"phrase": "[S] x"}, "would make a circle: PM -> S -> PM"),
        ({"phrase": "the [MINISTER]"}, "calls 'MINISTER', which is not among the cards"),
        ({"phrase": "x ] y"}, "proposal 1: phrase 'x ] y': cannot read"),
    ],
)
def test_answers_that_cannot_be_are_one_line(tmp_path: Path, proposal: dict[str, str], message: str) -> None:
    nets = two_networks(tmp_path)
    given = {"network": "0", "card": "PM", "phrase": "premier"} | proposal
    answers = written(tmp_path / "x.json", json.dumps({"format": FORMAT, "proposals": [given]}))
    for arguments in (
        ("propose", nets, "--answers", answers),
        ("review", answers, nets, "--accept-all", "-o", tmp_path / "o"),
    ):
        done = fstmetrics("network", *arguments)
        assert (done.status, done.err.count("\n"), done.out) == (2, 1, "")
        assert message in done.err
        assert "x.json" in done.err
    assert not (tmp_path / "o").exists()


def test_faults_are_one_line_and_leave_nothing_behind(tmp_path: Path) -> None:
    nets = two_networks(tmp_path)
    outputs = written(tmp_path / "a.txt", "the premier spoke\na cat\n")
    short = written(tmp_path / "s.txt", "one line\n")
    file = tmp_path / "p.json"
    fstmetrics("network", "propose", nets, "--system", outputs, "-o", file)
    bad = written(tmp_path / "bad.json", "no")
    rejected = written(tmp_path / "r.jsonl", '{"card": "X"}\n')
    decisions = written(tmp_path / "d.txt", "keep 1\n")
    before = sorted(tmp_path.iterdir())
    system, out = ("--system", outputs), ("-o", tmp_path / "out")
    for arguments, message in (
        (("propose", nets, "--system", short), "1 in"),
        (("propose", nets, *system, "--metric", "grr"), "grr counts no edits to a closest path"),
        (("propose", nets, *system, "--metric", "bleu"), "bleu counts no edits to a closest path"),
        (("propose", nets, *system, "--unit", "char"), "phrases of cards are words"),
        (("propose", nets, *system, "--system", outputs), "two systems are called 'a'"),
        (("propose", outputs, *system), "network build makes networks of them"),
        (("propose", nets, *system, "--rejected", rejected), "r.jsonl:1: no rejected phrase"),
        (("propose", nets, *system, "--answers", bad), "bad.json: not JSON"),
        (("propose", nets, *system, "-o", outputs), "a.txt"),
        (("review", file, nets), "nothing is decided"),
        (("review", file, nets, "--accept-all"), "accepted phrases need networks to be in: -o OUT"),
        (("review", file, nets, "--accept", "zzz", *out), "there is no proposal zzz among the 2 proposals"),
        (
            ("review", file, nets, "--decisions", decisions, *out),
            "d.txt:1: expected `accept ID` or `reject ID`",
        ),
        (("review", bad, nets, "--accept-all", *out), "bad.json: not JSON"),
        (("review", file, nets, "--accept-all", "-o", nets), "nets"),
    ):
        done = fstmetrics("network", *arguments)
        assert (done.status, done.err.count("\n")) == (2, 1), (arguments, done)
        assert message in done.err, done.err
    assert sorted(tmp_path.iterdir()) == before
