"""Test sets of WMT, as XML (since 2021) and as SGML of NIST's mteval: source, references and outputs by document.

    <dataset id="newstest2021.en-de">            <refset setid="newstest2019" srclang="any" trglang="de">
    <doc id="talk" domain="news">                <doc sysid="ref" docid="talk" genre="news">
    <ref lang="de" translator="A">               <p><seg id="1">Guten Tag.</seg></p>
    <p><seg id="1">Guten Tag.</seg></p></ref>    </doc></refset>
    <hyp lang="de" system="Online-A">...

A file is a table: a row a segment, with the columns `document`, `domain`, `source`, `ref-A` for the reference of the
translator A and `hyp-Online-A` for the output of a system; the one reference or output there is, is `ref` or `hyp` as
well. The id is `DOCUMENT:SEGMENT`. Elements may be in capitals, as `<SEG id=1>` of older SGML, and values without
quotes. Of markup only these elements are read; `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`
and characters by number are what they stand for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.rows import Rows, items_of_rows, parsed_once
from fstmetrics.support.source import Source

TAG = re.compile(
    r"<(?P<end>/?)(?P<name>dataset|collection|doc|src|ref|hyp|seg|srcset|refset|tstset|mteval)\b(?P<rest>[^<>]*)>",
    re.IGNORECASE,
)
# What an element, a declaration or an instruction begins with, within a segment.
MARKUP = re.compile(r"<[/!?]?[A-Za-z][^<>]*>")
ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([\w:.-]+))""")
ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));")
ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
# Elements within elements, at most.
DEEPEST = 50
REFERENCE, HYPOTHESIS, SOURCE = "ref", "hyp", "source"
# What elements hold, and in which attributes they may say whose it is.
SETS = {
    "src": SOURCE,
    "srcset": SOURCE,
    "ref": REFERENCE,
    "refset": REFERENCE,
    "hyp": HYPOTHESIS,
    "tstset": HYPOTHESIS,
}
NAMED_BY = {SOURCE: (), REFERENCE: ("translator", "refid", "sysid"), HYPOTHESIS: ("system", "sysid", "tstid")}


class _Place(NamedTuple):
    """The segment that is read: where it begins, of which document, what it is, and whose."""

    line: int
    document: str
    domain: str
    column: str
    id: str


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The items of one side, in the order of the file.

    Raises:
        InputError: elements that do not close, a segment without an id, the same one twice, or as of `items_of_rows`.
    """
    yield from items_of_rows(_called(parsed_once(source, "wmt-xml", _rows), options), options)


def _called(rows: Rows, options: ReadOptions) -> Rows:
    """The rows, where the only reference, and the only output, has the usual name unless somebody names it."""
    renamed = {}
    for kind in (REFERENCE, HYPOTHESIS):
        found = [name for name in rows.names or () if name == kind or name.startswith(f"{kind}-")]
        if len(found) == 1 and found[0] not in options.table.given.get(kind, ()):
            renamed[found[0]] = kind
    if not renamed:
        return rows
    changed = [{renamed.get(name, name): value for name, value in row.items()} for row in rows.rows]
    return Rows(rows.source, changed, rows.lines, [renamed.get(name, name) for name in rows.names or ()])


def _rows(source: Source) -> Rows:
    found: dict[str, dict[str, Any]] = {}
    lines: list[int] = []
    columns: dict[str, None] = {}
    for place, text in _segments(source):
        id = f"{place.document}:{place.id}"
        if id not in found:
            found[id] = {"id": id, "document": place.document} | (
                {"domain": place.domain} if place.domain else {}
            )
            lines.append(place.line)
        row = found[id]
        if place.column in row:
            raise source.error(
                f"segment {place.id} of {place.document} is there twice in {place.column}", place.line
            )
        row[place.column] = text
        columns[place.column] = None
    if not found:
        raise source.error("holds no segment, <seg id=...>")
    domains = ["domain"] if any("domain" in row for row in found.values()) else []
    return Rows(source, list(found.values()), lines, ["id", "document", *domains, *columns])


def _segments(source: Source) -> Iterator[tuple[_Place, str]]:
    text = _without_comments(source)
    if "<![CDATA[" in text or "<!ENTITY" in text:
        raise source.error("has CDATA or entities of its own, which are not read: write the text itself")
    opened: list[tuple[str, Mapping[str, str]]] = []
    place, begin, line, counted = None, 0, 1, 0
    for tag in TAG.finditer(text):
        line, counted = line + text.count("\n", counted, tag.start()), tag.start()
        name = tag["name"].lower()
        if place is not None and name != "seg":
            raise source.error(f"<seg> in line {place.line} is not closed before {tag[0][:40]}", line)
        if tag["end"]:
            if not opened or opened[-1][0] != name:
                expected = f"</{opened[-1][0]}>" if opened else "no end"
                raise source.error(f"</{name}> closes nothing that is open: expected {expected}", line)
            opened.pop()
            if place is not None:
                words = text[begin : tag.start()]
                if markup := MARKUP.search(words):
                    raise source.error(
                        f"{markup[0][:40]} is an element within segment {place.id} of {place.document}, whose words "
                        "may be text or not: take it out, or write &lt; for a character",
                        place.line + words.count("\n", 0, markup.start()),
                    )
                yield place, " ".join(_unescaped(words).split())
                place = None
            continue
        attributes = {
            key.lower(): _unescaped(double or single or bare)
            for key, double, single, bare in ATTRIBUTE.findall(tag["rest"])
        }
        if name == "seg":
            if place is not None:
                raise source.error(f"<seg> in line {place.line} is not closed", line)
            place, begin = _place(source, line, opened, attributes), tag.end()
        if tag["rest"].endswith("/"):  # an element without content
            if place is not None:
                yield place, ""
                place = None
            continue
        opened.append((name, attributes))
        if len(opened) > DEEPEST:
            raise source.error(f"elements nest {len(opened)} deep; the limit is {DEEPEST}", line)
    if opened:
        raise source.error(f"<{opened[-1][0]}> is not closed at the end: is the file cut off?", line)


def _without_comments(source: Source) -> str:
    """The text without comments, but with their line ends."""
    text, parts, at = source.text, list[str](), 0
    while (begin := text.find("<!--", at)) >= 0:
        if (end := text.find("-->", begin + 4)) < 0:
            raise source.error("a comment is not closed", text.count("\n", 0, begin) + 1)
        parts += (text[at:begin], "\n" * text.count("\n", begin, end))
        at = end + 3
    return "".join([*parts, text[at:]])


def _place(
    source: Source, line: int, opened: list[tuple[str, Mapping[str, str]]], own: Mapping[str, str]
) -> _Place:
    every = {key: value for _, attributes in opened for key, value in attributes.items()}
    document = next((each for name, each in reversed(opened) if name == "doc"), None)
    kind = next((SETS[name] for name, _ in reversed(opened) if name in SETS), None)
    if document is None or kind is None or not (id := own.get("id", "").strip()):
        raise source.error(
            "a <seg> has to have an id, and to be in a <doc> and in <src>, <ref>, <hyp>, or a srcset, refset or tstset",
            line,
        )
    named = (document.get("docid") or document.get("id") or "").strip()
    if not named:
        raise source.error("a <doc> without an id", line)
    whose = next((every[key] for key in NAMED_BY[kind] if every.get(key)), "")
    domain = document.get("domain") or document.get("genre") or ""
    return _Place(line, named, domain.strip(), f"{kind}-{whose}" if whose else kind, id)


def _unescaped(text: str) -> str:
    def character(found: re.Match[str]) -> str:
        name, number, hexadecimal = found.groups()
        if name:
            return ENTITIES[name]
        code = int(number) if number else int(hexadecimal, 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else found[0]

    return ENTITY.sub(character, text)


FORMAT = Format("wmt-xml", "test sets of WMT, XML or SGML", read, has_sides=True)
