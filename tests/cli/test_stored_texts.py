"""Texts that stay in their files give the bytes, messages and exit status of texts that are read at once."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from command import Outcome, fstmetrics
from texts_in_files import in_file, leave_in_files, never_whole

from fstmetrics._native import TextColumn, TextIndex, TrnForm
from fstmetrics.scoring.pair_blocks import PairBlock

WORDS = ("a", "the", "cat", "sat", "uh", "é", "Katze", "Größe", "\u3000", "\u00a0", "1", "(a)", "-")
STORED = 1
AT_ONCE = 1 << 30


def outcome(
    monkeypatch: pytest.MonkeyPatch, least: int, command: tuple[object, ...], stdin: bytes
) -> tuple[Outcome, bytes]:
    """What a command says and writes when files of so many bytes stay where they are."""
    with monkeypatch.context() as patch:
        leave_in_files(patch, least)
        found = fstmetrics(*command, stdin=stdin)
    output = Path("records.jsonl")
    written = output.read_bytes() if output.exists() else b""
    for path in (output, Path("records.jsonl.partial"), Path("records.jsonl.journal")):
        path.unlink(missing_ok=True)
    return found, written


def sentences(rng: random.Random, lines: int) -> list[str]:
    """Lines of words, some empty."""
    return [" ".join(rng.choices(WORDS, k=rng.choice([0, 1, 3, 5]))) for _ in range(lines)]


def with_ids(rng: random.Random, ids: list[str], texts: list[str], trn: bool) -> list[str]:
    """Lines with ids, in Kaldi's form or sclite's."""
    return [f"{text} ({id})" if trn else f"{id} {text}" for id, text in zip(ids, texts, strict=False)]


def some_ids(rng: random.Random, lines: int) -> list[str]:
    """Ids in an order of bytes or not, of which one may come twice."""
    kind = rng.choice(["u{:03}", "utt-{}", "{}", "ü{}", "{:02}_a", "w"])
    ids = [kind.format(number) for number in range(lines)]
    if rng.random() < 0.2:
        rng.shuffle(ids)
    if rng.random() < 0.1:
        ids[rng.randrange(lines)] = rng.choice(ids)
    return ids


def damaged(rng: random.Random, lines: list[str]) -> bytes:
    """The file of some lines; something may be odd about it."""
    if rng.random() < 0.2:
        lines = [*lines, *[""] * rng.randrange(3)]
    if rng.random() < 0.05:
        lines = [*lines[:1], "", *lines[1:]]
    data = rng.choice(["\n"] * 5 + ["\r\n"]).join(lines).encode()
    data += b"" if rng.random() < 0.1 else b"\n"
    data = b"\xef\xbb\xbf" * (rng.random() < 0.1) + data
    if rng.random() < 0.1:
        place = rng.randrange(len(data) + 1)
        data = data[:place] + rng.choice([b"\x00", b"\xff", b"\x01", b"\xc3", b"\n\n", b"\t"]) + data[place:]
    return data


@pytest.mark.parametrize("seed", range(12))
def test_a_text_in_its_file_is_scored_as_one_that_is_read_at_once(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(seed)
    for _ in range(12):
        lines, trn = rng.choice([1, 2, 4, 9, 30]), rng.random() < 0.2
        ids = some_ids(rng, lines) if rng.random() < 0.7 else None
        paths = []
        for side in ("ref", "hyp", "ref2")[: rng.choice([2, 2, 2, 3])]:
            count = lines if rng.random() < 0.9 else lines + 1
            texts = sentences(rng, count)
            if ids is not None and rng.random() < 0.95:
                own = list(ids)
                if rng.random() < 0.2:
                    rng.shuffle(own)
                if rng.random() < 0.1:
                    own[rng.randrange(lines)] = "U000"
                texts = with_ids(rng, own, texts, trn)
            path = tmp_path / f"{side}.{'trn' if trn else 'txt'}"
            path.write_bytes(damaged(rng, texts))
            if rng.random() < 0.3:
                packed = gzip.compress(path.read_bytes())
                path.write_bytes(packed if rng.random() < 0.9 else packed[: rng.randrange(len(packed))])
            paths.append(path.name)
        command: list[object] = ["score", *paths[:2]]
        stdin = b""
        if rng.random() < 0.1:
            stdin, command[2] = (tmp_path / paths[1]).read_bytes(), "-"
        if paths[2:]:
            command += ["--ref", paths[2]]
        command += rng.choice(
            [[], ["--output", "records.jsonl"], ["--output", "records.jsonl", "--alignment"]]
        )
        command += rng.choice(
            [[], [], ["--json"], ["--missing", "skip"], ["--missing", "empty"], ["--keep-going"]]
        )
        command += rng.choice([[], [], [], ["--metric", "cer"], ["--metric", "bleu"]])
        command += rng.choice(
            [[], [], [], ["--format", "plain", "--ref-format", "plain"], ["--format", "kaldi-text"]]
        )
        command += rng.choice([[], [], [], [], ["--lowercase"], ["--alternations", "sclite"]])
        given = tuple(command)
        assert outcome(monkeypatch, STORED, given, stdin) == outcome(monkeypatch, AT_ONCE, given, stdin), (
            given
        )


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of which pieces are read."""
    leave_in_files(monkeypatch)
    path = tmp_path / "text.txt"
    path.write_text("".join(f"line {number}\n" for number in range(20)), encoding="utf-8")
    return path


def test_a_file_that_changes_while_it_is_read_is_refused(stored: Path) -> None:
    lines = in_file(stored).stored_lines()
    assert lines is not None
    assert len(lines) == 20
    os.utime(stored, (0, 0))
    with pytest.raises(ValueError, match="has changed while it was being read"):
        lines.texts[3:5]


def shuffled(lines: list[str]) -> list[str]:
    """The lines in another order."""
    return random.Random(1).sample(lines, len(lines))


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("order", [list, shuffled])
@pytest.mark.parametrize("form", ["{1}", "utt-{0:03} {1}", "u{0} {1}", "{1} (utt-{0:03})", "{1} (u{0})"])
def test_texts_are_never_in_memory_as_a_whole(
    form: str,
    order: Callable[[list[str]], list[str]],
    is_packed: bool,
    stored: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [*sentences(random.Random(1), 40), "the cat", "the cat"]
    lines = [line.replace("(a)", "b") for line in lines]
    if order is shuffled and "{0" not in form:
        pytest.skip("without ids, there is one order")
    paths = [stored.parent / "ref.txt", stored.parent / "hyp.txt"]
    for path, end in zip(paths, ("x", "y"), strict=True):
        texts = [form.format(n, f"a {line} {end}") for n, line in enumerate(lines)]
        texts = order(texts) if path == paths[1] else texts
        data = ("\n".join(texts) + "\n").encode()
        path.write_bytes(gzip.compress(data) if is_packed else data)
    never_whole(monkeypatch)
    found = fstmetrics("score", *paths, "--json").summary
    assert (found["items"], found["edits"]) == (42, 42)


FORMS = {
    "kaldi": "{0} {1}\n",
    "trn": "{1} ({0})\n",
    "csv": '{0},"{1}"\n',
    "jsonl": '{{"id": "{0}", "text": "{1}"}}\n',
    "plain": "{1}\n",
}


@pytest.mark.parametrize("change", ["none", "order", "case", "fewer", "others"])
@pytest.mark.parametrize("other", list(FORMS))
@pytest.mark.parametrize("text", ["kaldi", "plain"])
def test_texts_beside_other_files_are_told_apart_without_having_them_in_memory(
    text: str, other: str, change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether lines begin with the ids of another file, which they may have in another order or case, or lack."""
    monkeypatch.chdir(tmp_path)
    ids = [f"utt-{number:03}" for number in range(40)]
    lines = [f"a {line}".replace("(a)", "b") for line in sentences(random.Random(1), 40)]
    lines = [f"{first} {line}" for first, line in zip(("the", "cat", "sat", "uh") * 10, lines, strict=True)]
    places = list(range(40))
    if change in ("order", "fewer"):
        places = shuffled(places)[: 30 if change == "fewer" else 40]
    own = {"case": "UTT-{:03}", "others": "x-{:03}"}.get(change, "utt-{:03}")
    Path("lines").write_text("".join(FORMS[text].format(own.format(n), lines[n]) for n in places))
    head = "id,text\n" * (other == "csv")
    Path(f"other.{other}").write_text(
        head + "".join(FORMS[other].format(id, line) for id, line in zip(ids, lines, strict=True))
    )
    command = ("score", f"other.{other}", "lines", "--missing", "skip", "--json")
    expected = outcome(monkeypatch, AT_ONCE, command, b"")
    if change in ("none", "order") and (text == "plain") == (other == "plain"):
        assert expected[0].status == 0, expected[0].err
        never_whole(monkeypatch, "lines")
    assert outcome(monkeypatch, STORED, command, b"") == expected


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("order", [list, shuffled])
@pytest.mark.parametrize(
    "more",
    [[], ["{0}-007 eve"], ["{0}-007"], ["x y z"], ["", ""], ["other eve"]],
    ids=lambda more: str(*more[:1]),
)
@pytest.mark.parametrize("form", ["{0} {1}", "{1} ({0})"])
def test_speakers_of_a_file_that_stays_where_it_is(
    form: str,
    more: list[str],
    order: Callable[[list[str]], list[str]],
    is_packed: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    ids = [f"{speaker}-{n:03}" for speaker in ("ann", "bob") for n in range(11)]
    for side in ("ref", "hyp"):
        texts = [form.format(id, " ".join(random.Random(side + id).choices("abc", k=5))) for id in ids]
        Path(side).write_text("".join(f"{text}\n" for text in texts))
    known = order([f"{id}  {id[0]}{n % 2}" for n, id in enumerate(ids)])
    lines = [*known, *(line.format("ann") for line in more)]
    data = "".join(f"{line}\n" for line in lines).encode()
    Path("speakers").write_bytes(gzip.compress(data) if is_packed else data)
    sides = ("ref", "hyp", "--ref-format", "trn", "--format", "trn") if form.endswith(")") else ("ref", "hyp")
    command = ("score", *sides, "--by", "speaker", "--speakers", "speakers", "--output", "records.jsonl")
    expected = outcome(monkeypatch, AT_ONCE, command, b"")
    assert outcome(monkeypatch, STORED, command, b"") == expected
    assert expected[0].status == (0 if more in ([], ["", ""], ["other eve"]) else 2)
    if not more:
        never_whole(monkeypatch)
        monkeypatch.setattr(PairBlock, "of", lambda *_: pytest.fail("an object an item"))
        assert outcome(monkeypatch, STORED, command, b"") == expected


def lines_with_gaps(rng: random.Random, form: str, ids: list[str], share: float) -> str:
    """Some of the items in one of several formats, in an order or not."""
    kept = [id for id in ids if rng.random() < share]
    kept = shuffled(kept) if rng.random() < 0.3 else kept
    if rng.random() < 0.2 and kept:
        kept[0] = rng.choice([kept[0].upper(), "0", kept[0] + "x"])
    texts = [" ".join(rng.choices("abc", k=4)) for _ in kept]
    row = {
        "kaldi": lambda id, text: f"{id} {text}",
        "trn": lambda id, text: f"{text} ({id})",
        "jsonl": lambda id, text: json.dumps({"id": id, "text": text, "speaker": id[:1]}),
        "csv": lambda id, text: f"{id},{text},{id[:1]}",
    }[form]
    lines = ["id,text,speaker"] * (form == "csv") + list(map(row, kept, texts))
    if form != "kaldi":  # where a blank line is no item
        for _ in range(rng.choice([0, 0, 1, 3])):
            lines.insert(
                rng.randint(1, max(1, len(lines))), rng.choice(["", ";; none"] if form == "trn" else [""])
            )
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("seed", range(40))
def test_ids_that_one_side_lacks_are_as_wherever_texts_are(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(seed)
    kind = rng.choice(["u-{:03}", "b{}", "{}", "w"])
    ids = [kind.format(n) if "{" in kind else f"w{chr(97 + n)}" for n in range(rng.choice([5, 20]))]
    forms = [rng.choice(["kaldi", "kaldi", "trn", "jsonl", "csv"]) for _ in "rh"]
    names = {"kaldi": "kaldi-text", "trn": "trn", "jsonl": "jsonl", "csv": "csv"}
    for side, form in zip(("ref", "hyp"), forms, strict=True):
        data = lines_with_gaps(rng, form, ids, rng.choice([0.2, 0.7, 0.9, 1])).encode()
        Path(side).write_bytes(gzip.compress(data) if rng.random() < 0.2 else data)
    command = [
        "score", "ref", "hyp", "--ref-format", names[forms[0]], "--format", names[forms[1]],
        rng.choice(["--missing=skip", "--keep-going", "--missing=empty", "--missing=empty"]),
        *rng.choice([[], ["--json"], ["--alignment"], ["--jobs", "2"]]), "--output", "records.jsonl",
    ]  # fmt: skip
    expected = outcome(monkeypatch, AT_ONCE, tuple(command), b"")
    assert outcome(monkeypatch, STORED, tuple(command), b"") == expected


@pytest.mark.parametrize("form", ["kaldi", "trn", "jsonl", "csv"])
@pytest.mark.parametrize("order", [list, shuffled])
@pytest.mark.parametrize(("missing", "items", "skipped"), [("skip", 43, 17), ("empty", 60, 0)])
def test_sides_that_lack_ids_are_scored_without_an_object_of_an_item(
    missing: str,
    items: int,
    skipped: int,
    order: Callable[[list[str]], list[str]],
    form: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ids = [f"utt-{n:03}" for n in range(60)]
    sides = ids[:50], order(ids[7:])
    paths = [tmp_path / name for name in ("ref", "hyp")]
    for path, some in zip(paths, sides, strict=True):
        path.write_text(lines_with_gaps(random.Random(2), form, some, 1), encoding="utf-8")
    leave_in_files(monkeypatch)
    if form != "jsonl":  # a short file is looked at whether it is an empty list
        never_whole(monkeypatch)
    monkeypatch.setattr(PairBlock, "of", lambda *_: pytest.fail("an object an item"))
    command = ["score", *paths, "--missing", missing, "--json"]
    found = fstmetrics(
        *command, *(["--ref-format", "trn", "--format", "trn"] if form == "trn" else [])
    ).summary
    assert (found["items"], found["skipped"]) == (items, skipped)


@pytest.mark.parametrize("missing", ["skip", "empty"])
@pytest.mark.parametrize("lacks", [0, 1])
@pytest.mark.parametrize("shard", ["1/1", "2/3"])
def test_shards_of_sides_that_lack_ids(
    shard: str, lacks: int, missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for side, name in enumerate(("ref", "hyp")):
        ids = [f"utt-{n:03}" for n in range(4 if side == lacks else 30)]
        Path(name).write_text(lines_with_gaps(random.Random(2), "jsonl", ids, 1), encoding="utf-8")
    command = ("score", "ref", "hyp", "--missing", missing, "--shard", shard, "--output", "records.jsonl")
    expected = outcome(monkeypatch, AT_ONCE, command, b"")
    assert expected[0].status == 0, expected[0].err
    assert outcome(monkeypatch, STORED, command, b"") == expected


@pytest.mark.parametrize("options", [["--speakers", "spu_id"], ["--speakers", "wsj"], []])
def test_speakers_by_ids_are_those_of_each_item(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of fields in columns, with speakers that the rule replaces where they stand, or adds behind the others."""
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": f"{name}-{n}", "ref": "a b", "hyp": "a b c"[: 1 + 2 * (n % 3)], **more}
        for n in range(9)
        for name, more in (("ann", {"speaker": "x", "domain": "d"}), ("bob", {"domain": ""}), ("eve", {}))
    ]
    Path("rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    command = ("score", "rows.jsonl", "--by", "speaker", *options, "--output", "records.jsonl")
    found, records = outcome(monkeypatch, STORED, command, b"")
    assert found.status == 0, found.err
    fields = [json.loads(line).get("fields", {}) for line in records.splitlines()]
    own = [{name: row[name] for name in ("speaker", "domain") if name in row} for row in rows]
    rule = [{"speaker": row["id"][:3]} if options else {} for row in rows]
    expected = [{**some, **more} for some, more in zip(own, rule, strict=True)]
    assert [[*some.items()] for some in fields] == [[*some.items()] for some in expected]
    assert outcome(monkeypatch, AT_ONCE, command, b"") == (found, records)


@pytest.mark.parametrize("is_packed", [False, True])
def test_what_comes_through_a_pipe_is_not_in_memory_as_a_whole(
    is_packed: bool, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = stored.read_bytes().replace(b"line", b"a line")
    stored.write_bytes(data)
    never_whole(monkeypatch)
    packed = gzip.compress(data) if is_packed else data
    found = fstmetrics("score", stored, "-", "--json", stdin=packed).summary
    assert (found["items"], found["edits"]) == (20, 0)


@pytest.mark.parametrize("is_trn", [False, True])
@pytest.mark.parametrize("lines", [1, 2, 9, 1000, 20000])
def test_lines_are_found_by_their_ids_and_read_in_any_order(
    lines: int, is_trn: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(lines)
    ids = rng.sample([f"utt-{n}" for n in range(2 * lines)], lines)
    texts = [" ".join(rng.choices(["abc", "de", "f" * 20], k=rng.randrange(7))) for _ in ids]
    path = tmp_path / "text"
    path.write_text("".join(f"{line}\n" for line in with_ids(rng, ids, texts, is_trn)))
    leave_in_files(monkeypatch, window=1 << 10, ahead=100)
    found = in_file(path).stored_lines(TrnForm() if is_trn else None, has_ids=not is_trn)
    assert found is not None
    assert list(found.ids) == ids
    index = TextIndex(found.ids)
    assert len(index) == lines
    order = np.array([rng.randrange(-1, lines) for _ in range(lines)])
    wanted = TextColumn(["other" if n < 0 else ids[n] for n in order])
    assert index.found(wanted).tolist() == order.tolist()
    assert TextIndex(wanted).found(found.ids).tolist() == TextIndex(wanted).found(TextColumn(ids)).tolist()
    some = found.texts.taken(order)
    assert list(some) == ["" if n < 0 else texts[n] for n in order]
    assert some[1:5] == TextColumn(["" if n < 0 else texts[n] for n in order[1:5]])
    again = np.array([rng.randrange(lines) for _ in range(9)])
    assert list(some.taken(again)) == [some[int(n)] for n in again]
    assert list(found.taken(order).ids) == ["" if n < 0 else ids[n] for n in order]
    with pytest.raises(IndexError):
        found.texts.taken(np.array([lines]))


def test_an_index_counts_different_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_in_files(monkeypatch)
    path = tmp_path / "text"
    path.write_text("a b\nc d\na e\n")
    lines = in_file(path).stored_lines(has_ids=True)
    assert lines is not None
    index = TextIndex(lines.ids)
    assert len(index) == 2
    assert index.found(TextColumn(["c", "a"])).tolist() == [1, 0]
    assert not in_file(path).have_different_ids()


def test_first_words_are_known_behind_a_line_that_is_longer_than_a_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "text"
    path.write_text("u1 a long first line\nu1 b\nu1 c\n")
    leave_in_files(monkeypatch)
    assert in_file(path).survey().repeated


def test_a_file_in_another_order_that_changes_while_it_is_read_is_refused(stored: Path) -> None:
    stored.write_text("".join(f"u{n} a\n" for n in range(20)), encoding="utf-8")
    lines = in_file(stored).stored_lines(has_ids=True)
    assert lines is not None
    found = lines.texts.taken(np.arange(20)[::-1].copy())
    os.utime(stored, (0, 0))
    with pytest.raises(ValueError, match="has changed while it was being read"):
        found[10:12]


@pytest.mark.parametrize("stays", ["none", "references", "hypotheses", "both"])
@pytest.mark.parametrize("is_shuffled", [False, True])
@pytest.mark.parametrize("is_same", [False, True])
def test_a_manifest_of_references_is_no_hypothesis_wherever_it_stays(
    stays: str, is_shuffled: bool, is_same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"audio_filepath": f"u{number}", "text": f"the cat {number}"} for number in range(9)]
    more = dict.fromkeys(["recording"], "r" * 200)
    sides = {"references": rows, "hypotheses": rows[::-1] if is_shuffled else rows}
    if not is_same:
        sides["hypotheses"] = [{**row, "text": f"{row['text']} sat"} for row in sides["hypotheses"]]
    for name, some in sides.items():
        lines = (json.dumps({**row, **more} if stays in (name, "both") else row) for row in some)
        Path(f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    leave_in_files(monkeypatch, least=1200)
    found = fstmetrics("score", "references.jsonl", "hypotheses.jsonl")
    assert found.status == (2 if is_same else 0), found.err
    assert ("has the texts of references.jsonl" in found.err) == is_same


def test_columns_of_texts_are_equal_wherever_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_in_files(monkeypatch)
    path = tmp_path / "texts"
    path.write_text("a b\nc\n")
    lines = in_file(path).stored_lines()
    assert lines is not None
    stored = lines.texts
    same, other = TextColumn(["a b", "c"]), TextColumn(["a b", "d"])
    assert same == stored
    assert stored == same
    assert other != stored
    assert stored != other
    assert same != "a b"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("to", ["trn", "kaldi-text", "plain", "jsonl", "ctm"])
@pytest.mark.parametrize("form", ["kaldi", "trn", "csv", "jsonl", "plain"])
def test_a_text_in_its_file_is_converted_as_one_that_is_read_at_once(
    form: str, to: str, packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = lines_with_gaps(
        random.Random(3), form.replace("plain", "kaldi"), [f"utt-{n:03}" for n in range(40)], 1
    )
    if form == "plain":
        lines = "".join(f"{line.partition(' ')[2]}\n" for line in lines.splitlines())
    Path("text").write_bytes(gzip.compress(lines.encode()) if packed else lines.encode())
    format = {"kaldi": "kaldi-text"}.get(form, form)
    command = ("convert", "text", "records.jsonl", "--format", format, "--to", to, "--lossy")
    expected = outcome(monkeypatch, AT_ONCE, command, b"")
    assert (expected[0].status == 0) is (len(expected[1]) > 0)
    assert outcome(monkeypatch, STORED, command, b"") == expected
    piped = ("convert", "-", *command[2:])
    assert outcome(monkeypatch, STORED, piped, Path("text").read_bytes())[0].status == expected[0].status


def test_a_text_is_converted_without_having_all_of_it_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    leave_in_files(monkeypatch)
    Path("text").write_text(lines_with_gaps(random.Random(3), "kaldi", [f"utt-{n:03}" for n in range(40)], 1))
    never_whole(monkeypatch)
    assert fstmetrics("convert", "text", "hyp.trn").status == 0
    assert len(Path("hyp.trn").read_text().splitlines()) == 40
