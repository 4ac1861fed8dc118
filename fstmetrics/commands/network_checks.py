"""The commands `network validate`, `info`, `paths` and `accepts`, and their calls."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    REQUEST,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    several_paths,
    under,
)
from fstmetrics.cli.terminal import Console, say, show, show_json, show_report
from fstmetrics.commands.networks import (
    READING,
)
from fstmetrics.convert.network_files import read_networks
from fstmetrics.data.cards import Card, card_from_json
from fstmetrics.data.network import Network
from fstmetrics.engine.network_words import refuse_uncut
from fstmetrics.io.detection.formats_and_refusals import look_of, look_remark
from fstmetrics.io.file_format import EXPORTED, export_refused, project_reader
from fstmetrics.io.formats.reference_networks import CARDS
from fstmetrics.io.ids import KnownIds, count_in_order, may_be_word
from fstmetrics.io.reading import check_paths
from fstmetrics.io.wanted_sentences import HEADER, Wanted, read_wanted
from fstmetrics.networks import Paths, network_info
from fstmetrics.networks.acceptance import Judged, network_accepts
from fstmetrics.networks.sizes import MAX_EXPANDED_ARCS, MAX_STATES, NetworkInfo
from fstmetrics.networks.text_form import parse_text_form
from fstmetrics.networks.validation import Fault, card_remarks, network_faults, network_remarks
from fstmetrics.reports.network_tables import (
    acceptance_texts,
    info_lines,
    info_table,
)
from fstmetrics.scoring.opened_sides import side_of
from fstmetrics.scoring.piece_marks import phrase_remarks, shown_by, unmarked
from fstmetrics.scoring.request import Request
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.json_text import parsed_json
from fstmetrics.support.names import listed
from fstmetrics.support.options import FLAG, PATH, ROWS, SEED, Option, whole
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source
from fstmetrics.text.normalisation import Normalisation
from fstmetrics.text.tokenizers import KNOWN, OTHER

# Paths to list where nobody says.
LIMIT = 100
# Paths drawn of each network: some minutes.
MOST_DRAWN = 10_000_000
# Ids that a message names before it only counts.
NAMED = 5

COUNTING: Options = {
    **under(
        "",
        max_arcs=Option(
            ROWS, "Expansions of more arcs are not counted; an upper bound is printed.", MAX_EXPANDED_ARCS,
        ),
        max_states=Option(
            ROWS, "Distinct strings are counted where so many states suffice; 0 counts none.", MAX_STATES,
        ),
    ),
    **READING,
    **FORMS_PRINTED,
    **under("Output", json=FORMS_PRINTED["json"]._replace(help="Print one JSON object per network.")),
}  # fmt: skip
LISTING: Options = {
    **under(
        "",
        list=Option(FLAG, "List the paths in the order of the network. This is the default.", field="listed"),
        limit=Option(ROWS, f"Paths to list of each network. Default: {LIMIT}."),
        sample=Option(
            whole(0, MOST_DRAWN), "Print N random paths of each network instead: equally likely, with replacement.",
        ),
        seed=Option(SEED, "Seed of --sample. The same seed gives the same paths.", metavar="S"),
    ),
    **READING,
}  # fmt: skip
ACCEPTING: Options = {
    **under(
        "",
        reject=Option(
            PATH, "Sentences that no network should accept, written as SENTENCES are.", metavar="FILE",
        ),
        json=REQUEST["json"]._replace(help="Print one JSON object, with all sentences that are not as wanted."),
    ),
    **under("", WORDS),
    **READING,
}  # fmt: skip


def network_info_files(networks: PathLike | Iterable[PathLike], **options: Any) -> list[NetworkInfo]:
    """The sizes of the networks of files, as `fstmetrics network info` prints them.

    Args:
        networks: files or folders.
        options: those of the command, with `_` for `-`: `item="station"`, `max_states=0`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> folder = files("fstmetrics") / "examples" / "hyter" / "networks"
    >>> [(each.id, each.paths) for each in fm.network_info_files(folder)]
    [('approval', 9), ('orejuela', 30720), ('station', 27)]
    """
    name = "network_info_files"
    given = fields_of_options(name, COUNTING, options)
    return list(infos(several_paths(name, networks, "networks"), **given))


def infos(paths: Sequence[str], max_arcs: int, max_states: int, **reading: Any) -> Iterator[NetworkInfo]:
    """The same by the fields of `COUNTING`, one after the other."""
    check_paths(paths)
    for path in paths:
        for network in read_networks(path, **reading):
            yield network_info(network, max_arcs, max_states)


class NetworkPaths(NamedTuple):
    """Paths of a network.

    Attributes:
        id: the network's id; "" where there is one network.
        paths: those that are asked for, each made when it is taken.
        total: how many the network has; None of a sample, or where there is no end of them.
    """

    id: str
    paths: Iterator[tuple[str, ...]]
    total: int | None


def network_paths_files(networks: PathLike, **options: Any) -> list[tuple[str, list[tuple[str, ...]]]]:
    """Paths of the networks of a file or folder, as `fstmetrics network paths` prints them.

    Args:
        networks: the file or folder.
        options: those of the command: `limit=10`, or `sample=10, seed=1`.

    Returns:
        The id of each network, "" where there is one, and its paths.

    Raises:
        TypeError, FstmetricsError: as of `network_info_files`.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> network = files("fstmetrics") / "examples" / "hyter" / "networks" / "station.json"
    >>> [(id, [" ".join(words) for words in paths]) for id, paths in fm.network_paths_files(network, limit=1)]
    [('', ['where is the train station'])]
    """
    name = "network_paths_files"
    given = fields_of_options(name, LISTING, options)
    return [(each.id, list(each.paths)) for each in paths_of(path_of(name, networks), **given)]


def paths_of(
    path: str, listed: bool, limit: int | None, sample: int | None, seed: int | None, **reading: Any
) -> Iterator[NetworkPaths]:
    """The same by the fields of `LISTING`, one network after the other."""
    if sample is not None and (listed or limit is not None):
        raise FstmetricsError("--sample draws paths, --list and --limit list them: give one or the other")
    if seed is not None and sample is None:
        raise FstmetricsError("--seed is for --sample N")
    networks = read_networks(path, **reading)
    for network in networks:
        found = Paths(network)
        chosen = (
            found.sample(sample, seed)
            if sample is not None
            else islice(found, LIMIT if limit is None else limit)
        )
        yield NetworkPaths(
            network.id if len(networks) > 1 else "", iter(chosen), found.count if sample is None else None
        )


@dataclass(frozen=True)
class FilesAcceptance:
    """Sentences that networks are to accept or reject, and what the networks do.

    Attributes:
        sentences: all of them, in the order of the files.
        places: of each, the file and the line.
        remarks: where the first words of lines are no words of the sentences.
    """

    sentences: Sequence[Judged]
    places: Sequence[str]
    remarks: Sequence[str] = ()

    @property
    def wrong(self) -> list[tuple[str, Judged]]:
        """Those that are not as wanted, with their places."""
        pairs = zip(self.places, self.sentences, strict=True)
        return [(place, one) for place, one in pairs if not one.as_wanted]

    @property
    def status(self) -> int:
        """The exit status of the command: 0 where all is as wanted, else 1."""
        return 1 if self.wrong else 0

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        missed = sum(one.accept for _, one in self.wrong)
        return {
            "sentences": len(self.sentences),
            "as_wanted": len(self.sentences) - len(self.wrong),
            "not_accepted": missed,
            "not_rejected": len(self.wrong) - missed,
            "wrong": [{"place": place, **one.to_dict()} for place, one in self.wrong],
        }


def network_accepts_files(networks: PathLike, sentences: PathLike, **options: Any) -> FilesAcceptance:
    """Whether networks accept and reject the sentences that they should, as `fstmetrics network accepts` does.

    Args:
        networks: a file or folder.
        sentences: those to accept, a line each, or a file of both kinds (docs/networks.md).
        options: those of the command: `reject="not-these.txt"`, `lowercase=True`.

    Raises:
        TypeError, FstmetricsError: as of `network_info_files`.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.cards").write_text("[S]: the [X] sat\\n[X]: cat; dog\\n")
    >>> _ = (folder / "test.txt").write_text("# fstmetrics-sentences/1\\n+ the cat sat\\n- the dog sat\\n")
    >>> [(place.rpartition(":")[2], one.sentence) for place, one in
    ...     fm.network_accepts_files(folder / "a.cards", folder / "test.txt").wrong]
    [('3', 'the dog sat')]
    """
    name = "network_accepts_files"
    given = fields_of_options(name, ACCEPTING, options)
    return accepted(path_of(name, networks), path_of(name, sentences), **given)


def accepted(path: str, sentences: str, **options: Any) -> FilesAcceptance:
    """The same by the fields of `ACCEPTING`.

    Raises:
        FstmetricsError: sentences that belong to no network, or are to be accepted and rejected, or a tokenizer that is
            not a network's.
    """
    reading = {name: options.pop(name) for name in READING}
    unwanted = options.pop("reject")
    normalisation = Request(**options).normalisation
    check_paths([path, sentences, unwanted], None)
    networks = read_networks(path, **reading)
    wanted = [*read_wanted(sentences), *([] if unwanted is None else read_wanted(unwanted, accept=False))]
    rows, remarks = _by_network(wanted, networks)
    every = _judged(wanted, rows, networks, normalisation)
    for file in dict.fromkeys(one.path for one in wanted):
        own = [place for place, one in enumerate(wanted) if one.path == file]
        if not any(every[place].accepted for place in own):
            theirs, texts = [wanted[place] for place in own], [rows[place] for place in own]
            remarks += _unlike(file, path, theirs, texts, networks, Request(**options))
    return FilesAcceptance(every, [f"{one.path}:{one.line}" for one in wanted], remarks)


def _judged(
    wanted: Sequence[Wanted],
    rows: Sequence[tuple[int, str]],
    networks: Sequence[Network],
    words: Normalisation,
) -> list[Judged]:
    """What networks do with sentences.

    Args:
        wanted: the sentences.
        rows: of each, the number of its network and its text.
        networks: all of them.
        words: what is done to words.
    """
    found: dict[int, Judged] = {}
    for number, network in enumerate(networks):
        own = [place for place, (of, _) in enumerate(rows) if of == number]
        accept, reject = ([place for place in own if wanted[place].accept is to] for to in (True, False))
        texts = [[rows[place][1] for place in side] for side in (accept, reject)]
        try:
            judged = network_accepts(network, texts[0], texts[1], words)
        except FstmetricsError as error:
            named = f"network {network.id or '(no id)'}"
            raise error if named in str(error) else FstmetricsError(f"{named}: {error}") from None
        found.update(zip([*accept, *reject], judged, strict=True))
    return [found[place] for place in range(len(rows))]


def _unlike(
    file: str,
    path: str,
    wanted: Sequence[Wanted],
    rows: Sequence[tuple[int, str]],
    networks: Sequence[Network],
    request: Request,
) -> Iterator[str]:
    """Remarks on a file of whose sentences none is accepted, where each may be none for how its line is written: as
    trn, with a number, in quotation marks, in another case.

    Args:
        file: the file.
        path: that of the networks.
        wanted, rows: of these sentences, as of `_judged`.
        networks: all of them.
        request: what is done to words.
    """
    texts = [text for _, text in rows]
    if look := look_of(texts):
        yield f"{file}: its sentences {look_remark(look)}"
    first, _ = unmarked([side_of(file, texts, "plain"), side_of(path, networks, "network")], request)
    yield from first.items.remarks
    known = [frozenset(network.symbols.words) for network in networks]
    lowered = [frozenset(map(str.lower, words)) for words in known]
    if all(
        any(word not in known[of] and word.lower() in lowered[of] for word in text.split())
        for of, text in rows
    ):
        alike = _judged(wanted, rows, networks, replace(request.normalisation, lowercase=True))
        if accepted := sum(one.accepted for one in alike):
            yield f"{file}: sentences that would be accepted with --lowercase: {accepted} of {len(rows)}"


def _by_network(
    wanted: Sequence[Wanted], networks: Sequence[Network]
) -> tuple[list[tuple[int, str]], list[str]]:
    """Of each sentence, the number of its network and its text; and remarks on lines that begin with the only id.

    An `id:` says the network, or each line of a file begins with its id. Of several networks that have only numbers, in
    order, there may be as many lines; of one, a line is a sentence.
    """
    number = {network.id: place for place, network in enumerate(networks)}
    by_file: dict[str, list[Wanted]] = {}
    for one in wanted:
        by_file.setdefault(one.path, []).append(one)
    begins_with_id: dict[str, bool] = {}
    for path, some in by_file.items():
        firsts = [one.text.split(maxsplit=1)[:1] for one in some if one.id is None]
        begins_with_id[path] = bool(firsts) and all(first and first[0] in number for first in firsts)
        if begins_with_id[path] and len(networks) == 1:
            begins_with_id[path] = _begin_with_only_id(some, networks[0])
    in_order = count_in_order([network.id for network in networks]) is not None
    rows: list[tuple[int, str]] = []
    for one in wanted:
        if one.is_of_trn and len(networks) == 1:
            rows.append((0, one.text))
        elif one.id is not None:
            if one.id not in number:
                known = listed([id for id in number if id is not None], NAMED) or "networks without ids"
                raise one.error(f"there is no network {one.id!r}; there are {known}")
            rows.append((number[one.id], one.text))
        elif begins_with_id[one.path]:
            id, *text = one.text.split(maxsplit=1)
            rows.append((number[id], "".join(text).strip()))
        elif len(networks) == 1:
            rows.append((0, one.text))
        elif in_order and len(by_file[one.path]) == len(networks):
            rows.append((by_file[one.path].index(one), one.text))
        else:
            raise _unpaired(one, by_file[one.path], networks, number)
    by_id = [path for path, begin in begins_with_id.items() if begin and len(networks) == 1]
    return rows, [f"paired by id: the first word of each line of {path}" for path in by_id]


def _begin_with_only_id(lines: Sequence[Wanted], network: Network) -> bool:
    """Whether the first word of sentences, the id of the only network, is no word of theirs.

    Raises:
        FstmetricsError: it may be either.
    """
    known = KnownIds([frozenset({str(network.id)})])

    def begins(word: str) -> bool:
        return any(word in text.split() for text in shown_by(network))

    for one in lines:
        first, second = [*one.text.split(), "", ""][:2]
        if one.id is None and may_be_word(first, second, known, begins):
            raise one.error(
                f"begins with {network.id}, the network's id, which may be a word: write a file that begins with "
                f"{HEADER} and `id: {network.id}`, with `+ ` or `- ` before each sentence, without {network.id} if it "
                "is the id"
            )
    return not known.are_numbering


def _unpaired(
    one: Wanted, lines: Sequence[Wanted], networks: Sequence[Network], known: dict[str, int]
) -> FstmetricsError:
    """Of which of several networks a sentence is cannot be told."""
    first = next(
        (each for each in lines if each.id is None and each.text.split()[:1] not in [[id] for id in known]),
        one,
    )
    return first.error(
        f"there are {len(networks)} networks ({listed(list(known), NAMED)}), and this line does not begin with the id "
        f"of one; begin every line with it, or write `id: NETWORK` above lines of a file that begins with {HEADER}"
    )


class Validated(NamedTuple):
    """Files of networks, and what is wrong with them.

    Attributes:
        files: all that were read.
        faults: what is wrong, by file.
        remarks: what is allowed but seldom meant, by file.
    """

    files: Sequence[str]
    faults: dict[str, list[str]]
    remarks: dict[str, list[str]]

    @property
    def faulty(self) -> int:
        """How many files have a fault."""
        return sum(map(bool, self.faults.values()))


def network_validate_files(networks: PathLike | Iterable[PathLike]) -> Validated:
    """Everything that is wrong with the networks of files, as `fstmetrics network validate` prints it.

    Args:
        networks: files or folders.

    Raises:
        InputError: a folder without files.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> fm.network_validate_files(files("fstmetrics") / "examples" / "networks").faulty
    0
    """
    return validated(several_paths("network_validate_files", networks, "networks"))


def validated(paths: Sequence[str]) -> Validated:
    """The same of paths; of a project of the annotation tool, of the network of each sentence."""
    both: dict[str, tuple[list[str], list[str]]] = {}
    for path in paths:
        if os.path.isdir(path) and project_reader(path):
            for network in read_networks(path):
                name = f"{path}: sentence {network.id}"
                both[name] = [], [f"{name}: remark: {remark}" for remark in _remarks(network)]
        else:
            both |= {file: faults_of(file) for file in _files(path)}
    return Validated(
        list(both),
        {file: faults for file, (faults, _) in both.items()},
        {file: remarks for file, (_, remarks) in both.items()},
    )


def _files(path: str) -> list[str]:
    """A file, or those of a folder; InputError: it has none."""
    if not os.path.isdir(path):
        return [path]
    found = sorted(file for file in Path(path).iterdir() if file.is_file() and file.name[0] != ".")
    if not found:
        raise InputError("this folder has no file to read", path)
    if {file.name for file in found} == EXPORTED:
        raise export_refused(Path(path))
    return [str(file) for file in found]


def faults_of(path: str) -> tuple[list[str], list[str]]:
    """What is wrong with the network of a file, and remarks, a line each."""
    source = Source.open(path)
    unread: list[InputError] = []
    try:
        data = _data(source, unread)
    except InputError as error:
        return [str(error)], []
    faults = [*map(str, unread), *(f"{source.path}: {fault}" for fault in network_faults(data))]
    network = None if faults else Network.from_dict(data, source.stem)
    if network and KNOWN.get(network.tokenize, OTHER).by_words:
        try:
            refuse_uncut(network)
        except FstmetricsError as error:
            faults.append(f"{source.path}: {error}")
    remarks = _remarks(network) if network else _sound_remarks(data)
    return faults, [f"{source.path}: remark: {remark}" for remark in remarks]


def _remarks(network: Network) -> list[Fault]:
    """Remarks on a network, and on what its phrases have that is no part of words."""
    return network_remarks(network) + [Fault(None, remark) for remark in phrase_remarks(network)]


def _sound_remarks(data: Any) -> list[Fault]:
    """Remarks on those cards of a faulty network that are sound themselves."""
    given = data.get("cards") if isinstance(data, dict) else None
    cards: dict[str, Card] = {}
    for name, card in given.items() if isinstance(given, dict) else ():
        with suppress(FstmetricsError):
            cards[name] = card_from_json(name, card)
    source = data.get("source") if cards else None
    words = source if isinstance(source, list) else None
    return [remark for card in cards.values() for remark in card_remarks(card, cards, words)]


def _data(source: Source, unread: list[InputError]) -> Any:
    """The JSON form's object; what is wrong with the text itself goes into `unread`.

    Raises:
        InputError: there is no such object.
    """
    if CARDS.fits(source) or source.name.endswith(CARDS.extensions):
        data = parse_text_form(source.text, source.path, unread)
        # That there is no way to tell is said already.
        data.setdefault("root", next(iter(data["cards"]), None))
        return data

    if source.text.lstrip()[:1] not in ("{", ""):
        raise source.error(
            "no network: neither JSON (docs/hyter.md), which begins with {, nor the text form (docs/networks.md), "
            "whose files begin with # fstmetrics-cards/1 or end in .cards; plain references: fstmetrics network build"
        )

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = Counter(key for key, _ in pairs)
        twice = [key for key, count in keys.items() if count > 1]
        unread.extend(source.error(f"the key {key!r} is twice in one object") for key in twice)
        return dict(pairs)

    try:
        return parsed_json(source.text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise source.error(f"not JSON: {error.msg} (column {error.colno})", error.lineno) from None
    except FstmetricsError:
        raise
    except ValueError as error:
        raise source.error(f"not a network: {error}") from None


FAULTY = 2


@command()
@click.argument("networks", metavar="NETWORKS...", nargs=-1, required=True)
@options_of(COUNTING)
def info_command(networks: Sequence[str], form: FormOfTables, **options: Any) -> None:
    """Print the size of networks: cards, states, arcs, the exact numbers of paths and strings, lengths, vocabulary.

    \b
    Example:  fstmetrics network info networks/

    NETWORKS: files or folders; of several networks each has a row. No path is enumerated. Paths are accepting paths: a
    sentence that a network spells in two ways counts twice. Among strings it counts once.
    """
    found = infos(networks, **options)
    if form == "json":
        for one in found:
            show_json(one.to_dict())
        return
    every = list(found)
    if len(every) == 1 and form is None:
        show(*info_lines(every[0]))
    else:
        show_report([info_table(every)], lambda: {"networks": [one.to_dict() for one in every]}, form)


@command()
@click.argument("network", metavar="NETWORKS")
@options_of(LISTING)
def paths_command(network: str, **options: Any) -> None:
    """Print paths of a network, one per line.

    \b
    Example:  fstmetrics network paths station.json --sample 10

    A sentence that the network spells in two ways comes twice. For a folder or an archive of several networks, each
    line begins with the id of its network.
    """
    for one in paths_of(network, **options):
        id = (one.id,) if one.id else ()
        with whole_file("-") as stream:
            stream.writelines(" ".join((*id, *words)) + "\n" for words in one.paths)
        if options["limit"] is None and (one.total or 0) > LIMIT:
            say(f"{': '.join((*id, str(LIMIT)))} of {one.total} paths; --limit N lists more")


@command()
@click.argument("networks", metavar="NETWORKS...", nargs=-1, required=True)
def validate_command(networks: Sequence[str]) -> int:
    """Check networks and print every fault, with its card.

    \b
    Example:  fstmetrics network validate networks/

    NETWORKS: files or folders, in JSON or in the text form, or a project of annotate. Remarks are about what is allowed
    but probably a mistake, for example a card that is never called. The exit status is 2 if there is a fault.
    """
    found = validated(networks)
    for file in found.files:
        show(*found.faults[file], *found.remarks[file])
    show(f"{counted(len(found.files), 'network')}, {found.faulty or 'none'} with faults")
    return FAULTY if found.faulty else 0


@command(usual=("--reject", "--tokenize", "--lowercase", "--item", "--json"))
@click.argument("network", metavar="NETWORKS")
@click.argument("sentences", metavar="SENTENCES")
@options_of(ACCEPTING)
def accepts_command(network: str, sentences: str, as_json: bool, **options: Any) -> int:
    """Test networks with sentences that they should accept, and sentences that they should reject.

    \b
    Example:  fstmetrics network accepts station.json good.txt --reject bad.txt

    SENTENCES: a sentence a line, or a file of both kinds (docs/networks.md). Lines of several networks begin with their
    ids. What is not as wanted is shown with what would have to change. The status is 0 if all is as wanted, else 1.
    """
    found = accepted(network, sentences, **options)
    say(*found.remarks)
    if as_json:
        show_json(found.summary())
        return found.status
    console = Console()
    for text in acceptance_texts(found.sentences, found.places, console.width):
        console.print(text)
    return found.status
