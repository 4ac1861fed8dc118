"""k2's text form, `Fsa.from_str` and `k2.to_str`: an arc a line, and the final state alone on the last.

    0 1 10 0.1                  source destination label score
    1 3 -1 0.4                  -1 leads to the final state and is no word
    3

    0 1 10 7 0.1                the same with an output label before the score
    0 1 10 [7 8] 0.1            or with a list of them, ragged labels: no word, one, or several

Scores are logs, so costs are their negatives; a file may leave them out of all lines. The start is state 0, the final
state the highest. All arcs into it have label -1, and no others. Output labels, where there are some, are the words;
`--symbols` gives the words of integers, and 0 is no word, nor is -1 in a list on an arc into the final state. Lines do
not name their labels: those with more than one label, or list, behind the first are refused. The form with
`openfst=True`, whose scores are costs, is AT&T text, format "att". Source: k2/csrc/fsa_utils.cu, `K2FsaFromStream`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from fstmetrics._native import Labels, LatticeColumn, read_k2
from fstmetrics.readers.arcs import (
    MAX_STATES,
    ArcList,
    fields_of,
    item_limits,
    note_errors,
    real,
    refuse_cut,
    refuse_empty,
    shown,
    state_number,
)
from fstmetrics.readers.bytes import File
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.readers.labels import label_numbers, read_symbols
from fstmetrics.readers.lattice_batches import column_of_files, text_labels
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, encoded, only_item
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source, stem
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.shaping import check_path

# A list in brackets, or what blanks part.
FIELD = re.compile(r"\[[^\[\]]*\]|[^ \t\[\]]+|[^ \t]")
LABEL = re.compile(r"-?\d{1,10}", re.ASCII)
FINAL_LABEL = "-1"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one machine of a file; its id is the file's stem.

    The native parser has it, but for what is wrong: that `_read_rows` says.

    Raises:
        InputError: a line of another kind, lines of different forms, a label -1 elsewhere than into the final state, or
            an integer that the symbol table lacks.
    """
    refuse_empty(source)
    try:
        column = LatticeColumn(options.vocabulary)
        other_inputs = _add(source, column, text_labels(options, True))
    except InputError:  # of the bytes or the symbol table; lines before may be wrong, too
        other_inputs = None
    if other_inputs is None:
        yield _read_rows(source, options)
        return
    note_errors(column, lambda _: source)
    told = options.tell_left_out and other_inputs
    yield Item(source.stem, column[0], left_out=("input labels",) if told else ())


def _add(source: Source, column: LatticeColumn, labels: Labels) -> bool | None:
    """Append the machine of a file, and say whether some input is not the output; None, and nothing, if it is wrong."""
    return read_k2(source.utf8, labels, item_limits(), source.stem, column)


def read_files(files: Sequence[File], options: ReadOptions) -> LatticeColumn | None:
    """The machines of files in one column; None where one has to be read line by line."""
    labels = text_labels(options, True)
    return column_of_files(files, options, lambda source, column: _add(source, column, labels) is not None)


def _read_rows(source: Source, options: ReadOptions) -> Item:
    """The same line by line, slowly."""
    rows = [(number, fields) for number, line in source.lines() if (fields := _fields(line))]
    last, final = rows.pop()
    if len(final) != 1 or not rows:
        raise source.error(
            f"expected the final state alone on the last line, found {shown(' '.join(final))}", last
        )
    form = [_is_list(field) for field in rows[0][1]]
    symbols = read_symbols(options.symbols) if options.symbols else None
    arcs, lists, highest = ArcList(), [], 0
    for number, fields in rows:
        try:
            _check_form(fields, form)
            begin, end, words, cost = _arc(fields, final[0], symbols)
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
    told = options.tell_left_out and any(_has_other_output(fields) for _, fields in rows)
    numbered = symbols is None and any(arcs.words)
    lattice = arcs.lattice(source, id=source.stem, numbered=numbered)
    return Item(source.stem, lattice, left_out=("input labels",) if told else ())


def _fields(line: str) -> list[str]:
    return FIELD.findall(line) if "[" in line else fields_of(line)


def _check_form(fields: list[str], form: list[bool]) -> None:
    """Refuse fields of another form than the first line's, or of none that is read; ValueError."""
    if form.count(True) > 1 or (True in form and form.index(True) > 3):
        raise ValueError(
            f"an arc with several labels or lists of labels, {shown(' '.join(fields))}, which the text does not name; "
            "take off all but the words before k2.to_str, say by `del fsa.other_labels`"
        )
    if [_is_list(field) for field in fields] != form or not 3 <= len(fields) <= 5:
        raise ValueError(
            "expected `source destination label [output] [score]`, all lines with as many fields as the first "
            f"({len(form)}), found {shown(' '.join(fields))}"
        )


def _arc(
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
    outputs = _outputs(fields)
    if into_final:  # of a list, words may stand there, too
        outputs = [output for output in outputs if output != FINAL_LABEL] if _has_list(fields) else []
    words = [word for output in outputs if (word := _word(output, symbols))]
    has_score = len(fields) > (4 if _has_list(fields) else 3)
    return begin, end, words, 0.0 - real(fields[-1]) if has_score else 0.0


def _is_list(field: str) -> bool:
    return field.startswith("[") and field.endswith("]")


def _has_list(fields: list[str]) -> bool:
    return len(fields) > 3 and _is_list(fields[3])


def _outputs(fields: list[str]) -> list[str]:
    """The labels that are words."""
    if _has_list(fields):
        return fields_of(fields[3].strip("[]"))
    return [fields[3] if len(fields) == 5 else fields[2]]


def _has_other_output(fields: list[str]) -> bool:
    outputs = [output for output in _outputs(fields) if output not in (FINAL_LABEL, "0")]
    return outputs != [label for label in fields[2:3] if label not in (FINAL_LABEL, "0")]


def _word(label: str, symbols: Mapping[int, str] | None) -> str:
    if LABEL.fullmatch(label) is None or int(label) < 0:
        raise ValueError(f"a label is a non-negative integer here, not {shown(label)}")
    if int(label) == 0:
        return ""
    if symbols is None:
        return str(int(label))
    if int(label) not in symbols:
        raise ValueError(f"label {int(label)} is not in the symbol table")
    return symbols[int(label)]


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one machine of a file: start 0, a final state of its own, arcs in the order of states.

    Raises:
        FstmetricsError: no path, or a word without a number.
    """
    return encoded(_lines(only_item(items).value, options))


def _lines(lattice: Lattice, options: WriteOptions) -> Iterator[str]:
    check_path(lattice)
    automaton, names = lattice.automaton, label_numbers(lattice.symbols, options.numbering).tolist()
    start, last = automaton.start, automaton.num_states
    # k2 begins in state 0: the start changes places with it.
    number = list(range(last))
    number[0], number[start] = number[start], number[0]
    columns = (
        automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist(),
        automaton.arc_costs[:, 0].tolist(),
    )  # fmt: skip
    rows = [(number[a], number[b], names[label], cost) for a, b, label, cost in zip(*columns, strict=True)]
    ends = zip(automaton.finals.tolist(), automaton.final_costs[:, 0].tolist(), strict=True)
    rows += [(number[state], last, int(FINAL_LABEL), cost) for state, cost in ends]
    yield from (f"{a} {b} {label} {0.0 - cost!r}\n" for a, b, label, cost in sorted(rows))
    yield f"{last}\n"


EXTENSIONS = (".k2", ".k2.txt")
WRITER = Writer("k2", EXTENSIONS, Carries("lattice", costs="sum", numbers="always"), write)
FORMAT = Format(
    "k2", "k2 text, as Fsa.from_str reads it", read, extensions=EXTENSIONS, writers=(WRITER,), id_of=stem,
    files=read_files, takes_symbols=True,
)  # fmt: skip
