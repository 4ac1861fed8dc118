"""Pairs of sides in memory and beside a stream are the same, and so is what is said of those without a partner."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command import fstmetrics, written
from long_runs import archive

from fstmetrics._native import TextColumn
from fstmetrics.io import Item, Items, Stream
from fstmetrics.io.blocks import Block
from fstmetrics.io.items import Deferred
from fstmetrics.io.reading import open_stream
from fstmetrics.scoring.pairing import Missing, Pairs
from fstmetrics.support.errors import FstmetricsError


class Listed(SimpleNamespace):
    """A list in the place of a stream."""

    path = "stream"

    @property
    def first_ids(self) -> frozenset[str]:
        return frozenset(item.id for item in self.items if item.id is not None)

    def blocks(self) -> Iterator[Block]:
        """One by one, and, where a length says so, together in native columns."""
        if len(self.items) % 2:
            yield from (Block.of([item]) for item in self.items)
            return
        for some in (self.items[:2], self.items[2:]):
            yield Block(
                [item.id for item in some],
                TextColumn([item.scored for item in some]),
                [i.fields for i in some],
            )


@pytest.mark.parametrize("seed", range(200))
def test_pairs_of_a_stream_are_those_of_a_list(seed: int) -> None:
    random_numbers = random.Random(seed)
    names = ["a", "b", "c", "d", "B", "e"]

    def side(ids: bool) -> list[Item]:
        some = random_numbers.sample(names, random_numbers.randint(1, 5))
        some = some if random_numbers.random() < 0.7 else names[:3]
        fields = ({}, {"speaker": "ann"}, {"speaker": "bob", "domain": "news"})
        values = (f"{name}{random_numbers.random()}" for name in some)
        return [
            Item(name if ids else None, value, fields=random_numbers.choice(fields))
            for name, value in zip(some, values, strict=True)
        ]

    with_ids = random_numbers.random() < 0.8
    sides = [side(True), side(with_ids), *([side(True)] if random_numbers.random() < 0.3 else [])]
    hypotheses = random_numbers.random() < 0.5
    missing = random_numbers.choice(["error", "skip", "empty"])
    ordered = sides if hypotheses else [sides[1], sides[0], *sides[2:]]
    every = [Items(tuple(items), ("x",), f"p{i}") for i, items in enumerate(ordered)]
    at_once: Any
    one_by_one: Any
    by_order = random_numbers.random() < 0.5
    try:
        in_memory = Pairs(every[0], every[1:], missing, by_order=by_order)
        at_once = list(in_memory), in_memory.skipped
    except FstmetricsError:
        at_once = None
    stream: Any = Listed(items=sides[0])
    beside = [Items(tuple(items), ("x",), "other") for items in sides[1:]]
    given = (stream, beside) if hypotheses else (beside[0], [stream, *beside[1:]])
    try:
        pairs = Pairs(*given, missing, by_order=by_order)
        one_by_one = list(pairs)
    except FstmetricsError:
        one_by_one = None
    if "B" in {item.id for items in sides for item in items}:
        # Two spellings of an id: at once, no side is read without case if one of them has both.
        return
    if at_once is None or one_by_one is None:
        assert at_once is one_by_one is None
        return
    key = str if with_ids else lambda pair: ""
    assert sorted(at_once[0], key=key) == sorted(one_by_one, key=key)
    assert at_once[1] == pairs.skipped


def test_ids_pair_without_case() -> None:
    others = [Items((Item("Utt-1", "a"), Item("utt-2", "b")), ("x",), "r")]
    stream: Any = Listed(items=[Item("utt-2", "x"), Item("UTT-1", "y")])
    found = list(Pairs(stream, others))
    assert [(pair.id, pair.hypothesis, pair.references) for pair in found] == [
        ("utt-2", "x", ("b",)),
        ("Utt-1", "y", ("a",)),
    ]
    for ids in (["utt-1", "UTT-1"], ["utt-1", "utt-1"]):
        with pytest.raises(FstmetricsError, match="comes twice"):
            list(Pairs(Listed(items=[Item(id, "") for id in ids]), others, "skip"))  # type: ignore[arg-type]


def listed(ids: Sequence[str | None], path: str) -> Items:
    return Items(tuple(Item(id, f"{path} {place}") for place, id in enumerate(ids)), ("x",), path)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("hypotheses", "references", "told"),
    [
        (["a", "b"], ["a", "b"], ""),
        (
            ["b", "A"],
            ["a", "b"],
            "1 id differs in case from those of the references (A, a): paired all the same",
        ),
        (["B", "A"], ["a", "b"], "2 ids differ in case from those of the references ("),
        (["x", "A", "B"], ["a", "b", "c"], "2 ids differ in case from those of the references ("),
        (
            ["1.0", "0.0"],
            ["0", "1"],
            "2 ids differ in spaces at the ends or the form of a number from those of the ",
        ),
        (
            ["b ", "a"],
            ["a", "b"],
            "1 id differs in spaces at the ends or the form of a number from those of the ",
        ),
        (["1", "1.0"], ["1.0", "1"], ""),
        (
            ["001", "010"],
            ["10", "1"],
            "2 ids differ in spaces at the ends or the form of a number from those of the ",
        ),
        (["01", "1"], ["1", "01"], ""),  # two of a file that differ in nothing else
    ],
)
def test_ids_that_differ_in_case_are_told(
    hypotheses: list[str], references: list[str], told: str, streamed: bool
) -> None:
    side: Any = listed(hypotheses, "h")
    pairs = Pairs(Listed(items=list(side.items)) if streamed else side, [listed(references, "r")], "skip")
    assert list(pairs)
    assert len(pairs.remarks) == bool(told)
    assert "".join(pairs.remarks).startswith(told)


@pytest.mark.parametrize("missing", ["error", "skip"])
def test_numbers_from_0_and_from_1_do_not_pair_however_they_are_written(missing: Any) -> None:
    with pytest.raises(FstmetricsError, match=r"h counts its 2 items from 0 and r from 1"):
        list(Pairs(listed(["0.0", "1.0"], "h"), [listed(["1", "2"], "r")], missing))
    with pytest.raises(FstmetricsError, match=r"h counts its 2 items from 0 and r from 1"):
        list(Pairs(listed(["000", "001"], "h"), [listed(["1", "2"], "r")], missing))


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("sides", "told"),
    [
        (["01", "01", "--"], ""),
        (["12", "--", "--"], ""),
        (["12", "01", "--"], "item 1 has different ids (1 in h, 0 in r1), and r2 has no ids"),
        (["ab", "ab", "--"], "r2 has none, so that nothing but the order of the items could"),
        (["--", "10", "--"], "has none, so that nothing but the order"),
    ],
)
def test_order_does_not_pair_different_ids(sides: list[str], told: str, streamed: bool) -> None:
    ids = [[None if id == "-" else id for id in side] for side in sides]
    first, *others = (listed(each, f"r{place}" if place else "h") for place, each in enumerate(ids))
    given: Any = Listed(items=list(first.items)) if streamed else first
    if not told:
        assert len(list(Pairs(given, others))) == 2
        return
    with pytest.raises(FstmetricsError) as error:
        list(Pairs(given, others))
    assert told in str(error.value).replace("in stream", "in h")


def numbered(first: int, items: int, path: str = "r") -> Items:
    return Items(tuple(Item(str(i), f"w{i}") for i in range(first, first + items)), ("x",), path)


@pytest.mark.parametrize("missing", ["error", "skip", "empty"])
@pytest.mark.parametrize("first", [0, 1])
def test_ids_that_count_from_0_and_from_1(first: int, missing: Missing) -> None:
    """The same id is another sentence then. A side that lacks an item counts one less, and pairs."""
    one, other = numbered(first, 5, "one"), numbered(1 - first, 5, "other")
    told = r"(one|other|stream) counts its 5 items from 0 and (one|other|stream) from 1"
    with pytest.raises(FstmetricsError, match=told):
        Pairs(one, [other], missing)
    with pytest.raises(
        FstmetricsError, match=f"{told}|other counts its items from {1 - first}: number both alike"
    ):
        list(Pairs(Listed(items=list(one.items)), [other], missing))  # type: ignore[arg-type]
    fewer = numbered(1, 4)
    assert [found.id for found in Pairs(numbered(0, 5), [fewer], "skip")] == ["1", "2", "3", "4"]
    streamed = Pairs(Listed(items=list(fewer.items)), [numbered(0, 5)], "skip")  # type: ignore[arg-type]
    assert [found.id for found in streamed] == ["1", "2", "3", "4"]


def side(ids: str, path: str) -> Items:
    return Items(tuple(Item(id, None, f"{path} {id}") for id in ids), ("x",), path)


@pytest.mark.parametrize(
    ("hypotheses", "references", "streamed", "told"),
    [
        ("ab", "abcd", 0, "no hypothesis for c, d in h"),
        ("abc", "bc", 1, "no reference for a in r"),
        ("abcdefg", "bc", 1, "no reference for a, d, e and 2 more in r"),
        ("", "ab", 1, "h holds no item: there is nothing to score"),
    ],
)
def test_what_is_told_of_ids_without_a_partner(
    hypotheses: str, references: str, streamed: int, told: str
) -> None:
    """Also at the end of a stream that lacks them."""
    sides = [side(hypotheses, "h"), side(references, "r")]
    with pytest.raises(FstmetricsError, match=told):
        Pairs(sides[0], sides[1:])
    beside: list[Any] = list(sides)
    beside[streamed] = Listed(items=list(sides[streamed].items), path=sides[streamed].path)
    with pytest.raises(FstmetricsError, match=told):
        list(Pairs(beside[0], beside[1:]))


def test_an_id_of_a_stream_without_a_partner_is_told_when_it_comes() -> None:
    stream: Any = Listed(items=list(side("axb", "r").items), path="r")
    pairs = iter(Pairs(side("ab", "h"), [stream]))
    assert next(pairs).id == "a"
    with pytest.raises(FstmetricsError, match="no hypothesis for x in h"):
        next(pairs)


@pytest.mark.parametrize("missing", ["skip", "empty"])
def test_items_without_a_partner_are_left_out_or_scored_against_nothing(missing: Missing) -> None:
    one, other = side("abx", "h"), side("aby", "r")
    stream: Any = Listed(items=list(other.items), path="r")
    both = [("a", "h a", "r a"), ("b", "h b", "r b")]
    expected = both if missing == "skip" else [*both, ("y", "", "r y"), ("x", "h x", "")]
    for pairs in (Pairs(one, [other], missing), Pairs(one, [stream], missing)):
        assert [(pair.id, pair.hypothesis, pair.reference) for pair in pairs] == expected
        assert pairs.skipped == (2 if missing == "skip" else 0)


@pytest.mark.parametrize("streams", [False, True])
def test_several_references_pair_by_id(streams: bool) -> None:
    first, second = side("ab", "r"), side("ba", "s")
    stream: Any = Listed(items=list(first.items), path="r")
    pairs = Pairs(side("ba", "h"), [stream if streams else first, second])
    assert [(pair.id, pair.references) for pair in pairs] == [("a", ("r a", "s a")), ("b", ("r b", "s b"))]


def test_sides_of_different_lengths_do_not_pair_by_order() -> None:
    one, other = (
        Items(tuple(Item(None, None, word) for word in words), ("x",), words) for words in ("ab", "abc")
    )
    with pytest.raises(FstmetricsError, match="numbers of items differ: 2 in ab, 3 in abc; not all have ids"):
        Pairs(one, [other])
    stream: Any = Listed(items=list(other.items), path="abc")
    with pytest.raises(FstmetricsError, match="numbers of items differ: 2 in ab, 3 in abc; not all have ids"):
        list(Pairs(one, [stream]))


def test_fields_of_the_first_references_count() -> None:
    def side(**fields: str) -> Items:
        return Items((Item("u1", ("a",), fields=fields),), ("plain",))

    (pair,) = Pairs(side(speaker="c", system="s"), [side(speaker="a"), side(speaker="b", domain="news")])
    assert pair.fields == {"speaker": "a", "domain": "news", "system": "s"}


def test_fields_that_are_read_with_a_value_join_the_others() -> None:
    late = Item("u1", Deferred(lambda: Item("u1", ("a",), fields={"speaker": "a", "domain": "news"})))
    early = Item("u1", ("a",), fields={"speaker": "b"})
    (pair,) = Pairs(Items((late,), ("slf",)), [Items((early,), ("plain",))])
    assert pair.loaded().fields == {"speaker": "b", "domain": "news"}


@pytest.mark.parametrize("lacking", [(), ("u-05",)])
def test_pairs_keep_the_order_of_a_stream_around_damaged_items(
    lacking: tuple[str, ...], tmp_path: Path
) -> None:
    """And around those that the other side lacks: what stands together in a window of bytes is cut there."""
    ids, damaged = [f"u-{i:02}" for i in range(9)], {"u-00", "u-03", "u-04", "u-07"}
    stream = open_stream(str(written(tmp_path / "l.ark", archive(ids, 1, damaged))))
    assert isinstance(stream, Stream)
    texts = Items(tuple(Item(id, None, "a") for id in reversed(ids) if id not in lacking), ("plain",))
    pairs = list(Pairs(stream, [texts], "empty"))
    assert [pair.id for pair in pairs] == ids
    assert {str(pair.id) for pair in pairs if pair.is_deferred} == damaged


@pytest.mark.parametrize("seed", range(60))
def test_channels_pair_if_they_are_the_same_or_the_only_ones_of_their_file(seed: int, tmp_path: Path) -> None:
    random_numbers = random.Random(seed)
    sides = []
    for _ in range(2):
        names = random_numbers.choice(["1", "1A", "AB", "1AB"])
        files = {file: random_numbers.sample(names, random_numbers.randint(0, len(names))) for file in "uvw"}
        sides.append({**files, "x": ["1"]})
    wanted = 0
    for file in sides[0]:
        first, second = (set(side[file]) for side in sides)
        wanted += 1 if len(first) == len(second) == 1 else len(first & second)
    ref, hyp = (tmp_path / f"{name}.ctm" for name in ("ref", "hyp"))
    for path, side in zip((ref, hyp), sides, strict=True):
        lines = [f"{file} {channel} 0 1 {file}\n" for file, channels in side.items() for channel in channels]
        path.write_text("".join(lines), encoding="utf-8")
    found = fstmetrics("score", str(ref), str(hyp), "--missing", "empty", "--json").summary
    sizes = [sum(map(len, side.values())) for side in sides]
    assert (found["matches"], found["items"]) == (wanted, sum(sizes) - wanted)
    strict = fstmetrics("score", str(ref), str(hyp))
    assert strict.status == (0 if sizes == [wanted, wanted] else 2), strict


def test_channels_of_one_id_are_refused(tmp_path: Path) -> None:
    written(tmp_path / "ref.ctm", "u_A 1 0 1 a\n")
    written(tmp_path / "hyp.ctm", "u A 0 1 b\nu_A 1 0 1 a\n")
    outcome = fstmetrics("score", str(tmp_path / "ref.ctm"), str(tmp_path / "hyp.ctm"), "--missing", "empty")
    assert (outcome.status, outcome.out) == (2, "")
    assert "two channels go by the id 'u_A': rename one of the files" in outcome.err


BLANK = [
    (
        {"r": "a b c\nd e f\n", "s": "a b c\n\n"},
        ("r", "h", "--ref", "s"),
        "1 blank line of s stands beside words of r: ",
    ),
    (
        {"r": "a b c\n\n", "s": "a b c\nd e f\n"},
        ("r", "h", "--ref", "s"),
        "1 blank line of r stands beside words of s: ",
    ),
    (
        {"r": "u1 a b\nu2 c\n", "s": "u2\nu1\n", "h": "u1 a b\nu2 c\n"},
        ("r", "h", "--ref", "s"),
        "2 blank lines of s ",
    ),
    (
        {"h.jsonl": '{"ref": ["a b", ""], "hyp": "a"}\n'},
        ("h.jsonl",),
        "1 item has an empty reference beside one with words",
    ),
    ({"r": "a b c\n\n", "s": "a b\n\n"}, ("r", "h", "--ref", "s"), ""),
    ({"h.jsonl": '{"ref": ["a b"], "hyp": "a"}\n{"ref": ["a b", "c"], "hyp": ""}\n'}, ("h.jsonl",), ""),
]


@pytest.mark.parametrize(("files", "arguments", "said"), BLANK)
def test_empty_references_beside_others_are_told(
    files: dict[str, str],
    arguments: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There a hypothesis without words is right."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"h": "a b c\n\n", **files}.items():
        written(tmp_path / name, text)
    remarks = fstmetrics("score", *arguments, "--json").summary["remarks"]
    told = [remark for remark in remarks if "a hypothesis without words is right" in remark]
    assert len(told) == bool(said)
    assert all(said in remark for remark in told)
    if said and arguments[0] != "h.jsonl":
        references = ("--ref", arguments[0], "--ref", arguments[-1])
        compared = fstmetrics(
            "compare", *references, "h", "h2=h", "--metric", "wer", "--test", "randomization", "--json"
        )
        assert said in " ".join(compared.summary["remarks"])


TAKE_OUT = "documents are to be taken out of all files"
SHARED_BLANKS = [
    ({"r": "a b\n\nc d\n", "h": "a b\n \nc\n"}, f"1 item is blank in all files, {TAKE_OUT} (grep"),
    ({"r": "a\n\n\nc\n", "h": "a\r\n\r\n\r\nc\r\n"}, f"2 items are blank in all files, {TAKE_OUT} (grep"),
    ({"r": "a\n\nb\n", "h": "a\n\n\n"}, f"1 item is blank in all files, {TAKE_OUT}"),
    ({"r": "a\n\nb\n", "h": "a\nc\n\n"}, ""),
    ({"r": "u1 a\nu2\n", "h": "u1 a\nu2\n"}, ""),  # silence
    ({"r": "a\nb\n\n", "h": "a\n\nb\n"}, ""),
]


@pytest.mark.parametrize(("files", "said"), SHARED_BLANKS)
def test_lines_that_are_blank_in_all_files_are_told(
    files: dict[str, str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those between documents, which change all means; without them files stay parallel where all are alike."""
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode())
    for arguments in (("score", "r", "h"), ("compare", "--ref", "r", "h", "--metric", "mean-chrf")):
        remarks = " ".join(fstmetrics(*arguments, "--json").summary["remarks"])
        assert ("blank in all files" in remarks) == bool(said)
        assert all(part in remarks for part in said.split(", "))
        assert ("(grep" in remarks) == said.endswith("(grep")


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (3, "no hypothesis for n1 in h; no reference for x in n"),
        (101, "no hypothesis for n1 in h"),
    ],
)
def test_of_few_small_networks_all_ids_without_a_partner_are_told(
    count: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many, which are read one by one, the first."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "n").mkdir()
    for number in range(count):
        written(tmp_path / "n" / f"{number:03}.cards", f"id: n{number}\n[S]: the cat\n")
    ids = [f"n{number}" for number in range(count) if number != 1]
    written(tmp_path / "h", "".join(f"{id} the cat\n" for id in [*ids, "x"]))
    given = ("hyter", "n", "h", "--format", "kaldi-text")
    found = fstmetrics(*given)
    assert found.status == 2
    assert found.err.startswith(f"fstmetrics: {told} (--missing skip")
    assert ("what comes after it was not read" in found.err) == (count > 100)
    assert "[PARTIAL]" in fstmetrics(*given, "--missing", "skip").out


def test_an_id_in_two_files_of_networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "n").mkdir()
    for name in "ab":
        written(tmp_path / "n" / f"{name}.cards", "id: u1\n[S]: the cat\n")
    written(tmp_path / "h", "u1 the cat\n")
    assert fstmetrics("hyter", "n", "h").err == (
        "fstmetrics: n/b.cards: id 'u1' is already in n/a.cards; several sets of references: one --ref each; of one "
        "lattice or network kept twice, give one, by a pattern in quotes\n"
    )


def test_a_file_that_changes_after_it_was_recognised_is_read_as_it_was(tmp_path: Path) -> None:
    """Its bytes are those of one moment: what was recognised is what is read."""
    (tmp_path / "n").mkdir()
    written(path := tmp_path / "n" / "a.cards", "id: u1\n[S]: the cat\n")
    found = open_stream(str(tmp_path / "n"))
    assert isinstance(found, Items)
    path.unlink()
    assert [(item.id, list(item.value.cards)) for item in found] == [("u1", ["S"])]
