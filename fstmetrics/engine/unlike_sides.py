"""What is said of a run whose two sides are unlike: most errors are owed to how words are written, as case, punctuation
or look-alike characters (`spelling_remarks`); one side is in another case (`case_remark`), or sets signs apart
(`sign_remark`); hardly a word matches (`match_remark`, `text_match_remark`); hypotheses are empty (`empty_remark`); or
a few items have most errors (`few_items_remark`). `unlike_remarks` has what texts tell under any metric, and
`error_remarks` what errors tell beside. Items that are paired with others': `misplaced_items`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.segments import TimedWords, spoken
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.data.transcripts import Transcript
from fstmetrics.engine.search import COUNTS_ONLY, search
from fstmetrics.engine.sides import Alternatives
from fstmetrics.metrics import CorpusMetric, Metric, TextMetric
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.metrics.wer import WER
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.text.normalisation import Normalisation, is_punctuation, unspaced_text

if TYPE_CHECKING:
    from fstmetrics.engine.look_alikes import Fold

# Items that are looked at, and characters of them: the first ones. Fewer errors than this are no ground for a remark.
SAMPLE, CHARACTERS, LEAST = 500, 300_000, 10
# One word in so many, or fewer, matches where sentences are paired with others: 1 in 6 to 1 in 30 of speech and of
# translations (English, German, Spanish, Tagalog). Of systems at hand the worst has 1 in 3; paraphrases as far from a
# reference as people could write them have 1 in 4. Fewer words, or items, tell nothing.
MATCHING, FEWEST_WORDS, FEWEST_ITEMS = 6, 20, 3
# Metrics that count errors one by one, and those whose matches are words of the references.
COUNTING = ("wer", "sclite", "hyter")
OF_WORDS = ("wer", "wrr", "mer", "hyter", "sclite")
# An item with so many insertions may have a loop; a few are one of so many items.
MOST_INSERTIONS, MOST_ITEMS = 10, 20
# Signs that tokenizers part from words. So many texts with one tell how a side writes it, of which one in so many may
# be an exception, as words in another case may be. A stop at a word of so many characters may be an abbreviation's.
ENDS = ',.!?;:()"\u201c\u201d\u201e\u0964\u061f\u060c\u06d4\u3002\uff0c\u3001\uff1f\uff01'
# A word of so many characters that begins or ends with an apostrophe was parted from another, as 's, 'll and l'.
SIGNS, SIGNED, MOSTLY, ABBREVIATED, CLITIC = frozenset(ENDS), 10, 10, 5, 3
APART = "signs stand apart from words"
# So many words may be no words of all hypotheses; lattices that are looked at for them.
MOST_IGNORED, FIRST_GRAPHS = 6, 50


class _Change(NamedTuple):
    """What may make two spellings of a word the same.

    Attributes:
        what: the errors that it takes away.
        option: of the command line; empty where there is none.
        rules: what the option changes of the normalisation.
        fold: what is done to the texts where there is no option.
    """

    what: str
    option: str
    rules: Mapping[str, Any]
    fold: Fold | None = None


# What remarks begin with where errors are owed to spelling, and what they have where words may have no spaces.
OWED = ("most errors are of", "most substitutions are of")
NO_SPACES = "--unit char-no-space"

CASE = _Change("case", "--lowercase", {"lowercase": True})
FORMS = _Change("forms of Unicode", "--normalise-unicode nfc", {"unicode": "nfc"})
COMPATIBLE_FORMS = _Change("compatibility forms of Unicode", "--normalise-unicode nfkc", {"unicode": "nfkc"})
PUNCTUATION = _Change("punctuation", "--remove-punctuation", {"remove_punctuation": True})
# Errors are then counted in characters, of which a wrong word has one at least: where they are fewer, spaces had some.
SPACES = _Change("spaces", NO_SPACES, {"unit": "char-no-space"})
# So many items tell whether spaces part words.
FEW_TEXTS = 50
# Tokenizers that cut no word of such texts.
LEAVE_WHOLE = (None, "none", "13a", "intl")
# A longer text is not cut into characters for a remark.
LONGEST = 2000
# Spellings of a word for a word: what else there is may join words, or stand alone.
OF_SUBSTITUTIONS = (CASE, FORMS, COMPATIBLE_FORMS)


# The kinds of hypotheses that `spelling_remarks` look at, and how many items, by what stands beside them.
WITH_TEXT = (str, Transcript, TimedWords)
MOST_LOOKED_AT: Mapping[type, int] = {
    **dict.fromkeys(WITH_TEXT, SAMPLE), Network: SAMPLE // 10, Alternatives: SAMPLE // 10
}  # fmt: skip


def as_texts(hypothesis: Any, reference: Any) -> tuple[Any, Any]:
    """Both as texts, where they are transcripts, or words with times, and leave no choice; anything else as it is."""
    if isinstance(reference, Alternatives):
        return spoken(hypothesis), Alternatives(as_texts("", each)[1] for each in reference.items)
    if isinstance(reference, TimedWords):
        reference = reference.transcript()
    if isinstance(reference, Transcript) and reference.words is not None:
        reference = " ".join(reference.words)
    return spoken(hypothesis), reference


def totals_under(
    hypotheses: Sequence[Any], references: Sequence[Any], metric: Metric, normalisation: Normalisation
) -> Totals:
    """The counts of all items under a metric, without their alignments."""
    return search(
        None, hypotheses, references, metric, normalisation=normalisation, options=COUNTS_ONLY
    ).sum()


def spelling_remarks(
    pairs: Sequence[tuple[Any, Any]],
    metric: CorpusMetric,
    normalisation: Normalisation,
    entries: bool = False,
) -> Iterator[str]:
    """What to say where more than half of the errors are owed to how words are written.

    That is case, forms of Unicode, punctuation, invisible characters, characters that look alike, and spaces. The first
    texts are scored again with what an option, or a change of the files, would do: narrow changes first, then several
    at once. Nothing is scored that would change no text.

    Args:
        pairs: hypotheses of the kinds of `WITH_TEXT`, and references of those of `MOST_LOOKED_AT`.
        metric: what they were scored by; nothing is said of another one than an error rate of words or characters.
        normalisation: what was done to them; nothing is said of a normaliser in Python.
        entries: whether some of the hypotheses are the first entries of n-best lists.

    >>> from fstmetrics.metrics.wer import WER
    >>> list(spelling_remarks([("A CAT SAT", "a cat sat")] * 4, WER(), Normalisation()))
    ['most substitutions are of case: 12, and 0 with --lowercase']
    >>> list(spelling_remarks([("A cat, sat.", "a cat sat")] * 4, WER(), Normalisation()))
    ['most errors are of case and punctuation: 12, and 0 with --lowercase --remove-punctuation']
    """
    if not isinstance(metric, Metric) or metric.name not in COUNTING:
        return
    if normalisation.normaliser is not None or normalisation.drops:
        return
    some = _first(pairs)
    changes = list(_possible(_texts(some), normalisation))
    if any(isinstance(one, Network) for pair in some for one in _sides(pair)):  # whose words options change
        changes = [change for change in changes if change.option]
    with_spaces = _may_be_of_spaces(some, normalisation)
    if not (changes or with_spaces):
        return
    trials = _Trials(some, metric, normalisation, len(pairs), entries)
    if trials.errors(()) < LEAST:
        return
    if changes and not trials.may_help(changes):
        changes = []
    by_option = [change for change in changes if change.option]
    chosen: Sequence[_Change] | None = next(([each] for each in changes if trials.help([each])), None)
    for several in (by_option, changes):
        if trials.help(several) and not (chosen and trials.help(chosen, trials.errors(several))):
            chosen = trials.needed(several)
            break
    if not chosen and with_spaces and trials.has_many_errors and trials.help([SPACES]):
        chosen = [SPACES]
    if chosen:
        yield trials.remark(chosen)


def _first(pairs: Sequence[tuple[Any, Any]]) -> list[tuple[str, Any]]:
    """The first pairs, of so many characters in all; those with a choice, or an alternative that is a lattice, are left
    out."""
    found, size = [], 0
    for pair in pairs:
        if not type(pair[0]) is type(pair[1]) is str:
            pair = as_texts(*pair)
            if not {*map(type, _sides(pair))} <= {str, Network}:
                continue
            size += sum(map(len, _texts([pair])))
        else:
            size += len(pair[0]) + len(pair[1])
        if size > CHARACTERS:
            break
        found.append(pair)
    return found


def _sides(pair: tuple[str, Any]) -> list[Any]:
    return [one for side in pair for one in _several(side)]


def _several(side: Any) -> Sequence[Any]:
    return side.items if isinstance(side, Alternatives) else (side,)


def _texts(pairs: Sequence[tuple[str, Any]]) -> list[str]:
    """What both sides have, networks their words."""
    return [text for side in chain.from_iterable(pairs) for text in _texts_of(side)]


def _texts_of(side: Any) -> Iterator[str]:
    for one in _several(side):
        yield " ".join(one.symbols.words) if isinstance(one, Network) else one


def _possible(texts: Sequence[str], normalisation: Normalisation) -> Iterator[_Change]:
    """What changes some text and was not asked for; the narrow ones first."""
    if not normalisation.lowercase and any(text != text.lower() for text in texts):
        yield CASE
    are_ascii = all(map(str.isascii, texts))
    if normalisation.unicode == "as-is" and not are_ascii:
        yield FORMS
    if not are_ascii or any("`" in text or not text.isprintable() for text in texts):
        from fstmetrics.engine.look_alikes import FOLDS

        for fold in FOLDS:
            if any(fold.of(text) != text for text in texts):
                yield _Change(fold.what, "", {}, fold)
    if normalisation.unicode in ("as-is", "nfc", "nfd") and not are_ascii:
        yield COMPATIBLE_FORMS
    if not normalisation.remove_punctuation and any(map(is_punctuation, set().union(*texts))):
        yield PUNCTUATION


def _may_be_of_spaces(pairs: Sequence[tuple[str, Any]], normalisation: Normalisation) -> bool:
    """Whether one side may have spaces where the other has none."""
    if normalisation.unit not in ("word", "char") or normalisation.tokenize not in LEAVE_WHOLE:
        return False
    texts = _texts(pairs)
    return any(" " in text.strip() for text in texts) and max(map(len, texts)) <= LONGEST


class _Trials:
    """Texts scored again, with changes.

    Args:
        pairs: hypotheses and references that are looked at.
        metric: what scores them.
        normalisation: what was done to them.
        items: how many pairs there are.
        entries: as of `spelling_remarks`.
    """

    def __init__(
        self,
        pairs: Sequence[tuple[str, Any]],
        metric: Metric,
        normalisation: Normalisation,
        items: int,
        entries: bool,
    ) -> None:
        self.pairs, self.metric, self.normalisation = pairs, metric, normalisation
        most = min((MOST_LOOKED_AT[type(reference)] for _, reference in pairs), default=0)
        self.where = _where(len(pairs), len(pairs) < items or items >= most, entries)
        self._found: dict[tuple[str, ...], tuple[int, int]] = {}

    def counts(self, changes: Sequence[_Change]) -> tuple[int, int]:
        """Substitutions, and all edits, with some changes."""
        key = _named(changes)
        if key not in self._found:
            rules = {name: value for change in changes for name, value in change.rules.items()}
            folds = [change.fold for change in changes if change.fold]
            hypotheses, references = ([_folded(pair[side], folds) for pair in self.pairs] for side in (0, 1))
            normalisation = replace(self.normalisation, **rules)
            metric = self.metric
            if isinstance(metric, HyTER) and "unit" in rules:  # orders of characters take long
                metric = replace(metric, window=1)
            try:
                found = totals_under(hypotheses, references, metric, normalisation)
            except FstmetricsError:  # the change does not go with what was asked for: it is no help
                return self.counts(()) if changes else (0, 0)
            self._found[key] = (found.substitutions, found.edits)
        return self._found[key]

    def errors(self, changes: Sequence[_Change]) -> int:
        """All edits."""
        return self.counts(changes)[1]

    @property
    def has_many_errors(self) -> bool:
        """Whether one word in `MATCHING` is wrong."""
        words = sum(len(text.split()) for text, _ in self.pairs)
        return MATCHING * self.errors(()) >= words

    def may_help(self, changes: Sequence[_Change]) -> bool:
        """Whether some of changes may help: all together do, or cannot be tried."""
        after, before = self.counts(changes), self.counts(())
        is_tried = _named(changes) in self._found
        return not is_tried or any(2 * a < b for a, b in zip(after, before, strict=True))

    def help(self, changes: Sequence[_Change], nearly: int | None = None) -> bool:
        """Whether changes take away more than half of the errors that they are about.

        Args:
            nearly: errors with other changes, of whose help these must have nine tenths.
        """
        if not changes:
            return False
        kind = _kind(changes)
        before, after = self.counts(())[kind], self.counts(changes)[kind]
        enough = nearly is None or 10 * (self.errors(changes) - nearly) <= self.errors(()) - nearly
        return before >= LEAST and 2 * after < before and enough

    def needed(self, changes: Sequence[_Change]) -> Sequence[_Change]:
        """Those that are needed for nearly the same help; narrow ones rather than wide ones."""
        least = self.errors(changes)
        for change in reversed(changes):
            fewer = [other for other in changes if other is not change]
            if self.help(fewer, least):
                changes = fewer
        return changes

    def remark(self, changes: Sequence[_Change]) -> str:
        """What to say of changes that help."""
        kind, folds = _kind(changes), [change.fold for change in changes if change.fold]
        texts = _texts(self.pairs)
        *several, last = [
            f"{change.what} ({change.fold.found(texts)})" if change.fold else change.what
            for change in changes
        ]
        named = " and ".join(filter(None, (", ".join(several), last)))
        before, after = self.counts(())[kind], self.counts(changes)[kind]
        begin = f"most {('substitutions', 'errors')[kind]} are of {named}: {before}{self.where}, and "
        if len(folds) == len(changes) == 1:
            for other in (COMPATIBLE_FORMS, PUNCTUATION):
                if self.help([other], self.errors(changes)):
                    return f"{begin}{self.errors([other])} with {other.option}"
        options = " ".join(change.option for change in changes if change.option)
        ways = [*([f"with {options}"] if options else []), *(fold.done for fold in folds)]
        return f"{begin}{after} {' and '.join(ways)}" + "".join(f"; {fold.advice}" for fold in folds)


def _where(items: int, are_first: bool, entries: bool) -> str:
    """In what errors were counted, unless in all."""
    parts = ["the first entries"] * entries + [f"the first {items} items"] * are_first
    return f" in {' of '.join(parts)}" if parts else ""


def _named(changes: Sequence[_Change]) -> tuple[str, ...]:
    return tuple(change.what for change in changes)


def _kind(changes: Sequence[_Change]) -> int:
    """Which of the counts changes are about: 0, substitutions, or 1, all edits."""
    return int(any(change not in OF_SUBSTITUTIONS for change in changes))


def _folded(side: Any, folds: Sequence[Fold]) -> Any:
    if isinstance(side, Alternatives):
        return Alternatives(_folded(each, folds) for each in side.items)
    for fold in folds:
        side = fold.of(side)
    return side


def match_remark(
    totals: Totals,
    items: int,
    metric: CorpusMetric,
    normalisation: Normalisation,
    lattices: bool,
    where: str = "",
) -> str:
    """What to say where hardly a word matches; empty where enough do, or there are too few words to tell.

    Args:
        totals: of all items; of lattices, of their 1-best where it was scored, since oracles match by chance, too.
        items: how many there are.
        metric: what they were scored by.
        normalisation: what was done to them.
        lattices: whether the hypotheses are lattices or n-best lists.
        where: of which items it is said, unless of all.

    >>> from fstmetrics.metrics.wer import WER
    >>> match_remark(Totals(matches=9, substitutions=91, insertions=40), 20, WER(), Normalisation(), False)
    'only 9 of 100 words match: do both sides have the same items in the same order, in one language and one case \
(--lowercase ignores it)?'
    >>> match_remark(Totals(matches=20, substitutions=80), 20, WER(), Normalisation(), False)
    ''
    """
    if metric.name not in OF_WORDS or normalisation.unit != "word" or items < FEWEST_ITEMS:
        return ""
    words = min(totals.path_length, totals.hypothesis_length)
    if words < FEWEST_WORDS or MATCHING * totals.matches > words:
        return ""
    case = "" if normalisation.lowercase else " and one case (--lowercase ignores it)"
    further = ", and do the lattices need other --symbols" if lattices else ""
    if words < 2 * items:
        further += f"; are there spaces between words (if not, {NO_SPACES})"
    return (
        f"only {totals.matches} of {words} words match{where}: do both sides have the same items in the same order, "
        f"in one language{case}{further}?"
    )


def text_match_remark(pairs: Sequence[tuple[Any, Any]], items: int, normalisation: Normalisation) -> str:
    """`match_remark` of texts whose words are not counted, as under BLEU: of the words of the first, in any case.

    Nothing is said where spaces do not part words, nor where half of the characters match, as of words that are spelt
    otherwise.

    Args:
        pairs: hypotheses and references of any kind, of which texts are looked at.
        items: how many there are.
        normalisation: what was done to them.

    >>> pairs = [(f"the cat{n} sat", f"we do go{n} in") for n in range(9)]
    >>> text_match_remark(pairs, 9, Normalisation())
    'only 0 of 27 words match: do both sides have the same items in the same order, in one language?'
    """
    some = [pair for pair in _first(pairs[:SAMPLE]) if isinstance(pair[1], str)]
    if not some or unspaced_text(_texts(some)):
        return ""
    hypotheses, references = zip(*some, strict=True)
    rules = replace(normalisation, unit="word", tokenize=None, lowercase=True)
    where = _where(len(some), len(some) < items, False)
    words = totals_under(hypotheses, references, WER(), rules)
    said = match_remark(words, len(some), WER(), rules, False, where)
    if not said or words.path_length < 2 * len(some):
        return ""
    characters = totals_under(hypotheses, references, WER(), replace(rules, unit="char-no-space"))
    return said if 2 * characters.edits > characters.path_length else ""


def unspaced_remark(texts: Iterable[str], normalisation: Normalisation, advice: str) -> list[str]:
    """What to say where nothing parts the words of texts in scripts without spaces; nothing is said of a normaliser,
    nor without an advice.

    >>> unspaced_remark(["我喜欢猫"], Normalisation(), NO_SPACES)
    ["no spaces part the words of most texts, as of '我喜欢猫', and what stands between spaces counts as one word: \
--unit char-no-space"]
    """
    if (
        normalisation.unit != "word"
        or normalisation.tokenize not in LEAVE_WHOLE
        or normalisation.normaliser
        or not advice
    ):
        return []
    if not (found := unspaced_text(texts)):
        return []
    return [
        f"no spaces part the words of most texts, as of {found}, and what stands between spaces counts as one word: "
        f"{advice}"
    ]


def silent(hypotheses: Iterable[Any], references: Iterable[Any]) -> int:
    """How many texts are empty beside a text, or one of several, that is not."""
    return sum(
        any(isinstance(one, str) and one.strip() for one in _several(reference))
        for hypothesis, reference in zip(hypotheses, references, strict=False)
        if isinstance(hypothesis, str) and not hypothesis.strip()
    )


def empty_remark(silent: int, items: int) -> str:
    """What to say where hypotheses are empty and references are not, as after a recogniser that broke off.

    Args:
        silent: how many those are; fewer than three, or than one of 50, are no ground.
        items: how many items there are.

    >>> empty_remark(42, 142), empty_remark(2, 20)
    ('42 of 142 hypotheses are empty where references have words: did the system finish?', '')
    """
    if silent < FEWEST_ITEMS or 50 * silent < items:
        return ""
    return f"{silent} of {items} hypotheses are empty where references have words: did the system finish?"


def unspaced_sides(pairs: Iterable[tuple[Any, Any]], normalisation: Normalisation, advice: str) -> list[str]:
    """`unspaced_remark` of the first references, or else of the first hypotheses."""
    some = _first([*islice(pairs, FEW_TEXTS)])
    sides = ([text for pair in some for text in _texts_of(pair[side])] for side in (1, 0))
    return next(filter(None, (unspaced_remark(texts, normalisation, advice) for texts in sides)), [])


def _words_of_sides(
    pairs: Sequence[tuple[Any, Any]], normalisation: Normalisation
) -> Iterator[list[tuple[list[str], list[str]]]]:
    """The words of hypotheses and references: of several the first ones, then the second ones, and so on."""
    if normalisation.unit != "word":
        normalisation = replace(normalisation, unit="word")
    texts = _first(pairs)
    said = [normalisation.words(hypothesis) for hypothesis, _ in texts]
    for references in zip_longest(*(_several(reference) for _, reference in texts)):
        yield [
            (words, [*one.symbols.words] if isinstance(one, Network) else normalisation.words(one))
            for words, one in zip(said, references, strict=True)
            if one is not None
        ]


def case_remark(pairs: Sequence[tuple[Any, Any]], normalisation: Normalisation) -> Iterator[str]:
    """What to say where words with capital letters that both sides of an item have are in another case there, but for
    one in `MOSTLY`; nothing where case does not count.

    Args:
        pairs: as of `spelling_remarks`.
        normalisation: what was done to them.

    >>> list(case_remark([("und herr b geht", "Oder Herr A blieb")] * 10, Normalisation()))
    ['hypotheses have small letters, references capital and small letters: case counts, and --lowercase scores without \
it']
    """
    for side in _words_of_sides(pairs, normalisation) if not normalisation.folds_case else ():
        alike, others = 0, []
        for both in side:
            own, theirs = map(frozenset, both)
            same = own & theirs
            alike += sum(word not in (word.lower(), word.upper()) for word in same)
            folded = [{word.lower(): word for word in words - same} for words in (own, theirs)]
            others += [(folded[0][word], folded[1][word]) for word in folded[0].keys() & folded[1].keys()]
        if len(others) >= LEAST and alike * MOSTLY <= len(others):
            hypotheses, references = (_letters("".join(words)) for words in zip(*others, strict=True))
            if hypotheses != references:
                yield (
                    f"hypotheses have {hypotheses} letters, references {references} letters: case counts, and "
                    "--lowercase scores without it"
                )
                return


def _letters(text: str) -> str:
    """The kinds of letters of words, but for exceptions."""
    counts = {"capital": sum(map(str.isupper, text)), "small": sum(map(str.islower, text))}
    return " and ".join(kind for kind, count in counts.items() if count * MOSTLY * MOSTLY > len(text))


def sign_remark(pairs: Sequence[tuple[Any, Any]], normalisation: Normalisation) -> Iterator[str]:
    """What to say where a sign stands apart from words on one side, and hardly ever so on the other.

    Args:
        pairs: as of `spelling_remarks`.
        normalisation: what was done to them, which may part or take out signs.

    >>> list(sign_remark([("it is .", "so it was.")] * 10, Normalisation()))
    ["signs stand apart from words in hypotheses ('.'), and in references they do not: tokenize both alike (--tokenize \
13a), or neither"]
    """
    for side in _words_of_sides(pairs, normalisation) if normalisation.unit != "char-no-space" else ():
        hypotheses, references = (
            Counter(chain.from_iterable(map(_signs, words))) for words in zip(*side, strict=True)
        )
        for sign in sorted({sign for sign, _ in (*hypotheses, *references)}):
            if _is_apart(sign, hypotheses, references):
                apart, at = "hypotheses", "references"
            elif _is_apart(sign, references, hypotheses):
                apart, at = "references", "hypotheses"
            else:
                continue
            advice = "tokenize both alike (--tokenize 13a), or neither"
            if normalisation.tokenize not in (None, "none"):
                advice = f"{normalisation.tokenize} leaves them so; give both sides as they are written"
            elif normalisation.unit == "char":
                advice = f"{NO_SPACES} compares both without spaces"
            elif not sign.isascii():
                advice = "write both sides alike"
            yield f"{APART} in {apart} ({sign!r}), and in {at} they do not: {advice}"
            return


def _is_apart(sign: str, texts: Mapping[tuple[str, str], int], others: Mapping[tuple[str, str], int]) -> bool:
    """Whether a sign stands apart in texts, and in others at words; texts are counted as of `_signs`."""
    apart, at = texts[sign, "apart"], others[sign, "at"]
    return apart >= max(SIGNED, MOSTLY * texts[sign, "long"]) and at >= max(
        SIGNED, MOSTLY * others[sign, "apart"]
    )


def _signs(words: Iterable[str]) -> set[tuple[str, str]]:
    """The signs of a text, and whether they are `apart` from words or `at` them: at `long` ones, too, as stops of short
    ones are of abbreviations.

    >>> sorted(_signs(["Mr.", "Cat", ",", "it", "'s", "he!"]))
    [('!', 'at'), ('!', 'long'), ("'", 'apart'), (',', 'apart'), ('.', 'at')]
    """
    found = set()
    for word in words:
        bare = word.strip(ENDS)
        if word in SIGNS:
            found.add((word, "apart"))
        elif bare.lower() == "n't" or ("'" in (bare[:1], bare[-1:]) and len(bare) <= CLITIC):
            found.add(("'", "apart"))
        elif "'" in bare[1:-1]:  # other words have it at an end as quotation marks, and plurals that possess
            found |= {("'", "at"), ("'", "long")}
        if not bare or bare == word:
            continue
        for sign in SIGNS.intersection((word[0], word[-1])):
            found |= (
                {(sign, "at")} if sign == "." and len(word) <= ABBREVIATED else {(sign, "at"), (sign, "long")}
            )
    return found


def unlike_remarks(
    pairs: Iterable[tuple[Any, Any]],
    items: int,
    metric: CorpusMetric,
    normalisation: Normalisation,
    totals: Totals | None = None,
    lattices: bool = False,
    entries: bool = False,
) -> list[str]:
    """What the first texts tell of sides that are unlike, under any metric: of case, signs, spaces and words, as far as
    it counts them.

    Args:
        pairs: hypotheses and references of any kind, of which the first texts are looked at; of n-best lists the first
            entries.
        items, metric, normalisation, lattices: as of `match_remark`.
        totals: of all items, where words are counted; else those of the first texts tell.
        entries: as of `spelling_remarks`, also where none of pairs is an n-best list.

    >>> from fstmetrics.metrics.bleu import BLEU
    >>> unlike_remarks([(f"we saw ann {n}", f"We saw Ann {n}") for n in range(9)], 9, BLEU(), Normalisation())
    ['most substitutions are of case: 18, and 0 with --lowercase']
    """
    some: list[tuple[Any, Any]] = []
    for number, (hypothesis, reference) in enumerate(islice(pairs, SAMPLE)):
        if isinstance(hypothesis, NBest) and hypothesis.texts:
            entries, hypothesis = entries or len(hypothesis.texts) > 1, hypothesis.texts[0]
        if type(hypothesis) in WITH_TEXT and number < MOST_LOOKED_AT.get(type(reference), 0):
            some.append((hypothesis, reference))
    found: list[str] = []
    if not isinstance(metric, Metric):  # the mean of another, maybe
        metric = metric.underlying
    rules, of_strings = (
        metric.normalisation(normalisation),
        metric if isinstance(metric, TextMetric) else None,
    )
    if of_strings and of_strings.as_written:  # which parts words by itself
        rules = replace(rules, tokenize="none", unit="char-no-space")
    if some and not (of_strings and of_strings.needs) and (totals is None or totals.edits >= LEAST):
        found += spelling_remarks(some, metric if metric.name in COUNTING else WER(), rules, entries)
        if len(some) >= SIGNED:
            found += () if CASE.option in "".join(found) else case_remark(some, rules)
            found += () if NO_SPACES in "".join(found) else sign_remark(some, rules)
    if not found and totals is not None and metric.name in OF_WORDS and rules.unit == "word":
        found += filter(None, [match_remark(totals, items, metric, normalisation, lattices)])
    elif not found:
        found += filter(None, [text_match_remark(some, items, rules)])
    if of_strings:  # whose statistics tell of sides without spaces, with its own ways to part words
        cuts = unspaced_sides(some, rules, of_strings.ways_to_cut)
        return [each for each in found if not (cuts and NO_SPACES in each)]
    if len(some) > FEWEST_ITEMS and NO_SPACES not in "".join(found):
        found += unspaced_sides(some, rules, f"{NO_SPACES}, or mixed for Han characters")
    return found


def error_remarks(
    pairs: Sequence[tuple[Any, Any]],
    totals: Totals,
    items: int,
    tally: Mapping[Totals, int],
    metric: CorpusMetric,
    normalisation: Normalisation,
    lattices: bool = False,
    graphs: Callable[[], Sequence[tuple[Any, Any]]] = list,
    entries: bool = False,
) -> list[str]:
    """What to say of sides that are unlike, of words that are in nearly all hypotheses alone, and of loops.

    Args:
        pairs: the first, as of `unlike_remarks`; none where grammars widen references.
        totals, items, metric, normalisation, lattices: as of `match_remark`.
        tally: how many items have each totals, as of `few_items_remark`.
        graphs: gives the first pairs where hypotheses are lattices or n-best lists.
        entries: whether the texts of pairs are first entries, and the totals are not theirs.
    """
    found = unlike_remarks(pairs, items, metric, normalisation, totals, lattices, entries)
    are_signs = APART in "".join(found)
    if totals.insertions >= LEAST and totals.insertions * 10 >= items * 9 and not are_signs:
        found += inserted_remarks(pairs or graphs(), items, metric, normalisation, entries and bool(pairs))
    if totals.insertions >= MOST_INSERTIONS and items >= MOST_ITEMS and normalisation.unit == "word":
        found += few_items_remark(tally, totals, items, True)
    if totals.edits >= MOST_INSERTIONS and items >= MOST_ITEMS and not found:
        found += few_items_remark(tally, totals, items, False)
    return found


def inserted_remarks(
    pairs: Sequence[tuple[Any, Any]],
    items: int,
    metric: CorpusMetric,
    normalisation: Normalisation,
    entries: bool = False,
) -> Iterator[str]:
    """What to say where words that no reference has are in nearly all hypotheses, and most insertions are of them.

    Args:
        pairs: the first hypotheses and references of any kind.
        items: how many there are.
        metric, normalisation, entries: as of `spelling_remarks`.

    >>> from fstmetrics.metrics.wer import WER
    >>> list(inserted_remarks([("sil a cat sil", "a cat"), ("sil so sil", "so")] * 5, 10, WER(), Normalisation()))
    ['most insertions are of sil, which no reference has and may be no word: 20, and 0 with --ignore-hyp sil']
    """
    if not isinstance(metric, Metric) or metric.name not in OF_WORDS or normalisation.unit != "word":
        return
    heard = Counter(chain.from_iterable(_vocabulary(hypothesis) for hypothesis, _ in pairs))
    said = set().union(*(_vocabulary(reference) for _, reference in pairs))
    words = [word for word in sorted(heard) if word not in said and heard[word] * 10 >= len(pairs) * 9]
    words = [word for word in words if word and word not in SENTENCE_MARKERS]
    if not 0 < len(words) <= MOST_IGNORED:
        return
    hypotheses, references = ([pair[side] for pair in pairs] for side in (0, 1))
    alike = replace(metric, window=1) if isinstance(metric, HyTER) else metric

    def insertions(ignored: Sequence[str]) -> int:
        rules = replace(normalisation, ignore_hypothesis=normalisation.ignore_hypothesis | {*ignored})
        try:
            return totals_under(hypotheses, references, alike, rules).insertions
        except FstmetricsError:  # as where a tokenizer cuts the words
            return 0 if not ignored else insertions([])

    before, after = insertions([]), insertions(words)
    for word in words:
        fewer = [other for other in words if other != word]
        if fewer and insertions(fewer) <= after:
            words = fewer
    if before >= LEAST and after * 5 <= before:
        option = quote(" ".join([*sorted(normalisation.ignore_hypothesis), *words]))
        where = _where(len(pairs), len(pairs) < items, entries)
        yield (
            f"most insertions are of {listed(words)}, which no reference has and may be no word: {before}{where}, and "
            f"{after} with --ignore-hyp {option}"
        )


def _vocabulary(side: Any) -> set[str]:
    """The words of a side of an item, all of those that it leaves a choice of."""
    if isinstance(side, Alternatives):
        return set().union(*map(_vocabulary, side.items))
    if isinstance(side, TimedWords):
        side = side.transcript()
    if isinstance(side, Transcript):
        side = side.lattice if side.words is None else side.words
    if isinstance(side, Lattice | Network):
        return {*side.symbols.words}
    if isinstance(side, NBest):
        side = " ".join(side.texts)
    return {*side.split()} if isinstance(side, str) else {*side}


def few_items_remark(
    tally: Mapping[Totals, int], totals: Totals, items: int, insertions: bool
) -> Iterator[str]:
    """What to say where a few items have most insertions, or errors; nothing where they do not.

    A few are at most one of `MOST_ITEMS` items; each has at least `MOST_INSERTIONS` of them, and all of those that have
    so many have together at least half of all.

    Args:
        tally: how many items have each totals; those without so many errors may be left out.
        totals, items: of all.
        insertions: whether it is about insertions, or about all errors.

    >>> loops = {Totals(9, insertions=38): 2}
    >>> list(few_items_remark(loops, Totals(720, insertions=100), 99, True))
    ['2 of 99 items have 76 % of the insertions; errors --loops lists loops and long runs']
    """
    counted = [(each.insertions if insertions else each.edits, n) for each, n in tally.items()]
    many = [(count, n) for count, n in counted if count >= MOST_INSERTIONS]
    few, own = sum(n for _, n in many), sum(count * n for count, n in many)
    every = totals.insertions if insertions else totals.edits
    if few and few * MOST_ITEMS <= items and 2 * own >= every:
        have = "item has" if few == 1 else "items have"
        share = f"{100 * own / every:.0f} % of the"
        told = (
            "insertions; errors --loops lists loops and long runs"
            if insertions
            else "errors; show lists the worst"
        )
        yield f"{few} of {items} {have} {share} {told}"
