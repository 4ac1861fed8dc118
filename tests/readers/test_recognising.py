"""Which format a file is in: formats register by being there, and one that raises while it is tried hides no other."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
from command import written
from hypothesis import given, settings
from hypothesis import strategies as st

from fstmetrics.readers import FORMATS, Format, ReadOptions, Source, foreign, formats, list_formats
from fstmetrics.readers import recognise as recognising
from fstmetrics.readers.outlines import Outline
from fstmetrics.readers.recognise import recognise

SLF = b"VERSION=1.0\nN=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n"


def raising(source: Source) -> bool:
    raise KeyError("a bug")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """All formats that come before SLF raise where content is looked at."""
    order = [FORMATS[outline.name] for outline in recognising._order("by content")]
    place = order.index(FORMATS["slf"])
    others = [replace(format, signature=None, sniff=raising) for format in order[:place]]
    monkeypatch.setattr(recognising, "_order", lambda when: [*others, *order[place:]])


@pytest.mark.usefixtures("broken")
def test_a_format_that_raises_hides_no_other() -> None:
    remarks: list[str] = []
    options = ReadOptions(remark=remarks.append)
    assert recognise(Source("x", SLF), options) is FORMATS["slf"]
    assert remarks == []


@pytest.mark.usefixtures("broken")
def test_formats_that_raised_are_named_where_no_other_is_recognised() -> None:
    remarks: list[str] = []
    options = ReadOptions(remark=remarks.append)
    assert recognise(Source("x", b"the cat sat\n"), options).name == "plain"
    assert "x: format cards could not be tried: KeyError: 'a bug'" in remarks


def test_every_module_of_formats_registers_one() -> None:
    def of(module: str) -> list[Format]:
        return [value for value in vars(getattr(formats, module)).values() if isinstance(value, Format)]

    assert list(FORMATS.shipped.values())
    modules = [module.name for module in iter_modules(formats.__path__)]
    without = [
        module
        for module in modules
        if not any(map(FORMATS.shipped.__contains__, (f.name for f in of(module))))
    ]
    assert without == []


def test_the_outlines_of_formats_are_up_to_date() -> None:
    assert list_formats.PLACE.read_text(encoding="utf-8") == list_formats.text(), (
        "write them again: python -m fstmetrics.readers.list_formats"
    )


LITERALS = [outline for outline in formats.outlines().values() if outline.literal]
SIGNS = [sign for sign in foreign.SIGNS if sign[1]]


@pytest.mark.parametrize("outline", LITERALS, ids=lambda outline: outline.name)
@settings(max_examples=20)
@given(data=st.data())
def test_the_literal_is_in_all_that_has_the_signature(outline: Outline, data: st.DataObject) -> None:
    assert outline.signature is not None
    signature = re.compile(outline.signature.replace(b"16000", b"20").replace(b"4080", b"20"), outline.flags)
    assert outline.literal in data.draw(st.from_regex(signature))


@pytest.mark.parametrize(
    ("signature", "flags", "expected"),
    [
        (rb"ab+cde", 0, b"cde"),
        (rb"abc", re.IGNORECASE, b""),
        (rb"(?i)abc", 0, b""),
        (rb"(?i:abc)de", 0, b"de"),
    ],
)
def test_letters_of_either_case_are_no_literal(signature: bytes, flags: int, expected: bytes) -> None:
    outline = LITERALS[0]._replace(signature=signature, flags=flags)
    assert list_formats.literal(outline) == expected


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign[0])
@settings(max_examples=20)
@given(data=st.data())
def test_the_literal_of_a_sign_is_in_all_that_has_it(
    sign: tuple[str, str, Any, str], data: st.DataObject
) -> None:
    _, literal, pattern, _ = sign
    assert literal in data.draw(st.from_regex(re.compile(pattern.pattern, pattern.flags)))


def test_a_signature_takes_nothing_from_what_is_sniffed() -> None:
    """A file that is one by its name or by `sniff` begins as its outline says."""
    for head in (b"path,sentence\na.wav,the cat\n", b"path;sentence\na.wav;the cat\n"):
        assert recognise(Source("x", head), ReadOptions()) is FORMATS["csv"]
    assert recognise(Source("x", b"\n \npath\tsentence\na.wav\tthe cat\n"), ReadOptions()) is FORMATS["tsv"]
    told = b'settings\na.wav\n{"text": "the cat"}\n'
    assert recognise(Source("x", told), ReadOptions()) is FORMATS["sherpa"]


def test_what_a_format_comes_before_is_a_format() -> None:
    for format in FORMATS.values():
        assert all(FORMATS[name].recognised == format.recognised for name in format.before)


def test_a_file_in_the_folder_of_formats_is_all_that_a_format_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(
        tmp_path / "of_a_test.py",
        "import re\n"
        "from fstmetrics.readers.items import Format, Item\n"
        "def read(source, options):\n"
        "    yield Item(None, None, source.text)\n"
        "FORMAT = Format('of-a-test', 'one sentence', read, 'text', signature=re.compile(rb'ONE '))\n",
    )
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    monkeypatch.delitem(vars(FORMATS), "shipped", raising=False)
    recognising._order.cache_clear()
    try:
        found = recognise(Source("x", b"ONE word"), ReadOptions())
        assert found.name == "of-a-test"
        assert [item.text for item in found.read(Source("x", b"ONE word"), ReadOptions())] == ["ONE word"]
        texts = [name for name, format in FORMATS.items() if format.holds == "text"]
        assert "of-a-test" in texts
        assert texts == sorted(texts)
    finally:
        recognising._order.cache_clear()
        monkeypatch.undo()
        sys.modules.pop(f"{formats.__name__}.of_a_test", None)
