"""Networks from plain references, and unions over folders."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
import random_cases as rc
from command import EXAMPLES, written
from command import fstmetrics as command

import fstmetrics as fm
from fstmetrics.networks.building import from_references


def strings(network: fm.Network) -> set[tuple[str, ...]]:
    return set(fm.Paths(network))


@pytest.mark.parametrize("seed", range(60))
def test_built_networks_hold_the_references_and_what_they_say_beside(seed: int) -> None:
    rng = random.Random(seed)
    references = [" ".join(rc.random_string(rng, 5)) for _ in range(rng.randint(1, 4))]
    given = {tuple(text.split()) for text in references}
    union, merged = from_references(references, "x"), from_references(references, "x", merge=True)
    assert (strings(union.network), union.references, union.extra) == (given, len(given), 0)
    assert strings(merged.network) >= given
    assert merged.extra == len(strings(merged.network)) - len(given)
    assert union.network.id == merged.network.id == "x"


def test_choices_and_brackets() -> None:
    choice = fm.Transcript.parse("a { [b] / @ } c", "sclite")
    plain = fm.Transcript.parse("[x] y", "sclite")
    built = from_references([choice, plain, "[x] y"])
    assert strings(built.network) == {("a", "[b]", "c"), ("a", "c"), ("[x]", "y")}
    assert built.references == 2
    with pytest.raises(fm.FstmetricsError, match="cannot be merged"):
        from_references([choice, "a"], merge=True)
    with pytest.raises(fm.FstmetricsError, match="holds no wildcard"):
        from_references([fm.Transcript.parse("a <*>", "wildcards")])
    with pytest.raises(fm.FstmetricsError, match="no reference to build"):
        from_references([])
    with pytest.raises(fm.FstmetricsError, match="references are a list, not str 'a b c'"):
        from_references("a b c")
    with pytest.raises(fm.FstmetricsError, match="references are a list, not set, which has no order"):
        from_references({"a b", "c"})  # type: ignore[arg-type]
    with pytest.raises(fm.FstmetricsError, match="the words of source are a list, not str 'x y'"):
        from_references(["a b"], alignments=[[(0, 0)]], source="x y")


def test_the_command_pairs_by_id_or_by_order(tmp_path: Path) -> None:
    one = written(tmp_path / "a.trn", "a b (u1)\nc { d / e } (u2)\n")
    two = written(tmp_path / "b.trn", "c (u2)\nb (u1)\n")
    done = command("network", "build", one, two, "-o", tmp_path / "N")
    assert (done.status, done.out) == (0, f"{tmp_path / 'N'}: 2 networks of 4 different references\n")
    networks = {n.id: strings(n) for n in fm.Network.read_all(tmp_path / "N")}
    assert networks == {"u1": {("a", "b"), ("b",)}, "u2": {("c", "d"), ("c", "e"), ("c",)}}
    plain = [
        written(tmp_path / f"{name}.txt", text) for name, text in (("c", "a b c\nd\n"), ("d", "a x c\ne\n"))
    ]
    merged = command("network", "build", *plain, "-o", tmp_path / "M", "--merge", "--to", "cards")
    assert "0 sentences that nobody wrote, and the 4 references" in merged.out
    assert sorted(p.name for p in (tmp_path / "M").iterdir()) == ["0.cards", "1.cards"]
    single = written(tmp_path / "e.txt", "a b\n")
    assert command("network", "build", single, "-o", tmp_path / "s.json").status == 0
    assert fm.Network.read(tmp_path / "s.json").id == "s"


def test_a_blank_line_beside_words_is_told_and_is_no_reference(tmp_path: Path) -> None:
    """There the empty sentence is right; the advice makes networks without it."""
    one, two = written(tmp_path / "one", "a b\nc d\n\n"), written(tmp_path / "two", "a x\n\n\n")
    rows = written(tmp_path / "rows.jsonl", '{"ref": ["a b", "a x"]}\n{"ref": ["c d"]}\n{"ref": [""]}\n')
    done = command("network", "build", one, two, "-o", tmp_path / "N")
    assert f"1 blank line of {two} stands beside words of {one}: " in done.err
    assert "rows of JSON" in done.err
    assert done.out == f"{tmp_path / 'N'}: 3 networks of 4 different references\n"
    advised = command("network", "build", rows, "-o", tmp_path / "M")
    assert "without words" not in advised.err
    assert advised.out == f"{tmp_path / 'M'}: 3 networks of 4 different references\n"
    assert [strings(n) for n in fm.Network.read_all(tmp_path / "M")] == [
        {("a", "b"), ("a", "x")}, {("c", "d")}, {()}
    ]  # fmt: skip
    assert command("network", "build", one, one, "-o", tmp_path / "L").err == ""


def test_the_name_says_whether_it_is_a_folder(tmp_path: Path) -> None:
    """A set of one sentence goes where a set of many does, and no folder is called one.json."""
    single, many = written(tmp_path / "one.txt", "a b\n"), written(tmp_path / "two.txt", "a b\nc\n")
    done = command("network", "build", single, "-o", tmp_path / "N")
    assert (done.status, done.out) == (0, f"{tmp_path / 'N'}: 1 network of 1 different reference\n")
    (network,) = fm.Network.read_all(tmp_path / "N")
    assert (network.id, strings(network)) == ("0", {("a", "b")})
    out = tmp_path / "one.cards"
    done = command("network", "build", many, "-o", out)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert (
        "one.cards: 2 networks need a folder, and this names a file; -o FOLDER --to cards writes" in done.err
    )
    assert not out.exists()


def test_a_union_scores_as_several_references_do(shared: Path, tmp_path: Path) -> None:
    folder = shared / "mt-wmt" / "newstest2021.en-de"
    refs = [folder / f"ref.{name}.de.gz" for name in "ACD"]
    hyp = folder / "hyp.UEdin.de.gz"
    assert command("network", "build", *refs, "-o", tmp_path / "N").status == 0
    every = command("score", refs[0], hyp, "--ref", refs[1], "--ref", refs[2], "--json").summary
    network = command("hyter", tmp_path / "N", hyp, "--json").summary
    names = ("items", "edits", "path_length", "substitutions", "insertions", "deletions")
    assert [network[name] for name in names] == [every[name] for name in names]


@pytest.mark.parametrize("ids", [("u1", "u2", "u3"), ("u1",)])
@pytest.mark.parametrize("kind", ["union", "spu"])
def test_unions_over_folders(tmp_path: Path, kind: str, ids: Sequence[str]) -> None:
    rng = random.Random(5)
    parts: list[dict[str, fm.Network]] = []
    for folder in ("one", "two"):
        parts.append({})
        (tmp_path / folder).mkdir()
        for id in ids:
            texts = [" ".join(rc.random_string(rng, 4)) for _ in range(2)]
            parts[-1][id] = from_references(texts, id).network
            written(tmp_path / folder / f"{id}.json", parts[-1][id].to_json())
    out = tmp_path / "out"
    done = command("network", kind, tmp_path / "one", tmp_path / "two", "-o", out)
    networks = "3 networks" if len(ids) > 1 else "1 network"
    assert (done.status, done.out) == (0, f"{out}: {networks} of 2 each\n")
    combined = {n.id: n for n in fm.Network.read_all(out)}
    assert combined.keys() == parts[0].keys()
    for id, network in combined.items():
        assert strings(network) == strings(parts[0][id]) | strings(parts[1][id])


def test_faults_leave_nothing_behind(tmp_path: Path) -> None:
    one = written(tmp_path / "a.trn", "a (u1)\nb (u/2)\n")
    two = written(tmp_path / "b.trn", "a (u1)\n")
    three = written(tmp_path / "c.txt", "a\nb\nc\n")
    four = written(tmp_path / "d.txt", "a\nb\n")
    full = tmp_path / "full"
    full.mkdir()
    written(full / "x", "")
    out = tmp_path / "out"
    before = sorted(tmp_path.iterdir())
    for arguments, message in (
        ((one, two, "-o", out), "b.trn: nothing for u/2, which others have"),
        ((one, three, "-o", out), "a.trn has ids (u1, u/2, ...) and"),
        ((three, four, "-o", out), "numbers of items differ: 3 in "),
        ((one, "-o", out), "the id 'u/2' cannot be a file's name"),
        ((three,), "3 networks need a folder: -o FOLDER"),
        ((three, "-o", full), "is there already; give a folder that is new or empty"),
        ((three, "-o", tmp_path / "none" / "out"), "cannot be written"),
        ((EXAMPLES / "hyter" / "networks", "-o", out), "expected text, found format network"),
        ((written(tmp_path / "a.trn", one.read_text()), "-", "-", "-o", out), "can be read only once"),
    ):
        done = command("network", "build", *arguments)
        assert (done.status, done.err.count("\n")) == (2, 1), done
        assert message in done.err
    assert sorted(tmp_path.iterdir()) == before
    networks = EXAMPLES / "hyter" / "networks"
    done = command("network", "union", networks, networks / "station.json", "-o", out)
    assert "station.json: nothing for approval, orejuela, which others have" in done.err
    done = command("network", "union", networks, networks, "--id", "x", "-o", out)
    assert "--id is for one network" in done.err
    assert not out.exists()


def test_merging_shares_places_and_counts_what_nobody_wrote() -> None:
    references = [
        "the prime minister spoke to us",
        "the head of government spoke to them",
        "a prime minister talks",
    ]
    built = from_references(references, merge=True)
    every = {
        ("the", *who, "spoke", "to", whom)
        for who, whom in product((("prime", "minister"), ("head", "of", "government")), ("us", "them"))
    }
    every |= {("a", "prime", "minister", "talks"), ("the", "prime", "minister", "talks")}
    every |= {("a", "prime", "minister", "spoke", "to", whom) for whom in ("us", "them")}
    assert strings(built.network) == every
    assert built.extra == len(every) - 3
    assert set(built.added(100)) == every - {tuple(text.split()) for text in references}
    assert from_references(references).added(5) == []


def test_the_command_lists_what_merging_added(tmp_path: Path) -> None:
    files = [
        written(tmp_path / f"{name}.txt", text)
        for name, text in (("a", "they came to town by train\nyes\n"), ("b", "we came to town on foot\nno\n"))
    ]
    build = ("network", "build", *files, "--merge")
    shown = command(*build, "-o", tmp_path / "N").out.splitlines()
    assert shown == [
        f"{tmp_path / 'N'}: 2 networks of 4 different references",
        "2 sentences that nobody wrote, and the 4 references",
        "  0: they came to town on foot",
        "  0: we came to town by train",
        "  0: choice [THEY]: they; we",
        "  0: choice [BY-TRAIN]: by train; on foot",
    ]
    few = command(*build, "-o", tmp_path / "M", "--added", "1").out.splitlines()
    assert few[2:3] + few[-1:] == ["  0: they came to town on foot", "  and 1 more (--added)"]
    none = command(*build, "-o", tmp_path / "O", "--added", "0").out.splitlines()
    assert none[1:] == ["2 sentences that nobody wrote, and the 4 references"]
    told = json.loads(command(*build, "-o", tmp_path / "P", "--json").out)
    assert told == {
        "output": str(tmp_path / "P"),
        "networks": 2,
        "references": 4,
        "extra": 2,
        "added": [
            {
                "id": "0",
                "extra": 2,
                "sentences": ["they came to town on foot", "we came to town by train"],
                "joins": [
                    {"card": "THEY", "phrases": ["they", "we"]},
                    {"card": "BY-TRAIN", "phrases": ["by train", "on foot"]},
                ],
            }
        ],
    }
    single = [
        written(tmp_path / f"{name}.txt", text) for name, text in (("c", "a b c d\n"), ("d", "x b c y\n"))
    ]
    piped = command("network", "build", *single, "--merge", "--to", "cards")
    assert "[S]" in piped.out
    assert piped.err.splitlines()[1:3] == ["  a b c y", "  x b c d"]
    refused = command(*build, "--json")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "-o OUT" in refused.err
