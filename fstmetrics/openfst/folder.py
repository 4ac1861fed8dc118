"""Machines as a folder of files, with a script that gets the answer by OpenFst's own programs: `write_machines`.

`write_grammars` writes rewrite rules as transducers.

| file | what it is |
|---|---|
| `h.fst` | H |
| `t-left.fst`, `t-right.fst` | T in its two factors |
| `r.fst`, or `cards/1.fst` and so on | R, or a network's cards, the root first, for fstreplace |
| `words.txt` | the symbol table |
| `h.svg` and so on | drawings, where machines are small enough |
| `run.sh` | composes them, prints the cost and one of the cheapest paths |

Weights are whole units, so that nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fstmetrics.grammars.model import Grammar
from fstmetrics.openfst.machines import Machines, machine_svg
from fstmetrics.openfst.pynini_objects import grammar_to_fst, pairs, rules_with_pairs
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import whole_folder
from fstmetrics.support.printable import printable

if TYPE_CHECKING:
    import pynini

HEAD = """\
#!/bin/sh
# The best path of H o T o R by OpenFst's own programs, which are in Debian's package libfst-tools and at openfst.org.
{what}
set -e
cd "$(dirname "$0")"
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT

# The shortest path of the composition. T comes in two factors: the left one takes words to marks of operations.
{replaced}fstarcsort --sort_type=olabel h.fst | fstcompose - t-left.fst "$made/left.fst"
fstarcsort --sort_type=olabel "$made/left.fst" "$made/sorted.fst"
fstarcsort --sort_type=olabel t-right.fst | fstcompose - {reference} "$made/right.fst"
fstcompose "$made/sorted.fst" "$made/right.fst" "$made/all.fst"
fstshortestdistance --reverse "$made/all.fst" > "$made/distances"
echo "cost: $(head -n 1 "$made/distances" | cut -f 2){units}"

# Of the paths with that cost the first that is found: another may be as cheap.
echo "one of the paths with that cost: from state, to state, word of H, word of R, cost"
fstshortestpath "$made/all.fst" | fstrmepsilon | fsttopsort | fstprint
"""


def write_machines(machines: Machines, folder: str, what: str = "") -> None:
    """Write them to a folder that is new or empty.

    Args:
        machines: of an item.
        folder: its path.
        what: a line on what they are of.

    Raises:
        FstmetricsError: the folder is there, and not empty, or cannot be written; or as of `Machines`.
    """
    machines = machines.in_units()
    with whole_folder(folder) as place:
        for name, fst in _files(machines):
            path = place / f"{name}.fst"
            path.parent.mkdir(exist_ok=True)
            fst.write(str(path))
            if drawing := machine_svg(fst):
                path.with_suffix(".svg").write_text(drawing + "\n", encoding="utf-8")
        machines.symbols.write_text(str(place / "words.txt"))
        script = place / "run.sh"
        script.write_text(_script(machines, what), encoding="utf-8")
        script.chmod(0o755)


def _files(machines: Machines) -> Iterator[tuple[str, pynini.Fst]]:
    """Each machine and the name of its file."""
    yield "h", machines.hypothesis
    yield from zip(("t-left", "t-right"), machines.factors, strict=True)
    if not machines.has_cards:
        yield "r", machines.reference
        return
    for number, card in enumerate(machines.cards.values(), 1):
        yield f"cards/{number}", card


def _script(machines: Machines, what: str) -> str:
    units = "" if machines.scale == 1 else f" units, {machines.scale} of which make 1"
    reference, replaced = "cards/1.fst" if machines.has_cards else "r.fst", ""
    if len(machines.calls) > 1:  # fstreplace takes no less
        reference = '"$made/r.fst"'
        rows = [f"cards/{number}.fst {label}" for number, label in enumerate(machines.calls.values(), 1)]
        names = [f"#   {row}: {printable(name)}\n" for row, name in zip(rows, machines.calls, strict=True)]
        replaced = (
            "# Calls are replaced by what they call. Each card, and the label that calls it; the root is the first:\n"
            f"{''.join(names)}fstreplace --epsilon_on_replace {' '.join(rows)} > {reference}\n"
        )
    said = f"# {printable(what)}" if what else "#"
    return HEAD.format(what=said, replaced=replaced, reference=reference, units=units)


def write_grammars(grammars: Sequence[Grammar], folder: str) -> list[tuple[str, int, int]]:
    """Write each as a transducer `NAME.fst`, over one table of words, `words.txt`.

    Returns:
        Of each the name, the number of its rewrites, and how many of its rules are left out.

    Raises:
        FstmetricsError: a grammar without a rule that a transducer of references can have, or whose rules are for hits
            alone; or as of `whole_folder`.
    """
    rewrites = [pairs(grammar) for grammar in grammars]
    for grammar, found in zip(grammars, rewrites, strict=True):
        if not found:
            raise FstmetricsError(
                f"grammar {grammar.name} has no machine: its rules stand for endlessly many rewrites, as numbers and "
                "compounds do"
            )
        if any(rule.only_hits for rule in grammar.rules):
            raise FstmetricsError(
                f"grammar {grammar.name} is used only where every word is a hit, which a transducer of references "
                "alone cannot tell; if @hits says so, or en.speech, name it without; otherwise it has no machine, and "
                "can be compiled beside REF and HYP alone"
            )
    words = dict.fromkeys(w for found in rewrites for before, after, _ in found for w in (*before, *after))
    names = [grammar.name for grammar in grammars]
    if len(set(names)) < len(names):
        raise FstmetricsError(
            "two grammars have the same name, which is that of their files; compile one at a time"
        )
    with whole_folder(folder) as place:
        for grammar in grammars:
            fst = grammar_to_fst(grammar, words)
            fst.write(str(place / f"{grammar.name}.fst"))
        fst.input_symbols().write_text(str(place / "words.txt"))
    left_out = [len(grammar.rules) - len(rules_with_pairs(grammar)) for grammar in grammars]
    return list(zip(names, map(len, rewrites), left_out, strict=True))


def folder_of_item(parent: str, id: str | None, place: int) -> str:
    """A folder for an item, by its id where that is a file's name, else by its place."""
    name = (
        id if id and len(id) < 100 and all(c.isalnum() or c in "-_." for c in id) and id[0] != "." else None
    )
    return str(Path(parent) / (name or f"item-{place}"))
