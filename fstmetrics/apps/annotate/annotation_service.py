"""What the tool does for an annotator, one method a request: `AnnotationService`. `README.md` documents what they give.

Methods take and return what JSON has, and know nothing of a server. What cannot be done is an error, whose class says
which status the server answers with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fstmetrics import FstmetricsError, Normalisation
from fstmetrics.apps.annotate import typing_feedback
from fstmetrics.apps.annotate.annotation_order import SentenceDistances, annotation_order
from fstmetrics.apps.annotate.annotator_agreement import agreement
from fstmetrics.apps.annotate.card_search import completions, copied, same_words
from fstmetrics.apps.annotate.change_history import ChangeHistory, Kind, Mark
from fstmetrics.apps.annotate.open_proposals import answer_mark, as_typed, open_proposals, rejected_phrases
from fstmetrics.apps.annotate.path_judgments import (
    VERDICTS,
    counted_verdicts,
    paths_to_judge,
    verdict_mark,
    verdicts,
)
from fstmetrics.apps.annotate.placed_choices import placed_choice
from fstmetrics.apps.annotate.progress_tables import WorkingTime, annotator_rows, progress_rows
from fstmetrics.apps.annotate.project_store import (
    DONE,
    MOST_NOTE,
    NOTE,
    Annotator,
    Project,
    SentenceMarks,
    SourceSentence,
    sees_others,
    sentence_marks,
    visible,
)
from fstmetrics.apps.annotate.rooted_cards import whole_sentence
from fstmetrics.apps.annotate.sentence_cards import (
    FIELDS,
    MOST_TEXT,
    ROOT_ID,
    Cards,
    ChangeRefusedError,
    Effect,
    TypedCard,
    changed,
    compiled,
    span_of,
    storable,
)
from fstmetrics.apps.annotate.target_units import as_written
from fstmetrics.apps.annotate.typing_feedback import MOST_SAMPLES
from fstmetrics.networks.short_forms import Joined

Data = Mapping[str, Any]
NOT_DONE = "the whole sentence has no string yet: write it (F4), or say that you cannot translate it"
# Told of every change: the annotator, the sentence, and what happened.
Notify = Callable[[Annotator, int, dict[str, Any]], None]


class NotThereError(FstmetricsError):
    """A sentence, card or annotator that the project does not have."""


class NotAllowedError(FstmetricsError):
    """What an annotator's protocol does not show."""


class AnnotationService:
    """What annotators ask of a project.

    Args:
        project: open, to be changed.
        notify: called after every change.
        clock: gives seconds, for the time that is spent.
    """

    def __init__(
        self,
        project: Project,
        notify: Notify = lambda annotator, sentence, what: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._project = project
        self._notify = notify
        self._time = WorkingTime(project, clock)
        self._distances = SentenceDistances()

    def close(self) -> None:
        """Save what is not saved yet: the time spent last."""
        self._time.save_all()

    def project(self, annotator: Annotator) -> dict[str, Any]:
        """The documents and sentences, with how far the annotator is."""
        marks = sentence_marks(self._project)
        revisions = self._project.revisions()
        seconds = self._time.seconds(annotator)
        documents: dict[str, list[dict[str, Any]]] = {}
        for sentence in self._project.sentences():
            cards = self._project.cards(sentence.id, annotator)
            root = typing_feedback.sizes(whole_sentence(compiled(cards, self._project.normalisation)))
            said = marks.get((annotator.name, sentence.id), SentenceMarks())
            documents.setdefault(sentence.document, []).append({
                "id": sentence.id, "key": sentence.key, "source": list(sentence.source), "unit": sentence.unit,
                "revision": revisions.get((sentence.id, annotator.id), 0), "cards": len(cards) - 1,
                "paths": root.as_dict()["paths"], **said._asdict(), "done": said.done and root.paths != 0,
                "seconds": round(seconds.get(sentence.id, 0.0), 1),
            })  # fmt: skip
        others = self._project.annotators() if sees_others(annotator.protocol) else [annotator]
        return {
            "annotator": annotator.name,
            "protocol": annotator.protocol,
            "annotators": [each.name for each in others],
            "documents": [{"name": name, "sentences": rows} for name, rows in documents.items()],
        }

    def sentence(self, annotator: Annotator, id: int, quiet: bool = False) -> dict[str, Any]:
        """A sentence: its source, the texts that the annotator sees, and their cards.

        Args:
            annotator: who asks.
            id: of the sentence.
            quiet: whether the page asks by itself, which is no work.
        """
        sentence = self._sentence(id)
        if not quiet:
            self._time.touch(annotator, id)
        words = self._project.normalisation
        texts = visible(self._project.texts(id), annotator.protocol)
        said = sentence_marks(self._project, id).get((annotator.name, id), SentenceMarks())
        return {
            "id": id,
            "key": sentence.key,
            "document": sentence.document,
            "unit": sentence.unit,
            "target": words.unit,
            "tokenize": words.tokenize,
            "lowercase": words.lowercase,
            "source": list(sentence.source),
            "texts": [
                {"kind": text.kind, "name": text.name, "words": list(text.words),
                 "links": None if text.links is None else [list(link) for link in text.links]}
                for text in texts
            ],
            **said._asdict(),
            "done": said.done and not self._is_empty(annotator, id),
            **self._state(self._project.history(id, annotator)),
        }  # fmt: skip

    def change(self, annotator: Annotator, id: int, data: Data) -> dict[str, Any]:
        """Change the cards of a sentence; saved when this returns."""
        sentence = self._sentence(id)
        history = self._project.history(id, annotator)
        revision = _revision(data)
        op = data.get("change")
        if not isinstance(op, Mapping):
            raise ChangeRefusedError('"change" is missing, or no object')
        op = {field: value for field, value in op.items() if field in FIELDS}
        # Of another revision the effect is not looked at: it is refused as a conflict.
        effect = (
            changed(history.cards, op, len(sentence.source)) if revision == history.revision else Effect()
        )
        continues = data.get("continues") is True
        return self._changed(annotator, sentence, revision, "change", data, effect, op, continues)

    def copy(self, annotator: Annotator, id: int, data: Data) -> dict[str, Any]:
        """Copy a card of another annotator or sentence, with all that it calls."""
        sentence = self._sentence(id)
        history = self._project.history(id, annotator)
        given = data.get("from")
        if not isinstance(given, Mapping):
            raise ChangeRefusedError('"from" is missing, or no object')
        name, number, card = given.get("annotator"), given.get("sentence"), given.get("card")
        if name != annotator.name:
            self._check_sees_others(annotator)
        other = self._annotator(name)
        if type(number) is not int or not isinstance(card, str):
            raise ChangeRefusedError('"from" needs "annotator", "sentence" (a number) and "card" (an id)')
        theirs = self._project.cards(self._sentence(number).id, other)
        origin = (other.name, self._sentence(number).key)
        words = len(sentence.source)
        effect = copied(history.cards, theirs, card, origin, number == id, words, span_of(data, words))
        op = {"op": "copy", "from": {"annotator": name, "sentence": number, "card": card}}
        return self._changed(annotator, sentence, _revision(data), "change", data, effect, op)

    def undo(self, annotator: Annotator, id: int, data: Data) -> dict[str, Any]:
        """Undo the last change that is not undone."""
        return self._changed(annotator, self._sentence(id), _revision(data), "undo", data)

    def redo(self, annotator: Annotator, id: int, data: Data) -> dict[str, Any]:
        """Make the change again that was undone last."""
        return self._changed(annotator, self._sentence(id), _revision(data), "redo", data)

    def _changed(
        self,
        annotator: Annotator,
        sentence: SourceSentence,
        revision: int | None,
        kind: Kind,
        data: Data,
        effect: Effect | None = None,
        op: Data | None = None,
        continues: bool = False,
        marks: Sequence[Mark] = (),
    ) -> dict[str, Any]:
        self._time.touch(annotator, sentence.id)
        after = self._project.change(sentence.id, annotator, revision, kind, effect, op, continues, marks)
        window = data.get("window")
        self._notify(
            annotator, sentence.id,
            {"revision": after.revision, "window": window if isinstance(window, str) else ""},
        )  # fmt: skip
        answer = self._state(after)
        if kind != "change":
            answer |= {"what": after.told, "card": after.about}
        elif effect is not None and effect.card:
            answer["card"] = effect.card
        if isinstance(look := data.get("look"), Mapping):
            answer["look"] = self._look(annotator, sentence, after.cards, look)
        return answer

    def look(self, annotator: Annotator, id: int, data: Data) -> dict[str, Any]:
        """What is shown while somebody types; with `text`, as if the card had it, and nothing is saved."""
        sentence = self._sentence(id)
        if data.get("quiet") is not True:
            self._time.touch(annotator, id)
        history = self._project.history(id, annotator)
        cards: Cards = history.cards
        if data.get("text") is not None:
            op = {"op": "text", "card": data.get("card", ROOT_ID), "text": data["text"]}
            cards = changed(cards, op, len(sentence.source)).on(cards)
        return {"revision": history.revision, **self._look(annotator, sentence, cards, data)}

    def _look(
        self, annotator: Annotator, sentence: SourceSentence, cards: Cards, data: Data
    ) -> dict[str, Any]:
        card, drawing = data.get("card", ROOT_ID), data.get("drawing", "card")
        seed, samples = data.get("seed", 0), data.get("samples", 5)
        if type(seed) is not int or type(samples) is not int or not 0 <= samples <= MOST_SAMPLES:
            raise ChangeRefusedError(
                f'"seed" and "samples" are whole numbers, samples at most {MOST_SAMPLES}'
            )
        if drawing not in ("card", "network", "none"):
            raise ChangeRefusedError('"drawing" is card, network or none')
        if not isinstance(card, str) or card not in cards:
            card = ROOT_ID  # it is gone, as behind an undo
        texts = visible(self._project.texts(sentence.id), annotator.protocol)
        return typing_feedback.feedback(
            cards, texts, card=card, seed=seed, samples=samples, drawing=drawing,
            normalisation=self._project.normalisation,
        )  # fmt: skip

    def completions(self, annotator: Annotator, id: int, query: str, card: str) -> dict[str, Any]:
        """Cards that `[` offers."""
        self._sentence(id)
        others = sees_others(annotator.protocol)
        return {"cards": completions(self._project, id, annotator, query[:100], card, others)}

    def offers(self, annotator: Annotator, id: int, first: int, last: int) -> dict[str, Any]:
        """Cards elsewhere that have the source words of a span."""
        span = span_of({"span": [first, last]}, len(self._sentence(id).source))
        assert span is not None
        return {"cards": same_words(self._project, id, annotator, span, sees_others(annotator.protocol))}

    def proposals(self, annotator: Annotator, id: int, least: int = 0) -> dict[str, Any]:
        """Phrases that would bring texts closer, outputs of at least so many systems among them."""
        self._sentence(id)
        texts = visible(self._project.texts(id), annotator.protocol)
        history = self._project.history(id, annotator)
        rejected = rejected_phrases(self._project, id, annotator)
        found = open_proposals(history.cards, texts, rejected, self._project.normalisation, least)
        return {"revision": history.revision, "proposals": found}

    def answer_proposal(self, annotator: Annotator, id: int, data: Data) -> dict[str, Any]:
        """Accept a proposal as it is, or edited, or reject it."""
        sentence = self._sentence(id)
        history = self._project.history(id, annotator)
        card, phrase, action = data.get("card"), data.get("phrase"), data.get("action")
        if not isinstance(card, str) or card not in history.cards or not isinstance(phrase, str):
            raise ChangeRefusedError('"card" is the id of a card, and "phrase" the phrase that was proposed')
        if len(phrase) > MOST_TEXT:
            raise ChangeRefusedError(f"a phrase of {len(phrase)} characters; the most is {MOST_TEXT}")
        if action not in ("accept", "reject"):
            raise ChangeRefusedError('"action" is accept or reject')
        phrase = storable(phrase)
        joined = compiled(history.cards, self._project.normalisation).joined
        proposed = as_typed(phrase, self._project.normalisation.unit, joined)
        is_new = (card, phrase) not in rejected_phrases(self._project, id, annotator)
        if action == "reject":
            if not is_new:
                return self._state(history)
            op = {"op": "reject", "card": card, "phrase": phrase, "shown": proposed}
            marks = [answer_mark(card, phrase, edited=False)]
            return self._changed(annotator, sentence, None, "change", data, Effect(), op, marks=marks)
        revision = _revision(data)
        effect, op, edited = Effect(), {"op": "add", "card": card}, False
        if revision == history.revision:
            op, edited = _acceptance(
                history.cards[card], phrase, proposed, data, self._project.normalisation, joined
            )
            effect = changed(history.cards, op, len(sentence.source))
        # What was proposed is not proposed again.
        marks = [answer_mark(card, phrase, edited=True)] if edited and is_new else []
        op["proposed"] = phrase
        return self._changed(annotator, sentence, revision, "change", data, effect, op, marks=marks)

    def paths(self, annotator: Annotator, id: int, of: str, seed: int) -> dict[str, Any]:
        """Paths to be judged, of the annotator's own network or of another's."""
        self._sentence(id)
        other = annotator
        if of and of != annotator.name:
            self._check_sees_others(annotator)
            other = self._annotator(of)
        texts = visible(self._project.texts(id), annotator.protocol)
        said = verdicts(self._project, id)
        if not sees_others(annotator.protocol):
            own = annotator.name
            said = {words: {own: each[own]} for words, each in said.items() if own in each}
        return paths_to_judge(
            self._project.cards(id, other),
            texts,
            said,
            annotator.name,
            seed,
            normalisation=self._project.normalisation,
        )

    def judge(self, annotator: Annotator, id: int, data: Data) -> dict[str, Any]:
        """Say of a path that it is grammatical, odd or wrong; null takes it back."""
        sentence = self._sentence(id)
        words, verdict = data.get("words"), data.get("verdict")
        if not isinstance(words, list) or not all(isinstance(word, str) and word for word in words):
            raise ChangeRefusedError('"words" is a list of words')
        if verdict is not None and verdict not in VERDICTS:
            raise ChangeRefusedError(f'"verdict" is {", ".join(VERDICTS)} or null')
        kept = [storable(word) for word in words]
        before = verdicts(self._project, id).get(tuple(kept), {}).get(annotator.name)
        if verdict == before:
            return {"verdict": verdict, **self._state(self._project.history(id, annotator))}
        shown = as_written(kept, self._project.normalisation.unit)
        op = {"op": "judge", "words": kept, "verdict": verdict, "shown": shown}
        marks = [verdict_mark(kept, before, verdict)]
        answer = self._changed(annotator, sentence, None, "change", data, Effect(), op, marks=marks)
        return {"verdict": verdict, **answer}

    def agreement(self, annotator: Annotator, id: int) -> dict[str, Any]:
        """How far annotators agree, with the union and SPU."""
        self._sentence(id)
        self._check_sees_others(annotator)
        cards = {who.name: each for who, each in self._project.annotated(id).items()}
        said = counted_verdicts(verdicts(self._project, id))
        return {**agreement(cards, self._project.texts(id), self._project.normalisation), "verdicts": said}

    def order(self, annotator: Annotator) -> dict[str, Any]:
        """Sentences by how much more annotation could change what is known of the systems."""
        self._check_sees_others(annotator)
        there = [
            (sentence, [text.name for text in self._project.texts(sentence.id) if text.kind == "system"])
            for sentence in self._project.sentences()
        ]
        names = sorted({name for _, systems in there for name in systems})
        kept = [sentence for sentence, systems in there if len(systems) == len(names) and names]
        rows = [self._distances.of(self._project, s.id) for s in kept]
        found = annotation_order({name: [row[name] for row in rows] for name in names} if kept else {})
        return {
            "sentences": [
                {"id": kept[i].id, "key": kept[i].key, "weight": found.weights[i], "distances": rows[i]}
                for i in found.order
            ],
            "systems": [{"name": name, "distance": total} for name, total in found.sums.items()],
            "pairs": [pair._asdict() for pair in found.pairs],
        }

    def progress(self, annotator: Annotator) -> dict[str, Any]:
        """What was done, a row an annotator and sentence, and a row an annotator."""
        self._time.save_all()
        names = None if sees_others(annotator.protocol) else [annotator.name]
        rows = progress_rows(self._project, names)
        return {"rows": rows, "annotators": annotator_rows(rows)}

    def _check_sees_others(self, annotator: Annotator) -> None:
        if not sees_others(annotator.protocol):
            raise NotAllowedError(f"the protocol {annotator.protocol!r} does not show what others wrote")

    def done(self, annotator: Annotator, id: int, data: Data) -> dict[str, Any]:
        """Mark a sentence as done, or not; without a path of the whole sentence it is not done."""
        self._sentence(id)
        if type(done := data.get("done")) is not bool:
            raise ChangeRefusedError('"done" is true or false')
        if done and self._is_empty(annotator, id):
            return {"done": False, "why": NOT_DONE}
        self._time.touch(annotator, id)
        self._project.log(annotator, id, DONE, {"done": done})
        self._notify(annotator, id, {"done": done})
        return {"done": done}

    def work(self, annotator: Annotator, id: int, data: Data) -> dict[str, Any]:
        """Somebody does something on the page of a sentence: reads, selects, scrolls."""
        self._time.touch(annotator, self._sentence(id).id)
        return {}

    def note(self, annotator: Annotator, id: int, data: Data) -> dict[str, Any]:
        """Say something of a sentence to whoever leads the project, or that one cannot translate it."""
        self._sentence(id)
        said = {name: data[name] for name in ("note", "cannot_translate") if name in data}
        note = said.get("note", "")
        if not isinstance(note, str) or type(said.get("cannot_translate", False)) is not bool or not said:
            raise ChangeRefusedError('"note" is a text, "cannot_translate" true or false; give one or both')
        if len(note) > MOST_NOTE:
            raise ChangeRefusedError(f"a note of {len(note)} characters; the most is {MOST_NOTE}")
        self._time.touch(annotator, id)
        self._project.log(annotator, id, NOTE, said)
        self._notify(annotator, id, said)
        return said

    def _state(self, history: ChangeHistory) -> dict[str, Any]:
        return state_of(history, self._project.normalisation)

    def _is_empty(self, annotator: Annotator, id: int) -> bool:
        """Whether the whole sentence has no path."""
        return (
            whole_sentence(compiled(self._project.cards(id, annotator), self._project.normalisation)) is None
        )

    def _sentence(self, id: int) -> SourceSentence:
        try:
            return self._project.sentence(id)
        except KeyError:
            raise NotThereError(f"there is no sentence {id}") from None

    def _annotator(self, name: object) -> Annotator:
        try:
            return self._project.annotator(storable(str(name)))
        except KeyError:
            raise NotThereError(f"there is no annotator {name!r:.80}") from None


def _acceptance(
    card: TypedCard,
    phrase: str,
    proposed: str,
    data: Data,
    normalisation: Normalisation,
    joined: Mapping[str, Joined],
) -> tuple[dict[str, Any], bool]:
    """The change that a proposed phrase becomes, and whether somebody has edited it: one more phrase of its card, or a
    choice in the phrase that it is proposed instead of."""
    text, instead = data.get("text"), data.get("instead")
    if instead is None:
        op = {"op": "add", "card": card.id, "phrase": proposed if text is None else text}
        return op, text is not None and text != proposed
    if not isinstance(instead, str) or not isinstance(text, str | None):
        raise ChangeRefusedError('"instead" is a phrase of the card, and "text" a text')
    placed, own = (
        placed_choice(card.text, instead, phrase, after, normalisation, joined) for after in (text, None)
    )
    if placed is None or own is None:
        raise ChangeRefusedError(
            "the phrase that it changes has changed meanwhile; take it from the list again"
        )
    return {"op": "text", "card": card.id, "text": placed.text}, placed.after != own.after


def state_of(history: ChangeHistory, normalisation: Normalisation) -> dict[str, Any]:
    """The cards of a history for JSON, and whether there is something to undo or redo."""
    made = compiled(history.cards, normalisation)
    return {
        "revision": history.revision,
        "cards": [
            {**card.as_dict(), "empty": card.name in made.empty, "unread": len(made.unread(card.name))}
            for card in history.cards.values()
        ],
        "can_undo": history.past is not None,
        "can_redo": history.future is not None,
    }


def _revision(data: Data) -> int:
    if type(revision := data.get("revision")) is not int:
        raise ChangeRefusedError('"revision" is missing, or no whole number')
    return revision
