"""Lattices in text, a file each, read line by line: the referee of native parsers for all that an item has.

Each reader gives the item of a file, or raises InputError with the message that the format's own reader gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from fstmetrics.readers.arcs import (
    MAX_STATES,
    ArcList,
    fields_of,
    real,
    refuse_cut,
    refuse_empty,
    shown,
    state_number,
)
from fstmetrics.readers.items import Item, ReadOptions
from fstmetrics.readers.labels import read_symbols
from fstmetrics.support.source import Source

# A list in brackets, or what blanks part.
FIELD = re.compile(r"\[[^\[\]]*\]|[^ \t\[\]]+|[^ \t]")
LABEL = re.compile(r"-?\d{1,10}", re.ASCII)
FINAL_LABEL = "-1"


def read_k2(source: Source, options: ReadOptions) -> Item:
    """k2's text, as k2_text.py describes it."""
    refuse_empty(source)
    rows = [(number, fields) for number, line in source.lines() if (fields := k2_fields(line))]
    last, final = rows.pop()
    if len(final) != 1 or not rows:
        raise source.error(
            f"expected the final state alone on the last line, found {shown(' '.join(final))}", last
        )
    form = [k2_is_list(field) for field in rows[0][1]]
    symbols = read_symbols(options.symbols) if options.symbols else None
    arcs, lists, highest = ArcList(), [], 0
    for number, fields in rows:
        try:
            k2_check_form(fields, form)
            begin, end, words, cost = k2_arc(fields, final[0], symbols)
        except ValueError as error:
            raise source.error(str(error), number) from None
        highest = max(highest, begin, end)
        if len(words) > 1:
            lists.append((begin, end, words, cost, number))
        else:
            arcs.add(begin, end, "".join(words), cost, number)
    try:
        arcs.finals = {state_number(final[0]): last}
    except ValueError as error:
        raise source.error(str(error), last) from None
    states = 1 + max(highest, *arcs.finals)  # from where states between the words of a list are numbered
    for begin, end, words, cost, number in lists:
        path = [begin, *range(states, states + len(words) - 1), end]
        states += len(words) - 1
        for source_state, next_state, word in zip(path, path[1:], words, strict=False):
            arcs.add(source_state, next_state, word, cost, number)
            cost = 0.0
    refuse_cut(source)
    told = options.tell_left_out and any(k2_has_other_output(fields) for _, fields in rows)
    numbered = symbols is None and any(arcs.words)
    lattice = arcs.lattice(source, id=source.stem, numbered=numbered)
    return Item(source.stem, lattice, left_out=("input labels",) if told else ())


def k2_fields(line: str) -> list[str]:
    return FIELD.findall(line) if "[" in line else fields_of(line)


def k2_check_form(fields: list[str], form: list[bool]) -> None:
    """Refuse fields of another form than the first line's, or of none that is read; ValueError."""
    if form.count(True) > 1 or (True in form and form.index(True) > 3):
        raise ValueError(
            f"an arc with several labels or lists of labels, {shown(' '.join(fields))}, which the text does not name; "
            "take off all but the words before k2.to_str, say by `del fsa.other_labels`"
        )
    if [k2_is_list(field) for field in fields] != form or not 3 <= len(fields) <= 5:
        raise ValueError(
            "expected `source destination label [output] [score]`, all lines with as many fields as the first "
            f"({len(form)}), found {shown(' '.join(fields))}"
        )


def k2_arc(
    fields: list[str], final: str, symbols: Mapping[int, str] | None
) -> tuple[int, int, list[str], float]:
    """Source, destination, words and cost of an arc."""
    begin, end, label = state_number(fields[0]), state_number(fields[1]), fields[2]
    if (highest := max(begin, end)) >= MAX_STATES:
        raise ValueError(f"state {highest} is out of range: there are {MAX_STATES} states at most")
    into_final = fields[1] == final
    if (label == FINAL_LABEL) != into_final:
        raise ValueError(
            f"label {shown(label)} into state {end}: -1 must be on the arcs into the final state {final} only"
        )
    outputs = k2_outputs(fields)
    if into_final:  # of a list, words may stand there, too
        outputs = [output for output in outputs if output != FINAL_LABEL] if k2_has_list(fields) else []
    words = [word for output in outputs if (word := k2_word(output, symbols))]
    has_score = len(fields) > (4 if k2_has_list(fields) else 3)
    return begin, end, words, 0.0 - real(fields[-1]) if has_score else 0.0


def k2_is_list(field: str) -> bool:
    return field.startswith("[") and field.endswith("]")


def k2_has_list(fields: list[str]) -> bool:
    return len(fields) > 3 and k2_is_list(fields[3])


def k2_outputs(fields: list[str]) -> list[str]:
    """The labels that are words."""
    if k2_has_list(fields):
        return fields_of(fields[3].strip("[]"))
    return [fields[3] if len(fields) == 5 else fields[2]]


def k2_has_other_output(fields: list[str]) -> bool:
    outputs = [output for output in k2_outputs(fields) if output not in (FINAL_LABEL, "0")]
    return outputs != [label for label in fields[2:3] if label not in (FINAL_LABEL, "0")]


def k2_word(label: str, symbols: Mapping[int, str] | None) -> str:
    if LABEL.fullmatch(label) is None or int(label) < 0:
        raise ValueError(f"a label is a non-negative integer here, not {shown(label)}")
    if int(label) == 0:
        return ""
    if symbols is None:
        return str(int(label))
    if int(label) not in symbols:
        raise ValueError(f"label {int(label)} is not in the symbol table")
    return symbols[int(label)]


SLOW_LATTICES: dict[str, Callable[[Source, ReadOptions], Item]] = {"k2": read_k2}
