"""What a file of JSON is, by the keys that its objects have, in any order: `json_kind`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from fstmetrics.io.column_roles import (
    EITHER,
    HYPOTHESES,
    IDS,
    KNOWN,
    REFERENCES,
    names_hypothesis,
    plain_name,
)
from fstmetrics.io.detection.head import Head, Json, values_in
from fstmetrics.io.detection.table_signs import TEXTS
from fstmetrics.io.detection.text_signs import JSON, WANTED, Refused, no_text
from fstmetrics.io.ids import LOOKS_LIKE_ID
from fstmetrics.support.names import listed

Object = Mapping[str, Any]
# In an object of a recording: lists of its parts, which have a `text`, as Whisper and its relatives write them.
PARTS = ("segments", "chunks", "transcription")
# Lists of its words, beside the `text` of the whole: OpenAI's, Vosk's.
WORDS = ("words", "result")
# In a segment of Whisper or faster-whisper, which has numbers for ids, and in nothing else.
SEEK = "seek"
# Keys of what Vosk prints, an object a piece of the recording; the second ones are in no other rows.
VOSK, ONLY_VOSK = frozenset({"text", "spk", "spk_frames"}), frozenset({"result", "partial", "partial_result"})
# One of them is in every network.
NETWORK_KEYS = frozenset({"cards", "root"})
# Names of columns that hold n-best lists.
LISTS = (
    "nbest", "n_best", "nbests", "nbest_hypotheses", "n_best_hypotheses", "beams", "hyps", "hypotheses",
    "alternatives", "candidates", "predictions", "hypothesis", "hyp", "hyp_text", "hypothesis_text", "pred_text",
    "prediction", "predicted", "pred", "predicted_text", "asr", "asr_text", "recognized_text", "recognised_text",
)  # fmt: skip
# The columns of HyPoradise (Chen et al. 2023, NeurIPS).
INPUT, OUTPUT = "input", "output"
# In an entry that is an object: its text.
ENTRY_TEXTS = ("text", "hypothesis", "hyp", "transcript", "transcription", "pred_text", "sentence")
# As pandas writes tables, beside lists of rows.
_SPLIT = (frozenset({"columns", "data"}), frozenset({"schema", "data"}))
_MAKERS = (
    (frozenset({"audio_filepath"}), "NeMo manifest"),
    (frozenset({"recording_id", "supervisions"}), "Lhotse manifest"),
    (frozenset({"recording_id", "duration"}), "Lhotse manifest"),
    (frozenset({"sampling_rate", "num_samples"}), "Lhotse manifest"),
    (frozenset({"recording", "supervisions"}), "Lhotse manifest"),
    (frozenset({"text", "segments"}), "Whisper transcript"),
)


# The keys of SegLST's segments without words: who spoke when.
TURN = {"session_id", "speaker", "start_time", "end_time"}


def json_kind(head: Head) -> str | Refused | None:
    """The format of a file of JSON, or why it is none that is read; None where it is text after all."""
    found = head.json
    assert found is not None
    first = found.first
    is_of_session = isinstance(first, dict) and first.get("session_id") is not None
    if is_of_session and ("words" in first or first.keys() == TURN):
        return "seglst"
    if isinstance(first, dict) and not found.is_list and (kind := _forest_or_network(first, found.begun)):
        return kind
    if not found.is_known:
        return None
    if found.is_cut and not isinstance(first, dict):
        return None if first is None and not head.text.startswith(("[\n", '["', "[{")) else JSON
    if not isinstance(first, dict):
        return _listed(head) if isinstance(first, str | list) and first != [] else None
    return _kind_of_object(head, found, first)


def _listed(head: Head) -> Refused:
    """A list of texts, or a list a line."""
    try:
        is_a_line = len(head.lines) > 1 and isinstance(json.loads(head.lines[0]), list)
    except (ValueError, RecursionError):
        is_a_line = False
    if is_a_line:
        return no_text("file of JSON lists, one a line", WANTED)
    values = list(values_in(head.source))
    if all(isinstance(value, str) for value in values):
        return no_text("JSON list of texts", f"{WANTED}; jq -r '.[]' writes its texts, a line each")
    if all(map(_is_pair, values)):
        pairs = """jq -r '.[] | join("\\t")' writes a line each, a tab between the two"""
        return no_text("JSON list of pairs of texts", f"{WANTED}; {pairs}")
    return no_text("JSON list of lists", WANTED)


def _is_pair(value: Any) -> bool:
    """Whether a value is a list of two texts, the first without white space, as an id is."""
    is_pair = isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value)
    return is_pair and len(value[0].split()) == 1


def _kind_of_object(head: Head, found: Json, first: Object) -> str | Refused | None:
    is_one = not found.is_list and not found.has_more
    if {"metric", "signature"} <= first.keys() and str(first["signature"]).startswith("fstmetrics|"):
        return "records"
    if is_one and is_recording(first):
        return "whisper"
    if found.is_list and SEEK in first and is_segment(first):
        if not head.is_whole:
            return None
        if are_segments(head):
            return "whisper"
    if not found.is_list and VOSK.union(ONLY_VOSK) >= first.keys():
        if not head.is_whole:
            return None
        if _is_of_vosk(head):
            return "whisper"
    names = {*first, *columns_of(first)}
    is_rows = bool(first) and not (
        {"metric", "score", "id"} <= first.keys()
        or {"session_id", "words"} <= first.keys()
        or {"text", "segments"} <= first.keys()
    )
    given = head.columns or frozenset()
    if (
        is_rows
        and is_one
        and (refused := _columns_or_item(head.name, first, given) or _one_list(first, given))
    ):
        return refused
    column = list_column(first) if is_rows and not (is_one and columns_in(first, given)) else None
    if column is not None and not _is_text_named(head, column, first):
        return _words_or_nbest(head, column)
    if is_rows and (any(map(head.knows, names)) or (not is_one and not found.is_cut)):
        return "jsonl"
    if head.columns is not None:  # somebody names them
        return "jsonl"
    if is_one and head.name.endswith(".json") and not NETWORK_KEYS.isdisjoint(first):
        return "network"
    return _refusal(first, "JSON" if is_one or found.is_list else "JSON Lines", found.is_list)


def _is_text_named(head: Head, column: str, first: Object) -> bool:
    """Whether the caller names a text that is a hypothesis, and not the column of n-best lists."""
    given = head.columns or frozenset()
    return column not in given and any(
        names_hypothesis(name) and isinstance(first.get(name), str) for name in given
    )


def _forest_or_network(first: Object, begun: tuple[str, str]) -> str | None:
    """An object whose first members tell what it is, however long it may be."""
    if str(first.get("format", "")).startswith("fstmetrics-network/"):
        return "network"
    key, value = begun
    if "rules" in first and isinstance(rules := first["rules"], list):
        if not rules:
            return "cdec" if "features" in first else None
        return {int: "cdec", str: "cicada"}.get(type(rules[0]))
    if key == "rules" and value[:1] == "[":
        rule = value[1:].lstrip()[:1]
        return "cicada" if rule == '"' else "cdec" if rule.isdigit() else None
    return None


def parts_of(document: Object) -> list[Any] | None:
    """The segments or chunks of a recording; None where there are none."""
    parts = next((document[name] for name in PARTS if isinstance(document.get(name), list)), None)
    if parts is None or not all(
        isinstance(part, dict) and isinstance(part.get("text"), str) for part in parts
    ):
        return None
    return parts if parts or isinstance(document.get("text"), str) else None


def is_recording(document: Object) -> bool:
    """Whether an object is the transcript of a recording: its segments, or its text beside its words."""
    if parts_of(document) is not None:
        return True
    if not isinstance(document.get("text"), str) or any(map(_names_item, document)):
        return False
    lists = (document.get(name) for name in WORDS)
    return any(
        isinstance(words, list) and words and all(isinstance(word, dict) for word in words) for words in lists
    )


def is_segment(value: Any) -> bool:
    """Whether a value is a segment of a recording: its text and times, and no id, but for the number that Whisper has.

    >>> is_segment({"start": 0.0, "end": 1.5, "text": " the cat"}), is_segment({"id": 7, "start": 0, "text": "the cat"})
    (True, False)
    """
    return (
        isinstance(value, dict)
        and {"start", "end"} <= value.keys()
        and isinstance(value.get("text"), str)
        and not any(_names_item(key) and not (key == "id" and SEEK in value) for key in value)
    )


def are_segments(head: Head) -> bool:
    """Whether a file is one list of segments of a recording."""
    found = head.json
    return found is not None and found.is_list and all(map(is_segment, values_in(head.source)))


def _names_item(key: str) -> bool:
    """Whether a key is that of an id: the object is a row."""
    return key == "id" or key.endswith(("_id", "path", "file", "filename"))


def _is_of_vosk(head: Head) -> bool:
    """Whether the file is objects of Vosk, and one of them is sure to be."""
    is_sure = False
    for value in values_in(head.source):
        if not isinstance(value, dict) or not VOSK.union(ONLY_VOSK) >= value.keys():
            return False
        is_sure |= not ONLY_VOSK.isdisjoint(value)
    return is_sure


def _one_list(table: Object, given: Collection[str]) -> Refused | None:
    """The one object of a file with one list of texts, beside which nothing tells that the object is an item."""
    known = [name for name in table if _is_known(name, given) or plain_name(name) in LISTS]
    if len(known) != 1 or type(table[known[0]]) is not list or _is_nbest_named(known[0]):
        return None
    (column,) = known
    if column in ("hyps", "alternatives", "candidates") or not is_nbest(table[column]):
        return None
    kind, holds = (
        ("nbest-json", "an n-best list")
        if plain_name(column) in LISTS
        else ("jsonl", "several references of one item")
    )
    return no_text(
        f"JSON object with one list, {column}",
        f"{WANTED}; jq -r '.{column}[]' writes its texts, --format {kind} reads {holds}",
    )


def _words_or_nbest(head: Head, column: str) -> str | Refused | None:
    """An n-best list where some entry is an object or has a space in it, or the name says so; else it is open."""
    if _is_nbest_named(column):
        return "nbest-json"
    have_several = False
    for row in values_in(head.source):
        entries = row.get(column) if isinstance(row, dict) else None
        if not isinstance(entries, list):
            continue
        if any(not isinstance(entry, str) or len(entry.split()) > 1 for entry in entries):
            return "nbest-json"
        have_several |= len(entries) > 1
    if not head.is_whole:
        return None
    if not have_several:
        return "nbest-json"
    return no_text(
        f"table whose column {column} has lists of single words",
        "they may be the words of a sentence or an n-best list: "
        f"""jq -c '.{column} |= join(" ")' makes sentences of rows, --format nbest-json reads n-best lists""",
    )


def columns_of(row: Object, above: str = "") -> Iterator[str]:
    """The columns of a row, those of objects in it as `object.column`."""
    for name, value in row.items():
        if isinstance(value, dict):
            yield from columns_of(value, f"{above}{name}.")
        else:
            yield above + name


def columns_in(table: Object, given: Collection[str] = ()) -> dict[str, list[Any]] | None:
    """The columns of an object that is a table: lists as long as one another, or objects by the labels of rows.

    What is beside columns of both sides is of the whole table, and left out.

    Args:
        table: the object.
        given: columns that the caller names.

    >>> columns_in({"ref": ["a b", "c"], "hyp": ["a", "c"], "wer": 0.3})
    {'ref': ['a b', 'c'], 'hyp': ['a', 'c']}
    >>> columns_in({"ref": {"u1": "a", "u2": "b"}, "hyp": {"u2": "c", "u1": "a"}})
    {'ref': ['a', 'b'], 'hyp': ['a', 'c']}
    """
    values = list(table.values())
    if len(values) > 1 and all(
        type(each) is dict and each and each.keys() == values[0].keys() for each in values
    ):
        return {name: [column[label] for label in values[0]] for name, column in table.items()}
    lists = _lists_in(table)
    is_whole = len(lists) == len(table) or (
        _are_both_sides(lists, given) and not any(_is_known(name, given) for name in table.keys() - lists)
    )
    return lists if is_whole and len(lists) > 1 and len(set(map(len, lists.values()))) == 1 else None


def _lists_in(table: Object) -> dict[str, list[Any]]:
    """The members that are lists, but for those of objects, which are parts of one item."""
    return {
        name: value
        for name, value in table.items()
        if type(value) is list and not (value and isinstance(value[0], dict))
    }


def _are_both_sides(names: Iterable[str], given: Collection[str]) -> bool:
    """Whether columns of both sides are among these."""
    ours = {plain_name(name) for name in names if not _is_nbest_named(name)}
    return len(set(given).intersection(names)) > 1 or not (
        ours.isdisjoint((*REFERENCES, *EITHER)) or ours.isdisjoint((*HYPOTHESES, *LISTS))
    )


def _is_nbest_named(column: str) -> bool:
    return "best" in column or "beam" in column


def _is_known(name: str, given: Collection[str]) -> bool:
    return plain_name(name) in KNOWN or name in given


def _columns_or_item(file: str, table: Object, given: Collection[str]) -> Refused | None:
    """The one object of a file whose lists may be columns, or several references and an n-best list of one item."""
    lists = _lists_in(table)
    beside = [name for name in table if name not in lists and _is_known(name, given)]
    is_item = any(name in given or plain_name(name) not in IDS for name in beside)
    if is_item or not _are_both_sides(lists, given):
        return None
    sizes = [len(values) for values in lists.values()]
    counts = listed([f"{name} ({size})" for name, size in zip(lists, sizes, strict=True)])
    item = (
        "--format nbest-json (of REF --ref-format) reads one item with several references and an n-best list"
    )
    if columns_in(table, given) is None:
        id = f" beside {beside[0]}" if beside else ""
        return no_text(
            f"JSON object with lists of both sides, {counts}{id}",
            "columns of a table would be as long as one another, each, and the ids a column, too; "
            f'{item}; several such items are JSON Lines, {{"ref": [...], "hyp": [...]}} in a line each',
        )
    have_ids = any(plain_name(name) in IDS for name in lists)  # no item has several
    if file.endswith((".jsonl", ".ndjson")) and sizes[0] != 1 and not have_ids:
        return no_text(
            f"single line of JSON Lines with lists of both sides, {counts}",
            f"--format jsonl reads columns, an item for each element; {item}",
        )
    return None


def list_column(row: Object) -> str | None:
    """The column of an n-best list; None where a row has none."""
    names: Iterable[str] = (*LISTS, INPUT) if isinstance(row.get(OUTPUT), str) else LISTS
    found = [name for name in names if is_nbest(row.get(name))]
    if not found and not any(names_hypothesis(name) and isinstance(row[name], str) for name in row):
        found = [name for name in names if text_in_pairs(row.get(name)) is not None]  # refused by the reader
    return next((name for name in found if row[name]), found[0] if found else None)


def has_list(row: Any) -> bool:
    """Whether a value is an object with an n-best list."""
    return isinstance(row, dict) and list_column(row) is not None


def is_nbest(value: Any) -> bool:
    """Whether a value is a list of texts, or of objects with one each."""
    return isinstance(value, list) and all(map(_is_entry, value))


def _is_entry(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and text_key(value) is not None)


def text_in_pairs(value: Any) -> int | None:
    """In a list of pairs of a text and a number, in either order, the place of the text; None of anything else.

    >>> text_in_pairs([["the cat", -1.5]]), text_in_pairs([[-1.5, "the cat"]]), text_in_pairs(["the cat"])
    (0, 1, None)
    """
    pairs = value if isinstance(value, list) else ()
    kinds = {tuple(map(type, pair)) if isinstance(pair, list) else () for pair in pairs}
    orders: list[set[tuple[type, ...]]] = [{(str, int), (str, float)}, {(int, str), (float, str)}]
    return next((place for place, order in enumerate(orders) if kinds and kinds <= order), None)


def text_key(entry: Object) -> str | None:
    """Where the text of an entry is that is an object."""
    return next((name for name in ENTRY_TEXTS if isinstance(entry.get(name), str)), None)


# What services write of a recording: a member of the object, one of that or of its first element, and what jq makes of
# it. Those of a list are parts of the recording, or its channels, whose words or phrases are put in the order of time.
_SERVICES = (
    ("results", "transcripts", "Amazon Transcribe", ".results.transcripts[].transcript", ""),
    ("results", "channels", "Deepgram", ".results.channels[].alternatives[0].transcript // empty",
     "[.results.channels[].alternatives[0].words[]] | sort_by(.start)[] | .punctuated_word // .word"),
    ("results", "alternatives", "Google Speech-to-Text or Speechmatics",
     '.results[] | select(.type != "punctuation") | .alternatives[0] | .transcript // .content // empty',
     ""),
    ("combinedRecognizedPhrases", "lexical", "Azure Speech", ".combinedRecognizedPhrases[].lexical // empty",
     ".recognizedPhrases | sort_by(.offsetInTicks)[] | .nBest[0].lexical // empty"),
    ("combinedPhrases", "text", "Azure Speech", ".combinedPhrases[].text // empty",
     ".phrases | sort_by(.offsetMilliseconds)[] | .text // empty"),
    ("NBest", "Lexical", "Azure Speech", ".NBest[0].Lexical // empty", ""),
    ("monologues", "elements", "Rev.ai", '.monologues[].elements[] | select(.type == "text") | .value', ""),
)  # fmt: skip


def _of_service(document: Object) -> Refused | None:
    """The transcript of a recording by a service."""
    for name, member, service, command, of_channels in _SERVICES:
        value = document.get(name)
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, dict) and member in inner:
            parts = value if isinstance(value, list) else inner[member]
            if of_channels and isinstance(parts, list) and len(parts) > 1:
                command = of_channels
            advice = f"jq -r '{command}' FILE | paste -sd ' ' writes its words as one line"
            return no_text(f"transcript of {service} (JSON)", advice)
    return None


def _by_id(first: Object) -> Refused | None:
    """What to say of an object whose keys are ids: ESPnet's `data.json`, or a text of each id."""
    written = """jq -r '{} | to_entries[] | "\\(.key)\\t\\({})"' FILE writes"""
    if first.keys() == {"utts"} and isinstance(utterances := first["utts"], dict):
        ways = [
            f"{written.format('.utts', f'.value.output[0].{key}')} the {what}"
            for key, what in (("text", "references"), ("rec_text", "hypotheses"))
            if all(_has_output(each, key) for each in utterances.values())
        ]
        advice = ", ".join([WANTED, *ways])
        return no_text("data.json of ESPnet, an object of utterances by id", advice)
    if len(first) > 1 and all(
        isinstance(text, str) and LOOKS_LIKE_ID.fullmatch(id) for id, text in first.items()
    ):
        advice = f"{WANTED}; {written.format('.', '.value')} a line each, a tab between the two"
        return no_text("JSON object of a text by each id", advice)
    return None


def _has_output(utterance: object, key: str) -> bool:
    """Whether ESPnet's object of an utterance has a text under this key."""
    found = utterance.get("output") if isinstance(utterance, dict) else None
    return isinstance(found, list) and bool(found) and isinstance(found[0], dict) and key in found[0]


def _refusal(first: Object, kind: str, is_list: bool) -> Refused:
    """What to say of objects with these fields."""
    fields = set(first)
    if not is_list and (service := _of_service(first)):
        return service
    if {"metric", "score", "id"} <= fields:
        return no_text(
            "file of records of fstmetrics",
            "show, errors, report and correlate read them; here texts are expected",
        )
    if not is_list and (known := _by_id(first)):
        return known
    if any(keys <= fields for keys in _SPLIT):
        wanted = "to_json(FILE, orient='records', lines=True) of pandas writes rows, which are read"
        return no_text("table in JSON that is not a list of rows", wanted)
    maker = next((name for needed, name in _MAKERS if needed <= fields), "")
    name = f"{maker} ({kind})" if maker else f"{kind} file"
    texts = [field for field in TEXTS if isinstance(first.get(field), str)]
    if not texts:
        return JSON._replace(name=name)
    each = "jq -r '.[].{}'" if is_list else "jq -r .{}"
    commands = " and ".join(each.format(field) for field in texts[:3])
    return no_text(name, f"{WANTED}; {commands} write{'s' * (len(texts) == 1)} the texts")
