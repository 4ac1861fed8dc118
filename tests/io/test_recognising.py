"""Which format a file is in: a rule that raises hides no other, and the table says what the modules say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import golden
import pytest
from command import written
from error_cases import content, error_cases

from fstmetrics.io import FORMATS, Format, ReadOptions, Source, file_format, formats, read_items, register
from fstmetrics.io.column_roles import KNOWN
from fstmetrics.io.detection import formats_and_refusals, text_signs
from fstmetrics.io.detection.head import Head
from fstmetrics.io.file_format import recognise
from fstmetrics.support.errors import InputError

SLF = b"VERSION=1.0\nN=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n"


def raising(head: Head) -> Any:
    raise KeyError("a bug")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that comes before all others raises."""
    monkeypatch.setattr(
        file_format, "TABLE", (formats_and_refusals.Rule(None, raising), *formats_and_refusals.TABLE)
    )


@pytest.mark.usefixtures("broken")
def test_a_rule_that_raises_hides_no_other() -> None:
    remarks: list[str] = []
    options = ReadOptions(remark=remarks.append)
    assert recognise(Source("x", SLF), options) is FORMATS["slf"]
    assert remarks == []


@pytest.mark.usefixtures("broken")
def test_rules_that_raised_are_told_where_none_applies() -> None:
    remarks: list[str] = []
    options = ReadOptions(remark=remarks.append)
    assert recognise(Source("x", b"the cat sat\n"), options).name == "plain"
    assert "x: a rule for formats could not be tried: KeyError: 'a bug'" in remarks


def test_the_table_says_what_the_modules_of_formats_say() -> None:
    """Each format of each module has its row, in the order of help pages."""
    found = {}
    for module in iter_modules(formats.__path__):
        __import__(f"{formats.__name__}.{module.name}")
        for format in vars(getattr(formats, module.name)).values():
            if isinstance(format, Format):
                row = register.SHIPPED[format.name]
                assert bool(row.mark) is (format.folder is not None)
                assert (format.holds, format.extensions) == (row.holds, row.extensions)
                found[format.name] = row._replace(module=module.name)
    kinds = ["text", "n-best", "network", "forest", "lattice"]
    order = sorted(found, key=lambda name: (kinds.index(found[name].holds), name))
    assert list(register.SHIPPED.items()) == [(name, found[name]) for name in order]


def test_a_format_of_another_package_is_what_it_says_itself() -> None:
    """Formats that ship say in their row alone what they hold, and how their files are called."""
    read = FORMATS["trn"].read
    assert (Format("trn", "", read).holds, Format("trn", "", read).extensions) == ("text", (".trn",))
    other = Format("acme", "", read, "n-best", (".acme",))
    assert (other.holds, other.extensions) == ("n-best", (".acme",))
    assert (Format("acme", "", read).holds, Format("acme", "", read).extensions) == ("lattice", ())


def test_formats_are_read_that_the_table_gives() -> None:
    """What a rule gives is a format, or a refusal with advice."""
    answers = [rule.answer for rule in formats_and_refusals.TABLE if rule.answer is not None]
    names = {answer for answer in answers if isinstance(answer, str)}
    assert len(names) > 20
    assert names <= set(register.SHIPPED)
    assert all(answer.advice for answer in answers if not isinstance(answer, str))


def test_tables_are_known_by_their_first_line() -> None:
    for head in (b"path,sentence\na.wav,the cat\n", b"path;sentence\na.wav;the cat\n"):
        assert recognise(Source("x", head), ReadOptions()) is FORMATS["csv"]
    assert recognise(Source("x", b"\n \npath\tsentence\na.wav\tthe cat\n"), ReadOptions()) is FORMATS["tsv"]
    told = b'settings\na.wav\n{"text": "the cat"}\n'
    assert recognise(Source("x", told), ReadOptions()) is FORMATS["sherpa"]


def test_signs_of_nist_look_at_all_lines() -> None:
    lines = b"f 1 0.0 0.5 the\n" * 5
    assert text_signs.is_ctm(Head(Source("x", lines)))
    assert not text_signs.is_ctm(Head(Source("x", lines + b"f 1 the cat sat\n")))


# A word of a ctm may be a number, and so may a speaker of an stm.
DIGITS = b"u1 1 0.00 0.50 7 0.9\nu1 1 0.50 0.50 4 0.8\n"


def test_a_file_that_may_be_two_things_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="looks like a file of stm or of ctm: it may be either: say which, --format"
    ):
        recognise(Source("x", DIGITS), ReadOptions())
    assert recognise(Source("x.ctm", DIGITS), ReadOptions()) is FORMATS["ctm"]
    for name in ("stm", "ctm"):
        assert FORMATS[name].fits(Source("x", DIGITS))


def files_of_cases() -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files of golden command lines, and of cases of errors."""
    for command in golden.bundles():
        for case in golden.read(command):
            for name, kept in case.get("files", {}).items():
                if not name.endswith("/"):
                    yield name, golden.bytes_of(kept)
    for cases in map(error_cases, ("foreign_files", "damaged_files", "tables", "layouts")):
        for group in cases.values():
            for case in group if isinstance(group, list) else []:
                if isinstance(case, dict) and {"hex", "old", "content"} & case.keys():
                    yield case.get("name", case.get("path", "x")), content(case)


def test_rules_need_the_bytes_that_they_say() -> None:
    """Without `needs` every sign is looked for, and the answers are the same; so they are where bytes are missing."""
    everything = [rule._replace(needs=b"") for rule in formats_and_refusals.TABLE]
    drawn, answers = random.Random(1), set()
    for name, data in {(name[-12:], data[:2048]) for name, data in files_of_cases()}:
        few = bytes(drawn.choices(data, k=2)) if data else b""
        lines = data.splitlines(keepends=True) or [b""]
        for part in (data, data.translate(None, few), b"".join(drawn.choices(lines, k=2))):
            found = formats_and_refusals.detect(
                Head(Source(name, part), known=KNOWN), formats_and_refusals.TABLE, []
            )
            assert found == formats_and_refusals.detect(
                Head(Source(name, part), known=KNOWN), everything, []
            ), (name, part)
            answers.add(found if isinstance(found, str | None) else found.name)
    assert len(answers) > 100


LISTS = b'{"id": "u1", "hyp": ["yes", "no"]}\n'
SAME = [
    ("jsonl", "nbest-json", b'{"id": "u1", "text": "a", "nbest": ["a b", "a"]}\n'),
    ("nbest-json", None, LISTS),
]


@pytest.mark.parametrize(("asked", "given", "content"), SAME)
def test_files_of_a_folder_are_in_the_format_asked_for(
    asked: str, given: str | None, content: bytes, tmp_path: Path
) -> None:
    """Though they would be read as another, or not at all."""
    written(tmp_path / "x.1", content)
    if given is None:
        with pytest.raises(InputError):
            read_items(tmp_path)
    else:
        assert read_items(tmp_path).formats == (given,)
    assert read_items(tmp_path, format=asked).formats == (asked,)


def test_white_space_of_any_kind_in_lines_is_no_crash(tmp_path: Path) -> None:
    """Carriage returns within lines with commas, as CRLF text has them to whose lines ids were added, were one."""
    rng = random.Random(3)
    signs = [
        "a",
        "id",
        "text",
        ",",
        ";",
        "\t",
        "\r",
        "\n",
        "\v",
        "\f",
        "\x1c",
        "\u2028",
        '"',
        "(u1)",
        " ",
        "|",
        "{",
    ]
    texts = ["a x (u_1)\nthe cat,\r sat (u_2)\nb y (u_3)\n"]
    texts += ["".join(rng.choices(signs, k=rng.randint(1, 40))) for _ in range(2000)]
    for text in texts:
        for name in ("x.trn", "x.txt"):
            data = text.encode()
            found = formats_and_refusals.detect(Head(Source(name, data)))
            assert found is None or isinstance(found, str | formats_and_refusals.Refused), text
