"""`fstmetrics network build`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from fstmetrics.cli.network_command.network_options import print_sizes, writing_options
from fstmetrics.cli.option_types import FORMAT, ROWS
from fstmetrics.cli.options import command, fields_option
from fstmetrics.cli.terminal import say, show, show_json, tell
from fstmetrics.convert.network_files import rows_by_id, wants_folder, write_folder, write_network
from fstmetrics.networks import network_info
from fstmetrics.networks.building import Built, from_references
from fstmetrics.readers.reading import check_paths
from fstmetrics.readers.word_alignments import Links, read_alignments
from fstmetrics.runs.input_sides import Side, id_remarks, read_texts
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.printable import counted
from fstmetrics.values.cards import Card
from fstmetrics.values.references import Texts
from fstmetrics.values.transcripts import NOTATIONS, Notation, Transcript


@command()
@click.argument("references", metavar="REF...", nargs=-1, required=True)
@click.option("--merge", is_flag=True,
              help="Join references where they have the same words before and after. The network then has more "
                   "sentences than were written; they are counted and listed.")  # fmt: skip
@click.option("--align", "alignments", multiple=True, metavar="FILE",
              help="Word alignments of a REF with the source, lines of 0-0 1-2 (source word, word of REF; from 0). "
                   "One for each REF, in the same order. Cards get the source words that they translate.")  # fmt: skip
@click.option("--source", metavar="FILE", help="The source sentences, which networks then hold.")
@click.option("--added", type=ROWS, default=10, show_default=True, metavar="N",
              help="List at most N of the sentences that --merge added, over all networks.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True,
              help="Print one JSON object about what was built, with the sentences that --merge added.")  # fmt: skip
@click.option("--format", type=FORMAT, help="Format read. Default: recognised.")
@click.option("--alternations", type=click.Choice(NOTATIONS),
              help="How plain and Kaldi text write choices; fstmetrics score --help explains them.")  # fmt: skip
@fields_option
@writing_options
def build(
    references: Sequence[str],
    merge: bool,
    alignments: Sequence[str],
    source: str | None,
    added: int,
    as_json: bool,
    format: str | None,
    alternations: Notation | None,
    fields: Sequence[str],
    output: str,
    to: str | None,
    max_arcs: int,
) -> None:
    """Make networks of plain references, one network per sentence.

    \b
    Example:  fstmetrics network build ref1.txt ref2.txt -o networks/

    What references of a sentence have in common becomes cards that they share. Sentences pair by id where the files
    have ids, otherwise by order; then they are numbered from 0, as in n-best lists. OUT is a new folder, which gets one
    file per sentence; for a single sentence it can be a file with an ending such as .json or .cards, or standard
    output.
    """
    if as_json and output == "-":
        raise FstmetricsError(
            "--json and the network both want standard output; give the network a file: -o OUT"
        )
    check_paths([*references, *alignments, source], output)
    if alignments and len(alignments) != len(references):
        raise FstmetricsError(
            f"{len(alignments)} files of word alignments for {len(references)} references; give --align once for each"
        )
    texts = read_texts(references, format, alternations, fields)
    sides = [_sentences(side) for side in texts]
    for side, path in zip(sides, alignments, strict=False):
        _align(side, path)
    paths = list(references)
    if source is not None:
        (sources,) = read_texts([source], None, None, fields)
        sides.append(_sentences(sources))
        paths.append(source)
    to_folder = wants_folder(output)
    # A single sentence without an id gets that of its file, in a folder its number.
    rows = [(id or "0" * to_folder, row) for id, row in rows_by_id(paths, sides)]
    built = [_built(id, row, merge, bool(alignments), source is not None) for id, row in rows]
    if to_folder or len(built) > 1:
        write_folder([one.network for one in built], output, to, max_arcs)
    else:
        write_network(built[0].network, output, to, max_arcs)
    found = _added(built, added)
    if as_json:
        show_json(_summary(output, built, found))
    elif output != "-":
        _print(output, built, to_folder)
    if merge and not as_json:
        _print_added(built, found, to_standard_error=output == "-")
    for remark in id_remarks(texts):
        say(remark)


def _sentences(side: Side) -> list[tuple[str | None, Any]]:
    items = side.items
    if not items.items:
        raise InputError("holds no sentence", side.path)
    values = [item.value if item.text is None else item.text for item in items.items]
    if not all(isinstance(value, str | tuple | Transcript | Texts) for value in values):
        raise InputError(f"expected text, found format {', '.join(items.formats)}", side.path)
    return [(item.id, value) for item, value in zip(items.items, values, strict=True)]


class _Aligned(NamedTuple):
    """A sentence and its word alignment, from a line of a file."""

    text: Any
    links: Links
    path: str
    line: int

    def check(self, source: Sequence[str] | None) -> None:
        """Raise an InputError for a link of a word that there is not."""
        words = self.text.split() if isinstance(self.text, str) else self.text
        sides = (("source", source), ("reference", words if isinstance(words, list | tuple) else None))
        for link in sorted(self.links):
            for (what, held), place in zip(sides, link, strict=True):
                if held is not None and place >= len(held):
                    raise InputError(
                        f"the word alignment has {link[0]}-{link[1]}, and the {what} has "
                        f"{counted(len(held), 'word')} (from 0)",
                        self.path,
                        self.line,
                    )


def _align(side: list[tuple[str | None, Any]], path: str) -> None:
    """Give every sentence of a side its word alignment."""
    links = read_alignments(path)
    if len(links) != len(side):
        raise InputError(
            f"holds {counted(len(links), 'word alignment')} for {counted(len(side), 'sentence')}", path
        )
    side[:] = [
        (id, _Aligned(text, one, path, line))
        for line, ((id, text), one) in enumerate(zip(side, links, strict=True), 1)
    ]


def _built(id: str, row: Sequence[Any], merge: bool, is_aligned: bool, has_source: bool) -> Built:
    source: Sequence[str] | None = None
    if has_source:
        *row, last = row
        source = last.split() if isinstance(last, str) else last
    alignments = [one.links for one in row] if is_aligned else None
    texts = [one.text for one in row] if is_aligned else row
    for one in row if is_aligned else ():
        one.check(source if isinstance(source, list | tuple) else None)
    try:
        if has_source and not isinstance(source, list | tuple):
            raise FstmetricsError("the source sentence leaves a choice")
        if is_aligned and any(isinstance(text, Texts) for text in texts):
            raise FstmetricsError("several references of one file cannot be aligned; give a file for each")
        every = [each for text in texts for each in (text.texts if isinstance(text, Texts) else [text])]
        return from_references(every, id, merge, alignments, source)
    except FstmetricsError as error:
        raise FstmetricsError(f"item {id}: {error}" if id else str(error)) from None


def _added(built: Sequence[Built], limit: int) -> list[tuple[Built, list[str]]]:
    """Sentences that merging added, of every network that has some, at most so many in all."""
    found: list[tuple[Built, list[str]]] = []
    for one in built:
        if one.extra and limit:
            words = one.added(limit)
            found.append((one, [" ".join(sentence) for sentence in words]))
            limit -= len(words)
    return found


def _summary(output: str, built: Sequence[Built], found: Sequence[tuple[Built, list[str]]]) -> dict[str, Any]:
    return {
        "output": output,
        "networks": len(built),
        "references": sum(one.references for one in built),
        "extra": sum(one.extra for one in built),
        "added": [
            {
                "id": one.network.id,
                "extra": one.extra,
                "sentences": sentences,
                "joins": [{"card": card.name, "phrases": card.phrases} for card in one.joins()],
            }
            for one, sentences in found
        ],
    }


def _print(output: str, built: Sequence[Built], folder: bool) -> None:
    """The size of one network in a file, or how many a folder has."""
    references = sum(one.references for one in built)
    if folder or len(built) > 1:
        networks = f"{len(built)} network{'s' * (len(built) != 1)}"
        show(f"{output}: {networks} of {references} different reference{'s' * (references != 1)}")
    else:
        print_sizes([(output, network_info(built[0].network, max_states=0))])


def _print_added(
    built: Sequence[Built], found: Sequence[tuple[Built, list[str]]], to_standard_error: bool
) -> None:
    """How many sentences merging added, and some of them."""
    references, extra = sum(one.references for one in built), sum(one.extra for one in built)
    lines = [f"{extra} sentences that nobody wrote, and the {references} references"]
    for one, sentences in found:
        begin = f"  {one.network.id}: " if len(built) > 1 else "  "
        lines += [begin + sentence for sentence in sentences]
        lines += [f"{begin}choice {_choice(card)}" for card in one.joins()]
    if (more := extra - sum(len(sentences) for _, sentences in found)) and found:
        lines.append(f"  and {more} more (--added)")
    (tell if to_standard_error else show)(*lines)


def _choice(card: Card) -> str:
    """A card in which sentences change from one reference to another."""
    if card.phrases is None:
        return f"[{card.name}]: {counted(len(card.arcs), 'arc')}"
    return f"[{card.name}]: {'; '.join(phrase or '(no words)' for phrase in card.phrases)}"
