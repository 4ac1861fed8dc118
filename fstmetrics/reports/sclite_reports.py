"""The reports of NIST's sclite: `sys` and `raw` (by speaker), `lur` (by labels), `dtl` and `spk` (words in error).

Each is the text of a file, and a class that `--report` names. Layout and rounding are those of SCTK 2.4, so that what
reads sclite's files reads these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import numpy as np

from fstmetrics.data.fields import Fields
from fstmetrics.io.formats.stm import Declared, SubsetLabels, subset_labels
from fstmetrics.reports.sclite_layout import Layout, centred
from fstmetrics.scoring.reports import CountsBySpeaker, Report, SpeakerCounts
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.output import is_plain
from fstmetrics.support.source import Source
from fstmetrics.text.normalisation import Unit

PAGE = 80
# Labels of a segment that are looked for behind those that categories name.
MORE_LABELS = 16
NO_WORDS = """
* No Reference words for this/these speaker(s).  Word counts supplied
  rather than percents.
# No Reference words for this/these speaker(s).  NCE not computable.
+ Speaker(s) with no reference data is ignored
"""


def percent(part: float, whole: float) -> float:
    """Of nothing 0, as sclite has it."""
    return part / whole * 100.0 if whole else 0.0


def rounded(value: float, digits: int = 1) -> float:
    """Half away from zero, as sclite rounds; `format` alone rounds what binary fractions hold.

    >>> rounded(12.25), rounded(0.05), rounded(2.5, 0)
    (12.3, 0.1, 3.0)
    """
    scale = 10.0**digits
    return int(value * scale + (0.5 if value > 0 else -0.5)) / scale


def _counts(speaker: SpeakerCounts) -> list[int]:
    """Correct words, substitutions, deletions, insertions, all errors."""
    totals = speaker.totals
    return [totals.matches, totals.substitutions, totals.deletions, totals.insertions, totals.edits]


def _moments(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean, standard deviation and median; 0 for none."""
    if not values:
        return 0.0, 0.0, 0.0
    deviation = float(np.std(values, ddof=1)) if len({*values}) > 1 else 0.0
    return float(np.mean(values)), deviation, float(np.median(values))


class Sys(Report):
    """`sys`: percentages of each speaker."""

    needs_speakers = True
    ending: ClassVar[str] = "sys"

    def files(self, counts: CountsBySpeaker, title: str, unit: Unit) -> Iterator[tuple[str, str]]:
        """One file."""
        yield self.ending, speaker_report(counts, title, self.ending == "raw", unit)


class Raw(Sys):
    """`raw`: counts of each speaker."""

    ending = "raw"


class Lur(Report):
    """`lur`: the word error rate of each speaker in each subset that labels of stm declare."""

    needs_speakers = True

    def __init__(self, references: str, format: str) -> None:
        super().__init__(references, format)
        if format != "stm" or not is_plain(references):
            raise InputError("--report lur needs references in stm, with labels such as <O,F>", references)
        self._known = subset_labels(Source.open(references))
        if not self._known.labels:
            raise InputError(
                '--report lur needs labels, declared as ;; LABEL "F" "Female" "Women"; there are none',
                references,
            )
        self._declared = {label.id for label in self._known.labels}
        self._fields = self._known.names(len(self._known.categories) + MORE_LABELS)
        # Where each label stands among those of a segment.
        self._places: dict[str, int] = {}

    def labels(self, id: str | None, fields: Fields) -> list[str]:
        """The labels of a segment, as they are declared, each at the place of the first one met."""
        found = []
        for place, name in enumerate(self._fields):
            if (value := fields.get(name)) is None:
                continue
            if value not in self._declared:
                raise FstmetricsError(
                    f"item {id}: the label {value!r:.80} is not declared; --report lur needs a line "
                    f';; LABEL "{value!s:.80}" "TITLE" "DESCRIPTION" in the references'
                )
            if self._places.setdefault(str(value), place) != place:
                raise FstmetricsError(
                    f"item {id}: the label {value!r:.80} is at place {place + 1}, and elsewhere at "
                    f"{self._places[str(value)] + 1}; --report lur needs one place for each label"
                )
            found.append(str(value))
        return found

    def files(self, counts: CountsBySpeaker, title: str, unit: Unit) -> Iterator[tuple[str, str]]:
        """One file."""
        yield "lur", label_report(counts, title, self._known, self._places)


class Dtl(Report):
    """`dtl`: the words in error of all speakers."""

    needs_words = True

    def files(self, counts: CountsBySpeaker, title: str, unit: Unit) -> Iterator[tuple[str, str]]:
        """One file."""
        heading = [f"DETAILED OVERALL REPORT FOR THE SYSTEM: {title}"]
        yield "dtl", detailed_report(counts.whole(""), heading)


class Spk(Report):
    """`spk`: the words in error of each speaker."""

    needs_speakers = needs_words = True

    def files(self, counts: CountsBySpeaker, title: str, unit: Unit) -> Iterator[tuple[str, str]]:
        """One file a speaker."""
        for speaker in counts.speakers:
            if "/" in speaker.name or "\0" in speaker.name:
                raise FstmetricsError(
                    f"--report spk writes a file for each speaker, and {speaker.name!r:.80} is no name of a file"
                )
            heading = [f"SCORING FOR SPEAKER: {speaker.name}", f"     of {title}"]
            yield f"spk.{speaker.name}", detailed_report(speaker, heading)


def speaker_report(counts: CountsBySpeaker, title: str, raw: bool = False, unit: Unit = "word") -> str:
    """`sys`, or with `raw` the counts: a row for each speaker, their sum, mean, standard deviation and median.

    Args:
        counts: of the speakers.
        title: what is called the system.
        raw: counts instead of percentages.
        unit: what was compared.
    """
    form = "l|cc|cccccc"
    table = Layout(page=PAGE)
    table.row("c", title)
    head = [" SPKR", " # Snt", "# Chr" if unit == "char" else "# Wrd"]
    table.row(form, *head, "Corr", " Sub", " Del", " Ins", " Err", "S.Err", before="-")
    for speaker in counts.speakers:
        table.row(form, f" {speaker.name} ", *_speaker_cells(speaker, raw), before="-")
    whole = counts.whole("")
    table.row(form, " Sum" if raw else " Sum/Avg", *_speaker_cells(whole, raw, is_sum=True), before="=")
    before = "="
    for name, cells in _moment_rows(counts, raw):
        table.row("c|cc|cccccc", name, *cells, before=before)
        before = ""
    heading = centred("SYSTEM SUMMARY PERCENTAGES by SPEAKER", PAGE)
    text = "\n".join(["", "", "", heading, "", *table.lines(), ""])
    wordless = any(not speaker.totals.path_length for speaker in counts.speakers)
    return text + (NO_WORDS if wordless and not raw else "")


def _speaker_cells(speaker: SpeakerCounts, raw: bool, is_sum: bool = False) -> list[str]:
    """Without words of the references a speaker has counts; the sum has percentages of 0, as sclite has it."""
    words = speaker.totals.path_length
    cells = [f"{speaker.sentences:5d}", f"{words:5d}"]
    if raw:
        return [*cells, *(f"{count:5.0f} " for count in (*_counts(speaker), speaker.wrong))]
    wrong = f"{rounded(percent(speaker.wrong, speaker.sentences)):5.1f} "
    if not words and not is_sum:
        return [*cells, *(f"{count:5.0f}*" for count in _counts(speaker)), wrong]
    return [*cells, *(f"{rounded(percent(count, words)):5.1f} " for count in _counts(speaker)), wrong]


def _moment_rows(counts: CountsBySpeaker, raw: bool) -> Iterator[tuple[str, list[str]]]:
    """Mean, standard deviation and median over speakers; of percentages without those who have no words."""
    speakers = counts.speakers
    spoken = [speaker for speaker in speakers if raw or speaker.totals.path_length]
    columns: list[Sequence[float]] = [
        [speaker.sentences for speaker in speakers],
        [speaker.totals.path_length for speaker in speakers],
    ]
    for place in range(5):
        found = [(_counts(speaker)[place], speaker.totals.path_length) for speaker in spoken]
        columns.append([count if raw else percent(count, words) for count, words in found])
    columns.append([s.wrong if raw else percent(s.wrong, s.sentences) for s in speakers])
    moments = list(map(_moments, columns))
    ends = [" "] * 2 + ["+" if len(spoken) < len(speakers) else " "] * 5 + [" "]
    for place, name in enumerate((" Mean ", " S.D. ", "Median")):
        yield name, [f"{rounded(each[place]):5.1f}{end}" for each, end in zip(moments, ends, strict=True)]


def label_report(counts: CountsBySpeaker, title: str, known: SubsetLabels, places: dict[str, int]) -> str:
    """`lur`: the word error rate of each speaker in each subset of the segments.

    Args:
        counts: of the speakers, with their subsets.
        title: what is called the system.
        known: the labels and categories of the references.
        places: where each label stands among those of a segment, from 0.
    """
    labels = known.labels
    groups = [places.get(label.id, -1) for label in labels]
    breaks = [place and groups[place] != groups[place - 1] for place in range(len(labels))]
    rows = "c" + "".join(f"{'=' if new else '|'}rr" for new in breaks)
    heads = "c" + "".join(f"{'=' if new else '|'}ca" for new in breaks)
    over = "c" + "".join(
        f"={'ca'}" if new else f"|{'ca' if not place else 'aa'}" for place, new in enumerate(breaks)
    )
    table = Layout(padding=1)
    table.row("c", f"System: {title}")
    for place, label in enumerate(labels):
        described = label.title.replace("//", " "), "->", label.description
        table.row("ccc", *described, before="" if place else " ")
    table.row("ccc", "", "", "", after=" ")
    if known.categories:
        table.row(over, "", *(category.title for category in known.categories), before="-")
    table.row(heads, "SPKR", *(label.title for label in labels), before="-")
    table.row(heads, "", *(" #Wrd %WE" for _ in labels))
    for speaker in counts.speakers:
        found = [speaker.subsets.get(label.id, (0, 0)) for label in labels]
        table.row(rows, speaker.name, *(cell for each in found for cell in _subset_cells(*each)), before="-")
    wordless = _label_totals(table, rows, counts, labels)
    if wordless:
        note = "Note:  * Speaker Has no reference word tokens.  Number of incorrect words presented"
        table.row("l", note, before="-")
        table.row("l", "       + Speakers with no reference words ignored")
    return "\n".join([*table.lines(), ""])


def _subset_cells(words: int, errors: int) -> tuple[str, str]:
    if words:
        return f"[{words}]", f"{rounded(percent(errors, words)):.1f}"
    return (str(words), f"* {errors} *") if errors else ("", "")


def _label_totals(table: Layout, form: str, counts: CountsBySpeaker, labels: Sequence[Declared]) -> bool:
    """The rows of sums, means, deviations and medians; returns whether a speaker without words has errors."""
    speakers, wordless = counts.speakers, False
    columns = []
    for label in labels:
        found = [speaker.subsets.get(label.id, (0, 0)) for speaker in speakers]
        wordless |= any(errors and not words for words, errors in found)
        spoken = [(words, errors) for words, errors in found if words]
        sums = [sum(each) for each in zip(*found, strict=True)]
        of_words = _moments([words for words, _ in spoken])
        of_rates = _moments([percent(errors, words) for words, errors in spoken])
        average = percent(sums[1], sums[0])
        columns.append(list(zip((sums[0], *of_words), (average, *of_rates), strict=True)))
    more = " +" if wordless else ""
    names = ("Set Sum/Avg", f"Mean{more}", f"StdDev{more}", "Median")
    for place, (name, before) in enumerate(zip(names, ("=", "-", "", " "), strict=True)):
        pairs = (each[place] for each in columns)
        cells = (cell for words, rate in pairs for cell in (f"[{int(words)}]", f"{rounded(rate):.1f}"))
        table.row(form, name, *cells, before=before)
    return wordless


def detailed_report(counts: SpeakerCounts, heading: Sequence[str]) -> str:
    """`dtl`, or `spk` of one speaker: shares of sentences and words in error, then the words, most frequent first.

    Args:
        counts: of the system, or of a speaker.
        heading: the first lines.
    """
    lines = [*heading, "", *_sentence_lines(counts), "", "", *_word_lines(counts), ""]
    pairs = Counter({f"{ref} ==> {hyp}": n for (ref, hyp), n in counts.confusions.items()})
    misread, wrong = Counter[str](), Counter[str]()
    for (ref, hyp), n in counts.confusions.items():
        misread[ref] += n
        wrong[hyp] += n
    for title, words in (("CONFUSION PAIRS", pairs), ("INSERTIONS", counts.insertions)):
        lines += [*_ranked(title, words), "", ""]
    lines += [*_ranked("DELETIONS", counts.deletions), "", "", *_ranked("SUBSTITUTIONS", misread), ""]
    lines.append("* NOTE: The 'Substitution' words are those reference words")
    lines.append("        for which the recognizer supplied an incorrect word.")
    lines += ["", "", *_ranked("FALSELY RECOGNIZED", wrong), ""]
    lines.append("* NOTE: The 'Falsely Recognized' words are those hypothesis words")
    lines.append("        which the recognizer incorrectly substituted for a reference word.")
    return "\n".join([*lines, "", ""])


def _sentence_lines(counts: SpeakerCounts) -> Iterator[str]:
    def line(name: str, number: int) -> str:
        return f"{name:<39} {rounded(percent(number, counts.sentences)):5.1f}%   ({number:4d})"

    yield "SENTENCE RECOGNITION PERFORMANCE"
    yield ""
    yield f" sentences                                        {counts.sentences:4d}"
    yield line(" with errors", counts.wrong)
    yield ""
    yield line("   with substitutions", counts.with_substitutions)
    yield line("   with deletions", counts.with_deletions)
    yield line("   with insertions", counts.with_insertions)


def _word_lines(counts: SpeakerCounts) -> Iterator[str]:
    words = counts.totals.path_length
    correct, substituted, deleted, inserted, errors = _counts(counts)
    share: Callable[[float], str] = lambda part: f"{rounded(part):5.1f}" if words else "UNDEF"  # noqa: E731

    def line(name: str, number: int) -> str:
        return f"{name:<25} =  {share(percent(number, words))}%   ({number:4d})"

    yield "WORD RECOGNITION PERFORMANCE"
    yield ""
    yield line("Percent Total Error", errors)
    yield ""
    yield line("Percent Correct", correct)
    yield ""
    yield line("Percent Substitution", substituted)
    yield line("Percent Deletions", deleted)
    yield line("Percent Insertions", inserted)
    yield f"{'Percent Word Accuracy':<25} =  {share(100.0 - percent(errors, words))}%"
    yield ""
    yield ""
    yield f"Ref. words                =           ({words:4d})"
    yield f"Hyp. words                =           ({correct + substituted + inserted:4d})"
    yield f"Aligned words             =           ({words + inserted:4d})"


def _ranked(title: str, words: Counter[str]) -> Iterator[str]:
    """Words, the most frequent first; equally frequent ones in the order of their bytes."""
    yield f"{title:<30}   Total                 ({len(words)})"
    yield f"{'':<30}   With >=  1 occurrences ({len(words)})"
    yield ""
    ranked = sorted(words.items(), key=lambda each: (-each[1], each[0].encode("utf-8", "surrogatepass")))
    for rank, (word, n) in enumerate(ranked, 1):
        yield f"{rank:4d}: {n:4d}  ->  {word}"
    yield "     -------"
    yield f"     {sum(words.values()):5d}"
    yield ""
