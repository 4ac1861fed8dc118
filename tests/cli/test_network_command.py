"""`fstmetrics network`: every command on shipped and on real networks, and its errors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written
from small_networks import figure_1

import fstmetrics as fm

NETWORKS = EXAMPLES / "hyter" / "networks"
STATION = NETWORKS / "station.json"


def annotated(folder: Path) -> list[Path]:
    """Figure 1 of [H12] as two files."""
    return [
        written(folder / f"{name}.json", net.to_json()) for name, net in zip("ab", figure_1(), strict=True)
    ]


def test_union_and_spu_write_a_network_and_its_sizes(tmp_path: Path) -> None:
    files, sentence = annotated(tmp_path), "the approval level was practically zero"
    scores = {}
    for command in ("union", "spu"):
        out = tmp_path / f"{command}.json"
        done = fstmetrics("network", command, *files, "-o", out)
        assert (done.status, done.err) == (0, "")
        assert [line.split()[-1] for line in done.out.splitlines()] == [
            "paths",
            "4",
            "4",
            {"union": "8", "spu": "9"}[command],
        ]
        combined = fm.Network.read(out)
        assert combined.id == command  # the parts have different ids, so the file's name counts
        scores[command] = fm.wer(sentence, combined)
    assert scores == {"union": pytest.approx(1 / 6), "spu": 0}


def test_a_union_to_standard_output_is_the_network_alone(tmp_path: Path) -> None:
    done = fstmetrics("network", "spu", *annotated(tmp_path), "--id", "fig1")
    assert fm.Network.from_json(done.out).id == "fig1"
    done = fstmetrics("network", "union", *annotated(tmp_path), "--to", "cards")
    assert done.out.startswith("# fstmetrics-cards/1\nroot: S\n")


def test_spu_without_spans_says_so(tmp_path: Path) -> None:
    done = fstmetrics("network", "spu", STATION, NETWORKS / "approval.json", "-o", tmp_path / "x.json")
    assert done.status == 0
    assert "no card has a span" in done.err


def test_spu_of_different_sentences_is_refused(tmp_path: Path) -> None:
    files = [written(tmp_path / f"{word}.cards", f"source: {word}\n[S]: a\n") for word in ("uno", "dos")]
    out = tmp_path / "x.json"
    done = fstmetrics("network", "spu", *files, "-o", out)
    assert done.status == 2
    assert "source of 'uno' is 'uno', of 'dos' 'dos'" in done.err
    assert not out.exists()


def test_info_of_a_folder_and_as_json(shared: Path) -> None:
    head, *rows = (line.split() for line in fstmetrics("network", "info", NETWORKS).out.splitlines())
    for row, found in zip(rows, map(fm.networks.info, fm.Network.read_all(NETWORKS)), strict=True):
        told = dict(zip(head, row, strict=True))
        assert (told["network"], told["paths"], told["strings"]) == (
            found.id,
            str(found.paths),
            str(found.strings),
        )
        assert (told["shortest"], told["longest"], told["mean"]) == (
            str(found.shortest),
            str(found.longest),
            f"{float(found.mean_length or 0):.2f}",
        )
    large = shared / "synthetic-networks" / "networks" / "large-001.json.gz"
    done = fstmetrics("network", "info", large, "--max-arcs", 1000)
    assert "  paths            600106628510334781355520000  (about 6.0e+26)\n" in done.out
    assert "not written out: at most" in done.out
    summary = fstmetrics("network", "info", large, "--json").summary
    assert summary["paths"] == 600106628510334781355520000
    assert (summary["shortest"], summary["longest"], summary["vocabulary"]) == (39, 95, 333)
    assert summary["expanded_arcs"] == 347210


def test_counts_of_any_length_are_printed(tmp_path: Path) -> None:
    """10^5000 has more digits than Python prints unasked."""
    file = written(tmp_path / "x.cards", "[X]: 0;1;2;3;4;5;6;7;8;9\n[S]: " + "[X] " * 5000 + "\n")
    assert f"  paths            1{'0' * 5000}  (about 1.0e+5000)\n" in fstmetrics("network", "info", file).out
    assert fstmetrics("network", "info", file, "--json").out.count("0" * 5000) == 2  # paths, strings


def test_info_of_lattices_counts_them_as_one_card(shared: Path) -> None:
    done = fstmetrics("network", "info", EXAMPLES / "oracle" / "lattices" / "holmes21.slf.gz", "--json")
    lattice = fm.Lattice.read(EXAMPLES / "oracle" / "lattices" / "holmes21.slf.gz")
    assert done.summary["cards"] == 1
    assert done.summary["arcs"] == lattice.prepared.num_arcs


def test_paths_are_listed_and_sampled() -> None:
    listed = fstmetrics("network", "paths", STATION, "--list").out.splitlines()
    assert len(listed) == 27
    assert listed[0] == "where is the train station"
    assert fstmetrics("network", "paths", STATION, "--limit", 2).out.splitlines() == listed[:2]
    draws = [
        fstmetrics("network", "paths", STATION, "--sample", 40, "--seed", seed).out for seed in (1, 1, 2)
    ]
    assert draws[0] == draws[1] != draws[2]
    assert set(draws[0].splitlines()) <= set(listed)
    done = fstmetrics("network", "paths", NETWORKS / "orejuela.json")
    assert done.out.count("\n") == 100
    assert "100 of 30720 paths" in done.err
    assert fstmetrics("network", "paths", STATION, "--sample", 1, "--limit", 1).status == 2
    assert fstmetrics("network", "paths", STATION, "--seed", 1).status == 2


def test_drawings(tmp_path: Path) -> None:
    assert fstmetrics("network", "draw", STATION).out.startswith("digraph")
    done = fstmetrics("network", "draw", STATION, "--card", "S", "--card", "WHERE", "-o", tmp_path / "x.dot")
    assert done.out == ""
    assert (tmp_path / "x.dot").read_text().count("subgraph") == 2
    assert (
        "ends in .dot, .svg, .png, .pdf"
        in fstmetrics("network", "draw", STATION, "-o", tmp_path / "x.gif").err
    )
    assert "no card 'X'" in fstmetrics("network", "draw", STATION, "--card", "X").err


def test_a_picture_needs_graphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = tmp_path / "x.png"
    if shutil.which("dot") is not None:
        assert fstmetrics("network", "draw", STATION, "-o", picture).status == 0
        assert picture.read_bytes().startswith(b"\x89PNG")
        picture.unlink()
    monkeypatch.setenv("PATH", "")
    done = fstmetrics("network", "draw", STATION, "-o", picture)
    assert done.status == 2
    assert "apt install graphviz" in done.err
    assert not picture.exists()


def test_validate_names_what_is_joined_to_an_empty_phrase_once(tmp_path: Path) -> None:
    text = '[S]: [WHEN], [PM] left; [PM]\'s \\[x\\]\n[WHEN]: today; ""\n[PM]: he; she\n[X]: a; a\n'
    done = fstmetrics("network", "validate", written(tmp_path / "w.cards", "root: S\n" + text))
    said = "[WHEN],: the card 'WHEN' has an empty phrase, which nothing can be joined to"
    assert (done.status, done.out.count("WHEN"), said in done.out) == (2, 2, True), done.out
    assert "the phrase 'a' is there twice" in done.out


def test_validate_names_every_fault_and_fails(tmp_path: Path) -> None:
    assert fstmetrics("network", "validate", NETWORKS).out == "3 networks, none with faults\n"
    good = written(tmp_path / "good.cards", "[S]: a\n[T]: b\nroot: S\n")
    bad = written(tmp_path / "bad.json", '{"format": "fstmetrics-network/1", "root": "S", "cards": {"S": '
                  '{"phrases": ["[X", "[Y]"]}, "S": {"phrases": ["[X]"]}, "Z": {"phrases": []}}}')  # fmt: skip
    typed = written(tmp_path / "typed.cards", "[S]: a [X]\nwhat\n\n[S]: b\n")
    expected = (
        "expected a card, `[NAME]: phrase; phrase` or `[NAME] 0-2: ...`, not 'what'; a line that goes on"
    )
    done = fstmetrics("network", "validate", good, bad, typed, written(tmp_path / "no.json", '{\n"a" 1}'))
    assert done.status == 2
    assert [line.removeprefix(f"{tmp_path}/") for line in done.out.splitlines()] == [
        "good.cards: remark: card 'T': is on no path from the root",
        "bad.json: the key 'S' is twice in one object",
        "bad.json: card 'Z': there is no phrase; an empty phrase is written \"\"",
        "bad.json: card 'S': calls 'X', which is not among the cards",
        f"typed.cards:2: {expected} with a card begins with white space, a comment with #",
        "typed.cards:4: a second card 'S'",
        "typed.cards: card 'S': calls 'X', which is not among the cards",
        "no.json:2: not JSON: Expecting ':' delimiter (column 5)",
        "4 networks, 3 with faults",
    ]


def test_remarks_stand_beside_faults(tmp_path: Path) -> None:
    text = "source: a b\nroot: S\n[S] 0-2: [X\n[T] 1-9: a; a; [U]; [Q]\n[U] 0-1: u\n"
    done = fstmetrics("network", "validate", written(tmp_path / "x.cards", text))
    found = [line.removeprefix(f"{tmp_path}/x.cards: ") for line in done.out.splitlines()]
    assert found[0].startswith("card 'S': phrase '[X'")
    assert found[1:-1] == [
        "card 'T': calls 'Q', which is not among the cards",
        "remark: card 'T': the span 1-9 goes beyond the source, which has 2 words",
        "remark: card 'T': calls 'U', whose span 0-1 is not within its own, 1-9",
        "remark: card 'T': the phrase 'a' is there twice",
    ]


def test_plain_text_is_said_to_be_no_network(tmp_path: Path) -> None:
    done = fstmetrics("network", "validate", written(tmp_path / "x.txt", "hello there\n"))
    assert done.status == 2
    assert "x.txt: no network: neither JSON (docs/hyter.md), which begins with {" in done.out
    assert "Expecting value" not in done.out


def test_archives_of_cards_are_networks_one_by_one_only(tmp_path: Path) -> None:
    done = fstmetrics("network", "convert", NETWORKS, "-o", tmp_path / "far", "--to", "far")
    said = f"where sentences are scored, each card of {tmp_path / 'far'} is an item, and no network; network info, "
    assert (done.status, said in done.err) == (0, True)
    flat = written(tmp_path / "flat.cards", "[S]: a b; a c\n")
    done = fstmetrics("network", "convert", flat, "-o", tmp_path / "flat.far")
    assert (done.status, done.err) == (0, "")  # whose card is its item
    assert (
        fstmetrics("hyter", tmp_path / "flat.far", written(tmp_path / "h", "a b\n"), "--json").summary[
            "edits"
        ]
        == 0
    )
    assert fstmetrics("network", "info", tmp_path / "far").status == 2
    assert fstmetrics("network", "info", tmp_path / "far" / "station.far").status == 0
    for format in ("json", "cards", "att", "openfst"):
        done = fstmetrics("network", "convert", NETWORKS, "-o", tmp_path / format, "--to", format)
        assert (done.status, done.err) == (0, "")
        assert fstmetrics("network", "info", tmp_path / format).status == 0
        scored = fstmetrics("hyter", tmp_path / format, EXAMPLES / "hyter" / "hyp.txt", "--json")
        assert scored.summary["edits"] == 9
    assert fstmetrics("network", "convert", STATION, "-o", tmp_path / "one.far").err == ""


@pytest.mark.parametrize("command", ["convert", "normalise"])
def test_folders_to_folders(tmp_path: Path, command: str) -> None:
    out = tmp_path / "out"
    done = fstmetrics("network", command, NETWORKS, "-o", out, "--to", "cards")
    assert (done.status, done.out.split(":")[1][:11]) == (0, " 3 networks")
    assert sorted(file.name for file in out.iterdir()) == [
        "approval.cards",
        "orejuela.cards",
        "station.cards",
    ]
    before, after = (
        {n.id: sorted(fm.Paths(n)) for n in fm.Network.read_all(each)} for each in (NETWORKS, out)
    )
    assert {id: set(paths) for id, paths in after.items()} == {id: set(paths) for id, paths in before.items()}
    one = tmp_path / "one"
    assert fstmetrics("network", command, NETWORKS, "--item", "station", "-o", one).status == 0
    assert [file.name for file in one.iterdir()] == ["station.json"]
    assert (
        fstmetrics("network", command, NETWORKS, "--item", "station", "-o", tmp_path / "s.json").status == 0
    )
    assert fm.Network.read(tmp_path / "s.json").id == "station"
    for arguments, message in (
        (
            ("-o", tmp_path / "x.far"),
            "x.far: 3 networks need a folder, and this names a file; -o FOLDER --to cards, json or openfst writes",
        ),
        ((), "3 networks need a folder: -o FOLDER"),
        (("--item", "airport"), "there is no network 'airport'; there are approval, orejuela, station"),
    ):
        done = fstmetrics("network", command, NETWORKS, *arguments)
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert message in done.err
    assert not (tmp_path / "x.far").exists()


def test_networks_of_one_id_are_not_written_over_one_another(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder / "x.cards", f"id: same\n[S]: {folder}\n")
    both = tmp_path / "both"
    both.mkdir()
    written(both / "x.cards", "id: same\n[S]: a\n")
    written(both / "y.cards", "id: same\n[S]: b\n")
    done = fstmetrics("network", "convert", both, "-o", tmp_path / "out")
    assert (done.status, "same" in done.err) == (2, True)
    assert not (tmp_path / "out").exists()


def test_networks_without_ids_have_their_numbers(tmp_path: Path) -> None:
    """Word lattices in PLF, a line each, have no names."""
    plf = written(tmp_path / "x.plf", "((('a',0.5,1),('b',0.5,1)),)\n((('c',1.0,1),),)\n")
    done = fstmetrics("network", "paths", plf)
    assert done.out.splitlines() == ["1 a", "1 b", "2 c"]
    assert fstmetrics("network", "paths", plf, "--item", "2").out == "c\n"
    assert fstmetrics("network", "convert", plf, "-o", tmp_path / "out").status == 0
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["1.json", "2.json"]


def test_paths_of_a_folder_have_ids() -> None:
    done = fstmetrics("network", "paths", NETWORKS, "--limit", 2)
    assert [line.split()[0] for line in done.out.splitlines()] == ["approval"] * 2 + ["orejuela"] * 2 + [
        "station"
    ] * 2
    done = fstmetrics("network", "paths", NETWORKS, "--item", "station", "--limit", 1)
    assert done.out == "where is the train station\n"
    done = fstmetrics("network", "paths", NETWORKS)
    assert done.err == "fstmetrics: orejuela: 100 of 30720 paths; --limit N lists more\n"


@pytest.fixture(scope="module")
def paths_of_orejuela() -> list[str]:
    """All its paths, sorted."""
    file = NETWORKS / "orejuela.json"
    return sorted(fstmetrics("network", "paths", file, "--limit", 10**6).out.splitlines())


@pytest.mark.parametrize("name", ["x.json", "x.cards", "x.fst", "x.fst.txt", "x.far"])
def test_convert_there_and_back(tmp_path: Path, name: str, paths_of_orejuela: list[str]) -> None:
    there, back = tmp_path / name, tmp_path / "back.json"
    assert fstmetrics("network", "convert", NETWORKS / "orejuela.json", "-o", there).status == 0
    assert fstmetrics("network", "convert", there, "-o", back).status == 0
    listed = sorted(fstmetrics("network", "paths", back, "--limit", 10**6).out.splitlines())
    assert listed == paths_of_orejuela
    assert len(listed) == 30720


def test_converted_networks_are_references(tmp_path: Path) -> None:
    folder = tmp_path / "networks"
    folder.mkdir()
    for file in NETWORKS.iterdir():
        fstmetrics("network", "convert", file, "-o", folder / f"{file.stem}.cards")
    hypotheses = EXAMPLES / "hyter" / "hyp.txt"
    done = [fstmetrics("hyter", networks, hypotheses, "--window", 3).out for networks in (NETWORKS, folder)]
    assert done[0] == done[1]


def test_normalise_reports_sizes(tmp_path: Path) -> None:
    out = tmp_path / "x.json"
    done = fstmetrics("network", "normalise", NETWORKS / "orejuela.json", "-o", out)
    before, after = (line.split()[-5:] for line in done.out.splitlines()[1:])
    assert before == ["8", "78", "92", "181", "30720"]
    assert after == ["8", "47", "59", "68", "30720"]
    assert fm.Paths(fm.Network.read(out)).count == 30720


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["convert", STATION, "-o", "x.doc"], "x.doc: the ending names no format that is written"),
        (["convert", EXAMPLES / "hyter" / "hyp.txt"], "expected a network, found format plain"),
        (["convert", STATION, "--root", "S"], "--root is for archives (far); this is network"),
        (["convert", STATION, "--to", "att", "--max-arcs", "3"], "arcs, the limit is 3"),
        (
            ["draw", NETWORKS],
            "expected one network, found 3: approval, orejuela, station; choose one with --item ID",
        ),
        (["draw", STATION, "--card", "X"], "no card 'X' in network station; its cards are STATION, WHERE, S"),
        (["union", "-", "-"], "standard input (-) can be read only once"),
        (["union"], "Missing argument 'NETWORK...'"),
        (["info", "nowhere.json"], "nowhere.json: cannot be read"),
        (["validate", "nowhere.json"], "nowhere.json: cannot be read"),
    ],
)
def test_errors_are_one_line(arguments: list[object], message: str) -> None:
    done = fstmetrics("network", *arguments)
    assert done.status == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_standard_input_and_output() -> None:
    data = STATION.read_bytes()
    done = fstmetrics("network", "convert", "-", "--to", "cards", stdin=data)
    assert done.out.startswith("# fstmetrics-cards/1\nroot: S\n")
    assert json.loads(fstmetrics("network", "convert", "-", stdin=data).out) == json.loads(data)


@pytest.mark.parametrize("group", [(), ("network",), ("grammar",)])
def test_a_group_alone_prints_its_help_and_fails(group: tuple[str, ...]) -> None:
    done = fstmetrics(*group)
    assert (done.status, done.out) == (2, "")
    assert done.err == fstmetrics(*group, "--help").out
    assert ("\nCommands:\n" if group else "\nScore:\n") in done.err


def test_help_of_the_group_imports_no_command() -> None:
    done = fstmetrics("network", "--help")
    for name in ("info", "paths", "draw", "validate", "union", "spu", "normalise", "convert"):
        assert f"  {name} " in done.out
        assert fstmetrics("network", name, "--help").status == 0
    assert fstmetrics("network", "nonsense").status == 2


@pytest.mark.parametrize(
    ("call", "name", "said"),
    [
        ("[PM], he", "PM", True),
        ("[PM]'s friend", "PM", True),
        ("[PM] , he", "PM", False),
        ("[PM-2] he", "PM-2", False),
    ],
)
def test_cards_of_joined_calls_are_said_not_to_merge(
    call: str, name: str, said: bool, tmp_path: Path
) -> None:
    head = "# fstmetrics-cards/1\nsource: el primer ministro hablo\n"
    one = written(
        tmp_path / "a.cards", f"{head}[{name}] 1-3: premier; prime minister\n[S] 0-4: the {call} spoke\n"
    )
    two = written(
        tmp_path / "b.cards", f"{head}[PM] 1-3: premier; head of government\n[S] 0-4: the [PM] spoke\n"
    )
    remark = (
        "with something joined to it, and not merged with PM of another network: a space in between calls PM"
    )
    for pair in ((one, two), (two, one)):
        done = fstmetrics("network", "spu", *pair, "-o", tmp_path / "n.json")
        assert (done.status, remark in done.err) == (0, said), done.err
    assert remark not in fstmetrics("network", "union", one, two, "-o", tmp_path / "n.json").err
    assert remark not in fstmetrics("network", "spu", one, one, "-o", tmp_path / "n.json").err


def test_text_that_was_read_as_a_lattice_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "networks").mkdir()
    for name in ("0", "1"):
        written(tmp_path / "networks" / f"{name}.cards", f"id: {name}\n[S]: 1 2 4\n")
    given = ("hyter", tmp_path / "networks", written(tmp_path / "h", "1 2 4\n1 4\n"))
    assert "; it is read as att: --format plain if it is text" in fstmetrics(*given).err
    assert fstmetrics(*given, "--format", "plain").out.splitlines()[1].split()[1] == "0.1667"
