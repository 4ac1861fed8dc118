"""What the words of a network say of themselves, and hypotheses that are cut alike: `left_for`, `adopted`.

A network may say that its words were made by a tokenizer, or are in lower case. Hypotheses are then to be cut by the
same tokenizer, and the network's words, which are its tokens already, are not cut again.
"""

from __future__ import annotations

from dataclasses import replace

from fstmetrics.data.network import Network
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation
from fstmetrics.text.tokenizers import KNOWN, OTHER


def adopted(network: Network, normalisation: Normalisation) -> Normalisation:
    """What is done to words where the network's tokenizer and case count, unless a tokenizer is asked for.

    >>> from fstmetrics import Card
    >>> adopted(Network([Card.from_phrases("S", ["a ."])], "S", tokenize="13a"), Normalisation())
    Normalisation(tokenize='13a')
    """
    return replace(
        normalisation,
        tokenize=network.tokenize if normalisation.tokenize is None else normalisation.tokenize,
        lowercase=normalisation.lowercase or network.lowercase,
    )


def refuse_uncut(network: Network) -> None:
    """Refuse words that no text has when it is cut by the network's tokenizer, which no hypothesis would match.

    Args:
        network: says a tokenizer `by_words`, under which a token is cut again at most behind a full stop or comma.

    Raises:
        FstmetricsError: such a word; it says what it is cut into.
    """
    cut = Normalisation(tokenize=network.tokenize)
    for word in filter(None, network.symbols.words):
        if all(cut.words(before + word)[-1:] != [word] for before in ("", ",", "a.")):
            tokens = " ".join(cut.words(word))
            card = next(name for name, card in network.cards.items() if word in [arc[2] for arc in card.arcs])
            raise FstmetricsError(
                f"network {network.id or '(no id)'}, card {card!r}: {word!r} is no token of {cut.tokenize}, which "
                f"cuts it into {tokens!r}; write tokens, or leave 'tokenize' out and give --tokenize {cut.tokenize} "
                "where it is scored"
            )


def left_for(network: Network, normalisation: Normalisation) -> Normalisation:
    """What is left to be done to the words of a network, which may be tokens already.

    Raises:
        FstmetricsError: what is done to hypotheses would not make them alike; it names both tokenizers.

    >>> from fstmetrics import Card
    >>> network = Network([Card.from_phrases("S", ["a ."])], "S", tokenize="13a")
    >>> left_for(network, Normalisation(tokenize="13a", lowercase=True))
    Normalisation(lowercase=True)
    """
    who = f"network {network.id or '(no id)'}"
    folds_case = normalisation.lowercase or (
        normalisation.normaliser is not None and normalisation.normaliser.folds_case
    )
    if network.lowercase and not folds_case:
        raise FstmetricsError(
            f"{who}: its words are in lower case, and here case counts; give --lowercase "
            "(Normalisation(lowercase=True) in Python)"
        )
    own = network.tokenize
    if own is None:
        return normalisation
    if (other := normalisation.tokenize or "none") != own:
        raise FstmetricsError(
            f"{who}: its words were made by the tokenizer {own}, and the tokenizer here is {other}; give "
            f"--tokenize {own} (Normalisation(tokenize={own!r}) in Python)"
        )
    if normalisation.normaliser is not None:
        raise FstmetricsError(
            f"{who}: its words were made by the tokenizer {own}, and {normalisation.label or 'the normaliser'} "
            "rewrites texts before they are cut; build the network of such texts, without --tokenize"
        )
    if normalisation.unicode != "as-is":
        raise FstmetricsError(
            f"{who}: its words were made by the tokenizer {own}, of texts in another Unicode form than "
            f"{normalisation.unicode}, as far as is known; leave --normalise-unicode out"
        )
    if normalisation.lowercase and not network.lowercase and not KNOWN.get(own, OTHER).by_signs:
        raise FstmetricsError(
            f"{who}: the tokenizer {own} may cut words in lower case in other places; build the network with "
            "--lowercase, or leave it out here"
        )
    cut = Normalisation(tokenize=own, allow_download=normalisation.allow_download)
    if parted := next((word for word in sorted(normalisation.ignore) if cut.words(word) != [word]), None):
        raise FstmetricsError(
            f"{who}: its words were made by the tokenizer {own}, which cuts {parted!r}, so that it cannot be ignored; "
            "take it out of the texts"
        )
    return replace(normalisation, tokenize=None)
