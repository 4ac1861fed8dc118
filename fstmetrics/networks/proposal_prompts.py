"""A prompt that asks a language model, or a person, for phrases: `prompt`. The answer is the JSON form of proposals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice

from fstmetrics.data.network import Network
from fstmetrics.networks.calls import useful_cards
from fstmetrics.networks.proposals import FORMAT, REMARKS, THEIRS, Proposal
from fstmetrics.networks.text_form import card_phrases
from fstmetrics.support.errors import FstmetricsError

# Phrases that the prompt shows of a card, and differences of a sentence.
MOST_PHRASES = 30
MOST_DIFFERENCES = 20

# The form of an answer, for interfaces of language models that take a JSON schema.
ANSWER_SCHEMA = {
    "type": "object",
    "properties": {
        "format": {"const": FORMAT},
        "proposals": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in (*THEIRS, *REMARKS)},
                "required": list(THEIRS),
                "additionalProperties": False,
            },
        },
    },
    "required": ["format", "proposals"],
    "additionalProperties": False,
}

TASK = """\
You extend a network of reference translations of one sentence. A network is a set of cards. A card is a name, the
source words that it translates (if known), and phrases that mean the same in this sentence. [NAME] in a phrase calls
another card, and stands for any of its phrases. The root card, {root}, holds the whole sentence.

Propose further phrases for the cards. Rules:
- A phrase must mean the same as the other phrases of its card, and fit wherever the card is called.
- Every sentence that the network then holds must be a correct and fluent translation. Propose nothing rather than
  something doubtful. Outputs of systems, below, contain errors: use them for ideas only.
- Prefer the smallest card that fits, and keep calls of cards: "the [PM] of Italy", not "the premier of Italy".
- Write words as they are written in the network, separated by spaces. Call only cards that are listed. Write a bracket
  that is a word as \\[ or \\]. Do not repeat phrases that a card has.

Answer with one JSON object and nothing else:
{answer}
"note" is optional: why the phrase means the same. If there is nothing to propose, answer with an empty list."""


def prompt(
    network: Network, outputs: Mapping[str, str | Sequence[str]] | None = None, found: Sequence[Proposal] = ()
) -> str:
    """What to ask for one sentence: the task, the form of the answer, the cards, and where outputs differ.

    Args:
        network: the sentence's.
        outputs: outputs of systems and further references, by name.
        found: what `propose` found.

    Raises:
        FstmetricsError: a card that is cyclic.

    >>> from fstmetrics import Card, Network
    >>> network = Network([Card.from_phrases("S", ["the [PM] spoke"]), Card.from_phrases("PM", ["PM"])], "S", id="s1")
    >>> print(prompt(network, {"a": "the premier spoke"}).partition("The cards")[2])
     of sentence "s1":
    {"card": "PM", "phrases": ["PM"]}
    {"card": "S", "phrases": ["the [PM] spoke"]}
    <BLANKLINE>
    Other translations of the sentence, some of them wrong:
    {"name": "a", "text": "the premier spoke"}
    """
    example = {"network": network.id, "card": "NAME", "phrase": "words [CARD] words", "note": "..."}
    answer = _line({"format": FORMAT, "proposals": [example]})
    blocks = [TASK.format(root=_line(network.root), answer=answer)]
    if network.source:
        blocks.append(f"The source sentence:\n{_line(' '.join(network.source))}")
    cards = [_line(_card(network, name)) for name in useful_cards(network)]
    blocks.append("\n".join([f"The cards of sentence {_line(network.id)}:", *cards]))
    if outputs:
        rows = [
            _line({"name": name, "text": text if isinstance(text, str) else " ".join(text)})
            for name, text in outputs.items()
        ]
        blocks.append("\n".join(["Other translations of the sentence, some of them wrong:", *rows]))
    if found:
        differences = [_line(_difference(one)) for one in found[:MOST_DIFFERENCES]]
        head = "Where they differ from the network, with the phrase that would bring them closer:"
        blocks.append("\n".join([head, *differences]))
    return "\n\n".join(blocks)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _card(network: Network, name: str) -> dict[str, object]:
    card = network.cards[name]
    try:
        phrases = card_phrases(card)
    except FstmetricsError as error:
        raise FstmetricsError(f"network {network.id or '(no id)'}: {error}") from None
    found: dict[str, object] = {"card": name}
    if card.span is not None and network.source:
        found["source"] = " ".join(network.source[slice(*card.span)])
    found["phrases"] = list(islice(phrases, MOST_PHRASES))
    if len(phrases) > MOST_PHRASES:
        found["more_phrases"] = len(phrases) - MOST_PHRASES
    return found


def _difference(one: Proposal) -> dict[str, object]:
    return {
        "card": one.phrase.card,
        "left": " ".join(one.left),
        "network": " ".join(one.removed),
        "output": " ".join(one.added),
        "right": " ".join(one.right),
        "phrase": one.phrase.phrase,
        "closer": one.closer,
    }
